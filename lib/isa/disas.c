// SPDX-License-Identifier: BSD-2-Clause
/*
 * disas.c - the disassembler (isa.h); it uses the same table as the decoder.  Pure.
 */
#include "isa.h"

/* The text that is being written; characters that do not fit are dropped. */
struct text {
	char *to;
	unsigned left;
};

static void put_char(struct text *t, char c)
{
	if (t->left > 1) {
		*t->to++ = c;
		t->left--;
	}
}

static void put(struct text *t, const char *s)
{
	while (*s)
		put_char(t, *s++);
}

static void put_number(struct text *t, uint64_t value, unsigned base)
{
	char digit[20];
	unsigned nr = 0;

	do
		digit[nr++] = "0123456789abcdef"[value % base];
	while (value /= base);
	while (nr)
		put_char(t, digit[--nr]);
}

static void put_signed(struct text *t, int64_t value)
{
	if (value < 0)
		put_char(t, '-');
	put_number(t, value < 0 ? -(uint64_t)value : (uint64_t)value, 10);
}

static void put_hex(struct text *t, uint64_t value)
{
	put(t, "0x");
	put_number(t, value, 16);
}

static const char x_names[32][5] = {
	"zero", "ra", "sp", "gp", "tp",	 "t0",	"t1", "t2", "s0", "s1", "a0",
	"a1",	"a2", "a3", "a4", "a5",	 "a6",	"a7", "s2", "s3", "s4", "s5",
	"s6",	"s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

static const char f_names[32][5] = {
	"ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1",  "fa0",
	"fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4",  "fs5",
	"fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11",
};

/*
 * The operands of each format.  d, s, t: x registers rd, rs1, rs2; D, S, T, R: f registers rd, rs1,
 * rs2, rs3; i: immediate; u: upper immediate; p: pc plus the immediate; c: CSR; z: uimm.
 */
static const char *const layout[] = {
	[ISA_FMT_NONE] = "",	  [ISA_FMT_R] = "d,s,t",    [ISA_FMT_R1] = "d,s",
	[ISA_FMT_I] = "d,s,i",	  [ISA_FMT_SH6] = "d,s,i",  [ISA_FMT_SH5] = "d,s,i",
	[ISA_FMT_L] = "d,i(s)",	  [ISA_FMT_S] = "t,i(s)",   [ISA_FMT_JR] = "d,i(s)",
	[ISA_FMT_B] = "s,t,p",	  [ISA_FMT_U] = "d,u",	    [ISA_FMT_J] = "d,p",
	[ISA_FMT_CSR] = "d,c,s",  [ISA_FMT_CSRI] = "d,c,z", [ISA_FMT_FENCE] = "i",
	[ISA_FMT_FV] = "s,t",	  [ISA_FMT_LR] = "d,(s)",   [ISA_FMT_AMO] = "d,t,(s)",
	[ISA_FMT_RS1] = "(s)",	  [ISA_FMT_PF] = "i(s)",    [ISA_FMT_FL] = "D,i(s)",
	[ISA_FMT_FS] = "T,i(s)",  [ISA_FMT_FR] = "D,S,T",   [ISA_FMT_FRM] = "D,S,T",
	[ISA_FMT_R4] = "D,S,T,R", [ISA_FMT_F1RM] = "D,S",   [ISA_FMT_FCMP] = "d,S,T",
	[ISA_FMT_XF] = "d,S",	  [ISA_FMT_XFRM] = "d,S",   [ISA_FMT_FX] = "D,s",
	[ISA_FMT_FXRM] = "D,s",
};

static void put_operand(struct text *t, char kind, const struct isa_fields *f, uint64_t pc)
{
	switch (kind) {
	case 'd':
		put(t, x_names[f->rd]);
		break;
	case 's':
		put(t, x_names[f->rs1]);
		break;
	case 't':
		put(t, x_names[f->rs2]);
		break;
	case 'D':
		put(t, f_names[f->rd]);
		break;
	case 'S':
		put(t, f_names[f->rs1]);
		break;
	case 'T':
		put(t, f_names[f->rs2]);
		break;
	case 'R':
		put(t, f_names[f->rs3]);
		break;
	case 'i':
		put_signed(t, f->imm);
		break;
	case 'u':
		put_hex(t, (uint32_t)f->imm >> 12);
		break;
	case 'p':
		put_hex(t, pc + (int64_t)f->imm);
		break;
	case 'c':
		put_hex(t, (uint32_t)f->imm);
		break;
	case 'z':
		put_number(t, f->rs1, 10);
		break;
	default:
		put_char(t, kind);
		break;
	}
}

void isa_disassemble(const struct isa_index *index, uint32_t insn, uint64_t pc, char *text,
		     unsigned size)
{
	struct text t = { text, size };
	struct isa_fields f;
	enum isa_insn id;
	uint32_t wide = isa_length(insn) == 2 ? isa_expand(insn, 64) : insn;

	if (!size)
		return;
	id = isa_find(index, wide);
	if (isa_length(insn) == 2 && id != ISA_NONE)
		put(&t, "c:");
	for (const char *s = isa_table[id].name; *s; s++)
		put_char(&t, *s == '_' ? '.' : *s);
	isa_fields(id, wide, &f);
	if (*layout[isa_table[id].format])
		put_char(&t, ' ');
	for (const char *s = layout[isa_table[id].format]; *s; s++)
		put_operand(&t, *s, &f, pc);
	*t.to = 0;
}

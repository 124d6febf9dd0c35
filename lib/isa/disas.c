// SPDX-License-Identifier: BSD-2-Clause
/*
 * disas.c - the disassembler (isa.h); it uses the same table as the decoder.  Pure.
 *
 * It has two forms.  The plain one shows each instruction under its own name, with all its
 * operands.  The other one is for people, and is what GNU objdump prints: pseudo-instructions,
 * rounding modes, names of CSRs.
 *
 * Implements: Unpriv 20240411, chapter 37 (tables of pseudo-instructions).
 */
#include <rv/csr.h>
#include <stddef.h>

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
 * rs2, rs3; V, X, W: v registers rd, rs1, rs2; i: immediate; u: upper immediate; p: pc plus the
 * immediate; c: CSR; z: uimm; v: vtype; w: vtype of XTheadVector; K: the mask, if there is one; M:
 * the mask, always; r: x register rs3; e, l: last and first bit of a field; x, n: step and shift
 * amount; L: the registers of cm.push; A: v register rd, if it is written.
 */
static const char *const layout[] = {
	[ISA_FMT_NONE] = "",	      [ISA_FMT_R] = "d,s,t",	  [ISA_FMT_R1] = "d,s",
	[ISA_FMT_I] = "d,s,i",	      [ISA_FMT_SH6] = "d,s,i",	  [ISA_FMT_SH5] = "d,s,i",
	[ISA_FMT_L] = "d,i(s)",	      [ISA_FMT_S] = "t,i(s)",	  [ISA_FMT_JR] = "d,i(s)",
	[ISA_FMT_B] = "s,t,p",	      [ISA_FMT_U] = "d,u",	  [ISA_FMT_J] = "d,p",
	[ISA_FMT_CSR] = "d,c,s",      [ISA_FMT_CSRI] = "d,c,z",	  [ISA_FMT_FENCE] = "i",
	[ISA_FMT_FV] = "s,t",	      [ISA_FMT_LR] = "d,(s)",	  [ISA_FMT_AMO] = "d,t,(s)",
	[ISA_FMT_RS1] = "(s)",	      [ISA_FMT_PF] = "i(s)",	  [ISA_FMT_FL] = "D,i(s)",
	[ISA_FMT_FS] = "T,i(s)",      [ISA_FMT_FR] = "D,S,T",	  [ISA_FMT_FRM] = "D,S,T",
	[ISA_FMT_R4] = "D,S,T,R",     [ISA_FMT_F1RM] = "D,S",	  [ISA_FMT_FCMP] = "d,S,T",
	[ISA_FMT_XF] = "d,S",	      [ISA_FMT_XFRM] = "d,S",	  [ISA_FMT_FX] = "D,s",
	[ISA_FMT_FXRM] = "D,s",	      [ISA_FMT_CAS] = "d,t,(s)",  [ISA_FMT_SRL] = "t,(s)",
	[ISA_FMT_MOPR] = "d,s",	      [ISA_FMT_MOPRR] = "d,s,t",  [ISA_FMT_RNUM] = "d,s,i",
	[ISA_FMT_BS] = "d,s,t,i",     [ISA_FMT_FLI] = "D,i",	  [ISA_FMT_VSETVLI] = "d,s,v",
	[ISA_FMT_TVSETVLI] = "d,s,w", [ISA_FMT_VXVX] = "d,W,s",
	[ISA_FMT_VSETIVLI] = "d,z,v", [ISA_FMT_VLS] = "V,(s)K",	  [ISA_FMT_VLSS] = "V,(s),tK",
	[ISA_FMT_VLX] = "V,(s),WK",   [ISA_FMT_VLR] = "V,(s)",	  [ISA_FMT_VVV] = "V,W,XK",
	[ISA_FMT_VVX] = "V,W,sK",     [ISA_FMT_VVF] = "V,W,SK",	  [ISA_FMT_VVI] = "V,W,iK",
	[ISA_FMT_VVU] = "V,W,iK",     [ISA_FMT_VVVA] = "V,X,WK",  [ISA_FMT_VXVA] = "V,s,WK",
	[ISA_FMT_VFVA] = "V,S,WK",    [ISA_FMT_VVVM] = "V,W,X,M", [ISA_FMT_VVXM] = "V,W,s,M",
	[ISA_FMT_VVIM] = "V,W,i,M",   [ISA_FMT_VVFM] = "V,W,S,M", [ISA_FMT_VVVN] = "V,W,X",
	[ISA_FMT_VVXN] = "V,W,s",     [ISA_FMT_VVIN] = "V,W,i",	  [ISA_FMT_VV1] = "V,WK",
	[ISA_FMT_VV] = "V,W",	      [ISA_FMT_VD] = "VK",	  [ISA_FMT_VMVV] = "V,X",
	[ISA_FMT_VMVX] = "V,s",	      [ISA_FMT_VMVF] = "V,S",	  [ISA_FMT_VMVI] = "V,i",
	[ISA_FMT_VXV] = "d,W",	      [ISA_FMT_VXVM] = "d,WK",	  [ISA_FMT_VFV] = "D,W",
	[ISA_FMT_VVU6] = "V,W,iK",    [ISA_FMT_VVUN] = "V,W,i",	  [ISA_FMT_VVB] = "V,W",
	[ISA_FMT_VVUB] = "V,W,i",     [ISA_FMT_VVVB] = "V,W,X",	  [ISA_FMT_TVAMO] = "A,W,(s),VK",
	[ISA_FMT_X1] = "s",	      [ISA_FMT_X2] = "t",	  [ISA_FMT_RD] = "d",
	[ISA_FMT_PUSH] = "{L},-i",    [ISA_FMT_POP] = "{L},i",	  [ISA_FMT_MV2S] = "d,r",
	[ISA_FMT_MV2A] = "s,t",	      [ISA_FMT_TABLE] = "i",
	[ISA_FMT_RRD] = "d,s,t",      [ISA_FMT_TI6] = "d,s,i",	  [ISA_FMT_TI5] = "d,s,i",
	[ISA_FMT_TBF] = "d,s,e,l",    [ISA_FMT_TRR] = "d,s,t,i",  [ISA_FMT_TSR] = "r,s,t,i",
	[ISA_FMT_TLI] = "d,(s),x,n",  [ISA_FMT_TSI] = "r,(s),x,n", [ISA_FMT_TLP] = "d,t,(s),i,4",
	[ISA_FMT_TLQ] = "d,t,(s),i,3", [ISA_FMT_TSP] = "r,t,(s),i,4", [ISA_FMT_TSQ] = "r,t,(s),i,3",
	[ISA_FMT_TFL] = "D,s,t,i",    [ISA_FMT_TFS] = "R,s,t,i",
};

static void put_v(struct text *t, unsigned reg)
{
	put_char(t, 'v');
	put_number(t, reg, 10);
}

/* The vtype of vsetvli; a reserved one as a number. */
static void put_vtype(struct text *t, unsigned vtype)
{
	static const char lmul[8][4] = { "m1", "m2", "m4", "m8", "", "mf8", "mf4", "mf2" };

	if (vtype >> 8 || (vtype >> 3 & 7) > 3 || (vtype & 7) == 4) {
		put_number(t, vtype, 10);
		return;
	}
	put_char(t, 'e');
	put_number(t, 8u << (vtype >> 3 & 7), 10);
	put_char(t, ',');
	put(t, lmul[vtype & 7]);
	put(t, vtype & 0x40 ? ",ta" : ",tu");
	put(t, vtype & 0x80 ? ",ma" : ",mu");
}

/* The same of XTheadVector. */
static void put_thead_vtype(struct text *t, unsigned vtype)
{
	static const char *const prefix[] = { ",m", ",d" };

	if (vtype >> 7 || (vtype >> 2 & 7) > 3) {
		put_number(t, vtype, 10);
		return;
	}
	put_char(t, 'e');
	put_number(t, 8u << (vtype >> 2 & 7), 10);
	for (unsigned n = 0; n < 2; n++) {
		put(t, prefix[n]);
		put_number(t, 1u << (vtype >> 5 * n & 3), 10);
	}
}

/* So many registers: ra, s0-s1 */
static void put_saved(struct text *t, unsigned nr)
{
	put(t, "ra");
	if (nr > 1)
		put(t, ", s0");
	if (nr > 2) {
		put_char(t, '-');
		put(t, x_names[isa_saved(nr - 1)]);
	}
}

/* False: the operand is not a register. */
static bool put_register(struct text *t, char kind, const struct isa_fields *f)
{
	static const char x[] = "dstr", fp[] = "DSTR", v[] = "VXW";
	const unsigned reg[] = { f->rd, f->rs1, f->rs2, f->rs3 };

	for (unsigned n = 0; n < 4; n++) {
		if (kind == x[n])
			put(t, x_names[reg[n]]);
		else if (kind == fp[n])
			put(t, f_names[reg[n]]);
		else if (kind == v[n])
			put_v(t, reg[n]);
		else
			continue;
		return true;
	}
	return false;
}

static void put_operand(struct text *t, char kind, const struct isa_fields *f, uint64_t pc)
{
	if (put_register(t, kind, f))
		return;
	switch (kind) {
	case 'v':
		put_vtype(t, f->imm);
		break;
	case 'w':
		put_thead_vtype(t, f->imm);
		break;
	case 'K':
		put(t, f->masked ? ",v0.t" : "");
		break;
	case 'A':
		if (f->imm)
			put_v(t, f->rd);
		else
			put(t, "zero");
		break;
	case 'M':
		put(t, "v0");
		break;
	case 'e':
		put_number(t, (uint32_t)f->imm >> 6, 10);
		break;
	case 'l':
		put_number(t, (uint32_t)f->imm & 63, 10);
		break;
	case 'x':
		put_signed(t, f->imm >> 2);
		break;
	case 'L':
		put_saved(t, f->rs2);
		break;
	case 'n':
		put_number(t, (uint32_t)f->imm & 3, 10);
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

static bool has_segments(enum isa_insn id)
{
	unsigned format = isa_table[id].format;

	return format == ISA_FMT_VLS || format == ISA_FMT_VLSS || format == ISA_FMT_VLX;
}

/* Whether c begins the width in the name of a load or store: e8, or b, h, w, e of XTheadVector. */
static bool begins_width(bool thead, char c)
{
	return c == 'e' || (thead && (c == 'b' || c == 'h' || c == 'w'));
}

/* f: of vle8.v with three fields the name is vlseg3e8.v. */
static void put_name(struct text *t, enum isa_insn id, const struct isa_fields *f)
{
	unsigned fields = has_segments(id) && f->imm ? f->imm + 1 : 0;
	bool thead = isa_table[id].ext == ISA_EXT_XTHEADVECTOR;

	put(t, thead ? "th." : "");
	for (const char *s = isa_table[id].name + 3 * thead; *s; s++) {
		if (fields && begins_width(thead, *s)) {
			put(t, "seg");
			put_number(t, fields, 10);
			fields = 0;
		}
		put_char(t, *s == '_' ? '.' : *s);
	}
	if (isa_table[id].format == ISA_FMT_MOPR || isa_table[id].format == ISA_FMT_MOPRR) {
		put_char(t, '.');
		put_number(t, f->imm, 10);
	}
}

/* The instruction that these bits are, and its fields.  A list of registers may be reserved. */
static enum isa_insn known(const struct isa_index *index, uint32_t wide, struct isa_fields *f)
{
	enum isa_insn id = isa_find(index, wide);

	isa_fields(id, wide, f);
	if ((isa_table[id].format == ISA_FMT_PUSH || isa_table[id].format == ISA_FMT_POP) &&
	    !f->rs2)
		return ISA_NONE;
	return id;
}

void isa_disassemble(const struct isa_index *index, uint32_t insn, uint64_t pc, char *text,
		     unsigned size)
{
	struct text t = { text, size };
	struct isa_fields f;
	enum isa_insn id;
	uint32_t wide = isa_wide(index, insn);

	if (!size)
		return;
	id = known(index, wide, &f);
	if (isa_length(insn) == 2 && isa_length(wide) == 4)
		put(&t, "c:");
	put_name(&t, id, &f);
	if (*layout[isa_table[id].format])
		put_char(&t, ' ');
	for (const char *s = layout[isa_table[id].format]; *s; s++)
		put_operand(&t, *s, &f, pc);
	*t.to = 0;
}

/* The same for people, where it differs. */
static const char *const layout_for_people[] = {
	[ISA_FMT_SH6] = "d,s,h",  [ISA_FMT_SH5] = "d,s,h",  [ISA_FMT_B] = "s,t,a",
	[ISA_FMT_J] = "d,a",	  [ISA_FMT_CSR] = "d,C,s",  [ISA_FMT_CSRI] = "d,C,z",
	[ISA_FMT_FENCE] = "P,Q",  [ISA_FMT_FRM] = "D,S,Tm", [ISA_FMT_R4] = "D,S,T,Rm",
	[ISA_FMT_F1RM] = "D,Sm",  [ISA_FMT_XFRM] = "d,Sm",  [ISA_FMT_FXRM] = "D,sm",
	[ISA_FMT_RNUM] = "d,s,h", [ISA_FMT_BS] = "d,s,t,h", [ISA_FMT_FLI] = "D,k",
};

/* What a fence orders. */
static void put_accesses(struct text *t, unsigned set)
{
	for (unsigned n = 0; n < 4; n++) {
		if (set & 8 >> n)
			put_char(t, "iorw"[n]);
	}
	if (!set)
		put(t, "unknown");
}

static void put_csr(struct text *t, unsigned num)
{
	char name[ISA_CSR_NAME_SIZE];

	isa_csr_name(num, name);
	if (*name)
		put(t, name);
	else
		put_hex(t, num);
}

/*
 * a: p without 0x; C: CSR by its name; h: shift amount; k: constant of fli; m: rounding mode,
 * unless it is dynamic; P, Q: predecessors and successors of a fence.
 */
static void put_operand_for_people(struct text *t, char kind, const struct isa_fields *f,
				   uint64_t pc)
{
	static const char rounding[8][9] = { ",rne", ",rtz",	 ",rdn",     ",rup",
					     ",rmm", ",unknown", ",unknown", "" };
	static const char constants[32][9] = {
		"-0x1p+0",  "min",	"0x1p-16",  "0x1p-15",	"0x1p-8",   "0x1p-7",	"0x1p-4",
		"0x1p-3",   "0x1p-2",	"0x1.4p-2", "0x1.8p-2", "0x1.cp-2", "0x1p-1",	"0x1.4p-1",
		"0x1.8p-1", "0x1.cp-1", "0x1p+0",   "0x1.4p+0", "0x1.8p+0", "0x1.cp+0", "0x1p+1",
		"0x1.4p+1", "0x1.8p+1", "0x1p+2",   "0x1p+3",	"0x1p+4",   "0x1p+7",	"0x1p+8",
		"0x1p+15",  "0x1p+16",	"inf",	    "nan",
	};

	switch (kind) {
	case 'a':
		put_number(t, pc + (int64_t)f->imm, 16);
		break;
	case 'C':
		put_csr(t, f->imm);
		break;
	case 'h':
		put_hex(t, f->imm);
		break;
	case 'k':
		put(t, constants[f->imm & 31]);
		break;
	case 'm':
		put(t, rounding[f->rm]);
		break;
	case 'P':
		put_accesses(t, f->imm >> 4);
		break;
	case 'Q':
		put_accesses(t, f->imm & 15);
		break;
	default:
		put_operand(t, kind, f, pc);
		break;
	}
}

#define RD(n)	 ((uint32_t)(n) << 7)
#define FRM(n)	 ((uint32_t)(n) << 12)
#define RS1(n)	 ((uint32_t)(n) << 15)
#define RS2(n)	 ((uint32_t)(n) << 20)
#define IMM(n)	 ((uint32_t)(n) << 20)
#define VM	 ((uint32_t)1 << 25)
#define ALL_SAME 1

/*
 * Pseudo-instructions: an instruction of which some bits have these values, or, if the mask is 0,
 * whose rs1 and rs2 are the same, and, if bits is ALL_SAME, rd too.  The first row that holds
 * counts.
 */
static const struct pseudo {
	uint16_t insn;
	uint32_t mask, bits;
	const char *name, *layout;
} pseudos[] = {
	{ ISA_jalr, RD(31) | RS1(31) | IMM(0xfff), RS1(1), "ret", "" },
	{ ISA_jalr, RD(31) | IMM(0xfff), 0, "jr", "s" },
	{ ISA_jalr, RD(31), 0, "jr", "i(s)" },
	{ ISA_jalr, RD(31) | IMM(0xfff), RD(1), "jalr", "s" },
	{ ISA_jalr, RD(31), RD(1), "jalr", "i(s)" },
	{ ISA_jalr, IMM(0xfff), 0, "jalr", "d,s" },
	{ ISA_jal, RD(31), 0, "j", "a" },
	{ ISA_jal, RD(31), RD(1), "jal", "a" },
	{ ISA_beq, RS2(31), 0, "beqz", "s,a" },
	{ ISA_bne, RS2(31), 0, "bnez", "s,a" },
	{ ISA_bge, RS1(31), 0, "blez", "t,a" },
	{ ISA_bge, RS2(31), 0, "bgez", "s,a" },
	{ ISA_blt, RS2(31), 0, "bltz", "s,a" },
	{ ISA_blt, RS1(31), 0, "bgtz", "t,a" },
	{ ISA_addi, RD(31) | RS1(31) | IMM(0xfff), 0, "nop", "" },
	{ ISA_addi, RS1(31), 0, "li", "d,i" },
	{ ISA_addi, IMM(0xfff), 0, "mv", "d,s" },
	{ ISA_addiw, IMM(0xfff), 0, "sext.w", "d,s" },
	{ ISA_andi, IMM(0xfff), IMM(255), "zext.b", "d,s" },
	{ ISA_xori, IMM(0xfff), IMM(0xfff), "not", "d,s" },
	{ ISA_sltiu, IMM(0xfff), IMM(1), "seqz", "d,s" },
	{ ISA_sltu, RS1(31), 0, "snez", "d,t" },
	{ ISA_slt, RS2(31), 0, "sltz", "d,s" },
	{ ISA_slt, RS1(31), 0, "sgtz", "d,t" },
	{ ISA_sub, RS1(31), 0, "neg", "d,t" },
	{ ISA_subw, RS1(31), 0, "negw", "d,t" },
	{ ISA_add_uw, RS2(31), 0, "zext.w", "d,s" },
	{ ISA_fence, 0xfff00000, 0x83300000, "fence.tso", "" },
	{ ISA_fence, 0x0ff00000, 0x0ff00000, "fence", "" },
	{ ISA_csrrw, RD(31) | RS1(31) | IMM(0xfff), IMM(CSR_CYCLE), "unimp", "" },
	{ ISA_csrrs, RS1(31) | IMM(0xfff), IMM(CSR_CYCLE), "rdcycle", "d" },
	{ ISA_csrrs, RS1(31) | IMM(0xfff), IMM(CSR_TIME), "rdtime", "d" },
	{ ISA_csrrs, RS1(31) | IMM(0xfff), IMM(CSR_INSTRET), "rdinstret", "d" },
	{ ISA_csrrs, RS1(31) | IMM(0xfff), IMM(CSR_FFLAGS), "frflags", "d" },
	{ ISA_csrrs, RS1(31) | IMM(0xfff), IMM(CSR_FRM), "frrm", "d" },
	{ ISA_csrrs, RS1(31) | IMM(0xfff), IMM(CSR_FCSR), "frcsr", "d" },
	{ ISA_csrrw, RD(31) | IMM(0xfff), IMM(CSR_FFLAGS), "fsflags", "s" },
	{ ISA_csrrw, IMM(0xfff), IMM(CSR_FFLAGS), "fsflags", "d,s" },
	{ ISA_csrrw, RD(31) | IMM(0xfff), IMM(CSR_FRM), "fsrm", "s" },
	{ ISA_csrrw, IMM(0xfff), IMM(CSR_FRM), "fsrm", "d,s" },
	{ ISA_csrrw, RD(31) | IMM(0xfff), IMM(CSR_FCSR), "fscsr", "s" },
	{ ISA_csrrw, IMM(0xfff), IMM(CSR_FCSR), "fscsr", "d,s" },
	{ ISA_csrrwi, IMM(0xfff), IMM(CSR_FFLAGS), "fsflagsi", "d,z" },
	{ ISA_csrrwi, IMM(0xfff), IMM(CSR_FRM), "fsrmi", "d,z" },
	{ ISA_csrrs, RS1(31), 0, "csrr", "d,C" },
	{ ISA_csrrw, RD(31), 0, "csrw", "C,s" },
	{ ISA_csrrs, RD(31), 0, "csrs", "C,s" },
	{ ISA_csrrc, RD(31), 0, "csrc", "C,s" },
	{ ISA_csrrwi, RD(31), 0, "csrwi", "C,z" },
	{ ISA_csrrsi, RD(31), 0, "csrsi", "C,z" },
	{ ISA_csrrci, RD(31), 0, "csrci", "C,z" },
	{ ISA_sfence_vma, RS1(31) | RS2(31), 0, "sfence.vma", "" },
	{ ISA_sfence_vma, RS2(31), 0, "sfence.vma", "s" },
	{ ISA_fcvt_d_s, FRM(7), FRM(0), "fcvt.d.s", "D,S" }, /* these are exact */
	{ ISA_fcvt_d_w, FRM(7), FRM(0), "fcvt.d.w", "D,s" },
	{ ISA_fcvt_d_wu, FRM(7), FRM(0), "fcvt.d.wu", "D,s" },
	{ ISA_fcvt_s_h, FRM(7), FRM(0), "fcvt.s.h", "D,S" },
	{ ISA_fcvt_d_h, FRM(7), FRM(0), "fcvt.d.h", "D,S" },
	{ ISA_fsgnj_h, 0, 0, "fmv.h", "D,S" },
	{ ISA_fsgnjn_h, 0, 0, "fneg.h", "D,S" },
	{ ISA_fsgnjx_h, 0, 0, "fabs.h", "D,S" },
	{ ISA_fsgnj_s, 0, 0, "fmv.s", "D,S" },
	{ ISA_fsgnjn_s, 0, 0, "fneg.s", "D,S" },
	{ ISA_fsgnjx_s, 0, 0, "fabs.s", "D,S" },
	{ ISA_fsgnj_d, 0, 0, "fmv.d", "D,S" },
	{ ISA_fsgnjn_d, 0, 0, "fneg.d", "D,S" },
	{ ISA_fsgnjx_d, 0, 0, "fabs.d", "D,S" },
	{ ISA_vrsub_vx, RS1(31), 0, "vneg.v", "V,WK" },
	{ ISA_vxor_vi, RS1(31), RS1(31), "vnot.v", "V,WK" },
	{ ISA_vwadd_vx, RS1(31), 0, "vwcvt.x.x.v", "V,WK" },
	{ ISA_vwaddu_vx, RS1(31), 0, "vwcvtu.x.x.v", "V,WK" },
	{ ISA_vnsrl_wx, RS1(31), 0, "vncvt.x.x.w", "V,WK" },
	{ ISA_vfsgnjn_vv, 0, 0, "vfneg.v", "V,WK" },
	{ ISA_vfsgnjx_vv, 0, 0, "vfabs.v", "V,WK" },
	{ ISA_vl1re8_v, VM, VM, "vl1r.v", "V,(s)" },
	{ ISA_vl2re8_v, VM, VM, "vl2r.v", "V,(s)" },
	{ ISA_vl4re8_v, VM, VM, "vl4r.v", "V,(s)" },
	{ ISA_vl8re8_v, VM, VM, "vl8r.v", "V,(s)" },
	{ ISA_vmxor_mm, 0, ALL_SAME, "vmclr.m", "V" },
	{ ISA_vmxnor_mm, 0, ALL_SAME, "vmset.m", "V" },
	{ ISA_vmand_mm, 0, 0, "vmmv.m", "V,W" },
	{ ISA_vmnand_mm, 0, 0, "vmnot.m", "V,W" },
	{ ISA_th_vrsub_vx, RS1(31), 0, "th.vneg.v", "V,WK" },
	{ ISA_th_vxor_vi, RS1(31), RS1(31), "th.vnot.v", "V,WK" },
	{ ISA_th_vwadd_vx, RS1(31), 0, "th.vwcvt.x.x.v", "V,WK" },
	{ ISA_th_vwaddu_vx, RS1(31), 0, "th.vwcvtu.x.x.v", "V,WK" },
	{ ISA_th_vnsrl_vx, RS1(31), 0, "th.vncvt.x.x.v", "V,WK" },
	{ ISA_th_vfsgnjn_vv, 0, 0, "th.vfneg.v", "V,WK" },
	{ ISA_th_vfsgnjx_vv, 0, 0, "th.vfabs.v", "V,WK" },
	{ ISA_th_vext_x_v, RS1(31), 0, "th.vmv.x.s", "d,W" },
	{ ISA_th_vmxor_mm, 0, ALL_SAME, "th.vmclr.m", "V" },
	{ ISA_th_vmxnor_mm, 0, ALL_SAME, "th.vmset.m", "V" },
	{ ISA_th_vmand_mm, 0, 0, "th.vmcpy.m", "V,W" },
	{ ISA_th_vmnand_mm, 0, 0, "th.vmnot.m", "V,W" },
};

/* Whether rs1 and rs2 are the same register, and, if all, rd too. */
static bool same(uint32_t insn, bool all)
{
	unsigned rd = insn >> 7 & 31, rs1 = insn >> 15 & 31, rs2 = insn >> 20 & 31;

	return rs1 == rs2 && (!all || rd == rs1);
}

static const struct pseudo *find_pseudo(enum isa_insn id, uint32_t insn)
{
	for (unsigned n = 0; n < sizeof(pseudos) / sizeof(*pseudos); n++) {
		const struct pseudo *p = &pseudos[n];

		if (p->insn == id && (p->mask ? (insn & p->mask) == p->bits : same(insn, p->bits)))
			return p;
	}
	return NULL;
}

static void put_unknown(struct text *t, uint32_t insn)
{
	if (isa_length(insn) == 2 && !(insn & 0xffff)) {
		put(t, "unimp");
		return;
	}
	put(t, isa_length(insn) == 2 ? ".2byte " : ".4byte ");
	put_hex(t, isa_length(insn) == 2 ? insn & 0xffff : insn);
}

/* Zalasr: a row has the name with the bit that must be set. */
static void put_ordered_name(struct text *t, enum isa_insn id)
{
	for (const char *s = isa_table[id].name; *s != '_'; s++)
		put_char(t, *s);
}

static bool is_atomic(enum isa_insn id)
{
	return isa_table[id].class == ISA_CLASS_LR || isa_table[id].class == ISA_CLASS_SC ||
	       isa_table[id].class == ISA_CLASS_AMO || isa_table[id].ext == ISA_EXT_ZALASR;
}

static void put_for_people(struct text *t, enum isa_insn id, uint32_t insn, uint64_t pc)
{
	static const char order[4][6] = { "", ".rl", ".aq", ".aqrl" };
	const struct pseudo *p = find_pseudo(id, insn);
	enum isa_format format = isa_table[id].format;
	const char *operands = layout[format];
	struct isa_fields f;

	isa_fields(id, insn, &f);
	if (format < sizeof(layout_for_people) / sizeof(*layout_for_people) &&
	    layout_for_people[format])
		operands = layout_for_people[format];
	if (p) {
		operands = p->layout;
		put(t, p->name);
	} else if (isa_table[id].ext == ISA_EXT_ZALASR) {
		put_ordered_name(t, id);
	} else {
		put_name(t, id, &f);
	}
	if (is_atomic(id))
		put(t, order[insn >> 25 & 3]);
	if (*operands)
		put_char(t, ' ');
	for (const char *s = operands; *s; s++)
		put_operand_for_people(t, *s, &f, pc);
}

void isa_assembly(const struct isa_index *index, uint32_t insn, uint64_t pc, char *text,
		  unsigned size)
{
	struct text t = { text, size };
	uint32_t wide = isa_wide(index, insn);
	struct isa_fields f;
	enum isa_insn id = known(index, wide, &f);

	if (!size)
		return;
	if (id == ISA_NONE) {
		put_unknown(&t, insn);
	} else if (isa_length(insn) == 2 && id == ISA_add && !(wide >> 15 & 31)) {
		/* c.mv is this add, but the add of 32 bits is not called mv. */
		put(&t, "mv ");
		put(&t, x_names[wide >> 7 & 31]);
		put_char(&t, ',');
		put(&t, x_names[wide >> 20 & 31]);
	} else if (id == ISA_addi && isa_length(insn) == 2 &&
		   isa_short_ext(insn) == ISA_EXT_ZCMOP) {
		put(&t, "c.mop.");
		put_number(&t, insn >> 7 & 31, 10);
	} else {
		put_for_people(&t, id, wide, pc);
	}
	*t.to = 0;
}

bool isa_target(const struct isa_index *index, uint32_t insn, uint64_t pc, uint64_t *target)
{
	uint32_t wide = isa_wide(index, insn);
	enum isa_insn id = isa_find(index, wide);
	struct isa_fields f;

	if (isa_table[id].format != ISA_FMT_B && isa_table[id].format != ISA_FMT_J)
		return false;
	isa_fields(id, wide, &f);
	*target = pc + (int64_t)f.imm;
	return true;
}

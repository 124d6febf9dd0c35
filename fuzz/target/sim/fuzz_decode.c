// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_decode.c - lib/isa: any bits are one instruction or none, and all functions of lib/isa agree
 * about them.
 *
 * Input, for each word of 32 bits: a byte that is the size of a buffer for its text, and tells
 * whether the word is used as it is, or made a known instruction that two other bytes choose, and
 * which vectors there are.
 */
#include "fuzz.h"
#include <isa.h>

static struct isa_index idx;

/*
 * The row that matches; if two match, the one that is a hint.  ISA_NONE: none matches.  Vectors are
 * V's or XTheadVector's.
 */
static unsigned the_row(uint32_t insn)
{
	unsigned found = ISA_NONE;

	for (unsigned id = 1; id < ISA_NR; id++) {
		if ((insn & isa_table[id].mask) != isa_table[id].match ||
		    (isa_table[id].class >= ISA_CLASS_VSET &&
		     isa_is_thead_vector(&isa_table[id]) != idx.thead))
			continue;
		must(found == ISA_NONE || id == ISA_ori || id == ISA_fence || id == ISA_packw ||
		     id == ISA_mop_r || id == ISA_mop_rr || id == ISA_cm_jalt);
		found = found ? found : id;
	}
	return found;
}

static void check_fields(unsigned id, uint32_t insn)
{
	struct isa_fields f;

	isa_fields(id, insn, &f);
	must(f.rd < 32 && f.rs1 < 32 && f.rs2 < 32 && f.rs3 < 32 && f.rm < 8);
	if (isa_table[id].format == ISA_FMT_B || isa_table[id].format == ISA_FMT_J)
		must(!(f.imm & 1));
	if (isa_table[id].format == ISA_FMT_SH6)
		must(f.imm >= 0 && f.imm < 64);
}

/* Checks what the firmware uses: it emulates single memory accesses and CSR accesses. */
static void check_access(unsigned id, uint32_t insn)
{
	const struct isa_row *r = &isa_table[id];
	/* One register, at a base with an offset; nobody emulates others. */
	bool is_load = r->format == ISA_FMT_L || r->format == ISA_FMT_FL;
	bool is_store = r->format == ISA_FMT_S || r->format == ISA_FMT_FS;
	bool is_float = r->class == ISA_CLASS_FLOAD || r->class == ISA_CLASS_FSTORE;
	struct isa_access a;
	struct isa_fields f;
	struct isa_csr c;

	isa_fields(id, insn, &f);
	must(isa_decode_access(insn, 64, &a) == (id && (is_load || is_store)));
	if (id && (is_load || is_store)) {
		must(a.is_store == is_store && a.is_float == is_float);
		must(a.base == f.rs1 && a.offset == f.imm);
		must(a.reg == (is_store ? f.rs2 : f.rd));
		must(a.bytes == 1 || a.bytes == 2 || a.bytes == 4 || a.bytes == 8);
	}
	must(isa_decode_csr(insn, &c) == (id && r->class == ISA_CLASS_CSR));
	if (id && r->class == ISA_CLASS_CSR)
		must(c.csr == f.imm && c.rd == f.rd && c.rs1 == f.rs1);
}

/* In a smaller buffer, the text must be the beginning of the whole text. */
static void check_text(__typeof__(isa_disassemble) *disassemble, uint32_t insn, unsigned size)
{
	char whole[256], *text = malloc(size ? size : 1);

	disassemble(&idx, insn, 0x80000000, whole, sizeof(whole));
	must(strlen(whole) < 64);
	disassemble(&idx, insn, 0x80000000, text, size);
	if (size) {
		must(strlen(text) == (strlen(whole) < size ? strlen(whole) : size - 1));
		must(!strncmp(text, whole, strlen(text)));
	}
	free(text);
}

/* A compressed instruction expands to a valid instruction or to none. */
static void check_expansion(uint16_t half)
{
	for (unsigned xlen = 32; xlen <= 64; xlen += 32) {
		uint32_t wide = isa_expand(half, xlen);

		must(!wide || isa_length(half) == 2);
		must(!wide || isa_length(wide) == 4);
		if (wide)
			must(isa_find(&idx, wide) != ISA_NONE);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, data + size };

	if (!idx.first[256])
		isa_index_init(&idx);
	while (in.at < in.end) {
		unsigned how = input_byte(&in), room = how % 64, id;
		const struct isa_row *r =
			&isa_table[how < 128 ? 1 + input_bytes(&in, 2) % (ISA_NR - 1) : 0];
		uint32_t insn = input_bytes(&in, 4);

		if (how < 128)
			insn = r->match | (insn & ~r->mask);
		idx.thead = how >> 6 & 1;
		id = the_row(insn);
		must(isa_find(&idx, insn) == id);
		check_fields(id, insn);
		check_access(id, insn);
		check_text(isa_disassemble, insn, room);
		check_text(isa_assembly, insn, room);
		idx.zcm = true;
		check_text(isa_disassemble, insn, room);
		check_text(isa_assembly, insn, room);
		idx.zcm = false;
		check_expansion(insn);
		check_expansion(insn >> 16);
	}
	return 0;
}

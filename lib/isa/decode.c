// SPDX-License-Identifier: BSD-2-Clause
/*
 * decode.c - decodes loads, stores and CSR accesses (isa.h).  Pure; calls nothing.
 */
#include "isa.h"

struct row {
	uint32_t match, mask;
	uint8_t bytes, flags;
	bool is_store;
};

static const struct row rows[] = {
#define LOAD(name, match, mask, bytes, flags, format, class, ext)                                  \
	{ match, mask, bytes, flags, false },
#define STORE(name, match, mask, bytes, flags, format, class, ext)                                 \
	{ match, mask, bytes, flags, true },
#include "insn.def"
};

bool isa_decode_access(uint32_t insn, unsigned xlen, struct isa_access *a)
{
	const struct row *r = rows, *end = rows + sizeof(rows) / sizeof(rows[0]);
	uint32_t imm;

	while (r < end && (insn & r->mask) != r->match)
		r++;
	if (r == end || (r->flags & ISA_RV64 && xlen == 32))
		return false;
	imm = r->is_store ? (insn >> 25 << 5) | (insn >> 7 & 31) : insn >> 20;
	*a = (struct isa_access){
		.bytes = r->bytes,
		.reg = (r->is_store ? insn >> 20 : insn >> 7) & 31,
		.base = insn >> 15 & 31,
		.is_store = r->is_store,
		.is_float = r->flags & ISA_FLOAT,
		.is_signed = r->flags & ISA_SIGNED,
		.offset = (int32_t)(imm ^ 0x800) - 0x800,
	};
	return true;
}

bool isa_decode_csr(uint32_t insn, struct isa_csr *c)
{
	unsigned funct3 = insn >> 12 & 7;

	if ((insn & 0x7f) != 0x73 || !(funct3 & 3))
		return false;
	*c = (struct isa_csr){
		.csr = insn >> 20,
		.rd = insn >> 7 & 31,
		.rs1 = insn >> 15 & 31,
		.immediate = funct3 & 4,
	};
	/* csrrs and csrrc with x0 or zero only read (Unpriv §6.1). */
	c->writes = (funct3 & 3) == 1 || c->rs1;
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * isa.h - decoding of RISC-V instructions, freestanding and pure.
 *
 * A compressed instruction is first expanded to the 32-bit one that it stands for, so that
 * everything else knows one encoding only.
 *
 * Implements: Unpriv 20240411, chapters 2 (base), 20-21 (F, D loads and stores), 26 (C),
 * 28.13 (Zcb loads and stores).
 */
#ifndef ISA_H
#define ISA_H

#include <stdbool.h>
#include <stdint.h>

#define ISA_SIGNED 1
#define ISA_FLOAT  2
#define ISA_RV64   4

/* Length in bytes of the instruction that begins with these 16 bits: 2 or 4. */
static inline unsigned isa_length(uint32_t insn)
{
	return (insn & 3) == 3 ? 4 : 2;
}

/*
 * The 32-bit instruction that a 16-bit one stands for on a hart with xlen 32 or 64; 0, which
 * is illegal, if there is none.
 */
uint32_t isa_expand(uint16_t insn, unsigned xlen);

/* A load or store. */
struct isa_access {
	uint8_t bytes; /* 1, 2, 4 or 8 */
	uint8_t reg; /* rd of a load, rs2 of a store: x or, if is_float, f */
	uint8_t base; /* rs1 */
	bool is_store;
	bool is_float;
	bool is_signed;
	int32_t offset;
};

/*
 * Decodes a 32-bit load or store of one register into *a; false if insn is anything else
 * (atomic and vector accesses are).
 */
bool isa_decode_access(uint32_t insn, unsigned xlen, struct isa_access *a);

/* A Zicsr instruction. */
struct isa_csr {
	uint16_t csr;
	uint8_t rd;
	uint8_t rs1; /* or the immediate */
	bool immediate;
	bool writes; /* it would write, not only read */
};

/* Decodes csrrw, csrrs, csrrc and their immediate forms; false if insn is anything else. */
bool isa_decode_csr(uint32_t insn, struct isa_csr *c);

#endif

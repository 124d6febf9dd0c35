// SPDX-License-Identifier: BSD-2-Clause
/*
 * decode_short.c - the instruction that a compressed one stands for (RV64; C, Zcb, Zcmop).
 *
 * Immediates are those of the fields; only what decode.c reads must be right: registers, and the
 * offset of a branch.
 */
#include "decode.h"

enum { ZERO = 0, RA = 1, SP = 2 };

enum {
	OP_LOAD = 0x03,
	OP_FLOAD = 0x07,
	OP_IMM = 0x13,
	OP_IMM_32 = 0x1b,
	OP_STORE = 0x23,
	OP_FSTORE = 0x27,
	OP_OP = 0x33,
	OP_LUI = 0x37,
	OP_OP_32 = 0x3b,
	OP_BRANCH = 0x63,
	OP_JALR = 0x67,
	OP_JAL = 0x6f,
	EBREAK = 0x00100073
};

static uint32_t make(unsigned op, unsigned f3, unsigned f7, unsigned rd, unsigned rs1, unsigned rs2)
{
	return op | rd << 7 | f3 << 12 | rs1 << 15 | rs2 << 20 | f7 << 25;
}

static uint32_t bits_of(uint16_t c, unsigned from, unsigned n)
{
	return c >> from & ((1u << n) - 1);
}

/* c.beqz, c.bnez: the offset is in 12|11:10 and 6:2 as 8|4:3, 7:6|2:1|5. */
static uint32_t branch(uint16_t c, unsigned f3, unsigned rs1)
{
	uint32_t sign = bits_of(c, 12, 1);
	uint32_t offset = bits_of(c, 3, 2) << 1 | bits_of(c, 10, 2) << 3 | bits_of(c, 2, 1) << 5 |
			  bits_of(c, 5, 2) << 6 | sign << 8;

	if (sign)
		offset |= 0x1e00;
	return make(OP_BRANCH, f3, sign << 6 | bits_of(offset, 5, 6),
		    bits_of(offset, 1, 4) << 1 | bits_of(offset, 11, 1), rs1, ZERO);
}

static uint32_t quadrant0(uint16_t c)
{
	unsigned rs1 = 8 + bits_of(c, 7, 3), rd = 8 + bits_of(c, 2, 3);

	switch (c >> 13) {
	case 0: /* c.addi4spn */
		return make(OP_IMM, 0, 0, rd, SP, 0);
	case 1: /* c.fld */
		return make(OP_FLOAD, 3, 0, rd, rs1, 0);
	case 2: /* c.lw */
		return make(OP_LOAD, 2, 0, rd, rs1, 0);
	case 3: /* c.ld */
		return make(OP_LOAD, 3, 0, rd, rs1, 0);
	case 4: /* c.lbu, c.lhu, c.lh; c.sb, c.sh */
		return bits_of(c, 11, 1) ? make(OP_STORE, 0, 0, 0, rs1, rd)
					 : make(OP_LOAD, 4, 0, rd, rs1, 0);
	case 5: /* c.fsd */
		return make(OP_FSTORE, 3, 0, 0, rs1, rd);
	case 6: /* c.sw */
		return make(OP_STORE, 2, 0, 0, rs1, rd);
	case 7: /* c.sd */
		return make(OP_STORE, 3, 0, 0, rs1, rd);
	default:
		return 0;
	}
}

/* c.srli to c.addw. */
static uint32_t arithmetic(uint16_t c)
{
	static const uint8_t f3[4] = { 0, 4, 6, 7 }; /* sub xor or and */
	unsigned rd = 8 + bits_of(c, 7, 3), rs2 = 8 + bits_of(c, 2, 3), kind = bits_of(c, 5, 2);

	switch (bits_of(c, 10, 2)) {
	case 0: /* c.srli */
	case 1: /* c.srai */
		return make(OP_IMM, 5, bits_of(c, 10, 2) << 5, rd, rd, 0);
	case 2: /* c.andi */
		return make(OP_IMM, 7, 0, rd, rd, 0);
	}
	if (bits_of(c, 12, 1) && kind == 2) /* c.mul */
		return make(OP_OP, 0, 1, rd, rd, rs2);
	if (bits_of(c, 12, 1) && kind == 3) /* c.zext.b to c.not: the class alu, no addition */
		return make(OP_IMM, 7, 0, rd, rd, 0);
	if (bits_of(c, 12, 1)) /* c.subw, c.addw */
		return make(OP_OP_32, 0, kind == 0 ? 0x20 : 0, rd, rd, rs2);
	return make(OP_OP, f3[kind], kind == 0 ? 0x20 : 0, rd, rd, rs2);
}

static uint32_t quadrant1(uint16_t c)
{
	unsigned rd = bits_of(c, 7, 5);

	switch (c >> 13) {
	case 0: /* c.addi */
		return make(OP_IMM, 0, 0, rd, rd, 0);
	case 1: /* c.addiw */
		return make(OP_IMM_32, 0, 0, rd, rd, 0);
	case 2: /* c.li */
		return make(OP_IMM, 0, 0, rd, ZERO, 0);
	case 3: /* c.mop, which stands for nop; c.addi16sp, c.lui */
		if (!bits_of(c, 2, 5) && !bits_of(c, 12, 1))
			return make(OP_IMM, 0, 0, ZERO, ZERO, 0);
		return rd == SP ? make(OP_IMM, 0, 0, SP, SP, 0) : make(OP_LUI, 0, 0, rd, 0, 0);
	case 4:
		return arithmetic(c);
	case 5: /* c.j */
		return make(OP_JAL, 0, 0, ZERO, 0, 0);
	default: /* c.beqz, c.bnez */
		return branch(c, (c >> 13) - 6, 8 + bits_of(c, 7, 3));
	}
}

/* c.jr to c.add. */
static uint32_t jumps_and_moves(uint16_t c)
{
	unsigned rd = bits_of(c, 7, 5), rs2 = bits_of(c, 2, 5);

	if (rs2) /* c.mv, c.add */
		return make(OP_OP, 0, 0, rd, bits_of(c, 12, 1) ? rd : ZERO, rs2);
	if (!rd)
		return EBREAK;
	return make(OP_JALR, 0, 0, bits_of(c, 12, 1) ? RA : ZERO, rd, 0);
}

static uint32_t quadrant2(uint16_t c)
{
	unsigned rd = bits_of(c, 7, 5), rs2 = bits_of(c, 2, 5);

	switch (c >> 13) {
	case 0: /* c.slli */
		return make(OP_IMM, 1, 0, rd, rd, 0);
	case 1: /* c.fldsp */
		return make(OP_FLOAD, 3, 0, rd, SP, 0);
	case 2: /* c.lwsp */
		return make(OP_LOAD, 2, 0, rd, SP, 0);
	case 3: /* c.ldsp */
		return make(OP_LOAD, 3, 0, rd, SP, 0);
	case 4:
		return jumps_and_moves(c);
	case 5: /* c.fsdsp */
		return make(OP_FSTORE, 3, 0, 0, SP, rs2);
	case 6: /* c.swsp */
		return make(OP_STORE, 2, 0, 0, SP, rs2);
	default: /* c.sdsp */
		return make(OP_STORE, 3, 0, 0, SP, rs2);
	}
}

uint32_t decode_expand(uint16_t bits)
{
	switch (bits & 3) {
	case 0:
		return quadrant0(bits);
	case 1:
		return quadrant1(bits);
	default:
		return quadrant2(bits);
	}
}

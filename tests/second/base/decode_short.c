// SPDX-License-Identifier: BSD-2-Clause
/*
 * decode_short.c - the instruction that a compressed one stands for (RV64; C, Zcb, Zcmop).
 *
 * Immediates are those of the fields; only what decode.c reads must be right: registers, what addi
 * adds to its own register, and the offsets of branches, loads and stores.
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

static uint32_t make_load(unsigned op, unsigned f3, unsigned rd, unsigned rs1, uint32_t offset)
{
	return make(op, f3, 0, rd, rs1, 0) | offset << 20;
}

static uint32_t make_store(unsigned op, unsigned f3, unsigned rs1, unsigned rs2, uint32_t offset)
{
	return make(op, f3, offset >> 5, offset & 31, rs1, rs2);
}

/* An addi to its own register, of a number of so many bits with a sign. */
static uint32_t make_addi(unsigned rd, uint32_t number, unsigned bits)
{
	uint32_t sign = 1u << (bits - 1);

	return make(OP_IMM, 0, 0, rd, rd, 0) | ((number ^ sign) - sign) << 20;
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

/* The offsets 5:3|7:6 in 12:10 and 6:5, and 5:3|2|6 in 12:10, 6 and 5. */
static uint32_t offset_8(uint16_t c)
{
	return bits_of(c, 10, 3) << 3 | bits_of(c, 5, 2) << 6;
}

static uint32_t offset_4(uint16_t c)
{
	return bits_of(c, 10, 3) << 3 | bits_of(c, 6, 1) << 2 | bits_of(c, 5, 1) << 6;
}

/* c.lbu, c.lhu, c.lh, c.sb, c.sh */
static uint32_t zcb(uint16_t c, unsigned rs1, unsigned rd)
{
	uint32_t half = bits_of(c, 5, 1) << 1, byte = half | bits_of(c, 6, 1);

	switch (bits_of(c, 10, 2)) {
	case 0:
		return make_load(OP_LOAD, 4, rd, rs1, byte);
	case 1:
		return make_load(OP_LOAD, bits_of(c, 6, 1) ? 1 : 5, rd, rs1, half);
	case 2:
		return make_store(OP_STORE, 0, rs1, rd, byte);
	default:
		return make_store(OP_STORE, 1, rs1, rd, half);
	}
}

static uint32_t quadrant0(uint16_t c)
{
	unsigned rs1 = 8 + bits_of(c, 7, 3), rd = 8 + bits_of(c, 2, 3);

	switch (c >> 13) {
	case 0: /* c.addi4spn */
		return make(OP_IMM, 0, 0, rd, SP, 0);
	case 1: /* c.fld */
		return make_load(OP_FLOAD, 3, rd, rs1, offset_8(c));
	case 2: /* c.lw */
		return make_load(OP_LOAD, 2, rd, rs1, offset_4(c));
	case 3: /* c.ld */
		return make_load(OP_LOAD, 3, rd, rs1, offset_8(c));
	case 4:
		return zcb(c, rs1, rd);
	case 5: /* c.fsd */
		return make_store(OP_FSTORE, 3, rs1, rd, offset_8(c));
	case 6: /* c.sw */
		return make_store(OP_STORE, 2, rs1, rd, offset_4(c));
	case 7: /* c.sd */
		return make_store(OP_STORE, 3, rs1, rd, offset_8(c));
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

/* c.addi16sp: 9|4|6|8:7|5 in 12 and 6:2. */
static uint32_t addi16sp(uint16_t c)
{
	uint32_t number = bits_of(c, 12, 1) << 9 | bits_of(c, 6, 1) << 4 | bits_of(c, 5, 1) << 6 |
			  bits_of(c, 3, 2) << 7 | bits_of(c, 2, 1) << 5;

	return make_addi(SP, number, 10);
}

static uint32_t quadrant1(uint16_t c)
{
	unsigned rd = bits_of(c, 7, 5);

	switch (c >> 13) {
	case 0: /* c.addi */
		return make_addi(rd, bits_of(c, 12, 1) << 5 | bits_of(c, 2, 5), 6);
	case 1: /* c.addiw */
		return make(OP_IMM_32, 0, 0, rd, rd, 0);
	case 2: /* c.li */
		return make(OP_IMM, 0, 0, rd, ZERO, 0);
	case 3: /* c.mop, which stands for nop; c.addi16sp, c.lui */
		if (!bits_of(c, 2, 5) && !bits_of(c, 12, 1))
			return make(OP_IMM, 0, 0, ZERO, ZERO, 0);
		return rd == SP ? addi16sp(c) : make(OP_LUI, 0, 0, rd, 0, 0);
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

/* Offsets to sp: 5|4:3|8:6 and 5|4:2|7:6 of loads, 5:3|8:6 and 5:2|7:6 of stores. */
static uint32_t load_sp_8(uint16_t c)
{
	return bits_of(c, 12, 1) << 5 | bits_of(c, 5, 2) << 3 | bits_of(c, 2, 3) << 6;
}

static uint32_t load_sp_4(uint16_t c)
{
	return bits_of(c, 12, 1) << 5 | bits_of(c, 4, 3) << 2 | bits_of(c, 2, 2) << 6;
}

static uint32_t store_sp_8(uint16_t c)
{
	return bits_of(c, 10, 3) << 3 | bits_of(c, 7, 3) << 6;
}

static uint32_t store_sp_4(uint16_t c)
{
	return bits_of(c, 9, 4) << 2 | bits_of(c, 7, 2) << 6;
}

static uint32_t quadrant2(uint16_t c)
{
	unsigned rd = bits_of(c, 7, 5), rs2 = bits_of(c, 2, 5);

	switch (c >> 13) {
	case 0: /* c.slli */
		return make(OP_IMM, 1, 0, rd, rd, 0);
	case 1: /* c.fldsp */
		return make_load(OP_FLOAD, 3, rd, SP, load_sp_8(c));
	case 2: /* c.lwsp */
		return make_load(OP_LOAD, 2, rd, SP, load_sp_4(c));
	case 3: /* c.ldsp */
		return make_load(OP_LOAD, 3, rd, SP, load_sp_8(c));
	case 4:
		return jumps_and_moves(c);
	case 5: /* c.fsdsp */
		return make_store(OP_FSTORE, 3, SP, rs2, store_sp_8(c));
	case 6: /* c.swsp */
		return make_store(OP_STORE, 2, SP, rs2, store_sp_4(c));
	default: /* c.sdsp */
		return make_store(OP_STORE, 3, SP, rs2, store_sp_8(c));
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

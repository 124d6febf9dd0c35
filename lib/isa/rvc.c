// SPDX-License-Identifier: BSD-2-Clause
/*
 * rvc.c - expands compressed instructions to their 32-bit equivalents (isa.h).  Pure.
 *
 * Implements: Unpriv chapter 26 (RV32C and RV64C with F and D), 28.13 (Zcb loads, stores).
 */
#include "isa.h"

#define OP_LOAD	    0x03
#define OP_LOAD_FP  0x07
#define OP_IMM	    0x13
#define OP_IMM_32   0x1b
#define OP_STORE    0x23
#define OP_STORE_FP 0x27
#define OP_OP	    0x33
#define OP_LUI	    0x37
#define OP_OP_32    0x3b
#define OP_BRANCH   0x63
#define OP_JALR	    0x67
#define OP_JAL	    0x6f
#define EBREAK	    0x00100073
#define SSPUSH_RA   0xce104073
#define SSPOPCHK_T0 0xcdc2c073

/* The len bits of insn that begin at bit from, moved to bit to. */
static uint32_t bits(uint32_t insn, unsigned from, unsigned len, unsigned to)
{
	return (insn >> from & ((1u << len) - 1)) << to;
}

static uint32_t sign(uint32_t value, unsigned width)
{
	uint32_t top = 1u << (width - 1);

	return (value ^ top) - top;
}

/* Register fields: of five bits, and of three bits, which name x8 to x15. */
static uint32_t rd(uint32_t insn)
{
	return bits(insn, 7, 5, 0);
}

static uint32_t rs2(uint32_t insn)
{
	return bits(insn, 2, 5, 0);
}

static uint32_t rd_p(uint32_t insn)
{
	return 8 + bits(insn, 2, 3, 0);
}

static uint32_t rs1_p(uint32_t insn)
{
	return 8 + bits(insn, 7, 3, 0);
}

/* Build 32-bit instructions of the six formats that occur. */
static uint32_t fmt_i(uint32_t op, uint32_t f3, uint32_t d, uint32_t s1, uint32_t imm)
{
	return op | d << 7 | f3 << 12 | s1 << 15 | imm << 20;
}

static uint32_t fmt_s(uint32_t op, uint32_t f3, uint32_t s1, uint32_t s2, uint32_t imm)
{
	return op | bits(imm, 0, 5, 7) | f3 << 12 | s1 << 15 | s2 << 20 | bits(imm, 5, 7, 25);
}

static uint32_t fmt_r(uint32_t op, uint32_t f3, uint32_t f7, uint32_t d, uint32_t s1, uint32_t s2)
{
	return op | d << 7 | f3 << 12 | s1 << 15 | s2 << 20 | f7 << 25;
}

static uint32_t fmt_b(uint32_t f3, uint32_t s1, uint32_t imm)
{
	return OP_BRANCH | bits(imm, 11, 1, 7) | bits(imm, 1, 4, 8) | f3 << 12 | s1 << 15 |
	       bits(imm, 5, 6, 25) | bits(imm, 12, 1, 31);
}

static uint32_t fmt_j(uint32_t d, uint32_t imm)
{
	return OP_JAL | d << 7 | bits(imm, 12, 8, 12) | bits(imm, 11, 1, 20) |
	       bits(imm, 1, 10, 21) | bits(imm, 20, 1, 31);
}

static uint32_t imm_ci(uint32_t insn)
{
	return sign(bits(insn, 2, 5, 0) | bits(insn, 12, 1, 5), 6);
}

static uint32_t imm_cj(uint32_t insn)
{
	return sign(bits(insn, 3, 3, 1) | bits(insn, 11, 1, 4) | bits(insn, 2, 1, 5) |
			    bits(insn, 7, 1, 6) | bits(insn, 6, 1, 7) | bits(insn, 9, 2, 8) |
			    bits(insn, 8, 1, 10) | bits(insn, 12, 1, 11),
		    12);
}

static uint32_t imm_cb(uint32_t insn)
{
	return sign(bits(insn, 3, 2, 1) | bits(insn, 10, 2, 3) | bits(insn, 2, 1, 5) |
			    bits(insn, 5, 2, 6) | bits(insn, 12, 1, 8),
		    9);
}

static uint32_t imm_word(uint32_t insn)
{
	return bits(insn, 6, 1, 2) | bits(insn, 10, 3, 3) | bits(insn, 5, 1, 6);
}

static uint32_t imm_double(uint32_t insn)
{
	return bits(insn, 10, 3, 3) | bits(insn, 5, 2, 6);
}

/* Zcb: c.lbu, c.lhu, c.lh, c.sb, c.sh */
static uint32_t expand_zcb(uint32_t insn)
{
	uint32_t byte = bits(insn, 6, 1, 0) | bits(insn, 5, 1, 1), half = bits(insn, 5, 1, 1);
	bool bit6 = insn & 0x40;

	switch (bits(insn, 10, 3, 0)) {
	case 0:
		return fmt_i(OP_LOAD, 4, rd_p(insn), rs1_p(insn), byte);
	case 1:
		return fmt_i(OP_LOAD, bit6 ? 1 : 5, rd_p(insn), rs1_p(insn), half);
	case 2:
		return fmt_s(OP_STORE, 0, rs1_p(insn), rd_p(insn), byte);
	case 3:
		return bit6 ? 0 : fmt_s(OP_STORE, 1, rs1_p(insn), rd_p(insn), half);
	default:
		return 0;
	}
}

static uint32_t expand_q0(uint32_t insn, unsigned xlen)
{
	uint32_t d = rd_p(insn), s1 = rs1_p(insn), w = imm_word(insn), dw = imm_double(insn), imm;

	switch (insn >> 13) {
	case 0:
		imm = bits(insn, 6, 1, 2) | bits(insn, 5, 1, 3) | bits(insn, 11, 2, 4) |
		      bits(insn, 7, 4, 6);
		return imm ? fmt_i(OP_IMM, 0, d, 2, imm) : 0;
	case 1:
		return fmt_i(OP_LOAD_FP, 3, d, s1, dw);
	case 2:
		return fmt_i(OP_LOAD, 2, d, s1, w);
	case 3:
		return xlen == 32 ? fmt_i(OP_LOAD_FP, 2, d, s1, w) : fmt_i(OP_LOAD, 3, d, s1, dw);
	case 4:
		return expand_zcb(insn);
	case 5:
		return fmt_s(OP_STORE_FP, 3, s1, d, dw);
	case 6:
		return fmt_s(OP_STORE, 2, s1, d, w);
	default:
		return xlen == 32 ? fmt_s(OP_STORE_FP, 2, s1, d, w) : fmt_s(OP_STORE, 3, s1, d, dw);
	}
}

/* Zcb: c.zext.b, c.sext.b, c.zext.h, c.sext.h, c.zext.w, c.not */
static uint32_t expand_zcb_unary(uint32_t insn, unsigned xlen)
{
	uint32_t d = rs1_p(insn);

	switch (bits(insn, 2, 3, 0)) {
	case 0:
		return fmt_i(OP_IMM, 7, d, d, 0xff);
	case 1:
		return fmt_i(OP_IMM, 1, d, d, 0x604);
	case 2:
		return fmt_r(xlen == 32 ? OP_OP : OP_OP_32, 4, 4, d, d, 0);
	case 3:
		return fmt_i(OP_IMM, 1, d, d, 0x605);
	case 4:
		return xlen == 32 ? 0 : fmt_r(OP_OP_32, 0, 4, d, d, 0);
	case 5:
		return fmt_i(OP_IMM, 4, d, d, 0xfff);
	default:
		return 0;
	}
}

static uint32_t expand_alu(uint32_t insn, unsigned xlen)
{
	static const uint8_t funct3[4] = { 0, 4, 6, 7 };
	uint32_t d = rs1_p(insn), sub = bits(insn, 5, 2, 0), shamt = imm_ci(insn) & 63;

	switch (bits(insn, 10, 2, 0)) {
	case 0:
		return xlen == 32 && shamt > 31 ? 0 : fmt_i(OP_IMM, 5, d, d, shamt);
	case 1:
		return xlen == 32 && shamt > 31 ? 0 : fmt_i(OP_IMM, 5, d, d, shamt | 0x400);
	case 2:
		return fmt_i(OP_IMM, 7, d, d, imm_ci(insn));
	}
	if (!(insn & 0x1000))
		return fmt_r(OP_OP, funct3[sub], sub ? 0 : 0x20, d, d, rd_p(insn));
	if (sub == 2) /* Zcb: c.mul */
		return fmt_r(OP_OP, 0, 1, d, d, rd_p(insn));
	if (sub == 3)
		return expand_zcb_unary(insn, xlen);
	if (xlen == 32)
		return 0;
	return fmt_r(OP_OP_32, 0, sub ? 0 : 0x20, d, d, rd_p(insn));
}

/* Zcmop: c.mop.1 to c.mop.15 do nothing; two of them are c.sspush and c.sspopchk (Zicfiss). */
static uint32_t expand_zcmop(unsigned n)
{
	if (n == 1)
		return SSPUSH_RA;
	if (n == 5)
		return SSPOPCHK_T0;
	return (n & 0x11) == 1 ? fmt_i(OP_IMM, 0, 0, 0, 0) : 0;
}

static uint32_t expand_q1(uint32_t insn, unsigned xlen)
{
	uint32_t d = rd(insn), imm = imm_ci(insn);

	switch (insn >> 13) {
	case 0:
		return fmt_i(OP_IMM, 0, d, d, imm);
	case 1:
		if (xlen == 32)
			return fmt_j(1, imm_cj(insn));
		return d ? fmt_i(OP_IMM_32, 0, d, d, imm) : 0;
	case 2:
		return fmt_i(OP_IMM, 0, d, 0, imm);
	case 3:
		if (!imm)
			return expand_zcmop(d);
		if (d != 2)
			return OP_LUI | d << 7 | imm << 12;
		imm = bits(insn, 6, 1, 4) | bits(insn, 2, 1, 5) | bits(insn, 5, 1, 6) |
		      bits(insn, 3, 2, 7) | bits(insn, 12, 1, 9);
		return fmt_i(OP_IMM, 0, 2, 2, sign(imm, 10));
	case 4:
		return expand_alu(insn, xlen);
	case 5:
		return fmt_j(0, imm_cj(insn));
	default:
		return fmt_b(insn >> 13 & 1, rs1_p(insn), imm_cb(insn));
	}
}

/* c.jr, c.mv, c.ebreak, c.jalr, c.add */
static uint32_t expand_cr(uint32_t insn)
{
	uint32_t d = rd(insn), s2 = rs2(insn);
	bool link = insn & 0x1000;

	if (s2)
		return fmt_r(OP_OP, 0, 0, d, link ? d : 0, s2);
	if (d)
		return fmt_i(OP_JALR, 0, link, d, 0);
	return link ? EBREAK : 0;
}

static uint32_t expand_q2(uint32_t insn, unsigned xlen)
{
	uint32_t d = rd(insn), s2 = rs2(insn), shamt = imm_ci(insn) & 63;
	uint32_t lw = bits(insn, 4, 3, 2) | bits(insn, 12, 1, 5) | bits(insn, 2, 2, 6);
	uint32_t ld = bits(insn, 5, 2, 3) | bits(insn, 12, 1, 5) | bits(insn, 2, 3, 6);
	uint32_t sw = bits(insn, 9, 4, 2) | bits(insn, 7, 2, 6);
	uint32_t sd = bits(insn, 10, 3, 3) | bits(insn, 7, 3, 6);

	switch (insn >> 13) {
	case 0:
		return xlen == 32 && shamt > 31 ? 0 : fmt_i(OP_IMM, 1, d, d, shamt);
	case 1:
		return fmt_i(OP_LOAD_FP, 3, d, 2, ld);
	case 2:
		return d ? fmt_i(OP_LOAD, 2, d, 2, lw) : 0;
	case 3:
		if (xlen == 32)
			return fmt_i(OP_LOAD_FP, 2, d, 2, lw);
		return d ? fmt_i(OP_LOAD, 3, d, 2, ld) : 0;
	case 4:
		return expand_cr(insn);
	case 5:
		return fmt_s(OP_STORE_FP, 3, 2, s2, sd);
	case 6:
		return fmt_s(OP_STORE, 2, 2, s2, sw);
	default:
		return xlen == 32 ? fmt_s(OP_STORE_FP, 2, 2, s2, sw)
				  : fmt_s(OP_STORE, 3, 2, s2, sd);
	}
}

uint32_t isa_expand(uint16_t insn, unsigned xlen)
{
	switch (insn & 3) {
	case 0:
		return expand_q0(insn, xlen);
	case 1:
		return expand_q1(insn, xlen);
	case 2:
		return expand_q2(insn, xlen);
	default:
		return 0;
	}
}

unsigned isa_short_ext(uint16_t insn)
{
	if ((insn & 0xe003) == 0x8000 || (insn & 0xfc43) == 0x9c41)
		return ISA_EXT_ZCB;
	if ((insn & 0xf8ff) == 0x6081)
		return ISA_EXT_ZCMOP;
	/* funct3 1 and 5 of quadrants 0 and 2: c.fld, c.fsd, c.fldsp, c.fsdsp */
	return (insn & 0x6001) == 0x2000 ? ISA_EXT_C_ZCD : ISA_EXT_C_ZCA;
}

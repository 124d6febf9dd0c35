// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_isa.c - lib/isa: compressed instructions expanded, loads, stores and CSR accesses
 * decoded.  The expected words are what GNU as assembles from the text beside them.
 */
#include "tap.h"
#include <isa.h>

struct row {
	const char *text;
	uint16_t insn;
	uint32_t rv64, rv32; /* 0: illegal */
};

static const struct row rows[] = {
	{ "c.addi4spn a0, sp, 16", 0x0808, 0x01010513, 0x01010513 },
	{ "c.fld fa0, 8(a1)", 0x2588, 0x0085b507, 0x0085b507 },
	{ "c.lw a0, 4(a1)", 0x41c8, 0x0045a503, 0x0045a503 },
	{ "c.ld a0, 8(a1) / c.flw fa0, 20(a1)", 0x6588, 0x0085b503, 0x0085a507 },
	{ "c.fsd fa0, 8(a1)", 0xa588, 0x00a5b427, 0x00a5b427 },
	{ "c.sw a0, 4(a1)", 0xc1c8, 0x00a5a223, 0x00a5a223 },
	{ "c.sd a0, 8(a1) / c.fsw fa0, 8(a1)", 0xe588, 0x00a5b423, 0x00a5a427 },
	{ "c.lbu a0, 1(a1)", 0x81c8, 0x0015c503, 0x0015c503 },
	{ "c.lhu a0, 2(a1)", 0x85a8, 0x0025d503, 0x0025d503 },
	{ "c.lh a0, 2(a1)", 0x85e8, 0x00259503, 0x00259503 },
	{ "c.sb a0, 3(a1)", 0x89e8, 0x00a581a3, 0x00a581a3 },
	{ "c.sh a0, 2(a1)", 0x8da8, 0x00a59123, 0x00a59123 },
	{ "c.nop", 0x0001, 0x00000013, 0x00000013 },
	{ "c.addi a0, -1", 0x157d, 0xfff50513, 0xfff50513 },
	{ "c.addiw a0, -1 / c.jal -718", 0x357d, 0xfff5051b, 0xeafff0ef },
	{ "c.li a0, 5", 0x4515, 0x00500513, 0x00500513 },
	{ "c.addi16sp sp, -64", 0x7139, 0xfc010113, 0xfc010113 },
	{ "c.lui a0, 0xfffff", 0x757d, 0xfffff537, 0xfffff537 },
	{ "c.srli a0, 3", 0x810d, 0x00355513, 0x00355513 },
	{ "c.srai a0, 3", 0x850d, 0x40355513, 0x40355513 },
	{ "c.srai a0, 35", 0x950d, 0x42355513, 0 },
	{ "c.andi a0, -2", 0x9979, 0xffe57513, 0xffe57513 },
	{ "c.sub a0, a1", 0x8d0d, 0x40b50533, 0x40b50533 },
	{ "c.xor a0, a1", 0x8d2d, 0x00b54533, 0x00b54533 },
	{ "c.or a0, a1", 0x8d4d, 0x00b56533, 0x00b56533 },
	{ "c.and a0, a1", 0x8d6d, 0x00b57533, 0x00b57533 },
	{ "c.subw a0, a1", 0x9d0d, 0x40b5053b, 0 },
	{ "c.addw a0, a1", 0x9d2d, 0x00b5053b, 0 },
	{ "c.j .", 0xa001, 0x0000006f, 0x0000006f },
	{ "c.beqz a0, .", 0xc101, 0x00050063, 0x00050063 },
	{ "c.bnez a0, .", 0xe101, 0x00051063, 0x00051063 },
	{ "c.slli a0, 3", 0x050e, 0x00351513, 0x00351513 },
	{ "c.fldsp fa0, 8(sp)", 0x2522, 0x00813507, 0x00813507 },
	{ "c.lwsp a0, 4(sp)", 0x4512, 0x00412503, 0x00412503 },
	{ "c.ldsp a0, 8(sp) / c.flwsp fa0, 8(sp)", 0x6522, 0x00813503, 0x00812507 },
	{ "c.jr a0", 0x8502, 0x00050067, 0x00050067 },
	{ "c.mv a0, a1", 0x852e, 0x00b00533, 0x00b00533 },
	{ "c.ebreak", 0x9002, 0x00100073, 0x00100073 },
	{ "c.jalr a0", 0x9502, 0x000500e7, 0x000500e7 },
	{ "c.add a0, a1", 0x952e, 0x00b50533, 0x00b50533 },
	{ "c.fsdsp fa0, 8(sp)", 0xa42a, 0x00a13427, 0x00a13427 },
	{ "c.swsp a0, 4(sp)", 0xc22a, 0x00a12223, 0x00a12223 },
	{ "c.sdsp a0, 8(sp) / c.fswsp fa0, 8(sp)", 0xe42a, 0x00a13423, 0x00a12427 },
	{ "all zeros", 0x0000, 0, 0 },
	{ "c.addi4spn with 0", 0x0004, 0, 0 },
	{ "c.addi16sp with 0", 0x6101, 0, 0 },
	{ "c.lui with 0", 0x6501, 0, 0 },
	{ "c.lwsp into x0", 0x4012, 0, 0 },
	{ "c.jr x0", 0x8002, 0, 0 },
	{ "c.addiw x0 / c.jal", 0x2001, 0, 0x000000ef },
	{ "reserved in quadrant 0", 0x9c00, 0, 0 },
	{ "a 32-bit instruction", 0x0003, 0, 0 },
};

static void expands(void)
{
	unsigned i;

	for (i = 0; i < TAP_NR(rows); i++) {
		tap_context("%s", rows[i].text);
		is(isa_expand(rows[i].insn, 64), rows[i].rv64);
		is(isa_expand(rows[i].insn, 32), rows[i].rv32);
	}
}

/* Any 16 bits expand to a 32-bit instruction or to nothing, on RV64 and RV32. */
static void expands_anything(void)
{
	unsigned i;

	for (i = 0; i < 0x10000; i++) {
		uint32_t a = isa_expand((uint16_t)i, 64), b = isa_expand((uint16_t)i, 32);

		if ((a && (a & 3) != 3) || (b && (b & 3) != 3) || ((i & 3) == 3 && (a || b)))
			break;
	}
	is(i, 0x10000);
}

static void decodes_accesses(void)
{
	static const struct {
		const char *text;
		uint32_t insn;
		struct isa_access want;
		bool rv64_only;
	} table[] = {
		{ "lb a0, -1(a1)", 0xfff58503, { 1, 10, 11, false, false, true, -1 }, false },
		{ "lhu a0, 2(a1)", 0x0025d503, { 2, 10, 11, false, false, false, 2 }, false },
		{ "lw t6, 2047(x0)", 0x7ff02f83, { 4, 31, 0, false, false, true, 2047 }, false },
		{ "lwu a0, 0(a1)", 0x0005e503, { 4, 10, 11, false, false, false, 0 }, true },
		{ "ld a0, 8(a1)", 0x0085b503, { 8, 10, 11, false, false, true, 8 }, true },
		{ "flw fa0, 8(a1)", 0x0085a507, { 4, 10, 11, false, true, false, 8 }, false },
		{ "fld fa0, 8(a1)", 0x0085b507, { 8, 10, 11, false, true, false, 8 }, false },
		{ "sh a0, -2(a1)", 0xfea59f23, { 2, 10, 11, true, false, false, -2 }, false },
		{ "sw a0, 4(a1)", 0x00a5a223, { 4, 10, 11, true, false, false, 4 }, false },
		{ "sd a0, -2048(a1)", 0x80a5b023, { 8, 10, 11, true, false, false, -2048 }, true },
		{ "fsd fa0, 8(a1)", 0x00a5b427, { 8, 10, 11, true, true, false, 8 }, false },
	};
	static const uint32_t others[] = { 0,	       0x00000013, 0x00000073, 0x0000202f,
					   0x00007003, 0x00004023, 0x02056007, 0xffffffff };
	struct isa_access a;
	unsigned i;

	for (i = 0; i < TAP_NR(table); i++) {
		tap_context("%s", table[i].text);
		ok(isa_decode_access(table[i].insn, 64, &a));
		is(a.bytes, table[i].want.bytes);
		is(a.reg, table[i].want.reg);
		is(a.base, table[i].want.base);
		is(a.is_store, table[i].want.is_store);
		is(a.is_float, table[i].want.is_float);
		is(a.is_signed, table[i].want.is_signed);
		is(a.offset, table[i].want.offset);
		is(isa_decode_access(table[i].insn, 32, &a), !table[i].rv64_only);
	}
	for (i = 0; i < TAP_NR(others); i++) {
		tap_context("%08x", others[i]);
		ok(!isa_decode_access(others[i], 64, &a));
	}
}

static void decodes_csr_accesses(void)
{
	struct isa_csr c;

	ok(isa_decode_csr(0xc0102573, &c)); /* rdtime a0 */
	is(c.csr, 0xc01);
	is(c.rd, 10);
	ok(!c.writes && !c.immediate);
	ok(isa_decode_csr(0xc0101573, &c) && c.writes); /* csrrw a0, time, x0 */
	ok(isa_decode_csr(0xc010f573, &c) && c.writes && c.immediate); /* csrrci a0, time, 1 */
	ok(isa_decode_csr(0xc0107573, &c) && !c.writes); /* csrrci a0, time, 0 */
	ok(!isa_decode_csr(0x00000073, &c)); /* ecall */
	ok(!isa_decode_csr(0x00004073, &c));
	ok(!isa_decode_csr(0x00000013, &c));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "expands compressed instructions", expands },
		{ "expands any 16 bits to 32 or to nothing", expands_anything },
		{ "decodes loads and stores, and nothing else", decodes_accesses },
		{ "decodes CSR accesses", decodes_csr_accesses },
	};

	return tap_run(cases, TAP_NR(cases));
}

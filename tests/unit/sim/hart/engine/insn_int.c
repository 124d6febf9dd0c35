// SPDX-License-Identifier: BSD-2-Clause
/*
 * insn_int.c - integer instructions, jumps and branches (insn.h).
 */
#include "insn.h"

static const struct insn_int_row rows[] = {
	/* Unpriv 2.4, 4.2: upper immediates are sign-extended from bit 31; auipc is at CODE */
	{ ISA_lui, 0, 0x7ffff000, 0x7ffff000 },
	{ ISA_lui, 0, 0x80000000, MIN32 },
	{ ISA_auipc, 0, 0, CODE },
	{ ISA_auipc, 0, 0x7ffff000, CODE + 0x7ffff000 },
	{ ISA_auipc, 0, 0x80000000, CODE - 0x80000000 },
	/* immediates are sign-extended, also for unsigned comparison */
	{ ISA_addi, M1, 1, 0 },
	{ ISA_addi, MAX64, 1, MIN64 },
	{ ISA_addi, 0, -2048, -2048 },
	{ ISA_addi, 1, 2047, 2048 },
	{ ISA_slti, M1, 0, 1 },
	{ ISA_slti, 0, -1, 0 },
	{ ISA_slti, -2049, -2048, 1 },
	{ ISA_slti, 5, 5, 0 },
	{ ISA_sltiu, 0, -1, 1 },
	{ ISA_sltiu, M1, -1, 0 },
	{ ISA_sltiu, 0, 1, 1 },
	{ ISA_sltiu, 1, 1, 0 },
	{ ISA_xori, 0x0f, -1, ~0x0full },
	{ ISA_xori, 0x7ff, 0x7ff, 0 },
	{ ISA_ori, 0, -2048, -2048 },
	{ ISA_ori, 0xf0, 0x0f, 0xff },
	{ ISA_andi, M1, -2048, -2048 },
	{ ISA_andi, 0xfff, 0x7ff, 0x7ff },
	/* shift amounts of 0, of 32 and of 63 */
	{ ISA_slli, 3, 0, 3 },
	{ ISA_slli, M1, 32, 0xffffffff00000000 },
	{ ISA_slli, 3, 63, MIN64 },
	{ ISA_srli, MIN64, 0, MIN64 },
	{ ISA_srli, MIN64, 32, 0x80000000 },
	{ ISA_srli, MIN64, 63, 1 },
	{ ISA_srai, MIN64, 0, MIN64 },
	{ ISA_srai, MIN64, 32, MIN32 },
	{ ISA_srai, MIN64, 63, M1 },
	{ ISA_srai, MAX64, 62, 1 },
	{ ISA_add, M1, 1, 0 },
	{ ISA_add, MAX64, 1, MIN64 },
	{ ISA_sub, 0, 1, M1 },
	{ ISA_sub, MIN64, 1, MAX64 },
	/* a shift amount in a register has six bits */
	{ ISA_sll, 1, 63, MIN64 },
	{ ISA_sll, 1, 64, 1 },
	{ ISA_sll, 1, M1, MIN64 },
	{ ISA_srl, MIN64, 63, 1 },
	{ ISA_srl, MIN64, 64, MIN64 },
	{ ISA_sra, MIN64, 63, M1 },
	{ ISA_sra, MIN64, 64, MIN64 },
	{ ISA_slt, 0, M1, 0 },
	{ ISA_slt, MIN64, MAX64, 1 },
	{ ISA_slt, 7, 7, 0 },
	{ ISA_sltu, 0, M1, 1 },
	{ ISA_sltu, MIN64, MAX64, 0 },
	{ ISA_sltu, 7, 7, 0 },
	{ ISA_xor, 0xff00ff00ff00ff00, M1, 0x00ff00ff00ff00ff },
	{ ISA_or, 0xff00ff0000000000, 0x00ff00000000000f, 0xffffff000000000f },
	{ ISA_and, 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0x0f000f000f000f00 },
	/* Unpriv 4.2: the W forms ignore the upper halves and sign-extend their 32 bits */
	{ ISA_addiw, 0x7fffffff, 1, MIN32 },
	{ ISA_addiw, 0xffffffff, 1, 0 },
	{ ISA_addiw, 0x1fffffffe, 0, -2 },
	{ ISA_addiw, 0x123456789, 0, 0x23456789 },
	{ ISA_slliw, 3, 31, MIN32 },
	{ ISA_slliw, 0x180000001, 0, 0xffffffff80000001 },
	{ ISA_srliw, M1, 0, M1 },
	{ ISA_srliw, M1, 1, 0x7fffffff },
	{ ISA_srliw, 0xffffffff00000000, 4, 0 },
	{ ISA_sraiw, 0x80000000, 31, M1 },
	{ ISA_sraiw, 0x180000000, 0, MIN32 },
	{ ISA_sraiw, 0x7fffffff, 30, 1 },
	{ ISA_addw, 0x7fffffff, 1, MIN32 },
	{ ISA_addw, MIN32, MIN32, 0 },
	{ ISA_addw, 1ull << 32, 1, 1 },
	{ ISA_subw, 0, 1, M1 },
	{ ISA_subw, MIN32, 1, 0x7fffffff },
	{ ISA_subw, 1ull << 32, 0, 0 },
	{ ISA_sllw, 1, 31, MIN32 },
	{ ISA_sllw, 1, 32, 1 },
	{ ISA_sllw, 1, 63, MIN32 },
	{ ISA_srlw, M1, 32, M1 },
	{ ISA_srlw, M1, 1, 0x7fffffff },
	{ ISA_srlw, 0xffffffff00000000, 1, 0 },
	{ ISA_sraw, 0x80000000, 31, M1 },
	{ ISA_sraw, 0x80000000, 32, MIN32 },

	/* Unpriv 12.1, and 12.2 with its table of division by zero and overflow */
	{ ISA_mul, M1, M1, 1 },
	{ ISA_mul, MIN64, 2, 0 },
	{ ISA_mul, 0xffffffff, 0xffffffff, 0xfffffffe00000001 },
	{ ISA_mulh, MIN64, MIN64, 1ull << 62 },
	{ ISA_mulh, M1, M1, 0 },
	{ ISA_mulh, M1, 1, M1 },
	{ ISA_mulh, MIN64, M1, 0 },
	{ ISA_mulhsu, M1, M1, M1 },
	{ ISA_mulhsu, 1, M1, 0 },
	{ ISA_mulhsu, MIN64, 2, M1 },
	{ ISA_mulhsu, MIN64, M1, MIN64 },
	{ ISA_mulhu, M1, M1, M1 - 1 },
	{ ISA_mulhu, MIN64, 2, 1 },
	{ ISA_mulhu, M1, 1, 0 },
	{ ISA_mulw, 0x10000, 0x8000, MIN32 },
	{ ISA_mulw, 0x100000001, 5, 5 },
	{ ISA_mulw, 0xffffffff, 0xffffffff, 1 },
	{ ISA_div, 5, 0, M1 },
	{ ISA_div, MIN64, M1, MIN64 },
	{ ISA_div, -7, 2, -3 },
	{ ISA_div, 7, -2, -3 },
	{ ISA_divu, 5, 0, M1 },
	{ ISA_divu, M1, 2, MAX64 },
	{ ISA_divu, MIN64, M1, 0 },
	{ ISA_rem, 5, 0, 5 },
	{ ISA_rem, MIN64, M1, 0 },
	{ ISA_rem, -7, 2, -1 },
	{ ISA_rem, 7, -2, 1 },
	{ ISA_remu, M1, 0, M1 },
	{ ISA_remu, MIN64, M1, MIN64 },
	{ ISA_remu, 7, 5, 2 },
	{ ISA_divw, 5, 1ull << 32, M1 },
	{ ISA_divw, MIN32, M1, MIN32 },
	{ ISA_divw, 0x80000000, 0xffffffff, MIN32 },
	{ ISA_divw, -7, 2, -3 },
	{ ISA_divuw, M1, 1, M1 },
	{ ISA_divuw, 5, 1ull << 32, M1 },
	{ ISA_divuw, 0x80000000, 2, 0x40000000 },
	{ ISA_remw, 0x80000000, 0, MIN32 },
	{ ISA_remw, 0x80000000, M1, 0 },
	{ ISA_remw, -7, 2, -1 },
	{ ISA_remuw, 0x80000001, 0, 0xffffffff80000001 },
	{ ISA_remuw, M1, 16, 15 },

	/* Unpriv 28.4.1: Zba */
	{ ISA_add_uw, M1, 1, 0x100000000 },
	{ ISA_add_uw, 1ull << 32, 5, 5 },
	{ ISA_sh1add, 2, 1, 5 },
	{ ISA_sh1add, MIN64, 1, 1 },
	{ ISA_sh2add, 2, 1, 9 },
	{ ISA_sh2add, 1ull << 62, 3, 3 },
	{ ISA_sh3add, 2, 1, 17 },
	{ ISA_sh3add, 1ull << 61, 3, 3 },
	{ ISA_sh1add_uw, M1, 0, 0x1fffffffe },
	{ ISA_sh1add_uw, 0x100000001, 3, 5 },
	{ ISA_sh2add_uw, M1, 0, 0x3fffffffc },
	{ ISA_sh2add_uw, 0x100000001, 3, 7 },
	{ ISA_sh3add_uw, M1, 0, 0x7fffffff8 },
	{ ISA_sh3add_uw, MIN32, M1, 0x3ffffffff },
	{ ISA_slli_uw, M1, 0, 0xffffffff },
	{ ISA_slli_uw, M1, 32, 0xffffffff00000000 },
	{ ISA_slli_uw, M1, 63, MIN64 },

	/* Unpriv 28.4.2: Zbb */
	{ ISA_andn, 0xff, 0x0f, 0xf0 },
	{ ISA_andn, M1, M1, 0 },
	{ ISA_orn, 0, M1, 0 },
	{ ISA_orn, 0xf00, ~0xffull, 0xfff },
	{ ISA_xnor, 0xf0, 0xff, ~0x0full },
	{ ISA_clz, 0, 0, 64 },
	{ ISA_clz, 1, 0, 63 },
	{ ISA_clz, M1, 0, 0 },
	{ ISA_clzw, 0, 0, 32 },
	{ ISA_clzw, 1ull << 40, 0, 32 },
	{ ISA_clzw, 0x80000000, 0, 0 },
	{ ISA_ctz, 0, 0, 64 },
	{ ISA_ctz, MIN64, 0, 63 },
	{ ISA_ctz, M1, 0, 0 },
	{ ISA_ctzw, 0, 0, 32 },
	{ ISA_ctzw, 1ull << 40, 0, 32 },
	{ ISA_ctzw, 0x80000000, 0, 31 },
	{ ISA_cpop, M1, 0, 64 },
	{ ISA_cpop, 0, 0, 0 },
	{ ISA_cpop, MIN64 | 1, 0, 2 },
	{ ISA_cpopw, M1, 0, 32 },
	{ ISA_cpopw, 0xffffffff00000000, 0, 0 },
	{ ISA_max, M1, 1, 1 },
	{ ISA_max, MIN64, MAX64, MAX64 },
	{ ISA_maxu, M1, 1, M1 },
	{ ISA_maxu, MIN64, MAX64, MIN64 },
	{ ISA_min, M1, 1, M1 },
	{ ISA_min, MIN64, MAX64, MIN64 },
	{ ISA_minu, M1, 1, 1 },
	{ ISA_minu, MIN64, MAX64, MAX64 },
	{ ISA_sext_b, 0x80, 0, -128 },
	{ ISA_sext_b, 0x17f, 0, 0x7f },
	{ ISA_sext_h, 0x18000, 0, -32768 },
	{ ISA_sext_h, 0x17fff, 0, 0x7fff },
	{ ISA_zext_h, M1, 0, 0xffff },
	{ ISA_rol, MIN64 | 1, 1, 3 },
	{ ISA_rol, 0x123, 0, 0x123 },
	{ ISA_rol, 0x123, 64, 0x123 },
	{ ISA_rol, 1, 63, MIN64 },
	{ ISA_rolw, 0x80000001, 1, 3 },
	{ ISA_rolw, 0x40000000, 1, MIN32 },
	{ ISA_rolw, 0x100000001, 32, 1 },
	{ ISA_ror, 1, 1, MIN64 },
	{ ISA_ror, 0x123, 64, 0x123 },
	{ ISA_rori, 1, 1, MIN64 },
	{ ISA_rori, 1, 63, 2 },
	{ ISA_rori, 5, 0, 5 },
	{ ISA_rorw, 1, 1, MIN32 },
	{ ISA_rorw, 0x80000000, 32, MIN32 },
	{ ISA_rorw, 2, 33, 1 },
	{ ISA_roriw, 1, 1, MIN32 },
	{ ISA_roriw, 0x100000002, 1, 1 },
	{ ISA_roriw, 0x80000000, 0, MIN32 },
	{ ISA_orc_b, 0x0100800000000080, 0, 0xff00ff00000000ff },
	{ ISA_orc_b, 0x0010200408000001, 0, 0x00ffffffff0000ff },
	{ ISA_rev8, 0x0102030405060708, 0, 0x0807060504030201 },

	/* Unpriv 28.4.4: Zbs */
	{ ISA_bclr, M1, 63, MAX64 },
	{ ISA_bclr, 3, 64, 2 },
	{ ISA_bclri, M1, 63, MAX64 },
	{ ISA_bclri, M1, 0, M1 - 1 },
	{ ISA_bext, MIN64, 63, 1 },
	{ ISA_bext, 1, 64, 1 },
	{ ISA_bext, 2, 0, 0 },
	{ ISA_bexti, MIN64, 63, 1 },
	{ ISA_bexti, ~(1ull << 32), 32, 0 },
	{ ISA_binv, 0, 63, MIN64 },
	{ ISA_binv, 1, 64, 0 },
	{ ISA_binvi, MIN64, 63, 0 },
	{ ISA_binvi, 0, 32, 1ull << 32 },
	{ ISA_bset, 0, 63, MIN64 },
	{ ISA_bset, 0, 64, 1 },
	{ ISA_bseti, 0, 63, MIN64 },
	{ ISA_bseti, MIN64, 0, MIN64 | 1 },
};

void insn_int_rows(const struct insn_int_row *row, unsigned nr)
{
	struct machine *m = insn_machine();
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < nr; n++) {
		unsigned id = (uint16_t)row[n].id, format = isa_table[id].format;
		bool has_imm = format == ISA_FMT_BS || format == ISA_FMT_MOPR ||
			       format == ISA_FMT_MOPRR;
		int64_t imm = has_imm ? row[n].id >> 16 : (int64_t)row[n].b;

		tap_context("%s, row %u", isa_table[id].name, n);
		insn_seen[id] = true;
		/* results go to another register, over the operands, and to x0 */
		for (unsigned where = 0; where < 4; where++) {
			static const uint8_t rd[] = { A2, A0, A1, ZERO };

			h->x[A0] = row[n].a;
			h->x[A1] = row[n].b;
			is(insn_execute(m, insn_encode(id, rd[where], A0, A1, imm), PRV_M),
			   NO_TRAP);
			is(h->x[rd[where]], rd[where] ? row[n].want : 0);
			/* An instruction that reads x0 reads 0. */
			is(insn_execute(m, addi(A3, ZERO, 0), PRV_M), NO_TRAP);
			is(h->x[A3], 0);
		}
	}
	machine_destroy(m);
}

void insn_int_tests(void)
{
	insn_int_rows(rows, TAP_NR(rows));
}

static const struct {
	uint16_t id;
	uint64_t a, b;
	bool taken;
} branches[] = {
	{ ISA_beq, 5, 5, true },    { ISA_beq, 5, 1ull << 32 | 5, false },
	{ ISA_bne, 5, 5, false },   { ISA_bne, 5, 1ull << 32 | 5, true },
	{ ISA_blt, M1, 0, true },   { ISA_blt, 0, M1, false },
	{ ISA_blt, 5, 5, false },   { ISA_blt, MIN64, MAX64, true },
	{ ISA_bge, M1, 0, false },  { ISA_bge, 0, M1, true },
	{ ISA_bge, 5, 5, true },    { ISA_bge, MIN64, MAX64, false },
	{ ISA_bltu, M1, 0, false }, { ISA_bltu, 0, M1, true },
	{ ISA_bltu, 5, 5, false },  { ISA_bltu, MIN64, MAX64, false },
	{ ISA_bgeu, M1, 0, true },  { ISA_bgeu, 0, M1, false },
	{ ISA_bgeu, 5, 5, true },   { ISA_bgeu, MIN64, MAX64, true },
};

/* From CODE: jumps of every length of the format, and the link register. */
static const struct {
	uint16_t id;
	unsigned rd, rs1;
	int64_t imm, base, to;
} jumps[] = {
	{ ISA_jal, RA, 0, 8, 0, 8 },
	{ ISA_jal, RA, 0, 1048574, 0, 1048574 },
	{ ISA_jal, ZERO, 0, -0x800, 0, -0x800 },
	{ ISA_jal, RA, 0, -0x1000, 0, -0x1000 },
	{ ISA_jalr, RA, A0, 0, 0x100, 0x100 },
	{ ISA_jalr, RA, A0, 2047, 0x101, 0x900 },
	{ ISA_jalr, RA, A0, -2048, 0x900, 0x100 },
	{ ISA_jalr, ZERO, A0, 1, 0x100, 0x100 }, /* bit 0 of the sum is cleared */
	{ ISA_jalr, A0, A0, 4, 0x100, 0x104 }, /* rs1 is read before rd is written */
	{ ISA_jalr, RA, RA, 0, 0x200, 0x200 },
};

void insn_jump_tests(void)
{
	struct machine *m = insn_machine();
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < TAP_NR(branches); n++) {
		/* Forward over a word, backward, and the longest jumps of the format. */
		static const int to[] = { 8, -16, 4094, -4096 };

		for (unsigned t = 0; t < TAP_NR(to); t++) {
			tap_context("%s, row %u, to %d", isa_table[branches[n].id].name, n, to[t]);
			insn_seen[branches[n].id] = true;
			RIG_CODE(m, CODE + to[t], END);
			RIG_CODE(m, CODE, insn_encode(branches[n].id, 0, A0, A1, to[t]), END);
			h->x[A0] = branches[n].a;
			h->x[A1] = branches[n].b;
			h->pc = CODE;
			rig_run(m, 100);
			is(h->pc, CODE + 4 + (branches[n].taken ? to[t] : 4));
		}
	}
	for (unsigned n = 0; n < TAP_NR(jumps); n++) {
		tap_context("%s, row %u", isa_table[jumps[n].id].name, n);
		insn_seen[jumps[n].id] = true;
		RIG_CODE(m, CODE + jumps[n].to, END);
		RIG_CODE(m, CODE,
			 insn_encode(jumps[n].id, jumps[n].rd, jumps[n].rs1, 0, jumps[n].imm));
		h->x[jumps[n].rs1] = jumps[n].rs1 ? CODE + jumps[n].base : 0;
		h->pc = CODE;
		rig_run(m, 100);
		is(h->pc, CODE + jumps[n].to + 4);
		is(h->x[jumps[n].rd], jumps[n].rd ? CODE + 4 : 0);
	}
	machine_destroy(m);
}

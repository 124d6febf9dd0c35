// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_insn.c - every instruction of lib/isa/insn.def is compared with values computed by hand from
 * the manual, in tables by kind (insn_*.c); and no row of insn.def is left out.
 */
#include "csr.h"
#include "insn.h"

bool insn_seen[ISA_NR];

static uint32_t immediate_bits(unsigned format, int64_t imm)
{
	uint32_t u = (uint32_t)imm;

	switch (format) {
	case ISA_FMT_I:
	case ISA_FMT_L:
	case ISA_FMT_JR:
	case ISA_FMT_FL:
	case ISA_FMT_CSR:
	case ISA_FMT_CSRI:
	case ISA_FMT_SH6:
	case ISA_FMT_SH5:
	case ISA_FMT_FENCE:
	case ISA_FMT_RNUM:
		return u << 20;
	case ISA_FMT_BS:
		return u << 30;
	case ISA_FMT_MOPR:
		return (u >> 4 & 1) << 30 | (u >> 2 & 3) << 26 | (u & 3) << 20;
	case ISA_FMT_MOPRR:
		return (u >> 2 & 1) << 30 | (u & 3) << 26;
	case ISA_FMT_FLI:
		return (u & 31) << 15;
	case ISA_FMT_S:
	case ISA_FMT_FS:
		return (u & 31) << 7 | u >> 5 << 25;
	case ISA_FMT_PF:
		return u >> 5 << 25;
	case ISA_FMT_B:
		return branch(0, 0, 0, imm) & ~0x7fu;
	case ISA_FMT_U:
		return u & 0xfffff000;
	case ISA_FMT_J:
		return jal(0, imm) & ~0x7fu;
	default: /* a rounding mode */
		return (u & 7) << 12;
	}
}

uint32_t insn_encode(enum isa_insn id, unsigned rd, unsigned rs1, unsigned rs2, int64_t imm)
{
	const struct isa_row *r = &isa_table[id];
	uint32_t imm_bits = immediate_bits(r->format, imm),
		 taken = r->mask | immediate_bits(r->format, -1);

	return r->match | (imm_bits & ~r->mask) | ((rd << 7 | rs1 << 15 | rs2 << 20) & ~taken);
}

struct machine *insn_machine(void)
{
	struct machine *m = rig_create(NULL);
	struct hart *h = m->cl.hart[0];

	rig_end_at_traps(m, HANDLER);
	rig_open_memory(h);
	csr_write(h, CSR_MSTATUS, MSTATUS_FS);
	return m;
}

uint64_t insn_execute(struct machine *m, uint32_t insn, unsigned mode)
{
	struct hart *h = m->cl.hart[0];

	/* It ends with an ecall, which leaves its own cause. */
	RIG_CODE(m, CODE, insn, ECALL);
	h->pc = CODE;
	rig_set_mode(h, mode);
	h->mepc = 0;
	rig_run(m, 1000);
	return h->mepc == CODE ? h->mcause : NO_TRAP;
}

static void no_row_is_left_out(void)
{
	for (unsigned id = ISA_NONE + 1; id < ISA_NR; id++) {
		/* sim/vector; test_shadow_stack.c */
		if (isa_table[id].class >= ISA_CLASS_VSET || isa_table[id].ext == ISA_EXT_ZICFISS)
			continue;
		tap_context("%s of insn.def has no test; add one to a table of insn_*.c",
			    isa_table[id].name);
		ok(insn_seen[id]);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "integer instructions", insn_int_tests },
		{ "Zicond, Zimop, Zbc, cryptography", insn_crypto_tests },
		{ "jumps and branches", insn_jump_tests },
		{ "loads and stores", insn_mem_tests },
		{ "atomic read-modify-writes", insn_amo_tests },
		{ "compare and swap", insn_cas_tests },
		{ "load-acquire, store-release", insn_ordered_tests },
		{ "reservations", insn_reservation_tests },
		{ "floating point", insn_fp_tests },
		{ "binary16, and Zfa", insn_half_tests },
		{ "floating point while FS is off", insn_fp_off_tests },
		{ "reserved rounding modes", insn_fp_rm_tests },
		{ "CSR instructions", insn_csr_tests },
		{ "what each mode may execute", insn_privilege_tests },
		{ "fences and hints", insn_hint_tests },
		{ "waiting on reservations", insn_wait_tests },
		{ "the entropy source", insn_seed_tests },
		{ "T-Head's", insn_thead_tests },
		{ "Zcmp and Zcmt", insn_zcm_tests },
		{ "compressed instructions", insn_rvc_tests },
		{ "compressed instructions do what they expand to", insn_rvc_all_tests },
		{ "no row of insn.def is left out", no_row_is_left_out },
	};

	return tap_run(cases, TAP_NR(cases));
}

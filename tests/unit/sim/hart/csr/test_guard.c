// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_guard.c - what stops an instruction before it runs: landing pads (Zicfilp) and triggers
 * (Sdtrig).
 */
#include "rig.h"

#define HANDLER (RAM_BASE + 0x2000)
#define TARGET	(RAM_BASE + 0x1000)
#define X7	7

static bool paranoid;

static struct machine *create(void)
{
	struct machine_options o = { .paranoid = paranoid };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];

	rig_end_at_traps(m, HANDLER);
	rig_open_memory(h);
	h->x[S0] = RIG_DATA;
	return m;
}

static void start(struct machine *m, unsigned mode)
{
	struct hart *h = m->cl.hart[0];

	h->pc = RAM_BASE;
	h->mcause = h->mtval = 0;
	rig_set_mode(h, mode);
	rig_run(m, 1000000);
	rig_set_mode(h, PRV_M);
}

static uint32_t lpad(uint32_t label)
{
	return 0x17 | label << 12;
}

/* Turns landing pads on in a mode, and off in the others. */
static void landing(struct machine *m, unsigned mode)
{
	struct hart *h = m->cl.hart[0];

	csr_write(h, CSR_MSECCFG, mode == PRV_M ? MSECCFG_MLPE : 0);
	csr_write(h, CSR_MENVCFG, mode == PRV_S ? MENVCFG_LPE : 0);
	csr_write(h, CSR_SENVCFG, mode == PRV_U ? MENVCFG_LPE : 0);
}

/*
 * An indirect jump by each register to a target: allowed where rs1 is x1, x5 or x7, where landing
 * pads are off, or where the pad's label is 0 or that of x7.
 */
static void pads(void)
{
	static const struct {
		uint32_t insn, x7;
		uint64_t at;
		bool lands;
	} targets[] = {
		{ 0x17, 0xabcde123, TARGET, true },
		{ 0xabcde017, 0xabcde123, TARGET, true },
		{ 0xabcde017, 0xabcdf123, TARGET, false },
		{ NOP, 0, TARGET, false },
		{ 0x97, 0, TARGET, false },
		{ 0x17, 0, TARGET + 2, false },
		{ 0, 0, TARGET, false },
	};
	static const unsigned modes[] = { PRV_U, PRV_S, PRV_M };
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < 3 * 2 * 32 * TAP_NR(targets); n++) {
		unsigned mode = modes[n % 3], on = n / 3 % 2, reg = n / 6 % 32, k = n / (6 * 32);
		bool guarded = on && reg != 1 && reg != 5 && reg != 7, traps;

		if (!reg || reg == S0)
			continue;
		tap_context("mode %u, on %u, x%u, target %u", mode, on, reg, k);
		RIG_CODE(m, targets[k].at, targets[k].insn, ECALL);
		RIG_CODE(m, RAM_BASE, jalr(ZERO, 0, reg));
		landing(m, on ? mode : mode == PRV_M ? PRV_S : PRV_M);
		h->x[X7] = targets[k].x7 | 0xffffffff00000000;
		h->x[reg] = targets[k].at;
		traps = guarded && !targets[k].lands;
		start(m, mode);
		is(h->mepc, traps || !targets[k].insn ? targets[k].at : targets[k].at + 4);
		is(h->mcause, traps		 ? CAUSE_SOFTWARE_CHECK
			      : !targets[k].insn ? CAUSE_ILLEGAL_INSN
						 : CAUSE_ECALL_U + mode);
		is(h->mtval, traps ? 2 : 0);
		is(h->elp, 0);
		is(!!(h->mstatus & MSTATUS_MPELP), traps);
	}
	landing(m, PRV_M);
	/* A branch and a direct jump expect nothing; a pad that nobody expects does nothing. */
	RIG_CODE(m, RAM_BASE, jal(RA, 8), NOP, lpad(5), branch(0, ZERO, ZERO, 4), ECALL);
	start(m, PRV_M);
	is(h->mcause, CAUSE_ECALL_M);
	machine_destroy(m);
}

/* mret and sret restore what a trap has saved, if landing pads are on in the mode they enter. */
static void returns(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < 8; n++) {
		bool on = n & 1, expected = n & 2, by_sret = n & 4, traps = on && expected;

		tap_context("on %u, expected %u, %s", on, expected, by_sret ? "sret" : "mret");
		landing(m, on ? PRV_U : PRV_M);
		csr_write(h, CSR_MSECCFG, 0);
		csr_write(h, CSR_MSTATUS, expected ? by_sret ? MSTATUS_SPELP : MSTATUS_MPELP : 0);
		csr_write(h, CSR_MEPC, TARGET);
		csr_write(h, CSR_SEPC, TARGET);
		RIG_CODE(m, TARGET, ECALL);
		RIG_CODE(m, RAM_BASE, by_sret ? SRET : MRET);
		start(m, PRV_M);
		is(h->mcause, traps ? CAUSE_SOFTWARE_CHECK : CAUSE_ECALL_U);
		is(h->mepc, TARGET);
		is(!!(h->mstatus & MSTATUS_MPELP), traps);
		is(!!(h->mstatus & MSTATUS_SPELP), 0);
	}
	/* A fetch that faults comes before the check, and what is expected is kept. */
	landing(m, PRV_M);
	h->x[A0] = 0x40;
	RIG_CODE(m, RAM_BASE, jalr(ZERO, 0, A0));
	start(m, PRV_M);
	is(h->mcause, CAUSE_FETCH_ACCESS);
	is(!!(h->mstatus & MSTATUS_MPELP), 1);
	/* Delegated: SPELP has it, and sstatus shows it. */
	landing(m, PRV_U);
	csr_write(h, CSR_MEDELEG, RV_BIT(CAUSE_SOFTWARE_CHECK));
	csr_write(h, CSR_STVEC, HANDLER);
	csr_write(h, CSR_MSTATUS, 0);
	h->x[A0] = TARGET;
	start(m, PRV_U);
	is(h->scause, CAUSE_SOFTWARE_CHECK);
	is(h->stval, 2);
	is(rig_csr(m, CSR_SSTATUS) & MSTATUS_SPELP, MSTATUS_SPELP);
	machine_destroy(m);
}

/* Sets trigger n. */
static void set(struct machine *m, unsigned n, uint64_t data1, uint64_t data2)
{
	struct hart *h = m->cl.hart[0];

	csr_write(h, CSR_TSELECT, n);
	csr_write(h, CSR_TDATA1, TDATA1_MCONTROL6 | data1);
	csr_write(h, CSR_TDATA2, data2);
}

/* Each kind of access against each kind of trigger, in each mode that it names or does not. */
static void kinds(void)
{
	static const struct {
		unsigned kinds;
		uint32_t insn;
	} insns[] = {
		{ 0, NOP },
		{ MCONTROL6_LOAD, 0x00043503 /* ld a0, 0(s0) */ },
		{ MCONTROL6_STORE, 0x00a43023 /* sd a0, 0(s0) */ },
		{ MCONTROL6_LOAD | MCONTROL6_STORE, 0x00a4302f /* amoadd.d x0, a0, (s0) */ },
		{ MCONTROL6_LOAD, 0x1004352f /* lr.d a0, (s0) */ },
	};
	static const unsigned modes[] = { PRV_U, PRV_S, PRV_M };
	static const uint64_t bits[] = { MCONTROL6_U, MCONTROL6_S, MCONTROL6_M };

	for (unsigned n = 0; n < TAP_NR(insns) * 8 * 3 * 2; n++) {
		unsigned i = n % TAP_NR(insns), watch = n / TAP_NR(insns) % 8;
		unsigned mode = n / TAP_NR(insns) / 8 % 3, named = n / TAP_NR(insns) / 24;
		struct machine *m = create();
		struct hart *h = m->cl.hart[0];
		bool at_code, fires;

		tap_context("insn %u, watches %u, mode %u, named %u", i, watch, modes[mode], named);
		RIG_CODE(m, RAM_BASE, insns[i].insn, insns[i].insn, ECALL);
		csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
		/* Trigger 1 watches data, trigger 3 the second instruction. */
		set(m, 1, (watch & 3) | (named ? bits[mode] : 0), RIG_DATA + 3);
		set(m, 3, (watch & 4) | (named ? bits[mode] : 0), RAM_BASE + 4);
		fires = named && watch & insns[i].kinds;
		at_code = !fires && named && watch & 4;
		start(m, modes[mode]);
		is(h->mcause, fires || at_code ? CAUSE_BREAKPOINT : CAUSE_ECALL_U + modes[mode]);
		is(h->mepc, fires ? RAM_BASE : at_code ? RAM_BASE + 4 : RAM_BASE + 8);
		is(h->mtval, fires ? RIG_DATA : at_code ? RAM_BASE + 4 : 0);
		csr_write(h, CSR_TSELECT, 1);
		is(!!(rig_csr(m, CSR_TDATA1) & MCONTROL6_HIT0), fires);
		csr_write(h, CSR_TSELECT, 3);
		is(!!(rig_csr(m, CSR_TDATA1) & MCONTROL6_HIT0), at_code);
		machine_destroy(m);
	}
}

/* Addresses: each byte of an access, NAPOT ranges, sizes; and none in a handler (§5.4). */
static void addresses(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, RAM_BASE, ld(A0, 16, S0), ECALL);
	for (unsigned n = 0; n < 48; n++) {
		tap_context("byte %u", n);
		csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
		set(m, 0, MCONTROL6_M | MCONTROL6_LOAD, RIG_DATA + n);
		start(m, PRV_M);
		is(h->mcause, n >= 16 && n < 24 ? CAUSE_BREAKPOINT : CAUSE_ECALL_M);
		csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
		set(m, 0, MCONTROL6_M | MCONTROL6_LOAD | MCONTROL6_MATCH_NAPOT,
		    (RIG_DATA + (n & ~15u)) | 7);
		start(m, PRV_M);
		is(h->mcause, n >= 16 && n < 32 ? CAUSE_BREAKPOINT : CAUSE_ECALL_M);
	}
	for (unsigned size = 0; size < 8; size++) {
		bool legal = size != 4 && size < 6;

		tap_context("size %u", size);
		csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
		set(m, 0, MCONTROL6_M | MCONTROL6_LOAD | size << MCONTROL6_SIZE_SHIFT,
		    RIG_DATA + 16);
		is(rig_csr(m, CSR_TDATA1) & MCONTROL6_SIZE,
		   legal ? size << MCONTROL6_SIZE_SHIFT : 0);
		start(m, PRV_M);
		is(h->mcause, !legal || !size || size == 5 ? CAUSE_BREAKPOINT : CAUSE_ECALL_M);
	}
	set(m, 0, MCONTROL6_M | MCONTROL6_S | MCONTROL6_LOAD, RIG_DATA + 16);
	csr_write(h, CSR_MSTATUS, 0);
	start(m, PRV_M);
	is(h->mcause, CAUSE_ECALL_M);
	for (unsigned n = 0; n < 4; n++) { /* S-mode: only if its handler would be S-mode's */
		tap_context("S-mode, SIE %u, delegated %u", n & 1, n >> 1);
		csr_write(h, CSR_MSTATUS, n & 1 ? MSTATUS_SIE : 0);
		csr_write(h, CSR_MEDELEG, n & 2 ? 1 << CAUSE_BREAKPOINT : 0);
		csr_write(h, CSR_STVEC, HANDLER);
		h->scause = 0;
		start(m, PRV_S);
		is(h->mcause, n == 2 ? CAUSE_ECALL_S : n & 2 ? 0 : CAUSE_BREAKPOINT);
		is(h->scause, n == 3 ? CAUSE_BREAKPOINT : 0);
	}
	machine_destroy(m);
}

/* What the CSRs keep. */
static void registers(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	is(rig_csr(m, CSR_TINFO), 1 << 24 | 1 << 6 | 1 << 15);
	for (unsigned n = 0; n < 8; n++) {
		csr_write(h, CSR_TSELECT, n);
		is(rig_csr(m, CSR_TSELECT), n < TRIGGER_NR ? n : TRIGGER_NR - 1);
	}
	for (uint64_t type = 0; type < 16; type++) {
		csr_write(h, CSR_TDATA1, type << 60 | 0x7f);
		is(rig_csr(m, CSR_TDATA1), type == 6 ? type << 60 | 0x5f : 15ull << 60);
	}
	csr_write(h, CSR_TDATA1, TDATA1_MCONTROL6 | MCONTROL6_MATCH);
	is(rig_csr(m, CSR_TDATA1), TDATA1_MCONTROL6);
	csr_write(h, CSR_TDATA2, UINT64_MAX);
	is(rig_csr(m, CSR_TDATA2), UINT64_MAX);
	csr_write(h, CSR_TDATA3, UINT64_MAX);
	is(rig_csr(m, CSR_TDATA3), 0);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "landing pads", pads },	  { "returns from traps", returns },
		{ "kinds of triggers", kinds },	  { "addresses of triggers", addresses },
		{ "their registers", registers },
	};

	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_shadow_stack.c - Zicfiss: where shadow stacks are on, what their instructions do, which
 * pages they and others may access, and what that counts.
 */
#include "rig.h"
#include "small_cpu.h"

#define HANDLER (RAM_BASE + 0x2000)
#define ROOT	(RAM_BASE + 0x200000) /* level 2; + 4096 level 1; + 8192 level 0 */
#define PAGE	(RAM_BASE + 0x300000)
#define VA	0x40000000ull
#define SV39	(8ull << 60)
#define WORD	0xfedcba9876543210ull

enum { V = 1, R = 2, W = 4, X = 8, U = 16, A = 64, D = 128 };

#define SSPUSH_RA   0xce104073u
#define SSPUSH_T0   0xce504073u
#define SSPOPCHK_RA 0xcdc0c073u
#define SSPOPCHK_T0 0xcdc2c073u
#define SSRDP_A0    0xcdc04573u
#define SWAP_W	    0x48b5262fu /* ssamoswap.w a2, a1, (a0) */
#define SWAP_D	    0x48b5362fu
#define C_PUSH	    0x00016081u /* c.sspush ra; c.nop */
#define C_POP	    0x00016281u /* c.sspopchk t0; c.nop */

static bool paranoid;
static struct cpu cpu;
static struct cpu_models models;

static uint64_t *ram(struct machine *m, uint64_t pa)
{
	return cluster_ram(&m->cl, pa, 8);
}

/* A machine with VA mapped to PAGE with these bits, and RAM to itself for U-mode or S-mode. */
static struct machine *create_with(const struct machine_options *o, uint64_t bits, unsigned mode)
{
	struct machine *m = rig_create(o);
	struct hart *h = m->cl.hart[0];

	*ram(m, ROOT + 8) = (ROOT + 4096) >> 2 | V;
	*ram(m, ROOT + 16) = RAM_BASE >> 2 | V | R | W | X | A | D | (mode == PRV_U ? U : 0);
	*ram(m, ROOT + 4096) = (ROOT + 8192) >> 2 | V;
	*ram(m, ROOT + 8192) = PAGE >> 2 | bits;
	*ram(m, PAGE + 0x100) = WORD;
	rig_end_at_traps(m, HANDLER);
	rig_open_memory(h);
	csr_write(h, CSR_SATP, SV39 | ROOT >> 12);
	csr_write(h, CSR_SSP, VA + 0x100);
	h->x[RA] = h->x[T0] = h->x[A1] = WORD;
	h->x[A0] = VA + 0x100;
	return m;
}

static struct machine *create(uint64_t bits, unsigned mode)
{
	struct machine_options o = { .paranoid = paranoid };

	return create_with(&o, bits, mode);
}

static void sse(struct machine *m, bool menv, bool senv)
{
	csr_write(m->cl.hart[0], CSR_MENVCFG,
		  MENVCFG_ADUE | (menv ? MENVCFG_SSE : 0) | MENVCFG_CBCFE | MENVCFG_CBZE);
	csr_write(m->cl.hart[0], CSR_SENVCFG,
		  (senv ? MENVCFG_SSE : 0) | MENVCFG_CBCFE | MENVCFG_CBZE);
}

/* The cause of the trap of insn in mode; that of the ecall after it, if it does not trap. */
static uint64_t run(struct machine *m, unsigned mode, uint32_t insn)
{
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, RAM_BASE, insn, ECALL);
	h->pc = RAM_BASE;
	h->mode = mode;
	h->mtval = h->mcause = 0;
	hart_mode_changed(h);
	rig_run(m, 1000000);
	rig_set_mode(h, PRV_M);
	is(h->mepc, RAM_BASE + (h->mcause >= CAUSE_ECALL_U && h->mcause <= CAUSE_ECALL_M ? 4 : 0));
	return h->mcause;
}

/* In each mode, with each setting: the instructions, or may-be-operations. */
static void where_they_are_on(void)
{
	static const unsigned modes[] = { PRV_U, PRV_S, PRV_M };

	for (unsigned n = 0; n < 3 * 4; n++) {
		unsigned mode = modes[n % 3];
		bool menv = n / 3 & 1, senv = n / 6,
		     on = menv && (mode == PRV_S || senv) && mode != PRV_M;
		uint64_t none = CAUSE_ECALL_U + mode, illegal = CAUSE_ILLEGAL_INSN;
		struct machine *m = create(V | W | A | D | (mode == PRV_U ? U : 0), mode);
		struct hart *h = m->cl.hart[0];

		tap_context("mode %u, menvcfg %u, senvcfg %u", mode, menv, senv);
		sse(m, menv, senv);
		is(rig_csr(m, CSR_SENVCFG) & MENVCFG_SSE, menv && senv ? MENVCFG_SSE : 0);
		h->x[A0] = 5;
		is(run(m, mode, SSRDP_A0), none);
		is(h->x[A0], on ? VA + 0x100 : 0);
		is(run(m, mode, SSRDP_A0 & ~0xf80u), none); /* to x0: mop.r.28 */
		is(run(m, mode, SSPUSH_RA), none);
		is(h->ssp, VA + (on ? 0xf8 : 0x100));
		is(*ram(m, PAGE + 0xf8), on ? WORD : 0);
		is(run(m, mode, SSPUSH_T0), none);
		is(h->ssp, VA + (on ? 0xf0 : 0x100));
		h->x[T0]--;
		is(run(m, mode, SSPOPCHK_T0), on ? CAUSE_SOFTWARE_CHECK : none);
		is(h->mtval, on ? 3 : 0);
		h->x[T0]++;
		is(run(m, mode, SSPOPCHK_T0), none);
		is(run(m, mode, SSPOPCHK_RA), none);
		is(h->ssp, VA + 0x100);
		is(run(m, mode, C_PUSH), none);
		is(h->ssp, VA + (on ? 0xf8 : 0x100));
		is(run(m, mode, C_POP), none);
		is(h->ssp, VA + 0x100);
		/* Other encodings of mop.rr.7 and mop.r.28 stay what they are. */
		h->x[A0] = 5;
		is(run(m, mode, SSPUSH_RA | A0 << 7), none);
		is(h->x[A0], 0);
		is(run(m, mode, 0xcdc14073), none); /* mop.r.28 of x2 */
		is(h->ssp, VA + 0x100);
		h->x[A0] = VA + 0x100;
		is(run(m, mode, SWAP_D), on ? none : mode == PRV_M ? CAUSE_STORE_ACCESS : illegal);
		is(run(m, mode, csrr(A2, CSR_SSP)), on || mode == PRV_M ? none : illegal);
		is(run(m, mode, csrw(CSR_SSP, A0)), on || mode == PRV_M ? none : illegal);
		machine_destroy(m);
	}
}

/* What kind of access, and what its faults are. */
static const struct access_row {
	uint32_t insn;
	enum { LOADS, STORES, CBOS, SHADOW } kind;
} rows[] = {
	{ 0x00053603 /* ld a2, 0(a0) */, LOADS },
	{ 0x00b53023 /* sd a1, 0(a0) */, STORES },
	{ 0x00b5362f /* amoadd.d a2, a1, (a0) */, STORES },
	{ 0x0015200f /* cbo.clean (a0) */, CBOS },
	{ 0x0045200f /* cbo.zero (a0) */, STORES },
	{ SSPUSH_RA, SHADOW },
	{ SSPOPCHK_RA, SHADOW },
	{ SWAP_W, SHADOW },
	{ SWAP_D, SHADOW },
};

/* Priv §11.3.2, steps 3 to 8; 0: no fault. */
static unsigned expected(const struct access_row *row, unsigned bits, bool sse, unsigned mode,
			 bool sum)
{
	unsigned xwr = bits & (R | W | X),
		 page = row->kind == LOADS ? CAUSE_LOAD_PAGE_FAULT : CAUSE_STORE_PAGE_FAULT;
	bool shadow = xwr == W && sse;

	if ((xwr == W && !sse) || xwr == (W | X) || !xwr)
		return page;
	if (bits & U ? mode == PRV_S && !sum : mode == PRV_U)
		return page;
	switch (row->kind) {
	case LOADS:
		return shadow || xwr & R ? 0 : page;
	case CBOS:
		return shadow ? CAUSE_STORE_ACCESS : xwr & R ? 0 : page;
	case STORES:
		return shadow ? CAUSE_STORE_ACCESS : xwr & W ? 0 : page;
	default:
		return shadow ? 0 : xwr == R ? page : CAUSE_STORE_ACCESS;
	}
}

static void pages(void)
{
	struct machine *of_mode[] = { create(0, PRV_U), create(0, PRV_S) };

	for (unsigned n = 0; n < TAP_NR(rows) * 32 * 4; n++) {
		const struct access_row *row = &rows[n % TAP_NR(rows)];
		unsigned k = n / TAP_NR(rows), bits = V | (k & 7) << 1 | (k & 8 ? U : 0);
		unsigned mode = k & 16 ? PRV_U : PRV_S;
		bool on = k & 32, sum = k & 64;
		struct machine *m = of_mode[mode];
		unsigned cause = expected(row, bits, on, mode, sum);

		tap_context("%08x, bits %x, mode %u, on %u, sum %u", row->insn, bits, mode, on,
			    sum);
		*ram(m, ROOT + 8192) = PAGE >> 2 | bits | A | D;
		mmu_fence(m->cl.hart[0], NULL, NULL);
		m->cl.hart[0]->ssp = VA + 0x100;
		*ram(m, PAGE + 0x100) = WORD;
		sse(m, on, on);
		csr_write(m->cl.hart[0], CSR_MSTATUS, sum ? MSTATUS_SUM : 0);
		if (!on && row->kind == SHADOW)
			cause = row->insn == SWAP_W || row->insn == SWAP_D ? CAUSE_ILLEGAL_INSN : 0;
		is(run(m, mode, row->insn), cause ? cause : CAUSE_ECALL_U + mode);
		if (cause && cause != CAUSE_ILLEGAL_INSN)
			is(m->cl.hart[0]->mtval, VA + (row->insn == SSPUSH_RA ? 0xf8 : 0x100));
	}
	machine_destroy(of_mode[PRV_U]);
	machine_destroy(of_mode[PRV_S]);
}

/* A fetch from a page of a shadow stack; no paging; devices; misaligned; M-mode with MPRV. */
static void other_faults(void)
{
	struct machine *m = create(V | W | A | D, PRV_S);
	struct hart *h = m->cl.hart[0];

	sse(m, true, true);
	h->pc = VA;
	rig_set_mode(h, PRV_S);
	rig_run(m, 1000000);
	is(h->mcause, CAUSE_FETCH_ACCESS);
	is(h->mtval, VA);
	h->x[A0] = VA + 0x104;
	is(run(m, PRV_S, SWAP_D), CAUSE_MISALIGNED_STORE);
	is(h->mtval, VA + 0x104);
	is(run(m, PRV_S, SWAP_W), CAUSE_ECALL_S);
	is(h->x[A2], 0xfffffffffedcba98); /* sign-extended */
	/* M-mode has no pages, and with MPRV those of S-mode. */
	h->x[A0] = VA + 0x100;
	csr_write(h, CSR_MSTATUS, MSTATUS_MPRV | PRV_S << MSTATUS_MPP_SHIFT);
	is(run(m, PRV_M, SWAP_D), CAUSE_ECALL_M);
	csr_write(h, CSR_MSTATUS, MSTATUS_MPRV | PRV_M << MSTATUS_MPP_SHIFT);
	is(run(m, PRV_M, SWAP_D), CAUSE_STORE_ACCESS);
	csr_write(h, CSR_MSTATUS, 0);
	/* Off: what the TLB still has is reserved now. */
	is(run(m, PRV_S, rows[0].insn), CAUSE_ECALL_S);
	sse(m, false, true);
	is(run(m, PRV_S, rows[0].insn), CAUSE_LOAD_PAGE_FAULT);
	sse(m, true, true);
	/* A page of a device. */
	*ram(m, ROOT + 8192) = 0x10000000 >> 2 | V | W | A | D;
	mmu_fence(h, NULL, NULL);
	is(run(m, PRV_S, SSPUSH_RA), CAUSE_STORE_ACCESS);
	is(run(m, PRV_S, SSPOPCHK_RA), CAUSE_STORE_ACCESS);
	csr_write(h, CSR_SATP, 0);
	h->ssp = PAGE + 0x100;
	is(run(m, PRV_S, SSPUSH_RA), CAUSE_STORE_ACCESS);
	is(run(m, PRV_S, SSPOPCHK_RA), CAUSE_STORE_ACCESS);
	is(h->mtval, PAGE + 0x100);
	/* Delegated. */
	csr_write(h, CSR_MEDELEG, RV_BIT(CAUSE_SOFTWARE_CHECK));
	is(rig_csr(m, CSR_MEDELEG), RV_BIT(CAUSE_SOFTWARE_CHECK));
	machine_destroy(m);
}

/* PMP must allow reads and writes, also of what only reads. */
static void protection(void)
{
	for (unsigned n = 0; n < TAP_NR(rows) * 3; n++) {
		static const unsigned rights[] = { 0, PMP_R, PMP_R | PMP_W };
		const struct access_row *row = &rows[n % TAP_NR(rows)];
		unsigned pmp = rights[n / TAP_NR(rows)];
		struct machine *m = create(V | A | D | (row->kind == SHADOW ? W : R | W), PRV_S);
		struct hart *h = m->cl.hart[0];
		bool may = pmp & PMP_W || (pmp && (row->kind == LOADS || row->kind == CBOS));

		tap_context("%08x, PMP %u", row->insn, pmp);
		sse(m, true, true);
		csr_write(h, CSR_PMPADDR0, PAGE >> 2 | 0x1ff);
		csr_write(h, CSR_PMPADDR0 + 1, UINT64_MAX);
		csr_write(h, CSR_PMPCFG0,
			  PMP_NAPOT | pmp | (PMP_NAPOT | PMP_R | PMP_W | PMP_X) << 8);
		is(run(m, PRV_S, row->insn), may		  ? CAUSE_ECALL_S
					     : row->kind == LOADS ? CAUSE_LOAD_ACCESS
								  : CAUSE_STORE_ACCESS);
		machine_destroy(m);
	}
}

/* sspopchk only reads: it sets A and needs no D. */
static void accessed_and_dirty(void)
{
	for (unsigned n = 0; n < 2 * 4 * 3; n++) {
		static const uint32_t insns[] = { SSPOPCHK_RA, SSPUSH_RA, SWAP_D };
		bool updates = n & 1, stores = n / 8;
		uint64_t bits = (n & 2 ? A : 0) | (n & 4 ? D : 0), want = A | (stores ? D : 0);
		struct machine *m = create(V | W | bits, PRV_S);

		tap_context("%08x, updates %u, bits %llx", insns[n / 8], updates,
			    (unsigned long long)bits);
		csr_write(m->cl.hart[0], CSR_MENVCFG, (updates ? MENVCFG_ADUE : 0) | MENVCFG_SSE);
		is(run(m, PRV_S, insns[n / 8]),
		   updates || (bits & want) == want ? CAUSE_ECALL_S : CAUSE_STORE_PAGE_FAULT);
		is(*ram(m, ROOT + 8192) & (A | D), bits | (updates ? want : 0));
		machine_destroy(m);
	}
}

/* With pointer masking ssp may have a tag, and keeps it. */
static void masked(void)
{
	struct machine *m = create(V | W | A | D, PRV_S);
	struct hart *h = m->cl.hart[0];
	uint64_t tagged = VA + 0x100 + (0x55ull << 57);

	csr_write(h, CSR_MENVCFG, MENVCFG_SSE);
	h->ssp = tagged;
	is(run(m, PRV_S, SSPUSH_RA), CAUSE_STORE_PAGE_FAULT);
	csr_write(h, CSR_MENVCFG, MENVCFG_SSE | ENVCFG_PMM_7);
	is(run(m, PRV_S, SSPUSH_RA), CAUSE_ECALL_S);
	is(h->ssp, tagged - 8);
	is(*ram(m, PAGE + 0xf8), WORD);
	h->ssp += 4096;
	is(run(m, PRV_S, SSPOPCHK_RA), CAUSE_STORE_PAGE_FAULT);
	is(h->mtval, VA + 0x10f8);
	machine_destroy(m);
}

/* They are loads and stores, and while they are off, arithmetic. */
static void counts(void)
{
	static const struct {
		uint32_t insn;
		enum event event, level;
	} counted[] = {
		{ SSPUSH_RA, EVENT_INT_STORE, EVENT_L1D_WRITE },
		{ C_PUSH, EVENT_INT_STORE, EVENT_L1D_WRITE },
		{ SSPOPCHK_RA, EVENT_INT_LOAD, EVENT_L1D_READ },
		{ C_POP, EVENT_INT_LOAD, EVENT_L1D_READ },
		{ SSRDP_A0, EVENT_ALU, EVENT_ALU },
		{ SWAP_D, EVENT_AMO, EVENT_L1D_WRITE },
	};
	struct machine_options o = { .cpu = &cpu, .models = true, .paranoid = paranoid };

	for (unsigned n = 0; n < 2 * TAP_NR(counted); n++) {
		unsigned k = n / 2, on = n & 1, arithmetic = counted[k].event == EVENT_ALU || !on;
		const enum event events[] = { EVENT_ALU, counted[k].event, counted[k].level,
					      EVENT_DTLB_READ, EVENT_DTLB_WRITE };
		bool more = isa_length(counted[k].insn) == 2; /* the c.nop */
		uint64_t got[TAP_NR(events)];
		struct machine *m;

		if (!on && counted[k].event == EVENT_AMO)
			continue;
		tap_context("%08x, on %u", counted[k].insn, on);
		m = create_with(&o, V | W | A | D, PRV_S);
		sse(m, on, on);
		for (unsigned e = 0; e < TAP_NR(events); e++)
			csr_write(m->cl.hart[0], CSR_MHPMEVENT + 3 + e,
				  event_table[events[e]].selector);
		is(run(m, PRV_S, counted[k].insn), CAUSE_ECALL_S);
		for (unsigned e = 0; e < TAP_NR(events); e++)
			got[e] = rig_csr(m, CSR_MHPMCOUNTER + 3 + e);
		is(got[0], arithmetic + more);
		if (counted[k].event != EVENT_ALU) {
			is(got[1], on);
			is(got[2], on);
			is(got[3] + got[4], on);
		}
		machine_destroy(m);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "where they are on", where_they_are_on },
		{ "pages", pages },
		{ "other faults", other_faults },
		{ "PMP", protection },
		{ "A and D", accessed_and_dirty },
		{ "pointer masking", masked },
		{ "counts", counts },
	};

	small_cpu(&cpu, &models);
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}

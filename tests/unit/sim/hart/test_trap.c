// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_trap.c - traps: priorities, vectors, delegation, the views of mip and mie, the timer, who
 * can read counters, what Smstateen restricts, and mtval of accesses that have two parts.
 */
#include "rig.h"

#define HANDLER (RAM_BASE + 0x2000)
#define ROOT	(RAM_BASE + 0x200000) /* level 2; + 4096 level 1; + 8192 level 0 */
#define PAGE	(RAM_BASE + 0x300000)
#define VA	0x40000000ull
#define BITS	0xcfull /* V R W X A D */

static bool paranoid, smstateen, trap_misaligned;

static struct machine *create(void)
{
	struct machine_options o = { .paranoid = paranoid,
				     .smstateen = smstateen,
				     .trap_misaligned = trap_misaligned };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];

	rig_end_at_traps(m, HANDLER);
	rig_open_memory(h);
	return m;
}

/* Priv 1.13 §3.1.9: MEI, MSI, MTI, SEI, SSI, STI, LCOFI; all of M-mode before all of S-mode. */
static const uint8_t order[] = { IRQ_M_EXT,  IRQ_M_SOFT,  IRQ_M_TIMER, IRQ_S_EXT,
				 IRQ_S_SOFT, IRQ_S_TIMER, IRQ_LCOF };

static void priorities(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	/* every set of the seven, with S-mode's interrupts all delegated or none */
	for (unsigned set = 1; set < 128; set++) {
		for (unsigned vectored = 0; vectored < 2; vectored++) {
			uint64_t pending = 0;
			unsigned first = __builtin_ctz(set);

			tap_context("set %x, vectored %u", set, vectored);
			for (unsigned n = 0; n < 7; n++)
				pending |= set >> n & 1 ? RV_BIT(order[n]) : 0;
			h->mip_line = pending;
			h->pc = RAM_BASE + 0x100;
			csr_write(h, CSR_MIE, UINT64_MAX);
			csr_write(h, CSR_MTVEC, HANDLER | vectored);
			csr_write(h, CSR_MIDELEG, 0);
			csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
			rig_set_mode(h, PRV_M);
			ok(trap_interrupt(h));
			is(h->mcause, RV_BIT(63) | order[first]);
			is(h->mtval, 0);
			is(h->pc, HANDLER + (vectored ? 4 * order[first] : 0));
			/* delegated: S-mode's come after M-mode's, and M-mode never takes them */
			csr_write(h, CSR_MIDELEG, UINT64_MAX);
			csr_write(h, CSR_STVEC, (HANDLER + 0x400) | vectored);
			csr_write(h, CSR_MSTATUS, MSTATUS_SIE);
			rig_set_mode(h, PRV_S);
			h->pc = RAM_BASE + 0x100;
			ok(trap_interrupt(h));
			is(h->mode, first < 3 ? PRV_M : PRV_S);
			is(first < 3 ? h->mcause : h->scause, RV_BIT(63) | order[first]);
			is(h->pc,
			   HANDLER + (first < 3 ? 0 : 0x400) + (vectored ? 4 * order[first] : 0));
			csr_write(h, CSR_MSTATUS, MSTATUS_MIE | MSTATUS_SIE);
			rig_set_mode(h, PRV_M);
			is(trap_interrupt(h), first < 3);
		}
	}
	machine_destroy(m);
}

/* Exceptions also go to the base of a vectored handler (Priv 1.13 §3.1.7). */
static void exceptions_are_not_vectored(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	for (unsigned cause = 0; cause < 16; cause++) {
		bool may = 0xb3ff >> cause & 1;

		tap_context("cause %u", cause);
		csr_write(h, CSR_MEDELEG, 1ull << cause);
		is(rig_csr(m, CSR_MEDELEG), may ? 1ull << cause : 0);
		csr_write(h, CSR_MTVEC, HANDLER | 1);
		csr_write(h, CSR_STVEC, (HANDLER + 0x400) | 1);
		for (unsigned mode = 0; mode < 4; mode += mode + 1) {
			bool to_s = may && mode < PRV_M;

			rig_set_mode(h, mode);
			h->pc = RAM_BASE + 0x104;
			trap_exception(h, cause, 0x1234);
			is(h->mode, to_s ? PRV_S : PRV_M);
			is(h->pc, HANDLER + (to_s ? 0x400 : 0));
			is(to_s ? h->scause : h->mcause, cause);
			is(to_s ? h->sepc : h->mepc, RAM_BASE + 0x104);
			is(to_s ? h->stval : h->mtval, 0x1234);
			rig_set_mode(h, PRV_M);
		}
	}
	machine_destroy(m);
}

/* The stack of enable bits and modes, at traps and returns (Priv 1.13 §3.1.6.1). */
static void status_stack(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < 12; n++) {
		unsigned from = n % 3 == 2 ? PRV_M : n % 3;
		bool on = n / 3 & 1, s = n / 6 && from < PRV_M;
		uint64_t enable = s ? MSTATUS_SIE : MSTATUS_MIE;

		tap_context("from mode %u, enabled %u, to S %u", from, on, s);
		csr_write(h, CSR_MEDELEG, s ? 1 << CAUSE_BREAKPOINT : 0);
		csr_write(h, CSR_MSTATUS, on ? enable : 0);
		rig_set_mode(h, from);
		h->pc = RAM_BASE;
		trap_exception(h, CAUSE_BREAKPOINT, 0);
		is(h->mstatus & enable, 0);
		is(h->mstatus & enable << 4, on ? enable << 4 : 0);
		is(h->mstatus & (s ? MSTATUS_SPP : MSTATUS_MPP),
		   s ? (uint64_t)from << 8 : (uint64_t)from << MSTATUS_MPP_SHIFT);
		if (s)
			trap_sret(h);
		else
			trap_mret(h);
		is(h->mode, from);
		is(h->pc, RAM_BASE);
		is(h->mstatus & enable, on ? enable : 0);
		ok(h->mstatus & enable << 4);
		is(h->mstatus & (s ? MSTATUS_SPP : MSTATUS_MPP), 0);
		rig_set_mode(h, PRV_M);
	}
	/* MPRV is cleared on a return to a mode below M. */
	for (unsigned mpp = 0; mpp < 4; mpp += mpp + 1) {
		csr_write(h, CSR_MSTATUS, MSTATUS_MPRV | (uint64_t)mpp << MSTATUS_MPP_SHIFT);
		trap_mret(h);
		is(h->mstatus & MSTATUS_MPRV, mpp == PRV_M ? MSTATUS_MPRV : 0);
		rig_set_mode(h, PRV_M);
	}
	csr_write(h, CSR_MSTATUS, MSTATUS_MPRV | MSTATUS_SPP);
	trap_sret(h);
	is(h->mstatus & MSTATUS_MPRV, 0);
	machine_destroy(m);
}

/*
 * Values read after this was written to mideleg and all ones to the others (Priv 1.13 §3.1.9,
 * §10.1.3): S-mode sees and writes only what is delegated, and can write only SSIP and LCOFIP of
 * what pends.
 */
static const struct {
	uint64_t mideleg;
	unsigned where, look;
	uint64_t want;
} views[] = {
	{ 0, CSR_MIE, CSR_MIE, 0x2aaa },      { 0, CSR_MIE, CSR_SIE, 0 },
	{ 0x2222, CSR_MIE, CSR_SIE, 0x2222 }, { 0x0202, CSR_MIE, CSR_SIE, 0x0202 },
	{ 0, CSR_SIE, CSR_MIE, 0 },	      { 0x2222, CSR_SIE, CSR_MIE, 0x2222 },
	{ 0x0020, CSR_SIE, CSR_MIE, 0x0020 }, { 0, CSR_MIP, CSR_MIP, 0x2222 },
	{ 0, CSR_MIP, CSR_SIP, 0 },	      { 0x2222, CSR_MIP, CSR_SIP, 0x2222 },
	{ 0x2000, CSR_MIP, CSR_SIP, 0x2000 }, { 0, CSR_SIP, CSR_MIP, 0 },
	{ 0x2222, CSR_SIP, CSR_MIP, 0x2002 }, { 0x0002, CSR_SIP, CSR_MIP, 0x0002 },
	{ 0x0220, CSR_SIP, CSR_MIP, 0 },      { UINT64_MAX, CSR_MIDELEG, CSR_MIDELEG, 0x2222 },
};

static void interrupt_views(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < TAP_NR(views); n++) {
		tap_context("row %u", n);
		csr_write(h, CSR_MIE, 0);
		csr_write(h, CSR_MIP, 0);
		csr_write(h, CSR_MIDELEG, views[n].mideleg);
		csr_write(h, views[n].where, UINT64_MAX);
		is(rig_csr(m, views[n].look), views[n].want);
		/* and writing zeros clears them */
		csr_write(h, views[n].where, 0);
		is(rig_csr(m, views[n].look), 0);
	}
	/*
	 * The PLIC's line is read in SEIP, but csrrs does not write it back as the software bit
	 * (Priv 1.13 §3.1.9).
	 */
	h->mip_line = MIP_SEIP;
	h->x[A0] = MIP_SSIP;
	RIG_CODE(m, RAM_BASE, csrs(CSR_MIP, A0), csrr(A1, CSR_MIP), END);
	rig_run(m, 100);
	is(h->x[A1], MIP_SEIP | MIP_SSIP);
	h->mip_line = 0;
	is(rig_csr(m, CSR_MIP), MIP_SSIP);
	machine_destroy(m);
}

/* Sstc 1.0: pending while time >= stimecmp, without a latch; STIP cannot be written then. */
static void timer_compare(void)
{
	static const struct {
		uint64_t time, compare;
		bool pending;
	} rows[] = {
		{ 5, 6, false },	  { 5, 5, true },	    { 5, 4, true }, { 5, 0, true },
		{ 5, UINT64_MAX, false }, { 5, 1ull << 63, false }, { 0, 0, true },
	};
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		tap_context("time %u, stimecmp %llx", (unsigned)rows[n].time,
			    (unsigned long long)rows[n].compare);
		h->now = m->now = rows[n].time * 100; /* 10 MHz */
		csr_write(h, CSR_MENVCFG, MENVCFG_STCE);
		is(csr_time(h), rows[n].time);
		csr_write(h, CSR_STIMECMP, rows[n].compare);
		is(rig_csr(m, CSR_STIMECMP), rows[n].compare);
		is(rig_csr(m, CSR_MIP), rows[n].pending ? MIP_STIP : 0);
		csr_write(h, CSR_MIP, rows[n].pending ? 0 : UINT64_MAX);
		is(rig_csr(m, CSR_MIP) & MIP_STIP, rows[n].pending ? MIP_STIP : 0);
		/* If it is off, the bit belongs to software. */
		csr_write(h, CSR_MENVCFG, 0);
		csr_write(h, CSR_MIP, 0);
		is(rig_csr(m, CSR_MIP), 0);
		csr_write(h, CSR_MIP, MIP_STIP);
		is(rig_csr(m, CSR_MIP), MIP_STIP);
		csr_write(h, CSR_MIP, 0);
	}
	machine_destroy(m);
}

/* True if a mode can read a CSR, or write it. */
static bool may(struct machine *m, unsigned mode, unsigned num, bool writes)
{
	uint64_t value;
	bool yes;

	rig_set_mode(m->cl.hart[0], mode);
	yes = csr_read(m->cl.hart[0], num, writes, &value);
	rig_set_mode(m->cl.hart[0], PRV_M);
	return yes;
}

/* Priv 1.13 §3.1.11, §10.1.5: all 32 counters, each bit of both registers. */
static void counter_enables(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < 4 * 32; n++) {
		bool in_m = n & 1, in_s = n & 2;
		uint32_t bit = 1u << n / 4;

		tap_context("counter %u, mcounteren %u, scounteren %u", n / 4, in_m, in_s);
		/* the other bits are inverted: they have no effect */
		csr_write(h, CSR_MCOUNTEREN, in_m ? bit : ~bit);
		csr_write(h, CSR_SCOUNTEREN, in_s ? bit : ~bit);
		ok(may(m, PRV_M, CSR_CYCLE + n / 4, false));
		is(may(m, PRV_S, CSR_CYCLE + n / 4, false), in_m);
		is(may(m, PRV_U, CSR_CYCLE + n / 4, false), in_m && in_s);
		ok(!may(m, PRV_M, CSR_CYCLE + n / 4, true));
	}
	/* stimecmp needs both STCE and TM (Sstc 1.0). */
	for (unsigned n = 0; n < 4; n++) {
		tap_context("STCE %u, TM %u", n & 1, n >> 1);
		csr_write(h, CSR_MENVCFG, n & 1 ? MENVCFG_STCE : 0);
		csr_write(h, CSR_MCOUNTEREN, n & 2 ? 1 << COUNTER_TM : ~(1u << COUNTER_TM));
		ok(may(m, PRV_M, CSR_STIMECMP, true));
		is(may(m, PRV_S, CSR_STIMECMP, true), n == 3);
		is(may(m, PRV_S, CSR_STIMECMP, false), n == 3);
		ok(!may(m, PRV_U, CSR_STIMECMP, false));
	}
	machine_destroy(m);
}

/* Smstateen 1.0: which of its CSRs exist, and what the bits of mstateen0 allow S-mode to access. */
static void state_enables(void)
{
	struct machine *m = create();

	for (unsigned n = 0; n < 4; n++) {
		tap_context("without, %u", n);
		ok(!may(m, PRV_M, CSR_MSTATEEN0 + n, false));
		ok(!may(m, PRV_M, CSR_SSTATEEN0 + n, false));
	}
	ok(may(m, PRV_S, CSR_SENVCFG, true));
	machine_destroy(m);

	smstateen = true;
	m = create();
	for (unsigned bits = 0; bits < 4; bits++) {
		uint64_t value = (uint64_t)bits << 62;

		tap_context("bits 63:62 %u", bits);
		csr_write(m->cl.hart[0], CSR_MSTATEEN0, value);
		is(rig_csr(m, CSR_MSTATEEN0), value);
		is(may(m, PRV_S, CSR_SENVCFG, true), bits & 1);
		is(may(m, PRV_S, CSR_SSTATEEN0, true), bits >> 1);
		ok(may(m, PRV_M, CSR_SENVCFG, true));
		ok(!may(m, PRV_U, CSR_SSTATEEN0, false));
		ok(!may(m, PRV_S, CSR_MSTATEEN0, false));
	}
	for (unsigned n = 0; n < 4; n++) {
		csr_write(m->cl.hart[0], CSR_MSTATEEN0 + n, UINT64_MAX);
		is(rig_csr(m, CSR_MSTATEEN0 + n), n ? 0 : 3ull << 62 | MSTATEEN0_CSRIND);
		csr_write(m->cl.hart[0], CSR_SSTATEEN0 + n, UINT64_MAX);
		is(rig_csr(m, CSR_SSTATEEN0 + n), 0);
		/* Bit 63 of these is read-only 0, so M-mode has to emulate them. */
		is(may(m, PRV_S, CSR_SSTATEEN0 + n, false), !n);
	}
	machine_destroy(m);
	smstateen = false;
}

/* S-mode under Sv39; entries with these bits map two pages at VA, or do not. */
static struct machine *two_pages(uint64_t first, uint64_t second)
{
	struct machine *m = create();
	uint64_t *root = cluster_ram(&m->cl, ROOT, 3 * 4096);

	root[1] = (ROOT + 4096) >> 2 | 1;
	root[2] = RAM_BASE >> 2 | BITS; /* RAM with code and handlers */
	root[512] = (ROOT + 8192) >> 2 | 1;
	root[1024] = PAGE >> 2 | first;
	root[1025] = (PAGE + 0x5000) >> 2 | second;
	csr_write(m->cl.hart[0], CSR_SATP, 8ull << 60 | ROOT >> 12);
	rig_set_mode(m->cl.hart[0], PRV_S);
	return m;
}

/* Across pages: the fault is that of the part that fails; nothing is written, nothing loaded. */
static const struct {
	const char *name;
	uint64_t first, second;
	bool store;
	uint64_t cause, tval;
} across[] = {
	{ "a load", BITS, BITS, false, 0, 0 },
	{ "a store", BITS, BITS, true, 0, 0 },
	{ "a load, the second page", BITS, 0, false, CAUSE_LOAD_PAGE_FAULT, VA + 4096 },
	{ "a load, the first page", 0, BITS, false, CAUSE_LOAD_PAGE_FAULT, VA + 4093 },
	{ "a load, both", 0, 0, false, CAUSE_LOAD_PAGE_FAULT, VA + 4093 },
	{ "a store, the second page", BITS, 0xc3, true, CAUSE_STORE_PAGE_FAULT, VA + 4096 },
	{ "a store, the first page", 0xc3, BITS, true, CAUSE_STORE_PAGE_FAULT, VA + 4093 },
};

static void accesses_across_pages(void)
{
	for (unsigned n = 0; n < TAP_NR(across); n++) {
		struct machine *m = two_pages(across[n].first, across[n].second);
		struct hart *h = m->cl.hart[0];
		uint8_t *one = cluster_ram(&m->cl, PAGE + 4093, 3),
			*two = cluster_ram(&m->cl, PAGE + 0x5000, 5);
		bool fine = !across[n].cause;

		tap_context("%s", across[n].name);
		memcpy(one, "abc", 3);
		memcpy(two, "defgh", 5);
		h->x[S0] = VA + 4093;
		h->x[A0] = 0x3837363534333231;
		RIG_CODE(m, RAM_BASE, across[n].store ? sd(A0, 0, S0) : ld(A0, 0, S0), ECALL);
		rig_run(m, 100);
		is(h->mcause, fine ? CAUSE_ECALL_S : across[n].cause);
		is(h->mtval, across[n].tval);
		is(h->x[A0], across[n].store || !fine ? 0x3837363534333231 : 0x6867666564636261);
		ok(!memcmp(one, across[n].store && fine ? "123" : "abc", 3));
		ok(!memcmp(two, across[n].store && fine ? "45678" : "defgh", 5));
		machine_destroy(m);
	}
}

/* An instruction whose second half is in a page that cannot be fetched. */
static void fetches_across_pages(void)
{
	static const struct {
		uint64_t second;
		bool pmp;
		uint64_t cause, tval, epc;
	} rows[] = {
		{ BITS, false, CAUSE_ECALL_S, 0, VA + 4098 },
		{ 0, false, CAUSE_FETCH_PAGE_FAULT, VA + 4096, VA + 4094 },
		{ 0xc7, false, CAUSE_FETCH_PAGE_FAULT, VA + 4096, VA + 4094 },
		{ BITS, true, CAUSE_FETCH_ACCESS, VA + 4096, VA + 4094 },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct machine *m = two_pages(BITS, rows[n].second);
		struct hart *h = m->cl.hart[0];
		uint32_t wide = addi(A0, A0, 5), ecall = ECALL;

		tap_context("row %u", n);
		memcpy(cluster_ram(&m->cl, PAGE + 4094, 2), &wide, 2);
		memcpy(cluster_ram(&m->cl, PAGE + 0x5000, 2), (char *)&wide + 2, 2);
		memcpy(cluster_ram(&m->cl, PAGE + 0x5002, 4), &ecall, 4);
		if (rows[n].pmp) {
			csr_write(h, CSR_PMPADDR0 + 1, UINT64_MAX);
			csr_write(h, CSR_PMPADDR0, (PAGE + 0x5000) >> 2 | 0x1ff);
			csr_write(h, CSR_PMPCFG0,
				  (PMP_NAPOT | PMP_R | PMP_W | PMP_X) << 8 | PMP_NAPOT | PMP_R);
		}
		h->pc = VA + 4094;
		rig_run(m, 100);
		is(h->mcause, rows[n].cause);
		is(h->mtval, rows[n].tval);
		is(h->mepc, rows[n].epc);
		is(h->x[A0], rows[n].cause == CAUSE_ECALL_S ? 5 : 0);
		machine_destroy(m);
	}
}

/* Misaligned accesses in a page: executed or left to software; atomics always trap. */
static void misaligned(void)
{
	static const struct {
		uint32_t insn; /* at address s0, of register a0 */
		unsigned bytes, cause;
	} rows[] = {
		{ 0x1003u, 2, CAUSE_MISALIGNED_LOAD },	{ 0x2003u, 4, CAUSE_MISALIGNED_LOAD },
		{ 0x3003u, 8, CAUSE_MISALIGNED_LOAD },	{ 0x1023u, 2, CAUSE_MISALIGNED_STORE },
		{ 0x2023u, 4, CAUSE_MISALIGNED_STORE }, { 0x3023u, 8, CAUSE_MISALIGNED_STORE },
		{ 0x3007u, 8, CAUSE_MISALIGNED_LOAD },	{ 0x3027u, 8, CAUSE_MISALIGNED_STORE },
	};

	for (unsigned n = 0; n < 2 * TAP_NR(rows); n++) {
		struct machine *m;
		struct hart *h;

		trap_misaligned = n & 1;
		m = create();
		h = m->cl.hart[0];
		csr_write(h, CSR_MSTATUS, MSTATUS_FS);
		RIG_CODE(m, RAM_BASE, rows[n / 2].insn | S0 << 15, ECALL);
		for (unsigned off = 0; off < 8; off++) {
			bool traps = trap_misaligned && off % rows[n / 2].bytes;

			tap_context("%x, offset %u, trapped %u", rows[n / 2].insn, off, n & 1);
			h->pc = RAM_BASE;
			h->x[S0] = RIG_DATA + off;
			rig_run(m, 100);
			is(h->mcause, traps ? rows[n / 2].cause : CAUSE_ECALL_M);
			is(h->mtval, traps ? RIG_DATA + off : 0);
		}
		machine_destroy(m);
	}
	trap_misaligned = false;
}

/*
 * MPRV: M-mode accesses memory as the mode in MPP immediately, without a fence (Priv 1.13
 * §3.1.6.3).
 */
static void mprv_follows_mpp(void)
{
	static const struct {
		uint64_t status, cause;
	} rows[] = {
		{ MSTATUS_MPRV | (uint64_t)PRV_S << MSTATUS_MPP_SHIFT, CAUSE_ECALL_M },
		{ MSTATUS_MPRV | (uint64_t)PRV_U << MSTATUS_MPP_SHIFT, CAUSE_LOAD_PAGE_FAULT },
		{ MSTATUS_MPRV | (uint64_t)PRV_M << MSTATUS_MPP_SHIFT, CAUSE_LOAD_ACCESS },
		{ (uint64_t)PRV_S << MSTATUS_MPP_SHIFT, CAUSE_LOAD_ACCESS },
	};
	struct machine *m = two_pages(BITS, BITS);
	struct hart *h = m->cl.hart[0];

	h->x[S0] = VA;
	RIG_CODE(m, RAM_BASE, ld(A0, 0, S0), ECALL);
	for (unsigned n = 0; n < 16; n++) {
		/* each mode after each other one */
		unsigned row = n & 1 ? n >> 1 & 3 : n >> 2;

		tap_context("step %u, row %u", n, row);
		rig_set_mode(h, PRV_M);
		csr_write(h, CSR_MSTATUS, rows[row].status);
		h->pc = RAM_BASE;
		rig_run(m, 100);
		is(h->mcause, rows[row].cause);
	}
	machine_destroy(m);
}

/*
 * A non-canonical address is not an alias of a canonical one, even if a jump there is in the jump
 * cache: in S-mode, and in U-mode, which may not use this page.
 */
static void addresses_are_whole(void)
{
	struct machine *m = two_pages(BITS, BITS);
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, RAM_BASE, jalr(RA, 0, S0), ECALL);
	RIG_CODE(m, RAM_BASE + 0x800, jalr(ZERO, 0, RA));
	for (unsigned bit = 39; bit < 64; bit++) {
		for (unsigned mode = PRV_U; mode <= PRV_S; mode++) {
			tap_context("bit %u, mode %u", bit, mode);
			h->pc = RAM_BASE;
			h->x[S0] = RAM_BASE + 0x800;
			rig_set_mode(h, PRV_S);
			rig_run(m, 100);
			is(h->mcause, CAUSE_ECALL_S);
			h->pc = h->x[S0] ^ RV_BIT(bit);
			rig_set_mode(h, mode);
			rig_run(m, 100);
			is(h->mcause, CAUSE_FETCH_PAGE_FAULT);
			is(h->mepc, (RAM_BASE + 0x800) ^ RV_BIT(bit));
		}
	}
	machine_destroy(m);
}

/*
 * A and D are written only where PMP lets S-mode write; otherwise there is an access fault (Priv
 * 1.13 §10.3.2).
 */
static void updates_and_pmp(void)
{
	for (unsigned perm = 0; perm < 4; perm++) {
		struct machine *m = two_pages(BITS & ~0xc0ull, BITS);
		struct hart *h = m->cl.hart[0];
		uint64_t *leaf = cluster_ram(&m->cl, ROOT + 8192, 8);
		bool write = perm & 2, read = perm & 1, fine = read && write;

		tap_context("R %u, W %u", read, write);
		csr_write(h, CSR_MENVCFG, MENVCFG_ADUE);
		csr_write(h, CSR_PMPADDR0 + 1, UINT64_MAX);
		csr_write(h, CSR_PMPADDR0, (ROOT + 8192) >> 2 | 0x1ff);
		csr_write(h, CSR_PMPCFG0,
			  (PMP_NAPOT | PMP_R | PMP_W | PMP_X) << 8 | PMP_NAPOT |
				  (fine	  ? PMP_R | PMP_W
				   : read ? PMP_R
					  : 0));
		h->x[S0] = VA;
		RIG_CODE(m, RAM_BASE, sd(A0, 0, S0), ECALL);
		rig_run(m, 100);
		is(h->mcause, fine ? CAUSE_ECALL_S : CAUSE_STORE_ACCESS);
		is(h->mtval, fine ? 0 : VA);
		is(*leaf & 0xc0, fine ? 0xc0 : 0);
		machine_destroy(m);
	}
}

/* cbo.clean needs read permission for its whole block, and does not set D (Unpriv chapter 19). */
static void cache_blocks(void)
{
	struct machine *m = two_pages(BITS & ~0xc0ull, 0xd9 & ~0x10);
	struct hart *h = m->cl.hart[0];
	uint64_t *leaf = cluster_ram(&m->cl, ROOT + 8192, 16);
	uint32_t clean = r_type(0x0010200f, 0, S0, 0);

	csr_write(h, CSR_MENVCFG, MENVCFG_ADUE | MENVCFG_CBCFE);
	RIG_CODE(m, RAM_BASE, clean, ECALL);
	h->x[S0] = VA + 5;
	rig_run(m, 100);
	is(h->mcause, CAUSE_ECALL_S);
	is(leaf[0] & 0xc0, 0x40); /* A */
	/* the second page can only be executed: no permission, so a store fault */
	rig_set_mode(h, PRV_S);
	h->pc = RAM_BASE;
	h->x[S0] = VA + 4096 + 5;
	rig_run(m, 100);
	is(h->mcause, CAUSE_STORE_PAGE_FAULT);
	is(h->mtval, VA + 4096 + 5);
	/* PMP forbids another part of the block than the one rs1 points to */
	csr_write(h, CSR_PMPADDR0 + 1, UINT64_MAX);
	csr_write(h, CSR_PMPADDR0, (PAGE + 0x138) >> 2);
	csr_write(h, CSR_PMPCFG0, (PMP_NAPOT | PMP_R | PMP_W | PMP_X) << 8 | PMP_NA4);
	rig_set_mode(h, PRV_S);
	h->pc = RAM_BASE;
	h->x[S0] = VA + 0x105;
	rig_run(m, 100);
	is(h->mcause, CAUSE_STORE_ACCESS);
	is(h->mtval, VA + 0x105);
	machine_destroy(m);
}

/* Sdtrig 1.0 §5.7: without Sdtrig software finds the registers and no trigger. */
static void no_triggers(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];
	uint64_t value;

	isa_set_remove(&m->cl.extensions, ISA_EXT_SDTRIG);
	for (unsigned num = CSR_TSELECT; num <= CSR_TINFO; num++) {
		tap_context("csr %x", num);
		csr_write(h, num, UINT64_MAX);
		ok(csr_read(h, num, true, &value));
		is(value, num == CSR_TINFO);
		h->mode = PRV_S;
		ok(!csr_read(h, num, false, &value));
		h->mode = PRV_M;
	}
	machine_destroy(m);
}

static void as_paranoid(void)
{
	paranoid = true;
	accesses_across_pages();
	fetches_across_pages();
	misaligned();
	mprv_follows_mpp();
	addresses_are_whole();
	updates_and_pmp();
	cache_blocks();
	paranoid = false;
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "priorities and vectors of every set of interrupts", priorities },
		{ "exceptions: delegation, and no vectors", exceptions_are_not_vectored },
		{ "the stack in mstatus", status_stack },
		{ "what mip, mie, sip, sie show and accept", interrupt_views },
		{ "stimecmp", timer_compare },
		{ "mcounteren, scounteren, STCE", counter_enables },
		{ "Smstateen", state_enables },
		{ "no triggers", no_triggers },
		{ "loads and stores across pages", accesses_across_pages },
		{ "fetches across pages", fetches_across_pages },
		{ "misaligned accesses, executed and trapped", misaligned },
		{ "MPRV follows MPP", mprv_follows_mpp },
		{ "all bits of an address are compared", addresses_are_whole },
		{ "A and D under PMP", updates_and_pmp },
		{ "cbo.clean's permissions", cache_blocks },
		{ "paranoid: the same", as_paranoid },
	};

	return tap_run(cases, TAP_NR(cases));
}

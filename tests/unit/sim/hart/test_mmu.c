// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_mmu.c - page tables, the TLB that software sees, and PMP, tested with the hart's own
 * accesses.
 */
#include "access.h"
#include "rig.h"

#define V 1ull
#define R 2ull
#define W 4ull
#define X 8ull
#define U 16ull
#define G 32ull
#define A 64ull
#define D 128ull

#define ROOT (RAM_BASE + 0x200000) /* level 2; + 4096 level 1; + 8192 level 0 */
#define PAGE (RAM_BASE + 0x300000)
#define VA   0x40000000ull /* slot 1 of the root */
#define SV39 (8ull << 60)

static bool paranoid;

static uint64_t pte(uint64_t pa, uint64_t bits)
{
	return pa >> 12 << 10 | bits;
}

static uint64_t *entry(struct machine *m, uint64_t table, unsigned slot)
{
	return cluster_ram(&m->cl, table + 8ull * slot, 8);
}

/* A machine in S-mode with VA mapped to PAGE by an entry with these bits. */
static struct machine *create(uint64_t bits)
{
	struct machine_options o = { .paranoid = paranoid };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];

	*entry(m, ROOT, 1) = pte(ROOT + 4096, V);
	*entry(m, ROOT + 4096, 0) = pte(ROOT + 8192, V);
	*entry(m, ROOT + 8192, 0) = pte(PAGE, bits);
	*(uint64_t *)cluster_ram(&m->cl, PAGE, 8) = 0x1234;
	rig_open_memory(h);
	csr_write(h, CSR_SATP, SV39 | ROOT >> 12);
	rig_set_mode(h, PRV_S);
	return m;
}

/* The cause of an access, 0 if it is allowed. */
static unsigned try(struct machine *m, uint64_t va, enum access access, unsigned mode)
{
	struct hart *h = m->cl.hart[0];
	uint64_t value;
	bool ok;

	rig_set_mode(h, mode);
	h->pc = va;
	if (access == ACCESS_FETCH)
		ok = hart_fetch(h);
	else if (access == ACCESS_LOAD)
		ok = access_load(h, va, 8, &value);
	else
		ok = access_store(h, va, 8, 0x1234);
	return ok ? 0 : h->fault.cause;
}

static void permissions(void)
{
	static const unsigned fault[] = { CAUSE_FETCH_PAGE_FAULT, CAUSE_LOAD_PAGE_FAULT,
					  CAUSE_STORE_PAGE_FAULT };

	for (unsigned bits = 0; bits < 32; bits++) {
		bool valid = (bits & V) && (bits & (R | X)) && !((bits & W) && !(bits & R));

		for (unsigned access = 0; access < 3; access++) {
			uint64_t need = access == ACCESS_FETCH ? X : access == ACCESS_LOAD ? R : W;
			bool may = valid && (bits & need);
			struct machine *m = create(bits | A | D);

			tap_context("bits %x access %u", bits, access);
			is(try(m, VA, access, PRV_S), may && !(bits & U) ? 0 : fault[access]);
			is(try(m, VA, access, PRV_U), may && (bits & U) ? 0 : fault[access]);
			m->cl.hart[0]->mstatus |= MSTATUS_SUM;
			is(try(m, VA, access, PRV_S),
			   may && (!(bits & U) || access) ? 0 : fault[access]);
			m->cl.hart[0]->mstatus = MSTATUS_MXR;
			if (access == ACCESS_LOAD)
				is(try(m, VA, access, PRV_S),
				   valid && (bits & (R | X)) && !(bits & U) ? 0 : fault[access]);
			is(try(m, RAM_BASE, access, PRV_M), 0);
			machine_destroy(m);
		}
	}
}

static void malformed(void)
{
	static const uint64_t bad[] = { 1ull << 54, 1ull << 60, 1ull << 61, 3ull << 61,
					1ull << 63 };

	for (unsigned n = 0; n < TAP_NR(bad); n++) {
		struct machine *m = create(V | R | A | bad[n]);

		tap_context("bit pattern %u", n);
		is(try(m, VA, ACCESS_LOAD, PRV_S), CAUSE_LOAD_PAGE_FAULT);
		/* With Svpbmt on, 1 and 2 are legal. */
		csr_write(m->cl.hart[0], CSR_MENVCFG, MENVCFG_PBMTE);
		is(try(m, VA, ACCESS_LOAD, PRV_S),
		   bad[n] == 1ull << 61 ? 0 : CAUSE_LOAD_PAGE_FAULT);
		machine_destroy(m);
	}
	struct machine *m = create(V | R | A);

	is(try(m, 1ull << 38, ACCESS_LOAD, PRV_S), CAUSE_LOAD_PAGE_FAULT); /* not canonical */
	*entry(m, ROOT, 1) = pte(1ull << 40, V);
	is(try(m, VA, ACCESS_LOAD, PRV_S), CAUSE_LOAD_ACCESS); /* no table there */
	machine_destroy(m);
}

static void accessed_and_dirty(void)
{
	struct machine *m = create(V | R | W);
	struct hart *h = m->cl.hart[0];

	/* On at reset. */
	is(h->menvcfg, MENVCFG_ADUE);
	csr_write(h, CSR_MENVCFG, 0);
	is(try(m, VA, ACCESS_LOAD, PRV_S), CAUSE_LOAD_PAGE_FAULT);
	csr_write(h, CSR_MENVCFG, MENVCFG_ADUE);
	is(try(m, VA, ACCESS_LOAD, PRV_S), 0);
	is(*entry(m, ROOT + 8192, 0), pte(PAGE, V | R | W | A));
	is(try(m, VA, ACCESS_STORE, PRV_S), 0);
	is(*entry(m, ROOT + 8192, 0), pte(PAGE, V | R | W | A | D));
	machine_destroy(m);

	/* They are not written into a table that PMP protects from writes. */
	m = create(V | R | W);
	h = m->cl.hart[0];
	csr_write(h, CSR_MENVCFG, MENVCFG_ADUE);
	csr_write(h, CSR_PMPADDR0 + 1, UINT64_MAX);
	csr_write(h, CSR_PMPADDR0, (ROOT + 8192) >> 2 | 511);
	csr_write(h, CSR_PMPCFG0, (PMP_NAPOT | PMP_R | PMP_W | PMP_X) << 8 | PMP_NAPOT | PMP_R);
	is(try(m, VA, ACCESS_LOAD, PRV_S), CAUSE_LOAD_ACCESS);
	is(try(m, VA, ACCESS_STORE, PRV_S), CAUSE_STORE_ACCESS);
	is(*entry(m, ROOT + 8192, 0), pte(PAGE, V | R | W));
	machine_destroy(m);
}

static void big_pages(void)
{
	struct machine *m = create(0);
	struct hart *h = m->cl.hart[0];
	uint64_t pa;

	/* 2 MiB, misaligned and then aligned */
	*entry(m, ROOT + 4096, 1) = pte(PAGE, V | R | A);
	is(try(m, VA + 0x200000, ACCESS_LOAD, PRV_S), CAUSE_LOAD_PAGE_FAULT);
	*entry(m, ROOT + 4096, 1) = pte(RAM_BASE, V | R | A);
	ok(mmu_translate(h, VA + 0x3abcd8, 8, ACCESS_LOAD, PRV_S, &pa, NULL));
	is(pa, RAM_BASE + 0x1abcd8);
	/* 64 KiB (Svnapot) */
	for (unsigned n = 16; n < 32; n++)
		*entry(m, ROOT + 8192, n) = pte(RAM_BASE + 0x38000, V | R | A) | 1ull << 63;
	ok(mmu_translate(h, VA + 0x1a123, 1, ACCESS_LOAD, PRV_S, &pa, NULL));
	is(pa, RAM_BASE + 0x3a123);
	*entry(m, ROOT + 8192, 17) = pte(RAM_BASE + 0x34000, V | R | A) | 1ull << 63;
	mmu_fence(h, NULL, NULL);
	ok(!mmu_translate(h, VA + 0x11123, 1, ACCESS_LOAD, PRV_S, &pa, NULL));
	machine_destroy(m);
}

/* A stale entry stays until a fence names it; address spaces and global pages. */
static void fences(void)
{
	struct machine *m = create(V | R | A);
	struct hart *h = m->cl.hart[0];
	uint64_t pa, va = VA, other = VA + 4096, asid = 0, asid7 = 7;

	is(try(m, VA, ACCESS_LOAD, PRV_S), 0);
	*entry(m, ROOT + 8192, 0) = pte(PAGE + 4096, V | R | A);
	mmu_fence(h, &other, NULL);
	mmu_fence(h, NULL, &asid7);
	ok(mmu_translate(h, VA, 8, ACCESS_LOAD, PRV_S, &pa, NULL));
	is(pa, PAGE);
	mmu_fence(h, &va, &asid);
	ok(mmu_translate(h, VA, 8, ACCESS_LOAD, PRV_S, &pa, NULL));
	is(pa, PAGE + 4096);
	/* Another address space does not see the entry, and it is still there afterwards. */
	*entry(m, ROOT + 8192, 0) = pte(PAGE, V | R | A | G);
	csr_write(h, CSR_SATP, SV39 | 7ull << 44 | ROOT >> 12);
	ok(mmu_translate(h, VA, 8, ACCESS_LOAD, PRV_S, &pa, NULL));
	is(pa, PAGE);
	*entry(m, ROOT + 8192, 0) = 0;
	csr_write(h, CSR_SATP, SV39 | ROOT >> 12);
	ok(mmu_translate(h, VA, 8, ACCESS_LOAD, PRV_S, &pa, NULL));
	/* A fence of one space leaves global entries. */
	mmu_fence(h, &va, &asid7);
	ok(mmu_translate(h, VA, 8, ACCESS_LOAD, PRV_S, &pa, NULL));
	mmu_fence(h, &va, NULL);
	ok(!mmu_translate(h, VA, 8, ACCESS_LOAD, PRV_S, &pa, NULL));
	machine_destroy(m);
}

/* 8 pages of loads, twice: 8 misses, 8 walks of 3 entries; a store adds a miss for D. */
static void misses_are_counted(void)
{
	struct machine *m = create(0);
	struct hart *h = m->cl.hart[0];
	uint64_t *total = h->pmu.total[PRV_S];

	csr_write(h, CSR_MENVCFG, MENVCFG_ADUE);
	for (unsigned n = 0; n < 8; n++)
		*entry(m, ROOT + 8192, n) = pte(PAGE + 4096 * n, V | R | W | A);
	for (unsigned n = 0; n < 16; n++)
		is(try(m, VA + 4096 * (n % 8) + 16, ACCESS_LOAD, PRV_S), 0);
	is(total[EVENT_DTLB_READ_MISS], 8);
	is(total[EVENT_WALK], 8);
	is(total[EVENT_WALK_READ], 24);
	is(try(m, VA, ACCESS_STORE, PRV_S), 0);
	is(try(m, VA, ACCESS_STORE, PRV_S), 0);
	is(total[EVENT_DTLB_WRITE_MISS], 1);
	is(total[EVENT_DTLB_READ_MISS], 8);
	machine_destroy(m);
}

static void protection(void)
{
	struct machine *m = rig_create(NULL);
	struct hart *h = m->cl.hart[0];

	/* S-mode may access nothing; M-mode may. */
	is(try(m, PAGE, ACCESS_LOAD, PRV_S), CAUSE_LOAD_ACCESS);
	is(try(m, PAGE, ACCESS_LOAD, PRV_M), 0);
	/* Entry 0 closes 16 bytes, entry 1 opens the rest for reading. */
	csr_write(h, CSR_PMPADDR0, (PAGE + 0x100) >> 2 | 1);
	csr_write(h, CSR_PMPADDR0 + 1, UINT64_MAX);
	csr_write(h, CSR_PMPCFG0, PMP_NAPOT | (PMP_NAPOT | PMP_R) << 8);
	is(try(m, PAGE + 0xf8, ACCESS_LOAD, PRV_S), 0);
	is(try(m, PAGE + 0x100, ACCESS_LOAD, PRV_S), CAUSE_LOAD_ACCESS);
	is(try(m, PAGE + 0x108, ACCESS_LOAD, PRV_S), CAUSE_LOAD_ACCESS);
	is(try(m, PAGE + 0x110, ACCESS_LOAD, PRV_S), 0);
	is(try(m, PAGE + 0xfc, ACCESS_LOAD, PRV_S), CAUSE_LOAD_ACCESS); /* half in it */
	is(try(m, PAGE + 0x110, ACCESS_STORE, PRV_S), CAUSE_STORE_ACCESS);
	is(try(m, PAGE + 0x100, ACCESS_STORE, PRV_M), 0);
	/* A locked entry restricts M-mode, and cannot be changed. */
	csr_write(h, CSR_PMPCFG0, (uint64_t)(PMP_NAPOT | PMP_L) | (PMP_NAPOT | PMP_R) << 8);
	is(try(m, PAGE + 0x100, ACCESS_LOAD, PRV_M), CAUSE_LOAD_ACCESS);
	is(try(m, PAGE + 0x110, ACCESS_STORE, PRV_M), 0);
	csr_write(h, CSR_PMPCFG0, 0);
	csr_write(h, CSR_PMPADDR0, 0);
	is(rig_csr(m, CSR_PMPCFG0), PMP_NAPOT | PMP_L);
	is(try(m, PAGE + 0x100, ACCESS_LOAD, PRV_M), CAUSE_LOAD_ACCESS);
	/* TOR: from the address of the entry before to its own */
	csr_write(h, CSR_PMPADDR0 + 2, (PAGE + 0x1000) >> 2);
	csr_write(h, CSR_PMPADDR0 + 3, (PAGE + 0x2000) >> 2);
	csr_write(h, CSR_PMPCFG0, (uint64_t)(PMP_TOR | PMP_W | PMP_R) << 24);
	is(try(m, PAGE + 0xff8, ACCESS_STORE, PRV_S), CAUSE_STORE_ACCESS);
	is(try(m, PAGE + 0x1000, ACCESS_STORE, PRV_S), 0);
	is(try(m, PAGE + 0x1ff8, ACCESS_STORE, PRV_S), 0);
	is(try(m, PAGE + 0x2000, ACCESS_STORE, PRV_S), CAUSE_STORE_ACCESS);
	machine_destroy(m);
}

/* The table of Smepmp §2: what entries LRWX allow M-mode, and the others, while MML is on. */
static const char *const locked_down[16][2] = {
	{ "", "" },   { "", "x" },   { "rw", "r" }, { "rw", "rw" }, { "", "r" },  { "", "rx" },
	{ "", "rw" }, { "", "rwx" }, { "", "" },    { "x", "" },    { "x", "x" }, { "rx", "x" },
	{ "r", "" },  { "rx", "" },  { "rw", "" },  { "r", "r" },
};

/* A machine whose entry 0 is the page PAGE with LRWX as in the table. */
static struct machine *with_rule(unsigned lrwx, uint64_t mseccfg)
{
	struct machine_options o = { .paranoid = paranoid };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];
	uint64_t cfg = PMP_NAPOT | (lrwx & 8 ? PMP_L : 0) | (lrwx & 4 ? PMP_R : 0) |
		       (lrwx & 2 ? PMP_W : 0) | (lrwx & 1 ? PMP_X : 0);

	csr_write(h, CSR_MSECCFG, mseccfg | MSECCFG_RLB);
	csr_write(h, CSR_PMPADDR0, PAGE >> 2 | 0x1ff);
	csr_write(h, CSR_PMPCFG0, cfg);
	is(rig_csr(m, CSR_PMPCFG0), cfg);
	return m;
}

static void lockdown(void)
{
	static const unsigned fault[] = { CAUSE_FETCH_ACCESS, CAUSE_LOAD_ACCESS,
					  CAUSE_STORE_ACCESS };

	for (unsigned lrwx = 0; lrwx < 16; lrwx++) {
		struct machine *m = with_rule(lrwx, MSECCFG_MML);

		for (unsigned access = 0; access < 3; access++) {
			tap_context("LRWX %x, access %u", lrwx, access);
			for (unsigned mode = PRV_U; mode <= PRV_M; mode += mode == PRV_S ? 2 : 1)
				is(try(m, PAGE, access, mode),
				   strchr(locked_down[lrwx][mode != PRV_M], "xrw"[access])
					   ? 0
					   : fault[access]);
		}
		machine_destroy(m);
	}
}

/* Where no entry matches: MMWP takes it from M-mode, MML only its code. */
static void allowlist(void)
{
	for (unsigned bits = 0; bits < 4; bits++) {
		struct machine *m = with_rule(0, bits);
		bool mmwp = bits & MSECCFG_MMWP;

		tap_context("mseccfg %x", bits);
		is(try(m, PAGE + PAGE_SIZE, ACCESS_LOAD, PRV_S), CAUSE_LOAD_ACCESS);
		is(try(m, PAGE + PAGE_SIZE, ACCESS_LOAD, PRV_M), mmwp ? CAUSE_LOAD_ACCESS : 0);
		is(try(m, PAGE + PAGE_SIZE, ACCESS_STORE, PRV_M), mmwp ? CAUSE_STORE_ACCESS : 0);
		is(try(m, PAGE + PAGE_SIZE, ACCESS_FETCH, PRV_M), bits ? CAUSE_FETCH_ACCESS : 0);
		/* Both bits stay. */
		csr_write(m->cl.hart[0], CSR_MSECCFG, 0);
		is(rig_csr(m, CSR_MSECCFG), bits);
		hart_reset(m->cl.hart[0], RAM_BASE, 0);
		is(rig_csr(m, CSR_MSECCFG) & (MSECCFG_MML | MSECCFG_MMWP | MSECCFG_RLB), 0);
		machine_destroy(m);
	}
}

/* RLB opens locked entries, and cannot be set again once one is locked without it. */
static void locking_bypass(void)
{
	static const bool is_code[16] = { [9] = true, [10] = true, [11] = true, [13] = true };

	for (unsigned lrwx = 0; lrwx < 16; lrwx++) {
		struct machine *m = with_rule(lrwx, MSECCFG_MML);
		struct hart *h = m->cl.hart[0];
		uint64_t cfg = rig_csr(m, CSR_PMPCFG0);

		tap_context("LRWX %x", lrwx);
		csr_write(h, CSR_PMPADDR0, 5);
		is(rig_csr(m, CSR_PMPADDR0), 5);
		csr_write(h, CSR_PMPCFG0, 0);
		is(rig_csr(m, CSR_PMPCFG0), 0);
		csr_write(h, CSR_MSECCFG, 0);
		is(rig_csr(m, CSR_MSECCFG), MSECCFG_MML);
		csr_write(h, CSR_PMPCFG0, PMP_R);
		csr_write(h, CSR_PMPCFG0, cfg);
		is(rig_csr(m, CSR_PMPCFG0), is_code[lrwx] ? PMP_R : cfg);
		/* The next entry is written by the same instruction. */
		csr_write(h, CSR_PMPCFG0, PMP_R | (PMP_R | PMP_X) << 8);
		is(rig_csr(m, CSR_PMPCFG0) >> 8, PMP_R | PMP_X);
		is(rig_csr(m, CSR_PMPCFG0) & 0xff, lrwx & 8 && !is_code[lrwx] ? cfg : PMP_R);
		csr_write(h, CSR_PMPADDR0, 7);
		is(rig_csr(m, CSR_PMPADDR0), lrwx & 8 && !is_code[lrwx] ? 5 : 7);
		csr_write(h, CSR_MSECCFG, MSECCFG_RLB);
		is(rig_csr(m, CSR_MSECCFG),
		   MSECCFG_MML | (lrwx & 8 && !is_code[lrwx] ? 0 : MSECCFG_RLB));
		machine_destroy(m);
	}
}

/* Sv48 and Sv57: a leaf at each level, and addresses that are not canonical. */
static void deep_tables(void)
{
	for (unsigned levels = 4; levels <= 5; levels++) {
		for (unsigned leaf = 0; leaf < levels; leaf++) {
			struct machine *m = rig_create(NULL);
			struct hart *h = m->cl.hart[0];
			uint64_t va = 1ull << (9 * levels + 10) | 0x123456789abcull << 9 | 0x38;
			uint64_t table = ROOT, page = PAGE, span = 4096ull << 9 * leaf, top;

			va &= (1ull << (9 * levels + 11)) - 1; /* the lower half */
			page = leaf < 2 ? PAGE & ~(span - 1) : leaf == 2 ? RAM_BASE : 0;
			m->cl.mmu = levels - 2;
			rig_open_memory(h);
			for (unsigned level = levels - 1; level > leaf; level--, table += 4096)
				*entry(m, table, va >> (12 + 9 * level) & 511) = pte(table + 4096,
										     V);
			*entry(m, table, va >> (12 + 9 * leaf) & 511) = pte(page,
									    V | R | W | A | D);
			/* An offset that leads to PAGE in a leaf of any size. */
			va = (va & ~(span - 1)) | ((PAGE - page) & (span - 1)) | 0x38;
			*(uint64_t *)cluster_ram(&m->cl, PAGE + 0x38, 8) = 0x1234567;
			csr_write(h, CSR_SATP, (uint64_t)(5 + levels) << 60 | ROOT >> 12);
			tap_context("%u levels, leaf %u, va %llx", levels, leaf,
				    (unsigned long long)va);
			is(rig_csr(m, CSR_SATP) >> 60, 5 + levels);
			is(try(m, va, ACCESS_LOAD, PRV_S), 0);
			access_load(h, va, 8, &top);
			is(top, 0x1234567);
			is(h->pmu.total[PRV_S][EVENT_WALK_READ], levels - leaf);
			for (unsigned bit = 9 * levels + 12; bit < 64; bit++)
				is(try(m, va ^ 1ull << bit, ACCESS_LOAD, PRV_S),
				   CAUSE_LOAD_PAGE_FAULT);
			/* A fence anywhere in the leaf drops it. */
			*entry(m, table, va >> (12 + 9 * leaf) & 511) = 0;
			is(try(m, va, ACCESS_LOAD, PRV_S), 0);
			top = va ^ (span >> 1);
			mmu_fence(h, &top, NULL);
			is(try(m, va, ACCESS_LOAD, PRV_S), CAUSE_LOAD_PAGE_FAULT);
			/* A misaligned leaf. */
			*entry(m, table, va >> (12 + 9 * leaf) & 511) =
				pte(page, V | R | W | A | D) | 1 << 10;
			is(try(m, va, ACCESS_LOAD, PRV_S), leaf ? CAUSE_LOAD_PAGE_FAULT : 0);
			machine_destroy(m);
		}
	}
}

/* How many bits PMM ignores. */
static unsigned pmlen(uint64_t pmm)
{
	return pmm == ENVCFG_PMM_7 ? 7 : pmm == ENVCFG_PMM_16 ? 16 : 0;
}

static uint64_t pmm_csr(unsigned mode)
{
	return mode == PRV_M ? CSR_MSECCFG : mode == PRV_S ? CSR_MENVCFG : CSR_SENVCFG;
}

static void set_pmm(struct machine *m, unsigned mode, uint64_t pmm)
{
	struct hart *h = m->cl.hart[0];

	rig_set_mode(h, PRV_M);
	csr_write(h, pmm_csr(mode), (rig_csr(m, pmm_csr(mode)) & ~MENVCFG_PMM) | pmm);
}

/*
 * Ssnpm, Smnpm, Smmpm: in each mode, with and without paging, each upper bit of an address has an
 * effect or none; fetches never ignore one.
 */
static void pointer_masking(void)
{
	static const uint64_t pmms[] = { 0, ENVCFG_PMM_7, ENVCFG_PMM_16 };

	for (unsigned n = 0; n < 3 * 3 * 2; n++) {
		static const unsigned modes[] = { PRV_U, PRV_S, PRV_M };
		unsigned mode = modes[n % 3], bits = pmlen(pmms[n / 3 % 3]);
		bool paged = n / 9 && mode != PRV_M;
		struct machine *m = create(V | R | W | X | A | D | (mode == PRV_U ? U : 0));
		struct hart *h = m->cl.hart[0];
		uint64_t va = paged ? VA : PAGE,
			 bad_load = paged ? CAUSE_LOAD_PAGE_FAULT : CAUSE_LOAD_ACCESS;
		uint64_t bad_store = paged ? CAUSE_STORE_PAGE_FAULT : CAUSE_STORE_ACCESS;

		set_pmm(m, mode, pmms[n / 3 % 3]);
		if (!paged)
			csr_write(h, CSR_SATP, 0);
		for (unsigned bit = 44; bit < 64; bit++) {
			bool same = bit >= 64 - bits;

			tap_context("mode %u, paged %u, PMLEN %u, bit %u", mode, paged, bits, bit);
			is(try(m, va, ACCESS_LOAD, mode), 0); /* the software TLB has it */
			is(try(m, va ^ 1ull << bit, ACCESS_LOAD, mode), same ? 0 : bad_load);
			if (!same)
				is(h->fault.tval,
				   paged ? (uint64_t)((int64_t)((va ^ 1ull << bit) << bits) >> bits)
					 : (va ^ 1ull << bit) << bits >> bits);
			is(try(m, va ^ 1ull << bit, ACCESS_STORE, mode), same ? 0 : bad_store);
			is(try(m, va ^ 1ull << bit, ACCESS_FETCH, mode),
			   paged ? CAUSE_FETCH_PAGE_FAULT : CAUSE_FETCH_ACCESS);
		}
		/* A reserved value leaves the field as it is. */
		set_pmm(m, mode, 1ull << 32);
		is(rig_csr(m, pmm_csr(mode)) & MENVCFG_PMM, pmms[n / 3 % 3]);
		machine_destroy(m);
	}
}

/* The entries of a tagged address go with the page, and with the setting. */
static void masked_entries(void)
{
	struct machine *m = create(V | R | W | A | D);
	struct hart *h = m->cl.hart[0];
	uint64_t tagged = VA | 0xa5ull << 56, value;

	set_pmm(m, PRV_S, ENVCFG_PMM_16);
	is(try(m, tagged, ACCESS_LOAD, PRV_S), 0);
	ok(h->lines->read[(VA >> 12) % SOFT_NR].tag == (paranoid ? SOFT_BAD : tagged) || paranoid);
	*entry(m, ROOT + 8192, 0) = 0;
	is(try(m, tagged, ACCESS_LOAD, PRV_S), 0); /* no fence yet */
	value = VA;
	mmu_fence(h, &value, NULL);
	ok(h->lines->read[(VA >> 12) % SOFT_NR].tag != tagged);
	is(try(m, tagged, ACCESS_LOAD, PRV_S), CAUSE_LOAD_PAGE_FAULT);
	is(h->fault.tval, VA);
	*entry(m, ROOT + 8192, 0) = pte(PAGE, V | R | W | A | D);
	is(try(m, tagged, ACCESS_STORE, PRV_S), 0);
	/* MXR turns it off for the mode that it concerns (Smnpm 1.0 §2.5). */
	h->mstatus |= MSTATUS_MXR;
	is(try(m, tagged, ACCESS_LOAD, PRV_S), CAUSE_LOAD_PAGE_FAULT);
	is(h->fault.tval, tagged);
	h->mstatus &= ~MSTATUS_MXR;
	/* MPRV: the setting of the mode whose access it is. */
	h->mstatus |= MSTATUS_MPRV | (uint64_t)PRV_S << MSTATUS_MPP_SHIFT;
	is(try(m, tagged, ACCESS_LOAD, PRV_M), 0);
	h->mstatus &= ~MSTATUS_MPRV;
	is(try(m, PAGE | 1ull << 63, ACCESS_LOAD, PRV_M), CAUSE_LOAD_ACCESS);
	set_pmm(m, PRV_S, 0);
	is(try(m, tagged, ACCESS_LOAD, PRV_S), CAUSE_LOAD_PAGE_FAULT);
	machine_destroy(m);
}

/* Data in a page with code: the stores are seen, and the code continues. */
static void data_beside_code(void)
{
	struct machine *m = rig_create(NULL);
	struct hart *h = m->cl.hart[0];

	h->x[S0] = RAM_BASE;
	h->x[T0] = 5;
	RIG_CODE(m, RAM_BASE, ld(A0, 0x400, S0), addi(A0, A0, 1), sd(A0, 0x400, S0),
		 addi(T0, T0, -1), bnez(T0, -16), END);
	rig_run(m, 1000);
	is(*(uint64_t *)cluster_ram(&m->cl, RAM_BASE + 0x400, 8), 5);
	machine_destroy(m);
}

static void as_paranoid(void)
{
	paranoid = true;
	permissions();
	fences();
	misses_are_counted();
	paranoid = false;
}

/* Code found at one address is not used at another one that differs in any upper bit. */
static void no_aliases(void)
{
	struct machine *m = create(V | R | X | A);

	for (uint64_t bits = 1; bits < 1024; bits++) {
		tap_context("bits %llx", (unsigned long long)bits);
		for (unsigned n = 0; n < 4; n++) {
			is(try(m, VA, ACCESS_FETCH, PRV_S), 0);
			is(try(m, RAM_BASE, ACCESS_FETCH, PRV_M), 0);
			hart_forget_jumps(m->cl.hart[0]);
			is(try(m, VA ^ bits << 50, ACCESS_FETCH, PRV_S), CAUSE_FETCH_PAGE_FAULT);
			is(try(m, RAM_BASE ^ bits << 50, ACCESS_FETCH, PRV_M), CAUSE_FETCH_ACCESS);
		}
	}
	for (uint64_t bit = 40; bit < 64; bit++) {
		is(try(m, VA, ACCESS_FETCH, PRV_S), 0);
		is(try(m, VA ^ 1ull << bit, ACCESS_FETCH, PRV_M), CAUSE_FETCH_ACCESS);
	}
	is(try(m, VA, ACCESS_FETCH, PRV_S), 0);
	is(try(m, VA ^ 2ull << 60, ACCESS_FETCH, PRV_M), CAUSE_FETCH_ACCESS);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "permissions", permissions },
		{ "malformed entries and addresses", malformed },
		{ "A and D, by software and by hardware", accessed_and_dirty },
		{ "pages of 2 MiB and 64 KiB", big_pages },
		{ "sfence.vma, address spaces, global pages", fences },
		{ "misses and walks are counted", misses_are_counted },
		{ "physical memory protection", protection },
		{ "Smepmp: M-mode locked down", lockdown },
		{ "Smepmp: M-mode's allowlist", allowlist },
		{ "Smepmp: locks and their bypass", locking_bypass },
		{ "Sv48 and Sv57", deep_tables },
		{ "pointer masking", pointer_masking },
		{ "pointer masking: entries of the software TLB", masked_entries },
		{ "data beside code", data_beside_code },
		{ "addresses that are not canonical", no_aliases },
		{ "paranoid: the same", as_paranoid },
	};

	return tap_run(cases, TAP_NR(cases));
}

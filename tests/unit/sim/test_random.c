// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_random.c - random machines: code, registers, CSRs and page tables without sense, run by
 * the engine as it is and by the paranoid one.  Both must come to the same end in all state, and
 * neither may do the host any harm (sanitizers are on).
 *
 * usage: test_random [FIRST_SEED COUNT]
 */
#include "rig.h"

#define MEMORY (256u << 10)
#define PAGES  (MEMORY / 4096)
#define TABLES 40 /* pages from here on look like page tables */
#define RUN_NS 6000
#define COUNT  150

static uint64_t random_state;

static uint32_t rnd(void)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return random_state >> 32;
}

static uint32_t one_of(uint32_t n)
{
	return rnd() % n;
}

static uint64_t address(void)
{
	return RAM_BASE + one_of(MEMORY / 8) * 8ull + (one_of(8) ? 0 : one_of(8));
}

static unsigned known_csr(void)
{
	for (;;) {
		unsigned num = one_of(4096);

		/* Counters would be most of it. */
		if (csr_name(num) && ((num & 31) < 8 || !one_of(8)))
			return num;
	}
}

static uint32_t instruction(void)
{
	unsigned id = 1 + one_of(ISA_NR - 1);
	const struct isa_row *r = &isa_table[id];
	uint32_t insn = r->match | (rnd() & ~r->mask);

	if (!one_of(20))
		return rnd();
	if (r->class == ISA_CLASS_CSR)
		insn = (insn & 0xfffff) | known_csr() << 20;
	/* sp points to memory for a while. */
	if (r->format == ISA_FMT_L || r->format == ISA_FMT_S || r->format == ISA_FMT_FL ||
	    r->format == ISA_FMT_FS || r->format == ISA_FMT_AMO || r->format == ISA_FMT_LR)
		insn = (insn & ~(31u << 15)) | SP << 15;
	/* Jumps are short. */
	if (r->format == ISA_FMT_J)
		insn = (insn & 0xfff) | (0x00400000 | (rnd() & 0x83e00000));
	return insn;
}

static uint64_t table_entry(void)
{
	uint64_t bits = rnd() & 0xff;

	if (!one_of(4))
		return (uint64_t)rnd() << 32 | rnd();
	if (one_of(4))
		bits |= 0xc1;
	if (one_of(2))
		bits &= ~0xeull; /* a table */
	if (one_of(3))
		bits |= 0xf;
	return (RAM_BASE / 4096 + one_of(PAGES)) << 10 | bits;
}

static void fill(struct machine *m, uint64_t seed)
{
	struct hart *h = m->hart[0];
	uint64_t *table = machine_ram(m, RAM_BASE + TABLES * 4096, (PAGES - TABLES) * 4096);
	uint16_t *code = machine_ram(m, RAM_BASE, TABLES * 4096);

	random_state = seed;
	for (unsigned n = 0; n < TABLES * 2048;) {
		uint32_t insn = instruction();

		if (!one_of(4))
			insn = rnd() & ~3u; /* a 16-bit one */
		code[n++] = insn;
		if ((insn & 3) == 3 && n < TABLES * 2048)
			code[n++] = insn >> 16;
	}
	for (unsigned n = 0; n < (PAGES - TABLES) * 512; n++)
		table[n] = table_entry();
	for (unsigned n = 1; n < 32; n++)
		h->x[n] = one_of(2) ? address() : one_of(2) ? rnd() : (uint64_t)rnd() << 32 | rnd();
	h->x[SP] = address();
	for (unsigned n = 0; n < 32; n++)
		h->f[n] = one_of(2) ? 0xffffffff00000000ull | rnd() : (uint64_t)rnd() << 32 | rnd();
	for (unsigned n = 0; n < 60; n++) {
		unsigned num = known_csr();

		if (!RV_CSR_READONLY(num))
			csr_write(h, num, one_of(3) ? address() : (uint64_t)rnd() << 32 | rnd());
	}
	csr_write(h, CSR_PMPADDR0 + 15, UINT64_MAX);
	csr_write(h, CSR_PMPCFG0 + 2, (uint64_t)(PMP_NAPOT | PMP_R | PMP_W | PMP_X) << 56);
	csr_write(h, CSR_SATP, 8ull << 60 | (RAM_BASE / 4096 + TABLES + one_of(PAGES - TABLES)));
	csr_write(h, CSR_MTVEC, RAM_BASE + (one_of(TABLES * 1024) & ~3u));
	csr_write(h, CSR_STVEC, RAM_BASE + (one_of(TABLES * 1024) & ~3u));
	csr_write(h, CSR_MIE, rnd());
	for (unsigned ctr = 3; ctr < 12; ctr++) {
		csr_write(h, CSR_MHPMEVENT + ctr,
			  event_table[one_of(EVENT_NR)].selector | (uint64_t)one_of(8) << 60);
		csr_write(h, CSR_MHPMCOUNTER + ctr, -(uint64_t)one_of(300));
	}
	h->mstatus |= MSTATUS_FS;
	h->pc = RAM_BASE + one_of(TABLES * 1024) * 2ull;
	hart_mode_changed(h);
}

static struct machine *run(uint64_t seed, bool paranoid)
{
	struct machine_options o = { .memory = MEMORY, .paranoid = paranoid };
	struct machine *m = rig_create(&o);
	struct hart *h = m->hart[0];
	uint64_t end = RUN_NS;

	fill(m, seed);
	m->current = h;
	while (h->now < end && !m->finished) {
		hart_run(h, &end);
		/* Nothing will wake it: let it go on. */
		if (h->idle) {
			h->idle = false;
			h->now++;
			h->mie = 0;
		}
	}
	m->current = NULL;
	return m;
}

static void compare(struct machine *a, struct machine *b)
{
	struct hart *x = a->hart[0], *y = b->hart[0];

	is(y->pc, x->pc);
	is(y->mode, x->mode);
	is(y->now, x->now);
	is(y->fflags, x->fflags);
	for (unsigned n = 0; n < 32; n++) {
		is(y->x[n], x->x[n]);
		is(y->f[n], x->f[n]);
	}
	for (unsigned mode = 0; mode < 4; mode++) {
		for (unsigned e = 0; e < EVENT_NR; e++) {
			/* EDGE and CODE events are added up only while somebody asks. */
			if (event_table[e].kind == EVENT_KIND_TIME ||
			    event_table[e].kind == EVENT_KIND_RARE)
				is(y->pmu.total[mode][e], x->pmu.total[mode][e]);
		}
	}
	x->mode = y->mode = PRV_M;
	for (unsigned num = 0; num < 4096; num++) {
		uint64_t value[2] = { 0, 0 };

		if (csr_name(num) && csr_read(x, num, false, &value[0]) &&
		    csr_read(y, num, false, &value[1]) && value[0] != value[1]) {
			tap_context("csr %s %x", csr_name(num), num);
			is(value[1], value[0]);
		}
	}
	ok(!memcmp(a->ram, b->ram, MEMORY));
}

static uint64_t first_seed = 1;
static unsigned seeds = COUNT, traps, retired;

static void both_ways(void)
{
	for (uint64_t seed = first_seed; seed < first_seed + seeds; seed++) {
		struct machine *a = run(seed, false), *b = run(seed, true);

		tap_context("seed %llu", (unsigned long long)seed);
		compare(a, b);
		for (unsigned mode = 0; mode < 4; mode++) {
			traps += a->hart[0]->pmu.total[mode][EVENT_EXCEPTION];
			retired += a->hart[0]->pmu.total[mode][EVENT_INSTRUCTIONS];
		}
		machine_destroy(a);
		machine_destroy(b);
	}
	printf("# %u instructions, %u exceptions\n", retired, traps);
	ok(retired > seeds * 10);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "random machines end alike both ways", both_ways },
	};

	if (argc == 3) {
		first_seed = strtoull(argv[1], NULL, 0);
		seeds = strtoul(argv[2], NULL, 0);
	}
	return tap_run(cases, TAP_NR(cases));
}

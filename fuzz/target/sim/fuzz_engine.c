// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_engine.c - random machines: random code, registers, CSRs, page tables and device accesses,
 * run for a few microseconds of guest time in M, S and U mode.
 *
 * Input: bytes that choose the machine and its contents (harts, registers, CSRs, the code where
 * each hart starts, page tables, the rest of memory).  After the last byte, a random number
 * generator that the input seeds goes on.
 *
 * Must hold: no access outside RAM (sanitizers).  The machine runs four times: interpreted, with
 * native code for all that runs at all, paranoid, and paused halfway with native code for some.
 * All four end with the same state: registers, CSRs, TLBs, counters, totals, devices, RAM.  The
 * last two runs also make an exact profile.  Both profiles have the same counts at the same places,
 * and the sums of the counts equal the totals.  With models it tells data, too: both tell the same
 * of the same pieces, and the sums equal the totals.
 *
 * To find the first difference, FUZZ_TRACE=NAME writes the logs of -d, NAME.0 to NAME.3 (a run with
 * a log has no native code).
 */
#include "csr.h"
#include "exact_data.h"
#include "fuzz.h"
#include "hash.h"
#include "machine.h"
#include "same_machine.h"
#include "small_cpu.h"
#include "timing.h"
#include "vector.h"

#define MEMORY	      (256u << 10)
#define PROGRAM_PAGES 6
#define TABLES	      PROGRAM_PAGES /* first page of the page tables */
#define TABLE_NR      10
#define PAGES	      (TABLES + TABLE_NR + 8) /* all that addresses point to */
#define SP	      2
#define GP	      3

struct source {
	struct input in;
	uint64_t state;
};

static uint32_t rnd(struct source *s, unsigned bytes)
{
	if (s->in.at < s->in.end)
		return input_bytes(&s->in, bytes);
	s->state = s->state * 6364136223846793005ull + 1442695040888963407ull;
	return s->state >> 32;
}

static uint32_t one_of(struct source *s, uint32_t n)
{
	return rnd(s, n <= 256 ? 1 : n <= 65536 ? 2 : 4) % n;
}

static uint64_t rnd64(struct source *s)
{
	return (uint64_t)rnd(s, 4) << 32 | rnd(s, 4);
}

static uint64_t page_address(struct source *s)
{
	return RAM_BASE + one_of(s, PAGES) * PAGE_SIZE;
}

static uint64_t device_address(struct source *s)
{
	static const uint64_t base[] = {
		CLINT_BASE,   CLINT_BASE + 0x4000,  CLINT_BASE + 0xbff8,   PLIC_BASE,
		RTC_BASE,     PLIC_BASE + 0x200000, SERIAL_BASE,	   VIRTIO_BASE,
		ROM_BASE,     FINISHER_BASE,	    VIRTIO_BASE + 0x7000,  ROM_BASE + 4088,
		RAM_BASE - 8, RAM_BASE + MEMORY,    RAM_BASE + MEMORY - 4, PLIC_BASE + 0x1000,
	};

	return base[one_of(s, sizeof(base) / sizeof(base[0]))] + one_of(s, 8) * 4;
}

/* An address, mostly in RAM, and often at the end of a page. */
static uint64_t address(struct source *s)
{
	unsigned how = one_of(s, 32);
	uint64_t page = page_address(s);

	if (how == 0)
		return device_address(s);
	if (how == 1) /* one bit is wrong, which a careless comparison would miss */
		return (page + one_of(s, 512) * 8) ^ 1ull << one_of(s, 64);
	if (how < 6)
		return page + PAGE_SIZE - one_of(s, 16);
	return page + one_of(s, 512) * 8 + (how < 8 ? one_of(s, 8) : 0);
}

static uint64_t value(struct source *s)
{
	switch (one_of(s, 8)) {
	case 0:
		return one_of(s, 256);
	case 1:
		return -(uint64_t)one_of(s, 256);
	case 2:
		return rnd64(s);
	case 3:
		return 1ull << one_of(s, 64);
	default:
		return address(s);
	}
}

static unsigned known_csr(struct source *s)
{
	unsigned num = one_of(s, 4096);

	/* Avoids most counters: there are many, and they are alike. */
	while (!csr_is_known(num) || ((num & 31) > 7 && num % 7))
		num = (num + 1) & 4095;
	return num;
}

static bool points_to_memory(const struct isa_row *r)
{
	return r->format == ISA_FMT_L || r->format == ISA_FMT_S || r->format == ISA_FMT_FL ||
	       r->format == ISA_FMT_FS || r->format == ISA_FMT_AMO || r->format == ISA_FMT_LR ||
	       r->format == ISA_FMT_RS1 || r->class == ISA_CLASS_VLOAD ||
	       r->class == ISA_CLASS_VSTORE || r->class == ISA_CLASS_VAMO;
}

/* An instruction that is more often valid and useful than random bits are. */
static uint32_t instruction(struct source *s)
{
	unsigned id = 1 + one_of(s, ISA_NR - 1);
	const struct isa_row *r = &isa_table[id];
	uint32_t insn = rnd(s, 4);

	if (insn % 32 == 31)
		return insn;
	if (insn % 4 == 0)
		return insn & ~3u; /* a compressed instruction, and half of the next */
	insn = r->match | (insn & ~r->mask);
	if (r->class == ISA_CLASS_CSR)
		insn = (insn & 0xfffff) | known_csr(s) << 20;
	if (points_to_memory(r) && one_of(s, 4))
		insn = (insn & ~(31u << 15)) | (one_of(s, 8) ? SP : GP) << 15;
	if (r->format == ISA_FMT_J) /* jumps are short */
		insn = (insn & 0xfff) | (0x00400000 | (insn & 0x83e00000));
	return insn;
}

/* One of integer vectors without a mask, legal with any LMUL. */
static uint32_t simple_vector(struct source *s)
{
	const struct isa_row *r = &isa_table[ISA_vadd_vx + one_of(s, ISA_vnsrl_wx - ISA_vadd_vx)];
	uint32_t fields = rnd(s, 4) & (31u << 26 | 24u << 20 | 24u << 15 | 24u << 7);

	return r->match | ((fields | 1u << 25) & ~r->mask);
}

static void put_code(struct machine *m, struct source *s, uint64_t at, unsigned halves)
{
	uint16_t *code = cluster_ram(&m->cl, at, 2ull * halves);
	unsigned vectors = 0; /* so many come, in a row */

	for (unsigned n = 0; n < halves;) {
		uint32_t insn = vectors ? simple_vector(s) : instruction(s);

		if (vectors)
			vectors--;
		else if (!one_of(s, 24))
			vectors = one_of(s, 16);
		code[n++] = insn;
		if ((insn & 3) == 3 && n < halves)
			code[n++] = insn >> 16;
	}
}

static uint64_t table_at(unsigned n)
{
	return RAM_BASE + (TABLES + n % TABLE_NR) * PAGE_SIZE;
}

/* A page table entry of any kind, most often one that a real table has. */
static uint64_t table_entry(struct source *s)
{
	unsigned kind = one_of(s, 16);
	uint64_t flags = 0xc1 | (one_of(s, 32) << 1), to = page_address(s);

	switch (kind) {
	case 0:
		return rnd64(s);
	case 1:
		return table_at(one_of(s, TABLE_NR)) >> 2 | 1;
	case 2:
		return to >> 2 | (flags & one_of(s, 256));
	case 3:
		return RV_BIT(63) | (to & ~0xffffull) >> 2 | 8 << 10 | flags;
	case 4: /* larger leaves: 2 MiB, 1 GiB */
		return RAM_BASE >> 2 | flags;
	case 5:
		return one_of(s, 2) << 28 | flags;
	default:
		return to >> 2 | flags | 0xe;
	}
}

/*
 * Makes page tables.  Table 0 is a root for Sv39.  Table 1 is a root for Sv48, with table 0 below
 * it.  Table 2 is below table 0, and table 3 or 4 is below table 2.  Together they map the
 * addresses of RAM to pages of RAM.
 */
static void put_tables(struct machine *m, struct source *s)
{
	uint64_t *table = cluster_ram(&m->cl, table_at(0), TABLE_NR * PAGE_SIZE);

	for (unsigned n = 0; n < TABLE_NR * 512; n++)
		table[n] = table_entry(s);
	table[2] = table_at(2) >> 2 | 1;
	table[3] = RAM_BASE >> 2 | 0xdf;
	table[0] = 0xd7; /* the devices, not for U-mode's fetches */
	table[512] = table_at(0) >> 2 | 1;
	table[2 * 512] = table_at(3 + one_of(s, 2)) >> 2 | 1;
}

static uint64_t csr_value(struct source *s, unsigned num)
{
	if (num >= CSR_PMPADDR0 && num < CSR_PMPADDR0 + PMP_NR)
		return address(s) >> 2 | ((1ull << one_of(s, 12)) - 1);
	if (num == CSR_SATP)
		return (uint64_t)(8 + one_of(s, 2)) << 60 | (uint64_t)one_of(s, 3) << 44 |
		       table_at(one_of(s, 2)) >> 12;
	if (num == CSR_STIMECMP)
		return one_of(s, 64);
	return value(s);
}

static void put_counters(struct hart *h, struct source *s)
{
	for (unsigned ctr = 3; ctr < 9; ctr++) {
		csr_write(h, CSR_MHPMEVENT + ctr,
			  event_table[one_of(s, EVENT_NR)].selector | (uint64_t)one_of(s, 8) << 60);
		csr_write(h, CSR_MHPMCOUNTER + ctr, -(uint64_t)one_of(s, 200));
	}
	csr_write(h, CSR_MCYCLECFG, (uint64_t)one_of(s, 8) << 60);
	csr_write(h, CSR_MCOUNTINHIBIT, one_of(s, 8) ? 0 : rnd(s, 4));
}

/* Vectors: mostly on, of a type that is legal, and with a vstart. */
static void put_vectors(struct hart *h, struct source *s)
{
	struct vector_state *v = h->vector;
	uint64_t random = rnd64(s);

	for (unsigned n = 0; n < VECTOR_REGS * v->bytes; n++) {
		random = random * 6364136223846793005ull + 1442695040888963407ull;
		v->reg[n] = random >> 56;
	}
	if (v->thead)
		vector_set(v, one_of(s, 17), one_of(s, 300), false);
	else
		vector_set(v, (one_of(s, 4) << 3) | one_of(s, 8), one_of(s, 300), false);
	v->vstart = one_of(s, 4) ? 0 : one_of(s, 20);
	h->mstatus |= one_of(s, 8) ? MSTATUS_VS : 0;
}

static void put_hart(struct hart *h, struct source *s)
{
	static const uint8_t modes[] = { PRV_M, PRV_S, PRV_U, PRV_M };
	uint64_t code = RAM_BASE + h->id * 0x800;

	for (unsigned n = 1; n < 32; n++)
		h->x[n] = value(s);
	h->x[SP] = page_address(s) + one_of(s, 512) * 8;
	h->x[GP] = device_address(s);
	for (unsigned n = 0; n < 32; n++)
		h->f[n] = one_of(s, 2) ? 0xffffffff00000000ull | rnd(s, 4) : rnd64(s);
	for (unsigned n = one_of(s, 24); n--;) {
		unsigned num = known_csr(s);

		if (!RV_CSR_READONLY(num))
			csr_write(h, num, csr_value(s, num));
	}
	csr_write(h, CSR_PMPADDR0 + 15, UINT64_MAX);
	csr_write(h, CSR_PMPCFG0 + 2, (uint64_t)(PMP_NAPOT | PMP_R | PMP_W | PMP_X) << 56);
	if (one_of(s, 4))
		csr_write(h, CSR_SATP, csr_value(s, CSR_SATP));
	csr_write(h, CSR_MTVEC, code + 0x200 + one_of(s, 2));
	csr_write(h, CSR_STVEC, code + 0x400 + one_of(s, 2));
	csr_write(h, CSR_MEDELEG, one_of(s, 2) ? UINT64_MAX : rnd(s, 2));
	csr_write(h, CSR_MIDELEG, rnd(s, 2));
	csr_write(h, CSR_MENVCFG, one_of(s, 4) ? UINT64_MAX : rnd64(s));
	csr_write(h, CSR_MIE, rnd(s, 2));
	csr_write(h, CSR_MCOUNTEREN, UINT64_MAX);
	csr_write(h, CSR_STIMECMP, one_of(s, 80));
	put_counters(h, s);
	h->mstatus |= MSTATUS_FS;
	if (h->vector)
		put_vectors(h, s);
	h->pc = code + one_of(s, 64) * 2;
	h->mode = modes[one_of(s, 4)];
	hart_mode_changed(h);
}

static void fill(struct machine *m, struct source *s)
{
	for (unsigned n = 0; n < m->cl.harts; n++) {
		put_hart(m->cl.hart[n], s);
		/* code where the hart starts, and at its trap handlers */
		for (unsigned part = 0; part < 3; part++)
			put_code(m, s, RAM_BASE + n * 0x800 + part * 0x200, 24);
	}
	put_tables(m, s);
	for (unsigned n = 0; n < m->cl.harts; n++)
		for (unsigned part = 0; part < 3; part++)
			put_code(m, s, RAM_BASE + n * 0x800 + part * 0x200 + 48, 256 - 24);
	put_code(m, s, RAM_BASE + 0x1800, (PROGRAM_PAGES * PAGE_SIZE - 0x1800) / 2);
}

#define STOPPED -1 /* two exit statuses that no guest can have */
#define HALFWAY -2

static void stop(void *arg)
{
	machine_finish(arg, STOPPED, false);
}

static void pause_here(void *arg)
{
	machine_finish(arg, HALFWAY, false);
}

static void pass(void *arg)
{
}

/* Divisions take longer the more bits their results have, perhaps. */
static void choose_division(struct source *s, struct cost_config *c)
{
	unsigned bits = one_of(s, 4);

	if (!bits)
		return;
	c->div_bits = bits;
	c->div_cycles = one_of(s, 9);
	c->div_sign = one_of(s, 3);
	c->latency[COST_DIV] = c->busy[COST_DIV] = 1 + one_of(s, 5);
}

/* Chooses small models, with every policy and kind. */
static void choose_models(struct source *s, struct cpu_models *models)
{
	struct hierarchy_config *m = &models->hierarchy;
	uint32_t line = 16u << one_of(s, 4);
	unsigned policy = one_of(s, REPLACE_POLICIES);

	m->l1i.line = m->l1d.line = m->l2.line = m->ll.line = line;
	m->l1d.write_through = !one_of(s, 3);
	m->l1d.prefetch = m->l2.prefetch = one_of(s, CACHE_PREFETCHES);
	m->l1i.prefetch = one_of(s, CACHE_PREFETCHES);
	m->l1d.ahead = m->l1i.ahead = m->l2.ahead = m->ll.ahead = (struct prefetch_config){ 4, 2, 3,
											    2 };
	m->l1d.policy = m->l1i.policy = m->l2.policy = m->ll.policy = policy;
	m->l2.sets = one_of(s, 2) ? 16 : 0;
	m->ll.sets = one_of(s, 2) ? 32 : 0;
	m->misses = one_of(s, 4);
	m->fill_cycles = 5 * m->misses;
	m->l2_line_cycles = 4 * one_of(s, 4);
	m->ll_line_cycles = 4 * one_of(s, 8);
	m->bus_line_cycles = 4 * one_of(s, 16);
	m->write_stream = one_of(s, 3);
	m->ll_banks = 1 << one_of(s, 4);
	models->tlb.part[TLB_I].ways = 1 << one_of(s, 3);
	models->tlb.part[TLB_D].ways = 1 << one_of(s, 3);
	models->tlb.part[TLB_I].policy = models->tlb.part[TLB_D].policy = one_of(s,
										 REPLACE_POLICIES);
	models->tlb.part[TLB_D].sizes = models->tlb.part[TLB_SECOND].sizes = 1 << TLB_4K |
									     one_of(s, 32);
	models->tlb.part[TLB_SECOND].sets = one_of(s, 2) ? 4 : 0;
	models->bpred.direction = one_of(s, BPRED_DIRECTIONS);
	models->bpred.choices = 16;
	models->bpred.tage = (struct tage_config){ 3, 16, 4 + one_of(s, 8), { 2, 9, 40 } };
	models->cost.width = 1 + one_of(s, COST_WIDTH_MAX);
	models->cost.stores = one_of(s, 4);
	models->cost.loads = one_of(s, 6);
	models->cost.taken = one_of(s, 3);
	models->cost.order = one_of(s, COST_ORDERS);
	models->cost.window = 1 + one_of(s, 40);
	memset(models->cost.queues, 1 + one_of(s, 8), sizeof(models->cost.queues));
	models->cost.late_alu = models->cost.order == COST_IN_ORDER ? one_of(s, 4) : 0;
	choose_division(s, &models->cost);
}

/* Gives the CPU vectors, perhaps, of V or XTheadVector, and then perhaps Zcmp and Zcmt. */
static void choose_vectors(struct source *s, struct cpu *cpu, struct cpu_models *models)
{
	struct vunit_config *c = &models->vunit;
	unsigned more = one_of(s, 3);

	if (!more)
		return;
	for (unsigned ext = ISA_EXT_ZCMP; more == 2 && ext <= ISA_EXT_ZCMT; ext++)
		isa_set_add(&cpu->isa, ext);
	if (one_of(s, 3)) {
		isa_set_add(&cpu->isa, ISA_EXT_V);
		for (unsigned ext = ISA_EXT_ZVBB; ext <= ISA_EXT_ZVKT; ext++)
			isa_set_add(&cpu->isa, ext);
	} else {
		isa_set_add(&cpu->isa, ISA_EXT_XTHEADVECTOR);
		isa_set_add(&cpu->isa, ISA_EXT_XTHEADZVAMO);
		isa_set_remove(&cpu->isa, ISA_EXT_ZICFILP);
	}
	cpu->vlen = CPU_VLEN_MIN << one_of(s, 4);
	memset(c->cycles, 1 + one_of(s, 4), sizeof(c->cycles));
	memset(c->latency, 1 + one_of(s, 9), sizeof(c->latency));
	c->masked = 1 + one_of(s, 4);
	c->element = 1 + one_of(s, 4);
	c->chaining = one_of(s, 2);
}

enum way { INTERPRETED, NATIVE, PARANOID, PAUSED };

static FILE *open_trace(enum way way)
{
	char name[256];

	if (!getenv("FUZZ_TRACE"))
		return NULL;
	snprintf(name, sizeof(name), "%s.%d", getenv("FUZZ_TRACE"), way);
	return fopen(name, "w");
}

/* Makes the machine of an input and runs it to its end. */
static struct machine *run(struct source s, enum way way)
{
	struct machine_options o = {
		.harts = 1 + one_of(&s, 3),
		.memory = MEMORY,
		.counters = one_of(&s, 4) ? 29 : one_of(&s, 30),
		.width = one_of(&s, 2) ? 64 : 1 + one_of(&s, 64),
		.quantum = 1 + one_of(&s, 1024),
		.paranoid = way == PARANOID,
		.native = way == INTERPRETED ? MACHINE_NATIVE_OFF : MACHINE_NATIVE_AUTO,
		.native_after = 2 + one_of(&s, 4),
		.trap_misaligned = !one_of(&s, 4),
		.smstateen = one_of(&s, 2),
		.semihosting = !one_of(&s, 8),
		.console_in = -1,
		.console_out = -1,
	};
	struct cpu_models models;
	struct cpu cpu;
	uint64_t time = 200 + one_of(&s, 6000);
	bool all = one_of(&s, 2);
	FILE *trace = open_trace(way);
	struct error_text why;
	struct machine *m;

	if (way == NATIVE)
		o.native_after = 1;
	o.trace_to = trace;
	o.trace = trace ? TRACE_INSN | TRACE_CSR | TRACE_TRAP | TRACE_PMU | TRACE_MMU : 0;
	small_cpu(&cpu, &models);
	choose_vectors(&s, &cpu, &models);
	if (one_of(&s, 4)) {
		o.cpu = &cpu;
		o.models = true;
		choose_models(&s, &models);
		time *= 4;
	} else if (cpu.vlen) {
		o.cpu = &cpu;
	}
	/* The current hart matters only if there are several. */
	if (o.harts == 1 && way == PAUSED)
		o.quantum = 1 + o.quantum * 7 % 97;
	m = machine_create(&o, &why);
	if (!m)
		abort();
	for (unsigned n = 0; n < m->cl.harts; n++)
		m->cl.hart[n]->pmu.all = all;
	m->entry = RAM_BASE;
	machine_reset(m);
	fill(m, &s);
	if (way >= PARANOID)
		must(exact_start(&m->cl) && exact_time_line(&m->cl, 1 + time / 3, 1) &&
		     (!m->cl.models || exact_data(&m->cl)));
	m->board.wake_at(m, time / 2, way == PAUSED ? pause_here : pass, m);
	m->board.wake_at(m, time, stop, m);
	if (machine_run(m) == HALFWAY) {
		m->cl.finished = false;
		machine_run(m);
	}
	if (trace)
		fclose(trace);
	m->cl.trace = 0;
	return m;
}

/* A valid entry of the software TLB must point to a page of RAM. */
static void check_lines(const struct machine *m, const struct soft_line *l)
{
	uint64_t offset = l->tag + l->addend - (uint64_t)m->cl.ram;

	must(l->tag == SOFT_BAD || (offset <= MEMORY - PAGE_SIZE && !(offset & ~PAGE_MASK)));
}

static void check(const struct machine *m)
{
	for (unsigned n = 0; n < m->cl.harts; n++) {
		const struct hart *h = m->cl.hart[n];

		must(!h->x[0] && !(h->pc & 1) && !h->run);
		must(h->mode == PRV_M || h->mode == PRV_S || h->mode == PRV_U);
		for (unsigned i = 0; i < CTX_NR * SOFT_NR; i++) {
			check_lines(m, &h->soft[i / SOFT_NR].read[i % SOFT_NR]);
			check_lines(m, &h->soft[i / SOFT_NR].write[i % SOFT_NR]);
		}
	}
}

struct profile {
	const struct exact_call *calls;
	struct exact_page page;
	uint64_t total[HARTS_MAX][4][EVENT_NR];
	uint64_t print; /* fingerprint: a hash of all counts and their places, in any order */
};

static void take_page(void *arg, const struct exact_page *p)
{
	((struct profile *)arg)->page = *p;
}

static void take_row(void *arg, const struct exact_row *r)
{
	struct profile *p = arg;
	uint64_t at = r->va * 31 + p->page.satp * 1007 + p->page.hart * 5 + p->page.mode;

	for (uint32_t n = r->call; n; n = p->calls[n].caller)
		at = at * 33 + p->calls[n].va;

	for (unsigned e = 0; e < EVENT_NR; e++) {
		p->total[p->page.hart][p->page.mode][e] += r->count[e];
		p->print += (at * EVENT_NR + e) * 0x9e3779b97f4a7c15 * r->count[e];
	}
}

static void add_number(void *arg, uint64_t n)
{
	struct profile *p = arg;

	p->print = (p->print + n) * 0x9e3779b97f4a7c15;
}

static void check_data(struct machine *m, struct profile *p)
{
	const struct data *d = exact_of(&m->cl)->data;

	exact_data_write(exact_of(&m->cl), add_number, p);
	for (unsigned i = 0; i < DATA_EVENTS; i++) {
		unsigned e = exact_data_event[i];
		uint64_t total = 0, sum = 0;

		for (unsigned n = 0; n < m->cl.harts; n++) {
			if (!same_added_up(&m->cl.hart[n]->pmu, e))
				return;
			for (unsigned mode = 0; mode < 4; mode++)
				total += m->cl.hart[n]->pmu.total[mode][e];
		}
		for (size_t n = 1; n < d->all_rows.nr; n++)
			sum += d->all_rows.at[n]->count[i];
		must(sum == total);
	}
}

static uint64_t check_profile(struct machine *m)
{
	struct profile p = { 0 };
	struct exact_times t;
	uint64_t folded;
	uint32_t nr;

	p.calls = exact_calls(&m->cl, &nr, &folded);
	for (uint32_t n = 1; n < nr; n++)
		must(p.calls[n].caller < n);
	must(exact_read(&m->cl, &(struct exact_reader){ take_page, take_row, &p }));
	t = exact_times(&m->cl);
	for (size_t n = 0; n < t.nr; n++) {
		const struct exact_slice *s = &t.slice[n];
		uint64_t at = s->interval * 31 + s->satp * 1007 + s->hart * 5 + s->owner;

		for (unsigned e = 0; e < EVENT_NR; e++)
			p.print += (at * EVENT_NR + e) * 0xd6e8feb86659fd93 * s->count[e];
	}
	for (unsigned n = 0; n < m->cl.harts; n++) {
		const struct pmu *pmu = &m->cl.hart[n]->pmu;

		for (unsigned e = 0; e < EVENT_NR; e++) {
			for (unsigned mode = 0; same_added_up(pmu, e) && mode < 4; mode++)
				must(p.total[n][mode][e] == pmu->total[mode][e]);
		}
	}
	if (exact_of(&m->cl)->data)
		check_data(m, &p);
	return p.print;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source s = { { data, data + size }, size };
	struct machine *first, *other;
	uint64_t print = 0;

	s.state = fnv_add(0, data, size);
	first = run(s, INTERPRETED);
	check(first);
	for (enum way way = NATIVE; way <= PAUSED; way++) {
		unsigned mode[HARTS_MAX];

		for (unsigned n = 0; n < first->cl.harts; n++)
			mode[n] = first->cl.hart[n]->mode;
		other = run(s, way);
		check(other);
		same_machine(first, other);
		if (way >= PARANOID) {
			must(way == PARANOID || check_profile(other) == print);
			print = check_profile(other);
		}
		machine_destroy(other);
		for (unsigned n = 0; n < first->cl.harts; n++)
			first->cl.hart[n]->mode = mode[n];
	}
	machine_destroy(first);
	return 0;
}

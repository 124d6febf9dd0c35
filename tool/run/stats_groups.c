// SPDX-License-Identifier: BSD-2-Clause
/*
 * stats_groups.c - prints the event counts of all harts for reading: in groups, with ratios, and
 * without the events that did not happen (stats.h).
 */
#include <inttypes.h>

#include "fit.h"
#include "stats.h"

#define NR(array) (sizeof(array) / sizeof(*(array)))

/* How an event's rate is shown: of another event, its base. */
enum rate {
	RATE_NONE,
	RATE_MISSES, /* misses of lookups, in percent */
	RATE_WRONG, /* mispredictions of branches */
	RATE_PART, /* another part of the base */
	RATE_CYCLES, /* part of the cycles */
	RATE_IPC,
};

#define HEAD(text)                                                                                 \
	{                                                                                          \
		text, EVENT_NONE, RATE_NONE, EVENT_NONE                                            \
	}
#define PLAIN(event)                                                                               \
	{                                                                                          \
		NULL, EVENT_##event, RATE_NONE, EVENT_NONE                                         \
	}
#define OF(event, rate, base)                                                                      \
	{                                                                                          \
		NULL, EVENT_##event, RATE_##rate, EVENT_##base                                     \
	}
#define MISSES(event) PLAIN(event), OF(event##_MISS, MISSES, event)
#define WAIT(event)   OF(WAIT_##event, CYCLES, CYCLES)

/* The cycles in which something issues (out of order: retires): all that nothing waits for. */
#define ISSUING ((enum event)EVENT_NR)

/* Each event once (tests/unit/tool/run/test_stats.c checks that). */
static const struct row {
	const char *group; /* NULL: it is an event */
	enum event event;
	enum rate rate;
	enum event base;
} rows[] = {
	HEAD("time"),
	PLAIN(CYCLES),
	OF(INSTRUCTIONS, IPC, CYCLES),

	HEAD("instructions"),
	PLAIN(LOAD),
	PLAIN(INT_LOAD),
	PLAIN(FP_LOAD),
	PLAIN(STORE),
	PLAIN(INT_STORE),
	PLAIN(FP_STORE),
	PLAIN(MISALIGNED),
	PLAIN(AMO),
	PLAIN(LR),
	PLAIN(SC),
	PLAIN(ALU),
	PLAIN(INT_ADD),
	PLAIN(MUL),
	PLAIN(DIV),
	PLAIN(FP),
	PLAIN(FP_ADD),
	PLAIN(FP_MUL),
	PLAIN(FP_FMA),
	PLAIN(FP_DIV),
	PLAIN(FP_CVT),
	PLAIN(FP_MISC),
	PLAIN(CSR),
	PLAIN(CSR_WRITE),
	PLAIN(SYSTEM),
	PLAIN(FENCE),

	HEAD("vectors"),
	PLAIN(VECTOR),
	PLAIN(VECTOR_CONFIG),
	PLAIN(VECTOR_LOAD),
	PLAIN(VECTOR_STORE),
	PLAIN(VECTOR_UNIT),
	PLAIN(VECTOR_STRIDED),
	PLAIN(VECTOR_INDEXED),
	PLAIN(VECTOR_LINE),
	PLAIN(VECTOR_INT),
	PLAIN(VECTOR_FIXED),
	PLAIN(VECTOR_FLOAT),
	PLAIN(VECTOR_REDUCE),
	PLAIN(VECTOR_MASK),
	PLAIN(VECTOR_PERMUTE),
	PLAIN(VECTOR_CRYPTO),
	PLAIN(VECTOR_LANE),
	OF(VECTOR_ELEMENT, PART, VECTOR_LANE),
	OF(VECTOR_ACTIVE, PART, VECTOR_ELEMENT),

	HEAD("branches and jumps"),
	PLAIN(CONTROL),
	PLAIN(BRANCH),
	OF(TAKEN, PART, BRANCH),
	OF(NOT_TAKEN, PART, BRANCH),
	OF(BAD_DIRECTION, WRONG, BRANCH),
	OF(BAD_TAKEN, WRONG, TAKEN),
	PLAIN(JUMP),
	PLAIN(JAL),
	PLAIN(INDIRECT),
	OF(BAD_TARGET, WRONG, INDIRECT),
	PLAIN(CALL),
	PLAIN(RETURN),
	OF(BAD_RETURN, WRONG, RETURN),
	PLAIN(BTB_MISS),

	HEAD("L1 caches"),
	MISSES(L1I_READ),
	MISSES(L1I_PREFETCH),
	MISSES(L1D_READ),
	MISSES(L1D_WRITE),
	MISSES(L1D_WALK),
	MISSES(L1D_PREFETCH),
	PLAIN(L1D_WRITEBACK),

	HEAD("L2 cache"),
	MISSES(L2_READ),
	MISSES(L2_WRITE),
	MISSES(L2_PREFETCH),
	MISSES(L2_UPDATE),
	PLAIN(L2_WRITEBACK),

	HEAD("last level of caches"),
	MISSES(LL_READ),
	MISSES(LL_WRITE),
	MISSES(LL_PREFETCH),
	MISSES(LL_UPDATE),
	PLAIN(LL_WRITEBACK),

	HEAD("memory"),
	PLAIN(BUS_READ),
	PLAIN(BUS_WRITE),
	PLAIN(BUS_PREFETCH),
	PLAIN(UNCACHED_FETCH),
	PLAIN(UNCACHED_READ),
	PLAIN(UNCACHED_WRITE),
	PLAIN(SNOOP_INVALIDATE),
	PLAIN(SNOOP_WRITEBACK),

	HEAD("TLBs"),
	PLAIN(ITLB),
	OF(ITLB_MISS, MISSES, ITLB),
	MISSES(DTLB_READ),
	MISSES(DTLB_WRITE),
	MISSES(STLB_FETCH),
	MISSES(STLB_READ),
	MISSES(STLB_WRITE),
	PLAIN(WALK),
	PLAIN(WALK_READ),
	OF(WALK_CYCLES, CYCLES, CYCLES),

	/* Their sum is all cycles, but for the indented parts of wait-read. */
	HEAD("cycles, by what they wait for"),
	{ NULL, ISSUING, RATE_CYCLES, EVENT_CYCLES },
	WAIT(LOAD),
	WAIT(INT),
	WAIT(FP),
	WAIT(UNIT),
	WAIT(SERIAL),
	WAIT(BRANCH),
	WAIT(FETCH),
	WAIT(UNCACHED_FETCH),
	WAIT(ITLB),
	WAIT(READ),
	OF(WAIT_READ_L2, PART, WAIT_READ),
	OF(WAIT_READ_LL, PART, WAIT_READ),
	OF(WAIT_READ_MEMORY, PART, WAIT_READ),
	WAIT(WRITE),
	WAIT(UNCACHED_READ),
	WAIT(UNCACHED_WRITE),
	WAIT(DTLB),
	WAIT(VECTOR),

	HEAD("traps"),
	PLAIN(EXCEPTION),
	PLAIN(PAGE_FAULT),
	PLAIN(ECALL),
	PLAIN(INTERRUPT),
};

struct counts {
	uint64_t sum[EVENT_NR + 1]; /* ISSUING, too */
	uint64_t mode[EVENT_NR + 1][4]; /* by PRV_ */
};

static void add(struct counts *c, const struct hart *h, const struct stats_before *before)
{
	for (unsigned e = 0; e < EVENT_NR; e++) {
		for (unsigned prv = 0; prv < 4; prv++) {
			uint64_t nr = h->pmu.total[prv][e] - before->total[prv][e];

			c->mode[e][prv] += nr;
			c->sum[e] += nr;
		}
	}
}

/* Computes ISSUING: machines without models have no such row. */
static void add_issuing(struct counts *c, const struct machine *m)
{
	if (!m->cl.models)
		return;
	c->sum[ISSUING] = c->sum[EVENT_CYCLES];
	for (unsigned prv = 0; prv < 4; prv++)
		c->mode[ISSUING][prv] = c->mode[EVENT_CYCLES][prv];
	for (unsigned e = EVENT_WAIT_LOAD; e <= EVENT_WAIT_VECTOR; e++) {
		c->sum[ISSUING] -= c->sum[e];
		for (unsigned prv = 0; prv < 4; prv++)
			c->mode[ISSUING][prv] -= c->mode[e][prv];
	}
}

static void print_rate(const struct counts *c, const struct row *r, FILE *to)
{
	static const char *const words[] = {
		[RATE_MISSES] = "misses",
		[RATE_WRONG] = "wrong",
		[RATE_PART] = "of them",
		[RATE_CYCLES] = "of cycles",
	};
	uint64_t base = r->base == EVENT_NONE ? 0 : c->sum[r->base];

	if (r->rate == RATE_NONE || !base)
		fprintf(to, "  %-16s", "");
	else if (r->rate == RATE_IPC)
		fprintf(to, "  %6.2f %-9s", (double)c->sum[r->event] / base, "a cycle");
	else
		fprintf(to, "  %5.1f%% %-9s", 100.0 * c->sum[r->event] / base, words[r->rate]);
}

static void print_event(const struct counts *c, const struct row *r, FILE *to)
{
	static const unsigned modes[] = { PRV_M, PRV_S, PRV_U };
	uint64_t nr = c->sum[r->event], insns = c->sum[EVENT_INSTRUCTIONS];
	char number[FIT_NUMBER_SIZE];

	fprintf(to, "  %-20s%17s", r->event == ISSUING ? "issuing" : event_table[r->event].name,
		fit_number(number, nr));
	if (insns && r->event != EVENT_CYCLES && r->event != EVENT_INSTRUCTIONS)
		fprintf(to, "%10.2f", 1000.0 * nr / insns);
	else
		fprintf(to, "%10s", "");
	print_rate(c, r, to);
	for (unsigned n = 0; n < NR(modes); n++)
		fprintf(to, "%4.0f%%", 100.0 * c->mode[r->event][modes[n]] / nr);
	fputc('\n', to);
}

/* One line a hart: its time, and what it did in it. */
static void print_hart(const struct machine *m, const struct stats_before *before, unsigned n,
		       FILE *to)
{
	const struct hart *h = m->cl.hart[n];
	struct counts c = { 0 };
	char number[FIT_NUMBER_SIZE];

	add(&c, h, before);
	fprintf(to, "hart %u: %.6f s of guest time, %s instructions", n,
		(machine_hart_ns(m, n) - before->ns) / 1e9,
		fit_number(number, c.sum[EVENT_INSTRUCTIONS]));
	if (c.sum[EVENT_CYCLES])
		fprintf(to, ", %.2f a cycle",
			(double)c.sum[EVENT_INSTRUCTIONS] / c.sum[EVENT_CYCLES]);
	fputc('\n', to);
}

void stats_groups(const struct machine *m, const struct stats_before before[HARTS_MAX], FILE *to)
{
	const struct row *group = NULL;
	struct counts c = { 0 };
	unsigned zeros = 0;

	for (unsigned n = 0; n < m->cl.harts; n++) {
		print_hart(m, &before[n], n, to);
		add(&c, m->cl.hart[n], &before[n]);
	}
	add_issuing(&c, m);
	fprintf(to, "%-22s%17s%10s  %-16s%5s%5s%5s\n", "", m->cl.harts > 1 ? "all harts" : "count",
		"per 1000i", "rate", "M", "S", "U");
	for (unsigned n = 0; n < NR(rows); n++) {
		if (rows[n].group) {
			group = &rows[n];
			continue;
		}
		if (!c.sum[rows[n].event]) {
			zeros += rows[n].event != ISSUING;
			continue;
		}
		if (group)
			fprintf(to, "%s\n", group->group);
		group = NULL;
		print_event(&c, &rows[n], to);
	}
	if (zeros)
		fprintf(to, "%u events did not happen; --stats-all prints them, too\n", zeros);
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * event.c - the one list of events.
 *
 * It has the events of include/rv/sbi_event.def (SBI 3.0 §11.1, §11.2, §11.5), so that every event
 * has its SBI name on every CPU, and the software events of Linux.  Linux numbers general and cache
 * events as the SBI does.  A raw event of Linux with config bit 63 is a firmware event; with bits
 * 63 and 62 it is a platform firmware event (the kernel's riscv_pmu_sbi driver).
 *
 * Pure: no system calls, no state.
 */
#include <linux/perf_event.h>
#include <string.h>

#include "error.h"
#include "rows.h"

#define NAME(text) text, sizeof(text) - 1
#define CACHE_ROW(id, cache, cache_text, op, op_id, result, result_id, what)                       \
	{ NAME("HW_CACHE_" #cache "_" #op "_" #result), cache_text ": " what,                      \
	  PMC_EV_RISCV_SBI_FIRST | SBI_PMU_EIDX_CACHE(id, op_id, result_id), PERF_TYPE_HW_CACHE,   \
	  (id) | (op_id) << 8 | (result_id) << 16 },

static const struct lpmc_event rows[] = {
#define HW(code, name, text)                                                                       \
	{ NAME("HW_" #name), text, LPMC_EV(HW, code), PERF_TYPE_HARDWARE, (code)-1 },
#include <rv/sbi_event.def>
#define CACHE(id, name, text)                                                                      \
	CACHE_ROW(id, name, text, READ, SBI_PMU_HW_CACHE_OP_READ, ACCESS,                          \
		  SBI_PMU_HW_CACHE_RESULT_ACCESS, "reads")                                         \
	CACHE_ROW(id, name, text, READ, SBI_PMU_HW_CACHE_OP_READ, MISS,                            \
		  SBI_PMU_HW_CACHE_RESULT_MISS, "reads that miss")                                 \
	CACHE_ROW(id, name, text, WRITE, SBI_PMU_HW_CACHE_OP_WRITE, ACCESS,                        \
		  SBI_PMU_HW_CACHE_RESULT_ACCESS, "writes")                                        \
	CACHE_ROW(id, name, text, WRITE, SBI_PMU_HW_CACHE_OP_WRITE, MISS,                          \
		  SBI_PMU_HW_CACHE_RESULT_MISS, "writes that miss")                                \
	CACHE_ROW(id, name, text, PREFETCH, SBI_PMU_HW_CACHE_OP_PREFETCH, ACCESS,                  \
		  SBI_PMU_HW_CACHE_RESULT_ACCESS, "prefetches")                                    \
	CACHE_ROW(id, name, text, PREFETCH, SBI_PMU_HW_CACHE_OP_PREFETCH, MISS,                    \
		  SBI_PMU_HW_CACHE_RESULT_MISS, "prefetches that miss")
#include <rv/sbi_event.def>
#define FW(code, name, text)                                                                       \
	{ NAME("FW_" #name), "firmware: " text, LPMC_EV(FW, code), PERF_TYPE_RAW,                  \
	  LPMC_LINUX_FW | (code) },
#include <rv/sbi_event.def>
#define SOFT(name, config, text)                                                                   \
	{ NAME(#name), text, PMC_EV_SOFT_##name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##config },
	SOFT(CPU_CLOCK, CPU_CLOCK, "nanoseconds, by the CPU's clock") SOFT(
		TASK_CLOCK, TASK_CLOCK,
		"nanoseconds that the task ran") SOFT(PAGE_FAULTS, PAGE_FAULTS, "page faults")
		SOFT(PAGE_FAULTS_MINOR, PAGE_FAULTS_MIN, "page faults that needed no reading")
			SOFT(PAGE_FAULTS_MAJOR, PAGE_FAULTS_MAJ,
			     "page faults that waited for a device")
				SOFT(CONTEXT_SWITCHES, CONTEXT_SWITCHES, "context switches")
					SOFT(CPU_MIGRATIONS, CPU_MIGRATIONS, "moves to another CPU")
};

_Static_assert((int)SBI_PMU_HW_CACHE_OP_COUNT == 3, "an operation of caches has no rows");

/* Names that others use for these events: Linux (perf list) and FreeBSD (its generic names). */
static const struct {
	const char *name;
	uint32_t ev;
} aliases[] = {
	{ "cycles", LPMC_EV(HW, SBI_PMU_HW_CPU_CYCLES) },
	{ "unhalted-cycles", LPMC_EV(HW, SBI_PMU_HW_CPU_CYCLES) },
	{ "cpu-cycles", LPMC_EV(HW, SBI_PMU_HW_CPU_CYCLES) },
	{ "instructions", LPMC_EV(HW, SBI_PMU_HW_INSTRUCTIONS) },
	{ "instruction-retired", LPMC_EV(HW, SBI_PMU_HW_INSTRUCTIONS) },
	{ "cache-references", LPMC_EV(HW, SBI_PMU_HW_CACHE_REFERENCES) },
	{ "cache-misses", LPMC_EV(HW, SBI_PMU_HW_CACHE_MISSES) },
	{ "branches", LPMC_EV(HW, SBI_PMU_HW_BRANCH_INSTRUCTIONS) },
	{ "branch-instructions", LPMC_EV(HW, SBI_PMU_HW_BRANCH_INSTRUCTIONS) },
	{ "branch-misses", LPMC_EV(HW, SBI_PMU_HW_BRANCH_MISSES) },
	{ "branch-mispredicts", LPMC_EV(HW, SBI_PMU_HW_BRANCH_MISSES) },
	{ "bus-cycles", LPMC_EV(HW, SBI_PMU_HW_BUS_CYCLES) },
	{ "stalled-cycles-frontend", LPMC_EV(HW, SBI_PMU_HW_STALLED_CYCLES_FRONTEND) },
	{ "idle-cycles-frontend", LPMC_EV(HW, SBI_PMU_HW_STALLED_CYCLES_FRONTEND) },
	{ "stalled-cycles-backend", LPMC_EV(HW, SBI_PMU_HW_STALLED_CYCLES_BACKEND) },
	{ "idle-cycles-backend", LPMC_EV(HW, SBI_PMU_HW_STALLED_CYCLES_BACKEND) },
	{ "ref-cycles", LPMC_EV(HW, SBI_PMU_HW_REF_CPU_CYCLES) },
	{ "dc-misses", PMC_EV_RISCV_SBI_FIRST |
			       SBI_PMU_EIDX_CACHE(SBI_PMU_HW_CACHE_L1D, SBI_PMU_HW_CACHE_OP_READ,
						  SBI_PMU_HW_CACHE_RESULT_MISS) },
	{ "ic-misses", PMC_EV_RISCV_SBI_FIRST |
			       SBI_PMU_EIDX_CACHE(SBI_PMU_HW_CACHE_L1I, SBI_PMU_HW_CACHE_OP_READ,
						  SBI_PMU_HW_CACHE_RESULT_MISS) },
	{ "page-fault.all", PMC_EV_SOFT_PAGE_FAULTS },
	{ "faults", PMC_EV_SOFT_PAGE_FAULTS },
	{ "minor-faults", PMC_EV_SOFT_PAGE_FAULTS_MINOR },
	{ "major-faults", PMC_EV_SOFT_PAGE_FAULTS_MAJOR },
	{ "cs", PMC_EV_SOFT_CONTEXT_SWITCHES },
	{ "migrations", PMC_EV_SOFT_CPU_MIGRATIONS },
};

/* Linux's name of a cache event is one name of each table, joined. */
static const char *const cache_alias[] = {
	[SBI_PMU_HW_CACHE_L1D] = "L1-dcache", [SBI_PMU_HW_CACHE_L1I] = "L1-icache",
	[SBI_PMU_HW_CACHE_LL] = "LLC",	      [SBI_PMU_HW_CACHE_DTLB] = "dTLB",
	[SBI_PMU_HW_CACHE_ITLB] = "iTLB",     [SBI_PMU_HW_CACHE_BPU] = "branch",
	[SBI_PMU_HW_CACHE_NODE] = "node",
};
static const char *const cache_op_alias[] = {
	/* by op_id << 1 | result_id */
	"-loads", "-load-misses", "-stores", "-store-misses", "-prefetches", "-prefetch-misses",
};

bool lpmc_name_same(const char *a, const char *b, size_t b_len)
{
	for (size_t i = 0; i < b_len; i++) {
		if (!a[i] || (a[i] != b[i] && lpmc_fold(a[i]) != lpmc_fold(b[i])))
			return false;
	}
	return !a[b_len];
}

const struct lpmc_event *lpmc_event_row(const struct lpmc_cpu_events *cpu, unsigned n)
{
	if (n < LPMC_NR(rows))
		return &rows[n];
	n -= LPMC_NR(rows);
	return cpu && n < cpu->nr ? &cpu->at[n].event : NULL;
}

bool lpmc_event_is_of_cpu(uint32_t ev)
{
	return ev >= LPMC_EV_CPU_FIRST && ev < LPMC_EV_CPU_FIRST + LPMC_CPU_EVENTS_MAX;
}

const struct lpmc_event *lpmc_event_of(const struct lpmc_cpu_events *cpu, uint32_t ev)
{
	if (lpmc_event_is_of_cpu(ev))
		return lpmc_event_row(cpu, LPMC_NR(rows) + ev - LPMC_EV_CPU_FIRST);
	for (unsigned i = 0; i < LPMC_NR(rows); i++) {
		if (rows[i].ev == ev)
			return &rows[i];
	}
	return NULL;
}

enum pmc_class lpmc_event_class(uint32_t ev)
{
	return ev >= PMC_EV_RISCV_SBI_FIRST ? PMC_CLASS_RISCV_SBI : PMC_CLASS_SOFT;
}

bool lpmc_event_is_firmware(const struct lpmc_event *e)
{
	return e->type == PERF_TYPE_RAW && (e->config & LPMC_LINUX_FW);
}

bool lpmc_event_is_clock(const struct lpmc_event *e)
{
	return e->type == PERF_TYPE_SOFTWARE &&
	       (e->config == PERF_COUNT_SW_CPU_CLOCK || e->config == PERF_COUNT_SW_TASK_CLOCK);
}

bool lpmc_event_is_of_kernel(const struct lpmc_event *e)
{
	return e->type == PERF_TYPE_SOFTWARE && (e->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
						 e->config == PERF_COUNT_SW_CPU_MIGRATIONS);
}

const char *lpmc_event_alias(unsigned n, uint32_t *ev)
{
	if (n >= LPMC_NR(aliases))
		return NULL;
	*ev = aliases[n].ev;
	return aliases[n].name;
}

/* Finds the event of a name such as "L1-dcache-load-misses". */
static const struct lpmc_event *cache_by_alias(const char *name, size_t len)
{
	for (unsigned id = 0; id < LPMC_NR(cache_alias); id++) {
		size_t head = strlen(cache_alias[id]);

		if (len <= head || !lpmc_name_same(cache_alias[id], name, head))
			continue;
		for (unsigned op = 0; op < LPMC_NR(cache_op_alias); op++) {
			if (lpmc_name_same(cache_op_alias[op], name + head, len - head))
				return lpmc_event_of(NULL, LPMC_EV(CACHE, id << 3 | op));
		}
	}
	return NULL;
}

bool lpmc_event_cache_alias(uint32_t ev, const char **cache, const char **op)
{
	uint32_t eidx = ev & ~(uint32_t)PMC_EV_RISCV_SBI_FIRST, code = eidx & 0xffff;

	if (ev < PMC_EV_RISCV_SBI_FIRST || eidx >> 16 != SBI_PMU_TYPE_CACHE)
		return false;
	*cache = cache_alias[code >> 3];
	*op = cache_op_alias[code & 7];
	return true;
}

/* The event of the list. */
static const struct lpmc_event *by_name(const char *name, size_t len)
{
	for (unsigned i = 0; i < LPMC_NR(rows); i++) {
		/* Names of one length are few. */
		if (rows[i].name_len == len && lpmc_name_same(rows[i].name, name, len))
			return &rows[i];
	}
	for (unsigned i = 0; i < LPMC_NR(aliases); i++) {
		if (lpmc_name_same(aliases[i].name, name, len))
			return lpmc_event_of(NULL, aliases[i].ev);
	}
	return cache_by_alias(name, len);
}

const struct lpmc_event *lpmc_event_by_name(const struct lpmc_cpu_events *cpu, const char *name,
					    size_t len)
{
	const struct lpmc_event *e = by_name(name, len);

	for (unsigned i = 0; !e && cpu && i < cpu->nr; i++) {
		if (lpmc_name_same(cpu->at[i].name, name, len))
			e = &cpu->at[i].event;
	}
	return e;
}

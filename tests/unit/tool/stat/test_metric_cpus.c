// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_metric_cpus.c - the built-in groups of metrics on every CPU of cpu/: the events chosen for a
 * core are events that the core counts.
 *
 * usage: test_tool_metric_cpus FOLDER     with the compiled descriptions
 */
#include <limits.h>

#include <metric.h>

#include "cpu_blobs.h"
#include "pmu.h"

extern const char metric_builtin[]; /* tool/stat/metrics/embed */

static void read_all(struct metrics *m)
{
	const char *name = metric_builtin, *text;
	struct expr_error error;
	unsigned line;

	for (; *name; name = text + strlen(text) + 1) {
		text = name + strlen(name) + 1;
		ok(metric_parse(m, name, text, strlen(text), &line, &error));
	}
}

/* Does a CPU count the event of a value? */
static bool counts(const struct cpu *cpu, const char *value)
{
	static const struct {
		const char *name;
		unsigned eidx; /* SBI 3.0 §11.1 */
	} general[] = {
		{ "HW_BRANCH_INSTRUCTIONS", 5 },
		{ "HW_BRANCH_MISSES", 6 },
		{ "HW_STALLED_CYCLES_FRONTEND", 8 },
		{ "HW_STALLED_CYCLES_BACKEND", 9 },
		{ "HW_CACHE_REFERENCES", 3 },
		{ "HW_CACHE_MISSES", 4 },
		{ "HW_CACHE_L1D_READ_ACCESS", 0x10000 },
		{ "HW_CACHE_L1D_READ_MISS", 0x10001 },
		{ "HW_CACHE_L1I_READ_ACCESS", 0x10008 },
		{ "HW_CACHE_L1I_READ_MISS", 0x10009 },
		{ "HW_CACHE_LL_READ_ACCESS", 0x10010 },
		{ "HW_CACHE_LL_READ_MISS", 0x10011 },
		{ "HW_CACHE_DTLB_READ_ACCESS", 0x10018 },
		{ "HW_CACHE_DTLB_READ_MISS", 0x10019 },
		{ "HW_CACHE_ITLB_READ_MISS", 0x10021 },
	};

	if (!strncmp(value, "raw=", 4))
		return selector_counters(&cpu->pmu, UINT_MAX, strtoull(value + 4, NULL, 16));
	for (unsigned n = 0; n < TAP_NR(general); n++) {
		for (unsigned i = 0; !strcmp(general[n].name, value) && i < cpu->pmu.eidx_nr; i++) {
			if (cpu->pmu.eidx[i].eidx == general[n].eidx)
				return true;
		}
	}
	return !strcmp(value, "HW_CPU_CYCLES") || !strcmp(value, "HW_INSTRUCTIONS");
}

/*
 * A group that has nr metrics on every CPU, some of which may be told to be absent, but not all;
 * the events of the others have room on the counters together.
 */
static void is_counted(const char *name, unsigned nr)
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct cpu *cpu = load(cpus[n]);
		struct metric_cpu id = { true, cpu->mvendorid, cpu->marchid };
		struct metrics m = { 0 };
		unsigned found = 0, there = 0;
		uint64_t used = 0;
		int group;

		read_all(&m);
		ok(metric_choose(&m, &id));
		group = metric_group(&m, name);
		for (unsigned i = 0; i < m.list.nr; i++) {
			const struct expr *e = &m.list.at[i].expr;

			if ((int)m.list.at[i].group != group)
				continue;
			found += strcmp(m.list.at[i].name, "stlb-mpki") != 0; /* of some cores */
			there += !m.list.at[i].absent;
			for (unsigned op = 0; op < e->nr; op++) {
				const char *value = m.values.at[e->op[op].value];

				tap_context("%s: %s of %s", cpus[n], value, m.list.at[i].name);
				if (e->op[op].kind != EXPR_VALUE)
					continue;
				ok(counts(cpu, value));
				if (strcmp(value, "HW_CPU_CYCLES") &&
				    strcmp(value, "HW_INSTRUCTIONS"))
					used |= 1ull << e->op[op].value;
			}
		}
		tap_context("%s", cpus[n]);
		is(found, nr);
		ok(there > 1);
		ok(__builtin_popcountll(used) <= __builtin_popcount(cpu->pmu.counters));
		metric_free(&m);
		cpu_free(cpu);
	}
}

static void branches(void)
{
	is_counted("branches", 3);
}

static void cpi(void)
{
	is_counted("cpi", 3);
}

static void caches(void)
{
	is_counted("cache", 7);
}

static void tlbs(void)
{
	is_counted("tlb", 3);
}

/* Only a CPU with the machine's own selectors, and with vectors. */
static void vectors(void)
{
	struct cpu *cpu = load("rva23");
	struct metric_cpu id = { true, cpu->mvendorid, cpu->marchid };
	struct metrics m = { 0 };
	unsigned found = 0;
	int group;

	read_all(&m);
	ok(metric_choose(&m, &id));
	group = metric_group(&m, "vector");
	for (unsigned i = 0; i < m.list.nr; i++) {
		const struct expr *e = &m.list.at[i].expr;

		if ((int)m.list.at[i].group != group)
			continue;
		found++;
		for (unsigned op = 0; op < e->nr; op++)
			ok(e->op[op].kind != EXPR_VALUE ||
			   counts(cpu, m.values.at[e->op[op].value]));
	}
	is(found, 5);
	metric_free(&m);
	cpu_free(cpu);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "branches, on every CPU", branches },
		{ "cycles per instruction, on every CPU", cpi },
		{ "caches, on every CPU", caches },
		{ "TLBs, on every CPU", tlbs },
		{ "vectors, on rva23", vectors },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return tap_run(cases, TAP_NR(cases));
}

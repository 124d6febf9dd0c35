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
#include "event.h"
#include "fakekernel.h"
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

/* Returns the name of a selector that counts one event; "": it counts several, or none. */
static const char *name_of(const struct cpu *cpu, unsigned n)
{
	const struct selector *s = &cpu->pmu.selector[n];
	unsigned e = event_set_next(&s->set, 0);

	if (e == EVENT_NONE || event_set_next(&s->set, e + 1) != EVENT_NONE ||
	    !selector_counters(&cpu->pmu, UINT_MAX, s->value))
		return "";
	return event_table[e].name;
}

/* Begins on a machine of this CPU, whose device tree names its events (sim/machine/fdt.c). */
static void boot(const struct cpu *cpu)
{
	static char names[SELECTOR_MAX * 64], selectors[SELECTOR_MAX * 8];
	size_t nr = 0, at = 0;

	for (unsigned n = 0; n < cpu->pmu.nr; n++) {
		const char *name = name_of(cpu, n);
		uint64_t value = cpu->pmu.selector[n].value;

		if (!*name)
			continue;
		at += (size_t)snprintf(names + at, sizeof(names) - at, "%s", name) + 1;
		for (unsigned i = 0; i < 8; i++)
			selectors[8 * nr + i] = (char)(value >> (56 - 8 * i));
		nr++;
	}
	fake_boot();
	fake.event_names = names;
	fake.event_names_size = at;
	fake.event_selectors = selectors;
	fake.event_selectors_size = 8 * nr;
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
	for (unsigned n = 0; n < cpu->pmu.nr; n++) {
		if (!strcmp(name_of(cpu, n), value))
			return true;
	}
	for (unsigned n = 0; n < TAP_NR(general); n++) {
		for (unsigned i = 0; !strcmp(general[n].name, value) && i < cpu->pmu.eidx_nr; i++) {
			if (cpu->pmu.eidx[i].eidx == general[n].eidx)
				return true;
		}
	}
	return !strcmp(value, "HW_CPU_CYCLES") || !strcmp(value, "HW_INSTRUCTIONS");
}

/*
 * A group has nr metrics on this CPU.  Returns how many of them are not absent: the events of these
 * have room on the counters together.
 */
static unsigned is_counted_on(const struct cpu *cpu, const char *cpu_name, const char *name,
			      unsigned nr)
{
	struct metric_cpu id = { true, cpu->mvendorid, cpu->marchid };
	struct metrics m = { 0 };
	unsigned found = 0, there = 0;
	uint64_t used = 0;
	int group;

	boot(cpu);
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

			tap_context("%s: %s of %s", cpu_name, value, m.list.at[i].name);
			if (e->op[op].kind != EXPR_VALUE)
				continue;
			ok(counts(cpu, value));
			if (strcmp(value, "HW_CPU_CYCLES") && strcmp(value, "HW_INSTRUCTIONS"))
				used |= 1ull << e->op[op].value;
		}
	}
	tap_context("%s", cpu_name);
	is(found, nr);
	ok(__builtin_popcountll(used) <= __builtin_popcount(cpu->pmu.counters));
	metric_free(&m);
	fake_end();
	return there;
}

static void is_counted(const char *name, unsigned nr)
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct cpu *cpu = load(cpus[n]);

		ok(is_counted_on(cpu, cpus[n], name, nr) > 1);
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

/*
 * CPUs with the machine's own selectors have all of it; T-Head's cores count vector instructions
 * alone.
 */
static void vectors(void)
{
	static const struct {
		const char *cpu;
		unsigned there;
	} has[] = { { "c908", 1 },  { "c910", 1 }, { "max", 5 },
		    { "rva23", 5 }, { "x100", 5 }, { "x60", 5 } };
	unsigned with = 0;

	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct cpu *cpu = load(cpus[n]);
		bool vector = with < TAP_NR(has) && !strcmp(cpus[n], has[with].cpu);

		is(is_counted_on(cpu, cpus[n], "vector", vector ? 5 : 0),
		   vector ? has[with].there : 0);
		with += vector;
		cpu_free(cpu);
	}
	is(with, TAP_NR(has));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "branches, on every CPU", branches },
		{ "cycles per instruction, on every CPU", cpi },
		{ "caches, on every CPU", caches },
		{ "TLBs, on every CPU", tlbs },
		{ "vectors, on every CPU that has them", vectors },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return tap_run(cases, TAP_NR(cases));
}

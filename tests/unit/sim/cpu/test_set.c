// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_set.c - --set: each property changes and refuses, and what follows from it; the messages of
 * what it refuses are in test_set_refused.c.
 *
 * usage: test_sim_set FOLDER      with the compiled descriptions and board.dtb
 */
#include <libfdt.h>

#include "cpu_models.h"
#include "number.h"
#include "property.h"
#include "set_rig.h"

/* The value of a property of a CPU; "": it has none. */
static const char *value_of(const struct cpu *cpu, const char *name)
{
	static struct cpu_property p;

	for (unsigned n = 0; cpu_property(cpu, n, &p); n++) {
		if (!strcmp(p.name, name))
			return p.value;
	}
	return "";
}

/* Whether NAME=VALUE is accepted, and value_of() then shows it. */
static bool accepts(const char *cpu_name, const char *name, const char *value)
{
	char text[200];
	struct error_text why;
	struct cpu *cpu;
	bool shown;

	snprintf(text, sizeof(text), "%s=%s", name, value);
	cpu = read_with(cpu_name, (const char *const[SETS_MAX]){ text }, &why);
	if (!cpu)
		return false;
	shown = !strcmp(value_of(cpu, name), value);
	cpu_free(cpu);
	return shown;
}

/* NAME=VALUE is refused, and the message begins with it. */
static void refuses(const char *cpu_name, const char *name, const char *value)
{
	char text[200], begin[220];
	struct error_text why;

	snprintf(text, sizeof(text), "%s=%s", name, value);
	snprintf(begin, sizeof(begin), "--set %s: ", text);
	tap_context("%s", text);
	ok(!read_with(cpu_name, (const char *const[SETS_MAX]){ text }, &why));
	why.text[strlen(begin)] = '\0';
	is_str(why.text, begin);
}

/* Another number that the property can have. */
static bool accepts_other(const char *cpu, const char *name, uint64_t value, unsigned form)
{
	const uint64_t others[] = { value * 2, value / 2, value + 1, value + 2, value + 1000 };
	char text[24];

	for (unsigned n = 0; n < TAP_NR(others); n++) {
		number_print(text, form, others[n]);
		if (others[n] != value && accepts(cpu, name, text))
			return true;
	}
	return false;
}

static void try_number(const char *cpu, const struct property *row, const char *value)
{
	static const char *const junk[] = { "-1", "x", "1.5", "0x", "1,2", "99999999999999999999",
					    "9G", "",  "12q" };
	unsigned form = row->unit && !strcmp(row->unit, "bytes") ? NUMBER_UNITS : NUMBER_DECIMAL;
	uint64_t is = 0;

	ok(!*value || number_parse(value, NUMBER_UNITS, 0, UINT64_MAX, &is));
	if (row->kind != PROPERTY_WAYS && row->kind != PROPERTY_LINE)
		ok(accepts_other(cpu, row->name, is, form));
	for (unsigned n = 0; n < TAP_NR(junk); n++) {
		/* a seed is any number, and 9 GHz are a clock */
		if ((strcmp(row->name, "random-seed") && strcmp(row->name, "clock")) ||
		    strcmp(junk[n], "9G"))
			refuses(cpu, row->name, junk[n]);
	}
}

static void try_words(const char *cpu, const struct property *row)
{
	for (unsigned n = 0; n < row->nr_words; n++)
		ok(accepts(cpu, row->name, row->words[n]));
	refuses(cpu, row->name, "oracle");
	refuses(cpu, row->name, "");
	refuses(cpu, row->name, "1");
}

static void try_row(const char *cpu_name, const struct cpu *cpu, const struct property *row)
{
	char value[160];

	snprintf(value, sizeof(value), "%s", value_of(cpu, row->name));
	tap_context("%s of %s", row->name, cpu_name);
	if (*value)
		ok(accepts(cpu_name, row->name, value));
	if (row->kind == PROPERTY_WORD) {
		try_words(cpu_name, row);
	} else if (row->kind == PROPERTY_SWITCH) {
		ok(accepts(cpu_name, row->name, "on"));
		ok(accepts(cpu_name, row->name, "off"));
		refuses(cpu_name, row->name, "yes");
	} else if (row->kind == PROPERTY_WORDS) {
		ok(accepts(cpu_name, row->name, "4k,2m"));
		refuses(cpu_name, row->name, "8k");
	} else if (row->kind == PROPERTY_CELLS) {
		ok(accepts(cpu_name, row->name, "5,10,20"));
		refuses(cpu_name, row->name, "20,10,5");
		refuses(cpu_name, row->name, "5,10");
		refuses(cpu_name, row->name, "5,10,20,");
	} else {
		try_number(cpu_name, row, value);
	}
}

/* max has every node; u74 and c910 have the other kinds of predictor. */
static void each_row(void)
{
	static const char *const names[] = { "max", "u74", "c910" };
	struct cpu *all[TAP_NR(names)];

	for (unsigned n = 0; n < TAP_NR(names); n++)
		all[n] = load(names[n]);
	for (const struct property *row = property_table; row->name; row++) {
		unsigned n = 0;

		for (const struct property *other = property_table; other < row; other++)
			ok(strcmp(other->name, row->name) != 0);
		while (n + 1 < TAP_NR(names) && !*value_of(all[n], row->name))
			n++;
		/* No description says these: the default is tried. */
		if (!*value_of(all[n], row->name))
			n = 0;
		try_row(names[n], all[n], row);
	}
	for (unsigned n = 0; n < TAP_NR(names); n++)
		cpu_free(all[n]);
}

/* The field of the models that each name of a number stands for. */
#define FIELD(cpu, name, field, value)                                                             \
	{                                                                                          \
		cpu, name, value, offsetof(struct cpu_models, field),                              \
			sizeof(((struct cpu_models *)0)->field)                                    \
	}

static const struct {
	const char *cpu, *name;
	uint32_t value;
	size_t offset, size;
} fields[] = {
	FIELD("max", "l1d.prefetch-entries", hierarchy.l1d.ahead.entries, 32),
	FIELD("max", "l1d.prefetch-degree", hierarchy.l1d.ahead.degree, 3),
	FIELD("max", "l1d.prefetch-distance", hierarchy.l1d.ahead.distance, 30),
	FIELD("max", "l1d.prefetch-pages", hierarchy.l1d.ahead.pages, 4),
	FIELD("max", "l2.prefetch-entries", hierarchy.l2.ahead.entries, 64),
	FIELD("max", "l2.prefetch-degree", hierarchy.l2.ahead.degree, 4),
	FIELD("max", "l2.prefetch-distance", hierarchy.l2.ahead.distance, 64),
	FIELD("max", "l2.prefetch-pages", hierarchy.l2.ahead.pages, 16),
	FIELD("max", "l3.prefetch-entries", hierarchy.ll.ahead.entries, 1),
	FIELD("u74", "l2.prefetch-degree", hierarchy.ll.ahead.degree, 1),
	FIELD("max", "l3.prefetch-degree", hierarchy.ll.ahead.degree, 1),
	FIELD("max", "l3.prefetch-distance", hierarchy.ll.ahead.distance, 1),
	FIELD("max", "l3.prefetch-pages", hierarchy.ll.ahead.pages, 2),
	FIELD("max", "l2.latency", hierarchy.l2_cycles, 13),
	FIELD("max", "l3.latency", hierarchy.ll_cycles, 77),
	FIELD("u74", "l2.latency", hierarchy.ll_cycles, 78),
	FIELD("max", "memory.latency", hierarchy.bus_cycles, 235),
	FIELD("max", "l2.line-cycles", hierarchy.l2_line_cycles, 5),
	FIELD("max", "l3.line-cycles", hierarchy.ll_line_cycles, 4096),
	FIELD("u74", "l2.line-cycles", hierarchy.ll_line_cycles, 8),
	FIELD("max", "l2.banks", hierarchy.l2_banks, 2),
	FIELD("max", "l3.banks", hierarchy.ll_banks, 8),
	FIELD("u74", "l2.banks", hierarchy.ll_banks, 4),
	FIELD("max", "l1d.write-stream", hierarchy.write_stream, 64),
	FIELD("max", "pipe.misses", hierarchy.misses, 32),
	FIELD("max", "pipe.fill-cycles", hierarchy.fill_cycles, 1000),
	FIELD("max", "memory.bandwidth", hierarchy.bus_line_cycles, 253), /* 64000 / 253 */
	FIELD("max", "memory.snoop", hierarchy.snoop_cycles, 31),
	FIELD("max", "memory.uncached", hierarchy.uncached_cycles, 61),
	FIELD("max", "bpred.counters", bpred.counters, 16384),
	FIELD("max", "bpred.history", bpred.history, 5),
	FIELD("c910", "bpred.choices", bpred.choices, 256),
	FIELD("u74", "bpred.tage-entries", bpred.tage.entries, 256),
	FIELD("u74", "bpred.tage-tag-bits", bpred.tage.tag_bits, 9),
	FIELD("u74", "memory.row-latency", hierarchy.row_hit_cycles, 0),
	FIELD("u74", "memory.row-bytes", hierarchy.row_bytes, 8192),
	FIELD("u74", "memory.banks", hierarchy.row_banks, 16),
	FIELD("u74", "memory.interleave", hierarchy.row_interleave, 4096),
	FIELD("max", "bpred.btb-sets", bpred.btb_sets, 64),
	FIELD("max", "bpred.btb-ways", bpred.btb_ways, 3),
	FIELD("max", "bpred.targets", bpred.targets, 1024),
	FIELD("max", "bpred.target-history", bpred.target_history, 3),
	FIELD("max", "bpred.returns", bpred.returns, 7),
	FIELD("c910", "pipe.forward", cost.forward_cycles, 9),
	FIELD("c910", "pipe.recovery", cost.recovery_cycles, 9),
	FIELD("c910", "pipe.window", cost.window, 99),
	FIELD("max", "pipe.width", cost.width, 1),
	FIELD("max", "pipe.taken", cost.taken, 3),
	FIELD("max", "pipe.btb-miss", cost.btb_miss, 4),
	FIELD("max", "pipe.bad-direction", cost.bad_direction, 11),
	FIELD("max", "pipe.bad-target", cost.bad_target, 12),
	FIELD("max", "pipe.bad-return", cost.bad_return, 13),
	FIELD("max", "pipe.stores", cost.stores, 9),
	FIELD("max", "pipe.loads", cost.loads, 8),
	FIELD("max", "pipe.late-alu", cost.late_alu, 3),
	FIELD("u74", "pipe.div-bits", cost.div_bits, 4),
	FIELD("u74", "pipe.div-cycles", cost.div_cycles, 9),
	FIELD("u74", "pipe.div-sign", cost.div_sign, 2),
	FIELD("max", "stlb.latency", cost.second_tlb_cycles, 9),
	FIELD("max", "tlb.walk", cost.walk_cycles, 8),
	FIELD("max", "units.alu", cost.units[COST_UNIT_ALU], 4),
	FIELD("max", "units.mul", cost.units[COST_UNIT_MUL], 4),
	FIELD("max", "units.div", cost.units[COST_UNIT_DIV], 4),
	FIELD("max", "units.memory", cost.units[COST_UNIT_MEMORY], 4),
	FIELD("max", "units.branch", cost.units[COST_UNIT_BRANCH], 4),
	FIELD("max", "units.fp", cost.units[COST_UNIT_FP], 4),
	FIELD("max", "units.fp-div", cost.units[COST_UNIT_FP_DIV], 4),
	FIELD("max", "units.system", cost.units[COST_UNIT_SYSTEM], 4),
	FIELD("c910", "queues.alu", cost.queues[COST_UNIT_ALU], 5),
	FIELD("c910", "queues.mul", cost.queues[COST_UNIT_MUL], 5),
	FIELD("c910", "queues.div", cost.queues[COST_UNIT_DIV], 5),
	FIELD("c910", "queues.memory", cost.queues[COST_UNIT_MEMORY], 5),
	FIELD("c910", "queues.branch", cost.queues[COST_UNIT_BRANCH], 5),
	FIELD("c910", "queues.fp", cost.queues[COST_UNIT_FP], 5),
	FIELD("c910", "queues.fp-div", cost.queues[COST_UNIT_FP_DIV], 5),
	FIELD("c910", "queues.system", cost.queues[COST_UNIT_SYSTEM], 5),
	FIELD("max", "latency.alu", cost.latency[COST_ALU], 99),
	FIELD("max", "latency.mul", cost.latency[COST_MUL], 99),
	FIELD("max", "latency.div", cost.latency[COST_DIV], 99),
	FIELD("max", "latency.load", cost.latency[COST_LOAD], 99),
	FIELD("max", "latency.store", cost.latency[COST_STORE], 99),
	FIELD("max", "latency.amo", cost.latency[COST_AMO], 99),
	FIELD("max", "latency.branch", cost.latency[COST_BRANCH], 99),
	FIELD("max", "latency.fp-add", cost.latency[COST_FP_ADD], 99),
	FIELD("max", "latency.fp-mul", cost.latency[COST_FP_MUL], 99),
	FIELD("max", "latency.fp-fma", cost.latency[COST_FP_FMA], 99),
	FIELD("max", "latency.fp-div", cost.latency[COST_FP_DIV], 99),
	FIELD("max", "latency.fp-sqrt", cost.latency[COST_FP_SQRT], 99),
	FIELD("max", "latency.fp-misc", cost.latency[COST_FP_MISC], 99),
	FIELD("max", "latency.csr", cost.latency[COST_CSR], 99),
	FIELD("max", "latency.fence", cost.latency[COST_FENCE], 99),
	FIELD("max", "latency.mul-32", cost.latency[COST_MUL_32], 99),
	FIELD("max", "latency.div-32", cost.latency[COST_DIV_32], 99),
	FIELD("max", "latency.fp-add-32", cost.latency[COST_FP_ADD_32], 99),
	FIELD("max", "latency.fp-mul-32", cost.latency[COST_FP_MUL_32], 99),
	FIELD("max", "latency.fp-fma-32", cost.latency[COST_FP_FMA_32], 99),
	FIELD("max", "latency.fp-div-32", cost.latency[COST_FP_DIV_32], 99),
	FIELD("max", "latency.fp-sqrt-32", cost.latency[COST_FP_SQRT_32], 99),
	FIELD("max", "latency.fp-sign", cost.latency[COST_FP_SIGN], 99),
	FIELD("max", "latency.fp-convert", cost.latency[COST_FP_CONVERT], 99),
	FIELD("max", "latency.fp-move", cost.latency[COST_FP_MOVE], 99),
	FIELD("max", "latency.vset", cost.latency[COST_VSET], 99),
	FIELD("max", "busy.alu", cost.busy[COST_ALU], 99),
	FIELD("max", "busy.mul", cost.busy[COST_MUL], 99),
	FIELD("max", "busy.div", cost.busy[COST_DIV], 99),
	FIELD("max", "busy.load", cost.busy[COST_LOAD], 99),
	FIELD("max", "busy.store", cost.busy[COST_STORE], 99),
	FIELD("max", "busy.amo", cost.busy[COST_AMO], 99),
	FIELD("max", "busy.branch", cost.busy[COST_BRANCH], 99),
	FIELD("max", "busy.fp-add", cost.busy[COST_FP_ADD], 99),
	FIELD("max", "busy.fp-mul", cost.busy[COST_FP_MUL], 99),
	FIELD("max", "busy.fp-fma", cost.busy[COST_FP_FMA], 99),
	FIELD("max", "busy.fp-div", cost.busy[COST_FP_DIV], 99),
	FIELD("max", "busy.fp-sqrt", cost.busy[COST_FP_SQRT], 99),
	FIELD("max", "busy.fp-misc", cost.busy[COST_FP_MISC], 99),
	FIELD("max", "busy.csr", cost.busy[COST_CSR], 99),
	FIELD("max", "busy.fence", cost.busy[COST_FENCE], 99),
	FIELD("max", "busy.mul-32", cost.busy[COST_MUL_32], 99),
	FIELD("max", "busy.div-32", cost.busy[COST_DIV_32], 99),
	FIELD("max", "busy.fp-add-32", cost.busy[COST_FP_ADD_32], 99),
	FIELD("max", "busy.fp-mul-32", cost.busy[COST_FP_MUL_32], 99),
	FIELD("max", "busy.fp-fma-32", cost.busy[COST_FP_FMA_32], 99),
	FIELD("max", "busy.fp-div-32", cost.busy[COST_FP_DIV_32], 99),
	FIELD("max", "busy.fp-sqrt-32", cost.busy[COST_FP_SQRT_32], 99),
	FIELD("max", "busy.fp-sign", cost.busy[COST_FP_SIGN], 99),
	FIELD("max", "busy.fp-convert", cost.busy[COST_FP_CONVERT], 99),
	FIELD("max", "busy.fp-move", cost.busy[COST_FP_MOVE], 99),
	FIELD("max", "busy.vset", cost.busy[COST_VSET], 99),
};

/* One change is one field; nothing else of the models changes. */
static void fields_are_theirs(void)
{
	for (unsigned n = 0; n < TAP_NR(fields); n++) {
		struct cpu *plain = load(fields[n].cpu), *changed;
		struct cpu_models want = *plain->models;
		const uint16_t half = (uint16_t)fields[n].value;
		const uint8_t byte = (uint8_t)fields[n].value;
		struct error_text why;
		char text[80];

		tap_context("%s", fields[n].name);
		snprintf(text, sizeof(text), "%s=%u", fields[n].name, fields[n].value);
		memcpy((char *)&want + fields[n].offset,
		       fields[n].size == 4   ? (const void *)&fields[n].value
		       : fields[n].size == 2 ? (const void *)&half
					     : &byte,
		       fields[n].size);
		changed = read_with(fields[n].cpu, (const char *const[SETS_MAX]){ text }, &why);
		is_str(why.text, "");
		ok(memcmp(&want, plain->models, sizeof(want)) != 0);
		ok(changed && !memcmp(&want, changed->models, sizeof(want)));
		if (changed)
			cpu_free(changed);
		cpu_free(plain);
	}
}

/* Each name of a number or a cell has a row there, but for what follows[] tries. */
static void each_has_a_field(void)
{
	for (const struct property *row = property_table; row->name; row++) {
		bool has = !strcmp(row->name, "random-seed") ||
			   !strcmp(row->name, "bpred.tage-tables");

		for (unsigned n = 0; n < TAP_NR(fields); n++)
			has |= !strcmp(row->name, fields[n].name);
		tap_context("%s", row->name);
		ok(has || (row->kind != PROPERTY_NUMBER && row->kind != PROPERTY_CELL));
	}
}

/* What follows from a change */

static const struct {
	const char *cpu, *sets[SETS_MAX], *name, *value;
} follows[] = {
	/* The ways stay if the size changes, and the size if the ways or the sets do. */
	{ "u74", { "l2.size=4M" }, "l2.sets", "4096" },
	{ "u74", { "l2.size=4M" }, "l2.ways", "16" },
	{ "u74", { "l1d.ways=4" }, "l1d.sets", "128" },
	{ "u74", { "l1d.ways=4" }, "l1d.size", "32K" },
	{ "u74", { "l1d.sets=32" }, "l1d.ways", "16" },
	{ "u74", { "l1d.sets=32" }, "l1d.size", "32K" },
	{ "u74", { "l1d.size=64K", "l1d.ways=16" }, "l1d.sets", "64" },
	{ "u74", { "l1d.size=64K", "l1d.sets=32" }, "l1d.ways", "32" },
	{ "u74", { "l1d.ways=2", "l1d.sets=32" }, "l1d.size", "4K" },
	{ "u74", { "l1d.size=4K", "l1d.ways=2", "l1d.sets=32" }, "l1d.size", "4K" },
	/* A line size is that of all caches. */
	{ "u74", { "line=32" }, "l1i.sets", "128" },
	{ "u74", { "line=32" }, "l2.sets", "4096" },
	{ "u74", { "line=32" }, "line", "32" },
	{ "u74", { "line=32", "l1d.ways=4" }, "l1d.sets", "256" },
	/* One set stays one set. */
	{ "u74", { "dtlb.entries=64" }, "dtlb.ways", "64" },
	{ "u74", { "dtlb.entries=64", "dtlb.ways=4" }, "dtlb.sets", "16" },
	{ "u74", { "stlb.entries=1024" }, "stlb.sets", "1024" },
	{ "ax45mp", { "stlb.entries=512", "stlb.ways=4" }, "stlb.sets", "128" },
	/* A kind of predictor has its properties, and no others. */
	{ "max", { "bpred.kind=tage" }, "bpred.tage-history", "6,18,54" },
	{ "max", { "bpred.kind=tage" }, "bpred.history", "" },
	{ "max", { "bpred.kind=tage" }, "bpred.counters", "8192" },
	{ "max", { "bpred.kind=static" }, "bpred.counters", "" },
	{ "max", { "bpred.kind=bimodal" }, "bpred.history", "" },
	{ "max", { "bpred.kind=bimode" }, "bpred.choices", "4096" },
	{ "u74", { "bpred.kind=gshare" }, "bpred.history", "12" },
	{ "u74", { "bpred.kind=gshare", "bpred.counters=256" }, "bpred.history", "8" },
	{ "u74", { "bpred.kind=gshare", "bpred.history=3" }, "bpred.history", "3" },
	{ "u74", { "bpred.kind=gshare" }, "bpred.tage-tables", "" },
	{ "u74", { "bpred.kind=tage", "bpred.tage-tables=1" }, "bpred.tage-history", "16" },
	{ "u74", { "bpred.tage-tables=6" }, "bpred.tage-history", "4,8,16,32,64,128" },
	{ "u74", { "bpred.tage-tables=2", "bpred.tage-history=3,9" }, "bpred.tage-history", "3,9" },
	{ "max", { "pipe.order=out" }, "pipe.window", "64" },
	{ "max", { "pipe.order=out" }, "queues.system", "8" },
	{ "max", { "pipe.order=out", "queues.fp=3", "pipe.window=9" }, "queues.fp", "3" },
	{ "max", { "pipe.order=out", "queues.fp=3", "pipe.window=9" }, "pipe.window", "9" },
	{ "c910", { "pipe.order=in" }, "pipe.window", "" },
	{ "u74", { "memory.latency=218" }, "memory.row-latency", "160" },
	{ "u74", { "memory.latency=0" }, "memory.row-latency", "0" },
	{ "u74", { "memory.latency=218", "memory.row-latency=9" }, "memory.row-latency", "9" },
	{ "c910", { "memory.latency=218" }, "memory.row-latency", "" },
	{ "u74", { "memory.row-bytes=256" }, "memory.interleave", "256" },
	{ "u74", { "memory.row-bytes=8K" }, "memory.interleave", "512" },
	{ "c910", { "pipe.order=in" }, "pipe.forward", "" },
	{ "c910", { "pipe.order=in" }, "pipe.recovery", "" },
	{ "c910", { "pipe.order=in" }, "queues.alu", "" },
	{ "c910", { "pipe.order=out" }, "queues.alu", "16" },
	{ "max", { "bpred.counters=1K" }, "bpred.history", "10" },
	{ "max", { "bpred.counters=64K" }, "bpred.history", "12" },
	{ "max", { "bpred.targets=16" }, "bpred.target-history", "4" },
	/* Paths */
	{ "u74", { "/cpus/l2-cache/cache-size=1M" }, "l2.ways", "8" },
	{ "u74", { "/cpus/cpu@0/holter,d-cache-write-through=true" }, "l1d.write-through", "on" },
	{ "u74", { "/cpus/cpu@0/holter,misaligned-trap=false" }, "misaligned-trap", "off" },
	{ "max", { "/cpus/cpu@0/holter,d-cache-prefetch=false" }, "l1d.prefetch", "" },
	{ "max", { "/cpus/cpu@0/holter,tlb-pages=4k,1g" }, "tlb.pages", "4k,1g" },
	{ "max", { "/cpus/cpu@0/holter,tlb-pages=\"4k\",\"1g\"" }, "tlb.pages", "4k,1g" },
	{ "max", { "/cpus/cpu@0/holter,pipeline/units=1,1,1,1,1,1,1,2" }, "units.system", "2" },
	{ "board", { "/cpus/l2-cache/holter,cycles=7" }, "l2.latency", "7" },
	/* Powers of 1000; more than 32 bits */
	{ "u74", { "clock=1.85G" }, "clock", "1850000000" },
	{ "max", { "clock=10G" }, "clock", "10000000000" },
	{ "board", { "clock=100M" }, "clock", "100000000" },
	/* A board need not have the node. */
	{ "board", { "memory.latency=200" }, "memory.latency", "200" },
	{ "board", { "pipe.width=2" }, "pipe.width", "2" },
	{ "board", { "pipe.order=out" }, "pipe.order", "out" },
	{ "board", { "bpred.kind=tage" }, "bpred.tage-tables", "3" },
	{ "board", { "bpred.counters=2K" }, "bpred.counters", "2048" },
	{ "board", { "dtlb.entries=16", "dtlb.ways=4" }, "dtlb.sets", "4" },
};

static void others_follow(void)
{
	for (unsigned n = 0; n < TAP_NR(follows); n++) {
		struct error_text why;
		struct cpu *cpu = read_with(follows[n].cpu, follows[n].sets, &why);

		tap_context("%s, %s", follows[n].cpu, follows[n].sets[0]);
		is_str(why.text, "");
		if (!cpu)
			continue;
		is_str(value_of(cpu, follows[n].name), follows[n].value);
		cpu_free(cpu);
	}
}

/* A string in quotes may have a comma. */
static void commas_in_quotes(void)
{
	static const char *const sets[SETS_MAX] = { "/cpus/cpu@0/mmu-type=\"riscv,sv57\"",
						    "/model=\"a, b\"" };
	struct error_text why;
	struct cpu *cpu = read_with("u74", sets, &why);

	is_str(why.text, "");
	if (!cpu)
		return;
	is(cpu->mmu, CPU_MMU_SV57);
	is_str(cpu->model, "a, b");
	cpu_free(cpu);
}

/* Memory takes the same time with another clock, and so other cycles; caches keep theirs. */
static void memory_has_its_own_time(void)
{
	static const struct {
		const char *clock;
		unsigned cycles, line;
	} rows[] = { { "clock=1G", 235, 20 },
		     { "clock=1.5G", 353, 30 },
		     { "clock=32M", 8, 1 },
		     { "clock=1M", 0, 1 },
		     { "clock=10G", 2350, 200 } };

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct error_text why;
		struct cpu *cpu = read_with("max",
					    (const char *const[SETS_MAX]){ "memory.latency=235",
									   "memory.bandwidth=3200",
									   rows[n].clock },
					    &why);

		tap_context("%s", rows[n].clock);
		is_str(why.text, "");
		if (!cpu)
			continue;
		is(cpu->models->hierarchy.bus_cycles, rows[n].cycles);
		is(cpu->models->hierarchy.bus_line_cycles, rows[n].line);
		is(cpu->models->hierarchy.ll_cycles, 30);
		cpu_free(cpu);
	}
}

/* The identity of a CPU */

static uint64_t identity(const char *const sets[SETS_MAX])
{
	struct error_text why;
	struct cpu *cpu = read_with("u74", sets, &why);
	uint64_t is = cpu ? cpu->identity : 0;

	ok(cpu);
	if (cpu)
		cpu_free(cpu);
	return is;
}

#define IDENTITY(...) identity((const char *const[SETS_MAX]){ __VA_ARGS__ })

static void changes_are_the_cpu(void)
{
	uint64_t plain = IDENTITY(NULL), large = IDENTITY("l2.size=4M");

	ok(plain != large);
	is(IDENTITY("l2.size=2M"), plain);
	is(IDENTITY("l2.size=4096K"), large);
	ok(IDENTITY("l2.size=4M", "l2.ways=8") != large);
	is(IDENTITY("l2.size=4M", "bpred.kind=gshare", "pipe.width=1"),
	   IDENTITY("pipe.width=1", "l2.size=4M", "bpred.kind=gshare"));
}

/* The texts are kept in order, and the guest's device tree has the sizes. */
static void guest_sees_them(void)
{
	struct error_text why;
	struct cpu *cpu =
		read_with("u74", (const char *const[SETS_MAX]){ "l2.size=4M", "dtlb.entries=32" },
			  &why);
	static char fdt[ROOM];
	int node;

	ok(cpu);
	if (!cpu)
		return;
	is(cpu->sets.nr, 2);
	is_str(cpu->sets.at[0], "dtlb.entries=32");
	is_str(cpu->sets.at[1], "l2.size=4M");
	is(cpu->models->hierarchy.ll.sets, 4096);
	is(cpu->models->tlb.part[TLB_D].ways, 32);
	is(fdt_create_empty_tree(fdt, sizeof(fdt)), 0);
	ok(fdt_add_subnode(fdt, 0, "cpus") >= 0);
	ok(fdt_add_subnode(fdt, fdt_path_offset(fdt, "/cpus"), "cpu@0") >= 0);
	is(cpu_fdt(cpu, fdt, 1, 128), 0);
	node = fdt_path_offset(fdt, "/l2-cache");
	is(fdt32_ld(fdt_getprop(fdt, node, "cache-size", NULL)), 4 << 20);
	node = fdt_path_offset(fdt, "/cpus/cpu@0");
	is(fdt32_ld(fdt_getprop(fdt, node, "d-tlb-size", NULL)), 32);
	cpu_free(cpu);
}

/* Whether software can see a change; what only changes the models, it cannot. */
static void software_sees(void)
{
	static const struct {
		const char *set, *what;
	} rows[] = {
		{ "l2.size=4M", NULL },
		{ "line=32", NULL },
		{ "dtlb.entries=16", NULL },
		{ "tlb.pages=4k,2m", NULL },
		{ "bpred.kind=tage", NULL },
		{ "pipe.order=out", NULL },
		{ "memory.latency=50", NULL },
		{ "random-seed=7", NULL },
		{ "clock=1G", "the clock" },
		{ "/cpus/cpu@0/riscv,isa-extensions=i,m,a,zicsr,zicntr,zifencei",
		  "the extensions" },
		{ "/cpus/cpu@0/holter,marchid=5", "the identity of the core" },
		{ "misaligned-trap=off", "whether misaligned accesses trap" },
	};
	struct error_text why;
	struct cpu *plain = read_with("u74", (const char *const[SETS_MAX]){ NULL }, &why);
	struct cpu *other = read_with("x60", (const char *const[SETS_MAX]){ NULL }, &why);

	ok(!cpu_difference(plain, plain));
	ok(cpu_difference(plain, other));
	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct cpu *cpu = read_with("u74", (const char *const[SETS_MAX]){ rows[n].set },
					    &why);

		tap_context("%s %s", rows[n].set, why.text);
		if (cpu) {
			const char *what = cpu_difference(plain, cpu);

			is_str(what ? what : "nothing", rows[n].what ? rows[n].what : "nothing");
			cpu_free(cpu);
		} else {
			is_str(why.text, "");
		}
	}
	tap_context("counters");
	other->pmu = plain->pmu;
	other->hz = plain->hz;
	other->isa = plain->isa;
	other->mmu = plain->mmu;
	other->trap_misaligned = plain->trap_misaligned;
	other->vlen = plain->vlen;
	other->mvendorid = plain->mvendorid;
	other->marchid = plain->marchid;
	other->mimpid = plain->mimpid;
	ok(!cpu_difference(plain, other));
	other->mmu = CPU_MMU_SV48;
	is_str(cpu_difference(plain, other), "the MMU");
	other->mmu = plain->mmu;
	other->pmu.selector[other->pmu.nr - 1].counters ^= 8;
	is_str(cpu_difference(plain, other), "what the counters count");
	other->pmu = plain->pmu;
	other->pmu.eidx[0].value++;
	is_str(cpu_difference(plain, other), "what the counters count");
	cpu_free(plain);
	cpu_free(other);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "each property changes, and refuses junk", each_row },
		{ "each name of a number is one field of the models", fields_are_theirs },
		{ "and none is left out", each_has_a_field },
		{ "other properties follow", others_follow },
		{ "commas in quotes", commas_in_quotes },
		{ "memory has nanoseconds, caches cycles", memory_has_its_own_time },
		{ "a change is another CPU, in any order", changes_are_the_cpu },
		{ "the guest has the sizes that were set", guest_sees_them },
		{ "which changes software can see", software_sees },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return tap_run(cases, TAP_NR(cases));
}

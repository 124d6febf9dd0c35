// SPDX-License-Identifier: BSD-2-Clause
/*
 * property.c - the table of property.h, and what a description says for each row.
 */
#include <libfdt.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "property.h"

const char *const property_child[PROPERTY_NODES] = {
	[PROPERTY_MEMORY] = "holter,memory",
	[PROPERTY_PREDICTOR] = "holter,predictor",
	[PROPERTY_PIPELINE] = "holter,pipeline",
};

/* clang-format off */

/* A row of a cache or TLB: its size, ways or sets. */
#define SHAPE(name, kind, node, unit, shape)                                        \
	{ name, PROPERTY_##kind, node, NULL, unit, 0, &shape }

/* A row whose value is one of the words in an array. */
#define WORDS(name, node, property, array, nr)                                                     \
	{ name, PROPERTY_WORD, node, property, .words = array, .nr_words = nr }
#define WORD(name, node, property, array)                                                          \
	WORDS(name, node, property, array, sizeof(array) / sizeof(*array))

#define POLICY(name, node, property) WORD(name, node, property, cpu_policy_name)

#define NUMBER(name, node, property, unit) { name, PROPERTY_NUMBER, node, property, unit }

/* The rows of a prefetcher that learns. */
#define PREFETCH(cache, node, property, nr)                                                        \
	WORDS(cache ".prefetch", node, property, cpu_prefetch_name, nr),                           \
	NUMBER(cache ".prefetch-entries", node, property "-entries", "entries"),                   \
	NUMBER(cache ".prefetch-degree", node, property "-degree", "lines"),                       \
	NUMBER(cache ".prefetch-distance", node, property "-distance", "steps"),                   \
	NUMBER(cache ".prefetch-pages", node, property "-pages", "pages")

/* Rows of the pipeline: one number, and a cell of a list. */
#define PIPE(name, property, unit)	NUMBER(name, PROPERTY_PIPELINE, property, unit)
#define CELL(name, list, unit, at)	{ name, PROPERTY_CELL, PROPERTY_PIPELINE, list, unit, at }
#define LATENCY(class, at)		CELL("latency." class, "latency", "cycles", at)
#define BUSY(class, at)			CELL("busy." class, "busy", "cycles", at)
#define UNITS(unit, at)			CELL("units." unit, "units", "instructions", at)
#define QUEUES(unit, at)		CELL("queues." unit, "queues", "instructions", at)

#define BPRED(name, property, unit)	NUMBER(name, PROPERTY_PREDICTOR, property, unit)

const struct property property_table[] = {
	{ "clock", PROPERTY_HERTZ, PROPERTY_CPU, "clock-frequency", "hertz" },
	{ "misaligned-trap", PROPERTY_SWITCH, PROPERTY_CPU, "holter,misaligned-trap", "on, off" },

	SHAPE("l1i.size", SIZE, PROPERTY_CPU, "bytes", shape_l1i),
	SHAPE("l1i.ways", WAYS, PROPERTY_CPU, "ways", shape_l1i),
	SHAPE("l1i.sets", SETS, PROPERTY_CPU, "sets", shape_l1i),
	POLICY("l1i.policy", PROPERTY_CPU, "holter,i-cache-policy"),
	WORDS("l1i.prefetch", PROPERTY_CPU, "holter,i-cache-prefetch", cpu_prefetch_name,
	      CACHE_PREFETCH_STREAM),

	SHAPE("l1d.size", SIZE, PROPERTY_CPU, "bytes", shape_l1d),
	SHAPE("l1d.ways", WAYS, PROPERTY_CPU, "ways", shape_l1d),
	SHAPE("l1d.sets", SETS, PROPERTY_CPU, "sets", shape_l1d),
	POLICY("l1d.policy", PROPERTY_CPU, "holter,d-cache-policy"),
	PREFETCH("l1d", PROPERTY_CPU, "holter,d-cache-prefetch", CACHE_PREFETCHES),
	{ "l1d.write-through", PROPERTY_SWITCH, PROPERTY_CPU, "holter,d-cache-write-through",
	  "on, off" },
	NUMBER("l1d.write-stream", PROPERTY_CPU, "holter,d-cache-write-stream", "lines"),

	SHAPE("itlb.entries", SIZE, PROPERTY_CPU, "entries", shape_tlb[TLB_I]),
	SHAPE("itlb.ways", WAYS, PROPERTY_CPU, "ways", shape_tlb[TLB_I]),
	SHAPE("itlb.sets", SETS, PROPERTY_CPU, "sets", shape_tlb[TLB_I]),
	POLICY("itlb.policy", PROPERTY_CPU, "holter,i-tlb-policy"),
	SHAPE("dtlb.entries", SIZE, PROPERTY_CPU, "entries", shape_tlb[TLB_D]),
	SHAPE("dtlb.ways", WAYS, PROPERTY_CPU, "ways", shape_tlb[TLB_D]),
	SHAPE("dtlb.sets", SETS, PROPERTY_CPU, "sets", shape_tlb[TLB_D]),
	POLICY("dtlb.policy", PROPERTY_CPU, "holter,d-tlb-policy"),
	SHAPE("stlb.entries", SIZE, PROPERTY_CPU, "entries", shape_tlb[TLB_SECOND]),
	SHAPE("stlb.ways", WAYS, PROPERTY_CPU, "ways", shape_tlb[TLB_SECOND]),
	SHAPE("stlb.sets", SETS, PROPERTY_CPU, "sets", shape_tlb[TLB_SECOND]),
	POLICY("stlb.policy", PROPERTY_CPU, "holter,second-tlb-policy"),
	{ "tlb.pages", PROPERTY_WORDS, PROPERTY_CPU, "holter,tlb-pages", "sizes" },
	{ "line", PROPERTY_LINE, PROPERTY_CPU, "d-cache-block-size", "bytes", 0, &shape_l1d },
	NUMBER("random-seed", PROPERTY_CPU, "holter,random-seed", "seed"),

	SHAPE("l2.size", SIZE, PROPERTY_L2, "bytes", shape_outer),
	SHAPE("l2.ways", WAYS, PROPERTY_L2, "ways", shape_outer),
	SHAPE("l2.sets", SETS, PROPERTY_L2, "sets", shape_outer),
	POLICY("l2.policy", PROPERTY_L2, "holter,policy"),
	PREFETCH("l2", PROPERTY_L2, "holter,prefetch", CACHE_PREFETCH_STRIDE),
	NUMBER("l2.latency", PROPERTY_L2, "holter,cycles", "cycles"),
	NUMBER("l2.line-cycles", PROPERTY_L2, "holter,line-cycles", "cycles"),
	NUMBER("l2.banks", PROPERTY_L2, "holter,banks", "banks"),

	SHAPE("l3.size", SIZE, PROPERTY_L3, "bytes", shape_outer),
	SHAPE("l3.ways", WAYS, PROPERTY_L3, "ways", shape_outer),
	SHAPE("l3.sets", SETS, PROPERTY_L3, "sets", shape_outer),
	POLICY("l3.policy", PROPERTY_L3, "holter,policy"),
	PREFETCH("l3", PROPERTY_L3, "holter,prefetch", CACHE_PREFETCH_STRIDE),
	NUMBER("l3.latency", PROPERTY_L3, "holter,cycles", "cycles"),
	NUMBER("l3.line-cycles", PROPERTY_L3, "holter,line-cycles", "cycles"),
	NUMBER("l3.banks", PROPERTY_L3, "holter,banks", "banks"),

	NUMBER("memory.latency", PROPERTY_MEMORY, "dram-ns", "ns"),
	NUMBER("memory.row-latency", PROPERTY_MEMORY, "dram-row-hit-ns", "ns"),
	NUMBER("memory.row-bytes", PROPERTY_MEMORY, "dram-row-bytes", "bytes"),
	NUMBER("memory.banks", PROPERTY_MEMORY, "dram-banks", "banks"),
	NUMBER("memory.interleave", PROPERTY_MEMORY, "dram-interleave-bytes", "bytes"),
	NUMBER("memory.bandwidth", PROPERTY_MEMORY, "dram-mb-s", "MB/s"),
	NUMBER("memory.snoop", PROPERTY_MEMORY, "snoop-cycles", "cycles"),
	NUMBER("memory.uncached", PROPERTY_MEMORY, "uncached-cycles", "cycles"),

	WORD("bpred.kind", PROPERTY_PREDICTOR, "direction", bpred_direction_name),
	BPRED("bpred.counters", "counters", "counters"),
	BPRED("bpred.history", "history", "branches"),
	BPRED("bpred.choices", "choices", "counters"),
	BPRED("bpred.tage-tables", "tage-tables", "tables"),
	BPRED("bpred.tage-entries", "tage-entries", "entries"),
	BPRED("bpred.tage-tag-bits", "tage-tag-bits", "bits"),
	{ "bpred.tage-history", PROPERTY_CELLS, PROPERTY_PREDICTOR, "tage-history", "branches" },
	BPRED("bpred.btb-sets", "btb-sets", "sets"),
	BPRED("bpred.btb-ways", "btb-ways", "ways"),
	BPRED("bpred.targets", "targets", "entries"),
	BPRED("bpred.target-history", "target-history", "bits"),
	BPRED("bpred.returns", "returns", "entries"),

	WORDS("pipe.order", PROPERTY_PIPELINE, "order", cost_order_name, COST_ORDERS),
	PIPE("pipe.window", "window", "instructions"),
	PIPE("pipe.forward", "forward-cycles", "cycles"),
	PIPE("pipe.recovery", "recovery-cycles", "cycles"),
	PIPE("pipe.width", "width", "instructions"),
	PIPE("pipe.taken", "taken", "cycles"),
	PIPE("pipe.btb-miss", "btb-miss", "cycles"),
	PIPE("pipe.bad-direction", "bad-direction", "cycles"),
	PIPE("pipe.bad-target", "bad-target", "cycles"),
	PIPE("pipe.bad-return", "bad-return", "cycles"),
	PIPE("pipe.stores", "stores", "entries"),
	PIPE("pipe.loads", "loads", "entries"),
	PIPE("pipe.misses", "misses", "lines"),
	PIPE("pipe.fill-cycles", "fill-cycles", "cycles"),
	PIPE("pipe.late-alu", "late-alu", "cycles"),
	PIPE("pipe.div-bits", "div-bits", "bits"),
	PIPE("pipe.div-cycles", "div-cycles", "cycles"),
	PIPE("pipe.div-sign", "div-sign", "cycles"),
	PIPE("stlb.latency", "second-tlb-cycles", "cycles"),
	PIPE("tlb.walk", "walk-cycles", "cycles"),

	UNITS("alu", COST_UNIT_ALU),
	UNITS("mul", COST_UNIT_MUL),
	UNITS("div", COST_UNIT_DIV),
	UNITS("memory", COST_UNIT_MEMORY),
	UNITS("branch", COST_UNIT_BRANCH),
	UNITS("fp", COST_UNIT_FP),
	UNITS("fp-div", COST_UNIT_FP_DIV),
	UNITS("system", COST_UNIT_SYSTEM),

	QUEUES("alu", COST_UNIT_ALU),
	QUEUES("mul", COST_UNIT_MUL),
	QUEUES("div", COST_UNIT_DIV),
	QUEUES("memory", COST_UNIT_MEMORY),
	QUEUES("branch", COST_UNIT_BRANCH),
	QUEUES("fp", COST_UNIT_FP),
	QUEUES("fp-div", COST_UNIT_FP_DIV),
	QUEUES("system", COST_UNIT_SYSTEM),

	LATENCY("alu", COST_ALU),
	LATENCY("mul", COST_MUL),
	LATENCY("div", COST_DIV),
	LATENCY("load", COST_LOAD),
	LATENCY("store", COST_STORE),
	LATENCY("amo", COST_AMO),
	LATENCY("branch", COST_BRANCH),
	LATENCY("fp-add", COST_FP_ADD),
	LATENCY("fp-mul", COST_FP_MUL),
	LATENCY("fp-fma", COST_FP_FMA),
	LATENCY("fp-div", COST_FP_DIV),
	LATENCY("fp-sqrt", COST_FP_SQRT),
	LATENCY("fp-misc", COST_FP_MISC),
	LATENCY("csr", COST_CSR),
	LATENCY("fence", COST_FENCE),
	LATENCY("mul-32", COST_MUL_32),
	LATENCY("div-32", COST_DIV_32),
	LATENCY("fp-add-32", COST_FP_ADD_32),
	LATENCY("fp-mul-32", COST_FP_MUL_32),
	LATENCY("fp-fma-32", COST_FP_FMA_32),
	LATENCY("fp-div-32", COST_FP_DIV_32),
	LATENCY("fp-sqrt-32", COST_FP_SQRT_32),
	LATENCY("fp-sign", COST_FP_SIGN),
	LATENCY("fp-convert", COST_FP_CONVERT),
	LATENCY("fp-move", COST_FP_MOVE),
	LATENCY("vset", COST_VSET),

	BUSY("alu", COST_ALU),
	BUSY("mul", COST_MUL),
	BUSY("div", COST_DIV),
	BUSY("load", COST_LOAD),
	BUSY("store", COST_STORE),
	BUSY("amo", COST_AMO),
	BUSY("branch", COST_BRANCH),
	BUSY("fp-add", COST_FP_ADD),
	BUSY("fp-mul", COST_FP_MUL),
	BUSY("fp-fma", COST_FP_FMA),
	BUSY("fp-div", COST_FP_DIV),
	BUSY("fp-sqrt", COST_FP_SQRT),
	BUSY("fp-misc", COST_FP_MISC),
	BUSY("csr", COST_CSR),
	BUSY("fence", COST_FENCE),
	BUSY("mul-32", COST_MUL_32),
	BUSY("div-32", COST_DIV_32),
	BUSY("fp-add-32", COST_FP_ADD_32),
	BUSY("fp-mul-32", COST_FP_MUL_32),
	BUSY("fp-fma-32", COST_FP_FMA_32),
	BUSY("fp-div-32", COST_FP_DIV_32),
	BUSY("fp-sqrt-32", COST_FP_SQRT_32),
	BUSY("fp-sign", COST_FP_SIGN),
	BUSY("fp-convert", COST_FP_CONVERT),
	BUSY("fp-move", COST_FP_MOVE),
	BUSY("vset", COST_VSET),
	{ NULL },
};

/* clang-format on */

void property_paths(struct reader *r, char path[PROPERTY_NODES][READER_PATH])
{
	int node[PROPERTY_NODES] = { [PROPERTY_CPU] = reader_cpu(r), -1, -1, -1, -1, -1 };
	const int cpu = node[PROPERTY_CPU];

	if (cpu >= 0)
		node[PROPERTY_L2] = reader_next_level(r, cpu);
	if (node[PROPERTY_L2] >= 0)
		node[PROPERTY_L3] = reader_next_level(r, node[PROPERTY_L2]);
	for (unsigned n = 0; n < PROPERTY_NODES; n++) {
		const char *child = property_child[n];
		char *to = path[n];
		size_t len;

		if (fdt_get_path(r->fdt, child ? cpu : node[n], to, READER_PATH)) {
			*to = '\0';
			continue;
		}
		len = strlen(to);
		if (child &&
		    snprintf(to + len, READER_PATH - len, "/%s", child) >= (int)(READER_PATH - len))
			*to = '\0';
	}
}

bool property_number(const void *fdt, int node, const char *property, uint64_t *value)
{
	int len;
	const void *p = node < 0 || !property ? NULL : fdt_getprop(fdt, node, property, &len);

	if (!p || (len != 4 && len != 8))
		return false;
	*value = len == 4 ? fdt32_ld(p) : fdt64_ld(p);
	return true;
}

const char *property_line(const void *fdt, int node, const struct shape_names *s)
{
	return s->line_too && fdt_getprop(fdt, node, s->line_too, NULL) &&
			       !fdt_getprop(fdt, node, s->line, NULL)
		       ? s->line_too
		       : s->line;
}

struct property_shape property_shape(const void *fdt, int node, const struct shape_names *names)
{
	struct property_shape s = { .line = 1 };

	if (names->line)
		property_number(fdt, node, property_line(fdt, node, names), &s.line);
	if (!property_number(fdt, node, names->size, &s.size) ||
	    !property_number(fdt, node, names->sets, &s.sets))
		s.sets = 0;
	else if (s.sets && s.line && s.sets <= UINT32_MAX && s.line <= UINT32_MAX)
		s.ways = s.size / (s.sets * s.line);
	return s;
}

/* The list */

/* The strings or numbers of a property, with commas between them. */
static void print_list(const char *p, int len, bool text, FILE *to)
{
	if (text) {
		for (int n = 0; n < len - 1; n++)
			fputc(p[n] ? p[n] : ',', to);
		return;
	}
	for (int n = 0; n + 4 <= len; n += 4)
		fprintf(to, "%s%u", n ? "," : "", fdt32_ld((const fdt32_t *)(const void *)(p + n)));
}

static void print_number(const struct property *row, uint64_t value, FILE *to)
{
	char text[24];

	number_print(text, row->unit && !strcmp(row->unit, "bytes") ? NUMBER_UNITS : 0, value);
	fputs(text, to);
}

static void print_shape(const struct property *row, const struct property_shape *s, FILE *to)
{
	uint64_t value = row->kind == PROPERTY_SIZE   ? s->size
			 : row->kind == PROPERTY_WAYS ? s->ways
						      : s->sets;

	if (value)
		print_number(row, value, to);
}

/* Prints nothing if the description does not tell the value. */
static void print_value(const void *fdt, int node, const struct property *row, FILE *to)
{
	struct property_shape s;
	uint64_t number;
	int len = 0;
	const char *p = node < 0 || !row->property ? NULL
						   : fdt_getprop(fdt, node, row->property, &len);

	switch (row->kind) {
	case PROPERTY_NUMBER:
	case PROPERTY_HERTZ:
	case PROPERTY_LINE:
		if (property_number(fdt, node, row->property, &number))
			print_number(row, number, to);
		break;
	case PROPERTY_CELL:
		if (p && len >= (int)(row->cell + 1) * 4)
			print_list(p + row->cell * 4, 4, false, to);
		break;
	case PROPERTY_CELLS:
	case PROPERTY_WORD:
	case PROPERTY_WORDS:
		if (p)
			print_list(p, len, row->kind != PROPERTY_CELLS, to);
		break;
	case PROPERTY_SWITCH:
		fputs(p ? "on" : "off", to);
		break;
	case PROPERTY_SIZE:
	case PROPERTY_WAYS:
	case PROPERTY_SETS:
		s = property_shape(fdt, node, row->shape);
		print_shape(row, &s, to);
		break;
	}
}

/* The property that a row changes: that of the sets, if it stands for the ways. */
static const char *property_of(const struct property *row)
{
	if (row->property)
		return row->property;
	return row->kind == PROPERTY_SIZE ? row->shape->size : row->shape->sets;
}

static void fill(struct cpu_property *p, const void *fdt, const char *path,
		 const struct property *row)
{
	FILE *value = fmemopen(p->value, sizeof(p->value), "w");
	size_t len = 0;

	*p->value = '\0';
	p->name = row->name;
	snprintf(p->node, sizeof(p->node), "%s", path);
	reader_printable(p->node);
	p->property = property_of(row);
	snprintf(p->unit, sizeof(p->unit), "%s", row->unit ? row->unit : "");
	for (unsigned n = 0; n < row->nr_words && len < sizeof(p->unit); n++)
		len += snprintf(p->unit + len, sizeof(p->unit) - len, "%s%s", n ? ", " : "",
				row->words[n]);
	if (!value)
		return;
	print_value(fdt, fdt_path_offset(fdt, path), row, value);
	fclose(value);
	p->value[sizeof(p->value) - 1] = '\0';
	reader_printable(p->value);
}

bool cpu_property(const struct cpu *cpu, unsigned n, struct cpu_property *p)
{
	struct error_text why = { "" };
	struct reader r = { .fdt = cpu->fdt, .why = &why, .file = cpu->name };
	char path[PROPERTY_NODES][READER_PATH];

	property_paths(&r, path);
	for (const struct property *row = property_table; row->name; row++) {
		if (!*path[row->node] || n--)
			continue;
		fill(p, cpu->fdt, path[row->node], row);
		return true;
	}
	return false;
}

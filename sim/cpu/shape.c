// SPDX-License-Identifier: BSD-2-Clause
/*
 * shape.c - the shapes of the models, read from the cpu node and the caches behind it (cpu.h).
 *
 * Bindings: devicetree specification 0.4 §3.8.2 (TLBs), §3.8.3 (L1), §3.9 (caches beyond); what
 * they lack is in properties and nodes named holter,*.
 */
#include <libfdt.h>
#include <stdio.h>
#include <string.h>

#include "reader.h"

static const char *const pages[] = { "4k", "64k", "2m", "1g", "512g", "256t" };

#define NR(array) (sizeof(array) / sizeof((array)[0]))

_Static_assert(NR(pages) == TLB_SIZES, "a name for each");

/* Maps a field that a model's check has refused to the property it was read from. */
struct field_name {
	const char *field, *property;
};

static void refuse_field(struct reader *r, int node, const struct model_error *why,
			 const struct field_name *names, unsigned nr)
{
	unsigned n = 0;

	while (n < nr && strcmp(names[n].field, why->field))
		n++;
	reader_refuse(r, node, n < nr ? names[n].property : why->field, "%s", why->error.text);
}

/* A field of the same name as its property but for its dashes. */
static void refuse_own(struct reader *r, int node, const struct model_error *why)
{
	char property[40];

	snprintf(property, sizeof(property), "%s%s%s", why->part ? why->part : "",
		 why->part ? "-" : "", why->field);
	for (char *c = property; *c; c++)
		*c = *c == '_' ? '-' : *c;
	reader_refuse(r, node, property, "%s", why->error.text);
}

/* A required number; otherwise: its default, in a board's tree. */
static uint32_t needs32(struct reader *r, int node, const char *property, uint32_t high,
			uint32_t otherwise)
{
	uint64_t value = otherwise;

	reader_needs(r, node, property, 0, high, &value);
	return value;
}

/* A number that a description may leave out. */
static uint32_t may32(struct reader *r, int node, const char *property, uint32_t high,
		      uint32_t otherwise)
{
	return reader_has(r, node, property) ? needs32(r, node, property, high, otherwise)
					     : otherwise;
}

/* Caches */

const struct shape_names shape_l1i = {
	"i-cache-size",
	"i-cache-sets",
	"i-cache-block-size",
	"i-cache-line-size",
	"holter,i-cache-policy",
	"holter,i-cache-prefetch",
	NULL,
};

const struct shape_names shape_l1d = {
	"d-cache-size",
	"d-cache-sets",
	"d-cache-block-size",
	"d-cache-line-size",
	"holter,d-cache-policy",
	"holter,d-cache-prefetch",
	"holter,d-cache-write-through",
	{ "holter,d-cache-prefetch-entries", "holter,d-cache-prefetch-degree",
	  "holter,d-cache-prefetch-distance", "holter,d-cache-prefetch-pages" },
};

const struct shape_names shape_outer = {
	"cache-size",
	"cache-sets",
	"cache-block-size",
	"cache-line-size",
	"holter,policy",
	"holter,prefetch",
	NULL,
	{ "holter,prefetch-entries", "holter,prefetch-degree", "holter,prefetch-distance",
	  "holter,prefetch-pages" },
};

/* Returns the name by which the node gives the line size. */
static const char *line_property(struct reader *r, int node, const struct shape_names *names)
{
	return reader_has(r, node, names->line_too) && !reader_has(r, node, names->line)
		       ? names->line_too
		       : names->line;
}

/* The table of a prefetcher that learns.  It may be given for other kinds, too. */
static void read_ahead(struct reader *r, int node, const struct shape_names *names,
		       struct prefetch_config *ahead)
{
	static const struct prefetch_config defaults = { 16, 2, 8, 1 };
	const struct field_name fields[] = {
		{ "entries", names->ahead[0] },
		{ "degree", names->ahead[1] },
		{ "distance", names->ahead[2] },
		{ "pages", names->ahead[3] },
	};
	uint32_t *value[] = { &ahead->entries, &ahead->degree, &ahead->distance, &ahead->pages };
	struct model_error why = { 0 };

	*ahead = defaults;
	for (unsigned n = 0; n < NR(fields); n++) {
		uint64_t number = *value[n];

		if (reader_has(r, node, names->ahead[n]))
			reader_needs(r, node, names->ahead[n], 0, UINT32_MAX, &number);
		*value[n] = (uint32_t)number;
	}
	if (!r->failed && !prefetch_check(ahead, &why))
		refuse_field(r, node, &why, fields, NR(fields));
}

/* L1I learns nothing; only L1D knows the loads, which a stride needs. */
static unsigned prefetch_kinds(const struct shape_names *names)
{
	return names == &shape_l1i   ? CACHE_PREFETCH_STREAM
	       : names == &shape_l1d ? CACHE_PREFETCHES
				     : CACHE_PREFETCH_STRIDE;
}

static void read_cache(struct reader *r, int node, const struct shape_names *names,
		       struct cache_config *c, uint64_t seed)
{
	const char *line_name = line_property(r, node, names);
	const struct field_name fields[] = {
		{ "line", line_name },		 { "sets", names->sets },
		{ "ways", names->size },	 { "policy", names->policy },
		{ "prefetch", names->prefetch },
	};
	uint64_t size = 32768, sets = 128, line = 64;
	struct model_error why = { 0 };

	reader_needs(r, node, names->size, 1, UINT32_MAX, &size);
	reader_needs(r, node, line_name, 1, UINT32_MAX, &line);
	/* A default must not make the values of a board impossible. */
	while (sets > 1 && size % (sets * line))
		sets /= 2;
	while (size / (sets * line) > REPLACE_WAYS_MAX)
		sets *= 2;
	reader_needs(r, node, names->sets, 1, UINT32_MAX, &sets);
	reader_choice(r, node, names->policy, cpu_policy_name, REPLACE_POLICIES, &c->policy);
	reader_choice(r, node, names->prefetch, cpu_prefetch_name, prefetch_kinds(names),
		      &c->prefetch);
	if (names->ahead[0])
		read_ahead(r, node, names, &c->ahead);
	c->write_through = names->through && reader_flag(r, node, names->through);
	c->seed = seed;
	if (r->failed)
		return;
	if (size % (sets * line) || size / (sets * line) > REPLACE_WAYS_MAX) {
		reader_refuse(r, node, names->size,
			      "%llu bytes do not make 1 to %u ways of %llu sets of %llu bytes",
			      (unsigned long long)size, REPLACE_WAYS_MAX, (unsigned long long)sets,
			      (unsigned long long)line);
		return;
	}
	c->line = line;
	c->sets = sets;
	c->ways = size / (sets * line);
	if (!cache_check(c, &why))
		refuse_field(r, node, &why, fields, NR(fields));
}

static uint32_t read_line_cycles(struct reader *r, int node)
{
	return may32(r, node, "holter,line-cycles", HIERARCHY_LINE_CYCLES_MAX, 0);
}

/* A power of two that a description may leave out. */
static uint32_t may_power(struct reader *r, int node, const char *property, uint32_t low,
			  uint32_t high, uint32_t otherwise)
{
	uint32_t value = may32(r, node, property, UINT32_MAX, otherwise);
	struct model_error why = { 0 };

	if (!r->failed && !model_in_powers(&why, property, value, low, high))
		reader_refuse(r, node, property, "%s", why.error.text);
	return value;
}

static uint32_t read_banks(struct reader *r, int node)
{
	return may_power(r, node, "holter,banks", 1, HIERARCHY_BANKS_MAX, 1);
}

/* The caches behind L1: the last is the one that harts share. */
static void read_outer(struct reader *r, int cpu)
{
	struct hierarchy_config *m = &r->models->hierarchy;
	int first = reader_next_level(r, cpu),
	    second = first < 0 ? -1 : reader_next_level(r, first);
	uint64_t cycles = 20;

	if (second >= 0 && reader_next_level(r, second) >= 0) {
		reader_refuse(r, second, "next-level-cache", "at most two levels behind L1");
		return;
	}
	if (second >= 0) {
		read_cache(r, first, &shape_outer, &m->l2, 3);
		reader_needs(r, first, "holter,cycles", 0, 10000, &cycles);
		m->l2_cycles = cycles;
		m->l2_line_cycles = read_line_cycles(r, first);
		m->l2_banks = read_banks(r, first);
		cycles = 40;
		first = second;
	}
	if (first < 0)
		return;
	read_cache(r, first, &shape_outer, &m->ll, 4);
	reader_needs(r, first, "holter,cycles", 0, 10000, &cycles);
	m->ll_cycles = cycles;
	m->ll_line_cycles = read_line_cycles(r, first);
	m->ll_banks = read_banks(r, first);
}

/* The cycles for which a line occupies memory; 0: the description gives memory no bandwidth. */
static uint32_t read_bandwidth(struct reader *r, int node)
{
	uint64_t rate = may32(r, node, "dram-mb-s", 10000000, 0) * 1000000ull;
	uint64_t line = r->models->hierarchy.l1d.line, cycles;

	if (r->failed || !rate)
		return 0;
	cycles = (line * r->cpu->hz + rate / 2) / rate;
	if (cycles > HIERARCHY_LINE_CYCLES_MAX)
		reader_refuse(r, node, "dram-mb-s",
			      "a line of %llu bytes occupies memory for %llu cycles, more than %u",
			      (unsigned long long)line, (unsigned long long)cycles,
			      HIERARCHY_LINE_CYCLES_MAX);
	return cycles ? cycles : 1;
}

/* The rows of DRAM, if the description has any; dram: nanoseconds without an open row. */
static void read_rows(struct reader *r, int node, uint64_t dram)
{
	struct hierarchy_config *m = &r->models->hierarchy;
	static const char *const of_rows[] = { "dram-row-bytes", "dram-banks",
					       "dram-interleave-bytes" };
	uint64_t hit = 0;

	if (!reader_has(r, node, "dram-row-hit-ns")) {
		for (unsigned n = 0; n < 3; n++) {
			if (reader_has(r, node, of_rows[n]))
				reader_refuse(r, node, of_rows[n], "needs dram-row-hit-ns");
		}
		return;
	}
	reader_needs(r, node, "dram-row-hit-ns", 0, dram, &hit);
	m->row_hit_cycles = (hit * r->cpu->hz + 500000000) / 1000000000;
	m->row_bytes = may_power(r, node, "dram-row-bytes", m->l1d.line, HIERARCHY_ROW_BYTES_MAX,
				 4096);
	m->row_banks = may_power(r, node, "dram-banks", 1, HIERARCHY_ROW_BANKS_MAX, 8);
	m->row_interleave = may_power(r, node, "dram-interleave-bytes", m->l1d.line, m->row_bytes,
				      m->row_bytes < 512 ? m->row_bytes : 512);
}

static void read_memory(struct reader *r, int cpu)
{
	struct hierarchy_config *m = &r->models->hierarchy;
	uint64_t dram = 100, snoop = 20, uncached = 40;
	int node;

	read_cache(r, cpu, &shape_l1i, &m->l1i, 1);
	read_cache(r, cpu, &shape_l1d, &m->l1d, 2);
	m->write_stream = may32(r, cpu, "holter,d-cache-write-stream", HIERARCHY_STREAM_MAX, 0);
	read_outer(r, cpu);
	node = reader_child(r, cpu, "holter,memory");
	if (node >= 0) {
		reader_needs(r, node, "dram-ns", 0, READER_DRAM_NS_MAX, &dram);
		reader_needs(r, node, "snoop-cycles", 0, 100000, &snoop);
		reader_needs(r, node, "uncached-cycles", 0, 100000, &uncached);
		m->bus_line_cycles = read_bandwidth(r, node);
		read_rows(r, node, dram);
	} else {
		reader_note(r, cpu, "no memory latencies: %d ns; snoop %d cycles, uncached %d",
			    (int)dram, (int)snoop, (int)uncached);
	}
	m->bus_cycles = (dram * r->cpu->hz + 500000000) / 1000000000;
	m->snoop_cycles = snoop;
	m->uncached_cycles = uncached;
	m->cbo_bytes = CPU_CBO_BYTES;
}

/* Each cache is possible by itself.  This reports one whose line size differs from L1D's. */
static void check_memory(struct reader *r, int cpu)
{
	const struct shape_names *names = &shape_outer;
	struct model_error why = { 0 };
	int node = cpu, next;

	if (r->failed || hierarchy_check(&r->models->hierarchy, &why))
		return;
	if (!strcmp(why.part, "l1i"))
		names = &shape_l1i;
	else
		node = reader_next_level(r, cpu);
	if (!strcmp(why.part, "ll") && (next = reader_next_level(r, node)) >= 0)
		node = next;
	reader_refuse(r, node, line_property(r, node, names), "%s", why.error.text);
}

/* TLBs */

const struct shape_names shape_tlb[TLB_PARTS] = {
	{ "i-tlb-size", "i-tlb-sets", .policy = "holter,i-tlb-policy" },
	{ "d-tlb-size", "d-tlb-sets", .policy = "holter,d-tlb-policy" },
	{ "holter,second-tlb-size", "holter,second-tlb-sets",
	  .policy = "holter,second-tlb-policy" },
};

static void read_tlb(struct reader *r, int node, const struct shape_names *names,
		     struct tlb_shape *t, uint64_t size, unsigned seed)
{
	uint64_t sets = 1;

	reader_needs(r, node, names->size, 1, UINT32_MAX, &size);
	while (size / sets > REPLACE_WAYS_MAX)
		sets *= 2;
	reader_needs(r, node, names->sets, 1, UINT32_MAX, &sets);
	reader_choice(r, node, names->policy, cpu_policy_name, REPLACE_POLICIES, &t->policy);
	t->seed = seed;
	if (r->failed)
		return;
	if (size % sets || size / sets > REPLACE_WAYS_MAX) {
		reader_refuse(r, node, names->size,
			      "%llu entries do not make 1 to %u ways of %llu sets",
			      (unsigned long long)size, REPLACE_WAYS_MAX, (unsigned long long)sets);
		return;
	}
	t->sets = sets;
	t->ways = size / sets;
}

/* The page sizes that entries can have. */
static uint8_t read_pages(struct reader *r, int node)
{
	static const char property[] = "holter,tlb-pages";
	const char *name = reader_string(r, node, property);
	uint8_t sizes = 1 << TLB_4K | 1 << TLB_2M | 1 << TLB_1G;

	if (!name && reader_has(r, node, property))
		reader_refuse(r, node, property, "has no page size");
	if (!name)
		return sizes | (r->cpu->mmu >= CPU_MMU_SV48 ? 1 << TLB_512G : 0) |
		       (r->cpu->mmu >= CPU_MMU_SV57 ? 1 << TLB_256T : 0);
	sizes = 0;
	for (; name; name = reader_string_after(r, node, property, name)) {
		unsigned n = 0;

		while (n < NR(pages) && strcmp(pages[n], name))
			n++;
		if (n == NR(pages))
			reader_refuse(r, node, property,
				      "'%.20s' is not one of 4k, 64k, 2m, 1g, 512g, 256t", name);
		else
			sizes |= 1 << n;
	}
	return sizes;
}

static void read_tlbs(struct reader *r, int node)
{
	static const struct shape_names joint = { "tlb-size", "tlb-sets",
						  .policy = "holter,second-tlb-policy" };
	const struct shape_names *const names = shape_tlb;
	struct tlb_config *t = &r->models->tlb;
	uint8_t sizes = read_pages(r, node);
	struct model_error why = { 0 };

	read_tlb(r, node, &names[TLB_I], &t->part[TLB_I], 32, 5);
	read_tlb(r, node, &names[TLB_D], &t->part[TLB_D], 32, 6);
	/*
	 * One TLB for fetches and data is the second level.  The first level then has default
	 * values.
	 */
	if (reader_has(r, node, names[TLB_SECOND].size))
		read_tlb(r, node, &names[TLB_SECOND], &t->part[TLB_SECOND], 512, 7);
	else if (reader_has(r, node, joint.size) && !reader_has(r, node, "tlb-split"))
		read_tlb(r, node, &joint, &t->part[TLB_SECOND], 512, 7);
	for (unsigned part = 0; part < TLB_PARTS; part++)
		t->part[part].sizes = sizes;
	if (!r->failed && !tlb_check(t, &why)) {
		unsigned part = !why.part	   ? 0
				: *why.part == 'd' ? TLB_D
				: *why.part == 's' ? TLB_SECOND
						   : TLB_I;
		const struct field_name fields[] = {
			{ "sets", names[part].sets },
			{ "ways", names[part].size },
			{ "policy", names[part].policy },
			{ "sizes", "holter,tlb-pages" },
		};

		refuse_field(r, node, &why, fields, NR(fields));
	}
}

/* Predictor and pipeline */

/* The predictor of a board, whose tree does not tell it; tage only if --set chooses that. */
static const struct bpred_config default_bpred = {
	.direction = BPRED_GSHARE,
	.counters = 4096,
	.history = 10,
	.choices = 4096,
	.tage = { .tables = 3, .entries = 512, .tag_bits = 8, .history = { 6, 18, 54 } },
	.btb_sets = 64,
	.btb_ways = 4,
	.returns = 8,
};

static void read_tage(struct reader *r, int node, struct tage_config *t)
{
	*t = default_bpred.tage;
	t->tables = needs32(r, node, "tage-tables", TAGE_TABLES_MAX, t->tables);
	t->entries = needs32(r, node, "tage-entries", 65536, t->entries);
	t->tag_bits = needs32(r, node, "tage-tag-bits", 15, t->tag_bits);
	reader_cells(r, node, "tage-history", t->tables, TAGE_HISTORY_MAX, t->history);
}

/* The predictor of conditional branches. */
static void read_direction(struct reader *r, int node, struct bpred_config *b)
{
	const struct bpred_config *d = &default_bpred;

	b->direction = d->direction;
	if (!reader_has(r, node, "direction") && r->complete)
		reader_refuse(r, node, "direction", "missing property");
	else if (!reader_has(r, node, "direction"))
		reader_note(r, node, "no direction: %s", bpred_direction_name[d->direction]);
	reader_choice(r, node, "direction", bpred_direction_name, BPRED_DIRECTIONS, &b->direction);
	if (b->direction != BPRED_STATIC)
		b->counters = needs32(r, node, "counters", UINT32_MAX, d->counters);
	if (b->direction == BPRED_GSHARE || b->direction == BPRED_BIMODE)
		b->history = needs32(r, node, "history", 64, d->history);
	if (b->direction == BPRED_BIMODE)
		b->choices = needs32(r, node, "choices", UINT32_MAX, d->choices);
	if (b->direction == BPRED_TAGE)
		read_tage(r, node, &b->tage);
}

static void read_bpred(struct reader *r, int cpu)
{
	const struct bpred_config *d = &default_bpred;
	struct bpred_config *b = &r->models->bpred;
	int node = reader_child(r, cpu, "holter,predictor");
	struct model_error why = { 0 };

	if (node < 0) {
		*b = *d;
		b->choices = 0;
		b->tage = (struct tage_config){ 0 };
		reader_note(r, cpu, "no predictor: gshare of %u, %u BTB entries, %u returns",
			    b->counters, b->btb_sets * b->btb_ways, b->returns);
		return;
	}
	read_direction(r, node, b);
	b->btb_sets = needs32(r, node, "btb-sets", UINT32_MAX, d->btb_sets);
	b->btb_ways = needs32(r, node, "btb-ways", UINT32_MAX, d->btb_ways);
	b->targets = needs32(r, node, "targets", UINT32_MAX, d->targets);
	b->target_history = needs32(r, node, "target-history", 64, d->target_history);
	b->returns = needs32(r, node, "returns", UINT32_MAX, d->returns);
	if (!r->failed && !bpred_check(b, &why))
		refuse_own(r, node, &why);
}

/* A list of cells, into bytes, which have the defaults of a board. */
static void read_bytes(struct reader *r, int node, const char *property, unsigned nr, uint8_t *to)
{
	uint32_t cells[VUNIT_CLASSES * VUNIT_SIZES];

	for (unsigned n = 0; n < nr; n++)
		cells[n] = to[n];
	reader_cells(r, node, property, nr, 255, cells);
	for (unsigned n = 0; n < nr; n++)
		to[n] = cells[n];
}

/* Classes that have a value of their own only in a list of all; the other classes come first. */
static const uint8_t class_like[COST_CLASSES] = {
	[COST_MUL_32] = COST_MUL,	  [COST_DIV_32] = COST_DIV,
	[COST_FP_ADD_32] = COST_FP_ADD,	  [COST_FP_MUL_32] = COST_FP_MUL,
	[COST_FP_FMA_32] = COST_FP_FMA,	  [COST_FP_DIV_32] = COST_FP_DIV,
	[COST_FP_SQRT_32] = COST_FP_SQRT, [COST_FP_SIGN] = COST_FP_MISC,
	[COST_FP_CONVERT] = COST_FP_MISC, [COST_FP_MOVE] = COST_FP_MISC,
	[COST_VSET] = COST_ALU,
};

/* Those from the first one on. */
static void like_others(uint8_t *to, unsigned first)
{
	for (unsigned n = first; n < COST_CLASSES; n++)
		to[n] = to[class_like[n]];
}

/* A list with a byte for each class, or for the first ones. */
static void read_classes(struct reader *r, int node, const char *property, uint8_t *to)
{
	int len;
	bool any = reader_get(r, node, property, &len);
	unsigned nr = any ? len / sizeof(fdt32_t) : COST_CLASSES;

	if (any && (len % sizeof(fdt32_t) ||
		    (nr != COST_MUL_32 && nr != COST_VSET && nr != COST_CLASSES))) {
		reader_refuse(r, node, property, "must have %u, %u or %u cells, has %d bytes",
			      COST_MUL_32, COST_VSET, COST_CLASSES, len);
		return;
	}
	read_bytes(r, node, property, nr, to);
	like_others(to, nr);
}

/* A single-issue core of five stages. */
static void default_cost(struct cost_config *c)
{
	static const uint8_t latency[COST_CLASSES] = {
		[COST_ALU] = 1,	    [COST_MUL] = 3,    [COST_DIV] = 20,	   [COST_LOAD] = 2,
		[COST_STORE] = 1,   [COST_AMO] = 4,    [COST_BRANCH] = 1,  [COST_FP_ADD] = 4,
		[COST_FP_MUL] = 4,  [COST_FP_FMA] = 5, [COST_FP_DIV] = 20, [COST_FP_SQRT] = 20,
		[COST_FP_MISC] = 2, [COST_CSR] = 3,    [COST_FENCE] = 3,
	};

	*c = (struct cost_config){ .width = 1,
				   .taken = 1,
				   .btb_miss = 2,
				   .bad_direction = 4,
				   .bad_target = 4,
				   .bad_return = 4,
				   .second_tlb_cycles = 4,
				   .walk_cycles = 4,
				   .stores = 4 };
	memset(c->units, 1, sizeof(c->units));
	memcpy(c->latency, latency, sizeof(latency));
	memset(c->busy, 1, sizeof(c->busy));
	c->busy[COST_DIV] = c->busy[COST_FP_DIV] = c->busy[COST_FP_SQRT] = 19;
	like_others(c->latency, COST_MUL_32);
	like_others(c->busy, COST_MUL_32);
}

/* What only a core that issues out of order has. */
static void read_window(struct reader *r, int node, struct cost_config *c)
{
	memset(c->queues, READER_QUEUE, sizeof(c->queues));
	c->window = needs32(r, node, "window", UINT16_MAX, READER_WINDOW);
	read_bytes(r, node, "queues", COST_UNITS, c->queues);
	c->forward_cycles = may32(r, node, "forward-cycles", 255, 0);
	c->recovery_cycles = may32(r, node, "recovery-cycles", 255, 0);
}

static void read_cost(struct reader *r, int cpu)
{
	struct cost_config *c = &r->models->cost;
	int node = reader_child(r, cpu, "holter,pipeline");
	struct model_error why = { 0 };

	default_cost(c);
	if (node < 0) {
		reader_note(r, cpu, "no pipeline: one instruction a cycle, %u for a misprediction",
			    c->bad_direction);
		return;
	}
	reader_choice(r, node, "order", cost_order_name, COST_ORDERS, &c->order);
	if (c->order == COST_OUT_OF_ORDER)
		read_window(r, node, c);
	c->width = needs32(r, node, "width", 255, c->width);
	read_bytes(r, node, "units", COST_UNITS, c->units);
	read_classes(r, node, "latency", c->latency);
	read_classes(r, node, "busy", c->busy);
	c->taken = needs32(r, node, "taken", UINT16_MAX, c->taken);
	c->btb_miss = needs32(r, node, "btb-miss", UINT16_MAX, c->btb_miss);
	c->bad_direction = needs32(r, node, "bad-direction", UINT16_MAX, c->bad_direction);
	c->bad_target = needs32(r, node, "bad-target", UINT16_MAX, c->bad_target);
	c->bad_return = needs32(r, node, "bad-return", UINT16_MAX, c->bad_return);
	c->second_tlb_cycles = needs32(r, node, "second-tlb-cycles", UINT32_MAX,
				       c->second_tlb_cycles);
	c->walk_cycles = needs32(r, node, "walk-cycles", UINT32_MAX, c->walk_cycles);
	c->stores = needs32(r, node, "stores", 255, c->stores);
	c->loads = may32(r, node, "loads", 255, c->loads);
	c->late_alu = may32(r, node, "late-alu", 255, c->late_alu);
	c->div_bits = may32(r, node, "div-bits", 255, 0);
	c->div_cycles = may32(r, node, "div-cycles", 255, 0);
	c->div_sign = may32(r, node, "div-sign", 255, 0);
	r->models->hierarchy.misses = may32(r, node, "misses", HIERARCHY_MISSES_MAX, 0);
	r->models->hierarchy.fill_cycles = may32(r, node, "fill-cycles", HIERARCHY_FILL_CYCLES_MAX,
						 0);
	if (!r->failed && !cost_check(c, &why))
		refuse_own(r, node, &why);
}

/* Units as wide as a vector register. */
static const struct vunit_config default_vunit = {
	.cycles = {
		[VUNIT_ADD ... VUNIT_MUL] = { 1, 1, 1, 1 },
		[VUNIT_DIV] = { 16, 16, 16, 16 },
		[VUNIT_FP_ADD ... VUNIT_FP_MISC] = { 1, 1, 1, 1 },
		[VUNIT_FP_DIV] = { 16, 16, 16, 16 },
		[VUNIT_MASK ... VUNIT_GATHER] = { 1, 1, 1, 1 },
		[VUNIT_REDUCE] = { 4, 4, 4, 4 },
		[VUNIT_FP_REDUCE] = { 8, 8, 8, 8 },
		[VUNIT_FP_ORDERED] = { 32, 16, 8, 4 },
		[VUNIT_SCALAR ... VUNIT_STORE] = { 1, 1, 1, 1 },
	},
	.latency = {
		[VUNIT_ADD ... VUNIT_MUL] = 3,
		[VUNIT_DIV] = 16,
		[VUNIT_FP_ADD ... VUNIT_FP_MISC] = 4,
		[VUNIT_FP_DIV] = 16,
		[VUNIT_MASK ... VUNIT_STORE] = 3,
	},
	.masked = 1,
	.element = 1,
};

static void read_vunit(struct reader *r, int cpu)
{
	static const char name[] = "holter,vector";
	struct vunit_config *c = &r->models->vunit;
	struct model_error why = { 0 };
	int node;

	*c = default_vunit;
	if (r->failed || fdt_subnode_offset(r->fdt, cpu, name) < 0)
		return;
	if (!isa_has(&r->cpu->isa, ISA_EXT_VECTORS)) {
		reader_refuse(r, cpu, name,
			      "riscv,isa-extensions names neither v nor xtheadvector");
		return;
	}
	node = reader_child(r, cpu, name);
	if (reader_has(r, node, "cycles"))
		read_bytes(r, node, "cycles", sizeof(c->cycles), &c->cycles[0][0]);
	if (reader_has(r, node, "latency"))
		read_bytes(r, node, "latency", VUNIT_CLASSES, c->latency);
	c->masked = may32(r, node, "masked", 255, c->masked);
	c->element = may32(r, node, "element", 255, c->element);
	c->chaining = reader_flag(r, node, "chaining");
	if (!r->failed && !vunit_check(c, &why))
		refuse_own(r, node, &why);
}

void cpu_read_shape(struct reader *r, int node)
{
	uint64_t seed = 0;

	read_memory(r, node);
	check_memory(r, node);
	read_tlbs(r, node);
	read_bpred(r, node);
	read_cost(r, node);
	read_vunit(r, node);
	reader_number(r, node, "holter,random-seed", &seed);
	cpu_models_vary(r->models, seed);
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * cpu.c - reads a description of Holter's own, holter-cpu(7), with libfdt.
 *
 * What holter-cpu(7) lets a description omit has the default of that page; everything else must be
 * there.  Nothing is checked that holter run checks before it runs.
 */
#include <libfdt.h>
#include <stdio.h>
#include <string.h>

#include "cpu.h"
#include "decode.h"

struct reader {
	const void *fdt;
	struct error_text *why;
	bool bad;
};

/* The cells of a property; 0 if it is not there. */
static unsigned cells(const struct reader *r, int node, const char *name, const fdt32_t **at)
{
	int len;

	*at = fdt_getprop(r->fdt, node, name, &len);
	return *at && len > 0 ? (unsigned)len / 4 : 0;
}

static bool is_there(const struct reader *r, int node, const char *name)
{
	return fdt_getprop(r->fdt, node, name, NULL) != NULL;
}

/* A number of one cell or two. */
static uint64_t number_or(const struct reader *r, int node, const char *name, uint64_t value)
{
	const fdt32_t *at;
	unsigned n = cells(r, node, name, &at);

	if (!n)
		return value;
	value = fdt32_ld(&at[0]);
	return n > 1 ? value << 32 | fdt32_ld(&at[1]) : value;
}

static uint64_t number(struct reader *r, int node, const char *name)
{
	if (!is_there(r, node, name) && !r->bad)
		r->bad = !error_set(r->why, "the description has no %s", name);
	return number_or(r, node, name, 0);
}

/* A list of exactly n numbers. */
static void list(struct reader *r, int node, const char *name, unsigned *to, unsigned n)
{
	const fdt32_t *at;

	if (cells(r, node, name, &at) != n) {
		if (!r->bad)
			r->bad = !error_set(r->why, "%s has not %u numbers", name, n);
		return;
	}
	for (unsigned k = 0; k < n; k++)
		to[k] = fdt32_ld(&at[k]);
}

/* The place of a string in a list that ends with NULL; the first one if the property is missing. */
static unsigned word(struct reader *r, int node, const char *name, const char *const *words)
{
	const char *is = fdt_getprop(r->fdt, node, name, NULL);

	if (!is)
		return 0;
	for (unsigned k = 0; words[k]; k++)
		if (!strcmp(words[k], is))
			return k;
	if (!r->bad)
		r->bad = !error_set(r->why, "%s is unknown: %s", name, is);
	return 0;
}

static const char *const policies[] = { "lru", "plru", "fifo", "random", NULL };
static const char *const prefetchers[] = { "none", "on-miss", "tagged", "stream", "stride", NULL };
static const char *const orders[] = { "in", "out", NULL };
static const char *const directions[] = { "static", "bimodal", "gshare", "bimode", "tage", NULL };

/* The name of a property: one of the cpu node begins with "i-" or "d-". */
static const char *named(char *to, size_t size, const char *before, const char *side,
			 const char *after)
{
	snprintf(to, size, "%s%s%s", before, side, after);
	return to;
}

/* Rule C2.  side is "i-", "d-", or "" for a node of its own; its Holter properties differ. */
static void read_cache(struct reader *r, int node, const char *side, unsigned line,
		       struct cpu_cache *c)
{
	char n[64];
	const char *part = *side == 'i' ? "i-cache-" : *side == 'd' ? "d-cache-" : "";

	c->there = true;
	c->size = number(r, node, named(n, sizeof(n), "", side, "cache-size"));
	c->sets = number(r, node, named(n, sizeof(n), "", side, "cache-sets"));
	c->ways = c->sets && line ? c->size / ((uint64_t)c->sets * line) : 0;
	if (!c->ways && !r->bad)
		r->bad = !error_set(r->why, "a cache has no ways");
	c->policy = word(r, node, named(n, sizeof(n), "holter,", part, "policy"), policies);
	c->prefetch = word(r, node, named(n, sizeof(n), "holter,", part, "prefetch"), prefetchers);
	/* Rule PF6 has the defaults. */
	c->entries = number_or(r, node, named(n, sizeof(n), "holter,", part, "prefetch-entries"),
			       16);
	c->degree = number_or(r, node, named(n, sizeof(n), "holter,", part, "prefetch-degree"), 2);
	c->distance = number_or(r, node, named(n, sizeof(n), "holter,", part, "prefetch-distance"),
				8);
	c->pages = number_or(r, node, named(n, sizeof(n), "holter,", part, "prefetch-pages"), 1);
	c->cycles = number_or(r, node, "holter,cycles", 0);
	c->line_cycles = number_or(r, node, "holter,line-cycles", 0);
	c->banks = number_or(r, node, "holter,banks", 1);
}

/* Rule T1. */
static void read_tlb(struct reader *r, int node, const char *size, const char *sets,
		     const char *policy, struct cpu_tlb *t)
{
	t->there = true;
	t->sets = number(r, node, sets);
	t->ways = t->sets ? number(r, node, size) / t->sets : 0;
	t->policy = word(r, node, policy, policies);
	if (!t->ways && !r->bad)
		r->bad = !error_set(r->why, "a TLB has no ways");
}

/* holter,tlb-pages; by default the page sizes of the paging mode. */
static void read_pieces(const struct reader *r, int node, bool *piece)
{
	static const char *const names[PIECES] = { "4k", "64k", "2m", "1g", "512g", "256t" };
	const char *mmu = fdt_getprop(r->fdt, node, "mmu-type", NULL);

	for (unsigned k = 0; k < PIECES; k++)
		piece[k] = fdt_stringlist_search(r->fdt, node, "holter,tlb-pages", names[k]) >= 0;
	if (is_there(r, node, "holter,tlb-pages"))
		return;
	piece[0] = piece[2] = piece[3] = true;
	piece[5] = mmu && !strcmp(mmu, "riscv,sv57");
	piece[4] = piece[5] || (mmu && !strcmp(mmu, "riscv,sv48"));
}

static void read_predictor(struct reader *r, int node, struct cpu_predictor *p)
{
	p->direction = word(r, node, "direction", directions);
	if (p->direction != STATIC)
		p->counters = number(r, node, "counters");
	if (p->direction == GSHARE || p->direction == BIMODE)
		p->history = number(r, node, "history");
	if (p->direction == BIMODE)
		p->choices = number(r, node, "choices");
	if (p->direction == TAGE) {
		p->tage_tables = number(r, node, "tage-tables");
		p->tage_entries = number(r, node, "tage-entries");
		p->tage_tag_bits = number(r, node, "tage-tag-bits");
		if (p->tage_tables > TAGE_MAX && !r->bad)
			r->bad = !error_set(r->why, "tage-tables is too large");
		if (!r->bad)
			list(r, node, "tage-history", p->tage_history, p->tage_tables);
	}
	p->btb_sets = number(r, node, "btb-sets");
	p->btb_ways = number(r, node, "btb-ways");
	p->targets = number(r, node, "targets");
	p->target_history = number(r, node, "target-history");
	p->returns = number(r, node, "returns");
}

/* Rule P12: latency and busy. */
static void list_of_classes(struct reader *r, int node, const char *name, unsigned *to)
{
	static const unsigned like[CLASSES - CLASSES_FIRST] = {
		1, 2, 7, 8, 9, 10, 11, 12, 12, 12, 0
	};
	const fdt32_t *at;
	unsigned there = cells(r, node, name, &at);

	if (there != CLASSES_FIRST && there != CLASSES_SCALAR)
		there = CLASSES;
	list(r, node, name, to, there);
	for (unsigned n = there; n < CLASSES; n++)
		to[n] = to[like[n - CLASSES_FIRST]];
}

static void read_pipeline(struct reader *r, int node, struct cpu_pipeline *p)
{
	p->out_of_order = word(r, node, "order", orders);
	if (p->out_of_order) {
		p->window = number(r, node, "window");
		list(r, node, "queues", p->queues, UNITS);
	}
	p->width = number(r, node, "width");
	list(r, node, "units", p->units, UNITS);
	list_of_classes(r, node, "latency", p->latency);
	list_of_classes(r, node, "busy", p->busy);
	p->taken = number(r, node, "taken");
	p->btb_miss = number(r, node, "btb-miss");
	p->bad_direction = number(r, node, "bad-direction");
	p->bad_target = number(r, node, "bad-target");
	p->bad_return = number(r, node, "bad-return");
	p->second_tlb_cycles = number(r, node, "second-tlb-cycles");
	p->walk_cycles = number(r, node, "walk-cycles");
	p->stores = number(r, node, "stores");
	p->loads = number_or(r, node, "loads", 0);
	p->misses = number_or(r, node, "misses", 0);
	p->fill_cycles = number_or(r, node, "fill-cycles", 0);
	p->late_alu = number_or(r, node, "late-alu", 0);
	p->div_bits = number_or(r, node, "div-bits", 0);
	p->div_cycles = number_or(r, node, "div-cycles", 0);
	p->div_sign = number_or(r, node, "div-sign", 0);
	p->forward_cycles = number_or(r, node, "forward-cycles", 0);
	p->recovery_cycles = number_or(r, node, "recovery-cycles", 0);
}

/* Rule V10: the defaults of holter,vector. */
static void read_vector(struct reader *r, int node, struct cpu_vector *v)
{
	static const struct {
		unsigned cycles[4], latency;
	} otherwise[VECTOR_CLASSES] = {
		{ { 1, 1, 1, 1 }, 3 },	    { { 1, 1, 1, 1 }, 3 }, { { 1, 1, 1, 1 }, 3 },
		{ { 16, 16, 16, 16 }, 16 }, { { 1, 1, 1, 1 }, 4 }, { { 1, 1, 1, 1 }, 4 },
		{ { 16, 16, 16, 16 }, 16 }, { { 1, 1, 1, 1 }, 3 }, { { 1, 1, 1, 1 }, 3 },
		{ { 1, 1, 1, 1 }, 3 },	    { { 4, 4, 4, 4 }, 3 }, { { 8, 8, 8, 8 }, 3 },
		{ { 32, 16, 8, 4 }, 3 },    { { 1, 1, 1, 1 }, 3 }, { { 1, 1, 1, 1 }, 3 },
		{ { 1, 1, 1, 1 }, 3 },	    { { 1, 1, 1, 1 }, 3 },
	};

	for (unsigned n = 0; n < VECTOR_CLASSES; n++) {
		for (unsigned size = 0; size < 4; size++)
			v->cycles[n * 4 + size] = otherwise[n].cycles[size];
		v->latency[n] = otherwise[n].latency;
	}
	v->masked = v->element = 1;
	if (node < 0)
		return;
	if (is_there(r, node, "cycles"))
		list(r, node, "cycles", v->cycles, VECTOR_CLASSES * 4);
	if (is_there(r, node, "latency"))
		list(r, node, "latency", v->latency, VECTOR_CLASSES);
	v->masked = number_or(r, node, "masked", 1);
	v->element = number_or(r, node, "element", 1);
	v->chaining = is_there(r, node, "chaining");
}

/* The node to which next-level-cache leads; negative: none. */
static int next_level(const struct reader *r, int node)
{
	const fdt32_t *at;

	return cells(r, node, "next-level-cache", &at) == 1
		       ? fdt_node_offset_by_phandle(r->fdt, fdt32_ld(at))
		       : -1;
}

/* Rule C1: of two nodes the first one is L2; one alone is LL. */
static void read_outer(struct reader *r, int cpu, struct cpu *c)
{
	int first = next_level(r, cpu), second = first >= 0 ? next_level(r, first) : -1;

	if (second >= 0) {
		read_cache(r, first, "", c->line, &c->l2);
		read_cache(r, second, "", c->line, &c->ll);
	} else if (first >= 0) {
		read_cache(r, first, "", c->line, &c->ll);
	}
}

/* Rule G1: the cycles for which a line occupies memory. */
static unsigned line_cycles(const struct cpu *c, uint64_t mb_s)
{
	uint64_t a_second = mb_s * 1000000, cycles = (c->line * c->hz + a_second / 2) / a_second;

	return cycles < 1 ? 1 : cycles;
}

/* Rule M1. */
static unsigned dram_cycles(const struct cpu *c, uint64_t ns)
{
	return (ns * c->hz + 500000000) / 1000000000;
}

/* Rule M17. */
static void read_rows(const struct reader *r, int node, struct cpu *c)
{
	c->rows = is_there(r, node, "dram-row-hit-ns");
	c->row_hit_cycles = dram_cycles(c, number_or(r, node, "dram-row-hit-ns", 0));
	c->row_bytes = number_or(r, node, "dram-row-bytes", 4096);
	c->dram_banks = number_or(r, node, "dram-banks", 8);
	c->dram_interleave = number_or(r, node, "dram-interleave-bytes",
				       c->row_bytes < 512 ? c->row_bytes : 512);
}

static void read_memory(struct reader *r, int node, struct cpu *c)
{
	c->memory_cycles = dram_cycles(c, number(r, node, "dram-ns"));
	read_rows(r, node, c);
	if (number_or(r, node, "dram-mb-s", 0))
		c->memory_line_cycles = line_cycles(c, number_or(r, node, "dram-mb-s", 0));
	c->snoop_cycles = number(r, node, "snoop-cycles");
	c->uncached_cycles = number(r, node, "uncached-cycles");
}

bool cpu_read(struct cpu *c, const void *dtb, size_t len, struct error_text *why)
{
	struct reader r = { .fdt = dtb, .why = why };
	int cpu;

	*c = (struct cpu){ 0 };
	if (len < sizeof(struct fdt_header) || fdt_check_full(dtb, len) != 0)
		return error_set(why, "this is not a device tree");
	cpu = fdt_node_offset_by_prop_value(dtb, -1, "device_type", "cpu", 4);
	if (fdt_node_check_compatible(dtb, 0, "holter,cpu") != 0 || cpu < 0)
		return error_set(why, "this is not a description of a CPU of Holter's own");
	c->hz = number(&r, cpu, "clock-frequency");
	c->mvendorid = number_or(&r, cpu, "holter,mvendorid", 0);
	c->marchid = number_or(&r, cpu, "holter,marchid", 0);
	c->line = number(&r, cpu, "d-cache-block-size");
	read_cache(&r, cpu, "i-", c->line, &c->l1i);
	read_cache(&r, cpu, "d-", c->line, &c->l1d);
	c->write_through = is_there(&r, cpu, "holter,d-cache-write-through");
	c->write_stream = number_or(&r, cpu, "holter,d-cache-write-stream", 0);
	read_outer(&r, cpu, c);
	read_tlb(&r, cpu, "i-tlb-size", "i-tlb-sets", "holter,i-tlb-policy", &c->itlb);
	read_tlb(&r, cpu, "d-tlb-size", "d-tlb-sets", "holter,d-tlb-policy", &c->dtlb);
	if (is_there(&r, cpu, "holter,second-tlb-size"))
		read_tlb(&r, cpu, "holter,second-tlb-size", "holter,second-tlb-sets",
			 "holter,second-tlb-policy", &c->stlb);
	read_pieces(&r, cpu, c->piece);
	c->random_seed = number_or(&r, cpu, "holter,random-seed", 0);
	read_memory(&r, fdt_subnode_offset(dtb, cpu, "holter,memory"), c);
	read_predictor(&r, fdt_subnode_offset(dtb, cpu, "holter,predictor"), &c->predictor);
	read_pipeline(&r, fdt_subnode_offset(dtb, cpu, "holter,pipeline"), &c->pipeline);
	c->zcm = fdt_stringlist_search(dtb, cpu, "riscv,isa-extensions", "zcmp") >= 0 ||
		 fdt_stringlist_search(dtb, cpu, "riscv,isa-extensions", "zcmt") >= 0;
	if (c->mvendorid == 0x5b7 && c->marchid == 0)
		c->thead = THEAD_CMO | THEAD_SYNC;
	if (fdt_stringlist_search(dtb, cpu, "riscv,isa-extensions", "xtheadcmo") >= 0)
		c->thead |= THEAD_CMO;
	if (fdt_stringlist_search(dtb, cpu, "riscv,isa-extensions", "xtheadsync") >= 0)
		c->thead |= THEAD_SYNC;
	c->vector.thead = fdt_stringlist_search(dtb, cpu, "riscv,isa-extensions", "v") < 0 &&
			  fdt_stringlist_search(dtb, cpu, "riscv,isa-extensions", "xtheadvector") >=
				  0;
	c->vector.zvbb = fdt_stringlist_search(dtb, cpu, "riscv,isa-extensions", "zvbb") >= 0;
	c->vector.vlen = number_or(&r, cpu, "holter,vlen", 0);
	read_vector(&r, fdt_subnode_offset(dtb, cpu, "holter,vector"), &c->vector);
	return !r.bad;
}

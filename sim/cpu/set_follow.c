// SPDX-License-Identifier: BSD-2-Clause
/*
 * set_follow.c - the changes that follow from those of --set (set.h; the rules are in
 * holter-cpu(7)).
 *
 * A cache has size = ways * sets * line, and its description has size, sets and line; a TLB has
 * lines of 1.  The size stays unless it is set, or ways and sets are.  The ways stay unless they or
 * the sets are set; but one set stays one set.
 *
 * A predictor has the properties of its kind: another kind loses those that it does not have, and
 * gets defaults for those that it lacks.  History lengths follow from the sizes of their tables.
 *
 * The latency of an open row of DRAM follows that of memory, and banks are interleaved by a row at
 * most.
 *
 * A pipeline that issues out of order has a window and queues and no late ALU, one that issues in
 * order has no window and no queues.
 */
#include <libfdt.h>
#include <string.h>

#include "set.h"

/* A product; UINT64_MAX, which every property refuses, if it is too great. */
static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Caches and TLBs */

/* A cache or TLB; what --set gives of it, or NULL. */
struct shape {
	const struct property *row; /* of the size */
	const char *path;
	const struct set *size, *ways, *sets, *line;
	struct property_shape is; /* the new values */
};

static bool read_shape(struct sets *all, struct shape *s)
{
	int node = fdt_path_offset(all->fdt, s->path);

	s->is = property_shape(all->fdt, node, s->row->shape);
	return (!s->size || set_value(all, s->size, 0, UINT64_MAX, &s->is.size)) &&
	       (!s->sets || set_value(all, s->sets, 0, UINT32_MAX, &s->is.sets)) &&
	       (!s->line || set_value(all, s->line, 1, UINT32_MAX, &s->is.line));
}

static void no_multiple(struct sets *all, const struct shape *s, const struct set *first)
{
	const unsigned long long size = s->is.size, ways = s->is.ways, line = s->is.line;

	if (s->row->shape->line)
		reader_refuse_set(all->r, first->text,
				  "%llu bytes are not a multiple of %llu lines of %llu bytes", size,
				  ways, line);
	else
		reader_refuse_set(all->r, first->text,
				  "%llu entries are not a multiple of %llu ways", size, ways);
}

/* Computes the sets from the size and the ways. */
static bool follow_sets(struct sets *all, struct shape *s, const struct set *first)
{
	const struct property *row = s->row;
	uint64_t way = times(s->is.ways, s->is.line);

	if (!s->is.size && !s->size) {
		reader_refuse_set(all->r, first->text,
				  "needs %s, too, which the description does not say", row->name);
		return false;
	}
	if (!s->ways && s->is.sets == 1)
		return true; /* fully associative */
	if (!s->is.ways && all->r->complete) {
		reader_refuse_set(all->r, first->text,
				  "needs %s, too, which the description does not say", row[1].name);
		return false;
	}
	if (!way || !s->is.size || s->is.size > UINT32_MAX)
		return true; /* a board's default, or a value that will be refused */
	s->is.sets = s->is.size / way;
	if (s->is.sets && s->is.size % way == 0)
		return true;
	no_multiple(all, s, first);
	return false;
}

static bool follow(struct sets *all, struct shape *s)
{
	const struct set *first = s->size ? s->size : s->ways ? s->ways : s->line;
	uint64_t lines = times(s->is.sets, s->is.line), ways = s->is.ways;

	if (s->ways && !set_value(all, s->ways, 1, REPLACE_WAYS_MAX, &ways))
		return false;
	s->is.ways = ways;
	if (!s->sets)
		return follow_sets(all, s, first);
	if (!s->ways)
		return true; /* the ways follow when they are read */
	if (!s->size) {
		s->is.size = times(lines, ways);
		return true;
	}
	if (s->is.size == times(lines, ways))
		return true;
	reader_refuse_set(all->r, s->ways->text, "with --set %.80s and --set %.80s it must be %llu",
			  s->size->text, s->sets->text,
			  (unsigned long long)(lines ? s->is.size / lines : 0));
	return false;
}

/* Records each --set of the cache or TLB for the properties that they change together. */
static bool record(struct sets *all, const struct shape *s)
{
	const struct shape_names *names = s->row->shape;
	const struct set *given[] = { s->size, s->ways, s->sets, s->line };

	for (unsigned n = 0; n < 4; n++) {
		if (given[n] &&
		    (!set_record(all, given[n], s->path, names->size, given[n] != s->size) ||
		     !set_record(all, given[n], s->path, names->sets, given[n] != s->sets)))
			return false;
	}
	return true;
}

static bool write_line(struct sets *all, const struct shape *s)
{
	const char *property = property_line(all->fdt, fdt_path_offset(all->fdt, s->path),
					     s->row->shape);

	return !s->line || (set_record(all, s->line, s->path, property, false) &&
			    set_number(all, s->path, property, s->is.line));
}

static bool set_shape(struct sets *all, struct shape *s)
{
	const struct shape_names *names = s->row->shape;

	if (!read_shape(all, s) || !follow(all, s) || !record(all, s) || !write_line(all, s))
		return false;
	if ((s->is.size || s->size) && !set_number(all, s->path, names->size, s->is.size))
		return false;
	return !(s->is.sets || s->sets) || set_number(all, s->path, names->sets, s->is.sets);
}

void set_shapes(struct sets *all)
{
	const struct set *line = set_find(all, "line");

	for (const struct property *row = property_table; row->name; row++) {
		struct shape s = { .row = row, .path = all->path[row->node] };

		if (row->kind != PROPERTY_SIZE || !*s.path)
			continue;
		s.size = set_find(all, row[0].name);
		s.ways = set_find(all, row[1].name);
		s.sets = set_find(all, row[2].name);
		s.line = row->shape->line ? line : NULL;
		if ((s.size || s.ways || s.sets || s.line) && !set_shape(all, &s))
			return;
	}
}

/* The predictor */

#define KIND(name) (1u << BPRED_##name)

/* The properties that not every kind has, and the defaults of max.dts or u74.dts. */
static const struct {
	const char *name, *property;
	unsigned kinds;
	uint32_t otherwise;
} predictor[] = {
	{ "bpred.counters", "counters", KIND(BIMODAL) | KIND(GSHARE) | KIND(BIMODE) | KIND(TAGE),
	  4096 },
	{ "bpred.history", "history", KIND(GSHARE) | KIND(BIMODE), 12 },
	{ "bpred.choices", "choices", KIND(BIMODE), 4096 },
	{ "bpred.tage-tables", "tage-tables", KIND(TAGE), 3 },
	{ "bpred.tage-entries", "tage-entries", KIND(TAGE), 512 },
	{ "bpred.tage-tag-bits", "tage-tag-bits", KIND(TAGE), 8 },
	{ "bpred.tage-history", "tage-history", KIND(TAGE), 0 }, /* follow_tage() */
};

/* History lengths for 1 to 6 tables. */
static const uint8_t lengths[TAGE_TABLES_MAX][TAGE_TABLES_MAX] = {
	{ 16 },
	{ 8, 32 },
	{ 6, 18, 54 },
	{ 5, 15, 44, 128 },
	{ 4, 10, 24, 56, 128 },
	{ 4, 8, 16, 32, 64, 128 },
};

static int predictor_node(const struct sets *all)
{
	return fdt_path_offset(all->fdt, all->path[PROPERTY_PREDICTOR]);
}

static bool has(const struct sets *all, const char *property)
{
	return fdt_getprop(all->fdt, predictor_node(all), property, NULL);
}

/* Another kind: what it has and what it lacks.  An unknown kind is refused later. */
static void follow_kind(struct sets *all, const struct set *kind)
{
	const char *path = all->path[PROPERTY_PREDICTOR];
	unsigned n = 0, bit;

	while (n < BPRED_DIRECTIONS && strcmp(bpred_direction_name[n], kind->value))
		n++;
	bit = n < BPRED_DIRECTIONS ? 1u << n : 0;
	for (n = 0; bit && n < sizeof(predictor) / sizeof(*predictor); n++) {
		const char *property = predictor[n].property;

		if (predictor[n].kinds & bit && predictor[n].otherwise && !has(all, property))
			set_number(all, path, property, predictor[n].otherwise);
		else if (!(predictor[n].kinds & bit) && has(all, property) &&
			 !set_find(all, predictor[n].name))
			fdt_delprop(all->fdt, predictor_node(all), property);
	}
}

/* A history that indexes a table of nr entries is not longer than the bits of the index. */
static void limit(struct sets *all, const char *table, const char *history)
{
	const char *path = all->path[PROPERTY_PREDICTOR];
	uint64_t nr, bits;

	if (!property_number(all->fdt, predictor_node(all), table, &nr) ||
	    !property_number(all->fdt, predictor_node(all), history, &bits) || !nr)
		return;
	if (bits > 63u - __builtin_clzll(nr))
		set_number(all, path, history, 63u - __builtin_clzll(nr));
}

/* As many history lengths as tables. */
static void follow_tage(struct sets *all)
{
	const char *path = all->path[PROPERTY_PREDICTOR];
	fdt32_t cells[TAGE_TABLES_MAX];
	uint64_t nr;
	int len = 0;

	if (!property_number(all->fdt, predictor_node(all), "tage-tables", &nr) || !nr ||
	    nr > TAGE_TABLES_MAX)
		return;
	fdt_getprop(all->fdt, predictor_node(all), "tage-history", &len);
	for (unsigned n = 0; n < nr; n++)
		fdt32_st(&cells[n], lengths[nr - 1][n]);
	if (len != (int)nr * 4)
		set_bytes(all, path, "tage-history", cells, nr * 4);
}

void set_predictor(struct sets *all)
{
	const struct set *kind = set_find(all, "bpred.kind");

	if (kind)
		follow_kind(all, kind);
	if ((kind || set_find(all, "bpred.counters")) && !set_find(all, "bpred.history"))
		limit(all, "counters", "history");
	if (set_find(all, "bpred.targets") && !set_find(all, "bpred.target-history"))
		limit(all, "targets", "target-history");
	if ((kind || set_find(all, "bpred.tage-tables")) && !set_find(all, "bpred.tage-history"))
		follow_tage(all);
}

/* Memory */

/* The latency of an open row keeps its part of the other one. */
static void follow_latency(struct sets *all, const struct set *latency, const char *path, int node)
{
	uint64_t old, hit, latest;

	if (!property_number(all->fdt, node, "dram-ns", &old) || !old ||
	    !property_number(all->fdt, node, "dram-row-hit-ns", &hit) ||
	    !set_value(all, latency, 0, READER_DRAM_NS_MAX, &latest) ||
	    !set_record(all, latency, path, "dram-row-hit-ns", true))
		return;
	set_number(all, path, "dram-row-hit-ns", hit * latest / old);
}

void set_memory(struct sets *all)
{
	const struct set *latency = set_find(all, "memory.latency");
	const struct set *row = set_find(all, "memory.row-bytes");
	const char *path = all->path[PROPERTY_MEMORY];
	int node = *path ? fdt_path_offset(all->fdt, path) : -1;
	uint64_t bytes, next;

	if (node < 0)
		return; /* a board's default */
	if (latency && !set_find(all, "memory.row-latency"))
		follow_latency(all, latency, path, node);
	if (all->r->failed || !row || set_find(all, "memory.interleave") ||
	    !set_value(all, row, 0, HIERARCHY_ROW_BYTES_MAX, &bytes))
		return;
	node = fdt_path_offset(all->fdt, path);
	if (property_number(all->fdt, node, "dram-interleave-bytes", &next) && next > bytes &&
	    set_record(all, row, path, "dram-interleave-bytes", true))
		set_number(all, path, "dram-interleave-bytes", bytes);
}

/* The pipeline */

void set_pipeline(struct sets *all)
{
	const struct set *order = set_find(all, "pipe.order");
	const char *path = all->path[PROPERTY_PIPELINE];
	int node = *path ? fdt_path_offset(all->fdt, path) : -1;
	fdt32_t queues[COST_UNITS];

	if (!order || node < 0)
		return; /* a board's default */
	if (!strcmp(order->value, cost_order_name[COST_IN_ORDER])) {
		fdt_delprop(all->fdt, node, "window");
		fdt_delprop(all->fdt, node, "queues");
		fdt_delprop(all->fdt, node, "forward-cycles");
		fdt_delprop(all->fdt, node, "recovery-cycles");
		return;
	}
	if (!set_find(all, "pipe.late-alu"))
		fdt_delprop(all->fdt, node, "late-alu");
	for (unsigned n = 0; n < COST_UNITS; n++)
		fdt32_st(&queues[n], READER_QUEUE);
	if (!fdt_getprop(all->fdt, node, "window", NULL) &&
	    !set_number(all, path, "window", READER_WINDOW))
		return;
	node = fdt_path_offset(all->fdt, path);
	if (!fdt_getprop(all->fdt, node, "queues", NULL))
		set_bytes(all, path, "queues", queues, sizeof(queues));
}

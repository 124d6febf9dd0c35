/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * property.h - the names of --set: one table, from which set.c takes them and cpu_property() lists
 * them.
 *
 * A new property of a description needs a row here, unless nobody wants to change it: without a
 * row it can be set by its path.
 */
#ifndef SIM_PROPERTY_H
#define SIM_PROPERTY_H

#include "reader.h"

/* What the text after the = is. */
enum property_kind {
	PROPERTY_NUMBER,
	PROPERTY_HERTZ, /* a number; K, M and G are powers of 1000 */
	PROPERTY_CELL, /* the number of one cell of a list */
	PROPERTY_CELLS, /* a list of numbers */
	PROPERTY_WORD,
	PROPERTY_WORDS, /* a list of words */
	PROPERTY_SWITCH, /* on: the property is there; off: it is not */
	/* Of a cache or TLB, whose size, ways and sets follow from each other (set.c) */
	PROPERTY_SIZE,
	PROPERTY_WAYS,
	PROPERTY_SETS,
	PROPERTY_LINE, /* of all caches */
};

/* The node of a property.  The last three are children of the cpu node. */
enum property_node {
	PROPERTY_CPU,
	PROPERTY_L2, /* the first cache behind L1 */
	PROPERTY_L3,
	PROPERTY_MEMORY,
	PROPERTY_PREDICTOR,
	PROPERTY_PIPELINE,
	PROPERTY_NODES
};

struct property {
	const char *name; /* NULL after the last row */
	enum property_kind kind;
	enum property_node node;
	const char *property; /* of PROPERTY_SIZE, _WAYS and _SETS: NULL, see shape */
	const char *unit; /* NULL: one of words */
	unsigned cell;
	const struct shape_names *shape;
	const char *const *words;
	unsigned nr_words;
};

extern const struct property property_table[];

/*
 * The paths of the nodes; "": this CPU has no such node.  A child of the cpu node has a path
 * even if it does not exist.
 */
void property_paths(struct reader *r, char path[PROPERTY_NODES][READER_PATH]);

/* A number of one cell or two.  False: there is none. */
bool property_number(const void *fdt, int node, const char *property, uint64_t *value);

/* The property that gives the line size of a cache. */
const char *property_line(const void *fdt, int node, const struct shape_names *s);

/* What a description says of a cache or TLB; 0: it does not say it.  A TLB has lines of 1. */
struct property_shape {
	uint64_t size, ways, sets, line;
};
struct property_shape property_shape(const void *fdt, int node, const struct shape_names *names);

/* The names of the nodes that are children of the cpu node. */
extern const char *const property_child[PROPERTY_NODES];

#endif

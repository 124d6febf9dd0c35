/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * set.h - how set.c makes the changes of --set: set_value.c writes one value, set_follow.c what
 * follows from several.
 */
#ifndef SIM_SET_H
#define SIM_SET_H

#include "property.h"

/*
 * Makes the changes of the texts of --set in fdt, which is r->fdt and has cpu_set_room() bytes to
 * spare.
 */
void cpu_set(struct reader *r, void *fdt, const char *const *texts, size_t nr);
size_t cpu_set_room(const char *const *texts, size_t nr);

/* One --set. */
struct set {
	const char *text; /* PROPERTY=VALUE */
	const char *value; /* its end */
	const struct property *row; /* NULL: PROPERTY is a path */
};

/* All of them, and the tree that they change. */
struct sets {
	struct reader *r;
	void *fdt;
	struct set *at; /* sorted by text */
	size_t nr;
	char path[PROPERTY_NODES][READER_PATH]; /* of the nodes of rows; "": there is none */
};

/* set_value.c: the --set of this name; NULL: there is none. */
const struct set *set_find(const struct sets *all, const char *name);

/* Writes a property.  Returns false after a refusal. */
bool set_bytes(struct sets *all, const char *path, const char *property, const void *bytes,
	       size_t len);
bool set_number(struct sets *all, const char *path, const char *property, uint64_t value);

/*
 * Records that s changed a property, for messages.  follows: s does not name it.  Returns false
 * after a refusal.
 */
bool set_record(struct sets *all, const struct set *s, const char *path, const char *property,
		bool follows);

/* Reads the value of s: a number from low to high; K, M or G may follow.  False after a refusal. */
bool set_value(struct sets *all, const struct set *s, uint64_t low, uint64_t high, uint64_t *value);

/* Makes the change of s, which has a path or a row.  Returns false after a refusal. */
bool set_path(struct sets *all, const struct set *s);
bool set_row(struct sets *all, const struct set *s);

/*
 * Refuses s, a row of a cache or TLB that set_shapes() changes, if its size or sets were set by
 * path.  Returns false after a refusal.
 */
bool set_shape_check(struct sets *all, const struct set *s);

/*
 * set_follow.c: changes what follows from the rows of caches and TLBs, and of the predictor; adds
 * and removes what pipe.order needs, and changes what follows from memory's rows, before other rows
 * are written.
 */
void set_shapes(struct sets *all);
void set_predictor(struct sets *all);
void set_pipeline(struct sets *all);
void set_memory(struct sets *all);

#endif

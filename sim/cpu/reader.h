/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reader.h - the functions of reader.c, with which cpu.c, shape.c and pmu.c read a description.
 *
 * A getter reports no error.  The first error is kept in *why, and from then on every getter does
 * nothing.  The reader records the names that getters asked for.  A property or node of Holter's
 * own that no getter has asked for is unknown.
 */
#ifndef SIM_READER_H
#define SIM_READER_H

#include <stdio.h>

#include "cpu.h"
#include "cpu_models.h"

#define READER_NAMES	128
#define READER_PATH	160
#define READER_PROPERTY 64

/* The most that dram-ns may be; --set needs it, too. */
#define READER_DRAM_NS_MAX 10000

/* A property that a --set has changed, or that follows from one. */
struct reader_change {
	const char *text; /* of --set: PROPERTY=VALUE */
	char path[READER_PATH], property[READER_PROPERTY];
	bool follows; /* text does not name this property */
	int node; /* of path; -1 until all changes are made */
	bool read; /* a getter has asked for it */
};

struct reader {
	const void *fdt;
	const char *file;
	struct cpu *cpu;
	struct cpu_models *models;
	struct error_text *why;
	bool failed;
	bool complete; /* Holter's own: must say everything */
	const char *asked[READER_NAMES]; /* properties and nodes, each once */
	unsigned nr_asked;
	VEC(struct reader_change) changes;
	FILE *left_out; /* extensions that the machine lacks, each after a space */
	bool lacks_vlen; /* an extension has vectors, and nothing says how long they are */
};

/*
 * Reports that a cell has a wrong value.  If it is a string, such as "256", the text says so, and
 * not what format says.
 */
__attribute__((format(printf, 5, 6))) void reader_refuse_number(struct reader *r, int node,
								const char *property,
								uint64_t value, const char *format,
								...);

/* Reports an error in a property of node, or in the node if property is NULL. */
__attribute__((format(printf, 4, 5))) void
reader_refuse(struct reader *r, int node, const char *property, const char *format, ...);

/* The same for the text of a --set. */
__attribute__((format(printf, 3, 4))) void reader_refuse_set(struct reader *r, const char *set,
							     const char *format, ...);

/* Adds a note for the user who chose this CPU. */
__attribute__((format(printf, 3, 4))) void reader_note(struct reader *r, int node,
						       const char *format, ...);

/* Reports that an allocation failed. */
void reader_no_memory(struct reader *r);

/* Text from a description goes to a terminal, so this replaces unprintable characters by a ?. */
void reader_printable(char *text);

/* The bytes of a property; NULL: there is none.  The name in property must stay valid. */
const void *reader_get(struct reader *r, int node, const char *property, int *len);

bool reader_has(struct reader *r, int node, const char *property);

/* Whether a property without a value is there; one with a value is refused. */
bool reader_flag(struct reader *r, int node, const char *property);

/* One number, of one cell or two.  False: there is none, and *value does not change. */
bool reader_number(struct reader *r, int node, const char *property, uint64_t *value);

/* A required number.  A board may leave it out: then *value keeps its default. */
void reader_needs(struct reader *r, int node, const char *property, uint64_t low, uint64_t high,
		  uint64_t *value);

/* nr required cells, each at most high; like reader_needs. */
void reader_cells(struct reader *r, int node, const char *property, unsigned nr, uint32_t high,
		  uint32_t *value);

/* A string, or the first one of a list; NULL: there is none. */
const char *reader_string(struct reader *r, int node, const char *property);

/* The string after `before` in a list; the first one if before is NULL.  NULL: no more. */
const char *reader_string_after(struct reader *r, int node, const char *property,
				const char *before);

/* The index of the property's string in names; *value does not change if there is none. */
void reader_choice(struct reader *r, int node, const char *property, const char *const *names,
		   unsigned nr, uint8_t *value);

/*
 * Returns the child with this name, which a complete description must have; negative if there is
 * none.
 */
int reader_child(struct reader *r, int node, const char *name);

/*
 * Refuses properties and nodes of Holter's own that no getter has asked for.  Call it after the
 * last getter.
 */
void reader_refuse_unknown(struct reader *r);

/*
 * Refuses a --set that changed a property that no getter has asked for.  Call it after the last
 * getter.
 */
void reader_refuse_unread(struct reader *r);

/* Fills in the nodes of all changes, after the last of them. */
void reader_find_changes(struct reader *r);

/* The first cpu node that is not disabled; -1 after a refusal. */
int reader_cpu(struct reader *r);

/* The cache that a node's next-level-cache leads to; negative: there is none. */
int reader_next_level(struct reader *r, int node);

/* The properties of a cache or a TLB; NULL: it has no such property. */
struct shape_names {
	const char *size, *sets, *line, *line_too, *policy, *prefetch, *through;
	const char *ahead[4]; /* entries, degree, distance and pages of what prefetch.h tells */
};
extern const struct shape_names shape_l1i, shape_l1d, shape_outer, shape_tlb[TLB_PARTS];

/* A core that issues out of order, if the tree of a board or --set does not tell. */
#define READER_WINDOW 64
#define READER_QUEUE  8

/* shape.c: caches, TLBs, predictor and pipeline of the cpu node. */
void cpu_read_shape(struct reader *r, int node);

/* pmu.c: the pmu node. */
void cpu_read_pmu(struct reader *r);

#endif

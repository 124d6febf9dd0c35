/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.h - a profile with names, from which holter report and holter annotate make their output.
 * This header is the door of tool/report.
 *
 *	load.c		reads a profile from any kind of file
 *	resolve.c	maps places to functions, source lines and inlined calls
 *	merge.c		makes one report of several
 *	rows.c		makes the rows of tables
 *	data.h		the data of an exact profile, with names
 *	tree.c		makes the call tree
 *	out/NAME.c	each writes one output format
 */
#ifndef REPORT_H
#define REPORT_H

#include <limits.h>
#include <stdio.h>

#include "elf_image.h"
#include "idmap.h"
#include "jit.h"
#include "profile.h"

#define REPORT_FOLDERS 16

struct report_options {
	const char *symfs; /* prefix of the paths of all files; "" for none */
	const char *kallsyms; /* a file; NULL: this machine's, if the profile is from it */
	const char *vmlinux; /* NULL: search for it */
	/* For an exact profile only: */
	const char *events; /* the events to load, as -e has them; NULL: a few */
	bool all; /* load also what starts the command in the guest */
	bool code; /* load also the instructions that ran */
	bool data; /* load also what is known of data */
	bool summary; /* sums by function are enough: see report_is_summed_right() */
	const char *folders[REPORT_FOLDERS]; /* where to look for the files that ran */
	unsigned nr_folders;
	bool lines; /* find source lines and inlined functions, too, which takes longer */
	bool json; /* names keep their control characters, which JSON escapes (json.h) */
};

struct report_function {
	uint32_t object;
	uint32_t name; /* string */
	uint64_t addr, end; /* as in struct profile_place; 0, 0: unknown, or it was inlined */
	uint32_t next; /* of the same object and name; IDMAP_NONE: none */
};

struct report_frame {
	uint32_t function;
	uint32_t file; /* string; PROFILE_NONE: unknown */
	int line;
	bool inlined; /* inlined into the next frame */
};

/* The frames of one place in frames: innermost first, at least one. */
struct report_span {
	uint32_t first, nr;
};

/* The ELF file of an object. */
struct report_image {
	struct elf_image *elf;
	const char *why; /* why there are no symbols */
	int64_t bias; /* address in places - address in elf; not used for PROFILE_USER */
	bool tried;
};

struct report {
	struct profile *p;
	const struct report_options *o;
	const char *path; /* of the profile */
	char *folder; /* in which it lies; NULL: it comes from a pipe */
	struct report_image *images;
	struct jit jit;
	VEC(char *) strings;
	struct idmap string_index; /* by hash */
	VEC(struct report_function) functions;
	struct idmap function_index; /* by object and name */
	VEC(struct report_frame) frames;
	struct report_span *spans;
	struct report_data *data; /* data.h; NULL: the profile has none */
};

enum report_kind { REPORT_NO_PROFILE, REPORT_SAMPLES, REPORT_EXACT };

/* The kind of a file, by its beginning. */
enum report_kind report_kind_of(const char *path);

/* Opens and reads a file; "-" is standard input.  Returns NULL after printing an error. */
struct report *report_load(const char *path, const struct report_options *o);
void report_free(struct report *r);

/* Returns false after printing an error: no event has happened. */
bool report_has_samples(const struct report *r);

/* Resolves all places.  Returns false after printing an error (no memory). */
bool report_resolve(struct report *r);

/*
 * Whether all places that share a function in p->function are now in one function, too.  If not,
 * the symbols are others than when the summary was made: the profile must be loaded without it.
 */
bool report_is_summed_right(const struct report *r);

/*
 * A number that is the same for all places of one function of an object, and for no other of its
 * places, as struct profile_functions wants it.  cookie: a struct report.  Opens images;
 * report_close_images() closes them, before report_resolve().
 */
uint64_t report_function_number(void *cookie, const struct profile_place *place);
void report_close_images(struct report *r);

/*
 * Returns the function of an object with this name, as it is in the object, at an address; 0, 0:
 * it has none.  Adds it if it is new.  PROFILE_NONE: there is no memory.
 */
uint32_t report_add_function(struct report *r, uint32_t object, const char *name, uint64_t addr,
			     uint64_t end);

/* Returns the object's ELF file; NULL: there is none. */
struct elf_image *report_image(struct report *r, uint32_t object);
/* Converts an address of a place to one of the ELF file.  Returns false if there is none. */
bool report_elf_address(struct report *r, uint32_t object, uint64_t addr, uint64_t *elf_addr);

/*
 * The name of the symbol at an address of an object, as in struct profile_place, and the distance
 * from its begin.  NULL: there is none.
 */
const char *report_symbol(struct report *r, uint32_t object, uint64_t addr, uint64_t *distance);

static inline const char *report_text(const struct report *r, uint32_t string)
{
	return string == PROFILE_NONE ? NULL : r->strings.at[string];
}

/* Returns the name of an object for tables: the last part of its path. */
const char *report_object_name(const struct report *r, uint32_t object);

/* A list of nr events, by index in the profile. */
struct report_events {
	uint32_t at[256];
	unsigned nr;
};

/*
 * Finds the events of a list of names and patterns, as -e has it; NULL: the default events.
 * Returns false after printing an error.
 */
bool report_choose_events(const struct report *r, const char *list, struct report_events *events);

/*
 * Makes one report of nr resolved reports, each with its chosen events, which are the same ones and
 * at least one.  Event e of file f is event e * nr + f of the result.  Its places have no addresses
 * of their own: REPORT_ADDR and REPORT_PID are not keys for it.  Processes have no pids, and
 * objects only the last part of their path.  Copies all but the strings path and o of the first
 * report.  NULL: there is no memory.
 */
struct report *report_merge(struct report *const *from, const struct report_events *events,
			    unsigned nr);

/* Passes remarks on the samples that a reader must know to line(), one by one. */
void report_notes(const struct report *r, void (*line)(void *cookie, const char *text),
		  void *cookie);

/*
 * Returns the number of a string.  PROFILE_NONE: text is NULL, or there is no memory (then
 * p->no_memory is set).
 */
uint32_t report_string(struct report *r, const char *text);

/* -- rows -- */

enum report_key {
	REPORT_COMM = 1,
	REPORT_PID = 2,
	REPORT_OBJECT = 4,
	REPORT_SYMBOL = 8,
	REPORT_LINE = 16,
	REPORT_ADDR = 32,
	/* Of data (data.h): */
	REPORT_DATA = 64,
	REPORT_OFFSET = 128, /* in the data */
	REPORT_SHARING = 256, /* the lines that harts take from each other, and nothing else */
	REPORT_MEMBER = 512, /* of a struct, or else the offset */
	REPORT_OUTER = 1024, /* for the page: the function that the symbol is inlined into */
};

#define REPORT_OF_DATA (REPORT_DATA | REPORT_OFFSET | REPORT_MEMBER | REPORT_SHARING)

/* A row of a table.  A field whose key was not chosen is 0, -1 or PROFILE_NONE. */
struct report_row {
	uint32_t comm; /* string */
	uint32_t object, function;
	uint32_t file; /* string */
	int line;
	int64_t pid;
	uint64_t addr;
	uint64_t *self, *samples, *total; /* by event of the profile */
};

struct report_rows {
	VEC(struct report_row) rows;
	uint64_t *numbers;
};

/* Parses a list of keys, like "symbol,object".  Returns 0 after printing an error. */
unsigned report_parse_keys(const char *text);

/* Makes the rows by the keys, highest counts first.  Returns false if there is no memory. */
bool report_make_rows(struct report *r, unsigned keys, const struct report_events *events,
		      struct report_rows *rows);
void report_rows_free(struct report_rows *rows);

/* -- the call tree -- */

enum report_node_kind {
	REPORT_NODE_ALL, /* the root */
	REPORT_NODE_COMM,
	REPORT_NODE_OBJECT, /* only in a profile without call chains */
	REPORT_NODE_FUNCTION,
	REPORT_NODE_INLINED, /* a function that was inlined into its caller */
};

struct report_node {
	enum report_node_kind kind;
	uint32_t what; /* string of the command, object, or function */
	uint32_t parent; /* less than its own index; PROFILE_NONE for the root, node 0 */
	uint32_t child, next; /* first child, next of the same parent; PROFILE_NONE */
};

struct report_tree {
	VEC(struct report_node) nodes;
	uint64_t *self, *total; /* [node * events + event of the profile] */
};

/*
 * Makes the call tree, with children sorted by the event.  inlined: with nodes for inlined
 * functions.  Returns false if there is no memory.
 */
bool report_make_tree(struct report *r, bool inlined, uint32_t event, struct report_tree *tree);
void report_tree_free(struct report_tree *tree);

const char *report_node_name(const struct report *r, const struct report_node *n);

/* -- output: out.h declares the formats -- */

struct report_view {
	unsigned keys;
	struct report_events events;
	bool graph, inlined;
	double limit; /* leave out rows and nodes below this percentage */
	unsigned long max_rows; /* 0: all */
	unsigned files; /* of a merged report, for the page: it shows their differences; 0: not */
	unsigned width; /* of lines of text; 0: as long as they are */
	bool data_sums; /* a table of data shows sums of events, and not `events` */
};

#define REPORT_AS_TERMINAL UINT_MAX /* width: as the terminal; 0 if it is not one */

#endif

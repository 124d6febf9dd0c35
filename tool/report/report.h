/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.h - a profile with names: what holter report and holter annotate make their output of.
 *
 *	load.c		a file becomes a profile, whatever kind of file it is
 *	resolve.c	places become functions, source lines, and calls that were inlined
 *	unwind.c	the callers of samples that have copied their stacks
 *	rows.c		the rows of tables
 *	tree.c		the tree of calls
 *	out_*.c		one form of output each
 */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "elf_image.h"
#include "idmap.h"
#include "jit.h"
#include "profile.h"

#define REPORT_FOLDERS 16

struct report_options {
	const char *symfs; /* in front of the paths of all files; "" for none */
	const char *kallsyms; /* a file; NULL: this machine's, if the profile is of it */
	const char *vmlinux; /* NULL: looked for */
	/* Of an exact profile only: */
	const char *events; /* those that are wanted, as -e has them; NULL: a few */
	bool all; /* also what starts the command in the guest */
	bool code; /* also what ran, as it ran */
	const char *folders[REPORT_FOLDERS]; /* where files may be that ran */
	unsigned nr_folders;
	bool lines; /* source lines and inlined functions, too: that takes longer */
};

struct report_function {
	uint32_t object;
	uint32_t name; /* string */
	uint64_t addr, end; /* as in places; 0, 0: not known, or it was inlined */
};

struct report_frame {
	uint32_t function;
	uint32_t file; /* string; PROFILE_NONE: not known */
	int line;
	bool inlined; /* into the next frame */
};

struct report_span { /* of frames, those of one place: innermost first, at least one */
	uint32_t first, nr;
};

struct report_image { /* of an object */
	struct elf_image *elf;
	const char *why; /* there are no symbols: the reason */
	int64_t bias; /* address of places - address in elf; for PROFILE_USER, not used */
	bool tried;
};

struct report {
	struct profile *p;
	const struct report_options *o;
	const char *path; /* of the profile */
	struct report_image *images;
	struct jit jit;
	PROFILE_ARRAY(char *) strings;
	struct idmap string_index; /* by hash */
	PROFILE_ARRAY(struct report_function) functions;
	struct idmap function_index; /* by name, in a chain: function_next */
	uint32_t *function_next;
	PROFILE_ARRAY(struct report_frame) frames;
	struct report_span *spans;
};

/* One more of folders; false after holter_error. */
bool report_add_folder(struct report_options *o, const char *folder);

/* Opens a file and reads it; NULL after holter_error.  "-" is standard input. */
struct report *report_load(const char *path, const struct report_options *o);
void report_free(struct report *r);

/* Names all places.  False after holter_error (no memory). */
bool report_resolve(struct report *r);

/* The object's ELF file and where a place of it is there.  NULL: there is none. */
struct elf_image *report_image(struct report *r, uint32_t object);
bool report_elf_address(struct report *r, uint32_t object, uint64_t addr, uint64_t *elf_addr);
uint64_t report_place_address(struct report *r, uint32_t object, uint64_t elf_addr);

static inline const char *report_text(const struct report *r, uint32_t string)
{
	return string == PROFILE_NONE ? NULL : r->strings.at[string];
}

/* What an object is called in tables: the last part of its path. */
const char *report_object_name(const struct report *r, uint32_t object);

/* Events, by index in the profile; nr of them. */
struct report_events {
	uint32_t at[256];
	unsigned nr;
};

/* A list of names and patterns as -e has it; NULL: those shown without it.  False after holter_error. */
bool report_choose_events(const struct report *r, const char *list, struct report_events *events);

/* Something about the samples that a reader must know; each line goes to line(). */
void report_notes(const struct report *r, void (*line)(void *cookie, const char *text),
		  void *cookie);

/* A string's number; PROFILE_NONE for NULL, and without memory (p->no_memory is set). */
uint32_t report_string(struct report *r, const char *text);

/* -- rows -- */

enum report_key {
	REPORT_COMM = 1,
	REPORT_PID = 2,
	REPORT_OBJECT = 4,
	REPORT_SYMBOL = 8,
	REPORT_LINE = 16,
	REPORT_ADDR = 32,
};

struct report_row { /* what its keys do not tell apart is 0 or PROFILE_NONE */
	uint32_t comm; /* string */
	uint32_t object, function;
	uint32_t file; /* string */
	int line;
	int64_t pid;
	uint64_t addr;
	uint64_t *self, *samples, *total; /* by event of the profile */
};

struct report_rows {
	PROFILE_ARRAY(struct report_row) rows;
	uint64_t *numbers;
};

/* "symbol,object" and so on; 0 after holter_error. */
unsigned report_parse_keys(const char *text);

/* Rows by the keys, those with most of the events first.  False: no memory. */
bool report_make_rows(struct report *r, unsigned keys, const struct report_events *events,
		      struct report_rows *rows);
void report_rows_free(struct report_rows *rows);

/* -- the tree of calls -- */

enum report_node_kind {
	REPORT_NODE_ALL, /* the root */
	REPORT_NODE_COMM,
	REPORT_NODE_OBJECT, /* only where callers are not known */
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
	PROFILE_ARRAY(struct report_node) nodes;
	uint64_t *self, *total; /* [node * events + event of the profile] */
};

/* inlined: with nodes for inlined functions.  Children are sorted by the event.  False: no memory. */
bool report_make_tree(struct report *r, bool inlined, uint32_t event, struct report_tree *tree);
void report_tree_free(struct report_tree *tree);

const char *report_node_name(const struct report *r, const struct report_node *n);

struct json;

/* -- output; errors of writing are the stream's -- */

struct report_view {
	unsigned keys;
	struct report_events events;
	bool graph, inlined;
	double limit; /* rows and nodes below this many percent are left out */
	unsigned long max_rows; /* 0: all */
};

/* Each returns false without memory. */
bool report_out_text(struct report *r, const struct report_view *v, FILE *to);
bool report_out_json(struct report *r, const struct report_view *v, FILE *to);
bool report_out_folded(struct report *r, const struct report_view *v, FILE *to);
bool report_out_callgrind(struct report *r, const struct report_view *v, FILE *to);
bool report_out_html(struct report *r, const struct report_view *v, FILE *to);

/* What a report is of, and its events: members of the object that is open in j. */
void report_json_head(struct json *j, struct report *r, const struct report_view *v);

#endif

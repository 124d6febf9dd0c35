/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * annotate.h - lists the instructions of a function with the counts of each event.
 * annotate.c and sources.c define the functions.
 */
#ifndef REPORT_ANNOTATE_H
#define REPORT_ANNOTATE_H

#include <limits.h>

#include "report.h"

struct annotate_insn {
	uint64_t place; /* the address in struct profile_place */
	uint64_t addr; /* the address to show: in the ELF file, or where the kernel ran */
	char text[80]; /* assembly; "" if it is not disassembled */
	const char *file; /* NULL: unknown */
	int line;
	const uint64_t *self, *samples; /* by event of the profile */
};

struct annotate {
	uint32_t function;
	VEC(struct annotate_insn) insns; /* in the order of addresses */
	const char *partly; /* why insns only has addresses with events; NULL: it has all */
	uint64_t *total; /* of the function, by event of the profile */
	uint64_t *numbers;
};

/*
 * Finds the functions of a name in the profile, those with the highest counts of the event first.
 * Functions that were only inlined are left out.  name NULL: finds the function with the highest
 * count.  Returns how many there are; at most max of them are written to functions.  Without
 * memory it returns 0, and r->p->no_memory is set.
 */
size_t annotate_find(struct report *r, const char *name, uint32_t event, uint32_t *functions,
		     size_t max);

/* Makes the list for a function.  Returns false if there is no memory. */
bool annotate_make(struct report *r, uint32_t function, struct annotate *a);
void annotate_free(struct annotate *a);

/* Writes the last part of a file's path to `to`, made printable.  Returns to. */
const char *annotate_file_name(const char *file, char to[NAME_MAX + 1]);

/* Source files that have been read, until sources_free(). */
struct source_file {
	char *path, *text;
	VEC(const char *) lines; /* strings */
};

struct sources {
	const char *symfs;
	VEC(struct source_file) files;
};

/*
 * Returns a line of a source file, made printable (term.h) except for tabs.  NULL: the file does
 * not exist, or has fewer lines.
 */
const char *sources_line(struct sources *s, const char *path, int line);
void sources_free(struct sources *s);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * annotate.h - the instructions of a function, and how much of each event happened at each.
 */
#ifndef REPORT_ANNOTATE_H
#define REPORT_ANNOTATE_H

#include <limits.h>

#include "report.h"

struct annotate_insn {
	uint64_t place; /* address as in places */
	uint64_t addr; /* as shown: in the ELF file, or where the kernel ran */
	char text[80]; /* assembly; "" if it is not disassembled */
	const char *file; /* NULL: not known */
	int line;
	const uint64_t *self, *samples; /* by event of the profile */
};

struct annotate {
	uint32_t function;
	PROFILE_ARRAY(struct annotate_insn) insns; /* in the order of addresses */
	const char
		*partly; /* why there are only addresses at which something happened; NULL: all */
	uint64_t *total; /* of the function, by event of the profile */
	uint64_t *numbers;
};

/*
 * The functions of a name that something happened in, and that are not only inlined, those with most
 * of the event first; name NULL: the one with most.  Returns how many, of which at most max are in
 * functions.
 */
size_t annotate_find(const struct report *r, const char *name, uint32_t event, uint32_t *functions,
		     size_t max);

/* False: no memory. */
bool annotate_make(struct report *r, uint32_t function, struct annotate *a);
void annotate_free(struct annotate *a);

/* The last part of a file's name, printable: to. */
const char *annotate_file_name(const char *file, char to[NAME_MAX + 1]);

/* Lines of source files, which stay in memory until they are freed. */
struct source_file {
	char *path, *text;
	PROFILE_ARRAY(const char *) lines; /* each ended by a zero */
};

struct sources {
	const char *symfs;
	PROFILE_ARRAY(struct source_file) files;
};

/* Printable (person.h) but for tabs.  NULL: the file is not here, or shorter. */
const char *sources_line(struct sources *s, const char *path, int line);
void sources_free(struct sources *s);

#endif

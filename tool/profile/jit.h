/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jit.h - names of functions that programs generated at run time (JIT).  Language runtimes write
 * them to /tmp/perf-PID.map for profilers (Linux, tools/perf/Documentation/jit-interface.txt), or
 * to a jitdump file (jitdump.h).
 */
#ifndef TOOL_JIT_H
#define TOOL_JIT_H

#include "idmap.h"
#include "jitdump.h"
#include "profile.h"

struct jit { /* all zero: nothing read yet */
	const char *folder; /* where a copy of a map file comes first; NULL: nowhere */
	struct idmap index; /* by pid */
	VEC(struct symbol_table) tables;
	bool no_memory; /* names are missing, because an allocation failed */
};

/*
 * Finds the function at an address of a process, in its map file: in the folder, or else
 * file_read_recorded() of /tmp.  pid -1: not known.  NULL: none, or there is no memory
 * (j->no_memory).
 */
const struct symbol *jit_find(struct jit *j, const char *symfs, int64_t pid, uint64_t addr);

/*
 * Reads the lines "START SIZE NAME" of text, numbers in hexadecimal.  Ignores other lines.  False:
 * no memory for all of them.
 */
bool jit_parse(struct symbol_table *t, const char *text);

void jit_free(struct jit *j);

enum jit_file {
	JIT_NO_FILE,
	JIT_MAP, /* perf-PID.map */
	JIT_DUMP, /* jit-PID.dump */
};

/* What the last part of a path names. */
enum jit_file jit_file_of(const char *path);

/* Reads a jitdump file, and adds a note to p if it is damaged. */
void jit_parse_dump(struct profile *p, const char *path, struct jitdump *d, const char *data,
		    size_t size);

/*
 * Adds a PROFILE_ANON object with the names of a map, or a PROFILE_JIT object with those of a
 * jitdump file; it is new, even if another one has the same path.  It takes the symbols, or data;
 * if the result is PROFILE_NONE, because there is no memory, they are still the caller's.
 */
uint32_t jit_add_map(struct profile *p, const struct symbol_table *map);
uint32_t jit_add_dump(struct profile *p, const char *path, const struct jitdump *d, char *data,
		      size_t size);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jitdump.h - reads jitdump files: code that a program generated at run time, with its names
 * (Linux, tools/perf/Documentation/jitdump-specification.txt).
 *
 * The file may be damaged or malicious: every length is checked before it is used.  Calls lib/util.
 */
#ifndef TOOL_JITDUMP_H
#define TOOL_JITDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "errtext.h"
#include "vec.h"

struct jitdump_code {
	uint64_t time; /* when it was there, by the clock of the program; see jitdump.tsc */
	uint64_t addr, size;
	uint64_t offset; /* of its bytes in the file */
	uint64_t index; /* the number that the program gave it */
	const char *name; /* points into the file */
};

struct jitdump { /* all zero: empty */
	VEC(struct jitdump_code) codes; /* in the order of the file */
	uint32_t machine; /* EM_ of elf.h */
	bool tsc; /* times are of the processor's counter, not CLOCK_MONOTONIC */
};

/* Whether data begins like a jitdump file, of either byte order. */
bool jitdump_knows(const void *data, size_t len);

/*
 * Reads a file; data must be valid as long as d is used.  A last record that is not whole is
 * ignored: the program may have been killed.  Returns false and sets why if the file is damaged or
 * there is no memory; what precedes the damage is in d.
 */
bool jitdump_parse(struct jitdump *d, const char *data, size_t len, struct error_text *why);

void jitdump_free(struct jitdump *d); /* frees the contents, not d itself */

#endif

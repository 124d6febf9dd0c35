/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * output.h - what -o and --format of a command say: which format, and which file.
 */
#ifndef TOOL_COMMON_OUTPUT_H
#define TOOL_COMMON_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "options.h"

struct output_format {
	const char *name, *suffix; /* "json", ".json" */
};

/* The formats of a command: an array whose elements begin with a struct output_format. */
struct output_formats {
	const void *at;
	size_t nr, size; /* elements; bytes of one */
	const struct option_habit
		*foreign; /* formats of others, and what to use instead; or NULL */
};

/* What the options say. */
struct output_options {
	const char *out, *format; /* NULL: not given */
	bool json;
};

/* clang-format off */
/* member: the command's struct output_options; names: its formats, for --help. */
#define OUTPUT_ROWS(type, member, names)                                                           \
	{ OPTION_ON, "json", 0, NULL, "the same as --format json",                                 \
	  OPTION_FIELD(type, member.json) },                                                       \
	{ OPTION_TEXT, "format", 0, "NAME", names, OPTION_FIELD(type, member.format),              \
	  .standard = "text" },                                                                    \
	{ OPTION_TEXT, "output", 'o', "FILE", "write to FILE; its suffix names the format",        \
	  OPTION_FIELD(type, member.out) }
#define OUTPUT_RULES { "json", OPTION_EXCLUDES, "format", "both name the format" }
/* clang-format on */

/*
 * Chooses a format by --format or --json, or else by the longest suffix of -o, or else the first.
 * Returns the element; NULL after printing an error.
 */
const void *output_choose(const struct output_formats *formats, const struct output_options *o);

/*
 * Opens the file of -o; out NULL: standard output.  inputs: nr files (NULL: none) that must not be
 * overwritten.  Returns NULL after printing an error.
 */
FILE *output_open(const char *out, const char *const *inputs, size_t nr);

/*
 * Whether output_open() can open the file, for what takes long before it does; changes nothing.
 * Returns 0, or 2 after printing an error.
 */
int output_try(const char *out);

/*
 * Closes what output_open() opened, and removes a file that is incomplete.  Returns status, or 2
 * after printing an error.  (main() checks standard output.)
 */
int output_close(const char *out, FILE *to, int status);

#endif

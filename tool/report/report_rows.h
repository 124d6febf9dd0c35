/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_rows.h - the options of holter report and holter annotate that tell where files are.
 * load.c defines the function.
 */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "options.h"
#include "report.h"

/*
 * Takes the value of -L.  Returns 0, or 2 after printing an error.  options: a struct
 * report_options.
 */
int report_folder_option(void *options, const struct option_row *row, const char *value);

/* clang-format off */
/* member: the command's struct report_options. */
#define REPORT_ROWS(type, member)                                                                  \
	{ OPTION_TEXT, "symfs", 0, "DIR",                                                          \
	  "look for programs, libraries, symbols and sources below DIR",                           \
	  OPTION_FIELD(type, member.symfs) },                                                      \
	{ OPTION_TEXT, "kallsyms", 0, "FILE",                                                      \
	  "read the kernel's symbols from FILE, its /proc/kallsyms",                               \
	  OPTION_FIELD(type, member.kallsyms) },                                                   \
	{ OPTION_TEXT, "vmlinux", 0, "FILE", "FILE is the kernel with its debugging information",  \
	  OPTION_FIELD(type, member.vmlinux) },                                                    \
	{ OPTION_CALLS, NULL, 'L', "DIR",                                                          \
	  "for an exact profile: also look for the files that ran in DIR",                         \
	  OPTION_FIELD(type, member), .call = report_folder_option }
/* clang-format on */

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * holter.h - errors and the table of commands, which all commands share.
 * error.c defines its functions.
 */
#ifndef TOOL_HOLTER_H
#define TOOL_HOLTER_H

#include <stdbool.h>

/*
 * Prints "holter: " and one line, and returns 2, the exit status for bad input.  Whatever the line
 * quotes, it holds no control characters (term_printable).
 */
__attribute__((format(printf, 1, 2))) int holter_error(const char *format, ...);

struct holter_command {
	const char *name;
	int (*run)(int argc, char **argv); /* argv[0] is the name; the exit status */
	const char *text; /* one line for --help */
};

/*
 * The commands that run the machine, up to one without a name.  machine_commands.c has them; a
 * build without the machine (Linux on RISC-V) links no_machine.c instead, where they print an
 * error.
 */
extern const struct holter_command holter_machine_commands[];

/*
 * The commit that this program was built from.  dist/commit makes the file that defines it.
 * no_machine.c says that it is unknown: that program goes into the guest, and a kept guest, and
 * each count in it, would change with each commit.
 */
extern const char holter_commit[];

#endif

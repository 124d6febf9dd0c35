/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * holter.h - what the commands of holter share.
 */
#ifndef TOOL_HOLTER_H
#define TOOL_HOLTER_H

#include <getopt.h>

/* Prints "holter: " and one line, and returns 2, the exit status for bad input. */
__attribute__((format(printf, 1, 2))) int holter_error(const char *format, ...);

/*
 * What a command returns when getopt_long(), with opterr 0 and a colon first in its letters, has
 * returned c, which is '?' or ':'.  argv[0] is the command.
 */
static inline int holter_bad_option(int c, char **argv)
{
	const char letter[] = { '-', (char)optopt, '\0' };
	/* (A long option has no letter of its own.) */
	const char *option = optopt && argv[optind - 1][1] != '-' ? letter : argv[optind - 1];

	return holter_error(c == ':' ? "%s wants a value behind it; see holter %s --help"
				     : "there is no option '%s'; see holter %s --help",
			    option, argv[0]);
}

struct holter_command {
	const char *name;
	int (*run)(int argc, char **argv); /* argv[0] is the name; the exit status */
	const char *text; /* what it does, in one line */
};

/*
 * Those that run the machine, up to one without a name.  machine_commands.c has them; a build without the
 * machine (Linux on RISC-V) links no_machine.c, where they say so.
 */
extern const struct holter_command holter_machine_commands[];

#endif

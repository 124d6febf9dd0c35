/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * holter.h - what the commands of holter share.
 */
#ifndef TOOL_HOLTER_H
#define TOOL_HOLTER_H

/* Prints "holter: " and one line, and returns 2, the exit status for bad input. */
__attribute__((format(printf, 1, 2))) int holter_error(const char *format, ...);

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

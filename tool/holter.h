/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * holter.h - what the commands of holter share.
 */
#ifndef TOOL_HOLTER_H
#define TOOL_HOLTER_H

#include <getopt.h>
#include <stdbool.h>

/*
 * Prints "holter: " and one line, which commands no terminal whatever it quotes (person_printable), and
 * returns 2, the exit status for bad input.
 */
__attribute__((format(printf, 1, 2))) int holter_error(const char *format, ...);

/* What people type who know perf, and what does that here. */
struct holter_habit {
	const char *option; /* "--stdio", "-n" */
	const char *instead; /* a text behind a colon */
};

/* What a command can be given, besides --help. */
struct holter_options {
	const char *letters; /* as getopt_long() has it, with ':' for what lacks its value */
	const struct option *longs; /* the same, with one for 'h' */
	const char *usage; /* for --help */
	/* Takes one option: 0, 2 after a line, or HOLTER_SAID. */
	int (*take)(void *to, int option, const char *value);
	const struct holter_habit *habits; /* up to one without an option; NULL: none */
	bool *given; /* HOLTER_CODES of them: becomes true for each option that is there; or NULL */
};

#define HOLTER_CODES 320 /* options have lower codes */

#define HOLTER_SAID (-1) /* all is said: the command ends here, with 0 */

/*
 * Gives them to o->take, with to.  -1: go on with argv[optind]; else the command's exit status, and
 * all is said.  argv[0] is the command.
 */
int holter_options(int argc, char **argv, const struct holter_options *o, void *to);

/*
 * Options that do not go together: nothing that was asked for is left undone in silence.  A command has
 * one table of them, up to a row without a text.
 */
struct holter_rule {
	int option; /* if this one is given */
	enum { HOLTER_WITHOUT, HOLTER_WITH } how;
	int other; /* then this one is not given, or is */
	const char *text; /* what is said otherwise */
};

/* 0, or 2 after the text of the first rule that is broken. */
int holter_rules(const struct holter_rule *rules, const bool given[HOLTER_CODES]);

/* holter_options() for a command that has --json and no other. */
int holter_json_option(int argc, char **argv, const char *usage, bool *json);

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

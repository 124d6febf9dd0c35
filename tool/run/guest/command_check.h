/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command_check.h - checks holter run's program or command before anything boots.
 */
#ifndef TOOL_COMMAND_CHECK_H
#define TOOL_COMMAND_CHECK_H

#include <stdbool.h>

struct guest_files;

/* The guest in which a command is going to run. */
struct command_place {
	const char *share; /* the shared folder */
	const struct guest_files *files; /* its own files; NULL: they are not known */
	bool holter; /* it has the program holter */
};

/*
 * Checks a command for the guest, which runs in the shared folder.  Returns 0, or after printing an
 * error the status that a shell would return.  127: the program does not exist.  126: it cannot
 * run: it is for another architecture or not executable, or its interpreter is not in the guest.
 * For perf, holter, env, time, nohup and setsid, also checks the program that they run, if it is
 * clear which that is.  *sure false: only the guest can tell whether the program exists.
 */
int command_check(char *const *command, const struct command_place *place, bool *sure);

/*
 * Checks a bare-metal program.  Returns 0, or 2 after printing an error if the program does not
 * exist or is certainly for Linux.
 */
int command_check_bare(const char *program);

enum command_models {
	COMMAND_NEEDS_NONE,
	COMMAND_NEEDS_SOME, /* some of its events only happen with the models of a CPU */
	COMMAND_FAILS, /* the same, and the command is going to fail without the models */
};

/*
 * Looks in the arguments of perf and holter (stat and record) for events that only happen with the
 * models of a CPU.  to[size]: gets the name of the first one.
 */
enum command_models command_needs_models(char *const *command, char *to, unsigned size);

#endif

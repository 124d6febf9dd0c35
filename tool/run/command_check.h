/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command_check.h - checks holter run's program or command before anything boots.
 */
#ifndef TOOL_COMMAND_CHECK_H
#define TOOL_COMMAND_CHECK_H

#include <stdbool.h>

/*
 * Checks a command for the guest, which runs in the shared folder.  Returns 0, or after printing an
 * error the status that a shell would return.  127: the program does not exist.  126: it cannot
 * run: it is for another architecture or not executable, or its interpreter is not in the guest.
 * For perf, holter and time, also checks the program that they run, if it is clear which that is.
 * initrd: the initrd of the prepared guest.
 */
int command_check(char *const *command, const char *share, const char *initrd);

/*
 * Checks a bare-metal program.  Returns 0, or 2 after printing an error if the program does not
 * exist or is certainly for Linux.
 */
int command_check_bare(const char *program);

/*
 * Looks in the arguments of perf and holter (stat and record) for an event that only happens with
 * the models of a CPU.  Returns the first one, whose name is written to to[size]; NULL: there is
 * none.
 */
const char *command_modelled_event(char *const *command, char *to, unsigned size);

#endif

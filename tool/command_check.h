/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command_check.h - what can be said of holter run's program or command before anything boots.
 */
#ifndef TOOL_COMMAND_CHECK_H
#define TOOL_COMMAND_CHECK_H

#include <stdbool.h>

/*
 * A command for the guest, in the shared folder: 0; or after a line the status that a shell would
 * end with, 127: its program is not there, 126: it cannot run (another architecture's, not executable,
 * its interpreter is not in the guest).  Of perf, holter and time it is the program that they run, where
 * it is clear which that is.  initrd: the prepared guest's.
 */
int command_check(char *const *command, const char *share, const char *initrd);

/* A bare-metal program: 0; or 2 after a line, if it is certainly one for Linux, or is not there. */
int command_check_bare(const char *program);

/*
 * The first event that perf or holter is told to count, in stat and record, that happens only with the
 * models of a CPU on.  NULL: there is none.  to: its name, in to[size].
 */
const char *command_modelled_event(char *const *command, char *to, unsigned size);

#endif

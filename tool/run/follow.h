/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * follow.h - a line on stderr that shows how far a command in the guest is (progress, term.h).
 *
 * It vanishes before the first byte that the command writes to the terminal, and does not come
 * back: what the command shows there stays as it is.
 */
#ifndef TOOL_FOLLOW_H
#define TOOL_FOLLOW_H

#include "machine.h"
#include "term.h"

struct follow {
	struct progress progress;
	uint64_t ns, instructions; /* of m when the command began */
};

/* Makes the line vanish when the guest writes to this port, if its output is where the line is. */
void follow_port(struct follow *w, struct virtio_console_port *port);

/* Begins with m as it is. */
void follow_begin(struct follow *w, const struct machine *m);

/* Shows how far m is, when it is time.  Global for tests. */
void follow_say(struct follow *w, const struct machine *m);

/* Runs m to its end and shows meanwhile how far it is.  Returns what machine_run() returns. */
int follow_run(struct follow *w, struct machine *m);

#endif

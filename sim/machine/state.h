/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * state.h - a machine's state as a stream of bytes (snapshot.h).
 */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "machine.h"

/* Writes the state of m, which must be between two rounds.  False: the stream has an error. */
bool state_save(struct machine *m, const struct stream *s);

/*
 * Reads a state into a machine of the same shape.  The stream is untrusted: whatever it contains,
 * only m's state changes, and a state that is accepted can run.  False: the stream ended, or it is
 * not a possible state; *why names the part, and m must not run.  With m->o.booted the models are
 * as after a reset, and their state, which is the rest of the stream, is not read.
 */
bool state_restore(struct machine *m, const struct stream *s, struct error_text *why);

#endif

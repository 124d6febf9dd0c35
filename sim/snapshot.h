/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot.h - the two halves of a snapshot: what a machine's state is (state.c), and the file
 * that it stands in (snapshot.c, whose interface is machine_save and machine_restore).
 *
 * Saved is what software can see or will: registers, counters and their totals, the TLB of the
 * machine, memory, devices, time.  Not saved is what only makes the machine fast (soft lines,
 * blocks, remembered jumps), and what the host has: descriptors, images, shares.  Whatever is
 * added to struct hart or struct machine belongs to one of the two; tests/unit/sim/
 * test_snapshot.c finds what has been forgotten.
 */
#ifndef SIM_SNAPSHOT_H
#define SIM_SNAPSHOT_H

#include "machine.h"

/* Writes the state of m, which stands between two rounds; false: the stream's error. */
bool state_save(struct machine *m, const struct stream *s);

/*
 * Reads a state into a machine of the same shape.  The stream is not trusted: whatever it holds,
 * nothing outside of m's state is touched, and what has been accepted can run.  False: it ended,
 * or is no possible state; *why says of what part, and m must not run.
 */
bool state_restore(struct machine *m, const struct stream *s, struct dev_why *why);

#endif

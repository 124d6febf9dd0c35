/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * levels.h - the caches of all harts and the bus: rules C1, C5 to C19, M1 to M17, G1, G2
 * and G9 of holter-model(7).
 *
 * Each function is one access of a hart at a time, counts its events, and returns the cycles
 * until its data is there, beyond a hit in L1, and where it was.
 */
#ifndef SECOND_LEVELS_H
#define SECOND_LEVELS_H

#include "machine.h"

/* Rule C9.  pa is the first byte of the access in its line. */
struct answer levels_fetch(struct machine *m, struct hart *h, uint64_t pa, uint64_t at);
struct answer levels_read(struct machine *m, struct hart *h, uint64_t pa, uint64_t at,
			  const struct cause *cause);
struct answer levels_walk(struct machine *m, struct hart *h, uint64_t pa, uint64_t at);
struct answer levels_write(struct machine *m, struct hart *h, uint64_t pa, uint64_t at);
/* Rule C14. */
struct answer levels_atomic(struct machine *m, struct hart *h, uint64_t pa, uint64_t at);
/* Rule C15: kind is a RECORD_CBO_... of the trace; one line of the block. */
struct answer levels_cbo(struct machine *m, struct hart *h, uint64_t pa, uint64_t at,
			 unsigned kind);

#endif

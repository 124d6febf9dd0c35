/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snoop.h - what an access does in the L1D and L2 of other harts: rules C10, C11 and M12 of
 * holter-model(7).
 */
#ifndef SECOND_SNOOP_H
#define SECOND_SNOOP_H

#include "machine.h"

enum snoop { SNOOP_CLEAN, SNOOP_INVALIDATE };

struct snooped {
	bool had, dirty; /* another hart had the line; it was dirty in one */
	uint64_t end; /* of the snoop */
};

/* A snoop that begins at a time; its write to LL is the caller's. */
struct snooped snoop(struct machine *m, struct hart *h, uint64_t pa, uint64_t at, enum snoop what);
/* The slot of the line in the L1D (0) or L2 (1) of a hart; NULL: it does not have it. */
struct slot *private_slot(const struct machine *m, struct hart *h, unsigned which, uint64_t pa);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * idmap.h - a hash map from 64-bit numbers to indices.  Calls nothing but the C library.
 */
#ifndef REPORT_IDMAP_H
#define REPORT_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IDMAP_NONE UINT32_MAX

struct idmap { /* all zero: empty */
	struct idmap_slot {
		uint64_t id;
		uint32_t index; /* IDMAP_NONE: free */
	} * slot;
	size_t size, used;
};

/* Adds or replaces the index of id; index must not be IDMAP_NONE.  False: no memory. */
bool idmap_set(struct idmap *m, uint64_t id, uint32_t index);

uint32_t idmap_get(const struct idmap *m, uint64_t id); /* IDMAP_NONE: m has no such id */

void idmap_free(struct idmap *m);

#endif

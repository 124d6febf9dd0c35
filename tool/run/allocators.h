/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * allocators.h - the functions of the guest's programs that allocate memory, for the profile of
 * holter run --data.
 */
#ifndef TOOL_ALLOCATORS_H
#define TOOL_ALLOCATORS_H

#include "exact.h"
#include "exact_files.h"
#include "vec.h"

struct allocators {
	struct exact_files *files; /* whose code the list points to */
	VEC(struct exact_allocator) list;
};

/*
 * Finds malloc and its like in the programs and libraries of a shared folder and of RAM disks;
 * NULL: of none.  False: no memory.
 */
bool allocators_find(struct allocators *a, const char *share, const char *const *archives,
		     unsigned nr);
void allocators_free(struct allocators *a);

#endif

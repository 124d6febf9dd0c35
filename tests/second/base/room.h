/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * room.h - memory for tables, zeroed; the program ends if there is none.
 */
#ifndef SECOND_ROOM_H
#define SECOND_ROOM_H

#include <stdio.h>
#include <stdlib.h>

static inline void *room(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p) {
		fprintf(stderr, "second: there is no memory\n");
		exit(2);
	}
	return p;
}

#endif

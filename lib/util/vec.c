// SPDX-License-Identifier: BSD-2-Clause
/*
 * vec.c - makes room in a growing array.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "vec.h"

#define FIRST 16

bool vec_room(void *array, size_t nr, size_t more, size_t *size, size_t element)
{
	size_t want = *size > SIZE_MAX / 2 ? SIZE_MAX : 2 * *size, bytes;
	void *at;

	if (more <= *size - nr)
		return true;
	if (want < FIRST)
		want = FIRST;
	if (want < nr + more)
		want = nr + more;
	if (more > SIZE_MAX - nr || __builtin_mul_overflow(want, element, &bytes) ||
	    bytes > PTRDIFF_MAX) {
		errno = ENOMEM;
		return false;
	}
	memcpy(&at, array, sizeof(at)); /* a pointer of any type */
	at = realloc(at, bytes);
	if (!at)
		return false;
	memcpy(array, &at, sizeof(at));
	*size = want;
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vec.h - the one growing array.
 *
 * An array is a struct with the members at, nr and size.  at points to memory for size elements, of
 * which the first nr are used.  An array of zeros is empty.  VEC() defines such a struct without a
 * name; a named one works as well, if nr and size are size_t.
 *
 *	VEC(int) list = { 0 };
 *
 *	if (!VEC_PUSH(&list, 7))
 *		return no_memory();
 *	free(list.at);
 *
 * The array belongs to the caller, who frees `at`.  Growing moves it: pointers to elements become
 * invalid.
 */
#ifndef UTIL_VEC_H
#define UTIL_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* clang-format off */
#define VEC(type) struct { type *at; size_t nr, size; }
/* clang-format on */

/*
 * Makes room for `more` elements after the first nr of the array.  array is the address of the
 * pointer to its first element.  *size is how many elements it has memory for; when it grows, it at
 * least doubles.  element is the size of an element in bytes.  False: there is no memory (ENOMEM),
 * and nothing has changed.
 */
bool vec_room(void *array, size_t nr, size_t more, size_t *size, size_t element);

/* The same for a struct VEC(type); evaluates v more than once. */
#define VEC_ROOM(v, more) vec_room(&(v)->at, (v)->nr, more, &(v)->size, sizeof(*(v)->at))

/*
 * Appends a value.  False: there is no memory, and the value was not evaluated.  Evaluates v more
 * than once.
 */
#define VEC_PUSH(v, ...) (VEC_ROOM(v, 1) && ((v)->at[(v)->nr++] = (__VA_ARGS__), true))

/*
 * Sorts with qsort(3), which must not be given the NULL of an empty array.  Evaluates v more than
 * once.
 */
#define VEC_SORT(v, compare)                                                                       \
	((v)->nr ? qsort((v)->at, (v)->nr, sizeof(*(v)->at), compare) : (void)0)

#endif

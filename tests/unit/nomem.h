/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nomem.h - allocations that fail, each in its turn.
 *
 *	static bool reads(void *arg)
 *	{
 *		struct thing *t = thing_read(arg);
 *
 *		if (!t)
 *			return false;	// having seen that the error is as it should be
 *		is(t->nr, 3);		// as it is without the shim
 *		thing_free(t);
 *		return true;
 *	}
 *
 *	nomem_each(reads, "input", NOMEM_NEEDS_ALL);
 *
 * runs reads with its first allocation failing, then with its second, and so on until a run passes
 * in which none has failed; and all that again with every later allocation failing, too.  Leaks are
 * the address sanitizer's matter, at the program's end.
 *
 * NOMEM_TRACE=n in the environment prints who makes allocation n.
 *
 * A program takes part when it is linked with nomem.c and nomem_link (meson.build).  Only what its
 * own objects and static libraries allocate fails: shared libraries have the memory they want.
 */
#ifndef NOMEM_H
#define NOMEM_H

#include <stdbool.h>
#include <stdio.h>

enum nomem_rule {
	NOMEM_NEEDS_ALL, /* a run in which an allocation failed must fail */
	NOMEM_MAY_DO_WITHOUT, /* it may succeed, with the same result */
};

/* Returns how many allocations a run makes, which is more than 0. */
unsigned nomem_each(bool (*run)(void *arg), void *arg, enum nomem_rule rule);

/* In a run: nothing fails until nomem_resume, so that a result can be looked at. */
void nomem_pause(void);
void nomem_resume(void);

/* In a run: a stream of open_memstream(3) that has the memory it wants. */
FILE *nomem_stream(char **text, size_t *len);

/* Whether an allocation of this run has failed. */
bool nomem_failed(void);

#endif

// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_vec.c - the growing array.
 */
#include <errno.h>
#include <stdlib.h>

#include "tap.h"
#include "vec.h"

static void grows(void)
{
	VEC(int) v = { 0 };
	unsigned moves = 0;
	size_t size = 0;

	for (int n = 0; n < 10000; n++) {
		ok(VEC_PUSH(&v, n * 3));
		moves += v.size != size;
		size = v.size;
	}
	is(v.nr, 10000);
	ok(v.size >= v.nr);
	ok(moves < 16); /* it doubles */
	for (int n = 0; n < 10000; n++)
		is(v.at[n], n * 3);
	free(v.at);
}

static void makes_room_at_once(void)
{
	VEC(uint64_t) v = { 0 };

	ok(VEC_ROOM(&v, 5000));
	ok(v.size >= 5000 && v.nr == 0);
	memset(v.at, 0xff, 5000 * sizeof(*v.at));
	v.nr = 5000;
	ok(VEC_ROOM(&v, 0));
	ok(VEC_ROOM(&v, 1));
	ok(v.size >= 10000 && v.at[4999] == UINT64_MAX);
	free(v.at);
}

static void pushes_structs(void)
{
	struct pair {
		int a, b;
	};
	VEC(struct pair) v = { 0 };

	ok(VEC_PUSH(&v, (struct pair){ 1, 2 }));
	is(v.nr, 1);
	is(v.at[0].b, 2);
	free(v.at);
}

static void refuses(void)
{
	struct {
		char *at;
		size_t nr, size;
	} v = { NULL, 0, 0 };
	uint64_t *none = NULL;
	size_t size = 0;

	ok(VEC_PUSH(&v, 'a'));
	errno = 0;
	ok(!VEC_ROOM(&v, SIZE_MAX)); /* nr + more wraps */
	is(errno, ENOMEM);
	errno = 0;
	ok(!VEC_ROOM(&v, SIZE_MAX / 2)); /* more than any array can hold */
	is(errno, ENOMEM);
	is(v.nr, 1);
	is(v.at[0], 'a');
	ok(!vec_room(&none, 0, SIZE_MAX / 4, &size, sizeof(*none))); /* the size in bytes wraps */
	ok(!none && size == 0);
	free(v.at);
}

static int descending(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

/* (qsort(3) of NULL would be undefined: the sanitizer says so.) */
static void sorts(void)
{
	VEC(int) v = { 0 };

	VEC_SORT(&v, descending);
	is(v.nr, 0);
	ok(VEC_PUSH(&v, 1) && VEC_PUSH(&v, 3) && VEC_PUSH(&v, 2));
	VEC_SORT(&v, descending);
	is(v.at[0] * 100 + v.at[1] * 10 + v.at[2], 321);
	free(v.at);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "an array doubles, and keeps what it has", grows },
		{ "room for many elements at once", makes_room_at_once },
		{ "elements that are structs", pushes_structs },
		{ "sorting, also of nothing", sorts },
		{ "without memory nothing changes", refuses },
	};

	return tap_run(cases, TAP_NR(cases));
}

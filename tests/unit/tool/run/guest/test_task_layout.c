// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_task_layout.c - fields of a kernel's tasks, read from hand-made type information (BTF).
 */
#include <stdlib.h>
#include <string.h>

#include <tap.h>
#include <task_layout.h>

#define INT_INFO    (1u << 24)
#define STRUCT_INFO (4u << 24)
#define BIT_FIELDS  (1u << 31)

static const char strings[] = "\0int\0flags\0tgid\0comm\0task_struct\0file";
enum { INT = 1, FLAGS = 5, TGID = 11, COMM = 16, TASK = 21, FILE_STRUCT = 33 };

struct image {
	uint32_t word[64];
	unsigned used;
};

static void put(struct image *i, uint32_t a, uint32_t b, uint32_t c)
{
	i->word[i->used++] = a;
	i->word[i->used++] = b;
	i->word[i->used++] = c;
}

/* A note of another kind, BTF's header, an int, another struct, and the struct that is searched. */
static size_t make(struct image *i, bool bit_fields)
{
	unsigned types;

	*i = (struct image){ .used = 0 };
	put(i, 0x12345678, 0x0001eb9f, 24); /* the header from the second word on */
	put(i, 0, 0, 0); /* type_off, type_len, str_off: below */
	i->word[i->used++] = sizeof(strings);
	types = i->used;
	put(i, INT, INT_INFO, 4);
	i->word[i->used++] = 32;
	put(i, FILE_STRUCT, STRUCT_INFO | 1, 8);
	put(i, FLAGS, 1, 0);
	put(i, TASK, STRUCT_INFO | (bit_fields ? BIT_FIELDS : 0) | 3, 96);
	put(i, FLAGS, 1, 44 * 8 | (bit_fields ? 5u << 24 : 0));
	put(i, TGID, 1, 60 * 8);
	put(i, COMM, 1, 72 * 8);
	i->word[4] = i->word[5] = (i->used - types) * 4;
	memcpy(&i->word[i->used], strings, sizeof(strings));
	return i->used * 4 + sizeof(strings);
}

static void finds(void)
{
	for (unsigned bits = 0; bits < 2; bits++) {
		struct exact_tasks t = { 0 };
		struct image i;
		size_t len = make(&i, bits);

		ok(task_layout(&i, len, &t));
		is(t.flags, 44);
		is(t.tgid, 60);
		is(t.comm, 72);
	}
}

/* Each length, and each word with another value: no read is out of bounds (sanitizers). */
static void damaged(void)
{
	struct exact_tasks t;
	struct image i;
	size_t len = make(&i, false);

	for (size_t n = 0; n < len; n++) {
		uint8_t *cut = malloc(n ? n : 1);

		memcpy(cut, &i, n);
		ok(!task_layout(cut, n, &t));
		free(cut);
	}
	for (unsigned n = 0; n < i.used; n++) {
		uint32_t was = i.word[n];
		uint8_t *own = malloc(len);

		i.word[n] = UINT32_MAX;
		memcpy(own, &i, len);
		task_layout(own, len, &t);
		free(own);
		i.word[n] = was;
	}
	ok(!task_layout_of("/dev/null", &t));
	ok(!task_layout_of("/nonesuch", &t));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "fields by their names", finds },
		{ "cut or damaged BTF", damaged },
	};

	return tap_run(cases, TAP_NR(cases));
}

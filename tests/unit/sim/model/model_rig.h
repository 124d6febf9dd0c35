/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_rig.h - what the tests of the models share: random numbers, streams in memory, damaged
 * snapshots, and traces: generated ones (random, strides, chases), and traces of small programs
 * that run here and report each access and branch.
 */
#ifndef SIM_MODEL_RIG_H
#define SIM_MODEL_RIG_H

#include <stdlib.h>

#include "tap.h"
#include "model.h"

static inline uint64_t rig_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 33;
}

/* What why says of a configuration that was refused. */
static inline void rig_refused(const struct model_error *why, const char *part, const char *field,
			       const char *text)
{
	is_str(why->part, part);
	is_str(why->field, field);
	is_str(why->error.text, text);
}

/* Streams in memory */

struct bytes {
	uint8_t *data;
	size_t len, at, room;
};

static inline bool bytes_write(void *opaque, const void *data, size_t len)
{
	struct bytes *b = opaque;

	if (b->len + len >= b->room) {
		b->room = 2 * (b->len + len + 1);
		b->data = realloc(b->data, b->room);
	}
	memcpy(b->data + b->len, data, len);
	b->len += len;
	return true;
}

static inline bool bytes_read(void *opaque, void *data, size_t len)
{
	struct bytes *b = opaque;

	if (len > b->len - b->at)
		return false;
	memcpy(data, b->data + b->at, len);
	b->at += len;
	return true;
}

static inline struct stream bytes_stream(struct bytes *b)
{
	return (struct stream){ b, bytes_write, bytes_read };
}

static inline bool bytes_same(const struct bytes *a, const struct bytes *b)
{
	return a->len == b->len && !memcmp(a->data, b->data, a->len);
}

/* A model, as the three functions that a snapshot needs. */
struct rig_model {
	void *model;
	bool (*save)(void *model, const struct stream *s);
	bool (*restore)(void *model, const struct stream *s);
	void (*reset)(void *model);
};

static inline struct bytes rig_save(const struct rig_model *m)
{
	struct bytes b = { 0 };
	struct stream s = bytes_stream(&b);

	ok(m->save(m->model, &s));
	return b;
}

static inline bool rig_restore(const struct rig_model *m, const struct bytes *from, size_t len)
{
	struct bytes b = { .data = from->data, .len = len };
	struct stream s = bytes_stream(&b);

	return m->restore(m->model, &s);
}

/*
 * Saves m, restores it and saves it again.  Then its bytes are cut and changed: each restore must
 * return false and leave the model as after reset, or make a state that can be saved and restored.
 * Returns how many were refused.
 */
static inline unsigned rig_hostile(const struct rig_model *m, unsigned changes)
{
	struct bytes good = rig_save(m), fresh, again;
	uint64_t seed = good.len;
	unsigned refused = 0;

	m->reset(m->model);
	fresh = rig_save(m);
	ok(!bytes_same(&good, &fresh));
	ok(rig_restore(m, &good, good.len));
	again = rig_save(m);
	ok(bytes_same(&good, &again));
	free(again.data);
	for (unsigned n = 0; n < changes; n++) {
		struct bytes bad = { .data = malloc(good.len), .len = good.len };
		bool cut = n % 4 == 0, taken;

		memcpy(bad.data, good.data, good.len);
		for (unsigned k = 0; !cut && k <= n % 3; k++)
			bad.data[rig_random(&seed) % bad.len] ^= 1 + rig_random(&seed) % 255;
		taken = rig_restore(m, &bad, cut ? rig_random(&seed) % bad.len : bad.len);
		again = rig_save(m);
		refused += !taken;
		if (cut)
			ok(!taken);
		if (taken) {
			struct bytes twice;

			ok(rig_restore(m, &again, again.len));
			twice = rig_save(m);
			ok(bytes_same(&again, &twice));
			free(twice.data);
		} else {
			ok(bytes_same(&again, &fresh));
		}
		free(again.data);
		free(bad.data);
	}
	ok(rig_restore(m, &good, good.len));
	free(good.data);
	free(fresh.data);
	return refused;
}

/* Traces */

enum { STEP_READ, STEP_WRITE, STEP_BRANCH, STEP_CALL, STEP_RETURN };

struct step {
	uint64_t pc, addr; /* the address of the data, or the target of a taken transfer */
	uint8_t kind;
	bool taken;
};

struct trace {
	struct step *step;
	size_t nr, room;
};

static inline void trace_add(struct trace *t, struct step s)
{
	if (t->nr == t->room) {
		t->room = t->room ? 2 * t->room : 1024;
		t->step = realloc(t->step, t->room * sizeof(*t->step));
	}
	t->step[t->nr++] = s;
}

static inline void trace_data(struct trace *t, uint64_t addr, bool write)
{
	trace_add(t, (struct step){ 0x80000000, addr, write ? STEP_WRITE : STEP_READ, false });
}

static inline struct trace trace_random(uint64_t seed, unsigned nr, uint64_t span)
{
	struct trace t = { 0 };

	for (unsigned n = 0; n < nr; n++) {
		/* Half of the addresses are near each other. */
		uint64_t at = rig_random(&seed) % (n & 1 ? span : span / 16 + 1);

		trace_data(&t, 0x80000000 + at, rig_random(&seed) % 3 == 0);
	}
	return t;
}

static inline struct trace trace_stride(unsigned nr, uint64_t span, uint64_t stride)
{
	struct trace t = { 0 };

	for (unsigned n = 0; n < nr; n++)
		trace_data(&t, 0x80000000 + n * stride % span, n % 7 == 0);
	return t;
}

/* One cycle through all pieces of 32 bytes of span, in an order without a pattern. */
static inline struct trace trace_chase(unsigned nr, uint64_t span)
{
	unsigned nodes = span / 32, at = 0, *next = malloc(nodes * sizeof(*next));
	struct trace t = { 0 };
	uint64_t seed = 7;

	for (unsigned n = 0; n < nodes; n++)
		next[n] = n;
	for (unsigned n = nodes - 1; n; n--) { /* Sattolo: one cycle */
		unsigned other = rig_random(&seed) % n, swap = next[n];

		next[n] = next[other];
		next[other] = swap;
	}
	for (unsigned n = 0; n < nr; n++, at = next[at])
		trace_data(&t, 0x80000000 + at * 32ull, false);
	free(next);
	return t;
}

/*
 * The program that is recorded: quicksort of numbers, then a product of matrices, then a tree of
 * the sorted numbers.  Each place of the program has a pc; sort and tree are recursive.
 */
struct program {
	struct trace t;
	unsigned limit;
	uint32_t *array;
};

static inline bool program_branch(struct program *p, unsigned place, int to, bool taken)
{
	uint64_t pc = 0x10000 + place * 4ull;

	trace_add(&p->t, (struct step){ pc, pc + to, STEP_BRANCH, taken });
	return taken;
}

static inline uint32_t program_get(struct program *p, unsigned n)
{
	trace_data(&p->t, 0x80010000 + n * 4ull, false);
	return p->array[n];
}

static inline void program_set(struct program *p, unsigned n, uint32_t value)
{
	trace_data(&p->t, 0x80010000 + n * 4ull, true);
	p->array[n] = value;
}

static inline void program_sort(struct program *p, unsigned from, unsigned to, uint64_t back)
{
	uint32_t pivot;
	unsigned low = from;

	trace_add(&p->t, (struct step){ back - 4, 0x10040, STEP_CALL, true });
	if (!program_branch(p, 17, 64, to - from < 2)) {
		pivot = program_get(p, to - 1);
		for (unsigned n = from; program_branch(p, 18, 40, n < to - 1); n++) {
			uint32_t value = program_get(p, n);

			if (program_branch(p, 20, 20, value < pivot)) {
				program_set(p, n, program_get(p, low));
				program_set(p, low++, value);
			}
		}
		program_set(p, to - 1, program_get(p, low));
		program_set(p, low, pivot);
		program_sort(p, from, low, 0x10080);
		program_sort(p, low + 1, to, 0x10090);
	}
	trace_add(&p->t, (struct step){ 0x100c0, back, STEP_RETURN, true });
}

static inline void program_product(struct program *p, unsigned size)
{
	for (unsigned i = 0; program_branch(p, 70, -40, i < size); i++) {
		for (unsigned j = 0; program_branch(p, 72, -24, j < size); j++) {
			for (unsigned k = 0; program_branch(p, 74, -12, k < size); k++) {
				trace_data(&p->t, 0x80020000 + (i * size + k) * 8ull, false);
				trace_data(&p->t, 0x80028000 + (k * size + j) * 8ull, false);
			}
			trace_data(&p->t, 0x80030000 + (i * size + j) * 8ull, true);
		}
	}
}

static inline void program_tree(struct program *p, unsigned nr)
{
	struct {
		uint32_t value;
		unsigned child[2];
	} *node = calloc(nr + 1, sizeof(*node));

	for (unsigned n = 1; n <= nr; n++) {
		unsigned at = 1;

		node[n].value = p->array[n * 37 % nr];
		while (n > 1) {
			bool right = node[n].value > node[at].value;

			trace_data(&p->t, 0x80040000 + at * 24ull, false);
			program_branch(p, 90, 12, right);
			if (!program_branch(p, 93, -16, node[at].child[right] != 0)) {
				node[at].child[right] = n;
				trace_data(&p->t, 0x80040000 + at * 24ull + 8, true);
				break;
			}
			at = node[at].child[right];
		}
	}
	free(node);
}

static inline struct trace trace_program(unsigned numbers)
{
	struct program p = { .array = malloc(numbers * sizeof(uint32_t)) };
	uint64_t seed = 99;

	for (unsigned n = 0; n < numbers; n++)
		program_set(&p, n, rig_random(&seed) % 100000);
	program_sort(&p, 0, numbers, 0x10010);
	for (unsigned n = 1; n < numbers; n++)
		ok(p.array[n - 1] <= p.array[n]);
	program_product(&p, 12);
	program_tree(&p, numbers);
	free(p.array);
	return p.t;
}

#endif

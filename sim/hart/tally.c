// SPDX-License-Identifier: BSD-2-Clause
/*
 * tally.c - keeps the tallies of runs (tally.h): a hash table by run and key, and in front of it a
 * cache of those that were used last.
 */
#include <stdlib.h>
#include <string.h>

#include "cluster.h"
#include "hart.h"
#include "hash.h"
#include "tally.h"
#include "timing.h"

#define SLOT_NR	 16384
#define CHUNK_NR 1024

struct chunk {
	struct chunk *next;
	struct tally tally[CHUNK_NR];
};

struct tallies {
	struct tally *slot[SLOT_NR];
	struct tally **bucket;
	size_t size, used;
	struct chunk *chunks, *chunk; /* all of them; the one that is being filled */
	unsigned filled;
	struct tally spare; /* if there is no memory: of the run that begins, and no other */
};

const struct tally tally_none = { NULL };

bool tally_create(struct cluster *cl)
{
	cl->tallies = aligned_alloc(_Alignof(struct tallies), sizeof(*cl->tallies));
	if (cl->tallies)
		memset(cl->tallies, 0, sizeof(*cl->tallies));
	return cl->tallies;
}

void tally_destroy(struct cluster *cl)
{
	if (!cl->tallies)
		return;
	for (struct chunk *c = cl->tallies->chunks, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(cl->tallies->bucket);
	free(cl->tallies);
}

static size_t hash(const struct block_run *r, const struct tally_key *key)
{
	return hash_pair((uintptr_t)r, (uintptr_t)key);
}

/* A new element, zeroed.  NULL: no memory. */
static struct tally *take(struct tallies *all)
{
	struct tally *t;

	if (!all->chunk || all->filled == CHUNK_NR) {
		struct chunk *next = all->chunk ? all->chunk->next : all->chunks;

		if (!next) {
			next = aligned_alloc(_Alignof(struct chunk), sizeof(*next));
			if (!next)
				return NULL;
			next->next = NULL;
			if (all->chunk)
				all->chunk->next = next;
			else
				all->chunks = next;
		}
		all->chunk = next;
		all->filled = 0;
	}
	t = &all->chunk->tally[all->filled++];
	memset(t, 0, sizeof(*t));
	return t;
}

static void put(struct tally **bucket, size_t size, struct tally *t)
{
	struct tally **at = &bucket[hash(t->run, t->of) & (size - 1)];

	t->chain = *at;
	*at = t;
}

/* Doubles the table if it is full.  False: no memory, and it has no room at all. */
static bool grow(struct tallies *all)
{
	size_t size = all->size ? 2 * all->size : 4096;
	struct tally **bucket;

	if (all->used < all->size)
		return true;
	bucket = calloc(size, sizeof(struct tally *));
	if (!bucket)
		return all->size;
	for (size_t n = 0; n < all->size; n++) {
		for (struct tally *t = all->bucket[n], *next; t; t = next) {
			next = t->chain;
			put(bucket, size, t);
		}
	}
	free(all->bucket);
	all->bucket = bucket;
	all->size = size;
	return true;
}

/* Without memory: takes the spare one from the run that has it. */
static struct tally *take_spare(struct hart *h, struct tallies *all)
{
	struct tally *t = &all->spare;

	if (t->run) {
		tally_settle((struct hart *)t->of->h);
		t->run->tally = (struct tally *)&tally_none;
		t->run->key = NULL;
	}
	*t = (struct tally){ NULL };
	return t;
}

static struct tally *find(struct hart *h, struct block_run *r, const struct tally_key *key)
{
	struct tallies *all = h->cl->tallies;
	struct tally **slot = &all->slot[((uintptr_t)r >> 4 ^ (uintptr_t)key >> 3) & (SLOT_NR - 1)];
	struct tally *t = *slot;

	if (t && t->run == r && t->of == key)
		return t;
	t = all->size ? all->bucket[hash(r, key) & (all->size - 1)] : NULL;
	while (t && (t->run != r || t->of != key))
		t = t->chain;
	if (!t) {
		bool room = grow(all);

		t = room ? take(all) : NULL;
		room = t;
		if (!t)
			t = take_spare(h, all);
		t->run = r;
		t->of = key;
		if (!room)
			return t;
		put(all->bucket, all->size, t);
		all->used++;
	}
	return *slot = t;
}

/* Adds to the tally of r what r has counted for it. */
static void collect(struct block_run *r)
{
	for (unsigned way = 0; r->tally != &tally_none && way < 2; way++) {
		r->tally->ran[way] += r->ways[way];
		r->ways[way] = 0;
	}
}

void tally_begin(struct hart *h, struct block_run *r, uint64_t pc)
{
	struct tally *t;

	if (r->block == h->scratch) {
		h->scratch_pc = pc;
		return;
	}
	if (h->key == TALLY_ASK)
		h->key = h->listener->key(h);
	t = find(h, r, h->key);
	if (t != r->tally) {
		collect(r);
		r->tally = t;
	}
	r->key = h->key;
	if (t->key)
		return;
	t->key = h->key;
	t->va = pc;
	t->next = h->tallied;
	h->tallied = t;
	if (listener_hears_runs(h->listener))
		t->place = h->listener->place(h, t);
}

void tally_fetched(struct hart *h, struct block_run *r, uint64_t pc, unsigned lines)
{
	tally_at(h, r, pc);
	r->tally->fetched[lines != r->lines]++;
}

/* Adds the events of r, which has run so many times: by its branch not taken, taken. */
static void add_events(struct hart *h, const struct tally_key *key, const struct block_run *r,
		       const uint64_t ran[2])
{
	const struct pmu *p = &h->pmu;
	const struct block *b = r->block;
	unsigned nr = key->translated ? p->code_all : p->code_plain;
	uint64_t *total = h->pmu.total[key->mode], times = ran[0] + ran[1];

	if (!nr && !p->stalls)
		return;
	for (unsigned n = 0; n < nr; n++)
		total[p->code[n]] += b->count[p->code[n]] * times;
	if (b->branches) {
		total[EVENT_NOT_TAKEN] += ran[0];
		total[EVENT_TAKEN] += ran[1];
	}
	for (unsigned n = 0; p->stalls && n < COST_STATIC_STALLS; n++)
		total[timing_stall_event(n)] += r->stall[n] * times;
}

static void add(struct hart *h, const struct tally *t)
{
	if (listener_hears_runs(h->listener))
		h->listener->ran(h, t);
	add_events(h, t->key, t->run, t->ran);
}

void tally_once(struct hart *h, const struct block_run *r, bool taken)
{
	const uint64_t ran[2] = { !taken, taken };

	if (listener_hears_runs(h->listener))
		h->listener->once(h, r, taken);
	add_events(h, &h->keys[h->mode][h->translated], r, ran);
}

void tally_settle(struct hart *h)
{
	struct tally *next;

	for (struct tally *t = h->tallied; t; t = next) {
		next = t->next;
		if (t->run->tally == t) {
			collect(t->run);
			t->run->key = NULL;
		}
		add(h, t);
		t->key = NULL;
		memset(t->ran, 0, sizeof(t->ran));
		memset(t->went, 0, sizeof(t->went));
		memset(t->fetched, 0, sizeof(t->fetched));
	}
	h->tallied = NULL;
}

void tally_flush(struct cluster *cl)
{
	struct tallies *all = cl->tallies;

	for (unsigned n = 0; n < cl->harts; n++)
		tally_settle(cl->hart[n]);
	memset(all->slot, 0, sizeof(all->slot));
	for (size_t n = 0; n < all->size; n++)
		all->bucket[n] = NULL;
	all->used = 0;
	all->chunk = NULL;
	all->spare.run = NULL;
}

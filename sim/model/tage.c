// SPDX-License-Identifier: BSD-2-Clause
/*
 * tage.c - tagged tables with long histories (tage.h).
 */
#include <stdlib.h>
#include <string.h>

#include "tage.h"

#define COUNTER_MIN (-4)
#define COUNTER_MAX 3
#define USEFUL_MAX  3
#define TRUST_MIN   (-8)
#define TRUST_MAX   7

bool tage_check(const struct tage_config *config, struct model_why *why)
{
	uint32_t last = 0;

	if (!model_in_range(why, "tables", config->tables, 1, TAGE_TABLES_MAX) ||
	    !model_in_powers(why, "entries", config->entries, 16, 65536) ||
	    !model_in_range(why, "tag_bits", config->tag_bits, 4, 15))
		return false;
	for (unsigned n = 0; n < config->tables; n++) {
		if (!model_in_range(why, "history", config->history[n], last + 1, TAGE_HISTORY_MAX))
			return false;
		last = config->history[n];
	}
	return true;
}

static size_t entries(const struct tage *t)
{
	return (size_t)t->config.tables * t->config.entries;
}

/* Tables that are looked up together: tables that there are not have no entry that counts. */
static unsigned lanes(const struct tage *t)
{
	return t->config.tables <= 4 ? 4 : TAGE_TABLES_MAX;
}

static size_t slots(const struct tage *t)
{
	return (size_t)lanes(t) * t->config.entries;
}

static void fold_init(struct tage *t, struct tage_fold *f, unsigned bits)
{
	f->bits = bits;
	for (unsigned n = 0; n < t->config.tables; n++) {
		f->mask[n] = (1u << bits) - 1;
		f->leaves[n] = 1u << t->config.history[n] % bits;
	}
}

bool tage_init(struct tage *t, const struct tage_config *config)
{
	unsigned bits = model_log2(config->entries), tag = config->tag_bits;

	*t = (struct tage){ .config = *config };
	t->entry = malloc(slots(t) * sizeof(*t->entry));
	if (!t->entry)
		return false;
	for (unsigned n = 0; n < config->tables; n++) {
		t->used[n] = UINT16_MAX;
		t->tag_mask[n] = (1u << tag) - 1;
		t->oldest[n] = config->history[n] - 1;
	}
	/* A fold that the index has already would tell nothing more. */
	tag -= tag == bits;
	fold_init(t, &t->fold[TAGE_INDEX], bits);
	fold_init(t, &t->fold[TAGE_TAG], tag);
	fold_init(t, &t->fold[TAGE_TAG_2], tag - 1 - (tag - 1 == bits));
	tage_reset(t);
	return true;
}

void tage_free(struct tage *t)
{
	free(t->entry);
	t->entry = NULL;
}

static void forget(struct tage *t)
{
	memset(t->past, 0, sizeof(t->past));
	for (unsigned n = 0; n < TAGE_FOLDS; n++)
		t->fold[n].value = (tage_lanes){ 0 };
	t->newest = 0;
}

uint64_t tage_bytes(const struct tage *t)
{
	return slots(t) * sizeof(*t->entry);
}

void tage_reset(struct tage *t)
{
	memset(t->entry, 0, slots(t) * sizeof(*t->entry));
	forget(t);
	t->branches = 0;
	t->trust_new = 0;
}

/* Histories */

/* The branch n back, 0 the last: 0 or UINT16_MAX. */
static uint16_t past(const struct tage *t, unsigned n)
{
	return t->past[t->newest + n];
}

static void remember(struct tage *t, uint16_t taken)
{
	t->newest = (t->newest - 1) % TAGE_HISTORY_MAX;
	t->past[t->newest] = t->past[t->newest + TAGE_HISTORY_MAX] = taken;
}

/* All becomes a branch older: the newest comes to bit 0, and the oldest of its history goes. */
static inline void fold_push(struct tage_fold *f, tage_lanes newest, tage_lanes oldest)
{
	tage_lanes turned = f->value << 1 | f->value >> (int)(f->bits - 1);

	f->value = (turned ^ (newest & 1) ^ (oldest & f->leaves)) & f->mask;
}

static inline __attribute__((always_inline)) void push(struct tage *t, bool taken, unsigned nr)
{
	uint16_t mask = -taken;
	tage_lanes oldest = { 0 }, newest = (tage_lanes){ 0 } + mask;

#pragma GCC unroll 8
	for (unsigned n = 0; n < nr; n++)
		oldest[n] = past(t, t->oldest[n]);
	for (unsigned n = 0; n < TAGE_FOLDS; n++)
		fold_push(&t->fold[n], newest, oldest);
	remember(t, mask);
}

/* Tables */

/* Where a branch stands in each of them, and by which tag it is known there. */
struct place {
	tage_lanes index, tag;
};

static inline struct place place_of(const struct tage *t, uint64_t pc)
{
	const struct tage_fold *f = t->fold;
	uint16_t index = pc >> 1 ^ pc >> (1 + f[TAGE_INDEX].bits), tag = pc >> 1;

	return (struct place){
		.index = (f[TAGE_INDEX].value ^ index) & f[TAGE_INDEX].mask,
		.tag = (f[TAGE_TAG].value ^ f[TAGE_TAG_2].value << 1 ^ tag) & t->tag_mask,
	};
}

static struct tage_entry *entry_at(const struct tage *t, unsigned table, unsigned index)
{
	return &t->entry[(size_t)table * t->config.entries + index];
}

static int step(int value, bool up, int min, int max)
{
	if (up)
		return value < max ? value + 1 : max;
	return value > min ? value - 1 : min;
}

/* A wrong prediction: an entry in a table after this one, if some entry there is of no use. */
static __attribute__((noinline, cold)) void allocate(struct tage *t, const struct place *p,
						     unsigned first, bool taken)
{
	for (unsigned n = first; n < t->config.tables; n++) {
		struct tage_entry *e = entry_at(t, n, p->index[n]);

		if (!e->useful) {
			*e = (struct tage_entry){ p->tag[n], taken ? 0 : -1, 0 };
			return;
		}
	}
	for (unsigned n = first; n < t->config.tables; n++)
		entry_at(t, n, p->index[n])->useful--;
}

static __attribute__((noinline, cold)) void age(struct tage *t)
{
	t->branches = 0;
	for (size_t n = 0; n < entries(t); n++)
		t->entry[n].useful /= 2;
}

/* Tables that know the branch: sixteen bits each, four to a word. */
struct known {
	uint64_t word[2];
};

static inline __attribute__((always_inline)) struct known
known_by(const struct tage *t, const struct place *p, unsigned nr)
{
	tage_lanes tag = { 0 };
	struct known k;

#pragma GCC unroll 8
	for (unsigned n = 0; n < nr; n++)
		tag[n] = entry_at(t, n, p->index[n])->tag;
	tag = (tage_lanes)(tag == p->tag) & t->used;
	memcpy(&k, &tag, sizeof(k));
	if (nr <= 4)
		k.word[1] = 0; /* as the compiler does not see */
	return k;
}

/* The one with the longest history, which is taken out; -1: none. */
static inline int longest(struct known *k)
{
	unsigned n = k->word[1] != 0, bit;

	if (!k->word[n])
		return -1;
	bit = (63 - __builtin_clzll(k->word[n])) / 16 * 16;
	k->word[n] &= (1ull << bit) - 1;
	return n * 4 + bit / 16;
}

/* What the table with the longest history, which knows the branch, says; other: what else is said. */
static inline bool consult(struct tage *t, struct tage_entry *e, bool other, bool taken)
{
	bool own = e->counter >= 0, prediction = own;

	if (own != other) {
		if (!e->useful && (e->counter == 0 || e->counter == -1)) {
			prediction = t->trust_new >= 0 ? other : own;
			t->trust_new = step(t->trust_new, other == taken, TRUST_MIN, TRUST_MAX);
		}
		e->useful = step(e->useful, own == taken, 0, USEFUL_MAX);
	}
	e->counter = step(e->counter, taken, COUNTER_MIN, COUNTER_MAX);
	return prediction;
}

static inline __attribute__((always_inline)) bool branch(struct tage *t, uint64_t pc, uint8_t *base,
							 bool taken, unsigned nr)
{
	struct place p = place_of(t, pc);
	struct known known = known_by(t, &p, nr);
	int table = longest(&known), next;
	bool prediction = *base >> 1, other = prediction;

	if (table >= 0) {
		next = longest(&known);
		if (next >= 0)
			other = entry_at(t, next, p.index[next])->counter >= 0;
		prediction = consult(t, entry_at(t, table, p.index[table]), other, taken);
	} else {
		*base = step(*base, taken, 0, 3);
	}
	if (__builtin_expect(prediction != taken, 0))
		allocate(t, &p, table + 1, taken);
	if (__builtin_expect(++t->branches == TAGE_PERIOD, 0))
		age(t);
	push(t, taken, nr);
	return prediction;
}

static __attribute__((noinline)) bool branch_4(struct tage *t, uint64_t pc, uint8_t *base,
					       bool taken)
{
	return branch(t, pc, base, taken, 4);
}

static __attribute__((noinline)) bool branch_8(struct tage *t, uint64_t pc, uint8_t *base,
					       bool taken)
{
	return branch(t, pc, base, taken, TAGE_TABLES_MAX);
}

bool tage_branch(struct tage *t, uint64_t pc, uint8_t *base, bool taken)
{
	return (lanes(t) == 4 ? branch_4 : branch_8)(t, pc, base, taken);
}

/* The histories in a stream: bit 0, the last branch was taken. */
struct saved_history {
	uint64_t word[TAGE_HISTORY_MAX / 64];
};

bool tage_save(const struct tage *t, const struct stream *s)
{
	struct saved_history history = { 0 };
	uint32_t shape[3 + TAGE_TABLES_MAX] = { t->config.tables, t->config.entries,
						t->config.tag_bits };

	memcpy(shape + 3, t->config.history, t->config.tables * sizeof(*shape));
	for (unsigned n = 0; n < TAGE_HISTORY_MAX; n++)
		history.word[n / 64] |= (past(t, n) & 1ull) << n % 64;
	return model_save_shape(s, shape, 3 + TAGE_TABLES_MAX) &&
	       stream_write(s, t->entry, entries(t) * sizeof(*t->entry)) &&
	       stream_write(s, &history, sizeof(history)) &&
	       stream_write(s, &t->branches, sizeof(t->branches)) &&
	       stream_write(s, &t->trust_new, sizeof(t->trust_new));
}

static bool possible(const struct tage *t)
{
	for (size_t n = 0; n < entries(t); n++) {
		const struct tage_entry *e = &t->entry[n];

		if (e->tag >> t->config.tag_bits || e->useful > USEFUL_MAX ||
		    e->counter < COUNTER_MIN || e->counter > COUNTER_MAX)
			return false;
	}
	return t->branches < TAGE_PERIOD && t->trust_new >= TRUST_MIN && t->trust_new <= TRUST_MAX;
}

bool tage_restore(struct tage *t, const struct stream *s)
{
	struct saved_history history;
	uint32_t shape[3 + TAGE_TABLES_MAX] = { t->config.tables, t->config.entries,
						t->config.tag_bits };

	memcpy(shape + 3, t->config.history, t->config.tables * sizeof(*shape));
	if (!model_restore_shape(s, shape, 3 + TAGE_TABLES_MAX) ||
	    !stream_read(s, t->entry, entries(t) * sizeof(*t->entry)) ||
	    !stream_read(s, &history, sizeof(history)) ||
	    !stream_read(s, &t->branches, sizeof(t->branches)) ||
	    !stream_read(s, &t->trust_new, sizeof(t->trust_new)) || !possible(t))
		return false;
	forget(t);
	for (unsigned n = TAGE_HISTORY_MAX; n--;)
		push(t, history.word[n / 64] >> n % 64 & 1, TAGE_TABLES_MAX);
	return true;
}

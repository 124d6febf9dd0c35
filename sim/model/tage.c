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

bool tage_init(struct tage *t, const struct tage_config *config)
{
	*t = (struct tage){ .config = *config };
	t->entry = malloc(entries(t) * sizeof(*t->entry));
	if (!t->entry)
		return false;
	for (unsigned n = 0; n < config->tables; n++) {
		unsigned bits = model_log2(config->entries), tag = config->tag_bits;

		/* A fold that the index has already would tell nothing more. */
		t->index[n].bits = bits;
		t->tag[n][0].bits = tag -= tag == bits;
		t->tag[n][1].bits = tag - 1 - (tag - 1 == bits);
	}
	tage_reset(t);
	return true;
}

void tage_free(struct tage *t)
{
	free(t->entry);
	t->entry = NULL;
}

void tage_reset(struct tage *t)
{
	memset(t->entry, 0, entries(t) * sizeof(*t->entry));
	memset(t->history, 0, sizeof(t->history));
	for (unsigned n = 0; n < t->config.tables; n++)
		t->index[n].value = t->tag[n][0].value = t->tag[n][1].value = 0;
	t->branches = 0;
	t->trust_new = 0;
}

/* Histories */

/* The branch n back, 0 the last. */
static unsigned past(const struct tage *t, unsigned n)
{
	return t->history[n / 64] >> n % 64 & 1;
}

/* The newest bit comes in, and the one that is length branches old by then goes. */
static void fold_push(struct tage_fold *f, unsigned length, unsigned newest, unsigned oldest)
{
	f->value = f->value << 1 | newest;
	f->value ^= oldest << length % f->bits;
	f->value ^= f->value >> f->bits;
	f->value &= (1u << f->bits) - 1;
}

static void push(struct tage *t, bool taken)
{
	for (unsigned n = 0; n < t->config.tables; n++) {
		unsigned length = t->config.history[n], oldest = past(t, length - 1);

		fold_push(&t->index[n], length, taken, oldest);
		fold_push(&t->tag[n][0], length, taken, oldest);
		fold_push(&t->tag[n][1], length, taken, oldest);
	}
	for (unsigned n = TAGE_HISTORY_MAX / 64 - 1; n; n--)
		t->history[n] = t->history[n] << 1 | t->history[n - 1] >> 63;
	t->history[0] = t->history[0] << 1 | taken;
}

/* Tables */

static struct tage_entry *entry_at(const struct tage *t, unsigned table, uint64_t pc)
{
	uint64_t hash = pc >> 1 ^ pc >> (1 + t->index[table].bits) ^ t->index[table].value;

	return &t->entry[(size_t)table * t->config.entries + (hash & (t->config.entries - 1))];
}

static uint16_t tag_at(const struct tage *t, unsigned table, uint64_t pc)
{
	uint64_t hash = pc >> 1 ^ t->tag[table][0].value ^ (uint64_t)t->tag[table][1].value << 1;

	return hash & ((1u << t->config.tag_bits) - 1);
}

static int step(int value, bool up, int min, int max)
{
	if (up)
		return value < max ? value + 1 : max;
	return value > min ? value - 1 : min;
}

/* A wrong prediction: an entry in a table after this one, if some entry there is of no use. */
static void allocate(struct tage *t, uint64_t pc, unsigned first, bool taken)
{
	for (unsigned n = first; n < t->config.tables; n++) {
		struct tage_entry *e = entry_at(t, n, pc);

		if (!e->useful) {
			*e = (struct tage_entry){ tag_at(t, n, pc), taken ? 0 : -1, 0 };
			return;
		}
	}
	for (unsigned n = first; n < t->config.tables; n++)
		entry_at(t, n, pc)->useful--;
}

static void age(struct tage *t)
{
	if (++t->branches < TAGE_PERIOD)
		return;
	t->branches = 0;
	for (size_t n = 0; n < entries(t); n++)
		t->entry[n].useful /= 2;
}

bool tage_branch(struct tage *t, uint64_t pc, bool base, bool taken, bool *base_decided)
{
	struct tage_entry *longest = NULL;
	unsigned after = 0;
	bool other = base, prediction = base;

	for (unsigned n = 0; n < t->config.tables; n++) {
		struct tage_entry *e = entry_at(t, n, pc);

		if (e->tag != tag_at(t, n, pc))
			continue;
		other = longest ? longest->counter >= 0 : base;
		longest = e;
		after = n + 1;
	}
	*base_decided = !longest;
	if (longest) {
		bool own = longest->counter >= 0;
		bool new = !longest->useful && (longest->counter == 0 || longest->counter == -1);

		prediction = new && t->trust_new >= 0 ? other : own;
		if (new &&own != other)
			t->trust_new = step(t->trust_new, other == taken, TRUST_MIN, TRUST_MAX);
		if (own != other)
			longest->useful = step(longest->useful, own == taken, 0, USEFUL_MAX);
		longest->counter = step(longest->counter, taken, COUNTER_MIN, COUNTER_MAX);
	}
	if (prediction != taken)
		allocate(t, pc, after, taken);
	age(t);
	push(t, taken);
	return prediction;
}

bool tage_save(const struct tage *t, const struct stream *s)
{
	uint32_t shape[3 + TAGE_TABLES_MAX] = { t->config.tables, t->config.entries,
						t->config.tag_bits };

	memcpy(shape + 3, t->config.history, t->config.tables * sizeof(*shape));
	return model_save_shape(s, shape, 3 + TAGE_TABLES_MAX) &&
	       stream_write(s, t->entry, entries(t) * sizeof(*t->entry)) &&
	       stream_write(s, t->history, sizeof(t->history)) &&
	       stream_write(s, &t->branches, sizeof(t->branches)) &&
	       stream_write(s, &t->trust_new, sizeof(t->trust_new));
}

/* What a history of this length folds to: what fold_push has made of it, bit by bit. */
static void refold(const struct tage *t, struct tage_fold *f, unsigned length)
{
	f->value = 0;
	for (unsigned n = 0; n < length; n++)
		f->value ^= past(t, n) << n % f->bits;
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
	uint32_t shape[3 + TAGE_TABLES_MAX] = { t->config.tables, t->config.entries,
						t->config.tag_bits };

	memcpy(shape + 3, t->config.history, t->config.tables * sizeof(*shape));
	if (!model_restore_shape(s, shape, 3 + TAGE_TABLES_MAX) ||
	    !stream_read(s, t->entry, entries(t) * sizeof(*t->entry)) ||
	    !stream_read(s, t->history, sizeof(t->history)) ||
	    !stream_read(s, &t->branches, sizeof(t->branches)) ||
	    !stream_read(s, &t->trust_new, sizeof(t->trust_new)) || !possible(t))
		return false;
	for (unsigned n = 0; n < t->config.tables; n++) {
		refold(t, &t->index[n], t->config.history[n]);
		refold(t, &t->tag[n][0], t->config.history[n]);
		refold(t, &t->tag[n][1], t->config.history[n]);
	}
	return true;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * tage.c - the predictor "tage": rules B8 and B9 of holter-model(7).
 */
#include <stdlib.h>

#include "room.h"
#include "tage.h"

/* Where a branch looks: in table i at index[i], for tag[i]. */
struct places {
	size_t index[TAGE_MAX];
	uint32_t tag[TAGE_MAX];
};

void tage_init(struct tage *t, const struct cpu_predictor *is)
{
	*t = (struct tage){ .is = is };
	t->base = room(is->counters, sizeof(*t->base));
	for (unsigned n = 0; n < is->counters; n++)
		t->base[n].counter = 1;
	for (unsigned i = 0; i < is->tage_tables; i++) {
		t->table[i] = room(is->tage_entries, sizeof(*t->table[i]));
		for (unsigned n = 0; n < is->tage_entries; n++)
			t->table[i][n].counter = 3;
	}
}

/* The n lowest bits, of up to 64. */
static uint64_t low(uint64_t value, unsigned n)
{
	return n < 64 ? value & ((1ull << n) - 1) : value;
}

/* B8: index and tag in each table. */
static struct places look(const struct tage *t, uint64_t pc)
{
	struct places p = { 0 };

	for (unsigned i = 0; i < t->is->tage_tables; i++) {
		unsigned n = t->is->tage_history[i];
		uint64_t h = pc * 0xd6e8feb86659fd93;

		h += low(t->past[0], n) * 0x9e3779b97f4a7c15;
		if (n > 64)
			h += low(t->past[1], n - 64) * 0xc2b2ae3d27d4eb4f;
		h = __builtin_bswap64(h);
		p.index[i] = (h >> (t->is->tage_tables <= 4 ? 2 : 3)) % t->is->tage_entries;
		p.tag[i] = (uint32_t)h >> (32 - t->is->tage_tag_bits);
	}
	return p;
}

/* B9, 4: a longer table, from the first one after the provider's, gets an entry for the branch. */
static void seek_longer(struct tage *t, const struct places *p, unsigned from, bool *longer,
			bool taken)
{
	for (unsigned i = from; i < t->is->tage_tables; i++) {
		struct tage_entry *e = &t->table[i][p->index[i]];
		bool found = e->tag == p->tag[i];

		if (!found && !e->useful) {
			*e = (struct tage_entry){ .tag = p->tag[i], .counter = taken ? 4 : 3 };
			if (t->failures)
				t->failures--;
			found = true;
		}
		if (found) {
			for (unsigned k = i; k < t->is->tage_tables; k++)
				longer[k] = false;
			longer[i] = true;
			return;
		}
		if (++t->failures < 1024)
			continue;
		t->failures = 0;
		for (unsigned k = 0; k < t->is->tage_tables; k++)
			for (unsigned n = 0; n < t->is->tage_entries; n++)
				t->table[k][n].useful = false;
	}
}

/* B9, 3: the provider is an entry, whose prediction is own; returns the prediction, and learns. */
static bool entry_predicts(struct tage *t, struct tage_entry *e, bool alternate, bool taken)
{
	bool own = e->counter >= 4, prediction = own;

	if (alternate != own) {
		bool was_useful = e->useful;

		e->useful = own == taken;
		if (!was_useful && (e->counter == 3 || e->counter == 4)) {
			prediction = t->trust >= 0 ? alternate : own;
			if (own != taken)
				t->trust = t->trust < 7 ? t->trust + 1 : 7;
			else
				t->trust = t->trust > -8 ? t->trust - 1 : -8;
		}
	}
	if (taken && e->counter < 7)
		e->counter++;
	if (!taken && e->counter > 0)
		e->counter--;
	return prediction;
}

/* B9, 1 to 4. */
static bool predict(struct tage *t, uint64_t pc, bool taken)
{
	struct places p = look(t, pc);
	struct tage_base *base = &t->base[(pc >> 1) % t->is->counters];
	struct tage_entry *provider = NULL;
	bool *longer = base->longer, alternate = base->counter >= 2, prediction;
	unsigned from = 0;

	for (unsigned i = 0; i < t->is->tage_tables; i++) {
		struct tage_entry *e = &t->table[i][p.index[i]];

		if (!longer[i] || e->tag != p.tag[i])
			continue;
		if (provider)
			alternate = provider->counter >= 4;
		provider = e;
		longer = e->longer;
		from = i + 1;
	}
	if (!provider) {
		prediction = base->counter >= 2;
		if (taken && base->counter < 3)
			base->counter++;
		if (!taken && base->counter > 0)
			base->counter--;
	} else if (provider->counter == (taken ? 7 : 0)) {
		return true;
	} else {
		prediction = entry_predicts(t, provider, alternate, taken);
	}
	if (prediction != taken)
		seek_longer(t, &p, from, longer, taken);
	return prediction == taken;
}

bool tage_branch(struct tage *t, uint64_t pc, bool taken)
{
	bool right = predict(t, pc, taken);

	t->past[1] = t->past[1] << 1 | t->past[0] >> 63;
	t->past[0] = t->past[0] << 1 | taken;
	return right;
}

void tage_free(struct tage *t)
{
	free(t->base);
	for (unsigned i = 0; i < TAGE_MAX; i++)
		free(t->table[i]);
}

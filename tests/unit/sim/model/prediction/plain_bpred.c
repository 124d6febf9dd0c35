// SPDX-License-Identifier: BSD-2-Clause
/*
 * plain_bpred.c - see plain_bpred.h.
 */
#include <stdlib.h>
#include <string.h>

#include "plain_bpred.h"

struct plain plain_create(const struct bpred_config *config)
{
	struct plain p = { .config = *config };

	p.counter = calloc(2 * config->counters + 1, sizeof(*p.counter));
	for (unsigned n = 0; n < 2 * config->counters; n++)
		p.counter[n] = 1 + n / config->counters;
	p.choice = calloc(config->choices + 1, sizeof(*p.choice));
	for (unsigned n = 0; n < config->choices; n++)
		p.choice[n] = 1;
	p.btb = calloc(config->btb_sets * config->btb_ways + 1, sizeof(*p.btb));
	p.target = calloc(config->targets + 1, sizeof(*p.target));
	p.tage = calloc(config->tage.tables * config->tage.entries + 1, sizeof(*p.tage));
	for (unsigned n = 0; n < config->tage.tables * config->tage.entries; n++)
		p.tage[n].counter = 3;
	p.longer = calloc(config->counters + 1, sizeof(*p.longer));
	return p;
}

void plain_destroy(struct plain *p)
{
	free(p->counter);
	free(p->choice);
	free(p->btb);
	free(p->target);
	free(p->tage);
	free(p->longer);
}

/* The outcome n branches ago; not taken before the first. */
static unsigned ago(const struct plain *p, unsigned n)
{
	return n < p->branches && p->past[p->branches - 1 - n];
}

static void train(int *counter, bool up, int min, int max)
{
	*counter += up ? 1 : -1;
	*counter = *counter < min ? min : *counter > max ? max : *counter;
}

/* Outcomes from one to another, the newest in the lowest bit. */
static uint64_t outcomes(const struct plain *p, unsigned from, unsigned to)
{
	uint64_t value = 0;

	for (unsigned n = from; n < to; n++)
		value += (uint64_t)ago(p, n) << (n - from);
	return value;
}

/* The index of the branch in table n, and the tag that it must have there. */
static struct plain_entry *tage_place(const struct plain *p, unsigned n, uint64_t pc, unsigned *tag)
{
	const struct tage_config *c = &p->config.tage;
	unsigned length = c->history[n], lanes = c->tables > 4 ? 8 : 4;
	uint64_t x = pc * 0xd6e8feb86659fd93;
	uint32_t turned = 0;

	x += outcomes(p, 0, length < 64 ? length : 64) * 0x9e3779b97f4a7c15;
	if (length > 64)
		x += outcomes(p, 64, length) * 0xc2b2ae3d27d4eb4f;
	/* Its four highest bytes, the highest lowest. */
	for (unsigned byte = 0; byte < 4; byte++)
		turned += (uint32_t)(x >> (56 - 8 * byte) & 255) << 8 * byte;
	*tag = turned >> (32 - c->tag_bits);
	return &p->tage[n * c->entries + turned / lanes % c->entries];
}

/*
 * Returns the table with a new entry for a mispredicted branch, after the first so many tables; or
 * -1.
 */
static int tage_lengthen(struct plain *p, uint64_t pc, unsigned first, bool taken)
{
	const struct tage_config *c = &p->config.tage;
	unsigned tag;

	for (unsigned n = first; n < c->tables; n++) {
		struct plain_entry *e = tage_place(p, n, pc, &tag);

		if (e->tag == tag)
			return n;
		if (!e->useful) {
			*e = (struct plain_entry){ tag, taken ? 4 : 3, 0, 0 };
			train(&p->failures, false, 0, TAGE_PATIENCE);
			return n;
		}
		if (++p->failures < TAGE_PATIENCE)
			continue;
		p->failures = 0;
		for (unsigned k = 0; k < c->tables * c->entries; k++)
			p->tage[k].useful = 0;
	}
	return -1;
}

/* An entry and the entry it overrides learn an outcome; returns what they had predicted. */
static bool tage_train(struct plain *p, struct plain_entry *e, bool other, bool taken)
{
	bool own = e->counter >= 4, fresh = !e->useful && (e->counter == 3 || e->counter == 4);
	bool said = fresh && p->trust >= 0 ? other : own;

	if (own == taken && (e->counter == 7 || e->counter == 0))
		return own;
	if (own != other && fresh)
		train(&p->trust, other == taken, -8, 7);
	if (own != other)
		e->useful = own == taken;
	train(&e->counter, taken, 0, 7);
	return said;
}

static bool tage_predict(struct plain *p, uint64_t pc, bool taken)
{
	unsigned at = pc / 2 % p->config.counters, tag, *longer = &p->longer[at];
	bool said = p->counter[at] >= 2, other = said;
	struct plain_entry *provider = NULL;
	int last = -1, made;

	for (unsigned n = 0; n < p->config.tage.tables; n++) {
		struct plain_entry *e = tage_place(p, n, pc, &tag);

		if (!(*longer >> n & 1) || e->tag != tag)
			continue;
		other = said;
		said = e->counter >= 4;
		provider = e;
		longer = &e->longer;
		last = n;
	}
	if (provider)
		said = tage_train(p, provider, other, taken);
	else
		train(&p->counter[at], taken, 0, 3);
	if (said != taken) {
		made = tage_lengthen(p, pc, last + 1, taken);
		if (made >= 0)
			*longer = *longer % (1u << made) + (1u << made);
	}
	return said;
}

/* The branch at pc, whose counters have that index in both tables. */
static bool bimode_predict(struct plain *p, uint64_t pc, unsigned index, bool taken)
{
	int *choice = &p->choice[pc / 2 % p->config.choices];
	bool chose = *choice >= 2;
	int *counter = &p->counter[index + (chose ? p->config.counters : 0)];
	bool said = *counter >= 2;

	train(counter, taken, 0, 3);
	if (chose == taken || said != taken)
		train(choice, taken, 0, 3);
	return said;
}

static bool plain_direction(struct plain *p, uint64_t pc, bool taken, uint64_t target)
{
	uint64_t index = pc / 2;
	bool said;

	switch (p->config.direction) {
	case BPRED_STATIC:
		return target <= pc;
	case BPRED_TAGE:
		return tage_predict(p, pc, taken);
	}
	for (unsigned n = 0; n < p->config.history; n++)
		index ^= (uint64_t)ago(p, n) << n;
	index %= p->config.counters;
	if (p->config.direction == BPRED_BIMODE)
		return bimode_predict(p, pc, index, taken);
	said = p->counter[index] >= 2;
	train(&p->counter[index], taken, 0, 3);
	return said;
}

static bool plain_btb(struct plain *p, uint64_t pc, uint64_t target)
{
	unsigned ways = p->config.btb_ways, set;
	struct plain_btb *e, *to;
	bool knew;

	if (!p->config.btb_sets)
		return true;
	set = pc / 2 % p->config.btb_sets;
	e = &p->btb[set * ways];
	to = e;
	for (unsigned n = 0; n < ways; n++) {
		if (e[n].pc == pc) {
			to = &e[n];
			break;
		}
		if (e[n].used < to->used) /* free entries were never used */
			to = &e[n];
	}
	knew = to->pc == pc && to->target == target;
	*to = (struct plain_btb){ pc, target, ++p->time };
	return knew;
}

static bool plain_indirect(struct plain *p, uint64_t pc, uint64_t target)
{
	uint64_t *e;
	bool knew;

	if (!p->config.targets)
		return p->config.btb_sets && plain_btb(p, pc, target);
	e = &p->target[(pc / 2 ^ p->path) % p->config.targets];
	knew = *e == target;
	*e = target;
	p->path = (p->path * 4 ^ target / 2) % (1u << p->config.target_history);
	return knew;
}

static void plain_push(struct plain *p, uint64_t next)
{
	if (p->config.returns && p->depth == p->config.returns)
		memmove(p->stack, p->stack + 1, --p->depth * sizeof(*p->stack));
	if (p->config.returns)
		p->stack[p->depth++] = next;
}

unsigned plain_retire(struct plain *p, enum bpred_kind kind, uint64_t pc, bool taken,
		      uint64_t target, uint64_t next)
{
	unsigned wrong = 0;

	switch (kind) {
	case BPRED_COND:
		wrong = plain_direction(p, pc, taken, target) != taken ? BPRED_BAD_DIRECTION : 0;
		p->past[p->branches++] = taken;
		if (taken && !plain_btb(p, pc, target))
			wrong |= BPRED_BTB_MISS;
		break;
	case BPRED_JUMP:
	case BPRED_CALL:
		wrong = plain_btb(p, pc, target) ? 0 : BPRED_BTB_MISS;
		break;
	case BPRED_INDIRECT:
	case BPRED_INDIRECT_CALL:
		wrong = plain_indirect(p, pc, target) ? 0 : BPRED_BAD_TARGET;
		break;
	default:
		if (!p->config.returns)
			wrong = plain_indirect(p, pc, target) ? 0 : BPRED_BAD_RETURN;
		else
			wrong = p->depth && p->stack[--p->depth] == target ? 0 : BPRED_BAD_RETURN;
	}
	if (kind == BPRED_CALL || kind == BPRED_INDIRECT_CALL || kind == BPRED_SWAP)
		plain_push(p, next);
	return wrong;
}

static bool same_tables(const struct bpred *b, const struct plain *p)
{
	const struct tage_config *c = &p->config.tage;

	for (unsigned n = 0; n < c->tables * c->entries; n++) {
		const struct plain_entry *e = &p->tage[n];
		uint32_t has = b->tage.entry[n % c->entries * b->tage.lanes + n / c->entries];

		if (has != (e->tag << (32 - c->tag_bits)) + e->longer * TAGE_LONGER +
				   e->counter * 2 + e->useful)
			return false;
	}
	return b->tage.trust_new == p->trust && b->tage.failures == (unsigned)p->failures;
}

static bool same_counters(const struct bpred *b, const struct plain *p)
{
	unsigned nr = p->config.counters;

	for (unsigned n = 0; n < p->config.choices; n++) {
		if (b->choice[n] != p->choice[n])
			return false;
	}
	for (unsigned n = 0; b->choice && n < nr; n++) {
		if (b->counter[2 * n] != p->counter[n] ||
		    b->counter[2 * n + 1] != p->counter[nr + n])
			return false;
	}
	for (unsigned n = 0; b->counter && !b->choice && n < nr; n++) {
		if (b->counter[n] != p->counter[n] + 4 * p->longer[n])
			return false;
	}
	return true;
}

bool plain_same(const struct bpred *b, const struct plain *p)
{
	if (!same_counters(b, p))
		return false;
	for (unsigned n = 0; n < p->config.btb_sets * p->config.btb_ways; n++) {
		bool used = p->btb[n].pc != 0;

		if (b->btb[n].pc != (used ? p->btb[n].pc : BTB_FREE) ||
		    (used && b->btb[n].target != p->btb[n].target))
			return false;
	}
	for (unsigned n = 0; n < p->config.targets; n++) {
		if (b->target[n] != p->target[n])
			return false;
	}
	return b->depth == p->depth && (!b->tage.entry || same_tables(b, p));
}

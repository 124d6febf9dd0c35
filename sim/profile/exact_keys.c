// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_keys.c - the contexts and keys of an exact profile (exact_keys.h).
 */
#include "exact_keys.h"

const struct context exact_no_context = { .node.key = { UINT64_MAX } };

const struct context *exact_context_of(const struct hart *h, uint64_t satp, uint64_t owner)
{
	uint64_t rest = h->id << 16 | h->mode << 8 | owner << 4 | h->translated;
	struct exact *x = exact_of(h->cl);
	struct context *c = (void *)exact_find(&x->contexts, satp, rest);

	if (!c) {
		c = exact_new(x, &x->contexts, sizeof(*c), satp, rest);
		if (!c)
			return &exact_no_context;
		c->hart = h->id;
		c->mode = h->mode;
		c->owner = owner;
		c->translated = h->translated;
	}
	heard(h)->recent[h->mode][h->translated] = c;
	return c;
}

static struct key *key_new(struct hart *h, const struct context *c, uint32_t call)
{
	struct exact *x = exact_of(h->cl);
	struct key *k = exact_new(x, &x->keys, sizeof(*k), (uintptr_t)c, call);

	if (!k)
		return NULL;
	k->tally = (struct tally_key){ h, h->mode, h->translated };
	k->context = c;
	k->call = call;
	return k;
}

struct key *exact_find_key(struct hart *h, const struct context *c, uint32_t call)
{
	struct key *k = (void *)exact_find(&exact_of(h->cl)->keys, (uintptr_t)c, call);

	return k || c == &exact_no_context ? k : key_new(h, c, call);
}

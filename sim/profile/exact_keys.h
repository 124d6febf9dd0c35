/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_keys.h - what the code that runs on a hart is counted under: its context, and its calls
 * (exact_parts.h).  These are asked for at each call, return and event: they are inline, and know
 * the last answer.
 */
#ifndef SIM_EXACT_KEYS_H
#define SIM_EXACT_KEYS_H

#include "exact_parts.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* No context: its allocation failed, or it was not looked up yet. */
extern const struct context exact_no_context;

/* exact_keys.c: looks up the context of the hart's mode with this satp and owner. */
const struct context *exact_context_of(const struct hart *h, uint64_t satp, uint64_t owner);

/* exact_keys.c: finds or makes the key of a context and calls.  NULL: no memory. */
struct key *exact_find_key(struct hart *h, const struct context *c, uint32_t call);

/* The context of the code that runs. */
static inline __attribute__((always_inline)) const struct context *
exact_context_now(const struct hart *h)
{
	const struct exact_task *t = &heard(h)->task;
	uint64_t satp = h->mode == PRV_M ? 0 : h->mode == PRV_S && t->home ? t->home : h->satp;
	const struct context *recent = heard(h)->recent[h->mode][h->translated];
	uint64_t owner = h->mode == PRV_M ? EXACT_PROCESS : t->owner;

	if (likely(recent->node.key[0] == satp && recent->owner == owner))
		return recent;
	return exact_context_of(h, satp, owner);
}

/* The node of the calls that led to the code that runs. */
static inline __attribute__((always_inline)) uint32_t exact_call_now(struct hart *h)
{
	const struct exact_calls *now = &heard(h)->calls;
	const struct exact_task *t = &heard(h)->task;

	if (unlikely(h->mode != now->mode || h->satp != now->satp || t->task != now->task ||
		     t->owner != now->owner)) {
		exact_calls_switch(h);
		if (heard(h)->time)
			exact_time_changed(h);
	}
	return now->call;
}

#endif

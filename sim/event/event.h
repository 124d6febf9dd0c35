/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.h - events as numbers (EVENT_LOAD and so on, in the order of event.def), and sets of
 * events.
 *
 * A counter counts a set: the sum of its events.
 */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include <stdbool.h>
#include <stdint.h>

enum event {
#define EVENT(NAME, selector, kind, needs, name, text) EVENT_##NAME,
#include "event.def"
	EVENT_NR,
	EVENT_NONE = EVENT_NR,
};

/* When the engine knows that an event has happened; see event.def. */
enum event_kind {
	EVENT_KIND_TIME,
	EVENT_KIND_CODE,
	EVENT_KIND_EDGE,
	EVENT_KIND_RARE,
	EVENT_KIND_CYCLE
};

/* The models, as bits: those that an event requires, or those that are on. */
enum {
	MODEL_NOTHING = 0,
	MODEL_MEMORY = 1, /* caches */
	MODEL_TLB = 2,
	MODEL_BPRED = 4,
	MODEL_COST = 8,
};

struct event_row {
	uint64_t selector;
	uint8_t kind;
	uint8_t needs; /* MODEL_ */
	const char *name, *text;
};

extern const struct event_row event_table[EVENT_NR];

/*
 * The events of the kinds TIME, CODE and EDGE, which blocks count.  ORDER: their rows come first in
 * event.def (asserted in event.c).
 */
enum {
	EVENT_CODE_ROWS = 0
#define EVENT(NAME, selector, kind, needs, name, text) +(EVENT_KIND_##kind <= EVENT_KIND_EDGE)
#include "event.def"
};
#define EVENT_CODE_NR (EVENT_CODE_ROWS + 0) /* an int, to be compared with any enum */

/* Events that count only while data addresses are translated. */
#define EVENTS_TRANSLATED (1ull << EVENT_DTLB_READ | 1ull << EVENT_DTLB_WRITE)
_Static_assert(EVENT_CODE_NR <= 64, "CODE events are bits of a word");

#define EVENT_WORDS ((EVENT_NR + 63) / 64)

struct event_set {
	uint64_t word[EVENT_WORDS]; /* bit e & 63 of word e >> 6 */
};

static inline void event_set_add(struct event_set *s, unsigned e)
{
	s->word[e >> 6] |= 1ull << (e & 63);
}

static inline bool event_set_has(const struct event_set *s, unsigned e)
{
	return s->word[e >> 6] >> (e & 63) & 1;
}

static inline bool event_set_empty(const struct event_set *s)
{
	for (unsigned w = 0; w < EVENT_WORDS; w++) {
		if (s->word[w])
			return false;
	}
	return true;
}

/* Returns the first event >= e in s; EVENT_NONE if there is none. */
static inline unsigned event_set_next(const struct event_set *s, unsigned e)
{
	uint64_t left = e < EVENT_NR ? s->word[e >> 6] >> (e & 63) : 0;

	if (left)
		return e + __builtin_ctzll(left);
	for (unsigned w = (e >> 6) + 1; w < EVENT_WORDS; w++) {
		if (s->word[w])
			return w * 64 + __builtin_ctzll(s->word[w]);
	}
	return EVENT_NONE;
}

/* Returns the models (MODEL_ bits) that the events in s require. */
unsigned event_set_needs(const struct event_set *s);

/* Returns the event with this name; EVENT_NONE if there is none. */
enum event event_find(const char *name);

/* The events that an SBI event counts on a CPU whose description does not tell. */
struct event_sbi {
	uint32_t eidx;
	const char *name;
	uint8_t nr;
	uint8_t event[11];
};

extern const struct event_sbi event_sbi_table[];
extern const unsigned event_sbi_nr;

/* Returns NULL if the SBI has no such event. */
const struct event_sbi *event_sbi_find(uint32_t eidx);

/* Sets s to the events of sbi.  behind_l1: the CPU has a cache behind L1. */
void event_sbi_set(const struct event_sbi *sbi, bool behind_l1, struct event_set *s);

#endif

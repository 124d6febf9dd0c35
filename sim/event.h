/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.h - events as numbers: EVENT_LOAD and so on, in the order of event.def; and sets of them.
 *
 * A counter counts a set: the sum of what is in it, each event once.
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

/* When an event is known; see event.def. */
enum event_kind {
	EVENT_KIND_TIME,
	EVENT_KIND_CODE,
	EVENT_KIND_EDGE,
	EVENT_KIND_RARE,
	EVENT_KIND_CYCLE
};

/* The models: bits of what an event needs, and of what is on. */
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

/* The events of CODE kind come first but for the two of TIME: blocks count these. */
#define EVENT_CODE_NR	  EVENT_EXCEPTION
/* Those that count only while data accesses are translated. */
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

/* The first event of s from e on; EVENT_NONE if there is none. */
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

/* What of the models its events need. */
unsigned event_set_needs(const struct event_set *s);

/* The event of that name; EVENT_NONE if there is none. */
enum event event_find(const char *name);

/* What an event of the SBI counts on a CPU that does not say otherwise. */
struct event_sbi {
	uint32_t eidx;
	const char *name;
	uint8_t nr;
	uint8_t event[10];
};

extern const struct event_sbi event_sbi_table[];
extern const unsigned event_sbi_nr;

/* NULL: the SBI names none. */
const struct event_sbi *event_sbi_find(uint32_t eidx);

/* Its events, on a CPU with a cache behind L1 or without. */
void event_sbi_set(const struct event_sbi *sbi, bool behind_l1, struct event_set *s);

#endif

// SPDX-License-Identifier: BSD-2-Clause
/* event.c - the rows of event.def as tables, and lookups in them (event.h). */
#include <string.h>

#include "event.h"

/* ORDER: see EVENT_CODE_NR. */
#define EVENT(NAME, selector, kind, needs, name, text)                                             \
	_Static_assert((EVENT_##NAME < EVENT_CODE_NR) == (EVENT_KIND_##kind <= EVENT_KIND_EDGE),   \
		       "TIME, CODE and EDGE come first in event.def");
#include "event.def"

const struct event_row event_table[EVENT_NR] = {
#define EVENT(NAME, selector, kind, needs, name, text)                                             \
	[EVENT_##NAME] = { selector, EVENT_KIND_##kind, MODEL_##needs, name, text },
#include "event.def"
};

#define SBI_EVENTS(...) sizeof((uint8_t[]){ __VA_ARGS__ })

const struct event_sbi event_sbi_table[] = {
#define SBI(eidx, name, ...) { eidx, name, SBI_EVENTS(__VA_ARGS__), { __VA_ARGS__ } },
#include "event.def"
};

static const struct event_sbi sbi_l1[] = {
#define SBI_L1(eidx, ...) { eidx, NULL, SBI_EVENTS(__VA_ARGS__), { __VA_ARGS__ } },
#include "event.def"
};

const unsigned event_sbi_nr = sizeof(event_sbi_table) / sizeof(event_sbi_table[0]);

unsigned event_set_needs(const struct event_set *s)
{
	unsigned needs = 0;

	for (unsigned e = event_set_next(s, 0); e < EVENT_NR; e = event_set_next(s, e + 1))
		needs |= event_table[e].needs;
	return needs;
}

enum event event_find(const char *name)
{
	unsigned e = 0;

	while (e < EVENT_NR && strcmp(event_table[e].name, name))
		e++;
	return e;
}

const struct event_sbi *event_sbi_find(uint32_t eidx)
{
	for (unsigned n = 0; n < event_sbi_nr; n++) {
		if (event_sbi_table[n].eidx == eidx)
			return &event_sbi_table[n];
	}
	return NULL;
}

void event_sbi_set(const struct event_sbi *sbi, bool behind_l1, struct event_set *s)
{
	for (unsigned n = 0; !behind_l1 && n < sizeof(sbi_l1) / sizeof(sbi_l1[0]); n++) {
		if (sbi_l1[n].eidx == sbi->eidx)
			sbi = &sbi_l1[n];
	}
	*s = (struct event_set){ 0 };
	for (unsigned n = 0; n < sbi->nr; n++) {
		if (sbi->event[n] != EVENT_NONE)
			event_set_add(s, sbi->event[n]);
	}
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.h - events as numbers: EVENT_LOAD and so on, in the order of event.def.
 */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include <stdint.h>

enum event {
#define EVENT(NAME, selector, eidx, kind, name, text) EVENT_##NAME,
#include "event.def"
	EVENT_NR,
	EVENT_NONE = EVENT_NR,
};

/* When an event is known; see event.def. */
enum event_kind { EVENT_KIND_TIME, EVENT_KIND_CODE, EVENT_KIND_EDGE, EVENT_KIND_RARE };

struct event_row {
	uint64_t selector;
	uint32_t eidx;
	uint8_t kind;
	const char *name, *text;
};

extern const struct event_row event_table[EVENT_NR];

/* The events of CODE kind come first but for the two of TIME: blocks count these. */
#define EVENT_CODE_NR EVENT_EXCEPTION

#endif

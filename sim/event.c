// SPDX-License-Identifier: BSD-2-Clause
/*
 * event.c - the rows of event.def as data (event.h).
 */
#include "event.h"

const struct event_row event_table[EVENT_NR] = {
#define EVENT(NAME, selector, eidx, kind, name, text)                                              \
	[EVENT_##NAME] = { selector, eidx, EVENT_KIND_##kind, name, text },
#include "event.def"
};

// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_choose.c - chooses the events of an exact profile that a report shows (exact_choose.h).
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "exact_choose.h"

#define EVENTS_MAX 256

static bool matches(const char *name, const char *list, bool patterns)
{
	while (*list) {
		size_t len = strcspn(list, ",");
		char one[256];

		if (len < sizeof(one)) {
			memcpy(one, list, len);
			one[len] = '\0';
			if (patterns ? !fnmatch(one, name, 0) : !strcmp(one, name))
				return true;
		}
		list += len + (list[len] == ',');
	}
	return false;
}

/* Adds an event to p.  Returns its row of chosen, or NULL: it is there, or there is no room. */
static uint8_t *choose(struct profile *p, uint8_t *chosen, unsigned events, const char *name)
{
	size_t nr = p->events.nr;

	for (size_t n = 0; n < nr; n++) {
		if (!strcmp(p->events.at[n].name, name))
			return NULL;
	}
	if (nr == EVENTS_MAX || profile_add_event(p, name, true) == PROFILE_NONE)
		return NULL;
	return chosen + nr * events;
}

/* Whether a name is one of the events that the machine counts one by one. */
static bool is_event(const struct exact_head *head, const char *name)
{
	for (unsigned e = 0; e < head->events; e++) {
		if (head->event[e].counted && !strcmp(head->event[e].name.at, name))
			return true;
	}
	return false;
}

uint8_t *exact_choose(struct profile *p, const struct exact_head *head, const char *list,
		      const uint64_t *total)
{
	const char *names = list ? list : "cycles,instructions,cache-misses,branch-misses";
	uint8_t *chosen = calloc(EVENTS_MAX, head->events), *to;

	if (!chosen) {
		p->no_memory = true;
		return NULL;
	}
	for (unsigned e = 0; e < head->events; e++) {
		const char *name = head->event[e].name.at;
		bool wanted = total[e] ? matches(name, names, true)
				       : head->event[e].counted && list &&
						 matches(name, list, false);

		to = wanted ? choose(p, chosen, head->events, name) : NULL;
		if (to)
			to[e] = 1;
	}
	for (unsigned n = 0; n < head->sums; n++) {
		bool wanted = head->sum[n].nr && matches(head->sum[n].name.at, names, false);

		if (head->sum[n].nr && !is_event(head, head->sum[n].name.at))
			profile_add_sum(p, head->sum[n].name.at);
		to = wanted ? choose(p, chosen, head->events, head->sum[n].name.at) : NULL;
		for (unsigned e = 0; to && e < head->sum[n].nr; e++)
			to[head->sum[n].event[e]] = 1;
	}
	return chosen;
}

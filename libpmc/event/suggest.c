// SPDX-License-Identifier: BSD-2-Clause
/*
 * suggest.c - finds the event whose name is nearest to a misspelled one, with lib/util/near.h, over
 * the names and aliases of event.c and the names of the CPU.  Pure.
 */
#include <stdio.h>
#include <string.h>

#include "event.h"
#include "near.h"

static const char *folded(char to[PMC_NAME_MAX], const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		to[i] = lpmc_fold(name[i]);
	to[len] = '\0';
	return to;
}

/* Copies a candidate to `near`, if nothing before was as near. */
static void consider(struct near *n, const char *candidate, char near[PMC_NAME_MAX])
{
	unsigned before = n->distance;
	char word[PMC_NAME_MAX];

	near_try(n, folded(word, candidate, strlen(candidate)));
	if (n->distance < before)
		n->best = strcpy(near, candidate); /* word ends here */
}

bool lpmc_suggest(const struct lpmc_cpu_events *cpu, const char *name, size_t len,
		  char near[PMC_NAME_MAX])
{
	const char *candidate, *more;
	const struct lpmc_event *e;
	char word[PMC_NAME_MAX];
	struct near n;
	uint32_t ev;

	if (len >= PMC_NAME_MAX)
		return false;
	n = near_to(folded(word, name, len));
	for (unsigned i = 0; (e = lpmc_event_row(cpu, i)); i++)
		consider(&n, e->name, near);
	for (unsigned i = 0; (candidate = lpmc_event_alias(i, &ev)); i++)
		consider(&n, candidate, near);
	for (unsigned i = 0; (e = lpmc_event_row(NULL, i)); i++) {
		char both[PMC_NAME_MAX];

		if (!lpmc_event_cache_alias(e->ev, &candidate, &more))
			continue;
		snprintf(both, sizeof(both), "%s%s", candidate, more);
		consider(&n, both, near);
	}
	return n.best != NULL;
}

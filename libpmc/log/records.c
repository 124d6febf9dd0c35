// SPDX-License-Identifier: BSD-2-Clause
/*
 * records.c - what a program that writes a perf.data needs to know about a PMC with PMC_F_RECORDS:
 * the attributes and the identifiers of its events.
 */
#include <string.h>

#include "error.h"
#include "perf.h"

int pmc_perf_attr(pmc_id_t id, void *attr, size_t size)
{
	struct lpmc *p = size && lpmc_null(attr, "pmc_perf_attr") < 0 ? NULL : lpmc_enter_pmc(id);
	struct perf_event_attr asked;

	if (!p)
		return -1;
	lpmc_attr(p, &asked);
	if (size)
		memcpy(attr, &asked, size < sizeof(asked) ? size : sizeof(asked));
	lpmc_leave();
	return sizeof(asked);
}

static int ids_of(const struct lpmc *p, uint64_t *ids, int max)
{
	int nr = 0;

	for (unsigned i = 0; i < p->targets.nr; i++) {
		for (unsigned j = 0; j < p->targets.at[i].fds.nr; j++, nr++) {
			uint64_t id;

			if (nr >= max)
				continue;
			if (lpmc.sys->perf_ioctl(p->targets.at[i].fds.at[j].fd, PERF_EVENT_IOC_ID,
						 &id) < 0)
				return lpmc_fail(errno, "%s: cannot read its identifier: %s",
						 p->spec.name, strerror(errno));
			ids[nr] = id;
		}
	}
	return nr;
}

int pmc_perf_ids(pmc_id_t id, uint64_t *ids, int max)
{
	struct lpmc *p = max > 0 && lpmc_null(ids, "pmc_perf_ids") < 0 ? NULL : lpmc_enter_pmc(id);
	int result;

	if (!p)
		return -1;
	result = ids_of(p, ids, max);
	lpmc_leave();
	return result;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * stat_mode.c - pmc_pmu_stat_mode(): the events of FreeBSD's `pmc stat`.
 *
 * The list has no length: that program takes six events, in this order, allocates a PMC for each,
 * and prints the counts under names of its own.  So there is no shorter list and no other event for
 * one that does not count.  If one is missing, or too few counters exist, there is no list.
 */
#include "error.h"
#include "perf.h"

static int count_all(const char *const *names, unsigned nr, struct lpmc *pmcs)
{
	struct lpmc *list[LPMC_MEMBERS + 1];

	for (unsigned i = 0; i < nr; i++) {
		pmcs[i] = (struct lpmc){ .mode = PMC_MODE_TC, .cpu = PMC_CPU_ANY };
		list[i] = &pmcs[i];
		if (lpmc_spec_parse(names[i], NULL, &pmcs[i].spec) < 0 || lpmc_probe(&pmcs[i]) < 0)
			return -1;
	}
	return lpmc_probe_group(list, nr);
}

int pmc_pmu_stat_mode(const char ***counters)
{
	static const char *names[] = { "cycles",	"instructions",	    "branches",
				       "branch-misses", "cache-references", "cache-misses" };
	struct lpmc pmcs[LPMC_NR(names)];
	int result;

	if (lpmc_null(counters, "pmc_pmu_stat_mode") < 0 || lpmc_enter() < 0)
		return errno;
	result = count_all(names, LPMC_NR(names), pmcs);
	lpmc_leave();
	if (result == 0)
		*counters = names;
	else if (errno == EINVAL || errno == EBUSY)
		errno = EOPNOTSUPP;
	return result == 0 ? 0 : errno;
}

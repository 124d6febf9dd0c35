// SPDX-License-Identifier: BSD-2-Clause
/*
 * cpu_models.c - see cpu_models.h.
 */
#include "cpu_models.h"

const char *const cpu_policy_name[REPLACE_POLICIES] = { "lru", "plru", "fifo", "random" };
const char *const cpu_prefetch_name[CACHE_PREFETCHES] = { "none", "on-miss", "tagged", "stream",
							  "stride" };

void cpu_models_vary(struct cpu_models *m, uint64_t seed)
{
	struct hierarchy_config *caches = &m->hierarchy;

	seed *= 0x9e3779b97f4a7c15; /* bits in both halves, and 0 stays */
	caches->l1i.seed ^= seed;
	caches->l1d.seed ^= seed;
	caches->l2.seed ^= seed;
	caches->ll.seed ^= seed;
	for (unsigned part = 0; part < TLB_PARTS; part++)
		m->tlb.part[part].seed ^= seed;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * difference.c - whether two CPUs differ only in their models (cpu.h).
 */
#include <string.h>

#include "cpu.h"

static bool same_selector(const struct selector *a, const struct selector *b)
{
	return a->value == b->value && a->counters == b->counters &&
	       !memcmp(&a->set, &b->set, sizeof(a->set)) && !strcmp(a->label, b->label);
}

static bool same_pmu(const struct pmu_table *a, const struct pmu_table *b)
{
	if (a->counters != b->counters || a->width != b->width || a->class_mask != b->class_mask ||
	    a->nr != b->nr || a->eidx_nr != b->eidx_nr)
		return false;
	for (unsigned n = 0; n < a->nr; n++) {
		if (!same_selector(&a->selector[n], &b->selector[n]))
			return false;
	}
	for (unsigned n = 0; n < a->eidx_nr; n++) {
		if (a->eidx[n].eidx != b->eidx[n].eidx || a->eidx[n].value != b->eidx[n].value)
			return false;
	}
	return true;
}

const char *cpu_difference(const struct cpu *a, const struct cpu *b)
{
	const struct {
		const char *what;
		bool same;
	} facts[] = {
		{ "the clock", cpu_hz(a) == cpu_hz(b) },
		{ "the extensions", !memcmp(&a->isa, &b->isa, sizeof(a->isa)) },
		{ "VLEN", a->vlen == b->vlen },
		{ "the MMU", a->mmu == b->mmu },
		{ "whether misaligned accesses trap", a->trap_misaligned == b->trap_misaligned },
		{ "the identity of the core", a->mvendorid == b->mvendorid &&
						      a->marchid == b->marchid &&
						      a->mimpid == b->mimpid },
		{ "what the counters count", same_pmu(&a->pmu, &b->pmu) },
		{ "whether there are models", !a->models == !b->models },
	};

	for (size_t n = 0; n < sizeof(facts) / sizeof(*facts); n++) {
		if (!facts[n].same)
			return facts[n].what;
	}
	return NULL;
}

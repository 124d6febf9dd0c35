// SPDX-License-Identifier: BSD-2-Clause
/*
 * event_list.c - the events that have names, read from libpmc (event_list.h).
 */
#include "event_list.h"

/* The event_idx of raw events; the numbers after it are names of this machine (pmc.h). */
#define RAW 0x20000

static enum list_kind kind_of(const struct pmc_op_pmcallocate *op, uint32_t code)
{
	if (op->pm_class == PMC_CLASS_SOFT)
		return LIST_SOFT;
	switch (code >> 16) {
	case 0x0:
		return LIST_GENERAL;
	case 0x1:
		return LIST_CACHE;
	case RAW >> 16:
		return code == RAW ? LIST_RAW : LIST_CPU;
	default:
		return LIST_FIRMWARE;
	}
}

bool list_event_of(const char *spec, struct list_event *e)
{
	struct pmc_op_pmcallocate op;

	if (pmc_pmu_pmcallocate(spec, &op))
		return false;
	*e = (struct list_event){ .name = spec, .text = pmc_event_text(spec) };
	if (op.pm_class != PMC_CLASS_SOFT)
		e->code = (uint32_t)op.pm_ev - PMC_EV_RISCV_SBI_FIRST;
	e->kind = kind_of(&op, e->code);
	if (e->kind == LIST_CPU)
		e->code = RAW;
	pmc_event_aliases(spec, e->aliases, sizeof(e->aliases));
	return true;
}

bool list_event(unsigned n, struct list_event *e)
{
	const char *name = pmc_event_name(n);

	return name && list_event_of(name, e);
}

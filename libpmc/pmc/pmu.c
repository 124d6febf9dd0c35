// SPDX-License-Identifier: BSD-2-Clause
/*
 * pmu.c - pmc_pmu_*() and the like: the list of events, with those that this machine's device tree
 * names, for programs that show it.  pmc_pmu_stat_mode(), which asks the machine what it counts, is
 * in libpmc/perf.
 *
 * Four of these functions print on stdout, as they do on FreeBSD.  Nothing else in the library
 * prints.
 */
#include <rv/pmu_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device_tree.h"
#include "error.h"
#include "vec.h"

/*
 * All events have the same sample rate.  It is not FreeBSD's default rate, which its programs take
 * to mean that there is no such event.
 */
#define RATE_UNKNOWN 65536
#define RATE_KNOWN   65537

int pmc_pmu_enabled(void)
{
	return 1;
}

/* Row n of the list; after it stand the events of the CPU. */
static const struct lpmc_event *row(unsigned n)
{
	const struct lpmc_event *e = lpmc_event_row(NULL, n);

	return e ? e : lpmc_event_row(lpmc_cpu_events(), n);
}

/* Whether a name contains words, compared as names are (lpmc_fold). */
static bool contains(const char *name, const char *words)
{
	size_t len = words ? strlen(words) : 0;

	for (; strlen(name) >= len; name++) {
		size_t i = 0;

		while (i < len && lpmc_fold(name[i]) == lpmc_fold(words[i]))
			i++;
		if (i == len)
			return true;
	}
	return false;
}

void pmc_pmu_print_counters(const char *words)
{
	const struct lpmc_event *e;

	for (unsigned i = 0; (e = row(i)); i++) {
		if (contains(e->name, words))
			printf("\t%s\n", e->name);
	}
}

void pmc_pmu_print_counter_desc(const char *event)
{
	const struct lpmc_event *e;

	for (unsigned i = 0; (e = row(i)); i++) {
		if (contains(e->name, event))
			printf("%s:\t%s\n", e->name, e->text);
	}
}

/* The short and the long description are the same line. */
void pmc_pmu_print_counter_desc_long(const char *event)
{
	pmc_pmu_print_counter_desc(event);
}

/* The SBI's number; it has one for all raw events. */
static uint32_t event_idx(uint32_t ev)
{
	return lpmc_event_is_of_cpu(ev) ? SBI_PMU_EIDX(SBI_PMU_TYPE_RAW, 0)
					: ev & ~(uint32_t)PMC_EV_RISCV_SBI_FIRST;
}

void pmc_pmu_print_counter_full(const char *event)
{
	const struct lpmc_event *e;

	for (unsigned i = 0; (e = row(i)); i++) {
		if (!contains(e->name, event))
			continue;
		printf("name: %s\ndesc: %s\nclass: %s\n", e->name, e->text,
		       pmc_name_of_class(lpmc_event_class(e->ev)));
		if (e->ev >= PMC_EV_RISCV_SBI_FIRST)
			printf("event_idx: 0x%x\n", event_idx(e->ev));
		printf("perf: type %u config 0x%llx\n", e->type, (unsigned long long)e->config);
	}
}

uint64_t pmc_pmu_sample_rate_get(const char *event)
{
	struct lpmc_spec spec;

	return event && lpmc_spec_read(event, &spec) == 0 ? RATE_KNOWN : RATE_UNKNOWN;
}

int pmc_pmu_pmcallocate(const char *event, struct pmc_op_pmcallocate *op)
{
	struct lpmc_spec spec;

	if (lpmc_null(event, "pmc_pmu_pmcallocate") < 0 || lpmc_null(op, "pmc_pmu_pmcallocate") < 0)
		return errno;
	if (lpmc_spec_read(event, &spec) < 0)
		return errno;
	op->pm_class = lpmc_event_class(spec.event.ev);
	op->pm_ev = (enum pmc_event)spec.event.ev;
	op->pm_caps = PMC_CAP_READ | PMC_CAP_WRITE;
	if (spec.usr)
		op->pm_caps |= PMC_CAP_USER | PMC_CAP_QUALIFIER;
	if (spec.os)
		op->pm_caps |= PMC_CAP_SYSTEM | PMC_CAP_QUALIFIER;
	return 0;
}

const char *pmc_pmu_event_get_by_idx(const char *cpuid, int idx)
{
	const struct lpmc_event *e = lpmc_event_here((uint32_t)idx);

	(void)cpuid;
	return e ? e->name : NULL;
}

int pmc_pmu_idx_get_by_event(const char *cpuid, const char *event)
{
	struct lpmc_spec spec;

	if (lpmc_null(event, "pmc_pmu_idx_get_by_event") < 0)
		return -1;
	(void)cpuid;
	if (lpmc_spec_read(event, &spec) < 0 || !lpmc_event_here(spec.event.ev))
		return -1;
	return (int)spec.event.ev;
}

const char *pmc_event_name(unsigned n)
{
	const struct lpmc_event *e = row(n);

	return e ? e->name : NULL;
}

const char *pmc_name_of_event(enum pmc_event event)
{
	const struct lpmc_event *e = lpmc_event_here((uint32_t)event);

	if (e)
		return e->name;
	lpmc_fail(EINVAL, "0x%x is not an event of the list", (unsigned)event);
	return NULL;
}

int pmc_event_names_of_class(enum pmc_class cls, const char ***names, int *nr)
{
	const struct lpmc_event *e;
	VEC(const char *) list = { 0 };

	if (lpmc_null(names, "pmc_event_names_of_class") < 0 ||
	    lpmc_null(nr, "pmc_event_names_of_class") < 0)
		return -1;
	if (!pmc_name_of_class(cls) || !lpmc_cpu_events())
		return -1;
	for (unsigned i = 0; (e = row(i)); i++) {
		if (lpmc_event_class(e->ev) != cls || VEC_PUSH(&list, e->name))
			continue;
		free(list.at);
		return lpmc_fail(ENOMEM, "out of memory");
	}
	*names = list.at;
	*nr = (int)list.nr;
	return 0;
}

/* Appends name and more to a list of len characters, as snprintf does; returns the new length. */
static int add_name(char *to, size_t size, int len, const char *name, const char *more)
{
	bool room = (size_t)len < size;

	return len + snprintf(room ? to + len : NULL, room ? size - (size_t)len : 0, "%s%s%s",
			      len ? " " : "", name, more);
}

int pmc_event_aliases(const char *event, char *to, size_t size)
{
	const char *name, *more;
	struct lpmc_spec spec;
	uint32_t ev;
	int len = 0;

	if (lpmc_null(event, "pmc_event_aliases") < 0 ||
	    (size && lpmc_null(to, "pmc_event_aliases") < 0))
		return -1;
	if (size)
		*to = '\0';
	if (lpmc_spec_read(event, &spec) < 0)
		return -1;
	for (unsigned i = 0; (name = lpmc_event_alias(i, &ev)); i++) {
		if (ev == spec.event.ev)
			len = add_name(to, size, len, name, "");
	}
	if (lpmc_event_cache_alias(spec.event.ev, &name, &more))
		len = add_name(to, size, len, name, more);
	return len;
}

const char *pmc_event_text(const char *event)
{
	struct lpmc_spec spec;

	if (lpmc_null(event, "pmc_event_text") < 0)
		return NULL;
	return lpmc_spec_read(event, &spec) < 0 ? NULL : spec.event.text;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * cpu_names.c - the names that a device tree gives to raw events of the CPU.  Pure.
 *
 * They are two properties of the pmu node, which Holter's machine has (holter-cpu(7)):
 * holter,event-names, a list of strings, and holter,event-selectors, a big-endian number of 64 bits
 * for each of them.  Nothing in them is trusted.  If they do not belong together, no event has a
 * name.  A name that cannot be used is left out: a specifier with this name means another event, or
 * is not a specifier of an event alone.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "rows.h"

/* The number of strings; 0 if the last one has no end. */
static size_t strings(const char *names, size_t size)
{
	size_t nr = 0;

	if (!size || names[size - 1])
		return 0;
	for (size_t i = 0; i < size; i++)
		nr += !names[i];
	return nr;
}

static bool is_plain(const char *name, size_t len)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789-_.";

	return len && len < PMC_NAME_MAX && strspn(name, plain) == len;
}

static uint64_t number_at(const uint8_t *at)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < 8; i++)
		value = value << 8 | at[i];
	return value;
}

static void add(struct lpmc_cpu_events *e, const char *name, size_t len, uint64_t selector)
{
	struct lpmc_cpu_event *row = &e->at[e->nr];

	memcpy(row->name, name, len + 1);
	snprintf(row->text, sizeof(row->text), "raw event 0x%llx of this CPU",
		 (unsigned long long)selector);
	row->event = (struct lpmc_event){ .name = row->name,
					  .name_len = len,
					  .text = row->text,
					  .ev = LPMC_EV_CPU_FIRST + e->nr,
					  .type = PERF_TYPE_RAW,
					  .config = selector };
	e->nr++;
}

struct lpmc_cpu_events *lpmc_cpu_events_parse(const char *names, size_t names_size,
					      const uint8_t *selectors, size_t selectors_size)
{
	size_t nr = strings(names, names_size), len;
	struct lpmc_cpu_events *e;

	if (nr > LPMC_CPU_EVENTS_MAX || selectors_size != nr * 8)
		nr = 0;
	e = malloc(sizeof(*e) + nr * sizeof(e->at[0]));
	if (!e) {
		lpmc_fail(ENOMEM, "out of memory");
		return NULL;
	}
	e->nr = 0;
	for (size_t i = 0; i < nr; i++, names += len + 1, selectors += 8) {
		uint64_t selector = number_at(selectors);

		len = strlen(names);
		if (is_plain(names, len) && selector && !(selector & ~SBI_PMU_RAW_V2_DATA_MASK) &&
		    !lpmc_spec_is_known(names, len) && !lpmc_event_by_name(e, names, len))
			add(e, names, len, selector);
	}
	return e;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * device_tree.c - reads the names of the CPU's events (device_tree.h) from the device tree that
 * Linux shows in /sys.  A machine without a device tree, or with one that names no events, has no
 * such names.
 */
#include <stdlib.h>
#include <string.h>

#include "device_tree.h"
#include "state.h"

#define PMU_NODE "/sys/firmware/devicetree/base/pmu/"

/* Longer properties are not read: room for one byte more, and for the NUL. */
struct properties {
	char names[LPMC_CPU_EVENTS_MAX * PMC_NAME_MAX + 2];
	char selectors[LPMC_CPU_EVENTS_MAX * 8 + 2];
};

/* Returns how many bytes a property has; 0 if it is missing or too long. */
static size_t property(const char *path, char *to, size_t size)
{
	ssize_t n = lpmc.sys->slurp(path, to, size);

	return n < 0 || (size_t)n == size - 1 ? 0 : (size_t)n;
}

static struct lpmc_cpu_events *read_events(void)
{
	struct properties *p = malloc(sizeof(*p));
	struct lpmc_cpu_events *e;
	size_t names, selectors;

	if (!p) {
		lpmc_fail(ENOMEM, "out of memory");
		return NULL;
	}
	names = property(PMU_NODE "holter,event-names", p->names, sizeof(p->names));
	selectors = property(PMU_NODE "holter,event-selectors", p->selectors, sizeof(p->selectors));
	e = lpmc_cpu_events_parse(p->names, names, (const uint8_t *)p->selectors, selectors);
	free(p);
	return e;
}

const struct lpmc_cpu_events *lpmc_cpu_events(void)
{
	struct lpmc_cpu_events *there = __atomic_load_n(&lpmc.cpu_events, __ATOMIC_ACQUIRE), *e;

	if (there)
		return there;
	e = read_events();
	/* Another thread may have read them meanwhile: the first one's are used. */
	if (!e || __atomic_compare_exchange_n(&lpmc.cpu_events, &there, e, false, __ATOMIC_ACQ_REL,
					      __ATOMIC_ACQUIRE))
		return e;
	free(e);
	return there;
}

int lpmc_spec_read(const char *text, struct lpmc_spec *spec)
{
	return lpmc_spec_parse_here(text, lpmc_cpu_events, spec);
}

const struct lpmc_event *lpmc_event_here(uint32_t ev)
{
	return lpmc_event_of(lpmc_event_is_of_cpu(ev) ? lpmc_cpu_events() : NULL, ev);
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_pmc_names.c - any bytes as the two properties of a device tree that name events.
 *
 * The input is a 16-bit length, that many bytes of selectors, and the names.
 *
 * Must hold: each event has a name that is printable and no other event's, a specifier of this name
 * means it, and so does its number.  Names that every machine has keep their meaning.
 */
#include <ctype.h>
#include <linux/perf_event.h>

#include <event.h>

#include "fuzz.h"

static void good(const struct lpmc_cpu_events *cpu, const struct lpmc_event *e)
{
	struct lpmc_spec spec;

	must(e->name_len && e->name_len < PMC_NAME_MAX && strlen(e->name) == e->name_len);
	for (size_t i = 0; i < e->name_len; i++)
		must(isalnum((unsigned char)e->name[i]) || strchr("-_.", e->name[i]));
	must(lpmc_spec_parse(e->name, NULL, &spec) < 0);
	must(lpmc_spec_parse(e->name, cpu, &spec) == 0);
	must(spec.event.ev == e->ev && spec.event.name == e->name);
	must(spec.event.type == PERF_TYPE_RAW && spec.event.config && !(spec.event.config >> 56));
	must(lpmc_event_of(cpu, e->ev) == e && lpmc_event_is_of_cpu(e->ev));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t head = size < 2 ? 0 : data[0] | (size_t)data[1] << 8, names;
	struct lpmc_cpu_events *cpu;
	const struct lpmc_event *e;
	uint8_t *selectors;
	char *text;

	if (size < 2 || head > size - 2)
		return 0;
	/* (copies, so that the sanitizers see what is read after them) */
	names = size - 2 - head;
	selectors = malloc(head + !head);
	text = malloc(names + !names);
	memcpy(selectors, data + 2, head);
	memcpy(text, data + 2 + head, names);
	cpu = lpmc_cpu_events_parse(text, names, selectors, head);
	must(cpu && cpu->nr <= head / 8);
	for (unsigned n = 0; (e = lpmc_event_row(cpu, n)); n++) {
		must(lpmc_event_by_name(cpu, e->name, e->name_len) == e);
		if (lpmc_event_is_of_cpu(e->ev))
			good(cpu, e);
	}
	free(cpu);
	free(text);
	free(selectors);
	return 0;
}

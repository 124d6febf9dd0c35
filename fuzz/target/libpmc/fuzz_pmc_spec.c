// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_pmc_spec.c - any text as an event specifier.
 *
 * Must hold: the specifier is accepted, or refused with EINVAL and a text.  The name of an accepted
 * event, parsed again, gives the same event.  A suggestion is a name of the event list.
 */
#include <errno.h>

#include <event.h>

#include "fuzz.h"

static void accepted(const struct lpmc_spec *spec)
{
	struct lpmc_spec again;

	must(strlen(spec->name) > 0 && strlen(spec->name) < PMC_NAME_MAX);
	must(spec->event.ev >= PMC_EV_SOFT_CPU_CLOCK && spec->event.ev <= PMC_EV_RISCV_SBI_LAST);
	must(lpmc_spec_parse(spec->name, NULL, &again) == 0);
	must(again.event.ev == spec->event.ev && again.event.type == spec->event.type &&
	     again.event.config == spec->event.config);
	must(!again.usr && !again.os && !again.multiplex);
	must(!spec->event.name || lpmc_event_of(NULL, spec->event.ev) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct lpmc_spec spec;
	char near[PMC_NAME_MAX];

	memcpy(text, data, size);
	text[size] = '\0';
	errno = 0;
	if (lpmc_spec_parse(text, NULL, &spec) == 0) {
		accepted(&spec);
	} else {
		must(errno == EINVAL);
		must(pmc_error_text()[0] != '\0');
	}
	must(!lpmc_suggest(NULL, (const char *)data, size, near) ||
	     lpmc_spec_parse(near, NULL, &spec) == 0);
	free(text);
	return 0;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_doctor.c - holter doctor: which layer refuses a counter, and what to do about it.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmc.h>

#include "commands.h"
#include "doctor/doctor.h"
#include "events.h"
#include "holter.h"

static const char usage[] =
	"usage: holter doctor [--json] [EVENT]...\n"
	"Walks the layers that can refuse a counter (hart, device tree, firmware, kernel,\n"
	"permissions, perf), tries each kind of event for real, and names the first layer that\n"
	"says no, with what to do.  An EVENT, as holter stat takes it, is tried, too.\n"
	"  --json   as JSON\n"
	"Exit status 0: nothing says no; 1: something does.\n";

/* A misspelled event is bad input, and no diagnosis.  0, or 2 after a line. */
static int check_events(const struct events *e)
{
	struct pmc_op_pmcallocate op;

	for (unsigned n = 0; n < e->nr; n++) {
		if (strlen(e->list[n].spec) >= sizeof(((struct doctor_try *)0)->event))
			return holter_error("'%.40s...' is too long for an event", e->list[n].name);
		if (pmc_pmu_pmcallocate(e->list[n].spec, &op))
			return holter_error("%s", pmc_error_text());
	}
	return 0;
}

static int examine(const struct events *e, bool json)
{
	char **given = calloc(e->nr + 1, sizeof(*given));
	struct doctor d;
	bool refused;

	if (!given)
		return holter_error("out of memory");
	for (unsigned n = 0; n < e->nr; n++)
		given[n] = e->list[n].spec;
	doctor_examine(&d, doctor_ops_linux(), given, (int)e->nr);
	free(given);
	refused = doctor_verdict(&d) != NULL;
	(json ? doctor_show_json : doctor_show_text)(&d, stdout);
	doctor_free(&d);
	return refused;
}

int cmd_doctor(int argc, char **argv)
{
	struct events events = { 0 };
	bool json = false;
	int status = holter_json_option(argc, argv, usage, &json);

	if (status >= 0)
		return status;
	status = 0;
	for (int i = optind; i < argc && !status; i++)
		status = events_add(&events, argv[i]);
	if (!status)
		status = check_events(&events);
	if (!status)
		status = examine(&events, json);
	events_free(&events);
	return status;
}

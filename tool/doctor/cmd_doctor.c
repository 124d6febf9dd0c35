// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_doctor.c - holter doctor: finds the layer that refuses a counter, and tells what to do.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmc.h>

#include "cmd_doctor.h"
#include "doctor.h"
#include "events.h"
#include "holter.h"
#include "options.h"

static const struct option_row rows[] = {
	{ OPTION_ON, "json", 0, NULL, "print JSON", .size = sizeof(bool) },
	{ 0 },
};

static const struct option_habit habits[] = {
	{ "-e --event", "the events stand without an option" },
	{ "-v --verbose", "each line tells why already" },
	{ "-j", "--json" },
	{ "-a -C --cpu -p --pid -t --tid", "it tries counters of its own process and of a CPU" },
	{ "--fix", "it changes nothing; below each refusal stands what to do" },
	{ 0 },
};

static const struct options options = {
	.usage = "doctor [--json] [EVENT]...",
	.about =
		"Checks each layer that can refuse a counter (hart, device tree, firmware, kernel, "
		"permissions, perf), tries each kind of event, and names the first layer that "
		"refuses, and what to do.  It also tries each EVENT, as holter stat -e takes it.",
	.rows = rows,
	.habits = habits,
	.end = "Exit status: 0 if no layer refuses, 1 if one does.",
};

/*
 * Rejects misspelled events: they are bad input and say nothing about the machine.  Returns 0, or 2
 * after printing an error.
 */
static int check_events(const struct events *e)
{
	struct pmc_op_pmcallocate op;

	for (unsigned n = 0; n < e->nr; n++) {
		if (strlen(e->at[n].spec) >= sizeof(((struct doctor_try *)0)->event))
			return holter_error("'%.40s...' is too long for an event", e->at[n].name);
		if (pmc_pmu_pmcallocate(e->at[n].spec, &op))
			return holter_error("doctor takes events to try: %s", pmc_error_text());
	}
	return 0;
}

static int examine(const struct events *e, bool json)
{
	char **given = calloc(e->nr + 1, sizeof(*given));
	struct doctor d;
	int status;

	if (!given)
		return holter_error("out of memory");
	for (unsigned n = 0; n < e->nr; n++)
		given[n] = e->at[n].spec;
	doctor_examine(&d, doctor_ops_linux(), given, (int)e->nr);
	free(given);
	status = d.no_memory ? holter_error("out of memory") : doctor_verdict(&d) != NULL;
	if (!d.no_memory)
		(json ? doctor_show_json : doctor_show_text)(&d, stdout);
	doctor_free(&d);
	return status;
}

int cmd_doctor(int argc, char **argv)
{
	struct events events = { 0 };
	struct options_read read;
	bool json = false;
	int status = options_read(&read, &options, &json, argc, argv);

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

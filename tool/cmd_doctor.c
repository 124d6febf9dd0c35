// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_doctor.c - holter doctor: which layer refuses a counter, and what to do about it.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include <pmc.h>

#include "commands.h"
#include "doctor/doctor.h"
#include "holter.h"

static const char usage[] =
	"usage: holter doctor [--json] [EVENT]...\n"
	"Walks the layers that can refuse a counter (hart, device tree, firmware, kernel,\n"
	"permissions, perf), tries each kind of event for real, and names the first layer that\n"
	"says no, with what to do.  An EVENT (pmc(3)) is tried, too.\n"
	"  --json   as JSON\n"
	"Exit status 0: nothing says no; 1: something does.\n";

/* A misspelled event is bad input, and no diagnosis. */
static bool events_are_known(char *const *event, int nr)
{
	struct pmc_op_pmcallocate op;

	for (int i = 0; i < nr; i++) {
		if (strlen(event[i]) >= sizeof(((struct doctor_try *)0)->event)) {
			holter_error("doctor: '%.40s...' is too long for an event", event[i]);
			return false;
		}
		if (pmc_pmu_pmcallocate(event[i], &op)) {
			holter_error("doctor: %s", pmc_error_text());
			return false;
		}
	}
	return true;
}

int cmd_doctor(int argc, char **argv)
{
	static const struct option options[] = { { "json", no_argument, NULL, 'j' },
						 { "help", no_argument, NULL, 'h' },
						 { 0 } };
	bool json = false, refused;
	struct doctor d;
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		if (c == 'h') {
			fputs(usage, stdout);
			return 0;
		}
		if (c != 'j')
			return holter_bad_option(c, argv);
		json = true;
	}
	if (!events_are_known(argv + optind, argc - optind))
		return 2;
	doctor_examine(&d, doctor_ops_linux(), argv + optind, argc - optind);
	refused = doctor_verdict(&d) != NULL;
	if (json)
		doctor_show_json(&d, stdout);
	else
		doctor_show_text(&d, stdout);
	doctor_free(&d);
	if (fflush(stdout) || ferror(stdout))
		return holter_error("doctor: writing: %s", strerror(errno));
	return refused;
}

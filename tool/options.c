// SPDX-License-Identifier: BSD-2-Clause
/*
 * options.c - the options of a command (holter.h).
 */
#include <stdio.h>

#include "holter.h"

/* c: what getopt_long() has returned, '?' or ':'. */
static int bad_option(int c, char **argv)
{
	const char letter[] = { '-', (char)optopt, '\0' };
	/* (A long option has no letter of its own.) */
	const char *option = optopt && argv[optind - 1][1] != '-' ? letter : argv[optind - 1];

	return holter_error(c == ':' ? "%s wants a value behind it; see holter %s --help"
				     : "there is no option '%s'; see holter %s --help",
			    option, argv[0]);
}

int holter_options(int argc, char **argv, const struct holter_options *o, void *to)
{
	int c, status;

	opterr = 0;
	optind = 0; /* from the beginning, whoever was here before */
	while ((c = getopt_long(argc, argv, o->letters, o->longs, NULL)) != -1) {
		if (c == 'h') {
			fputs(o->usage, stdout);
			return 0;
		}
		status = c == '?' || c == ':' ? bad_option(c, argv) : o->take(to, c, optarg);
		if (status)
			return status == HOLTER_SAID ? 0 : status;
	}
	return -1;
}

static int take_json(void *to, int option, const char *value)
{
	bool *json = to;

	*json = true;
	return 0;
}

int holter_json_option(int argc, char **argv, const char *usage, bool *json)
{
	static const struct option longs[] = { { "json", no_argument, NULL, 'j' },
					       { "help", no_argument, NULL, 'h' },
					       { 0 } };
	const struct holter_options o = { ":h", longs, usage, take_json };

	return holter_options(argc, argv, &o, json);
}

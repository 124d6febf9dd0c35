// SPDX-License-Identifier: BSD-2-Clause
/*
 * options.c - the options of a command (holter.h).
 */
#include <stdio.h>
#include <string.h>

#include "holter.h"
#include "near.h"

/* Like getopt_long()'s error, with what may have been meant. */
static int unknown(const struct holter_options *o, const char *option, const char *command)
{
	size_t len = strcspn(option, "=");
	struct near near = near_to(option + 2);

	for (const struct holter_habit *h = o->habits; h && h->option; h++) {
		if (strlen(h->option) == len && !strncmp(h->option, option, len))
			return holter_error("there is no option '%s': %s", h->option, h->instead);
	}
	for (const struct option *l = o->longs; option[1] == '-' && l->name; l++)
		near_try(&near, l->name);
	if (near.best)
		return holter_error("there is no option '%s'; did you mean --%s? (see holter %s "
				    "--help)",
				    option, near.best, command);
	return holter_error("there is no option '%s'; see holter %s --help", option, command);
}

/* c: what getopt_long() has returned, '?' or ':'. */
static int bad_option(const struct holter_options *o, int c, char **argv)
{
	const char letter[] = { '-', (char)optopt, '\0' };
	/* (A long option has no letter of its own.) */
	const char *option = optopt && argv[optind - 1][1] != '-' ? letter : argv[optind - 1];

	if (c == ':')
		return holter_error("%s wants a value behind it; see holter %s --help", option,
				    argv[0]);
	return unknown(o, option, argv[0]);
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
		if (o->given && c < HOLTER_CODES)
			o->given[c] = true;
		status = c == '?' || c == ':' ? bad_option(o, c, argv) : o->take(to, c, optarg);
		if (status)
			return status == HOLTER_SAID ? 0 : status;
	}
	return -1;
}

int holter_rules(const struct holter_rule *rules, const bool given[HOLTER_CODES])
{
	for (; rules->text; rules++) {
		if (given[rules->option] && given[rules->other] == (rules->how == HOLTER_WITHOUT))
			return holter_error("%s", rules->text);
	}
	return 0;
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

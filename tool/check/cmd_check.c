// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_check.c - holter check: runs a command on the machine and fails if an event exceeds its bound
 * in the baseline; makes and updates the baseline.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_counts.h"
#include "cmd_check.h"
#include "file.h"
#include "fit.h"
#include "holter.h"
#include "json.h"
#include "options.h"
#include "output.h"
#include "term.h"

struct input {
	const char *file; /* the baseline */
	char **command; /* up to a NULL; NULL: that of the baseline */
	bool update, json;
	const char *events;
	double tolerance; /* percent */
	const char *cpu, *smp, *memory, *model, *with, *seed; /* for holter run */
	struct option_texts set;
};

#define IN(member) OPTION_FIELD(struct input, member)

static const struct option_row rows[] = {
	{ OPTION_ON, "update", 0, NULL, "make the baseline, or take the new counts as its bounds",
	  IN(update) },
	{ OPTION_TEXT, "event", 'e', "EVENT,...",
	  "with --update: the events: NAME or NAME:u of user code, NAME:k of the kernel, NAME:m of "
	  "firmware (default: those of the baseline, or cycles, instructions and misses)",
	  IN(events) },
	{ OPTION_REAL, "tolerance", 0, "P", "with --update: bounds are P percent above the counts",
	  IN(tolerance), 0, 1000, "0" },
	{ OPTION_ON, "json", 0, NULL, "print the result as JSON", IN(json) },
	{ OPTION_TEXT, "cpu", 0, "NAME|FILE", "with --update: as in holter run", IN(cpu),
	  .group = "Machine" },
	{ OPTION_TEXTS, "set", 0, "PROPERTY=VALUE", "with --update: as in holter run", IN(set) },
	{ OPTION_CHOICE, "model", 0, "all|none", "with --update: as in holter run", IN(model) },
	{ OPTION_TEXT, "smp", 0, "N", "with --update: as in holter run", IN(smp) },
	{ OPTION_TEXT, "memory", 0, "SIZE", "with --update: as in holter run", IN(memory) },
	{ OPTION_CALL, "with", 0, "PACKAGE,...", "with --update: as in holter run", IN(with),
	  .call = options_packages },
	{ OPTION_TEXT, "seed", 0, "N", "with --update: as in holter run", IN(seed) },
	{ 0 },
};

#define SAYS "the baseline says it"

static const struct option_rule rules[] = {
	{ "event", OPTION_NEEDS, "update", SAYS },  { "tolerance", OPTION_NEEDS, "update", SAYS },
	{ "cpu", OPTION_NEEDS, "update", SAYS },    { "set", OPTION_NEEDS, "update", SAYS },
	{ "model", OPTION_NEEDS, "update", SAYS },  { "smp", OPTION_NEEDS, "update", SAYS },
	{ "memory", OPTION_NEEDS, "update", SAYS }, { "with", OPTION_NEEDS, "update", SAYS },
	{ "seed", OPTION_NEEDS, "update", SAYS },   { 0 },
};

static const struct option_habit habits[] = {
	{ "--baseline -b", "the baseline stands without an option: holter check BASELINE.json" },
	{ "--write --init --create -u", "--update makes and updates the baseline" },
	{ "-o --output", "a > of the shell writes the result to a file" },
	{ "-r --repeat -n", "equal runs have equal counts: one is enough" },
	{ 0 },
};

/* The baseline; a command comes after "--". */
static int take_operand(void *to, const char *word)
{
	struct input *o = to;

	if (o->file)
		return holter_error("check: '%s' comes after the baseline; a command comes "
				    "after --: holter check %s -- %s",
				    word, o->file, word);
	if (!*word)
		return holter_error("BASELINE '': must be the name of a file");
	o->file = word;
	return 0;
}

static const struct options options = {
	.usage = "check BASELINE.json [-- COMMAND [ARGUMENT]...]\n"
		 "check --update [OPTION]... BASELINE.json -- COMMAND [ARGUMENT]...",
	.about = "Runs COMMAND as holter run does, on the machine of the baseline, and fails with "
		 "status 1 if an event exceeds its bound there.  --update makes the baseline.",
	.rows = rows,
	.end = "holter-check(1) describes the file, and how to use it for continuous integration.",
	.rules = rules,
	.habits = habits,
	.operand = take_operand,
};

/* The options of holter run that a baseline may have, each with one value. */
static const char *const machine_options[] = { "--cpu",	   "--set",  "--model", "--smp",
					       "--memory", "--with", "--seed" };

static bool is_machine_option(const char *word)
{
	for (size_t n = 0; n < sizeof(machine_options) / sizeof(*machine_options); n++) {
		if (!strcmp(word, machine_options[n]))
			return true;
	}
	return false;
}

/* Checks the name of an event, with its modifier; what: the option, or the file.  0, or 2. */
static int check_name(const char *what, const char *name)
{
	const char *colon = strchr(name, ':');

	if (!*name || colon == name)
		return holter_error("%s '%s': an event without a name", what, name);
	if (!colon ||
	    (strcmp(colon, ":u") != 0 && strcmp(colon, ":k") != 0 && strcmp(colon, ":m") != 0))
		return holter_error("%s '%s': an event ends with :u (user code), :k (the kernel) "
				    "or :m (firmware)",
				    what, name);
	return 0;
}

/* Reads the baseline.  Refuses options that would write files or share folders. */
static int read_baseline(struct baseline *b, const char *path)
{
	if (access(path, F_OK))
		return holter_error("%s: %s; --update makes it", path, strerror(errno));
	if (!baseline_read(b, path))
		return 2;
	for (size_t n = 0; n < b->machine.nr; n += 2) {
		if (!is_machine_option(b->machine.at[n]) || n + 1 == b->machine.nr)
			return holter_error("%s: '%s' is not a machine option with a value: --cpu, "
					    "--set, --model, --smp, --memory, --with or --seed",
					    path, b->machine.at[n]);
	}
	for (size_t n = 0; n < b->events.nr; n++) {
		term_printable(b->events.at[n].name);
		if (check_name(path, b->events.at[n].name))
			return 2;
	}
	return 0;
}

static bool add_option(struct baseline *b, const char *option, const char *value)
{
	return !value ||
	       (measure_add_word(&b->machine, option) && measure_add_word(&b->machine, value));
}

/* Takes the options of the machine, if there are any: all of them are then new. */
static bool take_machine(struct baseline *b, const struct input *o)
{
	bool good;

	if (!o->cpu && !o->model && !o->smp && !o->memory && !o->with && !o->seed && !o->set.nr)
		return true;
	measure_clear_words(&b->machine);
	good = add_option(b, "--cpu", o->cpu) && add_option(b, "--model", o->model) &&
	       add_option(b, "--smp", o->smp) && add_option(b, "--memory", o->memory) &&
	       add_option(b, "--with", o->with) && add_option(b, "--seed", o->seed);
	for (size_t n = 0; good && n < o->set.nr; n++)
		good = add_option(b, "--set", o->set.at[n]);
	return good;
}

/* Takes a list of events.  0, or 2 after printing an error. */
static int take_events(struct baseline *b, const char *list)
{
	char *copy = strdup(list), *rest = copy, *name, full[256];
	int status = copy ? 0 : holter_error("check: out of memory");

	while (b->events.nr) {
		struct baseline_event *e = &b->events.at[--b->events.nr];

		free(e->name);
		measure_clear_functions(&e->functions);
	}
	while (copy && !status && (name = strsep(&rest, ","))) {
		snprintf(full, sizeof(full), "%.250s%s", name,
			 *name && !strchr(name, ':') ? ":u" : "");
		status = check_name("-e", full);
		if (!status && !baseline_add_event(b, full, 0, 0))
			status = holter_error("check: out of memory");
	}
	free(copy);
	return status;
}

static int take_command(struct baseline *b, char **command)
{
	bool good = true;

	if (command)
		measure_clear_words(&b->command);
	for (; command && *command && good; command++)
		good = measure_add_word(&b->command, *command);
	if (!good)
		return holter_error("check: out of memory");
	return b->command.nr ? 0 : holter_error("check: nothing to run: -- and a command");
}

/* The result */

static bool passes(const struct baseline *b, const struct check_count *counts)
{
	bool good = true;

	for (size_t n = 0; n < b->events.nr; n++)
		good &= counts[n].count <= b->events.at[n].at_most;
	return good;
}

/* The functions that grew, of an event that exceeds its bound. */
static void put_json_grown(struct json *j, const struct baseline_event *e,
			   const struct check_count *c)
{
	struct check_growth grown[CHECK_GROWTHS];
	unsigned nr = c->count > e->at_most ? check_grown(e, c, grown) : 0;

	json_open(j, "grown", '[');
	for (unsigned n = 0; n < nr; n++) {
		json_open(j, NULL, '{');
		json_text(j, "function", grown[n].name);
		json_number(j, "count", grown[n].count);
		if (grown[n].is_new)
			json_null(j, "baseline");
		else
			json_number(j, "baseline", grown[n].before);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_json(const struct baseline *b, const struct check_count *counts, const char *cpu)
{
	struct json j = json_to(stdout);

	json_open(&j, NULL, '{');
	json_bool(&j, "passed", passes(b, counts));
	json_text(&j, "cpu", cpu);
	json_open(&j, "events", '[');
	for (size_t n = 0; n < b->events.nr; n++) {
		const struct baseline_event *e = &b->events.at[n];

		json_open(&j, NULL, '{');
		json_text(&j, "event", e->name);
		json_number(&j, "count", counts[n].count);
		json_number(&j, "baseline", e->count);
		json_number(&j, "at_most", e->at_most);
		json_bool(&j, "passed", counts[n].count <= e->at_most);
		put_json_grown(&j, e, &counts[n]);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
}

static const char *verdict(const struct baseline_event *e, uint64_t count)
{
	return count > e->at_most ? ": exceeds it" : count < e->count ? ": less" : "";
}

/* Says which functions have more of an event that exceeds its bound. */
static void put_grown(const struct baseline_event *e, const struct check_count *c)
{
	struct check_growth grown[CHECK_GROWTHS];
	char by[FIT_NUMBER_SIZE], count[FIT_NUMBER_SIZE];
	unsigned nr = check_grown(e, c, grown);

	for (unsigned n = 0; n < nr; n++) {
		char name[200];

		snprintf(name, sizeof(name), "%.190s", grown[n].name);
		term_printable(name);
		printf("# %s: +%s in %s, which has %s%s\n", e->name,
		       fit_number(by, grown[n].count - grown[n].before), name,
		       fit_number(count, grown[n].count),
		       grown[n].is_new ? " and is not among the functions of the baseline" : "");
	}
	if (!e->functions.nr)
		printf("# %s: the baseline does not tell its functions; --update adds them\n",
		       e->name);
}

static void put_text(const struct baseline *b, const struct check_count *counts, const char *cpu)
{
	const struct style *style = style_of(stdout);
	char number[FIT_NUMBER_SIZE];
	size_t bad = 0;

	printf("# on %s\n%20s %20s %20s  %s\n", cpu ? cpu : "a machine", "count", "baseline",
	       "at most", "event");
	for (size_t n = 0; n < b->events.nr; n++) {
		const struct baseline_event *e = &b->events.at[n];
		bool exceeds = counts[n].count > e->at_most;

		bad += exceeds;
		printf("%s%20s", exceeds ? style->red : "", fit_number(number, counts[n].count));
		printf(" %20s", fit_number(number, e->count));
		printf(" %20s  %s%s%s\n", fit_number(number, e->at_most), e->name,
		       verdict(e, counts[n].count), exceeds ? style->end : "");
	}
	if (!bad)
		return;
	printf("# %zu event%s more than allowed\n", bad, bad == 1 ? " is" : "s are");
	for (size_t n = 0; n < b->events.nr; n++) {
		if (counts[n].count > b->events.at[n].at_most)
			put_grown(&b->events.at[n], &counts[n]);
	}
}

static int write_baseline(struct baseline *b, const struct input *o, struct check_count *counts)
{
	FILE *to;

	for (size_t n = 0; n < b->events.nr; n++) {
		struct baseline_event *e = &b->events.at[n];

		e->count = counts[n].count;
		e->at_most = e->count + (uint64_t)((double)e->count * o->tolerance / 100);
		measure_clear_functions(&e->functions);
		e->functions = counts[n].functions;
		counts[n].functions = (struct measure_functions){ 0 };
	}
	to = output_open(o->file, NULL, 0);
	if (!to)
		return 2;
	baseline_write(b, to);
	return output_close(o->file, to, 0);
}

static int check(struct baseline *b, const struct input *o)
{
	struct check_count *counts;
	char *cpu;
	int status = check_counts(b, o->update, &counts, &cpu);

	if (!status && o->update)
		status = write_baseline(b, o, counts);
	if (!status) {
		if (o->json)
			put_json(b, counts, cpu);
		else
			put_text(b, counts, cpu);
		status = passes(b, counts) ? 0 : 1;
	}
	check_free(counts, b->events.nr);
	free(cpu);
	return status;
}

/* Reads the file, if there must be one, and what the options say.  0, or 2. */
static int prepare(struct baseline *b, const struct input *o)
{
	int status = 0;

	if (!o->update || !access(o->file, F_OK))
		status = read_baseline(b, o->file);
	if (!status && !take_machine(b, o))
		status = holter_error("check: out of memory");
	if (!status && o->events)
		status = take_events(b, o->events);
	return status ? status : take_command(b, o->command);
}

int cmd_check(int argc, char **argv)
{
	struct input o = { .tolerance = 0 };
	struct baseline b = { .machine = { 0 } };
	struct options_read read;
	int status = options_read(&read, &options, &o, argc, argv);

	if (status >= 0)
		return status;
	if (options_check(&read))
		return 2;
	if (!o.file)
		return holter_error("check: the file of the baseline is missing: holter check "
				    "BASELINE.json -- COMMAND");
	if (optind == argc && !strcmp(argv[argc - 1], "--"))
		return holter_error("check: nothing to run: -- and a command");
	o.command = optind < argc ? argv + optind : NULL;
	status = prepare(&b, &o);
	if (!status)
		status = check(&b, &o);
	baseline_free(&b);
	free(o.set.at);
	return status;
}

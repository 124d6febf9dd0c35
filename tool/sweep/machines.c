// SPDX-License-Identifier: BSD-2-Clause
/*
 * machines.c - the machines of a sweep (sweep.h): each is read before anything runs, so that a
 * wrong value is found at once.
 */
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster.h"
#include "cpu_file.h"
#include "event.h"
#include "holter.h"
#include "near.h"
#include "sweep.h"

/* The options of holter run that can be swept; high 0: the value is not a number. */
static const struct axis_option {
	const char *name;
	uint64_t low, high;
} options[] = { { "cpu", 0, 0 }, { "smp", 1, HARTS_MAX }, { "seed", 0, INT64_MAX } };

static const struct axis_option *option_axis(const char *axis)
{
	for (size_t n = 0; n < sizeof(options) / sizeof(*options); n++) {
		if (!strcmp(axis, options[n].name))
			return &options[n];
	}
	return NULL;
}

/* Whether an axis is an option of holter run, and no property. */
static bool is_option(const char *axis)
{
	return option_axis(axis);
}

/* The value of an option of the machine; NULL: it is not given. */
static const char *option_of(const struct sweep *s, const char *option)
{
	for (size_t n = 0; n + 1 < s->machine.nr; n += 2) {
		if (!strcmp(s->machine.at[n], option))
			return s->machine.at[n + 1];
	}
	return NULL;
}

/*
 * Reads the CPU of a job: with all axes, or (boot) only with those that are at_boot.  NULL after
 * printing an error.
 */
static struct cpu *read_cpu(const struct sweep *s, unsigned job, bool boot)
{
	const char *name = option_of(s, "--cpu");
	struct option_texts sets = { 0 };
	char *made[SWEEP_AXES] = { NULL };
	struct cpu *cpu = NULL;
	bool good = true;

	for (size_t n = 0; n + 1 < s->machine.nr && good; n += 2) {
		if (!strcmp(s->machine.at[n], "--set"))
			good = VEC_PUSH(&sets, s->machine.at[n + 1]);
	}
	for (unsigned n = 0; n < s->nr_axes && good; n++) {
		const struct sweep_axis *axis = &s->axes[n];
		const char *value = sweep_value(s, job, n);

		if (!strcmp(axis->name, "cpu"))
			name = value;
		if (is_option(axis->name) || (boot && !axis->at_boot))
			continue;
		good = asprintf(&made[n], "%s=%s", axis->name, value) >= 0 &&
		       VEC_PUSH(&sets, made[n]);
	}
	if (good)
		cpu = cpu_file_load(name ? name : "max", &sets);
	else
		holter_error("sweep: out of memory");
	for (unsigned n = 0; n < s->nr_axes; n++)
		free(made[n]);
	free(sets.at);
	return cpu;
}

/* Checks the machine of a job.  *seen: software sees the difference from the one that boots. */
static int check_job(const struct sweep *s, unsigned job, bool *seen)
{
	struct cpu *cpu = read_cpu(s, job, false);
	struct cpu *booted = cpu ? read_cpu(s, job, true) : NULL;

	*seen = booted && cpu_difference(cpu, booted);
	if (cpu)
		cpu_free(cpu);
	if (booted)
		cpu_free(booted);
	return booted ? 0 : 2;
}

/* The numbers of an option. */
static int check_option(const struct sweep_axis *axis, const struct axis_option *option)
{
	uint64_t value;
	int status = 0;

	for (size_t n = 0; n < axis->values.nr && !status && option->high; n++)
		status = options_number(axis->name, axis->values.at[n], option->low, option->high,
					false, &value);
	return status;
}

/* An axis that is neither an option nor a property: names with a dot or a slash may be one. */
static int check_axis(const struct sweep_axis *axis)
{
	const struct axis_option *option = option_axis(axis->name);
	struct near near = near_to(axis->name);

	if (option)
		return check_option(axis, option);
	if (strpbrk(axis->name, "./") || !strcmp(axis->name, "clock") ||
	    !strcmp(axis->name, "line") || !strcmp(axis->name, "random-seed"))
		return 0;
	for (size_t n = 0; n < sizeof(options) / sizeof(*options); n++)
		near_try(&near, options[n].name);
	if (!near.best)
		return 0; /* the CPU's reader suggests a name */
	return holter_error("%s: there is no such property; did you mean %s?", axis->name,
			    near.best);
}

int sweep_check(struct sweep *s)
{
	int status = 0;
	bool seen;

	for (unsigned n = 0; n < s->nr_axes && !status; n++) {
		struct sweep_axis *axis = &s->axes[n];

		status = check_axis(axis);
		/* A path may be any property. */
		axis->at_boot = is_option(axis->name) || *axis->name == '/' ||
				!strcmp(axis->name, "clock");
	}
	for (unsigned job = 1; job <= s->jobs && !status; job++) {
		status = check_job(s, job, &seen);
		/* Software sees the size of a line if an extension of the CPU promises it. */
		for (unsigned n = 0; n < s->nr_axes && !status && seen; n++)
			s->axes[n].at_boot = true;
	}
	return status;
}

/* Whether a word with the length of its name is an event of the machine, or a pattern of some. */
static bool is_event(const char *word, size_t len, struct near *near)
{
	char plain[64];
	bool found = false;

	snprintf(plain, sizeof(plain), "%.*s", (int)(len < 63 ? len : 63), word);
	for (unsigned e = 0; e < EVENT_NR; e++) {
		near_try(near, event_table[e].name);
		found |= !fnmatch(plain, event_table[e].name, 0);
	}
	for (unsigned e = 0; e < event_sbi_nr; e++) {
		near_try(near, event_sbi_table[e].name);
		found |= !fnmatch(plain, event_sbi_table[e].name, 0);
	}
	return found || (*plain == 'r' && plain[1] &&
			 strspn(plain + 1, "0123456789abcdef") == strlen(plain + 1));
}

int sweep_check_events(const char *events)
{
	char *copy = strdup(events), *rest = copy, *word;
	int status = copy ? 0 : holter_error("sweep: out of memory");

	while (copy && !status && (word = strsep(&rest, ","))) {
		size_t len = measure_plain(word);
		struct near near;
		char plain[64];

		snprintf(plain, sizeof(plain), "%.*s", (int)(len < 63 ? len : 63), word);
		near = near_to(plain);
		if (!len)
			status = holter_error("-e '%s': an event without a name", events);
		else if (word[len] && strcmp(word + len, ":u") != 0 &&
			 strcmp(word + len, ":k") != 0 && strcmp(word + len, ":m") != 0)
			status = holter_error(
				"-e '%s': after the name comes :u (user code), :k (the "
				"kernel) or :m (firmware)",
				word);
		else if (!is_event(word, len, &near) && near.best)
			status = holter_error("-e '%s': there is no such event; did you mean %s?",
					      word, near.best);
		else if (!is_event(word, len, &near))
			status = holter_error(
				"-e '%s': there is no such event; holter cpu max lists "
				"them",
				word);
	}
	free(copy);
	return status;
}

bool sweep_machine(const struct sweep *s, unsigned job, struct measure_words *words)
{
	bool good = measure_add_word(words, "--model") && measure_add_word(words, "all");

	for (size_t n = 0; n < s->machine.nr && good; n++)
		good = measure_add_word(words, s->machine.at[n]);
	for (unsigned n = 0; n < s->nr_axes && good; n++) {
		const struct sweep_axis *axis = &s->axes[n];
		const char *value = sweep_value(s, job, n);
		char *option = NULL, *text = NULL;

		if (is_option(axis->name))
			good = asprintf(&option, "--%s", axis->name) >= 0 && (text = strdup(value));
		else
			good = (option = strdup(axis->at_boot ? "--set" : "--what-if")) &&
			       asprintf(&text, "%s=%s", axis->name, value) >= 0;
		good = good && measure_add_word(words, option) && measure_add_word(words, text);
		free(option);
		free(text);
	}
	return good;
}

int sweep_check_packages(const struct sweep *s)
{
	struct measure_words machine = { 0 }, nothing = { 0 };
	char path[MEASURE_PATH_SIZE];
	int out = open("/dev/null", O_WRONLY | O_CLOEXEC), fd = measure_profile(path), status = 2;

	if (!sweep_machine(s, 1, &machine) || !measure_add_word(&machine, "--totals") ||
	    !measure_add_word(&nothing, "true"))
		holter_error("sweep: out of memory");
	else if (out >= 0 && fd >= 0 && !measure_run(&machine, &nothing, path, fd, out))
		status = 0;
	if (out >= 0)
		close(out);
	if (fd >= 0)
		close(fd);
	measure_clear_words(&machine);
	measure_clear_words(&nothing);
	return status;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * axes.c - the properties of a sweep and their values (sweep.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "holter.h"
#include "number.h"
#include "sweep.h"

#define VALUES_MAX 1024 /* of an axis */

struct sweep_axis *sweep_add_axis(struct sweep *s, const char *name, size_t len)
{
	struct sweep_axis *axis = &s->axes[s->nr_axes];

	if (s->nr_axes == SWEEP_AXES) {
		errno = E2BIG;
		return NULL;
	}
	axis->name = strndup(name, len);
	if (!axis->name)
		return NULL;
	s->nr_axes++;
	return axis;
}

bool sweep_add_value(struct sweep_axis *axis, const char *value)
{
	char *copy;

	if (axis->values.nr == VALUES_MAX) {
		errno = E2BIG;
		return false;
	}
	copy = strdup(value);
	if (copy && VEC_PUSH(&axis->values, copy))
		return true;
	free(copy);
	return false;
}

static int no_memory(void)
{
	return holter_error("sweep: out of memory");
}

/* Adds a value, unless it is there. */
static int add_value(struct sweep_axis *axis, const char *value)
{
	for (size_t n = 0; n < axis->values.nr; n++) {
		if (!strcmp(axis->values.at[n], value))
			return holter_error("%s: the value %s is given twice", axis->name, value);
	}
	if (!*value)
		return holter_error("%s=: a value is missing", axis->name);
	if (sweep_add_value(axis, value))
		return 0;
	return errno == ENOMEM ? no_memory()
			       : holter_error("%s: more than %u values", axis->name, VALUES_MAX);
}

static bool size_of(const char *text, size_t len, uint64_t *value)
{
	char word[24];

	if (len >= sizeof(word))
		return false;
	snprintf(word, sizeof(word), "%.*s", (int)len, text);
	return number_parse(word, NUMBER_C | NUMBER_UNITS, 0, INT64_MAX, value);
}

/* Prints the error that a range which doubles its value does not reach its end. */
static int not_doubled(const struct sweep_axis *axis, const char *text, uint64_t below)
{
	char under[24], over[24];

	number_print(under, NUMBER_UNITS, below);
	number_print(over, NUMBER_UNITS, 2 * below);
	return holter_error(
		"%s=%s: a range doubles its first value, and gives %s and %s: end it at "
		"one of them, or name a step, as in 4..10:2",
		axis->name, text, under, over);
}

/* Adds A..B, which doubles, or A..B:STEP.  dots: where the .. is. */
static int add_range(struct sweep_axis *axis, const char *text, const char *dots)
{
	const char *colon = strchr(dots, ':'), *end = colon ? colon : text + strlen(text);
	uint64_t low, high, step = 0;
	char word[24];
	int status = 0;

	if (!size_of(text, dots - text, &low) || !size_of(dots + 2, end - dots - 2, &high) ||
	    (colon && !size_of(colon + 1, strlen(colon + 1), &step)))
		return holter_error("%s=%s: a range is A..B or A..B:STEP, of numbers such as 12 or "
				    "256K; words are listed: a,b,c",
				    axis->name, text);
	if (low > high)
		return holter_error("%s=%s: a range goes up: %.*s..%.*s", axis->name, text,
				    (int)(end - dots - 2), dots + 2, (int)(dots - text), text);
	if (colon ? !step : !low)
		return holter_error("%s=%s: %s", axis->name, text,
				    colon ? "the step is 0"
					  : "0 doubled is 0: begin at 1, or name a step, as in "
					    "0..8:2");
	for (uint64_t value = low; value <= high && !status;
	     value = colon ? value + step : 2 * value) {
		number_print(word, NUMBER_UNITS, value);
		status = add_value(axis, word);
		if (!status && !colon && value != high && value > high / 2)
			status = not_doubled(axis, text, value);
	}
	return status;
}

/* Begins an axis: text is NAME=VALUE. */
static int begin(struct sweep *s, const char *text, struct sweep_axis **axis)
{
	size_t len = strcspn(text, "=");

	if (!len || !text[len])
		return holter_error(
			"sweep: '%s' is not PROPERTY=VALUE,..., as in l2.size=256K..8M; "
			"a command comes after --",
			text);
	for (unsigned n = 0; n < s->nr_axes; n++) {
		if (strlen(s->axes[n].name) == len && !strncmp(s->axes[n].name, text, len))
			return holter_error("%s is given twice; all its values stand in one list: "
					    "%s=A,B",
					    s->axes[n].name, s->axes[n].name);
	}
	*axis = sweep_add_axis(s, text, len);
	if (*axis)
		return 0;
	return errno == ENOMEM ? no_memory()
			       : holter_error("sweep: more than %u properties", SWEEP_AXES);
}

int sweep_add_axes(struct sweep *s, const char *text)
{
	char *copy = strdup(text), *rest = copy, *word;
	struct sweep_axis *axis = NULL;
	int status = copy ? 0 : no_memory();

	while (copy && !status && (word = strsep(&rest, ","))) {
		const char *value = word, *dots;

		if (!axis || strchr(word, '=')) {
			status = begin(s, word, &axis);
			value = word + strcspn(word, "=") + 1;
		}
		if (status)
			break;
		dots = strstr(value, "..");
		status = dots ? add_range(axis, value, dots) : add_value(axis, value);
	}
	free(copy);
	return status;
}

int sweep_count_jobs(struct sweep *s)
{
	size_t jobs = 1;

	for (unsigned n = 0; n < s->nr_axes && jobs <= SWEEP_JOBS; n++)
		jobs *= s->axes[n].values.nr;
	if (jobs > SWEEP_JOBS)
		return holter_error("sweep: more than %u machines", SWEEP_JOBS);
	s->jobs = (unsigned)jobs;
	return 0;
}

const char *sweep_value(const struct sweep *s, unsigned job, unsigned axis)
{
	size_t index = job - 1;

	for (unsigned n = s->nr_axes; --n > axis;)
		index /= s->axes[n].values.nr;
	return s->axes[axis].values.at[index % s->axes[axis].values.nr];
}

char *sweep_name(const struct sweep *s, unsigned job, char to[SWEEP_NAME_SIZE])
{
	size_t len = 0;

	*to = '\0';
	for (unsigned n = 0; n < s->nr_axes && len < SWEEP_NAME_SIZE; n++)
		len += (size_t)snprintf(to + len, SWEEP_NAME_SIZE - len, "%s%s=%s", n ? " " : "",
					s->axes[n].name, sweep_value(s, job, n));
	return to;
}

void sweep_free(struct sweep *s)
{
	measure_clear_words(&s->machine);
	measure_clear_words(&s->command);
	for (unsigned n = 0; n < s->nr_axes; n++) {
		for (size_t i = 0; i < s->axes[n].values.nr; i++)
			free(s->axes[n].values.at[i]);
		free(s->axes[n].values.at);
		free(s->axes[n].name);
	}
	free(s->events);
	free(s->dir);
	*s = (struct sweep){ 0 };
}

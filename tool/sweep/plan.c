// SPDX-License-Identifier: BSD-2-Clause
/*
 * plan.c - a sweep as the file sweep.json in the folder of its results (sweep.h), so that its jobs
 * can run anywhere, and a second run goes on where the first one ended.
 *
 * The folder in which the command runs is not in the file: the guest shares that one, and could
 * otherwise choose another.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "hash.h"
#include "holter.h"
#include "json.h"
#include "json_read.h"
#include "memtext.h"
#include "sweep.h"
#include "term.h"

#define PLAN	    "sweep.json"
#define PLAN_MAX    (1 << 20)
#define PROGRAM_MAX (256 << 20)

bool sweep_hash_program(const struct measure_words *command, char to[24])
{
	char *data;
	size_t len;

	*to = '\0';
	if (!command->nr || !strchr(command->at[0], '/'))
		return true;
	data = file_read("", command->at[0], PROGRAM_MAX, &len);
	if (!data)
		return errno != ENOMEM;
	snprintf(to, 24, "0x%016" PRIx64, fnv_add(FNV_START, data, len));
	free(data);
	return true;
}

/* Writing */

static void write_plan(const struct sweep *s, FILE *to)
{
	struct json j = json_to(to);

	json_open(&j, NULL, '{');
	json_text(&j, "holter", HOLTER_VERSION);
	json_text(&j, "commit", holter_commit);
	measure_write_words(&j, "machine", &s->machine);
	measure_write_words(&j, "command", &s->command);
	json_text(&j, "program", s->program);
	json_text(&j, "events", s->events);
	json_bool(&j, "profiles", s->profiles);
	json_open(&j, "axes", '[');
	for (unsigned n = 0; n < s->nr_axes; n++) {
		const struct sweep_axis *axis = &s->axes[n];

		json_open(&j, NULL, '{');
		json_text(&j, "name", axis->name);
		json_bool(&j, "at_boot", axis->at_boot);
		json_open(&j, "values", '[');
		for (size_t i = 0; i < axis->values.nr; i++)
			json_text(&j, NULL, axis->values.at[i]);
		json_close(&j, ']');
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
}

/* Reading */

static bool read_words(struct measure_words *to, const struct json_object *from)
{
	for (size_t n = 0; n < json_read_length(from); n++) {
		const char *word = json_read_text(json_read_element(from, n));

		if (!word || !measure_add_word(to, word))
			return false;
	}
	return json_read_is_array(from);
}

/* Options that would write files or share folders are refused. */
static bool machine_is_good(const struct measure_words *machine)
{
	static const char *const good[] = { "--cpu",	"--set",  "--smp",
					    "--memory", "--with", "--seed" };
	size_t n, i;

	for (n = 0; n < machine->nr; n += 2) {
		for (i = 0;
		     i < sizeof(good) / sizeof(*good) && strcmp(machine->at[n], good[i]) != 0; i++)
			;
		if (i == sizeof(good) / sizeof(*good))
			return false;
	}
	return n == machine->nr;
}

static bool read_axis(struct sweep *s, const struct json_object *from)
{
	const char *name = json_read_text(json_read_member(from, "name"));
	const struct json_object *values = json_read_member(from, "values");
	struct sweep_axis *axis = name && *name ? sweep_add_axis(s, name, strlen(name)) : NULL;

	if (!axis)
		return false;
	term_printable(axis->name);
	axis->at_boot = json_read_bool(json_read_member(from, "at_boot"));
	for (size_t n = 0; n < json_read_length(values); n++) {
		const char *value = json_read_text(json_read_element(values, n));

		if (!value || !*value || !sweep_add_value(axis, value))
			return false;
		term_printable(axis->values.at[n]);
	}
	return axis->values.nr;
}

/* False: errno is ENOMEM if there is no memory. */
static bool read_all(struct sweep *s, const struct json_object *all)
{
	const struct json_object *axes = json_read_member(all, "axes");
	const char *program = json_read_text(json_read_member(all, "program"));
	const char *events = json_read_text(json_read_member(all, "events"));

	if (!program || !read_words(&s->machine, json_read_member(all, "machine")) ||
	    !read_words(&s->command, json_read_member(all, "command")) ||
	    !machine_is_good(&s->machine) || !s->command.nr)
		return false;
	snprintf(s->program, sizeof(s->program), "%s", program);
	if (events && !(s->events = strdup(events)))
		return false;
	s->profiles = json_read_bool(json_read_member(all, "profiles"));
	for (size_t n = 0; n < json_read_length(axes); n++) {
		if (!read_axis(s, json_read_element(axes, n)))
			return false;
	}
	return s->nr_axes;
}

static void plan_path(const char *dir, char to[SWEEP_PATH_SIZE])
{
	snprintf(to, SWEEP_PATH_SIZE, "%s/" PLAN, dir);
}

int sweep_read(struct sweep *s, const char *dir)
{
	struct error_text why;
	struct json_object *all;
	char path[SWEEP_PATH_SIZE];
	bool good, no_memory;

	*s = (struct sweep){ .dir = realpath(dir, NULL) };
	if (!s->dir)
		return holter_error("%s: %s", dir, file_text(errno));
	plan_path(s->dir, path);
	if (access(path, F_OK))
		return holter_error("%s: this folder has no sweep: holter sweep --dir %s makes one",
				    dir, dir);
	all = json_read_file(path, &why);
	if (!all)
		return holter_error("%s", why.text);
	errno = 0;
	good = read_all(s, all);
	no_memory = errno == ENOMEM;
	json_read_free(all);
	if (!good && no_memory)
		return holter_error("%s: out of memory", path);
	if (!good)
		return holter_error("%s/" PLAN ": this is not a sweep of holter", dir);
	return sweep_count_jobs(s);
}

/* Says what another plan of the folder has that this one has not. */
static int other_plan(const struct sweep *s, const char *dir)
{
	struct sweep there;
	int status = sweep_read(&there, dir);
	bool program = !status && strcmp(there.program, s->program) != 0;

	sweep_free(&there);
	if (status)
		return status;
	return holter_error("%s has the results of %s: remove it, or take another --dir", dir,
			    program ? "another build of the program"
				    : "another sweep, or of another build of holter");
}

/* Writes the plan, or compares it with the one that is there. */
static int take_plan(const struct sweep *s, const char *dir, const char *path, const char *text,
		     size_t len)
{
	size_t old_len = 0;
	char *old = file_read("", path, PLAN_MAX, &old_len);
	bool no_memory = !old && errno == ENOMEM, there = old || !access(path, F_OK), good;
	bool same = old && old_len == len && !memcmp(old, text, len);
	FILE *to;

	if (no_memory)
		return holter_error("%s: out of memory", path);
	free(old);
	if (there)
		return same ? 0 : other_plan(s, dir);
	to = file_create_stream(path, NULL);
	if (!to)
		return holter_error("%s: %s", path, file_text(errno));
	good = fwrite(text, 1, len, to) == len;
	good = !fclose(to) && good;
	return good ? 0 : holter_error("%s: %s", path, strerror(errno));
}

int sweep_begin(struct sweep *s, const char *dir)
{
	char *text = NULL, path[SWEEP_PATH_SIZE];
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int status;

	if (f)
		write_plan(s, f);
	text = memtext_end(f, &text);
	if (!text)
		return holter_error("sweep: out of memory");
	if ((mkdir(dir, 0777) && errno != EEXIST) || !(s->dir = realpath(dir, NULL))) {
		status = holter_error("--dir %s: %s", dir, file_text(errno));
	} else {
		plan_path(s->dir, path);
		status = take_plan(s, dir, path, text, len);
	}
	free(text);
	return status;
}

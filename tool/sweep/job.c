// SPDX-License-Identifier: BSD-2-Clause
/*
 * job.c - one job of a sweep: runs the command on its machine and writes what it counted (sweep.h).
 *
 * The result appears under its name when it is complete, so that a job that dies leaves none.  The
 * form is that of holter run --stats-json, with the command's own counts, so that holter diff reads
 * it, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "file.h"
#include "holter.h"
#include "json.h"
#include "memtext.h"
#include "sweep.h"
#include "term.h"

char *sweep_path(const struct sweep *s, unsigned job, const char *suffix, char to[SWEEP_PATH_SIZE])
{
	snprintf(to, SWEEP_PATH_SIZE, "%s/%04u.%s", s->dir, job, suffix);
	return to;
}

bool sweep_is_done(const struct sweep *s, unsigned job)
{
	char path[SWEEP_PATH_SIZE];

	return file_is_there("", sweep_path(s, job, "json", path));
}

/* The result */

static void write_event(struct json *j, const struct report *r, const char *name)
{
	static const char *const modes[][2] = {
		{ "", "count" }, { ":m", "m" }, { ":k", "s" }, { ":u", "u" }
	};
	char full[256];
	uint64_t count;

	json_open(j, NULL, '{');
	json_text(j, "event", name);
	for (unsigned n = 0; n < 4; n++) {
		snprintf(full, sizeof(full), "%.250s%s", name, modes[n][0]);
		measure_event(r, full, &count);
		json_number(j, modes[n][1], count);
	}
	json_close(j, '}');
}

static void write_result(const struct sweep *s, unsigned job, const struct report *r, FILE *to)
{
	struct json j = json_to(to);

	json_open(&j, NULL, '{');
	json_number(&j, "job", job);
	json_open(&j, "machine", '{');
	json_open(&j, "cpu", '{');
	json_text(&j, "name", r->p->cpu);
	json_close(&j, '}');
	json_close(&j, '}');
	json_open(&j, "command", '[');
	for (size_t n = 0; n < s->command.nr; n++)
		json_text(&j, NULL, s->command.at[n]);
	json_close(&j, ']');
	json_open(&j, "harts", '[');
	json_open(&j, NULL, '{');
	json_open(&j, "events", '[');
	for (size_t e = 0; e < r->p->events.nr; e++)
		write_event(&j, r, r->p->events.at[e].name);
	json_close(&j, ']');
	json_close(&j, '}');
	json_close(&j, ']');
	json_close(&j, '}');
}

/* The events of the sweep without modifiers, for the reader of the profile; NULL: no memory. */
static char *plain_events(const char *events)
{
	char *names = NULL;
	size_t len;
	FILE *f = open_memstream(&names, &len);

	for (const char *word = events; f && word; word = strchr(word, ',')) {
		word += *word == ',';
		fprintf(f, "%s%.*s", word > events ? "," : "", (int)strcspn(word, ":,"), word);
	}
	return memtext_end(f, &names);
}

/* Loads the profile with the events of the sweep.  NULL after printing an error. */
static struct report *load(const struct sweep *s, const char *path)
{
	char *names = s->events ? plain_events(s->events) : NULL;
	const struct report_options o = { .symfs = "", .events = names };
	struct report *r = names || !s->events ? report_load(path, &o) : NULL;

	if (!names && s->events)
		holter_error("sweep: out of memory");
	free(names);
	return r;
}

/* Writes a file of the job, which replaces an older one when it is complete. */
static bool put_file(const struct sweep *s, unsigned job, const char *suffix,
		     const struct report *r, const char *text)
{
	char path[SWEEP_PATH_SIZE], new[SWEEP_PATH_SIZE];
	FILE *to = file_create_stream(sweep_path(s, job, "new", new), NULL);
	bool good = to;

	if (to && r)
		write_result(s, job, r, to);
	else if (to)
		fprintf(to, "%s\n", text);
	if (to)
		good = !ferror(to);
	if (to && fclose(to))
		good = false;
	sweep_path(s, job, suffix, path);
	good = good && !rename(new, path);
	if (!good)
		holter_error("%s: %s", path, file_text(errno));
	return good;
}

static void remove_file(const struct sweep *s, unsigned job, const char *suffix)
{
	char path[SWEEP_PATH_SIZE];

	unlink(sweep_path(s, job, suffix, path));
}

/* Running */

/* Opens the file of the profile: one that stays, or one in memory.  -1 after printing an error. */
static int open_profile(const struct sweep *s, unsigned job, char path[SWEEP_PATH_SIZE])
{
	int fd;

	if (!s->profiles)
		return measure_profile(path);
	sweep_path(s, job, "profile", path);
	fd = file_create(path, NULL, O_TRUNC | O_RDWR, 0666);
	if (fd < 0)
		holter_error("%s: %s", path, file_text(errno));
	return fd;
}

/* Runs the command, and writes the counts.  why: of a failure. */
static bool measure(const struct sweep *s, unsigned job, char why[100])
{
	struct measure_words machine = { 0 };
	struct report *r = NULL;
	char path[SWEEP_PATH_SIZE];
	int fd = open_profile(s, job, path), status = -1;
	bool good = fd >= 0 && sweep_machine(s, job, &machine) &&
		    (s->profiles || measure_add_word(&machine, "--totals"));

	snprintf(why, 100, "could not be run");
	if (good)
		status = measure_run(&machine, &s->command, path, fd, 2);
	else if (fd >= 0)
		holter_error("sweep: out of memory");
	if (status > 0)
		snprintf(why, 100, "the command ended with status %d", status);
	if (!status) {
		snprintf(why, 100, "its profile could not be read");
		r = load(s, path);
	}
	good = false;
	if (r) {
		snprintf(why, 100, "the result could not be written");
		good = put_file(s, job, "json", r, NULL);
		report_free(r);
	}
	if (fd >= 0)
		close(fd);
	measure_clear_words(&machine);
	return good;
}

/* Whether the program is still the one for which the sweep was made. */
static bool same_program(const struct sweep *s, char why[100])
{
	char now[24];

	snprintf(why, 100, "out of memory");
	if (!sweep_hash_program(&s->command, now))
		return false;
	snprintf(why, 100, "the program is not the one with which the sweep began");
	return !strcmp(now, s->program);
}

/* Opens the log and locks it; from then on messages go there.  -1: another process runs the job. */
static int open_log(const struct sweep *s, unsigned job)
{
	char path[SWEEP_PATH_SIZE];
	int fd = file_create(sweep_path(s, job, "log", path), NULL, O_RDWR, 0666);

	if (fd < 0) {
		holter_error("%s: %s", path, file_text(errno));
	} else if (flock(fd, LOCK_EX | LOCK_NB)) {
		holter_error("job %u runs already: %s is locked", job, path);
		close(fd);
		fd = -1;
	}
	return fd;
}

int sweep_job(const struct sweep *s, unsigned job)
{
	int log, own;
	char why[100];
	bool good;

	if (sweep_is_done(s, job))
		return 0;
	log = open_log(s, job);
	own = log < 0 ? -1 : dup(2);
	if (log < 0)
		return 2;
	if (own < 0 || ftruncate(log, 0) || dup2(log, 2) < 0)
		return holter_error("job %u: %s", job, strerror(errno));
	remove_file(s, job, "failed");
	good = same_program(s, why) && measure(s, job, why);
	if (!good)
		put_file(s, job, "failed", NULL, why);
	dup2(own, 2);
	close(own);
	close(log);
	return good ? 0 : 1;
}

void sweep_tell_failure(const struct sweep *s, unsigned job)
{
	char path[SWEEP_PATH_SIZE], name[SWEEP_NAME_SIZE], *why;
	size_t len;

	why = file_read("", sweep_path(s, job, "failed", path), SWEEP_WHY_MAX, &len);
	if (why)
		why[strcspn(why, "\n")] = '\0';
	holter_error("job %u, %s: %s; see %s", job, sweep_name(s, job, name),
		     why ? why : "it was ended, or could not write its result",
		     sweep_path(s, job, "log", path));
	free(why);
}

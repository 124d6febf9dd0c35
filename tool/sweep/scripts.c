// SPDX-License-Identifier: BSD-2-Clause
/*
 * scripts.c - the jobs of a sweep for others to run: as lines for GNU parallel or a shell, and as
 * an array for Slurm (sweep.h).  Each line names everything with absolute paths.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "holter.h"
#include "quote.h"
#include "sweep.h"

struct places {
	char folder[PATH_MAX], program[PATH_MAX]; /* here, and holter */
};

/* Finds the paths, which must each be one line. */
static int find_places(const struct sweep *s, struct places *p)
{
	ssize_t len = readlink("/proc/self/exe", p->program, sizeof(p->program) - 1);
	const char *const paths[] = { p->folder, p->program, s->dir };

	if (len < 0 || !getcwd(p->folder, sizeof(p->folder)))
		return holter_error("the path of this folder or of holter: %s", strerror(errno));
	p->program[len] = '\0';
	for (size_t n = 0; n < 3; n++) {
		if (strpbrk(paths[n], "\n\r"))
			return holter_error("%s: a path with a line break cannot stand in a list "
					    "of commands",
					    paths[n]);
	}
	return 0;
}

static void write_command(const struct sweep *s, const struct places *p, const char *job, FILE *to)
{
	fputs("cd ", to);
	quote_word(to, p->folder);
	fputs(" && ", to);
	quote_word(to, p->program);
	fprintf(to, " sweep --job %s --dir ", job);
	quote_word(to, s->dir);
	fputc('\n', to);
}

int sweep_list(const struct sweep *s, FILE *to)
{
	struct places p;
	char number[16];
	int status = find_places(s, &p);

	for (unsigned job = 1; job <= s->jobs && !status; job++) {
		snprintf(number, sizeof(number), "%u", job);
		if (!sweep_is_done(s, job))
			write_command(s, &p, number, to);
	}
	return status;
}

/* Writes the numbers of the jobs that are left: 1-4,7. */
static void write_numbers(const struct sweep *s, FILE *to)
{
	bool later = false;

	for (unsigned job = 1, last; job <= s->jobs; job = last + 1) {
		last = job;
		if (sweep_is_done(s, job))
			continue;
		while (last < s->jobs && !sweep_is_done(s, last + 1))
			last++;
		fprintf(to, last > job ? "%s%u-%u" : "%s%u", later ? "," : "", job, last);
		later = true;
	}
}

int sweep_slurm(const struct sweep *s, FILE *to)
{
	struct places p;
	int status = find_places(s, &p);
	unsigned left = 0;

	for (unsigned job = 1; job <= s->jobs; job++)
		left += !sweep_is_done(s, job);
	if (!status && !left)
		return holter_error("%s: all jobs are done: --collect shows the results", s->dir);
	if (status)
		return status;
	fputs("#!/bin/sh\n#SBATCH --job-name=holter-sweep\n#SBATCH --ntasks=1\n"
	      "#SBATCH --cpus-per-task=1\n#SBATCH --array=",
	      to);
	write_numbers(s, to);
	fputc('\n', to);
	write_command(s, &p, "\"$SLURM_ARRAY_TASK_ID\"", to);
	return 0;
}

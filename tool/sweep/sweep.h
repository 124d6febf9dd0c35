/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sweep.h - a sweep: one command on many machines, of which each has its own values of some
 * properties.
 *
 *	axes.c		reads the properties and their values
 *	machines.c	checks all machines, and makes their options
 *	plan.c		the sweep as a file in the folder of its results
 *	job.c		runs the command on one machine, and writes the result
 *	pool.c		runs the jobs that are left, some at a time
 *	scripts.c	writes the jobs for others to run: GNU parallel, Slurm
 *	results.c	reads the results
 *	show.c, page.c	write them: text, CSV, JSON; a page
 *
 * A job is one machine; jobs have numbers from 1 on, in the order of the values, of which those of
 * the last axis change first.  The files of job 7 in the folder are
 *
 *	0007.json	its counts: it is done
 *	0007.failed	why it failed, one line
 *	0007.log	what the command and holter wrote; locked while the job runs
 *	0007.profile	with --profiles: its exact profile
 *
 * The guest can write to the folder, if that is in the shared one: what is read there is not
 * trusted.
 */
#ifndef TOOL_SWEEP_H
#define TOOL_SWEEP_H

#include <limits.h>
#include <stdio.h>

#include "counts.h"
#include "measure.h"
#include "vec.h"

#define SWEEP_AXES 8
#define SWEEP_JOBS 4096

struct sweep_axis {
	char *name; /* a property, or cpu, smp or seed */
	VEC(char *) values;
	bool at_boot; /* software can see it, so that each value needs a guest of its own */
};

struct sweep {
	struct measure_words machine, command; /* for holter run; the machine without the axes */
	struct sweep_axis axes[SWEEP_AXES];
	unsigned nr_axes, jobs;
	char *events; /* names and patterns that results have; NULL: those of holter report */
	bool profiles; /* keep them */
	char program[24]; /* hash of the program's file; "": it is the guest's */
	char *dir; /* the absolute path of the folder of the results */
};

void sweep_free(struct sweep *s);

/* -- axes.c -- */

/* Reads "l2.size=256K..8M,bpred.kind=gshare,tage".  0, or 2 after printing an error. */
int sweep_add_axes(struct sweep *s, const char *text);

/* Adds an axis or a value.  NULL or false: errno is ENOMEM, or E2BIG if there are too many. */
struct sweep_axis *sweep_add_axis(struct sweep *s, const char *name, size_t len);
bool sweep_add_value(struct sweep_axis *axis, const char *value);

/* Computes s->jobs.  0, or 2 after printing an error: too many. */
int sweep_count_jobs(struct sweep *s);

/* The value of an axis in a job. */
const char *sweep_value(const struct sweep *s, unsigned job, unsigned axis);

/* "l2.size=1M bpred.kind=tage" */
#define SWEEP_NAME_SIZE 512
char *sweep_name(const struct sweep *s, unsigned job, char to[SWEEP_NAME_SIZE]);

/* -- machines.c -- */

/* Checks every machine, and finds which axes are at_boot.  0, or 2 after printing an error. */
int sweep_check(struct sweep *s);

/*
 * Boots the guest of the first job, so that a missing package is reported once, before all
 * jobs.  0, or 2 after an error was printed.
 */
int sweep_check_packages(const struct sweep *s);

/* Appends the options of a job's machine to words.  False: there is no memory. */
bool sweep_machine(const struct sweep *s, unsigned job, struct measure_words *words);

/* Checks names and patterns of events.  0, or 2 after printing an error. */
int sweep_check_events(const char *events);

/* -- plan.c -- */

/*
 * Makes the folder and writes the plan; if it has this plan, goes on with it.  Sets s->dir.  0, or
 * 2 after printing an error.
 */
int sweep_begin(struct sweep *s, const char *dir);

/* Reads the plan of a folder.  0, or 2 after printing an error, and *s can be freed. */
int sweep_read(struct sweep *s, const char *dir);

/*
 * Writes the hash of the program's file, or "" if the guest has the program.  False: there is no
 * memory.
 */
bool sweep_hash_program(const struct measure_words *command, char to[24]);

/* -- job.c -- */

/* Writes the path of a job's file. */
#define SWEEP_PATH_SIZE (PATH_MAX + 32)
#define SWEEP_WHY_MAX	4096 /* bytes of a file NNNN.failed */
char *sweep_path(const struct sweep *s, unsigned job, const char *suffix, char to[SWEEP_PATH_SIZE]);

bool sweep_is_done(const struct sweep *s, unsigned job);

/*
 * Runs a job, unless it is done.  Its messages go to its log.  Returns 0 if its result is there, 1
 * if it failed (sweep_tell_failure()), or 2 after printing an error: it could not begin.
 */
int sweep_job(const struct sweep *s, unsigned job);

/* Prints why a job has no result. */
void sweep_tell_failure(const struct sweep *s, unsigned job);

/* -- pool.c -- */

/*
 * Runs the jobs that are left, at_once at a time.  Returns 0; or 128 plus the number of the signal
 * that ended it, after a line that says what to do.
 */
int sweep_run(const struct sweep *s, unsigned at_once);

/* -- scripts.c -- */

/* Write what runs the jobs that are left.  0, or 2 after printing an error. */
int sweep_list(const struct sweep *s, FILE *to);
int sweep_slurm(const struct sweep *s, FILE *to);

/* -- results.c -- */

enum sweep_state { SWEEP_DONE, SWEEP_FAILED, SWEEP_NOT_RUN };

struct sweep_row {
	enum sweep_state state;
	char why[200]; /* it failed */
	struct counts counts; /* it is done */
};

struct sweep_column {
	char *name; /* of an event, with its modifier; or "IPC" */
	const char *cycles, *instructions; /* of IPC; else NULL */
};

struct sweep_results {
	const struct sweep *s;
	struct sweep_row *rows; /* by job, from 0 on */
	VEC(struct sweep_column) columns;
	unsigned done;
};

/*
 * Reads the results.  events: names and patterns; NULL: those of the sweep.  0, or 2 after printing
 * an error; free *r in both cases.
 */
int sweep_results(struct sweep_results *r, const struct sweep *s, const char *events);
void sweep_results_free(struct sweep_results *r);

/* The value of a column in a row.  False: it has none. */
bool sweep_number(const struct sweep_row *row, const struct sweep_column *column, double *value);

/* -- show.c, page.c -- */

void sweep_text(const struct sweep_results *r, FILE *to);
void sweep_csv(const struct sweep_results *r, FILE *to);
void sweep_json(const struct sweep_results *r, FILE *to);
void sweep_page(const struct sweep_results *r, FILE *to);

/* "./cache x on x60 with l2.ways=8", piece by piece; put writes a piece that can be shown. */
void sweep_title(const struct sweep *s, FILE *to, void (*put)(FILE *to, const char *text));

/* The text of a row that has no numbers: "failed: ..." */
void sweep_state_text(const struct sweep_row *row, char to[256]);

#endif

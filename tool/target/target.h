/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * target.h - what holter stat and holter record measure: a program that they start and its
 * children, running processes, single threads, or CPUs; and how long.
 *
 *	TARGET_ROWS among the command's options, then target_check()
 *	target_fork()		the program waits and has executed nothing
 *	target_allocate()	its PMCs, for each event; then target_start()
 *	target_exec()		the program goes on
 *	target_wait()		until it has ended, or a signal ends the measurement
 *	target_end()		the status
 *
 * For the next run begin again with target_fork().  Works through libpmc alone.
 */
#ifndef TOOL_TARGET_H
#define TOOL_TARGET_H

#include <pmc.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "options.h"

struct target_numbers {
	int *at;
	size_t nr, size; /* vec.h */
};

struct target {
	char **command; /* NULL: none */
	bool all; /* all CPUs */
	struct target_numbers cpus; /* empty: not CPUs */
	struct target_numbers pids; /* empty: neither processes nor threads */
	bool threads; /* pids are threads, each counted alone */
	bool each; /* each thread has PMCs of its own; target_check() finds those of processes */
	bool later; /* the PMCs of a program begin with target_start(), not with its exec */

	pid_t child; /* 0: there is none, or it has ended */
	int go, failed; /* pipes: to the child that waits, from one that cannot exec */
	int signals; /* a signalfd; 0: not yet */
	sigset_t mask; /* before it */
	struct rlimit files; /* before more were allowed; rlim_max 0: not yet */
	int *ends; /* of each of pids: a pidfd, or a thread's folder in /proc; -1: it has ended */
	int status;
	double seconds_before; /* CPU time of the child before target_exec() */
	int enough; /* the signal to end that has come; 0: none, so there may be another run */
};

/* clang-format off */
/* Rows of a command's options; member: its struct target. */
#define TARGET_ROWS(type, member)                                                                  \
	{ OPTION_ON, "all-cpus", 'a', NULL, "all CPUs, whatever runs there",                       \
	  OPTION_FIELD(type, member.all) },                                                        \
	{ OPTION_CALLS, "cpu", 'C', "LIST", "these CPUs, as in 0-3,6",                             \
	  OPTION_FIELD(type, member), .call = target_option },                                     \
	{ OPTION_CALLS, "pid", 'p', "LIST",                                                        \
	  "these processes, their threads and all that they fork",                                 \
	  OPTION_FIELD(type, member), .call = target_option },                                     \
	{ OPTION_CALLS, "tid", 't', "LIST", "these threads, and nothing that they start",          \
	  OPTION_FIELD(type, member), .call = target_option },                                     \
	{ OPTION_FACT, "program", 0, NULL, "a program", OPTION_FIELD(type, member.command) }

/* Rules of these rows. */
#define TARGET_RULES                                                                               \
	{ "pid", OPTION_EXCLUDES, "tid all-cpus cpu", "measure processes, threads or CPUs" },      \
	{ "tid", OPTION_EXCLUDES, "all-cpus cpu", "measure threads or CPUs" },                     \
	{ "all-cpus", OPTION_EXCLUDES, "cpu", "-a is all CPUs, and -C is some of them" },          \
	{ NULL, OPTION_NEEDS, "program pid tid cpu all-cpus",                                      \
	  "nothing to measure: name a program, or give -p PID, -t TID, -C CPU or -a" }
/* clang-format on */

/* Takes the value of -C, -p or -t: 0, or 2 after an error message. */
int target_option(void *target, const struct option_row *row, const char *value);

/* Finds the CPUs and threads; call it after pmc_init().  0, or 2 after an error message. */
int target_check(struct target *t);

/*
 * Prepares target_wait(), and forks the command if there is one; the child waits for target_exec().
 * 0; or an exit status after an error message: 127 if there is no such program.  From here on,
 * signals that end programs wait for target_wait().
 */
int target_fork(struct target *t);

/* Whether the command's file is set-user-ID or the like: then Linux may not count it. */
bool target_has_rights(const struct target *t);

/* One event of a target: a PMC of process scope, or one for each CPU or (each) thread. */
struct target_pmcs {
	pmc_id_t *id;
	unsigned nr;
};

/*
 * Allocates and attaches the PMCs, with the target's flags and those given.  Counting begins with
 * the program's exec, or without a program with target_start().  0; or -1 and pmc_error_text(),
 * with nothing allocated.
 */
int target_allocate(const struct target *t, const char *spec, bool sampling, uint32_t flags,
		    uint64_t count, struct target_pmcs *to);

/*
 * The same for up to TARGET_GROUP events that count together and are read at one moment
 * (pmc_group(3)): specs[n] goes to to[n].  Start and stop the first one for all.  -1: nothing is
 * allocated; *bad is the event that cannot be counted at all, or nr; EBUSY with nr: they do not fit
 * on the counters.
 */
#define TARGET_GROUP 16
int target_allocate_group(const struct target *t, const char *const *specs, unsigned nr,
			  struct target_pmcs *const *to, unsigned *bad);

/* pmc_start() and pmc_stop() of all PMCs: 0; or -1 and pmc_error_text(). */
int target_start(const struct target_pmcs *pmcs);
int target_stop(const struct target_pmcs *pmcs);

/* Releases the PMCs. */
void target_release(struct target_pmcs *pmcs);

/*
 * Lets the program run.  0; or an exit status: the program cannot be executed (after an error
 * message), or a signal to end has come before.
 */
int target_exec(struct target *t);

enum target_news {
	TARGET_TIME, /* the time has passed */
	TARGET_ENDED, /* the program or all processes have ended */
	TARGET_STOPPED, /* a signal ends the measurement, and there is no program */
};

/*
 * Waits at most that long (-1: for ever).  If there is a program, a signal to end that only holter
 * got is sent to the program, and the wait goes on until the program ends.
 */
enum target_news target_wait(struct target *t, int milliseconds);

/* Ends the program if it still runs.  Returns its status as a shell does; 0 without a program. */
int target_end(struct target *t);

/* Frees the lists of the options, and restores the signal mask. */
void target_free(struct target *t);

#endif

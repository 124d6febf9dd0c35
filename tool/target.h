/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * target.h - what holter stat and holter record measure: a program that they start and what it
 * forks, processes or single threads that run already, or CPUs; and until when.
 *
 *	target_option() for each of TARGET_OPTIONS, then target_check()
 *	target_fork()		the program waits, with nothing executed yet
 *	target_allocate()	PMCs of it, for each event; then pmc_start()
 *	target_exec()		the program goes on
 *	target_wait()		until it has ended, or somebody says that it is enough
 *	target_end()		the status
 *
 * from target_fork() on again, for the next run.  Works through libpmc alone.
 */
#ifndef TOOL_TARGET_H
#define TOOL_TARGET_H

#include <pmc.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

struct target {
	char **command; /* NULL: none */
	bool all; /* all CPUs */
	int *cpus;
	unsigned nr_cpus; /* 0: not CPUs */
	pid_t *pids;
	unsigned nr_pids; /* 0: neither processes nor threads */
	bool threads; /* pids are threads, each counted alone */

	pid_t child; /* 0: there is none, or it has ended */
	int go, failed; /* pipes: to the child that waits, from one that cannot exec */
	int signals; /* a signalfd; 0: not yet */
	sigset_t mask; /* before it */
	struct rlimit files; /* before more were allowed; rlim_max 0: not yet */
	int *ends; /* for each of pids a pidfd, or a thread's folder of /proc; -1: it has ended */
	int status;
	double seconds_before; /* of a CPU's time that the child took before it might go on */
	int enough; /* the signal to end that has come; 0: none, and there may be another run */
};

/* getopt's. */
#define TARGET_OPTIONS "aC:p:t:"
#define TARGET_LONG_OPTIONS                                                                        \
	{ "all-cpus", no_argument, NULL, 'a' }, { "cpu", required_argument, NULL, 'C' },           \
		{ "pid", required_argument, NULL, 'p' },                                           \
	{                                                                                          \
		"tid", required_argument, NULL, 't'                                                \
	}
#define TARGET_USAGE                                                                               \
	"  -a, --all-cpus       all CPUs, whatever runs there\n"                                   \
	"  -C, --cpu LIST       these CPUs, as in 0-3,6\n"                                         \
	"  -p, --pid LIST       these processes, with their threads and all that they fork\n"      \
	"  -t, --tid LIST       these threads, each alone\n"

/* One of TARGET_OPTIONS; 0, or 2 after a line. */
int target_option(struct target *t, int option, const char *value);

/*
 * All options are read; command (argv's rest) may be empty.  Wants pmc_init() for CPUs.  0, or 2
 * after a line.
 */
int target_check(struct target *t, char **command);

/*
 * Makes ready for target_wait(), and forks the command if there is one: it waits for
 * target_exec().  0; or a status to end with, after a line: 127 if there is no such program.
 * From here on signals that end programs wait for target_wait().
 */
int target_fork(struct target *t);

/* Whether the command's file gives rights that the caller has not, so that Linux may not count it. */
bool target_has_rights(const struct target *t);

/* One event of a target: a PMC of process scope, or one for each CPU. */
struct target_pmcs {
	pmc_id_t *id;
	unsigned nr;
};

/*
 * Allocates and attaches, with the flags that go with the target beside those given.  Without
 * a program this counts nothing before pmc_start(), with one nothing before its exec.  0; -1 and
 * pmc_error_text(), nothing left.
 */
int target_allocate(const struct target *t, const char *spec, bool sampling, uint32_t flags,
		    uint64_t count, struct target_pmcs *to);

/*
 * The same of up to TARGET_GROUP events that count together and are read at one moment (pmc_group(3)):
 * specs[n] goes to to[n].  -1: there is no group, and nothing is left; *bad is the event that cannot be
 * counted at all, or nr, and with EBUSY they do not fit on the counters.  The first stands for all in
 * target_start() and target_stop().
 */
#define TARGET_GROUP 16
int target_allocate_group(const struct target *t, const char *const *specs, unsigned nr,
			  struct target_pmcs *const *to, unsigned *bad);

/* pmc_start(), pmc_stop() of all of them: 0; or -1 and pmc_error_text(). */
int target_start(const struct target_pmcs *pmcs);
int target_stop(const struct target_pmcs *pmcs);

/* Releases them. */
void target_release(struct target_pmcs *pmcs);

/*
 * Lets the program go on.  0; or a status to end with: after a line, it cannot be executed; or a signal
 * to end has come before.
 */
int target_exec(struct target *t);

enum target_news {
	TARGET_TIME, /* has passed */
	TARGET_ENDED, /* the program has, or all processes have */
	TARGET_STOPPED, /* a signal says that it is enough, and there is no program to end */
};

/*
 * Waits, for as long as that (-1: for ever).  A signal to end is the program's, if there is one:
 * it gets those that only we have got, and is waited for.
 */
enum target_news target_wait(struct target *t, int milliseconds);

/* Ends the program if it still runs.  Its status as a shell has it; without one 0. */
int target_end(struct target *t);

/* Frees what options have made; signals are as they were. */
void target_free(struct target *t);

#endif

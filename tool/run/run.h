/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.h - the declarations that the files of holter run share, and the functions of these files:
 *
 *	run_options.c	reads the options
 *	run_machine.c	runs a machine to its end
 *	profile_run.c	--profile
 *	guest.c		runs a command in the prepared Linux guest
 *	terminal.c	passes the user's keys to the guest
 *	follow.c		shows how far a command is (follow.h)
 *	signals.c	catches the signals that end a run
 *
 * guest/ is the prepared guest as files; it knows no run.
 */
#ifndef TOOL_RUN_H
#define TOOL_RUN_H

#include <limits.h>

#include "cpu.h"
#include "load.h"
#include "machine.h"
#include "options.h"
#include "save.h"
#include "follow.h"

/*
 * The file of --profile.  The profile records the paths of the guest's files, so that holter report
 * can find symbols later.  Each is a path or NULL.  NULL: use the path in struct boot, if there is
 * one.
 */
struct profile_file {
	const char *path; /* NULL: no profile */
	FILE *to;
	const char *firmware, *kernel, *initrd, *packages;
	bool data, totals; /* --data, --totals */
	const char *kallsyms; /* a file with the symbols of the guest's /proc/kallsyms */
};

struct run {
	struct machine_options machine;
	struct boot boot;
	char own_firmware[PATH_MAX]; /* what boot.firmware names when --kernel is alone */
	struct save save;
	const char *restore; /* a snapshot to continue from, instead of booting; NULL: none */
	const char *cpu; /* the name of the CPU */
	struct option_texts set; /* of --set: changes of the CPU's description */
	struct option_texts what_if; /* of --what-if: changes made after the boot of the guest */
	const char *model; /* of --model: "all" or "none"; NULL: the default */
	const char *native; /* of --native; NULL: the default */
	const char *trace_file;
	const char *dump_file; /* write the device tree to this file instead of running */
	const char *gdb; /* the address at which to wait for a debugger; NULL: do not wait */
	bool stats, stats_all;
	struct {
		const char *path; /* NULL: no such file */
		FILE *to;
	} stats_json, record; /* of --stats-json and --record-trace */
	bool silent; /* print no remarks on the CPU */
	bool lost; /* a result could not be written: the run has failed */
	struct profile_file profile;
	unsigned long timeline; /* milliseconds of an interval in the profile; 0: no time line */
	bool terminal; /* standard input is a terminal */
	/* With a command for the guest: */
	char **command; /* NULL: none */
	const char *guest; /* folder of the prepared guest; NULL: the one of this build */
	const char *with; /* packages of Debian to add to it, separated by commas; NULL: none */
	bool prune; /* only remove the kept guests */
	char saved_cpu[CPU_NAME_SIZE], saved_set[CPU_SETS_SIZE]; /* the CPU of the snapshot */
	bool fresh; /* boot the guest instead of restoring it */
	/*
	 * 0: the command has holter's standard streams.  Otherwise it reads nothing and writes to
	 * this descriptor.
	 */
	int out;
	struct follow *follow; /* shows how far the command is; NULL: nothing does */
};

/*
 * Reads the options into *r, which has the defaults.  Returns 0: continue; -1: exit successfully
 * (--help, --prune); otherwise the exit status, after printing an error.
 */
int run_options(struct run *r, int argc, char **argv);

/* Whether the machine counts every event, for --stats, --stats-all or --stats-json. */
static inline bool run_counts(const struct run *r)
{
	return r->stats || r->stats_all || r->stats_json.to;
}

/*
 * Runs m to its end, and saves it meanwhile if --save was given.  With --stats, --stats-all
 * or --stats-json, writes the counts since reset or, with since_now, since this call.  Returns the
 * guest's status.  Prints a message if the machine is stuck.
 */
int run_machine(struct machine *m, struct run *r, bool since_now);

/* Prints remarks on the CPU.  Call it when all options have been accepted. */
void run_say_cpu(const struct run *r);

/*
 * profile_run.c: opens the file.  Call it before the run, so that no result is lost if this fails.
 * Returns false after printing an error.
 */
bool profile_open(struct run *r);

/* Starts recording.  Returns false after printing an error. */
bool profile_start(struct machine *m, const struct run *r);

/* Writes the profile.  Returns false after printing an error. */
bool profile_end(struct machine *m, struct run *r);

/* Closes the file without a profile.  Removes it if it is empty. */
void profile_drop(struct run *r);

/* Boots or restores the guest and runs r->command in it.  Returns the command's status, or 125. */
int guest_run(struct run *r);

/*
 * Passes the keys of a terminal to the guest through a pipe.  ^A x ends the machine, ^A s saves it,
 * ^A ^A sends ^A.
 */
struct keys {
	struct machine *m;
	const struct save *save;
	int from; /* the end of the pipe from which a guest's console reads; -1: no pipe */
	int to;
	bool escaped;
};

/* Makes the pipe.  Returns false and sets errno on failure. */
bool terminal_keys_open(struct keys *k);

/* Makes the terminal (standard input) raw until this program ends, and passes its keys to m. */
void terminal_keys_start(struct keys *k, struct machine *m, const struct save *save);

/* Restores the terminal's settings from before terminal_keys_start().  Safe in a signal handler. */
void terminal_restore(void);

/*
 * Catch SIGINT, SIGTERM and SIGHUP, unless they are ignored.  signals_catch() returns false and
 * sets errno on failure.  The first signal ends each machine for which signals_end() was called.
 * The run then ends as usual, so that no results are lost.  The next signal ends this program at
 * once.
 */
bool signals_catch(void);
void signals_end(struct machine *m);

/* Returns 128 + the number of the signal that ended the run; 0: no signal came. */
int signals_status(void);

#endif

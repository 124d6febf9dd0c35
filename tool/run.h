/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * run.h - what the parts of holter run share: cmd_run.c (options), guest.c (the prepared Linux
 * guest), terminal.c (a person at the keys), signals.c (those that end it).
 */
#ifndef TOOL_RUN_H
#define TOOL_RUN_H

#include <limits.h>

#include "cpu.h"
#include "machine.h"
#include "save.h"

/*
 * --profile.  What the guest was made of is told to those who look for symbols; each is a path or
 * NULL, and what a run has in its struct boot need not be repeated.
 */
struct profile_file {
	const char *path; /* NULL: none is made */
	FILE *to;
	const char *firmware, *kernel, *initrd;
	const char *kallsyms; /* what the guest's /proc/kallsyms said of code */
};

struct run {
	struct machine_options machine;
	struct boot boot;
	struct save save;
	const char *restore; /* a snapshot to go on from, instead of boot; NULL: none */
	const char *cpu; /* its name */
	const char *model; /* what was said of models, or NULL */
	const char *seed; /* and of the seed */
	const char *trace_file;
	const char *dump_file; /* where to write the device tree, instead of running */
	const char *gdb; /* where to wait for a debugger; NULL: nowhere */
	bool stats;
	bool silent; /* a run of our own: nothing is said of the CPU */
	bool lost; /* something that was asked for could not be written: the run has failed */
	struct profile_file profile;
	bool terminal; /* standard input is one */
	/* With a command for the guest: */
	char **command; /* NULL: none */
	const char *guest; /* folder of the prepared guest, NULL: the one that belongs to holter */
	bool prune; /* only remove what is kept */
	char saved_cpu[CPU_NAME_SIZE]; /* what restore names */
	bool fresh; /* boot it, instead of restoring the booted one */
	/* 0: its streams are holter's.  Else it reads nothing, and what it says goes there. */
	int out;
};

/*
 * Fills *r (all defaults so far) with what the words say.  0: go on; else what to exit with, after
 * a line, or -1 for success after --help.
 */
int run_options(struct run *r, int argc, char **argv);

/*
 * Runs m to its end, saves it on the way if that was asked for, and with --stats shows what was
 * counted: in all its life or, with since_now, from here on.  The guest's status.  A machine that
 * is stuck says so.
 */
int run_machine(struct machine *m, struct run *r, bool since_now);

/* profile_run.c: opens the file, before anything is lost; false after a line. */
bool profile_open(struct run *r);

/* Records from here on; false after a line. */
bool profile_start(struct machine *m, const struct run *r);

/* Writes what was recorded; false after a line. */
bool profile_end(struct machine *m, struct run *r);

/* If nothing ran: the file is as it was, or gone if there was none. */
void profile_drop(struct run *r);

/*
 * What the kernel of r's guest says of its symbols, in the file path, which is made if it is not
 * there: by a run of the guest like r's.  False: it could not be had.
 */
bool profile_kallsyms(const struct run *r, const char *path);

/* Boots or restores the guest and runs r->command in it: the command's status, or 125. */
int guest_run(struct run *r);

/*
 * A terminal's keys on their way to the guest, through a pipe: ^A x ends the machine, ^A s
 * saves it, ^A ^A is ^A.
 */
struct keys {
	struct machine *m;
	const struct save *save;
	int from; /* the guest's end, to be given to a console; -1: no pipe */
	int to;
	bool escaped;
};

/* Makes the pipe; false, errno set: there is none. */
bool keys_open(struct keys *k);

/* Sets the terminal (standard input) to raw until the program ends; its keys go to m. */
void keys_start(struct keys *k, struct machine *m, const struct save *save);

/* Standard input as it was before keys_start.  A signal's handler may call it. */
void terminal_restore(void);

/*
 * SIGINT, SIGTERM and SIGHUP, unless they are ignored: from signals_catch (false: errno) on the
 * first one ends the machine that has signals_end, and with it the run as any other ends, so that
 * nothing recorded is lost.  The next one ends this program at once.
 */
bool signals_catch(void);
void signals_end(struct machine *m);

/* The status of a run that one has ended, 128 and its number; 0: none has come. */
int signals_status(void);

#endif

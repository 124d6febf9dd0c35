/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doctor_machine.h - machines for holter doctor's unit tests: recorded files, and how events
 * behave.
 *
 * A machine is a list of files and the machine that the rest of its files come from: a file of its
 * own, or its absence, replaces the other machine's.
 */
#ifndef DOCTOR_MACHINE_H
#define DOCTOR_MACHINE_H

#include <doctor.h>

/* A text may contain NULs; then its size is given. */
struct machine_file {
	const char *path;
	const char *text; /* NULL: there is no such file */
	size_t size; /* 0: strlen(text) */
	int error; /* instead of the text */
};

struct machine {
	struct doctor_ops ops;
	const struct machine_file *own, *base; /* up to one without a path; own may be NULL */
	const struct hwprobe *probe; /* riscv_hwprobe(2)'s, up to a key of -1; NULL: no call */
	/* how events behave */
	bool user; /* not root; the value of perf_event_paranoid is in the file */
	int sandbox; /* an errno for all events; 0: none */
	bool no_hardware; /* ENXIO */
	unsigned general; /* the first of them are mapped */
	unsigned cache, firmware;
	bool filters; /* usr and os are possible */
	bool filters_ignored;
	bool overflow; /* sampling is possible */
	unsigned samples; /* of the samples that there should be, in hundredths */
	bool user_reads;
	unsigned counter; /* the samples that occur */
	bool dead; /* counters are zero */
	bool no_perf; /* the program */
};

/* The guest of this tree on its own machine and firmware. */
extern const struct machine_file machine_guest[];
/* A laptop. */
extern const struct machine_file machine_x86[];
/* Our guest, with everything working. */
struct machine machine_healthy(void);
/* Another one with the same files, except for `own`. */
struct machine machine_with(const struct machine_file *own);
/* The laptop, with everything working. */
struct machine machine_laptop(const struct machine_file *own);

#endif

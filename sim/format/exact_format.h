/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_format.h - what the writer of an exact profile (exact_file.c) and its reader must agree
 * on; holter-profile(5) has the format.  Facts alone.
 */
#ifndef SIM_EXACT_FORMAT_H
#define SIM_EXACT_FORMAT_H

#define EXACT_MAGIC   "HOLTPROF"
#define EXACT_VERSION 2 /* 1 had no more than the first four of these: */

/* What comes next. */
enum exact_tag {
	EXACT_END, /* for each hart, mode and event, the sum of its counts */
	EXACT_SPACE, /* an address space: hart, mode, satp */
	EXACT_PAGE, /* of it: number, whether its content is known, hash of its content */
	EXACT_ROW, /* of it: half-words since the last one, instruction, nr of (event, count) */
	/* As EXACT_SPACE, where it is not its process that runs: */
	EXACT_SPACE_THREADS, /* the kernel's own threads */
	EXACT_SPACE_INTERRUPTS, /* interrupts */
	EXACT_SPACE_STARTER, /* what starts the command, and carries its streams */
};

#endif

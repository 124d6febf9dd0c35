/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_format.h - constants of the exact profile's format, for its writer (exact_file.c) and its
 * reader.  holter-profile(5) describes the format.
 */
#ifndef SIM_EXACT_FORMAT_H
#define SIM_EXACT_FORMAT_H

#define EXACT_MAGIC   "HOLTPROF"
#define EXACT_VERSION 2 /* version 1 had only the first four tags */

/* The tag tells what comes next. */
enum exact_tag {
	EXACT_END, /* for each hart, mode and event, the sum of its counts */
	EXACT_SPACE, /* an address space: hart, mode, satp */
	EXACT_PAGE, /* of the space: number, whether its content is known, hash of that */
	EXACT_ROW, /* of the page: half-words since the last row, instruction, (event, count)s */
	/* As EXACT_SPACE, for code in that space that does not run for its process: */
	EXACT_SPACE_THREADS, /* the kernel's own threads */
	EXACT_SPACE_INTERRUPTS, /* interrupts */
	EXACT_SPACE_STARTER, /* the task that starts the command and carries its streams */
};

#endif

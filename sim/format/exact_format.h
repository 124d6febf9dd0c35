/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_format.h - what the writer of an exact profile (exact_file.c) and its reader must agree
 * on; holter-profile(5) has the format.  Facts alone.
 */
#ifndef SIM_EXACT_FORMAT_H
#define SIM_EXACT_FORMAT_H

#define EXACT_MAGIC   "HOLTPROF"
#define EXACT_VERSION 1

/* What comes next. */
enum exact_tag {
	EXACT_END, /* for each hart, mode and event, the sum of its counts */
	EXACT_SPACE, /* an address space: hart, mode, satp */
	EXACT_PAGE, /* of it: number, whether its content is known, hash of its content */
	EXACT_ROW, /* of it: half-words since the last one, instruction, nr of (event, count) */
};

#endif

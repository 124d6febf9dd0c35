/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_format.h - constants of the exact profile's format, for its writer (exact_file.c) and its
 * reader.  holter-profile(5) describes the format.
 */
#ifndef SIM_EXACT_FORMAT_H
#define SIM_EXACT_FORMAT_H

#define EXACT_MAGIC	    "HOLTPROF"
#define EXACT_VERSION	    4 /* version 1 had only the first four tags, 2 the first seven */
#define EXACT_VERSION_CALLS 3 /* of a file without EXACT_DATA: it has all other tags */

/* The most nodes of a file, and the largest numbers of its time line: a reader may refuse more. */
#define EXACT_CALLS_MAX	      (1u << 20)
#define EXACT_INTERVALS_MAX   (1ull << 40)
#define EXACT_INTERVAL_NS_MAX 1000000000000ull

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
	EXACT_CALLS, /* the nodes of calls: how many calls have none, their number, each node */
	EXACT_CALLED, /* the node of the rows that follow, until the next page */
	/*
	 * The time line: nanoseconds of an interval, whether it is cut off, its slices.  Of each:
	 * interval, hart, whose it is (process, threads, interrupts, starter), satp, (event,
	 * count)s.
	 */
	EXACT_TIMES,
	EXACT_DATA, /* what is known of data: exact_data_file.c writes it in its order */
};

/* The kinds of pieces of data. */
enum exact_data_kind {
	EXACT_DATA_UNKNOWN,
	EXACT_DATA_USER, /* an address of a program, in the space that satp names */
	EXACT_DATA_KERNEL, /* an address of the kernel, which is the same in all spaces */
	EXACT_DATA_PHYSICAL, /* an address where nothing is translated */
	EXACT_DATA_STACK, /* of the code that accesses it; no address */
	EXACT_DATA_TABLES, /* page tables, read by page walks; no address */
	EXACT_DATA_CODE, /* code, read by fetches; no address */
	EXACT_DATA_DEVICE, /* a physical address that is not RAM */
	EXACT_DATA_HEAP, /* an offset in the allocations of a site */
	EXACT_DATA_KINDS
};

#define EXACT_ALLOCATORS 5 /* numbers of functions that allocate: enum exact_allocates of exact.h */

/* What the instructions at an address do with data. */
#define EXACT_READS  1
#define EXACT_WRITES 2

/* The most elements of the lists of EXACT_DATA: a reader may refuse more. */
#define EXACT_DATA_MAX (1u << 22)
#define EXACT_LINE_MAX 256 /* bytes of a line */

#endif

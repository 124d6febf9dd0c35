/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact.h - an exact profile: every event of event.def, by the address of the instruction that it
 * belongs to and the address space that this ran in.  Knows no symbols, and changes no count.
 * exact.c, exact_file.c, exact_read.c and exact_tasks.c define its functions.
 *
 * How an event reaches it.  What code counts (TIME, CODE and EDGE events, and the cycles and stalls
 * of its static cost) follows from how often each block has run to its end by which way: one
 * number to add, on the path that blocks take while any counter counts such an event
 * (hart.counts_code); it is resolved into instructions when the profile is read.  A block that
 * is left in its middle, or was made for one use, is resolved at once (exact_part).  All else
 * (RARE and CYCLE events) comes through pmu_adds, when it happens (exact_adds).
 *
 * Whose an event is: that of the instruction under way.  Fetching belongs to the instruction that
 * is fetched, where control has gone and not whence; a trap to the instruction at which it was
 * taken: for an interrupt, the one that has yet to run.
 *
 * Whose an address space's work is: that of its process, unless exact_tasks() has said where Linux
 * keeps a task (tp in S-mode, sscratch below it: arch/riscv/kernel/entry.S).  Then a kernel thread,
 * which runs in the address space that was there before, is known by its flags (PF_KTHREAD), and
 * what the kernel does between an interrupt and the return to what it interrupted, or a switch of
 * tasks, is the interrupt's.  Whose it is, is asked when the mode changes and when control goes
 * elsewhere than to the next instruction, so that it does not depend on where blocks end.
 *
 * An address space is a hart, a mode and satp; in M-mode, satp is none of it.  A page of code in it
 * has a content, a hash by which a file can be recognised; code that is written over is another
 * page at the same address, up to a few (and not where no blocks are kept: --paranoid).
 */
#ifndef SIM_EXACT_H
#define SIM_EXACT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "event.h"

struct block;
struct cost_sum;
struct error_text;
struct hart;
struct cluster;

/* From now on.  Between instructions.  False: no memory. */
bool exact_start(struct cluster *cl);

/*
 * After exact_start: where Linux's struct task_struct has these fields, in bytes.  starter: what
 * the task is called (comm) that will execute the command, or NULL; it and all processes with a
 * lower number than its own are EXACT_STARTER, itself until it has the command's address space.
 * over: what process 1 is called when the command has ended, and then all processes are.
 */
struct exact_tasks {
	uint32_t flags, tgid, comm;
	const char *starter, *over;
};
void exact_tasks(struct cluster *cl, const struct exact_tasks *t);

enum exact_owner { EXACT_PROCESS, EXACT_THREADS, EXACT_INTERRUPTS, EXACT_STARTER };
void exact_free(struct cluster *cl);

/*
 * What has been recorded, in order of hart, mode, owner, satp, address; a page before the rows of its
 * instructions.  Between instructions; the profile may go on, and be read again.
 */
struct exact_page {
	unsigned hart, mode; /* PRV_ */
	enum exact_owner owner;
	uint64_t satp; /* 0 in M-mode */
	uint64_t va;
	bool known; /* content is: some of its code has run */
	uint64_t content; /* FNV-1a (hash.h) of its 4096 bytes, when code of it first ran */
};

struct exact_row {
	uint64_t va;
	uint32_t raw; /* the instruction as in memory, 16 or 32 bits; 0: none that has run */
	const uint64_t *count; /* [EVENT_NR] */
	struct event_set set; /* those of which there is a count */
};

struct exact_reader {
	void (*page)(void *arg, const struct exact_page *p);
	void (*row)(void *arg, const struct exact_row *r);
	void *arg;
};

/* False: memory ran out, now or while it was recorded, and it is not whole. */
bool exact_read(struct cluster *cl, const struct exact_reader *r);

/*
 * exact_file.c: writes it as a file, holter-profile(5).  notes: what else the file is to say, for
 * those who read it.  False, with one line in *why.
 */
struct exact_note {
	const char *name;
	const void *text;
	uint64_t len;
};
bool exact_write(struct cluster *cl, FILE *to, const struct exact_note *notes, unsigned nr,
		 struct error_text *why);

#endif

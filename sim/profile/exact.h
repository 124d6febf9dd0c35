/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact.h - an exact profile: how often each event of event.def has happened at each instruction,
 * in each address space.  It knows no symbols, and changes no count.  This header is the door of
 * sim/profile.
 *
 * How an event reaches the profile.  The counts of TIME, CODE and EDGE events, and the cycles and
 * stalls of a block's static cost, follow from how often each block has run to its end, and in
 * which direction its branch went.  So do the fetches of lines that change nothing in L1I, and
 * transfers of control that were wrong in nothing or in their direction only.  The engine counts
 * these in tallies (tally.h), whose keys the profile gives: one for each context and path of calls.
 * The profile resolves them into instructions when it is read.  It resolves a block at once if the
 * block is left early or was made for one use (exact_part).  RARE and CYCLE events
 * reach it through pmu_adds when they happen (exact_adds).
 *
 * Which instruction an event belongs to: the one that executes.  A fetch belongs to the instruction
 * that is fetched, not to the one before it.  A trap belongs to the instruction at which it is
 * taken; for an interrupt, that is the next instruction.
 *
 * Which owner an event belongs to: the process of the address space, unless exact_tasks() has told
 * where Linux keeps its task (tp in S-mode, else sscratch: arch/riscv/kernel/entry.S).  Then a
 * kernel thread, which runs in the address space of the task before it, is recognised by its flags
 * (PF_KTHREAD).  Work of the kernel after an interrupt belongs to interrupts, until the kernel
 * returns to the interrupted code or switches tasks.  The profile looks for the owner when the mode
 * changes, and at calls, returns and indirect jumps; so the owner does not depend on where blocks
 * end.
 *
 * Which calls led to an event: the profile sees each call and return, so it needs no unwinder.  It
 * keeps the stack of calls of each task, and an instruction that was called on different paths has
 * counts for each of them (exact_calls.c).
 *
 * An address space is a hart, a mode and satp; in M-mode, satp does not count.  A page of code in
 * it has a content: a hash, by which tools recognise the page's file.  Code that is overwritten
 * becomes another page at the same address, up to a limit (not with --paranoid, which keeps no
 * blocks).
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

/* Starts a profile.  Call it between instructions.  False: no memory. */
bool exact_start(struct cluster *cl);

/*
 * Starts a profile of totals: counts per mode, the starter's separately, not by instruction.  It
 * costs little more than counting.  Reading it gives, for each of them, one page at address 0 with
 * one row.  Call it between instructions, instead of exact_start(); then exact_tasks() and the
 * functions that read work as for other profiles.  False: no memory.
 */
bool exact_start_sums(struct cluster *cl);

/* What exact_tasks() needs to know about Linux. */
struct exact_tasks {
	uint32_t flags, tgid, comm; /* offsets of these fields in struct task_struct, in bytes */
	/*
	 * The name (comm) of the task that will execute the command, or NULL.  Processes with a
	 * lower number than this task belong to EXACT_STARTER.  So does the task, until it has the
	 * command's address space.
	 */
	const char *starter;
	/* The name of process 1 after the command's end: then all belongs to EXACT_STARTER. */
	const char *over;
};

/* Lets the profile look for Linux's tasks.  Call it after exact_start(). */
void exact_tasks(struct cluster *cl, const struct exact_tasks *t);

/*
 * Lets the profile record a time line with intervals of so many cycles, which last ns nanoseconds.
 * Call it after exact_tasks().  False: no memory.
 */
bool exact_time_line(struct cluster *cl, uint64_t cycles, uint64_t ns);

/*
 * Lets the profile tell misses, write-backs, invalidations and waits by data address, too
 * (exact_data.h).  Call it after exact_start(); the models must be on.  False: no memory.
 */
bool exact_data(struct cluster *cl);

/* What a function does with the memory of a program, by its arguments. */
enum exact_allocates {
	EXACT_MALLOC, /* (size) */
	EXACT_CALLOC, /* (number, size) */
	EXACT_REALLOC, /* (address, size) */
	EXACT_ALIGNED, /* (alignment, size) */
	EXACT_POSIX_MEMALIGN, /* (address of the result, alignment, size) */
	EXACT_FREES, /* (address) */
};

/* A function of a program or library, wherever it is mapped. */
struct exact_allocator {
	enum exact_allocates kind;
	unsigned offset; /* where its first instruction is in a page of the file */
	const void *code; /* its first len bytes, in one page */
	unsigned len;
};

/*
 * Lets the profile tell which calls have allocated the memory of programs (exact_heap.h).  Call it
 * after exact_data().  False: no memory.
 */
bool exact_heap(struct cluster *cl, const struct exact_allocator *a, unsigned nr);

void exact_free(struct cluster *cl);

/* Whose work it is: a process's, kernel threads', interrupts', or that of the guest's own boot. */
enum exact_owner { EXACT_PROCESS, EXACT_THREADS, EXACT_INTERRUPTS, EXACT_STARTER };

/* A page of code. */
struct exact_page {
	unsigned hart, mode; /* PRV_ */
	enum exact_owner owner;
	uint64_t satp; /* 0 in M-mode */
	uint64_t va;
	bool known; /* content is set: code of the page has run */
	uint64_t content; /* FNV-1a (hash.h) of its 4096 bytes when its code first ran */
};

/* A path of calls: those of the caller's node, and one more. */
struct exact_call {
	uint32_t caller; /* its node; 0: none, the first call of a stack */
	uint32_t level; /* how many calls the path has */
	uint64_t va; /* of the call instruction, in the address space of the code that was called */
};

/*
 * The nodes of all paths, by number from 1 to nr - 1; callers come before what they call.  folded:
 * how many calls have no node of their own, and are counted in that of their caller.
 */
const struct exact_call *exact_calls(const struct cluster *cl, uint32_t *nr, uint64_t *folded);

/* An instruction. */
struct exact_row {
	uint64_t va;
	uint32_t call; /* the node of the path on which it was called; 0: none is known */
	uint32_t raw; /* its 16 or 32 bits in memory; 0: it has not run */
	const uint64_t *count; /* [EVENT_NR] */
	struct event_set set; /* the events whose count is not 0 */
};

/* What a process did on a hart in an interval of the time line. */
struct exact_slice {
	uint64_t interval; /* its number; 0 begins when the machine was switched on */
	uint64_t satp;
	unsigned hart;
	enum exact_owner owner;
	uint64_t *count; /* [EVENT_NR] */
};

struct exact_times {
	uint64_t ns; /* of an interval; 0: there is no time line */
	struct event_set events; /* that it has */
	const struct exact_slice *slice; /* in order of time for each hart */
	size_t nr;
	bool full; /* what happened later is not there */
};

/* The time line.  Call it between instructions.  What it returns is valid until the next call. */
struct exact_times exact_times(struct cluster *cl);

struct exact_reader {
	void (*page)(void *arg, const struct exact_page *p);
	void (*row)(void *arg, const struct exact_row *r);
	void *arg;
};

/*
 * Calls page and row for all that was recorded, in order of hart, mode, owner, satp and page: each
 * page before the rows of its instructions, which are in order of call and address.  Call it
 * between instructions.  The profile goes on, and can be read again.  False: memory ran out, now or
 * earlier, and the profile is not complete.
 */
bool exact_read(struct cluster *cl, const struct exact_reader *r);

/* A note in the file, for the tools that read it. */
struct exact_note {
	const char *name;
	const void *text;
	uint64_t len;
};

/* Writes the profile to a file, holter-profile(5).  False, with one line in *why: it failed. */
bool exact_write(struct cluster *cl, FILE *to, const struct exact_note *notes, unsigned nr,
		 struct error_text *why);

#endif

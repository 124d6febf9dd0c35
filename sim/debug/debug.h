/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debug.h - stops a machine, reads and writes its state, and continues it.  The guest cannot see
 * that, and no count changes.
 *
 * Breakpoints are not written into guest memory.  The hart compares its pc with the breakpoints
 * before an instruction.  It compares an access that misses the software TLB with the watchpoints;
 * pages with a watchpoint are not entered in the software TLB (soft_tlb_fill).  Both stop the hart
 * before the instruction, each time: to pass one, a debugger removes it, steps, and sets it again,
 * as gdb does.  Code in pages with a breakpoint runs block by block (hart_fetch, debug_limit); all
 * other code runs at full speed.  The machine stops in the middle of a hart's turn, and machine_run
 * continues that turn: the order and length of turns do not change.
 *
 * Without breakpoints, watchpoints and steps, a hart only tests one flag (cluster.debugged) when it
 * leaves the engine.
 */
#ifndef SIM_DEBUG_H
#define SIM_DEBUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine;
struct hart;
struct block;

#define DEBUG_POINTS 256

/* Why the machine has stopped.  machine_run has returned then. */
enum debug_stop {
	DEBUG_RUNS, /* it has not stopped */
	DEBUG_BREAK, /* the hart is before an instruction with a breakpoint */
	DEBUG_STEP, /* the hart has executed its one step */
	DEBUG_WATCH, /* the hart is before an instruction that accesses a watched address */
	DEBUG_ASKED, /* debug_ask was called, or debug.fd is readable */
	DEBUG_WAITS, /* nothing can wake the harts that are not held by the debugger */
};

/* The two breakpoint types behave alike.  The order is that of gdb's Z packets. */
enum debug_type { DEBUG_SWBREAK, DEBUG_HWBREAK, DEBUG_WRITE, DEBUG_READ, DEBUG_ACCESS };

struct debug_point {
	uint64_t va, len; /* len: 1 for a breakpoint */
	enum debug_type type;
};

struct debug {
	unsigned points;
	struct debug_point point[DEBUG_POINTS];
	uint32_t step; /* the harts that stop after one step, as bits */
	uint32_t held; /* the harts that do not run, as bits */
	int fd; /* the machine stops when it is readable; -1: none */
	bool input; /* fd was readable since machine_wait began */

	enum debug_stop stop;
	struct hart *hart; /* the hart that stopped the machine; NULL before the first stop */
	struct debug_point hit; /* DEBUG_BREAK, DEBUG_WATCH: the point */
	uint64_t hit_va; /* DEBUG_WATCH: the first watched byte of the access */
	struct hart *watched; /* DEBUG_WATCH: the hart that was about to make the access */
};

/*
 * Functions for the debugger, which calls them while the machine is stopped.
 *
 * add does nothing if the point already exists.  It returns false if there is no room, or if type
 * or len is invalid.  remove does nothing if the point does not exist.
 */
bool debug_point_add(struct machine *m, enum debug_type type, uint64_t va, uint64_t len);
void debug_point_remove(struct machine *m, enum debug_type type, uint64_t va, uint64_t len);
void debug_points_clear(struct machine *m);

/* Prepares machine_run: harts in step stop after one step; harts in held do not run. */
void debug_resume(struct machine *m, uint32_t step, uint32_t held);

/* Stops the machine before its next round. */
void debug_ask(struct machine *m);

/*
 * Read and write memory at va as the hart would translate it now (mmu_peek), without regard to the
 * page's permissions.  They read RAM and ROM, and write RAM.  They do not access devices, because
 * a read can change a device.  Return the number of bytes, which is less than len if the rest is
 * not accessible.  Code that is overwritten is decoded again.
 */
size_t debug_read(struct hart *h, uint64_t va, void *to, size_t len);
size_t debug_write(struct hart *h, uint64_t va, const void *from, size_t len);

/* Access a CSR as M-mode does.  False: there is no such CSR, or it is read-only. */
bool debug_csr_read(struct hart *h, unsigned num, uint64_t *value);
bool debug_csr_write(struct hart *h, unsigned num, uint64_t value);

/*
 * Stops the machine at h (NULL: between rounds).  False: the guest has ended the machine, and
 * nothing has changed.
 */
bool debug_stops(struct machine *m, struct hart *h, enum debug_stop why);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debug.h - stopping a machine, looking into it, and letting it go on, so that the guest neither
 * sees nor counts any of it.
 *
 * Nothing is written into guest memory: a breakpoint is compared with the pc before an
 * instruction, a watchpoint with the addresses of accesses that missed the soft TLB (pages that
 * have one are kept out of it, mmu_soft_fill).  Both stop a hart before its instruction, and
 * always: to get past one a debugger removes it, steps, and puts it back, as gdb does.  Pages with
 * a breakpoint are run a block at a time (hart_fetch, debug_limit); all others at full speed.  A
 * machine that stops does so in the middle of a hart's turn, and machine_run goes on from there:
 * the order and length of turns stay what they were.
 *
 * While nothing is set, a hart only tests one flag (cluster.debugged) when it leaves the engine.
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

/* The reason why the machine has stopped; machine_run returns then. */
enum debug_stop {
	DEBUG_RUNS, /* it has not */
	DEBUG_BREAK, /* the hart is before an instruction with a breakpoint */
	DEBUG_STEP, /* the hart has taken the step that it was to take */
	DEBUG_WATCH, /* the hart is before an instruction that accesses a watched address */
	DEBUG_ASKED, /* by debug_ask, or debug.fd is readable */
	DEBUG_WAITS, /* nothing can wake the harts that are not held */
};

/* The two breakpoint types behave alike.  The order is that of gdb's Z packets. */
enum debug_type { DEBUG_SWBREAK, DEBUG_HWBREAK, DEBUG_WRITE, DEBUG_READ, DEBUG_ACCESS };

struct debug_point {
	uint64_t va, len; /* len: of watchpoints only, else 1 */
	enum debug_type type;
};

struct debug {
	unsigned points;
	struct debug_point point[DEBUG_POINTS];
	uint32_t step, held; /* harts, as bits: to stop after one step; not to run */
	int fd; /* stops the machine when it is readable; -1: none */
	bool input; /* it has been readable, since machine_wait */

	enum debug_stop stop;
	struct hart *hart; /* that it stopped at; NULL before the first time */
	struct debug_point hit; /* DEBUG_BREAK, DEBUG_WATCH: what was met */
	uint64_t hit_va; /* DEBUG_WATCH: the first watched byte of the access */
	struct hart *watched; /* the hart whose instruction was about to do that */
};

/*
 * The debugger's side, used while the machine is stopped.
 *
 * add does nothing if the point already exists.  It returns false if there is no room, or if type
 * or len is invalid.  remove does nothing if the point does not exist.
 */
bool debug_point_add(struct machine *m, enum debug_type type, uint64_t va, uint64_t len);
void debug_point_remove(struct machine *m, enum debug_type type, uint64_t va, uint64_t len);
void debug_points_clear(struct machine *m);

/*
 * Prepares machine_run: harts in step run until they have taken a step; harts in held do not run.
 */
void debug_resume(struct machine *m, uint32_t step, uint32_t held);

/* Stops the machine before its next round. */
void debug_ask(struct machine *m);

/*
 * Memory as the hart would translate va now (mmu_peek), whatever the page's permissions: RAM and
 * ROM are read, RAM is written; devices are left alone, because looking at them would change
 * them.  Returns how many bytes it came to.  Code that is written is decoded anew.
 */
size_t debug_read(struct hart *h, uint64_t va, void *to, size_t len);
size_t debug_write(struct hart *h, uint64_t va, const void *from, size_t len);

/* Access to CSRs as from M-mode.  false: there is no such CSR, or it cannot be written. */
bool debug_csr_read(struct hart *h, unsigned num, uint64_t *value);
bool debug_csr_write(struct hart *h, unsigned num, uint64_t value);

/* Stops the machine, unless the guest has ended it. */
bool debug_stops(struct machine *m, struct hart *h, enum debug_stop why);

#endif

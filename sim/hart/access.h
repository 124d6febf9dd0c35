/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * access.h - from virtual addresses to bytes: the accesses that the software TLB cannot do.
 *
 * Implements: Zicbom, Zicboz (Unpriv chapter 19).
 */
#ifndef SIM_ACCESS_H
#define SIM_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

struct hart;

/*
 * Loads and stores that missed the software TLB: with any alignment, across pages, to devices.
 * False: the access faults with h->fault.  They set h->stop if the engine must return after this
 * instruction.
 */
bool access_load(struct hart *h, uint64_t va, unsigned bytes, uint64_t *value);
bool access_store(struct hart *h, uint64_t va, unsigned bytes, uint64_t value);

/*
 * Before an instruction that makes several accesses, to so many bytes in all: whether a watchpoint
 * of a debugger stops the hart (h->fault).  kinds: DEBUG_ bits.
 */
bool access_watched(struct hart *h, uint64_t va, unsigned bytes, unsigned kinds);

#define ACCESS_NO_PA UINT64_MAX /* no physical address of an access */

/*
 * For atomics: returns the host address of the aligned bytes at va, after all checks for a read or,
 * if write, for a read and a write.  NULL: the access faults with h->fault.  *pa is the physical
 * address.  The caller calls access_wrote when it has written.
 */
void *access_atomic(struct hart *h, uint64_t va, unsigned bytes, bool write, uint64_t *pa);
void access_wrote(struct hart *h, uint64_t pa, unsigned bytes);

/* The same for bytes of a shadow stack (Zicfiss), which ordinary stores cannot reach. */
void *access_shadow_stack(struct hart *h, uint64_t va, unsigned bytes, bool write, uint64_t *pa);

/*
 * For vectors: whether a watchpoint or a trigger stops the hart (h->fault) before an access to the
 * bytes at va; then an access to so many bytes of one page, and of one line of L1D, which counts as
 * one.  `all` are the bytes from va on that the instruction accesses in this page.
 *
 * ACCESS_RANGE_DONE: *pa is their address, after all checks; a store calls access_wrote when it has
 * written.  ACCESS_RANGE_FAULT: the first byte faults with h->fault.  ACCESS_RANGE_NOT: some bytes
 * of `all` may not be RAM, or PMP treats them differently; each element must be accessed by itself.
 */
enum access_range { ACCESS_RANGE_DONE, ACCESS_RANGE_FAULT, ACCESS_RANGE_NOT };

bool access_stops(struct hart *h, uint64_t va, unsigned bytes, unsigned kinds);
enum access_range access_range(struct hart *h, uint64_t va, unsigned bytes, unsigned all,
			       bool store, uint64_t *pa);

/*
 * access_cbo_check executes cbo.inval, cbo.clean and cbo.flush: it checks permissions and tells the
 * models.  access_cbo_zero executes cbo.zero.  False: the instruction faults with h->fault.
 */
bool access_cbo_check(struct hart *h, uint64_t va);
bool access_cbo_zero(struct hart *h, uint64_t va);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mmu.h - from virtual addresses to bytes: page tables, the modelled TLB, accesses.
 * mmu.c and access.c define its functions.
 *
 * struct tlb (model/memory/tlb.h) is the modelled TLB.  It decides which translation is used and
 * what counts as a miss.  Software can see it: an entry stays until an sfence.vma, even if it is
 * stale.
 *
 * Implements: Priv 1.13 §10.3-10.7 (Sv39, Sv48, Sv57), Svade/Svadu, Svnapot, Svpbmt, Zicfiss 1.0.
 */
#ifndef SIM_MMU_H
#define SIM_MMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hart;
struct stream;

#define PAGE_SHIFT 12
#define PAGE_SIZE  4096ull
#define PAGE_MASK  (~(PAGE_SIZE - 1))

/*
 * Kinds of access.  The first three are in the order of the page-fault causes, and all that TLBs
 * and models know; what comes after them faults as a store.
 */
enum access {
	ACCESS_FETCH,
	ACCESS_LOAD,
	ACCESS_STORE,
	ACCESS_CBO, /* cbo.inval, cbo.clean, cbo.flush */
	ACCESS_SS_READ, /* Zicfiss: of sspopchk; of the other instructions of shadow stacks */
	ACCESS_SS_WRITE,
};

/*
 * Translates the address of an access of bytes > 0 that does not cross a page boundary, and checks
 * PMP.  False: the access faults with h->fault.  *whole, unless NULL: PMP has one answer for the
 * whole page, and the page is cached (h->past_caches), so that it may enter the software TLB.
 */
bool mmu_translate(struct hart *h, uint64_t va, unsigned bytes, enum access access, unsigned mode,
		   uint64_t *pa, bool *whole);

/*
 * For a debugger: translates va as the hart would now, by its TLBs or else by a page walk, without
 * a check of permissions.  In M-mode addresses are physical.  Changes and counts nothing.  False:
 * va is not mapped.
 */
bool mmu_peek(struct hart *h, uint64_t va, uint64_t *pa);

/* Reads len bytes of RAM at va, translated by mmu_peek.  False: not all of them are RAM. */
bool mmu_peek_ram(struct hart *h, uint64_t va, void *to, size_t len);

/*
 * Loads and stores that missed the software TLB: with any alignment, across pages, to devices.
 * False: the access faults with h->fault.  They set h->stop if the engine must return after this
 * instruction.
 */
bool mmu_load(struct hart *h, uint64_t va, unsigned bytes, uint64_t *value);
bool mmu_store(struct hart *h, uint64_t va, unsigned bytes, uint64_t value);

/*
 * Before an instruction that makes several accesses, to so many bytes in all: whether a watchpoint
 * of a debugger stops the hart (h->fault).  kinds: DEBUG_ bits.
 */
bool mmu_watched(struct hart *h, uint64_t va, unsigned bytes, unsigned kinds);

/*
 * For atomics: returns the host address of the aligned bytes at va, after all checks for a read or,
 * if write, for a read and a write.  NULL: the access faults with h->fault.  *pa is the physical
 * address.  The caller calls mmu_wrote when it has written.
 */
void *mmu_atomic(struct hart *h, uint64_t va, unsigned bytes, bool write, uint64_t *pa);
void mmu_wrote(struct hart *h, uint64_t pa, unsigned bytes);

/* The same for bytes of a shadow stack (Zicfiss), which ordinary stores cannot reach. */
void *mmu_shadow_stack(struct hart *h, uint64_t va, unsigned bytes, bool write, uint64_t *pa);

/*
 * For vectors: an access to so many bytes of one page, and of one line of L1D, which counts as one.
 * MMU_RANGE_DONE: *p is their host address, after all checks; a store calls mmu_wrote when it has
 * written.  MMU_RANGE_FAULT: the first byte faults with h->fault.  MMU_RANGE_NOT: some of them may
 * not be RAM, or PMP treats them differently; each element must be accessed by itself.
 */
enum mmu_range { MMU_RANGE_DONE, MMU_RANGE_FAULT, MMU_RANGE_NOT };

enum mmu_range mmu_range(struct hart *h, uint64_t va, unsigned bytes, bool store, void **p,
			 uint64_t *pa);

/*
 * mmu_cbo_check executes cbo.inval, cbo.clean and cbo.flush: it checks permissions and tells the
 * models.  mmu_cbo_zero executes cbo.zero.  False: the instruction faults with h->fault.
 */
bool mmu_cbo_check(struct hart *h, uint64_t va);
bool mmu_cbo_zero(struct hart *h, uint64_t va);

/*
 * sfence.vma.  va NULL: for all addresses.  asid NULL: for all address spaces, including global
 * mappings.
 */
void mmu_fence(struct hart *h, const uint64_t *va, const uint64_t *asid);

/* To be called after a change of satp or menvcfg: empties the software TLB of S-mode and U-mode. */
void mmu_space_changed(struct hart *h);

/* Creates the hart's modelled TLBs, empty.  False: no memory. */
bool mmu_create(struct hart *h);
void mmu_destroy(struct hart *h);
uint64_t mmu_bytes(const struct hart *h); /* the host memory that they take */
void mmu_reset(struct hart *h);

/* Save and restore the modelled TLBs.  mmu_restore needs mmu_reset before it. */
bool mmu_save(const struct hart *h, const struct stream *s);
bool mmu_restore(struct hart *h, const struct stream *s);

#endif

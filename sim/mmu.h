/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mmu.h - from virtual addresses to bytes: page tables, the two kinds of TLB, PMP, accesses.
 *
 * struct tlb (model/tlb.h) is the TLB of the machine: it decides what translation is used and what
 * counts as a miss, and software sees it (stale entries until sfence.vma).  struct soft_tlb, which
 * the engine asks with one compare, may answer for it: every soft line of a paged mode is backed
 * by a tlb entry, and goes when that goes.
 *
 * Implements: Priv 1.13 §10.3-10.6 (Sv39, Sv48), §3.7 (PMP), Svade/Svadu, Svnapot, Svpbmt.
 */
#ifndef SIM_MMU_H
#define SIM_MMU_H

#include <stdbool.h>
#include <stdint.h>

struct hart;
struct stream;

#define PAGE_SHIFT 12
#define PAGE_SIZE  4096ull
#define PAGE_MASK  (~(PAGE_SIZE - 1))

/* Kinds of access, in the order of the page-fault causes. */
enum access { ACCESS_FETCH, ACCESS_LOAD, ACCESS_STORE };

/*
 * A line: hit if (va & (PAGE_MASK | (bytes - 1))) == tag, so a misaligned address never hits;
 * the host's address is va + addend.
 */
#define SOFT_NR	 256
#define SOFT_BAD 0x800 /* the tag of an empty line: a bit that no compare leaves standing */

struct soft_line {
	uint64_t tag, addend;
};

struct soft_tlb {
	struct soft_line read[SOFT_NR], write[SOFT_NR];
	uint32_t read_slot[SOFT_NR], write_slot[SOFT_NR]; /* the DTLB's, behind a line if paged */
};

/* Which soft_tlb a mode uses.  NONE is never filled: MXR. */
enum { CTX_U, CTX_S, CTX_SUM, CTX_M, CTX_NONE, CTX_NR };

#define PMP_NR 16

struct pmp_range {
	uint64_t first, last; /* first > last: matches nothing */
	uint8_t cfg;
};

/*
 * Translates for an access of bytes > 0 that does not cross a page, and checks PMP.  False:
 * h->fault says why.  *whole, unless NULL: PMP says the same of the whole page, and models have
 * nothing to say of each access to it (h->past_caches).
 */
bool mmu_translate(struct hart *h, uint64_t va, unsigned bytes, enum access access, unsigned mode,
		   uint64_t *pa, bool *whole);

/*
 * For a debugger: where the hart finds va now, by its TLBs or else a walk, whatever the mode may
 * do there; in M-mode addresses are physical.  Changes and counts nothing.  False: nowhere.
 */
bool mmu_peek(struct hart *h, uint64_t va, uint64_t *pa);

/*
 * Loads and stores that missed the soft TLB: any alignment, pages, devices.  False: h->fault.
 * h->stop is set when the hart must look up after this instruction.
 */
bool mmu_load(struct hart *h, uint64_t va, unsigned bytes, uint64_t *value);
bool mmu_store(struct hart *h, uint64_t va, unsigned bytes, uint64_t value);

/*
 * For atomics: the host's address of bytes aligned at va, readable, and if write writable;
 * NULL: h->fault.  *pa is its physical address.  After a write, mmu_wrote.
 */
void *mmu_atomic(struct hart *h, uint64_t va, unsigned bytes, bool write, uint64_t *pa);
void mmu_wrote(struct hart *h, uint64_t pa, unsigned bytes);

/* What cbo.* must be allowed to do at va; and the block that cbo.zero clears. */
bool mmu_cbo_check(struct hart *h, uint64_t va);
bool mmu_cbo_zero(struct hart *h, uint64_t va);

/* sfence.vma: all addresses if va is NULL, all address spaces (global ones too) if asid is. */
void mmu_fence(struct hart *h, const uint64_t *va, const uint64_t *asid);

/* Drops all soft lines and remembered jumps of the hart: after PMP changes and the like. */
void mmu_flush_soft(struct hart *h);

/* satp or what depends on it has changed: soft lines of paged modes go. */
void mmu_space_changed(struct hart *h);

/* No hart may write to this page of RAM without mmu_store from now on: it holds code. */
void mmu_guard_page(struct hart *h, uint64_t pa);

/* Jumps that are remembered may be wrong now. */
void mmu_forget_jumps(struct hart *h);

/* The hart's TLBs, empty; false: no memory. */
bool mmu_create(struct hart *h);
void mmu_destroy(struct hart *h);
uint64_t mmu_bytes(const struct hart *h); /* host memory that these take */
void mmu_reset(struct hart *h);

/* The TLBs of the machine in a snapshot; restored into a hart after mmu_reset. */
bool mmu_save(const struct hart *h, const struct stream *s);
bool mmu_restore(struct hart *h, const struct stream *s);

/* pmp.c: whether bytes at pa may be accessed in mode; *whole: its whole page has one answer. */
bool pmp_allows(const struct hart *h, uint64_t pa, unsigned bytes, enum access access,
		unsigned mode, bool *whole);
void pmp_changed(struct hart *h);

#endif

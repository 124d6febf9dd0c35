/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mmu.h - translates virtual addresses: page tables, the modelled TLB.  access.h moves the bytes.
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
 * sfence.vma.  va NULL: for all addresses.  asid NULL: for all address spaces, including global
 * mappings.
 */
void mmu_fence(struct hart *h, const uint64_t *va, const uint64_t *asid);

/* To be called after a change of the mode, or of bits of mstatus that decide about translation. */
void hart_mode_changed(struct hart *h);

/* To be called after a change of satp or menvcfg: empties the software TLB of S-mode and U-mode. */
void mmu_space_changed(struct hart *h);

/* Creates the hart's modelled TLBs, empty.  False: no memory. */
bool mmu_create(struct hart *h);
void mmu_destroy(struct hart *h);
void mmu_reset(struct hart *h);

/* Save and restore the modelled TLBs.  mmu_restore needs mmu_reset before it. */
bool mmu_save(const struct hart *h, const struct stream *s);
bool mmu_restore(struct hart *h, const struct stream *s);

#endif

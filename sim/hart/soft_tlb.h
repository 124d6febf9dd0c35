/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * soft_tlb.h - the software TLB: a cache in front of the modelled TLB (mmu.h) that only makes the
 * emulator fast.  The engine gets a host address from it with one compare.  Where paging is on, an
 * entry of the modelled TLB backs each of its entries; when the modelled one goes, the others go,
 * too.  The same holds for the jump cache (struct jump, hart.h), which is emptied here.
 */
#ifndef SIM_SOFT_TLB_H
#define SIM_SOFT_TLB_H

#include <stdbool.h>
#include <stdint.h>

struct hart;
struct tlb_entry;

/*
 * An entry of the software TLB.  An access hits if (va & (PAGE_MASK | (bytes - 1))) == tag, so a
 * misaligned address never hits.  The host address is va + addend.
 */
#define SOFT_NR	 1024
#define SOFT_BAD 0x800 /* the tag of an empty entry: no masked address has this bit */

struct soft_line {
	uint64_t tag, addend;
};

struct soft_tlb {
	struct soft_line read[SOFT_NR], write[SOFT_NR];
	uint32_t read_slot[SOFT_NR], write_slot[SOFT_NR]; /* paging: the DTLB entry that backs it */
	uint64_t filled[SOFT_NR / 64]; /* a bit for each n; 0: read[n] and write[n] are empty */
};

/* The soft_tlb of a mode.  With MXR it is that of CTX_NONE, which is never filled. */
enum { CTX_U, CTX_S, CTX_SUM, CTX_M, CTX_NONE, CTX_NR };

/*
 * Fills the entry of the software TLB (h->lines) for the page of va, which is at pa and may be read
 * or written.  Does nothing if each access must be seen: devices, code, watched pages, stores to a
 * page in which another hart has a reservation.
 */
void soft_tlb_fill(struct hart *h, uint64_t va, uint64_t pa, bool write);

/* Drops the entries that entry e of the modelled TLB backs. */
void soft_tlb_drop(struct hart *h, const struct tlb_entry *e);

/* Empties the software TLB and the jump cache of the hart, as after a change of PMP. */
void soft_tlb_flush(struct hart *h);

/* The same without M-mode's software TLB, as after a change of satp. */
void soft_tlb_flush_paged(struct hart *h);

void soft_tlb_reset(struct hart *h);

/*
 * From now on h's stores to this page of RAM must call access_store: the page holds code, or
 * another hart's reservation.
 */
void soft_tlb_guard_page(struct hart *h, uint64_t pa);

/* Empties the jump cache: its entries may be wrong now. */
void hart_forget_jumps(struct hart *h);

#endif

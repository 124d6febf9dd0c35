/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tlb.h - one TLB: rules T1, T2, T4 and T6 to T9 of holter-model(7).
 */
#ifndef SECOND_TLB_H
#define SECOND_TLB_H

#include "replace.h"

/* Rule T1.  Sizes are powers of two. */
struct tlb_entry {
	bool held, global;
	uint64_t va; /* of the piece */
	unsigned piece, leaf; /* log2 of their sizes */
	uint64_t pte;
	uint16_t asid;
};

struct tlb {
	unsigned sets, ways;
	bool allowed[PIECES];
	struct tlb_entry *entry; /* by set and way */
	struct replace replace;
};

/* What an access asks of an entry, rule T4. */
enum tlb_access { TLB_FETCH, TLB_LOAD, TLB_STORE };
struct tlb_rights {
	enum tlb_access access;
	unsigned mode;
	bool sum, mxr;
	bool pages; /* a page of a shadow stack may be read */
	bool shadow; /* an instruction of shadow stacks */
};

void tlb_init(struct tlb *t, const struct cpu *cpu, const struct cpu_tlb *shape, unsigned kind,
	      uint64_t seed);
/* Rule T2: the entry that matches, or NULL; a hit is a use. */
const struct tlb_entry *tlb_lookup(struct tlb *t, uint64_t va, uint16_t asid);
bool tlb_permits(const struct tlb_entry *e, const struct tlb_rights *r);
/* Rule T6: puts what e knows, a piece or a leaf that contains va, into the TLB. */
void tlb_put(struct tlb *t, uint64_t va, const struct tlb_entry *e);
/* Rule T7: removes the entries that match. */
void tlb_remove_matches(struct tlb *t, uint64_t va, uint16_t asid);
/* Rule T8: va or asid NULL: every one. */
void tlb_fence(struct tlb *t, const uint64_t *va, const uint64_t *asid);
void tlb_free(struct tlb *t);

#endif

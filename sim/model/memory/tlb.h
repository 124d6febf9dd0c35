/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tlb.h - two-level TLBs: a first level for fetches, one for data, and an optional second level
 * that both share.
 *
 * This is the TLB that software sees.  The harts use its entries until a fence or a fill drops
 * them, even if the page table has changed since.  The model does not walk page tables and does not
 * check permissions.  The caller walks after a miss and calls tlb_fill.  It does the same if the
 * entry it found does not permit the access, because the page table may permit it by now.  tlb_fill
 * then replaces the entry.
 *
 * An entry covers a page of one of the sizes that its TLB can hold.  A leaf of another size is
 * split: the entry is the part around the address, of the largest size that fits.  It records the
 * size of its leaf, so that a fence of any address in the leaf drops it.
 *
 * A hit in the first level does not look at the second.  A hit in the second level fills the first.
 * An eviction from the second level removes nothing from the first.
 *
 * An engine may keep a faster software TLB in front, and must stay exact:
 *  - A software TLB entry is made from a first-level entry of the current address space.  It is
 *    dropped when the address space changes.
 *  - gone() is called before a first-level entry disappears for any reason (replaced, fenced,
 *    refilled).  Drop the software TLB entries for gone->va to gone->va + tlb_bytes(gone->size)
 *    - 1.  For TLB_I, also drop everything found by virtual pc.
 *  - The engine must report a hit in the software TLB with tlb_touch() and the slot of the entry.
 *    That is one store and, for LRU, one increment.  It is not needed if !tlb_touches(), or for a
 *    repeated hit of the entry used last.
 *
 * Implements: Priv 1.13 §10.2.1 (SFENCE.VMA), §10.3-10.6, Svnapot.
 */
#ifndef SIM_MODEL_TLB_H
#define SIM_MODEL_TLB_H

#include "replace.h"

#define TLB_SETS_MAX 16384

enum tlb_size { TLB_4K, TLB_64K, TLB_2M, TLB_1G, TLB_512G, TLB_256T, TLB_SIZES };

/* Log2 of a page size in bytes. */
static inline unsigned tlb_shift(enum tlb_size size)
{
	static const uint8_t shift[TLB_SIZES] = { 12, 16, 21, 30, 39, 48 };

	return shift[size];
}

static inline uint64_t tlb_bytes(enum tlb_size size)
{
	return 1ull << tlb_shift(size);
}

enum tlb_part { TLB_I, TLB_D, TLB_SECOND, TLB_PARTS };

struct tlb_shape {
	uint32_t sets; /* a power of two; 0: there is none (TLB_SECOND only) */
	uint32_t ways; /* 1 to 64; 1 set: fully associative */
	uint8_t policy; /* REPLACE_ */
	uint8_t sizes; /* bits TLB_4K (required) to TLB_256T: sizes of its entries */
	uint64_t seed; /* of REPLACE_RANDOM */
};

struct tlb_config {
	struct tlb_shape part[TLB_PARTS];
};

struct tlb_entry {
	uint64_t va, pa; /* addresses of the first byte that it covers */
	uint64_t pte; /* the leaf */
	uint16_t asid;
	uint8_t size; /* size of the entry */
	uint8_t leaf; /* size of the leaf, never smaller */
	bool global;
};

/* One TLB. */
struct tlb_array {
	uint64_t *key; /* by slot: va and size, or TLB_FREE */
	struct tlb_entry *entry; /* by slot */
	struct replace replace;
	struct tlb_shape shape;
	uint32_t held[TLB_SIZES]; /* number of entries of each size */
	/*
	 * Numbers of entries that are part of a larger leaf: of leaves up to 2 MiB, hashed by their
	 * 2 MiB region, and of larger leaves.  They tell a fence where to look.
	 */
	uint16_t pieces[64];
	uint32_t giant_pieces;
};

#define TLB_FREE UINT64_MAX

struct tlb {
	struct tlb_array part[TLB_PARTS];
	void (*gone)(void *opaque, enum tlb_part part, const struct tlb_entry *gone);
	void *opaque;
};

enum tlb_answer {
	TLB_HIT, /* in the first level */
	TLB_HIT_SECOND,
	TLB_MISS,
};

/* why->part is "i", "d" or "second". */
bool tlb_check(const struct tlb_config *config, struct model_error *why);

/* gone may be NULL.  It is called for TLB_I and TLB_D, and must not call this TLB. */
bool tlb_init(struct tlb *t, const struct tlb_config *config,
	      void (*gone)(void *opaque, enum tlb_part part, const struct tlb_entry *gone),
	      void *opaque);
void tlb_free(struct tlb *t);

/* These two do not call gone: the caller drops its whole software TLB. */
void tlb_reset(struct tlb *t);
bool tlb_restore(struct tlb *t, const struct stream *s);
bool tlb_save(const struct tlb *t, const struct stream *s);

/*
 * Looks up va for side TLB_I or TLB_D.  Unless the answer is TLB_MISS, *slot is the slot in the
 * first level, valid until the next call.  If several entries match, the smallest page wins, then
 * the lowest way.
 */
enum tlb_answer tlb_lookup(struct tlb *t, enum tlb_part side, uint64_t va, uint16_t asid,
			   unsigned *slot);

/* Returns the entry that a lookup in this part alone would find, or NULL.  Changes nothing. */
const struct tlb_entry *tlb_peek(const struct tlb *t, enum tlb_part part, uint64_t va,
				 uint16_t asid);

/*
 * Enters the leaf that a walk for va found.  Reads leaf->va, pa, pte, asid, global and leaf->leaf;
 * va and pa are those of the leaf's first byte.  Removes entries that match va from the second
 * level and from side.  Returns the slot of the new entry in side.
 */
unsigned tlb_fill(struct tlb *t, enum tlb_part side, uint64_t va, const struct tlb_entry *leaf);

/* sfence.vma.  va NULL: all addresses.  asid NULL: all address spaces and global entries. */
void tlb_fence(struct tlb *t, const uint64_t *va, const uint16_t *asid);

/*
 * tlb_entry returns the entry in a slot of the first level.  tlb_pa translates va, which the entry
 * covers.
 */
static inline const struct tlb_entry *tlb_entry(const struct tlb *t, enum tlb_part side,
						unsigned slot)
{
	return &t->part[side].entry[slot];
}

static inline uint64_t tlb_pa(const struct tlb_entry *e, uint64_t va)
{
	return e->pa + (va - e->va);
}

/* Reports a hit in a software TLB entry that was made from this slot. */
static inline void tlb_touch(struct tlb *t, enum tlb_part side, unsigned slot)
{
	replace_hit(&t->part[side].replace, slot);
}

/* The same, if tlb_touches() is known to be true. */
static inline void tlb_use(struct tlb *t, enum tlb_part side, unsigned slot)
{
	replace_use(&t->part[side].replace, slot);
}

/* Whether hits in side must be reported. */
static inline bool tlb_touches(const struct tlb *t, enum tlb_part side)
{
	return t->part[side].replace.hits;
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tlb.h - two-level TLBs: first-level ones for fetches and for data, and, if there is one, a second
 * level that both share.
 *
 * This is the TLB that software sees: what it holds is used, though the page table may say
 * otherwise by now, until a fence or a fill drops it.  It does not walk and does not judge: the
 * caller walks after a miss and calls tlb_fill, and also when an entry that was found does not
 * allow the access (the page table may allow it since; tlb_fill then replaces the entry).
 *
 * An entry covers a page of one of the sizes that its TLB can hold.  A leaf of another size is cut:
 * the entry is the piece around the address, of the largest size that fits, and remembers its
 * leaf, so that a fence of any address of the leaf drops it.
 *
 * A lookup of the first level that hits is a hit there; one of the second level fills the first.
 * Second-level entries that leave take nothing out of the first level.
 *
 * How an engine keeps a faster TLB of its own (soft lines) and stays exact:
 *  - A soft line is made from a first-level entry, for the address space that is current, and is
 *    dropped when the space changes.
 *  - gone() is called for every first-level entry before it is not there any more, whatever the
 *    reason (replaced, fenced, filled anew): drop the soft lines of gone->va to
 *    gone->va + tlb_bytes(gone->size) - 1.  For TLB_I, forget what was found by virtual pc.
 *  - A hit in a soft line must be told: tlb_touch(), with the slot that the line remembers, is one
 *    store and, for LRU, one increment.  Not needed if !tlb_touches(), and again not for a
 *    repeated hit of the entry that was used last.
 *
 * Implements: Priv 1.13 §10.2.1 (SFENCE.VMA), §10.3-10.6, Svnapot.
 */
#ifndef SIM_MODEL_TLB_H
#define SIM_MODEL_TLB_H

#include "replace.h"

#define TLB_SETS_MAX 16384

enum tlb_size { TLB_4K, TLB_64K, TLB_2M, TLB_1G, TLB_512G, TLB_SIZES };

/* Log2 of the bytes of a size. */
static inline unsigned tlb_shift(enum tlb_size size)
{
	static const uint8_t shift[TLB_SIZES] = { 12, 16, 21, 30, 39 };

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
	uint8_t sizes; /* bit TLB_4K (needed) to TLB_512G: entries it can hold */
	uint64_t seed; /* of REPLACE_RANDOM */
};

struct tlb_config {
	struct tlb_shape part[TLB_PARTS];
};

struct tlb_entry {
	uint64_t va, pa; /* of the first byte it covers */
	uint64_t pte; /* the leaf */
	uint16_t asid;
	uint8_t size; /* of what it covers */
	uint8_t leaf; /* of the leaf: never less */
	bool global;
};

/* One TLB. */
struct tlb_array {
	uint64_t *key; /* by slot: va and size of the entry, or TLB_FREE */
	struct tlb_entry *entry; /* by slot */
	struct replace replace;
	struct tlb_shape shape;
	uint32_t held[TLB_SIZES]; /* entries of each size */
	/* Pieces of leaves up to 2 MiB by their 2 MiB, and of larger leaves: where a fence looks. */
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
bool tlb_check(const struct tlb_config *config, struct model_why *why);

/* gone(opaque, ...), or NULL, is called for TLB_I and TLB_D and must not call this TLB. */
bool tlb_init(struct tlb *t, const struct tlb_config *config,
	      void (*gone)(void *opaque, enum tlb_part part, const struct tlb_entry *gone),
	      void *opaque);
void tlb_free(struct tlb *t);

/* Of these two the caller drops all soft lines by itself: gone is not called. */
void tlb_reset(struct tlb *t);
bool tlb_restore(struct tlb *t, const struct stream *s);
bool tlb_save(const struct tlb *t, const struct stream *s);

/*
 * Looks va up for side TLB_I or TLB_D.  Unless TLB_MISS, *slot is that of the entry in the first
 * level, until the next call.  Of several entries that match, the smallest page's in the lowest
 * way answers.
 */
enum tlb_answer tlb_lookup(struct tlb *t, enum tlb_part side, uint64_t va, uint16_t asid,
			   unsigned *slot);

/* The entry that a lookup in one part alone would find, with nothing changed by it; or NULL. */
const struct tlb_entry *tlb_peek(const struct tlb *t, enum tlb_part part, uint64_t va,
				 uint16_t asid);

/*
 * A walk for va found this leaf: leaf->va, pa, pte, asid, global and leaf->leaf are read; va and
 * pa are those of the leaf's first byte.  What matched va before in the second level and in side
 * goes; returns the slot of the new entry in side.
 */
unsigned tlb_fill(struct tlb *t, enum tlb_part side, uint64_t va, const struct tlb_entry *leaf);

/* sfence.vma: all addresses if va is NULL, all address spaces, and global entries, if asid is. */
void tlb_fence(struct tlb *t, const uint64_t *va, const uint16_t *asid);

/* The entry in a slot of a first-level TLB, and where it sends va, which it covers. */
static inline const struct tlb_entry *tlb_entry(const struct tlb *t, enum tlb_part side,
						unsigned slot)
{
	return &t->part[side].entry[slot];
}

static inline uint64_t tlb_pa(const struct tlb_entry *e, uint64_t va)
{
	return e->pa + (va - e->va);
}

/* A soft line made from this slot was hit. */
static inline void tlb_touch(struct tlb *t, enum tlb_part side, unsigned slot)
{
	replace_hit(&t->part[side].replace, slot);
}

/* The same, where tlb_touches. */
static inline void tlb_use(struct tlb *t, enum tlb_part side, unsigned slot)
{
	replace_use(&t->part[side].replace, slot);
}

/* Whether hits in side must be told. */
static inline bool tlb_touches(const struct tlb *t, enum tlb_part side)
{
	return t->part[side].replace.hits;
}

#endif

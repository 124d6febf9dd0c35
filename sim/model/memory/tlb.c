// SPDX-License-Identifier: BSD-2-Clause
/*
 * tlb.c - lookups, fills and fences (tlb.h).
 *
 * The key of an entry is its first address with its size in the low bits, so that one compare
 * checks both.  The address space is compared after that.  A lookup tries each size that has
 * entries.
 */
#include <stdlib.h>
#include <string.h>

#include "tlb.h"

#define PA_LIMIT (1ull << 56)

bool tlb_check(const struct tlb_config *config, struct model_error *why)
{
	static const char *const names[] = { "i", "d", "second" };

	for (unsigned n = 0; n < TLB_PARTS; n++) {
		const struct tlb_shape *shape = &config->part[n];

		if (n == TLB_SECOND && !shape->sets)
			continue;
		why->part = names[n];
		if (!model_in_powers(why, "sets", shape->sets, 1, TLB_SETS_MAX) ||
		    !replace_check(shape->policy, shape->ways, why))
			return false;
		if (!(shape->sizes & 1u << TLB_4K) || shape->sizes >> TLB_SIZES)
			return model_refuse(
				why, "sizes",
				"0x%x: entries of 4 KiB (bit 0) are needed, and bits above "
				"%u mean nothing",
				shape->sizes, TLB_SIZES - 1);
	}
	why->part = NULL;
	return true;
}

static unsigned slots(const struct tlb_array *p)
{
	return p->shape.sets * p->shape.ways;
}

static bool array_init(struct tlb_array *p, const struct tlb_shape *shape)
{
	p->shape = *shape;
	if (!shape->sets)
		return true;
	p->key = malloc(slots(p) * sizeof(*p->key));
	p->entry = calloc(slots(p), sizeof(*p->entry));
	return replace_init(&p->replace, shape->policy, shape->sets, shape->ways, shape->seed) &&
	       p->key && p->entry;
}

bool tlb_init(struct tlb *t, const struct tlb_config *config,
	      void (*gone)(void *opaque, enum tlb_part part, const struct tlb_entry *gone),
	      void *opaque)
{
	*t = (struct tlb){ .gone = gone, .opaque = opaque };
	for (unsigned n = 0; n < TLB_PARTS; n++) {
		if (!array_init(&t->part[n], &config->part[n])) {
			tlb_free(t);
			return false;
		}
	}
	tlb_reset(t);
	return true;
}

void tlb_free(struct tlb *t)
{
	for (unsigned n = 0; n < TLB_PARTS; n++) {
		struct tlb_array *p = &t->part[n];

		replace_free(&p->replace);
		free(p->key);
		free(p->entry);
		p->key = NULL;
		p->entry = NULL;
	}
}

void tlb_reset(struct tlb *t)
{
	for (unsigned n = 0; n < TLB_PARTS; n++) {
		struct tlb_array *p = &t->part[n];

		if (!p->key)
			continue;
		memset(p->key, 0xff, slots(p) * sizeof(*p->key));
		memset(p->entry, 0, slots(p) * sizeof(*p->entry));
		memset(p->held, 0, sizeof(p->held));
		memset(p->pieces, 0, sizeof(p->pieces));
		p->giant_pieces = 0;
		replace_reset(&p->replace);
	}
}

/* Returns the first slot of the set that can hold an entry of this size for va. */
static unsigned set_of(const struct tlb_array *p, uint64_t va, enum tlb_size size)
{
	return (va >> tlb_shift(size) & (p->shape.sets - 1)) * p->shape.ways;
}

static uint64_t key_of(uint64_t va, enum tlb_size size)
{
	return (va & ~(tlb_bytes(size) - 1)) | size;
}

/* The slot of an entry for va, or -1. */
static int find(const struct tlb_array *p, uint64_t va, uint16_t asid)
{
	for (enum tlb_size size = TLB_4K; size < TLB_SIZES; size++) {
		unsigned first = set_of(p, va, size);
		uint64_t key = key_of(va, size);

		if (!p->held[size])
			continue;
		for (unsigned slot = first; slot < first + p->shape.ways; slot++) {
			if (p->key[slot] == key &&
			    (p->entry[slot].asid == asid || p->entry[slot].global))
				return slot;
		}
	}
	return -1;
}

/* Counts an entry that comes (1) or goes (-1). */
static void tally(struct tlb_array *p, const struct tlb_entry *e, int change)
{
	p->held[e->size] += change;
	if (e->leaf == e->size)
		return;
	if (e->leaf <= TLB_2M)
		p->pieces[e->va >> tlb_shift(TLB_2M) & 63] += change;
	else
		p->giant_pieces += change;
}

static void drop(struct tlb *t, enum tlb_part part, unsigned slot)
{
	struct tlb_array *p = &t->part[part];

	if (part != TLB_SECOND && t->gone)
		t->gone(t->opaque, part, &p->entry[slot]);
	tally(p, &p->entry[slot], -1);
	p->key[slot] = TLB_FREE;
}

/* The largest size that the TLB holds and that is no larger than what is known. */
static enum tlb_size piece_size(const struct tlb_array *p, enum tlb_size known)
{
	while (!(p->shape.sizes >> known & 1))
		known--;
	return known;
}

/* Puts the piece of e around va into a TLB.  Returns its slot. */
static unsigned insert(struct tlb *t, enum tlb_part part, uint64_t va, const struct tlb_entry *e)
{
	struct tlb_array *p = &t->part[part];
	enum tlb_size size = piece_size(p, e->size);
	unsigned first = set_of(p, va, size), way = 0;
	uint64_t at = va & ~(tlb_bytes(size) - 1);

	while (way < p->shape.ways && p->key[first + way] != TLB_FREE)
		way++;
	if (way == p->shape.ways) {
		way = replace_victim(&p->replace, first);
		drop(t, part, first + way);
	}
	p->entry[first + way] = *e;
	p->entry[first + way].va = at;
	p->entry[first + way].pa = tlb_pa(e, at);
	p->entry[first + way].size = size;
	p->key[first + way] = key_of(va, size);
	tally(p, &p->entry[first + way], 1);
	replace_filled(&p->replace, first + way);
	return first + way;
}

enum tlb_answer tlb_lookup(struct tlb *t, enum tlb_part side, uint64_t va, uint16_t asid,
			   unsigned *slot)
{
	struct tlb_array *second = &t->part[TLB_SECOND];
	int found = find(&t->part[side], va, asid);

	if (found >= 0) {
		replace_hit(&t->part[side].replace, found);
		*slot = found;
		return TLB_HIT;
	}
	found = second->key ? find(second, va, asid) : -1;
	if (found < 0)
		return TLB_MISS;
	replace_hit(&second->replace, found);
	*slot = insert(t, side, va, &second->entry[found]);
	return TLB_HIT_SECOND;
}

const struct tlb_entry *tlb_peek(const struct tlb *t, enum tlb_part part, uint64_t va,
				 uint16_t asid)
{
	int slot = t->part[part].key ? find(&t->part[part], va, asid) : -1;

	return slot < 0 ? NULL : &t->part[part].entry[slot];
}

static void drop_matching(struct tlb *t, enum tlb_part part, uint64_t va, uint16_t asid)
{
	int slot;

	while ((slot = find(&t->part[part], va, asid)) >= 0)
		drop(t, part, slot);
}

unsigned tlb_fill(struct tlb *t, enum tlb_part side, uint64_t va, const struct tlb_entry *leaf)
{
	struct tlb_entry e = *leaf;

	e.size = e.leaf;
	if (t->part[TLB_SECOND].key) {
		drop_matching(t, TLB_SECOND, va, e.asid);
		insert(t, TLB_SECOND, va, &e);
	}
	drop_matching(t, side, va, e.asid);
	return insert(t, side, va, &e);
}

static bool fenced(const struct tlb_entry *e, const uint64_t *va, const uint16_t *asid)
{
	if (asid && (e->asid != *asid || e->global))
		return false;
	return !va || !((*va ^ e->va) & ~(tlb_bytes(e->leaf) - 1));
}

static void fence_slots(struct tlb *t, enum tlb_part part, unsigned first, unsigned nr,
			const uint64_t *va, const uint16_t *asid)
{
	struct tlb_array *p = &t->part[part];

	for (unsigned slot = first; slot < first + nr; slot++) {
		if (p->key[slot] != TLB_FREE && fenced(&p->entry[slot], va, asid))
			drop(t, part, slot);
	}
}

void tlb_fence(struct tlb *t, const uint64_t *va, const uint16_t *asid)
{
	for (enum tlb_part part = TLB_I; part < TLB_PARTS; part++) {
		struct tlb_array *p = &t->part[part];

		if (!p->key)
			continue;
		if (!va || p->giant_pieces || p->pieces[*va >> tlb_shift(TLB_2M) & 63]) {
			fence_slots(t, part, 0, slots(p), va, asid);
			continue;
		}
		/* Whole pages only: the size and the address of an entry determine its set. */
		for (enum tlb_size size = TLB_4K; size < TLB_SIZES; size++) {
			if (p->held[size])
				fence_slots(t, part, set_of(p, *va, size), p->shape.ways, va, asid);
		}
	}
}

static void shape_of(const struct tlb_array *p, uint32_t shape[4])
{
	shape[0] = p->shape.sets;
	shape[1] = p->shape.ways;
	shape[2] = p->shape.policy;
	shape[3] = p->shape.sizes;
}

/* A slot in a stream: the fields that count, without padding; leaf TLB_SIZES: free. */
struct saved {
	uint64_t va, pa, pte;
	uint16_t asid;
	uint8_t size, leaf;
	uint32_t global;
};

static bool array_save(const struct tlb_array *p, const struct stream *s)
{
	uint32_t shape[4];
	bool written;

	shape_of(p, shape);
	written = model_save_shape(s, shape, 4) && replace_save(&p->replace, s);
	for (unsigned slot = 0; written && slot < slots(p); slot++) {
		const struct tlb_entry *e = &p->entry[slot];
		struct saved saved = { .leaf = TLB_SIZES };

		if (p->key[slot] != TLB_FREE)
			saved = (struct saved){ e->va,	 e->pa,	  e->pte,   e->asid,
						e->size, e->leaf, e->global };
		written = stream_write(s, &saved, sizeof(saved));
	}
	return written;
}

bool tlb_save(const struct tlb *t, const struct stream *s)
{
	for (unsigned n = 0; n < TLB_PARTS; n++) {
		if (t->part[n].key && !array_save(&t->part[n], s))
			return false;
	}
	return true;
}

/* Whether a slot may hold this, where no slot before it holds the same page of the same space. */
static bool saved_possible(const struct tlb_array *p, unsigned slot, const struct saved *s)
{
	unsigned first;

	if (s->leaf >= TLB_SIZES || s->size > s->leaf || !(p->shape.sizes >> s->size & 1) ||
	    s->size != piece_size(p, s->size) || s->global > 1 || s->pa >= PA_LIMIT ||
	    (s->va | s->pa) & (tlb_bytes(s->size) - 1))
		return false;
	first = set_of(p, s->va, s->size);
	if (slot < first || slot >= first + p->shape.ways)
		return false;
	for (unsigned other = first; other < slot; other++) {
		const struct tlb_entry *e = &p->entry[other];

		if (p->key[other] == key_of(s->va, s->size) && e->asid == s->asid &&
		    e->global == s->global)
			return false;
	}
	return true;
}

static bool array_restore(struct tlb_array *p, const struct stream *s)
{
	uint32_t shape[4];
	struct saved saved;

	shape_of(p, shape);
	if (!model_restore_shape(s, shape, 4) || !replace_restore(&p->replace, s))
		return false;
	for (unsigned slot = 0; slot < slots(p); slot++) {
		if (!stream_read(s, &saved, sizeof(saved)))
			return false;
		if (saved.leaf == TLB_SIZES)
			continue;
		if (!saved_possible(p, slot, &saved))
			return false;
		p->entry[slot] = (struct tlb_entry){ saved.va,	  saved.pa,   saved.pte,
						     saved.asid,  saved.size, saved.leaf,
						     saved.global };
		p->key[slot] = key_of(saved.va, saved.size);
		tally(p, &p->entry[slot], 1);
	}
	return true;
}

bool tlb_restore(struct tlb *t, const struct stream *s)
{
	tlb_reset(t);
	for (unsigned n = 0; n < TLB_PARTS; n++) {
		if (t->part[n].key && !array_restore(&t->part[n], s)) {
			tlb_reset(t);
			return false;
		}
	}
	return true;
}

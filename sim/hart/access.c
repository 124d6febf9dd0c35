// SPDX-License-Identifier: BSD-2-Clause
/*
 * access.c - loads, stores and atomics that missed the software TLB (access.h): the first access to
 * a page, misaligned accesses, devices, stores to pages with code.
 *
 * All bytes of an access are translated and checked before the first byte is moved.
 */
#include <string.h>

#include "access.h"
#include "cluster.h"
#include "hart.h"
#include "timing.h"
#include "trigger.h"

#define CBO_BYTES 64

_Static_assert(DEBUG_READS == MCONTROL6_LOAD && DEBUG_WRITES == MCONTROL6_STORE,
	       "the same kinds for watchpoints and triggers");

/* An access, split where it crosses a page boundary; bytes[1] is 0 if it does not. */
struct span {
	uint64_t pa[2];
	unsigned bytes[2];
	bool cached[2]; /* RAM is accessed through the caches, not past them (Svpbmt) */
};

static bool misaligned(struct hart *h, uint64_t va, bool store)
{
	h->fault = (struct fault){ store ? CAUSE_MISALIGNED_STORE : CAUSE_MISALIGNED_LOAD, va };
	return false;
}

static bool access_fault(struct hart *h, uint64_t va, bool store)
{
	h->fault = (struct fault){ store ? CAUSE_STORE_ACCESS : CAUSE_LOAD_ACCESS, va };
	return false;
}

/* va: as the instruction says it, with bits that pointer masking ignores, each byte for itself. */
static bool locate(struct hart *h, uint64_t va, unsigned bytes, bool store, struct span *s)
{
	enum access access = store ? ACCESS_STORE : ACCESS_LOAD;
	unsigned left = PAGE_SIZE - (va & ~PAGE_MASK);
	bool whole;

	if (va & (bytes - 1) && h->cl->trap_misaligned)
		return misaligned(h, mmu_pointer(h, va), store);
	s->bytes[0] = bytes < left ? bytes : left;
	s->bytes[1] = bytes - s->bytes[0];
	if (!mmu_translate(h, mmu_pointer(h, va), s->bytes[0], access, h->data_mode, &s->pa[0],
			   &whole))
		return false;
	s->cached[0] = !h->past_caches;
	if (s->bytes[1]) {
		if (!mmu_translate(h, mmu_pointer(h, va + left), s->bytes[1], access, h->data_mode,
				   &s->pa[1], NULL))
			return false;
		s->cached[1] = !h->past_caches;
	} else if (whole) {
		soft_tlb_fill(h, va, s->pa[0], store);
	}
	return true;
}

bool access_watched(struct hart *h, uint64_t va, unsigned bytes, unsigned kinds)
{
	if (!h->cl->watched || h->at->op == ISA_ebreak ||
	    !h->cl->debugger->watches(h, mmu_pointer(h, va), bytes, kinds))
		return false;
	h->fault.cause = FAULT_DEBUG;
	return true;
}

/*
 * Whether a watchpoint or a trigger stops the hart before this access.  Nothing of it has happened
 * then: when the instruction is executed again, it faults, counts and accesses as usual.  Reads of
 * semihosting are not accesses of an instruction.
 */
bool access_stops(struct hart *h, uint64_t va, unsigned bytes, unsigned kinds)
{
	if (h->trigger_kinds & kinds && h->at->op != ISA_ebreak &&
	    trigger_hits(h, mmu_pointer(h, va), bytes, kinds))
		return true;
	return access_watched(h, va, bytes, kinds);
}

/* Those of vectors with unit stride count once for all elements (vector_misaligned). */
static void count_misaligned(struct hart *h, uint64_t va, unsigned bytes)
{
	enum isa_format format;

	if (!(va & (bytes - 1)))
		return;
	format = isa_table[h->at->op].format;
	if (format != ISA_FMT_VLS && format != ISA_FMT_VLR)
		pmu_happens(h, EVENT_MISALIGNED);
}

bool access_load(struct hart *h, uint64_t va, unsigned bytes, uint64_t *value)
{
	uint8_t to[8] = { 0 };
	struct span s;

	if (access_stops(h, va, bytes, DEBUG_READS) || !locate(h, va, bytes, false, &s))
		return false;
	count_misaligned(h, va, bytes);
	for (unsigned n = 0, at = 0; n < 2 && s.bytes[n]; at += s.bytes[n++]) {
		const void *p = cluster_ram(h->cl, s.pa[n], s.bytes[n]);

		__builtin_prefetch(p); /* the models take a while */
		if (h->timing && (p || s.bytes[n] == bytes))
			timing_data(h, p && s.cached[n] ? HIERARCHY_READ : HIERARCHY_READ_UNCACHED,
				    s.pa[n], s.bytes[n]);
		if (p) {
			memcpy(to + at, p, s.bytes[n]);
		} else if (s.bytes[n] == bytes && !(va & (bytes - 1))) {
			h->stop = true;
			if (!bus_read(&h->cl->bus, s.pa[n], bytes, value))
				return access_fault(h, mmu_pointer(h, va), false);
			return true;
		} else {
			return access_fault(h, mmu_pointer(h, va), false);
		}
	}
	memcpy(value, to, 8);
	return true;
}

bool access_store(struct hart *h, uint64_t va, unsigned bytes, uint64_t value)
{
	const uint8_t *from = (const uint8_t *)&value;
	void *p[2] = { NULL, NULL };
	struct span s;

	if (access_stops(h, va, bytes, DEBUG_WRITES) || !locate(h, va, bytes, true, &s))
		return false;
	count_misaligned(h, va, bytes);
	for (unsigned n = 0; n < 2 && s.bytes[n]; n++) {
		p[n] = cluster_ram(h->cl, s.pa[n], s.bytes[n]);
		if (!p[n] && (s.bytes[n] != bytes || va & (bytes - 1)))
			return access_fault(h, mmu_pointer(h, va), true);
	}
	if (!p[0]) {
		h->stop = true;
		if (h->timing)
			timing_data(h, HIERARCHY_WRITE_UNCACHED, s.pa[0], bytes);
		return bus_write(&h->cl->bus, s.pa[0], bytes, value) ||
		       access_fault(h, mmu_pointer(h, va), true);
	}
	for (unsigned n = 0, at = 0; n < 2 && s.bytes[n]; at += s.bytes[n++]) {
		if (h->timing)
			timing_data(h, s.cached[n] ? HIERARCHY_WRITE : HIERARCHY_WRITE_UNCACHED,
				    s.pa[n], s.bytes[n]);
		memcpy(p[n], from + at, s.bytes[n]);
		bus_written(&h->cl->bus, s.pa[n], s.bytes[n]);
	}
	return true;
}

enum access_range access_range(struct hart *h, uint64_t va, unsigned bytes, unsigned all,
			       bool store, uint64_t *pa)
{
	enum access access = store ? ACCESS_STORE : ACCESS_LOAD;
	bool whole, same;

	if (!mmu_translate(h, mmu_pointer(h, va), bytes, access, h->data_mode, pa, &whole))
		return h->fault.cause == CAUSE_LOAD_ACCESS || h->fault.cause == CAUSE_STORE_ACCESS
			       ? ACCESS_RANGE_NOT
			       : ACCESS_RANGE_FAULT;
	if (!cluster_ram(h->cl, *pa, all) || h->past_caches ||
	    !pmp_allows(h, *pa, all, access, h->data_mode, &same))
		return ACCESS_RANGE_NOT;
	if (whole)
		soft_tlb_fill(h, va, *pa, store);
	if (h->timing)
		timing_data(h, store ? HIERARCHY_WRITE : HIERARCHY_READ, *pa, bytes);
	return ACCESS_RANGE_DONE;
}

/* Whether the current instruction writes memory and does not read it. */
static bool only_writes(const struct hart *h)
{
	return h->at->op == ISA_sc_w || h->at->op == ISA_sc_d ||
	       isa_table[h->at->op].class == ISA_CLASS_STORE;
}

static enum hierarchy_kind atomic_kind(const struct hart *h, bool write)
{
	if (h->past_caches)
		return write ? HIERARCHY_WRITE_UNCACHED : HIERARCHY_READ_UNCACHED;
	if (!write)
		return HIERARCHY_READ;
	return only_writes(h) ? HIERARCHY_WRITE : HIERARCHY_ATOMIC;
}

/* The kinds of access of the current atomic instruction; sc.w and sc.d as if they succeeded. */
static unsigned atomic_kinds(const struct hart *h, bool write)
{
	if (!write)
		return DEBUG_READS;
	return only_writes(h) ? DEBUG_WRITES : DEBUG_READS | DEBUG_WRITES;
}

/* access_atomic and access_shadow_stack.  *whole: the page may enter the software TLB. */
static void *aligned(struct hart *h, uint64_t va, unsigned bytes, enum access access, bool write,
		     uint64_t *pa, bool *whole)
{
	void *p;

	if (access_stops(h, va, bytes, atomic_kinds(h, write)))
		return NULL;
	if (va & (bytes - 1)) {
		misaligned(h, mmu_pointer(h, va), access != ACCESS_LOAD);
		return NULL;
	}
	if (!mmu_translate(h, mmu_pointer(h, va), bytes, access, h->data_mode, pa, whole))
		return NULL;
	p = cluster_ram(h->cl, *pa, bytes);
	if (!p) {
		access_fault(h, mmu_pointer(h, va), access != ACCESS_LOAD);
		return NULL;
	}
	if (h->timing)
		timing_data(h, atomic_kind(h, write), *pa, bytes);
	return p;
}

void *access_atomic(struct hart *h, uint64_t va, unsigned bytes, bool write, uint64_t *pa)
{
	bool whole;
	void *p = aligned(h, va, bytes, write ? ACCESS_STORE : ACCESS_LOAD, write, pa, &whole);

	if (p && whole)
		soft_tlb_fill(h, va, *pa, write);
	return p;
}

void *access_shadow_stack(struct hart *h, uint64_t va, unsigned bytes, bool write, uint64_t *pa)
{
	return aligned(h, va, bytes, write ? ACCESS_SS_WRITE : ACCESS_SS_READ, write, pa, NULL);
}

void access_wrote(struct hart *h, uint64_t pa, unsigned bytes)
{
	bus_written(&h->cl->bus, pa, bytes);
}

/*
 * cbo.inval, cbo.clean and cbo.flush need permission to load or to store all bytes of the cache
 * block (Unpriv chapter 19).  We check a load: a page that can be stored to can always be loaded,
 * and only A is set.  A fault has the cause of a store.  Memory here is always coherent, so only
 * the models have something to do.
 */
bool access_cbo_check(struct hart *h, uint64_t va)
{
	uint64_t pa, first = mmu_pointer(h, va) & ~(uint64_t)(CBO_BYTES - 1);

	va = mmu_pointer(h, va);
	if (!mmu_translate(h, first, CBO_BYTES, ACCESS_CBO, h->data_mode, &pa, NULL)) {
		h->fault.tval = va;
		return false;
	}
	if (!cluster_ram(h->cl, pa, CBO_BYTES))
		return access_fault(h, va, true);
	if (h->timing)
		timing_cbo(h, pa);
	return true;
}

bool access_cbo_zero(struct hart *h, uint64_t va)
{
	uint64_t pa, first = mmu_pointer(h, va) & ~(uint64_t)(CBO_BYTES - 1);
	void *p;

	va = mmu_pointer(h, va);
	if (access_stops(h, first, CBO_BYTES, DEBUG_WRITES))
		return false;
	if (!mmu_translate(h, first, CBO_BYTES, ACCESS_STORE, h->data_mode, &pa, NULL)) {
		h->fault.tval = va;
		return false;
	}
	p = cluster_ram(h->cl, pa, CBO_BYTES);
	if (!p)
		return access_fault(h, va, true);
	if (h->past_caches)
		timing_data(h, HIERARCHY_WRITE_UNCACHED, pa, CBO_BYTES);
	else if (h->timing)
		timing_cbo(h, pa);
	memset(p, 0, CBO_BYTES);
	bus_written(&h->cl->bus, pa, CBO_BYTES);
	return true;
}

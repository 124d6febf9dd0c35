// SPDX-License-Identifier: BSD-2-Clause
/*
 * access.c - loads, stores and atomics that the soft TLB did not answer (mmu.h): first touches,
 * misaligned ones, devices, pages with code.
 *
 * An access is translated and checked whole before its first byte is moved.
 */
#include <string.h>

#include "access.h"
#include "machine.h"
#include "timing.h"

#define CBO_BYTES 64

/* An access cut at a page boundary. */
struct span {
	uint64_t pa[2];
	unsigned bytes[2];
	bool cached[2]; /* if it is RAM */
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

static bool locate(struct hart *h, uint64_t va, unsigned bytes, bool store, struct span *s)
{
	enum access access = store ? ACCESS_STORE : ACCESS_LOAD;
	unsigned left = PAGE_SIZE - (va & ~PAGE_MASK);
	bool whole;

	if (va & (bytes - 1) && h->m->o.trap_misaligned)
		return misaligned(h, va, store);
	s->bytes[0] = bytes < left ? bytes : left;
	s->bytes[1] = bytes - s->bytes[0];
	if (!mmu_translate(h, va, s->bytes[0], access, h->data_mode, &s->pa[0], &whole))
		return false;
	s->cached[0] = !h->past_caches;
	if (s->bytes[1]) {
		if (!mmu_translate(h, va + left, s->bytes[1], access, h->data_mode, &s->pa[1],
				   NULL))
			return false;
		s->cached[1] = !h->past_caches;
	} else if (whole) {
		mmu_soft_fill(h, va, s->pa[0], store);
	}
	return true;
}

/*
 * Whether a watchpoint stops the machine before this access, which then has not begun: it will
 * fault, be counted and done when the instruction is executed again.  What semihosting reads
 * no instruction does.
 */
static bool watched(struct hart *h, uint64_t va, unsigned bytes, unsigned kinds)
{
	if (!h->m->debug.watches || h->at->op == ISA_ebreak || !debug_watched(h, va, bytes, kinds))
		return false;
	h->fault.cause = FAULT_DEBUG;
	return true;
}

bool mmu_load(struct hart *h, uint64_t va, unsigned bytes, uint64_t *value)
{
	uint8_t to[8] = { 0 };
	struct span s;

	if (watched(h, va, bytes, DEBUG_READS) || !locate(h, va, bytes, false, &s))
		return false;
	if (va & (bytes - 1))
		pmu_happens(h, EVENT_MISALIGNED);
	for (unsigned n = 0, at = 0; n < 2 && s.bytes[n]; at += s.bytes[n++]) {
		const void *p = machine_ram(h->m, s.pa[n], s.bytes[n]);

		if (h->timing && (p || s.bytes[n] == bytes))
			timing_data(h, p && s.cached[n] ? MEMORY_READ : MEMORY_READ_UNCACHED,
				    s.pa[n], s.bytes[n]);
		if (p) {
			memcpy(to + at, p, s.bytes[n]);
		} else if (s.bytes[n] == bytes && !(va & (bytes - 1))) {
			h->stop = true;
			if (!machine_io_read(h->m, s.pa[n], bytes, value))
				return access_fault(h, va, false);
			return true;
		} else {
			return access_fault(h, va, false);
		}
	}
	memcpy(value, to, 8);
	return true;
}

bool mmu_store(struct hart *h, uint64_t va, unsigned bytes, uint64_t value)
{
	const uint8_t *from = (const uint8_t *)&value;
	void *p[2] = { NULL, NULL };
	struct span s;

	if (watched(h, va, bytes, DEBUG_WRITES) || !locate(h, va, bytes, true, &s))
		return false;
	if (va & (bytes - 1))
		pmu_happens(h, EVENT_MISALIGNED);
	for (unsigned n = 0; n < 2 && s.bytes[n]; n++) {
		p[n] = machine_ram(h->m, s.pa[n], s.bytes[n]);
		if (!p[n] && (s.bytes[n] != bytes || va & (bytes - 1)))
			return access_fault(h, va, true);
	}
	if (!p[0]) {
		h->stop = true;
		if (h->timing)
			timing_data(h, MEMORY_WRITE_UNCACHED, s.pa[0], bytes);
		return machine_io_write(h->m, s.pa[0], bytes, value) || access_fault(h, va, true);
	}
	for (unsigned n = 0, at = 0; n < 2 && s.bytes[n]; at += s.bytes[n++]) {
		if (h->timing)
			timing_data(h, s.cached[n] ? MEMORY_WRITE : MEMORY_WRITE_UNCACHED, s.pa[n],
				    s.bytes[n]);
		memcpy(p[n], from + at, s.bytes[n]);
		machine_ram_written(h->m, s.pa[n], s.bytes[n]);
	}
	return true;
}

static enum memory_kind atomic_kind(const struct hart *h, bool write)
{
	if (h->past_caches)
		return write ? MEMORY_WRITE_UNCACHED : MEMORY_READ_UNCACHED;
	if (!write)
		return MEMORY_READ;
	return h->at->op == ISA_sc_w || h->at->op == ISA_sc_d ? MEMORY_WRITE : MEMORY_ATOMIC;
}

/* What the atomic instruction that is under way does; sc.w, sc.d only if it succeeds. */
static unsigned atomic_kinds(const struct hart *h, bool write)
{
	if (!write)
		return DEBUG_READS;
	return h->at->op == ISA_sc_w || h->at->op == ISA_sc_d ? DEBUG_WRITES
							      : DEBUG_READS | DEBUG_WRITES;
}

void *mmu_atomic(struct hart *h, uint64_t va, unsigned bytes, bool write, uint64_t *pa)
{
	bool whole;
	void *p;

	if (watched(h, va, bytes, atomic_kinds(h, write)))
		return NULL;
	if (va & (bytes - 1)) {
		misaligned(h, va, write);
		return NULL;
	}
	if (!mmu_translate(h, va, bytes, write ? ACCESS_STORE : ACCESS_LOAD, h->data_mode, pa,
			   &whole))
		return NULL;
	p = machine_ram(h->m, *pa, bytes);
	if (!p) {
		access_fault(h, va, write);
		return NULL;
	}
	if (whole)
		mmu_soft_fill(h, va, *pa, write);
	if (h->timing)
		timing_data(h, atomic_kind(h, write), *pa, bytes);
	return p;
}

void mmu_wrote(struct hart *h, uint64_t pa, unsigned bytes)
{
	machine_ram_written(h->m, pa, bytes);
}

/*
 * cbo.inval, cbo.clean, cbo.flush need the permission of a load or of a store for the whole block
 * (Unpriv chapter 19); what may be stored to may always be loaded, and only A is set.  A fault is a
 * store's.  Memory is always coherent here, so there is nothing to do.
 */
bool mmu_cbo_check(struct hart *h, uint64_t va)
{
	uint64_t pa, first = va & ~(uint64_t)(CBO_BYTES - 1);

	if (mmu_translate(h, first, CBO_BYTES, ACCESS_LOAD, h->data_mode, &pa, NULL)) {
		if (!machine_ram(h->m, pa, CBO_BYTES))
			return access_fault(h, va, true);
		if (h->timing)
			timing_cbo(h, pa);
		return true;
	}
	h->fault.tval = va;
	if (h->fault.cause == CAUSE_LOAD_PAGE_FAULT)
		h->fault.cause = CAUSE_STORE_PAGE_FAULT;
	else
		h->fault.cause = CAUSE_STORE_ACCESS;
	return false;
}

bool mmu_cbo_zero(struct hart *h, uint64_t va)
{
	uint64_t pa, first = va & ~(uint64_t)(CBO_BYTES - 1);
	void *p;

	if (watched(h, first, CBO_BYTES, DEBUG_WRITES))
		return false;
	if (!mmu_translate(h, first, CBO_BYTES, ACCESS_STORE, h->data_mode, &pa, NULL)) {
		h->fault.tval = va;
		return false;
	}
	p = machine_ram(h->m, pa, CBO_BYTES);
	if (!p)
		return access_fault(h, va, true);
	if (h->past_caches)
		timing_data(h, MEMORY_WRITE_UNCACHED, pa, CBO_BYTES);
	else if (h->timing)
		timing_cbo(h, pa);
	memset(p, 0, CBO_BYTES);
	machine_ram_written(h->m, pa, CBO_BYTES);
	return true;
}

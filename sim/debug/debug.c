// SPDX-License-Identifier: BSD-2-Clause
/*
 * debug.c - breakpoints, watchpoints, steps, and a debugger's access to memory and CSRs (debug.h).
 */
#include <string.h>

#include "csr.h"
#include "machine.h"

static bool is_break(const struct debug_point *p)
{
	return p->type == DEBUG_SWBREAK || p->type == DEBUG_HWBREAK;
}

static bool same(const struct debug_point *a, const struct debug_point *b)
{
	return a->va == b->va && a->len == b->len && a->type == b->type;
}

bool debug_stops(struct machine *m, struct hart *h, enum debug_stop why)
{
	if (m->cl.finished)
		return false;
	m->debug.stop = why;
	if (h)
		m->debug.hart = h;
	return true;
}

/* Harts */

static bool steps(const struct hart *h)
{
	return machine_of(h)->debug.step >> h->id & 1;
}

static const struct debug_point *break_at(const struct machine *m, uint64_t va)
{
	for (unsigned n = 0; n < m->debug.points; n++) {
		const struct debug_point *p = &m->debug.point[n];

		if (p->va == va && is_break(p))
			return p;
	}
	return NULL;
}

static bool debug_before(struct hart *h, bool interrupted)
{
	const struct debug_point *p = break_at(machine_of(h), h->pc);

	if (p) {
		machine_of(h)->debug.hit = *p;
		return debug_stops(machine_of(h), h, DEBUG_BREAK);
	}
	return interrupted && steps(h) && debug_stops(machine_of(h), h, DEBUG_STEP);
}

static bool debug_after(struct hart *h, bool moved)
{
	if (machine_of(h)->debug.watched == h)
		return debug_stops(machine_of(h), h, DEBUG_WATCH);
	return moved && steps(h) && debug_stops(machine_of(h), h, DEBUG_STEP);
}

/* Whether the bytes at va and those of p overlap. */
static bool overlaps(const struct debug_point *p, uint64_t va, uint64_t bytes)
{
	return va <= p->va + (p->len - 1) && p->va <= va + (bytes - 1);
}

static bool point_in_page(const struct machine *m, uint64_t va, bool breaks)
{
	for (unsigned n = 0; n < m->debug.points; n++) {
		const struct debug_point *p = &m->debug.point[n];

		if (is_break(p) == breaks && overlaps(p, va & PAGE_MASK, PAGE_SIZE))
			return true;
	}
	return false;
}

static bool debug_breaks_page(const struct cluster *cl, uint64_t va)
{
	return point_in_page(cl->bus.opaque, va, true);
}

static uint64_t debug_limit(const struct hart *h, const struct block *b, uint64_t limit)
{
	unsigned nr = 1;

	if (steps(h))
		return 1;
	if (!debug_breaks_page(h->cl, h->pc))
		return limit;
	while (nr < b->nr && !break_at(machine_of(h), h->pc + b->insn[nr].at))
		nr++;
	return nr < limit ? nr : limit;
}

static bool debug_watches_page(const struct cluster *cl, uint64_t va)
{
	return point_in_page(cl->bus.opaque, va, false);
}

static bool debug_watched(struct hart *h, uint64_t va, unsigned bytes, unsigned kinds)
{
	static const uint8_t meets[] = {
		[DEBUG_WRITE] = DEBUG_WRITES,
		[DEBUG_READ] = DEBUG_READS,
		[DEBUG_ACCESS] = DEBUG_READS | DEBUG_WRITES,
	};
	struct debug *d = &machine_of(h)->debug;

	for (unsigned n = 0; n < d->points; n++) {
		const struct debug_point *p = &d->point[n];

		if (is_break(p) || !(meets[p->type] & kinds) || !overlaps(p, va, bytes))
			continue;
		d->watched = h;
		d->hit = *p;
		d->hit_va = va > p->va ? va : p->va;
		return true;
	}
	return false;
}

static const struct debugger debugger = {
	.before = debug_before,
	.after = debug_after,
	.limit = debug_limit,
	.breaks_page = debug_breaks_page,
	.watches_page = debug_watches_page,
	.watches = debug_watched,
};

/* Called by the debugger */

/* Updates the harts after any change of the points. */
static void refresh(struct machine *m)
{
	struct debug *d = &m->debug;

	m->cl.debugger = &debugger;
	m->cl.watched = false;
	for (unsigned n = 0; n < d->points; n++)
		m->cl.watched |= !is_break(&d->point[n]);
	m->cl.debugged = d->points || d->step;
}

/* The software TLB and the jump cache do not look at the points: empties both. */
static void points_changed(struct machine *m)
{
	refresh(m);
	for (unsigned n = 0; n < m->cl.harts; n++)
		soft_tlb_flush(m->cl.hart[n]);
}

bool debug_point_add(struct machine *m, enum debug_type type, uint64_t va, uint64_t len)
{
	struct debug *d = &m->debug;
	struct debug_point new = { va, type <= DEBUG_HWBREAK ? 1 : len, type };

	if (type > DEBUG_ACCESS || !new.len || new.len - 1 > UINT64_MAX - va)
		return false;
	for (unsigned n = 0; n < d->points; n++) {
		if (same(&d->point[n], &new))
			return true;
	}
	if (d->points == DEBUG_POINTS)
		return false;
	d->point[d->points++] = new;
	points_changed(m);
	return true;
}

void debug_point_remove(struct machine *m, enum debug_type type, uint64_t va, uint64_t len)
{
	struct debug *d = &m->debug;
	struct debug_point old = { va, type <= DEBUG_HWBREAK ? 1 : len, type };

	for (unsigned n = 0; n < d->points; n++) {
		if (!same(&d->point[n], &old))
			continue;
		d->point[n] = d->point[--d->points];
		points_changed(m);
		return;
	}
}

void debug_points_clear(struct machine *m)
{
	m->debug.points = 0;
	points_changed(m);
}

void debug_resume(struct machine *m, uint32_t step, uint32_t held)
{
	struct debug *d = &m->debug;

	d->step = step;
	d->held = held;
	d->stop = DEBUG_RUNS;
	d->watched = NULL;
	refresh(m);
}

void debug_ask(struct machine *m)
{
	if (m->debug.stop == DEBUG_RUNS)
		debug_stops(m, NULL, DEBUG_ASKED);
}

/* Memory and CSRs */

/*
 * Returns the memory at va. *len becomes the number of bytes that are there, at most len.  NULL:
 * nothing can be read.
 */
static void *memory_at(struct hart *h, uint64_t va, size_t *len, bool write, uint64_t *pa)
{
	uint64_t left = PAGE_SIZE - (va & ~PAGE_MASK);

	*len = *len < left ? *len : left;
	if (!mmu_peek(h, va, pa))
		return NULL;
	if (!write && *pa - ROM_BASE < sizeof(machine_of(h)->rom)) {
		left = sizeof(machine_of(h)->rom) - (*pa - ROM_BASE);
		*len = *len < left ? *len : left;
		return machine_of(h)->rom + (*pa - ROM_BASE);
	}
	return cluster_ram(h->cl, *pa, *len);
}

size_t debug_read(struct hart *h, uint64_t va, void *to, size_t len)
{
	size_t done = 0, part;
	uint64_t pa;

	for (; done < len; done += part) {
		const void *p;

		part = len - done;
		p = memory_at(h, va + done, &part, false, &pa);
		if (!p)
			break;
		memcpy((uint8_t *)to + done, p, part);
	}
	return done;
}

size_t debug_write(struct hart *h, uint64_t va, const void *from, size_t len)
{
	size_t done = 0, part;
	uint64_t pa;

	for (; done < len; done += part) {
		void *p;

		part = len - done;
		p = memory_at(h, va + done, &part, true, &pa);
		if (!p)
			break;
		memcpy(p, (const uint8_t *)from + done, part);
		machine_of(h)->board.ram_written(machine_of(h), pa, part);
	}
	/* The next block that a hart has fetched may have been overwritten. */
	for (unsigned n = 0; n < h->cl->harts; n++)
		h->cl->hart[n]->pending_block = NULL;
	return done;
}

/* A CSR may read the time, which the machine takes from the current hart. */
bool debug_csr_read(struct hart *h, unsigned num, uint64_t *value)
{
	bool ok;

	machine_of(h)->current = h;
	ok = csr_peek(h, num, value);
	machine_of(h)->current = NULL;
	return ok;
}

bool debug_csr_write(struct hart *h, unsigned num, uint64_t value)
{
	bool ok;

	machine_of(h)->current = h;
	ok = csr_poke(h, num, value);
	machine_of(h)->current = NULL;
	return ok;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * hart.c - a hart's time and its turn: interrupts, fetching, how far the engine may run (hart.h).
 */
#include <string.h>

#include "machine.h"

void hart_reset(struct hart *h, uint64_t pc)
{
	memset(h->x, 0, sizeof(h->x));
	memset(h->f, 0, sizeof(h->f));
	h->pc = pc & ~1ull;
	h->mode = PRV_M;
	h->fetch_key = 0;
	h->idle = false;
	h->now = h->m->now;
	h->start = h->countdown = 0;
	h->block = NULL;
	h->reservation = 1;
	h->again.nr = 0;
	mmu_reset(h);
	csr_reset(h);
	pmu_reset(h);
	hart_mode_changed(h);
}

uint64_t hart_now(const struct hart *h)
{
	uint64_t now = h->now + (h->start - h->countdown);

	return h->block ? now + (h->at - h->block->insn) : now;
}

void hart_sync(struct hart *h)
{
	uint64_t done = h->start - h->countdown, *total = h->pmu.total[h->mode];

	h->start = h->countdown;
	h->now += done;
	total[EVENT_CYCLES] += done;
	total[EVENT_INSTRUCTIONS] += done;
}

void hart_leave_block(struct hart *h, const struct block *b, unsigned nr)
{
	h->block = NULL;
	h->countdown -= nr;
	pmu_add_part(h, b, 0, nr);
	hart_sync(h);
}

/* An instruction that no kept block may hold: it crosses pages, or PMP cuts its page. */
static struct block *fetch_single(struct hart *h, uint64_t pa)
{
	uint64_t at[2] = { pa, pa + 2 };
	uint16_t half[2] = { 0, 0 };

	for (unsigned n = 0; n < 2; n++) {
		const void *p;

		if (n && !mmu_translate(h, h->pc + 2, 2, ACCESS_FETCH, h->mode, &at[1], NULL))
			return NULL;
		p = machine_ram(h->m, at[n], 2);
		if (!p) {
			h->fault = (struct fault){ CAUSE_FETCH_ACCESS, h->pc + 2 * n };
			return NULL;
		}
		memcpy(&half[n], p, 2);
		if (isa_length(half[0]) == 2)
			break;
	}
	block_single(h->m, h->scratch, pa, half[0] | (uint32_t)half[1] << 16);
	return h->scratch;
}

struct block *hart_fetch(struct hart *h)
{
	struct jump *j = &h->jump[h->pc >> 1 & (JUMP_NR - 1)];
	struct block *b;
	uint64_t pa;
	bool whole, breaks;

	if (j->key == (h->pc ^ h->fetch_key))
		return j->b;
	if (!mmu_translate(h, h->pc, 2, ACCESS_FETCH, h->mode, &pa, &whole))
		return NULL;
	/* Where there is a breakpoint nothing is remembered, and the engine comes here to leave. */
	breaks = h->m->debug.on && debug_breaks_page(h->m, h->pc);
	if (breaks) {
		h->start -= h->countdown;
		h->countdown = 0;
	}
	b = whole && !h->m->o.paranoid ? block_at(h->m, pa) : NULL;
	if (!b)
		return fetch_single(h, pa);
	if (breaks)
		return b;
	/* After block_at: it may have made the key another. */
	*j = (struct jump){ h->pc ^ h->fetch_key, b };
	return b;
}

/* The engine runs b and what follows, until the next thing that must happen may happen. */
static void run_from(struct hart *h, struct block *b, uint64_t until)
{
	uint64_t limit = until - h->now, further;
	unsigned nr;

	if (h->menvcfg & MENVCFG_STCE && h->stimer_at > h->now && h->stimer_at - h->now < limit)
		limit = h->stimer_at - h->now;
	if (h->m->o.paranoid)
		limit = 1;
	else if (h->m->debug.on)
		limit = debug_limit(h, b, limit);
	nr = pmu_limit(h, b, limit < INT64_MAX ? limit : INT64_MAX, &further);
	if (nr < b->nr) {
		block_prefix(h->scratch, b, nr);
		b = h->scratch;
		further = nr;
	}
	h->start = h->countdown = further;
	engine_run(h, b);
	hart_sync(h);
}

/* In WFI: whether it ends before until, by what is pending or its own timer. */
static bool wakes(struct hart *h, uint64_t until)
{
	if (!trap_wakes(h) && h->menvcfg & MENVCFG_STCE && h->mie & MIP_STIP &&
	    h->stimer_at < until && h->stimer_at > h->now)
		h->now = h->stimer_at;
	return trap_wakes(h);
}

void hart_run(struct hart *h, const uint64_t *until)
{
	const struct debug *d = &h->m->debug;
	struct block *b;
	uint64_t before;
	bool interrupted;

	while (h->now < *until && !h->m->finished) {
		pmu_overflow(h);
		if (h->idle && !wakes(h, *until))
			break;
		h->idle = false;
		interrupted = trap_interrupt(h);
		if (d->on && debug_before(h, interrupted))
			break;
		/* Interrupts are events, too: one may have made a counter overflow. */
		if (interrupted)
			continue;
		h->stop = false;
		before = h->now;
		b = hart_fetch(h);
		if (!b)
			trap_exception(h, h->fault.cause, h->fault.tval);
		else if (!h->stop)
			run_from(h, b, *until);
		if (d->on && debug_after(h, h->now != before))
			break;
	}
}

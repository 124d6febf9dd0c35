// SPDX-License-Identifier: BSD-2-Clause
/*
 * hart.c - a hart's time and its turn: interrupts, fetches, and the budget of the engine (hart.h).
 * hart_run is the outer loop: overflow and interrupts, fetch, budget, engine, until the turn ends.
 */
#include <string.h>

#include "cluster.h"
#include "csr.h"
#include "engine.h"
#include "hart.h"
#include "native.h"
#include "timing.h"
#include "trap.h"

void hart_reset(struct hart *h, uint64_t pc, uint64_t now)
{
	memset(h->x, 0, sizeof(h->x));
	memset(h->f, 0, sizeof(h->f));
	h->pc = pc & ~1ull;
	h->mode = PRV_M;
	h->fetch_key = 0;
	h->idle = false;
	h->now = now;
	h->start = h->countdown = 0;
	h->run = NULL;
	h->reservation = h->cl->reserved_page[h->id] = RESERVATION_NONE;
	h->again.nr = h->again.nested = 0;
	if (h->timing)
		timing_reset(h);
	mmu_reset(h);
	csr_reset(h);
	pmu_reset(h);
	hart_mode_changed(h);
}

void hart_sync(struct hart *h)
{
	uint64_t done = h->start - h->countdown, *total = h->pmu.total[h->mode];

	h->start = h->countdown;
	h->now += done;
	total[EVENT_CYCLES] += done;
	total[EVENT_INSTRUCTIONS] += h->timing ? h->retired : done;
	h->retired = 0;
	total[EVENT_L1I_READ] += h->fetches;
	total[EVENT_ITLB] += h->fetch_same_page_mask ? h->fetches : 0;
	h->fetches = 0;
	if (h->timing)
		timing_sync(h);
}

void hart_leave_run(struct hart *h, const struct block_run *r, unsigned nr)
{
	h->run = NULL;
	if (h->timing) {
		h->countdown += r->cycles;
		timing_retire(h, r, nr);
	} else {
		h->countdown -= nr;
	}
	pmu_add_part(h, r, 0, nr);
	hart_sync(h);
}

void hart_leave_last(struct hart *h, const struct block_run *r)
{
	h->run = NULL;
	if (h->timing) {
		h->countdown += r->cycles;
		timing_retire_head(h, r);
	} else {
		h->countdown -= r->nr - 1;
	}
	pmu_add_part(h, r, 0, r->nr - 1);
	hart_sync(h);
}

/* Translates the address of code, with its events if models are on; as mmu_translate. */
static bool locate(struct hart *h, uint64_t va, uint64_t *pa, bool *whole)
{
	if (h->timing)
		return timing_fetch(h, va, pa, whole);
	return mmu_translate(h, va, 2, ACCESS_FETCH, h->mode, pa, whole);
}

/*
 * The instruction at h->pc as a block for one use, because no block can hold it: it crosses a page
 * boundary, PMP differs within its page, or its page is not cached.
 */
static struct block *fetch_single(struct hart *h, uint64_t pa)
{
	uint64_t at[2] = { pa, pa + 2 };
	uint16_t half[2] = { 0, 0 };

	for (unsigned n = 0; n < 2; n++) {
		const void *p;
		bool whole;

		if (n && !locate(h, h->pc + 2, &at[1], &whole))
			return NULL;
		p = cluster_ram(h->cl, at[n], 2);
		if (!p) {
			h->fault = (struct fault){ CAUSE_FETCH_ACCESS, h->pc + 2 * n };
			return NULL;
		}
		memcpy(&half[n], p, 2);
		if (isa_length(half[0]) == 2)
			break;
	}
	block_single(h->cl, h->scratch, pa, h->shadow_stacks, half[0] | (uint32_t)half[1] << 16);
	return h->scratch;
}

struct block *hart_fetch(struct hart *h)
{
	struct jump *j = hart_jump(h, h->pc, STATES_EMPTY);
	struct block *b;
	uint64_t pa;
	bool whole, breaks;

	/* With models a fetch also has events and a cost, and the state of the pipeline counts. */
	if (!h->timing && j->key == (h->pc ^ h->fetch_key) && j->state == STATES_EMPTY)
		return j->r->block;
	if (!locate(h, h->pc, &pa, &whole))
		return NULL;
	/* A page with a breakpoint must not enter the jump cache, and the engine must return. */
	breaks = h->cl->debugged && h->cl->debugger->breaks_page(h->cl, h->pc);
	if (breaks) {
		h->start -= h->countdown;
		h->countdown = 0;
	}
	b = whole && !h->cl->paranoid ? block_at(h->cl, pa, h->shadow_stacks) : NULL;
	if (!b)
		return fetch_single(h, pa);
	if (listener_hears_runs(h->listener))
		h->listener->fetched(h, pa);
	if (h->timing && !timing_enter(h, b))
		return NULL;
	if (breaks)
		return b;
	/* Read fetch_key only after block_at, which may change it. */
	if (h->timing)
		timing_remember(h, b);
	else
		*j = (struct jump){ h->pc ^ h->fetch_key, b->runs, STATES_EMPTY };
	return b;
}

/* The cycles until the turn ends, the hart's timer fires, or the listener's tick is due. */
static uint64_t time_limit(struct hart *h, uint64_t until)
{
	uint64_t limit = until > h->now ? until - h->now : 0;

	if (h->now >= h->tick)
		h->listener->ticks(h);
	if (h->tick - h->now < limit)
		limit = h->tick - h->now;

	if (h->menvcfg & MENVCFG_STCE && h->stimer_at > h->now && h->stimer_at - h->now < limit)
		limit = h->stimer_at - h->now;
	return limit < INT64_MAX ? limit : INT64_MAX;
}

/* run_from for a hart with models.  before: the time when hart_run last looked for interrupts. */
static void run_timed(struct hart *h, struct block *b, uint64_t until, uint64_t before)
{
	uint64_t most = h->cl->paranoid ? 1 : UINT64_MAX, limit, further;
	struct block_run *r;

	hart_sync(h); /* the fetch of b may have taken time */
	limit = time_limit(h, until);
	/* The timer may have fired during the fetch: look for it after one instruction. */
	if (h->now != before && h->menvcfg & MENVCFG_STCE && h->stimer_at <= h->now)
		limit = 0;
	if (h->cl->debugged)
		most = h->cl->debugger->limit(h, b, most);
	r = timing_prepare(h, b, limit, most, &further);
	h->start = h->countdown = further;
	if (h->listener)
		h->listener->enter(h);
	if (h->cl->recorder)
		h->cl->recorder->begins(h, r->block);
	engine_run_timed(h, r);
	if (h->cl->recorder)
		h->cl->recorder->ends(h);
	hart_sync(h);
}

/* Computes the budget, and runs b and the blocks after it on the engine. */
static void run_from(struct hart *h, struct block *b, uint64_t until)
{
	uint64_t limit = time_limit(h, until), further;
	unsigned nr;

	if (h->cl->paranoid)
		limit = 1;
	else if (h->cl->debugged)
		limit = h->cl->debugger->limit(h, b, limit);
	nr = pmu_limit(h, b, limit, &further);
	if (nr < b->nr) {
		block_prefix(h->scratch, b, nr);
		b = h->scratch;
		further = nr;
	}
	h->start = h->countdown = further;
	if (h->listener)
		h->listener->enter(h);
	engine_run(h, b->runs);
	hart_sync(h);
}

/* In WFI: whether a pending interrupt or the hart's own timer ends it before until. */
static bool wakes(struct hart *h, uint64_t until)
{
	if (!trap_wakes(h) && h->menvcfg & MENVCFG_STCE && h->mie & MIP_STIP &&
	    h->stimer_at < until && h->stimer_at > h->now)
		h->now = h->stimer_at;
	return trap_wakes(h);
}

/* Does what is due before the next instruction.  False: the hart's turn ends. */
static bool before_insn(struct hart *h, uint64_t until, bool *interrupted)
{
	pmu_overflow(h);
	if (h->idle && !wakes(h, until)) {
		if (h->idle == HART_IDLE)
			return false;
		h->now = until; /* the others may now end its reservation */
	}
	if (h->idle && h->cl->recorder)
		h->cl->recorder->wakes(h);
	h->idle = HART_RUNS;
	if (h->now >= until)
		return false;
	*interrupted = trap_interrupt(h);
	return !h->cl->debugged || !h->cl->debugger->before(h, *interrupted);
}

void hart_run(struct hart *h, const uint64_t *until)
{
	const struct cluster *cl = h->cl;
	struct block *b;
	uint64_t before;
	bool interrupted;

	while ((h->now < *until || h->pending_block) && !cl->finished) {
		b = h->pending_block;
		before = UINT64_MAX; /* not equal to now: a pending block was fetched earlier */
		if (b && cl->debugged && cl->debugger->before(h, false))
			break;
		if (!b) {
			if (!before_insn(h, *until, &interrupted))
				break;
			/* An interrupt is an event, too, and may have made a counter overflow. */
			if (interrupted)
				continue;
			h->stop = false;
			before = h->now;
			if (h->timing)
				timing_tidy(h->cl);
			else if (cl->native && native_full(cl->native))
				block_flush(h->cl);
			b = hart_fetch(h);
		}
		h->pending_block = NULL;
		if (!b) {
			hart_sync(h);
			trap_exception(h, h->fault.cause, h->fault.tval);
		} else if (h->timing) {
			run_timed(h, b, *until, before);
		} else if (!h->stop) {
			run_from(h, b, *until);
		}
		/* With models an instruction can take 0 cycles, so time does not tell. */
		if (cl->debugged && cl->debugger->after(h, h->timing || h->now != before))
			break;
	}
	/* The last instruction may have made a counter overflow, and that wakes a hart in WFI. */
	pmu_overflow(h);
}

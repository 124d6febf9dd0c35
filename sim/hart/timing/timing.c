// SPDX-License-Identifier: BSD-2-Clause
/*
 * timing.c - dynamic costs: turns the answers of the models into events and cycles (timing.h).
 */
#include <stdlib.h>
#include <string.h>

#include "cluster.h"
#include "timing.h"
#include "timing_fold.h"
#include "timing_pass.h"

#define CUT 64

/* Every event of event.def that needs the model MEMORY is the enum hierarchy_event of its name. */
#define ROW_NOTHING(NAME)
#define ROW_TLB(NAME)
#define ROW_BPRED(NAME)
#define ROW_COST(NAME)
#define ROW_MEMORY(NAME) [HIERARCHY_##NAME] = EVENT_##NAME,
static const uint8_t event_of[] = {
#define EVENT(NAME, selector, kind, needs, name, text) ROW_##needs(NAME)
#include "event.def"
};
#undef ROW_MEMORY
#define ROW_MEMORY(NAME) +1
enum {
	MEMORY_ROWS = 0
#define EVENT(NAME, selector, kind, needs, name, text) ROW_##needs(NAME)
#include "event.def"
};
_Static_assert(MEMORY_ROWS + 0 == HIERARCHY_EVENTS,
	       "each enum hierarchy_event has a row in event.def");

/* ORDER: timing_stall_event relies on it. */
#define ORDER(NAME)                                                                                \
	_Static_assert(EVENT_##NAME - EVENT_WAIT_LOAD == COST_##NAME, "order of enum cost_stall")
ORDER(WAIT_LOAD);
ORDER(WAIT_INT);
ORDER(WAIT_FP);
ORDER(WAIT_UNIT);
ORDER(WAIT_SERIAL);
ORDER(WAIT_BRANCH);
ORDER(WAIT_FETCH);
ORDER(WAIT_UNCACHED_FETCH);
ORDER(WAIT_ITLB);
ORDER(WAIT_READ);
ORDER(WAIT_WRITE);
ORDER(WAIT_UNCACHED_READ);
ORDER(WAIT_UNCACHED_WRITE);
ORDER(WAIT_DTLB);
ORDER(WAIT_VECTOR);
_Static_assert(COST_WAIT_VECTOR + 1 == COST_STALLS, "each enum cost_stall is asserted above");

enum event timing_memory_event(unsigned e)
{
	return event_of[e];
}

/* Creating and destroying */

static bool create_hart(struct hart *h)
{
	struct cluster *cl = h->cl;

	h->timing = calloc(1, sizeof(*h->timing));
	if (!h->timing)
		return false;
	if (h->vector) {
		h->timing->vectors = calloc(TIMING_VECTORS, sizeof(*h->timing->vectors));
		h->timing->folds = calloc(TIMING_FOLDS, timing_fold_bytes);
		if (!h->timing->vectors || !h->timing->folds)
			return false;
	}
	h->timing->hierarchy = cl->hierarchy;
	h->timing->cost = cl->cost;
	h->divides = cl->cost->config.div_bits;
	h->timing->vunit_config = &cl->shape->vunit;
	h->caches = &cl->hierarchy->hart[h->id];
	h->ram_bias = (uint64_t)cl->ram - RAM_BASE;
	h->fetch_mask = h->caches->l1i.line_mask | FETCH_NONE;
	/* Of no other hart's: block_run.seen. */
	if (!cache_window_attach(&h->caches->l1i, (h->id + 1ull) << 48))
		return false;
	if (!cl->paranoid && !cache_l0_attach(&h->caches->l1d, &h->l0))
		return false;
	h->bpred = &h->timing->bpred;
	return bpred_init(h->bpred, &cl->shape->bpred);
}

bool timing_create(struct cluster *cl)
{
	if (!cl->models)
		return true;
	cl->hierarchy = calloc(1, sizeof(*cl->hierarchy));
	cl->cost = calloc(1, sizeof(*cl->cost));
	if (!cl->hierarchy || !cl->cost ||
	    !hierarchy_init(cl->hierarchy, &cl->shape->hierarchy, cl->harts))
		return false;
	cost_init(cl->cost, &cl->shape->cost);
	cl->states = states_new(cl->cost);
	if (!cl->states)
		return false;
	for (unsigned n = 0; n < cl->harts; n++) {
		if (!create_hart(cl->hart[n]))
			return false;
	}
	return true;
}

void timing_destroy(struct cluster *cl)
{
	for (unsigned n = 0; n < cl->harts; n++) {
		if (!cl->hart[n]->timing)
			continue;
		bpred_free(&cl->hart[n]->timing->bpred);
		free(cl->hart[n]->timing->vectors);
		free(cl->hart[n]->timing->folds);
		free(cl->hart[n]->timing);
	}
	if (cl->hierarchy)
		hierarchy_free(cl->hierarchy);
	free(cl->hierarchy);
	free(cl->cost);
	states_free(cl->states);
}

void timing_reset(struct hart *h)
{
	struct timing *t = h->timing;

	bpred_reset(&t->bpred);
	t->waits = (struct waits){ 0 };
	timing_fold_settle(t);
	t->vunit = (struct vunit){ 0 };
	t->fold = NULL;
	memset(&t->looked, 0, sizeof(t->looked));
	t->state = STATES_EMPTY;
	timing_forget_fetch(h);
	h->retired = h->fetches = 0;
	memset(h->directions, 0, sizeof(h->directions));
	h->branch_cycles = 0;
	h->pending_block = NULL;
}

struct saved {
	uint64_t fetch_at, fetch_pa, past_caches;
};

bool timing_save(const struct hart *h, const struct stream *s)
{
	struct timing *t = h->timing;
	bool fetched = h->fetch_at != FETCH_NONE;
	struct saved saved = { h->fetch_at, fetched ? h->fetch_at + t->fetch_bias : 0,
			       fetched && t->past_caches };
	struct cost_state state;
	struct cost_pipe pipe = t->pipe;

	if (t->state != STATES_NONE)
		states_get(h->cl->states, t->state, &pipe);
	cost_pack(t->cost, &pipe, &state);
	timing_fold_settle(t);
	return stream_write(s, &saved, sizeof(saved)) && cost_save(t->cost, &state, s) &&
	       waits_save(&t->waits, s) && (!h->vector || vunit_save(&t->vunit, s)) &&
	       bpred_save(&t->bpred, s);
}

bool timing_restore(struct hart *h, const struct stream *s)
{
	struct timing *t = h->timing;
	struct cost_state state;
	struct saved saved;

	timing_fold_settle(t);
	t->fold = NULL;
	if (!stream_read(s, &saved, sizeof(saved)) || !cost_restore(t->cost, &state, s) ||
	    !waits_restore(&t->cost->config, &t->waits, h->now, s) ||
	    (h->vector && !vunit_restore(&t->vunit, h->now, s)) || !bpred_restore(&t->bpred, s))
		return false;
	if (saved.past_caches > 1 || saved.fetch_pa & 1 ||
	    (saved.fetch_at != FETCH_NONE && saved.fetch_at & ~h->caches->l1i.line_mask))
		return false;
	h->fetch_at = saved.fetch_at;
	t->fetch_bias = saved.fetch_pa - saved.fetch_at;
	t->past_caches = saved.past_caches;
	t->state = STATES_NONE;
	cost_unpack(t->cost, &state, &t->pipe);
	return true;
}

unsigned timing_cut(const struct cluster *cl)
{
	unsigned line = cl->hierarchy->config.l1i.line;

	return line < CUT ? line : CUT;
}

/* Dynamic costs */

void timing_wait_for(struct hart *h, enum cost_stall why, unsigned cycles)
{
	/* An instruction that waits for a fetch of its own has been delivered. */
	if (cycles && COST_FRONTEND >> why & 1 && !h->run)
		cycles = timing_front_waits(h, COST_FRONT_FETCHES, cycles);
	if (COST_HIDES >> why & 1)
		cycles -= waits_hide(&h->timing->waits, cycles);
	if (!cycles)
		return;
	h->countdown -= cycles;
	pmu_adds(h, timing_stall_event(why), cycles);
	if (listener_hears_events(h->listener, h->run))
		h->listener->adds(h, EVENT_CYCLES, cycles);
	if (h->run && h->countdown <= 0)
		h->stop |= STOP_NOW;
}

void timing_note(struct hart *h, const struct hierarchy_answer *a, uint64_t but)
{
	for (uint64_t left = a->what & ~but; left; left &= left - 1) {
		unsigned e = __builtin_ctzll(left);

		pmu_adds(h, event_of[e], a->count[e]);
	}
}

/* Translation */

void timing_lookup(struct hart *h, enum access access, enum tlb_answer answer)
{
	static const struct {
		uint8_t lookup, miss;
	} second[] = {
		[ACCESS_FETCH] = { EVENT_STLB_FETCH, EVENT_STLB_FETCH_MISS },
		[ACCESS_LOAD] = { EVENT_STLB_READ, EVENT_STLB_READ_MISS },
		[ACCESS_STORE] = { EVENT_STLB_WRITE, EVENT_STLB_WRITE_MISS },
	};
	struct timing *t = h->timing;

	if (access == ACCESS_FETCH)
		pmu_happens(h, EVENT_ITLB);
	else
		t->seen[access == ACCESS_LOAD ? SEEN_DTLB_READ : SEEN_DTLB_WRITE]++;
	if (answer == TLB_HIT || !h->tlb.part[TLB_SECOND].key)
		return;
	pmu_happens(h, second[access].lookup);
	if (answer == TLB_MISS)
		pmu_happens(h, second[access].miss);
	else
		timing_translated(h, access, t->cost->config.second_tlb_cycles);
}

void timing_walk_read(struct hart *h, uint64_t pa)
{
	struct hierarchy_answer a;

	timing_tell(h, HIERARCHY_WALK, pa);
	hierarchy_access(h->timing->hierarchy, h->id, HIERARCHY_WALK, pa,
			 timing_at(h) + h->timing->walk, &a);
	timing_note(h, &a, 0);
	h->timing->walk += a.cycles;
}

void timing_walked(struct hart *h, enum access access)
{
	unsigned cycles = cost_walk(h->timing->cost, h->timing->walk);

	h->timing->walk = 0;
	if (cycles)
		pmu_adds(h, EVENT_WALK_CYCLES, cycles);
	timing_translated(h, access, cycles);
}

/* Fetches */

_Static_assert(BLOCK_LINES <= CACHE_WINDOW, "a window has all lines of a run");

bool timing_l1i_has(struct hart *h, struct block_run *r)
{
	struct cache *l1i = &h->caches->l1i;
	const uint64_t first = r->fetch_line;

	if (h->fetch_changes != l1i->window)
		return false;
	if (r->lines == 1) {
		if (!cache_read_hit(l1i, first) && !cache_near_hit(l1i, first, false))
			return false;
	} else {
		for (unsigned n = 0; n < r->lines; n++) {
			if (!cache_read_hit(l1i, first + n * l1i->config.line))
				return false;
		}
	}
	r->seen = l1i->window[r->fetch_set];
	return true;
}

void timing_forget_fetch(struct hart *h)
{
	h->fetch_at = FETCH_NONE;
	h->timing->fetch_bias = 0; /* as it stays where nothing is translated */
	h->pending_block = NULL;
}

void timing_fence_i(struct hart *h)
{
	hierarchy_fence_i(h->timing->hierarchy, h->id);
	timing_forget_fetch(h);
}

static bool code_paged(const struct hart *h)
{
	return h->mode != PRV_M && h->satp >> 60 != SATP64_MODE_BARE;
}

/*
 * mmu_translate for code.  If the ITLB still has the entry that gave the last translation of the
 * page, and PMP had one answer for all of it, the result is the same.
 */
static bool translate(struct hart *h, uint64_t va, uint64_t *pa, bool *whole)
{
	struct code_page *p = &h->code_page[(va >> PAGE_SHIFT) % CODE_PAGES];

	if (p->va == (va & PAGE_MASK) && p->key == h->fetch_key) {
		tlb_touch(&h->tlb, TLB_I, p->slot);
		pmu_happens(h, EVENT_ITLB);
		*pa = va + p->bias;
		*whole = true;
		h->past_caches = false;
		return true;
	}
	if (!mmu_translate(h, va, 2, ACCESS_FETCH, h->mode, pa, whole))
		return false;
	if (code_paged(h) && *whole && !h->cl->paranoid)
		*p = (struct code_page){ va & PAGE_MASK, h->fetch_key, *pa - va, h->code_slot };
	return true;
}

static void fetch_line(struct hart *h, enum hierarchy_kind kind, uint64_t pa)
{
	struct hierarchy_answer a;

	timing_tell(h, kind, pa);
	hierarchy_access(h->timing->hierarchy, h->id, kind, pa, timing_at(h), &a);
	timing_note(h, &a, HIERARCHY_L1_ACCESSES);
	timing_wait_for(h, cost_memory_stall(kind), a.cycles);
}

static void fetch_at(struct hart *h, uint64_t pa)
{
	if (h->past_caches) {
		fetch_line(h, HIERARCHY_FETCH_UNCACHED, pa);
	} else {
		pmu_happens(h, EVENT_L1I_READ);
		if (!hierarchy_fetch_hit(h->caches, pa))
			fetch_line(h, HIERARCHY_FETCH, pa);
	}
}

void timing_table(struct hart *h, uint64_t pa)
{
	if (h->cl->recorder)
		h->cl->recorder->reached(h, pa, h->past_caches);
	fetch_at(h, pa);
}

bool timing_page_has(struct hart *h, struct block_run *r, uint64_t pc)
{
	struct code_page *p = &h->code_page[(pc >> PAGE_SHIFT) % CODE_PAGES];

	if (h->fetch_same_page_mask == FETCH_ALL || p->va != (pc & PAGE_MASK) ||
	    p->key != h->fetch_key || ((pc + p->bias) ^ r->fetch_line) & PAGE_MASK ||
	    !timing_l1i_has(h, r))
		return false;
	tlb_touch(&h->tlb, TLB_I, p->slot);
	h->timing->fetch_bias = p->bias;
	h->timing->past_caches = false;
	return true;
}

bool timing_fetch(struct hart *h, uint64_t va, uint64_t *pa, bool *whole)
{
	struct timing *t = h->timing;

	if (!((va ^ h->fetch_at) & h->fetch_mask)) {
		*pa = va + t->fetch_bias;
		if (pmp_allows(h, *pa, 2, ACCESS_FETCH, h->mode, whole)) {
			*whole &= !t->past_caches;
			return true;
		}
		h->fault = (struct fault){ CAUSE_FETCH_ACCESS, va };
		return false;
	}
	if (!translate(h, va, pa, whole))
		return false;
	if (!cluster_ram(h->cl, *pa, 2))
		return true;
	fetch_at(h, *pa);
	h->fetch_at = va & h->caches->l1i.line_mask;
	t->fetch_bias = *pa - va;
	t->past_caches = h->past_caches;
	return true;
}

void timing_near_changed(struct hart *h)
{
	const struct event_set *watched = &h->pmu.watched;
	bool paged = code_paged(h);

	h->fetch_same_page_mask = paged ? PAGE_MASK | FETCH_NONE : 0;
	h->fetch_changes = h->caches->l1i.window;
	if (event_set_has(watched, EVENT_L1I_READ) ||
	    (paged && event_set_has(watched, EVENT_ITLB))) {
		h->fetch_same_page_mask = FETCH_ALL;
		/* No block_run.seen is equal to these: each run must call timing_l1i_has. */
		h->fetch_changes += h->caches->l1i.config.sets;
	}
	h->branches_told = listener_hears_runs(h->listener) ? BRANCHES_TALLIED : 0;
	if (h->timing->waits.shadow || event_set_has(watched, EVENT_BAD_DIRECTION) ||
	    event_set_has(watched, EVENT_BAD_TAKEN) || event_set_has(watched, EVENT_WAIT_BRANCH))
		h->branches_told |= BPRED_BAD_TARGET;
}

void timing_told(struct hart *h)
{
	struct timing *t = h->timing;

	if (!t->waits.shadow != !t->looked.shadowed) {
		t->looked.shadowed = t->waits.shadow;
		timing_near_changed(h);
	}
}

/*
 * A line that L1I has, of the page from which the last one was fetched (any page, if there is no
 * translation): the ITLB and PMP would say what they said then, and nothing changes.
 */
static bool fetch_same_page(struct hart *h, uint64_t va, uint64_t pa)
{
	bool paged = code_paged(h);

	if ((paged && (va ^ h->fetch_at) & (PAGE_MASK | FETCH_NONE)) ||
	    !hierarchy_fetch_hit(h->caches, pa))
		return false;
	if (paged)
		pmu_happens(h, EVENT_ITLB);
	pmu_happens(h, EVENT_L1I_READ);
	h->fetch_at = va & h->caches->l1i.line_mask;
	return true;
}

/* Fetches the line of va; a decoded block is at pa. */
static bool fetch_known(struct hart *h, uint64_t va, uint64_t pa)
{
	bool whole;

	return !((va ^ h->fetch_at) & h->fetch_mask) || fetch_same_page(h, va, pa) ||
	       timing_fetch(h, va, &pa, &whole);
}

bool timing_enter(struct hart *h, const struct block *b)
{
	return fetch_known(h, h->pc, b->pa) &&
	       (b->lines == 1 || fetch_known(h, h->pc + 2, b->pa + 2));
}

void timing_left(struct hart *h, const struct block_run *r, uint64_t pc, unsigned n)
{
	uint64_t reached = (pc + r->insn[n + 1].at - 2) & h->fetch_mask;
	uint64_t rest = ((pc + r->last) & h->fetch_mask) - reached;

	timing_pass_cut(h, r, n);
	if (r->lines > 1 && rest) {
		h->fetches -= rest / h->caches->l1i.config.line;
		if (listener_hears_runs(h->listener))
			h->listener->unfetched(h, r, n + 1);
	}
	h->fetch_at = reached;
}

/* Jumps and branches */

void timing_sync(struct hart *h)
{
	uint64_t *total = h->pmu.total[h->mode];

	total[EVENT_BAD_DIRECTION] += h->directions[0][BLOCK_WRONG] + h->directions[1][BLOCK_WRONG];
	total[EVENT_BAD_TAKEN] += h->directions[1][BLOCK_WRONG];
	total[EVENT_WAIT_BRANCH] += h->branch_cycles;
	memset(h->directions, 0, sizeof(h->directions));
	h->branch_cycles = 0;
}

_Static_assert((int)BLOCK_WRONG == (int)BPRED_BAD_DIRECTION, "this answer is the outcome");

enum block_outcome timing_branch(struct hart *h, struct block_run *r, uint64_t pc, bool taken,
				 unsigned wrong)
{
	enum block_outcome outcome = wrong < BLOCK_RARE ? wrong : BLOCK_RARE;
	unsigned cycles;

	h->timing->rare = wrong;
	if (outcome == BLOCK_RARE && (r->rare[taken] != wrong || r->block == h->scratch))
		timing_rare(h, r, taken, wrong);
	cycles = timing_branch_charged(h, wrong, r->way_cycles[taken][outcome]);
	h->pc = pc; /* the events belong to this instruction; the engine sets pc when it returns */
	if (wrong & BPRED_BAD_DIRECTION) {
		pmu_happens(h, EVENT_BAD_DIRECTION);
		if (taken)
			pmu_happens(h, EVENT_BAD_TAKEN);
	}
	if (wrong & BPRED_BAD_TARGET)
		pmu_happens(h, EVENT_BAD_TARGET);
	if (wrong & BPRED_BAD_RETURN)
		pmu_happens(h, EVENT_BAD_RETURN);
	if (wrong & BPRED_BTB_MISS)
		pmu_happens(h, EVENT_BTB_MISS);
	if (cycles) {
		pmu_adds(h, EVENT_WAIT_BRANCH, cycles);
		if (listener_hears_events(h->listener, h->run))
			h->listener->adds(h, EVENT_CYCLES, cycles);
	}
	/* At the end of a block the engine checks the countdown, not h->stop. */
	if (h->stop) {
		h->start -= h->countdown;
		h->countdown = 0;
	}
	return outcome;
}

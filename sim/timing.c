// SPDX-License-Identifier: BSD-2-Clause
/*
 * timing.c - what the answers of the models mean for a hart (timing.h).
 */
#include <stdlib.h>
#include <string.h>

#include "exact.h"
#include "machine.h"
#include "timing.h"

#define CUT 64

/* Events of memory, in the order of enum memory_event, but for two that are counted from code. */
static inline enum event event_of(unsigned e)
{
	if (e == MEMORY_L1D_READ)
		return EVENT_L1D_READ;
	if (e == MEMORY_L1D_WRITE)
		return EVENT_L1D_WRITE;
	return EVENT_L1I_READ + e - (e > MEMORY_L1D_READ) - (e > MEMORY_L1D_WRITE);
}

enum event timing_memory_event(unsigned e)
{
	return event_of(e);
}

/* Making */

static bool create_hart(struct hart *h)
{
	struct machine *m = h->m;

	h->timing = calloc(1, sizeof(*h->timing));
	if (!h->timing)
		return false;
	h->timing->memory = m->memory;
	h->timing->cost = m->cost;
	h->caches = &m->memory->hart[h->id];
	h->ram_bias = (uint64_t)m->ram - RAM_BASE;
	h->fetch_mask = h->caches->l1i.line_mask | FETCH_NONE;
	h->caches->l1i.changes = (h->id + 1ull) << 48; /* of no other hart's: block.seen */
	if (!m->o.paranoid && !cache_filter_attach(&h->caches->l1d, &h->filter))
		return false;
	for (unsigned taken = 0; taken < 2; taken++) {
		for (unsigned wrong = 0; wrong <= BPRED_BAD_DIRECTION; wrong++)
			h->direction_cycles[taken][wrong] = cost_branch(m->cost, taken, wrong);
	}
	h->bpred = &h->timing->bpred;
	return bpred_init(h->bpred, &m->shape->bpred);
}

bool timing_create(struct machine *m)
{
	if (!m->models)
		return true;
	m->memory = calloc(1, sizeof(*m->memory));
	m->cost = calloc(1, sizeof(*m->cost));
	if (!m->memory || !m->cost || !memory_init(m->memory, &m->shape->memory, m->harts))
		return false;
	cost_init(m->cost, &m->shape->cost);
	for (unsigned n = 0; n < m->harts; n++) {
		if (!create_hart(m->hart[n]))
			return false;
	}
	return true;
}

void timing_destroy(struct machine *m)
{
	for (unsigned n = 0; n < m->harts; n++) {
		if (!m->hart[n]->timing)
			continue;
		bpred_free(&m->hart[n]->timing->bpred);
		free(m->hart[n]->timing);
	}
	if (m->memory)
		memory_free(m->memory);
	free(m->memory);
	free(m->cost);
}

uint64_t timing_bytes(const struct machine *m)
{
	if (!m->models)
		return 0;
	return sizeof(*m->shape) + sizeof(*m->memory) + sizeof(*m->cost) + memory_bytes(m->memory) +
	       m->harts * (sizeof(struct timing) + bpred_bytes(m->hart[0]->bpred));
}

void timing_reset(struct hart *h)
{
	struct timing *t = h->timing;

	bpred_reset(&t->bpred);
	t->stores = (struct cost_stores){ 0 };
	t->inside = t->resumed = false;
	timing_forget_fetch(h);
	h->retired = h->fetches = 0;
	memset(h->directions, 0, sizeof(h->directions));
	h->ready = NULL;
}

struct saved {
	uint64_t fetch_at, fetch_pa, inside, past_caches;
};

bool timing_save(const struct hart *h, const struct stream *s)
{
	const struct timing *t = h->timing;
	bool fetched = h->fetch_at != FETCH_NONE;
	struct saved saved = { h->fetch_at, fetched ? h->fetch_at + t->fetch_bias : 0, t->inside,
			       fetched && t->past_caches };
	struct cost_pipe pipe;

	cost_begin(&pipe);
	return stream_write(s, &saved, sizeof(saved)) &&
	       cost_save(t->inside ? &t->pipe : &pipe, &t->stores, s) && bpred_save(&t->bpred, s);
}

bool timing_restore(struct hart *h, const struct stream *s)
{
	struct timing *t = h->timing;
	struct saved saved;

	if (!stream_read(s, &saved, sizeof(saved)) ||
	    !cost_restore(t->cost, &t->pipe, &t->stores, h->now, s) || !bpred_restore(&t->bpred, s))
		return false;
	if (saved.inside > 1 || saved.past_caches > 1 || saved.fetch_pa & 1 ||
	    (saved.fetch_at != FETCH_NONE && saved.fetch_at & ~h->caches->l1i.line_mask))
		return false;
	h->fetch_at = saved.fetch_at;
	t->fetch_bias = saved.fetch_pa - saved.fetch_at;
	t->past_caches = saved.past_caches;
	t->inside = saved.inside;
	return true;
}

unsigned timing_cut(const struct machine *m)
{
	unsigned line = m->memory->config.l1i.line;

	return line < CUT ? line : CUT;
}

/* Dynamic costs */

static void wait_for(struct hart *h, enum cost_stall why, unsigned cycles)
{
	if (!cycles)
		return;
	h->countdown -= cycles;
	pmu_adds(h, EVENT_WAIT_LOAD + why, cycles);
	if (h->exact)
		exact_adds(h, EVENT_CYCLES, cycles);
	if (h->block && h->countdown <= 0)
		h->stop = true;
}

/* The events of an answer but for those that are counted otherwise. */
static void note(struct hart *h, const struct memory_answer *a, uint64_t but)
{
	for (uint64_t left = a->what & ~but; left; left &= left - 1) {
		unsigned e = __builtin_ctzll(left);

		pmu_adds(h, event_of(e), a->count[e]);
	}
}

static void access_line(struct hart *h, enum memory_kind kind, uint64_t pa)
{
	struct timing *t = h->timing;
	struct memory_answer a;
	unsigned cycles;

	memory_access(t->memory, h->id, kind, pa, &a);
	note(h, &a, MEMORY_L1_ACCESSES);
	if (!a.cycles)
		return;
	if (kind == MEMORY_WRITE)
		cycles = cost_store(t->cost, &t->stores, hart_now(h), a.cycles);
	else
		cycles = cost_memory(t->cost, kind, a.cycles);
	wait_for(h, cost_memory_stall(kind), cycles);
}

void timing_soft(struct hart *h, enum memory_kind kind, uint64_t pa)
{
	access_line(h, kind, pa);
}

void timing_open(struct hart *h)
{
	for (unsigned n = 0; n < SEEN_NR; n++)
		h->timing->seen[n] = 0;
}

void timing_close(struct hart *h, const struct insn *i, bool ok)
{
	static const uint8_t event[SEEN_NR] = {
		[SEEN_L1D_READ] = EVENT_L1D_READ,
		[SEEN_L1D_WRITE] = EVENT_L1D_WRITE,
		[SEEN_DTLB_READ] = EVENT_DTLB_READ,
		[SEEN_DTLB_WRITE] = EVENT_DTLB_WRITE,
	};
	uint64_t code = ok ? block_insn_events(i) : 0;

	for (unsigned n = 0; n < SEEN_NR; n++) {
		bool counted = code >> event[n] & 1;
		int64_t more;

		if (n >= SEEN_DTLB_READ && !h->translated)
			counted = false;
		more = h->timing->seen[n] - counted;
		if (!more)
			continue;
		h->pmu.total[h->mode][event[n]] += more;
		if (h->exact)
			exact_adds(h, event[n], more);
		if (h->pmu.armed)
			h->stop = true;
	}
}

void timing_data(struct hart *h, enum memory_kind kind, uint64_t pa, unsigned bytes)
{
	uint64_t line = h->caches->l1d.line_mask, last = pa + bytes - 1;

	if (kind >= MEMORY_FETCH_UNCACHED) {
		access_line(h, kind, pa);
		return;
	}
	for (uint64_t at = pa;; at = (at & line) + ~line + 1) {
		h->timing->seen[kind == MEMORY_READ ? SEEN_L1D_READ : SEEN_L1D_WRITE]++;
		access_line(h, kind, at);
		if ((at & line) == (last & line))
			return;
	}
}

void timing_cbo(struct hart *h, uint64_t pa)
{
	static const uint8_t op[] = {
		[ISA_cbo_inval - ISA_cbo_inval] = MEMORY_CBO_INVAL,
		[ISA_cbo_clean - ISA_cbo_inval] = MEMORY_CBO_CLEAN,
		[ISA_cbo_flush - ISA_cbo_inval] = MEMORY_CBO_FLUSH,
		[ISA_cbo_zero - ISA_cbo_inval] = MEMORY_CBO_ZERO,
	};
	struct timing *t = h->timing;
	struct memory_answer a;
	unsigned cycles;

	memory_cbo(t->memory, h->id, op[h->at->op - ISA_cbo_inval], pa, &a);
	note(h, &a, 1ull << MEMORY_L1D_WRITE);
	if (a.what >> MEMORY_L1D_WRITE & 1)
		t->seen[SEEN_L1D_WRITE] += a.count[MEMORY_L1D_WRITE];
	if (!a.cycles)
		return;
	cycles = cost_store(t->cost, &t->stores, hart_now(h), a.cycles);
	wait_for(h, COST_WAIT_WRITE, cycles);
}

void timing_drain(struct hart *h)
{
	wait_for(h, COST_WAIT_WRITE, cost_drain(&h->timing->stores, hart_now(h)));
}

/* Translation */

void timing_lookup(struct hart *h, enum access access, enum tlb_answer answer)
{
	static const uint8_t second[] = {
		[ACCESS_FETCH] = EVENT_STLB_FETCH,
		[ACCESS_LOAD] = EVENT_STLB_READ,
		[ACCESS_STORE] = EVENT_STLB_WRITE,
	};
	struct timing *t = h->timing;

	if (access == ACCESS_FETCH)
		pmu_happens(h, EVENT_ITLB);
	else
		t->seen[access == ACCESS_LOAD ? SEEN_DTLB_READ : SEEN_DTLB_WRITE]++;
	if (answer == TLB_HIT || !h->tlb.part[TLB_SECOND].key)
		return;
	pmu_happens(h, second[access]);
	if (answer == TLB_MISS)
		pmu_happens(h, second[access] + 1);
	else
		wait_for(h, access == ACCESS_FETCH ? COST_WAIT_ITLB : COST_WAIT_DTLB,
			 t->cost->config.second_tlb_cycles);
}

void timing_walk_read(struct hart *h, uint64_t pa)
{
	struct memory_answer a;

	memory_access(h->timing->memory, h->id, MEMORY_WALK, pa, &a);
	note(h, &a, 0);
	h->timing->walk += a.cycles;
}

void timing_walked(struct hart *h, enum access access)
{
	unsigned cycles = cost_walk(h->timing->cost, h->timing->walk);

	h->timing->walk = 0;
	if (cycles)
		pmu_adds(h, EVENT_WALK_CYCLES, cycles);
	wait_for(h, access == ACCESS_FETCH ? COST_WAIT_ITLB : COST_WAIT_DTLB, cycles);
}

/* Fetches */

/* No block has seen so many changes of L1I. */
static const uint64_t fetch_always = UINT64_MAX;

bool timing_l1i_has(struct hart *h, struct block *b)
{
	const struct cache *l1i = &h->caches->l1i;

	if (h->fetch_changes != &l1i->changes)
		return false;
	for (unsigned n = 0; n < b->lines; n++) {
		if (!cache_read_hit(l1i, b->fetch_line + n * l1i->config.line))
			return false;
	}
	b->seen = l1i->changes;
	return true;
}

void timing_forget_fetch(struct hart *h)
{
	h->fetch_at = FETCH_NONE;
	h->timing->fetch_bias = 0; /* as it stays where nothing is translated */
	h->ready = NULL;
}

void timing_fence_i(struct hart *h)
{
	memory_fence_i(h->timing->memory, h->id);
	timing_forget_fetch(h);
}

static bool code_paged(const struct hart *h)
{
	return h->mode != PRV_M && h->satp >> 60 != SATP64_MODE_BARE;
}

/*
 * mmu_translate of code.  Where the ITLB still has the entry by which a page was found, and PMP said
 * the same of all of it, they say it again.
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
	if (code_paged(h) && *whole && !h->m->o.paranoid)
		*p = (struct code_page){ va & PAGE_MASK, h->fetch_key, *pa - va, h->code_slot };
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
	if (!machine_ram(h->m, *pa, 2))
		return true;
	if (h->past_caches) {
		access_line(h, MEMORY_FETCH_UNCACHED, *pa);
	} else {
		pmu_happens(h, EVENT_L1I_READ);
		if (!memory_fetch_hit(h->caches, *pa))
			access_line(h, MEMORY_FETCH, *pa);
	}
	h->fetch_at = va & h->caches->l1i.line_mask;
	t->fetch_bias = *pa - va;
	t->past_caches = h->past_caches;
	return true;
}

void timing_near_changed(struct hart *h)
{
	const struct event_set *watched = &h->pmu.watched;
	bool paged = code_paged(h);

	h->fetch_near = paged ? PAGE_MASK | FETCH_NONE : 0;
	h->fetch_changes = &h->caches->l1i.changes;
	if (h->exact || event_set_has(watched, EVENT_L1I_READ) ||
	    (paged && event_set_has(watched, EVENT_ITLB))) {
		h->fetch_near = FETCH_ALL;
		h->fetch_changes = &fetch_always;
	}
	h->branches_told = 0;
	if (h->exact || event_set_has(watched, EVENT_BAD_DIRECTION) ||
	    event_set_has(watched, EVENT_BAD_TAKEN) || event_set_has(watched, EVENT_WAIT_BRANCH))
		h->branches_told = BPRED_BAD_TARGET;
}

/*
 * A line that L1I has, of the page from which the last one was fetched (any page, if there is no
 * translation): the ITLB and PMP would say what they said then, and nothing changes.
 */
static bool fetch_near(struct hart *h, uint64_t va, uint64_t pa)
{
	bool paged = code_paged(h);

	if ((paged && (va ^ h->fetch_at) & (PAGE_MASK | FETCH_NONE)) ||
	    !memory_fetch_hit(h->caches, pa))
		return false;
	if (paged)
		pmu_happens(h, EVENT_ITLB);
	pmu_happens(h, EVENT_L1I_READ);
	h->fetch_at = va & h->caches->l1i.line_mask;
	return true;
}

/* The line of va, where code that is known stands at pa. */
static bool fetch_known(struct hart *h, uint64_t va, uint64_t pa)
{
	bool whole;

	return !((va ^ h->fetch_at) & h->fetch_mask) || fetch_near(h, va, pa) ||
	       timing_fetch(h, va, &pa, &whole);
}

bool timing_enter(struct hart *h, const struct block *b)
{
	return fetch_known(h, h->pc, b->pa) &&
	       (b->lines == 1 || fetch_known(h, h->pc + 2, b->pa + 2));
}

void timing_left(struct hart *h, const struct block *b, uint64_t pc, unsigned n)
{
	uint64_t reached = (pc + b->insn[n + 1].at - 2) & h->fetch_mask;

	if (b->lines > 1)
		h->fetches -= (((pc + b->last) & h->fetch_mask) - reached) /
			      h->caches->l1i.config.line;
	h->fetch_at = reached;
}

/* Transfers */

static bool is_link(unsigned reg)
{
	return reg == 1 || reg == 5;
}

enum bpred_kind timing_jump_kind(const struct insn *i)
{
	bool links = is_link(i->rd), returns = is_link(i->rs1);

	if (i->op == ISA_jal)
		return links ? BPRED_CALL : BPRED_JUMP;
	if (!returns)
		return links ? BPRED_INDIRECT_CALL : BPRED_INDIRECT;
	if (!links)
		return BPRED_RETURN;
	return i->rd == i->rs1 ? BPRED_INDIRECT_CALL : BPRED_SWAP;
}

void timing_sync(struct hart *h)
{
	uint64_t *total = h->pmu.total[h->mode];

	for (unsigned taken = 0; taken < 2; taken++) {
		const uint64_t *n = h->directions[taken];
		const uint16_t *cycles = h->direction_cycles[taken];

		total[EVENT_BAD_DIRECTION] += n[true];
		total[EVENT_BAD_TAKEN] += taken ? n[true] : 0;
		total[EVENT_WAIT_BRANCH] += n[false] * cycles[false] + n[true] * cycles[true];
	}
	memset(h->directions, 0, sizeof(h->directions));
}

void timing_branch(struct hart *h, uint64_t pc, bool taken, unsigned wrong)
{
	h->pc = pc; /* whose these events are; the engine sets it anew when it leaves */
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
	wait_for(h, COST_WAIT_BRANCH, cost_branch(h->timing->cost, taken, wrong));
	/* The block is at its end: it is the countdown that makes the engine leave. */
	if (h->stop) {
		h->start -= h->countdown;
		h->countdown = 0;
	}
}

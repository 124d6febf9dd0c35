// SPDX-License-Identifier: BSD-2-Clause
/*
 * pmu.c - counters: selection, filters, values and overflow (pmu.h).
 *
 * An instruction that writes a counter or its configuration is counted with the old configuration;
 * the new one counts from the next instruction on (Priv 1.13 §3.1.10).  csr_instruction in
 * engine_body.h keeps this order.
 *
 * Implements: Priv 1.13 §3.1.10-3.1.12, Sscofpmf 1.0, Smcntrpmf 1.0.
 */
#include "cluster.h"
#include "decode.h"
#include "hart.h"
#include "native.h"
#include "tally.h"
#include "timing.h"
#include "trace.h"

#define NEVER UINT64_MAX

/* Filter bits that exist without the hypervisor extension. */
#define FILTERS (MHPMEVENT_MINH | MHPMEVENT_SINH | MHPMEVENT_UINH)

static bool is_programmable(unsigned ctr)
{
	return ctr >= COUNTER_HPM_FIRST;
}

/* OF and the mode filters of mhpmevent are Sscofpmf's.  Without it a counter just wraps. */
static bool overflow_tells(const struct hart *h)
{
	return cluster_has(h->cl, ISA_EXT_SSCOFPMF);
}

static uint64_t value_mask(const struct hart *h, unsigned ctr)
{
	unsigned width = is_programmable(ctr) ? h->cl->pmu.width : 64;

	return width == 64 ? UINT64_MAX : (1ull << width) - 1;
}

bool pmu_exists(const struct hart *h, unsigned ctr)
{
	return ctr == COUNTER_CY || ctr == COUNTER_IR || (h->cl->pmu.counters >> ctr & 1);
}

/* The sum of the totals of the counter's events in the counter's modes. */
static uint64_t sum_settled(const struct hart *h, const struct counter *c)
{
	uint64_t n = 0;

	for (unsigned e = event_set_next(&c->set, 0); e < EVENT_NR;
	     e = event_set_next(&c->set, e + 1)) {
		for (unsigned mode = 0; mode < 4; mode++) {
			if (c->modes & 1 << mode)
				n += h->pmu.total[mode][e];
		}
	}
	return n;
}

static uint64_t sum(struct hart *h, const struct counter *c)
{
	if (c->tallied)
		tally_settle(h);
	return sum_settled(h, c);
}

void pmu_settle(struct hart *h, unsigned ctr)
{
	if (h->pmu.ctr[ctr].tallied)
		tally_settle(h);
}

uint64_t pmu_read(const struct hart *h, unsigned ctr)
{
	const struct counter *c = &h->pmu.ctr[ctr];

	return (c->base + sum_settled(h, c)) & value_mask(h, ctr);
}

static bool is_static_stall(unsigned e)
{
	return e >= EVENT_WAIT_LOAD && e < timing_stall_event(COST_STATIC_STALLS);
}

/* Updates stalls and watched for the events of one counter; returns its CODE and EDGE events. */
static uint64_t refresh_counter(struct pmu *p, const struct counter *c)
{
	uint64_t code = 0;

	for (unsigned e = event_set_next(&c->set, 0); e < EVENT_NR;
	     e = event_set_next(&c->set, e + 1)) {
		switch ((enum event_kind)event_table[e].kind) {
		case EVENT_KIND_CODE:
		case EVENT_KIND_EDGE:
			code |= 1ull << e;
			break;
		case EVENT_KIND_RARE:
		case EVENT_KIND_CYCLE:
			p->elements |= e >= EVENT_VECTOR_ELEMENT && e <= EVENT_VECTOR_LANE;
			if (is_static_stall(e))
				p->stalls = true;
			else if (c->target != NEVER)
				event_set_add(&p->watched, e);
			break;
		case EVENT_KIND_TIME:
			break;
		}
	}
	return code;
}

/* All CODE and EDGE events whose models are on. */
static uint64_t all_code(const struct hart *h)
{
	uint64_t code = 0;

	for (unsigned e = EVENT_CONTROL; e < EVENT_CODE_NR; e++) {
		if (!(event_table[e].needs & ~h->cl->models))
			code |= 1ull << e;
	}
	return code;
}

void pmu_key_changed(struct hart *h)
{
	struct tally_key *key = &h->keys[h->mode][h->translated];

	*key = (struct tally_key){ h, h->mode, h->translated };
	h->key = h->listener ? TALLY_ASK : key;
}

void pmu_translation_changed(struct hart *h)
{
	struct pmu *p = &h->pmu;

	p->code_now = p->code_set & ~(h->translated ? 0 : EVENTS_TRANSLATED);
	h->counts_code = p->code_now || p->stalls || h->listener || h->cl->recorder;
	h->counts_elements = p->elements || p->all || h->listener || h->cl->recorder;
	p->listens = h->listener || !event_set_empty(&p->watched);
	pmu_key_changed(h);
	if (h->counts_code && h->cl->native)
		native_counts(h->cl->native, h->listener);
	if (h->timing)
		timing_near_changed(h);
}

/* After any change of a counter: computes again which events must be added up and watched. */
static void refresh(struct hart *h)
{
	struct pmu *p = &h->pmu;
	uint64_t code = p->all ? all_code(h) : 0;

	tally_settle(h); /* for what has been counted until now */
	p->stalls = p->all && h->timing;
	p->elements = false;
	p->watched = (struct event_set){ 0 };
	p->armed = 0;
	for (unsigned ctr = 0; ctr < COUNTERS; ctr++) {
		const struct counter *c = &p->ctr[ctr];

		if (!c->modes)
			continue;
		code |= refresh_counter(p, c);
		if (c->target != NEVER)
			p->armed |= 1u << ctr;
	}
	p->code_set = code;
	for (p->code_all = 0; code; code &= code - 1)
		p->code[p->code_all++] = __builtin_ctzll(code);
	p->code_plain = p->code_all;
	while (p->code_plain && EVENTS_TRANSLATED >> p->code[p->code_plain - 1] & 1)
		p->code_plain--;
	pmu_translation_changed(h);
	h->stop = true;
}

/* Sets the value of a counter; its modes and target then follow from its configuration. */
static void go_on(struct hart *h, unsigned ctr, uint64_t value)
{
	struct counter *c = &h->pmu.ctr[ctr];
	uint64_t mask = value_mask(h, ctr), left;

	c->modes = 1 << PRV_U | 1 << PRV_S | 1 << PRV_M;
	if (c->config & MHPMEVENT_MINH)
		c->modes &= ~(1 << PRV_M);
	if (c->config & MHPMEVENT_SINH)
		c->modes &= ~(1 << PRV_S);
	if (c->config & MHPMEVENT_UINH)
		c->modes &= ~(1 << PRV_U);
	if (h->pmu.inhibit & 1u << ctr)
		c->modes = 0;
	c->base = value - sum(h, c);
	c->target = NEVER;
	if (overflow_tells(h) && is_programmable(ctr) && !event_set_empty(&c->set) &&
	    !(c->config & MHPMEVENT_OF)) {
		/* How many until it wraps.  0 stands for 2^64 (a 64-bit counter at 0): never. */
		left = (mask - (value & mask)) + 1;
		if (left && left < NEVER - sum(h, c))
			c->target = sum(h, c) + left;
	}
}

static void log_counter(struct hart *h, unsigned ctr)
{
	if (h->cl->trace & TRACE_PMU)
		trace_pmu(h, ctr, pmu_read(h, ctr));
}

void pmu_write(struct hart *h, unsigned ctr, uint64_t value)
{
	go_on(h, ctr, value);
	refresh(h);
	log_counter(h, ctr);
}

/* Makes the counter count the events in set. */
static void take_set(struct counter *c, const struct event_set *set)
{
	c->set = *set;
	c->code = 0;
	c->time = 0;
	c->edge = c->tallied = false;
	for (unsigned e = event_set_next(set, 0); e < EVENT_CODE_NR;
	     e = event_set_next(set, e + 1)) {
		if (event_table[e].kind == EVENT_KIND_CODE)
			c->code |= 1ull << e;
		else if (event_table[e].kind == EVENT_KIND_TIME)
			c->time++;
		else
			c->edge = true;
	}
	c->tallied = c->code || c->edge;
	for (unsigned n = 0; n < COST_STATIC_STALLS; n++)
		c->tallied |= event_set_has(set, timing_stall_event(n));
	/* A branch is either taken or not taken: it adds one EDGE event at most. */
	c->most = c->time + __builtin_popcountll(c->code) + c->edge;
}

static void take_event(struct counter *c, unsigned e)
{
	struct event_set set = { 0 };

	event_set_add(&set, e);
	take_set(c, &set);
}

/* The events of this selector on counter ctr; those of models that are off do not happen. */
static bool select_events(const struct hart *h, unsigned ctr, uint64_t selector,
			  struct event_set *set)
{
	bool known = selector_events(&h->cl->pmu, h->cl->known_models, ctr, selector, set);

	if (event_set_needs(set) & ~h->cl->models)
		*set = (struct event_set){ 0 };
	return known;
}

void pmu_write_config(struct hart *h, unsigned ctr, uint64_t config)
{
	struct counter *c = &h->pmu.ctr[ctr];
	uint64_t value;

	tally_settle(h);
	value = pmu_read(h, ctr);

	if (is_programmable(ctr)) {
		uint64_t selector = config & MHPMEVENT_EVENT;
		struct event_set set;

		c->config = overflow_tells(h) ? config & (MHPMEVENT_OF | FILTERS) : 0;
		/* A selector that this counter does not support becomes 0, which counts nothing. */
		if (select_events(h, ctr, selector, &set))
			c->config |= selector;
		take_set(c, &set);
	} else {
		c->config = config & FILTERS;
	}
	go_on(h, ctr, value);
	refresh(h);
	log_counter(h, ctr);
}

void pmu_write_inhibit(struct hart *h, uint32_t inhibit)
{
	uint32_t changed = inhibit ^ h->pmu.inhibit;

	/* The instruction that writes has been counted already, and may have caused an overflow. */
	pmu_overflow(h);
	for (unsigned ctr = 0; ctr < COUNTERS; ctr++) {
		uint64_t value;

		if (!(changed & 1u << ctr) || !pmu_exists(h, ctr))
			continue;
		pmu_settle(h, ctr);
		value = pmu_read(h, ctr);
		h->pmu.inhibit ^= 1u << ctr;
		go_on(h, ctr, value);
		log_counter(h, ctr);
	}
	refresh(h);
}

void pmu_count_all(struct hart *h)
{
	h->pmu.all = true;
	refresh(h);
}

void pmu_reset(struct hart *h)
{
	bool all = h->pmu.all;

	tally_settle(h);
	h->pmu = (struct pmu){ .all = all };
	for (unsigned ctr = 0; ctr < COUNTERS; ctr++)
		h->pmu.ctr[ctr] = (struct counter){ .target = NEVER };
	take_event(&h->pmu.ctr[COUNTER_CY], EVENT_CYCLES);
	take_event(&h->pmu.ctr[COUNTER_IR], EVENT_INSTRUCTIONS);
	for (unsigned ctr = 0; ctr < COUNTERS; ctr++)
		go_on(h, ctr, 0);
	refresh(h);
}

/* Computes a counter's set from its configuration.  False: the configuration is not possible. */
static bool counter_restored(struct hart *h, unsigned ctr)
{
	const uint8_t every = 1 << PRV_U | 1 << PRV_S | 1 << PRV_M;
	struct counter *c = &h->pmu.ctr[ctr];
	uint64_t selector = c->config & MHPMEVENT_EVENT;
	struct event_set set = { 0 };

	if (c->modes & ~every)
		return false;
	if (!pmu_exists(h, ctr) && (c->config || c->target != NEVER))
		return false;
	if (ctr == COUNTER_CY || ctr == COUNTER_IR) {
		take_event(c, ctr == COUNTER_CY ? EVENT_CYCLES : EVENT_INSTRUCTIONS);
		return true;
	}
	if (selector && !select_events(h, ctr, selector, &set))
		return false;
	take_set(c, &set);
	return overflow_tells(h) || (c->config == selector && c->target == NEVER);
}

bool pmu_restored(struct hart *h)
{
	for (unsigned ctr = 0; ctr < COUNTERS; ctr++) {
		if (!counter_restored(h, ctr))
			return false;
	}
	refresh(h);
	return true;
}

uint64_t pmu_left(struct hart *h, unsigned ctr)
{
	const struct counter *c = &h->pmu.ctr[ctr];
	uint64_t now = sum(h, c);

	return now < c->target ? c->target - now : 0;
}

/*
 * How many instructions of b may run up to and including the one at which counter c overflows.  If
 * it is all of b, *further is how many instructions from b's beginning cannot make c overflow,
 * whatever code follows b.
 */
static unsigned counter_limit(struct hart *h, const struct counter *c, const struct block *b,
			      uint64_t *further)
{
	uint64_t left = c->target - sum(h, c), n = (uint64_t)c->time * b->nr;

	*further = UINT64_MAX;
	if (!c->most)
		return b->nr;
	for (uint64_t code = c->code; code; code &= code - 1)
		n += b->count[__builtin_ctzll(code)];
	*further = b->nr;
	if (n >= left)
		return block_find(b, c->code, c->time, left);
	/*
	 * Whether an EDGE event happens is known only after the last instruction: assume it does.
	 */
	n += c->edge && b->branches;
	*further += (left - n) / c->most;
	return b->nr;
}

unsigned pmu_limit(struct hart *h, const struct block *b, uint64_t limit, uint64_t *further)
{
	unsigned nr = limit < b->nr ? limit : b->nr;

	*further = limit;
	for (uint32_t left = h->pmu.armed; left; left &= left - 1) {
		const struct counter *c = &h->pmu.ctr[__builtin_ctz(left)];
		uint64_t more;
		unsigned n;

		if (!(c->modes & 1 << h->mode))
			continue;
		n = counter_limit(h, c, b, &more);
		nr = n < nr ? n : nr;
		*further = more < *further ? more : *further;
	}
	return nr;
}

void pmu_overflow(struct hart *h)
{
	for (uint32_t left = h->pmu.armed; left; left &= left - 1) {
		unsigned ctr = __builtin_ctz(left);
		struct counter *c = &h->pmu.ctr[ctr];

		if (sum(h, c) < c->target)
			continue;
		c->target = NEVER;
		c->config |= MHPMEVENT_OF;
		h->mip_soft |= MIP_LCOFIP;
		refresh(h);
		log_counter(h, ctr);
	}
}

void pmu_add_run(struct hart *h, struct block_run *r, bool taken, uint64_t target)
{
	const struct insn *last = &r->insn[r->nr - 1];

	if (h->cl->recorder && r->branches)
		h->cl->recorder->branched(h, taken);
	if (r->block == h->scratch)
		tally_once(h, r, taken);
	else
		r->ways[taken]++;
	if (decode_goes_anywhere(last->op) || (last->op == ISA_jal && h->listener &&
					       decode_is_heard(last, target, h->listener->targets)))
		pmu_jumped(h, r, target);
}

void pmu_jumped(struct hart *h, const struct block_run *r, uint64_t target)
{
	if (h->listener)
		h->listener->jumped(h, r, target);
}

void pmu_add_part(struct hart *h, const struct block_run *r, unsigned from, unsigned to)
{
	uint64_t *total = h->pmu.total[h->mode];

	if (listener_hears_runs(h->listener))
		h->listener->part(h, r, from, to);
	for (unsigned i = from; h->pmu.code_now && i < to; i++) {
		uint64_t events = block_insn_events(&r->insn[i]) & h->pmu.code_now;

		for (; events; events &= events - 1)
			total[__builtin_ctzll(events)]++;
	}
}

void pmu_tell(struct hart *h, enum event e, uint64_t n)
{
	if (listener_hears_events(h->listener, h->run))
		h->listener->adds(h, e, n);
	if (event_set_has(&h->pmu.watched, e))
		h->stop = true;
}

uint32_t pmu_overflowed(const struct hart *h)
{
	uint32_t bits = 0;

	for (unsigned ctr = COUNTER_HPM_FIRST; ctr < COUNTERS; ctr++) {
		if (h->pmu.ctr[ctr].config & MHPMEVENT_OF)
			bits |= 1u << ctr;
	}
	return bits;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * timing_data.c - loads and stores: what the cache hierarchy answers, what waits for it
 * (model/pipeline/waits.h), and which events and cycles that is (timing.h).
 *
 *	a load misses		access_line: its register waits; h->stop = STOP_LOOK
 *	the engine looks	at each instruction before it runs (engine_body.h, look):
 *				timing_look
 *	an instruction needs	the register: it waits for the rest of the time; a profile hears
 *				which load it was
 *
 * The time of an access is the cycle in which its instruction issues.
 */
#include "cluster.h"
#include "pipeline.h"
#include "timing.h"
#include "timing_fold.h"
#include "timing_pass.h"
#include "timing_vector.h"

static const struct cost_config *config_of(const struct hart *h)
{
	return &h->timing->cost->config;
}

static bool out_of_order(const struct hart *h)
{
	return config_of(h)->order == COST_OUT_OF_ORDER;
}

/* Out of order: when the current instruction retires in the time of the pipeline. */
static uint64_t pipe_time(const struct hart *h)
{
	return timing_behind_now(h) - h->timing->waits.shadow;
}

uint64_t timing_at(const struct hart *h)
{
	unsigned class;
	uint64_t at;

	if (!h->run)
		return hart_now(h) - h->timing->waits.shadow;
	if (!out_of_order(h) || timing_op_of(h->at)->vector)
		return timing_issue(h);
	class = h->timing->loads ? COST_LOAD : timing_op_of(h->at)->class;
	at = pipe_time(h) - config_of(h)->latency[class];
	return at > h->timing->looked.address ? at : h->timing->looked.address;
}

/* Nothing else waits for the translation of an address that is late itself. */
void timing_translated(struct hart *h, enum access access, unsigned cycles)
{
	uint64_t *address = &h->timing->looked.address;

	if (h->run && access == ACCESS_LOAD && *address) {
		*address += cycles;
		h->timing->looked.translates = cycles || h->timing->looked.translates;
		return;
	}
	timing_wait_for(h, access == ACCESS_FETCH ? COST_WAIT_ITLB : COST_WAIT_DTLB, cycles);
}

/* Waiting for a line that is read */

/* What the current instruction waits for, if its line comes as the answer says. */
static struct wait wait_of(struct hart *h, uint64_t now, const struct hierarchy_answer *a)
{
	void *load = h->listener ? h->listener->here(h) : NULL;

	return (struct wait){ .until = now + a->cycles, .load = load, .from = a->from };
}

/* Charges the cycles to the current instruction, and reports them for the load, too. */
static void wait_read(struct hart *h, const struct wait *w, uint64_t cycles)
{
	static const enum event from[HIERARCHY_PLACES] = {
		[HIERARCHY_FROM_L2] = EVENT_WAIT_READ_L2,
		[HIERARCHY_FROM_LL] = EVENT_WAIT_READ_LL,
		[HIERARCHY_FROM_MEMORY] = EVENT_WAIT_READ_MEMORY,
	};
	enum event e;

	if (!cycles)
		return;
	if (w->from >= WAITS_DIVISION) {
		timing_wait_for(h, w->from == WAITS_DIVIDER ? COST_WAIT_UNIT : COST_WAIT_INT,
				cycles);
		return;
	}
	e = from[w->from];
	timing_wait_for(h, COST_WAIT_READ, cycles);
	h->pmu.total[h->mode][e] += cycles;
	if (event_set_has(&h->pmu.watched, e))
		h->stop |= STOP_NOW;
	if (h->listener)
		h->listener->credits(h, w->load, e, cycles);
}

/* Out of order */

/* The pipeline stands until a time. */
static void stand(struct hart *h, uint64_t until)
{
	struct waits *w = &h->timing->waits;
	uint64_t now = timing_behind_now(h);

	if (until > now - w->shadow)
		w->shadow = until < now ? now - until : 0;
}

/* Adds (sign 1) or subtracts (-1) the hidden part of the instruction's static cost. */
static void add_hidden(struct hart *h, int sign)
{
	const struct cost_sum *hidden = &h->timing->looked.hidden;

	h->start -= sign * (int64_t)hidden->cycles;
	h->timing->waits.shadow -= sign * (int64_t)hidden->cycles;
	for (unsigned n = 0; n < COST_STATIC_STALLS; n++) {
		uint64_t cycles = -(uint64_t)(sign * (int64_t)hidden->stall[n]);

		if (!cycles)
			continue;
		if (h->pmu.stalls)
			h->pmu.total[h->mode][timing_stall_event(n)] += cycles;
		if (listener_hears_events(h->listener, h->run))
			h->listener->adds(h, timing_stall_event(n), cycles);
	}
	if (listener_hears_events(h->listener, h->run))
		h->listener->adds(h, EVENT_CYCLES, -(uint64_t)(sign * (int64_t)hidden->cycles));
}

/* Hides so many static cycles of the current instruction. */
static void hide_static(struct hart *h, unsigned cycles)
{
	struct cost_sum *hidden = &h->timing->looked.hidden;

	*hidden = (struct cost_sum){ .cycles = cycles };
	if (!cycles)
		return;
	if (h->pmu.stalls || h->listener) {
		timing_stalls_of(h, h->run, h->at - h->run->insn, hidden->stall);
		timing_hide_stalls(hidden);
	}
	add_hidden(h, 1);
}

/* The current instruction completes at a time, because of what it waits for. */
static void completes(struct hart *h, const struct wait *wait, uint64_t at)
{
	uint64_t now = timing_behind_now(h);

	if (at <= now)
		return;
	wait_read(h, wait, at - now);
	h->timing->waits.shadow += at - now;
}

/* The registers that the current instruction reads and writes. */
static struct timing_regs regs_now(const struct hart *h)
{
	const struct timing_regs *all = h->run->block->regs;
	struct timing_regs regs;

	if (timing_op_of(h->at)->several)
		return timing_micro_regs(h->at);
	regs = all ? all[h->at - h->run->insn] : timing_regs_of(h->at);
	regs.reads &= ~TIMING_REGS_NONE;
	regs.writes &= ~TIMING_REGS_NONE;
	return regs;
}

/*
 * The current instruction executes at time `at` of the pipeline, or waits for this: for a load that
 * meets a store, for the data of that, too.  It would issue at time issues.
 */
static void meet_stores(struct hart *h, const struct timing_regs *regs, uint64_t at,
			uint64_t issues, struct wait *mine)
{
	const struct cost_config *config = config_of(h);
	struct waits *w = &h->timing->waits;
	struct cost_insn c = timing_insn(h->at);
	struct wait store;

	if (w->late_stores) {
		store = waits_forwards(config, w, &c);
		if (store.until > mine->until && store.until > issues)
			*mine = store;
	}
	waits_executes(config, w, &c, regs->writes | (1ull << c.other & ~1ull), at);
}

/* Each instruction in the shadow: hides its static cost, and finds out when it has its operands. */
static void look_ahead(struct hart *h)
{
	unsigned class = timing_op_of(h->at)->class;
	struct timing_regs regs;
	struct timing *t = h->timing;
	struct waits *w = &t->waits;
	const struct cost_config *config = config_of(h);
	unsigned n = h->at - h->run->insn, unit = pipeline_unit[class];
	unsigned cost = h->run->before[n + 1] - h->run->before[n];
	uint64_t latency = config->latency[class], at, issues;
	struct wait mine;

	w->number++;
	t->looked.at = n;
	t->looked.address = t->looked.late = 0;
	t->looked.translates = false;
	t->looked.hidden = (struct cost_sum){ 0 };
	if (unit == COST_UNIT_SYSTEM || class == COST_AMO || timing_op_of(h->at)->vector) {
		stand(h, UINT64_MAX);
		waits_settle(w, timing_behind_now(h));
		waits_forget_stores(w);
		timing_told(h);
		return;
	}
	stand(h, waits_window(config, w, pipe_time(h) - cost) + cost);
	at = pipe_time(h);
	issues = at - latency;
	waits_settle(w, issues);
	regs = regs_now(h);
	mine.until = 0;
	if (w->registers & regs.reads || unit == COST_UNIT_DIV)
		mine = waits_last(w, regs.reads, unit == COST_UNIT_DIV);
	if (w->late_stores || class == COST_STORE)
		meet_stores(h, &regs, at, issues, &mine);
	if (mine.until) {
		issues = mine.until;
		stand(h, waits_queue(config, w, unit, at - latency, issues) + latency);
	}
	hide_static(h, cost < w->shadow ? cost : w->shadow);
	w->registers &= ~regs.writes;
	if (mine.until) {
		t->looked.address = issues;
		t->looked.late = issues + latency > pipe_time(h) ? issues + latency - pipe_time(h)
								 : 0;
		mine.until += latency;
		completes(h, &mine, mine.until);
		for (uint64_t left = t->looked.late ? regs.writes : 0; left; left &= left - 1)
			waits_for(w, __builtin_ctzll(left), &mine);
	}
	timing_told(h);
}

/* The register that the current load fills. */
static unsigned loaded(const struct hart *h)
{
	return h->timing->loads ? h->timing->loads : timing_rd(h->at);
}

/* Out of order: the current load, which accesses memory at time `at`, gets its line. */
static void read_ahead(struct hart *h, uint64_t at, const struct hierarchy_answer *a)
{
	struct waits *w = &h->timing->waits;
	const struct cost_config *config = config_of(h);
	struct wait wait = wait_of(h, at, a), first;
	unsigned reg = loaded(h);
	uint64_t pipe = pipe_time(h);

	wait.until += config->latency[COST_LOAD];
	wait.number = w->number;
	if (config->loads)
		stand(h, pipe + waits_load(config, w, pipe, &wait, &first));
	completes(h, &wait, wait.until);
	if (reg != COST_NO_REG && wait.until > pipe_time(h))
		waits_for(w, reg, &wait);
	timing_told(h);
	if (w->shadow)
		h->stop |= STOP_LOOK;
}

unsigned timing_branch_charged(struct hart *h, unsigned wrong, unsigned cycles)
{
	struct waits *w = &h->timing->waits;
	bool resolves = wrong & ~(unsigned)BPRED_BTB_MISS;
	uint64_t late = resolves ? h->timing->looked.late : 0;
	unsigned recovery = resolves ? config_of(h)->recovery_cycles : 0, hidden;

	if (!w->shadow)
		return cycles;
	w->shadow -= late < w->shadow ? late : w->shadow;
	/* The last of them follow the retirement, which is now: the pipeline has caught up. */
	hidden = waits_hide(w, recovery < cycles ? cycles - recovery : 0);
	if (recovery)
		w->shadow = 0;
	h->start -= hidden; /* the engine subtracts all of them from the countdown */
	timing_told(h);
	return cycles - hidden;
}

void timing_looked_only(struct hart *h, const struct block_run *r, unsigned nr)
{
	if (!h->timing->looked.hidden.cycles || h->timing->looked.at != nr) {
		h->timing->looked.hidden.cycles = 0;
		return;
	}
	h->run = r;
	h->at = &r->insn[nr];
	add_hidden(h, -1);
	h->run = NULL;
}

void timing_stands(struct hart *h)
{
	h->timing->waits.shadow = 0;
	timing_told(h);
}

void timing_look_again(struct hart *h)
{
	if (h->timing->looked.hidden.cycles)
		add_hidden(h, 1);
	h->timing->looked.held = timing_looks(h);
}

/* After the last instruction of a block no other look follows: the engine leaves there. */
static void stop_at_end(struct hart *h)
{
	if (h->stop & STOP_NOW && h->at - h->run->insn == h->run->nr - 1) {
		h->start -= h->countdown;
		h->countdown = 0;
	}
}

/* In order: waits for the registers that the current instruction needs, and for the divider. */
static void look_in_order(struct hart *h)
{
	struct timing_regs regs = regs_now(h);
	bool divides = pipeline_unit[timing_op_of(h->at)->class] == COST_UNIT_DIV;
	struct waits *w = &h->timing->waits;
	uint64_t now = timing_issue(h);
	struct wait last;

	waits_settle(w, now);
	if (!(w->registers & (regs.reads | regs.writes)) && !divides)
		return;
	last = waits_last(w, regs.reads | regs.writes, divides);
	if (!last.until)
		return;
	wait_read(h, &last, last.until - now);
	waits_settle(w, last.until);
}

bool timing_look(struct hart *h, struct block_run *r, const struct insn *i)
{
	struct waits *w = &h->timing->waits;

	if (!waits_any(w)) {
		timing_looks(h);
		return false;
	}
	if (h->timing->looked.held) {
		h->timing->looked.held = false;
		return true;
	}
	if (out_of_order(h) && (h->pmu.stalls || h->listener))
		timing_know_stalls(h, r);
	if (out_of_order(h) && timing_pass(h, r, i)) {
		timing_told(h);
		return true;
	}
	h->run = r;
	h->at = i;
	if (out_of_order(h))
		look_ahead(h);
	else
		look_in_order(h);
	stop_at_end(h);
	h->run = NULL;
	return true;
}

/* In order; out of order the clock has moved to the time at which the load retires. */
void timing_returns(struct hart *h)
{
	struct waits *w = &h->timing->waits;
	uint64_t now = timing_issue(h), latency = config_of(h)->latency[COST_LOAD], line;
	const struct wait *wait;

	if (out_of_order(h))
		return;
	waits_settle(w, now);
	wait = waits_longest(w, 1ull << isa_saved(0));
	if (!wait)
		return;
	/* Its static cost has the latency of a load already. */
	line = wait->until - latency;
	w->registers &= ~(1ull << isa_saved(0));
	if (line > now)
		wait_read(h, wait, line - now);
}

/* Divisions */

/*
 * Out of order: the current division takes so many cycles more than the latency of its class.
 * wait->until becomes the time until which its register waits, or 0.
 */
static void divide_ahead(struct hart *h, struct wait *wait, unsigned class, unsigned more)
{
	const struct cost_config *config = config_of(h);
	uint64_t issues = pipe_time(h) - config->latency[class];

	if (!more && !h->timing->looked.address)
		return;
	if (h->timing->looked.address > issues)
		issues = h->timing->looked.address;
	wait->until = issues + config->latency[class] + more;
	waits_divides(&h->timing->waits, issues + config->busy[class] + more);
	completes(h, wait, wait->until);
	if (wait->until <= pipe_time(h))
		wait->until = 0;
	timing_told(h);
}

/*
 * In order: if only one instruction of this run waits for the current division, waits now.  Until
 * then nothing asks for the time, or can stop the hart.  False: the engine must look.
 */
static bool waits_at_once(struct hart *h, const struct wait *wait, unsigned rd)
{
	const struct insn *i = h->at, *needs = NULL;
	uint64_t cycles;

	if (rd != COST_NO_REG && !waits_any(&h->timing->waits) &&
	    event_set_empty(&h->pmu.watched) && !h->cl->debugged && !h->guarded)
		needs = timing_first_need(h->run, i, rd);
	if (!needs)
		return false;
	h->at = needs;
	cycles = wait->until > timing_issue(h) ? wait->until - timing_issue(h) : 0;
	if (h->countdown > (int64_t)cycles) {
		wait_read(h, wait, cycles);
		return true;
	}
	h->at = i;
	return false;
}

void timing_divides(struct hart *h, const struct block_run *r, const struct insn *i)
{
	const struct cost_config *config = config_of(h);
	unsigned class = timing_op_of(i)->class, rd = timing_rd(i), more = timing_division(h, i);
	struct wait wait = { .from = WAITS_DIVISION };
	struct waits *w = &h->timing->waits;

	h->run = r;
	h->at = i;
	if (h->cl->recorder)
		h->cl->recorder->divides(h, h->x[i->rs1], h->x[i->rs2]);
	if (out_of_order(h)) {
		divide_ahead(h, &wait, class, more);
	} else if (more) {
		wait.until = timing_issue(h) + config->latency[class] + more;
		if (waits_at_once(h, &wait, rd))
			wait.until = 0;
		else
			waits_divides(w, wait.until - config->latency[class] + config->busy[class]);
	}
	if (wait.until && rd != COST_NO_REG)
		waits_for(w, rd, &wait);
	if (waits_any(w))
		h->stop |= STOP_LOOK;
	h->run = NULL;
}

bool timing_looks(struct hart *h)
{
	const struct waits *w = &h->timing->waits;

	if (waits_any(w))
		return true;
	waits_forget_stores(&h->timing->waits);
	h->timing->looked.hidden.cycles = 0;
	h->timing->looked.address = h->timing->looked.late = 0;
	h->timing->looked.translates = false;
	h->timing->looked.held = false;
	timing_told(h);
	return false;
}

/* In order: the current load gets its line after so many cycles. */
static void read_in_order(struct hart *h, uint64_t now, const struct hierarchy_answer *a)
{
	struct waits *w = &h->timing->waits;
	const struct cost_config *config = config_of(h);
	struct wait wait = wait_of(h, now, a), first = { 0 };
	unsigned reg = loaded(h);

	if (!config->loads) {
		wait_read(h, &wait, a->cycles);
		return;
	}
	wait_read(h, &first, waits_load(config, w, now, &wait, &first));
	if (reg == COST_NO_REG)
		return;
	wait.until += config->latency[COST_LOAD];
	waits_for(w, reg, &wait);
	h->stop |= STOP_LOOK;
}

/* The registers of a vector load get a line after so many cycles. */
static void read_vector(struct hart *h, uint64_t now, const struct hierarchy_answer *a)
{
	struct timing *t = h->timing;
	const struct cost_config *config = config_of(h);
	struct wait wait = wait_of(h, now, a), first = { 0 };

	wait.number = t->waits.number;
	if (!config->loads) {
		wait_read(h, &wait, a->cycles);
		return;
	}
	wait_read(h, &first, waits_load(config, &t->waits, now, &wait, &first));
	wait.until += t->vunit_config->latency[VUNIT_LOAD];
	vunit_waits_for(&t->vunit, t->vector, &wait);
}

/*
 * The current vector instruction waits for its registers and its unit.  Returns when it executes,
 * if it does not wait for lines of its own.
 */
static inline uint64_t vector_waits(struct hart *h)
{
	struct timing *t = h->timing;
	uint64_t at = timing_issue(h), from;
	const struct wait *line = vunit_waits(&t->vunit, t->vector, at);

	if (__builtin_expect(t->lates, 0))
		timing_fold_settle(t);
	if (line) {
		at = line->until;
		wait_read(h, line, at - timing_issue(h));
	}
	from = vunit_earliest(&t->vunit, t->vector);
	if (from <= at)
		return at;
	timing_vector_waits(h, from - at);
	return from;
}

/* It executes at a time. */
static inline void vector_done(struct hart *h, uint64_t at)
{
	struct timing *t = h->timing;

	vunit_execute(&t->vunit, t->vector, at);
	t->fold = NULL;
}

static inline uint64_t vector_accesses(struct hart *h, const struct vector_memory *m)
{
	unsigned from = h->vector->vstart;

	h->timing->vector = timing_vector_accessing(h, m);
	if (h->cl->recorder)
		h->cl->recorder->vectored(h, true, from < m->nr ? m->nr - from : 0, 0);
	return vector_waits(h);
}

void timing_vector_accesses(struct hart *h, const struct vector_memory *m)
{
	vector_accesses(h, m);
}

void timing_vector_done(struct hart *h)
{
	vector_done(h, timing_issue(h));
}

static inline void vector_lines(struct hart *h, bool store, unsigned nr)
{
	uint64_t *total = h->pmu.total[h->mode];

	pmu_adds(h, EVENT_VECTOR_LINE, nr);
	total[store ? EVENT_L1D_WRITE : EVENT_L1D_READ] += nr;
	if (h->translated)
		total[store ? EVENT_DTLB_WRITE : EVENT_DTLB_READ] += nr;
	if (h->pmu.armed)
		h->stop = true;
}

void timing_vector_lines(struct hart *h, bool store, unsigned nr)
{
	vector_lines(h, store, nr);
}

void timing_vector_hits(struct hart *h, const struct vector_memory *m, unsigned nr)
{
	uint64_t at = vector_accesses(h, m);

	vector_lines(h, m->store, nr);
	vector_done(h, at);
}

void timing_vector_computes(struct hart *h)
{
	h->timing->vector = timing_vector_computing(h);
	vector_done(h, vector_waits(h));
}

static void access_line(struct hart *h, enum hierarchy_kind kind, uint64_t pa)
{
	struct timing *t = h->timing;
	struct hierarchy_answer a;
	struct wait wait;
	uint64_t at;
	bool later = kind == HIERARCHY_READ && t->looked.translates;

	if (kind == HIERARCHY_READ)
		h->caches->pc = h->run->block->pa + h->at->at;
	else if (kind != HIERARCHY_WRITE)
		stand(h, UINT64_MAX);
	at = kind == HIERARCHY_READ || !out_of_order(h) ? timing_at(h) : timing_behind_now(h);
	timing_tell(h, kind, pa);
	hierarchy_access(t->hierarchy, h->id, kind, pa, at, &a);
	timing_note(h, &a, HIERARCHY_L1_ACCESSES);
	/* The store buffer has the data for the read, and an entry with which the write goes. */
	if ((!a.cycles && !later) ||
	    (a.written && (kind == HIERARCHY_READ || kind == HIERARCHY_WRITE)))
		return;
	switch (kind) {
	case HIERARCHY_READ:
		if (timing_op_of(h->at)->vector)
			read_vector(h, at, &a);
		else if (out_of_order(h))
			read_ahead(h, at, &a);
		else
			read_in_order(h, at, &a);
		break;
	case HIERARCHY_ATOMIC:
		wait = wait_of(h, at, &a);
		wait_read(h, &wait, a.cycles);
		break;
	case HIERARCHY_WRITE:
		timing_wait_for(h, COST_WAIT_WRITE,
				waits_store(config_of(h), &t->waits, at, a.cycles));
		break;
	default:
		timing_wait_for(h, cost_memory_stall(kind), a.cycles);
	}
}

void timing_soft(struct hart *h, enum hierarchy_kind kind, uint64_t pa)
{
	timing_pass_cut(h, h->run, h->at - h->run->insn);
	access_line(h, kind, pa);
}

void timing_open(struct hart *h)
{
	timing_pass_cut(h, h->run, h->at - h->run->insn);
	for (unsigned n = 0; n < SEEN_NR; n++)
		h->timing->seen[n] = 0;
	h->timing->loads = 0;
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

	h->timing->loads = 0;
	for (unsigned n = 0; n < SEEN_NR; n++) {
		bool counted = code >> event[n] & 1;
		int64_t more;

		if (n >= SEEN_DTLB_READ && !h->translated)
			counted = false;
		more = h->timing->seen[n] - counted;
		if (!more)
			continue;
		h->pmu.total[h->mode][event[n]] += more;
		if (listener_hears_events(h->listener, h->run))
			h->listener->adds(h, event[n], more);
		if (h->pmu.armed)
			h->stop = true;
	}
}

void timing_data(struct hart *h, enum hierarchy_kind kind, uint64_t pa, unsigned bytes)
{
	uint64_t line = h->caches->l1d.line_mask, last = pa + bytes - 1;

	if (h->cl->recorder)
		h->cl->recorder->reached(h, pa, kind >= HIERARCHY_FETCH_UNCACHED);
	if (kind >= HIERARCHY_FETCH_UNCACHED) {
		access_line(h, kind, pa);
		return;
	}
	for (uint64_t at = pa;; at = (at & line) + ~line + 1) {
		h->timing->seen[kind == HIERARCHY_READ ? SEEN_L1D_READ : SEEN_L1D_WRITE]++;
		access_line(h, kind, at);
		if ((at & line) == (last & line))
			return;
	}
}

void timing_cbo(struct hart *h, uint64_t pa)
{
	static const uint8_t op[] = {
		[ISA_cbo_inval - ISA_cbo_inval] = HIERARCHY_CBO_INVAL,
		[ISA_cbo_clean - ISA_cbo_inval] = HIERARCHY_CBO_CLEAN,
		[ISA_cbo_flush - ISA_cbo_inval] = HIERARCHY_CBO_FLUSH,
		[ISA_cbo_zero - ISA_cbo_inval] = HIERARCHY_CBO_ZERO,
	};
	struct timing *t = h->timing;
	struct hierarchy_answer a;
	uint64_t now = out_of_order(h) ? timing_behind_now(h) : timing_issue(h);

	if (h->cl->recorder)
		h->cl->recorder->reached(h, pa, false);
	timing_tell(h, HIERARCHY_WRITE, pa);
	hierarchy_cbo(t->hierarchy, h->id, op[h->at->op - ISA_cbo_inval], pa, now, &a);
	timing_note(h, &a, 1ull << HIERARCHY_L1D_WRITE);
	if (a.what >> HIERARCHY_L1D_WRITE & 1)
		t->seen[SEEN_L1D_WRITE] += a.count[HIERARCHY_L1D_WRITE];
	timing_wait_for(h, COST_WAIT_WRITE, waits_store(config_of(h), &t->waits, now, a.cycles));
}

void timing_drain(struct hart *h)
{
	struct waits *w = &h->timing->waits;
	uint64_t now = out_of_order(h) ? timing_behind_now(h) : timing_issue(h), cycles;
	struct wait last;

	cycles = waits_drain_loads(w, now, &last);
	wait_read(h, &last, cycles);
	timing_wait_for(h, COST_WAIT_WRITE, waits_drain_stores(w, now + cycles));
}

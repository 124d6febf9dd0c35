// SPDX-License-Identifier: BSD-2-Clause
/*
 * timing_data.c - loads and stores: what the cache hierarchy answers, what waits for it
 * (model/waits.h), and which events and cycles that is (timing.h).
 *
 *	a load misses		access_line: its register waits; h->stop = STOP_LOOK
 *	the engine looks	at each instruction before it runs (engine_body.h, look): timing_look
 *	an instruction needs	the register: it waits for the rest of the time, and the load is told
 *
 * The time of an access is the cycle in which its instruction issues.
 */
#include "cluster.h"
#include "timing.h"

static const struct cost_config *config_of(const struct hart *h)
{
	return &h->timing->cost->config;
}

/* The cycle in which the current instruction, h->at in h->run, issues. */
static uint64_t issue_time(const struct hart *h)
{
	const struct block_run *r = h->run;
	unsigned n = h->at - r->insn + 1;
	uint64_t end = h->now + (h->start - h->countdown);

	return end - (n < r->nr ? r->cycles - r->before[n] : 0) - 1;
}

/* Waiting for a line that is read */

/* What the current instruction waits for, if its line comes as the answer says. */
static struct wait wait_of(struct hart *h, uint64_t now, const struct hierarchy_answer *a)
{
	void *load = h->listener ? h->listener->here(h) : NULL;

	return (struct wait){ .until = now + a->cycles, .load = load, .from = a->from };
}

/* The cycles of a wait belong to the current instruction, and are told of its load, too. */
static void wait_read(struct hart *h, const struct wait *w, uint64_t cycles)
{
	enum event e = EVENT_WAIT_READ_L2 + w->from;

	if (!cycles)
		return;
	timing_wait_for(h, COST_WAIT_READ, cycles);
	h->pmu.total[h->mode][e] += cycles;
	if (event_set_has(&h->pmu.watched, e))
		h->stop |= STOP_NOW;
	if (h->listener)
		h->listener->credits(h, w->load, e, cycles);
}

/* The last instruction of a block cannot be followed by another look: the engine leaves behind it. */
static void stop_at_end(struct hart *h)
{
	if (h->stop & STOP_NOW && h->at - h->run->insn == h->run->nr - 1) {
		h->start -= h->countdown;
		h->countdown = 0;
	}
}

bool timing_look(struct hart *h, const struct block_run *r, const struct insn *i)
{
	struct waits *w = &h->timing->waits;
	struct cost_insn c = timing_insn(i);
	const struct wait *wait;
	uint64_t now;

	h->run = r;
	h->at = i;
	now = issue_time(h);
	waits_settle(w, now);
	wait = waits_longest(w, 1ull << c.rd | 1ull << c.rs1 | 1ull << c.rs2 | 1ull << c.rs3);
	if (wait) {
		uint64_t until = wait->until;

		wait_read(h, wait, until - now);
		waits_settle(w, until);
		stop_at_end(h);
	}
	h->run = NULL;
	return w->registers;
}

bool timing_looks(const struct hart *h)
{
	return h->timing->waits.registers;
}

/* The current load gets its line after so many cycles. */
static void read_misses(struct hart *h, uint64_t now, const struct hierarchy_answer *a)
{
	struct waits *w = &h->timing->waits;
	const struct cost_config *config = config_of(h);
	struct wait wait = wait_of(h, now, a), first = wait;
	unsigned reg = timing_insn(h->at).rd;

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

static void access_line(struct hart *h, enum hierarchy_kind kind, uint64_t pa)
{
	struct timing *t = h->timing;
	struct hierarchy_answer a;
	struct wait wait;
	uint64_t now = issue_time(h);

	if (kind == HIERARCHY_READ)
		h->caches->pc = h->run->block->pa + h->at->at;
	hierarchy_access(t->hierarchy, h->id, kind, pa, now, &a);
	timing_note(h, &a, HIERARCHY_L1_ACCESSES);
	if (!a.cycles)
		return;
	switch (kind) {
	case HIERARCHY_READ:
		read_misses(h, now, &a);
		break;
	case HIERARCHY_ATOMIC:
		wait = wait_of(h, now, &a);
		wait_read(h, &wait, a.cycles);
		break;
	case HIERARCHY_WRITE:
		timing_wait_for(h, COST_WAIT_WRITE,
				waits_store(config_of(h), &t->waits, now, a.cycles));
		break;
	default:
		timing_wait_for(h, cost_memory_stall(kind), a.cycles);
	}
}

void timing_soft(struct hart *h, enum hierarchy_kind kind, uint64_t pa)
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
		if (h->listener)
			h->listener->adds(h, event[n], more);
		if (h->pmu.armed)
			h->stop = true;
	}
}

void timing_data(struct hart *h, enum hierarchy_kind kind, uint64_t pa, unsigned bytes)
{
	uint64_t line = h->caches->l1d.line_mask, last = pa + bytes - 1;

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
	uint64_t now = issue_time(h);

	hierarchy_cbo(t->hierarchy, h->id, op[h->at->op - ISA_cbo_inval], pa, now, &a);
	timing_note(h, &a, 1ull << HIERARCHY_L1D_WRITE);
	if (a.what >> HIERARCHY_L1D_WRITE & 1)
		t->seen[SEEN_L1D_WRITE] += a.count[HIERARCHY_L1D_WRITE];
	timing_wait_for(h, COST_WAIT_WRITE, waits_store(config_of(h), &t->waits, now, a.cycles));
}

void timing_drain(struct hart *h)
{
	struct waits *w = &h->timing->waits;
	uint64_t now = issue_time(h), cycles;
	struct wait last;

	cycles = waits_drain_loads(w, now, &last);
	wait_read(h, &last, cycles);
	timing_wait_for(h, COST_WAIT_WRITE, waits_drain_stores(w, now + cycles));
}

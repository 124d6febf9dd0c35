// SPDX-License-Identifier: BSD-2-Clause
/*
 * window.c - a pipeline in which instructions issue out of order (cost.h).
 *
 * One pass in the order of the program; no instruction changes the times of an older one:
 *
 *	dispatch	in order, up to width instructions in a cycle; waits for room in the
 *			window and in the queue of its unit
 *	issue		in the first cycle from dispatch on in which its operands are ready and
 *			its unit is free: registers are renamed, so that nothing waits for an older
 *			reader or writer of a register
 *	completion	latency cycles after issue; of a load of bytes that a store has written
 *			whose data is late, not before forward_cycles after that data.  The pipeline
 *			knows no addresses: a store and a load meet if they add offsets to one
 *			register, which has not been written since, but by an addition of a constant
 *	retirement	in order: with or after the older ones, any number in a cycle
 *
 * Completion is at most COST_AHEAD cycles after dispatch: otherwise the dispatch waits.  So all
 * that is in flight fits into words of 64 bits, and a window of width * COST_AHEAD never fills.
 *
 * The clock is the time of retirement; an instruction costs the cycles by which it moves the clock.
 * When these cycles begin, all older instructions have completed, so its operands are ready.  It
 * retires in the last of the cycles.  In those before, it is in its unit, which counts as a wait
 * for its result, or it waits until the unit is free.
 */
#include <stddef.h>
#include <string.h>

#include "pipeline.h"

bool window_check(const struct cost_config *config, struct model_error *why)
{
	if (!model_in_range(why, "forward_cycles", config->forward_cycles, 0, COST_AHEAD))
		return false;
	for (unsigned n = 0; n < COST_UNITS; n++) {
		if (!model_in_range(why, "queues", config->queues[n], 1, UINT8_MAX))
			return false;
	}
	return model_in_range(why, "window", config->window, 1, COST_WINDOW_MAX);
}

static bool keeps(const struct cost *c, unsigned unit)
{
	return c->keeps >> unit & 1;
}

void window_init(struct cost *c)
{
	const struct cost_config *config = &c->config;
	unsigned words = 0;

	for (unsigned n = 0; n < COST_CLASSES; n++)
		c->keeps |= (config->busy[n] > 1) << pipeline_unit[n];
	c->fills = config->window < config->width * COST_AHEAD;
	for (unsigned n = 0; n < COST_UNIT_SYSTEM; n++)
		words += config->units[n] * (1 + keeps(c, n));
	if (c->fills)
		words += sizeof(((struct cost_window *)0)->retiring) / sizeof(uint64_t);
	c->state_bytes = offsetof(struct cost_state, out.word) + words * sizeof(uint64_t);
}

/* The words in which instructions of a unit issue.  If none keeps it, these are the taken ones. */
static uint64_t *starts(const struct cost *c, struct cost_window *w, unsigned unit)
{
	return keeps(c, unit) ? w->starts[unit] : w->taken[unit];
}

static void shift(uint64_t word[], unsigned nr, uint32_t cycles)
{
	for (unsigned n = 0; n < nr; n++)
		word[n] = cycles > COST_AHEAD ? 0 : word[n] >> cycles;
}

static void retire_until(struct cost_window *w, uint32_t cycles)
{
	const unsigned all = sizeof(w->retiring);
	unsigned over = cycles < all ? cycles : all;

	/* What retires in a cycle makes room in that cycle, so the first one is over, too. */
	for (unsigned n = 0; n < all && n <= cycles; n++) {
		w->inside -= w->retiring[n];
		w->retiring[n] = 0;
	}
	memmove(w->retiring, w->retiring + over, all - over);
	memset(w->retiring + all - over, 0, over);
}

/* Moves the dispatch on to a later cycle. */
static void advance(const struct cost *c, struct cost_pipe *p, uint32_t to)
{
	struct cost_window *w = &p->window;
	uint32_t cycles = to - p->cycle;

	for (unsigned n = 0; n < COST_UNIT_SYSTEM; n++) {
		shift(w->taken[n], c->config.units[n], cycles);
		if (keeps(c, n))
			shift(w->starts[n], c->config.units[n], cycles);
	}
	if (c->fills)
		retire_until(w, cycles);
	p->cycle = to;
	p->issued = 0;
}

/* How many instructions wait for the unit, which issue after this cycle. */
static unsigned waiting(const struct cost *c, struct cost_window *w, unsigned unit)
{
	const uint64_t *word = starts(c, w, unit);
	unsigned nr = 0;

	for (unsigned n = 0; n < c->config.units[unit]; n++)
		nr += __builtin_popcountll(word[n] & ~1ull);
	return nr;
}

/* Moves the dispatch on to a cycle in which there is room for another instruction of the unit. */
static void find_room(const struct cost *c, struct cost_pipe *p, unsigned unit)
{
	struct cost_window *w = &p->window;
	unsigned n;

	if (p->issued == c->config.width)
		advance(c, p, p->cycle + 1);
	while (c->fills && w->inside >= c->config.window) {
		for (n = 1; !w->retiring[n]; n++)
			;
		advance(c, p, p->cycle + n);
	}
	while (waiting(c, w, unit) >= c->config.queues[unit])
		advance(c, p, p->cycle + __builtin_ctzll(*starts(c, w, unit) & ~1ull));
}

/* The first cycle, `from` cycles after dispatch or later, from which on the unit is free. */
static uint32_t first_free(const struct cost *c, const struct cost_window *w, unsigned unit,
			   unsigned from, unsigned busy)
{
	uint64_t full = w->taken[unit][c->config.units[unit] - 1], blocked = 0;

	for (unsigned n = 0; n < busy && full >> n; n++)
		blocked |= full >> n;
	return from + __builtin_ctzll(~blocked >> from);
}

/* Takes one of these cycles of the unit, in the first word in which it is free. */
static void take(uint64_t word[], unsigned nr, uint64_t cycles)
{
	for (unsigned n = 0; n < nr && cycles; n++) {
		uint64_t both = word[n] & cycles;

		word[n] |= cycles;
		cycles = both;
	}
}

static uint32_t later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Adds the cycles by which an instruction that is done then moves retirement on. */
static void retire(struct cost_pipe *p, uint32_t done, enum cost_stall cause, uint32_t unit_waits,
		   struct cost_sum *sum)
{
	struct cost_window *w = &p->window;
	uint32_t cycles = done > w->retired ? done - w->retired : 0, stalls = cycles - (cycles > 0);

	if (unit_waits > stalls)
		unit_waits = stalls;
	sum->cycles += cycles;
	sum->stall[COST_WAIT_UNIT] += unit_waits;
	sum->stall[cause] += stalls - unit_waits;
	w->retired += cycles;
}

/* Stores whose data is late */

/* Forgets those that no load can meet any more before their data is there for it. */
static void forget_stores(const struct cost *c, struct cost_pipe *p)
{
	struct cost_window *w = &p->window;
	uint32_t hit = p->cycle + c->config.latency[COST_LOAD];
	unsigned nr = 0;

	for (unsigned n = 0; n < w->stores; n++) {
		if (w->there[n] <= hit)
			continue;
		w->operand[nr] = w->operand[n];
		w->there[nr++] = w->there[n];
	}
	w->stores = nr;
}

static void remove_store(struct cost_window *w, unsigned n)
{
	w->stores--;
	memmove(w->operand + n, w->operand + n + 1, (w->stores - n) * sizeof(*w->operand));
	memmove(w->there + n, w->there + n + 1, (w->stores - n) * sizeof(*w->there));
}

/* A store, which has been dispatched: the older ones of its bytes are over. */
static void remember_store(const struct cost *c, struct cost_pipe *p, const struct cost_insn *i)
{
	struct cost_window *w = &p->window;

	for (unsigned n = w->stores; n--;) {
		if (cost_is_at(&w->operand[n], i))
			remove_store(w, n);
	}
	if (p->ready[i->rs2] <= p->cycle)
		return;
	forget_stores(c, p);
	if (w->stores == COST_OPERANDS)
		remove_store(w, 0);
	w->operand[w->stores] = (struct cost_operand){ i->offset, i->rs1, i->bytes };
	w->there[w->stores++] = p->ready[i->rs2] + c->config.forward_cycles;
}

/* When a load has the data of the youngest store that it meets; 0: it meets none. */
static uint32_t forwarded(const struct cost_window *w, const struct cost_insn *i)
{
	for (unsigned n = w->stores; n--;) {
		if (cost_is_at(&w->operand[n], i))
			return w->there[n];
	}
	return 0;
}

static void write_registers(struct cost_pipe *p, const struct cost_insn *i, uint32_t ready)
{
	struct cost_window *w = &p->window;
	uint64_t writes = (1ull << i->rd | 1ull << i->other) & ~1ull;

	for (unsigned n = w->stores; n--;) {
		if (!cost_moves(&w->operand[n], i, writes))
			remove_store(w, n);
	}
	if (i->rd != COST_NO_REG)
		p->ready[i->rd] = ready;
}

/* A system instruction waits until all before has retired; nothing else is in flight with it. */
static void serial(const struct cost *c, struct cost_pipe *p, const struct cost_insn *i,
		   struct cost_sum *sum)
{
	struct cost_window *w = &p->window;
	uint32_t done = w->retired + later(c->config.latency[i->class], c->config.busy[i->class]);

	retire(p, done, COST_WAIT_SERIAL, 0, sum);
	advance(c, p, done);
	write_registers(p, i, done);
}

void window_step(const struct cost *c, struct cost_pipe *p, const struct cost_insn *i,
		 struct cost_sum *sum)
{
	struct cost_window *w = &p->window;
	unsigned unit = pipeline_unit[i->class], latency = c->config.latency[i->class];
	unsigned busy = c->config.busy[i->class];
	uint32_t from, at, done;

	w->resolved = 0;
	if (unit == COST_UNIT_SYSTEM) {
		serial(c, p, i, sum);
		return;
	}
	find_room(c, p, unit);
	from = later(later(p->ready[i->rs1], p->ready[i->rs2]), p->ready[i->rs3]);
	from = later(from, p->cycle);
	at = p->cycle + first_free(c, w, unit, from - p->cycle, busy);
	if (at + later(latency, busy) > p->cycle + COST_AHEAD)
		advance(c, p, at + later(latency, busy) - COST_AHEAD);
	take(w->taken[unit], c->config.units[unit], ((1ull << busy) - 1) << (at - p->cycle));
	if (keeps(c, unit))
		take(w->starts[unit], c->config.units[unit], 1ull << (at - p->cycle));
	p->issued++;
	done = at + latency;
	if (i->bytes && c->config.forward_cycles) {
		if (i->class == COST_STORE)
			remember_store(c, p, i);
		else
			done = later(done, forwarded(w, i));
		if (done > p->cycle + COST_AHEAD)
			advance(c, p, done - COST_AHEAD);
	}
	write_registers(p, i, done);
	if (i->class == COST_BRANCH)
		w->resolved = done;
	retire(p, done, pipeline_cause(i), at - from, sum);
	if (c->fills) {
		w->retiring[w->retired - p->cycle]++;
		w->inside++;
	}
}

unsigned window_wait(const struct cost *c, struct cost_pipe *p, enum cost_front why,
		     unsigned cycles)
{
	struct cost_window *w = &p->window;
	uint32_t from = p->cycle + (p->issued != 0), charged = 0;

	if (why == COST_FRONT_RESOLVES)
		from = later(from, w->resolved);
	else if (why == COST_FRONT_TRAPS)
		from = w->retired;
	w->resolved = 0;
	if (why == COST_FRONT_GOES_ON)
		return 0;
	from += cycles;
	if (why == COST_FRONT_RESOLVES && c->config.recovery_cycles)
		from = later(from, w->retired + c->config.recovery_cycles);
	if (from > p->cycle)
		advance(c, p, from);
	if (p->cycle > w->retired) {
		charged = p->cycle - w->retired;
		w->retired = p->cycle;
	}
	return charged;
}

/* The words of a state, which also are those of the pipeline. */
static unsigned words(const struct cost *c, struct cost_window *w, uint64_t *word[])
{
	unsigned nr = 0;

	for (unsigned n = 0; n < COST_UNIT_SYSTEM; n++) {
		for (unsigned k = 0; k < c->config.units[n]; k++)
			word[nr++] = &w->taken[n][k];
		for (unsigned k = 0; keeps(c, n) && k < c->config.units[n]; k++)
			word[nr++] = &w->starts[n][k];
	}
	return nr;
}

static uint32_t left(uint32_t at, uint32_t now)
{
	return at > now ? at - now : 0;
}

void window_pack(const struct cost *c, const struct cost_pipe *p, struct cost_state *s)
{
	struct cost_pipe now = *p;
	uint64_t *word[COST_STATE_WORDS];
	unsigned nr;

	if (now.issued == c->config.width)
		advance(c, &now, now.cycle + 1);
	for (unsigned n = 0; n < COST_UNIT_SYSTEM; n++) {
		for (unsigned k = 0; keeps(c, n) && k < c->config.units[n]; k++)
			now.window.starts[n][k] &= ~1ull;
	}
	memset(s, 0, c->state_bytes);
	s->out.issued = now.issued;
	s->out.lag = now.window.retired - now.cycle;
	s->out.resolved = left(now.window.resolved, now.cycle);
	for (unsigned n = 0; n < COST_REGS; n++)
		s->out.ready[n] = left(now.ready[n], now.cycle);
	forget_stores(c, &now);
	s->out.stores = now.window.stores;
	for (unsigned n = 0; n < now.window.stores; n++) {
		s->out.operand[n].offset = now.window.operand[n].offset;
		s->out.operand[n].base = now.window.operand[n].base;
		s->out.operand[n].bytes = now.window.operand[n].bytes;
		s->out.there[n] = now.window.there[n] - now.cycle;
	}
	nr = words(c, &now.window, word);
	for (unsigned n = 0; n < nr; n++)
		s->out.word[n] = *word[n];
	if (c->fills)
		memcpy(s->out.word + nr, now.window.retiring, sizeof(now.window.retiring));
}

void window_unpack(const struct cost *c, const struct cost_state *s, struct cost_pipe *p)
{
	struct cost_window *w = &p->window;
	uint64_t *word[COST_STATE_WORDS];
	unsigned nr = words(c, w, word);

	p->cycle = 0;
	p->issued = s->out.issued;
	for (unsigned n = 0; n < COST_REGS; n++)
		p->ready[n] = s->out.ready[n];
	w->retired = s->out.lag;
	w->resolved = s->out.resolved;
	w->stores = s->out.stores;
	memcpy(w->operand, s->out.operand, sizeof(w->operand));
	for (unsigned n = 0; n < COST_OPERANDS; n++)
		w->there[n] = s->out.there[n];
	for (unsigned n = 0; n < nr; n++)
		*word[n] = s->out.word[n];
	w->inside = 0;
	if (!c->fills)
		return;
	memcpy(w->retiring, s->out.word + nr, sizeof(w->retiring));
	for (unsigned n = 0; n < sizeof(w->retiring); n++)
		w->inside += w->retiring[n];
}

/* Whether each word's set bits are a subset of the word before it. */
static bool nested(const uint64_t word[], unsigned nr)
{
	for (unsigned n = 1; n < nr; n++) {
		if (word[n] & ~word[n - 1])
			return false;
	}
	return !(*word >> COST_AHEAD);
}

static bool units_possible(const struct cost *c, struct cost_window *w)
{
	for (unsigned n = 0; n < COST_UNIT_SYSTEM; n++) {
		unsigned nr = c->config.units[n];

		if (!nested(w->taken[n], nr) || !nested(starts(c, w, n), nr) ||
		    waiting(c, w, n) > c->config.queues[n])
			return false;
		for (unsigned k = 0; keeps(c, n) && k < nr; k++) {
			if (w->starts[n][k] & (~w->taken[n][k] | 1))
				return false;
		}
	}
	return true;
}

static bool stores_possible(const struct cost *c, const struct cost_state *s)
{
	unsigned most = s->out.lag + c->config.forward_cycles;
	unsigned latency = c->config.latency[COST_LOAD];

	if (s->out.stores > (c->config.forward_cycles ? COST_OPERANDS : 0))
		return false;
	for (unsigned n = 0; n < COST_OPERANDS; n++) {
		unsigned there = s->out.there[n];
		bool used = n < s->out.stores;

		if (!cost_operand_possible(&s->out.operand[n], used) ||
		    (used ? there <= latency || there > most : there))
			return false;
	}
	return true;
}

bool window_possible(const struct cost *c, const struct cost_state *s)
{
	struct cost_pipe p;

	if (s->out.issued >= c->config.width || s->out.lag > COST_AHEAD ||
	    s->out.resolved > s->out.lag || s->out.ready[COST_NO_REG])
		return false;
	for (unsigned n = 0; n < COST_REGS; n++) {
		if (s->out.ready[n] > s->out.lag)
			return false;
	}
	if (!stores_possible(c, s))
		return false;
	window_unpack(c, s, &p);
	if (c->fills && (p.window.inside > c->config.window || *p.window.retiring))
		return false;
	for (unsigned n = s->out.lag + 1; c->fills && n <= COST_AHEAD; n++) {
		if (p.window.retiring[n])
			return false;
	}
	return units_possible(c, &p.window);
}

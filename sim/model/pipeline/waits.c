// SPDX-License-Identifier: BSD-2-Clause
/* waits.c - registers that wait, the load queue and the store buffer (waits.h). */
#include <string.h>

#include "waits.h"

#define AHEAD_MAX (WAITS_STORES_MAX * 1000000ull) /* of any time that is kept; ample */

/* Registers */

void waits_divides(struct waits *w, uint64_t until)
{
	w->divider = until;
	w->first_over = waits_sooner(w->first_over, until);
}

void waits_end(struct waits *w, uint64_t now)
{
	if (w->divider <= now)
		w->divider = 0;
	w->first_over = w->divider ? w->divider : UINT64_MAX;
	for (uint64_t left = w->registers; left; left &= left - 1) {
		unsigned reg = __builtin_ctzll(left);

		if (w->wait[reg].until <= now)
			w->registers &= ~(1ull << reg);
		else
			w->first_over = waits_sooner(w->first_over, w->wait[reg].until);
	}
}

const struct wait *waits_longest(const struct waits *w, uint64_t registers)
{
	const struct wait *longest = NULL;

	for (uint64_t left = w->registers & registers; left; left &= left - 1) {
		const struct wait *wait = &w->wait[__builtin_ctzll(left)];

		if (!longest || wait->until > longest->until)
			longest = wait;
	}
	return longest;
}

struct wait waits_last(const struct waits *w, uint64_t registers, bool divides)
{
	const struct wait *longest = waits_longest(w, registers);
	struct wait last = longest ? *longest : (struct wait){ .until = 0 };

	if (divides && w->divider > last.until)
		last = (struct wait){ .until = w->divider, .from = WAITS_DIVIDER };
	return last;
}

/* The load queue */

/* Removes the loads that have their line.  Returns the next one that gets it, or NULL. */
static const struct wait *loads_done(struct waits *w, uint64_t now)
{
	const struct wait *first = NULL;
	unsigned nr = 0;

	for (unsigned n = 0; n < w->loads; n++) {
		if (w->load[n].until <= now)
			continue;
		w->load[nr] = w->load[n];
		if (!first || w->load[nr].until < first->until)
			first = &w->load[nr];
		nr++;
	}
	w->loads = nr;
	return first;
}

uint64_t waits_room(const struct cost_config *c, struct waits *w, uint64_t now, struct wait *first)
{
	const struct wait *next = loads_done(w, now);

	if (w->loads < c->loads)
		return 0;
	*first = *next;
	loads_done(w, first->until);
	return first->until - now;
}

uint64_t waits_drain_loads(struct waits *w, uint64_t now, struct wait *last)
{
	last->until = now;
	for (unsigned n = 0; n < w->loads; n++) {
		if (w->load[n].until > last->until)
			*last = w->load[n];
	}
	w->loads = 0;
	return last->until - now;
}

/* Out of order */

uint64_t waits_window(const struct cost_config *c, const struct waits *w, uint64_t now)
{
	for (unsigned n = 0; n < w->loads; n++) {
		const struct wait *load = &w->load[n];

		if (w->number - load->number < c->window)
			break; /* they are in their order: nor are those after it */
		if (load->until > now)
			now = load->until;
	}
	return now;
}

/* Entry n of the queue of a unit. */
static uint64_t *waiting_at(struct waits_queue *q, unsigned n)
{
	return &q->at[(q->first + n) % WAITS_QUEUE_MAX];
}

static uint64_t pop_waiting(struct waits_queue *q)
{
	uint64_t at = *waiting_at(q, 0);

	q->first = (q->first + 1) % WAITS_QUEUE_MAX;
	q->nr--;
	return at;
}

/* Puts `at` in its order into a queue that has room; it seldom is before many others. */
static void insert(struct waits_queue *q, uint64_t at)
{
	unsigned n = q->nr++;

	for (; n && *waiting_at(q, n - 1) > at; n--)
		*waiting_at(q, n) = *waiting_at(q, n - 1);
	*waiting_at(q, n) = at;
}

uint64_t waits_queue(const struct cost_config *c, struct waits *w, enum cost_unit unit,
		     uint64_t now, uint64_t at)
{
	unsigned most = c->queues[unit] < WAITS_QUEUE_MAX ? c->queues[unit] : WAITS_QUEUE_MAX;
	struct waits_queue *q = &w->queue[unit];

	while (q->nr && *waiting_at(q, 0) <= now)
		pop_waiting(q);
	if (q->nr == most)
		now = pop_waiting(q);
	insert(q, at);
	return now;
}

/* Stores with late data */

struct wait waits_forwards(const struct cost_config *c, const struct waits *w,
			   const struct cost_insn *i)
{
	struct wait wait = { .until = 0 };

	for (unsigned n = w->late_stores; n-- && i->class == COST_LOAD && i->bytes;) {
		if (!cost_is_at(&w->late[n].at, i))
			continue;
		wait = w->late[n].data;
		wait.until += c->forward_cycles;
		wait.until -= c->latency[COST_LOAD];
		break;
	}
	return wait;
}

static void remove_late(struct waits *w, unsigned n)
{
	w->late_stores--;
	memmove(w->late + n, w->late + n + 1, (w->late_stores - n) * sizeof(*w->late));
}

/* A store whose data waits.  Those before it whose data all later loads have go first. */
static void add_late(const struct cost_config *c, struct waits *w, const struct cost_insn *i,
		     uint64_t now)
{
	for (unsigned n = w->late_stores; n--;) {
		if (w->late[n].data.until + c->forward_cycles <= now)
			remove_late(w, n);
	}
	if (w->late_stores == COST_OPERANDS)
		remove_late(w, 0);
	w->late[w->late_stores++] = (struct waits_store){
		.at = { i->offset, i->rs1, i->bytes },
		.data = w->wait[i->rs2],
	};
}

void waits_changes_stores(const struct cost_config *c, struct waits *w, const struct cost_insn *i,
			  uint64_t writes, uint64_t now)
{
	bool stores = i->class == COST_STORE && i->bytes;

	for (unsigned n = w->late_stores; n--;) {
		struct cost_operand *at = &w->late[n].at;

		if (!cost_moves(at, i, writes) || (stores && cost_is_at(at, i)))
			remove_late(w, n);
	}
	if (stores && c->forward_cycles && w->registers >> i->rs2 & 1)
		add_late(c, w, i, now);
	w->bases = 0;
	for (unsigned n = 0; n < w->late_stores; n++)
		w->bases |= 1ull << w->late[n].at.base & ~1ull;
}

/* The store buffer */

static uint64_t pop(struct waits *w)
{
	uint64_t done = w->store[w->first_store];

	w->first_store = (w->first_store + 1) % WAITS_STORES_MAX;
	w->stores--;
	return done;
}

static uint64_t last_done(const struct waits *w)
{
	return w->store[(w->first_store + w->stores - 1) % WAITS_STORES_MAX];
}

uint64_t waits_store(const struct cost_config *c, struct waits *w, uint64_t now, uint64_t cycles)
{
	uint64_t begin = now, done;

	if (!cycles || !c->stores)
		return cycles;
	while (w->stores && w->store[w->first_store] <= now)
		pop(w);
	done = now + cycles;
	if (w->stores == c->stores)
		now = pop(w);
	if (!c->loads)
		done = (w->stores && last_done(w) > now ? last_done(w) : now) + cycles;
	else if (w->stores && last_done(w) > done)
		done = last_done(w);
	w->store[(w->first_store + w->stores) % WAITS_STORES_MAX] = done;
	w->stores++;
	return now - begin;
}

uint64_t waits_drain_stores(struct waits *w, uint64_t now)
{
	uint64_t done = w->stores ? last_done(w) : now;

	w->stores = 0;
	return done > now ? done - now : 0;
}

/* Snapshots */

struct saved_wait {
	uint64_t until, from;
	uint64_t before; /* instructions between this and the current one */
};

struct saved {
	uint64_t registers, loads, stores, shadow, divider;
	struct saved_wait wait[COST_REGS], load[WAITS_LOADS_MAX];
	uint64_t late_stores;
	struct saved_wait late[COST_OPERANDS];
	struct cost_operand operand[COST_OPERANDS];
	uint64_t store[WAITS_STORES_MAX];
	uint64_t nr_waiting[COST_UNITS], waiting[COST_UNITS][WAITS_QUEUE_MAX];
};

bool waits_save(const struct waits *w, const struct stream *s)
{
	struct saved saved = {
		.registers = w->registers,
		.loads = w->loads,
		.stores = w->stores,
		.late_stores = w->late_stores,
		.shadow = w->shadow,
		.divider = w->divider,
	};

	for (unsigned n = 0; n < COST_REGS; n++) {
		if (w->registers >> n & 1)
			saved.wait[n] = (struct saved_wait){ w->wait[n].until, w->wait[n].from, 0 };
	}
	for (unsigned n = 0; n < w->loads; n++)
		saved.load[n] = (struct saved_wait){ w->load[n].until, w->load[n].from,
						     w->number - w->load[n].number };
	for (unsigned n = 0; n < w->stores; n++)
		saved.store[n] = w->store[(w->first_store + n) % WAITS_STORES_MAX];
	for (unsigned n = 0; n < w->late_stores; n++) {
		const struct waits_store *late = &w->late[n];

		saved.late[n] = (struct saved_wait){ late->data.until, late->data.from, 0 };
		saved.operand[n].offset = late->at.offset;
		saved.operand[n].base = late->at.base;
		saved.operand[n].bytes = late->at.bytes;
	}
	for (unsigned n = 0; n < COST_UNITS; n++) {
		const struct waits_queue *q = &w->queue[n];

		saved.nr_waiting[n] = q->nr;
		for (unsigned k = 0; k < q->nr; k++)
			saved.waiting[n][k] = q->at[(q->first + k) % WAITS_QUEUE_MAX];
	}
	return stream_write(s, &saved, sizeof(saved));
}

/* used: the entry is in use. */
static bool wait_possible(const struct saved_wait *wait, bool used, unsigned places, uint64_t limit)
{
	return used ? wait->until <= limit && wait->from < places
		    : !wait->until && !wait->from && !wait->before;
}

static bool loads_possible(const struct cost_config *c, const struct saved *saved, uint64_t limit)
{
	unsigned places = c->div_bits ? WAITS_PLACES : HIERARCHY_PLACES;
	bool wait = c->loads || c->div_bits || c->order == COST_OUT_OF_ORDER;

	if (saved->loads > c->loads || saved->registers >> COST_NO_REG & 1 ||
	    (saved->registers && !wait) || (c->div_bits ? saved->divider > limit : saved->divider))
		return false;
	for (unsigned n = 0; n < COST_REGS; n++) {
		if (!wait_possible(&saved->wait[n], saved->registers >> n & 1, places, limit) ||
		    saved->wait[n].before)
			return false;
	}
	for (unsigned n = 0; n < WAITS_LOADS_MAX; n++) {
		if (!wait_possible(&saved->load[n], n < saved->loads, HIERARCHY_PLACES, limit))
			return false;
	}
	return true;
}

static bool stores_possible(const struct cost_config *c, const struct saved *saved, uint64_t limit)
{
	if (saved->stores > c->stores)
		return false;
	for (unsigned n = 0; n < WAITS_STORES_MAX; n++) {
		if (n < saved->stores ? saved->store[n] > limit : saved->store[n] != 0)
			return false;
		if (n && n < saved->stores && saved->store[n] < saved->store[n - 1])
			return false;
	}
	return true;
}

static bool late_stores_possible(const struct cost_config *c, const struct saved *saved,
				 uint64_t limit)
{
	unsigned places = c->div_bits ? WAITS_PLACES : HIERARCHY_PLACES;

	if (saved->late_stores > (c->forward_cycles ? COST_OPERANDS : 0))
		return false;
	for (unsigned n = 0; n < COST_OPERANDS; n++) {
		const struct cost_operand *at = &saved->operand[n];
		bool used = n < saved->late_stores;

		if (!wait_possible(&saved->late[n], used, places, limit) || saved->late[n].before ||
		    !cost_operand_possible(at, used))
			return false;
	}
	return true;
}

/* The shadow of an out-of-order core, whose pipeline does not begin before time 0. */
static bool shadow_possible(const struct cost_config *c, const struct saved *saved, uint64_t now,
			    uint64_t limit)
{
	bool out = c->order == COST_OUT_OF_ORDER;

	if (saved->shadow > now || (saved->shadow && !out))
		return false;
	for (unsigned unit = 0; unit < COST_UNITS; unit++) {
		unsigned nr = saved->nr_waiting[unit];

		if (nr > (out ? c->queues[unit] : 0) || nr > WAITS_QUEUE_MAX)
			return false;
		for (unsigned n = 0; n < WAITS_QUEUE_MAX; n++) {
			const uint64_t *at = &saved->waiting[unit][n];

			if (n < nr ? *at > limit || (n && *at < at[-1]) : *at != 0)
				return false;
		}
	}
	return true;
}

static void take(struct waits *w, const struct saved *saved)
{
	w->registers = saved->registers;
	w->loads = saved->loads;
	w->stores = saved->stores;
	for (unsigned n = 0; n < COST_REGS; n++) {
		w->wait[n].until = saved->wait[n].until;
		w->wait[n].from = saved->wait[n].from;
	}
	for (unsigned n = 0; n < WAITS_LOADS_MAX; n++) {
		w->load[n].until = saved->load[n].until;
		w->load[n].from = saved->load[n].from;
		w->load[n].number = -saved->load[n].before;
		if (w->load[n].until > w->last_load)
			w->last_load = w->load[n].until;
	}
	w->shadow = saved->shadow;
	w->divider = saved->divider;
	for (unsigned n = 0; n < COST_UNITS; n++) {
		w->queue[n].nr = saved->nr_waiting[n];
		memcpy(w->queue[n].at, saved->waiting[n], sizeof(w->queue[n].at));
	}
	memcpy(w->store, saved->store, sizeof(w->store));
	w->late_stores = saved->late_stores;
	for (unsigned n = 0; n < w->late_stores; n++) {
		w->late[n].at = saved->operand[n];
		w->late[n].data.until = saved->late[n].until;
		w->late[n].data.from = saved->late[n].from;
		w->bases |= 1ull << w->late[n].at.base & ~1ull;
	}
}

bool waits_restore(const struct cost_config *c, struct waits *w, uint64_t now,
		   const struct stream *s)
{
	struct saved saved;

	*w = (struct waits){ 0 };
	if (!stream_read(s, &saved, sizeof(saved)) || !loads_possible(c, &saved, now + AHEAD_MAX) ||
	    !stores_possible(c, &saved, now + AHEAD_MAX) ||
	    !late_stores_possible(c, &saved, now + AHEAD_MAX) ||
	    !shadow_possible(c, &saved, now, now + AHEAD_MAX))
		return false;
	take(w, &saved);
	return true;
}

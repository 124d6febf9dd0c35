// SPDX-License-Identifier: BSD-2-Clause
/*
 * memtime.c - how long a hart waits for its accesses: rules L1 to L13, O1, O3, O8 and O9 of
 * holter-model(7).
 */
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "room.h"

void memtime_init(struct memtime *t, const struct cpu *cpu)
{
	*t = (struct memtime){ 0 };
	t->load = room(cpu->pipeline.loads, sizeof(*t->load));
	t->store = room(cpu->pipeline.stores, sizeof(*t->store));
}

/* L1: the clock, with a static cost that has not been taken yet. */
static uint64_t now(const struct hart *h)
{
	return h->clock + h->cost - 1;
}

uint64_t memtime_fetch_time(const struct hart *h)
{
	return h->clock - h->shadow;
}

/* A time, or a later one; the first may lie before power-on. */
static uint64_t later(int64_t a, uint64_t b)
{
	return a > (int64_t)b ? (uint64_t)a : b;
}

uint64_t memtime_time(const struct hart *h, const struct cpu *cpu, bool is_load)
{
	const uint64_t hidden = h->cost < h->shadow ? h->cost : h->shadow;

	if (!cpu->pipeline.out_of_order)
		return now(h);
	if (h->is_vector && is_load)
		return now(h);
	/* O3 */
	if (!is_load)
		return h->clock + h->cost - hidden;
	return later((int64_t)(h->clock - h->shadow + h->cost) - (int64_t)h->memtime.latency,
		     h->memtime.operands.end);
}

uint64_t memtime_walk_time(const struct hart *h, const struct cpu *cpu)
{
	const uint64_t p = h->clock - h->shadow + h->cost;
	int64_t at;

	if (!cpu->pipeline.out_of_order || h->is_vector)
		return now(h);
	/* O3 */
	at = (int64_t)(p - h->memtime.latency);
	return later(at, h->memtime.operands.end);
}

uint64_t memtime_static(struct hart *h, uint64_t cycles)
{
	uint64_t hidden = cycles < h->shadow ? cycles : h->shadow;

	h->shadow -= hidden;
	h->clock += cycles - hidden;
	count_n(&h->totals, EV_CYCLES, cycles - hidden);
	return cycles - hidden;
}

void memtime_trapping(struct hart *h, const struct cpu *cpu)
{
	uint64_t hidden = h->cost < h->shadow ? h->cost : h->shadow;

	if (!cpu->pipeline.out_of_order)
		return;
	h->shadow -= hidden;
	h->memtime.not_charged = h->cost - hidden;
	h->clock += h->memtime.not_charged;
	h->cost = 0;
}

void memtime_trapped(struct hart *h)
{
	h->clock -= h->memtime.not_charged;
	h->memtime.not_charged = 0;
	h->cost = 0;
}

/* H2, L11: the hart waits, and all of the pipeline stands still; the shadow stays (O1). */
static void waits(struct hart *h, uint64_t cycles, enum event ev)
{
	h->clock += cycles;
	count_n(&h->totals, EV_CYCLES, cycles);
	count_n(&h->totals, ev, cycles);
}

void memtime_count_read(struct hart *h, uint64_t cycles, enum place place)
{
	static const enum event of_place[] = { EV_WAIT_READ_L2, EV_WAIT_READ_LL,
					       EV_WAIT_READ_MEMORY };

	count_n(&h->totals, EV_CYCLES, cycles);
	if (place == PLACE_DIVISION || place == PLACE_DIVIDER) { /* L2 */
		count_n(&h->totals, place == PLACE_DIVISION ? EV_WAIT_INT : EV_WAIT_UNIT, cycles);
		return;
	}
	count_n(&h->totals, EV_WAIT_READ, cycles);
	count_n(&h->totals, of_place[place], cycles);
}

static void waits_read(struct hart *h, uint64_t cycles, enum place place)
{
	h->clock += cycles;
	memtime_count_read(h, cycles, place);
}

bool memtime_divides(enum class class)
{
	return class == CLASS_DIV || class == CLASS_DIV_32;
}

/* L4 */
static void registers(struct hart *h, const struct insn *i)
{
	const uint64_t used = 1ull << i->rs1 | 1ull << i->rs2 | 1ull << i->rs3 | 1ull << i->rd |
			      i->more_reads | i->more_writes;
	const struct entry divider = { h->memtime.divider, PLACE_DIVIDER, 0 };
	const struct entry *reg = h->memtime.reg, *last = NULL;

	for (unsigned n = 1; n < REGS; n++)
		if (used >> n & 1 && reg[n].end > now(h) && (!last || reg[n].end > last->end))
			last = &reg[n];
	if (memtime_divides(i->class) && divider.end > (last ? last->end : now(h)))
		last = &divider;
	if (last)
		waits_read(h, last->end - now(h), last->place);
}

void memtime_before(struct hart *h, const struct cpu *cpu, const struct insn *i)
{
	if (cpu->pipeline.out_of_order)
		shadow_before(h, cpu, i);
	else
		registers(h, i);
}

void memtime_operands(struct hart *h, const struct cpu *cpu, const struct insn *i)
{
	if (cpu->pipeline.out_of_order)
		shadow_operands(h, cpu, i);
}

/* L3, a: what is freed by now leaves the load queue; the others keep their order. */
static void leave_freed(struct hart *h)
{
	struct memtime *t = &h->memtime;
	unsigned left = 0;

	for (unsigned n = 0; n < t->loads; n++)
		if (t->load[n].end > now(h))
			t->load[left++] = t->load[n];
	t->loads = left;
}

/* L3, a: the entry that is freed first is waited for. */
static void queue_is_full(struct hart *h)
{
	struct memtime *t = &h->memtime;
	unsigned first = 0;

	for (unsigned n = 1; n < t->loads; n++)
		if (t->load[n].end < t->load[first].end)
			first = n;
	waits_read(h, t->load[first].end - now(h), t->load[first].place);
	leave_freed(h);
}

/* L3, a and b. */
static void enter_queue(struct hart *h, const struct cpu *cpu, const struct entry *e)
{
	struct memtime *t = &h->memtime;

	leave_freed(h);
	if (t->loads == cpu->pipeline.loads)
		queue_is_full(h);
	t->load[t->loads++] = *e;
}

void memtime_load(struct hart *h, const struct cpu *cpu, unsigned rd, uint64_t at,
		  const struct answer *a)
{
	struct memtime *t = &h->memtime;
	struct entry e = { at + a->cycles, a->place, 0 };

	if (a->cycles ? a->written : !t->translated_late) /* M7, O9 */
		return;
	if (cpu->pipeline.out_of_order) {
		shadow_load(h, cpu, rd, at, a);
		return;
	}
	if (!cpu->pipeline.loads) {
		waits_read(h, a->cycles, a->place);
		return;
	}
	enter_queue(h, cpu, &e);
	e.end += cpu->pipeline.latency[CLASS_LOAD];
	if (rd && e.end > t->reg[rd].end)
		t->reg[rd] = e;
}

uint64_t memtime_vector_time(const struct hart *h)
{
	return now(h);
}

static void later_of(const struct memtime *t, struct vector_regs r, const struct entry **last)
{
	for (unsigned n = r.first; n < r.first + r.n; n++)
		if (!*last || t->vector[n].end > (*last)->end ||
		    (t->vector[n].end == (*last)->end && &t->vector[n] < *last))
			*last = &t->vector[n];
}

void memtime_vector(struct hart *h, const struct cpu *cpu, const struct vector_insn *v,
		    unsigned elements)
{
	const struct entry *last = NULL;
	uint64_t x;

	later_of(&h->memtime, v->to, &last);
	for (unsigned n = 0; n < 4; n++)
		later_of(&h->memtime, v->from[n], &last);
	if (last && last->end > now(h))
		waits_read(h, last->end - now(h), last->place);
	x = vector_executes(&cpu->vector, &h->vector, v, elements, now(h));
	waits(h, x - now(h), EV_WAIT_VECTOR);
}

void memtime_vector_load(struct hart *h, const struct cpu *cpu, const struct vector_insn *v,
			 uint64_t at, const struct answer *a)
{
	struct memtime *t = &h->memtime;
	struct entry e = { at + a->cycles, a->place, t->number };

	if (!a->cycles || a->written) /* M7 */
		return;
	if (!cpu->pipeline.loads) {
		waits_read(h, a->cycles, a->place);
		return;
	}
	enter_queue(h, cpu, &e);
	e.end += cpu->vector.latency[V_LOAD];
	for (unsigned n = v->to.first; n < v->to.first + v->to.n; n++)
		if (e.end > t->vector[n].end)
			t->vector[n] = e;
}

void memtime_atomic(struct hart *h, const struct answer *a)
{
	waits_read(h, a->cycles, a->place);
}

/* The oldest n entries leave the store buffer. */
static void leave(struct memtime *t, unsigned n)
{
	t->stores -= n;
	memmove(t->store, t->store + n, t->stores * sizeof(*t->store));
}

/* The time of a store. */
static uint64_t store_time(const struct hart *h, const struct cpu *cpu)
{
	return memtime_time(h, cpu, false);
}

/* L6 */
void memtime_store(struct hart *h, const struct cpu *cpu, const struct answer *a)
{
	struct memtime *t = &h->memtime;
	const uint64_t asked = store_time(h, cpu), cycles = a->cycles;
	uint64_t youngest, done;

	if (!cycles || a->written) /* M7 */
		return;
	if (!cpu->pipeline.stores) {
		waits(h, cycles, EV_WAIT_WRITE);
		return;
	}
	while (t->stores && t->store[0] <= asked)
		leave(t, 1);
	if (t->stores == cpu->pipeline.stores) {
		waits(h, t->store[0] - asked, EV_WAIT_WRITE);
		leave(t, 1);
	}
	youngest = t->stores ? t->store[t->stores - 1] : 0;
	if (cpu->pipeline.loads)
		done = youngest > asked + cycles ? youngest : asked + cycles;
	else
		done = (youngest > store_time(h, cpu) ? youngest : store_time(h, cpu)) + cycles;
	t->store[t->stores++] = done;
}

/* L7, O8 */
void memtime_fence(struct hart *h, const struct cpu *cpu)
{
	struct memtime *t = &h->memtime;
	const struct entry *last = NULL;

	for (unsigned n = 0; n < t->loads; n++)
		if (!last || t->load[n].end > last->end)
			last = &t->load[n];
	if (last && !cpu->pipeline.out_of_order && last->end > now(h))
		waits_read(h, last->end - now(h), last->place);
	t->loads = 0;
	if (t->stores && t->store[t->stores - 1] > store_time(h, cpu))
		waits(h, t->store[t->stores - 1] - store_time(h, cpu), EV_WAIT_WRITE);
	t->stores = 0;
}

void memtime_return(struct hart *h, const struct cpu *cpu)
{
	struct entry *ra = &h->memtime.reg[1];
	uint64_t latency = cpu->pipeline.latency[CLASS_LOAD];

	if (cpu->pipeline.out_of_order)
		return;
	if (ra->end > now(h) + latency)
		waits_read(h, ra->end - latency - now(h), ra->place);
	ra->end = 0;
}

void memtime_fetch(struct hart *h, enum event ev, uint64_t cycles)
{
	if (h->is_table)
		cycles = memtime_static(h, cycles); /* F8 */
	else if (cycles)
		cycles = memtime_static(h, pipe_front(&h->pipe, FRONT_FETCH, cycles));
	count_n(&h->totals, ev, cycles);
}

void memtime_uncached(struct hart *h, enum event ev, uint64_t cycles)
{
	shadow_stand_until(h, h->clock); /* O3 */
	waits(h, cycles, ev);
}

/*
 * A wait for a translation: of a fetch at the front end; of a load whose address is late, after
 * its operands (O9); otherwise static cycles (O1).
 */
static void waits_translation(struct hart *h, enum tlb_access access, uint64_t cycles)
{
	struct memtime *t = &h->memtime;

	if (access == TLB_FETCH) {
		memtime_fetch(h, EV_WAIT_ITLB, cycles);
	} else if (access == TLB_LOAD && t->operands.end) {
		t->operands.end += cycles;
		t->translated_late |= cycles > 0;
	} else {
		count_n(&h->totals, EV_WAIT_DTLB, memtime_static(h, cycles));
	}
}

void memtime_second_tlb(struct hart *h, const struct cpu *cpu, enum tlb_access access)
{
	waits_translation(h, access, cpu->pipeline.second_tlb_cycles);
}

void memtime_walk(struct hart *h, const struct cpu *cpu, enum tlb_access access, uint64_t cycles)
{
	cycles += cpu->pipeline.walk_cycles;
	waits_translation(h, access, cycles);
	count_n(&h->totals, EV_PAGE_WALK_CYCLES, cycles);
}

void memtime_free(struct memtime *t)
{
	free(t->load);
	free(t->store);
}

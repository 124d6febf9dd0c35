// SPDX-License-Identifier: BSD-2-Clause
/*
 * shadow.c - what goes on in the shadow of a load that misses, out of order: rules O2, O4 to O6 and
 * O11 of holter-model(7).
 *
 * R is h->clock, and P is R - h->shadow.
 */
#include "machine.h"

static uint64_t p_of(const struct hart *h)
{
	return h->clock - h->shadow;
}

/* O2 */
void shadow_stand_until(struct hart *h, uint64_t t)
{
	if (t > h->clock)
		t = h->clock;
	if (t > p_of(h))
		h->shadow = h->clock - t;
}

void shadow_grow(struct hart *h, const struct entry *e)
{
	uint64_t cycles = e->end > h->clock ? e->end - h->clock : 0;

	h->clock += cycles;
	h->shadow += cycles;
	memtime_count_read(h, cycles, e->place);
}

/* What is done by a time leaves the load queue. */
static void leave_done(struct memtime *t, uint64_t time)
{
	unsigned left = 0;

	for (unsigned n = 0; n < t->loads; n++)
		if (t->load[n].end > time)
			t->load[left++] = t->load[n];
	t->loads = left;
}

void shadow_load(struct hart *h, const struct cpu *cpu, unsigned rd, uint64_t at,
		 const struct answer *a)
{
	struct memtime *t = &h->memtime;
	const struct entry e = { at + a->cycles + cpu->pipeline.latency[CLASS_LOAD], a->place,
				 t->number };
	uint64_t first = UINT64_MAX;

	if (cpu->pipeline.loads) {
		leave_done(t, p_of(h));
		for (unsigned n = 0; n < t->loads; n++)
			if (t->load[n].end < first)
				first = t->load[n].end;
		if (t->loads == cpu->pipeline.loads) {
			shadow_stand_until(h, first);
			leave_done(t, first);
		}
		t->load[t->loads++] = e;
	}
	shadow_grow(h, &e);
	if (rd && e.end > p_of(h) && e.end > t->reg[rd].end)
		t->reg[rd] = e;
}

static bool any_waits(const struct memtime *t)
{
	for (unsigned n = 0; n < REGS; n++)
		if (t->reg[n].end)
			return true;
	return t->divider;
}

/* Registers that wait until a time or earlier stop waiting; so does the divider. */
static void stop_until(struct memtime *t, int64_t time)
{
	if ((int64_t)t->divider <= time)
		t->divider = 0;
	for (unsigned n = 0; n < REGS; n++)
		if ((int64_t)t->reg[n].end <= time)
			t->reg[n].end = 0;
}

/* O5, 3: the window is full of a load that is not done. */
static void window_is_full(struct hart *h, const struct cpu *cpu)
{
	const struct memtime *t = &h->memtime;
	uint64_t d = p_of(h);

	for (unsigned n = 0; n < t->loads; n++)
		if (t->load[n].end > d && t->number - t->load[n].number >= cpu->pipeline.window)
			d = t->load[n].end;
	shadow_stand_until(h, d);
}

/* O5, 5: an instruction that waits for its operands takes a place in the queue of its unit. */
static void enter_queue(struct hart *h, const struct cpu *cpu, const struct insn *i, int64_t issue)
{
	const unsigned unit = unit_of(i->class);
	unsigned most = cpu->pipeline.queues[unit], left = 0, first = 0;
	uint64_t *time = h->memtime.queue[unit].time;

	for (unsigned n = 0; n < h->memtime.queue[unit].n; n++)
		if ((int64_t)time[n] > issue)
			time[left++] = time[n];
	if (most > QUEUE_MAX)
		most = QUEUE_MAX;
	if (left == most) {
		for (unsigned n = 1; n < left; n++)
			if (time[n] < time[first])
				first = n;
		shadow_stand_until(h, time[first] + cpu->pipeline.latency[i->class] - h->cost);
		time[first] = time[--left];
	}
	time[left++] = h->memtime.operands.end;
	h->memtime.queue[unit].n = left;
}

/* O11, 1: a load reads what a store whose data is late has stored. */
static void reads_late(struct hart *h, const struct cpu *cpu, const struct insn *i, int64_t issue)
{
	struct memtime *t = &h->memtime;
	const struct late *late = late_find(&t->lates, &i->memory);
	int64_t end;

	if (i->class != CLASS_LOAD || !late)
		return;
	end = (int64_t)(late->time + cpu->pipeline.forward_cycles) -
	      cpu->pipeline.latency[CLASS_LOAD];
	if (end > issue && end > (int64_t)t->operands.end)
		t->operands = (struct entry){ (uint64_t)end, late->place, 0 };
}

/* O11, 2 */
static void note_late(struct hart *h, const struct cpu *cpu, const struct insn *i)
{
	struct memtime *t = &h->memtime;
	const struct late e = { i->memory, t->reg[i->rs2].end, t->reg[i->rs2].place };
	const unsigned forward = cpu->pipeline.forward_cycles;

	late_written(&t->lates, i);
	if (!forward || i->class != CLASS_STORE || !i->memory.bytes)
		return;
	late_leave_met(&t->lates, &i->memory);
	if (e.time)
		late_enter(&t->lates, (int64_t)(p_of(h) + h->cost) - forward, &e);
}

void shadow_before(struct hart *h, const struct cpu *cpu, const struct insn *i)
{
	struct memtime *t = &h->memtime;
	const uint64_t reads = 1ull << i->rs1 | 1ull << i->rs2 | 1ull << i->rs3 | i->more_reads;
	int64_t issue;

	t->operands.end = t->late = 0;
	t->latency = cpu->pipeline.latency[i->is_load ? CLASS_LOAD : i->class]; /* O3 */
	t->translated_late = false;
	if (!h->shadow && !any_waits(t)) {
		t->lates.n = 0; /* O11 */
		return;
	}
	t->number++;
	if (is_serial(i->class) || i->class == CLASS_AMO || i->vector) { /* O5, 2 */
		shadow_stand_until(h, h->clock);
		stop_until(t, h->clock);
		t->lates.n = 0; /* O11 */
		return;
	}
	window_is_full(h, cpu);
	issue = (int64_t)(p_of(h) + h->cost) - cpu->pipeline.latency[i->class];
	stop_until(t, issue);
	for (unsigned n = 1; n < REGS; n++)
		if (reads >> n & 1 && t->reg[n].end > t->operands.end)
			t->operands = t->reg[n];
	if (memtime_divides(i->class) && t->divider > t->operands.end)
		t->operands = (struct entry){ t->divider, PLACE_DIVIDER, 0 };
	reads_late(h, cpu, i, issue);
	note_late(h, cpu, i);
	if (t->operands.end)
		enter_queue(h, cpu, i, issue);
	for (unsigned n = 0; n < REGS; n++)
		if ((1ull << i->rd | i->more_writes) >> n & 1)
			t->reg[n].end = 0; /* O5, 7 */
}

void shadow_operands(struct hart *h, const struct cpu *cpu, const struct insn *i)
{
	struct memtime *t = &h->memtime;
	struct entry e = t->operands;

	if (!e.end)
		return;
	e.end += cpu->pipeline.latency[i->class];
	t->late = e.end > p_of(h) ? e.end - p_of(h) : 0;
	shadow_grow(h, &e);
	for (unsigned n = 1; t->late && n < REGS; n++)
		if ((1ull << i->rd | i->more_writes) >> n & 1)
			t->reg[n] = e;
}

/* O6 */
uint64_t shadow_recover(struct hart *h, const struct cpu *cpu, uint64_t cycles)
{
	const uint64_t recovery = cpu->pipeline.recovery_cycles;
	const uint64_t last = recovery < cycles ? recovery : cycles;
	uint64_t charged;

	h->shadow -= h->memtime.late < h->shadow ? h->memtime.late : h->shadow;
	charged = memtime_static(h, cycles - last);
	if (recovery)
		h->shadow = 0;
	return charged + memtime_static(h, last);
}

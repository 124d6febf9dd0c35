// SPDX-License-Identifier: BSD-2-Clause
/* vunit.c - when vector instructions execute (vunit.h). */
#include "vunit.h"

#define AHEAD_MAX (1ull << 32) /* of any time that is kept; ample */

/* How an instruction of a class works. */
enum pace {
	BY_REGISTER, /* register after register */
	AT_ONCE, /* needs all operands at the beginning, and has its result at the end */
	SQUARE, /* the same; its cycles grow as the square of the group */
	FLAT, /* the same; its cycles do not depend on the group */
};

static const struct {
	uint8_t unit, pace;
} row[] = {
	[VUNIT_ADD] = { VUNIT_INT, BY_REGISTER },      [VUNIT_LOGIC] = { VUNIT_INT, BY_REGISTER },
	[VUNIT_MUL] = { VUNIT_INT, BY_REGISTER },      [VUNIT_DIV] = { VUNIT_INT, BY_REGISTER },
	[VUNIT_FP_ADD] = { VUNIT_FP, BY_REGISTER },    [VUNIT_FP_MISC] = { VUNIT_FP, BY_REGISTER },
	[VUNIT_FP_DIV] = { VUNIT_FP, BY_REGISTER },    [VUNIT_MASK] = { VUNIT_INT, FLAT },
	[VUNIT_PERMUTE] = { VUNIT_INT, AT_ONCE },      [VUNIT_GATHER] = { VUNIT_INT, SQUARE },
	[VUNIT_REDUCE] = { VUNIT_INT, AT_ONCE },       [VUNIT_FP_REDUCE] = { VUNIT_FP, AT_ONCE },
	[VUNIT_FP_ORDERED] = { VUNIT_FP, AT_ONCE },    [VUNIT_SCALAR] = { VUNIT_INT, FLAT },
	[VUNIT_CRYPTO] = { VUNIT_INT, BY_REGISTER },   [VUNIT_LOAD] = { VUNIT_MEMORY, BY_REGISTER },
	[VUNIT_STORE] = { VUNIT_MEMORY, BY_REGISTER },
};

bool vunit_check(const struct vunit_config *c, struct model_error *why)
{
	for (unsigned n = 0; n < VUNIT_CLASSES; n++) {
		for (unsigned size = 0; size < VUNIT_SIZES; size++) {
			if (!model_in_range(why, "cycles", c->cycles[n][size], 1, VUNIT_CYCLES_MAX))
				return false;
		}
		if (!model_in_range(why, "latency", c->latency[n], 1, VUNIT_CYCLES_MAX))
			return false;
	}
	return model_in_range(why, "masked", c->masked, 1, VUNIT_CYCLES_MAX) &&
	       model_in_range(why, "element", c->element, 1, VUNIT_CYCLES_MAX);
}

/* The pace of an instruction. */
struct steps {
	unsigned nr; /* registers of its widest group */
	uint32_t busy; /* cycles for all of them */
	bool streams; /* register after register, and each can be used by itself */
};

static struct steps steps_of(const struct vunit_config *c, const struct vunit_insn *i)
{
	unsigned pace = row[i->class].pace, eighths = i->eighths;
	uint32_t cycles = c->cycles[i->class][i->size];
	struct steps s = { .nr = eighths > 8 ? eighths / 8 : 1,
			   .streams = c->chaining && pace == BY_REGISTER };

	if (i->masked && pace == BY_REGISTER && cycles < c->masked)
		cycles = c->masked;
	if (i->each)
		s.busy = i->elements * c->element;
	else if (pace == FLAT || !eighths)
		s.busy = cycles;
	else if (pace == SQUARE)
		s.busy = (cycles * eighths * eighths + 63) / 64;
	else
		s.busy = (cycles * eighths + 7) / 8;
	if (!s.busy)
		s.busy = 1;
	return s;
}

/* The cycles from the beginning to the work on step n. */
static uint32_t offset(const struct steps *s, unsigned n)
{
	return n * s->busy / s->nr;
}

/* When register n of the result is there, if the instruction executes at time 0. */
static uint32_t result(const struct vunit_config *c, const struct vunit_insn *i,
		       const struct steps *s, unsigned n)
{
	uint32_t latency = c->latency[i->class];

	if (!s->streams)
		return latency + s->busy - 1;
	return latency + offset(s, ((n + 1) * s->nr - 1) / i->to.nr);
}

/* The registers of an instruction, as bits. */
static uint32_t bits(const struct vunit_group *g)
{
	return ((1ull << g->nr) - 1) << g->first;
}

static void add_register(struct vunit_work *w, unsigned reg, uint32_t later)
{
	w->reg[w->all] = reg;
	w->later[w->all++] = later;
}

void vunit_work(const struct vunit_config *c, const struct vunit_insn *i, struct vunit_work *w)
{
	struct steps s = steps_of(c, i);

	*w = (struct vunit_work){ .used = bits(&i->to),
				  .busy = s.busy,
				  .unit = row[i->class].unit };
	for (unsigned k = 0; k < VUNIT_SOURCES; k++) {
		const struct vunit_group *g = &i->from[k];

		w->used |= bits(g);
		for (unsigned n = 0; n < g->nr; n++)
			add_register(w, g->first + n, s.streams ? offset(&s, n * s.nr / g->nr) : 0);
	}
	w->reads = w->all;
	for (unsigned n = 0; n < i->to.nr; n++)
		add_register(w, i->to.first + n, result(c, i, &s, n));
}

const struct wait *vunit_waits_now(struct vunit *u, const struct vunit_work *w, uint64_t now)
{
	const struct wait *last = NULL;

	for (uint32_t left = u->waiting; left; left &= left - 1) {
		unsigned reg = __builtin_ctz(left);

		if (u->wait[reg].until <= now)
			u->waiting &= ~(1u << reg);
		else if (w->used >> reg & 1 && (!last || u->wait[reg].until > last->until))
			last = &u->wait[reg];
	}
	return last;
}

void vunit_waits_for(struct vunit *u, const struct vunit_work *w, const struct wait *wait)
{
	for (unsigned n = w->reads; n < w->all; n++) {
		unsigned reg = w->reg[n];

		if (u->waiting >> reg & 1 && u->wait[reg].until >= wait->until)
			continue;
		u->waiting |= 1u << reg;
		u->wait[reg] = *wait;
	}
}

/* State */

struct saved {
	uint64_t free[VUNIT_UNITS], ready[VUNIT_REGS];
	struct {
		uint64_t until, from;
	} wait[VUNIT_REGS]; /* 0: it does not wait */
};

bool vunit_save(const struct vunit *u, const struct stream *s)
{
	struct saved saved = { 0 };

	for (unsigned n = 0; n < VUNIT_UNITS; n++)
		saved.free[n] = u->free[n];
	for (unsigned n = 0; n < VUNIT_REGS; n++) {
		saved.ready[n] = u->ready[n];
		if (!(u->waiting >> n & 1))
			continue;
		saved.wait[n].until = u->wait[n].until;
		saved.wait[n].from = u->wait[n].from;
	}
	return stream_write(s, &saved, sizeof(saved));
}

static bool possible(const struct saved *saved, uint64_t limit)
{
	for (unsigned n = 0; n < VUNIT_UNITS; n++) {
		if (saved->free[n] > limit)
			return false;
	}
	for (unsigned n = 0; n < VUNIT_REGS; n++) {
		if (saved->ready[n] > limit || saved->wait[n].until > limit ||
		    saved->wait[n].from >= HIERARCHY_PLACES ||
		    (saved->wait[n].from && !saved->wait[n].until))
			return false;
	}
	return true;
}

bool vunit_restore(struct vunit *u, uint64_t now, const struct stream *s)
{
	struct saved saved;

	*u = (struct vunit){ 0 };
	if (!stream_read(s, &saved, sizeof(saved)) || !possible(&saved, now + AHEAD_MAX))
		return false;
	for (unsigned n = 0; n < VUNIT_UNITS; n++)
		u->free[n] = saved.free[n];
	for (unsigned n = 0; n < VUNIT_REGS; n++) {
		u->ready[n] = saved.ready[n];
		if (!saved.wait[n].until)
			continue;
		u->waiting |= 1u << n;
		u->wait[n] = (struct wait){ .until = saved.wait[n].until,
					    .from = saved.wait[n].from };
	}
	return true;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * timing_fold.c - the time of vector instructions in a row (timing.h).
 *
 * What they wait, and when their results are there, depends on the static costs of their run, and
 * on how much later than the first one the units and registers are ready (vunit.h).  Times that
 * have passed are all alike.  So loops come to the same few cases again and again; each is computed
 * once, instruction by instruction as timing_vector_computes does it, and kept.  A case also keeps
 * which one came next: if nothing but these two uses the units, the time between them decides it.
 */
#include <string.h>

#include "cluster.h"
#include "timing_fold.h"
#include "vector.h"

/* Times of the units and the registers after that of the first instruction; 0: they have passed. */
struct ahead {
	uint32_t free[VUNIT_UNITS + 1], ready[VUNIT_REGS]; /* free: one more, for whole words */
};

#define AHEAD_MAX (1u << 30)

struct timing_fold {
	const struct block_run *r; /* NULL: no case */
	uint64_t epoch; /* cluster.block_epoch, by which r is known */
	uint64_t vtype;
	uint16_t first, nr; /* instructions of r */
	uint32_t waits; /* cycles, in all of them */
	struct ahead before;
	/* What they change. */
	uint8_t units, regs; /* how many */
	uint8_t unit[VUNIT_UNITS], reg[VUNIT_REGS];
	uint32_t free[VUNIT_UNITS], ready[VUNIT_REGS];
	/* The case that came next, if its first instruction issued so much later. */
	struct timing_fold *next;
	uint64_t step, next_number;
	uint64_t number; /* no two have the same */
};

const size_t timing_fold_bytes = sizeof(struct timing_fold);

static uint32_t later(uint64_t when, uint64_t base, uint64_t *most)
{
	uint64_t by = when > base ? when - base : 0;

	*most |= by;
	return by;
}

/* False: something is too far ahead. */
static bool look_ahead(const struct vunit *u, uint64_t base, struct ahead *a)
{
	uint64_t most = 0;

	a->free[VUNIT_UNITS] = 0;
	for (unsigned n = 0; n < VUNIT_UNITS; n++)
		a->free[n] = later(u->free[n], base, &most);
	for (unsigned n = 0; n < VUNIT_REGS; n++)
		a->ready[n] = later(u->ready[n], base, &most);
	return most < AHEAD_MAX;
}

static unsigned hash(const struct block_run *r, unsigned first, const struct ahead *a)
{
	uint64_t sum = (uintptr_t)r / 64 + first, word;

	for (unsigned n = 0; n < sizeof(*a) / sizeof(word); n++) {
		memcpy(&word, (const char *)a + n * sizeof(word), sizeof(word));
		sum += word * (2 * n + 3);
	}
	return (sum * 0x9e3779b97f4a7c15) >> 32 & (TIMING_FOLDS - TIMING_FOLD_WAYS);
}

/* Keeps what has been executed in u since it was all zero. */
static void keep_changes(struct timing_fold *f, const struct vunit *u, uint64_t base)
{
	for (unsigned n = 0; n < VUNIT_UNITS; n++) {
		if (!u->free[n])
			continue;
		f->unit[f->units] = n;
		f->free[f->units++] = u->free[n] - base;
	}
	for (unsigned n = 0; n < VUNIT_REGS; n++) {
		if (!u->ready[n])
			continue;
		f->reg[f->regs] = n;
		f->ready[f->regs++] = u->ready[n] - base;
	}
}

/* The static cycles of r behind an instruction. */
static unsigned behind(const struct block_run *r, const struct insn *i)
{
	unsigned n = i - r->insn + 1;

	return n < r->nr ? r->cycles - r->before[n] : 0;
}

/* Computes the case f of nr instructions from i on, of which the first issues at base. */
static void compute(struct hart *h, const struct insn *i, uint64_t base, struct timing_fold *f)
{
	struct vunit u = h->timing->vunit, changed = { 0 };

	for (unsigned n = 0; n < f->nr; n++) {
		const struct vunit_work *w;
		uint64_t at, from;

		h->at = i + n;
		at = base + behind(h->run, i) - behind(h->run, h->at) + f->waits;
		w = timing_vector_computing(h);
		from = vunit_earliest(&u, w);
		if (from > at) {
			f->waits += from - at;
			at = from;
		}
		vunit_execute(&u, w, at);
		vunit_execute(&changed, w, at);
	}
	h->at = i;
	keep_changes(f, &changed, base);
}

static void change(struct vunit *u, uint64_t base, const struct timing_fold *f)
{
	const unsigned units = f->units, regs = f->regs;

	for (unsigned n = 0; n < units; n++)
		u->free[f->unit[n]] = base + f->free[n];
	for (unsigned n = 0; n < regs; n++)
		u->ready[f->reg[n]] = base + f->ready[n];
}

/* Whether f is a case of these instructions. */
static bool of(const struct timing_fold *f, const struct hart *h, const struct block_run *r,
	       unsigned first, unsigned nr)
{
	return f->r == r && f->first == first && f->nr == nr && f->epoch == h->cl->block_epoch &&
	       f->vtype == h->vector->vtype;
}

/* The case of nr instructions from i on with the present state of the units, or NULL. */
static struct timing_fold *found(struct hart *h, const struct block_run *r, const struct insn *i,
				 unsigned nr, uint64_t base)
{
	unsigned first = i - r->insn;
	struct timing_fold *f;
	struct ahead a;

	if (!look_ahead(&h->timing->vunit, base, &a))
		return NULL;
	f = &h->timing->folds[hash(r, first, &a)];
	for (unsigned way = 0; way < TIMING_FOLD_WAYS; way++) {
		if (of(&f[way], h, r, first, nr) && !memcmp(&f[way].before, &a, sizeof(a)))
			return &f[way];
	}
	memmove(f + 1, f, (TIMING_FOLD_WAYS - 1) * sizeof(*f));
	*f = (struct timing_fold){ .r = r,
				   .epoch = h->cl->block_epoch,
				   .vtype = h->vector->vtype,
				   .first = first,
				   .nr = nr,
				   .before = a,
				   .number = ++h->timing->folded };
	compute(h, i, base, f);
	return f;
}

struct timing_fold *timing_fold_of(struct hart *h, const struct insn *i, unsigned nr, uint64_t base)
{
	struct timing *t = h->timing;
	const struct block_run *r = h->run;
	struct timing_fold *last = t->fold, *f;
	uint64_t step = base - t->fold_base;

	if (last && last->next && last->step == step && last->next->number == last->next_number &&
	    of(last->next, h, r, i - r->insn, nr))
		return last->next;
	f = found(h, r, i, nr, base);
	/* found may have put another case where the last one was. */
	if (f && last && last->number == t->fold_number) {
		last->next = f;
		last->next_number = f->number;
		last->step = step;
	}
	return f;
}

uint32_t timing_fold_waits(const struct timing_fold *f)
{
	return f->waits;
}

void timing_fold_execute(struct hart *h, struct timing_fold *f, uint64_t base)
{
	struct timing *t = h->timing;

	change(&t->vunit, base, f);
	t->fold = f;
	t->fold_number = f->number;
	t->fold_base = base;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * timing_fold.c - the time of consecutive vector instructions (timing_fold.h).
 *
 * What they wait, and when their results are there, depends on the static costs of their run, and
 * on how much later than the first one the units and registers are ready (vunit.h).  Times that
 * have passed are all alike.  So loops come to the same few cases again and again; each is computed
 * once, instruction by instruction as timing_vector_computes does it, and kept.  A case also keeps
 * which one came next: if nothing but these two uses the units, the time between them decides it.
 *
 * What a case changes in the units is written there only when someone looks (timing_fold_settle).
 * Until then the case is late.  If it comes again, it overwrites all that it has changed before.
 */
#include <string.h>

#include "cluster.h"
#include "timing_fold.h"
#include "timing_vector.h"

/* Times of the units and the registers after that of the first instruction; 0: they have passed. */
struct ahead {
	uint32_t free[VUNIT_UNITS + 1], ready[VUNIT_REGS]; /* free: one more, for whole words */
};

#define AHEAD_MAX (1u << 30)

struct timing_fold {
	/* First what is read each time. */
	const struct insn *insn; /* the first one; NULL: no case */
	uint64_t epoch; /* cluster.block_epoch, by which insn is known */
	uint64_t vtype;
	uint32_t nr; /* instructions */
	uint32_t waits; /* cycles, in all of them */
	uint64_t number; /* no two have the same */
	/* The case that came next, if its first instruction issued so much later. */
	struct timing_fold *next;
	uint64_t step, next_number;
	/* If it is late: when its first instruction issued, and its number in the order of all. */
	uint64_t base, turn; /* turn 0: not late */
	struct ahead before;
	/* What they change: which units and registers, as bits; and the times. */
	uint32_t units, regs;
	uint32_t free[VUNIT_UNITS], ready[VUNIT_REGS];
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

static unsigned hash(const struct insn *i, const struct ahead *a)
{
	uint64_t sum = (uintptr_t)i / sizeof(*i), word;

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
		f->units |= (uint32_t)!!u->free[n] << n;
		f->free[n] = u->free[n] - base;
	}
	for (unsigned n = 0; n < VUNIT_REGS; n++) {
		f->regs |= (uint32_t)!!u->ready[n] << n;
		f->ready[n] = u->ready[n] - base;
	}
}

/* The static cycles of r after an instruction. */
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

/* Whether f is a case of these instructions. */
static inline bool of(const struct timing_fold *f, const struct hart *h, const struct insn *i,
		      unsigned nr)
{
	return f->insn == i && f->nr == nr && f->epoch == h->cl->block_epoch &&
	       f->vtype == h->vector->vtype;
}

/* The case of nr instructions from i on with the present state of the units, or NULL. */
static struct timing_fold *found(struct hart *h, const struct insn *i, unsigned nr, uint64_t base)
{
	struct timing_fold *f;
	struct ahead a;

	timing_fold_settle(h->timing);
	if (!look_ahead(&h->timing->vunit, base, &a))
		return NULL;
	f = &h->timing->folds[hash(i, &a)];
	for (unsigned way = 0; way < TIMING_FOLD_WAYS; way++) {
		if (of(&f[way], h, i, nr) && !memcmp(&f[way].before, &a, sizeof(a)))
			return &f[way];
	}
	memmove(f + 1, f, (TIMING_FOLD_WAYS - 1) * sizeof(*f));
	*f = (struct timing_fold){ .insn = i,
				   .epoch = h->cl->block_epoch,
				   .vtype = h->vector->vtype,
				   .nr = nr,
				   .before = a,
				   .number = ++h->timing->folded };
	compute(h, i, base, f);
	return f;
}

void timing_fold_settle(struct timing *t)
{
	struct timing_fold **late = t->late;
	uint32_t units = 0, regs = 0;

	for (unsigned n = 1; n < t->lates; n++) {
		struct timing_fold *f = late[n];
		unsigned to = n;

		for (; to && late[to - 1]->turn > f->turn; to--)
			late[to] = late[to - 1];
		late[to] = f;
	}
	/* The last one first: what it has changed is not what the others make of it. */
	while (t->lates) {
		struct timing_fold *f = late[--t->lates];

		for (uint32_t left = f->units & ~units; left; left &= left - 1) {
			unsigned n = __builtin_ctz(left);

			t->vunit.free[n] = f->base + f->free[n];
		}
		for (uint32_t left = f->regs & ~regs; left; left &= left - 1) {
			unsigned n = __builtin_ctz(left);

			t->vunit.ready[n] = f->base + f->ready[n];
		}
		units |= f->units;
		regs |= f->regs;
		f->turn = 0;
	}
}

/*
 * The instructions of f execute; the first one issues at base.  Nobody listens, and the hart does
 * not stop among them.
 */
static inline void execute(struct hart *h, struct timing_fold *f, uint64_t base)
{
	struct timing *t = h->timing;

	if (!f->turn) {
		if (t->lates == TIMING_LATES)
			timing_fold_settle(t);
		t->late[t->lates++] = f;
	}
	f->base = base;
	f->turn = ++t->turns;
	t->fold = f;
	t->fold_number = f->number;
	t->fold_base = base;
	timing_vector_passes(h, f->waits);
}

/* timing_vectors, if another case came next after the last one, or there was none. */
static bool __attribute__((noinline)) vectors(struct hart *h, const struct insn *i, unsigned nr,
					      uint64_t base)
{
	static const struct vunit_work none;
	struct timing *t = h->timing;
	struct timing_fold *last = t->fold, *f;

	if (h->pmu.listens || t->cost->config.order == COST_OUT_OF_ORDER)
		return false;
	vunit_waits(&t->vunit, &none, base);
	f = t->vunit.waiting ? NULL : found(h, i, nr, base);
	/* The hart must not stop between them. */
	if (!f || h->countdown <= f->waits)
		return false;
	/* found may have put another case where the last one was. */
	if (last && last->number == t->fold_number) {
		last->next = f;
		last->next_number = f->number;
		last->step = base - t->fold_base;
	}
	execute(h, f, base);
	return true;
}

bool timing_vectors(struct hart *h, const struct block_run *r, const struct insn *i, unsigned nr)
{
	struct timing *t = h->timing;
	struct timing_fold *f = t->fold ? t->fold->next : NULL;
	uint64_t base;
	bool ok = true;

	h->run = r;
	h->at = i;
	base = timing_issue(h);
	if (f && t->fold->step == base - t->fold_base && t->fold->next_number == f->number &&
	    of(f, h, i, nr) && !h->pmu.listens && !t->vunit.waiting && h->countdown > f->waits)
		execute(h, f, base);
	else
		ok = vectors(h, i, nr, base);
	h->run = NULL;
	return ok;
}

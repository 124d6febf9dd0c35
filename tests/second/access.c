// SPDX-License-Identifier: BSD-2-Clause
/*
 * access.c - what an instruction asks of TLBs and caches: FETCHES, LOADS AND STORES of
 * holter-model(7).
 */
#include "levels.h"
#include "record_format.h"
#include "run.h"

/* The WALK record of a fetch at va; NULL: there is none. */
static const struct trace_record *fetch_walk(const struct step *s, uint64_t va)
{
	for (unsigned n = 0; n < s->n; n++)
		if (s->more[n].type == RECORD_WALK && s->more[n].field[0] == va &&
		    (s->more[n].flags & RECORD_WALK_ACCESS) == RECORD_WALK_FETCH)
			return &s->more[n];
	return NULL;
}

/* C17 */
static void uncached(struct machine *m, struct hart *h, enum event ev, enum event wait)
{
	count(&h->totals, ev);
	count(&h->totals, ev == EV_UNCACHED_WRITES ? EV_BUS_WRITES : EV_BUS_READS);
	if (ev == EV_UNCACHED_FETCHES)
		memtime_fetch(h, wait, m->cpu.uncached_cycles);
	else
		memtime_uncached(h, wait, m->cpu.uncached_cycles);
}

/* F3, 1: the address of a part is translated. */
static void fetch_translate(struct machine *m, struct hart *h, const struct step *s, uint64_t va)
{
	struct asked a = { .va = va,
			   .rights = { TLB_FETCH, h->totals.mode, false, false },
			   .nr = s->nr };

	if (h->totals.mode == 3 || !(h->satp >> 60) || !is_canonical(h->satp, va))
		return;
	a.walk = fetch_walk(s, va);
	translate(m, h, &a);
}

/* F2, F3: a part of an instruction, which the machine has fetched. */
static void fetch_part(struct machine *m, struct hart *h, const struct step *s, uint64_t va,
		       uint64_t pa, bool past)
{
	uint64_t line = va / m->cpu.line;

	if (h->has_line && h->line == line)
		return;
	fetch_translate(m, h, s, va);
	if (past)
		uncached(m, h, EV_UNCACHED_FETCHES, EV_WAIT_UNCACHED_FETCH);
	else
		memtime_fetch(h, EV_WAIT_FETCH,
			      levels_fetch(m, h, pa, memtime_fetch_time(h)).cycles);
	h->has_line = true;
	h->line = line;
}

/* The EXCEPTION record of an instruction; NULL: it has none. */
const struct trace_record *run_exception(const struct step *s)
{
	for (unsigned n = 0; n < s->n; n++)
		if (s->more[n].type == RECORD_EXCEPTION)
			return &s->more[n];
	return NULL;
}

/* S2, F1.  An instruction that was not fetched has the address that faulted in its exception. */
void run_fetch(struct machine *m, struct hart *h, const struct step *s)
{
	const struct trace_record *r = &s->insn, *x = run_exception(s);
	const uint64_t pc = r->field[0], pa = r->field[1];
	const bool first = r->flags & RECORD_PAST_FIRST, last = r->flags & RECORD_PAST_LAST;

	if (!(r->flags & RECORD_FETCHED)) {
		if (x && x->field[2] == pc + 2 && pc != x->field[2])
			fetch_part(m, h, s, pc, pa, first);
		if (x)
			fetch_translate(m, h, s, x->field[2]);
		else
			complain(m, s->nr, "an instruction is not fetched and has no exception");
		return;
	}
	fetch_part(m, h, s, pc, pa, first);
	if ((r->more & 3) == 3 && (pc + 2) / m->cpu.line != pc / m->cpu.line)
		fetch_part(m, h, s, pc + 2, r->fields > 3 ? r->field[3] : pa + 2, last);
}

/*
 * A3, A4, A6: the lines of a part of an access that has reached memory; rd is that of the
 * instruction.
 */
static void reach_cached(struct machine *m, struct hart *h, const struct step *s,
			 const struct trace_record *r, unsigned rd)
{
	const unsigned kind = r->more & 0xff;
	const struct cause cause = { kind == RECORD_LOAD || kind == RECORD_LR, s->insn.field[1] };
	const uint64_t from = r->field[1], end = from + (r->more >> 16);
	struct answer a = { 0 };
	uint64_t block = 0;

	/* A11 */
	if (h->is_vector)
		count_n(&h->totals, EV_VECTOR_LINES,
			(end - 1) / m->cpu.line - from / m->cpu.line + 1);
	for (uint64_t pa = from; pa < end; pa = (pa / m->cpu.line + 1) * m->cpu.line) {
		const uint64_t now = memtime_time(h, &m->cpu, cause.is_load);

		switch (kind) {
		case RECORD_LOAD:
		case RECORD_LR:
			a = levels_read(m, h, pa, now, &cause);
			if (h->is_vector)
				memtime_vector_load(h, &m->cpu, &s->vector, now, &a);
			else
				memtime_load(h, &m->cpu, rd, now, &a);
			break;
		case RECORD_STORE:
		case RECORD_SC:
			a = levels_write(m, h, pa, now);
			memtime_store(h, &m->cpu, &a);
			break;
		case RECORD_AMO:
			a = levels_atomic(m, h, pa, now);
			memtime_atomic(h, &a);
			break;
		default: /* M13: each line from the end of the one before */
			a = levels_cbo(m, h, pa, now + block, kind);
			block += a.cycles;
		}
	}
	/* M13: the sum over the lines is one write. */
	if (kind >= RECORD_CBO_INVAL) {
		a.cycles = block;
		a.written = false; /* M7 */
		memtime_store(h, &m->cpu, &a);
	}
}

static bool reads(unsigned kind)
{
	return kind == RECORD_LOAD || kind == RECORD_LR || kind == RECORD_CBO_INVAL ||
	       kind == RECORD_CBO_CLEAN || kind == RECORD_CBO_FLUSH;
}

/* F8 */
static void reach_table(struct machine *m, struct hart *h, const struct trace_record *r)
{
	const uint64_t pa = r->field[1];

	if (r->flags & RECORD_PAST)
		uncached(m, h, EV_UNCACHED_FETCHES, EV_WAIT_UNCACHED_FETCH);
	else
		memtime_fetch(h, EV_WAIT_FETCH,
			      levels_fetch(m, h, pa, memtime_walk_time(h, &m->cpu)).cycles);
}

static void reach(struct machine *m, struct hart *h, const struct step *s,
		  const struct trace_record *r, unsigned rd)
{
	unsigned kind = r->more & 0xff;

	if (!(r->flags & RECORD_REACHED))
		return;
	if (kind == RECORD_TABLE) {
		reach_table(m, h, r);
		return;
	}
	if (!(r->flags & RECORD_PAST) || (kind >= RECORD_CBO_INVAL && kind != RECORD_CBO_ZERO))
		reach_cached(m, h, s, r, rd);
	else if (reads(kind))
		uncached(m, h, EV_UNCACHED_READS, EV_WAIT_UNCACHED_READ);
	else
		uncached(m, h, EV_UNCACHED_WRITES, EV_WAIT_UNCACHED_WRITE);
}

/* T3 for one part of an access: the record at s->more[n], and its walk after it. */
static void access_translate(struct machine *m, struct hart *h, const struct step *s, unsigned n)
{
	const struct trace_record *r = &s->more[n];
	struct asked a = { .va = r->field[0], .nr = s->nr };
	unsigned kind = r->more & 0xff;

	if (!(r->flags & RECORD_PAGED) || !is_canonical(h->satp, a.va))
		return;
	a.rights.access = kind == RECORD_TABLE ? TLB_FETCH : reads(kind) ? TLB_LOAD : TLB_STORE;
	a.rights.shadow = decode_is_shadow(s->insn.more);
	a.rights.pages = h->sse_s && kind < RECORD_CBO_INVAL;
	a.rights.mode = r->flags & RECORD_MODE;
	a.rights.sum = r->more >> 8 & RECORD_SUM;
	a.rights.mxr = r->more >> 8 & RECORD_MXR;
	if (n + 1 < s->n && s->more[n + 1].type == RECORD_WALK)
		a.walk = &s->more[n + 1];
	translate(m, h, &a);
}

/* A3: an access, whose parts are the ACCESS records in s->more[from] to s->more[end - 1]. */
static void access(struct machine *m, struct hart *h, const struct step *s, unsigned from,
		   unsigned end, unsigned rd)
{
	const bool unit_stride = h->is_vector && !s->vector.each;
	unsigned bytes = 0;
	bool allowed = true;

	for (unsigned n = from; n < end; n++) {
		if (s->more[n].type != RECORD_ACCESS)
			continue;
		access_translate(m, h, s, n);
		allowed &= !!(s->more[n].flags & RECORD_ALLOWED);
		bytes += s->more[n].more >> 16;
	}
	/* A11: with unit stride, retire() counts. */
	if (allowed && !unit_stride && s->more[from].field[0] % bytes &&
	    (s->more[from].more & 0xff) <= RECORD_STORE)
		count(&h->totals, EV_MISALIGNED);
	for (unsigned n = from; n < end; n++)
		if (s->more[n].type == RECORD_ACCESS)
			reach(m, h, s, &s->more[n], rd);
}

/* The trace: a part that continues an access begins a page, where the part before it ends. */
static void check_parts(struct machine *m, const struct step *s, unsigned from, unsigned end)
{
	const struct trace_record *before = &s->more[from];

	for (unsigned n = from + 1; n < end; n++) {
		const struct trace_record *r = &s->more[n];

		if (r->type != RECORD_ACCESS)
			continue;
		if (r->field[0] % 4096 || r->field[0] != before->field[0] + (before->more >> 16))
			complain(m, s->nr, "an access at %#llx continues another one",
				 (unsigned long long)r->field[0]);
		before = r;
	}
}

/* S4 */
void run_accesses(struct machine *m, struct hart *h, const struct step *s, unsigned rd)
{
	for (unsigned from = 0, end, part = 0; from < s->n; from = end) {
		end = from + 1;
		if (s->more[from].type != RECORD_ACCESS)
			continue;
		while (end < s->n && (s->more[end].type == RECORD_WALK ||
				      (s->more[end].type == RECORD_ACCESS &&
				       s->more[end].flags & RECORD_CONTINUES)))
			end++;
		check_parts(m, s, from, end);
		access(m, h, s, from, end, s->parts.n ? s->parts.part[part++].rd : rd);
	}
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * run.c - one instruction after the other: ONE INSTRUCTION, HARTS AND TIME of holter-model(7).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "levels.h"
#include "record_format.h"
#include "room.h"
#include "run.h"

enum { COMPLAINTS_MAX = 20 };

void complain(struct machine *m, uint64_t nr, const char *format, ...)
{
	va_list args;

	if (m->complaints++ >= COMPLAINTS_MAX)
		return;
	fprintf(stderr, "second: record %llu: ", (unsigned long long)nr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static void hart_init(struct hart *h, const struct cpu *cpu, unsigned number, uint64_t seed)
{
	*h = (struct hart){ .number = number, .totals.mode = 3 };
	cache_init(&h->l1i, cpu, &cpu->l1i, SEED_L1I, seed);
	cache_init(&h->l1d, cpu, &cpu->l1d, SEED_L1D, seed);
	h->l1d.write_through = cpu->write_through;
	cache_init(&h->l2, cpu, &cpu->l2, SEED_L2, seed);
	tlb_init(&h->itlb, cpu, &cpu->itlb, SEED_ITLB, seed);
	tlb_init(&h->dtlb, cpu, &cpu->dtlb, SEED_DTLB, seed);
	tlb_init(&h->stlb, cpu, &cpu->stlb, SEED_STLB, seed);
	branch_init(&h->branch, &cpu->predictor);
	pipe_init(&h->pipe, &cpu->pipeline);
	memtime_init(&h->memtime, cpu);
	for (unsigned n = 0; n < BANKS_MAX; n++)
		ledger_init(&h->l2_turns[n], cpu->l2.line_cycles, 1, 0);
}

/* H4 */
static uint64_t quantum_of(const struct trace_header *header)
{
	if (header->quantum)
		return header->quantum;
	return header->harts > 1 ? 10000 : 1000000;
}

void machine_init(struct machine *m, const struct trace_header *header)
{
	m->ram = header->ram;
	m->ram_size = header->ram_size;
	m->harts = header->harts;
	m->hart = room(m->harts, sizeof(*m->hart));
	for (unsigned n = 0; n < m->harts; n++)
		hart_init(&m->hart[n], &m->cpu, n, header->seed);
	cache_init(&m->ll, &m->cpu, &m->cpu.ll, SEED_LL, header->seed);
	for (unsigned n = 0; n < BANKS_MAX; n++)
		ledger_init(&m->ll_turns[n], m->cpu.ll.line_cycles, m->harts, quantum_of(header));
	ledger_init(&m->bus_turns, m->cpu.memory_line_cycles, m->harts, quantum_of(header));
	rows_init(&m->rows, &m->cpu);
}

void machine_free(struct machine *m)
{
	for (unsigned n = 0; n < m->harts; n++) {
		struct hart *h = &m->hart[n];

		cache_free(&h->l1i);
		cache_free(&h->l1d);
		cache_free(&h->l2);
		tlb_free(&h->itlb);
		tlb_free(&h->dtlb);
		tlb_free(&h->stlb);
		branch_free(&h->branch);
		memtime_free(&h->memtime);
		for (unsigned bank = 0; bank < BANKS_MAX; bank++)
			ledger_free(&h->l2_turns[bank]);
	}
	for (unsigned bank = 0; bank < BANKS_MAX; bank++)
		ledger_free(&m->ll_turns[bank]);
	ledger_free(&m->bus_turns);
	cache_free(&m->ll);
	free(m->hart);
}

/*
 * A11: a load or store of vectors with unit stride has accessed an element, and rs1 is not a
 * multiple of the size of a field.  The first access begins where a field does.
 * What a fault-only-first load has left out because it faults was not accessed.
 */
static bool is_misaligned_stream(const struct step *s)
{
	const struct trace_record *first = NULL;
	bool is_active = false;

	for (unsigned n = 0; n < s->n && !s->vector.each; n++) {
		const struct trace_record *r = &s->more[n];

		if (r->type == RECORD_ACCESS && !first)
			first = r;
		if (r->type == RECORD_VECTOR && !(r->flags & RECORD_BEGINS))
			is_active = r->field[1];
	}
	return is_active && first && first->field[0] & ((1u << s->vector.size) - 1);
}

/* S5, but for what the pipeline does. */
static void retire(struct hart *h, const struct step *s, const struct insn *i)
{
	count(&h->totals, EV_INSTRUCTIONS);
	for (unsigned n = 0; n < i->nr_events; n++)
		count(&h->totals, i->events[n]);
	if (i->vector && is_misaligned_stream(s))
		count(&h->totals, EV_MISALIGNED);
	if (i->csr_writes)
		count(&h->totals, EV_CSR_WRITES);
	if (i->transfer == CONDITIONAL)
		count(&h->totals, s->insn.flags & RECORD_TAKEN ? EV_COND_TAKEN : EV_COND_NOT_TAKEN);
}

/* B3: the cycles of an outcome. */
static uint64_t outcome_cycles(const struct cpu_pipeline *p, const struct branch_answer *r,
			       bool taken)
{
	if (r->bad_direction)
		return p->bad_direction;
	if (r->bad_target)
		return p->bad_target;
	if (r->bad_return)
		return p->bad_return;
	return taken ? p->taken + (r->btb_miss ? p->btb_miss : 0) : 0;
}

static bool mispredicted(const struct branch_answer *r)
{
	return r->bad_direction || r->bad_target || r->bad_return;
}

/* S6 */
static void transfer(struct machine *m, struct hart *h, const struct step *s, const struct insn *i)
{
	struct branch_asked a = { .transfer = i->transfer, .pc = s->insn.field[0] };
	struct branch_answer r;
	uint64_t w;

	a.after = a.pc + i->size;
	a.taken = i->transfer != CONDITIONAL || s->insn.flags & RECORD_TAKEN;
	a.target = i->transfer == CONDITIONAL ? a.pc + (uint64_t)i->offset : s->insn.field[2];
	if (a.taken && a.target != s->insn.field[2])
		complain(m, s->nr, "a branch goes to another place than its bits say");
	r = branch_predict(&h->branch, &a);
	if (r.bad_direction) {
		count(&h->totals, EV_COND_MISPREDICTS);
		if (a.taken)
			count(&h->totals, EV_TAKEN_MISPREDICTS);
	}
	if (r.bad_target)
		count(&h->totals, EV_TARGET_MISPREDICTS);
	if (r.bad_return)
		count(&h->totals, EV_RETURN_MISPREDICTS);
	if (r.btb_miss)
		count(&h->totals, EV_BTB_MISSES);
	w = outcome_cycles(&m->cpu.pipeline, &r, a.taken);
	if (r.bad_direction && h->pipe.late)
		w += m->cpu.pipeline.late_alu; /* P14 */
	/* P8, W10 */
	if (a.taken || r.bad_direction)
		w = pipe_front(&h->pipe, mispredicted(&r) ? FRONT_MISPREDICTED : FRONT_TAKEN, w);
	w = mispredicted(&r) ? shadow_recover(h, &m->cpu, w) : memtime_static(h, w);
	count_n(&h->totals, EV_WAIT_BRANCH, w);
}

/* menvcfg, senvcfg */
#define LPE 4
#define SSE 8
#define PMM (3ull << 32)

/* S7 and F4: a CSR has been written. */
static void csr_written(struct hart *h, const struct trace_record *r)
{
	enum {
		SSTATUS = 0x100,
		SENVCFG = 0x10a,
		SATP = 0x180,
		MSTATUS = 0x300,
		MENVCFG = 0x30a,
		MSECCFG = 0x747
	};

	switch (r->more) {
	case SSTATUS:
	case MSTATUS:
	case MSECCFG:
		h->has_line = false;
		break;
	case MENVCFG:
		h->has_line = false;
		h->sse_s = r->field[2] & SSE;
		h->sse_u &= h->sse_s;
		break;
	case SENVCFG:
		if ((r->field[1] ^ r->field[2]) & (SSE | LPE | PMM))
			h->has_line = false;
		h->sse_u = r->field[2] & SSE;
		break;
	case SATP:
		if (r->field[1] != r->field[2])
			h->has_line = false;
		h->satp = r->field[2];
		break;
	}
}

/* T8 */
static void sfence(struct machine *m, struct hart *h, const struct trace_record *r)
{
	const uint64_t *va = r->flags & RECORD_FENCE_VA ? &r->field[0] : NULL;
	const uint64_t *asid = r->flags & RECORD_FENCE_ASID ? &r->field[1] : NULL;

	tlb_fence(&h->itlb, va, asid);
	tlb_fence(&h->dtlb, va, asid);
	if (m->cpu.stlb.there)
		tlb_fence(&h->stlb, va, asid);
}

/* S7 */
static void effects(struct machine *m, struct hart *h, const struct step *s, const struct insn *i)
{
	for (unsigned n = 0; n < s->n; n++) {
		if (s->more[n].type == RECORD_CSR)
			csr_written(h, &s->more[n]);
		if (s->more[n].type == RECORD_FENCE)
			sfence(m, h, &s->more[n]);
	}
	if (i->fence_i)
		cache_clear(&h->l1i); /* C16 */
	if (i->fence_i || i->sfence_vma || i->mret_sret)
		h->has_line = false; /* F4 */
	if (i->wfi) {
		pipe_init(&h->pipe, &m->cpu.pipeline); /* P10 */
		h->idle = true;
	}
}

/* F4, P8 */
static void trap(struct hart *h)
{
	h->has_line = false;
	h->shadow = 0; /* O7 */
	pipe_front(&h->pipe, FRONT_TRAP, 0);
}

/* S8, H7 */
static void exception(struct hart *h, const struct trace_record *r)
{
	count(&h->totals, EV_EXCEPTIONS);
	if (r->more == 12 || r->more == 13 || r->more == 15)
		count(&h->totals, EV_PAGE_FAULTS);
	if (r->more == 8 || r->more == 9 || r->more == 11)
		count(&h->totals, EV_ECALLS);
	h->clock++;
	trap(h);
}

/* The bits of an instruction; a vector one as V encodes it. */
static uint32_t bits_of(const struct machine *m, const struct step *s)
{
	return m->cpu.vector.thead ? decode_thead_vector(s->insn.more) : s->insn.more;
}

/* A vector instruction that the CPU has, even if its operands or vtype make it illegal. */
static bool is_vector(const struct machine *m, uint32_t bits)
{
	return m->cpu.vector.vlen && decode(bits, 0, false).vector &&
	       (m->cpu.vector.zvbb || !decode_vector_is_later(bits));
}

/*
 * S3: it was fetched, and waits for registers: nothing that the CPU lacks; ebreak may read memory
 * (A10).  An illegal instruction is taken for one that the CPU lacks, but for vectors.
 */
static bool is_executed(const struct machine *m, const struct step *s, const struct trace_record *x)
{
	if (!(s->insn.flags & RECORD_FETCHED))
		return false;
	if (x && x->more == 2)
		return is_vector(m, bits_of(m, s));
	return true;
}

/* A8: which of T-Head's words retire. */
static void check_fence_word(struct machine *m, const struct step *s, const struct trace_record *x)
{
	const uint32_t bits = s->insn.more;

	if (!(s->insn.flags & RECORD_FETCHED) || !decode_is_fence_word(bits))
		return;
	if (decode_is_thead_fence(bits, m->cpu.thead)) {
		if (x && x->more == 2)
			complain(m, s->nr, "%#x is illegal, but the CPU has it", bits);
	} else if (!x) {
		complain(m, s->nr, "%#x retires, but it is illegal", bits);
	}
}

/*
 * P15: the parts of an instruction go through the pipeline.  Returns their cost, and counts in *t,
 * unless it is NULL, what they wait for, but for the first `hidden` cycles.
 */
static uint64_t parts_pass(struct pipe *p, const struct parts *parts, struct totals *t,
			   uint64_t hidden)
{
	static const enum event order[] = { EV_WAIT_LOAD, EV_WAIT_INT, EV_WAIT_FP, EV_WAIT_UNIT };
	uint64_t waits[4] = { 0 }, cost = 0;
	struct totals none = { 0 };

	for (unsigned n = 0; n < parts->n; n++) {
		const struct plan plan = pipe_plan(p, &parts->part[n]);

		cost += plan.cost;
		for (unsigned k = 0; k < CAUSES * 4; k++)
			if (plan.waits[k / 4].cause == order[k % 4])
				waits[k % 4] += plan.waits[k / 4].cycles;
		pipe_commit(p, &parts->part[n], &plan, 0, &none);
	}
	for (unsigned k = 0; t && k < 4; k++) {
		uint64_t not_counted = hidden < waits[k] ? hidden : waits[k];

		count_n(t, order[k], waits[k] - not_counted);
		hidden -= not_counted;
	}
	return cost;
}

/* The static cost of an instruction in the present state of the pipeline. */
static uint64_t cost_of(const struct hart *h, const struct step *s, const struct insn *i)
{
	struct pipe p = h->pipe;

	return s->parts.n ? parts_pass(&p, &s->parts, NULL, 0) : pipe_plan(&p, i).cost;
}

/* It passes through the pipeline; so many cycles of its cost are hidden. */
static void passes(struct hart *h, const struct step *s, const struct insn *i, uint64_t hidden)
{
	const struct plan plan = pipe_plan(&h->pipe, i);

	if (s->parts.n)
		parts_pass(&h->pipe, &s->parts, &h->totals, hidden);
	else
		pipe_commit(&h->pipe, i, &plan, hidden, &h->totals);
}

/* What comes before its accesses: it waits for registers, and its static cost is taken. */
static void before_accesses(struct machine *m, struct hart *h, const struct step *s,
			    const struct insn *i)
{
	const uint64_t cost = cost_of(h, s, i);

	h->cost = cost;
	memtime_before(h, &m->cpu, i);
	if (s->insn.flags & RECORD_RETIRED) {
		h->cost = 0;
		passes(h, s, i, cost - memtime_static(h, cost));
	} else {
		memtime_trapping(h, &m->cpu);
	}
	memtime_operands(h, &m->cpu, i);
	for (unsigned n = 0; n < s->n; n++)
		if (s->more[n].type == RECORD_DIVISION)
			division_executes(h, &m->cpu, i, s->insn.more, s->more[n].field);
	if (i->fence)
		memtime_fence(h, &m->cpu); /* L7 */
}

/* V1, V4: the vector instruction, and what it waits for. */
static void vector_begins(struct machine *m, struct hart *h, struct step *s)
{
	const struct trace_record *r = NULL;

	for (unsigned n = 0; n < s->n && !r; n++)
		if (s->more[n].type == RECORD_VECTOR)
			r = &s->more[n];
	if (!r)
		return;
	s->vector = decode_vector(bits_of(m, s), r->more, m->cpu.vector.vlen, m->cpu.vector.thead);
	s->elements = r->field[0];
	memtime_vector(h, &m->cpu, &s->vector, s->elements);
}

/* V7, V9 */
static void vector_ends(struct machine *m, struct hart *h, const struct step *s)
{
	for (unsigned n = 0; n < s->n; n++) {
		const struct trace_record *r = &s->more[n];

		if (r->type != RECORD_VECTOR || r->flags & RECORD_BEGINS)
			continue;
		count_n(&h->totals, EV_VECTOR_ELEMENTS, r->field[0]);
		count_n(&h->totals, EV_VECTOR_ACTIVE, r->field[1]);
		count_n(&h->totals, EV_VECTOR_LANES, s->vector.lanes);
		vector_done(&m->cpu.vector, &h->vector, &s->vector, s->elements,
			    memtime_vector_time(h));
	}
}

void run_insn(struct machine *m, struct step *s)
{
	struct hart *h = &m->hart[s->insn.hart];
	const struct trace_record *x = run_exception(s);
	struct insn i = { 0 };

	s->parts.n = 0;
	h->totals.mode = s->insn.flags & RECORD_MODE;
	h->idle = false;
	run_fetch(m, h, s);
	check_fence_word(m, s, x);
	if (is_executed(m, s, x)) {
		if (!m->cpu.zcm || !decode_zcm(s->insn.more, &i, &s->parts))
			i = decode(bits_of(m, s), m->cpu.thead,
				   h->totals.mode < 3 && (h->totals.mode ? h->sse_s : h->sse_u));
		before_accesses(m, h, s, &i);
	}
	h->is_vector = i.vector;
	h->is_table = i.table;
	if (i.vector)
		vector_begins(m, h, s);
	run_accesses(m, h, s, i.rd);
	h->is_table = false;
	if (i.vector)
		vector_ends(m, h, s);
	if (i.transfer == RETURN && s->parts.n && s->insn.flags & RECORD_RETIRED)
		memtime_return(h, &m->cpu);
	memtime_trapped(h);
	if (s->insn.flags & RECORD_RETIRED) {
		retire(h, s, &i);
		if (i.transfer)
			transfer(m, h, s, &i);
		effects(m, h, s, &i);
	}
	if (x)
		exception(h, x);
	if (!x == !(s->insn.flags & RECORD_RETIRED))
		complain(m, s->nr, "an instruction must retire or trap");
}

void run_between(struct machine *m, const struct trace_record *r, uint64_t nr)
{
	struct hart *h = &m->hart[r->hart];

	switch (r->type) {
	case RECORD_RESET:
		h->clock = r->field[1];
		break;
	case RECORD_TURN: /* H3, H8: the clock of a hart that was idle has been set */
		if (!h->idle && h->clock != r->field[0])
			complain(m, nr, "the time of hart %u is %llu, but the machine says %llu",
				 h->number, (unsigned long long)h->clock,
				 (unsigned long long)r->field[0]);
		h->clock = r->field[0];
		break;
	case RECORD_INTERRUPT:
		h->totals.mode = r->flags & RECORD_MODE;
		count(&h->totals, EV_INTERRUPTS);
		trap(h);
		break;
	case RECORD_WAKE: /* H8 */
		h->clock = r->field[0];
		h->idle = false;
		break;
	}
}

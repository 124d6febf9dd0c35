// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_data.c - collects the events of an exact profile by data address (exact_data.h).
 *
 * It listens in front of exact.c: what it hears goes on to exact.c's listener first, so that the
 * rest of the profile is the same with and without it.
 */
#include <stdlib.h>

#include "exact_data.h"
#include "exact_format.h"
#include "timing.h"

#define PIECES_MAX (1u << 20) /* with their own address; then as many with that of their page */
#define ROWS_MAX   (1u << 20) /* the same */
#define TRADES_MAX (1u << 18)
#define UNKNOWN	   1 /* the row of what nobody knows */

const uint8_t exact_data_event[DATA_EVENTS] = {
	[DATA_L1D_READ_MISS] = EVENT_L1D_READ_MISS,
	[DATA_L1D_WRITE_MISS] = EVENT_L1D_WRITE_MISS,
	[DATA_L1D_WALK_MISS] = EVENT_L1D_WALK_MISS,
	[DATA_L1D_WRITEBACK] = EVENT_L1D_WRITEBACK,
	[DATA_L2_READ_MISS] = EVENT_L2_READ_MISS,
	[DATA_L2_WRITE_MISS] = EVENT_L2_WRITE_MISS,
	[DATA_L2_WRITEBACK] = EVENT_L2_WRITEBACK,
	[DATA_LL_READ_MISS] = EVENT_LL_READ_MISS,
	[DATA_LL_WRITE_MISS] = EVENT_LL_WRITE_MISS,
	[DATA_LL_WRITEBACK] = EVENT_LL_WRITEBACK,
	[DATA_BUS_READ] = EVENT_BUS_READ,
	[DATA_UNCACHED_READ] = EVENT_UNCACHED_READ,
	[DATA_UNCACHED_WRITE] = EVENT_UNCACHED_WRITE,
	[DATA_SNOOP_INVALIDATE] = EVENT_SNOOP_INVALIDATE,
	[DATA_SNOOP_WRITEBACK] = EVENT_SNOOP_WRITEBACK,
	[DATA_WAIT_READ_L2] = EVENT_WAIT_READ_L2,
	[DATA_WAIT_READ_LL] = EVENT_WAIT_READ_LL,
	[DATA_WAIT_READ_MEMORY] = EVENT_WAIT_READ_MEMORY,
};

/* The events that the watch of the hierarchy tells, with their lines. */
static bool is_write_back(unsigned e)
{
	return e == DATA_L1D_WRITEBACK || e == DATA_L2_WRITEBACK || e == DATA_LL_WRITEBACK ||
	       e == DATA_SNOOP_WRITEBACK;
}

/* Instructions that access data */

static unsigned bytes_of(const struct insn *i)
{
	static const uint8_t bytes[ISA_NR] = {
#define LOAD(name, match, mask, bytes, ...)  [ISA_##name] = (bytes),
#define STORE(name, match, mask, bytes, ...) [ISA_##name] = (bytes),
#include "insn.def"
	};

	if (i->op < ISA_NR && bytes[i->op])
		return bytes[i->op];
	return i->raw & 0x1000 ? 8 : 4; /* of an atomic */
}

static unsigned does(enum hierarchy_kind kind)
{
	return kind == HIERARCHY_WRITE || kind == HIERARCHY_WRITE_UNCACHED ? EXACT_WRITES
	       : kind == HIERARCHY_ATOMIC ? EXACT_READS | EXACT_WRITES
					  : EXACT_READS;
}

static bool is_code(enum hierarchy_kind kind)
{
	return kind == HIERARCHY_FETCH || kind == HIERARCHY_FETCH_UNCACHED;
}

/* The user of an access at a place.  NULL: not known. */
static const struct data_user *user_of(struct exact *x, const struct place *p)
{
	struct data *d = x->data;
	const struct context *c = p->version ? p->version->site->context : NULL;
	struct data_user *u;

	if (!c)
		return NULL;
	u = (void *)exact_find(&d->users, p->node.key[0], (uintptr_t)c);
	if (!u) {
		u = exact_new(x, &d->users, sizeof(*u), p->node.key[0], (uintptr_t)c);
		if (!u || !VEC_PUSH(&d->all_users, u)) {
			x->no_memory = true;
			return NULL;
		}
		u->context = c;
		u->id = d->all_users.nr;
	}
	if (p->raw)
		u->raw = p->raw;
	if (d->now.h->run && !is_code(d->now.kind) && d->now.kind != HIERARCHY_WALK) {
		u->does |= does(d->now.kind);
		u->bytes = bytes_of(d->now.h->at);
	}
	return u;
}

/* Pieces of data */

static uint32_t space_of(struct exact *x, uint64_t satp)
{
	struct data *d = x->data;
	struct piece *s = (void *)exact_find(&d->spaces, satp, 0);

	if (s)
		return s->id;
	s = exact_new(x, &d->spaces, sizeof(*s), satp, 0);
	if (!s || !VEC_PUSH(&d->satps, satp)) {
		x->no_memory = true;
		return 0;
	}
	s->id = d->satps.nr - 1;
	return s->id;
}

/* A piece of a kind, at an address; NULL: there is no room for another one. */
static struct piece *piece_at(struct exact *x, unsigned kind, bool page, uint32_t space,
			      uint64_t address)
{
	struct data *d = x->data;
	uint64_t key = (uint64_t)space << 8 | page << 7 | kind;
	struct piece *e = (void *)exact_find(&d->pieces, address, key);

	if (e || d->pieces.used >= (page ? 2 * PIECES_MAX : PIECES_MAX))
		return e;
	e = exact_new(x, &d->pieces, sizeof(*e), address, key);
	if (!e || !VEC_PUSH(&d->all_pieces, e)) {
		x->no_memory = true;
		return NULL;
	}
	e->id = d->all_pieces.nr - 1;
	return e;
}

/* The virtual address of the present access: that of its instruction, moved to its part at pa. */
static uint64_t address_now(const struct data *d)
{
	const struct hart *h = d->now.h;
	const struct insn *i = h->at;
	bool cbo = i->op >= ISA_cbo_inval && i->op <= ISA_cbo_zero;
	uint64_t va = h->x[i->rs1], part;

	if (i->op == ISA_cm_push) /* the lowest of its addresses */
		va -= 8 * i->rs2;
	else if (isa_table[i->op].format == ISA_FMT_POP)
		va += i->imm - 8 * i->rs2;
	else if (!cbo && !(block_insn_events(i) &
			   (1ull << EVENT_AMO | 1ull << EVENT_LR | 1ull << EVENT_SC)))
		va += i->imm;
	part = (va & PAGE_MASK) | (d->now.pa & ~PAGE_MASK);
	return part < va && !cbo ? part + PAGE_SIZE : part;
}

/* The page of a piece, or what is not known, if there is no room for the page. */
static const struct piece *page_of(struct exact *x, unsigned kind, uint32_t space, uint64_t address)
{
	struct piece *e = piece_at(x, kind, true, space, address & PAGE_MASK);

	x->data->folded++;
	return e ? e : piece_at(x, EXACT_DATA_UNKNOWN, false, 0, 0);
}

/* A piece at an address; or its page. */
static const struct piece *piece_or_page(struct exact *x, unsigned kind, uint32_t space,
					 uint64_t address)
{
	struct piece *e = piece_at(x, kind, false, space, address);

	return e ? e : page_of(x, kind, space, address);
}

static const struct piece *piece_of(struct exact *x)
{
	struct data *d = x->data;
	const struct hart *h = d->now.h;
	uint64_t va = d->now.va;
	unsigned kind = EXACT_DATA_USER;
	uint32_t space = 0;
	struct heap_allocation allocation;

	if (is_code(d->now.kind))
		return piece_or_page(x, EXACT_DATA_CODE, 0, 0);
	if (d->now.kind == HIERARCHY_WALK)
		return piece_or_page(x, EXACT_DATA_TABLES, 0, 0);
	if (!h->run || h->at->op == ISA_ebreak)
		return piece_or_page(x, EXACT_DATA_UNKNOWN, 0, 0);
	if (!cluster_ram(x->cl, d->now.pa, 1))
		return piece_or_page(x, EXACT_DATA_DEVICE, 0, d->now.pa);
	if (h->translated && (int64_t)va >= 0)
		space = space_of(x, h->satp);
	else
		kind = h->translated ? EXACT_DATA_KERNEL : EXACT_DATA_PHYSICAL;
	if (exact_calls_on_stack(h, va))
		return piece_or_page(x, EXACT_DATA_STACK, space, 0);
	if (d->heap && space && exact_heap_find(d->heap, h->satp, va, &allocation)) {
		kind = EXACT_DATA_HEAP;
		space = allocation.site->id;
		va -= allocation.address;
	}
	return piece_or_page(x, kind, space, va);
}

/* Rows */

/* As piece_at(). */
static struct data_row *row_of(struct exact *x, const struct piece *piece,
			       const struct data_user *user)
{
	struct data *d = x->data;
	uint64_t key = (uint64_t)piece->id << 32 | (user ? user->id : 0);
	struct data_row *r = (void *)exact_find(&d->rows, key, 0);

	if (r || d->rows.used >= (piece_is_page(piece) ? 2 * ROWS_MAX : ROWS_MAX))
		return r;
	r = exact_new(x, &d->rows, sizeof(*r), key, 0);
	if (!r || !VEC_PUSH(&d->all_rows, r)) {
		x->no_memory = true;
		return NULL;
	}
	r->id = d->all_rows.nr - 1;
	r->piece = piece;
	r->user = user;
	return r;
}

/* The row of a piece and a user; or of its page, or UNKNOWN. */
static struct data_row *row_or_page(struct exact *x, const struct piece *piece,
				    const struct data_user *user)
{
	struct data_row *r = row_of(x, piece, user);

	if (!r && !piece_is_page(piece))
		r = row_of(x, page_of(x, piece_kind(piece), piece_space(piece), piece->node.key[0]),
			   user);
	return r ? r : x->data->all_rows.at[UNKNOWN];
}

/* The row of the present access. */
static struct data_row *row_now(struct exact *x)
{
	struct data *d = x->data;
	struct hart *h = d->now.h;
	const struct place *p;

	if (d->now.row)
		return d->now.row;
	p = d->inner->here(h);
	d->now.va = 0;
	if (h->run && !is_code(d->now.kind) && d->now.kind != HIERARCHY_WALK)
		d->now.va = address_now(d);
	d->now.satp = h->translated && (int64_t)d->now.va >= 0 ? h->satp : 0;
	d->now.row = row_or_page(x, piece_of(x), user_of(x, p));
	return d->now.row;
}

/* Lines */

/* The number of a line of RAM; false: it is not RAM. */
static bool number_of(const struct exact *x, uint64_t pa, uint64_t *number)
{
	*number = (pa - RAM_BASE) / x->data->line;
	return cluster_ram(x->cl, pa, 1) != NULL;
}

static struct touch touch_now(struct exact *x, uint64_t line)
{
	const struct data *d = x->data;
	bool here = (d->now.pa & -d->line) == line;

	return (struct touch){ row_now(x)->id, here ? d->now.pa - line : d->line };
}

/* The present access has brought its line into L1D, or made it dirty. */
static void touches(struct exact *x)
{
	const struct data *d = x->data;
	uint64_t number;

	if (number_of(x, d->now.pa, &number))
		d->last[d->now.h->id][number] = touch_now(x, d->now.pa & -d->line);
}

static struct shared_line *shared_line(struct exact *x, uint64_t line)
{
	struct data *d = x->data;
	uint64_t number = line / d->line;
	struct shared_line *l = (void *)exact_find(&d->lines, number, 0);

	if (!l) {
		l = exact_new(x, &d->lines, sizeof(*l), number, 0);
		if (!l || !VEC_PUSH(&d->all_lines, l)) {
			x->no_memory = true;
			return NULL;
		}
		l->id = d->all_lines.nr - 1;
	}
	if ((!l->va || (!l->satp && d->now.satp)) && d->now.va && (d->now.pa & -d->line) == line) {
		l->va = d->now.va & -d->line;
		l->satp = d->now.satp;
	}
	return l;
}

static void count_trade(struct exact *x, const struct trade *new, uint64_t line)
{
	struct data *d = x->data;
	const struct touch *by = &new->by, *from = &new->from;
	uint64_t what = (line / d->line) << 22 | new->hart << 19 | new->dropped << 18 |
			by->offset << 9 | from->offset;
	uint64_t rows = (uint64_t)by->row << 32 | from->row;
	struct trade *t = (void *)exact_find(&d->trades, what, rows);

	if (!t && d->trades.used < TRADES_MAX) {
		struct shared_line *l = shared_line(x, line);

		t = l ? exact_new(x, &d->trades, sizeof(*t), what, rows) : NULL;
		if (!t || !VEC_PUSH(&d->all_trades, t)) {
			x->no_memory = true;
			return;
		}
		t->by = *by;
		t->from = *from;
		t->hart = new->hart;
		t->dropped = new->dropped;
		t->line = l;
	}
	if (t)
		t->times++;
	else
		d->lost++;
}

/* What the hierarchy tells */

static void data_taken(void *arg, unsigned from, uint64_t line, bool dropped)
{
	struct exact *x = arg;
	struct trade t = { .hart = from, .dropped = dropped };
	uint64_t number;

	t.by = touch_now(x, line);
	if (number_of(x, line, &number)) {
		struct touch *last = &x->data->last[from][number];

		t.from = *last;
		if (dropped)
			*last = (struct touch){ 0 };
	}
	count_trade(x, &t, line);
}

static void data_written_back(void *arg, enum hierarchy_event event, uint64_t line)
{
	struct exact *x = arg;
	struct data *d = x->data;
	uint64_t number;
	uint32_t row = UNKNOWN;

	if (number_of(x, line, &number) && d->writer[number])
		row = d->writer[number];
	d->all_rows.at[row]->count[d->index[timing_memory_event(event)]]++;
}

static void data_dirties(void *arg)
{
	struct exact *x = arg;
	uint64_t number;

	touches(x);
	if (number_of(x, x->data->now.pa, &number))
		x->data->writer[number] = row_now(x)->id;
}

/* What harts tell */

static void data_accesses(struct hart *h, enum hierarchy_kind kind, uint64_t pa)
{
	struct data *d = exact_of(h->cl)->data;

	d->now.h = h;
	d->now.kind = kind;
	d->now.pa = pa;
	d->now.row = NULL;
}

static void data_adds(struct hart *h, enum event e, uint64_t n)
{
	struct exact *x = exact_of(h->cl);
	int index = x->data->index[e];

	if (e == EVENT_ECALL && x->data->heap)
		exact_heap_calls_kernel(x->data->heap, h);
	x->data->inner->adds(h, e, n);
	if (index < 0 || is_write_back(index))
		return;
	row_now(x)->count[index] += n;
	if (index == DATA_L1D_READ_MISS || index == DATA_L1D_WRITE_MISS)
		touches(x);
}

static void data_jumped(struct hart *h, const struct block_run *r, uint64_t target)
{
	const struct data *d = exact_of(h->cl)->data;
	uint64_t pc = r->block == h->scratch ? h->scratch_pc : r->tally->va;
	const struct insn *last = &r->insn[r->nr - 1];
	bool call = last->rd == 1;

	/* A tail call by a jump is of the path that has called this function. */
	if (last->op == ISA_jalr || last->rs3 != BPRED_JUMP)
		d->inner->jumped(h, r, target);
	exact_heap_jumped(d->heap, h, target, call ? pc + r->insn[r->nr].at : 0);
}

static void *data_here(struct hart *h)
{
	struct exact *x = exact_of(h->cl);
	struct place *p = x->data->inner->here(h);
	struct data_row *r = row_now(x);
	struct data_load *l = r->loads;

	while (l && l->place != p)
		l = l->next;
	if (l)
		return l;
	l = exact_alloc(x, sizeof(*l));
	if (!l)
		return NULL;
	*l = (struct data_load){ r->loads, p, r };
	r->loads = l;
	return l;
}

static void data_credits(struct hart *h, void *here, enum event e, uint64_t n)
{
	struct exact *x = exact_of(h->cl);
	const struct data_load *l = here;
	struct data_row *r = l ? l->row : x->data->all_rows.at[UNKNOWN];

	x->data->inner->credits(h, l ? l->place : NULL, e, n);
	if (x->data->index[e] >= 0)
		r->count[x->data->index[e]] += n;
}

/* Start and end */

static bool start_lines(struct exact *x)
{
	struct data *d = x->data;
	uint64_t lines = x->cl->ram_size / d->line;

	for (unsigned n = 0; n < x->cl->harts; n++) {
		d->last[n] = calloc(lines, sizeof(*d->last[n]));
		if (!d->last[n])
			return false;
	}
	d->writer = calloc(lines, sizeof(*d->writer));
	return d->writer;
}

/* Row 0 is not used, row 1 is UNKNOWN. */
static bool start_rows(struct exact *x)
{
	struct data *d = x->data;
	const struct piece *piece;
	const struct data_row *row;

	if (!VEC_PUSH(&d->all_rows, NULL) || !VEC_ROOM(&d->all_rows, 1))
		return false;
	space_of(x, 0);
	piece = piece_at(x, EXACT_DATA_UNKNOWN, false, 0, 0);
	row = piece ? row_of(x, piece, NULL) : NULL;
	return row && row->id == UNKNOWN;
}

bool exact_data(struct cluster *cl)
{
	struct exact *x = exact_of(cl);
	struct data *d = calloc(1, sizeof(*d));

	x->data = d;
	if (!d)
		return false;
	d->line = cl->shape->hierarchy.l1d.line;
	for (unsigned e = 0; e < EVENT_NR; e++)
		d->index[e] = -1;
	for (unsigned e = 0; e < DATA_EVENTS; e++)
		d->index[exact_data_event[e]] = e;
	if (!start_lines(x) || !start_rows(x))
		return false;
	d->inner = cl->listener;
	d->listener = *d->inner;
	d->listener.accesses = data_accesses;
	d->listener.adds = data_adds;
	d->listener.here = data_here;
	d->listener.credits = data_credits;
	d->watch = (struct hierarchy_watch){ x, data_taken, data_written_back, data_dirties };
	cl->hierarchy->watch = &d->watch;
	cl->listener = &d->listener;
	for (unsigned n = 0; n < cl->harts; n++)
		cl->hart[n]->listener = &d->listener;
	return true;
}

bool exact_heap(struct cluster *cl, const struct exact_allocator *a, unsigned nr)
{
	struct data *d = exact_of(cl)->data;

	d->heap = exact_heap_new(a, nr);
	if (!d->heap)
		return false;
	d->listener.jumped = data_jumped;
	d->listener.targets = exact_heap_targets(d->heap);
	for (unsigned n = 0; n < cl->harts; n++)
		pmu_translation_changed(cl->hart[n]);
	return true;
}

void exact_data_free(struct exact *x)
{
	struct data *d = x->data;

	if (!d)
		return;
	exact_heap_free(d->heap);
	for (unsigned n = 0; n < HARTS_MAX; n++)
		free(d->last[n]);
	free(d->writer);
	free(d->satps.at);
	free(d->all_pieces.at);
	free(d->all_users.at);
	free(d->all_rows.at);
	free(d->all_lines.at);
	free(d->all_trades.at);
	free(d->spaces.bucket);
	free(d->pieces.bucket);
	free(d->users.bucket);
	free(d->rows.bucket);
	free(d->lines.bucket);
	free(d->trades.bucket);
	free(d);
}

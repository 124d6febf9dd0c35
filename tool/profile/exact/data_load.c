// SPDX-License-Identifier: BSD-2-Clause
/* data_load.c - puts what an exact profile knows of data into a struct profile (data_load.h). */
#include <stdlib.h>

#include "data_load.h"
#include "exact_format.h"

struct work {
	struct profile *p;
	struct profile_data *to;
	const struct exact_data *from;
	const struct data_finder *f;
};

static bool enough(struct work *w, bool memory)
{
	w->p->no_memory |= !memory;
	return memory;
}

static void take_sites(struct work *w)
{
	for (size_t n = 0; n < w->from->sites.nr; n++) {
		const struct exact_site *s = &w->from->sites.at[n];
		const struct profile_site to = { w->f->call(w->f->cookie, s), s->times, s->bytes };

		if (!enough(w, VEC_PUSH(&w->to->sites, to)))
			return;
	}
}

static void take_users(struct work *w)
{
	for (size_t n = 0; n < w->from->users.nr; n++) {
		const struct exact_user *u = &w->from->users.at[n];
		const struct profile_access a = { w->f->place(w->f->cookie, u), u->hart,
						  u->does & EXACT_READS, u->does & EXACT_WRITES,
						  u->bytes };

		if (!enough(w, VEC_PUSH(&w->to->accesses, a)))
			return;
	}
}

/* Finds the file of data at an address where nothing is translated. */
static void find_linked(const struct work *w, struct profile_piece *p)
{
	const struct data_finder *f = w->f;

	for (unsigned n = 0; n < 2; n++) {
		const struct exact_file *x = f->linked[n].file == EXACT_NO_FILE
						     ? NULL
						     : exact_files_at(f->files, f->linked[n].file);

		if (!x || p->addr < x->low || p->addr >= x->high)
			continue;
		p->object = profile_add_object(w->p, PROFILE_FIRMWARE, f->linked[n].path, NULL, 0);
		return;
	}
}

/* Finds the process and the file of data at an address of a program. */
static void find_mapped(const struct work *w, uint64_t satp, struct profile_piece *p)
{
	struct exact_home home = exact_spaces_data(w->f->spaces, satp, p->addr);

	p->process = exact_spaces_process(w->f->spaces, w->p, satp, w->f->program);
	if (p->kind != PROFILE_DATA_USER || !home.path)
		return;
	p->object = profile_add_object(w->p, PROFILE_USER, home.path, NULL, 0);
	p->addr = home.offset;
}

static struct profile_piece piece_of(const struct work *w, const struct exact_piece *e)
{
	static const uint8_t kind[] = {
		[EXACT_DATA_UNKNOWN] = PROFILE_DATA_UNKNOWN,
		[EXACT_DATA_USER] = PROFILE_DATA_USER,
		[EXACT_DATA_KERNEL] = PROFILE_DATA_KERNEL,
		[EXACT_DATA_PHYSICAL] = PROFILE_DATA_PHYSICAL,
		[EXACT_DATA_STACK] = PROFILE_DATA_STACK,
		[EXACT_DATA_TABLES] = PROFILE_DATA_TABLES,
		[EXACT_DATA_CODE] = PROFILE_DATA_CODE,
		[EXACT_DATA_DEVICE] = PROFILE_DATA_DEVICE,
		[EXACT_DATA_HEAP] = PROFILE_DATA_HEAP,
	};
	struct profile_piece p = { .kind = kind[e->kind],
				   .page = e->page,
				   .addr = e->address,
				   .process = PROFILE_NONE,
				   .object = PROFILE_NONE,
				   .site = PROFILE_NONE };

	if (p.kind == PROFILE_DATA_HEAP) {
		p.site = (uint32_t)e->satp;
		find_mapped(w, w->from->sites.at[p.site].satp, &p);
	} else if (e->satp) {
		find_mapped(w, e->satp, &p);
	} else if (p.kind == PROFILE_DATA_PHYSICAL) {
		find_linked(w, &p);
	}
	if (p.kind == PROFILE_DATA_KERNEL)
		p.object = profile_find_kernel_variable(w->p, p.addr);
	return p;
}

static void take_pieces(struct work *w)
{
	for (size_t n = 0; n < w->from->pieces.nr; n++) {
		if (!enough(w, VEC_PUSH(&w->to->pieces, piece_of(w, &w->from->pieces.at[n]))))
			return;
	}
}

static bool left_out(const struct work *w, const struct exact_data_row *r)
{
	return r->user && w->to->accesses.at[r->user - 1].place == PROFILE_NONE;
}

/* Rows keep their numbers, and those that are left out have no counts. */
static void take_rows(struct work *w)
{
	for (size_t n = 0; n < w->from->rows.nr && !w->p->no_memory; n++) {
		const struct exact_data_row *r = &w->from->rows.at[n];
		struct profile_data_row to = { r->piece, r->user ? r->user - 1 : PROFILE_NONE,
					       w->to->cells.nr, 0 };

		for (uint32_t c = r->cell; !left_out(w, r) && c < r->cell + r->nr; c++) {
			const struct exact_cell *cell = &w->from->cells.at[c];

			to.nr += enough(w, VEC_PUSH(&w->to->cells,
						    (struct profile_cell){ cell->event,
									   cell->count }));
		}
		enough(w, VEC_PUSH(&w->to->rows, to));
	}
}

static void take_lines(struct work *w)
{
	w->to->line_bytes = w->from->line_bytes;
	for (size_t n = 0; n < w->from->lines.nr; n++) {
		const struct exact_shared *l = &w->from->lines.at[n];
		struct profile_line line = { l->number * w->from->line_bytes, l->va, PROFILE_NONE };

		if (l->satp)
			line.process = exact_spaces_process(w->f->spaces, w->p, l->satp,
							    w->f->program);
		if (!enough(w, VEC_PUSH(&w->to->lines, line)))
			return;
	}
}

static struct profile_touch touch(const struct exact_touch *t)
{
	return (struct profile_touch){ t->row ? t->row - 1 : PROFILE_NONE, t->offset };
}

static void take_trades(struct work *w)
{
	for (size_t n = 0; n < w->from->trades.nr; n++) {
		const struct exact_trade *t = &w->from->trades.at[n];

		if (t->by.row && left_out(w, &w->from->rows.at[t->by.row - 1]))
			continue;
		if (!enough(w, VEC_PUSH(&w->to->trades,
					(struct profile_trade){ t->line, t->hart, t->dropped,
								touch(&t->by), touch(&t->from),
								t->times })))
			return;
	}
}

void data_load(struct profile *p, const struct exact_data *d, const struct data_finder *f)
{
	struct work w = { p, calloc(1, sizeof(*w.to)), d, f };

	p->data = w.to;
	if (!enough(&w, w.to) || p->no_memory)
		return;
	w.to->folded = d->folded;
	w.to->lost = d->lost;
	take_users(&w);
	take_sites(&w);
	take_pieces(&w);
	if (p->no_memory)
		return;
	take_rows(&w);
	take_lines(&w);
	take_trades(&w);
}

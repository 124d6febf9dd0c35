// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_exact.c - exact profiles: the bytes as they are, and the bytes as the content of a valid
 * zstd frame.
 *
 * Must hold: the reader ends, and gives a reason if it fails.  Events, pages and addresses that a
 * visitor gets are within the limits in the head, and callers come before what they call.  The sums
 * of a loaded profile are right, and its data names what there is.
 */
#include "data_parse.h"
#include "exact_load.h"
#include "exact_made.h"
#include "fuzz.h"
#include "profile_data.h"

struct seen {
	unsigned events, harts, nodes;
	bool notes;
};

static void see_head(void *cookie, const struct exact_head *head)
{
	struct seen *s = cookie;

	s->events = head->events;
	s->harts = head->harts;
	s->notes = head->notes;
	must(head->events && head->harts);
	for (unsigned n = 0; n < head->sums; n++) {
		for (unsigned e = 0; e < head->sum[n].nr; e++)
			must(head->sum[n].event[e] < head->events);
	}
	for (unsigned n = 0; n < head->notes; n++)
		must(!head->note[n].text.at[head->note[n].text.len]);
}

static void see_code(void *cookie, const struct exact_code *code)
{
	struct seen *s = cookie;

	must(code->hart < s->harts && code->mode < 4 && !(code->va & 4095));
}

static void see_insn(void *cookie, const struct exact_code *code, const struct exact_insn *insn)
{
	struct seen *s = cookie;

	must(insn->va - code->va < 4096 && !(insn->va & 1));
	must(!insn->call || insn->call < s->nodes);
	for (unsigned n = 0; n < insn->nr; n++)
		must(insn->cell[n].event < s->events);
}

static void see_nodes(void *cookie, const struct exact_nodes *nodes)
{
	struct seen *s = cookie;

	s->nodes = nodes->nr;
	for (uint32_t n = 1; n < nodes->nr; n++)
		must(nodes->at[n].caller < n);
}

static void see_slice(void *cookie, const struct exact_timeline_slice *slice)
{
	struct seen *s = cookie;

	must(slice->hart < s->harts);
	for (unsigned n = 0; n < slice->nr; n++)
		must(slice->cell[n].event < s->events);
}

static void see_data(void *cookie, const struct exact_data *d)
{
	struct seen *s = cookie;

	for (size_t n = 0; n < d->rows.nr; n++) {
		const struct exact_data_row *r = &d->rows.at[n];

		must(r->piece < d->pieces.nr && r->user <= d->users.nr &&
		     r->cell + r->nr <= d->cells.nr);
	}
	for (size_t n = 0; n < d->cells.nr; n++)
		must(d->cells.at[n].event < s->events);
	for (size_t n = 0; n < d->users.nr; n++)
		must(d->users.at[n].hart < s->harts);
	for (size_t n = 0; n < d->trades.nr; n++) {
		const struct exact_trade *t = &d->trades.at[n];

		must(t->line < d->lines.nr && t->hart < s->harts && t->by.row <= d->rows.nr &&
		     t->from.row <= d->rows.nr && t->by.offset <= d->line_bytes &&
		     t->from.offset <= d->line_bytes);
	}
}

static void check_data(const struct profile *p)
{
	const struct profile_data *d = p->data;

	for (size_t n = 0; d && n < d->rows.nr; n++) {
		const struct profile_data_row *r = &d->rows.at[n];

		must(r->piece < d->pieces.nr && r->cell + r->nr <= d->cells.nr);
		must(r->access == PROFILE_NONE || r->access < d->accesses.nr);
	}
	for (size_t n = 0; d && n < d->cells.nr; n++)
		must(d->cells.at[n].event < p->events.nr);
	for (size_t n = 0; d && n < d->pieces.nr; n++) {
		const struct profile_piece *e = &d->pieces.at[n];

		must(e->process == PROFILE_NONE || e->process < p->processes.nr);
		must(e->object == PROFILE_NONE || e->object < p->objects.nr);
		must(e->site == PROFILE_NONE || e->site < d->sites.nr);
	}
	for (size_t n = 0; d && n < d->accesses.nr; n++)
		must(d->accesses.at[n].place == PROFILE_NONE ||
		     d->accesses.at[n].place < p->places.nr);
	for (size_t n = 0; d && n < d->trades.nr; n++) {
		const struct profile_trade *t = &d->trades.at[n];

		must(t->line < d->lines.nr);
		must(t->by.row == PROFILE_NONE || t->by.row < d->rows.nr);
		must(t->from.row == PROFILE_NONE || t->from.row < d->rows.nr);
	}
}

static void try(const uint8_t *data, size_t size)
{
	struct seen s = { 0 };
	const struct exact_visitor v = { see_head,  see_code, see_insn,	 &s,
					 see_nodes, NULL,     see_slice, see_data };
	const struct exact_load_options o = { .events = "*", .data = true };
	struct error_text why;
	bool ok = exact_parse(data, size, &v, &why);
	struct profile *p;

	must(ok == !why.text[0] && !strchr(why.text, '\n'));
	/* Notes may name files of this machine, which must not be opened. */
	if (!ok || s.notes)
		return;
	p = profile_new();
	must(p && exact_load(p, data, size, &o, &why));
	must(profile_pack(p));
	for (uint32_t e = 0; e < p->events.nr; e++) {
		struct profile_column column = profile_column(p, e);
		struct profile_stack_count c;
		uint64_t sum = 0, packed = 0;

		while (profile_column_next(&column, &c))
			sum += c.weight;
		for (uint32_t n = 0; n < p->stacks.nr; n++)
			packed += profile_weight(p, n, e).weight;
		must(sum == p->events.at[e].total && packed == sum);
	}
	check_data(p);
	profile_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len;
	uint8_t *file = made_file(data, size, &len);

	try(data, size);
	try(file, len);
	free(file);
	return 0;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * csv_rows.c - writes rows as CSV: the keys, and of each event three columns (report.h;
 * holter-report(1) has their names).
 */
#include <stdio.h>

#include "csv.h"
#include "out.h"
#include "report.h"

static void head(struct csv *c, const struct report *r, const struct report_view *v)
{
	static const struct {
		unsigned key;
		const char *name;
	} names[] = {
		{ REPORT_COMM, "comm" },
		{ REPORT_PID, "pid" },
		{ REPORT_OBJECT | REPORT_ADDR, "object" },
		{ REPORT_SYMBOL, "symbol" },
		{ REPORT_ADDR, "addr" },
		{ REPORT_LINE, "source" },
		{ REPORT_LINE, "line" },
	};
	static const char *const kinds[] = { "self", "samples", "total" };
	char name[512];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (v->keys & names[i].key)
			csv_text(c, names[i].name);
	}
	for (unsigned i = 0; i < v->events.nr; i++) {
		for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
			snprintf(name, sizeof(name), "%s %s", r->p->events.at[v->events.at[i]].name,
				 kinds[k]);
			csv_text(c, name);
		}
	}
	csv_end(c);
}

static void put_row(struct csv *c, const struct report *r, const struct report_view *v,
		    const struct report_row *row)
{
	if (v->keys & REPORT_COMM)
		csv_text(c, report_text(r, row->comm));
	if (v->keys & REPORT_PID)
		csv_integer(c, row->pid);
	if (v->keys & (REPORT_OBJECT | REPORT_ADDR))
		csv_text(c, r->p->objects.at[row->object].path);
	if (v->keys & REPORT_SYMBOL)
		csv_text(c, report_text(r, r->functions.at[row->function].name));
	if (v->keys & REPORT_ADDR)
		csv_hex(c, row->addr);
	if (v->keys & REPORT_LINE) {
		csv_text(c, report_text(r, row->file));
		csv_integer(c, row->line);
	}
	for (unsigned i = 0; i < v->events.nr; i++) {
		uint32_t e = v->events.at[i];

		csv_number(c, row->self[e]);
		csv_number(c, row->samples[e]);
		csv_number(c, row->total[e]);
	}
	csv_end(c);
}

bool report_out_csv(struct report *r, const struct report_view *v, FILE *to)
{
	struct csv c = csv_to(to, ",");
	struct report_rows all;
	bool good = report_make_rows(r, v->keys, &v->events, &all);

	if (good)
		head(&c, r, v);
	for (size_t i = 0; good && i < all.rows.nr; i++)
		put_row(&c, r, v, &all.rows.at[i]);
	report_rows_free(&all);
	return good;
}

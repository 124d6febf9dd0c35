// SPDX-License-Identifier: BSD-2-Clause
/*
 * json.c - writes rows or the call tree as JSON (report.h; holter-report(1) has the fields).
 */
#include <stdlib.h>

#include "json.h"
#include "out.h"
#include "report.h"

struct out {
	struct report *r;
	const struct report_view *v;
	struct json j;
};

static void note(void *cookie, const char *line)
{
	json_text(cookie, NULL, line);
}

void report_json_head(struct json *j, struct report *r, const struct report_view *v)
{
	const struct profile *p = r->p;

	json_text(j, "file", r->path);
	json_text(j, "command", p->command);
	json_text(j, "host", p->hostname);
	json_text(j, "cpu", p->cpu);
	json_text(j, "release", p->release);
	json_text(j, "arch", p->arch);
	json_number(j, "lost", p->lost);
	json_number(j, "throttled", p->throttled);
	json_open(j, "notes", '[');
	report_notes(r, note, j);
	json_close(j, ']');
	json_open(j, "events", '[');
	for (unsigned i = 0; i < v->events.nr; i++) {
		const struct profile_event *e = &p->events.at[v->events.at[i]];

		json_open(j, NULL, '{');
		json_text(j, "name", e->name);
		json_bool(j, "exact", e->exact);
		json_number(j, "total", e->total);
		json_number(j, "samples", e->samples);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void numbers(struct out *o, const char *key, const uint64_t *values)
{
	json_open(&o->j, key, '[');
	for (unsigned i = 0; i < o->v->events.nr; i++)
		json_number(&o->j, NULL, values[o->v->events.at[i]]);
	json_close(&o->j, ']');
}

static void row(struct out *o, const struct report_row *row)
{
	const struct report *r = o->r;

	json_open(&o->j, NULL, '{');
	if (o->v->keys & REPORT_COMM)
		json_text(&o->j, "comm", report_text(r, row->comm));
	if (o->v->keys & REPORT_PID)
		json_integer(&o->j, "pid", row->pid);
	if (o->v->keys & (REPORT_OBJECT | REPORT_ADDR))
		json_text(&o->j, "object", r->p->objects.at[row->object].path);
	if (o->v->keys & REPORT_SYMBOL)
		json_text(&o->j, "symbol", report_text(r, r->functions.at[row->function].name));
	if (o->v->keys & REPORT_ADDR)
		json_hex(&o->j, "addr", row->addr);
	if (o->v->keys & REPORT_LINE) {
		json_text(&o->j, "source", report_text(r, row->file));
		json_integer(&o->j, "line", row->line);
	}
	numbers(o, "self", row->self);
	numbers(o, "samples", row->samples);
	numbers(o, "total", row->total);
	json_close(&o->j, '}');
}

static bool rows(struct out *o)
{
	struct report_rows all;
	bool good = report_make_rows(o->r, o->v->keys, &o->v->events, &all);

	json_open(&o->j, "rows", '[');
	for (size_t i = 0; good && i < all.rows.nr; i++)
		row(o, &all.rows.at[i]);
	json_close(&o->j, ']');
	report_rows_free(&all);
	return good;
}

/*
 * Writes the call tree as a list in which each node has the index of its parent.  Nested objects
 * could be too deep for JSON parsers.
 */
static bool tree(struct out *o)
{
	static const char *const kinds[] = { "all", "comm", "object", "function", "inlined" };
	struct report_tree all;
	bool good = report_make_tree(o->r, o->v->inlined, o->v->events.at[0], &all);
	size_t nr = o->r->p->events.nr;

	json_open(&o->j, "nodes", '[');
	for (size_t i = 0; good && i < all.nodes.nr; i++) {
		const struct report_node *n = &all.nodes.at[i];

		json_open(&o->j, NULL, '{');
		json_text(&o->j, "kind", kinds[n->kind]);
		json_text(&o->j, "name", report_node_name(o->r, n));
		if (n->kind >= REPORT_NODE_FUNCTION)
			json_text(&o->j, "object",
				  o->r->p->objects.at[o->r->functions.at[n->what].object].path);
		if (n->parent == PROFILE_NONE)
			json_null(&o->j, "parent");
		else
			json_number(&o->j, "parent", n->parent);
		numbers(o, "self", all.self + i * nr);
		numbers(o, "total", all.total + i * nr);
		json_close(&o->j, '}');
	}
	json_close(&o->j, ']');
	report_tree_free(&all);
	return good;
}

bool report_out_json(struct report *r, const struct report_view *v, FILE *to)
{
	struct out o = { r, v, json_to(to) };
	bool good;

	json_open(&o.j, NULL, '{');
	report_json_head(&o.j, r, v);
	good = v->keys & (REPORT_DATA | REPORT_SHARING) ? report_json_data(&o.j, r, v)
	       : v->graph				? tree(&o)
							: rows(&o);
	json_close(&o.j, '}');
	return good;
}

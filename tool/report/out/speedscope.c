// SPDX-License-Identifier: BSD-2-Clause
/*
 * speedscope.c - writes speedscope's own format: a profile for each event, in which each path
 * through the call tree is one sample with its own weight (report.h; speedscope's "file format
 * schema").
 */
#include <stdlib.h>

#include "json.h"
#include "out.h"
#include "report.h"

struct out {
	struct report *r;
	const struct report_view *v;
	struct json j;
	struct report_tree tree;
	struct report_line *lines; /* by function */
	uint32_t *frame_of; /* by node */
	uint32_t *path; /* frames from a node to the root */
};

static void put_frame(struct out *o, const struct report_node *n)
{
	const struct report *r = o->r;

	json_open(&o->j, NULL, '{');
	json_text(&o->j, "name", report_node_name(r, n));
	if (n->kind >= REPORT_NODE_FUNCTION && o->lines[n->what].file != PROFILE_NONE) {
		json_text(&o->j, "file", report_text(r, o->lines[n->what].file));
		if (o->lines[n->what].line > 0)
			json_integer(&o->j, "line", o->lines[n->what].line);
	} else if (n->kind >= REPORT_NODE_FUNCTION) {
		json_text(&o->j, "file", r->p->objects.at[r->functions.at[n->what].object].path);
	}
	json_close(&o->j, '}');
}

/* A function has one frame, wherever it is called, inlined or not: the viewer adds these up. */
static bool frames(struct out *o)
{
	struct idmap index = { 0 };
	uint32_t nr = 0;
	bool good = true;

	json_open(&o->j, "frames", '[');
	for (uint32_t i = 1; good && i < o->tree.nodes.nr; i++) {
		const struct report_node *n = &o->tree.nodes.at[i];
		enum report_node_kind kind = n->kind == REPORT_NODE_INLINED ? REPORT_NODE_FUNCTION
									    : n->kind;
		uint64_t id = (uint64_t)kind << 32 | n->what;

		o->frame_of[i] = idmap_get(&index, id);
		if (o->frame_of[i] != IDMAP_NONE)
			continue;
		good = idmap_set(&index, id, nr);
		o->frame_of[i] = nr++;
		put_frame(o, n);
	}
	json_close(&o->j, ']');
	idmap_free(&index);
	return good;
}

/* Returns the node after i if callers come before callees; 0: i is the last. */
static uint32_t next_node(const struct report_tree *t, uint32_t i)
{
	if (t->nodes.at[i].child != PROFILE_NONE)
		return t->nodes.at[i].child;
	while (i && t->nodes.at[i].next == PROFILE_NONE)
		i = t->nodes.at[i].parent;
	return i ? t->nodes.at[i].next : 0;
}

static void put_path(struct out *o, uint32_t node)
{
	size_t nr = 0;

	for (uint32_t n = node; n; n = o->tree.nodes.at[n].parent)
		o->path[nr++] = o->frame_of[n];
	json_open(&o->j, NULL, '[');
	while (nr--)
		json_number(&o->j, NULL, o->path[nr]);
	json_close(&o->j, ']');
}

static void put_profile(struct out *o, uint32_t event)
{
	const struct profile_event *e = &o->r->p->events.at[event];
	const uint64_t *self = o->tree.self + event;
	size_t nr = o->r->p->events.nr;

	json_open(&o->j, NULL, '{');
	json_text(&o->j, "type", "sampled");
	json_text(&o->j, "name", e->name);
	json_text(&o->j, "unit", "none");
	json_number(&o->j, "startValue", 0);
	json_number(&o->j, "endValue", e->total);
	json_open(&o->j, "samples", '[');
	for (uint32_t i = 0; (i = next_node(&o->tree, i));) {
		if (self[i * nr])
			put_path(o, i);
	}
	json_close(&o->j, ']');
	json_open(&o->j, "weights", '[');
	for (uint32_t i = 0; (i = next_node(&o->tree, i));) {
		if (self[i * nr])
			json_number(&o->j, NULL, self[i * nr]);
	}
	json_close(&o->j, ']');
	json_close(&o->j, '}');
}

static bool all(struct out *o)
{
	const struct profile *p = o->r->p;
	bool good;

	json_open(&o->j, NULL, '{');
	json_text(&o->j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_text(&o->j, "exporter", "holter");
	json_text(&o->j, "name", p->command ? p->command : o->r->path);
	json_number(&o->j, "activeProfileIndex", 0);
	json_open(&o->j, "shared", '{');
	good = frames(o);
	json_close(&o->j, '}');
	json_open(&o->j, "profiles", '[');
	for (unsigned i = 0; i < o->v->events.nr; i++)
		put_profile(o, o->v->events.at[i]);
	json_close(&o->j, ']');
	json_close(&o->j, '}');
	return good;
}

bool report_out_speedscope(struct report *r, const struct report_view *v, FILE *to)
{
	struct out o = { .r = r, .v = v, .j = json_to(to) };
	bool good = report_make_tree(r, v->inlined, v->events.at[0], &o.tree) &&
		    report_first_lines(r, &o.lines);

	o.j.compact = true;
	if (good) {
		o.frame_of = calloc(o.tree.nodes.nr, sizeof(*o.frame_of));
		o.path = calloc(o.tree.nodes.nr, sizeof(*o.path));
		good = o.frame_of && o.path && all(&o);
	}
	free(o.path);
	free(o.frame_of);
	free(o.lines);
	report_tree_free(&o.tree);
	return good;
}

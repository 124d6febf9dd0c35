// SPDX-License-Identifier: BSD-2-Clause
/*
 * tree.c - makes the call tree: the command, then callers and callees; without call chains, the
 * object and the function (report.h).
 */
#include <stdlib.h>

#include "report.h"

struct work {
	struct report *r;
	struct report_tree *tree;
	struct idmap index; /* (parent, kind, what) to node */
	bool inlined;
};

static uint32_t child_of(struct work *w, uint32_t parent, enum report_node_kind kind, uint32_t what)
{
	struct report_tree *t = w->tree;
	/* A kind needs 3 bits; a profile that fits in memory has fewer than 2^29 of each kind. */
	uint64_t key = (uint64_t)parent << 32 | (uint64_t)kind << 29 | (what & 0x1fffffff);
	uint32_t node;

	if (parent == PROFILE_NONE)
		return PROFILE_NONE;
	node = idmap_get(&w->index, key);
	if (node != IDMAP_NONE)
		return node;
	if (!VEC_ROOM(&t->nodes, 1))
		return PROFILE_NONE;
	node = t->nodes.nr;
	t->nodes.at[node] = (struct report_node){ kind, what, parent, PROFILE_NONE, PROFILE_NONE };
	if (!idmap_set(&w->index, key, node))
		return PROFILE_NONE;
	t->nodes.nr++;
	return node;
}

static uint32_t node_of(struct work *w, uint32_t stack, uint32_t caller)
{
	const struct report *r = w->r;
	uint32_t n = r->p->stacks.at[stack].place, node = caller;
	const struct profile_place *place = &r->p->places.at[n];
	const struct report_span *span = &r->spans[n];

	if (r->p->stacks.at[stack].caller == PROFILE_NONE) {
		const char *comm = r->p->processes.at[place->process].comm;

		node = child_of(w, 0, REPORT_NODE_COMM, report_string(w->r, comm));
	}
	if (!r->p->has_chains)
		node = child_of(w, node, REPORT_NODE_OBJECT, place->object);
	for (uint32_t i = span->nr; i--;) {
		const struct report_frame *f = &r->frames.at[span->first + i];

		if (!f->inlined || w->inlined)
			node = child_of(w, node,
					f->inlined ? REPORT_NODE_INLINED : REPORT_NODE_FUNCTION,
					f->function);
	}
	return node;
}

/* A caller has a lower index than its callees, both in stacks and in nodes. */
static bool make_nodes(struct work *w, uint32_t *nodes)
{
	const struct profile *p = w->r->p;

	if (!VEC_PUSH(&w->tree->nodes, (struct report_node){ REPORT_NODE_ALL, 0, PROFILE_NONE,
							     PROFILE_NONE, PROFILE_NONE }))
		return false;
	for (uint32_t i = 0; i < p->stacks.nr; i++) {
		uint32_t caller = p->stacks.at[i].caller;

		if (p->stacks.at[i].place == PROFILE_NONE)
			continue;
		nodes[i] = node_of(w, i, caller == PROFILE_NONE ? 0 : nodes[caller]);
		if (nodes[i] == PROFILE_NONE)
			return false;
	}
	return true;
}

static bool add_up(struct work *w, const uint32_t *nodes)
{
	const struct profile *p = w->r->p;
	struct report_tree *t = w->tree;
	size_t nr = p->events.nr;

	t->self = calloc(nr * t->nodes.nr + 1, sizeof(*t->self));
	t->total = calloc(nr * t->nodes.nr + 1, sizeof(*t->total));
	if (!t->self || !t->total)
		return false;
	for (uint32_t e = 0; e < nr; e++) {
		struct profile_column column = profile_column(p, e);
		struct profile_stack_count c;

		while (profile_column_next(&column, &c))
			t->self[nodes[c.stack] * nr + e] += c.weight;
	}
	for (uint32_t i = t->nodes.nr; i--;) {
		for (uint32_t e = 0; e < nr; e++) {
			t->total[i * nr + e] += t->self[i * nr + e];
			if (i)
				t->total[t->nodes.at[i].parent * nr + e] += t->total[i * nr + e];
		}
	}
	return true;
}

struct order {
	const struct report_tree *tree;
	size_t nr;
	uint32_t event;
};

static int compare(const void *left, const void *right, void *cookie)
{
	const uint32_t *a = left, *b = right;
	const struct order *o = cookie;
	uint64_t x = o->tree->total[*a * o->nr + o->event],
		 y = o->tree->total[*b * o->nr + o->event];

	if (x != y)
		return x < y ? -1 : 1;
	return *a > *b ? -1 : *a < *b;
}

/* Prepends the nodes to their parents' lists in ascending order: each list is then descending. */
static bool sort_children(struct work *w, uint32_t event)
{
	struct report_tree *t = w->tree;
	struct order order = { t, w->r->p->events.nr, event };
	uint32_t *all = calloc(t->nodes.nr, sizeof(*all));

	if (!all)
		return false;
	for (uint32_t i = 0; i < t->nodes.nr; i++)
		all[i] = i;
	qsort_r(all, t->nodes.nr, sizeof(*all), compare, &order);
	for (uint32_t i = 0; i < t->nodes.nr; i++) {
		struct report_node *n = &t->nodes.at[all[i]];

		if (n->parent == PROFILE_NONE)
			continue;
		n->next = t->nodes.at[n->parent].child;
		t->nodes.at[n->parent].child = all[i];
	}
	free(all);
	return true;
}

bool report_make_tree(struct report *r, bool inlined, uint32_t event, struct report_tree *tree)
{
	struct work w = { .r = r, .tree = tree, .inlined = inlined };
	uint32_t *nodes = calloc(r->p->stacks.nr + 1, sizeof(*nodes));
	bool good;

	*tree = (struct report_tree){ .self = NULL };
	good = nodes && make_nodes(&w, nodes) && !r->p->no_memory && add_up(&w, nodes) &&
	       sort_children(&w, event);
	free(nodes);
	idmap_free(&w.index);
	return good;
}

void report_tree_free(struct report_tree *tree)
{
	free(tree->nodes.at);
	free(tree->self);
	free(tree->total);
	*tree = (struct report_tree){ .self = NULL };
}

const char *report_node_name(const struct report *r, const struct report_node *n)
{
	switch (n->kind) {
	case REPORT_NODE_ALL:
		return "all";
	case REPORT_NODE_COMM:
		return report_text(r, n->what);
	case REPORT_NODE_OBJECT:
		return report_object_name(r, n->what);
	default:
		return report_text(r, r->functions.at[n->what].name);
	}
}

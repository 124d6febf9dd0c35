// SPDX-License-Identifier: BSD-2-Clause
/*
 * stacks.c - writes folded stacks: a line for each path in the call tree, with its functions joined
 * by semicolons, and its own weight of one event.  flamegraph.pl, inferno and speedscope read this
 * format (report.h).
 */
#include <inttypes.h>
#include <stdlib.h>

#include "out.h"
#include "report.h"

/* Replaces semicolons and newlines in a name, because they have a meaning in the format. */
static void put_name(const char *name, FILE *to)
{
	for (; *name; name++)
		fputc(*name == ';' ? ':' : *name == '\n' ? ' ' : *name, to);
}

static void put_path(const struct report *r, const struct report_tree *tree, uint32_t node,
		     uint32_t *path, FILE *to)
{
	size_t nr = 0;

	for (uint32_t n = node; n; n = tree->nodes.at[n].parent)
		path[nr++] = n;
	while (nr--) {
		const struct report_node *n = &tree->nodes.at[path[nr]];

		put_name(report_node_name(r, n), to);
		/* flamegraph.pl has own colours for inlined functions and for the kernel. */
		if (n->kind == REPORT_NODE_INLINED)
			fputs("_[i]", to);
		else if (n->kind == REPORT_NODE_FUNCTION &&
			 (r->p->objects.at[r->functions.at[n->what].object].kind ==
				  PROFILE_KERNEL ||
			  r->p->objects.at[r->functions.at[n->what].object].kind == PROFILE_MODULE))
			fputs("_[k]", to);
		if (nr)
			fputc(';', to);
	}
}

bool report_out_folded(struct report *r, const struct report_view *v, FILE *to)
{
	struct report_tree tree;
	uint32_t event = v->events.at[0];
	bool good = report_make_tree(r, v->inlined, event, &tree);
	uint32_t *path = good ? calloc(tree.nodes.nr, sizeof(*path)) : NULL;

	good = path != NULL;
	for (uint32_t i = 1; good && i < tree.nodes.nr; i++) {
		uint64_t weight = tree.self[i * r->p->events.nr + event];

		if (!weight)
			continue;
		put_path(r, &tree, i, path, to);
		fprintf(to, " %" PRIu64 "\n", weight);
	}
	free(path);
	report_tree_free(&tree);
	return good;
}

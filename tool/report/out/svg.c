// SPDX-License-Identifier: BSD-2-Clause
/*
 * svg.c - writes a flame graph of one event as SVG: a picture without scripts, for documents
 * (report.h; SVG 1.1).  Callers stand above what they call, as in the page.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "out.h"
#include "report.h"
#include "term.h"

#define WIDTH	  1200.0 /* of the picture, in pixels */
#define EDGE	  10.0 /* beside the graph */
#define TOP	  44 /* of the graph, below the title */
#define ROW	  18 /* height of a frame */
#define LEAST	  0.3 /* the narrowest frame that is drawn */
#define CHARACTER 7.0 /* width of a character */

struct out {
	struct report *r;
	struct report_tree tree;
	uint32_t event;
	double *left; /* by node */
	unsigned *depth;
	FILE *to;
};

/* Writes text for XML 1.0, which has no control characters, no U+FFFE and no U+FFFF. */
static void put_text(FILE *to, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t room = strlen(text);

	while (room) {
		bool shown;
		size_t len = term_utf8(s, room, &shown);

		if (!len || !shown || (len == 3 && !memcmp(s, "\xef\xbf", 2) && s[2] >= 0xbe))
			fputc('?', to);
		else if (*s == '<' || *s == '>' || *s == '&' || *s == '"' || *s == '\'')
			fprintf(to, "&#%d;", *s);
		else
			fwrite(s, 1, len, to);
		s += len ? len : 1;
		room -= len ? len : 1;
	}
}

static uint64_t total_of(const struct out *o, uint32_t node)
{
	return o->tree.total[node * o->r->p->events.nr + o->event];
}

static double width_of(const struct out *o, uint32_t node)
{
	return (WIDTH - 2 * EDGE) * (double)total_of(o, node) / (double)total_of(o, 0);
}

/* Returns the node that is drawn after node, with its place; 0: none. */
static uint32_t next_node(struct out *o, uint32_t node)
{
	const struct report_node *nodes = o->tree.nodes.at;
	uint32_t next = nodes[node].child;

	if (next != PROFILE_NONE && width_of(o, next) >= LEAST) {
		o->left[next] = o->left[node];
		o->depth[next] = o->depth[node] + 1;
		return next;
	}
	/* Those that follow in a list are no wider. */
	for (; node; node = nodes[node].parent) {
		next = nodes[node].next;
		if (next != PROFILE_NONE && width_of(o, next) >= LEAST) {
			o->left[next] = o->left[node] + width_of(o, node);
			o->depth[next] = o->depth[node];
			return next;
		}
	}
	return 0;
}

/* The kernel is red, firmware violet, programs orange, and what is not a function grey. */
static unsigned hue_of(const struct out *o, const struct report_node *n)
{
	enum profile_kind kind;

	if (n->kind < REPORT_NODE_OBJECT)
		return 0;
	kind = o->r->p->objects
		       .at[n->kind == REPORT_NODE_OBJECT ? n->what
							 : o->r->functions.at[n->what].object]
		       .kind;
	return kind == PROFILE_KERNEL || kind == PROFILE_MODULE ? 12
	       : kind == PROFILE_FIRMWARE			? 285
								: 38;
}

static unsigned channel(double hue, double sat, double light, double n)
{
	double k = fmod(n + hue / 30, 12), low = fmin(fmin(k - 3, 9 - k), 1);

	return (unsigned)lround(255 * (light - sat * fmin(light, 1 - light) * fmax(-1, low)));
}

/* Names that are alike have the same colour in each graph. */
static unsigned colour_of(const struct out *o, const struct report_node *n)
{
	unsigned hash = 0, hue = hue_of(o, n);
	double sat = hue ? 0.72 : 0.12, light, angle;

	for (const char *s = report_node_name(o->r, n); *s; s++)
		hash = hash * 31 + (unsigned char)*s;
	angle = hue ? hue + hash % 22 - 11 : 210;
	light = 0.74 + hash % 7 / 100.0;
	return channel(angle, sat, light, 0) << 16 | channel(angle, sat, light, 8) << 8 |
	       channel(angle, sat, light, 4);
}

static void put_frame(const struct out *o, uint32_t i)
{
	const struct report_node *n = &o->tree.nodes.at[i];
	const char *name = report_node_name(o->r, n);
	double width = width_of(o, i), left = EDGE + o->left[i];
	unsigned top = TOP + ROW * o->depth[i], room = (unsigned)((width - 4) / CHARACTER);
	char number[FIT_NUMBER_SIZE], cut[4 * 170 + 16];

	fputs("<g><title>", o->to);
	put_text(o->to, name);
	fprintf(o->to, "%s: %s (%.2f%%)</title>",
		n->kind == REPORT_NODE_INLINED ? " (inlined)" : "",
		fit_number(number, total_of(o, i)),
		100.0 * (double)total_of(o, i) / (double)total_of(o, 0));
	fprintf(o->to, "<rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%u\" fill=\"#%06x\"/>",
		left, top, width, ROW - 1, colour_of(o, n));
	if (width > 4 + 3 * CHARACTER) {
		fprintf(o->to, "<text x=\"%.1f\" y=\"%u\">", left + 2, top + ROW - 5);
		put_text(o->to, fit_text(cut, sizeof(cut), name, room, true));
		fputs("</text>", o->to);
	}
	fputs("</g>\n", o->to);
}

static void put_head(const struct out *o)
{
	const struct profile *p = o->r->p;
	const struct profile_event *e = &p->events.at[o->event];
	char number[FIT_NUMBER_SIZE], cut[4 * 160 + 16];

	fprintf(o->to, "<text x=\"%.0f\" y=\"18\" font-weight=\"bold\">", EDGE);
	put_text(o->to,
		 fit_text(cut, sizeof(cut), p->command ? p->command : o->r->path, 160, true));
	fprintf(o->to, "</text>\n<text x=\"%.0f\" y=\"34\">", EDGE);
	put_text(o->to, e->name);
	fprintf(o->to, ": %s%s</text>\n", e->exact ? "" : "about ", fit_number(number, e->total));
}

static void put_graph(struct out *o)
{
	unsigned deepest = 0;

	for (uint32_t i = 0; (i = next_node(o, i));)
		deepest = o->depth[i] > deepest ? o->depth[i] : deepest;
	fprintf(o->to,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%.0f\" "
		"height=\"%u\" viewBox=\"0 0 %.0f %u\" font-family=\"monospace\" "
		"font-size=\"11.5\">\n",
		WIDTH, TOP + ROW * (deepest + 1) + 10, WIDTH, TOP + ROW * (deepest + 1) + 10);
	fputs("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", o->to);
	put_head(o);
	if (total_of(o, 0))
		put_frame(o, 0);
	for (uint32_t i = 0; (i = next_node(o, i));)
		put_frame(o, i);
	fputs("</svg>\n", o->to);
}

bool report_out_svg(struct report *r, const struct report_view *v, FILE *to)
{
	struct out o = { .r = r, .event = v->events.at[0], .to = to };
	bool good = report_make_tree(r, v->inlined, o.event, &o.tree);

	if (good) {
		o.left = calloc(o.tree.nodes.nr, sizeof(*o.left));
		o.depth = calloc(o.tree.nodes.nr, sizeof(*o.depth));
		good = o.left && o.depth;
	}
	if (good)
		put_graph(&o);
	free(o.left);
	free(o.depth);
	report_tree_free(&o.tree);
	return good;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * html.c - writes an HTML page with a flame graph, a table and the code of functions: page.html
 * with its scripts, and the profile as JSON (report.h).  The JSON has the call tree and each node's
 * own weights, those that are not 0; the page computes the sums.  page_code.c writes the
 * code.  With files (report_view) it shows differences: the events of a merged report
 * (report_merge) are those of the first file and of the others in turn.
 */
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "out.h"
#include "report.h"

/* page.html as a string. */
extern const char report_page[];

struct out {
	struct report *r;
	const struct report_view *v;
	struct json j;
	struct report_tree tree;
};

static void index_or_none(struct out *o, const char *key, uint32_t index)
{
	json_integer(&o->j, key, index == PROFILE_NONE ? -1 : (int64_t)index);
}

static bool functions(struct out *o)
{
	const struct report *r = o->r;
	struct report_line *lines;
	bool good = report_first_lines(r, &lines);

	json_open(&o->j, "functions", '[');
	for (size_t i = 0; good && i < r->functions.nr; i++) {
		json_open(&o->j, NULL, '{');
		json_number(&o->j, "name", r->functions.at[i].name);
		json_number(&o->j, "object", r->functions.at[i].object);
		index_or_none(o, "file", lines[i].file);
		json_number(&o->j, "line", lines[i].line);
		json_close(&o->j, '}');
	}
	json_close(&o->j, ']');
	free(lines);
	return good;
}

static void objects(struct out *o)
{
	json_open(&o->j, "objects", '[');
	for (uint32_t i = 0; i < o->r->p->objects.nr; i++) {
		json_open(&o->j, NULL, '{');
		json_text(&o->j, "path", o->r->p->objects.at[i].path);
		json_text(&o->j, "name", report_object_name(o->r, i));
		json_number(&o->j, "kind", o->r->p->objects.at[i].kind);
		json_close(&o->j, '}');
	}
	json_close(&o->j, ']');
}

static void nodes(struct out *o)
{
	size_t nr = o->tree.nodes.nr;

	json_open(&o->j, "nodes", '{');
	json_open(&o->j, "parent", '[');
	for (size_t i = 0; i < nr; i++)
		index_or_none(o, NULL, o->tree.nodes.at[i].parent);
	json_close(&o->j, ']');
	json_open(&o->j, "kind", '[');
	for (size_t i = 0; i < nr; i++)
		json_number(&o->j, NULL, o->tree.nodes.at[i].kind);
	json_close(&o->j, ']');
	json_open(&o->j, "what", '[');
	for (size_t i = 0; i < nr; i++)
		json_number(&o->j, NULL, o->tree.nodes.at[i].what);
	json_close(&o->j, ']');
	json_open(&o->j, "self", '[');
	for (unsigned e = 0; e < o->v->events.nr; e++) {
		json_open(&o->j, NULL, '[');
		for (size_t i = 0; i < nr; i++) {
			uint64_t self = o->tree.self[i * o->r->p->events.nr + o->v->events.at[e]];

			if (!self)
				continue;
			json_number(&o->j, NULL, i);
			json_number(&o->j, NULL, self);
		}
		json_close(&o->j, ']');
	}
	json_close(&o->j, ']');
	json_close(&o->j, '}');
}

static bool all(struct out *o)
{
	bool good;

	json_open(&o->j, NULL, '{');
	report_json_head(&o->j, o->r, o->v);
	json_number(&o->j, "files", o->v->files);
	json_open(&o->j, "names", '[');
	for (size_t i = 0; i < o->r->strings.nr; i++)
		json_text(&o->j, NULL, o->r->strings.at[i]);
	json_close(&o->j, ']');
	good = functions(o);
	objects(o);
	nodes(o);
	report_page_times(&o->j, o->r, o->v);
	good = report_page_things(&o->j, o->r, o->v) && good;
	json_close(&o->j, '}');
	return good;
}

/*
 * Writes the JSON data with each < as an escape, so that no text can contain </script>, which would
 * end the data.  In JSON, < only occurs in strings.
 */
static void put_data(const char *data, size_t len, FILE *to)
{
	for (size_t i = 0; i < len; i++) {
		if (data[i] == '<')
			fputs("\\u003c", to);
		else
			fputc(data[i], to);
	}
}

/* Writes what all() or report_page_code() makes. */
static bool put_json(struct out *o, bool (*make)(struct out *o), FILE *to)
{
	char *data = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&data, &len);
	bool good = memory;

	if (good) {
		o->j = json_to(memory);
		o->j.compact = true;
		good = make(o);
	}
	if (memory && fclose(memory))
		good = false;
	if (good)
		put_data(data, len, to);
	free(data);
	return good;
}

static bool code(struct out *o)
{
	return report_page_code(&o->j, o->r, o->v);
}

bool report_out_html(struct report *r, const struct report_view *v, FILE *to)
{
	static const char data_here[] = "@DATA@", code_here[] = "@CODE@";
	const char *at = report_page, *split = strstr(at, data_here);
	struct out o = { .r = r, .v = v };
	bool good = report_make_tree(r, v->inlined, v->events.at[0], &o.tree);

	if (good) {
		fwrite(at, 1, split - at, to);
		at = split + strlen(data_here);
		good = put_json(&o, all, to);
	}
	if (good) {
		split = strstr(at, code_here);
		fwrite(at, 1, split - at, to);
		good = put_json(&o, code, to);
		fputs(split + strlen(code_here), to);
	}
	report_tree_free(&o.tree);
	return good;
}

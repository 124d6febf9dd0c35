// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_merge.c - several reports as one: what is the same in them, and what each of them counted;
 * and the names of data.
 */
#include "data.h"
#include "report_made.h"

static const char *const events[] = { "cycles", "misses" };

/* The counts of a function: of each event of each file in turn. */
static void is_row(struct report *r, unsigned keys, const char *comm, const char *object,
		   const char *symbol, const uint64_t *want)
{
	const struct report_events all = { { 0 }, 1 };
	struct report_rows rows;
	unsigned found = 0;

	ok(report_make_rows(r, keys, &all, &rows));
	for (size_t i = 0; i < rows.rows.nr; i++) {
		const struct report_row *row = &rows.rows.at[i];

		if ((comm && strcmp(report_text(r, row->comm), comm) != 0) ||
		    (object && strcmp(r->p->objects.at[row->object].path, object) != 0) ||
		    strcmp(report_text(r, r->functions.at[row->function].name), symbol) != 0)
			continue;
		found++;
		for (size_t e = 0; e < r->p->events.nr; e++)
			is(row->self[e], want[e]);
	}
	tap_context("%s", symbol);
	is(found, 1);
	report_rows_free(&rows);
}

/* command, command_b: what was profiled, or NULL. */
static struct report *merged_of(const char *command, const struct made_count *a, size_t nr_a,
				const char *command_b, const struct made_count *b, size_t nr_b)
{
	struct report *r[] = { made_report(events, true, a, nr_a),
			       made_report(events, true, b, nr_b) };
	struct report *m;

	r[0]->p->command = command ? strdup(command) : NULL;
	r[1]->p->command = command_b ? strdup(command_b) : NULL;
	m = made_merged(r[0], r[1]);
	ok(m != NULL);
	return m;
}

static struct report *merged(const struct made_count *a, size_t nr_a, const struct made_count *b,
			     size_t nr_b)
{
	return merged_of(NULL, a, nr_a, NULL, b, nr_b);
}

/* Two builds of a program with two names, and a library that is the same. */
static void two_builds(void)
{
	static const struct made_count a[] = {
		{ "old", "/x/old", "a", NULL, { 10, 1 }, { 0 } },
		{ "old", "/x/old", "b", "a", { 20, 2 }, { 0 } },
		{ "old", "/lib/l", "a", NULL, { 5, 0 }, { 0 } },
	};
	static const struct made_count b[] = {
		{ "new", "/y/lib/l", "a", NULL, { 6, 0 }, { 0 } },
		{ "new", "/y/new", "b", "a", { 15, 3 }, { 0 } },
		{ "new", "/y/new", "c", NULL, { 7, 0 }, { 0 } },
	};
	struct report *m = merged(a, TAP_NR(a), b, TAP_NR(b));
	struct report_tree tree;
	const unsigned keys = REPORT_COMM | REPORT_OBJECT | REPORT_SYMBOL;

	is(m->p->events.nr, 4);
	is_str(m->p->events.at[0].name, "cycles");
	is_str(m->p->events.at[1].name, "cycles");
	is_str(m->p->events.at[2].name, "misses");
	is(m->p->events.at[0].total, 35);
	is(m->p->events.at[1].total, 28);
	is_row(m, keys, "old", "old", "a", (const uint64_t[]){ 10, 0, 1, 0 });
	is_row(m, keys, "old", "old", "b", (const uint64_t[]){ 20, 15, 2, 3 });
	is_row(m, keys, "old", "old", "c", (const uint64_t[]){ 0, 7, 0, 0 });
	is_row(m, keys, "old", "l", "a", (const uint64_t[]){ 5, 6, 0, 0 });
	/* Both call b from a. */
	ok(report_make_tree(m, true, 0, &tree));
	is(tree.nodes.nr, 1 + 1 + 4);
	report_tree_free(&tree);
	report_free(m);
}

/* An object and a command that only data has, in one of two builds: they did not run. */
static void data_alone(void)
{
	static const struct made_count a[] = { { "old", "/x/old", "a", NULL, { 10, 1 }, { 0 } } };
	static const struct made_count b[] = { { "new", "/x/new", "a", NULL, { 6, 0 }, { 0 } } };
	struct report *r[] = { made_report(events, true, a, 1), made_report(events, true, b, 1) };
	struct report *m;

	profile_add_object(r[0]->p, PROFILE_USER, "/x/other", NULL, 0);
	profile_add_process(r[0]->p, -1, "another");
	m = made_merged(r[0], r[1]);
	is_row(m, REPORT_COMM | REPORT_OBJECT | REPORT_SYMBOL, "old", "old", "a",
	       (const uint64_t[]){ 10, 6, 1, 0 });
	report_free(m);
}

/* With two names that only one has there is no telling which is which. */
/* A shell that ran in one profile only is not taken for the profiled program. */
static void profiled(void)
{
	static const struct made_count a[] = {
		{ "sh", "/bin/sh", "main", NULL, { 1, 0 }, { 0 } },
		{ "a_name_of_seven", "/x/a_name_of_seventeen", "a", NULL, { 10, 1 }, { 0 } },
	};
	static const struct made_count b[] = {
		{ "new", "/y/new", "a", NULL, { 7, 2 }, { 0 } },
	};
	const unsigned keys = REPORT_COMM | REPORT_OBJECT | REPORT_SYMBOL;
	struct report *m = merged_of("./x/a_name_of_seventeen -n 2", a, TAP_NR(a), "new", b,
				     TAP_NR(b));

	is_row(m, keys, "a_name_of_seven", "a_name_of_seventeen", "a",
	       (const uint64_t[]){ 10, 7, 1, 2 });
	report_free(m);
	m = merged_of("cat", a, TAP_NR(a), "new", b, TAP_NR(b));
	is_row(m, keys, "new", "new", "a", (const uint64_t[]){ 0, 7, 0, 2 });
	report_free(m);
}

static void no_guess(void)
{
	static const struct made_count a[] = { { "old", "/x/old", "a", NULL, { 10, 1 }, { 0 } } };
	static const struct made_count b[] = {
		{ "new", "/x/new", "a", NULL, { 6, 0 }, { 0 } },
		{ "other", "/x/other", "a", NULL, { 3, 0 }, { 0 } },
	};
	struct report *m = merged(a, TAP_NR(a), b, TAP_NR(b));

	is_row(m, REPORT_COMM | REPORT_SYMBOL, "old", NULL, "a", (const uint64_t[]){ 10, 0, 1, 0 });
	is_row(m, REPORT_OBJECT | REPORT_SYMBOL, NULL, "new", "a",
	       (const uint64_t[]){ 0, 6, 0, 0 });
	is_row(m, REPORT_OBJECT | REPORT_SYMBOL, NULL, "other", "a",
	       (const uint64_t[]){ 0, 3, 0, 0 });
	report_free(m);
}

/* Pages of data are those of a variable if they have nothing else. */
static void pages_of_data(void)
{
	static const struct made_count count = { "c", "/x/c", "a", NULL, { 10, 1 }, { 0 } };
	static const struct {
		uint64_t addr;
		bool page;
		const char *name, *member;
	} pieces[] = {
		{ 0x11040, false, "v", "+64" },
		{ 0x11000, true, "v", "+0 to +4095" },
		{ 0x12000, true, "v", "+4096 to +8191" },
		{ 0x13000, true, "[data]", "0x13000 to 0x13fff" },
		{ 0x13100, false, "w", "+240" },
	};
	struct report *r = made_report(events, true, &count, 1);
	struct profile_data *d = r->p->data = calloc(1, sizeof(*d));
	uint32_t kernel = profile_add_object(r->p, PROFILE_KERNEL, "[kernel]", NULL, 0);
	struct symbol_table *t = &r->p->objects.at[kernel].variables;

	r->images = realloc(r->images, r->p->objects.nr * sizeof(*r->images));
	r->images[kernel] = (struct report_image){ .tried = true };
	ok(d && symbols_add(t, 0x11000, 0x2010, "v", 1, SYMBOL_GLOBAL) &&
	   symbols_add(t, 0x13010, 0x2000, "w", 1, SYMBOL_GLOBAL));
	symbols_sort(t);
	for (unsigned n = 0; n < TAP_NR(pieces); n++)
		ok(VEC_PUSH(&d->pieces, (struct profile_piece){ PROFILE_DATA_KERNEL, pieces[n].page,
								PROFILE_NONE, kernel,
								pieces[n].addr, PROFILE_NONE }));
	ok(report_data_resolve(r, true));
	for (unsigned n = 0; n < TAP_NR(pieces); n++) {
		const struct report_part *part = &r->data->parts[n];

		is_str(report_text(r, r->data->things.at[part->thing].name), pieces[n].name);
		is_str(report_text(r, part->member), pieces[n].member);
	}
	report_free(r);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "pages of data", pages_of_data },   { "two builds", two_builds },
		{ "data alone", data_alone },	      { "no guess", no_guess },
		{ "the profiled program", profiled },
	};

	return tap_run(cases, TAP_NR(cases));
}

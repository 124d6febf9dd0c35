// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_diff.c - differences between profiles, to the letter: exact counts, samples and their noise,
 * each format, hostile names.
 */
#include <math.h>
#include <stdlib.h>

#include "diff.h"
#include "report_made.h"
#include "said.h"

static const char *const events[] = { "cycles", "misses" };

static struct report *merged(bool exact, const struct made_count *a, size_t nr_a,
			     const struct made_count *b, size_t nr_b)
{
	struct report *m = made_merged(made_report(events, exact, a, nr_a),
				       made_report(events, exact, b, nr_b));

	ok(m != NULL);
	return m;
}

static void make(struct diff *d, struct report *m)
{
	*d = (struct diff){ .nr = 2,
			    .keys = REPORT_SYMBOL,
			    .files = { { "one", "./x", NULL }, { "two", NULL, "u74" } } };
	ok(diff_make(d, m));
}

static char *text_of(const struct diff *d, const struct diff_view *v)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	diff_text(d, v, to);
	fclose(to);
	return text;
}

static char *put(const struct diff *d, void (*out)(const struct diff *d, FILE *to))
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	out(d, to);
	fclose(to);
	return text;
}

static const struct made_count exact_a[] = {
	{ "x", "/x", "a", NULL, { 1000, 7 }, { 0 } },
	{ "x", "/x", "b", NULL, { 2000, 0 }, { 0 } },
	{ "x", "/x", "c", NULL, { 30, 0 }, { 0 } },
};
static const struct made_count exact_b[] = {
	{ "x", "/x", "a", NULL, { 1000, 8 }, { 0 } },
	{ "x", "/x", "b", NULL, { 1999, 0 }, { 0 } },
	{ "x", "/x", "d", NULL, { 40, 0 }, { 0 } },
};

static void exact_counts(void)
{
	struct report *m = merged(true, exact_a, 3, exact_b, 3);
	const struct diff_view all = { .equal = true }, two = { .max_rows = 2 };
	struct diff d;
	char *text;

	make(&d, m);
	text = text_of(&d, &two);
	is_str(text, "# A: one, ./x\n"
		     "# B: two, on u74\n"
		     "# exact counts, without noise: every difference is real\n"
		     "#\n"
		     "              A                B            B - A       of A  Event\n"
		     "          3,030            3,039               +9     +0.30%  cycles\n"
		     "              7                8               +1    +14.29%  misses\n"
		     "\n"
		     "# cycles\n"
		     "              A                B            B - A       of A  Symbol\n"
		     "              0               40              +40        new  d\n"
		     "             30                0              -30   -100.00%  c\n"
		     "# 1 more row with smaller differences; --rows chooses how many\n"
		     "# 1 more row is equal; --equal shows it\n"
		     "\n"
		     "# misses\n"
		     "              A                B            B - A       of A  Symbol\n"
		     "              7                8               +1    +14.29%  a\n");
	free(text);
	text = text_of(&d, &all);
	ok(strstr(text, "          1,000            1,000                0     +0.00%  a\n"));
	free(text);
	text = put(&d, diff_csv);
	is_str(text, "event,symbol,A,B,B difference,B noise,B real\n"
		     "cycles,,3030,3039,9,0,yes\n"
		     "cycles,d,0,40,40,0,yes\n"
		     "cycles,c,30,0,-30,0,yes\n"
		     "cycles,b,2000,1999,-1,0,yes\n"
		     "cycles,a,1000,1000,0,0,no\n"
		     "misses,,7,8,1,0,yes\n"
		     "misses,a,7,8,1,0,yes\n");
	free(text);
	text = put(&d, diff_json);
	ok(strstr(text,
		  "\"exact\": true, \"sums\": [\n  {\"event\": \"cycles\", \"counts\": [3030, "
		  "3039], \"samples\": [0, 0], \"differences\": [9], \"noise\": [0], "
		  "\"real\": [true]},\n"));
	ok(strstr(text, "{\"event\": \"cycles\", \"symbol\": \"c\", \"counts\": [30, 0], "
			"\"samples\": [0, 0], \"differences\": [-30], \"noise\": [0], \"real\": "
			"[true]}"));
	free(text);
	diff_free(&d);
	report_free(m);
}

/*
 * 100 and 144 samples of period 10: standard errors 100 and 120, so the noise is 3 times their
 * root of squares, 468.6.  A function without samples has the error of one period.
 */
static void samples(void)
{
	static const struct made_count a[] = {
		{ "x", "/x", "a", NULL, { 1000, 0 }, { 100, 0 } },
		{ "x", "/x", "b", NULL, { 1000, 10 }, { 100, 1 } },
	};
	static const struct made_count b[] = {
		{ "x", "/x", "a", NULL, { 1440, 0 }, { 144, 0 } },
		{ "x", "/x", "c", NULL, { 1440, 10 }, { 144, 1 } },
	};
	struct report *m = merged(false, a, 2, b, 2);
	const struct diff_view v = { .equal = false };
	struct diff d;
	double noise;
	char *text;

	make(&d, m);
	is(d.kind, DIFF_SAMPLES);
	is(d.rows.nr, 4 + 3);
	ok(!d.rows.at[0].names);
	ok(diff_of(&d.rows.at[0], 1, &noise) == 880);
	ok(fabs(noise - 3 * sqrt(10 * 10 + 10 * 10)) < 1e-9);
	is(diff_is_real(&d.rows.at[0], 1), 1);
	/* c is new, b is gone, a is within noise. */
	ok(diff_of(&d.rows.at[1], 1, &noise) == 1440);
	ok(fabs(noise - 3 * sqrt(10 * 10 + 120 * 120)) < 1e-9);
	is(diff_is_real(&d.rows.at[1], 1), 1);
	ok(diff_of(&d.rows.at[3], 1, &noise) == 440);
	ok(fabs(noise - 3 * sqrt(100 * 100 + 120 * 120)) < 1e-9);
	is(diff_is_real(&d.rows.at[3], 1), 0);
	text = text_of(&d, &v);
	ok(strstr(text, "# 1 more row without a difference beyond noise; --equal shows it\n"));
	ok(strstr(text, "              0            1,440           +1,440        new              "
			"361  c\n"));
	free(text);
	diff_free(&d);
	report_free(m);
}

/* What a name holds reaches neither the terminal nor a spreadsheet. */
static void hostile_names(void)
{
	static const struct made_count a[] = { { "x", "/x", "a", NULL, { 1, 0 }, { 0 } } };
	struct report *m = merged(true, a, 1, a, 1);
	const struct diff_view v = { .equal = true };
	struct diff d;
	char *text;

	make(&d, m);
	free(m->strings.at[0]);
	m->strings.at[0] = strdup("=x\033[2J\"<b>");
	text = put(&d, diff_csv);
	ok(strstr(text, "\ncycles,\"'=x?[2J\"\"<b>\",1,1,0,0,no\n"));
	free(text);
	text = put(&d, diff_json);
	ok(strstr(text, "\"symbol\": \"=x\\u001b[2J\\\"<b>\""));
	ok(!strchr(text, '\033'));
	free(text);
	/* Text has names as report_resolve() leaves them: printable. */
	text = text_of(&d, &v);
	ok(strstr(text, "1                1                0     +0.00%  =x"));
	free(text);
	diff_free(&d);
	report_free(m);
}

/* Counts of runs, for counts.at: the second is always 10 events, with this error. */
static struct counts run_of(struct count *list, uint64_t cycles, double error, bool exact)
{
	static char names[3][16] = { "cycles", "cycles:u", "faults" };
	struct counts c = { .exact = exact };

	for (unsigned i = 0; i < 3; i++)
		list[i] = (struct count){ names[i], i ? 10 : cycles, error };
	c.list.at = list;
	c.list.nr = 3;
	return c;
}

static void runs(void)
{
	struct count lists[2][3];
	struct counts c[] = { run_of(lists[0], 100, 0, true), run_of(lists[1], 107, 0, true) };
	struct diff d = { .nr = 2,
			  .files = { { "a.json", NULL, "u74" }, { "b.json", NULL, NULL } } };
	const struct diff_view v = { .equal = false };
	char *text;

	is(diff_make_runs(&d, c, NULL), 0);
	text = text_of(&d, &v);
	is_str(text, "# A: a.json, on u74\n"
		     "# B: b.json\n"
		     "# exact counts, without noise: every difference is real\n"
		     "#\n"
		     "              A                B            B - A       of A  Event\n"
		     "            100              107               +7     +7.00%  cycles\n"
		     "# 1 more row is equal; --equal shows it\n");
	free(text);
	diff_free(&d);

	d = (struct diff){ .nr = 2,
			   .files = { { "a.json", NULL, NULL }, { "b.json", NULL, NULL } } };
	is(diff_make_runs(&d, c, "faults,cyc*"), 0);
	is(d.rows.nr, 3);
	diff_free(&d);
	d = (struct diff){ .nr = 2,
			   .files = { { "a.json", NULL, NULL }, { "b.json", NULL, NULL } } };
	is(diff_make_runs(&d, c, "cylces"), 2);
	ok(has_said("a.json has no event 'cylces'; did you mean cycles?"));
	diff_free(&d);
}

/* The noise of means is 3 times the root of 1 * 1 + 2 * 2; that of one run is not known. */
static void several_runs(void)
{
	struct count lists[2][3];
	struct counts c[] = { run_of(lists[0], 100, 1, false), run_of(lists[1], 107, 2, false) };
	struct diff d = { .nr = 2,
			  .files = { { "a.json", NULL, NULL }, { "b.json", NULL, NULL } } };
	const struct diff_view all = { .equal = true };
	char *text;

	is(diff_make_runs(&d, c, "cycles"), 0);
	is(d.kind, DIFF_RUNS);
	text = text_of(&d, &all);
	ok(strstr(text, "            100              107               +7     +7.00%"
			"                7  cycles\n"));
	free(text);
	is(diff_is_real(&d.rows.at[0], 1), 1);
	diff_free(&d);
	c[0] = run_of(lists[0], 100, INFINITY, false);
	d = (struct diff){ .nr = 2,
			   .files = { { "a.json", NULL, NULL }, { "b.json", NULL, NULL } } };
	is(diff_make_runs(&d, c, "cycles"), 0);
	is(diff_is_real(&d.rows.at[0], 1), 0);
	text = put(&d, diff_csv);
	is_str(text, "event,A,B,B difference,B noise,B real\ncycles,100,107,7,,no\n");
	free(text);
	text = text_of(&d, &all);
	ok(strstr(text, "+7     +7.00%                ?  cycles\n"));
	free(text);
	diff_free(&d);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "exact counts", exact_counts },   { "samples", samples },
		{ "hostile names", hostile_names }, { "runs", runs },
		{ "several runs", several_runs },
	};

	return tap_run(cases, TAP_NR(cases));
}

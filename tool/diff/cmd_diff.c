// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_diff.c - holter diff: shows what two or more profiles differ in, by function and event, or
 * two or more counts of runs, by event.  The output is a table, CSV, JSON or the page of holter
 * report with a differential flame graph.
 *
 * An exact profile and samples of the same run are another question: how far the samples are from
 * what happened (compare.h).
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_diff.h"
#include "compare.h"
#include "diff.h"
#include "holter.h"
#include "options.h"
#include "out.h"
#include "output.h"
#include "report_rows.h"

struct input {
	const char *files[DIFF_FILES];
	unsigned nr;
	const char *events;
	struct output_options output;
	bool text, page; /* the format is text; html */
	bool samples, runs; /* an exact profile and samples are compared; counts of runs */
	unsigned keys;
	struct report_options report;
	struct diff_view view;
};

enum form { FORM_TEXT, FORM_JSON, FORM_CSV, FORM_HTML };

static const struct format {
	struct output_format id;
	enum form form;
} formats[] = {
	{ { "text", ".txt" }, FORM_TEXT },
	{ { "json", ".json" }, FORM_JSON },
	{ { "csv", ".csv" }, FORM_CSV },
	{ { "html", ".html" }, FORM_HTML },
};

static const struct output_formats choices = { formats, sizeof(formats) / sizeof(*formats),
					       sizeof(*formats), NULL };

static int take_keys(void *keys, const struct option_row *row, const char *value)
{
	unsigned *to = keys;

	*to = report_parse_keys(value);
	if (*to & (REPORT_PID | REPORT_ADDR))
		return holter_error("--sort '%s': pids and addresses differ from run to run and "
				    "from build to build; the keys are comm, object, symbol and "
				    "line",
				    value);
	return *to ? 0 : 2;
}

#define IN(member) OPTION_FIELD(struct input, member)

static const struct option_row rows[] = {
	{ OPTION_TEXT, "event", 'e', "EVENT,...", "compare these events, by name or pattern",
	  IN(events) },
	{ OPTION_CALL, "sort", 's', "KEY,...", "one row for each comm, object, symbol or line",
	  IN(keys), .standard = "symbol", .call = take_keys },
	{ OPTION_ON, "equal", 0, NULL,
	  "also show rows that are equal, or differ by no more than noise", IN(view.equal) },
	{ OPTION_NUMBER, "rows", 0, "N", "show at most N rows of an event", IN(view.max_rows), 1,
	  OPTION_OPEN },
	OUTPUT_ROWS(struct input, output, "text, json, csv or html"),
	REPORT_ROWS(struct input, report),
	{ OPTION_ON, "all", 0, NULL,
	  "for exact profiles: also compare what starts the command in the guest", IN(report.all) },
	{ OPTION_FACT, "text", 0, NULL, "--format text", IN(text) },
	{ OPTION_FACT, "page", 0, NULL, "the format html", IN(page) },
	{ OPTION_FACT, "samples", 0, NULL, "an exact profile and samples", IN(samples) },
	{ OPTION_FACT, "runs", 0, NULL, "a file with counts of whole runs", IN(runs) },
	{ 0 },
};

static const struct option_habit habits[] = {
	{ "-c --compute --formula --ratio", "counts, their difference and its share are shown" },
	{ "-p --period", "the counts are shown" },
	{ "-b --baseline-only", "new functions say so" },
	{ "-d --dsos --comms -C -S --symbols --symbol-filter",
	  "-s KEY,... has the rows; grep(1) finds one" },
	{ "-t --field-separator", "--format csv, or -o FILE.csv" },
	{ "--cpu --tid --pid --time", "all of a profile is compared" },
	{ "-q --quiet -v --verbose -f --force -D", "there is nothing that it would change" },
	{ 0 },
};

static const struct option_rule rules[] = {
	OUTPUT_RULES,
	{ "rows", OPTION_NEEDS, "text", "the other formats have all rows" },
	{ "equal", OPTION_EXCLUDES, "samples", "all rows are there" },
	{ "equal", OPTION_NEEDS, "text", "the other formats have all rows" },
	{ "sort", OPTION_EXCLUDES, "page", "it has functions" },
	{ "sort", OPTION_EXCLUDES, "samples", "functions are compared" },
	{ "runs", OPTION_EXCLUDES, "page sort symfs kallsyms vmlinux L all",
	  "there are no functions in it" },
	{ 0 },
};

static const struct options options = {
	.usage = "diff [OPTION]... A B [C]...",
	.about = "Shows what the profiles B, C and so on differ in from A: two or more of holter "
		 "run --profile, or two or more perf.data.  With an exact profile and samples of "
		 "the same run it shows how far the samples are from what happened.",
	.rows = rows,
	.end = "holter-diff(1) describes them.",
	.rules = rules,
	.habits = habits,
};

static int take_files(struct input *o, int argc, char **argv)
{
	if (argc - optind < 2)
		return holter_error("diff needs at least two profiles: A and B");
	if (argc - optind > DIFF_FILES)
		return holter_error("diff takes at most %d profiles", DIFF_FILES);
	while (optind < argc) {
		if (!*argv[optind])
			return holter_error("FILE '': must be the name of a file");
		if (!strcmp(argv[optind], "-"))
			return holter_error("diff: reads files, not standard input");
		o->files[o->nr++] = argv[optind++];
	}
	return 0;
}

/* Finds the file of exact counts, if the other one has samples. */
static int take_kinds(struct input *o, unsigned *exact)
{
	enum report_kind first = report_kind_of(o->files[0]);

	o->runs = first == REPORT_NO_PROFILE && counts_know(o->files[0]);
	for (unsigned n = 0; n < o->nr; n++) {
		enum report_kind kind = report_kind_of(o->files[n]);

		if (o->runs ? kind != REPORT_NO_PROFILE
			    : first != REPORT_NO_PROFILE && kind == REPORT_NO_PROFILE &&
				      counts_know(o->files[n]))
			return holter_error("%s has counts of a whole run, and %s is a profile: "
					    "all files must be of one kind",
					    o->files[o->runs ? 0 : n], o->files[o->runs ? n : 0]);
		if (kind == first || kind == REPORT_NO_PROFILE || first == REPORT_NO_PROFILE)
			continue; /* what is not a profile is refused when it is loaded */
		if (o->nr > 2)
			return holter_error("%s has %s, and %s has %s: these are compared two at a "
					    "time",
					    o->files[0],
					    first == REPORT_EXACT ? "exact counts" : "samples",
					    o->files[n],
					    first == REPORT_EXACT ? "samples" : "exact counts");
		o->samples = true;
		*exact = first == REPORT_EXACT ? 0 : 1;
	}
	return 0;
}

/* Samples and exact counts */

static int compare_samples(const struct input *o, unsigned exact, enum form form)
{
	const struct report_view view = { .limit = 0.005, .max_rows = o->view.max_rows };
	const struct compare_options c = {
		.samples = o->files[!exact],
		.exact = o->files[exact],
		.events = o->events,
		.json = form == FORM_JSON,
		.report = o->report,
		.view = &view,
	};
	FILE *to;

	if (form == FORM_CSV || form == FORM_HTML)
		return holter_error("%s has exact counts, and %s has samples: how far these are "
				    "from what happened is shown as text or json",
				    c.exact, c.samples);
	to = output_open(o->output.out, o->files, o->nr);
	return to ? output_close(o->output.out, to, compare_files(&c, to)) : 2;
}

/* Profiles of one kind */

static uint32_t find_event(const struct report *r, const char *name)
{
	for (uint32_t e = 0; e < r->p->events.nr; e++) {
		if (!strcmp(r->p->events.at[e].name, name))
			return e;
	}
	return PROFILE_NONE;
}

/* Keeps those of the chosen events of A that all files have. */
static int common_events(const struct input *o, struct report *const *r,
			 struct report_events *events)
{
	struct report_events chosen;

	if (!report_choose_events(r[0], o->events ? o->events : "*", &chosen))
		return 2;
	for (unsigned f = 0; f < o->nr; f++)
		events[f].nr = 0;
	for (unsigned i = 0; i < chosen.nr; i++) {
		const char *name = r[0]->p->events.at[chosen.at[i]].name;
		unsigned nr = events[0].nr;
		bool all = true;

		for (unsigned f = 0; f < o->nr; f++) {
			events[f].at[nr] = find_event(r[f], name);
			all &= events[f].at[nr] != PROFILE_NONE;
		}
		for (unsigned f = 0; all && f < o->nr; f++)
			events[f].nr++;
	}
	if (!events[0].nr)
		return holter_error("%s and the other profiles have no event in common; holter "
				    "report --events FILE lists those of a profile",
				    o->files[0]);
	return 0;
}

static void put_table(const struct input *o, const struct diff *d, enum form form, FILE *to)
{
	if (form == FORM_TEXT)
		diff_text(d, &o->view, to);
	else if (form == FORM_CSV)
		diff_csv(d, to);
	else
		diff_json(d, to);
}

static int write_diff(const struct input *o, struct diff *d, struct report *merged, enum form form,
		      FILE *to)
{
	struct report_view page = { .inlined = true, .files = d->nr };

	if (form == FORM_HTML) {
		for (uint32_t e = 0; e < merged->p->events.nr; e++)
			page.events.at[page.events.nr++] = e;
		return report_out_html(merged, &page, to) ? 0 : holter_error("diff: out of memory");
	}
	d->keys = o->keys ? o->keys : REPORT_SYMBOL;
	if (!diff_make(d, merged))
		return holter_error("diff: out of memory");
	put_table(o, d, form, to);
	return 0;
}

/* Tells the page what A, B and so on are. */
static void add_note(struct report *merged, const struct diff_file *file, unsigned f)
{
	char text[4608];

	snprintf(text, sizeof(text), "%c: %s%s%s%s%s", 'A' + f, file->path,
		 file->command ? ", " : "", file->command ? file->command : "",
		 file->cpu ? ", on " : "", file->cpu ? file->cpu : "");
	profile_add_note(merged->p, text);
}

static int merge_and_write(const struct input *o, struct report **r, enum form form)
{
	struct report_events *events = calloc(o->nr, sizeof(*events));
	struct report *merged = NULL;
	struct diff d = { .nr = o->nr };
	int status = events ? common_events(o, r, events) : holter_error("diff: out of memory");
	FILE *to;

	if (!status && events[0].nr * o->nr > sizeof(events->at) / sizeof(*events->at))
		status = holter_error("diff: too many events of too many files; -e names some");
	if (!status && !(merged = report_merge(r, events, o->nr)))
		status = holter_error("diff: out of memory");
	for (unsigned f = 0; f < o->nr && merged; f++) {
		d.files[f] = (struct diff_file){ o->files[f], r[f]->p->command, r[f]->p->cpu };
		add_note(merged, &d.files[f], f);
	}
	if (!status) {
		to = output_open(o->output.out, o->files, o->nr);
		status = to ? output_close(o->output.out, to, write_diff(o, &d, merged, form, to))
			    : 2;
	}
	diff_free(&d);
	report_free(merged);
	free(events);
	return status;
}

static int diff_profiles(struct input *o, enum form form)
{
	struct report *r[DIFF_FILES] = { NULL };
	struct report_events chosen;
	int status = 0;

	o->report.lines = o->keys & REPORT_LINE || form == FORM_HTML;
	o->report.json = form == FORM_JSON;
	o->report.events = o->events;
	for (unsigned f = 0; f < o->nr && !status; f++) {
		r[f] = report_load(o->files[f], &o->report);
		if (!r[f])
			status = 2;
		else if (!report_choose_events(r[f], o->events, &chosen))
			status = 2;
		else if (!report_has_samples(r[f]) || !report_resolve(r[f]))
			status = 2;
	}
	if (!status)
		status = merge_and_write(o, r, form);
	for (unsigned f = 0; f < o->nr; f++)
		report_free(r[f]);
	return status;
}

/* Counts of whole runs */

static int diff_runs(const struct input *o, enum form form)
{
	struct counts c[DIFF_FILES] = { 0 };
	struct diff d = { .nr = o->nr };
	struct error_text why;
	FILE *to = NULL;
	int status = 0;

	for (unsigned f = 0; f < o->nr && !status; f++) {
		status = counts_read(&c[f], o->files[f], &why) ? 0 : holter_error("%s", why.text);
		d.files[f] = (struct diff_file){ o->files[f], c[f].command, c[f].machine };
	}
	if (!status)
		status = diff_make_runs(&d, c, o->events);
	if (!status && (to = output_open(o->output.out, o->files, o->nr))) {
		put_table(o, &d, form, to);
		status = output_close(o->output.out, to, 0);
	} else {
		status = 2;
	}
	diff_free(&d);
	for (unsigned f = 0; f < o->nr; f++)
		counts_free(&c[f]);
	return status;
}

int cmd_diff(int argc, char **argv)
{
	struct input o = { .report = { .symfs = "" } };
	const struct format *format;
	struct options_read read;
	unsigned exact = 0;
	int status = options_read(&read, &options, &o, argc, argv);

	if (status >= 0)
		return status;
	if (take_files(&o, argc, argv))
		return 2;
	format = output_choose(&choices, &o.output);
	if (!format || take_kinds(&o, &exact))
		return 2;
	o.text = format->form == FORM_TEXT;
	o.page = format->form == FORM_HTML;
	if (options_check(&read))
		return 2;
	if (o.samples)
		return compare_samples(&o, exact, format->form);
	return o.runs ? diff_runs(&o, format->form) : diff_profiles(&o, format->form);
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_report.c - holter report: where events happened, by object, function, source line and caller,
 * as a table, JSON, folded stacks, Callgrind's format or an HTML page.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "file.h"
#include "holter.h"
#include "report/compare.h"
#include "report/report.h"

struct options {
	const char *file, *events, *out, *format;
	const char *samples; /* to be compared with the exact profile in file */
	bool list_events;
	struct report_options report;
	struct report_view view;
};

typedef bool output(struct report *r, const struct report_view *v, FILE *to);

static const struct format {
	const char *name, *suffix;
	output *write;
	bool lines;
} formats[] = {
	{ "text", ".txt", report_out_text, false },
	{ "json", ".json", report_out_json, false },
	{ "folded", ".folded", report_out_folded, true },
	{ "callgrind", ".callgrind", report_out_callgrind, true },
	{ "html", ".html", report_out_html, true },
};

#define NR_FORMATS (sizeof(formats) / sizeof(*formats))

static const char usage[] =
	"usage: holter report [OPTION]... [FILE]\n"
	"shows where the events of FILE (perf.data, or of holter run --profile; - is standard "
	"input)\n"
	"happened\n"
	"  -e, --event EVENT,...  these events, by name or pattern\n"
	"     --events            lists the events of FILE\n"
	"  -s, --sort KEY,...     rows by comm, pid, object, symbol, line, addr\n"
	"  -g, --call-graph       the tree of calls\n"
	"      --no-inline        without functions that the compiler inlined\n"
	"      --percent-limit P  what has at least P percent\n"
	"      --rows N           at most N rows\n"
	"      --json             the same as --format json\n"
	"      --format NAME      text, json, folded, callgrind or html\n"
	"  -i, --input FILE       the same as FILE\n"
	"  -o, --output FILE      writes to FILE; its suffix says the format\n"
	"      --symfs DIR        programs, libraries and their symbols are in DIR\n"
	"      --kallsyms FILE    the kernel's symbols: its /proc/kallsyms\n"
	"      --vmlinux FILE     the kernel with its debugging information\n"
	"  -L DIR                 of an exact profile: what ran may be in DIR\n"
	"      --all              of an exact profile: also what starts the command in the guest\n"
	"      --compare SAMPLES  how far samples (a perf.data) are from an exact profile\n"
	"holter-report(1) has the rest.\n";

enum {
	OPT_EVENTS = 256,
	OPT_NO_INLINE,
	OPT_PERCENT_LIMIT,
	OPT_ROWS,
	OPT_JSON,
	OPT_FORMAT,
	OPT_SYMFS,
	OPT_KALLSYMS,
	OPT_VMLINUX,
	OPT_COMPARE,
	OPT_ALL,
	/* What is no option, but has a say in the rules: */
	GIVEN_FILE,
	GIVEN_TEXT, /* the format */
	GIVEN_STACKS, /* the format is folded, callgrind or html */
};

static const struct option longs[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "event", required_argument, NULL, 'e' },
	{ "events", no_argument, NULL, OPT_EVENTS },
	{ "sort", required_argument, NULL, 's' },
	{ "call-graph", no_argument, NULL, 'g' },
	{ "no-inline", no_argument, NULL, OPT_NO_INLINE },
	{ "percent-limit", required_argument, NULL, OPT_PERCENT_LIMIT },
	{ "rows", required_argument, NULL, OPT_ROWS },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "output", required_argument, NULL, 'o' },
	{ "input", required_argument, NULL, 'i' },
	{ "symfs", required_argument, NULL, OPT_SYMFS },
	{ "kallsyms", required_argument, NULL, OPT_KALLSYMS },
	{ "vmlinux", required_argument, NULL, OPT_VMLINUX },
	{ "all", no_argument, NULL, OPT_ALL },
	{ "compare", required_argument, NULL, OPT_COMPARE },
	{ 0 },
};

static bool percent(const char *text, double *to)
{
	char *end;

	*to = strtod(text, &end);
	if (end != text && !*end && *to >= 0 && *to <= 100)
		return true;
	holter_error("--percent-limit '%s': wants a number from 0 to 100", text);
	return false;
}

static bool number(const char *text, unsigned long *to)
{
	char *end;

	errno = 0;
	*to = strtoul(text, &end, 10);
	if (end != text && !*end && !errno && *to && *text != '-')
		return true;
	holter_error("--rows '%s': wants a number from 1 on", text);
	return false;
}

/* Where files are. */
static bool take_place(struct report_options *o, int option, const char *value)
{
	switch (option) {
	case 'L':
		return report_add_folder(o, value);
	case OPT_SYMFS:
		o->symfs = value;
		return true;
	case OPT_KALLSYMS:
		o->kallsyms = value;
		return true;
	default:
		o->vmlinux = value;
		return true;
	}
}

static int take(void *to, int option, const char *value)
{
	struct options *o = to;

	switch (option) {
	case 'e':
		o->events = o->report.events = value;
		return 0;
	case 's':
		o->view.keys = report_parse_keys(value);
		return o->view.keys ? 0 : 2;
	case 'g':
		o->view.graph = true;
		return 0;
	case 'o':
		o->out = value;
		return 0;
	case 'i':
		o->file = value;
		return 0;
	case OPT_EVENTS:
		o->list_events = true;
		o->report.events = "*";
		return 0;
	case OPT_NO_INLINE:
		o->view.inlined = false;
		return 0;
	case OPT_PERCENT_LIMIT:
		return percent(value, &o->view.limit) ? 0 : 2;
	case OPT_ROWS:
		return number(value, &o->view.max_rows) ? 0 : 2;
	case OPT_JSON:
		o->format = "json";
		return 0;
	case OPT_FORMAT:
		o->format = value;
		return 0;
	case OPT_ALL:
		o->report.all = true;
		return 0;
	case OPT_COMPARE:
		o->samples = value;
		return 0;
	default:
		return take_place(&o->report, option, value) ? 0 : 2;
	}
}

static const struct holter_habit habits[] = {
	{ "--stdio", "a table is what there is without it" },
	{ "--tui", "-o page.html makes a page to look around in" },
	{ "--gtk", "-o page.html makes a page to look around in" },
	{ "--children", "Self and Total are there, both" },
	{ "--no-children", "Self and Total are there, both" },
	{ "-n", "the number of samples is a column already" },
	{ "--show-nr-samples", "the number of samples is a column already" },
	{ "-G", "-g shows the tree of calls" },
	{ "-k", "--vmlinux FILE" },
	{ "-F", "-s KEY,... chooses the columns" },
	{ "--fields", "-s KEY,... chooses the columns" },
	{ "-f", "a file may belong to anybody" },
	{ "-D", "perf script shows single samples" },
	{ 0 },
};

#define LISTS	"--events lists the events, and no more: it is without "
#define COMPARE "--compare goes by function: it is without "
#define STACKS	"folded, callgrind and html have everything: they are without "
#define TREE	"-g shows the tree of calls, and no rows: it is without "

static const struct holter_rule rules[] = {
	{ GIVEN_FILE, HOLTER_WITHOUT, 'i', "-i FILE or FILE: one of them" },
	{ OPT_JSON, HOLTER_WITHOUT, OPT_FORMAT, "--json or --format: one of them" },
	{ OPT_EVENTS, HOLTER_WITHOUT, 'e', LISTS "-e" },
	{ OPT_EVENTS, HOLTER_WITHOUT, 's', LISTS "-s" },
	{ OPT_EVENTS, HOLTER_WITHOUT, 'g', LISTS "-g" },
	{ OPT_EVENTS, HOLTER_WITHOUT, 'o', LISTS "-o" },
	{ OPT_EVENTS, HOLTER_WITHOUT, OPT_JSON, LISTS "--json" },
	{ OPT_EVENTS, HOLTER_WITHOUT, OPT_FORMAT, LISTS "--format" },
	{ OPT_EVENTS, HOLTER_WITHOUT, OPT_ROWS, LISTS "--rows" },
	{ OPT_EVENTS, HOLTER_WITHOUT, OPT_PERCENT_LIMIT, LISTS "--percent-limit" },
	{ OPT_EVENTS, HOLTER_WITHOUT, OPT_COMPARE, COMPARE "--events" },
	{ OPT_COMPARE, HOLTER_WITHOUT, 's', COMPARE "-s" },
	{ OPT_COMPARE, HOLTER_WITHOUT, 'g', COMPARE "-g" },
	{ OPT_COMPARE, HOLTER_WITHOUT, GIVEN_STACKS, "--compare makes text or json" },
	{ GIVEN_STACKS, HOLTER_WITHOUT, 's', STACKS "-s" },
	{ GIVEN_STACKS, HOLTER_WITHOUT, OPT_ROWS, STACKS "--rows" },
	{ GIVEN_STACKS, HOLTER_WITHOUT, OPT_PERCENT_LIMIT, STACKS "--percent-limit" },
	{ OPT_ROWS, HOLTER_WITH, GIVEN_TEXT, "--rows: json has all rows" },
	{ OPT_PERCENT_LIMIT, HOLTER_WITH, GIVEN_TEXT, "--percent-limit: json has all rows" },
	{ 'g', HOLTER_WITHOUT, 's', TREE "-s" },
	{ 'g', HOLTER_WITHOUT, OPT_ROWS, TREE "--rows" },
	{ 0 },
};

static int parse(struct options *o, int argc, char **argv, bool given[HOLTER_CODES])
{
	const struct holter_options options = {
		":he:s:go:i:L:", longs, usage, take, habits, given
	};
	int status = holter_options(argc, argv, &options, o);

	if (status >= 0)
		return status;
	given[GIVEN_FILE] = optind < argc;
	if (optind < argc)
		o->file = argv[optind++];
	if (optind < argc)
		return holter_error("report: one file at a time, and '%s' is another",
				    argv[optind]);
	return -1;
}

/* The suffix of a file's name, with its dot; NULL: it has none. */
static const char *suffix_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	return dot && dot != name && dot[1] ? dot : NULL;
}

/* By --format, else by the suffix of -o, else text. */
static const struct format *choose_format(const struct options *o)
{
	const char *suffix = o->out ? suffix_of(o->out) : NULL;

	for (size_t i = 0; i < NR_FORMATS; i++) {
		if (o->format ? !strcmp(o->format, formats[i].name)
			      : suffix && !strcmp(suffix, formats[i].suffix))
			return &formats[i];
	}
	if (!o->format && !suffix)
		return &formats[0];
	if (o->format)
		holter_error("--format '%s': the formats are text, json, folded, callgrind and "
			     "html",
			     o->format);
	else
		holter_error("-o %s: the suffixes are .txt, .json, .folded, .callgrind and .html; "
			     "with another one name the --format",
			     o->out);
	return NULL;
}

static int list_events(const struct report *r)
{
	for (size_t i = 0; i < r->p->events.nr; i++)
		puts(r->p->events.at[i].name);
	return 0;
}

/* Whether a file is what -o names, too: it would be gone before anyone has seen the report. */
static bool is_out(const struct options *o, const char *path)
{
	struct stat out, in;

	return path && stat(o->out, &out) == 0 && S_ISREG(out.st_mode) && stat(path, &in) == 0 &&
	       out.st_dev == in.st_dev && out.st_ino == in.st_ino;
}

/* Where to write to, or NULL after a line. */
static FILE *open_out(const struct options *o)
{
	FILE *to;

	if (!o->out)
		return stdout;
	if (is_out(o, o->file) || is_out(o, o->samples)) {
		holter_error("-o %s: is what the report is made of, and would be lost", o->out);
		return NULL;
	}
	to = file_create_stream(o->out, NULL);
	if (!to)
		holter_error("-o %s: %s", o->out, file_text(errno));
	return to;
}

/* A file that could not be written whole is not left there. */
static int close_out(const struct options *o, FILE *to, int status)
{
	struct stat st;

	if (!o->out)
		return status; /* main() knows whether it is written */
	if ((fflush(to) || ferror(to)) && !status)
		status = holter_error("%s: %s", o->out, strerror(errno));
	if (status && fstat(fileno(to), &st) == 0 && S_ISREG(st.st_mode))
		unlink(o->out);
	if (fclose(to) && !status)
		status = holter_error("%s: %s", o->out, strerror(errno));
	if (!status && isatty(2))
		fprintf(stderr, "holter: wrote %s\n", o->out);
	return status;
}

static int write_out(struct report *r, const struct options *o, const struct format *format)
{
	FILE *to = open_out(o);
	bool good;

	if (!to)
		return 2;
	good = format->write(r, &o->view, to);
	if (!good)
		holter_error("%s: no memory for its report", r->path);
	return close_out(o, to, good ? 0 : 2);
}

static int report(struct report *r, struct options *o, const struct format *format)
{
	if (o->list_events)
		return list_events(r);
	/* A page has them all to choose from, and the other way round a table has no room. */
	if (!o->events && format->write != report_out_text)
		o->events = "*";
	if (!report_choose_events(r, o->events, &o->view.events))
		return 2;
	if (!r->p->stacks.nr)
		return holter_error("%s has no samples: what was recorded never happened while it "
				    "was",
				    r->path);
	if (o->view.graph && !r->p->has_chains && format->write == report_out_text)
		return holter_error(
			r->p->stack_copies
				? "%s: no copy of a stack could be unwound for -g: the files of "
				  "what ran, or what these say of frames, are not here; see "
				  "--symfs"
				: "%s has no call chains for -g: they are recorded with -g",
			r->path);
	if (!report_resolve(r))
		return 2;
	return write_out(r, o, format);
}

/* A row of a comparison is a function, and there are two forms of it. */
static int compare_out(const struct options *o, const struct format *format)
{
	const struct compare_options c = {
		.samples = o->samples,
		.exact = o->file,
		.events = o->events,
		.json = format->write == report_out_json,
		.report = o->report,
		.view = &o->view,
	};
	FILE *to;

	to = open_out(o);
	return to ? close_out(o, to, compare_files(&c, to)) : 2;
}

int cmd_report(int argc, char **argv)
{
	struct options o = {
		.file = "perf.data",
		.report = { .symfs = "" },
		.view = { .keys = 0, .inlined = true, .limit = 0.005 },
	};
	bool given[HOLTER_CODES] = { false };
	const struct format *format;
	struct report *r;
	int status = parse(&o, argc, argv, given);

	if (status >= 0)
		return status;
	format = choose_format(&o);
	if (!format)
		return 2;
	given[GIVEN_TEXT] = format->write == report_out_text;
	given[GIVEN_STACKS] = format->lines;
	status = holter_rules(rules, given);
	if (status)
		return status;
	if (o.samples)
		return compare_out(&o, format);
	if (!o.view.keys)
		o.view.keys = REPORT_COMM | REPORT_OBJECT | REPORT_SYMBOL;
	o.report.lines = format->lines || o.view.keys & REPORT_LINE ||
			 (o.view.graph && o.view.inlined);
	/* A table has room for a few; every other form has them all. */
	if (!o.events && format->write != report_out_text)
		o.report.events = "*";
	r = report_load(o.file, &o.report);
	if (!r)
		return 2;
	status = report(r, &o, format);
	report_free(r);
	return status;
}

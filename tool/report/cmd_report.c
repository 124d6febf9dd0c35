// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_report.c - holter report: shows where events happened, by object, function, source line and
 * caller, in a format of out/.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd_report.h"
#include "data.h"
#include "holter.h"
#include "out.h"
#include "output.h"
#include "report.h"
#include "report_rows.h"

struct input {
	const char *file, *operand; /* the profile; the same if it is an operand, else NULL */
	const char *events;
	struct output_options output;
	bool list_events;
	bool text, csv, stacks; /* the format is text; it is csv; it has all of the profile */
	struct report_options report;
	struct report_view view;
};

typedef bool output(struct report *r, const struct report_view *v, FILE *to);

/*
 * Formats that have all of the profile need source lines and take no options for rows.  Without -e
 * a format with `few` events shows the first ones, the others show all.
 */
static const struct format {
	struct output_format id;
	output *write;
	bool whole, binary, few;
} formats[] = {
	{ { "text", ".txt" }, report_out_text, .few = true },
	{ { "json", ".json" }, report_out_json },
	{ { "csv", ".csv" }, report_out_csv },
	{ { "folded", ".folded" }, report_out_folded, .whole = true, .few = true },
	{ { "callgrind", ".callgrind" }, report_out_callgrind, .whole = true },
	{ { "pprof", ".pb.gz" }, report_out_pprof, .whole = true, .binary = true },
	{ { "speedscope", ".speedscope.json" }, report_out_speedscope, .whole = true },
	{ { "svg", ".svg" }, report_out_svg, .whole = true, .few = true },
	{ { "html", ".html" }, report_out_html, .whole = true },
	{ { "timeline", ".timeline.csv" }, report_out_timeline, .whole = true },
	{ { "trace", ".trace.json" }, report_out_trace, .whole = true },
};

#define NR_FORMATS (sizeof(formats) / sizeof(*formats))

static int take_keys(void *keys, const struct option_row *row, const char *value)
{
	unsigned *to = keys;

	*to = report_parse_keys(value);
	return *to ? 0 : 2;
}

#define IN(member) OPTION_FIELD(struct input, member)

static const struct option_row rows[] = {
	{ OPTION_TEXT, "event", 'e', "EVENT,...", "show these events, by name or pattern",
	  IN(events) },
	{ OPTION_ON, "events", 0, NULL, "list the events of FILE", IN(list_events) },
	{ OPTION_CALL, "sort", 's', "KEY,...",
	  "one row for each comm, pid, object, symbol, line or addr; of data: data, offset, "
	  "member, sharing",
	  IN(view.keys), .standard = "comm,object,symbol", .call = take_keys },
	{ OPTION_ON, "call-graph", 'g', NULL, "show the tree of calls", IN(view.graph) },
	{ OPTION_OFF, "no-inline", 0, NULL, "leave out functions that the compiler inlined",
	  IN(view.inlined) },
	{ OPTION_REAL, "percent-limit", 0, "P", "show what has at least P percent", IN(view.limit),
	  0, 100, "0.005" },
	{ OPTION_NUMBER, "rows", 0, "N", "show at most N rows", IN(view.max_rows), 1, OPTION_OPEN },
	{ OPTION_NUMBER, "width", 0, "COLUMNS", "cut the lines of a table to this width; 0: never",
	  IN(view.width), 0, 10000, .standard = "that of the terminal; 0 for a file or pipe" },
	{ OPTION_TEXT, "input", 'i', "FILE", "the same as FILE without an option", IN(file),
	  .standard = "perf.data" },
	OUTPUT_ROWS(struct input, output,
		    "text, json, csv, folded, callgrind, pprof, speedscope, svg, html, timeline or "
		    "trace"),
	REPORT_ROWS(struct input, report),
	{ OPTION_ON, "all", 0, NULL,
	  "for an exact profile: also show what starts the command in the guest", IN(report.all) },
	{ OPTION_FACT, "FILE", 0, NULL, "a FILE without an option", IN(operand) },
	{ OPTION_FACT, "text", 0, NULL, "--format text", IN(text) },
	{ OPTION_FACT, "csv", 0, NULL, "the format csv", IN(csv) },
	{ OPTION_FACT, "stacks", 0, NULL, "a format that has all stacks", IN(stacks) },
	{ 0 },
};

static const struct option_habit habits[] = {
	{ "--stdio --stdio2", "a table is what there is without it" },
	{ "--tui --gtk", "-o page.html makes a page to look around in" },
	{ "--children --no-children", "Self and Total are there, both" },
	{ "-n --show-nr-samples -T --threads --show-total-period",
	  "the number of samples is a column already" },
	{ "-g --call-graph", "it shows the tree of calls, callers above what they call" },
	{ "-G --inverted", "-g shows the tree of calls" },
	{ "--max-stack --ignore-callees --hierarchy",
	  "-g shows the tree of calls, and --percent-limit P cuts it" },
	{ "-k", "--vmlinux FILE" },
	{ "-F --fields", "-s KEY,... chooses the columns" },
	{ "-f --force", "a file may belong to anybody" },
	{ "-w --column-widths", "--width COLUMNS cuts the lines" },
	{ "-D --dump-raw-trace --tasks --mmaps --time", "perf script shows single samples" },
	{ "-d --dso --dsos", "-s object has a row for each object; grep(1) finds one" },
	{ "-C --cpu", "samples of all CPUs are there" },
	{ "--inline", "inlined functions are there; --no-inline leaves them out" },
	{ "--full-source-path --prefix", "--json has the whole paths" },
	{ "--samples --raw-trace --itrace --time-quantum --switch-on --switch-off",
	  "perf script shows single samples" },
	{ "-c --comm --comms --pid --tid",
	  "-s comm,pid has a row for each process; grep(1) finds one" },
	{ "-S --symbol --symbols --symbol-filter -p --parent",
	  "holter annotate FILE SYMBOL shows one function" },
	{ "-x --exclude-other --percentage -m --modules -U --hide-unresolved",
	  "all rows are there, and their percentages are of the whole" },
	{ "-t --field-separator --csv", "--format csv, or -o FILE.csv" },
	{ "-j --branch-stack -b --branch-history", "there is no branch stack on RISC-V" },
	{ "--mem-mode", "-s data of an exact profile: holter run --profile FILE --data" },
	{ "-M --disassembler-style --objdump --source --asm-raw -l",
	  "holter annotate shows source lines and instructions" },
	{ "--demangle --no-demangle", "names are demangled where that is possible" },
	{ "--header --header-only -I",
	  "perf report --header-only shows the header of a perf.data" },
	{ "--group", "-e EVENT,... shows events side by side" },
	{ "--stats", "--events lists the events" },
	{ "--compare", "holter diff EXACT SAMPLES says how far samples are from an exact profile" },
	{ "-v --verbose -q --quiet", "2>/dev/null of the shell hides remarks" },
	{ 0 },
};

static const struct option_rule rules[] = {
	{ "input", OPTION_EXCLUDES, "FILE", "there is one file" },
	OUTPUT_RULES,
	{ "events", OPTION_EXCLUDES,
	  "event sort call-graph output json format rows percent-limit "
	  "width",
	  "it lists the events and nothing else" },
	{ "sort", OPTION_EXCLUDES, "stacks", "only text, json and csv have rows" },
	{ "rows", OPTION_EXCLUDES, "stacks", "only text has a limit" },
	{ "percent-limit", OPTION_EXCLUDES, "stacks", "only text has a limit" },
	{ "rows", OPTION_NEEDS, "text", "the other formats have all rows" },
	{ "percent-limit", OPTION_NEEDS, "text", "the other formats have all rows" },
	{ "call-graph", OPTION_EXCLUDES, "csv", "it has rows; json has the tree of calls" },
	{ "width", OPTION_NEEDS, "text", "only tables have a width" },
	{ "call-graph", OPTION_EXCLUDES, "sort rows", "it shows the tree of calls, and no rows" },
	{ 0 },
};

static const struct options options = {
	.usage = "report [OPTION]... [FILE]",
	.about = "Shows where the events of FILE happened: a perf.data, or an exact profile of "
		 "holter run --profile; - is standard input.",
	.rows = rows,
	.end = "holter-report(1) describes them.",
	.rules = rules,
	.habits = habits,
};

/* Returns what options_read() returns.  The caller checks the rules when it knows the format. */
static int parse(struct input *o, struct options_read *read, int argc, char **argv)
{
	int status = options_read(read, &options, o, argc, argv);

	if (status >= 0)
		return status;
	if (options_no_value(
		    read, "call-graph",
		    "graph flat fractal folded none caller callee function address percent "
		    "period count",
		    argv + optind))
		return 2;
	if (argc - optind > 1 && access(argv[optind + 1], F_OK))
		return holter_error("report: unexpected argument '%s': only one file is allowed; "
				    "holter annotate %s %s shows one function",
				    argv[optind + 1], argv[optind], argv[optind + 1]);
	if (argc - optind > 1)
		return holter_error("report: unexpected argument '%s': only one file is allowed",
				    argv[optind + 1]);
	if (optind < argc && !*argv[optind])
		return holter_error("FILE '': must be the name of a file");
	if (optind < argc)
		o->file = o->operand = argv[optind];
	o->report.events = o->list_events ? "*" : o->events;
	return -1;
}

/* Formats of other programs, and what to use instead. */
static const struct option_habit foreign[] = {
	{ "perfetto chrome", "trace is the time line that both open" },
	{ "ctf firefox", "trace is a time line; pprof and speedscope show stacks" },
	{ "perf perf.data", "holter record and perf record write it" },
	{ "flamegraph flame", "svg is the flame graph as a picture, html as a page" },
	{ "pdf png", "svg is a picture, which rsvg-convert(1) converts" },
	{ 0 },
};

static const struct output_formats choices = { formats, NR_FORMATS, sizeof(*formats), foreign };

static int list_events(const struct report *r)
{
	for (size_t i = 0; i < r->p->events.nr; i++)
		puts(r->p->events.at[i].name);
	for (size_t i = 0; i < r->p->sums.nr; i++)
		puts(r->p->sums.at[i]);
	return 0;
}

static int write_out(struct report *r, const struct input *o, const struct format *format)
{
	FILE *to = output_open(o->output.out, &o->file, 1);
	bool good;

	if (!to)
		return 2;
	good = format->write(r, &o->view, to);
	if (!good)
		holter_error("%s: out of memory for its report", r->path);
	return output_close(o->output.out, to, good ? 0 : 2);
}

/* -s data: the rows of data.  Returns the exit status. */
static int report_data(struct report *r, struct input *o, const struct format *format)
{
	static const struct {
		output *write, *data;
	} formats_of_data[] = {
		{ report_out_text, report_out_data_text },
		{ report_out_json, report_out_json },
		{ report_out_csv, report_out_data_csv },
	};
	struct format of_data = *format;

	if (!r->p->data)
		return holter_error("%s has no data: holter run --data --profile FILE records them",
				    r->path);
	if (!report_data_choose(r, o->events, &o->view.events) || !report_resolve(r) ||
	    !report_data_resolve(r, o->view.keys & REPORT_MEMBER))
		return 2;
	o->view.data_sums = !o->events;
	for (size_t n = 0; n < sizeof(formats_of_data) / sizeof(*formats_of_data); n++) {
		if (formats_of_data[n].write == format->write)
			of_data.write = formats_of_data[n].data;
	}
	return write_out(r, o, &of_data);
}

/* Resolves all places.  Loads the profile again if its summary does not fit the symbols. */
static bool resolve(struct report **r, struct input *o)
{
	if (!report_resolve(*r))
		return false;
	if (report_is_summed_right(*r))
		return true;
	report_free(*r);
	o->report.summary = false;
	*r = report_load(o->file, &o->report);
	return *r && report_resolve(*r);
}

/* *loaded: the profile, which may become another one, or NULL. */
static int report(struct report **loaded, struct input *o, const struct format *format)
{
	struct report *r = *loaded;

	if (o->list_events)
		return list_events(r);
	if (o->view.keys & REPORT_OF_DATA)
		return report_data(r, o, format);
	if (!o->events && !format->few)
		o->events = "*";
	if (!report_choose_events(r, o->events, &o->view.events))
		return 2;
	if (!report_has_samples(r))
		return 2;
	if (o->view.graph && !r->p->has_chains && format->write == report_out_text)
		return holter_error(
			r->p->stack_copies
				? "%s: no copy of a stack could be unwound for -g: the files of "
				  "what ran, or what these say of frames, are not here; see "
				  "--symfs"
				: "%s has no sample with a caller for -g: record with -g, and "
				  "compile what runs with -fno-omit-frame-pointer",
			r->path);
	if ((format->write == report_out_timeline || format->write == report_out_trace) &&
	    !r->p->slices.nr)
		return holter_error("%s has no time line: holter run --timeline MS --profile FILE "
				    "records one",
				    r->path);
	if (!resolve(loaded, o))
		return 2;
	r = *loaded;
	if (r->p->data && !report_data_resolve(r, true))
		return 2;
	if (r->p->has_data && !r->p->data)
		profile_add_note(r->p, "the profile knows at which data events happened: -s data "
				       "shows it");
	return write_out(r, o, format);
}

int cmd_report(int argc, char **argv)
{
	struct input o = {
		.file = "perf.data",
		.report = { .symfs = "" },
		.view = { .keys = 0, .inlined = true, .limit = 0.005, .width = REPORT_AS_TERMINAL },
	};
	const struct format *format;
	struct options_read read;
	struct report *r;
	int status = parse(&o, &read, argc, argv);

	if (status >= 0)
		return status;
	format = output_choose(&choices, &o.output);
	if (!format)
		return 2;
	o.text = format->write == report_out_text;
	o.report.json = format->write == report_out_json && !o.list_events;
	o.csv = format->write == report_out_csv;
	o.stacks = format->whole;
	if (options_check(&read))
		return 2;
	if (format->binary && !o.output.out && !o.list_events && isatty(1))
		return holter_error(
			"--format %s: is not for a terminal; write it to a file with -o",
			format->id.name);
	if (!o.view.keys)
		o.view.keys = REPORT_COMM | REPORT_OBJECT | REPORT_SYMBOL;
	o.report.lines = format->whole || o.view.keys & (REPORT_LINE | REPORT_OF_DATA) ||
			 (o.view.graph && o.view.inlined);
	o.report.data = o.view.keys & REPORT_OF_DATA || format->write == report_out_html;
	o.report.summary = !format->whole && !o.view.graph && !o.report.data &&
			   !(o.view.keys &
			     ~(REPORT_COMM | REPORT_PID | REPORT_OBJECT | REPORT_SYMBOL));
	if (!o.events && (!format->few || o.report.data))
		o.report.events = "*";
	r = report_load(o.file, &o.report);
	if (!r)
		return 2;
	status = report(&r, &o, format);
	report_free(r);
	return status;
}

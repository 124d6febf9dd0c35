// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_annotate.c - holter annotate: shows the instructions of a function with their events.
 */
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate.h"
#include "cmd_annotate.h"
#include "fit.h"
#include "holter.h"
#include "json.h"
#include "near.h"
#include "report_rows.h"
#include "term.h"

#define FUNCTIONS_MAX 16 /* most functions of one name to show */
#define TITLE_LEAST   16 /* columns that the function's and the file's name keep in the title */

struct input {
	const char *file, *symbol;
	bool json;
	unsigned width; /* or REPORT_AS_TERMINAL */
	struct report_options report;
};

#define IN(member) OPTION_FIELD(struct input, member)

static const struct option_row rows[] = {
	{ OPTION_TEXT, "event", 'e', "EVENT,...", "show these events, by name or pattern",
	  IN(report.events) },
	{ OPTION_ON, "json", 0, NULL, "print JSON", IN(json) },
	{ OPTION_TEXT, "input", 'i', "FILE", "the same as FILE without an option", IN(file),
	  .standard = "perf.data" },
	{ OPTION_NUMBER, "width", 0, "COLUMNS", "cut lines to this width; 0: never", IN(width), 0,
	  10000, .standard = "that of the terminal; 0 for a file or pipe" },
	REPORT_ROWS(struct input, report),
	{ 0 },
};

static const struct option_habit habits[] = {
	{ "--stdio --stdio2", "a table is what there is without it" },
	{ "--tui --gtk", "holter report -o page.html makes a page to look around in" },
	{ "-s --symbol", "the function's name stands without an option" },
	{ "-l --print-line -S --source --no-source", "source lines are there already" },
	{ "-P --full-paths --prefix", "the path of a line is in --json" },
	{ "-n --show-nr-samples --show-total-period", "-e EVENT shows one event with its numbers" },
	{ "-D --dump-raw-trace --itrace", "perf script shows single samples" },
	{ "-m --modules --skip-missing --demangle --addr2line",
	  "it does that by itself, where that is possible" },
	{ "-k", "--vmlinux FILE" },
	{ "-f --force", "a file may belong to anybody" },
	{ "-d --dso --dsos", "holter report -s object,symbol names the functions of each object" },
	{ "-C --cpu", "samples of all CPUs are there" },
	{ "-M --disassembler-style --objdump --asm-raw --no-asm-raw", "it disassembles by itself" },
	{ "-o --output", "a > of the shell writes it to a file" },
	{ "--percent-limit --percent-type --group",
	  "all instructions are there; -e EVENT,... chooses the columns" },
	{ "-v --verbose -q --quiet", "2>/dev/null of the shell hides remarks" },
	{ 0 },
};

static const struct option_rule rules[] = {
	{ "width", OPTION_EXCLUDES, "json", "only a table has a width" },
	{ 0 },
};

static const struct options options = {
	.usage = "annotate [OPTION]... [FILE] [SYMBOL]",
	.about = "Shows the instructions of the function SYMBOL, and what happened at each; "
		 "without SYMBOL, of the function with most.  FILE is a perf.data or an exact "
		 "profile of holter run --profile.",
	.rows = rows,
	.end = "holter-annotate(1) describes them.",
	.rules = rules,
	.habits = habits,
};

/* Returns what options_read() returns. */
static int parse(struct input *o, int argc, char **argv)
{
	struct options_read read;
	int status = options_read(&read, &options, o, argc, argv);

	if (status >= 0)
		return status;
	if (options_check(&read))
		return 2;
	if (argc - optind > 2)
		return holter_error("annotate: a file and a function at most, and '%s' is neither",
				    argv[optind + 2]);
	for (int n = optind; n < argc; n++) {
		if (!*argv[n])
			return holter_error("annotate '': must be the name of a file or a "
					    "function");
	}
	if (argc - optind == 2 && options_given(&read, "input"))
		return holter_error("annotate: -i FILE or FILE: one of them");
	/* One word is a function, but where a profile has this name, the user means the file. */
	if (argc - optind == 2 ||
	    (argc - optind == 1 && !options_given(&read, "input") && report_kind_of(argv[optind])))
		o->file = argv[optind++];
	if (optind < argc)
		o->symbol = argv[optind];
	if (o->symbol && *o->file && access(o->file, F_OK) && report_kind_of(o->symbol))
		return holter_error("%s: No such file or directory; did you mean holter annotate "
				    "%s %s?",
				    o->file, o->symbol, o->file);
	return -1;
}

struct out {
	struct report *r;
	const struct report_events *events;
	struct sources sources;
	const struct style *style;
	unsigned width; /* 0: lines are not cut */
	bool utf8;
	struct json j;
};

static const char *hot(const struct out *o, double part)
{
	return part >= 10 ? o->style->red : part >= 1 ? o->style->green : "";
}

static void cells(const struct out *o, const struct annotate *a, const struct annotate_insn *insn)
{
	for (unsigned i = 0; i < o->events->nr; i++) {
		uint32_t e = o->events->at[i];
		double part = a->total[e] ? 100.0 * insn->self[e] / a->total[e] : 0;
		const char *colour = hot(o, part);

		if (insn->self[e])
			printf("%s%7.2f%%%s ", colour, part, *colour ? o->style->end : "");
		else
			printf("         ");
		if (o->events->nr == 1 && insn->self[e])
			printf("%12" PRIu64 " ",
			       o->r->p->events.at[e].exact ? insn->self[e] : insn->samples[e]);
		else if (o->events->nr == 1)
			printf("%12s ", "");
	}
}

/*
 * Prints a source line, with spaces for tabs: the line does not begin at a tab stop.  room: the
 * columns that are left.
 */
static void put_source(const char *text, unsigned room)
{
	unsigned column = 0;

	for (; *text; text++) {
		unsigned width = *text == '\t' ? 8 - column % 8 : (*text & 0xc0) == 0x80 ? 0 : 1;

		if (column + width > room)
			return;
		if (*text == '\t')
			printf("%*s", (int)width, "");
		else
			putchar(*text);
		column += width;
	}
}

/* The columns that are left when `used` are not. */
static unsigned left(const struct out *o, unsigned used)
{
	return !o->width ? UINT_MAX : o->width > used ? o->width - used : 0;
}

static unsigned cells_width(const struct out *o)
{
	return 9 * o->events->nr + (o->events->nr == 1 ? 13 : 0);
}

static void source_line(struct out *o, const struct annotate_insn *insn)
{
	const char *text = sources_line(&o->sources, insn->file, insn->line);
	char name[NAME_MAX + 1], place[NAME_MAX + 16];

	snprintf(place, sizeof(place), "%s:%d", sources_file_name(insn->file, name), insn->line);
	printf("%*s%s%s%s", (int)cells_width(o), "", o->style->blue, place, o->style->end);
	if (text && left(o, cells_width(o) + fit_width(place)) > 10) {
		fputs("  ", stdout);
		put_source(text, left(o, cells_width(o) + fit_width(place) + 2));
	}
	putchar('\n');
}

/* Prints the address, the loops, the assembly and where it goes. */
static void instruction(struct out *o, const struct annotate *a, size_t n)
{
	char text[ANNOTATE_TEXT], margin[ANNOTATE_MARGIN], target[4096], fitted[4096];
	uint64_t distance;
	const char *symbol = annotate_assembly(o->r, a, n, text, &distance);
	unsigned used;

	used = cells_width(o) + printf("%8" PRIx64, a->insns.at[n].addr);
	if (*text) {
		annotate_margin(a, n, o->utf8, margin);
		printf(":  %s%s", margin, text);
		used += 3 + fit_width(margin) + fit_width(text);
	}
	if (symbol && left(o, used) > 8) {
		snprintf(target, sizeof(target), distance ? "%s+0x%" PRIx64 : "%s", symbol,
			 distance);
		if (fit_width(target) > left(o, used + 3))
			fit_text(fitted, sizeof(fitted), target, left(o, used + 3), o->utf8);
		printf(" <%s>", fit_width(target) > left(o, used + 3) ? fitted : target);
	}
	putchar('\n');
}

/* The first line: the function, its file, and its part of each event. */
static void title(const struct out *o, const struct annotate *a)
{
	const struct report_function *f = &o->r->functions.at[a->function];
	const char *name = report_text(o->r, f->name), *path = o->r->p->objects.at[f->object].path;
	char parts[16384] = "", fitted[2][4096];
	size_t len = 0;
	unsigned width[2] = { fit_width(name), fit_width(path) }, least = strlen(" in ");

	for (unsigned i = 0; i < o->events->nr && len < sizeof(parts); i++) {
		const struct profile_event *e = &o->r->p->events.at[o->events->at[i]];

		len += (size_t)snprintf(parts + len, sizeof(parts) - len, "%s %s %.2f%%",
					i ? "," : ":", e->name,
					e->total ? 100.0 * a->total[o->events->at[i]] / e->total
						 : 0);
	}
	if (!o->width || left(o, strlen(" in ") + fit_width(parts)) >= width[0] + width[1]) {
		printf("%s%s%s in %s%s\n", o->style->bold, name, o->style->end, path, parts);
		return;
	}
	for (unsigned i = 0; i < 2; i++)
		least += width[i] < TITLE_LEAST ? width[i] : TITLE_LEAST;
	if (len > left(o, least))
		snprintf(parts + left(o, least + 3), 4, "...");
	fit_columns(width, 2, left(o, strlen(" in ") + fit_width(parts)), 4);
	printf("%s%s%s in %s%s\n", o->style->bold,
	       fit_text(fitted[0], sizeof(fitted[0]), name, width[0], o->utf8), o->style->end,
	       fit_path(fitted[1], sizeof(fitted[1]), path, width[1], o->utf8), parts);
}

static void print_text(struct out *o, const struct annotate *a)
{
	const char *file = NULL;
	int line = 0;

	title(o, a);
	if (a->partly)
		printf("# only %s: %s\n",
		       o->r->p->code.nr ? "instructions that ran"
					: "addresses at which something happened",
		       a->partly);
	for (unsigned i = 0; i < o->events->nr; i++)
		printf("%8.8s ", o->r->p->events.at[o->events->at[i]].name);
	if (o->events->nr == 1)
		printf("%12s ", o->r->p->events.at[o->events->at[0]].exact ? "Count" : "Samples");
	puts("");
	for (size_t i = 0; i < a->insns.nr; i++) {
		const struct annotate_insn *insn = &a->insns.at[i];

		if (insn->file && (insn->file != file || insn->line != line) && insn->line)
			source_line(o, insn);
		file = insn->file;
		line = insn->line;
		cells(o, a, insn);
		instruction(o, a, i);
	}
}

static void numbers(struct out *o, const char *key, const uint64_t *values)
{
	json_open(&o->j, key, '[');
	for (unsigned i = 0; i < o->events->nr; i++)
		json_number(&o->j, NULL, values[o->events->at[i]]);
	json_close(&o->j, ']');
}

static void print_json(struct out *o, const struct annotate *a)
{
	const struct report_function *f = &o->r->functions.at[a->function];

	json_open(&o->j, NULL, '{');
	json_text(&o->j, "symbol", report_text(o->r, f->name));
	json_text(&o->j, "object", o->r->p->objects.at[f->object].path);
	json_text(&o->j, "partly", a->partly);
	numbers(o, "total", a->total);
	json_open(&o->j, "instructions", '[');
	for (size_t i = 0; i < a->insns.nr; i++) {
		const struct annotate_insn *insn = &a->insns.at[i];
		char text[ANNOTATE_TEXT];

		annotate_plain(a, i, text);
		json_open(&o->j, NULL, '{');
		json_hex(&o->j, "addr", insn->addr);
		json_text(&o->j, "text", *text ? text : NULL);
		json_text(&o->j, "source", insn->file);
		json_integer(&o->j, "line", insn->line);
		numbers(o, "self", insn->self);
		numbers(o, "samples", insn->samples);
		json_close(&o->j, '}');
	}
	json_close(&o->j, ']');
	json_close(&o->j, '}');
}

static bool print_function(struct out *o, uint32_t function, bool json)
{
	struct annotate a;
	bool good = annotate_make(o->r, function, &a);

	if (good && json)
		print_json(o, &a);
	else if (good)
		print_text(o, &a);
	annotate_free(&a);
	return good;
}

static bool print(struct out *o, const uint32_t *functions, size_t nr, bool json)
{
	bool good = true;

	if (json) {
		json_open(&o->j, NULL, '{');
		json_open(&o->j, "events", '[');
		for (unsigned i = 0; i < o->events->nr; i++)
			json_text(&o->j, NULL, o->r->p->events.at[o->events->at[i]].name);
		json_close(&o->j, ']');
		json_open(&o->j, "functions", '[');
	}
	for (size_t i = 0; good && i < nr; i++) {
		if (i && !json)
			puts("");
		good = print_function(o, functions[i], json);
	}
	if (json) {
		json_close(&o->j, ']');
		json_close(&o->j, '}');
	}
	return good;
}

/* Prints why there is nothing to show: perhaps a file has no symbols. */
static int nothing(struct report *r, const char *symbol, uint32_t event)
{
	char name[256] = "function that has a name", why[512] = "", without[256];
	const char *into = symbol ? annotate_inlined_into(r, symbol, event) : NULL;
	struct near near = near_to(symbol ? symbol : "");
	bool is_place = false;
	const char *at = symbol ? annotate_function_at(r, symbol, event, &is_place) : NULL;

	if (at)
		return holter_error("%s: '%s' is a place in the function %s: annotate %s", r->path,
				    symbol, at, at);
	if (is_place)
		return holter_error("%s: nothing happened at '%s', which is a place and no "
				    "function; 'holter report -s symbol,line' lists what it has",
				    r->path, symbol);
	if (into)
		return holter_error("%s: the compiler has inlined '%s' into %s: annotate %s",
				    r->path, symbol, into, into);
	if (symbol)
		snprintf(name, sizeof(name), "function '%s'", symbol);
	/* A table of perf has NAME+0x10. */
	snprintf(without, sizeof(without), "%.*s", (int)strcspn(near.word, "+"), near.word);
	near.word = without;
	for (size_t i = 0; i < r->functions.nr; i++)
		near_try(&near, report_text(r, r->functions.at[i].name));
	if (near.best && near.distance <= NEAR_LETTERS)
		return holter_error("%s has nothing in a %s; did you mean %s? ('holter report' "
				    "lists what it has)",
				    r->path, name, near.best);
	for (uint32_t i = 0; i < r->p->objects.nr && !*why; i++) {
		if (r->images[i].why)
			snprintf(why, sizeof(why), "%s has no symbols: %s",
				 r->p->objects.at[i].path, r->images[i].why);
	}
	if (!*why)
		snprintf(why, sizeof(why), "'holter report' lists what it has");
	return holter_error("%s has nothing in a %s; %s", r->path, name, why);
}

static int annotate(struct report *r, const struct input *o)
{
	struct report_events events;
	struct out out = { .r = r, .events = &events, .sources = { .symfs = o->report.symfs } };
	uint32_t functions[FUNCTIONS_MAX];
	size_t nr;
	bool good;

	if (!report_choose_events(r, o->report.events, &events) || !report_resolve(r))
		return 2;
	nr = annotate_find(r, o->symbol, events.at[0], functions, FUNCTIONS_MAX);
	if (r->p->no_memory)
		return holter_error("%s: out of memory for its functions", r->path);
	if (!nr)
		return nothing(r, o->symbol, events.at[0]);
	out.style = style_of(stdout);
	out.width = o->width == REPORT_AS_TERMINAL ? term_width(stdout) : o->width;
	out.utf8 = term_has_utf8(stdout);
	out.j = json_to(stdout);
	good = print(&out, functions, nr < FUNCTIONS_MAX ? nr : FUNCTIONS_MAX, o->json);
	sources_free(&out.sources);
	return good ? 0 : holter_error("%s: out of memory for its instructions", r->path);
}

int cmd_annotate(int argc, char **argv)
{
	struct input o = { .file = "perf.data",
			   .width = REPORT_AS_TERMINAL,
			   .report = { .symfs = "", .lines = true, .code = true } };
	struct report *r;
	int status = parse(&o, argc, argv);

	if (status >= 0)
		return status;
	o.report.json = o.json;
	r = report_load(o.file, &o.report);
	if (!r)
		return 2;
	status = annotate(r, &o);
	report_free(r);
	return status;
}

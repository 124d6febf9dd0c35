// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_annotate.c - holter annotate: the instructions of a function, and what happened at each.
 */
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "holter.h"
#include "json.h"
#include "person.h"
#include "report/annotate.h"

#define FUNCTIONS_MAX 16 /* of one name */

struct options {
	const char *file, *symbol, *events;
	bool json;
	struct report_options report;
};

static const char usage[] = "usage: holter annotate [OPTION]... [[FILE] SYMBOL]\n"
			    "shows the instructions of a function of FILE (perf.data, or of holter "
			    "run --profile), and\n"
			    "what happened at each; without SYMBOL, of the function with most\n"
			    "  -e, --event EVENT,...  these events, by name or pattern\n"
			    "      --json             as JSON\n"
			    "  -i, --input FILE       the same as FILE\n"
			    "      --symfs DIR        programs, libraries and sources are in DIR\n"
			    "      --kallsyms FILE    the kernel's symbols: its /proc/kallsyms\n"
			    "      --vmlinux FILE     the kernel with its debugging information\n"
			    "  -L DIR                 of an exact profile: what ran may be in DIR\n"
			    "holter-annotate(1) has the rest.\n";

enum {
	OPT_JSON = 256,
	OPT_SYMFS,
	OPT_KALLSYMS,
	OPT_VMLINUX,
};

static const struct option longs[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "event", required_argument, NULL, 'e' },
	{ "input", required_argument, NULL, 'i' },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "symfs", required_argument, NULL, OPT_SYMFS },
	{ "kallsyms", required_argument, NULL, OPT_KALLSYMS },
	{ "vmlinux", required_argument, NULL, OPT_VMLINUX },
	{ 0 },
};

static int take(void *to, int option, const char *value)
{
	struct options *o = to;

	switch (option) {
	case 'e':
		o->events = o->report.events = value;
		break;
	case 'L':
		return report_add_folder(&o->report, value) ? 0 : 2;
	case 'i':
		o->file = value;
		break;
	case OPT_JSON:
		o->json = true;
		break;
	case OPT_SYMFS:
		o->report.symfs = value;
		break;
	case OPT_KALLSYMS:
		o->report.kallsyms = value;
		break;
	default:
		o->report.vmlinux = value;
	}
	return 0;
}

static int parse(struct options *o, int argc, char **argv)
{
	static const struct holter_habit habits[] = {
		{ "--stdio", "a table is what there is without it" },
		{ "-s", "the function's name stands without an option" },
		{ "--symbol", "the function's name stands without an option" },
		{ "-l", "source lines are there already" },
		{ "-k", "--vmlinux FILE" },
		{ 0 },
	};
	bool given[HOLTER_CODES] = { false };
	const struct holter_options options = { ":he:i:L:", longs, usage, take, habits, given };
	int status = holter_options(argc, argv, &options, o);

	if (status >= 0)
		return status;
	if (argc - optind > 2)
		return holter_error("annotate: a file and a function at most, and '%s' is neither",
				    argv[optind + 2]);
	if (argc - optind == 2 && given['i'])
		return holter_error("annotate: -i FILE or FILE: one of them");
	if (argc - optind == 2)
		o->file = argv[optind++];
	if (optind < argc)
		o->symbol = argv[optind];
	return -1;
}

struct out {
	struct report *r;
	const struct report_events *events;
	struct sources sources;
	const struct style *style;
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

/* With blanks for tabs, which would depend on where the terminal has its columns. */
static void put_source(const char *text)
{
	unsigned column = 0;

	for (; *text; text++) {
		unsigned width = *text == '\t' ? 8 - column % 8 : 1;

		if (*text == '\t')
			printf("%*s", (int)width, "");
		else
			putchar(*text);
		column += width;
	}
}

static void source_line(struct out *o, const struct annotate_insn *insn)
{
	const char *text = sources_line(&o->sources, insn->file, insn->line);
	char name[NAME_MAX + 1];

	printf("%*s%s", (int)(9 * o->events->nr + (o->events->nr == 1 ? 13 : 0)), "",
	       o->style->blue);
	printf("%s:%d%s", annotate_file_name(insn->file, name), insn->line, o->style->end);
	if (text) {
		fputs("  ", stdout);
		put_source(text);
	}
	putchar('\n');
}

static void print_text(struct out *o, const struct annotate *a)
{
	const struct report_function *f = &o->r->functions.at[a->function];
	const char *file = NULL;
	int line = 0;

	printf("%s%s%s in %s", o->style->bold, report_text(o->r, f->name), o->style->end,
	       o->r->p->objects.at[f->object].path);
	for (unsigned i = 0; i < o->events->nr; i++) {
		const struct profile_event *e = &o->r->p->events.at[o->events->at[i]];

		printf("%s %s %.2f%%", i ? "," : ":", e->name,
		       e->total ? 100.0 * a->total[o->events->at[i]] / e->total : 0);
	}
	puts("");
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
		printf("%8" PRIx64 "%s%s\n", insn->addr, *insn->text ? ":  " : "", insn->text);
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

		json_open(&o->j, NULL, '{');
		json_hex(&o->j, "addr", insn->addr);
		json_text(&o->j, "text", *insn->text ? insn->text : NULL);
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

/* The first file without symbols may be the reason. */
static int nothing(const struct report *r, const char *symbol)
{
	char name[256] = "function that has a name", why[512] = "";

	if (symbol)
		snprintf(name, sizeof(name), "function '%s'", symbol);
	for (uint32_t i = 0; i < r->p->objects.nr && !*why; i++) {
		if (r->images[i].why)
			snprintf(why, sizeof(why), "%s has no symbols: %s",
				 r->p->objects.at[i].path, r->images[i].why);
	}
	if (!*why)
		snprintf(why, sizeof(why), "'holter report' lists what it has");
	return holter_error("%s has nothing in a %s; %s", r->path, name, why);
}

static int annotate(struct report *r, const struct options *o)
{
	struct report_events events;
	struct out out = { .r = r, .events = &events, .sources = { .symfs = o->report.symfs } };
	uint32_t functions[FUNCTIONS_MAX];
	size_t nr;
	bool good;

	if (!report_choose_events(r, o->events, &events) || !report_resolve(r))
		return 2;
	nr = annotate_find(r, o->symbol, events.at[0], functions, FUNCTIONS_MAX);
	if (!nr)
		return nothing(r, o->symbol);
	out.style = style_of(stdout);
	out.j = json_to(stdout);
	good = print(&out, functions, nr < FUNCTIONS_MAX ? nr : FUNCTIONS_MAX, o->json);
	sources_free(&out.sources);
	return good ? 0 : holter_error("%s: no memory for its instructions", r->path);
}

int cmd_annotate(int argc, char **argv)
{
	struct options o = { .file = "perf.data",
			     .report = { .symfs = "", .lines = true, .code = true } };
	struct report *r;
	int status = parse(&o, argc, argv);

	if (status >= 0)
		return status;
	r = report_load(o.file, &o.report);
	if (!r)
		return 2;
	status = annotate(r, &o);
	report_free(r);
	return status;
}

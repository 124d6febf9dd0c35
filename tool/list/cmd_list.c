// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_list.c - holter list: every event that has a name, and whether this machine counts it.
 *
 * It tries each event: allocates and starts it through libpmc, as a program would.
 */
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_list.h"
#include "event_list.h"
#include "events.h"
#include "fit.h"
#include "holter.h"
#include "json.h"
#include "list_man.h"
#include "options.h"
#include "term.h"
#include "vec.h"

struct input {
	bool json, names, man;
	const char *pattern; /* NULL: all events */
};

#define IN(member) OPTION_FIELD(struct input, member)

static const struct option_row rows[] = {
	{ OPTION_ON, "json", 0, NULL, "print JSON", IN(json) },
	{ OPTION_ON, "names", 0, NULL, "print only the names, one a line", IN(names) },
	{ OPTION_ON, "man", 0, NULL,
	  "print the manual page holter-events(7): mandoc -l <(holter list --man)", IN(man) },
	{ OPTION_FACT, "PATTERN", 0, NULL, "a PATTERN", IN(pattern) },
	{ 0 },
};

static const struct option_rule rules[] = {
	{ "names", OPTION_EXCLUDES, "json man", "give one of them" },
	{ "man", OPTION_EXCLUDES, "json", "give one of them" },
	{ "names", OPTION_EXCLUDES, "PATTERN", "it lists all" },
	{ "man", OPTION_EXCLUDES, "PATTERN", "it lists all" },
	{ 0 },
};

static const struct option_habit habits[] = {
	{ "-e --event", "the event stands without an option" },
	{ "-v --verbose -d --desc --details --long-desc --no-desc",
	  "holter-events(7) describes each event: holter list --man" },
	{ "-j", "--json" },
	{ "-o --output", "a > of the shell writes it to a file" },
	{ 0 },
};

/* Words that perf list takes for a pattern, and that are in no name of an event. */
static const struct option_habit kinds[] = {
	{ "metric metrics metricgroup metricgroups", "holter stat --metrics lists metrics" },
	{ "tracepoint tracepoints sdt", "holter counts no tracepoints; perf list shows them" },
	{ "hardware hwcache software pmu all",
	  "holter list without a pattern shows all events by their kind" },
	{ 0 },
};

static const struct options options = {
	.usage = "list [--json] [PATTERN]\nlist --names\nlist --man",
	.about = "Shows events, and tries which of them this machine counts.  PATTERN is a part of "
		 "a name, a name with * and ? in it, or what holter stat -e takes, as in "
		 "raw=0x11:u.",
	.rows = rows,
	.rules = rules,
	.habits = habits,
};

/* An event, and whether it counts. */
struct row {
	struct list_event e;
	bool counts, user_only, samples;
	int counter; /* -1: not known */
	char *reason; /* why it does not count; NULL: it does */
	unsigned note; /* number of the reason in list.notes */
};

struct list {
	VEC(struct row) rows;
	VEC(const char *) notes; /* different reasons, the rows' own */
	struct events typed; /* the pattern, if it is an event specifier and no name */
};

/*
 * Which ones
 */

/* Compares as libpmc does: case does not count, and all separators are equal. */
static void folded(char *to, size_t size, const char *text, size_t len)
{
	size_t n = 0;

	for (; n + 1 < size && n < len; n++) {
		char c = text[n];

		to[n] = c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : strchr(" ._", c) ? '-' : c;
	}
	to[n] = '\0';
}

static bool name_matches(const char *name, size_t len, const char *pattern)
{
	char word[PMC_NAME_MAX], wanted[PMC_NAME_MAX];

	folded(word, sizeof(word), name, len);
	folded(wanted, sizeof(wanted), pattern, strlen(pattern));
	return strpbrk(wanted, "*?[") ? fnmatch(wanted, word, 0) == 0
				      : strstr(word, wanted) != NULL;
}

static bool matches(const struct list_event *e, const char *pattern)
{
	const char *alias = e->aliases;

	if (!pattern || name_matches(e->name, strlen(e->name), pattern))
		return true;
	for (size_t len; *alias; alias += len + (alias[len] == ' ')) {
		len = strcspn(alias, " ");
		if (name_matches(alias, len, pattern))
			return true;
	}
	return false;
}

static int no_memory(void)
{
	return holter_error("out of memory");
}

static int add(struct list *l, const struct list_event *e)
{
	return VEC_PUSH(&l->rows, (struct row){ .e = *e, .counter = -1 }) ? 0 : no_memory();
}

/* Fills the list with what the pattern says; 0, or 2 after printing an error. */
static int choose(struct list *l, const char *pattern)
{
	const char *kind = pattern ? options_instead(kinds, pattern) : NULL;
	struct list_event e;

	errno = 0;
	for (unsigned n = 0; list_event(n, &e); n++) {
		if (matches(&e, pattern) && add(l, &e))
			return 2;
	}
	if (errno == ENOMEM) /* for the names of this machine, which are the last ones */
		return no_memory();
	if (l->rows.nr)
		return 0;
	if (kind)
		return holter_error("unknown event '%s': %s", pattern, kind);
	if (events_add(&l->typed, pattern))
		return 2;
	for (unsigned n = 0; n < l->typed.nr; n++) {
		if (!list_event_of(l->typed.at[n].spec, &e))
			return holter_error("%s", pmc_error_text());
		if (add(l, &e))
			return 2;
	}
	return 0;
}

/*
 * Whether they count
 */

static bool allocate(const char *spec, pmc_id_t *id)
{
	return pmc_allocate(spec, PMC_MODE_TC, 0, PMC_CPU_ANY, id, 0) == 0;
}

/* Takes the error of libpmc as the reason.  False: there is no memory, which is no reason. */
static bool refused(struct row *r)
{
	if (errno == ENOMEM)
		return false;
	free(r->reason);
	r->reason = events_reason();
	return r->reason;
}

/* False: there is no memory. */
static bool try(struct row *r)
{
	char user[2 * PMC_NAME_MAX];
	uint32_t caps, ctr;
	pmc_id_t id;
	bool good = true;

	r->counts = allocate(r->e.name, &id);
	if (!r->counts && errno == EPERM && !strchr(r->e.name, ',')) {
		if (!refused(r))
			return false;
		snprintf(user, sizeof(user), "%s,usr", r->e.name);
		r->counts = r->user_only = allocate(user, &id);
	}
	if (!r->counts)
		return refused(r);
	r->samples = pmc_capabilities(id, &caps) == 0 && caps & PMC_CAP_INTERRUPT;
	if (pmc_start(id) < 0) {
		r->counts = r->user_only = false;
		good = refused(r);
	} else if (pmc_counter(id, &ctr) == 0) {
		r->counter = (int)ctr;
	}
	pmc_release(id);
	return good;
}

/* False: there is no memory. */
static bool note(struct list *l, struct row *r)
{
	if (!r->reason)
		return true;
	for (r->note = 0; r->note < l->notes.nr; r->note++) {
		if (!strcmp(l->notes.at[r->note], r->reason))
			return true;
	}
	return VEC_PUSH(&l->notes, r->reason);
}

/* 0, or 2 after printing an error. */
static int try_all(struct list *l)
{
	struct progress p = progress_begin("trying events");
	bool good = true;

	for (unsigned n = 0; n < l->rows.nr && good; n++) {
		progress_step(&p, n, l->rows.nr);
		good = try(&l->rows.at[n]) && note(l, &l->rows.at[n]);
	}
	progress_end(&p);
	return good ? 0 : no_memory();
}

/*
 * What is shown
 */

static const char *const heading[LIST_KINDS] = {
	[LIST_GENERAL] = "Hardware events",
	[LIST_CACHE] = "Hardware cache events",
	[LIST_RAW] = "Raw events",
	[LIST_FIRMWARE] = "Firmware events",
	[LIST_SOFT] = "What the kernel counts",
	[LIST_CPU] = "Events of this CPU",
};

#define NAME_WIDTH 31
#define TEXT_AT	   62 /* the column of what an event is */

/* Prints a text from column `at` on, its next lines below. */
static void show_line(unsigned at, unsigned width, const char *text)
{
	fit_wrap(stdout, text, at, at, width);
	putchar('\n');
}

/* width: of the terminal; 0: nothing is cut or broken. */
static void show_row(const struct row *r, const struct style *s, unsigned width)
{
	char counts[24], counter[12] = "-", name[4 * NAME_WIDTH + 16];
	const char *shown = r->e.name;

	if (r->counts && !r->user_only)
		snprintf(counts, sizeof(counts), "yes");
	else
		snprintf(counts, sizeof(counts), "%s [%u]", r->counts ? "user" : "no", r->note + 1);
	if (r->counter >= 0)
		snprintf(counter, sizeof(counter), "%d", r->counter);
	if (width)
		shown = fit_text(name, sizeof(name), shown, NAME_WIDTH, false);
	printf("  %-*s %s%-9s%s %-8s %-8s ", NAME_WIDTH, shown, r->counts ? s->green : s->dim,
	       counts, s->end, counter, r->counts ? r->samples ? "yes" : "no" : "-");
	show_line(TEXT_AT, width, r->e.text);
	if (r->e.aliases[0]) {
		printf("    %s", s->dim);
		fit_wrap(stdout, r->e.aliases, 4, 4, width);
		printf("%s\n", s->end);
	}
}

static void show(const struct list *l, bool all)
{
	const struct style *s = style_of(stdout);
	unsigned width = term_width(stdout);
	int kind = -1;

	printf("  %s%-31s %-9s %-8s %-8s %s%s\n", s->bold, "event", "counts", "counter", "samples",
	       "what it is", s->end);
	for (unsigned n = 0; n < l->rows.nr; n++) {
		if ((int)l->rows.at[n].e.kind != kind) {
			kind = (int)l->rows.at[n].e.kind;
			printf("\n%s%s%s\n", s->bold, heading[kind], s->end);
		}
		show_row(&l->rows.at[n], s, width);
	}
	if (all)
		show_line(0, width,
			  "\nBy number: raw=N or rHEX (the CPU's own), fw=N, platform=N (the "
			  "firmware's); see pmc(3).");
	for (unsigned n = 0; n < l->notes.nr; n++) {
		unsigned at = (unsigned)printf("%s[%u] ", n ? "" : "\n", n + 1) - !n;

		show_line(at, width, l->notes.at[n]);
	}
}

static void json_aliases(struct json *j, const char *text)
{
	json_open(j, "aliases", '[');
	for (size_t len; *text; text += len + (text[len] == ' ')) {
		len = strcspn(text, " ");
		json_bytes(j, NULL, text, len);
	}
	json_close(j, ']');
}

static void json_row(struct json *j, const struct row *r)
{
	json_open(j, NULL, '{');
	json_text(j, "name", r->e.name);
	json_text(j, "class",
		  pmc_name_of_class(r->e.kind == LIST_SOFT ? PMC_CLASS_SOFT : PMC_CLASS_RISCV_SBI));
	if (r->e.kind == LIST_SOFT)
		json_null(j, "event_idx");
	else
		json_hex(j, "event_idx", r->e.code);
	json_aliases(j, r->e.aliases);
	json_text(j, "text", r->e.text);
	json_bool(j, "counts", r->counts);
	json_bool(j, "user_only", r->user_only);
	json_bool(j, "samples", r->samples);
	if (r->counter >= 0)
		json_integer(j, "counter", r->counter);
	else
		json_null(j, "counter");
	json_text(j, "reason", r->reason);
	json_close(j, '}');
}

static void show_json(const struct list *l)
{
	struct json j = json_to(stdout);

	json_open(&j, NULL, '{');
	json_open(&j, "events", '[');
	for (unsigned n = 0; n < l->rows.nr; n++)
		json_row(&j, &l->rows.at[n]);
	json_close(&j, ']');
	json_close(&j, '}');
}

static int names(void)
{
	struct list_event e;

	errno = 0;
	for (unsigned n = 0; list_event(n, &e); n++) {
		puts(e.name);
		for (char *alias = strtok(e.aliases, " "); alias; alias = strtok(NULL, " "))
			puts(alias);
	}
	return errno == ENOMEM ? no_memory() : 0;
}

static int list(const char *pattern, bool as_json)
{
	struct list l = { 0 };
	int status = choose(&l, pattern);

	if (!status && pmc_init() < 0)
		status = holter_error("%s", pmc_error_text());
	if (!status)
		status = try_all(&l);
	if (!status) {
		if (as_json)
			show_json(&l);
		else
			show(&l, !pattern);
	}
	for (unsigned n = 0; n < l.rows.nr; n++)
		free(l.rows.at[n].reason);
	free(l.rows.at);
	free(l.notes.at);
	events_free(&l.typed);
	return status;
}

int cmd_list(int argc, char **argv)
{
	struct options_read read;
	struct input input = { 0 };
	int status = options_read(&read, &options, &input, argc, argv);

	if (status >= 0)
		return status;
	input.pattern = argv[optind];
	if (argc - optind > 1)
		return holter_error("unexpected argument '%s': only one pattern is allowed",
				    argv[argc - 1]);
	if (options_check(&read))
		return 2;
	if (input.names)
		return names();
	if (!input.man)
		return list(input.pattern, input.json);
	list_man();
	return 0;
}

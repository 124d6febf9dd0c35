// SPDX-License-Identifier: BSD-2-Clause
/*
 * compare_files.c - compares the events that a perf.data and an exact profile share (compare.h).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compare.h"
#include "holter.h"
#include "json.h"

/* Facts from the exact profile that help to name the samples */

/* Writes the kernel's symbols in the format of kallsyms to a memfd.  Returns it; -1: no symbols. */
static int lend_kallsyms(const struct profile *p)
{
	int fd = memfd_create("kallsyms", MFD_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(dup(fd), "w");
	bool some = false, good;

	for (size_t n = 0; f && n < p->objects.nr; n++) {
		const struct profile_object *o = &p->objects.at[n];

		if (o->kind != PROFILE_KERNEL && o->kind != PROFILE_MODULE)
			continue;
		for (size_t i = 0; i < o->symbols.nr; i++) {
			const struct symbol *s = &o->symbols.at[i];

			fprintf(f, "%016" PRIx64 " %c %s%s%s\n", s->addr,
				s->binding == SYMBOL_LOCAL ? 't' : 'T', s->name,
				o->kind == PROFILE_MODULE ? "\t" : "",
				o->kind == PROFILE_MODULE ? o->path : "");
			some = true;
		}
	}
	good = f && !fclose(f) && some;
	if (!good && fd >= 0)
		close(fd);
	return good ? fd : -1;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Replaces the programs' paths in the guest by their paths on the host.  Build ids are compared
 * later, to make sure that the files are the same.
 */
static void lend_paths(struct profile *to, const struct profile *from)
{
	for (size_t n = 0; n < to->objects.nr; n++) {
		struct profile_object *o = &to->objects.at[n];

		if (o->kind != PROFILE_USER && o->kind != PROFILE_VDSO)
			continue;
		for (size_t i = 0; i < from->objects.nr; i++) {
			const struct profile_object *known = &from->objects.at[i];
			char *path;

			if (known->kind != PROFILE_USER ||
			    strcmp(last_part(known->path), last_part(o->path)) != 0)
				continue;
			path = strdup(known->path);
			if (!path) {
				to->no_memory = true;
				return;
			}
			free(o->path);
			o->path = path;
			o->kind = PROFILE_USER;
			break;
		}
	}
}

/* Data to which the report of the samples keeps pointers. */
struct lent {
	struct report_options options;
	char kallsyms[32];
};

/*
 * Loads the samples and resolves their places.  Uses the guest's kernel symbols and the host paths
 * of its programs from exact, which must be loaded.  Returns NULL after printing an error.
 */
static struct report *load_samples(const char *path, const struct report_options *o,
				   const struct report *exact, struct lent *lent)
{
	int fd = o->kallsyms ? -1 : lend_kallsyms(exact->p);
	struct report *r;

	lent->options = *o;
	if (fd >= 0) {
		snprintf(lent->kallsyms, sizeof(lent->kallsyms), "/proc/self/fd/%d", fd);
		lent->options.kallsyms = lent->kallsyms;
	}
	r = report_load(path, &lent->options);
	if (fd >= 0)
		close(fd);
	if (!r)
		return NULL;
	lend_paths(r->p, exact->p);
	if (report_resolve(r))
		return r;
	report_free(r);
	return NULL;
}

/* Events */

/* Writes the exact profile's name of an event of the samples: the name without modifiers. */
static void plain_name(const char *sampled, char *name, size_t room)
{
	snprintf(name, room, "%.*s", (int)strcspn(sampled, ":"), sampled);
}

/* Returns these names, joined by commas.  A name that has a comma is not in the exact profile. */
static char *plain_names(const struct report *samples, const struct report_events *events)
{
	size_t len = 0;
	char *text = NULL, name[256];
	FILE *f = open_memstream(&text, &len);

	for (unsigned i = 0; f && i < events->nr; i++) {
		plain_name(samples->p->events.at[events->at[i]].name, name, sizeof(name));
		if (!strchr(name, ','))
			fprintf(f, "%s%s", ftell(f) > 0 ? "," : "", name);
	}
	if (f)
		fclose(f);
	return text;
}

static uint32_t exact_event(const struct report *exact, const char *sampled)
{
	char name[256];

	plain_name(sampled, name, sizeof(name));
	for (uint32_t e = 0; e < exact->p->events.nr; e++) {
		if (!strcmp(exact->p->events.at[e].name, name))
			return e;
	}
	return PROFILE_NONE;
}

/* Output */

struct work {
	const struct compare_options *o;
	struct report *exact, *samples;
	struct lent lent; /* for samples */
	struct report_events events; /* of the samples */
	char *names; /* the names of these events in the exact profile */
	FILE *to;
	struct json j;
	bool compared[256]; /* by index in events */
	bool some;
};

static bool compare_event(struct work *w, unsigned i)
{
	const char *name = w->samples->p->events.at[w->events.at[i]].name;
	uint32_t exact = exact_event(w->exact, name), sampled = w->events.at[i];
	struct comparison c;

	if (exact == PROFILE_NONE)
		return true;

	if (!compare(w->exact, exact, w->samples, sampled, &c))
		return false;
	if (c.exact && c.samples) {
		if (w->o->json)
			compare_out_json(&c, name, &w->j);
		else
			compare_out_text(&c, name, w->o->view, w->to);
		w->compared[i] = w->some = true;
	}
	compare_free(&c);
	return true;
}

/* Lists the events that cannot be compared. */
static void write_missing(struct work *w)
{
	if (w->o->json) {
		json_close(&w->j, ']');
		json_open(&w->j, "missing", '[');
	}
	for (unsigned i = 0; i < w->events.nr; i++) {
		const char *name = w->samples->p->events.at[w->events.at[i]].name;

		if (w->compared[i])
			continue;
		if (w->o->json)
			json_text(&w->j, NULL, name);
		else
			fprintf(w->to, "# %s: not compared, %s\n", name,
				exact_event(w->exact, name) == PROFILE_NONE
					? "there are no exact counts of it"
					: "no process has samples and exact counts");
	}
	if (w->o->json) {
		json_close(&w->j, ']');
		json_close(&w->j, '}');
	}
}

static bool write_events(struct work *w)
{
	w->j = json_to(w->to);
	if (w->o->json) {
		json_open(&w->j, NULL, '{');
		json_open(&w->j, "events", '[');
	}
	for (unsigned i = 0; i < w->events.nr; i++) {
		if (!compare_event(w, i))
			return false;
	}
	write_missing(w);
	return true;
}

/* The files */

/*
 * Loads both files.  First reads the events of the samples, to load only these from the exact
 * profile.
 */
static bool load_both(struct work *w, struct report_options *o)
{
	struct report *first = report_load(w->o->samples, o);
	const char *wanted = w->o->events ? w->o->events : "*";

	if (first && report_choose_events(first, wanted, &w->events) &&
	    !(w->names = plain_names(first, &w->events)))
		holter_error("out of memory for the comparison with %s", w->o->samples);
	report_free(first);
	if (!w->names)
		return false;
	o->events = w->names;
	w->exact = report_load(w->o->exact, o);
	if (w->exact && !w->exact->p->events.nr)
		holter_error("%s has no exact counts of '%s'", w->o->exact, w->names);
	else if (w->exact && report_resolve(w->exact))
		w->samples = load_samples(w->o->samples, o, w->exact, &w->lent);
	return w->samples;
}

int compare_files(const struct compare_options *o, FILE *to)
{
	struct report_options options = o->report;
	struct work w = { .o = o, .to = to };
	int status = 2;

	if (!load_both(&w, &options))
		;
	else if (!write_events(&w))
		holter_error("out of memory for the comparison");
	else if (!w.some)
		holter_error("%s and %s have no process in common", o->samples, o->exact);
	else
		status = 0;
	report_free(w.samples);
	report_free(w.exact);
	free(w.names);
	return status;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * merge.c - makes one report of several, to compare them (report.h).
 *
 * What has the same name is the same: a command, an object by the last part of its path, a function
 * of an object.  If the first report and another one have one command, or one program, that ran
 * and that the other has not, these two are the same as well: two builds may have two names.  Of
 * several it is the one that was profiled: a shell of the guest may have run in one of them only.
 */
#include <stdlib.h>
#include <string.h>

#include "report.h"

struct merging {
	struct report *to;
	const struct report *from;
	/* By index in from: the index in to. */
	uint32_t *object, *process, *function, *place, *stack;
};

/* The commands of a report, or its programs. */
struct names {
	const struct report *r;
	bool programs;
	size_t nr;
	bool *ran; /* by index: the profile has places there, not data alone */
};

static struct names names_of(const struct report *r, bool programs)
{
	struct names n = { r, programs, programs ? r->p->objects.nr : r->p->processes.nr, NULL };

	n.ran = calloc(n.nr + 1, sizeof(*n.ran));
	for (size_t i = 0; n.ran && i < r->p->places.nr; i++) {
		const struct profile_place *place = &r->p->places.at[i];

		n.ran[programs ? place->object : place->process] = true;
	}
	return n;
}

/* The name of a command or program that ran; NULL: it did not run, or is not one. */
static const char *name_at(const struct names *n, size_t i)
{
	enum profile_kind kind = n->programs ? n->r->p->objects.at[i].kind : PROFILE_USER;

	if (!n->ran[i] || (kind != PROFILE_USER && kind != PROFILE_FIRMWARE))
		return NULL;
	return n->programs ? report_object_name(n->r, (uint32_t)i) : n->r->p->processes.at[i].comm;
}

static bool has_name(const struct names *n, const char *wanted)
{
	for (size_t i = 0; i < n->nr; i++) {
		const char *name = name_at(n, i);

		if (name && !strcmp(name, wanted))
			return true;
	}
	return false;
}

/* Whether a name is that of the profiled program; of a command, Linux keeps 15 characters. */
static bool is_profiled(const struct names *n, const char *name)
{
	const char *command = n->r->p->command, *last = command;
	size_t len = command ? strcspn(command, " ") : 0;

	for (size_t i = 0; i < len; i++)
		last = command[i] == '/' ? command + i + 1 : last;
	len = command ? len - (size_t)(last - command) : 0;
	if (!n->programs && len > 15)
		len = 15;
	return len && strlen(name) == len && !strncmp(name, last, len);
}

/* Returns the name of a that b has not; of several the profiled one; NULL: there is none. */
static const char *lonely(const struct names *a, const struct names *b)
{
	const char *only = NULL;
	bool several = false;

	for (size_t i = 0; i < a->nr; i++) {
		const char *name = name_at(a, i);

		if (!name || has_name(b, name))
			continue;
		if (is_profiled(a, name))
			return name;
		several |= only && strcmp(only, name) != 0;
		only = name;
	}
	return several ? NULL : only;
}

/* What a name of from is called in the first report: the same, unless both are lonely. */
struct pair {
	const char *from, *first;
};

static bool find_pair(struct pair *pair, const struct report *first, const struct report *from,
		      bool programs)
{
	struct names a = names_of(first, programs), b = names_of(from, programs);
	bool good = a.ran && b.ran;

	*pair = (struct pair){ NULL, NULL };
	if (good)
		*pair = (struct pair){ lonely(&b, &a), lonely(&a, &b) };
	if (!pair->from || !pair->first)
		*pair = (struct pair){ NULL, NULL };
	free(a.ran);
	free(b.ran);
	return good;
}

static const char *called(const struct pair *pair, const char *name)
{
	return pair->from && !strcmp(pair->from, name) ? pair->first : name;
}

static uint32_t find_process(const struct profile *p, const char *comm)
{
	for (uint32_t i = 0; i < p->processes.nr; i++) {
		if (!strcmp(p->processes.at[i].comm, comm))
			return i;
	}
	return PROFILE_NONE;
}

static bool map_processes(struct merging *m, const struct report *first)
{
	struct pair pair;

	if (!find_pair(&pair, first, m->from, false))
		return false;
	for (uint32_t i = 0; i < m->from->p->processes.nr; i++) {
		const char *comm = called(&pair, m->from->p->processes.at[i].comm);

		m->process[i] = find_process(m->to->p, comm);
		if (m->process[i] == PROFILE_NONE)
			m->process[i] = profile_add_process(m->to->p, -1, comm);
	}
	return true;
}

static bool map_objects(struct merging *m, const struct report *first)
{
	struct pair pair;

	if (!find_pair(&pair, first, m->from, true))
		return false;
	for (uint32_t i = 0; i < m->from->p->objects.nr; i++) {
		const struct profile_object *o = &m->from->p->objects.at[i];
		const char *name = report_object_name(m->from, i);

		if (o->kind == PROFILE_USER || o->kind == PROFILE_FIRMWARE)
			name = called(&pair, name);
		m->object[i] = profile_add_object(m->to->p, o->kind, name, NULL, 0);
	}
	return true;
}

static void map_functions(struct merging *m)
{
	for (uint32_t i = 0; i < m->from->functions.nr; i++) {
		const struct report_function *f = &m->from->functions.at[i];

		m->function[i] = report_add_function(m->to, m->object[f->object],
						     report_text(m->from, f->name), 0, 0);
	}
}

/* Each place of each report stays one: its address is the next free number. */
static bool map_places(struct merging *m)
{
	for (uint32_t i = 0; i < m->from->p->places.nr; i++) {
		const struct profile_place *place = &m->from->p->places.at[i];
		const struct report_span *span = &m->from->spans[i];
		uint32_t n = profile_add_place(m->to->p, m->process[place->process],
					       m->object[place->object], m->to->p->places.nr);

		if (n == PROFILE_NONE || !VEC_ROOM(&m->to->frames, span->nr))
			return false;
		m->place[i] = n;
		m->to->spans[n] = (struct report_span){ (uint32_t)m->to->frames.nr, span->nr };
		for (uint32_t k = 0; k < span->nr; k++) {
			struct report_frame frame = m->from->frames.at[span->first + k];

			frame.function = m->function[frame.function];
			frame.file = report_string(m->to, report_text(m->from, frame.file));
			m->to->frames.at[m->to->frames.nr++] = frame;
		}
	}
	return true;
}

static void add_weights(struct merging *m, const struct report_events *events, unsigned file,
			unsigned nr)
{
	const struct profile *p = m->from->p;

	for (uint32_t i = 0; i < p->stacks.nr; i++) {
		uint32_t caller = p->stacks.at[i].caller;

		if (p->stacks.at[i].place == PROFILE_NONE)
			continue;
		m->stack[i] = profile_add_stack(m->to->p, m->place[p->stacks.at[i].place],
						caller == PROFILE_NONE ? PROFILE_NONE
								       : m->stack[caller]);
	}
	for (unsigned e = 0; e < events->nr; e++) {
		struct profile_column column = profile_column(p, events->at[e]);
		struct profile_stack_count c;

		while (profile_column_next(&column, &c))
			profile_add(m->to->p, m->stack[c.stack], e * nr + file, c.weight,
				    c.samples);
	}
}

static uint32_t *numbers(size_t nr)
{
	return calloc(nr + 1, sizeof(uint32_t));
}

static bool add_report(struct report *to, const struct report *first, const struct report *from,
		       const struct report_events *events, unsigned file, unsigned nr)
{
	struct merging m = { .to = to,
			     .from = from,
			     .object = numbers(from->p->objects.nr),
			     .process = numbers(from->p->processes.nr),
			     .function = numbers(from->functions.nr),
			     .place = numbers(from->p->places.nr),
			     .stack = numbers(from->p->stacks.nr) };
	bool good = m.object && m.process && m.function && m.place && m.stack;

	good = good && map_processes(&m, first) && map_objects(&m, first);
	if (good) {
		map_functions(&m);
		good = !to->p->no_memory && map_places(&m);
	}
	if (good)
		add_weights(&m, events, file, nr);
	free(m.object);
	free(m.process);
	free(m.function);
	free(m.place);
	free(m.stack);
	return good && !to->p->no_memory;
}

struct report *report_merge(struct report *const *from, const struct report_events *events,
			    unsigned nr)
{
	struct report *r = calloc(1, sizeof(*r));
	size_t places = 1;
	bool good;

	for (unsigned f = 0; f < nr; f++)
		places += from[f]->p->places.nr;
	if (r) {
		r->o = from[0]->o;
		r->path = from[0]->path;
		r->p = profile_new();
		r->spans = calloc(places, sizeof(*r->spans));
	}
	good = r && r->p && r->spans;
	for (unsigned e = 0; good && e < events[0].nr; e++) {
		for (unsigned f = 0; f < nr; f++) {
			const struct profile_event *event = &from[f]->p->events.at[events[f].at[e]];

			profile_add_event(r->p, event->name, event->exact);
		}
	}
	for (unsigned f = 0; good && f < nr; f++)
		good = add_report(r, from[0], from[f], &events[f], f, nr);
	if (good)
		return r;
	if (r && r->p) {
		report_free(r);
	} else if (r) {
		free(r->spans);
		free(r);
	}
	return NULL;
}

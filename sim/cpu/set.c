// SPDX-License-Identifier: BSD-2-Clause
/*
 * set.c - makes the changes of --set in a description, before it is read (cpu_read()).
 *
 * A text is NAME=VALUE, with a name of property.c, or PATH=VALUE, with the path of a node and a
 * property.  Only the form of a value is checked here; what it means, the reader checks as in a
 * file.  The reader also refuses a change of a property that it never asks for.
 *
 * The texts are sorted, so that their order does not matter.  Paths come first (a / is less than
 * any letter), then names, and last what follows from them (set_follow.c).
 */
#include <ctype.h>
#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "set.h"

#define ROOM_OF_EACH 1024 /* bytes of the tree that one change can add beside its value */

size_t cpu_set_room(const char *const *texts, size_t nr)
{
	size_t room = nr ? ROOM_OF_EACH : 0;

	for (size_t n = 0; n < nr; n++)
		room += ROOM_OF_EACH + 4 * strlen(texts[n]);
	return room;
}

static bool find_row(struct sets *all, struct set *s)
{
	const struct property *member = NULL; /* the first one of l2, if the name is l2 */
	char name[64];
	struct near near;
	size_t len;

	snprintf(name, sizeof(name), "%.*s", (int)(s->value - 1 - s->text), s->text);
	near = near_to(name);
	len = strlen(name);
	for (const struct property *row = property_table; row->name; row++) {
		near_try(&near, row->name);
		if (!strcmp(row->name, name))
			s->row = row;
		if (!member && !strncmp(row->name, name, len) && row->name[len] == '.')
			member = row;
	}
	if (s->row && !*all->path[s->row->node])
		reader_refuse_set(all->r, s->text, "this CPU has no %.*s", (int)strcspn(name, "."),
				  name);
	else if (!s->row && (member || near.best))
		reader_refuse_set(all->r, s->text, "there is no property %s; did you mean %s?",
				  name, member ? member->name : near.best);
	else if (!s->row)
		reader_refuse_set(all->r, s->text,
				  "there is no property %s; holter cpu --properties lists them",
				  name);
	return !all->r->failed;
}

static bool parse(struct sets *all, struct set *s, const char *text)
{
	const char *equals = strchr(text, '=');

	*s = (struct set){ .text = text, .value = equals ? equals + 1 : NULL };
	for (const char *c = text; *c; c++) {
		if (!isprint((unsigned char)*c)) {
			reader_refuse_set(all->r, text, "has a character that cannot be printed");
			return false;
		}
	}
	if (!equals || equals == text)
		reader_refuse_set(all->r, text, "must be PROPERTY=VALUE, as in l2.size=4M");
	else if (!*s->value)
		reader_refuse_set(all->r, text, "has no value after the =");
	else
		return *text == '/' || find_row(all, s);
	return false;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Copies the texts to the CPU, and sorts them. */
static bool keep_texts(struct sets *all, const char *const *texts, size_t nr)
{
	struct cpu *cpu = all->r->cpu;
	size_t size = 0;

	for (size_t n = 0; n < nr; n++) {
		char *copy = strdup(texts[n]);

		if (!copy || !VEC_PUSH(&cpu->sets, copy)) {
			free(copy);
			reader_no_memory(all->r);
			return false;
		}
		size += strlen(copy) + 1;
	}
	if (size > CPU_SETS_SIZE) {
		reader_refuse_set(all->r, cpu->sets.at[nr - 1],
				  "all texts of --set have more than %d characters", CPU_SETS_SIZE);
		return false;
	}
	VEC_SORT(&cpu->sets, by_text);
	return true;
}

static void make_changes(struct sets *all)
{
	char *const *texts = all->r->cpu->sets.at;

	for (size_t n = 0; n < all->nr; n++) {
		if (!parse(all, &all->at[n], texts[n]))
			return;
		if (n && all->at[n].row && all->at[n].row == all->at[n - 1].row) {
			reader_refuse_set(all->r, texts[n], "--set %.100s was given before",
					  texts[n - 1]);
			return;
		}
	}
	set_pipeline(all);
	if (!all->r->failed)
		set_memory(all);
	if (all->r->failed)
		return;
	for (size_t n = 0; n < all->nr; n++) {
		const struct set *s = &all->at[n];

		if (!s->row ? !set_path(all, s)
			    : !(s->row->shape ? set_shape_check(all, s) : set_row(all, s)))
			return;
	}
	set_shapes(all);
	if (!all->r->failed)
		set_predictor(all);
	if (!all->r->failed)
		reader_find_changes(all->r);
	if (!all->r->failed)
		fdt_pack(all->fdt);
}

void cpu_set(struct reader *r, void *fdt, const char *const *texts, size_t nr)
{
	struct sets all = { .r = r, .fdt = fdt };

	property_paths(r, all.path);
	if (r->failed || !keep_texts(&all, texts, nr))
		return;
	all.at = calloc(nr, sizeof(*all.at));
	if (all.at) {
		all.nr = nr;
		make_changes(&all);
		free(all.at);
	} else {
		reader_no_memory(r);
	}
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * set_value.c - writes the value of one --set into a description (set.h).
 */
#define _GNU_SOURCE
#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "number.h"
#include "set.h"

#define CELLS_MAX 64

const struct set *set_find(const struct sets *all, const char *name)
{
	for (size_t n = 0; n < all->nr; n++) {
		if (all->at[n].row && !strcmp(all->at[n].row->name, name))
			return &all->at[n];
	}
	return NULL;
}

/* Writing */

static bool written(struct sets *all, int error)
{
	if (error)
		reader_no_memory(all->r);
	return !error;
}

bool set_bytes(struct sets *all, const char *path, const char *property, const void *bytes,
	       size_t len)
{
	return written(all, fdt_setprop(all->fdt, fdt_path_offset(all->fdt, path), property, bytes,
					(int)len));
}

/* One cell, or two if the property has two or needs them. */
bool set_number(struct sets *all, const char *path, const char *property, uint64_t value)
{
	int node = fdt_path_offset(all->fdt, path), len = 0;

	fdt_getprop(all->fdt, node, property, &len);
	if (len == 8 || value > UINT32_MAX)
		return written(all, fdt_setprop_u64(all->fdt, node, property, value));
	return written(all, fdt_setprop_u32(all->fdt, node, property, (uint32_t)value));
}

bool set_record(struct sets *all, const struct set *s, const char *path, const char *property,
		bool follows)
{
	struct reader_change c = { .text = s->text, .follows = follows, .node = -1 };

	snprintf(c.path, sizeof(c.path), "%s", path);
	snprintf(c.property, sizeof(c.property), "%s", property);
	if (!VEC_PUSH(&all->r->changes, c))
		reader_no_memory(all->r);
	return !all->r->failed;
}

/* Whether a --set by path has changed this property; then s is refused. */
static bool changed_before(struct sets *all, const struct set *s, const char *path,
			   const char *property)
{
	for (size_t n = 0; n < all->r->changes.nr; n++) {
		const struct reader_change *c = &all->r->changes.at[n];

		if (*c->text != '/' || strcmp(c->path, path) || strcmp(c->property, property))
			continue;
		reader_refuse_set(all->r, s->text, "--set %.100s changes the same property",
				  c->text);
		return true;
	}
	return false;
}

/* Values */

bool set_value(struct sets *all, const struct set *s, uint64_t low, uint64_t high, uint64_t *value)
{
	char from[24], to[24], meant[24];

	if (number_parse(s->value, NUMBER_C | NUMBER_UNITS, low, high, value))
		return true;
	number_print(from, NUMBER_DECIMAL, low);
	number_print(to, NUMBER_DECIMAL, high);
	if (number_size_meant(s->value, low, high, meant))
		reader_refuse_set(all->r, s->text, "must be a number; did you mean %s?", meant);
	else if (high == UINT64_MAX)
		reader_refuse_set(all->r, s->text, "must be a number, such as 12, 0x1f or 4M");
	else
		reader_refuse_set(all->r, s->text, "must be a number from %s to %s", from, to);
	return false;
}

static bool set_hertz(struct sets *all, const struct set *s, const char *path, const char *property)
{
	uint64_t hz;

	if (number_hertz(s->value, UINT64_MAX, &hz))
		return set_number(all, path, property, hz);
	reader_refuse_set(all->r, s->text, "must be a frequency, such as 1.85G, 100M or 32768");
	return false;
}

/* A list of numbers with commas; 0: it is not such a list. */
static unsigned read_cells(const char *text, fdt32_t cells[CELLS_MAX])
{
	char word[24];
	uint64_t value;
	unsigned nr = 0;

	for (size_t len; nr < CELLS_MAX; text += len + 1) {
		len = strcspn(text, ",");
		snprintf(word, sizeof(word), "%.*s", (int)(len < 23 ? len : 23), text);
		if (!number_parse(word, NUMBER_C | NUMBER_UNITS, 0, UINT32_MAX, &value))
			return 0;
		fdt32_st(&cells[nr++], (uint32_t)value);
		if (!text[len])
			return nr;
	}
	return 0;
}

static bool set_cells(struct sets *all, const struct set *s, const char *path, const char *property)
{
	fdt32_t cells[CELLS_MAX];
	unsigned nr = read_cells(s->value, cells);

	if (nr)
		return set_bytes(all, path, property, cells, nr * sizeof(*cells));
	reader_refuse_set(all->r, s->text, "must be numbers with commas, as in 6,18,54");
	return false;
}

/*
 * Strings in quotes, with commas between them, as in the source of a tree: "a,b","c".  Removes the
 * quotes, ends each string with a NUL, and returns the bytes of all; 0: it is something else.
 */
static size_t unquote(char *text)
{
	char *to = text;

	for (const char *at = text; *at == '"'; at++) {
		size_t len = strcspn(++at, "\"");

		memmove(to, at, len);
		to += len;
		at += len;
		if (!*at || (at[1] && at[1] != ','))
			return 0;
		*to++ = '\0';
		if (!*++at)
			return to - text;
	}
	return 0;
}

/* A word, or several with commas: a list of strings.  A word in quotes may have commas. */
static bool set_words(struct sets *all, const struct set *s, const char *path, const char *property,
		      bool list)
{
	size_t len = strlen(s->value) + 1;
	char *copy = strdup(s->value);
	bool quotes, ok;

	if (!copy) {
		reader_no_memory(all->r);
		return false;
	}
	quotes = list && *copy == '"';
	for (char *c = copy; list && !quotes && *c; c++)
		*c = *c == ',' ? '\0' : *c;
	if (quotes)
		len = unquote(copy);
	if (!len)
		reader_refuse_set(all->r, s->text,
				  "must be strings in quotes with commas between them, as in "
				  "\"a\",\"b\"");
	ok = len && set_bytes(all, path, property, copy, len);
	free(copy);
	return ok;
}

static bool set_switch(struct sets *all, const struct set *s, const char *path,
		       const char *property)
{
	bool on = !strcmp(s->value, "on");
	int node = fdt_path_offset(all->fdt, path);

	if (!on && strcmp(s->value, "off")) {
		reader_refuse_set(all->r, s->text, "must be on or off");
		return false;
	}
	if (on)
		return set_bytes(all, path, property, NULL, 0);
	return !fdt_getprop(all->fdt, node, property, NULL) ||
	       written(all, fdt_delprop(all->fdt, node, property));
}

static bool set_cell(struct sets *all, const struct set *s, const char *path)
{
	const struct property *row = s->row;
	int len = 0, node = fdt_path_offset(all->fdt, path);
	char *list = node < 0 ? NULL : fdt_getprop_w(all->fdt, node, row->property, &len);
	uint64_t value;

	if (!list || len < (int)(row->cell + 1) * 4) {
		reader_refuse_set(all->r, s->text, "%s has no list %s, or a shorter one", path,
				  row->property);
		return false;
	}
	if (!set_value(all, s, 0, UINT32_MAX, &value))
		return false;
	fdt32_st(list + row->cell * 4, (uint32_t)value);
	return true;
}

/* Paths */

/* Refuses a path whose node does not exist. */
static void no_node(struct sets *all, const struct set *s, const char *path)
{
	char name[READER_PATH], best[READER_PATH] = "";
	struct near near = near_to(path);
	unsigned nearest = near.distance;

	for (int node = 0; node >= 0; node = fdt_next_node(all->fdt, node, NULL)) {
		if (fdt_get_path(all->fdt, node, name, sizeof(name)))
			continue;
		near_try(&near, name);
		if (near.distance < nearest) {
			nearest = near.distance;
			snprintf(best, sizeof(best), "%s", name);
		}
	}
	reader_refuse_set(all->r, s->text, "there is no node %s%s%s%s", path,
			  *best ? "; did you mean " : "", best, *best ? "?" : "");
}

/* A value of a property whose kind is not known: true, false, numbers or words. */
static bool set_any(struct sets *all, const struct set *s, const char *path, const char *property)
{
	int node = fdt_path_offset(all->fdt, path);
	fdt32_t cells[CELLS_MAX];
	uint64_t value;

	if (!strcmp(s->value, "true"))
		return set_bytes(all, path, property, NULL, 0);
	if (!strcmp(s->value, "false"))
		return !fdt_getprop(all->fdt, node, property, NULL) ||
		       written(all, fdt_delprop(all->fdt, node, property));
	if (number_parse(s->value, NUMBER_C | NUMBER_UNITS, 0, UINT64_MAX, &value))
		return set_number(all, path, property, value);
	if (read_cells(s->value, cells))
		return set_cells(all, s, path, property);
	return set_words(all, s, path, property, true);
}

bool set_path(struct sets *all, const struct set *s)
{
	char path[READER_PATH], property[READER_PROPERTY];
	size_t len = s->value - 1 - s->text;
	const char *slash = memrchr(s->text, '/', len);
	size_t node_len = slash == s->text ? 1 : slash - s->text;

	if (node_len >= sizeof(path) || len - (slash + 1 - s->text) >= sizeof(property)) {
		reader_refuse_set(all->r, s->text, "no path of a tree is so long");
		return false;
	}
	snprintf(path, sizeof(path), "%.*s", (int)node_len, s->text);
	snprintf(property, sizeof(property), "%.*s", (int)(len - (slash + 1 - s->text)), slash + 1);
	if (!*property) {
		reader_refuse_set(all->r, s->text, "must be NODE/PROPERTY=VALUE");
		return false;
	}
	if (fdt_path_offset(all->fdt, path) < 0) {
		no_node(all, s, path);
		return false;
	}
	return !changed_before(all, s, path, property) &&
	       set_record(all, s, path, property, false) && set_any(all, s, path, property);
}

/* Names */

/* Adds a child of the cpu node that a board's tree need not have. */
static bool add_child(struct sets *all, const struct property *row)
{
	const char *name = property_child[row->node];

	return !name || fdt_path_offset(all->fdt, all->path[row->node]) >= 0 ||
	       written(all,
		       fdt_add_subnode(all->fdt, fdt_path_offset(all->fdt, all->path[PROPERTY_CPU]),
				       name) < 0);
}

bool set_row(struct sets *all, const struct set *s)
{
	const struct property *row = s->row;
	const char *path = all->path[row->node];
	uint64_t value;

	if (!add_child(all, row) || changed_before(all, s, path, row->property) ||
	    !set_record(all, s, path, row->property, false))
		return false;
	switch (row->kind) {
	case PROPERTY_NUMBER:
		return set_value(all, s, 0, UINT64_MAX, &value) &&
		       set_number(all, path, row->property, value);
	case PROPERTY_HERTZ:
		return set_hertz(all, s, path, row->property);
	case PROPERTY_CELL:
		return set_cell(all, s, path);
	case PROPERTY_CELLS:
		return set_cells(all, s, path, row->property);
	case PROPERTY_SWITCH:
		return set_switch(all, s, path, row->property);
	case PROPERTY_WORD:
	case PROPERTY_WORDS:
		return set_words(all, s, path, row->property, row->kind == PROPERTY_WORDS);
	default: /* set_shapes() */
		return true;
	}
}

bool set_shape_check(struct sets *all, const struct set *s)
{
	const char *path = all->path[s->row->node];

	return !changed_before(all, s, path, s->row->shape->size) &&
	       !changed_before(all, s, path, s->row->shape->sets);
}

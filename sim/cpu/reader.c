// SPDX-License-Identifier: BSD-2-Clause
/*
 * reader.c - reads the properties of a CPU's description, and keeps the first error (reader.h).
 *
 * Every value is hostile.  The blob as a whole has been checked (fdt_check_full).
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <libfdt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "reader.h"

static void node_path(const struct reader *r, int node, char *to)
{
	if (node < 0 || fdt_get_path(r->fdt, node, to, READER_PATH))
		snprintf(to, READER_PATH, "/");
}

void reader_printable(char *text)
{
	for (; *text; text++) {
		if (!isprint((unsigned char)*text))
			*text = '?';
	}
}

static bool is_of(const struct reader_change *c, int node, const char *property)
{
	return property && c->node == node && !strcmp(c->property, property);
}

/* Whether a --set has changed this property. */
static bool is_set(const struct reader *r, int node, const char *property)
{
	bool set = false;

	for (size_t n = 0; n < r->changes.nr; n++)
		set |= is_of(&r->changes.at[n], node, property);
	return set;
}

/* Writes the texts of --set that changed this property, if any: "--set l2.size=3M: ". */
static void changed_by(const struct reader *r, int node, const char *property, char *to,
		       size_t size)
{
	const char *before = "--set ";
	bool follows = false;
	size_t len = 0;

	*to = '\0';
	for (size_t n = 0; n < r->changes.nr && len < size; n++) {
		const struct reader_change *c = &r->changes.at[n];

		if (!is_of(c, node, property))
			continue;
		len += snprintf(to + len, size - len, "%s%.100s", before, c->text);
		follows |= c->follows || *before == ',';
		before = ", ";
	}
	if (len && len < size)
		snprintf(to + len, size - len, follows ? ": %.80s: " : ": ", property);
}

void reader_refuse(struct reader *r, int node, const char *property, const char *format, ...)
{
	char path[READER_PATH], text[160], set[600];
	va_list args;

	if (r->failed)
		return;
	r->failed = true;
	node_path(r, node, path);
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	changed_by(r, node, property, set, sizeof(set));
	if (*set)
		error_set(r->why, "%s%s", set, text);
	else
		error_set(r->why, "%.200s%s: %.80s: %s%s%s", r->file,
			  r->changes.nr ? " with --set" : "", path, property ? property : "",
			  property ? ": " : "", text);
	reader_printable(r->why->text);
}

/* Whether the value of one cell consists of the digits of a string, as "256" does. */
static bool is_digits(uint64_t value)
{
	unsigned digits = 0;

	if (value & 0xff || value > UINT32_MAX)
		return false;
	for (unsigned shift = 8; shift < 32; shift += 8)
		digits += !!isdigit((unsigned char)(value >> shift));
	return digits == 3;
}

void reader_refuse_number(struct reader *r, int node, const char *property, uint64_t value,
			  const char *format, ...)
{
	char text[160];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (is_digits(value))
		reader_refuse(r, node, property, "is a string; must be a number: <%c%c%c>",
			      (int)(value >> 24), (int)(value >> 16 & 0xff),
			      (int)(value >> 8 & 0xff));
	else
		reader_refuse(r, node, property, "%s", text);
}

void reader_refuse_set(struct reader *r, const char *set, const char *format, ...)
{
	char text[400];
	va_list args;

	if (r->failed)
		return;
	r->failed = true;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	error_set(r->why, "--set %.200s: %s", set, text);
	reader_printable(r->why->text);
}

void reader_no_memory(struct reader *r)
{
	r->failed = true;
	error_set(r->why, "out of memory for a CPU");
}

void reader_note(struct reader *r, int node, const char *format, ...)
{
	char path[READER_PATH], *text = NULL, *note = NULL;
	va_list args;

	if (r->failed)
		return;
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	node_path(r, node, path);
	if (!text || asprintf(&note, "%s: %s", path, text) < 0)
		note = NULL;
	free(text);
	if (!note || !VEC_PUSH(&r->cpu->notes, note)) {
		free(note);
		reader_no_memory(r);
		return;
	}
	reader_printable(note);
}

static bool was_asked(const struct reader *r, const char *name)
{
	for (unsigned n = 0; n < r->nr_asked; n++) {
		if (!strcmp(r->asked[n], name))
			return true;
	}
	return false;
}

static void asks(struct reader *r, const char *name)
{
	if (was_asked(r, name))
		return;
	if (r->nr_asked == READER_NAMES)
		abort(); /* the reader asks for more names than READER_NAMES allows for */
	r->asked[r->nr_asked++] = name;
}

const void *reader_get(struct reader *r, int node, const char *property, int *len)
{
	asks(r, property);
	for (size_t n = 0; n < r->changes.nr; n++)
		r->changes.at[n].read |= is_of(&r->changes.at[n], node, property);
	return r->failed ? NULL : fdt_getprop(r->fdt, node, property, len);
}

bool reader_has(struct reader *r, int node, const char *property)
{
	return reader_get(r, node, property, NULL);
}

bool reader_flag(struct reader *r, int node, const char *property)
{
	int len = 0;
	const void *p = reader_get(r, node, property, &len);

	if (p && len)
		reader_refuse(r, node, property,
			      is_set(r, node, property) ? "must be true or false"
							: "must not have a value");
	return p;
}

bool reader_number(struct reader *r, int node, const char *property, uint64_t *value)
{
	int len;
	const void *p = reader_get(r, node, property, &len);

	if (!p)
		return false;
	if (len == 4) {
		*value = fdt32_ld(p);
	} else if (len == 8) {
		*value = fdt64_ld(p);
	} else {
		reader_refuse(r, node, property, "must be one number of one or two cells");
		return false;
	}
	return true;
}

/*
 * The property of the node that was probably meant by a missing one: a misspelled one.
 * i-cache-size and d-cache-size differ by a letter, too, but by the first.  NULL: there is none.
 */
static const char *misspelled(const struct reader *r, int node, const char *property)
{
	struct near near = near_to(property);
	int at;

	fdt_for_each_property_offset(at, r->fdt, node)
	{
		const char *name = NULL;

		fdt_getprop_by_offset(r->fdt, at, &name, NULL);
		if (name && *name == *property && strcmp(name, property) != 0 &&
		    !was_asked(r, name))
			near_try(&near, name);
	}
	return near.distance <= NEAR_LETTERS ? near.best : NULL;
}

/* A property that should be there is not. */
static void missing(struct reader *r, int node, const char *property, uint64_t otherwise)
{
	const char *near = r->complete ? misspelled(r, node, property) : NULL;
	char name[64];

	if (near) {
		snprintf(name, sizeof(name), "%s", near);
		reader_printable(name);
		reader_refuse(r, node, property, "missing property; is it '%s'?", name);
	} else if (r->complete)
		reader_refuse(r, node, property, "missing property");
	else
		reader_note(r, node, "no %s: %llu", property, (unsigned long long)otherwise);
}

void reader_needs(struct reader *r, int node, const char *property, uint64_t low, uint64_t high,
		  uint64_t *value)
{
	uint64_t found;

	if (!reader_number(r, node, property, &found)) {
		missing(r, node, property, *value);
		return;
	}
	if (found < low || found > high)
		reader_refuse_number(r, node, property, found, "%llu is outside %llu to %llu",
				     (unsigned long long)found, (unsigned long long)low,
				     (unsigned long long)high);
	else
		*value = found;
}

void reader_cells(struct reader *r, int node, const char *property, unsigned nr, uint32_t high,
		  uint32_t *value)
{
	int len;
	const fdt32_t *p = reader_get(r, node, property, &len);

	if (!p) {
		missing(r, node, property, *value);
		return;
	}
	if (len != (int)nr * 4)
		reader_refuse(r, node, property, "must have %u cell%s, has %d bytes", nr,
			      nr == 1 ? "" : "s", len);
	for (unsigned n = 0; n < nr && !r->failed; n++) {
		value[n] = fdt32_ld(&p[n]);
		if (value[n] > high)
			reader_refuse_number(r, node, property, value[n], "%u is outside 0 to %u",
					     value[n], high);
	}
}

const char *reader_string_after(struct reader *r, int node, const char *property,
				const char *before)
{
	int len = 0;
	const char *list = reader_get(r, node, property, &len), *at;

	if (!list || !len)
		return NULL;
	if (list[len - 1]) {
		reader_refuse(r, node, property, "is not a string");
		return NULL;
	}
	at = before ? before + strlen(before) + 1 : list;
	return at < list + len ? at : NULL;
}

const char *reader_string(struct reader *r, int node, const char *property)
{
	return reader_string_after(r, node, property, NULL);
}

void reader_choice(struct reader *r, int node, const char *property, const char *const *names,
		   unsigned nr, uint8_t *value)
{
	const char *text = reader_string(r, node, property);
	struct near near = near_to(text ? text : "");
	char list[100] = "";

	if (!text) {
		if (reader_has(r, node, property))
			reader_refuse(r, node, property, "is not a string");
		return;
	}
	if (reader_string_after(r, node, property, text)) {
		reader_refuse(r, node, property, "must be one string, not a list%s",
			      is_set(r, node, property) ? "; a string with a comma needs quotes"
							: "");
		return;
	}
	for (unsigned n = 0; n < nr; n++) {
		size_t used = strlen(list);

		if (!strcmp(text, names[n])) {
			*value = n;
			return;
		}
		snprintf(list + used, sizeof(list) - used, "%s%s", n ? ", " : "", names[n]);
		near_try(&near, names[n]);
	}
	reader_refuse(r, node, property, "'%.20s' is not one of %s%s%s%s", text, list,
		      near.best ? "; did you mean " : "", near.best ? near.best : "",
		      near.best ? "?" : "");
}

int reader_child(struct reader *r, int node, const char *name)
{
	int child = r->failed ? -1 : fdt_subnode_offset(r->fdt, node, name);

	asks(r, name);
	if (child < 0 && r->complete)
		reader_refuse(r, node, NULL, "missing node %s", name);
	return child;
}

int reader_cpu(struct reader *r)
{
	int cpus = fdt_path_offset(r->fdt, "/cpus"), node;

	if (cpus < 0) {
		reader_refuse(r, 0, NULL, "missing node cpus");
		return -1;
	}
	fdt_for_each_subnode(node, r->fdt, cpus)
	{
		const char *type = reader_string(r, node, "device_type");
		const char *status = reader_string(r, node, "status");

		if (type && !strcmp(type, "cpu") && !(status && !strcmp(status, "disabled")))
			return node;
	}
	reader_refuse(r, cpus, NULL, "no cpu node that is not disabled");
	return -1;
}

int reader_next_level(struct reader *r, int node)
{
	uint64_t phandle;
	int next;

	if (!reader_number(r, node, "next-level-cache", &phandle))
		return -1;
	next = phandle <= UINT32_MAX ? fdt_node_offset_by_phandle(r->fdt, phandle) : -1;
	if (next < 0)
		reader_refuse(r, node, "next-level-cache", "no node has the phandle 0x%llx",
			      (unsigned long long)phandle);
	return next;
}

static bool is_own(const char *name)
{
	return name && !strncmp(name, "holter,", 7);
}

static void refuse_unknown_at(struct reader *r, int node)
{
	const char *node_name = fdt_get_name(r->fdt, node, NULL);
	bool own = is_own(node_name);
	int at;

	if (own && !was_asked(r, node_name))
		reader_refuse(r, node, NULL, "unknown node");
	fdt_for_each_property_offset(at, r->fdt, node)
	{
		const char *name;

		fdt_getprop_by_offset(r->fdt, at, &name, NULL);
		if ((own || is_own(name)) && !was_asked(r, name))
			reader_refuse(r, node, name,
				      "unknown property, or without a meaning in this node");
	}
}

void reader_refuse_unknown(struct reader *r)
{
	for (int node = 0; node >= 0 && !r->failed; node = fdt_next_node(r->fdt, node, NULL))
		refuse_unknown_at(r, node);
}

void reader_find_changes(struct reader *r)
{
	for (size_t n = 0; n < r->changes.nr; n++)
		r->changes.at[n].node = fdt_path_offset(r->fdt, r->changes.at[n].path);
}

/* The property that was probably meant by one that nobody reads; NULL: there is none. */
static const char *meant(const struct reader *r, const char *property)
{
	struct near near = near_to(property);

	for (unsigned n = 0; n < r->nr_asked; n++)
		near_try(&near, r->asked[n]);
	return near.distance <= NEAR_LETTERS ? near.best : NULL;
}

void reader_refuse_unread(struct reader *r)
{
	for (size_t n = 0; n < r->changes.nr && !r->failed; n++) {
		const struct reader_change *c = &r->changes.at[n];
		const char *near = c->read || c->follows ? NULL : meant(r, c->property);

		if (near && strcmp(near, c->property) != 0)
			reader_refuse_set(r, c->text, "nothing reads %s in %s; did you mean %s?",
					  c->property, c->path, near);
		else if (!c->read && !c->follows)
			reader_refuse_set(r, c->text, "this CPU has no use for %s in %s",
					  c->property, c->path);
	}
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * metric.c - see metric.h: parses groups of metrics.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmc.h>

#include "metric.h"
#include "number.h"

#define NAME_MAX_LEN 60

static bool wrong(struct expr_error *error, size_t at, const char *text)
{
	error->at = at;
	return error_set(&error->why, "%s", text);
}

bool metric_key(const char *spec, char key[METRIC_KEY])
{
	struct pmc_op_pmcallocate op;
	const char *name;
	size_t len;

	if (pmc_pmu_pmcallocate(spec, &op))
		return false;
	/* The list has no raw events; the name of a raw event is its number. */
	name = pmc_pmu_event_get_by_idx(NULL, (int)op.pm_ev);
	len = name ? strlen(name) : strcspn(spec, ",");
	if (len > METRIC_KEY - sizeof(",usr,os"))
		len = METRIC_KEY - sizeof(",usr,os");
	/* No snprintf: this is done for each name of each metric, and it was 2 % of holter stat. */
	memcpy(key, name ? name : spec, len);
	strcpy(key + len, op.pm_caps & PMC_CAP_USER ? ",usr" : "");
	strcat(key, op.pm_caps & PMC_CAP_SYSTEM ? ",os" : "");
	return true;
}

/*
 * Names in expressions
 */

static int value_of(struct metrics *m, const char *key)
{
	char *copy;

	for (unsigned n = 0; n < m->values.nr; n++) {
		if (!strcmp(m->values.at[n], key))
			return (int)n;
	}
	copy = strdup(key);
	if (!copy || !VEC_PUSH(&m->values, copy)) {
		free(copy);
		return -1;
	}
	return (int)m->values.nr - 1;
}

/* spec is EVENT or EVENT,MODES.  Whether EVENT is unknown. */
static bool has_no_event(const char *spec)
{
	char name[METRIC_KEY], key[METRIC_KEY];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(spec, ","), spec);
	return !metric_key(name, key) && errno != ENOMEM;
}

static int name_value(void *arg, const char *name, size_t len, struct error_text *why)
{
	struct metrics *m = arg;
	char spec[METRIC_KEY], key[METRIC_KEY];
	int value;

	if (len >= sizeof(spec) || memchr(name, '\0', len)) {
		error_set(why, "no event has such a name");
		return -1;
	}
	memcpy(spec, name, len);
	spec[len] = '\0';
	if (!strcmp(spec, METRIC_SECONDS)) {
		strcpy(key, spec);
	} else if (!metric_key(spec, key)) {
		error_set(why, "%s", pmc_error_text());
		m->missing = m->named && has_no_event(spec);
		if (m->missing)
			error_set(why, "this machine has no event %s", spec);
		return -1;
	}
	value = value_of(m, key);
	if (value < 0)
		error_set(why, "out of memory");
	return value;
}

/*
 * Lines
 */

/* A part of a line, without the space around it.  at: its offset in the line. */
struct part {
	const char *text;
	size_t at, len;
};

static struct part trimmed(const char *line, size_t from, size_t to)
{
	while (from < to && isspace((unsigned char)line[from]))
		from++;
	while (to > from && isspace((unsigned char)line[to - 1]))
		to--;
	return (struct part){ line + from, from, to - from };
}

static size_t find(const char *line, size_t from, size_t len, char c)
{
	const char *at = memchr(line + from, c, len - from);

	return at ? (size_t)(at - line) : len;
}

static bool expression(struct metrics *m, struct part p, struct expr *e, struct expr_error *error)
{
	if (expr_parse(e, p.text, p.len, name_value, m, error))
		return true;
	error->at += p.at;
	return false;
}

static bool add(struct metrics *m, const struct metric *new, struct expr_error *error)
{
	struct metric *to;

	if (!VEC_PUSH(&m->list, *new))
		return wrong(error, 0, "out of memory");
	to = &m->list.at[m->list.nr - 1];
	to->group = m->groups.nr - 1;
	to->cpu = m->cpu;
	return true;
}

/* count EVENT, EVENT ... */
static bool count_line(struct metrics *m, const char *line, size_t from, size_t len,
		       struct expr_error *error)
{
	while (from < len) {
		size_t comma = find(line, from, len, ',');
		struct part p = trimmed(line, from, comma);
		struct metric new = { .expr = { .nr = 1 } };
		int value;

		m->missing = false;
		value = name_value(m, p.text, p.len, &error->why);
		from = comma + 1;
		if (m->missing)
			continue;
		if (value < 0) {
			error->at = p.at;
			return false;
		}
		new.expr.op[0] = (struct expr_op){ .kind = EXPR_VALUE, .value = (unsigned)value };
		if (!add(m, &new, error))
			return false;
	}
	return true;
}

static bool name_good(struct part p)
{
	for (size_t n = 0; n < p.len; n++) {
		if (!isalnum((unsigned char)p.text[n]) && !strchr("_.-", p.text[n]))
			return false;
	}
	return p.len > 0 && p.len <= NAME_MAX_LEN && !memchr(p.text, '\0', p.len);
}

static bool same_cpu(const struct metric_cpu *a, const struct metric_cpu *b)
{
	return a->known == b->known && a->mvendorid == b->mvendorid && a->marchid == b->marchid;
}

static bool metric_there(const struct metrics *m, struct part name)
{
	for (unsigned n = 0; n < m->list.nr; n++) {
		const struct metric *old = &m->list.at[n];

		if (old->name && old->group == m->groups.nr - 1 && same_cpu(&old->cpu, &m->cpu) &&
		    strlen(old->name) == name.len && !strncmp(old->name, name.text, name.len))
			return true;
	}
	return false;
}

/* Adds a metric that this machine cannot have. */
static bool add_absent(struct metrics *m, struct part name, struct part why,
		       struct expr_error *error)
{
	struct metric new = { .absent = true };

	if (!name_good(name))
		return wrong(error, name.at, "needs names of metrics: without NAME, NAME ; WHY");
	if (metric_there(m, name))
		return wrong(error, name.at, "the group has a metric of this name already");
	new.name = strndup(name.text, name.len);
	new.text = strndup(why.text, why.len);
	if (new.name && new.text && add(m, &new, error))
		return true;
	free(new.name);
	free(new.text);
	return wrong(error, 0, "out of memory");
}

/* NAME = EXPRESSION ; TEXT */
static bool metric_line(struct metrics *m, const char *line, size_t len, struct expr_error *error)
{
	size_t equals = find(line, 0, len, '='), semicolon;
	struct part name = trimmed(line, 0, equals), text;
	struct metric new = { 0 };

	if (equals == len)
		return wrong(error, name.at,
			     "needs NAME = EXPRESSION ; TEXT, or count EVENT, EVENT ...");
	if (!name_good(name))
		return wrong(error, name.at,
			     "a metric's name has letters, digits and _ . - alone, 60 at most");
	if (metric_there(m, name))
		return wrong(error, name.at, "the group has a metric of this name already");
	semicolon = find(line, equals, len, ';');
	text = trimmed(line, semicolon < len ? semicolon + 1 : len, len);
	if (!text.len)
		return wrong(error, semicolon,
			     "a ; and a text are expected after the expression: what the value is");
	m->missing = false;
	if (!expression(m, trimmed(line, equals + 1, semicolon), &new.expr, error))
		return m->missing &&
		       add_absent(m, name,
				  (struct part){ error->why.text, 0, strlen(error->why.text) },
				  error);
	new.name = strndup(name.text, name.len);
	new.text = strndup(text.text, text.len);
	if (new.name && new.text && add(m, &new, error))
		return true;
	free(new.name);
	free(new.text);
	return wrong(error, 0, "out of memory");
}

/* without NAME, NAME ; WHY */
static bool without_line(struct metrics *m, const char *line, size_t from, size_t len,
			 struct expr_error *error)
{
	size_t semicolon = find(line, from, len, ';');
	struct part why = trimmed(line, semicolon < len ? semicolon + 1 : len, len);

	if (!m->cpu.known)
		return wrong(error, from, "comes after a line 'for' of a core");
	if (!why.len)
		return wrong(error, semicolon, "a ; and a text are expected after the names: why");
	while (from < semicolon) {
		size_t comma = find(line, from, semicolon, ',');

		if (!add_absent(m, trimmed(line, from, comma), why, error))
			return false;
		from = comma + 1;
	}
	return true;
}

/* 0x31e */
static bool identity(const char **at, uint64_t *value)
{
	return !strncmp(*at, "0x", 2) && number_read(at, NUMBER_0X, UINT64_MAX, value);
}

/* for EVENT */
static bool for_event(struct metrics *m, struct part p, struct expr_error *error)
{
	char spec[NAME_MAX_LEN + 1], key[METRIC_KEY];

	snprintf(spec, sizeof(spec), "%.*s", (int)p.len, p.text);
	m->cpu = (struct metric_cpu){ 0 };
	m->named = true;
	if (m->unnamed) {
		m->skipped = true;
		return true;
	}
	m->skipped = !metric_key(spec, key);
	return !m->skipped || errno != ENOMEM || wrong(error, p.at, pmc_error_text());
}

/* for MVENDORID-MARCHID */
static bool for_line(struct metrics *m, struct part p, struct expr_error *error)
{
	struct metric_cpu cpu = { .known = true };
	const char *at;
	char text[64];

	if (p.len < sizeof(text))
		memcpy(text, p.text, p.len);
	text[p.len < sizeof(text) ? p.len : 0] = '\0';
	at = text;
	m->named = m->skipped = false;
	if (name_good(p) && isalpha((unsigned char)*at))
		return for_event(m, p, error);
	if (!identity(&at, &cpu.mvendorid) || *at++ != '-' || !identity(&at, &cpu.marchid) || *at)
		return wrong(error, p.at,
			     "needs mvendorid-marchid, as in 0x31e-0x8000000000008a45, or the "
			     "name of an event");
	m->cpu = cpu;
	return true;
}

/* The first comment in a file is the description of its group. */
static bool comment(struct metrics *m, const char *line, size_t from, size_t len)
{
	struct metric_group *g = &m->groups.at[m->groups.nr - 1];
	struct part p = trimmed(line, from + 1, len);

	char *text;

	if (*g->text || !p.len)
		return true;
	text = strndup(p.text, p.len);
	if (!text)
		return false;
	free(g->text);
	g->text = text;
	return true;
}

/*
 * Returns the offset of the first control character, or len.  The texts are C strings that are
 * printed on a terminal.
 */
static size_t control_character(const char *line, size_t len)
{
	const uint64_t ones = UINT64_MAX / 255;
	size_t at = 0;
	uint64_t w;

	/* Eight at a time, while surely none of them is below ' ', and none is 0x7f. */
	for (; at + sizeof(w) <= len; at += sizeof(w)) {
		memcpy(&w, line + at, sizeof(w));
		if (((w - ones * ' ') & ~w & ones * 0x80) ||
		    (((w ^ ones * 0x7f) - ones) & ~(w ^ ones * 0x7f) & ones * 0x80))
			break;
	}
	/* For nearly every character the first comparison decides. */
	while (at < len && ((unsigned char)line[at] >= ' ' || isspace((unsigned char)line[at])) &&
	       line[at] != 0x7f)
		at++;
	return at;
}

/* Returns whether the line begins with the keyword `word`, and is not a metric of that name. */
static bool begins(struct part p, const char *word)
{
	size_t len = strlen(word);

	return p.len > len && !strncmp(p.text, word, len) && isspace((unsigned char)p.text[len]) &&
	       trimmed(p.text, len, p.len).text[0] != '=';
}

static bool line_read(struct metrics *m, const char *line, size_t len, struct expr_error *error)
{
	size_t hash = find(line, 0, len, '#'), control = control_character(line, len);
	struct part p;

	if (control < len)
		return wrong(error, control, "a control character is here; metrics are plain text");
	if (hash < len && !comment(m, line, hash, len))
		return wrong(error, hash, "out of memory");
	p = trimmed(line, 0, hash);
	if (!p.len)
		return true;
	if ((m->skipped || (m->here && m->cpu.known && !same_cpu(&m->cpu, &m->core))) &&
	    !begins(p, "for"))
		return true;
	if (begins(p, "count"))
		return count_line(m, line, p.at + 5, hash, error);
	if (begins(p, "without"))
		return without_line(m, line, p.at + strlen("without"), hash, error);
	if (begins(p, "for"))
		return for_line(m, trimmed(line, p.at + 3, hash), error);
	return metric_line(m, line, hash, error);
}

static bool group_add(struct metrics *m, const char *name)
{
	const struct metric_group g = { strdup(name), strdup("") };

	if (g.name && g.text && VEC_PUSH(&m->groups, g))
		return true;
	free(g.name);
	free(g.text);
	return false;
}

bool metric_parse(struct metrics *m, const char *group, const char *text, size_t len,
		  unsigned *line, struct expr_error *error)
{
	size_t at = 0;

	*line = 1;
	m->cpu = (struct metric_cpu){ 0 };
	m->named = m->skipped = false;
	if (!group_add(m, group))
		return wrong(error, 0, "out of memory");
	for (; at < len; (*line)++) {
		size_t end = find(text, at, len, '\n');

		if (!line_read(m, text + at, end - at, error))
			return false;
		at = end + 1;
	}
	return true;
}

/* Returns whether cpu has its own metric of this name. */
static bool replaced(const struct metrics *m, const struct metric *general,
		     const struct metric_cpu *cpu)
{
	for (unsigned n = 0; general->name && n < m->list.nr; n++) {
		const struct metric *own = &m->list.at[n];

		if (own->name && own->cpu.known && same_cpu(&own->cpu, cpu) &&
		    own->group == general->group && !strcmp(own->name, general->name))
			return true;
	}
	return false;
}

bool metric_choose(struct metrics *m, const struct metric_cpu *cpu)
{
	unsigned kept = 0;
	bool *drop, own = false;

	for (unsigned n = 0; n < m->list.nr; n++)
		own |= m->list.at[n].cpu.known;
	if (!own)
		return true;
	drop = calloc(m->list.nr, sizeof(*drop));
	if (!drop)
		return false;
	for (unsigned n = 0; n < m->list.nr; n++)
		drop[n] = m->list.at[n].cpu.known ? !same_cpu(&m->list.at[n].cpu, cpu)
						  : replaced(m, &m->list.at[n], cpu);
	for (unsigned n = 0; n < m->list.nr; n++) {
		if (drop[n]) {
			free(m->list.at[n].name);
			free(m->list.at[n].text);
		} else {
			m->list.at[kept++] = m->list.at[n];
		}
	}
	m->list.nr = kept;
	free(drop);
	return true;
}

static bool cpuinfo_number(const char *cpuinfo, const char *name, uint64_t *value)
{
	const char *at = strstr(cpuinfo, name);

	if (!at)
		return false;
	at += strlen(name);
	at += strspn(at, "\t :");
	return identity(&at, value);
}

struct metric_cpu metric_cpu_of(const char *cpuinfo)
{
	struct metric_cpu cpu = { 0 };

	cpu.known = cpuinfo_number(cpuinfo, "mvendorid", &cpu.mvendorid) &&
		    cpuinfo_number(cpuinfo, "marchid", &cpu.marchid);
	return cpu.known ? cpu : (struct metric_cpu){ 0 };
}

int metric_group(const struct metrics *m, const char *name)
{
	for (unsigned n = 0; n < m->groups.nr; n++) {
		if (!strcmp(m->groups.at[n].name, name))
			return (int)n;
	}
	return -1;
}

void metric_free(struct metrics *m)
{
	for (unsigned n = 0; n < m->list.nr; n++) {
		free(m->list.at[n].name);
		free(m->list.at[n].text);
	}
	for (unsigned n = 0; n < m->groups.nr; n++) {
		free(m->groups.at[n].name);
		free(m->groups.at[n].text);
	}
	for (unsigned n = 0; n < m->values.nr; n++)
		free(m->values.at[n]);
	free(m->list.at);
	free(m->groups.at);
	free(m->values.at);
	*m = (struct metrics){ 0 };
}

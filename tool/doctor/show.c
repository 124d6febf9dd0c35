// SPDX-License-Identifier: BSD-2-Clause
/*
 * show.c - prints a diagnosis, as text and as JSON.
 */
#include <string.h>

#include "doctor.h"
#include "json.h"
#include "term.h"

static const char *const layer_names[] = {
	[DOCTOR_HART] = "hart",
	[DOCTOR_TREE] = "device tree",
	[DOCTOR_FIRMWARE] = "firmware",
	[DOCTOR_KERNEL] = "kernel",
	[DOCTOR_PERMISSION] = "permissions",
	[DOCTOR_PERF] = "perf",
};

static const char *const row_names[] = {
	[DOCTOR_ROW_SOFTWARE] = "software events", [DOCTOR_ROW_GENERAL] = "general events",
	[DOCTOR_ROW_CACHE] = "cache events",	   [DOCTOR_ROW_RAW] = "raw events",
	[DOCTOR_ROW_FIRMWARE] = "firmware events", [DOCTOR_ROW_GIVEN] = "events you named",
	[DOCTOR_ROW_MANY] = "counters at once",	   [DOCTOR_ROW_READ] = "reads in user space",
	[DOCTOR_ROW_USR] = "user mode alone",	   [DOCTOR_ROW_OS] = "kernel alone",
	[DOCTOR_ROW_SAMPLE] = "sampling",	   [DOCTOR_ROW_SYSTEM] = "a whole CPU",
};

static const char *const answer_names[] = {
	[DOCTOR_YES] = "yes", [DOCTOR_PARTLY] = "partly",	[DOCTOR_PRIVILEGE] = "needs root",
	[DOCTOR_NO] = "no",   [DOCTOR_NOT_TRIED] = "not tried",
};

static const char *const weight_names[] = {
	[DOCTOR_REMARK] = "remark",
	[DOCTOR_LIMIT] = "limits",
	[DOCTOR_REFUSAL] = "refuses",
};

/* Only RISC-V calls it a hart. */
static const char *layer_name(const struct doctor *d, enum doctor_layer layer)
{
	return layer == DOCTOR_HART && d->known.arch != DOCTOR_RISCV ? "CPU" : layer_names[layer];
}

/* Returns whether this host has the layer: only RISC-V has all of them. */
static bool layer_is_here(const struct doctor *d, enum doctor_layer layer)
{
	return d->known.arch == DOCTOR_RISCV || (layer != DOCTOR_TREE && layer != DOCTOR_FIRMWARE);
}

/* Returns the weight of a layer's most severe finding; the findings are ordered by weight. */
static enum doctor_weight layer_weight(const struct doctor *d, enum doctor_layer layer)
{
	for (unsigned i = 0; i < d->findings.nr; i++) {
		if (d->findings.at[i].layer == layer)
			return d->findings.at[i].weight;
	}
	return DOCTOR_REMARK;
}

/* Programs read this word in the JSON output, so it must not change. */
static const char *layer_state(const struct doctor *d, enum doctor_layer layer)
{
	enum doctor_weight w = layer_weight(d, layer);

	if (!layer_is_here(d, layer))
		return "not there";
	return w == DOCTOR_REMARK ? "ok" : weight_names[w];
}

/*
 * Text
 */

static const char *weight_colour(const struct style *s, enum doctor_weight w)
{
	return w == DOCTOR_REFUSAL ? s->red : w == DOCTOR_LIMIT ? s->yellow : s->green;
}

/* Writes a text in which there may be something of the machine, and makes it printable. */
static void show_text(char *text, FILE *to)
{
	term_printable(text);
	fputs(text, to);
}

/* Writes x86-64 with a hyphen, as is usual; uname -m prints an underscore. */
static void show_machine(const char *name, FILE *to)
{
	for (; *name; name++)
		fputc(*name == '_' ? '-' : *name, to);
}

static void show_state(const struct doctor *d, enum doctor_layer layer, const struct style *s,
		       FILE *to)
{
	enum doctor_weight w = layer_weight(d, layer);

	if (!layer_is_here(d, layer)) {
		fprintf(to, "not used on ");
		show_machine(d->ops->machine, to);
	} else if (layer == DOCTOR_HART && w == DOCTOR_REFUSAL) {
		fprintf(to, "%sno hardware counters%s%s", s->red,
			d->known.virtual_machine ? " (virtual machine)" : "", s->end);
	} else {
		fprintf(to, "%s%s%s", weight_colour(s, w), layer_state(d, layer), s->end);
	}
}

static void show_layer(const struct doctor *d, enum doctor_layer layer, const struct style *s,
		       FILE *to)
{
	fprintf(to, "%s%s%s: ", s->bold, layer_name(d, layer), s->end);
	show_state(d, layer, s, to);
	fputc('\n', to);
	for (unsigned i = 0; i < d->facts.nr; i++) {
		if (d->facts.at[i].layer != layer)
			continue;
		fprintf(to, "  %-19s ", d->facts.at[i].name);
		show_text(d->facts.at[i].value, to);
		fputc('\n', to);
	}
}

static bool same_outcome(const struct doctor_try *a, const struct doctor_try *b)
{
	return a->error == b->error && (!a->error || !strcmp(a->text, b->text));
}

#define INDENT	  22
#define NAMES_END 96 /* last column of a line of names */

/*
 * Prints the events of a row with the same outcome as t, which is the first of them.  If they
 * count, prints all names; otherwise one line of names and the reason.
 */
static void show_group(const struct doctor_result *r, struct doctor_try *t, FILE *to)
{
	int column = fprintf(to, "%*s%s", INDENT, "", t->error ? "not" : "counted:");
	unsigned more = 0;

	for (unsigned i = (unsigned)(t - r->tries.at); i < r->tries.nr; i++) {
		bool full = column + 1 + (int)strlen(r->tries.at[i].event) > NAMES_END;

		if (!same_outcome(&r->tries.at[i], t))
			continue;
		if (t->error && (more || full)) {
			more++;
			continue;
		}
		if (full)
			column = fprintf(to, "\n%*s", INDENT + 2, "") - 1;
		column += fprintf(to, " %s", r->tries.at[i].event);
	}
	if (more)
		fprintf(to, " and %u more", more);
	if (t->error) {
		fprintf(to, ":\n%*s", INDENT + 3, "");
		show_text(t->text, to);
	}
	fputc('\n', to);
}

static bool is_first_of_group(const struct doctor_result *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (same_outcome(&r->tries.at[i], &r->tries.at[n]))
			return false;
	}
	return true;
}

static void show_row(const struct doctor *d, enum doctor_row row, const struct style *s, FILE *to)
{
	const struct doctor_result *r = &d->rows[row];
	const char *colour = r->answer == DOCTOR_YES  ? s->green
			     : r->answer == DOCTOR_NO ? s->red
						      : s->yellow;

	fprintf(to, "  %-19s %s%s%s: ", row_names[row], colour, answer_names[r->answer], s->end);
	show_text(r->text, to);
	fputc('\n', to);
	/* Only a kind of event has several events; for a use of an event the text is enough. */
	for (unsigned i = 0; row < DOCTOR_ROW_MANY && i < r->tries.nr; i++) {
		if (is_first_of_group(r, i))
			show_group(r, &r->tries.at[i], to);
	}
}

static void show_findings(const struct doctor *d, const struct style *s, FILE *to)
{
	const struct doctor_finding *verdict = doctor_verdict(d);

	if (verdict)
		fprintf(to,
			"%sverdict%s: the first layer that refuses or limits counting is the "
			"%s%s%s\n",
			s->bold, s->end, s->red, layer_name(d, verdict->layer), s->end);
	else
		fprintf(to, "%sverdict%s: %sno layer refuses or limits counting%s\n", s->bold,
			s->end, s->green, s->end);
	for (unsigned i = 0; i < d->findings.nr; i++) {
		const struct doctor_finding *f = &d->findings.at[i];

		fprintf(to, "  %s%s%s (%s): ", weight_colour(s, f->weight), layer_name(d, f->layer),
			s->end, weight_names[f->weight]);
		show_text(f->text, to);
		fputc('\n', to);
		if (f->advice)
			fprintf(to, "    do: %s\n", f->advice);
	}
}

void doctor_show_text(const struct doctor *d, FILE *to)
{
	const struct style *s = style_of(to);

	fprintf(to, "holter %s (commit %s)\n", d->ops->holter, d->ops->commit);
	for (enum doctor_layer l = 0; l < DOCTOR_LAYERS; l++)
		show_layer(d, l, s, to);
	fprintf(to, "\n%swhat was tried%s\n", s->bold, s->end);
	for (enum doctor_row row = 0; row < DOCTOR_ROWS; row++) {
		if (row != DOCTOR_ROW_GIVEN || d->rows[row].tries.nr)
			show_row(d, row, s, to);
	}
	fputc('\n', to);
	show_findings(d, s, to);
}

/*
 * JSON
 */

static void json_layers(struct json *j, const struct doctor *d)
{
	json_open(j, "layers", '[');
	for (enum doctor_layer l = 0; l < DOCTOR_LAYERS; l++) {
		json_open(j, NULL, '{');
		json_text(j, "layer", layer_name(d, l));
		json_text(j, "state", layer_state(d, l));
		json_open(j, "facts", '[');
		for (unsigned i = 0; i < d->facts.nr; i++) {
			if (d->facts.at[i].layer != l)
				continue;
			json_open(j, NULL, '{');
			json_text(j, "name", d->facts.at[i].name);
			json_text(j, "value", d->facts.at[i].value);
			json_close(j, '}');
		}
		json_close(j, ']');
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_try(struct json *j, const struct doctor_try *t)
{
	json_open(j, NULL, '{');
	json_text(j, "event", t->event);
	if (t->error) {
		json_text(j, "error", strerrorname_np(t->error));
		json_text(j, "reason", t->text);
	} else if (t->way != DOCTOR_PROBE) {
		json_number(j, "value", t->value);
	}
	json_close(j, '}');
}

/* Writes all tried events, but only the raw selectors that count: hundreds are tried. */
static void json_tried(struct json *j, const struct doctor *d)
{
	json_open(j, "tried", '[');
	for (enum doctor_row row = 0; row < DOCTOR_ROWS; row++) {
		const struct doctor_result *r = &d->rows[row];

		json_open(j, NULL, '{');
		json_text(j, "what", row_names[row]);
		json_text(j, "answer", answer_names[r->answer]);
		json_text(j, "text", r->text);
		json_open(j, "events", '[');
		for (unsigned i = 0; i < r->tries.nr; i++) {
			if (row != DOCTOR_ROW_RAW || !r->tries.at[i].error)
				json_try(j, &r->tries.at[i]);
		}
		json_close(j, ']');
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_finding(struct json *j, const char *key, const struct doctor *d,
			 const struct doctor_finding *f)
{
	if (!f) {
		json_null(j, key);
		return;
	}
	json_open(j, key, '{');
	json_text(j, "layer", layer_name(d, f->layer));
	json_text(j, "weight", weight_names[f->weight]);
	json_text(j, "text", f->text);
	json_text(j, "advice", f->advice);
	json_close(j, '}');
}

void doctor_show_json(const struct doctor *d, FILE *to)
{
	struct json j = json_to(to);

	json_open(&j, NULL, '{');
	json_text(&j, "holter", d->ops->holter);
	json_text(&j, "commit", d->ops->commit);
	json_text(&j, "machine", d->ops->machine);
	json_finding(&j, "verdict", d, doctor_verdict(d));
	json_layers(&j, d);
	json_tried(&j, d);
	json_open(&j, "findings", '[');
	for (unsigned i = 0; i < d->findings.nr; i++)
		json_finding(&j, NULL, d, &d->findings.at[i]);
	json_close(&j, ']');
	json_close(&j, '}');
}

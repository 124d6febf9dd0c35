// SPDX-License-Identifier: BSD-2-Clause
/*
 * show.c - a diagnosis for people, and as JSON.
 */
#include <string.h>

#include "doctor.h"
#include "json.h"
#include "person.h"

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

static const char *or_nothing(const char *text)
{
	return text ? text : "";
}

/* (Only RISC-V has harts.) */
static const char *layer_name(const struct doctor *d, enum doctor_layer layer)
{
	return layer == DOCTOR_HART && d->known.arch != DOCTOR_RISCV ? "CPU" : layer_names[layer];
}

/* A layer that other hosts do not have. */
static bool layer_is_here(const struct doctor *d, enum doctor_layer layer)
{
	return d->known.arch == DOCTOR_RISCV || (layer != DOCTOR_TREE && layer != DOCTOR_FIRMWARE);
}

/* What a layer does, by its gravest finding. */
static enum doctor_weight layer_weight(const struct doctor *d, enum doctor_layer layer)
{
	for (unsigned i = 0; i < d->nr_findings; i++) {
		if (d->findings[i].layer == layer)
			return d->findings[i].weight;
	}
	return DOCTOR_REMARK;
}

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

static void show_layer(const struct doctor *d, enum doctor_layer layer, const struct style *s,
		       FILE *to)
{
	bool here = layer_is_here(d, layer);

	fprintf(to, "%s%s%s: %s%s%s\n", s->bold, layer_name(d, layer), s->end,
		here ? weight_colour(s, layer_weight(d, layer)) : "", layer_state(d, layer),
		here ? s->end : "");
	if (!here)
		fprintf(to, "  no layer of counters on %s\n", d->ops->machine);
	for (unsigned i = 0; i < d->nr_facts; i++) {
		if (d->facts[i].layer == layer)
			fprintf(to, "  %-19s %s\n", d->facts[i].name, d->facts[i].value);
	}
}

static bool same_outcome(const struct doctor_try *a, const struct doctor_try *b)
{
	return a->error == b->error && (!a->error || !strcmp(a->text, b->text));
}

#define INDENT	  22
#define NAMES_END 96 /* columns of a line of names */

/*
 * The events of a row that ended as t did, which is the first of them: all that counted, one line
 * of those that did not, and why.
 */
static void show_group(const struct doctor_result *r, const struct doctor_try *t, FILE *to)
{
	int column = fprintf(to, "%*s%s", INDENT, "", t->error ? "not" : "counted:");
	unsigned more = 0;

	for (unsigned i = (unsigned)(t - r->tries); i < r->tried; i++) {
		bool full = column + 1 + (int)strlen(r->tries[i].event) > NAMES_END;

		if (!same_outcome(&r->tries[i], t))
			continue;
		if (t->error && (more || full)) {
			more++;
			continue;
		}
		if (full)
			column = fprintf(to, "\n%*s", INDENT + 2, "") - 1;
		column += fprintf(to, " %s", r->tries[i].event);
	}
	if (more)
		fprintf(to, " and %u more", more);
	if (t->error)
		fprintf(to, ":\n%*s%s", INDENT + 3, "", t->text);
	fputc('\n', to);
}

static bool is_first_of_group(const struct doctor_result *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (same_outcome(&r->tries[i], &r->tries[n]))
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

	fprintf(to, "  %-19s %s%s%s: %s\n", row_names[row], colour, answer_names[r->answer], s->end,
		or_nothing(r->text));
	/* A kind of event has groups; a use of one has said all. */
	for (unsigned i = 0; row < DOCTOR_ROW_MANY && i < r->tried; i++) {
		if (is_first_of_group(r, i))
			show_group(r, &r->tries[i], to);
	}
}

static void show_findings(const struct doctor *d, const struct style *s, FILE *to)
{
	const struct doctor_finding *verdict = doctor_verdict(d);

	if (verdict)
		fprintf(to, "%sverdict%s: the first layer that says no is the %s%s%s\n", s->bold,
			s->end, s->red, layer_name(d, verdict->layer), s->end);
	else
		fprintf(to, "%sverdict%s: %severy layer says yes%s\n", s->bold, s->end, s->green,
			s->end);
	for (unsigned i = 0; i < d->nr_findings; i++) {
		const struct doctor_finding *f = &d->findings[i];

		fprintf(to, "  %s%s%s %s: %s\n", weight_colour(s, f->weight),
			layer_name(d, f->layer), s->end,
			f->weight == DOCTOR_REMARK ? "remark" : "says no", or_nothing(f->text));
		if (f->advice)
			fprintf(to, "    do: %s\n", f->advice);
	}
}

void doctor_show_text(const struct doctor *d, FILE *to)
{
	const struct style *s = style_of(to);

	fprintf(to, "holter %s\n", d->ops->holter);
	for (enum doctor_layer l = 0; l < DOCTOR_LAYERS; l++)
		show_layer(d, l, s, to);
	fprintf(to, "\n%swhat was tried%s\n", s->bold, s->end);
	for (enum doctor_row row = 0; row < DOCTOR_ROWS; row++) {
		if (row != DOCTOR_ROW_GIVEN || d->rows[row].tried)
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
		for (unsigned i = 0; i < d->nr_facts; i++) {
			if (d->facts[i].layer != l)
				continue;
			json_open(j, NULL, '{');
			json_text(j, "name", d->facts[i].name);
			json_text(j, "value", d->facts[i].value);
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

/* (Of raw selectors only those that have a counter: there are hundreds of the others.) */
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
		for (unsigned i = 0; i < r->tried; i++) {
			if (row != DOCTOR_ROW_RAW || !r->tries[i].error)
				json_try(j, &r->tries[i]);
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
	json_text(&j, "machine", d->ops->machine);
	json_finding(&j, "verdict", d, doctor_verdict(d));
	json_layers(&j, d);
	json_tried(&j, d);
	json_open(&j, "findings", '[');
	for (unsigned i = 0; i < d->nr_findings; i++)
		json_finding(&j, NULL, d, &d->findings[i]);
	json_close(&j, ']');
	json_close(&j, '}');
}

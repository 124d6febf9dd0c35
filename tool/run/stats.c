// SPDX-License-Identifier: BSD-2-Clause
/*
 * stats.c - prints the event counts of the harts (stats.h).
 */
#include <inttypes.h>
#include <string.h>

#include "json.h"
#include "snapshot.h"
#include "stats.h"

#define MODES 3

static const struct {
	const char *name, *key;
	unsigned prv;
} modes[MODES] = { { "M", "m", PRV_M }, { "S", "s", PRV_S }, { "U", "u", PRV_U } };

void stats_begin(const struct machine *m, struct stats_before before[HARTS_MAX])
{
	for (unsigned n = 0; n < m->cl.harts; n++) {
		const struct hart *h = m->cl.hart[n];

		before[n].ns = machine_hart_ns(m, n);
		memcpy(before[n].total, h->pmu.total, sizeof(h->pmu.total));
	}
}

/* Writes the counts of an event by mode to nr.  Returns their sum. */
static uint64_t counts(const struct hart *h, const struct stats_before *before, enum event e,
		       uint64_t nr[MODES])
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < MODES; i++) {
		nr[i] = h->pmu.total[modes[i].prv][e] - before->total[modes[i].prv][e];
		sum += nr[i];
	}
	return sum;
}

static void text_event(const struct hart *h, const struct stats_before *before, enum event e,
		       FILE *to)
{
	uint64_t nr[MODES], sum = counts(h, before, e, nr);

	fprintf(to, "%20" PRIu64 "  %-20s", sum, event_table[e].name);
	for (unsigned i = 0; i < MODES; i++)
		fprintf(to, " %s %-14" PRIu64, modes[i].name, nr[i]);
	fputc('\n', to);
}

void stats_text(const struct machine *m, const struct stats_before before[HARTS_MAX], FILE *to)
{
	for (unsigned n = 0; n < m->cl.harts; n++) {
		fprintf(to, "hart %u: %" PRIu64 " ns\n", n, machine_hart_ns(m, n) - before[n].ns);
		for (unsigned e = 0; e < EVENT_NR; e++)
			text_event(m->cl.hart[n], &before[n], e, to);
	}
}

static void json_sets(struct json *j, const char *key, const struct cpu *cpu)
{
	json_open(j, key, '[');
	for (size_t n = 0; cpu && n < cpu->sets.nr; n++)
		json_text(j, NULL, cpu->sets.at[n]);
	json_close(j, ']');
}

static void json_shape(struct json *j, const struct machine_options *o,
		       const struct machine_shape *row)
{
	switch (row->kind) {
	case MACHINE_CPU:
		json_open(j, row->key, '{');
		json_text(j, "name", o->cpu ? o->cpu->name : NULL);
		json_sets(j, "set", o->cpu);
		if (o->booted && o->booted != o->cpu)
			json_sets(j, "set_at_boot", o->booted);
		json_hex(j, "identity", o->cpu ? o->cpu->identity : 0);
		json_close(j, '}');
		break;
	case MACHINE_NUMBER:
		if (row->value == MACHINE_AS_CPU)
			json_null(j, row->key);
		else
			json_number(j, row->key, row->value);
		break;
	case MACHINE_BYTES:
		json_number(j, row->key, row->value);
		break;
	case MACHINE_SWITCH:
		json_bool(j, row->key, row->value);
		break;
	}
}

static void json_machine(struct json *j, const struct machine_options *o)
{
	struct machine_shape row;

	json_open(j, "machine", '{');
	for (unsigned n = 0; machine_shape(o, n, &row); n++)
		json_shape(j, o, &row);
	json_close(j, '}');
}

static void json_hart(struct json *j, const struct machine *m, unsigned n,
		      const struct stats_before *before)
{
	const struct hart *h = m->cl.hart[n];

	json_open(j, NULL, '{');
	json_number(j, "hart", n);
	json_number(j, "ns", machine_hart_ns(m, n) - before->ns);
	json_open(j, "events", '[');
	for (unsigned e = 0; e < EVENT_NR; e++) {
		uint64_t nr[MODES], sum = counts(h, before, e, nr);

		json_open(j, NULL, '{');
		json_text(j, "event", event_table[e].name);
		json_number(j, "count", sum);
		for (unsigned i = 0; i < MODES; i++)
			json_number(j, modes[i].key, nr[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

void stats_json(const struct machine *m, const struct stats_before before[HARTS_MAX], FILE *to)
{
	struct json j = json_to(to);

	json_open(&j, NULL, '{');
	json_machine(&j, &m->o);
	json_open(&j, "harts", '[');
	for (unsigned n = 0; n < m->cl.harts; n++)
		json_hart(&j, m, n, &before[n]);
	json_close(&j, ']');
	/* Of the host, not of the machine: the counts do not depend on it. */
	json_open(&j, "host", '{');
	json_bool(&j, "native", m->cl.native);
	json_close(&j, '}');
	json_close(&j, '}');
}

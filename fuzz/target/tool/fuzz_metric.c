// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_metric.c - any text as a file of metrics.
 *
 * Must hold: the file is accepted, or refused with a reason and a position in one of its lines.
 * The metrics of an accepted file have values for all their names, and evaluate to a number or to
 * none for all counts.
 */
#include <math.h>
#include <stdbool.h>

#include <metric.h>

#include "fuzz.h"

static void evaluate(const struct metrics *m)
{
	double *values = calloc(m->values.nr + 1, sizeof(*values));

	for (unsigned round = 0; round < 3; round++) {
		for (unsigned n = 0; n < m->values.nr; n++)
			values[n] = round == 0 ? 0 : round == 1 ? 1e300 * n : NAN;
		for (unsigned n = 0; n < m->list.nr; n++) {
			const struct expr *e = &m->list.at[n].expr;

			if (m->list.at[n].absent) {
				must(!e->nr);
				continue;
			}
			must(e->nr > 0 && e->nr <= EXPR_OPS);
			for (unsigned i = 0; i < e->nr; i++)
				must(e->op[i].kind != EXPR_VALUE || e->op[i].value < m->values.nr);
			expr_value(e, values);
		}
	}
	free(values);
}

static unsigned lines(const uint8_t *data, size_t size)
{
	unsigned nr = 1;

	for (size_t n = 0; n < size; n++)
		nr += data[n] == '\n';
	return nr;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size ? size : 1);
	struct expr_error error = { 0 };
	struct metrics m = { 0 };
	unsigned line = 0;
	bool good;

	memcpy(text, data, size); /* of the exact size: a sanitizer detects accesses after it */
	good = metric_parse(&m, "group", text, size, &line, &error);
	must(good || error.why.text[0]);
	must(good || (line >= 1 && line <= lines(data, size)));
	must(error.at <= size);
	must(m.groups.nr == 1);
	for (unsigned n = 0; n < m.list.nr; n++)
		must(!m.list.at[n].name || (*m.list.at[n].name && *m.list.at[n].text));
	evaluate(&m);
	metric_free(&m);
	free(text);
	return 0;
}

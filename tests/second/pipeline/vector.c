// SPDX-License-Identifier: BSD-2-Clause
/* vector.c - the vector units: rules V4 to V7 of holter-model(7). */
#include "vector.h"

enum pace { BY_REGISTER, AT_ONCE, SQUARE, FLAT };

static const struct {
	unsigned unit;
	enum pace pace;
} row[VECTOR_CLASSES] = {
	{ 0, BY_REGISTER }, { 0, BY_REGISTER }, { 0, BY_REGISTER }, { 0, BY_REGISTER },
	{ 1, BY_REGISTER }, { 1, BY_REGISTER }, { 1, BY_REGISTER }, { 0, FLAT },
	{ 0, AT_ONCE },	    { 0, SQUARE },	{ 0, AT_ONCE },	    { 1, AT_ONCE },
	{ 1, AT_ONCE },	    { 0, FLAT },	{ 0, BY_REGISTER }, { 2, BY_REGISTER },
	{ 2, BY_REGISTER },
};

/* K and B of rule V4. */
struct length {
	uint64_t k, b;
	bool steps; /* rule V5 */
};

static struct length length(const struct cpu_vector *is, const struct vector_insn *v,
			    unsigned elements)
{
	enum pace pace = row[v->class].pace;
	uint64_t e = v->eighths, c = is->cycles[v->class * 4 + v->size];
	struct length l = { e / 8 ? e / 8 : 1, 0, is->chaining && pace == BY_REGISTER };

	if (v->masked && pace == BY_REGISTER && c < is->masked)
		c = is->masked;
	if (v->each)
		l.b = (uint64_t)elements * v->fields * is->element;
	else if (pace == FLAT || e == 0)
		l.b = c;
	else if (pace == SQUARE)
		l.b = (c * e * e + 63) / 64;
	else
		l.b = (c * e + 7) / 8;
	if (l.b == 0)
		l.b = 1;
	return l;
}

/* Rule V5: from the execution to register n of the result. */
static uint64_t result(const struct cpu_vector *is, const struct vector_insn *v,
		       const struct length *l, unsigned n)
{
	uint64_t latency = is->latency[v->class];

	if (!l->steps)
		return latency + l->b - 1;
	return latency + ((n + 1) * l->k - 1) / v->to.n * l->b / l->k;
}

uint64_t vector_executes(const struct cpu_vector *is, const struct vector_units *u,
			 const struct vector_insn *v, unsigned elements, uint64_t t)
{
	const struct length l = length(is, v, elements);
	int64_t x = (int64_t)t, at;

	if ((int64_t)u->free[row[v->class].unit] > x)
		x = (int64_t)u->free[row[v->class].unit];
	for (unsigned s = 0; s < 4; s++)
		for (unsigned n = 0; n < v->from[s].n; n++) {
			at = (int64_t)u->ready[v->from[s].first + n];
			if (l.steps)
				at -= (int64_t)(n * l.k / v->from[s].n * l.b / l.k);
			x = at > x ? at : x;
		}
	for (unsigned n = 0; n < v->to.n; n++) {
		at = (int64_t)(u->ready[v->to.first + n] - result(is, v, &l, n));
		x = at > x ? at : x;
	}
	return (uint64_t)x;
}

void vector_done(const struct cpu_vector *is, struct vector_units *u, const struct vector_insn *v,
		 unsigned elements, uint64_t t)
{
	const struct length l = length(is, v, elements);

	u->free[row[v->class].unit] = t + l.b;
	for (unsigned n = 0; n < v->to.n; n++)
		u->ready[v->to.first + n] = t + result(is, v, &l, n);
}

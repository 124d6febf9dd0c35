// SPDX-License-Identifier: BSD-2-Clause
/*
 * expr.c - see expr.h: a recursive-descent parser that writes a list of operations, and their
 * evaluation.
 */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "expr.h"
#include "number.h"

struct reader {
	const char *text;
	size_t at, len;
	unsigned depth;
	expr_name *name;
	void *arg;
	struct expr *e;
	struct expr_error *error;
};

__attribute__((format(printf, 3, 4))) static bool wrong(struct reader *r, size_t at,
							const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_vset(&r->error->why, format, args);
	va_end(args);
	r->error->at = at;
	return false;
}

/* Skips space.  Returns the next character; 0 at the end. */
static char next(struct reader *r)
{
	while (r->at < r->len && isspace((unsigned char)r->text[r->at]))
		r->at++;
	return r->at < r->len ? r->text[r->at] : '\0';
}

static bool put(struct reader *r, size_t at, struct expr_op op)
{
	if (r->e->nr == EXPR_OPS)
		return wrong(r, at, "the expression has more than %d parts", EXPR_OPS);
	r->e->op[r->e->nr++] = op;
	return true;
}

static bool put_kind(struct reader *r, size_t at, enum expr_kind kind)
{
	return put(r, at, (struct expr_op){ .kind = kind });
}

static bool number(struct reader *r)
{
	char text[64];
	const char *end = text;
	size_t len = r->len - r->at;
	double value;

	if (len > sizeof(text) - 1)
		len = sizeof(text) - 1;
	memcpy(text, r->text + r->at, len);
	text[len] = '\0';
	if (!number_real(&end, &value))
		return wrong(r, r->at, "a number is expected here, such as 1000 or 0.5");
	if (end == text + sizeof(text) - 1)
		return wrong(r, r->at, "a number with more than %zu digits", sizeof(text) - 2);
	if (!put(r, r->at, (struct expr_op){ .kind = EXPR_NUMBER, .number = value }))
		return false;
	r->at += (size_t)(end - text);
	return true;
}

static bool value(struct reader *r, size_t start, size_t from, size_t len)
{
	int which = r->name(r->arg, r->text + from, len, &r->error->why);

	if (which < 0) {
		r->error->at = start;
		return false;
	}
	return put(r, start, (struct expr_op){ .kind = EXPR_VALUE, .value = (unsigned)which });
}

static bool quoted(struct reader *r)
{
	size_t start = r->at++, from = r->at;

	while (r->at < r->len && r->text[r->at] != '\'')
		r->at++;
	if (r->at == r->len)
		return wrong(r, start, "the ' has no other one");
	return value(r, start, from, r->at++ - from);
}

static bool name(struct reader *r)
{
	size_t start = r->at;

	while (r->at < r->len && (isalnum((unsigned char)r->text[r->at]) || r->text[r->at] == '_' ||
				  r->text[r->at] == '.'))
		r->at++;
	return value(r, start, start, r->at - start);
}

static bool expression(struct reader *r);
static bool factor(struct reader *r);

static bool sign(struct reader *r)
{
	size_t start = r->at++;

	return factor(r) && put_kind(r, start, EXPR_NEG);
}

static bool parentheses(struct reader *r)
{
	size_t start = r->at++;

	if (!expression(r))
		return false;
	if (next(r) != ')')
		return wrong(r, start, "the ( has no ) that ends it");
	r->at++;
	return true;
}

static bool factor(struct reader *r)
{
	char c = next(r);
	bool good;

	if (++r->depth > EXPR_DEPTH)
		return wrong(r, r->at, "more than %d parentheses and signs in each other",
			     EXPR_DEPTH);
	if (c == '(')
		good = parentheses(r);
	else if (c == '-')
		good = sign(r);
	else if (c == '\'')
		good = quoted(r);
	else if (isalpha((unsigned char)c))
		good = name(r);
	else if (isdigit((unsigned char)c) || c == '.')
		good = number(r);
	else if (r->at < r->len)
		good = wrong(r, r->at, "an event, a number or a ( is expected here");
	else
		good = wrong(r, r->at, "it ends where an event, a number or a ( is expected");
	r->depth--;
	return good;
}

static bool term(struct reader *r)
{
	char c;

	if (!factor(r))
		return false;
	while ((c = next(r)) == '*' || c == '/') {
		size_t at = r->at++;

		if (!factor(r) || !put_kind(r, at, c == '*' ? EXPR_MUL : EXPR_DIV))
			return false;
	}
	return true;
}

static bool expression(struct reader *r)
{
	char c;

	if (!term(r))
		return false;
	while ((c = next(r)) == '+' || c == '-') {
		size_t at = r->at++;

		if (!term(r) || !put_kind(r, at, c == '+' ? EXPR_ADD : EXPR_SUB))
			return false;
	}
	return true;
}

bool expr_parse(struct expr *e, const char *text, size_t len, expr_name *name_of, void *arg,
		struct expr_error *error)
{
	struct reader r = { text, 0, len, 0, name_of, arg, e, error };

	e->nr = 0;
	if (!expression(&r))
		return false;
	next(&r);
	if (r.at < len)
		return wrong(&r, r.at, "an operator is expected here: + - * /%s",
			     text[r.at] == ')' ? " (no ( belongs to this )" : "");
	return true;
}

static double apply(enum expr_kind kind, double a, double b)
{
	switch (kind) {
	case EXPR_ADD:
		return a + b;
	case EXPR_SUB:
		return a - b;
	case EXPR_MUL:
		return a * b;
	default:
		return b == 0 ? NAN : a / b;
	}
}

double expr_value(const struct expr *e, const double *values)
{
	double stack[EXPR_OPS];
	unsigned n = 0;

	for (unsigned i = 0; i < e->nr; i++) {
		const struct expr_op *op = &e->op[i];

		if (op->kind == EXPR_NUMBER) {
			stack[n++] = op->number;
		} else if (op->kind == EXPR_VALUE) {
			stack[n++] = values[op->value];
		} else if (op->kind == EXPR_NEG) {
			stack[n - 1] = -stack[n - 1];
		} else {
			n--;
			stack[n - 1] = apply(op->kind, stack[n - 1], stack[n]);
		}
	}
	return n ? stack[0] : NAN;
}

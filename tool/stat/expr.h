/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * expr.h - arithmetic over named values: what a metric is computed with.
 *
 *	expression  = term { ("+" | "-") term }
 *	term        = factor { ("*" | "/") factor }
 *	factor      = number | name | "(" expression ")" | "-" factor
 *	name        = letter { letter | digit | "_" | "." }  |  "'" anything but "'" "'"
 *	number      = as strtod(3) reads it, decimal
 *
 * Pure; the text comes from a person and may be anything.
 */
#ifndef TOOL_EXPR_H
#define TOOL_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#define EXPR_OPS   64 /* numbers, names and operators of one expression */
#define EXPR_DEPTH 16 /* of its parentheses and signs */

enum expr_kind { EXPR_NUMBER, EXPR_VALUE, EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_DIV, EXPR_NEG };

/* In the order of evaluation, operands before their operator. */
struct expr {
	unsigned nr;
	struct expr_op {
		enum expr_kind kind;
		unsigned value; /* EXPR_VALUE: which one */
		double number;
	} op[EXPR_OPS];
};

/* What is wrong, and the byte of the text from which on. */
struct expr_why {
	size_t at;
	char text[360];
};

/* The number of the value that a name stands for; -1: none, with the reason in why. */
typedef int expr_name(void *arg, const char *name, size_t len, char *why, size_t why_size);

/* Reads a whole text; false: it is no expression, and *why says so. */
bool expr_parse(struct expr *e, const char *text, size_t len, expr_name *name, void *arg,
		struct expr_why *why);

/*
 * Its value, from those that its names stand for.  NaN if one of them is, and if something is divided
 * by zero: what there is no number for is no number.
 */
double expr_value(const struct expr *e, const double *values);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * expr.h - arithmetic expressions over named values, for metrics.
 *
 *	expression  = term { ("+" | "-") term }
 *	term        = factor { ("*" | "/") factor }
 *	factor      = number | name | "(" expression ")" | "-" factor
 *	name        = letter { letter | digit | "_" | "." }  |  "'" anything but "'" "'"
 *	number      = 12, 0.5, .5 or 1e-3
 *
 * The parser has no side effects.  Users write the text, so it accepts any bytes.
 */
#ifndef TOOL_EXPR_H
#define TOOL_EXPR_H

#include <stdbool.h>
#include <stddef.h>

#include "errtext.h"

#define EXPR_OPS   64 /* most numbers, names and operators in one expression */
#define EXPR_DEPTH 16 /* deepest nesting of parentheses and signs */

enum expr_kind { EXPR_NUMBER, EXPR_VALUE, EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_DIV, EXPR_NEG };

/* The operations in postfix order: operands before their operator. */
struct expr {
	unsigned nr;
	struct expr_op {
		enum expr_kind kind;
		unsigned value; /* EXPR_VALUE: index of the value */
		double number;
	} op[EXPR_OPS];
};

/* A parse error, and the offset of the byte at which it begins. */
struct expr_error {
	size_t at;
	struct error_text why;
};

/* Returns the index of the value that `name` refers to.  -1: unknown; `why` tells the reason. */
typedef int expr_name(void *arg, const char *name, size_t len, struct error_text *why);

/* Parses the whole text.  Returns false if it is not an expression; *error tells the reason. */
bool expr_parse(struct expr *e, const char *text, size_t len, expr_name *name, void *arg,
		struct expr_error *error);

/*
 * Evaluates the expression; values[] are the values of its names.  The result is NaN if a value
 * that it uses is NaN, and after a division by zero.
 */
double expr_value(const struct expr *e, const double *values);

#endif

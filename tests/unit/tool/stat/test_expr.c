// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_expr.c - expressions: values, precedence, and the error messages.
 */
#include <math.h>
#include <tap.h>

#include <expr.h>

static struct expr e;
static struct expr_error error;

/* a is 0, b 1, and so on. */
static int letter(void *arg, const char *name, size_t len, struct error_text *why)
{
	(void)arg;
	if (len == 1)
		return name[0] - 'a';
	if (len > 6 && !memcmp(name, "quoted", 6))
		return 2;
	error_set(why, "no %.*s", (int)len, name);
	return -1;
}

static double value(const char *text)
{
	static const double values[] = { 3, 4, 5, NAN };

	tap_context("%s", text);
	memset(&error, 0, sizeof(error));
	ok(expr_parse(&e, text, strlen(text), letter, NULL, &error));
	is_str(error.why.text, "");
	return expr_value(&e, values);
}

static void arithmetic(void)
{
	ok(value("1") == 1);
	ok(value("  .5 ") == 0.5);
	ok(value("1e3") == 1000);
	ok(value("a+b") == 7);
	ok(value("a+b*c") == 23);
	ok(value("(a+b)*c") == 35);
	ok(value("a-b-c") == -6);
	ok(value("c/b/2") == 0.625);
	ok(value("a - -b") == 7);
	ok(value("-(a + b) * 2") == -14);
	ok(value("--a") == 3);
	ok(value("'quoted, with x' * 2") == 10);
	ok(value("100 * a / (a + b)\t") == 300.0 / 7);
	ok(value("1000000000000") == 1e12);
}

static void no_number(void)
{
	ok(isnan(value("a / 0")));
	ok(isnan(value("a / (b - 4)")));
	ok(isnan(value("0 * d")));
	ok(isnan(value("1 + d / 2")));
}

static void wrong(const char *text, size_t at, const char *says)
{
	tap_context("%.40s", text);
	ok(!expr_parse(&e, text, strlen(text), letter, NULL, &error));
	is_str(error.why.text, says);
	is(error.at, at);
}

static void refused(void)
{
	wrong("", 0, "it ends where an event, a number or a ( is expected");
	wrong("1 +", 3, "it ends where an event, a number or a ( is expected");
	wrong("* 2", 0, "an event, a number or a ( is expected here");
	wrong("a b", 2, "an operator is expected here: + - * /");
	wrong("a)", 1, "an operator is expected here: + - * / (no ( belongs to this )");
	wrong("2 * (a + b", 4, "the ( has no ) that ends it");
	wrong("'a", 0, "the ' has no other one");
	wrong("1 + nope", 4, "no nope");
	wrong("1..2", 2, "an operator is expected here: + - * /");
	wrong("1e999", 0, "a number is expected here, such as 1000 or 0.5");
	wrong("0x10", 0, "a number is expected here, such as 1000 or 0.5");
	wrong(".", 0, "a number is expected here, such as 1000 or 0.5");
	wrong("\xff", 0, "an event, a number or a ( is expected here");
}

static void too_much(void)
{
	char text[4 * EXPR_OPS];

	memset(text, 0, sizeof(text));
	for (unsigned n = 0; n < EXPR_DEPTH; n++)
		text[n] = '(';
	strcat(text, "a");
	wrong(text, EXPR_DEPTH, "more than 16 parentheses and signs in each other");
	memset(text, '-', EXPR_DEPTH);
	wrong(text, EXPR_DEPTH, "more than 16 parentheses and signs in each other");
	strcpy(text, "a");
	for (unsigned n = 0; n < EXPR_OPS / 2; n++)
		strcat(text, "+a");
	wrong(text, EXPR_OPS - 1, "the expression has more than 64 parts");
	text[EXPR_OPS - 1] = '\0';
	ok(value(text) == 3 * EXPR_OPS / 2);
	memset(text, '1', 100);
	text[100] = '\0';
	wrong(text, 0, "a number with more than 62 digits");
}

static void ends_where_it_ends(void)
{
	ok(expr_parse(&e, "123456", 3, letter, NULL, &error)); /* not beyond its length */
	ok(expr_value(&e, NULL) == 123);
	ok(!expr_parse(&e, "'a'", 2, letter, NULL, &error));
	ok(!expr_parse(&e, "1\0", 2, letter, NULL, &error));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "arithmetic", arithmetic },
		{ "a value that is not a number is missing", no_number },
		{ "errors in expressions, and their positions", refused },
		{ "too long, too deep", too_much },
		{ "no byte after the end is read", ends_where_it_ends },
	};

	return tap_run(cases, TAP_NR(cases));
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_fit.c - texts and tables of a fixed width.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <fit.h>
#include <tap.h>

static void texts(void)
{
	static const struct {
		const char *text;
		unsigned width;
		const char *ascii, *utf8;
	} rows[] = {
		{ "main", 4, "main", "main" },
		{ "main", 3, "mai", "m…n" },
		{ "a_long_name", 8, "a_l...me", "a_lo…ame" },
		{ "a_long_name", 0, "", "" },
		{ "äöüß", 4, "äöüß", "äöüß" },
		{ "äöüßäöüß", 5, "ä...ß", "äö…üß" },
		{ "std::vector<int, std::allocator<int> >::push_back(int)", 40,
		  "std::vector<...>::push_back(int)", "std::vector<...>::push_back(int)" },
		{ "a<int>::b<long, char>(c<d<e>>)", 29, "a<int>::b<...>(c<...>)",
		  "a<int>::b<...>(c<...>)" },
		{ "x::operator<<(y<long long int>)", 28, "x::operator<<(y<...>)",
		  "x::operator<<(y<...>)" },
		{ "x::operator->(y<&z::operator> >)", 30, "x::operator->(y<...>)",
		  "x::operator->(y<...>)" },
		{ "f<&a->b, long>", 10, "f<...>", "f<...>" },
		{ "no_end<of_arguments", 12, "no_en...ents", "no_end…ments" },
		{ "<", 0, "", "" },
	};
	char to[200];

	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("%s in %u", rows[i].text, rows[i].width);
		is_str(fit_text(to, sizeof(to), rows[i].text, rows[i].width, false), rows[i].ascii);
		is_str(fit_text(to, sizeof(to), rows[i].text, rows[i].width, true), rows[i].utf8);
	}
}

static void paths(void)
{
	char to[100];

	is_str(fit_path(to, sizeof(to), "/a/b/cache.c:55", 15, false), "/a/b/cache.c:55");
	is_str(fit_path(to, sizeof(to), "/a/b/cache.c:55", 14, false), ".../cache.c:55");
	is_str(fit_path(to, sizeof(to), "/a/b/cache.c:55", 12, true), "…/cache.c:55");
	is_str(fit_path(to, sizeof(to), "/a/b/cache.c:55", 2, false), "55");
}

/* Whatever the width: no wider, no buffer too small, no half character. */
static void all_widths(void)
{
	static const char text[] = "ns::äöü<int, <->>>::operator<=>(ßß<x>) const";
	unsigned wide = 0;

	for (unsigned width = 0; width < 60; width++) {
		char to[4 * 60 + 16];

		fit_text(to, 4 * width + 16, text, width, width & 1);
		wide += fit_width(to) > width;
		wide += (to[0] & 0xc0) == 0x80;
	}
	is(wide, 0);
	is(fit_width(text), 44);
	is(fit_width(""), 0);
}

static void columns(void)
{
	unsigned widths[] = { 30, 5, 50, 50 };

	fit_columns(widths, 4, 135, 8);
	is(widths[2] + widths[3], 100);
	fit_columns(widths, 4, 100, 8);
	is(widths[0], 30);
	is(widths[1], 5);
	is(widths[2] + widths[3], 65);
	fit_columns(widths, 4, 0, 8);
	is(widths[0], 8);
	is(widths[1], 5);
	is(widths[3], 8);
	fit_columns(widths, 0, 0, 8);
}

/* What fit_wrap() prints; it must end at the column that it returns. */
static void wraps(const char *text, unsigned at, unsigned column, unsigned width, const char *lines)
{
	const char *last;
	char *out = NULL;
	size_t len;
	FILE *to = open_memstream(&out, &len);
	unsigned end = fit_wrap(to, text, at, column, width);

	fclose(to);
	is_str(out, lines);
	last = strrchr(out, '\n');
	is(end, last ? fit_width(last + 1) : at + fit_width(out));
	free(out);
}

static void wrapping(void)
{
	wraps("", 3, 3, 20, "");
	wraps("one two  three", 60, 60, 0, "one two  three");
	wraps("one two  three", 0, 0, 14, "one two  three");
	wraps("one two three", 0, 0, 12, "one two\nthree");
	wraps("one two three", 10, 4, 21, "one two\n    three");
	wraps("äöü äöü äöü", 0, 0, 11, "äöü äöü äöü");
	wraps("äöü äöü äöü", 0, 2, 10, "äöü äöü\n  äöü");
	wraps("a\nb", 2, 2, 40, "a\n  b");
	wraps("one two three", 24, 20, 36, "one two\n                    three");
	wraps("one two three", 24, 20, 35, "one two\n    three"); /* too narrow */
	wraps("a_word_longer_than_the_line of it", 0, 0, 10, "a_word_longer_than_the_line\nof it");
}

static void numbers(void)
{
	char to[FIT_NUMBER_SIZE];

	is_str(fit_number(to, 0), "0");
	is_str(fit_number(to, 999), "999");
	is_str(fit_number(to, 1000), "1,000");
	is_str(fit_number(to, 1234567), "1,234,567");
	is_str(fit_number(to, ~0ull), "18,446,744,073,709,551,615");
}

static void reals(void)
{
	char to[FIT_REAL_SIZE];

	is_str(fit_real(to, 0, 0), "0");
	is_str(fit_real(to, 999.994, 2), "999.99");
	is_str(fit_real(to, 999.996, 2), "1,000.00");
	is_str(fit_real(to, 42972.8, 1), "42,972.8");
	is_str(fit_real(to, 0.123456, 6), "0.123456");
	is_str(fit_real(to, -123, 1), "-123.0");
	is_str(fit_real(to, -1234567, 0), "-1,234,567");
	is_str(fit_real(to, NAN, 1), "nan");
	is_str(fit_real(to, -INFINITY, 1), "-inf");
	is(strlen(fit_real(to, -DBL_MAX, 6)), FIT_REAL_SIZE - 1);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "texts", texts },
		{ "paths", paths },
		{ "every width", all_widths },
		{ "columns", columns },
		{ "numbers", numbers },
		{ "real numbers", reals },
		{ "words under a column", wrapping },
	};

	return tap_run(cases, TAP_NR(cases));
}

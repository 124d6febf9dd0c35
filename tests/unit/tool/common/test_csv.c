// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_csv.c - cells of CSV: quotes, separators, formulas, control characters.
 */
#include <math.h>
#include <stdlib.h>

#include "csv.h"
#include "tap.h"

static void is_cell(const char *separator, const char *text, const char *want)
{
	char *got = NULL;
	size_t len;
	FILE *to = open_memstream(&got, &len);
	struct csv c = csv_to(to, separator);

	csv_text(&c, text);
	csv_end(&c);
	fclose(to);
	is_str(got, want);
	free(got);
}

static void texts(void)
{
	is_cell(",", "plain", "plain\n");
	is_cell(",", "", "\n");
	is_cell(",", NULL, "\n");
	is_cell(",", "a,b", "\"a,b\"\n");
	is_cell(";", "a,b", "a,b\n");
	is_cell("::", "a:b", "a:b\n");
	is_cell("::", "a::b", "\"a::b\"\n");
	is_cell(",", "say \"x\"", "\"say \"\"x\"\"\"\n");
	is_cell(",", "\xc3\xa9", "\xc3\xa9\n");
}

static void hostile_texts(void)
{
	is_cell(",", "=cmd()", "'=cmd()\n");
	is_cell(",", "+1", "'+1\n");
	is_cell(",", "-1", "'-1\n");
	is_cell(",", "@x,y", "\"'@x,y\"\n");
	is_cell(",", "a=b", "a=b\n");
	is_cell(",", "\033]0;x\007", "?]0;x?\n");
	is_cell(",", "two\nlines", "two?lines\n");
	is_cell(",", "\xff\xe2\x80\xae", "??\n");
}

static void numbers(void)
{
	char *got = NULL;
	size_t len;
	FILE *to = open_memstream(&got, &len);
	struct csv c = csv_to(to, ",");

	csv_number(&c, UINT64_MAX);
	csv_integer(&c, -5);
	csv_hex(&c, 31);
	csv_real(&c, 0.25);
	csv_real(&c, NAN);
	csv_end(&c);
	csv_number(&c, 0);
	csv_end(&c);
	fclose(to);
	is_str(got, "18446744073709551615,-5,0x1f,0.25,\n0\n");
	free(got);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "texts", texts },
		{ "hostile texts", hostile_texts },
		{ "numbers", numbers },
	};

	return tap_run(cases, TAP_NR(cases));
}

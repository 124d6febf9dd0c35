// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_output.c - which format --format and -o choose, and which files are not overwritten.
 */
#include <stdlib.h>
#include <unistd.h>

#include "output.h"
#include "said.h"
#include "scratch.h"

static const struct row {
	struct output_format id;
	int number;
} rows[] = { { { "text", ".txt" }, 1 },
	     { { "json", ".json" }, 2 },
	     { { "scope", ".scope.json" }, 3 } };

static const struct option_habit foreign[] = { { "xml sgml", "json is for programs" }, { 0 } };

static const struct output_formats formats = { rows, 3, sizeof(*rows), foreign };

static int chosen(const char *format, const char *out)
{
	const struct output_options o = { out, format, false };
	const struct row *row = output_choose(&formats, &o);

	return row ? row->number : 0;
}

static void choices(void)
{
	is(chosen(NULL, NULL), 1);
	is(chosen("json", NULL), 2);
	is(chosen("json", "x.txt"), 2);
	is(chosen(NULL, "x.json"), 2);
	is(chosen(NULL, "x.scope.json"), 3);
	is(chosen(NULL, ".json"), 1);
	is(chosen(NULL, "a.json/x"), 1);
	is(chosen(NULL, "a/.json"), 1);
}

/* --json is --format json. */
static void json(void)
{
	const struct output_options o = { .out = "x.txt", .json = true };
	const struct row *row = output_choose(&formats, &o);

	is(row ? row->number : 0, 2);
}

static void refused(void)
{
	is(chosen("jsn", NULL), 0);
	ok(has_said("--format 'jsn': did you mean json? (text, json and scope)"));
	is(chosen("sgml", NULL), 0);
	ok(has_said("--format 'sgml': json is for programs"));
	is(chosen("", NULL), 0);
	ok(has_said("--format '': the formats are text, json and scope"));
	is(chosen(NULL, "x.y"), 0);
	ok(has_said("-o x.y: the suffixes are .txt, .json and .scope.json; with another one name "
		    "the --format"));
}

static void inputs(void)
{
	char path[] = "test_output.XXXXXX", other[] = "test_output.XXXXXX";
	const char *const files[] = { "nowhere", path };
	FILE *to;

	scratch_file(path, "input", 5);
	scratch_file(other, "old", 3);
	ok(!output_open(path, files, 2));
	ok(has_said("is what the report is made of, and would be lost"));
	to = output_open(other, files, 2);
	ok(to && fputs("new", to) >= 0);
	is(output_close(other, to, 0), 0);
	is(access(other, F_OK), 0);
	/* What was not finished is not left. */
	to = output_open(other, files, 2);
	is(output_close(other, to, 2), 2);
	ok(access(other, F_OK) != 0);
	unlink(path);
	ok(output_open(NULL, NULL, 0) == stdout);
	is(output_close(NULL, stdout, 1), 1);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "choices", choices },
		{ "--json", json },
		{ "refused", refused },
		{ "inputs", inputs },
	};

	return tap_run(cases, TAP_NR(cases));
}

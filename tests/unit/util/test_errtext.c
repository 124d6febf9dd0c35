// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_errtext.c - the text of an error.
 */
#include <stdlib.h>

#include "errtext.h"
#include "tap.h"

static void sets(void)
{
	struct error_text e = { "" };

	ok(!error_set(&e, "%s: line %d", "a.dts", 7));
	is_str(e.text, "a.dts: line 7");
	ok(!error_set(NULL, "%s", "nobody asks"));
}

static void cuts(void)
{
	struct error_text e;
	size_t len = 2 * sizeof(e.text);
	char *text = calloc(1, len + 1);

	memset(text, 'x', len);
	ok(!error_set(&e, "%s", text));
	is(strlen(e.text), sizeof(e.text) - 1);
	free(text);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the text is what printf prints; NULL is allowed", sets },
		{ "a text that is too long is cut", cuts },
	};

	return tap_run(cases, TAP_NR(cases));
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_demangle.c - names of C++ and Rust functions, and names that are neither.
 */
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "tap.h"

static void names(void)
{
	static const struct {
		const char *name, *want;
	} rows[] = {
		{ "_Z3addii", "add(int, int)" },
		{ "_ZN5shape6circle4areaEv", "shape::circle::area()" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
		  "std::vector<int, std::allocator<int> >::push_back(int const&)" },
		{ "_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()(int) const" },
		{ "_Z3hotv.cold", "hot() [clone .cold]" },
		{ "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad" },
		{ "_RNvNtC7mycrate3foo3bar", "mycrate::foo::bar" },
		{ "main", NULL },
		{ "_Zebra", NULL },
		{ "_Root", NULL },
		{ "__libc_start_main", NULL },
		{ "ZN5shape6circle4areaEv", NULL },
		{ "", NULL },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		char *plain = demangle(rows[n].name);

		tap_context("%s", rows[n].name);
		if (rows[n].want)
			is_str(plain ? plain : "none", rows[n].want);
		else
			ok(!plain);
		free(plain);
	}
}

/* A name that would take for ever, or use up the stack. */
static void hostile_names(void)
{
	static char name[1 << 20];

	for (unsigned n = 0; n < 3; n++) {
		static const size_t len[] = { 1000, 4096, sizeof(name) - 1 };

		memset(name, 'P', sizeof(name));
		name[len[n]] = '\0';
		memcpy(name, "_Z1f", 4);
		free(demangle(name));
		memset(name + 4, 'N', len[n] - 4);
		free(demangle(name));
		ok(strlen(name) == len[n]);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "names", names },
		{ "hostile names", hostile_names },
	};

	return tap_run(cases, TAP_NR(cases));
}

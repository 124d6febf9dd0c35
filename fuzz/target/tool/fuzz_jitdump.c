// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_jitdump.c - any bytes as a jitdump file.
 *
 * Must hold: each code has a name and bytes that lie in the file, and its end is not below
 * its beginning.  A file that is refused has one line that says why.
 */
#include "fuzz.h"
#include "jitdump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error_text why = { "" };
	struct jitdump d = { 0 };
	bool good = jitdump_parse(&d, (const char *)data, size, &why);

	must(good || (*why.text && !strchr(why.text, '\n')));
	must(!d.codes.nr || jitdump_knows(data, size));
	for (size_t n = 0; n < d.codes.nr; n++) {
		const struct jitdump_code *c = &d.codes.at[n];

		must(c->size && c->addr + c->size >= c->addr);
		must(c->offset <= size && c->size <= size - c->offset);
		must(c->name >= (const char *)data &&
		     c->name + strlen(c->name) < (const char *)data + size);
	}
	jitdump_free(&d);
	return 0;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exact_file.c - the format of exact profiles: damaged files, impossible records, other files.
 */
#include "exact_load.h"
#include "exact_records.h"
#include "tap.h"

static bool parses(const struct made *m, struct error_text *why)
{
	const struct exact_visitor nobody = { NULL };
	size_t len;
	uint8_t *file = made_file(m->at, m->len, &len);
	bool ok = exact_parse(file, len, &nobody, why);

	free(file);
	return ok;
}

static void damaged_files(void)
{
	const struct exact_visitor nobody = { NULL };
	struct error_text why;
	struct made m;
	size_t len;
	uint8_t *file;

	make_small(&m);
	ok(parses(&m, &why));
	is_str(why.text, "");
	file = made_file(m.at, m.len, &len);
	for (size_t n = 0; n < len; n++) {
		tap_context("cut to %zu bytes", n);
		ok(!exact_parse(file, n, &nobody, &why));
		ok(why.text[0] && !strchr(why.text, '\n'));
	}
	for (size_t n = 0; n < len; n++) {
		tap_context("byte %zu", n);
		file[n] ^= 0x08;
		ok(!exact_parse(file, len, &nobody, &why));
		ok(why.text[0]);
		file[n] ^= 0x08;
	}
	file = realloc(file, len + 1);
	file[len] = 0;
	ok(!exact_parse(file, len + 1, &nobody, &why));
	is_str(why.text, "the profile is damaged: something follows its end");
	free(file);
}

static void wrong_records(void)
{
	static const struct {
		const char *why;
		uint64_t number[26];
		unsigned nr;
		bool in_page;
	} rows
		[] = {
			{ "a record of kind 11", { 11 }, 1, true },
			{ "an interval of 0", { 9, 0, 0, 0 }, 4, true },
			{ "an interval of 1000000000001, more than",
			  { 9, 1000000000001 },
			  2,
			  true },
			{ "a hart 1, more than 0", { 9, 1, 0, 1, 0, 1 }, 6, true },
			{ "users of data 4194305, more than 4194304",
			  { 10, 0, 0, 4194305 },
			  4,
			  true },
			{ "a kind of data 9, more than 8", { 10, 0, 0, 0, 0, 1, 9 }, 7, true },
			{ "a call 1, more than 0", { 10, 0, 0, 0, 1, 0, 0, 0, 1 }, 9, true },
			{ "an allocation site 1, more than 0",
			  { 10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 8, 0, 1 },
			  16,
			  true },
			{ "an event 3, more than 2", { 10, 0, 0, 0, 0, 0, 1, 3 }, 8, true },
			{ "a piece of data 1, more than 0",
			  { 10, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1 },
			  13,
			  true },
			{ "a user of data 1, more than 0",
			  { 10, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1 },
			  14,
			  true },
			{ "a line of 257, more than 256",
			  { 10, 0, 0, 0, 0, 0, 0, 0, 257 },
			  9,
			  true },
			{ "a hart 1, more than 0",
			  { 10, 0, 0, 0, 0, 0, 0, 0, 64, 1, 5, 0, 0, 1, 0, 1 },
			  16,
			  true },
			{ "an offset of 65, more than 64",
			  { 10, 0, 0,  0, 0, 1, 0, 0, 0, 0, 0, 1, 0,
			    0,	0, 64, 1, 5, 0, 0, 1, 0, 0, 0, 1, 65 },
			  26,
			  true },
			{ "it has data twice", { 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10 }, 12, true },
			{ "code after the time line or data", { 9, 1, 0, 0, 1 }, 5, true },
			{ "code after the time line or data",
			  { 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 },
			  12,
			  true },
			{ "a page in no address space", { 9, 1, 0, 0, 2, 1, 0 }, 7, true },
			{ "calls on no page", { 8, 0 }, 2, false },
			{ "a call 1, more than 0", { 8, 1 }, 2, true },
			{ "a caller 1, more than 0", { 7, 0, 1, 1, 0 }, 5, true },
			{ "a number of calls 1048577, more than 1048576",
			  { 7, 0, 1048577 },
			  3,
			  true },
			{ "it has calls twice", { 7, 0, 0, 7, 0, 0 }, 6, true },
			{ "a page in no address space", { 2, 1, 0 }, 3, false },
			{ "an instruction on no page", { 3, 0, 0, 0 }, 4, false },
			{ "a hart 1, more than 0", { 1, 1, 0, 0 }, 4, true },
			{ "a mode 4, more than 3", { 1, 0, 4, 0 }, 4, true },
			{ "an offset of 2048, more than 2047", { 3, 2048, 0, 0 }, 4, true },
			{ "a number of counts 4, more than 3", { 3, 0, 0, 4 }, 4, true },
			{ "an event 3, more than 2", { 3, 0, 0, 1, 3, 1 }, 6, true },
			{ "an instruction 4294967296, more than 4294967295",
			  { 3, 0, 1ull << 32, 0 },
			  4,
			  true },
			{ "a truth value 2, more than 1", { 2, 1, 2 }, 3, true },
			{ "its counts are not what they add up to", { 3, 0, 0, 1, 0, 5 }, 6, true },
		};
	static const uint64_t total[4][EVENTS] = { { 0 } };
	struct error_text why;
	struct made m;

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		tap_context("%s", rows[n].why);
		make_head(&m, 0);
		if (rows[n].in_page) {
			space(&m, 0, SATP(0));
			page(&m, 0, 1);
		}
		for (unsigned i = 0; i < rows[n].nr; i++)
			made_number(&m, rows[n].number[i]);
		make_end(&m, total);
		ok(!parses(&m, &why));
		ok(strstr(why.text, rows[n].why));
	}
	tap_context("%s", "a number too long");
	make_head(&m, 0);
	made_bytes(&m, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10);
	ok(!parses(&m, &why));
	ok(strstr(why.text, "more than 64 bits"));
}

static void other_files(void)
{
	struct error_text why;
	const struct exact_visitor nobody = { NULL };

	ok(exact_knows("HOLTPROF", 8));
	ok(!exact_knows("HOLTPROF", 7));
	ok(!exact_knows("PERFILE2", 8));
	ok(!exact_parse("HOLTPROF\5\0\0\0\0\0\0", 16, &nobody, &why));
	is_str(why.text, "an exact profile of version 5, and this program reads version 4");
	ok(!exact_parse("PERFILE2\1\0\0\0\0\0\0", 16, &nobody, &why));
	is_str(why.text, "this is not an exact profile");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a file that is cut, changed or longer is refused", damaged_files },
		{ "impossible records", wrong_records },
		{ "other files", other_files },
	};

	return tap_run(cases, TAP_NR(cases));
}

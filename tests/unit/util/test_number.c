// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_number.c - numbers, ranges and times read from text.
 */
#include "number.h"
#include "tap.h"

#define NONE UINT64_C(0xdeadbeefdead)

struct row {
	const char *text;
	unsigned form;
	uint64_t low, high, want; /* NONE: refused */
};

static void numbers(void)
{
	static const struct row rows[] = {
		{ "0", 0, 0, 0, 0 },
		{ "18446744073709551615", 0, 0, UINT64_MAX, UINT64_MAX },
		{ "18446744073709551616", 0, 0, UINT64_MAX, NONE },
		{ "99999999999999999999999999", 0, 0, UINT64_MAX, NONE },
		{ "010", 0, 0, 100, 10 },
		{ "010", NUMBER_C, 0, 100, 8 },
		{ "08", NUMBER_C, 0, 100, NONE },
		{ "0x10", 0, 0, 100, NONE },
		{ "0x10", NUMBER_C, 0, 100, 16 },
		{ "0XfF", NUMBER_C, 0, 255, 255 },
		{ "0x", NUMBER_C, 0, 100, NONE },
		{ "0xffffffffffffffff", NUMBER_C, 0, UINT64_MAX, UINT64_MAX },
		{ "0x10000000000000000", NUMBER_C, 0, UINT64_MAX, NONE },
		{ "fF", NUMBER_HEX, 0, 255, 255 },
		{ "0x1", NUMBER_HEX, 0, 255, NONE },
		{ "0x1f", NUMBER_HEX | NUMBER_0X, 0, 255, 31 },
		{ "0x1f", NUMBER_0X, 0, 255, 31 },
		{ "010", NUMBER_0X, 0, 255, 10 },
		{ "1K", 0, 0, UINT64_MAX, NONE },
		{ "1K", NUMBER_UNITS, 0, UINT64_MAX, 1 << 10 },
		{ "3M", NUMBER_UNITS, 0, UINT64_MAX, 3 << 20 },
		{ "0x2G", NUMBER_UNITS | NUMBER_C, 0, UINT64_MAX, UINT64_C(2) << 30 },
		{ "1k", NUMBER_UNITS, 0, UINT64_MAX, NONE },
		{ "1KK", NUMBER_UNITS, 0, UINT64_MAX, NONE },
		{ "K", NUMBER_UNITS, 0, UINT64_MAX, NONE },
		{ "17179869184G", NUMBER_UNITS, 0, UINT64_MAX, NONE }, /* 2^64 */
		{ "17179869183G", NUMBER_UNITS, 0, UINT64_MAX, UINT64_C(17179869183) << 30 },
		{ "5", 0, 5, 5, 5 },
		{ "4", 0, 5, 6, NONE },
		{ "7", 0, 5, 6, NONE },
		{ "2K", NUMBER_UNITS, 0, 2047, NONE },
		{ "1K", NUMBER_UNITS, 1024, 1024, 1024 },
		{ "", 0, 0, 9, NONE },
		{ " 1", 0, 0, 9, NONE },
		{ "1 ", 0, 0, 9, NONE },
		{ "+1", 0, 0, 9, NONE },
		{ "-1", 0, 0, UINT64_MAX, NONE },
		{ "1x", 0, 0, 9, NONE },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		const struct row *r = &rows[n];
		uint64_t value = 0;

		tap_context("row %u '%s'", n, r->text);
		is(number_parse(r->text, r->form, r->low, r->high, &value), r->want != NONE);
		if (r->want != NONE)
			is(value, r->want);
	}
}

static void sizes_meant(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "8MB", "8M" },   { "8MiB", "8M" },	{ "8Mb", "8M" },
		{ "8m", "8M" },	   { "512kB", "512K" }, { "512kib", "512K" },
		{ "1024K", "1M" }, { "4096B", "4K" },	{ "0x10k", "16K" },
		{ "8MBB", "" },	   { "8Mi", "" },	{ "MB", "" },
		{ "B", "" },	   { "iB", "" },	{ "", "" },
		{ "8 MB", "" },	   { "-8MB", "" },	{ "8TB", "" },
		{ "512B", "" },	   { "2GB", "" },	{ "00000000000000000000000000008MB", "" },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		char meant[24] = "";

		tap_context("'%s'", rows[n].text);
		is(number_size_meant(rows[n].text, 1024, 1 << 30, meant), *rows[n].want != '\0');
		is_str(meant, rows[n].want);
	}
}

static void reads_on(void)
{
	const char *at = "12;34";
	uint64_t value;

	ok(number_read(&at, 0, 99, &value));
	is(value, 12);
	is_str(at, ";34");
	ok(!number_read(&at, 0, 99, &value));
	is_str(at, ";34");
	at = "99999999999999999999;";
	ok(!number_read(&at, 0, UINT64_MAX, &value));
	is_str(at, ";"); /* the number is too great, but it is passed */
}

static void fields(void)
{
	const char *at = " \t 12 \tff-";
	uint64_t value;

	ok(number_field(&at, NUMBER_DECIMAL, 99, &value));
	is(value, 12);
	ok(number_field(&at, NUMBER_HEX, 255, &value));
	is(value, 255);
	is_str(at, "-");
	ok(!number_field(&at, NUMBER_HEX, 255, &value));
	at = "\n1";
	ok(!number_field(&at, NUMBER_DECIMAL, 255, &value));
	at = " 256";
	ok(!number_field(&at, NUMBER_DECIMAL, 255, &value));
}

static void digits(void)
{
	uint64_t value;

	is(number_digit('0'), 0);
	is(number_digit('9'), 9);
	is(number_digit('a'), 10);
	is(number_digit('F'), 15);
	is(number_digit('g'), -1);
	is(number_digit('/'), -1);
	is(number_digit('\0'), -1);
	ok(number_hex("00fFx", 4, &value));
	is(value, 255);
	ok(number_hex("ffffffffffffffff", 16, &value));
	is(value, UINT64_MAX);
	ok(!number_hex("0ffffffffffffffff", 17, &value));
	ok(!number_hex("0x1f", 4, &value));
	ok(!number_hex(" 1", 2, &value));
	ok(!number_hex("", 0, &value));
}

static void settings(void)
{
	static const struct {
		const char *text;
		bool good;
		int want;
	} rows[] = {
		{ "2\n", true, 2 },
		{ "-1\n", true, -1 },
		{ "0", true, 0 },
		{ "2147483647\n", true, 2147483647 },
		{ "-2147483647\n", true, -2147483647 },
		{ "2147483648\n", false, 0 },
		{ "--1\n", false, 0 },
		{ "+1\n", false, 0 },
		{ "1 2\n", false, 0 },
		{ "1\n2", false, 0 },
		{ "0x1\n", false, 0 },
		{ "-\n", false, 0 },
		{ "", false, 0 },
		{ "\n", false, 0 },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		int value = 99;

		tap_context("row %u", n);
		is(number_setting(rows[n].text, &value), rows[n].good);
		is(value, rows[n].good ? rows[n].want : 99);
	}
}

static void reals(void)
{
	static const struct {
		const char *text, *rest;
		double want;
	} rows[] = {
		{ "12", "", 12 }, { "0.5", "", 0.5 }, { ".5x", "x", 0.5 },    { "1e-3", "", 0.001 },
		{ "1e", "e", 1 }, { "2.", "", 2 },    { "3.5.5", ".5", 3.5 }, { "7 ", " ", 7 },
		{ "007", "", 7 }, { "0", "", 0 },     { "0e9)", ")", 0 },
	};
	static const char *const refused[] = {
		"",    ".",   " 1",    "-1", "+1",  "0x10", "0X1p3",
		"inf", "nan", "1e999", "e5", "..5", ".-5",
	};
	double value;

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		const char *at = rows[n].text;

		tap_context("'%s'", rows[n].text);
		ok(number_real(&at, &value));
		ok(value == rows[n].want);
		is_str(at, rows[n].rest);
	}
	for (unsigned n = 0; n < TAP_NR(refused); n++) {
		const char *at = refused[n];

		tap_context("'%s'", refused[n]);
		ok(!number_real(&at, &value));
		ok(at == refused[n]);
	}
}

/* Reads the list into a set of bits; NONE: refused. */
static uint64_t list(const char *text)
{
	uint64_t first, last, set = 0;

	do {
		if (!number_range(&text, 63, &first, &last))
			return NONE;
		for (; first <= last; first++)
			set |= UINT64_C(1) << first;
	} while (*text);
	return set;
}

static void ranges(void)
{
	is(list("3"), 8);
	is(list("0-3,5"), 0x2f);
	is(list("0-1,4-5,63"), UINT64_C(1) << 63 | 0x33);
	is(list("0-1\n"), 3);
	is(list("5-4"), NONE);
	is(list("64"), NONE);
	is(list("0-64"), NONE);
	is(list(""), NONE);
	is(list("1,"), NONE);
	is(list(",1"), NONE);
	is(list("1-"), NONE);
	is(list("1--2"), NONE);
	is(list("1;2"), NONE);
	is(list("1\n2"), NONE);
}

static void times(void)
{
	uint64_t ns;

	ok(number_time("500ms", UINT64_MAX, &ns));
	is(ns, 500000000);
	ok(number_time("2s", UINT64_MAX, &ns));
	is(ns, 2000000000);
	ok(number_time("7us", UINT64_MAX, &ns));
	is(ns, 7000);
	ok(number_time("30ns", UINT64_MAX, &ns));
	is(ns, 30);
	ok(number_time("31", UINT64_MAX, &ns));
	is(ns, 31);
	ok(number_time("1s", 1000000000, &ns));
	ok(!number_time("1s", 999999999, &ns));
	ok(!number_time("18446744074s", UINT64_MAX, &ns)); /* more than 64 bits */
	ok(!number_time("1m", UINT64_MAX, &ns));
	ok(!number_time("ms", UINT64_MAX, &ns));
	ok(!number_time("-1s", UINT64_MAX, &ns));
	ok(!number_time("1 s", UINT64_MAX, &ns));
}

static void frequencies(void)
{
	uint64_t hz;

	ok(number_hertz("1.85G", UINT64_MAX, &hz));
	is(hz, 1850000000);
	ok(number_hertz("100M", UINT64_MAX, &hz));
	is(hz, 100000000);
	ok(number_hertz("32.768K", UINT64_MAX, &hz));
	is(hz, 32768);
	ok(number_hertz("10000000000", UINT64_MAX, &hz));
	is(hz, 10000000000);
	ok(number_hertz("1.000000001G", UINT64_MAX, &hz));
	is(hz, 1000000001);
	ok(number_hertz("1.0", UINT64_MAX, &hz));
	is(hz, 1);
	ok(number_hertz("1.5G", 1500000000, &hz));
	ok(!number_hertz("1.5G", 1499999999, &hz));
	ok(!number_hertz("1.5", UINT64_MAX, &hz)); /* less than a hertz is left */
	ok(!number_hertz("1.0000000001G", UINT64_MAX, &hz));
	ok(!number_hertz("20000000000G", UINT64_MAX, &hz)); /* more than 64 bits */
	ok(!number_hertz("", UINT64_MAX, &hz));
	ok(!number_hertz("G", UINT64_MAX, &hz));
	ok(!number_hertz(".5G", UINT64_MAX, &hz));
	ok(!number_hertz("1.G", UINT64_MAX, &hz));
	ok(!number_hertz("1.5.5G", UINT64_MAX, &hz));
	ok(!number_hertz("1 G", UINT64_MAX, &hz));
	ok(!number_hertz("1GHz", UINT64_MAX, &hz));
	ok(!number_hertz("-1G", UINT64_MAX, &hz));
	ok(!number_hertz("0x10", UINT64_MAX, &hz));
}

static void printed(void)
{
	static const uint64_t values[] = {
		0, 1, 1023, 1024, 1536, 1 << 20, UINT64_C(3) << 40, UINT64_MAX
	};
	static const char *const want[] = { "0",    "1",  "1023",  "1K",
					    "1536", "1M", "3072G", "18446744073709551615" };

	for (unsigned n = 0; n < TAP_NR(values); n++) {
		char text[24];
		uint64_t back = 0;

		tap_context("row %u", n);
		number_print(text, NUMBER_UNITS, values[n]);
		is_str(text, want[n]);
		ok(number_parse(text, NUMBER_UNITS, 0, UINT64_MAX, &back));
		is(back, values[n]);
		number_print(text, 0, values[n]);
		ok(number_parse(text, 0, 0, UINT64_MAX, &back));
		is(back, values[n]);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "numbers with bases, units and bounds", numbers },
		{ "sizes in another form", sizes_meant },
		{ "a number with other text after it", reads_on },
		{ "fields after blanks", fields },
		{ "hexadecimal digits", digits },
		{ "settings of the kernel", settings },
		{ "real numbers", reals },
		{ "lists of ranges", ranges },
		{ "times with units", times },
		{ "frequencies with units", frequencies },
		{ "a printed number is read back as the same number", printed },
	};

	return tap_run(cases, TAP_NR(cases));
}

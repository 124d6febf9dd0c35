// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_procmap.c - lines of /proc/PID/maps.
 */
#include "procmap.h"
#include "tap.h"

static void mapping(void)
{
	struct procmap m;

	ok(procmap_read("20000-3f000 r-xp 00010000 fe:1a 1234                       /a b (deleted)",
			&m));
	is(m.start, 0x20000);
	is(m.end, 0x3f000);
	ok(!memcmp(m.perms, "r-xp", 4));
	is(m.offset, 0x10000);
	is(m.major, 0xfe);
	is(m.minor, 0x1a);
	is(m.inode, 1234);
	is_str(m.name, "/a b (deleted)");
	ok(procmap_read("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 ", &m));
	is(m.start, 0xffffffffff600000);
	is_str(m.name, "");
	ok(procmap_read("1-1 ---s 0 0:0 18446744073709551615", &m));
	is(m.inode, UINT64_MAX);
	is_str(m.name, "");
}

static void refused(void)
{
	static const char *const rows[] = {
		"",
		"nonsense",
		"2000",
		"2000-",
		"2000-3000",
		"2000-3000 ",
		"2000-3000 r-xp",
		"2000-3000 r-xp ",
		"2000-3000 r-x 0 0:0 0",
		"2000-3000 r-xpp 0 0:0 0",
		"2000-3000 r-xp 0",
		"2000-3000 r-xp 0 0 0",
		"2000-3000 r-xp 0 0:0",
		"2000-3000 r-xp 0 0:0 x",
		"2000-3000 r-xp 0 100000000:0 0",
		"3000-2000 r-xp 0 0:0 0",
		"10000000000000000-10000000000000001 r-xp 0 0:0 0",
	};
	struct procmap m;

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		tap_context("'%s'", rows[n]);
		ok(!procmap_read(rows[n], &m));
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a line", mapping },
		{ "what is not a line", refused },
	};

	return tap_run(cases, TAP_NR(cases));
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_nomem.c - counts are read while an allocation fails: the error is one line that says so, and
 * nothing is left; never a part of the counts.
 */
#include <errno.h>

#include "counts.h"
#include "nomem.h"
#include "scratch.h"

struct file {
	const char *text;
	size_t counts;
	char path[32];
};

static bool reads(void *arg)
{
	const struct file *f = arg;
	struct error_text why = { "" };
	struct counts c;
	bool good = counts_read(&c, f->path, &why);
	int error = errno;

	nomem_pause();
	if (good) {
		is(c.list.nr, f->counts);
		is_str(c.command, "./x 1");
		is_str(c.machine ? c.machine : "none", c.exact ? "u74 with l2.size=4M" : "none");
	} else {
		is(error, ENOMEM);
		ok(strstr(why.text, ": out of memory") && !strchr(why.text, '\n'));
		ok(!c.list.at && !c.command && !c.machine);
	}
	counts_free(&c);
	return good;
}

static void reading(void)
{
	struct file files[] = {
		{ "{\"machine\": {\"cpu\": {\"name\": \"u74\", \"set\": [\"l2.size=4M\"]}}, "
		  "\"command\": [\"./x\", \"1\"], \"harts\": [{\"events\": [{\"event\": "
		  "\"cycles\", \"count\": 10, \"m\": 1, \"s\": 2, \"u\": 7}]}]}",
		  4, "test_nomem.XXXXXX" },
		{ "{\"command\": [\"./x\", \"1\"], \"events\": [{\"event\": \"cycles:u\", "
		  "\"count\": 1000.4, \"spread\": 0.01}, {\"event\": \"ticks\", \"count\": 7}]}",
		  2, "test_nomem.XXXXXX" },
	};

	for (size_t n = 0; n < TAP_NR(files); n++) {
		scratch_file(files[n].path, files[n].text, strlen(files[n].text));
		nomem_each(reads, &files[n], NOMEM_NEEDS_ALL);
		unlink(files[n].path);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "counts", reading },
	};

	return tap_run(cases, TAP_NR(cases));
}

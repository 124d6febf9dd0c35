// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_nomem.c - holter list while an allocation fails: it prints its whole table, or one line that
 * says why not.
 */
#include "fakekernel.h"

#include <cmd_list.h>

#include "captured.h"
#include "nomem.h"
#include "said.h"

static char *whole; /* with enough memory */

/* What the rig allocates after the command does not fail. */
static int run(int argc, char **argv)
{
	int status = cmd_list(argc, argv);

	nomem_pause();
	return status;
}

/* Without memory for the page of a counter, its number is not known. */
static bool alike(const char *out, const char *all)
{
	for (; *out && *all; out++, all++) {
		if (*out != *all && !(*out == '-' && *all >= '0' && *all <= '9'))
			return false;
	}
	return *out == *all;
}

static bool lists(void *arg)
{
	int status;
	char *out;

	nomem_pause();
	fake_boot();
	fake_event_names();
	nomem_resume();
	out = captured(run, arg, &status);
	if (status) {
		is(status, 2);
		is_str(out, "");
		ok(has_said_only("out of memory"));
	} else if (whole) {
		if (!ok(alike(out, whole)))
			printf("# shown:\n%s\n", out);
	} else {
		whole = strdup(out);
	}
	is(fake_nr_open(), 0);
	free(out);
	return !status;
}

static void each(const char *const *args)
{
	ok(lists((void *)args));
	nomem_each(lists, (void *)args, NOMEM_MAY_DO_WITHOUT);
	free(whole);
	whole = NULL;
}

static void tables(void)
{
	each((const char *const[]){ "list", NULL });
	each((const char *const[]){ "list", "raw=0x6,usr", NULL });
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "tables", tables },
	};

	return tap_run(cases, TAP_NR(cases));
}

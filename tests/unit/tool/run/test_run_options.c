// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_run_options.c - the options of holter run that need no machine: a snapshot sets options, and
 * nothing is left allocated (the leak sanitizer checks at the end).
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <tap.h>

#include <cache.h>
#include <run.h>

#include "said.h"
#include "snapshot.h"

/* Functions that these options never call. */
bool cache_folder(char to[PATH_MAX], struct error_text *why)
{
	(void)to, (void)why;
	abort();
}

unsigned cache_prune(const char *folder, unsigned keep)
{
	(void)folder, (void)keep;
	abort();
}

/* A snapshot of a U74 with two harts. */
bool machine_snapshot_options(const char *path, struct machine_options *o, char cpu[CPU_NAME_SIZE],
			      struct error_text *why)
{
	if (strcmp(path, "two.u74")) {
		snprintf(why->text, sizeof(why->text), "%s: not a snapshot", path);
		return false;
	}
	o->harts = 2;
	strcpy(cpu, "u74");
	return true;
}

static int options(struct run *r, const char *const *words)
{
	char *argv[16];
	int argc = 0;

	*r = (struct run){ .cpu = "max", .machine = { .harts = 1, .memory = 64 << 20 } };
	for (; words[argc]; argc++)
		argv[argc] = (char *)words[argc];
	argv[argc] = NULL;
	optind = 0;
	return run_options(r, argc, argv);
}

#define OPTIONS(r, ...) options(r, (const char *const[]){ "run", ##__VA_ARGS__, NULL })

static void restored(void)
{
	struct run r;

	is(OPTIONS(&r, "--restore", "two.u74", "--stats"), 0);
	is_str(r.cpu, "u74");
	is(r.machine.harts, 2);
	ok(r.stats);
	/*
	 * an option beside it overrides the snapshot; the machine then refuses the snapshot and
	 * names the option
	 */
	is(OPTIONS(&r, "--restore", "two.u74", "--cpu", "x60", "--smp", "4"), 0);
	is_str(r.cpu, "x60");
	is(r.machine.harts, 4);
	is(OPTIONS(&r, "--restore", "none"), 2);
	ok(has_said("none: not a snapshot"));
}

/* Options of holter stat. */
static void counting(void)
{
	struct run r;

	says(OPTIONS(&r, "-e", "cycles", "--", "ls"), 2,
	     "there is no option '-e': holter stat counts events: holter run [OPTION]... -- holter "
	     "stat -e EVENTS COMMAND");
	says(OPTIONS(&r, "-ecycles"), 2, "no option '-e': holter stat counts events");
	says(OPTIONS(&r, "--event=cycles"), 2, "no option '--event': holter stat counts events");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "--restore takes the options of the snapshot", restored },
		{ "-e belongs to holter stat", counting },
	};

	return tap_run(cases, TAP_NR(cases));
}

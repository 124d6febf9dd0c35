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
			      char set[CPU_SETS_SIZE], struct error_text *why)
{
	if (strcmp(path, "two.u74")) {
		snprintf(why->text, sizeof(why->text), "%s: not a snapshot", path);
		return false;
	}
	o->harts = 2;
	strcpy(cpu, "u74");
	strcpy(set, "l1d.ways=4\nl2.size=4M");
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
	is(r.set.nr, 2);
	is_str(r.set.at[0], "l1d.ways=4");
	is_str(r.set.at[1], "l2.size=4M");
	free(r.set.at);
	/*
	 * an option beside it overrides the snapshot; the machine then refuses the snapshot and
	 * names the option
	 */
	is(OPTIONS(&r, "--restore", "two.u74", "--cpu", "x60", "--smp", "4"), 0);
	is_str(r.cpu, "x60");
	is(r.set.nr, 0); /* they are changes of the saved CPU */
	is(r.machine.harts, 4);
	is(OPTIONS(&r, "--restore", "two.u74", "--set", "l2.size=8M"), 0);
	is(r.set.nr, 1);
	is_str(r.set.at[0], "l2.size=8M");
	free(r.set.at);
	is(OPTIONS(&r, "--restore", "none"), 2);
	ok(has_said("none: not a snapshot"));
}

/* --set may be repeated, and turns the models on. */
static void changed(void)
{
	struct run r;

	is(OPTIONS(&r, "--set", "l2.size=4M", "--set=pipe.width=1", "x.elf"), 0);
	is(r.set.nr, 2);
	is_str(r.set.at[1], "pipe.width=1");
	ok(r.machine.models);
	free(r.set.at);
	is(OPTIONS(&r, "--set", "l2.size=4M", "--model", "none", "x.elf"), 0);
	ok(!r.machine.models);
	free(r.set.at);
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

/* Options of QEMU, Spike, gem5 and perf: the line names ours. */
static void habits(void)
{
	static const struct {
		const char *option, *line;
	} row[] = {
		{ "-smp", "did you mean --smp?" },
		{ "-kernel", "did you mean --kernel?" },
		{ "-drive", "did you mean --drive?" },
		{ "-dtb", "did you mean --dtb?" },
		{ "-m", "'-m': --memory SIZE" },
		{ "--ram", "--memory SIZE" },
		{ "-bios", "--firmware FILE" },
		{ "-M", "there is one machine" },
		{ "-nographic", "'-nographic': the console is" },
		{ "-display", "'-display': the console is" },
		{ "-s", "--gdb PORT" },
		{ "-netdev", "--net" },
		{ "-loadvm", "--restore FILE" },
		{ "-p4", "'-p': --smp N" },
		{ "--isa=rv64gc", "'--isa': --cpu NAME" },
		{ "--cpus", "--smp N" },
		{ "--harts", "--smp N" },
		{ "--l2_size=4MB", "--cpu FILE.dts" },
		{ "--timeout", "timeout(1)" },
		{ "--trace", "-d CATEGORIES" },
		{ "-v", "-d CATEGORIES" },
		{ "-o", "a > of the shell" },
		{ "-F", "holter run -- holter record" },
		{ "--models", "did you mean --model?" },
	};
	struct run r;

	for (size_t n = 0; n < TAP_NR(row); n++) {
		tap_context("%s", row[n].option);
		says(OPTIONS(&r, row[n].option, "4", "--", "ls"), 2, row[n].line);
	}
}

static void values(void)
{
	struct run r;

	says(OPTIONS(&r, "-d", "", "x"), 2, "-d: there is no category ''; choose from");
	says(OPTIONS(&r, "-d", "insn,", "x"), 2, "-d: there is no category ''");
	says(OPTIONS(&r, "-d", "insn,trop", "x"), 2, "-d: there is no category 'trop'");
	is(OPTIONS(&r, "-d", "insn,trap", "x"), 0);
	says(OPTIONS(&r, "--with", "", "--", "ls"), 2,
	     "--with '': must be names of Debian's packages");
	says(OPTIONS(&r, "--with", "a b", "--", "ls"), 2, "--with 'a b': must be names");
	says(OPTIONS(&r, "--with", "python3,", "--", "ls"), 2, "--with 'python3,': must be names");
	says(OPTIONS(&r, "--with", "-x", "--", "ls"), 2, "--with '-x': must be names");
	says(OPTIONS(&r, "--with", "Python3", "--", "ls"), 2, "--with 'Python3': must be names");
	is(OPTIONS(&r, "--with", "python3,libstdc++6,x.y-z", "--", "ls"), 0);
	is_str(r.with, "python3,libstdc++6,x.y-z");
	says(OPTIONS(&r, "--memory", "64", "x"), 2, "did you mean 64M?");
	says(OPTIONS(&r, "--seed", "9999999999999999999999", "x"), 2,
	     "must be a number from 0 to 9223372036854775807");
	says(OPTIONS(&r, "--kernel", ""), 2, "--kernel '': must be the name of a file");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "--restore takes the options of the snapshot", restored },
		{ "--set", changed },
		{ "-e belongs to holter stat", counting },
		{ "options of other programs", habits },
		{ "values that cannot be", values },
	};

	return tap_run(cases, TAP_NR(cases));
}

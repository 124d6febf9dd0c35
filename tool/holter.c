// SPDX-License-Identifier: BSD-2-Clause
/*
 * holter.c - finds and runs the command that the first argument names.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd_annotate.h"
#include "cmd_diff.h"
#include "cmd_doctor.h"
#include "cmd_list.h"
#include "cmd_record.h"
#include "cmd_report.h"
#include "cmd_stat.h"
#include "holter.h"
#include "near.h"
#include "options.h"

/*
 * Opens the descriptors 0 to 2 if they are closed, so that no other file can get one of them and be
 * mistaken for the console.  Ignores SIGPIPE, so that a closed pipe makes write(2) fail.
 */
static void open_standard(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_WRONLY : O_RDONLY) != fd)
			_exit(2);
	}
	signal(SIGPIPE, SIG_IGN);
}

/* The commands that need no emulator: they use libpmc, on any Linux. */
static const struct holter_command commands[] = {
	{ "annotate", cmd_annotate,
	  "shows the instructions of a function, and what happened at each" },
	{ "diff", cmd_diff, "shows what two or more profiles differ in" },
	{ "doctor", cmd_doctor, "names the layer that refuses a counter, and what to do" },
	{ "list", cmd_list, "shows every event, and which of them this machine counts" },
	{ "record", cmd_record, "samples where a program is when events happen" },
	{ "report", cmd_report, "shows where the events of a profile happened" },
	{ "stat", cmd_stat, "counts what a program, processes or CPUs do" },
	{ 0 },
};

static const struct holter_command *find(const struct holter_command *list, const char *name)
{
	for (; list->name; list++) {
		if (!strcmp(list->name, name))
			return list;
	}
	return NULL;
}

static void help_list(FILE *to, const struct holter_command *list)
{
	for (; list->name; list++) {
		if (list->text)
			fprintf(to, "  %-10s%s\n", list->name, list->text);
	}
}

static void help(FILE *to)
{
	fputs("usage: holter COMMAND [ARGUMENT]...\n", to);
	help_list(to, commands);
	help_list(to, holter_machine_commands);
	fputs("holter help COMMAND says what it takes, and holter-COMMAND(1) the rest.\n"
	      "holter-tutorial(7) begins with your program; holter-faq(7) answers questions.\n",
	      to);
}

#define PERF "it is perf's, and the guest has perf: holter run -- perf COMMAND"

/* Commands of other tools, and what to use instead. */
static const struct option_habit elsewhere[] = {
	{ "compare differ", "holter diff A B shows what two profiles differ in" },
	{ "evlist", "holter report --events lists the events of a profile" },
	{ "script", "holter report -o FILE.folded or FILE.json is for other programs" },
	{ "top", "holter record -a and holter report show what the CPUs do" },
	{ "trace", "holter run -d CATEGORIES traces a machine" },
	{ "c2c mem",
	  "holter run --cpu NAME --profile FILE -- COMMAND and holter report -s line FILE "
	  "show which line misses which cache" },
	{ "perf",
	  "holter stat, record and report are commands as perf has them; the guest has perf "
	  "itself: holter run -- perf" },
	{ "archive bench buildid-cache buildid-list config daemon data ftrace inject iostat "
	  "kallsyms "
	  "kmem kvm kwork lock probe sched test timechart",
	  PERF },
	{ "boot exec start", "holter run does it" },
	{ "cpus", "holter cpu shows the CPUs" },
	{ "events", "holter list shows the events" },
	{ "-v version", "holter --version says it" },
	{ 0 },
};

static const struct holter_command *command_of(const char *name)
{
	const struct holter_command *c = find(commands, name);

	return c ? c : find(holter_machine_commands, name);
}

/* An option before the command; words: what follows it. */
static int option_first(const char *option, char **words)
{
	for (; *words; words++) {
		if (command_of(*words))
			return holter_error("'%s' comes before the command: the options of a "
					    "command come after it, as in holter %s %s",
					    option, *words, option);
	}
	return holter_error("there is no option '%s' before a command: the options of a command "
			    "come after it; holter help lists the commands",
			    option);
}

static int unknown_command(const char *name, char **words)
{
	const char *instead = options_instead(elsewhere, name);
	struct near near = near_to(name);

	if (instead)
		return holter_error("there is no command '%s': %s", name, instead);
	near_try(&near, "--help");
	near_try(&near, "--version");
	if (*name == '-' && !near.best)
		return option_first(name, words);
	for (const struct holter_command *c = commands; c->name; c++)
		near_try(&near, c->name);
	for (const struct holter_command *c = holter_machine_commands; c->name; c++)
		near_try(&near, c->name);
	if (near.best)
		return holter_error("there is no command '%s'; did you mean %s? (holter help lists "
				    "them)",
				    name, near.best);
	return holter_error("there is no command '%s'; holter help lists those that there are",
			    name);
}

static int cmd_help(int argc, char **argv)
{
	const struct holter_command *c;
	char option[] = "--help", *words[] = { argv[1], option, NULL };

	if (argc > 2)
		return holter_error("help: unexpected argument '%s': only one command is allowed",
				    argv[2]);
	if (argc < 2) {
		help(stdout);
		return 0;
	}
	c = command_of(argv[1]);
	return c ? c->run(2, words) : unknown_command(argv[1], argv + 2);
}

/* Every command fails if its standard output or standard error could not be written. */
static int written(int status)
{
	if (status > 1)
		return status;
	if (!fflush(stdout) && !ferror(stdout))
		return ferror(stderr) ? 2 : status;
	/* No message if the reader closed the pipe, as head(1) does. */
	return errno == EPIPE ? 2 : holter_error("standard output: %s", strerror(errno));
}

int main(int argc, char **argv)
{
	const struct holter_command *c;

	open_standard();
	if (argc < 2) {
		help(stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return written(cmd_help(argc - 1, argv + 1));
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("holter " HOLTER_VERSION " (commit %s)\n", holter_commit);
		return written(0);
	}
	c = command_of(argv[1]);
	return written(c ? c->run(argc - 1, argv + 1) : unknown_command(argv[1], argv + 2));
}

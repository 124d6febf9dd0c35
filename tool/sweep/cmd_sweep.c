// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_sweep.c - holter sweep: runs a command on many machines and shows what it costs on each;
 * runs one of these jobs; lists them for GNU parallel and Slurm; collects their results.
 */
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster.h"
#include "cmd_sweep.h"
#include "cpu_file.h"
#include "holter.h"
#include "options.h"
#include "output.h"
#include "sweep.h"

struct input {
	struct sweep s;
	char **command; /* up to a NULL; NULL: none */
	const char *dir, *collect;
	bool list, slurm;
	struct output_options output;
	unsigned job, at_once; /* 0: not given */
	const char *events;
	const char *cpu, *smp, *memory, *with, *seed; /* for holter run */
	struct option_texts set;
};

#define IN(member) OPTION_FIELD(struct input, member)

static const struct option_row rows[] = {
	{ OPTION_TEXT, "event", 'e', "EVENT,...",
	  "count these events, names or patterns: NAME; NAME:u of user code, NAME:k of the kernel, "
	  "NAME:m of firmware (default: cycles, instructions and misses of user code)",
	  IN(events) },
	OUTPUT_ROWS(struct input, output, "text, csv, json or html: a page with plots"),
	{ OPTION_NUMBER, NULL, 'j', "N", "machines to run at a time", IN(at_once), 1, 1024,
	  "number of cores" },
	{ OPTION_TEXT, "dir", 0, "DIR",
	  "keep the results in this folder; jobs that are done there are not run again", IN(dir),
	  .group = "Jobs" },
	{ OPTION_ON, "profiles", 0, NULL, "keep the exact profile of each machine there",
	  IN(s.profiles) },
	{ OPTION_ON, "list", 0, NULL,
	  "run nothing: print the jobs that are left, a shell command a line, for GNU parallel",
	  IN(list) },
	{ OPTION_ON, "slurm", 0, NULL, "run nothing: print a script for Slurm's sbatch, an array",
	  IN(slurm) },
	{ OPTION_NUMBER, "job", 0, "N", "run job N of the sweep in --dir", IN(job), 1, SWEEP_JOBS },
	{ OPTION_TEXT, "collect", 0, "DIR", "run nothing: show the results of this folder",
	  IN(collect) },
	{ OPTION_TEXT, "cpu", 0, "NAME|FILE", "as in holter run", IN(cpu), .group = "Machine" },
	{ OPTION_TEXTS, "set", 0, "PROPERTY=VALUE", "as in holter run", IN(set) },
	{ OPTION_TEXT, "smp", 0, "N", "as in holter run", IN(smp) },
	{ OPTION_TEXT, "memory", 0, "SIZE", "as in holter run", IN(memory) },
	{ OPTION_CALL, "with", 0, "PACKAGE,...", "as in holter run", IN(with),
	  .call = options_packages },
	{ OPTION_TEXT, "seed", 0, "N", "as in holter run", IN(seed) },
	{ OPTION_FACT, "COMMAND", 0, NULL, "a command (-- COMMAND)", IN(command) },
	{ OPTION_FACT, "PROPERTY", 0, NULL, "a PROPERTY=VALUE,...", IN(s.nr_axes) },
	{ 0 },
};

#define RUNS_NOTHING "it runs nothing"
#define IN_PLAN	     "the sweep in the folder says it"

static const struct option_rule rules[] = {
	{ "list", OPTION_EXCLUDES, "slurm job collect j o format json", RUNS_NOTHING },
	{ "slurm", OPTION_EXCLUDES, "job collect j o format json", RUNS_NOTHING },
	{ "list", OPTION_NEEDS, "dir", "the jobs put their results there" },
	{ "slurm", OPTION_NEEDS, "dir", "the jobs put their results there" },
	{ "profiles", OPTION_NEEDS, "dir", "they are kept there" },
	{ "job", OPTION_NEEDS, "dir", "the sweep is there" },
	{ "job", OPTION_EXCLUDES, "COMMAND PROPERTY collect profiles cpu set smp memory with seed",
	  IN_PLAN },
	{ "job", OPTION_EXCLUDES, "j e o format json", "it shows no results; --collect does" },
	{ "collect", OPTION_EXCLUDES, "COMMAND PROPERTY dir profiles cpu set smp memory with seed",
	  IN_PLAN },
	{ "collect", OPTION_EXCLUDES, "j", RUNS_NOTHING },
	OUTPUT_RULES,
	{ NULL, OPTION_NEEDS, "PROPERTY job collect",
	  "nothing to sweep: name properties and their values, as in holter sweep "
	  "l2.size=256K..8M -- ./program" },
	{ NULL, OPTION_NEEDS, "COMMAND job collect", "nothing to run: -- and a command" },
	{ 0 },
};

static const struct option_habit habits[] = {
	{ "--parameter-scan -P --parameter-list -L",
	  "names and values stand without an option: l2.size=256K..8M" },
	{ "--jobs --max-procs --parallel", "-j N" },
	{ "-r --repeat --runs", "equal runs have equal counts: one is enough" },
	{ "--resume --resume-failed", "--dir DIR goes on by itself" },
	{ "--html --csv", "--format says it, or the suffix of -o" },
	{ 0 },
};

/* The formats. */
struct format {
	struct output_format is;
	void (*write)(const struct sweep_results *r, FILE *to);
};

static const struct format formats[] = {
	{ { "text", ".txt" }, sweep_text },
	{ { "csv", ".csv" }, sweep_csv },
	{ { "json", ".json" }, sweep_json },
	{ { "html", ".html" }, sweep_page },
};

static const struct output_formats choices = { formats, 4, sizeof(*formats), NULL };

static int take_axes(void *to, const char *word)
{
	struct input *o = to;

	return sweep_add_axes(&o->s, word);
}

static const struct options options = {
	.usage = "sweep [OPTION]... PROPERTY=VALUE,...[,PROPERTY=VALUE,...] -- COMMAND "
		 "[ARGUMENT]...\n"
		 "sweep [OPTION]... --collect DIR\n"
		 "sweep --job N --dir DIR",
	.about = "Runs COMMAND as holter run does on each machine that has one of the values of "
		 "each "
		 "property, and shows what it counted there.  A value may be a range: 256K..8M "
		 "doubles, 1..8:1 adds.  cpu, smp and seed can be swept, too.",
	.rows = rows,
	.end = "holter cpu --properties lists the properties.  holter-sweep(1) describes the files "
	       "in "
	       "the folder.",
	.rules = rules,
	.habits = habits,
	.operand = take_axes,
};

static bool is_swept(const struct sweep *s, const char *option)
{
	for (unsigned n = 0; n < s->nr_axes; n++) {
		if (!strcmp(s->axes[n].name, option))
			return true;
	}
	return false;
}

/* The seed also of jobs that run elsewhere; NULL: the default. */
static const char *seed_of(const struct input *o)
{
	const char *seed = getenv("HOLTER_SEED");

	return o->seed || is_swept(&o->s, "seed") || !seed || !*seed ? o->seed : seed;
}

/* Numbers that holter run would refuse in each job are refused at once. */
static int check_numbers(const struct input *o)
{
	uint64_t value;

	if (o->smp && options_number("--smp", o->smp, 1, HARTS_MAX, false, &value))
		return 2;
	if (o->seed && options_number("--seed", o->seed, 0, OPTION_OPEN, false, &value))
		return 2;
	return o->memory ? options_number("--memory", o->memory, 8 << 20, 1ull << 38, true, &value)
			 : 0;
}

/* The options of the machine, as holter run has them. */
static int take_machine(struct input *o)
{
	const struct {
		const char *name, *value;
	} given[] = { { "--cpu", o->cpu },
		      { "--smp", o->smp },
		      { "--memory", o->memory },
		      { "--with", o->with },
		      { "--seed", seed_of(o) } };
	bool good = true;

	for (size_t n = 0; n < sizeof(given) / sizeof(*given) && good; n++) {
		if (!given[n].value)
			continue;
		if (is_swept(&o->s, given[n].name + 2))
			return holter_error("%s: it is also swept: %s=", given[n].name,
					    given[n].name + 2);
		good = measure_add_word(&o->s.machine, given[n].name) &&
		       measure_add_word(&o->s.machine, given[n].value);
	}
	for (size_t n = 0; n < o->set.nr && good; n++)
		good = measure_add_word(&o->s.machine, "--set") &&
		       measure_add_word(&o->s.machine, o->set.at[n]);
	for (char **word = o->command; *word && good; word++)
		good = measure_add_word(&o->s.command, *word);
	return good ? 0 : holter_error("sweep: out of memory");
}

static unsigned cores(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

static int show(const struct input *o, const struct format *format)
{
	struct sweep_results r;
	int status = sweep_results(&r, &o->s, o->events);
	FILE *to = status ? NULL : output_open(o->output.out, NULL, 0);

	if (to) {
		format->write(&r, to);
		status = output_close(o->output.out, to, 0);
	} else {
		status = 2;
	}
	if (!status && r.done < o->s.jobs)
		status = 1;
	sweep_results_free(&r);
	return status;
}

/* Removes the folder that was made for this run only. */
static void remove_folder(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		unlinkat(dirfd(dir), e->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(path);
}

static int run_all(struct input *o, const struct format *format)
{
	const char *base = getenv("TMPDIR");
	char *made = NULL;
	int status = 0;

	if (!o->dir && asprintf(&made, "%s/holter-sweep.XXXXXX", base && *base ? base : "/tmp") < 0)
		return holter_error("sweep: out of memory");
	if (made && !mkdtemp(made)) {
		status = holter_error("%s: %s", made, strerror(errno));
		free(made);
		return status;
	}
	if (o->with)
		status = sweep_check_packages(&o->s);
	if (!status)
		status = sweep_begin(&o->s, made ? made : o->dir);
	if (!status)
		status = sweep_run(&o->s, o->at_once ? o->at_once : cores());
	if (!status)
		status = show(o, format);
	/* After a failure or a signal the folder stays: it has the logs and the results. */
	if (made && !status)
		remove_folder(made);
	free(made);
	return status;
}

/* A program of the shared folder must be there; one of the guest is found by the first job. */
static int check_program(const struct input *o)
{
	const char *program = o->s.command.at[0];

	if (*program == '/' || !strchr(program, '/') || !access(program, F_OK))
		return 0;
	return holter_error("%s: there is no such file in the shared folder, which is this one",
			    program);
}

/* The jobs of a sweep that is still to be described by the options. */
static int begin(struct input *o, const struct format *format)
{
	int status = check_numbers(o);

	if (!status)
		status = take_machine(o);
	if (!status)
		status = sweep_count_jobs(&o->s);
	if (!status && o->events) {
		status = sweep_check_events(o->events);
		o->s.events = strdup(o->events);
		if (!status && !o->s.events)
			status = holter_error("sweep: out of memory");
	}
	if (!status)
		status = sweep_check(&o->s);
	if (!status)
		status = check_program(o);
	if (!status)
		status = output_try(o->output.out);
	if (!status && !sweep_hash_program(&o->s.command, o->s.program))
		status = holter_error("sweep: out of memory");
	if (status)
		return status;
	if (!o->list && !o->slurm)
		return run_all(o, format);
	status = sweep_begin(&o->s, o->dir);
	if (status)
		return status;
	return o->list ? sweep_list(&o->s, stdout) : sweep_slurm(&o->s, stdout);
}

static int run_job(struct input *o)
{
	int status = sweep_read(&o->s, o->dir);

	if (status)
		return status;
	if (o->job > o->s.jobs)
		return holter_error("--job %u: the sweep in %s has %u jobs", o->job, o->dir,
				    o->s.jobs);
	status = sweep_job(&o->s, o->job);
	if (status == 1)
		sweep_tell_failure(&o->s, o->job);
	return status ? 1 : 0;
}

static int collect(struct input *o, const struct format *format)
{
	int status = sweep_read(&o->s, o->collect);

	return status ? status : show(o, format);
}

static int run(struct input *o, const struct options_read *read)
{
	const struct format *format;

	if (options_check(read))
		return 2;
	format = output_choose(&choices, &o->output);
	if (!format)
		return 2;
	if (o->job)
		return run_job(o);
	return o->collect ? collect(o, format) : begin(o, format);
}

int cmd_sweep(int argc, char **argv)
{
	struct input o = { .at_once = 0 };
	struct options_read read;
	int status = options_read(&read, &options, &o, argc, argv);

	if (status < 0) {
		o.command = optind < argc ? argv + optind : NULL;
		status = run(&o, &read);
	}
	sweep_free(&o.s);
	free(o.set.at);
	return status;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_record.c - holter record: samples a program, processes or CPUs into a perf.data file.
 *
 * libpmc writes the kernel's records into the file (pmc_configure_records(3)).  This folder writes
 * everything before and after them.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmd_record.h"
#include "events.h"
#include "file.h"
#include "holter.h"
#include "memtext.h"
#include "number.h"
#include "options.h"
#include "record.h"
#include "target.h"
#include "term.h"
#include "write.h"

#define DEFAULT_RATE	4000
#define LEAST_IN_KERNEL 1000 /* smallest period of cycles and instructions in the kernel */

struct record {
	struct target target;
	struct events events;
	const char *output;
	uint64_t count; /* the period; with `frequency`: samples per second */
	bool given, frequency; /* -c or -F was given; count is a frequency */
	bool own_events; /* -e was not given */
	enum { JITTER_CYCLES, JITTER_ALL, JITTER_NONE } jitter; /* the events whose period varies */
	bool chains, quiet;
	char instead[512]; /* why it does not sample cycles; "": it does, or -e was given */
	struct target_pmcs *pmcs; /* for each event */
	struct perf_file_event *described;
	struct perf_file file;
	int out; /* descriptor of a pipe, or of standard output, for the result; -1: none */
	int argc; /* the original command line */
	char **argv;
};

/*
 * Options
 */

/* Returns the highest sampling rate that Linux accepts; 0: unknown. */
static uint64_t max_rate(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "re");
	char text[32];
	int rate;

	if (!f || !fgets(text, sizeof(text), f) || !number_setting(text, &rate) || rate < 0)
		rate = 0;
	if (f)
		fclose(f);
	return (uint64_t)rate;
}

/* Reads the value of -F. */
static int take_rate(void *count, const struct option_row *row, const char *value)
{
	uint64_t *rate = count;

	*rate = strcmp(value, "max") ? 0 : max_rate();
	return *rate ? 0 : options_number("-F", value, 1, OPTION_OPEN, false, rate);
}

#define IN(member) OPTION_FIELD(struct record, member)

static const struct option_row rows[] = {
	{ OPTION_CALLS, "event", 'e', "LIST",
	  "sample these events, as in cycles:u,branch-misses:u; holter list shows all", IN(events),
	  .standard = "cycles", .call = events_option },
	{ OPTION_NUMBER, "count", 'c', "N", "take a sample every N events", IN(count), 1,
	  OPTION_OPEN },
	{ OPTION_SET, "jitter", 0, NULL,
	  "let the period of each event vary by a quarter around N; without this option "
	  "only that of cycles does",
	  IN(jitter), .low = JITTER_ALL },
	{ OPTION_SET, "no-jitter", 0, NULL, "the period of each event is exactly N", IN(jitter),
	  .low = JITTER_NONE },
	{ OPTION_CALL, "freq", 'F', "HZ",
	  "take this many samples a second; max: as many as Linux allows", IN(count),
	  .standard = "4000", .call = take_rate },
	{ OPTION_ON, NULL, 'g', NULL, "record call chains", IN(chains) },
	{ OPTION_TEXT, "output", 'o', "FILE",
	  "write FILE, and rename an old one to FILE.old; - is standard output", IN(output),
	  .standard = "perf.data" },
	{ OPTION_ON, "quiet", 'q', NULL, "print only errors", IN(quiet) },
	TARGET_ROWS(struct record, target),
	{ 0 },
};

static const struct option_rule rules[] = {
	{ "count", OPTION_EXCLUDES, "freq", "both say when to take a sample" },
	{ "jitter", OPTION_EXCLUDES, "no-jitter", "name one of them" },
	TARGET_RULES,
	{ 0 },
};

static const struct option_habit habits[] = {
	{ "-g", "it records call chains by frame pointers" },
	{ "--call-graph", "-g records call chains, by frame pointers" },
	{ "--all-user", "user mode alone is -e cycles:u" },
	{ "--all-kernel", "the kernel alone is -e cycles:k" },
	{ "-b -j --branch-any --branch-filter", "there is no branch stack on RISC-V" },
	{ "-m --mmap-pages --aio --threads -r --realtime",
	  "its buffers have the right size already" },
	{ "--filter --exclude-perf", "it samples counters, and no tracepoints" },
	{ "-I --intr-regs --user-regs", "registers are not recorded; -g records who called" },
	{ "--per-thread", "-t TID,... samples threads" },
	{ "--vmlinux -k", "holter report --vmlinux FILE reads it" },
	{ "--dry-run", "holter doctor EVENT tries whether an event can be counted" },
	{ "-d --data --phys-data --data-page-size --code-page-size -W --weight --transaction",
	  "holter run --profile FILE records where accesses miss which cache, exactly" },
	{ "-s --stat -T --timestamp -R --raw-samples --sample-cpu -P --period",
	  "what holter report shows is recorded already" },
	{ "-i --no-inherit", "-t TID samples one thread, and nothing that it starts" },
	{ "-G --cgroup -u --uid", "-p PID,... samples processes and what they fork" },
	{ "-D --delay", "start the program first, and sample it with -p PID" },
	{ "--duration --timeout", "timeout(1) ends it: timeout 10 holter record -p PID" },
	{ "-z --compression-level --max-size --switch-output --overwrite",
	  "a longer period (-c N) makes a smaller file" },
	{ "-N --no-buildid-cache -B --no-buildid --buildid-all",
	  "build ids are in the file, and nothing is copied" },
	{ "--user-callchains --kernel-callchains", "-g records both" },
	{ "--off-cpu", "-e context-switches samples where a program gives up its CPU" },
	{ "-n --no-samples", "holter stat counts without samples" },
	{ "-v --verbose", "holter doctor says more about counters" },
	{ 0 },
};

static const struct options options = {
	.usage = "record [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
		 "record [OPTION]... -p PID | -t TID | -C CPU | -a [[--] PROGRAM [ARGUMENT]...]",
	.about = "Samples where a program, processes, threads or CPUs are when events happen, into "
		 "a file that holter report and perf report read.",
	.rows = rows,
	.end = "The exit status is the program's; 127: there is no such program; 126: it cannot "
	       "be executed; 2: something else failed.  ^C ends the program, or the recording if "
	       "there is no program; the file is then complete.",
	.rules = rules,
	.habits = habits,
	.first = true,
};

/* Returns what options_read() returns. */
static int parse(struct record *r)
{
	struct options_read read;
	int status = options_read(&read, &options, r, r->argc, r->argv);

	if (status >= 0)
		return status;
	r->frequency = options_given(&read, "freq");
	r->given = r->frequency || options_given(&read, "count");
	if (optind < r->argc)
		r->target.command = r->argv + optind;
	if (options_no_value(&read, "g", "fp dwarf lbr", r->argv + optind))
		return 2;
	return options_check(&read) ? 2 : -1;
}

/* Fills in the defaults, and checks the rate against the kernel's limit. */
static int defaults(struct record *r)
{
	uint64_t most = max_rate();

	if (r->frequency && most && most < r->count)
		return holter_error("-F: %" PRIu64 " samples a second are more than "
				    "kernel.perf_event_max_sample_rate, which is %" PRIu64
				    " (-F max)",
				    r->count, most);
	r->own_events = r->events.nr == 0;
	if (r->own_events && events_add(&r->events, "cycles"))
		return 2;
	if (r->given)
		return 0;
	r->frequency = true;
	r->count = DEFAULT_RATE;
	if (most && most < r->count) {
		r->count = most;
		if (!r->quiet)
			holter_error("%" PRIu64 " samples a second, which is all that "
				     "kernel.perf_event_max_sample_rate allows",
				     most);
	}
	return 0;
}

/*
 * Events
 */

/*
 * Returns whether the period of event n varies.  A loop falls into step with a fixed period of
 * cycles more easily than with a fixed period of events that its instructions cause.
 */
static bool has_jitter(const struct record *r, unsigned n)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE };
	pmc_id_t id;

	if (r->frequency || r->jitter == JITTER_NONE ||
	    pmc_allocate(r->events.at[n].spec, PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0) < 0)
		return false;
	pmc_perf_attr(id, &attr, sizeof(attr));
	pmc_release(id);
	if (attr.type == PERF_TYPE_HARDWARE && attr.config == PERF_COUNT_HW_CPU_CYCLES)
		return true;
	return r->jitter == JITTER_ALL && attr.type != PERF_TYPE_SOFTWARE;
}

static int allocate(const struct record *r, unsigned n)
{
	uint32_t flags = PMC_F_RECORDS | (has_jitter(r, n) ? PMC_F_JITTER : 0) |
			 (r->frequency ? PMC_F_FREQUENCY : 0) | (r->chains ? PMC_F_CALLCHAIN : 0) |
			 (n ? PMC_F_SAMPLES_ONLY : 0);

	return target_allocate(&r->target, r->events.at[n].spec, true, flags, r->count,
			       &r->pmcs[n]);
}

/*
 * Replaces the default event cycles.  Without the right to sample the kernel, takes cycles in user
 * mode (which does not help for whole CPUs).  If the machine cannot sample cycles, takes cpu-clock.
 * Returns false if no replacement is left.
 */
static bool fall_back(struct record *r, int error)
{
	struct events_one *e = &r->events.at[0];
	bool user = e->modes;

	if (error == EPERM)
		return !r->target.cpus.nr && events_user(e);
	if ((error != ENXIO && error != EOPNOTSUPP && error != EINVAL) ||
	    !strncmp(e->name, "cpu-clock", 9))
		return false;
	events_free(&r->events);
	return events_add(&r->events, user ? "cpu-clock:u" : "cpu-clock") == 0;
}

static int open_one(struct record *r, unsigned n)
{
	char why[sizeof(r->instead)];

	while (allocate(r, n) < 0) {
		snprintf(why, sizeof(why), "%s", pmc_error_text());
		if (!r->own_events || !fall_back(r, errno))
			return holter_error("%s", why);
		memcpy(r->instead, why, sizeof(why));
	}
	return 0;
}

static int open_events(struct record *r)
{
	r->pmcs = calloc(r->events.nr, sizeof(*r->pmcs));
	if (!r->pmcs)
		return holter_error("out of memory");
	for (unsigned n = 0; n < r->events.nr; n++) {
		if (open_one(r, n))
			return 2;
	}
	return 0;
}

/* Prints what is sampled instead of cycles.  Call it when the events have been opened. */
static void say_instead(const struct record *r)
{
	const char *name = r->events.at[0].name;

	if (*r->instead && !r->quiet)
		holter_error("sampling %s, as %s: %s",
			     strncmp(name, "cpu-clock", 9) ? "user mode alone" : "time", name,
			     r->instead);
}

static bool describe(const struct target_pmcs *pmcs, const char *name, struct perf_file_event *e)
{
	int nr = 0, more = 0;

	e->name = name;
	for (unsigned i = 0; i < pmcs->nr && more >= 0; i++) {
		more = pmc_perf_ids(pmcs->id[i], NULL, 0);
		nr += more;
	}
	e->ids = more < 0 ? NULL : calloc((size_t)nr + 1, sizeof(*e->ids));
	if (!e->ids || pmc_perf_attr(pmcs->id[0], &e->attr, sizeof(e->attr)) < 0)
		return false;
	for (unsigned i = 0; i < pmcs->nr; i++) {
		more = pmc_perf_ids(pmcs->id[i], e->ids + e->nr_ids, nr - (int)e->nr_ids);
		if (more < 0)
			return false;
		e->nr_ids += (uint32_t)more;
	}
	return true;
}

/*
 * Returns whether the period is so short that the kernel would do nothing but sample itself.  The
 * interrupt handler that takes a sample has about 1300 instructions, and they count, too.  With a
 * period of 800, Linux's throttling lets the kernel continue; with 500 it makes no progress, also
 * with perf.
 */
static bool too_often(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE && attr->config <= PERF_COUNT_HW_INSTRUCTIONS &&
	       !attr->exclude_kernel && !attr->freq && attr->sample_period < LEAST_IN_KERNEL;
}

static int describe_events(struct record *r)
{
	r->described = calloc(r->events.nr, sizeof(*r->described));
	for (unsigned n = 0; n < r->events.nr; n++) {
		if (!r->described || !describe(&r->pmcs[n], r->events.at[n].name, &r->described[n]))
			return holter_error("%s",
					    r->described ? pmc_error_text() : "out of memory");
		if (too_often(&r->described[n].attr))
			return holter_error("-c %" PRIu64 ": so often the kernel would do nothing "
					    "else: %s needs %d or more, or user mode alone (:u)",
					    r->count, r->events.at[n].name, LEAST_IN_KERNEL);
	}
	r->file.events = r->described;
	r->file.nr_events = r->events.nr;
	return 0;
}

/*
 * The file
 */

static int file_error(const struct record *r)
{
	return holter_error("%s: %s", r->output, file_text(errno));
}

/*
 * For -o -.  Redirects the program's own output to standard error, so that it does not mix with the
 * file.
 */
static int take_output(struct record *r)
{
	if (strcmp(r->output, "-") != 0)
		return 0;
	r->output = "standard output";
	if (isatty(1))
		return holter_error("record: -o - needs a pipe or a file, and standard output is a "
				    "terminal");
	r->out = fcntl(1, F_DUPFD_CLOEXEC, 3);
	return r->out < 0 || dup2(2, 1) < 0 ? file_error(r) : 0;
}

/*
 * The format for pipes begins with data that is only known at the end.  So the profile is first
 * written to a temporary file.
 */
static int open_temporary(struct record *r)
{
	FILE *file = tmpfile();

	r->file.fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 3) : -1;
	if (r->file.fd < 0)
		return holter_error("%s: no temporary file for it: %s", r->output, strerror(errno));
	fclose(file);
	return 0;
}

/* For a device or a named pipe, from which the written data cannot be read again. */
static int open_pipe(struct record *r)
{
	r->out = file_create(r->output, NULL, 0, 0600);
	return r->out < 0 ? file_error(r) : open_temporary(r);
}

/* Renames an existing file to FILE.old, as perf does. */
static int open_output(struct record *r)
{
	char old[PATH_MAX];
	struct stat st;

	if (r->out >= 0)
		return open_temporary(r);
	if (!file_is_safe(r->output, NULL))
		return file_error(r);
	if (stat(r->output, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return open_pipe(r);
	if (stat(r->output, &st) == 0 && S_ISREG(st.st_mode) && st.st_size) {
		if (snprintf(old, sizeof(old), "%s.old", r->output) >= (int)sizeof(old)) {
			errno = ENAMETOOLONG;
			return file_error(r);
		}
		if (rename(r->output, old) < 0)
			return holter_error("%s: cannot be kept as %s: %s", r->output, old,
					    strerror(errno));
	}
	r->file.fd = file_create(r->output, NULL, O_RDWR | O_TRUNC, 0600);
	return r->file.fd < 0 ? file_error(r) : 0;
}

static bool samples_kernel(const struct record *r)
{
	for (unsigned n = 0; n < r->events.nr; n++) {
		if (!r->described[n].attr.exclude_kernel)
			return true;
	}
	return false;
}

static bool put_kernel(const struct record *r, FILE *to)
{
	char modules[PATH_MAX];
	struct utsname name;

	if (!samples_kernel(r) || uname(&name))
		return true;
	snprintf(modules, sizeof(modules), "/lib/modules/%s", name.release);
	return record_kernel(to, "/proc", modules);
}

static bool put_processes(const struct record *r, FILE *to)
{
	bool good = true;

	if (r->target.child) /* the child runs holter until its exec */
		good = record_thread(to, "/proc", r->target.child, r->target.child);
	for (unsigned i = 0; i < r->target.pids.nr && good; i++)
		good = (r->target.threads ? record_owner : record_process)(to, "/proc",
									   r->target.pids.at[i]);
	return good && (!r->target.cpus.nr || record_processes(to, "/proc"));
}

/*
 * Writes the output of put() into the file with a single write(2), because libpmc may write records
 * at the same time, with the same file offset.  put() returns false if there is no memory.  Returns
 * 0, or 2 after printing an error.
 */
static int put_before(const struct record *r, bool (*put)(const struct record *, FILE *))
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	bool good = to && put(r, to);
	int status = 0;

	text = memtext_end(to, &text);
	if (!good || !text)
		status = holter_error("out of memory");
	else if (!write_all(r->file.fd, text, size))
		status = file_error(r);
	free(text);
	return status;
}

static int begin_file(struct record *r)
{
	if (!perf_file_begin(&r->file))
		return file_error(r);
	if (put_before(r, put_kernel))
		return 2;
	return pmc_configure_records(r->file.fd) < 0 ? holter_error("%s", pmc_error_text()) : 0;
}

/*
 * The end
 */

static void say_lost(void)
{
	struct pmc_driverstats stats;

	if (pmc_get_driver_stats(&stats) < 0)
		return;
	if (stats.pm_intr_bufferfull)
		holter_error("%u sample%s lost: they came faster than they could be written; take "
			     "fewer, with -c or -F",
			     stats.pm_intr_bufferfull,
			     stats.pm_intr_bufferfull == 1 ? " is" : "s are");
	if (stats.pm_intr_ignored)
		holter_error("Linux has throttled sampling %u time%s; take fewer samples, with -c "
			     "or -F",
			     stats.pm_intr_ignored, term_plural(stats.pm_intr_ignored));
}

static uint64_t counted(const struct target_pmcs *pmcs)
{
	uint64_t sum = 0, value;

	for (unsigned i = 0; i < pmcs->nr; i++)
		sum += pmc_read(pmcs->id[i], &value) < 0 ? 0 : value;
	return sum;
}

/* Explains why event n has no samples.  With a frequency, Linux starts with a period of 1. */
static void say_none(const struct record *r, unsigned n)
{
	uint64_t count = counted(&r->pmcs[n]), enough = r->frequency ? 10000 : 2 * r->count;

	if (count >= enough)
		holter_error("%s: no samples, though it has happened %" PRIu64 " time%s: its "
			     "counter raises no interrupt; holter doctor looks for the reason",
			     r->events.at[n].name, count, term_plural(count));
	else if (r->target.command && target_has_rights(&r->target))
		holter_error("%s: no samples: Linux takes none of what runs with another user's "
			     "rights (set-user-ID, or a program that may not be read)",
			     r->events.at[n].name);
	else
		holter_error("%s: no samples: it has happened too seldom, or others have its "
			     "counters",
			     r->events.at[n].name);
}

static void say_found(const struct record *r, const struct record_found *found)
{
	for (unsigned n = 0; n < r->events.nr; n++) {
		if (!found->samples[n])
			say_none(r, n);
	}
	if (r->quiet)
		return;
	fprintf(stderr, "holter: %s: ", r->output);
	for (unsigned n = 0; n < r->events.nr; n++)
		fprintf(stderr, "%s%" PRIu64 " sample%s of %s", n ? ", " : "", found->samples[n],
			term_plural(found->samples[n]), r->events.at[n].name);
	fprintf(stderr, " (%" PRIu64 " KiB)\n",
		(r->file.header.data.offset + found->size + 1023) / 1024);
}

/*
 * Writes everything after the records.  begun: the program was started.  Returns 0, or 2 after
 * printing an error.
 */
static int end_file(struct record *r, bool begun)
{
	struct record_found found;
	bool written = pmc_close_logfile() == 0;
	int status = 0;

	if (!written)
		status = holter_error("%s: %s", r->output, pmc_error_text());
	if (!record_find(&r->file, &found)) {
		record_found_free(&found);
		return status ? status : file_error(r);
	}
	/* Remove an incomplete record at the end. */
	if (!written && ftruncate(r->file.fd, (off_t)(r->file.header.data.offset + found.size)) < 0)
		status = file_error(r);
	record_features(&r->file, &found, r->argc, r->argv);
	if (!perf_file_end(&r->file, found.size) && !status)
		status = file_error(r);
	/* No message if the reader has closed the pipe. */
	if (r->out >= 0 && !status && !perf_file_pipe(&r->file, r->out))
		status = errno == EPIPE ? 2 : file_error(r);
	say_lost();
	if (begun && (!status || r->out < 0))
		say_found(r, &found);
	record_found_free(&found);
	return status;
}

/*
 * From the fork to the end of the program
 */

static int start(struct record *r)
{
	for (unsigned n = 0; n < r->events.nr; n++) {
		if (target_start(&r->pmcs[n]) < 0)
			return holter_error("%s", pmc_error_text());
	}
	/* Read /proc only after the start, so that the kernel records mappings made meanwhile. */
	if (put_before(r, put_processes))
		return 2;
	return target_exec(&r->target);
}

static void stop(struct record *r)
{
	for (unsigned n = 0; n < r->events.nr; n++)
		target_stop(&r->pmcs[n]);
}

static int run(struct record *r)
{
	int status = take_output(r), failed;

	if (status || (status = target_fork(&r->target)) || (status = open_events(r)) ||
	    (status = describe_events(r)) || (status = open_output(r)) || (status = begin_file(r)))
		return status;
	say_instead(r);
	status = start(r);
	if (!status)
		target_wait(&r->target, -1);
	stop(r);
	failed = end_file(r, !status);
	if (!status)
		status = target_end(&r->target);
	return failed ? failed : status;
}

static void cleanup(struct record *r)
{
	for (unsigned n = 0; r->pmcs && n < r->events.nr; n++)
		target_release(&r->pmcs[n]);
	for (unsigned n = 0; r->described && n < r->events.nr; n++)
		free(r->described[n].ids);
	free(r->described);
	free(r->pmcs);
	if (r->file.fd >= 0)
		close(r->file.fd);
	if (r->out >= 0)
		close(r->out);
	target_end(&r->target);
	target_free(&r->target);
	events_free(&r->events);
}

static int record(struct record *r)
{
	int status;

	if (pmc_init() < 0)
		return holter_error("%s", pmc_error_text());
	status = defaults(r);
	if (!status)
		status = target_check(&r->target);
	return status ? status : run(r);
}

int cmd_record(int argc, char **argv)
{
	struct record r = {
		.output = "perf.data", .file.fd = -1, .out = -1, .argc = argc, .argv = argv
	};
	int status = parse(&r);

	if (status < 0)
		status = record(&r);
	cleanup(&r);
	return status;
}

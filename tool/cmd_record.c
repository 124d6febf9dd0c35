// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_record.c - holter record: samples of a program, of processes or of CPUs, into a perf.data.
 *
 * libpmc passes the kernel's records on (pmc_configure_records(3)); record/ has what stands before
 * and behind them.
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

#include "commands.h"
#include "events.h"
#include "file.h"
#include "holter.h"
#include "record/record.h"
#include "target.h"

#define DEFAULT_RATE	4000
#define LEAST_IN_KERNEL 1000 /* of cycles and instructions, between two samples */

static const char usage[] =
	"usage: holter record [option]... [--] PROGRAM [ARGUMENT]...\n"
	"       holter record [option]... -p PID | -t TID | -C CPU | -a [[--] PROGRAM "
	"[ARGUMENT]...]\n"
	"Samples where a program, processes or CPUs are when events happen, into a file that "
	"holter\n"
	"report and perf report read.\n"
	"\n"
	"  -e, --event LIST     these events, as in cycles:u,branch-misses:u; holter list has all\n"
	"                       (default cycles)\n"
	"  -c, --count N        a sample every N events\n"
	"      --jitter         a period that varies by a quarter around N, for all events; "
	"without\n"
	"                       it, for cycles alone\n"
	"      --no-jitter      for none: N as it is\n"
	"  -F, --freq HZ        as many samples a second (default 4000; max: what Linux allows)\n"
	"  -g                   with call chains\n"
	"  -o, --output FILE    what to write (default perf.data); what it was becomes FILE.old;\n"
	"                       -: standard output\n"
	"  -q, --quiet          only say what is wrong\n" TARGET_USAGE "\n"
	"The status is the program's; 127 if there is none, 126 if it cannot be executed, 2 if "
	"something\n"
	"else goes wrong.  ^C ends the program, or the recording if there is none, and the file is "
	"whole.\n";

struct record {
	struct target target;
	struct events events;
	const char *output;
	uint64_t count; /* a period; or with `frequency` samples a second */
	bool given, frequency; /* -c or -F is there */
	bool own_events; /* -e is not */
	bool jitter, no_jitter; /* what was said */
	bool chains, quiet;
	char instead[512]; /* why it is not cycles; "": it is */
	struct target_pmcs *pmcs; /* of each event */
	struct perf_file_event *described;
	struct perf_file file;
	int out; /* standard output, if that is what to write; else -1 */
	int argc; /* of the command line as it was */
	char **argv;
};

/*
 * Options
 */

static int number_option(struct record *r, int option, const char *value)
{
	char *end;

	if (r->given)
		return holter_error("-c and -F: one of them, once");
	r->given = true;
	r->frequency = option == 'F';
	errno = 0;
	r->count = strtoull(value, &end, 10);
	if (errno || end == value || *end || *value == '-' || !r->count || r->count > INT64_MAX)
		return holter_error(r->frequency ? "-F '%s': wants samples a second, 1 or more"
						 : "-c '%s': wants a number of events, 1 or more",
				    value);
	return 0;
}

/* What Linux takes at most; 0: it does not say. */
static uint64_t max_rate(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "re");
	uint64_t rate = 0;

	if (f && fscanf(f, "%" SCNu64, &rate) != 1)
		rate = 0;
	if (f)
		fclose(f);
	return rate;
}

enum {
	OPT_JITTER = 256,
	OPT_NO_JITTER,
};

static int take_option(void *to, int option, const char *value)
{
	struct record *r = to;
	char rate[24];

	switch (option) {
	case 'a':
	case 'C':
	case 'p':
	case 't':
		return target_option(&r->target, option, value);
	case 'e':
		return events_add(&r->events, value);
	case 'F':
		if (!strcmp(value, "max")) {
			snprintf(rate, sizeof(rate), "%" PRIu64, max_rate());
			value = rate;
		}
		/* fall through */
	case 'c':
		return number_option(r, option, value);
	case 'g':
		r->chains = true;
		return 0;
	case 'o':
		r->output = value;
		return 0;
	case OPT_JITTER:
	case OPT_NO_JITTER:
		r->jitter = option == OPT_JITTER;
		r->no_jitter = !r->jitter;
		return 0;
	default:
		r->quiet = true;
		return 0;
	}
}

/* As holter_options(). */
static int parse(struct record *r)
{
	static const struct option options[] = {
		TARGET_LONG_OPTIONS,
		{ "event", required_argument, NULL, 'e' },
		{ "count", required_argument, NULL, 'c' },
		{ "freq", required_argument, NULL, 'F' },
		{ "jitter", no_argument, NULL, OPT_JITTER },
		{ "no-jitter", no_argument, NULL, OPT_NO_JITTER },
		{ "output", required_argument, NULL, 'o' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	static const struct holter_habit habits[] = {
		{ "--call-graph", "-g records call chains, by frame pointers" },
		{ "--all-user", "user mode alone is -e cycles:u" },
		{ "--all-kernel", "the kernel alone is -e cycles:k" },
		{ "-b", "there is no branch stack on RISC-V" },
		{ "-m", "its buffers have the right size already" },
		{ 0 },
	};
	static const struct holter_options all = { "+:" TARGET_OPTIONS "e:c:F:go:qh", options,
						   usage, take_option, habits };

	return holter_options(r->argc, r->argv, &all, r);
}

/* What was not said, and what cannot be. */
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
 * A loop is in step with a fixed period of cycles, which go on by themselves, sooner than with one of
 * what its instructions do.
 */
static bool has_jitter(const struct record *r, unsigned n)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE };
	pmc_id_t id;

	if (r->frequency || r->no_jitter ||
	    pmc_allocate(r->events.list[n].spec, PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0) < 0)
		return false;
	pmc_perf_attr(id, &attr, sizeof(attr));
	pmc_release(id);
	if (attr.type == PERF_TYPE_HARDWARE && attr.config == PERF_COUNT_HW_CPU_CYCLES)
		return true;
	return r->jitter && attr.type != PERF_TYPE_SOFTWARE;
}

static int allocate(const struct record *r, unsigned n)
{
	uint32_t flags = PMC_F_RECORDS | (has_jitter(r, n) ? PMC_F_JITTER : 0) |
			 (r->frequency ? PMC_F_FREQUENCY : 0) | (r->chains ? PMC_F_CALLCHAIN : 0) |
			 (n ? PMC_F_SAMPLES_ONLY : 0);

	return target_allocate(&r->target, r->events.list[n].spec, true, flags, r->count,
			       &r->pmcs[n]);
}

/*
 * Nobody has asked for cycles: without the right to the kernel's it is the user's (which is no help
 * for whole CPUs), and where the machine cannot sample them it is time.  False: nothing is left.
 */
static bool fall_back(struct record *r, int error)
{
	struct events_one *e = &r->events.list[0];
	bool user = e->modes;

	if (error == EPERM)
		return !r->target.nr_cpus && events_user(e);
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

/* What is sampled in place of cycles, once it is certain that it is. */
static void say_instead(const struct record *r)
{
	const char *name = r->events.list[0].name;

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
 * The kernel's instructions, more often than the interrupt that takes a sample is long (some 1300 of
 * them): at 800 Linux's throttling lets it get on, at 500 it does nothing else any more, with perf, too.
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
		if (!r->described ||
		    !describe(&r->pmcs[n], r->events.list[n].name, &r->described[n]))
			return holter_error("%s",
					    r->described ? pmc_error_text() : "out of memory");
		if (too_often(&r->described[n].attr))
			return holter_error("-c %" PRIu64 ": so often the kernel would do nothing "
					    "else: %s wants %d or more, or user mode alone (:u)",
					    r->count, r->events.list[n].name, LEAST_IN_KERNEL);
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

/* For -o -.  The program's own output goes where it does not mix with the file: to standard error. */
static int take_output(struct record *r)
{
	if (strcmp(r->output, "-") != 0)
		return 0;
	r->output = "standard output";
	if (isatty(1))
		return holter_error("record: -o - wants a pipe or a file, and standard output is a "
				    "terminal");
	r->out = fcntl(1, F_DUPFD_CLOEXEC, 3);
	return r->out < 0 || dup2(2, 1) < 0 ? file_error(r) : 0;
}

/* A pipe's file begins with what is known at the end, so that it is made somewhere else. */
static int open_temporary(struct record *r)
{
	FILE *file = tmpfile();

	r->file.fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 3) : -1;
	if (r->file.fd < 0)
		return holter_error("%s: no temporary file for it: %s", r->output, strerror(errno));
	fclose(file);
	return 0;
}

/* A device or a named pipe: nothing that is written there can be read again. */
static int open_pipe(struct record *r)
{
	r->out = file_create(r->output, NULL, 0, 0600);
	return r->out < 0 ? file_error(r) : open_temporary(r);
}

/* What is there is kept as FILE.old, as perf does. */
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

static void put_kernel(const struct record *r, FILE *to)
{
	char modules[PATH_MAX];
	struct utsname name;

	if (samples_kernel(r) && uname(&name) == 0) {
		snprintf(modules, sizeof(modules), "/lib/modules/%s", name.release);
		record_kernel(to, "/proc", modules);
	}
}

static void put_processes(const struct record *r, FILE *to)
{
	if (r->target.child) /* which is holter, until its exec */
		record_thread(to, "/proc", r->target.child, r->target.child);
	for (unsigned i = 0; i < r->target.nr_pids; i++)
		(r->target.threads ? record_owner : record_process)(to, "/proc", r->target.pids[i]);
	if (r->target.nr_cpus)
		record_processes(to, "/proc");
}

/*
 * What put() makes, into the file: with one write(2), as libpmc may write its own records there
 * meanwhile, behind the same file offset.  0, or 2 after a line.
 */
static int put_before(const struct record *r, void (*put)(const struct record *, FILE *))
{
	char *text = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&text, &size);
	int status = 0;

	if (!to)
		return holter_error("out of memory");
	put(r, to);
	if (fclose(to))
		status = holter_error("out of memory");
	for (size_t at = 0; at < size && !status;) {
		ssize_t n = write(r->file.fd, text + at, size - at);

		at += n > 0 ? (size_t)n : 0;
		if (n < 0 && errno != EINTR)
			status = file_error(r);
	}
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
		holter_error("%u samples are lost, as they came faster than they could be written; "
			     "take fewer, with -c or -F",
			     stats.pm_intr_bufferfull);
	if (stats.pm_intr_ignored)
		holter_error("Linux has throttled sampling %u times; take fewer samples, with -c "
			     "or -F",
			     stats.pm_intr_ignored);
}

static uint64_t counted(const struct target_pmcs *pmcs)
{
	uint64_t sum = 0, value;

	for (unsigned i = 0; i < pmcs->nr; i++)
		sum += pmc_read(pmcs->id[i], &value) < 0 ? 0 : value;
	return sum;
}

/* (With a frequency, Linux asks for the first sample after one event.) */
static void say_none(const struct record *r, unsigned n)
{
	uint64_t count = counted(&r->pmcs[n]), enough = r->frequency ? 10000 : 2 * r->count;

	if (count >= enough)
		holter_error("%s: no samples, though it has happened %" PRIu64 " times: its "
			     "counter raises no interrupt; holter doctor looks for the reason",
			     r->events.list[n].name, count);
	else if (r->target.command && target_has_rights(&r->target))
		holter_error("%s: no samples: Linux takes none of what runs with another user's "
			     "rights (set-user-ID, or a program that may not be read)",
			     r->events.list[n].name);
	else
		holter_error("%s: no samples: it has happened too seldom, or others have its "
			     "counters",
			     r->events.list[n].name);
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
		fprintf(stderr, "%s%" PRIu64 " samples of %s", n ? ", " : "", found->samples[n],
			r->events.list[n].name);
	fprintf(stderr, " (%" PRIu64 " KiB)\n",
		(r->file.header.data.offset + found->size + 1023) / 1024);
}

/* Everything behind the records, with which it has begun or not; 0, or 2 after a line. */
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
	/* A record that was cut short goes. */
	if (!written && ftruncate(r->file.fd, (off_t)(r->file.header.data.offset + found.size)) < 0)
		status = file_error(r);
	record_features(&r->file, &found, r->argc, r->argv);
	if (!perf_file_end(&r->file, found.size) && !status)
		status = file_error(r);
	/* A reader that goes away has seen what it wanted. */
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
	/* Only now: what is mapped while /proc is read, the kernel tells. */
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

static int record(struct record *r, char **argv)
{
	int status;

	if (pmc_init() < 0)
		return holter_error("%s", pmc_error_text());
	status = defaults(r);
	if (!status)
		status = target_check(&r->target, argv);
	return status ? status : run(r);
}

int cmd_record(int argc, char **argv)
{
	struct record r = {
		.output = "perf.data", .file.fd = -1, .out = -1, .argc = argc, .argv = argv
	};
	int status = parse(&r);

	if (status < 0)
		status = record(&r, argv + optind);
	cleanup(&r);
	return status;
}

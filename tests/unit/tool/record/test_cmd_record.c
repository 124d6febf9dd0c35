// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cmd_record.c - the whole of holter record, with a fake kernel below libpmc: CPUs are sampled
 * while a real program runs, and the test reads the file.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cmd_record.h>
#include <fakekernel.h>
#include <perf_data.h>

#include "said.h"

static char dir[] = "/tmp/holter-test.XXXXXX";
static char *text; /* of perf.data */
static size_t text_size;

/* Runs holter record ARGUMENT... on the fake kernel; returns its status. */
#define RECORD(...) record((const char *const[]){ "record", "-q", ##__VA_ARGS__, NULL })

static int record(const char *const *args)
{
	int argc = 0;

	while (args[argc])
		argc++;
	said[0] = '\0';
	return cmd_record(argc, (char **)args);
}

static void boot(void)
{
	fake_boot();
	fake.real_log = true;
	fake.mapped_raw = UINT64_MAX;
}

static void load(const char *path)
{
	FILE *f = fopen(path, "r");
	struct stat st;

	free(text);
	text = NULL;
	text_size = 0;
	ok(f && fstat(fileno(f), &st) == 0);
	if (!f)
		return;
	text_size = (size_t)st.st_size;
	text = malloc(text_size + 1);
	is(fread(text, 1, text_size, f), text_size);
	fclose(f);
}

static struct perf_data_header *header(void)
{
	return (struct perf_data_header *)text;
}

/* The position of a feature, or an empty section. */
static struct perf_data_section feature(enum perf_data_feature which)
{
	struct perf_data_section s = { 0, 0 };
	uint64_t at = header()->data.offset + header()->data.size;

	for (int i = 0; i < (int)which; i++)
		at += (header()->features[0] >> i & 1) * sizeof(s);
	ok(header()->features[0] >> which & 1);
	if ((header()->features[0] >> which & 1) && at + sizeof(s) <= text_size)
		memcpy(&s, text + at, sizeof(s));
	ok(s.offset + s.size <= text_size);
	return s;
}

static const char *string_of(enum perf_data_feature which)
{
	return text + feature(which).offset + 4;
}

/* A number in a feature; features are not aligned. */
static uint64_t number(enum perf_data_feature which, size_t at, size_t size)
{
	uint64_t v = 0;

	memcpy(&v, text + feature(which).offset + at, size);
	return v;
}

/* The attr of an event; its identifiers are ids[0] to [nr - 1]. */
static const struct perf_event_attr *attr(unsigned n, const uint64_t **ids, unsigned *nr)
{
	const char *at = text + header()->attrs.offset + n * header()->attr_size;
	const struct perf_data_section *s = (const void *)(at + header()->attr_size - sizeof(*s));

	*ids = (const uint64_t *)(text + s->offset);
	*nr = (unsigned)(s->size / 8);
	return (const void *)at;
}

/* Two samples for each event as soon as it runs. */
static void sampled(struct fake_event *e)
{
	struct {
		uint64_t id, ip;
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, pad;
	} sample = { FAKE_ID + (uint64_t)(e - fake.event), 0x1234, 77, 78, fake.now, 0, 0 };

	sample.cpu = (uint32_t)e->cpu;
	if (!e->page)
		return;
	for (int i = 0; i < 2; i++, sample.time++)
		fake_record(e, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &sample, sizeof(sample));
	fake.now += 100;
}

/* Samples among the records, by identifier; other records before the first are skipped. */
static unsigned samples_of(uint64_t id)
{
	uint64_t at = header()->data.offset, end = at + header()->data.size;
	unsigned nr = 0;

	while (at < end) {
		struct perf_event_header h;
		uint64_t its;

		memcpy(&h, text + at, sizeof(h));
		memcpy(&its, text + at + sizeof(h), sizeof(its));
		nr += h.type == PERF_RECORD_SAMPLE && its == id;
		at += h.size ? h.size : end;
	}
	is(at, end);
	return nr;
}

static void two_events(void)
{
	const uint64_t *ids;
	struct utsname name;
	unsigned nr;

	boot();
	fake.enabled = sampled;
	is(RECORD("-e", "cycles:u,instructions", "-c", "4321", "-C", "0,1", "true"), 0);
	is_str(said, "");
	load("perf.data");
	ok(memcmp(text, "PERFILE2", 8) == 0);
	is(header()->attrs.size, 2 * header()->attr_size);
	is(attr(0, &ids, &nr)->config, PERF_COUNT_HW_CPU_CYCLES);
	is(attr(0, &ids, &nr)->sample_period, 4321);
	is(attr(0, &ids, &nr)->exclude_kernel, 1);
	is(attr(0, &ids, &nr)->mmap2, 1);
	is(nr, 2);
	is(samples_of(ids[0]), 2);
	is(samples_of(ids[1]), 2);
	is(attr(1, &ids, &nr)->config, PERF_COUNT_HW_INSTRUCTIONS);
	is(attr(1, &ids, &nr)->exclude_kernel, 0);
	is(attr(1, &ids, &nr)->mmap2, 0); /* a record of each mapping */
	is(nr, 2);
	is(samples_of(ids[0]), 2);
	is(samples_of(ids[1]), 2);
	uname(&name);
	is_str(string_of(PERF_DATA_HOSTNAME), name.nodename);
	is_str(string_of(PERF_DATA_OSRELEASE), name.release);
	is_str(string_of(PERF_DATA_ARCH), name.machine);
	is_str(string_of(PERF_DATA_VERSION), "holter test");
	is(number(PERF_DATA_CMDLINE, 0, 4), 10);
	nr = number(PERF_DATA_CMDLINE, 4, 4); /* the path of this */
	is_str(text + feature(PERF_DATA_CMDLINE).offset + 4 + 4 + nr + 4, "record");
	is(feature(PERF_DATA_NRCPUS).size, 8);
	is(number(PERF_DATA_SAMPLE_TIME, 0, 8), 1000);
	is(number(PERF_DATA_SAMPLE_TIME, 8, 8), 1301);
	ok(feature(PERF_DATA_BUILD_ID).size > 0); /* of what runs here */
	is(number(PERF_DATA_EVENT_DESC, 0, 4), 2);
	is(fake_nr_open(), 0);
}

static void frequency_and_chains(void)
{
	const uint64_t *ids;
	unsigned nr;

	boot();
	says(RECORD("-g", "-C", "0", "true"), 0,
	     "cycles: no samples"); /* every omission is reported */
	load("perf.data");
	is(attr(0, &ids, &nr)->freq, 1);
	is(attr(0, &ids, &nr)->sample_freq, 4000);
	ok(attr(0, &ids, &nr)->sample_type & PERF_SAMPLE_PERIOD);
	ok(attr(0, &ids, &nr)->sample_type & PERF_SAMPLE_CALLCHAIN);
	boot();
	is(RECORD("-F", "99", "-C", "0", "true"), 0);
	load("perf.data");
	is(attr(0, &ids, &nr)->sample_freq, 99);
	boot();
	says(RECORD("-F", "25001", "-C", "0", "true"), 2,
	     "perf_event_max_sample_rate, which is 25000");
	is(RECORD("-F", "999999999", "true"), 2); /* nor more than this machine allows */
	ok(has_said("-F: 999999999 samples a second are more than"));
}

static void kept(void)
{
	const uint64_t *ids;
	struct stat st;
	unsigned nr;
	size_t size;
	char *first;

	boot();
	fake.enabled = sampled;
	is(RECORD("-e", "cycles", "-c", "1000", "-C", "0", "-o", "x.data", "true"), 0);
	ok(stat("x.data.old", &st) < 0);
	load("x.data");
	first = memcpy(malloc(text_size), text, text_size);
	size = text_size;
	is(RECORD("-e", "cycles", "-c", "2000", "-C", "0", "-o", "x.data", "true"), 0);
	load("x.data.old");
	is(text_size, size);
	ok(text_size == size && memcmp(text, first, size) == 0);
	free(first);
	/* a run that cannot begin changes no file */
	says(RECORD("-e", "cycels", "-o", "x.data", "true"), 2,
	     "unknown event cycels; did you mean cycles?");
	says(RECORD("-g", "dwarf", "true"), 2,
	     "-g dwarf: -g takes no value: it records call chains by frame pointers");
	says(RECORD("-g=dwarf", "true"), 2,
	     "-g=dwarf: -g takes no value: it records call chains by frame pointers");
	says(RECORD("-o", "x.data", "-C", "0", "holter-has-no-such"), 127,
	     "holter-has-no-such: there is no such program");
	load("x.data.old");
	is(attr(0, &ids, &nr)->sample_period, 1000);
	load("x.data");
	is(attr(0, &ids, &nr)->sample_period, 2000);
}

static void statuses(void)
{
	boot();
	fake.enabled = sampled;
	is(RECORD("-e", "cycles", "-C", "0", "sh", "-c", "exit 7"), 7);
	is(RECORD("-e", "cycles", "-C", "0", "sh", "-c", "kill -9 $$"), 137);
	says(RECORD("-e", "cycles", "-C", "0", "-o", "/dev/full", "true"), 2,
	     "/dev/full: No space left on device");
	says(RECORD("-e", "cycles", "-C", "0", "-o", "/nonexistent/x", "true"), 2,
	     "/nonexistent/x: No such file or directory");
	says(RECORD(), 2, "nothing to measure");
	says(RECORD("-c", "0", "true"), 2, "-c '0': must be a number, 1 or more");
	says(RECORD("-c", "9223372036854775808", "true"), 2, "must be a number");
	says(RECORD("-F", "1k", "true"), 2, "-F '1k': must be a number, 1 or more");
	says(RECORD("-e", "cycles", "-c", "999", "-C", "0", "true"), 2,
	     "-c 999: so often the kernel would do nothing else: cycles needs 1000 or more");
	says(RECORD("-e", "cpu-clock", "-c", "9999", "-C", "0", "true"), 2,
	     "CPU_CLOCK: Linux samples a clock every 10000 nanoseconds or more");
	is(RECORD("-e", "cpu-clock", "-c", "10000", "-C", "0", "true"), 0);
	is(RECORD("-e", "cpu-clock", "-F", "99", "-C", "0", "true"), 0);
	is(RECORD("-e", "cycles", "-C", "0", "-o", "/dev/null", "true"), 0);
	ok(!has_said("no samples"));
	is(RECORD("-e", "cycles:u", "-c", "999", "-C", "0", "true"), 0);
	is(RECORD("-e", "raw=5", "-c", "1", "-C", "0", "true"), 0);
	says(RECORD("-c", "1", "-F", "1", "true"), 2,
	     "-c does not go with -F: both say when to take a sample");
	says(RECORD("--nonesuch", "true"), 2,
	     "there is no option '--nonesuch'; see holter record --help");
	says(RECORD("-c"), 2, "-c needs a value after it");
	is(fake_nr_open(), 0);
}

static void rights(void)
{
	const uint64_t *ids;
	unsigned nr;

	boot();
	fake.paranoid = 2;
	fake.any_process = true;
	is(RECORD("-e", "cycles", "true"), 2); /* it was asked for */
	ok(has_said("HW_CPU_CYCLES: perf_event_paranoid is 2, so that only user mode"));
	is(RECORD("true"), 0); /* this was not */
	load("perf.data");
	is(attr(0, &ids, &nr)->exclude_kernel, 1);
	is_str(text + feature(PERF_DATA_EVENT_DESC).offset + 8 + sizeof(struct perf_event_attr) + 8,
	       "cycles:u");
	is(attr(0, &ids, &nr)->enable_on_exec, 1);
	is(nr, 2); /* one for each CPU */
	says(RECORD("-C", "0", "true"), 2, "system scope needs root");
	fake.paranoid = 3;
	says(RECORD("-e", "cycles:u", "true"), 2,
	     "perf_event_paranoid is 3, which forbids every event");
}

#define ALOUD(...) record((const char *const[]){ "record", __VA_ARGS__, NULL })

/* One line tells what is sampled instead of cycles; there is none if that is of no use. */
static void instead(void)
{
	boot();
	fake.enabled = sampled;
	fake.no_pmu = true;
	says(ALOUD("-C", "0", "true"), 0,
	     "sampling time, as cpu-clock: HW_CPU_CYCLES: this machine has no hardware "
	     "counters");
	says(ALOUD("-o", "/nonexistent/x", "-C", "0", "true"), 2, "/nonexistent/x: No such");
	boot();
	fake.paranoid = 2;
	says(ALOUD("-C", "0", "true"), 2, "HW_CPU_CYCLES: system scope needs root");
	fake.no_pmu = true;
	fake.any_process = true;
	says(ALOUD("true"), 0, "cpu-clock:u: no samples"); /* the last line */
	is(fake_nr_open(), 0);
}

static void no_sampling(void)
{
	const uint64_t *ids;
	unsigned nr;

	boot();
	fake.no_sscofpmf = true;
	fake.enabled = sampled;
	says(RECORD("-e", "cycles", "-C", "0", "true"), 2,
	     "cannot be sampled: its counter raises no interrupt (on RISC-V this needs the "
	     "extension Sscofpmf");
	is(RECORD("-C", "0", "true"), 0); /* the user has not asked for cycles */
	load("perf.data");
	is(attr(0, &ids, &nr)->type, PERF_TYPE_SOFTWARE);
	is(attr(0, &ids, &nr)->config, PERF_COUNT_SW_CPU_CLOCK);
	is(samples_of(ids[0]), 2);
	is_str(text + feature(PERF_DATA_EVENT_DESC).offset + 8 + sizeof(struct perf_event_attr) + 8,
	       "cpu-clock");
	boot();
	fake.no_pmu = true;
	says(RECORD("-e", "cycles", "-C", "0", "true"), 2, "no hardware counters");
}

/* An event that has counted without an interrupt. */
static void only_counted(struct fake_event *e)
{
	if (e->page)
		e->value = 1000000;
}

static void no_interrupt(void)
{
	boot();
	fake.enabled = only_counted;
	says(RECORD("-e", "cycles", "-c", "500000", "-C", "0", "true"), 0,
	     "cycles: no samples, though it has happened 1000000 times: its counter raises no "
	     "interrupt");
	says(RECORD("-e", "cycles", "-c", "500001", "-C", "0", "true"), 0,
	     "cycles: no samples: it has happened too seldom");
	close(open("rights", O_CREAT | O_WRONLY | O_TRUNC, 0755)); /* an empty script */
	is(chmod("rights", 04755), 0);
	says(RECORD("-e", "cycles", "-c", "500001", "-C", "0", "./rights"), 0,
	     "cycles: no samples: Linux takes none of what runs with another user's rights");
	says(RECORD("-e", "cycles", "-C", "0", "true"), 0,
	     "cycles: no samples, though it has happened");
}

static void *late;

static void maps(struct fake_event *e)
{
	int fd;

	if (!e->page || late)
		return;
	fd = open("late.so", O_RDWR | O_CREAT, 0700);
	ok(fd >= 0 && ftruncate(fd, 4096) == 0);
	late = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	close(fd);
}

/* No process maps a file between the reading of /proc and the start of the kernel's records. */
static void begun_before_proc(void)
{
	boot();
	fake.enabled = maps;
	is(RECORD("-e", "cycles", "-C", "0", "true"), 0);
	load("perf.data");
	ok(memmem(text, text_size, "/late.so", 8) != NULL);
	munmap(late, 4096);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "two events on two CPUs: the file", two_events },
		{ "frequencies, and call chains", frequency_and_chains },
		{ "an old file is kept", kept },
		{ "statuses and bad input", statuses },
		{ "without permission", rights },
		{ "the event that is sampled instead", instead },
		{ "counters that cannot sample", no_sampling },
		{ "counters that raise no interrupt", no_interrupt },
		{ "the recording begins before /proc is read", begun_before_proc },
	};
	char here[4096], command[64];
	int result = 2;

	if (getcwd(here, sizeof(here)) && mkdtemp(dir) && chdir(dir) == 0)
		result = tap_run(cases, TAP_NR(cases));
	snprintf(command, sizeof(command), "rm -r %s", dir);
	if (chdir(here) < 0 || system(command))
		result = 2;
	free(text);
	fake_end();
	return result;
}

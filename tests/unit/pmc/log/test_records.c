// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_records.c - PMC_F_RECORDS: the attributes of the events; Linux's records, copied unchanged.
 */
#include "fakekernel.h"

#include <errno.h>
#include <unistd.h>

#include <attach.h>
#include <perf.h>
#include <state.h>

#define RECORDS PMC_F_RECORDS

static pmc_id_t allocate(enum pmc_mode mode, uint32_t flags, uint64_t count)
{
	pmc_id_t id = PMC_ID_INVALID;

	is(pmc_allocate("cycles", mode, flags, PMC_IS_SYSTEM_MODE(mode) ? 0 : PMC_CPU_ANY, &id,
			count),
	   0);
	return id;
}

static void refused(enum pmc_mode mode, uint32_t flags)
{
	pmc_id_t id;

	is(pmc_allocate("cycles", mode, flags, PMC_CPU_ANY, &id, 1000), -1);
	is(errno, EINVAL);
	ok(strstr(pmc_error_text(), "PMC_F_RECORDS"));
}

static void flags(void)
{
	pmc_id_t id;

	fake_boot();
	refused(PMC_MODE_TC, RECORDS);
	refused(PMC_MODE_TS, PMC_F_FREQUENCY);
	refused(PMC_MODE_TS, PMC_F_SAMPLES_ONLY);
	is(pmc_allocate("cycles", PMC_MODE_TS, RECORDS, PMC_CPU_ANY, &id, 0), -1);
	is(errno, EINVAL);
	id = allocate(PMC_MODE_TS, RECORDS, 1); /* not raised to the minimum */
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(fake_event(77, 0)->attr.sample_period, 1);
	ok(!(fake_event(77, 0)->attr.sample_type & PERF_SAMPLE_PERIOD));
	is(pmc_set(id, 7), 0);
	is(fake_event(77, 0)->period, 7);
	is(pmc_set(id, 0), -1);
	is(fake_event(77, 0)->period, 7);
}

static void which_log(void)
{
	pmc_id_t records = PMC_ID_INVALID, log = PMC_ID_INVALID;

	fake_boot();
	records = allocate(PMC_MODE_TS, RECORDS, 1000);
	log = allocate(PMC_MODE_TS, 0, 1000);
	is(pmc_start(records), -1);
	is(errno, EDOOFUS);
	ok(strstr(pmc_error_text(), "pmc_configure_records()"));
	is(pmc_configure_logfile(3), 0);
	is(pmc_configure_records(3), -1);
	is(errno, EBUSY);
	is(pmc_start(records), -1);
	is(errno, EDOOFUS);
	is(pmc_start(log), 0);
	is(pmc_close_logfile(), 0);
	fake.log_len = 0;
	is(pmc_configure_records(3), 0);
	is(pmc_start(records), 0);
	is(pmc_stop(log), 0);
	is(pmc_start(log), -1);
	is(errno, EDOOFUS);
	ok(strstr(pmc_error_text(), "pmc_configure_logfile()"));
	is(pmc_close_logfile(), 0);
	is(fake.log_len, 0); /* no entries, not even the first one of a log */
}

/* A period that varies: the attributes of the event, and the periods. */
static void jitter(void)
{
	struct perf_event_attr a = { 0 };
	struct lpmc p = { .reload = 1000 }, again = { .reload = 1000 };
	uint64_t least = UINT64_MAX, most = 0, sum = 0;
	pmc_id_t id;

	fake_boot();
	is(pmc_allocate("cycles", PMC_MODE_TS, PMC_F_JITTER, PMC_CPU_ANY, &id, 1000), -1);
	is(errno, EINVAL);
	is(pmc_allocate("cycles", PMC_MODE_TS, RECORDS | PMC_F_JITTER | PMC_F_FREQUENCY,
			PMC_CPU_ANY, &id, 1000),
	   -1);
	is(errno, EINVAL);
	is(pmc_allocate("cpu-clock", PMC_MODE_TS, RECORDS | PMC_F_JITTER, PMC_CPU_ANY, &id, 100000),
	   -1);
	is(errno, EINVAL);
	id = allocate(PMC_MODE_TS, RECORDS | PMC_F_JITTER, 3000);
	is(pmc_perf_attr(id, &a, sizeof(a)), sizeof(a));
	is(a.sample_period, 3000);
	ok(a.sample_type & PERF_SAMPLE_PERIOD);
	is(a.watermark, 0);
	is(a.wakeup_events, 3); /* ten thousand events apart */
	is(pmc_release(id), 0);
	is(lpmc_jitter_samples(1), 10000);
	is(lpmc_jitter_samples(10000), 1);
	is(lpmc_jitter_samples(UINT64_MAX >> 1), 1);
	for (int n = 0; n < 10000; n++) {
		uint64_t period = lpmc_jitter_period(&p);

		is(period, lpmc_jitter_period(&again)); /* equal seeds give equal periods */
		least = period < least ? period : least;
		most = period > most ? period : most;
		sum += period;
	}
	is(least, 750);
	is(most, 1250);
	ok(sum / 10000 >= 995 && sum / 10000 <= 1005);
	p.reload = 1;
	is(lpmc_jitter_period(&p), 1);
}

/* The thread that sets the periods has asked for a priority before the first sample. */
static void hurries_at_once(void)
{
	pmc_id_t id;

	fake_boot();
	fake.real_threads = true;
	is(pmc_configure_records(3), 0);
	id = allocate(PMC_MODE_TS, RECORDS, 3000);
	is(pmc_start(id), 0);
	is(fake.hurries, 0);
	is(pmc_stop(id), 0);
	is(pmc_release(id), 0);
	id = allocate(PMC_MODE_TS, RECORDS | PMC_F_JITTER, 3000);
	is(pmc_start(id), 0);
	for (int ms = 0; ms < 10000 && !__atomic_load_n(&fake.hurries, __ATOMIC_ACQUIRE); ms++)
		usleep(1000);
	is(fake.hurries, 1);
	is(pmc_stop(id), 0);
	is(pmc_release(id), 0);
	is(pmc_close_logfile(), 0);
}

/* All events of a CPU get the new period; those of other CPUs keep theirs. */
static void jitter_of_a_cpu(void)
{
	pmc_id_t id;

	fake_boot();
	id = allocate(PMC_MODE_TS, RECORDS | PMC_F_JITTER, 100000);
	is(pmc_attach(id, FAKE_OTHER), 0);
	lpmc_jitter(lpmc.pmcs, 1);
	is(fake_event(77, 0)->period, 100000);
	is(fake_event(78, 0)->period, 100000);
	ok(fake_event(77, 1)->period >= 75000 && fake_event(77, 1)->period <= 125000);
	is(fake_event(78, 1)->period, fake_event(77, 1)->period);
	is(pmc_release(id), 0);
}

static void asked_for(void)
{
	struct perf_event_attr a = { 0 };
	uint64_t ids[4] = { 0 };
	pmc_id_t id;

	fake_boot();
	id = allocate(PMC_MODE_TS, RECORDS | PMC_F_FREQUENCY | PMC_F_CALLCHAIN, 4000);
	is(pmc_perf_ids(id, ids, 4), 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(pmc_perf_attr(id, &a, sizeof(a)), sizeof(a));
	ok(memcmp(&a, &fake_event(77, 0)->attr, sizeof(a)) == 0);
	is(a.size, sizeof(a));
	is(a.freq, 1);
	is(a.sample_freq, 4000);
	is(a.sample_type, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				  PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
				  PERF_SAMPLE_CALLCHAIN);
	ok(a.sample_id_all && a.mmap2 && a.comm && a.comm_exec && a.task);
	is(a.wakeup_watermark, 0); /* half of the ring */
	is(fake_event(77, 0)->page->data_size, 128 * 4096);
	/* two threads, two CPUs */
	is(pmc_perf_ids(id, ids, 3), 4);
	is(ids[2], FAKE_ID + 2);
	is(ids[3], 0);
	is(pmc_perf_ids(id, ids, 4), 4);
	is(ids[3], FAKE_ID + 3);
	is(pmc_release(id), 0);
	is(pmc_perf_attr(id, &a, sizeof(a)), -1);
	is(errno, ESRCH);
	is(pmc_perf_ids(id, ids, 4), -1);
	id = allocate(PMC_MODE_SS, RECORDS | PMC_F_SAMPLES_ONLY, 1000);
	memset(&a, 0xff, sizeof(a));
	is(pmc_perf_attr(id, &a, 8), sizeof(a));
	is(a.config, UINT64_MAX); /* writes no more than the given size */
	is(pmc_perf_attr(id, &a, sizeof(a)), sizeof(a));
	ok(!a.mmap && !a.mmap2 && !a.comm && !a.task && !a.freq);
	is(a.sample_period, 1000);
	id = allocate(PMC_MODE_TS, RECORDS | PMC_F_FREQUENCY, FAKE_MAX_RATE + 1);
	is(pmc_attach(id, FAKE_OTHER), -1);
	is(errno, EINVAL);
	ok(strstr(pmc_error_text(), "perf_event_max_sample_rate, which is 25000"));
}

/* The layout of a sample, and of another record; t is its time. */
struct sample {
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, pad;
	uint64_t period, nr, pc[2];
};

struct comm {
	uint32_t pid, tid;
	char name[8];
	uint32_t t_pid, t_tid;
	uint64_t time;
	uint32_t cpu, pad;
	uint64_t id;
};

/* Checks the record at an offset of the file.  Returns the offset of the next. */
static size_t same(size_t at, uint32_t type, const void *body, size_t size)
{
	struct perf_event_header h;

	memcpy(&h, fake.log + at, sizeof(h));
	is(h.type, type);
	is(h.size, sizeof(h) + size);
	ok(memcmp(fake.log + at + sizeof(h), body, size) == 0);
	return at + h.size;
}

static void as_they_are(void)
{
	struct sample first = { FAKE_ID, 0x1000, 77, 78, 1500, 1, 0, 1000, 2, { 1, 2 } };
	struct sample second = { FAKE_ID, 0x2000, 77, 77, 1800, 0, 0, 1000, 0, { 0 } };
	struct comm comm = { 77, 77, "prog", 77, 77, 1600, 0, 0, FAKE_ID };
	struct {
		uint64_t id, lost;
		uint32_t pid, tid;
		uint64_t time;
		uint32_t cpu, pad;
		uint64_t identifier;
	} lost = { FAKE_ID, 3, 77, 77, 1900, 0, 0, FAKE_ID };
	pmc_id_t id;
	size_t at;

	fake_boot();
	is(pmc_configure_records(3), 0);
	id = allocate(PMC_MODE_TS, RECORDS | PMC_F_CALLCHAIN, 1000);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(pmc_start(id), 0);
	fake_record(fake_event(77, 0), PERF_RECORD_COMM, 0, &comm, sizeof(comm));
	fake_record(fake_event(77, 0), PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &second,
		    sizeof(second));
	fake_record(fake_event(77, 1), PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &first,
		    sizeof(first));
	fake_record(fake_event(77, 0), PERF_RECORD_LOST, 0, &lost, sizeof(lost));
	fake.now = 2000;
	is(pmc_flush_logfile(), 0);
	at = same(0, PERF_RECORD_SAMPLE, &first, sizeof(first));
	at = same(at, PERF_RECORD_COMM, &comm, sizeof(comm));
	at = same(at, PERF_RECORD_SAMPLE, &second, sizeof(second));
	at = same(at, PERF_RECORD_LOST, &lost, sizeof(lost));
	is(fake.log_len, at);
	is(lpmc.stats.pm_intr_processed, 2);
	is(lpmc.stats.pm_intr_bufferfull, 3);
	is(pmc_writelog(1), -1); /* only a log has such entries */
	is(errno, EINVAL);
	fake.write_error = ENOSPC;
	second.time = 2100;
	fake_record(fake_event(77, 0), PERF_RECORD_SAMPLE, 0, &second, sizeof(second));
	is(pmc_close_logfile(), -1);
	is(errno, ENOSPC);
	is(fake.log_len, at);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "allowed combinations of flags, and any period", flags },
		{ "a log is not a file of records", which_log },
		{ "the attributes of the events", asked_for },
		{ "a period that varies", jitter },
		{ "a priority before the first sample, if a period varies", hurries_at_once },
		{ "a period that varies, for all events of a CPU", jitter_of_a_cpu },
		{ "records unchanged, in the order of their times", as_they_are },
	};
	int result = tap_run(cases, TAP_NR(cases));

	lpmc_reset(&fake_sys);
	return result;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exit.c - PMC_F_LOG_PROCCSW and PMC_F_LOG_PROCEXIT: values at context switches and exits.
 */
#include "logread.h"

#include <attach.h>
#include <state.h>

static pmc_id_t start(uint32_t flags)
{
	pmc_id_t id = PMC_ID_INVALID;

	is(pmc_configure_logfile(3), 0);
	is(pmc_allocate("cycles", PMC_MODE_TC, flags, PMC_CPU_ANY, &id, 0), 0);
	is(pmc_attach(id, FAKE_CHILD), 0);
	is(pmc_start(id), 0);
	return id;
}

/* Thread 80 is switched out on a CPU; its event then has `value`. */
static void switched(struct fake_event *leader, uint32_t cpu, uint64_t time, uint64_t value)
{
	struct {
		uint64_t ip;
		struct fake_trailer t;
		uint64_t nr, enabled, running, values[2];
	} body = { 0, { 80, 80, time, cpu, 0 }, 2, 0, 0, { 1, value } };

	fake_record(leader, PERF_RECORD_SAMPLE, 0, &body, sizeof(body));
}

static void switches(void)
{
	static const uint64_t want[] = { 100, 40, 150 };
	unsigned told = 0;
	pmc_id_t id;

	fake_boot();
	id = start(PMC_F_LOG_PROCCSW);
	is(fake_nr_open(), 4); /* leader and event, on two CPUs */
	is(fake_event(80, 0)->attr.config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	is(fake_event(80, 0)->attr.pinned, 1);
	is(fake_event(80, 0)->period, 1);
	for (int i = 0; i < FAKE_FDS; i++) /* two events with attr.task would log a fork twice */
		told += fake.event[i].open && fake.event[i].cpu == 0 && fake.event[i].attr.task;
	is(told, 1);
	switched(fake_event(80, 0), 0, 1100, 100);
	switched(fake_event(80, 1), 1, 1200, 40); /* another CPU has another event */
	switched(fake_event(80, 0), 0, 1300, 250);
	fake.now = 2000;
	is(pmc_flush_logfile(), 0);
	log_rewind();
	for (int i = 0; i < 3; i++) {
		ok(log_find(PMCLOG_TYPE_PROCCSW));
		is(log_ev.pl_u.pl_c.pl_value, want[i]);
		is(log_ev.pl_u.pl_c.pl_pid, 80);
		is(log_ev.pl_u.pl_c.pl_pmcid, id);
	}
}

/* Attaches the target again: its new events use the rings of the old ones. */
static void attach_again(pmc_id_t id)
{
	is(pmc_stop(id), 0);
	is(pmc_detach(id, FAKE_CHILD), 0);
	is(pmc_attach(id, FAKE_CHILD), 0);
	is(pmc_start(id), 0);
	fake_event(80, 0)->page = lpmc_find(id)->buffers.at[0].page;
}

/* The new event of a thread counts from 0, after a second attach and for a reused thread number. */
static void switches_begin_anew(void)
{
	static const uint64_t want[] = { 100, 110, 120, 7 };
	pmc_id_t id;

	fake_boot();
	id = start(PMC_F_LOG_PROCCSW);
	switched(fake_event(80, 0), 0, 1100, 100);
	attach_again(id);
	switched(fake_event(80, 0), 0, 1200, 110);
	fake_task(fake_event(80, 0), PERF_RECORD_EXIT, 1300, 80, 1, 80);
	fake_task(fake_event(80, 0), PERF_RECORD_FORK, 1400, 80, 1, 80);
	switched(fake_event(80, 0), 0, 1500, 120);
	switched(fake_event(80, 0), 0, 1600, 127);
	fake.now = 2000;
	is(pmc_flush_logfile(), 0);
	log_rewind();
	for (unsigned i = 0; i < TAP_NR(want); i++) {
		ok(log_find(PMCLOG_TYPE_PROCCSW));
		is(log_ev.pl_u.pl_c.pl_value, want[i]);
	}
}

static void older_kernel(void)
{
	uint64_t value;
	pmc_id_t id;

	fake_boot();
	fake.no_sample_inherit = true;
	id = start(PMC_F_LOG_PROCCSW);
	is(fake_event(80, 0)->attr.inherit, 0);
	fake_count(12);
	is(pmc_read(id, &value), 0);
	is(value, 12);
}

static void left(struct fake_event *e, uint64_t time, uint32_t pid, uint32_t tid, uint64_t value)
{
	struct {
		uint32_t pid, tid;
		uint64_t value, enabled, running;
		struct fake_trailer t;
	} body = { pid, tid, value, 1, 1, { pid, tid, time, 0, 0 } };

	fake_record(e, PERF_RECORD_READ, 0, &body, sizeof(body));
}

static void flush(uint64_t now)
{
	fake.now = now;
	is(pmc_flush_logfile(), 0);
	log_rewind();
}

static void ends(void)
{
	struct fake_event *e0, *e1;
	pmc_id_t id;

	fake_boot();
	id = start(PMC_F_LOG_PROCEXIT | PMC_F_DESCENDANTS);
	e0 = fake_event(80, 0);
	e1 = fake_event(80, 1);
	is(e0->attr.inherit_stat, 1);
	/* 80 forks 81; 81 makes a thread 82; both end.  Each leaves a value for each CPU. */
	fake_task(e0, PERF_RECORD_FORK, 1100, 81, 80, 81);
	fake_task(e0, PERF_RECORD_FORK, 1200, 81, 81, 82);
	fake_task(e0, PERF_RECORD_EXIT, 1300, 81, 81, 82);
	left(e0, 1310, 81, 82, 5);
	left(e1, 1320, 81, 82, 6);
	fake_task(e0, PERF_RECORD_EXIT, 1400, 81, 80, 81);
	left(e0, 1410, 81, 81, 100);
	flush(2000);
	ok(!log_find(PMCLOG_TYPE_PROCEXIT)); /* a value is still missing */
	log_rewind();
	ok(!log_find(PMCLOG_TYPE_SYSEXIT)); /* as on FreeBSD: only in system scope */
	log_rewind();
	ok(!log_find(PMCLOG_TYPE_THR_CREATE));
	left(e1, 2100, 81, 81, 1000);
	e0->value = 2000; /* the sum of all */
	e1->value = 1211;
	flush(3000);
	ok(log_find(PMCLOG_TYPE_PROCEXIT));
	is(log_ev.pl_u.pl_e.pl_pid, 81);
	is(log_ev.pl_u.pl_e.pl_value, 1111);
	is(log_ev.pl_u.pl_e.pl_pmcid, id);
	ok(!log_find(PMCLOG_TYPE_PROCEXIT)); /* 80 has not ended */
	e0->hung_up = true;
	flush(3500);
	ok(log_find(PMCLOG_TYPE_PROCEXIT) && !log_find(PMCLOG_TYPE_PROCEXIT));
	e1->hung_up = true;
	flush(4000);
	ok(log_find(PMCLOG_TYPE_PROCEXIT) && log_find(PMCLOG_TYPE_PROCEXIT));
	is(log_ev.pl_u.pl_e.pl_pid, 80);
	is(log_ev.pl_u.pl_e.pl_value, 2100); /* only its own count */
	flush(5000); /* logged only once */
	ok(log_find(PMCLOG_TYPE_PROCEXIT) && log_find(PMCLOG_TYPE_PROCEXIT));
	ok(!log_find(PMCLOG_TYPE_PROCEXIT));
}

/* Linux has swapped the inherited events: 81 ends with those of 80, and 80 with those of 81. */
static void swapped(void)
{
	struct fake_event *e0, *e1;

	fake_boot();
	start(PMC_F_LOG_PROCEXIT | PMC_F_DESCENDANTS);
	e0 = fake_event(80, 0);
	e1 = fake_event(80, 1);
	fake_task(e0, PERF_RECORD_FORK, 1100, 81, 80, 81);
	fake_task(e0, PERF_RECORD_FORK, 1200, 82, 80, 82);
	fake_task(e0, PERF_RECORD_EXIT, 1300, 81, 80, 81);
	fake_task(e0, PERF_RECORD_EXIT, 1400, 82, 80, 82);
	left(e0, 1410, 82, 82, 7);
	left(e1, 1420, 82, 82, 70);
	flush(2000);
	ok(log_find(PMCLOG_TYPE_PROCEXIT));
	is(log_ev.pl_u.pl_e.pl_pid, 82);
	ok(!log_find(PMCLOG_TYPE_PROCEXIT));
	left(e0, 2100, 80, 80, 100);
	left(e1, 2110, 80, 80, 1000);
	e0->value = 112; /* the sum of all */
	e1->value = 1120;
	e0->hung_up = e1->hung_up = true;
	flush(3000);
	ok(log_find(PMCLOG_TYPE_PROCEXIT)); /* 82 */
	ok(log_find(PMCLOG_TYPE_PROCEXIT));
	is(log_ev.pl_u.pl_e.pl_pid, 80);
	is(log_ev.pl_u.pl_e.pl_value, 1100);
	ok(log_find(PMCLOG_TYPE_PROCEXIT));
	is(log_ev.pl_u.pl_e.pl_pid, 81);
	is(log_ev.pl_u.pl_e.pl_value, 55);
	ok(!log_find(PMCLOG_TYPE_PROCEXIT));
}

/* A detach is not an end.  Attached again, the process ends once, with its count since then. */
static void detached(void)
{
	struct fake_event *e0, *e1;
	pmc_id_t id;

	fake_boot();
	id = start(PMC_F_LOG_PROCEXIT | PMC_F_DESCENDANTS);
	e0 = fake_event(80, 0);
	e0->value = 33;
	fake_task(e0, PERF_RECORD_FORK, 1100, 81, 80, 81);
	fake_task(e0, PERF_RECORD_EXIT, 1200, 81, 80, 81);
	flush(2000);
	is(pmc_stop(id), 0);
	is(pmc_detach(id, FAKE_CHILD), 0);
	flush(3000);
	ok(!log_find(PMCLOG_TYPE_PROCEXIT));
	is(pmc_attach(id, FAKE_CHILD), 0);
	is(pmc_start(id), 0);
	e0 = fake_event(80, 0);
	e1 = fake_event(80, 1);
	e0->value = 44;
	flush(4000);
	ok(!log_find(PMCLOG_TYPE_PROCEXIT));
	e0->hung_up = e1->hung_up = true;
	flush(5000);
	ok(log_find(PMCLOG_TYPE_PROCEXIT));
	is(log_ev.pl_u.pl_e.pl_pid, 80);
	is(log_ev.pl_u.pl_e.pl_value, 44);
	ok(!log_find(PMCLOG_TYPE_PROCEXIT));
}

static void number_used_again(void)
{
	struct fake_event *e0, *e1;

	fake_boot();
	start(PMC_F_LOG_PROCEXIT | PMC_F_DESCENDANTS);
	e0 = fake_event(80, 0);
	e1 = fake_event(80, 1);
	for (uint64_t i = 1; i <= 2; i++) {
		fake_task(e0, PERF_RECORD_FORK, 1000 * i, 81, 80, 81);
		fake_task(e0, PERF_RECORD_EXIT, 1000 * i + 1, 81, 80, 81);
		left(e0, 1000 * i + 2, 81, 81, 10 * i);
		left(e1, 1000 * i + 3, 81, 81, i);
	}
	flush(9000);
	ok(log_find(PMCLOG_TYPE_PROCEXIT));
	is(log_ev.pl_u.pl_e.pl_value, 11);
	ok(log_find(PMCLOG_TYPE_PROCEXIT));
	is(log_ev.pl_u.pl_e.pl_value, 22);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "context switches: the count of each time slice", switches },
		{ "context switches: a second attach, and a reused number", switches_begin_anew },
		{ "context switches on a kernel that does not inherit them", older_kernel },
		{ "ends: of forked processes, and of the attached one", ends },
		{ "ends: with swapped events", swapped },
		{ "ends: not for a detached process", detached },
		{ "ends: a process number used again", number_used_again },
	};
	int result = tap_run(cases, TAP_NR(cases));

	pmclog_close(log_cookie);
	lpmc_reset(&fake_sys);
	return result;
}

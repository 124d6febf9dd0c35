// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_attach.c - pmc_attach and pmc_detach: the events that are opened, and every error.
 */
#include "fakekernel.h"

#include <errno.h>

#include <attach.h>
#include <state.h>

static pmc_id_t allocate(enum pmc_mode mode, uint32_t flags)
{
	pmc_id_t id = PMC_ID_INVALID;

	is(pmc_allocate("cycles", mode, flags, PMC_IS_SYSTEM_MODE(mode) ? 0 : PMC_CPU_ANY, &id,
			10000),
	   0);
	if (mode == PMC_MODE_TC)
		is(pmc_write(id, 10000), 0);
	return id;
}

#define FAILS(call, error, says)                                                                   \
	do {                                                                                       \
		int open_before = fake_nr_open();                                                  \
		errno = 0;                                                                         \
		is(call, -1);                                                                      \
		is(errno, error);                                                                  \
		ok(strstr(pmc_error_text(), says));                                                \
		is(fake_nr_open(), open_before);                                                   \
	} while (0)

static void all_threads(void)
{
	pmc_id_t id;

	fake_boot();
	id = allocate(PMC_MODE_TC, 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(fake_nr_open(), 2);
	is(fake_event(77, -1)->attr.inherit, 1);
	is(fake_event(77, -1)->attr.inherit_thread, 1);
	is(fake_event(77, -1)->attr.disabled, 1);
	is(fake_event(77, -1)->attr.pinned, 1);
	is(fake_event(78, -1)->attr.inherit, 1);
}

static void descendants(void)
{
	pmc_id_t id;

	fake_boot();
	id = allocate(PMC_MODE_TC, PMC_F_DESCENDANTS);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(fake_nr_open(), 3); /* and its existing child */
	is(fake_event(77, -1)->attr.inherit_thread, 0);
	is(fake_event(80, -1)->attr.inherit, 1);
}

static void sampling(void)
{
	pmc_id_t id;

	fake_boot();
	id = allocate(PMC_MODE_TS, 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(fake_nr_open(), 4); /* two threads, two CPUs */
	is(lpmc_find(id)->buffers.nr, 2);
	is(fake_event(77, 0)->period, 10000);
	ok(fake_event(77, 1)->page && !fake_event(78, 1)->page);
	is(fake_event(78, 1)->output, lpmc_find(id)->buffers.at[1].fd);
	is(pmc_detach(id, FAKE_OTHER), 0);
	is(fake_nr_open(), 0);
	is(lpmc_find(id)->buffers.nr, 2); /* another target may use them */
}

static void self(void)
{
	pmc_id_t id;

	fake_boot();
	id = allocate(PMC_MODE_TC, 0);
	is(pmc_attach(id, 0), 0);
	is(lpmc_find(id)->pages.nr, 2); /* a page for each CPU */
	is(fake_event(0, 1)->attr.inherit_thread, 1);
	FAILS(pmc_attach(id, FAKE_SELF), EEXIST, "already");
	is(pmc_detach(id, FAKE_SELF), 0);
	is(lpmc_find(id)->pages.nr, 0);
	/* with several threads, pages are not used */
	fake.threads = true;
	is(pmc_attach(id, 0), 0);
	is(lpmc_find(id)->pages.nr, 0);
	is(fake_event(FAKE_SELF, -1)->attr.inherit, 1);
	is(pmc_detach(id, 0), 0);
	fake.threads = false;
	fake.map_error = EPERM;
	is(pmc_attach(id, 0), 0);
	is(lpmc_find(id)->pages.nr, 0);
	is(fake_nr_open(), 1);
}

/* A thread may move to the CPU when it is online again; not every event can be opened before. */
static void offline_cpu(void)
{
	pmc_id_t counting, sampling;

	for (int refused = 0; refused < 2; refused++) {
		fake_boot();
		fake.offline = 1;
		fake.no_offline_tasks = refused;
		counting = allocate(PMC_MODE_TC, 0);
		is(pmc_attach(counting, 0), 0);
		is(lpmc_find(counting)->pages.nr, refused ? 1 : 2);
		sampling = allocate(PMC_MODE_TS, 0);
		is(pmc_attach(sampling, FAKE_OTHER), 0);
		is(lpmc_find(sampling)->buffers.nr, refused ? 1 : 2);
	}
}

static void attach_errors(void)
{
	pmc_id_t id, system;

	fake_boot();
	FAILS(pmc_attach(5, 0), ESRCH, "owns no PMC");
	id = allocate(PMC_MODE_TC, 0);
	FAILS(pmc_attach(id + 1, 0), EINVAL, "not a PMC of this process");
	FAILS(pmc_attach(id, -5), EINVAL, "not a process id");
	FAILS(pmc_attach(id, 12345), ESRCH, "no such process");
	ok(!strstr(pmc_error_text(), "mounted"));
	fake.no_proc = true;
	FAILS(pmc_attach(id, 12345), ESRCH, "/proc is not mounted");
	fake.no_proc = false;
	FAILS(pmc_attach(id, 99), ESRCH, "has ended");
	FAILS(pmc_attach(id, 1), EPERM, "belongs to another user");
	is(pmc_attach(id, FAKE_OTHER), 0);
	FAILS(pmc_attach(id, FAKE_OTHER), EEXIST, "already");
	is(pmc_start(id), 0);
	FAILS(pmc_attach(id, 0), EBUSY, "stop it");
	system = allocate(PMC_MODE_SC, 0);
	FAILS(pmc_attach(system, 0), EINVAL, "system scope");
	is(pmc_stop(id), 0);
	is(pmc_detach(id, FAKE_OTHER), 0);
	fake.fd_limit = 1; /* enough for one thread of two */
	FAILS(pmc_attach(id, FAKE_OTHER), EMFILE, "too many files");
}

static void detach_errors(void)
{
	pmc_id_t id, system;

	fake_boot();
	FAILS(pmc_detach(5, 0), ESRCH, "owns no PMC");
	id = allocate(PMC_MODE_TC, 0);
	system = allocate(PMC_MODE_SC, 0);
	FAILS(pmc_detach(id ^ 1, 0), EINVAL, "not a PMC of this process");
	FAILS(pmc_detach(system, 0), EINVAL, "system scope");
	FAILS(pmc_detach(id, -1), EINVAL, "not a process id");
	FAILS(pmc_detach(id, 12345), ESRCH, "there is no process");
	FAILS(pmc_detach(id, FAKE_OTHER), EINVAL, "not attached");
}

/* A process that has ended and gone is no longer a target, and its count stays. */
static void detach_gone(void)
{
	pmc_id_t id;
	pmc_value_t v;

	fake_boot();
	id = allocate(PMC_MODE_TC, 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(pmc_start(id), 0);
	fake_count(5);
	fake.gone = true;
	FAILS(pmc_detach(id, FAKE_OTHER), ESRCH, "there is no process 77");
	is(pmc_stop(id), 0);
	FAILS(pmc_attach(id, FAKE_OTHER), ESRCH, "no such process");
	is(pmc_read(id, &v), 0);
	is(v, 10000 + 2 * 5); /* two threads */
	is(pmc_release(id), 0);
	is(fake_nr_open(), 0);
}

/* Linux has stopped to count the process at its exec. */
static void detach_set_id(void)
{
	pmc_id_t id;

	fake_boot();
	id = allocate(PMC_MODE_TC, 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	fake.set_id = true;
	is(pmc_detach(id, FAKE_OTHER), -1);
	is(errno, ESRCH);
	ok(strstr(pmc_error_text(), "set-id program"));
	FAILS(pmc_detach(id, FAKE_OTHER), EINVAL, "not attached");
	is(fake_nr_open(), 0);
}

static void rings_refused(void)
{
	pmc_id_t id;

	fake_boot();
	id = allocate(PMC_MODE_TS, 0);
	fake.map_error = EPERM;
	FAILS(pmc_attach(id, FAKE_OTHER), ENOMEM, "ulimit -l");
	is(lpmc.stats.pm_buffer_requests, 6); /* 32 pages, 16, ... 1 */
	is(lpmc.stats.pm_buffer_requests_failed, 6);
	fake.map_error = 0;
	is(pmc_attach(id, FAKE_OTHER), 0);
}

static void counts_stay(void)
{
	uint64_t value;
	pmc_id_t id;

	fake_boot();
	id = allocate(PMC_MODE_TC, 0);
	is(pmc_write(id, 0), 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(pmc_start(id), 0);
	fake_count(500);
	is(pmc_stop(id), 0);
	is(pmc_detach(id, FAKE_OTHER), 0);
	is(pmc_read(id, &value), 0);
	is(value, 1000); /* two threads */
	is(pmc_attach(id, FAKE_CHILD), 0);
	is(pmc_start(id), 0);
	fake_count(11);
	is(pmc_read(id, &value), 0);
	is(value, 1011);
}

/* After the detach of a process whose count was lost, the value is still an error. */
static void lost_counts_stay_lost(void)
{
	uint64_t value = 5;
	pmc_id_t id;

	fake_boot();
	id = allocate(PMC_MODE_TC, 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(pmc_start(id), 0);
	fake_count(500);
	fake_event(78, -1)->error = true; /* another user took its counter */
	is(pmc_stop(id), 0);
	is(pmc_detach(id, FAKE_OTHER), 0);
	FAILS(pmc_read(id, &value), EINVAL, "there is no count");
	is(value, 5);
}

/* A long list is read completely, and no number is split. */
static void many_children(void)
{
	static char children[5000];
	pmc_id_t id;

	fake_boot();
	memset(children, ' ', 4094);
	strcpy(children + 4094, "80 ");
	fake.children = children;
	id = allocate(PMC_MODE_TC, PMC_F_DESCENDANTS);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(fake_nr_open(), 3);
	is(fake_event(FAKE_CHILD, -1)->attr.inherit, 1);
}

/*
 * Targets that overlap
 */

/* Starts the PMC, counts 100 in each thread, stops it.  Returns the difference of its value. */
static uint64_t counts(pmc_id_t id)
{
	uint64_t before, after;

	is(pmc_read(id, &before), 0);
	is(pmc_start(id), 0);
	fake_count(100);
	is(pmc_stop(id), 0);
	is(pmc_read(id, &after), 0);
	return after - before;
}

/* A parent and its child, in either order. */
static void overlap(void)
{
	for (int parent_first = 0; parent_first < 2; parent_first++) {
		pmc_id_t id;

		fake_boot();
		id = allocate(PMC_MODE_TC, PMC_F_DESCENDANTS);
		is(pmc_attach(id, parent_first ? FAKE_OTHER : FAKE_CHILD), 0);
		is(pmc_attach(id, parent_first ? FAKE_CHILD : FAKE_OTHER), 0);
		is(fake_nr_open(), 3);
		is(counts(id), 300);
		FAILS(pmc_attach(id, FAKE_CHILD), EEXIST, "already");
		FAILS(pmc_attach(id, FAKE_OTHER), EEXIST, "already");
		/* the child is still counted as the parent's descendant */
		is(pmc_detach(id, FAKE_CHILD), 0);
		is(counts(id), 300);
		is(pmc_attach(id, FAKE_CHILD), 0);
		/* now only the child is a target */
		is(pmc_detach(id, FAKE_OTHER), 0);
		is(fake_nr_open(), 1);
		is(counts(id), 100);
		is(pmc_detach(id, FAKE_CHILD), 0);
		is(fake_nr_open(), 0);
	}
}

/* A forked process inherits the events: attaching it, or its parents, opens none. */
static void overlap_later(void)
{
	pmc_id_t id;

	fake_boot();
	id = allocate(PMC_MODE_TC, PMC_F_DESCENDANTS);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(fake_nr_open(), 3);
	fake.forked = true;
	is(pmc_attach(id, FAKE_LATER), 0);
	is(fake_nr_open(), 3);
	is(pmc_attach(id, FAKE_CHILD), 0);
	is(fake_nr_open(), 3);
	/* closing the first events ends the inherited ones */
	is(pmc_detach(id, FAKE_OTHER), 0);
	is(fake_nr_open(), 1);
	is(pmc_detach(id, FAKE_CHILD), 0);
	is(fake_nr_open(), 1);
	is(fake_event(FAKE_LATER, -1)->open, 1);
	/* the same, first the descendant */
	fake_boot();
	id = allocate(PMC_MODE_TC, PMC_F_DESCENDANTS);
	is(pmc_attach(id, FAKE_CHILD), 0);
	fake.forked = true;
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(fake_nr_open(), 3);
	is(pmc_detach(id, FAKE_CHILD), 0);
	is(fake_nr_open(), 3);
}

/* A target that another one covered begins to count by itself while the PMC runs. */
static void overlap_running(void)
{
	uint64_t before, after;
	pmc_id_t id;

	fake_boot();
	id = allocate(PMC_MODE_TC, PMC_F_DESCENDANTS);
	is(pmc_attach(id, FAKE_OTHER), 0);
	fake.forked = true;
	is(pmc_attach(id, FAKE_LATER), 0);
	is(pmc_start(id), 0);
	fake_count(7);
	is(pmc_read(id, &before), 0);
	is(pmc_detach(id, FAKE_OTHER), 0);
	is(fake_nr_open(), 1);
	fake_count(10);
	is(pmc_read(id, &after), 0);
	is(after - before, 10);
}

static void overlap_init(void)
{
	pmc_id_t id;

	for (int first = 0; first < 2; first++) {
		fake_boot();
		fake.any_process = true; /* process 1 can be counted, too */
		id = allocate(PMC_MODE_TC, PMC_F_DESCENDANTS);
		is(pmc_attach(id, first ? 1 : FAKE_OTHER), 0);
		is(pmc_attach(id, first ? FAKE_OTHER : 1), 0);
		is(fake_nr_open(), 5);
	}
}

static void overlap_sampling(void)
{
	for (int parent_first = 0; parent_first < 2; parent_first++) {
		pmc_id_t id;

		fake_boot();
		id = allocate(PMC_MODE_TS, PMC_F_DESCENDANTS);
		is(pmc_attach(id, parent_first ? FAKE_OTHER : FAKE_CHILD), 0);
		is(pmc_attach(id, parent_first ? FAKE_CHILD : FAKE_OTHER), 0);
		is(fake_nr_open(), 6); /* three threads, two CPUs */
		is(lpmc_find(id)->buffers.nr, 2);
	}
}

/*
 * One thread
 */

static void one_thread(void)
{
	pmc_id_t id, all;

	fake_boot();
	id = allocate(PMC_MODE_TC, 0);
	FAILS(pmc_attach(id, FAKE_OTHER + 1), ESRCH,
	      "a thread of process 77: use pmc_attach_thread()");
	FAILS(pmc_attach_thread(id, 12345), ESRCH, "there is no thread 12345");
	FAILS(pmc_attach_thread(id, -1), EINVAL, "not a process id");
	FAILS(pmc_detach_thread(id, FAKE_OTHER + 1), EINVAL, "not attached to thread 78");
	is(pmc_attach_thread(id, FAKE_OTHER + 1), 0);
	is(fake_nr_open(), 1);
	is(fake_event(FAKE_OTHER + 1, -1)->attr.inherit, 0);
	is(fake_event(FAKE_OTHER + 1, -1)->attr.inherit_thread, 0);
	is(counts(id), 100);
	FAILS(pmc_attach_thread(id, FAKE_OTHER + 1), EEXIST, "attached to thread 78 already");
	FAILS(pmc_detach(id, FAKE_OTHER), EINVAL, "not attached to process 77");
	is(pmc_detach_thread(id, FAKE_OTHER + 1), 0);
	is(fake_nr_open(), 0);
	all = allocate(PMC_MODE_TC, PMC_F_DESCENDANTS);
	FAILS(pmc_attach_thread(all, FAKE_OTHER + 1), EINVAL, "PMC_F_DESCENDANTS needs a process");
}

/* A thread and its process, attached and detached in either order. */
static void thread_and_process(void)
{
	for (int thread_first = 0; thread_first < 2; thread_first++) {
		pmc_id_t id;

		fake_boot();
		id = allocate(PMC_MODE_TC, 0);
		if (thread_first) {
			is(pmc_attach_thread(id, FAKE_OTHER + 1), 0);
			is(counts(id), 100);
		}
		is(pmc_attach(id, FAKE_OTHER), 0);
		if (!thread_first)
			is(pmc_attach_thread(id, FAKE_OTHER + 1), 0);
		is(fake_nr_open(), 2);
		is(fake_event(FAKE_OTHER + 1, -1)->attr.inherit, 1);
		is(counts(id), 200);
		is(pmc_detach(id, FAKE_OTHER), 0);
		is(fake_nr_open(), 1);
		is(fake_event(FAKE_OTHER + 1, -1)->attr.inherit, 0);
		is(counts(id), 100);
		is(pmc_attach(id, FAKE_OTHER), 0);
		is(pmc_detach_thread(id, FAKE_OTHER + 1), 0);
		is(counts(id), 200);
	}
}

/* A thread that ended without ever having a counter has no count. */
static void thread_ended_uncounted(void)
{
	uint64_t value = 5;
	pmc_id_t id;

	fake_boot();
	id = allocate(PMC_MODE_TC, 0);
	is(pmc_attach_thread(id, FAKE_OTHER + 1), 0);
	is(pmc_start(id), 0);
	fake.zombie = true;
	is(pmc_read(id, &value), -1);
	ok(strstr(pmc_error_text(), "thread 78 has ended and was not counted"));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a process: all of its threads", all_threads },
		{ "descendants, now and later", descendants },
		{ "sampling: one event for each thread and CPU, one ring for each CPU", sampling },
		{ "the process itself", self },
		{ "a CPU that is offline", offline_cpu },
		{ "errors of pmc_attach", attach_errors },
		{ "errors of pmc_detach", detach_errors },
		{ "pmc_detach of a process that no longer exists", detach_gone },
		{ "pmc_detach of a process that runs a set-user-ID program", detach_set_id },
		{ "no memory for rings", rings_refused },
		{ "the count stays after a detach", counts_stay },
		{ "a lost count is still an error after a detach", lost_counts_stay_lost },
		{ "targets that overlap: each thread once", overlap },
		{ "targets that overlap: processes forked later", overlap_later },
		{ "targets that overlap, while the PMC runs", overlap_running },
		{ "targets that overlap: process 1 and another", overlap_init },
		{ "targets that overlap, sampled: each thread and CPU once", overlap_sampling },
		{ "one thread", one_thread },
		{ "a thread and its process", thread_and_process },
		{ "a thread that ended without a counter", thread_ended_uncounted },
		{ "descendants: a list of children longer than a page", many_children },
	};

	int result = tap_run(cases, TAP_NR(cases));

	lpmc_reset(&fake_sys); /* checks for leaks */
	return result;
}

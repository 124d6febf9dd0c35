// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_read.c - values: read(2), the user page, writes and periods.
 */
#include "fakekernel.h"

#include <errno.h>
#include <pthread.h>

#include <attach.h>
#include <state.h>

static pmc_id_t allocate(const char *spec, enum pmc_mode mode, uint64_t count)
{
	pmc_id_t id = PMC_ID_INVALID;

	is(pmc_allocate(spec, mode, 0, PMC_IS_SYSTEM_MODE(mode) ? 0 : PMC_CPU_ANY, &id, count), 0);
	if (mode == PMC_MODE_TC && count)
		is(pmc_write(id, count), 0);
	return id;
}

static uint64_t value_of(pmc_id_t id)
{
	uint64_t value = 0x5555;

	is(pmc_read(id, &value), 0);
	return value;
}

static void by_page(void)
{
	struct perf_event_mmap_page *page;
	pmc_id_t id;

	fake_boot();
	fake_csr[0] = 70;
	id = allocate("cycles", PMC_MODE_TC, 1000);
	is(pmc_start(id), 0);
	is(value_of(id), 1000);
	fake_count(50);
	/* The value comes from the page; read(2) must not be called. */
	fake_event(0, 0)->value = 99999;
	is(value_of(id), 1050);
	/* a counter of 48 bits that has wrapped reads as negative for a while */
	page = fake_event(0, 0)->page;
	page->lock += 2;
	page->offset = 1000;
	fake_csr[0] = (1ull << 48) - 8;
	is(value_of(id), 1000 + 992);
	/* the count of the other CPU is added as soon as its page has changed */
	fake_event(0, 1)->page->offset = 7;
	fake_event(0, 1)->page->index = 0;
	fake_event(0, 1)->page->lock += 2;
	page->lock += 2;
	is(value_of(id), 1000 + 992 + 7);
	/* now the thread runs on the other CPU */
	page->index = 0;
	page->offset = 500;
	page->lock += 2;
	fake_event(0, 1)->page->index = 4;
	fake_event(0, 1)->page->lock += 2;
	fake_csr[3] = 20;
	is(value_of(id), 1000 + 500 + 7 + 20);
}

/* With a second target, the pages do not have the whole count. */
static void second_target(void)
{
	pmc_id_t id;

	fake_boot();
	id = allocate("cycles", PMC_MODE_TC, 0);
	is(pmc_start(id), 0);
	is(value_of(id), 0);
	is(pmc_stop(id), 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(pmc_start(id), 0);
	fake_event(FAKE_OTHER, -1)->value = 100;
	is(value_of(id), 100);
}

static void by_read_instead(void)
{
	pmc_id_t id;

	fake_boot();
	id = allocate("cycles", PMC_MODE_TC, 0);
	is(pmc_start(id), 0);
	fake_count(10);
	fake_event(0, 0)->page->cap_user_rdpmc = 0; /* perf_user_access=0 */
	fake_event(0, 0)->value = 33;
	is(value_of(id), 33);
	fake_event(0, 0)->page->cap_user_rdpmc = 1;
	fake_event(0, 0)->page->index = 0; /* not on a counter now */
	fake_event(0, 0)->page->lock += 2;
	fake_event(0, 1)->page->index = 0;
	is(value_of(id), 33);
	is(pmc_stop(id), 0);
	is(value_of(id), 33);
}

/* A page may claim that user space can read the counter; without the setting it is ignored. */
static void only_where_allowed(void)
{
	static const struct {
		int setting, error;
		const char *why;
	} by[] = {
		{ 0, EACCES, "because /proc/sys/kernel/perf_user_access is 0; write 1 there" },
		{ -1, ENOSYS, "it has no /proc/sys/kernel/perf_user_access (Linux before 6.6" },
	};

	for (unsigned i = 0; i < 2; i++) {
		uint32_t ctr;
		pmc_id_t id;

		fake_boot();
		fake.user_access = by[i].setting;
		fake_csr[0] = 777;
		id = allocate("cycles", PMC_MODE_TC, 0);
		is(pmc_start(id), 0);
		is(lpmc_find(id)->pages.nr, 0);
		fake_event(FAKE_SELF, -1)->value = 3;
		is(value_of(id), 3);
		is(pmc_counter(id, &ctr), -1);
		is(errno, by[i].error);
		ok(strstr(pmc_error_text(), by[i].why));
	}
}

/* The setting may change while the program runs. */
static void allowed_later(void)
{
	uint32_t ctr;
	pmc_id_t id;

	fake_boot();
	fake.user_access = 0;
	is(pmc_start(allocate("cycles", PMC_MODE_TC, 0)), 0);
	fake.user_access = 1;
	id = allocate("instructions", PMC_MODE_TC, 0);
	is(pmc_start(id), 0);
	is(lpmc_find(id)->pages.nr, 2);
	is(pmc_counter(id, &ctr), 0);
	fake.user_access = 0; /* then pages have no index */
	for (int cpu = 0; cpu < 2; cpu++) {
		fake_event(0, cpu)->page->index = 0;
		fake_event(0, cpu)->page->lock += 2;
	}
	fake_event(0, 0)->value = 12;
	is(value_of(id), 12);
	is(pmc_counter(id, &ctr), -1);
	is(errno, EACCES);
}

static void firmware_never_by_page(void)
{
	pmc_id_t id;

	fake_boot();
	fake_csr[0] = 777;
	id = allocate("FW_SET_TIMER", PMC_MODE_TC, 0);
	is(pmc_start(id), 0);
	is(lpmc_find(id)->pages.nr, 0);
	fake_event(FAKE_SELF, -1)->value = 3;
	is(value_of(id), 3);
}

static void *read_there(void *arg)
{
	pmc_id_t id = *(pmc_id_t *)arg;

	is(value_of(id), 42);
	return NULL;
}

static void second_thread(void)
{
	pthread_t thread;
	pmc_id_t id;

	fake_boot();
	id = allocate("cycles", PMC_MODE_TC, 0);
	is(pmc_start(id), 0);
	fake_event(0, 0)->value = 42; /* the value of read(2), for all threads */
	is(pthread_create(&thread, NULL, read_there, &id), 0);
	is(value_of(id), 42); /* the page has only one thread: it is no longer used */
	pthread_join(thread, NULL);
}

/* Another thread reads the PMC of a thread: not from its own CSR. */
static void *read_of_other(void *arg)
{
	fake_tid = FAKE_THREAD;
	is(value_of(*(pmc_id_t *)arg), 33);
	return NULL;
}

/* In a process with several threads, as this one now, a thread reads its own counter. */
static void own_thread(void)
{
	struct fake_event *e;
	pthread_t thread;
	uint32_t ctr = 9;
	pmc_id_t id;

	fake_boot();
	fake.threads = true;
	id = allocate("cycles", PMC_MODE_TC, 1000);
	is(pmc_attach_thread(id, 0), 0);
	e = fake_event(FAKE_SELF, -1);
	is(e->attr.inherit, 0);
	ok(e->page != NULL);
	is(pmc_start(id), 0);
	is(value_of(id), 1000);
	fake_csr[0] = 50;
	e->value = 33 - 1000; /* the value of read(2), which is not called */
	is(value_of(id), 1050);
	is(pmc_counter(id, &ctr), 0);
	is(ctr, 0);
	is(pthread_create(&thread, NULL, read_of_other, &id), 0);
	pthread_join(thread, NULL);
	is(value_of(id), 1050);
	/* stopped, written, and started again */
	is(pmc_stop(id), 0);
	is(value_of(id), 33);
	is(pmc_write(id, 7), 0);
	is(value_of(id), 7);
	is(pmc_start(id), 0);
	is(value_of(id), 7);
	fake_csr[0] += 5;
	is(value_of(id), 12);
	/* with another target, its own count is not the whole */
	is(pmc_stop(id), 0);
	is(pmc_attach_thread(id, FAKE_OTHER), 0);
	is(pmc_start(id), 0);
	fake_event(FAKE_OTHER, -1)->value = 100;
	e->value += 5;
	is(value_of(id), 112);
	is(pmc_release(id), 0);
}

/* Another thread may be reading a page: it stays until the PMC is released. */
static void *detach_it(void *arg)
{
	fake_tid = FAKE_THREAD;
	is(pmc_detach_thread(*(pmc_id_t *)arg, FAKE_SELF), 0);
	return NULL;
}

static void own_thread_detached(void)
{
	struct fake_event *e;
	pthread_t thread;
	pmc_id_t id;

	fake_boot();
	id = allocate("cycles", PMC_MODE_TC, 0);
	is(pmc_attach_thread(id, 0), 0);
	e = fake_event(FAKE_SELF, -1);
	is(pmc_start(id), 0);
	fake_count(3);
	is(value_of(id), 3);
	is(pthread_create(&thread, NULL, detach_it, &id), 0);
	pthread_join(thread, NULL);
	ok(e->page && !e->page->index);
	is(value_of(id), 3);
	is(pmc_release(id), 0);
	ok(!e->page);
}

static void errors(void)
{
	uint64_t value = 5;
	pmc_id_t id;

	fake_boot();
	is(pmc_read(3, &value), -1);
	is(errno, ESRCH);
	is(pmc_read(0, &value), -1); /* a handle that was never allocated */
	is(errno, ESRCH);
	id = allocate("TASK_CLOCK", PMC_MODE_SC, 0);
	is(pmc_read(id ^ 1, &value), -1);
	is(errno, EINVAL);
	is(pmc_write(id ^ 1, 0), -1);
	is(errno, EINVAL);
	is(pmc_start(id), 0);
	fake_event(-1, 0)->error = true;
	is(pmc_read(id, &value), -1);
	is(errno, EINVAL);
	ok(strstr(pmc_error_text(), "there is no count"));
	is(value, 5); /* the value is not set to 0 */
}

/* When a process ends, Linux forgets that it had no counter: read(2) gives 0, and 0 ns. */
static void ended_without_a_counter(void)
{
	uint64_t value = 5;
	pmc_id_t id;

	fake_boot();
	id = allocate("cycles", PMC_MODE_TC, 100);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(pmc_start(id), 0);
	is(value_of(id), 100); /* it has not run yet */
	fake.zombie = true;
	value = 5;
	is(pmc_read(id, &value), -1);
	is(errno, EINVAL);
	ok(strstr(pmc_error_text(), "process 77 has ended and was not counted"));
	is(value, 5);
	is(pmc_stop(id), 0); /* the stop does not make it a count */
	is(pmc_read(id, &value), -1);
	is(errno, EINVAL);
	is(pmc_write(id, 7), 0);
	is(value_of(id), 7);
	/* a process that had a counter */
	fake.zombie = false;
	is(pmc_start(id), 0);
	fake_count(3);
	fake.zombie = true;
	is(value_of(id), 7 + 6);
}

static void lost_before_a_stop(void)
{
	uint64_t value;
	pmc_id_t id;

	fake_boot();
	id = allocate("cycles", PMC_MODE_TC, 0);
	is(pmc_start(id), 0);
	fake_count(10);
	fake_event(0, 0)->error = true;
	is(pmc_stop(id), 0);
	is(pmc_start(id), 0); /* it has a counter again, but the count between is unknown */
	is(fake_event(0, 0)->error, false);
	is(pmc_stop(id), 0);
	is(pmc_read(id, &value), -1);
	is(errno, EINVAL);
	is(pmc_rw(id, 0, &value), -1);
	is(pmc_write(id, 0), 0);
	is(value_of(id), 0);
}

static void writes(void)
{
	uint64_t old = 0;
	pmc_id_t id;

	fake_boot();
	id = allocate("TASK_CLOCK", PMC_MODE_SC, 100);
	is(pmc_start(id), 0);
	fake_count(11);
	is(pmc_write(id, 0), -1);
	is(errno, EBUSY);
	is(pmc_rw(id, 0, &old), -1);
	is(errno, EBUSY);
	is(pmc_set(id, 0), -1);
	is(errno, EBUSY);
	is(pmc_stop(id), 0);
	is(pmc_rw(id, 5000, &old), 0);
	is(old, 111);
	is(pmc_start(id), 0);
	fake_count(1);
	is(value_of(id), 5001);
	is(pmc_stop(id), 0);
	is(pmc_set(id, 7), 0); /* the initial value of a counting PMC */
	is(value_of(id), 7);
	is(pmc_write(id, UINT64_MAX), 0);
	is(pmc_start(id), 0);
	fake_count(2);
	is(value_of(id), 1);
}

static void periods(void)
{
	pmc_id_t id;

	fake_boot();
	is(pmc_set(1, 5), -1);
	is(errno, ESRCH);
	id = allocate("cycles", PMC_MODE_SS, 5000);
	is(fake_event(-1, 0)->period, 5000);
	is(pmc_set(id, 70000), 0);
	is(fake_event(-1, 0)->period, 70000);
	is(pmc_set(id, 3), 0);
	is(fake_event(-1, 0)->period, 1000);
	ok(strstr(pmc_error_text(), "every 1000"));
	is(pmc_set(id, UINT64_MAX), -1);
	is(errno, EINVAL);
	is(lpmc_find(id)->reload, 1000);
	is(pmc_configure_logfile(3), 0);
	is(pmc_start(id), 0);
	is(pmc_set(id, 70000), -1);
	is(errno, EBUSY);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the user page", by_page },
		{ "a second target", second_target },
		{ "read(2) if the page cannot be used", by_read_instead },
		{ "no page if the setting forbids it", only_where_allowed },
		{ "no page after the setting forbids it", allowed_later },
		{ "the page of a firmware event is ignored", firmware_never_by_page },
		{ "writes", writes },
		{ "errors: the value is not set to 0", errors },
		{ "a process that ended without a counter", ended_without_a_counter },
		{ "a count that was lost before a stop", lost_before_a_stop },
		{ "reload counts", periods },
		{ "with a second thread, read(2)",
		  second_thread }, /* later cases have several threads */
		{ "a thread's own, by its page", own_thread },
		{ "the page stays as long as it may be read", own_thread_detached },
	};

	int result = tap_run(cases, TAP_NR(cases));

	lpmc_reset(&fake_sys); /* checks for leaks */
	return result;
}

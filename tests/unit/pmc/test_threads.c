// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_threads.c - many threads at once, as pmc(3) allows.  Built with the sanitizer that sees races.
 */
#include "fakekernel.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include <internal.h>

#define THREADS 4

/* A check in a thread that is not the first. */
#define must(condition) atomic_fetch_add(&wrong, !(condition) && tell(__LINE__, #condition))

static atomic_uint wrong;

static unsigned tell(int line, const char *condition)
{
	printf("# line %d: %s: %s\n", line, condition, pmc_error_text());
	return 1;
}

static void all_at_once(void *(*body)(void *), unsigned threads)
{
	pthread_t t[THREADS];

	for (unsigned i = 0; i < threads; i++)
		is(pthread_create(&t[i], NULL, body, NULL), 0);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	is(wrong, 0);
}

static void *begin_and_end(void *arg)
{
	(void)arg;
	for (int i = 0; i < 200; i++) {
		if (pmc_configure_logfile(3) < 0)
			must(errno == EBUSY);
		else
			must(fake.helpers <= 1);
		if (pmc_close_logfile() < 0)
			must(errno == EINVAL);
	}
	return NULL;
}

static void one_helper(void)
{
	fake_boot();
	fake.real_threads = true;
	all_at_once(begin_and_end, 3);
	is(fake.helpers, 0);
	is(pmc_configure_logfile(3), 0);
	is(fake.helpers, 1);
	is(pmc_close_logfile(), 0);
	is(fake.helpers, 0);
}

/* Everything that a thread does with a PMC of its own, and what it asks of the library. */
static void *own_pmc(void *arg)
{
	struct pmc_driverstats stats;
	struct pmc_pmcinfo *info;
	uint64_t value;
	pmc_id_t id;

	(void)arg;
	for (int i = 0; i < 50; i++) {
		must(pmc_allocate("cycles,multiplex", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 5) == 0);
		must(pmc_attach(id, FAKE_OTHER) == 0);
		must(pmc_start(id) == 0);
		must(pmc_read(id, &value) == 0);
		must(value == 5);
		must(pmc_writelog(1) == 0);
		must(pmc_stop(id) == 0);
		must(pmc_rw(id, 7, &value) == 0);
		must(pmc_set(id, 8) == 0);
		must(pmc_read(id, &value) == 0);
		must(value == 8);
		must(pmc_flush_logfile() == 0);
		must(pmc_detach(id, FAKE_OTHER) == 0);
		must(pmc_pmcinfo(0, &info) == 0);
		free(info);
		must(pmc_get_driver_stats(&stats) == 0);
		must(pmc_init() == 0);
		must(pmc_release(id) == 0);
		must(pmc_read(id ^ 0x80, &value) == -1); /* its text is this thread's */
		must(strstr(pmc_error_text(), "PMC"));
	}
	return NULL;
}

static void everything_at_once(void)
{
	fake_boot();
	fake.real_threads = true;
	is(pmc_configure_logfile(3), 0);
	all_at_once(own_pmc, THREADS);
	is(fake_nr_open(), 0);
	is(pmc_close_logfile(), 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "logs that begin and end: one helper", one_helper },
		{ "each with a PMC of its own, and a log", everything_at_once },
	};

	int result = tap_run(cases, TAP_NR(cases));

	lpmc_reset(&fake_sys);
	return result;
}

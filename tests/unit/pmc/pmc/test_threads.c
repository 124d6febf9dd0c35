// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_threads.c - many threads at once, as pmc(3) allows.  Built with
 * ThreadSanitizer.
 */
#include "fakekernel.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <attach.h>

#define THREADS 4

/* A check in another thread than the first. */
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

/* All calls of a thread with its own PMC, and calls about the library. */
static void *own_pmc(void *arg)
{
	struct pmc_driverstats stats;
	struct pmc_pmcinfo *info;
	uint64_t value;
	pmc_id_t id;

	(void)arg;
	for (int i = 0; i < 50; i++) {
		must(pmc_allocate("cycles,multiplex", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0) == 0);
		must(pmc_write(id, 5) == 0);
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
		must(pmc_read(id ^ 0x80, &value) == -1); /* the error text belongs to this thread */
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

/* No call may wait for the reader of a pipe, so that the reader can make any call. */
static int log_pipe[2];
static pmc_id_t counter;

#define ENTRIES 20000 /* five times as many as a pipe can hold */

static void reader_does(void (*what)(void))
{
	void *log = pmclog_open(log_pipe[0]);
	struct pmclog_ev ev;
	uint32_t entries = 0;

	while (pmclog_read(log, &ev) == 0) {
		if (ev.pl_type != PMCLOG_TYPE_USERDATA)
			continue;
		must(ev.pl_u.pl_u.pl_userdata == entries);
		if (entries++ % 100 == 0)
			what();
	}
	must(ev.pl_state == PMCLOG_EOF);
	must(entries == ENTRIES);
	pmclog_close(log);
}

static void calls(void)
{
	struct pmc_driverstats stats;
	uint64_t value;
	pmc_id_t id;

	must(pmc_read(counter, &value) == 0);
	must(value == 5);
	must(pmc_get_driver_stats(&stats) == 0);
	must(pmc_allocate("page-faults", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0) == 0);
	must(pmc_attach(id, FAKE_OTHER) == 0);
	must(pmc_start(id) == 0);
	must(pmc_release(id) == 0);
}

static void forks(void)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	must(waitpid(child, &status, 0) == child);
	must(status == 0);
}

static void *calling_reader(void *arg)
{
	(void)arg;
	reader_does(calls);
	return NULL;
}

static void *forking_reader(void *arg)
{
	(void)arg;
	reader_does(forks);
	return NULL;
}

static void read_by(void *(*reader)(void *), bool real_threads)
{
	pthread_t t;

	fake_boot();
	fake.real_log = true;
	fake.real_threads = real_threads;
	is(pipe(log_pipe), 0);
	is(pmc_allocate("cycles", PMC_MODE_TC, PMC_F_DESCENDANTS, PMC_CPU_ANY, &counter, 0), 0);
	is(pmc_write(counter, 5), 0);
	is(pmc_start(counter), 0);
	is(pmc_configure_logfile(log_pipe[1]), 0);
	close(log_pipe[1]);
	is(pthread_create(&t, NULL, reader, NULL), 0);
	for (uint32_t i = 0; i < ENTRIES; i++) {
		is(pmc_writelog(i), 0);
		if (i % 10000 == 0)
			is(pmc_flush_logfile(), 0);
	}
	is(pmc_close_logfile(), 0);
	pthread_join(t, NULL);
	close(log_pipe[0]);
	is(wrong, 0);
}

static void reader_calls(void)
{
	read_by(calling_reader, false);
	read_by(calling_reader, true);
}

static void reader_forks(void)
{
	read_by(forking_reader, false);
}

/* An event stays in opening until another thread has read its own PMC and released one. */
static sem_t opening, was_read;

static void open_slowly(void)
{
	sem_post(&opening);
	sem_wait(&was_read);
	sem_post(&was_read);
}

static void *opener(void *arg)
{
	(void)arg;
	must(pmc_attach(counter, FAKE_OTHER) == 0);
	return NULL;
}

static void read_while_opened(void)
{
	uint64_t value, running;
	pthread_t t;
	pmc_id_t own;

	fake_boot();
	sem_init(&opening, 0, 0);
	sem_init(&was_read, 0, 0);
	is(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &counter, 0), 0);
	is(pmc_write(counter, 7), 0);
	is(pmc_allocate("cycles", PMC_MODE_TC, PMC_F_DESCENDANTS, PMC_CPU_ANY, &own, 0), 0);
	is(pmc_start(own), 0);
	fake_count(3);
	fake.opening = open_slowly;
	is(pthread_create(&t, NULL, opener, NULL), 0);
	sem_wait(&opening);
	is(pmc_read(own, &value), 0);
	is(value, 3);
	is(pmc_times(own, &value, &running), 0);
	is(running, 3);
	is(pmc_read(counter, &value), 0); /* unchanged */
	is(value, 7);
	sem_post(&was_read);
	pthread_join(t, NULL);
	fake.opening = NULL;
	is(wrong, 0);
}

/* Threads read a PMC while targets are attached and detached: the value never falls. */
static atomic_bool enough;

static void *rereader(void *arg)
{
	uint64_t value, last = 0;

	(void)arg;
	while (!enough) {
		must(pmc_read(counter, &value) == 0);
		must(value >= last);
		last = value;
	}
	return NULL;
}

static void read_while_changed(void)
{
	pthread_t t[2];
	uint64_t value;

	fake_boot();
	enough = false;
	is(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &counter, 0), 0);
	for (int i = 0; i < 2; i++)
		is(pthread_create(&t[i], NULL, rereader, NULL), 0);
	for (uint64_t i = 0; i < 300; i++) {
		is(pmc_attach(counter, FAKE_OTHER), 0);
		is(pmc_start(counter), 0);
		is(pmc_stop(counter), 0);
		is(pmc_detach(counter, FAKE_OTHER), 0);
		is(pmc_write(counter, 10 * i), 0);
	}
	enough = true;
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	is(pmc_read(counter, &value), 0);
	is(value, 2990);
	is(wrong, 0);
}

/*
 * Reads without the lock: each thread reads its own PMC, while another stops, writes, detaches and
 * starts it.  The counter does not move, so the value is one of the written ones.
 */
struct shared {
	pmc_id_t id;
	pid_t tid;
	atomic_bool end;
	atomic_uint ready;
};

static void *reads_its_own(void *arg)
{
	struct shared *s = arg;
	uint64_t value, last = 0;

	fake_tid = s->tid;
	must(pmc_attach_thread(s->id, 0) == 0);
	must(pmc_start(s->id) == 0);
	s->ready = 1;
	while (!s->end) {
		must(pmc_read(s->id, &value) == 0);
		must(value >= last && value <= 300);
		last = value;
	}
	return NULL;
}

static void written_while_read(void)
{
	struct shared s[2] = { { .tid = FAKE_THREAD }, { .tid = FAKE_THREAD + 1 } };
	pthread_t t[2];

	fake_boot();
	for (unsigned i = 0; i < 2; i++) {
		must(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &s[i].id, 0) == 0);
		is(pthread_create(&t[i], NULL, reads_its_own, &s[i]), 0);
	}
	for (unsigned i = 0; i < 2; i++) {
		while (!s[i].ready)
			sched_yield();
	}
	for (unsigned n = 1; n <= 300; n++) {
		pmc_id_t id = s[n & 1].id;

		must(pmc_stop(id) == 0);
		must(pmc_write(id, n) == 0);
		if (n % 8 < 2) {
			must(pmc_detach_thread(id, s[n & 1].tid) == 0);
			must(pmc_attach_thread(id, s[n & 1].tid) == 0);
		}
		must(pmc_start(id) == 0);
		if (n % 16 == 0)
			usleep(100);
	}
	s[0].end = s[1].end = true;
	for (unsigned i = 0; i < 2; i++) {
		pthread_join(t[i], NULL);
		is(pmc_release(s[i].id), 0);
	}
	is(wrong, 0);
	is(fake_nr_open(), 0);
}

/* Waits until it holds; alarm() bounds the wait. */
#define await(condition)                                                                           \
	do                                                                                         \
		usleep(100);                                                                       \
	while (!(condition))

static void signals(void)
{
	pmc_id_t self, other, unheard;

	fake_boot();
	fake.real_threads = true;
	is(pmc_allocate("cycles", PMC_MODE_TC, PMC_F_DESCENDANTS, PMC_CPU_ANY, &self, 0), 0);
	is(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &other, 0), 0);
	is(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &unheard, 0), 0);
	is(pmc_attach(other, FAKE_OTHER), 0);
	is(pmc_attach(unheard, FAKE_OTHER), 0);
	is(pmc_start(unheard), 0); /* no thread waits for a signal */
	is(fake.helpers, 0);
	fake.sigio_waiter = FAKE_SELF;
	is(pmc_start(self), 0);
	is(fake.helpers, 0);
	is(pmc_start(other), 0);
	is(fake.helpers, 1);
	usleep(2000);
	is(fake.sigios, 0);
	fake.gone = true;
	await(fake.sigios);
	usleep(2000);
	is(fake.sigios, 1); /* exactly one */
	is(pmc_release(unheard), 0);
	is(fake.helpers, 0);
	is(pmc_release(other), 0);
	is(pmc_release(self), 0);
}

static void signal_of_the_log(void)
{
	fake_boot();
	fake.sigio_waiter = FAKE_SELF;
	is(pmc_configure_logfile(3), 0);
	fake.write_error = ENOSPC;
	is(pmc_writelog(1), 0);
	is(pmc_flush_logfile(), -1);
	is(fake.sigios, 1);
	is(pmc_flush_logfile(), -1);
	is(pmc_close_logfile(), -1);
	is(fake.sigios, 1);
}

/* A PMC that waits for a signal takes over the helper thread of a log that ends. */
static void *starts(void *arg)
{
	pmc_id_t id;

	(void)arg;
	for (int i = 0; i < 100; i++) {
		must(pmc_allocate("cycles,multiplex", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0) == 0);
		must(pmc_attach(id, FAKE_OTHER) == 0);
		must(pmc_start(id) == 0);
		/* if the helper of a log is ending, another one begins after it */
		while (fake.helpers < 1)
			sched_yield();
		must(pmc_release(id) == 0);
	}
	return NULL;
}

static void helper_for_both(void)
{
	pthread_t t[2];

	fake_boot();
	fake.real_threads = true;
	fake.sigio_waiter = FAKE_SELF;
	is(pthread_create(&t[0], NULL, starts, NULL), 0);
	is(pthread_create(&t[1], NULL, starts, NULL), 0);
	for (int i = 0; i < 100; i++) {
		is(pmc_configure_logfile(3), 0);
		is(pmc_close_logfile(), 0);
	}
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	is(wrong, 0);
	is(fake.helpers, 0);
}

static void waits_briefly(void)
{
	pmc_id_t id;

	fake.joining = NULL;
	is(pmc_allocate("cycles,multiplex", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(pmc_start(id), 0);
	is(pmc_release(id), 0);
}

/* While the helper of a log ends, a PMC needs one and is released: then none may be left. */
static void no_helper_is_left(void)
{
	fake_boot();
	fake.real_threads = true;
	fake.sigio_waiter = FAKE_SELF;
	is(pmc_configure_logfile(3), 0);
	fake.joining = waits_briefly;
	is(pmc_close_logfile(), 0);
	ok(!fake.joining);
	is(fake.helpers, 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "logs that begin and end: one helper", one_helper },
		{ "each thread with its own PMC, and a log", everything_at_once },
		{ "the log's reader calls the library while another thread flushes", reader_calls },
		{ "the log's reader forks while another thread flushes", reader_forks },
		{ "a read while another thread opens events", read_while_opened },
		{ "a signal when the last target has ended", signals },
		{ "a signal when the log cannot be written", signal_of_the_log },
		{ "one thread for logs and signals", helper_for_both },
		{ "no helper is left for a PMC that is released", no_helper_is_left },
		{ "reads while targets come and go", read_while_changed },
		{ "each thread reads its own PMC, which others write", written_while_read },
	};

	alarm(60); /* otherwise a deadlock would last until the suite's time limit */
	int result = tap_run(cases, TAP_NR(cases));

	lpmc_reset(&fake_sys);
	return result;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_fork.c - a forked child owns no PMC of its parent, and can allocate its own.
 */
#include "fakekernel.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <attach.h>

/* Runs in the child; the exit status is the number of the failed check. */
static int child(pmc_id_t id)
{
	uint64_t value;
	pmc_id_t own;

	if (pmc_read(id, &value) != -1 || errno != ESRCH)
		return 1;
	if (fake_nr_open() != 0)
		return 2; /* it has closed the inherited descriptors */
	if (pmc_release(id) != -1 || errno != ESRCH)
		return 3;
	if (pmc_flush_logfile() != -1 || errno != EINVAL)
		return 4;
	if (pmc_init() < 0 || pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &own, 0) < 0 ||
	    pmc_write(own, 9) < 0)
		return 5;
	if (pmc_start(own) < 0 || pmc_read(own, &value) < 0 || value != 9)
		return 6;
	return pmc_release(own) < 0 ? 7 : 0;
}

static void owns_nothing(void)
{
	uint64_t value;
	pmc_id_t id;
	int status;
	pid_t pid;

	fake_boot();
	is(pmc_configure_logfile(3), 0);
	is(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), 0);
	is(pmc_start(id), 0);
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		_exit(child(id));
	is(waitpid(pid, &status, 0), pid);
	ok(WIFEXITED(status));
	is(WEXITSTATUS(status), 0);
	fake_count(5);
	is(pmc_read(id, &value), 0); /* the parent has lost nothing */
	is(value, 5);
	is(pmc_close_logfile(), 0);
}

static atomic_bool enough;

static void *allocate_and_release(void *arg)
{
	pmc_id_t id;

	(void)arg;
	while (!enough) {
		is(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), 0);
		is(pmc_attach(id, FAKE_OTHER), 0);
		is(pmc_release(id), 0);
	}
	return NULL;
}

/*
 * The child forks, too, before it has called the library.  The other thread is nearly always
 * within a call, and a fork of a program with sanitizers is slow: ten are enough.
 */
static void within_a_call(void)
{
	pthread_t thread;
	int status;
	pid_t pid;

	fake_boot();
	enough = false;
	is(pthread_create(&thread, NULL, allocate_and_release, NULL), 0);
	for (int i = 0; i < 10; i++) {
		pid = fork();
		if (pid == 0) {
			pid = fork();
			if (pid && waitpid(pid, &status, 0) == pid && status)
				_exit(8);
			_exit(pmc_release(1) != -1 || errno != ESRCH);
		}
		is(waitpid(pid, &status, 0), pid);
		is(status, 0);
	}
	enough = true;
	pthread_join(thread, NULL);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a child owns nothing, and the parent keeps everything", owns_nothing },
		{ "a fork while another thread is within a call", within_a_call },
	};

	int result = tap_run(cases, TAP_NR(cases));

	lpmc_reset(&fake_sys); /* checks for leaks */
	return result;
}

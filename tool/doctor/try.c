// SPDX-License-Identifier: BSD-2-Clause
/*
 * try.c - tries one event: allocates, starts, counts and samples it, only with libpmc.
 *
 * This code runs in a child process of its own (sys.c), where libpmc has no PMCs yet.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pmc.h>
#include <pmclog.h>

#include "doctor.h"
#include "events.h"

#define MANY_MAX 64

/* A loop in user mode that the compiler cannot remove. */
__attribute__((noinline)) static void spin(unsigned long rounds)
{
	for (unsigned long i = 0; i < rounds; i++)
		__asm__ __volatile__("" : "+r"(i)::"memory");
}

static int failed(struct doctor_try *t)
{
	char *reason;

	t->error = errno ? errno : EIO;
	reason = events_reason();
	snprintf(t->text, sizeof(t->text), "%s", reason ? reason : pmc_error_text());
	free(reason);
	return -1;
}

static int allocate(struct doctor_try *t, enum pmc_mode mode, pmc_id_t *id)
{
	int cpu = PMC_IS_SYSTEM_MODE(mode) ? 0 : PMC_CPU_ANY;
	uint64_t count = PMC_IS_SAMPLING_MODE(mode) ? DOCTOR_PERIOD : 0;

	return pmc_allocate(t->event, mode, 0, cpu, id, count) < 0 ? failed(t) : 0;
}

static void probe(struct doctor_try *t)
{
	pmc_id_t id;

	if (allocate(t, PMC_MODE_TC, &id) == 0)
		pmc_release(id);
}

static void count(struct doctor_try *t, enum pmc_mode mode)
{
	pmc_id_t id;

	if (allocate(t, mode, &id) < 0)
		return;
	if (pmc_start(id) < 0)
		failed(t);
	spin(DOCTOR_ROUNDS);
	if (!t->error && (pmc_stop(id) < 0 || pmc_read(id, &t->value) < 0))
		failed(t);
	pmc_release(id);
}

/* Counts on the first CPU.  Moves this process there, if that is allowed. */
static void count_system(struct doctor_try *t)
{
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	(void)sched_setaffinity(0, sizeof(first), &first);
	count(t, PMC_MODE_SC);
}

static void read_user(struct doctor_try *t)
{
	uint32_t ctr = 0;
	pmc_value_t value;
	pmc_id_t id;

	if (allocate(t, PMC_MODE_TC, &id) < 0)
		return;
	if (pmc_start(id) < 0 || pmc_read(id, &value) < 0 || pmc_counter(id, &ctr) < 0 ||
	    pmc_counter_width(id, &t->width) < 0)
		failed(t);
	t->value = ctr;
	pmc_release(id);
}

static void count_many(struct doctor_try *t)
{
	pmc_id_t id[MANY_MAX];
	unsigned nr = 0, on = 0;

	while (nr < MANY_MAX && allocate(t, PMC_MODE_TC, &id[nr]) == 0) {
		nr++;
		if (pmc_start(id[nr - 1]) < 0)
			break;
		on++;
	}
	t->value = on;
	if (on)
		t->error = 0; /* running out of counters is the expected end */
	while (nr)
		pmc_release(id[--nr]);
}

/* Counts the samples in the log.  Returns -1 if the log cannot be read. */
static int samples_of(int log, uint64_t *samples)
{
	struct pmclog_ev ev;
	void *parser;
	bool whole;

	if (lseek(log, 0, SEEK_SET) < 0 || !(parser = pmclog_open(log)))
		return -1;
	*samples = 0;
	while (pmclog_read(parser, &ev) == 0)
		*samples += ev.pl_type == PMCLOG_TYPE_CALLCHAIN;
	whole = ev.pl_state == PMCLOG_EOF;
	pmclog_close(parser);
	return whole ? 0 : -1;
}

static int run_sampling(struct doctor_try *t)
{
	pmc_id_t id;

	if (allocate(t, PMC_MODE_TS, &id) < 0)
		return -1;
	if (pmc_start(id) < 0)
		failed(t);
	spin(DOCTOR_SAMPLE_ROUNDS);
	if (!t->error && pmc_stop(id) < 0)
		failed(t);
	pmc_release(id);
	return t->error ? -1 : 0;
}

static void sample(struct doctor_try *t)
{
	int log = memfd_create("log", MFD_CLOEXEC);

	if (log < 0 || pmc_configure_logfile(log) < 0) {
		failed(t);
		return;
	}
	if (run_sampling(t) == 0 && (pmc_flush_logfile() < 0 || samples_of(log, &t->value) < 0))
		failed(t);
	pmc_close_logfile();
	close(log);
}

void doctor_try_event(struct doctor_try *t)
{
	errno = 0;
	if (pmc_init() < 0) {
		failed(t);
		return;
	}
	switch (t->way) {
	case DOCTOR_PROBE:
		probe(t);
		break;
	case DOCTOR_COUNT:
		count(t, PMC_MODE_TC);
		break;
	case DOCTOR_USER:
		read_user(t);
		break;
	case DOCTOR_MANY:
		count_many(t);
		break;
	case DOCTOR_SAMPLE:
		sample(t);
		break;
	case DOCTOR_SYSTEM:
		count_system(t);
		break;
	}
}

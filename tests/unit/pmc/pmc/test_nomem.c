// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_nomem.c - a program counts and samples while one allocation fails, each in turn: the call
 * that needs it fails with ENOMEM, nothing stays open, and the next program counts as usual.
 */
#include "fakekernel.h"

#include <errno.h>
#include <stdlib.h>

#include <nomem.h>

/* Whether a call succeeded; else it must have failed because of memory. */
#define good(call)                                                                                 \
	({                                                                                         \
		bool good_ = (call) == 0;                                                          \
		if (!good_ && nomem_failed() && !is(errno, ENOMEM))                                \
			printf("# %s: %s\n", #call, pmc_error_text());                             \
		good_;                                                                             \
	})

/* Releases everything; nothing may be open then. */
static void end(const pmc_id_t *id, unsigned nr, bool log)
{
	nomem_pause();
	if (log)
		pmc_close_logfile();
	for (unsigned n = 0; n < nr; n++)
		is(pmc_release(id[n]), 0);
	is(fake_nr_open(), 0);
}

static bool counts(void *arg)
{
	pmc_id_t id[2];
	pmc_value_t value = 0;
	unsigned nr = 0;
	bool done;

	nomem_pause();
	fake_boot();
	nomem_resume();
	done = good(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &id[nr], 0)) && ++nr &&
	       good(pmc_allocate("instructions", PMC_MODE_TC, 0, PMC_CPU_ANY, &id[nr], 0)) &&
	       ++nr && good(pmc_attach(id[0], FAKE_OTHER)) && good(pmc_start(id[0])) &&
	       good(pmc_start(id[1])) && good(pmc_read(id[0], &value)) && good(pmc_stop(id[0])) &&
	       good(pmc_detach(id[0], FAKE_OTHER));
	end(id, nr, false);
	return done;
}

/* Without memory for views and pages, a read is a system call. */
static void counting(void)
{
	nomem_each(counts, NULL, NOMEM_MAY_DO_WITHOUT);
}

static bool samples(void *arg)
{
	pmc_id_t id;
	unsigned nr = 0;
	bool log = false, done;

	nomem_pause();
	fake_boot();
	nomem_resume();
	done = good(pmc_configure_logfile(3)) && (log = true) &&
	       good(pmc_allocate("cycles", PMC_MODE_TS, 0, PMC_CPU_ANY, &id, 1000)) && ++nr &&
	       good(pmc_attach(id, FAKE_OTHER)) && good(pmc_start(id)) && good(pmc_writelog(7)) &&
	       good(pmc_flush_logfile()) && good(pmc_stop(id));
	end(&id, nr, log);
	return done;
}

/* Without memory, samples stay in the kernel's rings. */
static void sampling(void)
{
	nomem_each(samples, NULL, NOMEM_MAY_DO_WITHOUT);
}

static bool named(void *arg)
{
	const char **list;
	unsigned nr = 0;
	pmc_id_t id;
	int names;
	bool done;

	nomem_pause();
	fake_boot();
	fake_event_names();
	nomem_resume();
	done = good(pmc_allocate("five", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0)) && ++nr;
	if (good(pmc_event_names_of_class(PMC_CLASS_RISCV_SBI, &list, &names))) {
		is(names, 10 + 42 + 22 + 2);
		free(list);
	} else {
		done = false;
	}
	end(&id, nr, false);
	return done;
}

/* The device tree is read again when the names are needed again. */
static void names_of_cpu(void)
{
	nomem_each(named, NULL, NOMEM_MAY_DO_WITHOUT);
}

static bool reads_log(void *arg)
{
	void *parser = pmclog_open(PMCLOG_FD_NONE);
	struct pmclog_ev ev;
	unsigned nr = 0;
	bool done = parser;

	/* in pieces, so that the parser must buffer them */
	for (size_t at = 0; done && at < fake.log_len; at += 7) {
		size_t len = fake.log_len - at < 7 ? fake.log_len - at : 7;

		done = good(pmclog_feed(parser, (char *)fake.log + at, (int)len));
		while (done && pmclog_read(parser, &ev) == 0)
			nr++;
	}
	if (done)
		ok(nr > 2);
	if (parser)
		pmclog_close(parser);
	return done;
}

static void log_read(void)
{
	samples(NULL);
	ok(fake.log_len > 0);
	nomem_each(reads_log, NULL, NOMEM_NEEDS_ALL);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "counting", counting },
		{ "sampling", sampling },
		{ "events that the device tree names", names_of_cpu },
		{ "a log is read", log_read },
	};

	return tap_run(cases, TAP_NR(cases));
}

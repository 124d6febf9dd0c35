// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_start.c - pmc_start and pmc_stop, also when no counter is free.
 */
#include "fakekernel.h"

#include <errno.h>

#include <attach.h>
#include <state.h>

static pmc_id_t allocate(const char *spec, enum pmc_mode mode, uint32_t flags)
{
	pmc_id_t id = PMC_ID_INVALID;

	is(pmc_allocate(spec, mode, flags, PMC_IS_SYSTEM_MODE(mode) ? 0 : PMC_CPU_ANY, &id, 0), 0);
	return id;
}

static void states(void)
{
	pmc_id_t id;

	fake_boot();
	is(pmc_start(9), -1);
	is(errno, ESRCH);
	is(pmc_stop(9), -1);
	is(errno, ESRCH);
	id = allocate("cycles", PMC_MODE_TC, 0);
	is(pmc_start(id ^ 1), -1);
	is(errno, EINVAL);
	is(pmc_stop(id), -1);
	is(errno, EINVAL);
	ok(strstr(pmc_error_text(), "never started"));
	is(pmc_start(id), 0);
	ok(fake_event(0, 0)->enabled && fake_event(0, 1)->enabled);
	is(pmc_start(id), 0); /* a second start does nothing */
	is(pmc_stop(id), 0);
	ok(!fake_event(0, 0)->enabled);
	is(pmc_stop(id), 0);
	is(pmc_start(id), 0);
	ok(fake_event(0, 0)->enabled);
}

static void on_exec(void)
{
	pmc_id_t id;

	fake_boot();
	is(pmc_allocate("cycles", PMC_MODE_SC, PMC_F_ON_EXEC, 0, &id, 0), -1);
	is(errno, EINVAL);
	id = allocate("cycles", PMC_MODE_TC, PMC_F_ON_EXEC);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(pmc_start(id), 0);
	ok(fake_event(FAKE_OTHER, -1)->attr.enable_on_exec);
	ok(!fake_event(FAKE_OTHER, -1)->enabled); /* not before the exec */
	is(pmc_stop(id), 0);
	is(pmc_start(id), 0);
	ok(fake_event(FAKE_OTHER, -1)->enabled);
	is(pmc_release(id), 0);
	id = allocate("cycles", PMC_MODE_TC, 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	ok(!fake_event(FAKE_OTHER, -1)->attr.enable_on_exec);
}

static void needs_log(void)
{
	pmc_id_t id, csw;

	fake_boot();
	id = allocate("cycles", PMC_MODE_TS, 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	csw = allocate("cycles", PMC_MODE_TC, PMC_F_LOG_PROCCSW);
	is(pmc_start(id), -1);
	is(errno, EDOOFUS);
	ok(strstr(pmc_error_text(), "pmc_configure_logfile()"));
	is(pmc_start(csw), -1);
	is(errno, EDOOFUS);
	is(pmc_configure_logfile(3), 0);
	is(pmc_start(id), 0);
	is(pmc_start(csw), 0);
	/* without a log they cannot run */
	is(pmc_configure_logfile(-1), 0);
	is(lpmc_find(id)->state, PMC_STATE_STOPPED);
	is(pmc_start(id), -1);
	is(errno, EDOOFUS);
}

/* As on FreeBSD, only a process that samples itself needs no log. */
static void owner_needs_no_log(void)
{
	pmc_id_t id, both;

	fake_boot();
	id = allocate("cycles", PMC_MODE_TS, 0);
	is(pmc_start(id), 0);
	ok(fake_event(FAKE_SELF, 0)->enabled);
	both = allocate("cycles", PMC_MODE_TS, 0);
	is(pmc_attach(both, 0), 0);
	is(pmc_attach(both, FAKE_OTHER), 0);
	is(pmc_start(both), -1);
	is(errno, EDOOFUS);
	is(pmc_configure_logfile(3), 0);
	is(lpmc_find(id)->state, PMC_STATE_RUNNING);
	is(pmc_stop(id), 0);
	is(pmc_release(id), 0);
}

static void no_counter_free(void)
{
	pmc_id_t id[8];

	fake_boot();
	fake.ncpu = 1;
	lpmc.info.pm_ncpu = 1;
	for (int i = 0; i < 8; i++)
		id[i] = allocate("cycles", PMC_MODE_SC, 0);
	for (int i = 0; i < 6; i++)
		is(pmc_start(id[i]), 0);
	is(pmc_start(id[6]), -1);
	is(errno, EBUSY);
	ok(strstr(pmc_error_text(), "no counter that can count it is free"));
	is(lpmc_find(id[6])->state, PMC_STATE_ALLOCATED);
	is(pmc_stop(id[2]), 0);
	is(pmc_start(id[6]), 0);
}

static void not_attached_when_it_fails(void)
{
	pmc_id_t taken[6], id;

	fake_boot();
	id = allocate("cycles", PMC_MODE_TC, 0);
	for (int i = 0; i < 6; i++)
		taken[i] = allocate("cycles", PMC_MODE_SC, 0);
	for (int i = 0; i < 6; i++)
		is(pmc_start(taken[i]), 0);
	is(pmc_start(id), -1);
	is(errno, EBUSY);
	is(lpmc_find(id)->targets.nr, 0);
	is(fake_nr_open(), 6);
}

static void multiplexed(void)
{
	uint64_t value, enabled, running;
	pmc_id_t id;

	fake_boot();
	id = allocate("cycles,multiplex", PMC_MODE_TC, 0);
	is(pmc_start(id), 0);
	is(fake_event(FAKE_SELF, -1)->attr.pinned, 0);
	is(pmc_read(id, &value), 0);
	is(value, 0);
	fake_event(FAKE_SELF, -1)->time_enabled = 400;
	is(pmc_read(id, &value), -1);
	is(errno, EINVAL);
	ok(strstr(pmc_error_text(), "has not had a counter yet"));
	fake_event(FAKE_SELF, -1)->time_running = 100;
	fake_event(FAKE_SELF, -1)->value = 1000;
	is(pmc_read(id, &value), 0);
	is(value, 4000);
	is(pmc_times(id, &enabled, &running), 0);
	is(enabled, 400);
	is(running, 100);
	/* the scaling must not overflow */
	fake_event(FAKE_SELF, -1)->value = 1ull << 62;
	fake_event(FAKE_SELF, -1)->time_enabled = 3ull << 40;
	fake_event(FAKE_SELF, -1)->time_running = 2ull << 40;
	is(pmc_read(id, &value), 0);
	is(value, 3ull << 61);
}

static void no_target_left(void)
{
	pmc_id_t id;

	fake_boot();
	id = allocate("cycles", PMC_MODE_TC, 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(pmc_start(id), 0);
	is(pmc_stop(id), 0);
	fake.gone = true;
	is(pmc_start(id), -1);
	is(errno, ESRCH);
	ok(strstr(pmc_error_text(), "its last target has ended"));
	fake.gone = false;
	fake.zombie = true;
	is(pmc_start(id), -1);
	is(errno, ESRCH);
	fake.zombie = false;
	is(pmc_start(id), 0);
	is(pmc_stop(id), 0);
	is(pmc_detach(id, FAKE_OTHER), 0);
	is(pmc_start(id), -1);
	is(errno, ESRCH);
	ok(strstr(pmc_error_text(), "its last target is detached"));
	is(pmc_attach(id, FAKE_CHILD), 0);
	is(pmc_start(id), 0);
}

static void without_proc(void)
{
	uint64_t value;
	pmc_id_t id;

	fake_boot();
	fake.no_proc = true;
	for (uint32_t flags = 0; flags <= PMC_F_DESCENDANTS; flags += PMC_F_DESCENDANTS) {
		id = allocate("cycles", PMC_MODE_TC, flags);
		is(pmc_start(id), 0);
		fake_count(7);
		is(pmc_read(id, &value), 0);
		is(value, 7);
		is(pmc_stop(id), 0);
		is(pmc_start(id), 0);
		is(pmc_release(id), 0);
	}
	fake.threads = true; /* the library cannot tell which thread it is */
	id = allocate("cycles", PMC_MODE_TC, 0);
	is(pmc_start(id), -1);
	is(errno, ESRCH);
	ok(strstr(pmc_error_text(), "/proc is not mounted"));
}

static pmc_id_t interrupted;

/* Called within pmc_start(), like a signal handler. */
static void handler(struct fake_event *e)
{
	uint64_t value = 5;

	(void)e;
	is(pmc_stop(interrupted), -1);
	is(errno, EDEADLK);
	ok(strstr(pmc_error_text(), "signal handler"));
	is(pmc_read(interrupted, &value), 0);
	is(value, 0);
}

static void interrupted_by_a_handler(void)
{
	uint64_t value;

	fake_boot();
	interrupted = allocate("cycles", PMC_MODE_TC, 0);
	fake.enabled = handler;
	is(pmc_start(interrupted), 0);
	fake.enabled = NULL;
	is(pmc_read(interrupted, &value), 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "PMC_F_ON_EXEC: the kernel starts it", on_exec },
		{ "start and stop", states },
		{ "EDOOFUS: no log", needs_log },
		{ "a process samples itself without a log", owner_needs_no_log },
		{ "EBUSY: no counter is free", no_counter_free },
		{ "a start that fails attaches nothing", not_attached_when_it_fails },
		{ "multiplexed: scaled, and marked", multiplexed },
		{ "ESRCH: no target", no_target_left },
		{ "a process counts itself without /proc", without_proc },
		{ "EDEADLK: a signal handler within a call", interrupted_by_a_handler },
	};

	int result = tap_run(cases, TAP_NR(cases));

	lpmc_reset(&fake_sys); /* checks for leaks */
	return result;
}

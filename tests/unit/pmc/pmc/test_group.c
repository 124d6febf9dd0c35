// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_group.c - pmc_group and pmc_read_group: the events that are opened, values, every error.
 */
#include "fakekernel.h"

#include <errno.h>

#include <attach.h>
#include <state.h>
#include <view.h>

struct lpmc_view *__real_lpmc_view_take(pmc_id_t id);
struct lpmc_view *__wrap_lpmc_view_take(pmc_id_t id);

static pmc_id_t id[8];

/* What another thread does before a reader takes the view of this PMC; NULL: nothing. */
static void (*meanwhile)(void);
static pmc_id_t meanwhile_at;

struct lpmc_view *__wrap_lpmc_view_take(pmc_id_t pmc)
{
	void (*call)(void) = meanwhile;

	if (call && pmc == meanwhile_at) {
		meanwhile = NULL;
		call();
	}
	return __real_lpmc_view_take(pmc);
}

static void allocate(int nr, const char *spec, enum pmc_mode mode, uint32_t flags)
{
	fake_boot();
	for (int i = 0; i < nr; i++) {
		is(pmc_allocate(spec, mode, flags, PMC_IS_SYSTEM_MODE(mode) ? 0 : PMC_CPU_ANY,
				&id[i], 100u * i),
		   0);
		if (mode == PMC_MODE_TC)
			is(pmc_write(id[i], 100u * i), 0);
	}
}

static uint64_t value_of(pmc_id_t pmc)
{
	uint64_t value = 0x5555;

	is(pmc_read(pmc, &value), 0);
	return value;
}

/* The event that was opened as the n-th, from 0. */
static struct fake_event *nth(int n)
{
	return &fake.event[n];
}

static void a_process(void)
{
	uint64_t v[3] = { 0 }, enabled = 0, running = 0;

	allocate(3, "cycles", PMC_MODE_TC, 0);
	is(pmc_group(id, 3), 0);
	is(fake_nr_open(), 0);
	is(pmc_attach(id[1], FAKE_OTHER), 0); /* any PMC of the group */
	is(fake_nr_open(), 6); /* two threads */
	ok(nth(0)->attr.pinned && nth(0)->attr.disabled);
	ok(nth(0)->attr.read_format & PERF_FORMAT_GROUP);
	ok(!nth(1)->attr.pinned && !nth(1)->attr.disabled && nth(1)->group == FAKE_FD);
	is(pmc_start(id[2]), 0);
	is(lpmc_find(id[0])->state, PMC_STATE_RUNNING);
	is(lpmc_find(id[1])->state, PMC_STATE_RUNNING);
	fake_count(7);
	nth(1)->value += 1000;
	is(pmc_read_group(id[2], v, 3, &enabled, &running), 3);
	is(v[0], 14);
	is(v[1], 1114);
	is(v[2], 214);
	is(enabled, 14);
	is(running, 14);
	is(value_of(id[1]), 1114);
	is(pmc_times(id[1], &enabled, &running), 0);
	is(enabled, 14);
	/* each PMC keeps its count */
	is(pmc_stop(id[0]), 0);
	is(pmc_detach(id[0], FAKE_OTHER), 0);
	is(fake_nr_open(), 0);
	is(pmc_read_group(id[0], v, 2, NULL, NULL), 3);
	is(v[1], 1114);
	is(pmc_write(id[1], 5), 0);
	is(value_of(id[1]), 5);
	is(value_of(id[2]), 214);
}

static void released(void)
{
	allocate(3, "cycles", PMC_MODE_SC, 0);
	is(fake_nr_open(), 3);
	is(pmc_group(id, 3), 0);
	is(fake_nr_open(), 3);
	is(pmc_start(id[0]), 0);
	fake_count(9);
	is(pmc_release(id[0]), 0);
	is(fake_nr_open(), 2);
	is(value_of(id[1]), 109);
	is(value_of(id[2]), 209);
	is(pmc_start(id[1]), 0); /* by itself */
	fake_count(1);
	is(value_of(id[1]), 110);
	is(value_of(id[2]), 209);
}

static void too_large(void)
{
	allocate(7, "cycles", PMC_MODE_TC, 0);
	is(pmc_group(id, 7), -1);
	is(errno, EBUSY);
	ok(strstr(pmc_error_text(), "not have enough free counters for all of them at once"));
	is(fake_nr_open(), 0);
	is(pmc_group(id, 6), 0);
	is(pmc_start(id[6]), 0); /* takes one counter: too few are left for six */
	is(pmc_start(id[0]), -1);
	is(errno, EBUSY);
	is(lpmc_find(id[3])->state, PMC_STATE_ALLOCATED);
	is(pmc_stop(id[6]), 0);
	is(pmc_start(id[0]), 0);
}

/* A group is multiplexed as one, so that its counts are of the same time. */
static void turns(void)
{
	uint64_t v[2], enabled, running;

	allocate(2, "cycles,multiplex", PMC_MODE_TC, 0);
	is(pmc_group(id, 2), 0);
	is(pmc_attach(id[0], FAKE_CHILD), 0);
	is(pmc_start(id[0]), 0);
	fake_count(10);
	nth(0)->waits = true;
	fake_count(30);
	is(pmc_read_group(id[0], v, 2, &enabled, &running), 2);
	is(enabled, 40);
	is(running, 10);
	is(v[0], 40);
	is(v[1], 140);
	is(value_of(id[1]), 140);
}

/* The group ends, and the handle of its leader becomes that of a member of another group. */
static void other_group(void)
{
	pmc_id_t list[2] = { id[2] };

	is(pmc_release(id[0]), 0);
	is(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &list[1], 0), 0);
	is(list[1], id[0]);
	is(pmc_group(list, 2), 0);
}

static void ended_group(void)
{
	uint64_t v[2] = { 5, 5 };

	allocate(3, "cycles", PMC_MODE_TC, 0);
	is(pmc_group(id, 2), 0);
	is(pmc_read_group(id[1], v, 2, NULL, NULL), 2);
	is(v[1], 100);
	meanwhile = other_group;
	meanwhile_at = id[0];
	is(pmc_read_group(id[1], v, 2, NULL, NULL), -1);
	ok(!meanwhile);
	is(errno, EINVAL);
	ok(strstr(pmc_error_text(), "its group has ended"));
	is(v[1], 100);
	is(pmc_read_group(id[1], v, 2, NULL, NULL), 1); /* it is in no group now */
	is(v[0], 100);
}

static void errors(void)
{
	pmc_id_t other, list[2];

	allocate(4, "cycles", PMC_MODE_TC, 0);
	is(pmc_group(id, 1), -1);
	is(errno, EINVAL);
	is(pmc_group(NULL, 2), -1);
	is(errno, EINVAL);
	list[0] = list[1] = id[0];
	is(pmc_group(list, 2), -1);
	ok(strstr(pmc_error_text(), "twice"));
	is(pmc_allocate("cycles", PMC_MODE_TS, 0, PMC_CPU_ANY, &other, 5000), 0);
	list[1] = other;
	is(pmc_group(list, 2), -1);
	ok(strstr(pmc_error_text(), "samples or logs cannot be in a group"));
	is(pmc_allocate("cycles,multiplex", PMC_MODE_TC, 0, PMC_CPU_ANY, &other, 0), 0);
	list[1] = other;
	is(pmc_group(list, 2), -1);
	ok(strstr(pmc_error_text(), "all or none must be multiplex"));
	is(pmc_attach(id[3], FAKE_OTHER), 0);
	list[1] = id[3];
	is(pmc_group(list, 2), -1);
	is(errno, EBUSY);
	is(pmc_group(id, 2), 0);
	is(pmc_group(id + 1, 2), -1);
	is(errno, EEXIST);
	is(pmc_read_group(id[3], NULL, 0, NULL, NULL), 1);
	/* the process ended without a counter */
	is(pmc_attach(id[0], FAKE_CHILD), 0);
	is(pmc_start(id[0]), 0);
	fake_event(FAKE_CHILD, -1)->error = true;
	is(pmc_read_group(id[1], NULL, 0, NULL, NULL), -1);
	is(errno, EINVAL);
	is(pmc_stop(id[0]), 0);
	is(pmc_release(id[1]), 0);
	is(pmc_read_group(id[0], NULL, 0, NULL, NULL), -1); /* a lost count stays lost */
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a process", a_process },
		{ "a group ends with one of its PMCs", released },
		{ "more PMCs than counters", too_large },
		{ "turns", turns },
		{ "a group that ends while it is read", ended_group },
		{ "errors", errors },
	};

	int result = tap_run(cases, TAP_NR(cases));

	lpmc_reset(&fake_sys);
	return result;
}

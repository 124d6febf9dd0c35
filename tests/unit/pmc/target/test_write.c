// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_write.c - pmc_write() with a read in the middle, as by a signal handler: who has read the
 * new value never reads the old one again.
 *
 * The read comes where pmc_write() allocates the new view.  The base is then written already, but
 * readers do not have the new view yet.
 */
#include "fakekernel.h"

#include <attach.h>
#include <state.h>

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

static void (*handler)(void);

void *__wrap_malloc(size_t size)
{
	void (*call)(void) = handler;

	handler = NULL;
	if (call)
		call();
	return __real_malloc(size);
}

static pmc_id_t id;

static uint64_t value_of(void)
{
	uint64_t value = 0x5555;

	is(pmc_read(id, &value), 0);
	return value;
}

/* The event has, or has no, counter now, as its page says. */
static void on_counter(bool on)
{
	struct perf_event_mmap_page *page = fake_event(0, 0)->page;

	page->index = on;
	page->lock += 2;
}

static uint64_t seen[2];
static unsigned handled;

/* By the page, and then by read(2). */
static void read_twice(void)
{
	handled++;
	on_counter(true);
	seen[0] = value_of();
	on_counter(false);
	seen[1] = value_of();
	on_counter(true);
}

static void in_the_middle(void)
{
	fake_boot();
	fake_csr[0] = 0;
	is(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), 0);
	is(pmc_write(id, 1000), 0);
	is(pmc_start(id), 0);
	is(value_of(), 1000);
	is(pmc_stop(id), 0);
	on_counter(true);
	is(value_of(), 1000);
	handler = read_twice;
	is(pmc_write(id, 2000), 0);
	is(handled, 1);
	ok(seen[0] == 1000 || seen[1] == 2000);
	is(seen[1], 1000); /* readers do not have the new view yet */
	is(value_of(), 2000);
	on_counter(false);
	is(value_of(), 2000);
	fake_end();
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a read in the middle of a write", in_the_middle },
	};

	return tap_run(cases, TAP_NR(cases));
}

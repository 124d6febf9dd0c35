// SPDX-License-Identifier: BSD-2-Clause
/*
 * cost.c - the cost of libpmc's calls in instructions, counted by libpmc itself (bench/pmc/run runs
 * it in the guest).  Each figure is the least of several, minus the cost of reading the counter.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <pmc.h>

#define TRIES 20

static pmc_id_t meter; /* counts instructions of this process */
static uint64_t floor_cost;

static void die(const char *what)
{
	fprintf(stderr, "cost: %s: %s\n", what, pmc_error_text());
	exit(1);
}

static uint64_t now(void)
{
	pmc_value_t value;

	if (pmc_read(meter, &value) < 0)
		die("pmc_read");
	return value;
}

static pmc_id_t make(const char *event, uint32_t flags)
{
	pmc_id_t id;

	if (pmc_allocate(event, PMC_MODE_TC, flags, PMC_CPU_ANY, &id, 0) < 0 || pmc_start(id) < 0)
		die(event);
	return id;
}

/* Instructions of body(arg). */
static uint64_t cost(void (*body)(pmc_id_t), pmc_id_t arg)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = now(), after;

		body(arg);
		after = now();
		if (after - before < least)
			least = after - before;
	}
	return least - floor_cost;
}

static void nothing(pmc_id_t id)
{
	(void)id;
}

static void read_it(pmc_id_t id)
{
	pmc_value_t value;

	if (pmc_read(id, &value) < 0)
		die("pmc_read");
}

static void stop_start(pmc_id_t id)
{
	if (pmc_stop(id) < 0 || pmc_start(id) < 0)
		die("stop and start");
}

static void whole_life(pmc_id_t id)
{
	id = make("instructions", 0);
	if (pmc_stop(id) < 0 || pmc_release(id) < 0)
		die("stop and release");
}

static void system_call(pmc_id_t id)
{
	(void)id;
	getppid();
}

static void row(const char *name, void (*body)(pmc_id_t), pmc_id_t arg)
{
	printf("%-12s %6llu\n", name, (unsigned long long)cost(body, arg));
}

/* In a process with threads: a thread that counts itself, and reads while the other threads run. */
static void *own_thread(void *arg)
{
	pmc_id_t own, *of = arg;

	if (pmc_allocate("instructions", PMC_MODE_TC, 0, PMC_CPU_ANY, &meter, 0) < 0 ||
	    pmc_attach_thread(meter, 0) < 0 || pmc_start(meter) < 0 ||
	    pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &own, 0) < 0 ||
	    pmc_attach_thread(own, 0) < 0 || pmc_start(own) < 0)
		die("a thread's own");
	floor_cost = 0;
	floor_cost = cost(nothing, 0);
	row("thread", read_it, own);
	row("process", read_it, *of);
	return NULL;
}

int main(void)
{
	pmc_id_t page, call, firmware;
	pthread_t thread;

	if (pmc_init() < 0)
		die("pmc_init");
	meter = make("instructions", 0);
	floor_cost = 0;
	floor_cost = cost(nothing, 0);
	page = make("cycles", 0);
	call = make("cycles", PMC_F_DESCENDANTS);
	firmware = make("FW_SET_TIMER", 0);
	row("page", read_it, page);
	row("read", read_it, call);
	row("firmware", read_it, firmware);
	row("getppid", system_call, 0);
	row("stop+start", stop_start, page);
	row("life", whole_life, 0);
	if (pthread_create(&thread, NULL, own_thread, &page))
		die("pthread_create");
	pthread_join(thread, NULL);
	return 0;
}

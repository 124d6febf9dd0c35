// SPDX-License-Identifier: BSD-2-Clause
/*
 * data_prog.c - data whose misses are known by hand, for tests/tool/profile.
 *
 *	data_prog walk ROUNDS	reads field `mass` of all elements of `bodies`, twice as large as
 *				L1D: each of them misses each time
 *	data_prog list ROUNDS	the same for nodes of a list, each from malloc
 *	data_prog share ROUNDS	two threads on two harts count in turns in `counters`: each time
 *				one takes the line from the other
 *	data_prog apart ROUNDS	the same in `padded`, whose counters have lines of their own
 *	data_prog both ROUNDS	the same in one counter
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR 1024

struct body {
	long id;
	double place[3];
	double mass, spare[3];
};

struct node {
	struct node *next;
	long value, spare[6];
};

static struct body bodies[NR] __attribute__((aligned(64)));
static struct {
	long first, second;
} counters __attribute__((aligned(64)));
static struct {
	long first;
	char line[120];
	long second;
} padded __attribute__((aligned(64)));
static _Atomic int turn __attribute__((aligned(64)));
static long rounds;

static double walk(void)
{
	double sum = 0;

	for (int n = 0; n < NR; n++)
		bodies[n].id = n; /* else all pages are the page of zeros */
	for (long r = 0; r < rounds; r++) {
		for (int n = 0; n < NR; n++)
			sum += bodies[n].mass;
	}
	return sum;
}

static struct node *make_node(struct node *next, long value)
{
	struct node *n = aligned_alloc(64, sizeof(*n));

	n->next = next;
	n->value = value;
	return n;
}

static long list(void)
{
	struct node *first = NULL;
	long sum = 0;

	for (int n = 0; n < NR; n++)
		first = make_node(first, n);
	for (long r = 0; r < rounds; r++) {
		for (const struct node *n = first; n; n = n->next)
			sum += n->value;
	}
	return sum;
}

/* A thread's counter, and which hart it counts on. */
struct counter {
	volatile long *at;
	int hart;
};

static void *count(void *arg)
{
	const struct counter *c = arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(c->hart, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (long r = 0; r < rounds; r++) {
		while (atomic_load(&turn) != c->hart)
			;
		*c->at += 1;
		atomic_store(&turn, !c->hart);
	}
	return NULL;
}

static void share(long *first, long *second)
{
	struct counter c[2] = { { first, 0 }, { second, 1 } };
	pthread_t thread;

	pthread_create(&thread, NULL, count, &c[1]);
	count(&c[0]);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	rounds = argc > 2 ? atol(argv[2]) : 1;
	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "walk"))
		return walk() != 0;
	if (!strcmp(argv[1], "list"))
		return list() == 0;
	if (!strcmp(argv[1], "share"))
		share(&counters.first, &counters.second);
	else if (!strcmp(argv[1], "apart"))
		share(&padded.first, &padded.second);
	else if (!strcmp(argv[1], "both"))
		share(&counters.first, &counters.first);
	return 0;
}

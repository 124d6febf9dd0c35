// SPDX-License-Identifier: BSD-2-Clause
/*
 * targets.c - counts in the guest: PMCs that are read together, one thread of several, and targets
 * that overlap.  Cases of guest_counting().
 */
#include "guest.h"

#include <pthread.h>
#include <sys/syscall.h>

/* What spin(n) and the reading add to the two PMCs of a group; the least of a few tries. */
static void group_costs(pmc_id_t lead, uint64_t n, pmc_value_t least[2])
{
	pmc_value_t before[2], after[2];

	least[0] = least[1] = UINT64_MAX;
	for (int i = 0; i < 20; i++) {
		is(pmc_read_group(lead, before, 2, NULL, NULL), 2);
		guest_spin(n);
		is(pmc_read_group(lead, after, 2, NULL, NULL), 2);
		for (int k = 0; k < 2; k++) {
			if (after[k] - before[k] < least[k])
				least[k] = after[k] - before[k];
		}
	}
}

void guest_group_of_two(void)
{
	pmc_value_t few[2], many[2];
	pmc_id_t id[2];

	id[0] = guest_allocate("instructions,usr", PMC_MODE_TC, 0, 0);
	id[1] = guest_allocate("branches,usr", PMC_MODE_TC, 0, 0);
	works(pmc_group(id, 2));
	works(pmc_start(id[0]));
	group_costs(id[0], 1000, few);
	group_costs(id[0], 5000, many);
	works(pmc_stop(id[0]));
	within(many[0] - few[0], 8000, guest_exact ? 8000 : UINT64_MAX);
	within(many[1] - few[1], 4000, guest_exact ? 4000 : UINT64_MAX);
	works(pmc_release(id[0]));
	works(pmc_release(id[1]));
}

/* A thread that tells its number, and spins when it is told to go. */
struct spinner {
	pthread_t thread;
	int told[2], go[2];
	uint64_t n;
};

static void *spins_later(void *arg)
{
	struct spinner *s = arg;
	pid_t tid = (pid_t)syscall(SYS_gettid);
	char byte;

	if (write(s->told[1], &tid, sizeof(tid)) == sizeof(tid) && read(s->go[0], &byte, 1) == 1)
		guest_spin(s->n);
	return NULL;
}

static pid_t spinner_begin(struct spinner *s, uint64_t n)
{
	pid_t tid = 0;

	s->n = n;
	ok(pipe(s->told) == 0 && pipe(s->go) == 0);
	is(pthread_create(&s->thread, NULL, spins_later, s), 0);
	is(read(s->told[0], &tid, sizeof(tid)), sizeof(tid));
	return tid;
}

static void spinner_end(struct spinner *s)
{
	is(write(s->go[1], "", 1), 1);
	pthread_join(s->thread, NULL);
	for (int i = 0; i < 2; i++) {
		close(s->told[i]);
		close(s->go[i]);
	}
}

/* Instructions in user mode of one of two threads for spin(n); the least of a few tries. */
static uint64_t thread_costs(uint64_t n, uint64_t other)
{
	uint64_t least = UINT64_MAX, value;
	struct spinner one, two;

	for (int i = 0; i < 5; i++) {
		pmc_id_t id = guest_allocate("instructions,usr", PMC_MODE_TC, 0, 0);

		works(pmc_attach_thread(id, spinner_begin(&one, n)));
		spinner_begin(&two, other);
		works(pmc_start(id));
		spinner_end(&two);
		spinner_end(&one);
		value = guest_read(id);
		least = value < least ? value : least;
		works(pmc_release(id));
	}
	return least;
}

static int thread_alone_in_child(void *arg)
{
	uint64_t few;

	(void)arg;
	tap.failed = 0;
	few = thread_costs(100000, 700000);
	within(few, 200000, guest_exact ? 210000 : UINT64_MAX);
	within(thread_costs(300000, 1) - few, 400000, guest_exact ? 400000 : UINT64_MAX);
	fflush(stdout);
	return tap.failed != 0;
}

void guest_thread_alone(void)
{
	struct guest_child c = guest_fork(thread_alone_in_child, NULL);

	guest_go(&c);
	is(guest_wait(&c), 0);
}

static int spin_child(void *arg)
{
	guest_spin(*(uint64_t *)arg);
	return 0;
}

/* A process that forks, tells the child's number, and lets the child go when it is told to go. */
static int parent_of_one(void *arg)
{
	struct spinner *s = arg;
	struct guest_child c = guest_fork(spin_child, &s->n);
	char byte;

	if (write(s->told[1], &c.pid, sizeof(c.pid)) != sizeof(c.pid) ||
	    read(s->go[0], &byte, 1) != 1)
		return 1;
	guest_go(&c);
	return guest_wait(&c);
}

enum overlap {
	PARENT_ALONE,
	PARENT_FIRST,
	CHILD_FIRST,
};

static uint64_t overlap_once(enum overlap how)
{
	pmc_id_t id = guest_allocate("instructions,usr", PMC_MODE_TC, PMC_F_DESCENDANTS, 0);
	struct spinner s = { .n = 200000 };
	struct guest_child parent;
	uint64_t value;
	pid_t child = 0;

	ok(pipe(s.told) == 0 && pipe(s.go) == 0);
	parent = guest_fork(parent_of_one, &s);
	guest_go(&parent);
	is(read(s.told[0], &child, sizeof(child)), sizeof(child));
	if (how == CHILD_FIRST)
		works(pmc_attach(id, child));
	works(pmc_attach(id, parent.pid));
	if (how == PARENT_FIRST)
		works(pmc_attach(id, child));
	works(pmc_start(id));
	is(write(s.go[1], "", 1), 1);
	is(guest_wait(&parent), 0);
	value = guest_read(id);
	works(pmc_release(id));
	for (int i = 0; i < 2; i++) {
		close(s.told[i]);
		close(s.go[i]);
	}
	return value;
}

/* The count of overlapping targets; the least of a few tries. */
static uint64_t overlap_costs(enum overlap how)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 5; i++) {
		uint64_t value = overlap_once(how);

		least = value < least ? value : least;
	}
	return least;
}

/* Targets that overlap are counted once, in either order. */
void guest_overlaps(void)
{
	uint64_t alone = overlap_costs(PARENT_ALONE), low = guest_exact ? alone : 400000,
		 high = guest_exact ? alone : UINT64_MAX;

	within(alone, 400000, guest_exact ? 420000 : UINT64_MAX);
	within(overlap_costs(PARENT_FIRST), low, high);
	within(overlap_costs(CHILD_FIRST), low, high);
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * enter.c - the library's lock, the PMCs that this process owns, and what a fork does to them.
 *
 * A forked child inherits the memory and the descriptors, but it owns no PMC.  The kernel wipes
 * `own` in a child, which tells the library that it is in one.  The first call in the child closes
 * the inherited descriptors and starts without PMCs.  (The child does not inherit mappings of perf
 * events.)
 *
 * fork() waits for the lock (init.c), so that a child never finds a list that another thread was
 * changing.  The wait can take as long as another thread looks up processes and opens events.  It
 * never depends on a reader of the log.  The locks are error-checking mutexes: a signal handler
 * that has interrupted the library gets an error and does not wait for its own thread.
 */
#include <sched.h>

#include "error.h"
#include "view.h"

static void locks_init(void)
{
	lpmc.lock = lpmc.log_changing = lpmc.log_writing =
		(pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
}

/* The first call in a forked child.  Other threads of the child wait until it is done. */
static void child_start(struct lpmc_own *own)
{
	uint32_t wiped = 0;

	if (atomic_compare_exchange_strong(&own->alive, &wiped, LPMC_STARTING)) {
		locks_init(); /* the threads that held them exist only in the parent */
		lpmc.in_child();
		atomic_store(&own->alive, LPMC_ALIVE);
	}
	while (atomic_load(&own->alive) != LPMC_ALIVE)
		sched_yield();
}

int lpmc_lock(pthread_mutex_t *mutex)
{
	if (lpmc_view_is_taken() || pthread_mutex_lock(mutex) == EDEADLK)
		return lpmc_fail(EDEADLK,
				 "called by a signal handler that interrupted a call of the "
				 "library");
	return 0;
}

int lpmc_enter(void)
{
	struct lpmc_own *own = __atomic_load_n(&lpmc.own, __ATOMIC_ACQUIRE);

	if (!own)
		return lpmc_fail(ENXIO, "pmc_init() has not been called, or has failed");
	if (atomic_load_explicit(&own->alive, memory_order_acquire) != LPMC_ALIVE)
		child_start(own);
	return lpmc_lock(&lpmc.lock);
}

void lpmc_leave(void)
{
	pthread_mutex_unlock(&lpmc.lock);
}

struct lpmc *lpmc_find(pmc_id_t id)
{
	struct lpmc *p;

	if (!lpmc.pmcs) {
		lpmc_fail(ESRCH, "this process owns no PMC (a forked child does not own its "
				 "parent's)");
		return NULL;
	}
	for (p = lpmc.pmcs; p; p = p->next) {
		if (p->id == id)
			return p;
	}
	lpmc_fail(EINVAL, "0x%08x is not a PMC of this process", id);
	return NULL;
}

struct lpmc *lpmc_enter_pmc(pmc_id_t id)
{
	struct lpmc *p;

	if (lpmc_enter() < 0)
		return NULL;
	p = lpmc_find(id);
	if (!p)
		lpmc_leave();
	return p;
}

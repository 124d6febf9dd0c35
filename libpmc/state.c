// SPDX-License-Identifier: BSD-2-Clause
/*
 * state.c - the library's state in this process: one lock, the PMCs it owns, and what a fork
 * does to them.
 *
 * A forked child inherits the memory and the descriptors but owns no PMC.  That it is one shows
 * in `own`, which the kernel wipes; the child's first call then closes what it has inherited
 * and starts with nothing.  (Mappings of perf events are not inherited at all.)
 *
 * fork() waits for the lock, so that a child never finds a list that another thread was changing:
 * as long as that looks processes up and opens events, and never for a reader of the log.  Locks know
 * their owner: a signal's handler that has interrupted the library gets an error, and does not wait
 * for itself.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "internal.h"

#define ALIVE	 1
#define STARTING 2

struct lpmc_state lpmc = {
	.sys = &lpmc_sys_linux,
	.lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
	.log_changing = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
	.log_writing = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
	.log_fd = -1,
	.log_ending = -1,
	.helper_wake = -1,
};

void *lpmc_grow(void *arrayp, unsigned *nr, size_t size)
{
	char *array;

	memcpy(&array, arrayp, sizeof(array));
	if ((*nr & (*nr - 1)) == 0) { /* full: 0, 1, 2, 4 ... */
		array = realloc(array, (*nr ? *nr * 2 : 1) * size);
		if (!array) {
			lpmc_fail(ENOMEM, "out of memory");
			return NULL;
		}
		memcpy(arrayp, &array, sizeof(array));
	}
	array += (*nr)++ * size;
	memset(array, 0, size);
	return array;
}

char *lpmc_slurp(const char *path)
{
	for (size_t size = 4096;; size *= 2) {
		char *text = malloc(size);
		ssize_t n = text ? lpmc.sys->slurp(path, text, size) : -1;

		if (n > 0 && (size_t)n < size - 1)
			return text;
		free(text);
		if (n <= 0)
			return NULL;
	}
}

static void pmc_free(struct lpmc *p)
{
	for (unsigned i = 0; i < p->nr_targets; i++)
		free(p->targets[i].fds);
	free(p->targets);
	free(p->pages);
	free(p->left_pages);
	free(p->buffers);
	free(p->exits);
	free(p->switches);
	free(p);
}

/* In a child: descriptors are closed, nothing is unmapped, nobody is told. */
static void forget_parent(void)
{
	struct lpmc *p;

	lpmc_view_forget_parent();
	while ((p = lpmc.pmcs)) {
		lpmc.pmcs = p->next;
		for (unsigned i = 0; i < p->nr_targets; i++) {
			for (unsigned j = 0; j < p->targets[i].nr_fds; j++) {
				lpmc.sys->close(p->targets[i].fds[j].fd);
				if (p->targets[i].fds[j].leader >= 0)
					lpmc.sys->close(p->targets[i].fds[j].leader);
				for (unsigned k = 0; k < p->nr_members; k++)
					lpmc.sys->close(p->targets[i].fds[j].member[k]);
			}
		}
		for (unsigned i = 0; i < p->nr_buffers; i++)
			lpmc.sys->close(p->buffers[i].fd);
		pmc_free(p);
	}
	lpmc.helper_on = lpmc.helper_again = false;
	lpmc.helper_tid = 0;
	if (lpmc.helper_wake >= 0)
		lpmc.sys->close(lpmc.helper_wake);
	lpmc.helper_wake = -1;
	lpmc_log_drop();
	memset(&lpmc.stats, 0, sizeof(lpmc.stats));
}

static void locks_init(void)
{
	lpmc.lock = lpmc.log_changing = lpmc.log_writing =
		(pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
}

/* The first call in a child; other threads of it wait. */
static void child_start(struct lpmc_own *own)
{
	uint32_t wiped = 0;

	if (atomic_compare_exchange_strong(&own->alive, &wiped, STARTING)) {
		locks_init(); /* whoever held them is not here */
		forget_parent();
		atomic_store(&own->alive, ALIVE);
	}
	while (atomic_load(&own->alive) != ALIVE)
		sched_yield();
}

int lpmc_lock(pthread_mutex_t *mutex)
{
	if (lpmc_view_is_taken() || pthread_mutex_lock(mutex) == EDEADLK)
		return lpmc_fail(EDEADLK,
				 "called by a signal's handler that interrupted the library");
	return 0;
}

bool lpmc_is_ours(void)
{
	struct lpmc_own *own = __atomic_load_n(&lpmc.own, __ATOMIC_ACQUIRE);

	return own && atomic_load_explicit(&own->alive, memory_order_acquire) == ALIVE;
}

int lpmc_enter(void)
{
	struct lpmc_own *own = __atomic_load_n(&lpmc.own, __ATOMIC_ACQUIRE);

	if (!own)
		return lpmc_fail(ENXIO, "pmc_init() has not been called, or has failed");
	if (atomic_load_explicit(&own->alive, memory_order_acquire) != ALIVE)
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
	lpmc_fail(EINVAL, "0x%08x is no PMC of this process", id);
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

static struct lpmc_own *own_memory(void)
{
	struct lpmc_own *own = mmap(NULL, sizeof(*own), PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (own == MAP_FAILED)
		return NULL;
	if (madvise(own, sizeof(*own), MADV_WIPEONFORK) < 0) {
		munmap(own, sizeof(*own));
		return NULL;
	}
	return own;
}

/* Whether there is perf at all: paranoia and missing counters answer otherwise. */
static int has_perf(void)
{
	struct perf_event_attr dummy = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(dummy) };
	int fd;

	dummy.config = PERF_COUNT_SW_DUMMY;
	dummy.exclude_kernel = dummy.disabled = 1;
	fd = lpmc_open_raw(&dummy, 0, -1, -1);
	if (fd < 0 && errno == ENOSYS)
		return lpmc_fail(EOPNOTSUPP, "this kernel has no perf events (CONFIG_PERF_EVENTS), "
					     "or a seccomp filter forbids them");
	if (fd >= 0)
		lpmc.sys->close(fd);
	return 0;
}

/* (A handler that forks within a call of the library has the locks already.) */
static __thread bool locked_to_fork, views_locked_to_fork;

static void before_fork(void)
{
	/* (In a child that has not called us yet, the locks are as its parent had them.) */
	bool ours = lpmc_is_ours();

	locked_to_fork = ours && pthread_mutex_lock(&lpmc.lock) == 0;
	views_locked_to_fork = ours && lpmc_view_lock();
}

static void after_fork(void)
{
	if (views_locked_to_fork)
		lpmc_view_unlock();
	if (locked_to_fork)
		pthread_mutex_unlock(&lpmc.lock);
}

static int init(void)
{
	static bool at_fork;
	struct lpmc_own *own;

	if (lpmc.own)
		return 0;
	own = own_memory();
	if (!own)
		return lpmc_fail(ENOMEM, "out of memory");
	if (has_perf() < 0) {
		munmap(own, sizeof(*own));
		return -1;
	}
	/* The child's lock is made anew by its first call, as after every other kind of fork. */
	if (!at_fork && pthread_atfork(before_fork, after_fork, NULL) != 0) {
		munmap(own, sizeof(*own));
		return lpmc_fail(ENOMEM, "out of memory");
	}
	at_fork = true;
	lpmc_info_init();
	atomic_store(&own->alive, ALIVE);
	__atomic_store_n(&lpmc.own, own, __ATOMIC_RELEASE);
	return 0;
}

int pmc_init(void)
{
	int result;

	if (__atomic_load_n(&lpmc.own, __ATOMIC_ACQUIRE))
		return 0;
	if (lpmc_lock(&lpmc.lock) < 0)
		return -1;
	result = init();
	lpmc_leave();
	return result;
}

void lpmc_end(struct lpmc *p)
{
	struct lpmc **at = &lpmc.pmcs;

	lpmc_fast_clear(p);
	lpmc_view_remove(p);
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	while (p->nr_targets)
		lpmc_target_drop(p, &p->targets[p->nr_targets - 1]);
	lpmc_self_end(p);
	for (unsigned i = 0; i < p->nr_buffers; i++) {
		lpmc.sys->unmap(p->buffers[i].page, p->buffers[i].size);
		lpmc.sys->close(p->buffers[i].fd);
	}
	lpmc_drain_forget(p);
	pmc_free(p);
}

void lpmc_reset(const struct pmc_sys *sys)
{
	while (lpmc.pmcs)
		lpmc_end(lpmc.pmcs);
	lpmc_log_drop();
	lpmc_helper_stop();
	if (lpmc.own)
		munmap(lpmc.own, sizeof(*lpmc.own));
	lpmc.own = NULL;
	lpmc.sys = sys;
	memset(&lpmc.stats, 0, sizeof(lpmc.stats));
	memset(&lpmc.info, 0, sizeof(lpmc.info));
	lpmc.csr_allowed = false;
}

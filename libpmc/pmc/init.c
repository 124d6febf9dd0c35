// SPDX-License-Identifier: BSD-2-Clause
/*
 * init.c - starts the library (pmc_init(3)), and resets it in a forked child.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "attach.h"
#include "error.h"
#include "log.h"
#include "perf.h"
#include "view.h"

/*
 * In a forked child: closes the inherited descriptors and frees all PMCs.  It unmaps nothing, as
 * the child has not inherited the mappings, and writes nothing to the log, which is the parent's.
 */
static void forget_parent(void)
{
	struct lpmc *p;

	lpmc_view_forget_parent();
	while ((p = lpmc.pmcs)) {
		lpmc.pmcs = p->next;
		for (unsigned i = 0; i < p->targets.nr; i++) {
			for (unsigned j = 0; j < p->targets.at[i].fds.nr; j++) {
				lpmc.sys->close(p->targets.at[i].fds.at[j].fd);
				if (p->targets.at[i].fds.at[j].leader >= 0)
					lpmc.sys->close(p->targets.at[i].fds.at[j].leader);
				for (unsigned k = 0; k < p->nr_members; k++)
					lpmc.sys->close(p->targets.at[i].fds.at[j].member[k]);
			}
		}
		for (unsigned i = 0; i < p->buffers.nr; i++)
			lpmc.sys->close(p->buffers.at[i].fd);
		lpmc_free(p);
	}
	lpmc.helper_on = false;
	lpmc.helper_tid = 0;
	if (lpmc.helper_wake >= 0)
		lpmc.sys->close(lpmc.helper_wake);
	lpmc.helper_wake = -1;
	lpmc_log_drop();
	memset(&lpmc.stats, 0, sizeof(lpmc.stats));
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

/*
 * 0 if the kernel has perf events.  Only ENOSYS says that it has none: perf_event_paranoid and
 * missing counters cause other errors.
 */
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

/* (Both stay false if a signal handler forks that has interrupted a holder of the locks.) */
static __thread bool locked_to_fork, views_locked_to_fork;

static void before_fork(void)
{
	/* (A child that has not called the library yet has the locks in its parent's state.) */
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
	/* A child needs no handler: its first call resets the locks, however it was forked. */
	if (!at_fork && pthread_atfork(before_fork, after_fork, NULL) != 0) {
		munmap(own, sizeof(*own));
		return lpmc_fail(ENOMEM, "out of memory");
	}
	at_fork = true;
	lpmc_info_init();
	lpmc.in_child = forget_parent;
	atomic_store(&own->alive, LPMC_ALIVE);
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
	free(lpmc.cpu_events);
	lpmc.cpu_events = NULL;
	lpmc.csr_allowed = false;
}

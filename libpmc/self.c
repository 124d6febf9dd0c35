// SPDX-License-Identifier: BSD-2-Clause
/*
 * self.c - a process or a thread that counts itself: the shapes whose counter can be read in user space.
 *
 * A thread of this process has one event, which nothing inherits, and its page: pmc_read() in that
 * thread reads it, however many threads there are.
 *
 * A process is more.  Threads that the process starts later must count, too, so its events are inherited; and an
 * inherited event has a user page only if it is bound to a CPU.  So: one event for each CPU, and
 * a page for each.  The thread is on one CPU at a time: that one's page says which counter to
 * read, the others say how much was counted there.
 *
 * While there is one thread, the pages have everything; with more, read(2) has.
 */
#include <string.h>
#include <unistd.h>

#include <csr.h>

#include "internal.h"

/* Whether the kernel lets anybody.  A setting that allows it is not asked for again. */
static bool allowed(void)
{
	if (!lpmc.csr_allowed)
		lpmc.csr_allowed = !lpmc_csr_setting || lpmc_setting(lpmc_csr_setting, 0) > 0;
	return lpmc.csr_allowed;
}

static bool suits(const struct lpmc *p)
{
	return lpmc_csr_known && p->mode == PMC_MODE_TC && p->flags == 0 && !p->nr_members && !p->spec.multiplex &&
	       p->nr_targets == 1 && p->spec.event.type != PERF_TYPE_SOFTWARE &&
	       /* A firmware event's page claims the cycle CSR: its reads must not go there. */
	       !lpmc_event_is_firmware(&p->spec.event) && allowed();
}

static bool one_thread(void)
{
	int tids[2];

	return lpmc.sys->single_threaded() &&
	       (lpmc.sys->numbers("/proc/self/task", tids, 2) == 1 || !lpmc_process_is_told());
}

static int open_cpu(struct lpmc *p, struct lpmc_target *t, int cpu)
{
	struct perf_event_mmap_page **page;
	struct perf_event_attr attr;
	struct lpmc_fd *f = LPMC_GROW(t->fds, t->nr_fds);

	if (!f)
		return -1;
	lpmc_attr(p, &attr);
	*f = (struct lpmc_fd){ .leader = -1, .pid = t->pid, .tid = t->pid, .cpu = cpu };
	f->fd = lpmc_open_raw(&attr, 0, cpu, -1);
	if (f->fd < 0) {
		t->nr_fds--;
		return -1;
	}
	page = LPMC_GROW(p->pages, p->nr_pages);
	if (!page)
		return -1;
	*page = lpmc.sys->map(f->fd, (size_t)sysconf(_SC_PAGESIZE));
	if (!*page)
		p->nr_pages--;
	return *page ? 0 : -1;
}

int lpmc_self_attach(struct lpmc *p, struct lpmc_target *t)
{
	if (!suits(p) || !one_thread())
		return -1;
	for (int cpu = 0; cpu < (int)lpmc.info.pm_ncpu; cpu++) {
		if (!lpmc_cpu_present(cpu) || open_cpu(p, t, cpu) == 0 ||
		    (errno == ENODEV && !lpmc_cpu_online(cpu)))
			continue;
		lpmc_self_detach(p);
		for (unsigned i = 0; i < t->nr_fds; i++)
			lpmc.sys->close(t->fds[i].fd);
		t->nr_fds = 0;
		return -1;
	}
	return 0;
}

/* The event is what target.c would open, bound to no CPU, so that it may be mapped. */
void lpmc_self_map_thread(struct lpmc *p, const struct lpmc_target *t)
{
	if (suits(p) && t->pid == lpmc.sys->getpid())
		p->own_page = lpmc.sys->map(t->fds[0].fd, (size_t)sysconf(_SC_PAGESIZE));
}

/*
 * Another thread may be about to read the page, which says by then that the event is on no counter: it
 * stays, until nobody uses the PMC any more.
 */
static void own_page_detach(struct lpmc *p, pid_t tid)
{
	struct perf_event_mmap_page **left;

	if (p->own_page && lpmc.sys->gettid() == tid) {
		lpmc.sys->unmap(p->own_page, (size_t)sysconf(_SC_PAGESIZE));
	} else if (p->own_page) {
		left = LPMC_GROW(p->left_pages, p->nr_left_pages);
		if (left)
			*left = p->own_page;
	}
	p->own_page = NULL;
}

void lpmc_self_detach(struct lpmc *p)
{
	lpmc_fast_clear(p);
	if (p->nr_targets)
		own_page_detach(p, p->targets[0].tid);
	while (p->nr_pages)
		lpmc.sys->unmap(p->pages[--p->nr_pages], (size_t)sysconf(_SC_PAGESIZE));
}

void lpmc_self_end(struct lpmc *p)
{
	while (p->nr_left_pages)
		lpmc.sys->unmap(p->left_pages[--p->nr_left_pages], (size_t)sysconf(_SC_PAGESIZE));
}

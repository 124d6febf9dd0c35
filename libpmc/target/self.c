// SPDX-License-Identifier: BSD-2-Clause
/*
 * self.c - PMCs whose counter can be read in user space: of this process, or of one of its threads.
 *
 * For a thread of this process there is one event, which is not inherited, and its user page.
 * pmc_read() in that thread reads it, even if the process has other threads.
 *
 * For the process it is harder.  Threads that start later must count, too, so the event must be
 * inherited.  An inherited event has a user page only if it is bound to a CPU.  So there is one
 * event and one page for each CPU.  The thread is on one CPU at a time.  The page of that CPU tells
 * which counter to read; the other pages tell how much was counted on their CPUs.
 *
 * While the process has one thread, the pages have the whole count.  With more threads only read(2)
 * has it.
 */
#include <string.h>
#include <unistd.h>

#include <csr.h>

#include "cpu.h"
#include "perf.h"
#include "process.h"
#include "read.h"
#include "self.h"

/* Whether a setting allows it.  Once it does, it is not read again. */
static bool allowed(void)
{
	if (!lpmc.csr_allowed)
		lpmc.csr_allowed = !lpmc_csr_setting || lpmc_setting(lpmc_csr_setting, 0) > 0;
	return lpmc.csr_allowed;
}

static bool suits(const struct lpmc *p)
{
	return lpmc_csr_known && p->mode == PMC_MODE_TC && p->flags == 0 && !p->nr_members &&
	       !p->spec.multiplex && p->targets.nr == 1 &&
	       p->spec.event.type != PERF_TYPE_SOFTWARE &&
	       /* The page of a firmware event names the cycle CSR, which does not count it. */
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
	struct lpmc_fd f = { .leader = -1, .pid = t->pid, .tid = t->pid, .cpu = cpu };
	struct perf_event_mmap_page *page;
	struct perf_event_attr attr;

	if (!VEC_ROOM(&t->fds, 1) || !VEC_ROOM(&p->pages, 1))
		return lpmc_fail(ENOMEM, "out of memory");
	lpmc_attr(p, &attr);
	f.fd = lpmc_open_raw(&attr, 0, cpu, -1);
	if (f.fd < 0)
		return -1;
	t->fds.at[t->fds.nr++] = f;
	page = lpmc.sys->map(f.fd, (size_t)sysconf(_SC_PAGESIZE));
	if (!page)
		return -1;
	p->pages.at[p->pages.nr++] = page;
	return 0;
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
		for (unsigned i = 0; i < t->fds.nr; i++)
			lpmc.sys->close(t->fds.at[i].fd);
		t->fds.nr = 0;
		return -1;
	}
	return 0;
}

/* (target.c has opened the event.  It is not inherited, so that it has a user page on any CPU.) */
void lpmc_self_map_thread(struct lpmc *p, const struct lpmc_target *t)
{
	if (suits(p) && t->pid == lpmc.sys->getpid())
		p->own_page = lpmc.sys->map(t->fds.at[0].fd, (size_t)sysconf(_SC_PAGESIZE));
}

/*
 * The counted thread may be about to read the page, unless it is the caller.  So the page stays
 * mapped until the PMC ends.  It then shows that the event is on no counter.
 */
static void own_page_detach(struct lpmc *p, pid_t tid)
{
	if (p->own_page && lpmc.sys->gettid() == tid) {
		lpmc.sys->unmap(p->own_page, (size_t)sysconf(_SC_PAGESIZE));
	} else if (p->own_page) {
		(void)LPMC_PUSH(&p->left_pages, p->own_page);
	}
	p->own_page = NULL;
}

void lpmc_self_detach(struct lpmc *p)
{
	lpmc_fast_clear(p);
	if (p->targets.nr)
		own_page_detach(p, p->targets.at[0].tid);
	while (p->pages.nr)
		lpmc.sys->unmap(p->pages.at[--p->pages.nr], (size_t)sysconf(_SC_PAGESIZE));
}

void lpmc_self_end(struct lpmc *p)
{
	while (p->left_pages.nr)
		lpmc.sys->unmap(p->left_pages.at[--p->left_pages.nr],
				(size_t)sysconf(_SC_PAGESIZE));
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * self.c - a process that counts itself: the shape whose counter can be read in user space.
 *
 * The kernel maps the user page only of an event that is not inherited, but threads that the
 * process starts later must count, too.  Both: a leader that counts nothing and is inherited,
 * and beside it the event, which is not.  A new thread inherits a group by its leader, so the
 * event's read(2) has all threads in it; and while there is one thread, the page has them all.
 */
#include <string.h>
#include <unistd.h>

#include "internal.h"

static bool suits(const struct lpmc *p)
{
	int tids[2];

	return lpmc_csr_known && p->mode == PMC_MODE_TC && p->flags == 0 && !p->spec.multiplex &&
	       p->spec.event.type != PERF_TYPE_SOFTWARE &&
	       /* A firmware event's page claims the cycle CSR: its reads must not go there. */
	       !lpmc_event_is_firmware(&p->spec.event) && lpmc.sys->single_threaded() &&
	       lpmc.sys->numbers("/proc/self/task", tids, 2) == 1;
}

int lpmc_self_attach(struct lpmc *p, struct lpmc_target *t)
{
	struct perf_event_attr attr;
	struct lpmc_fd *f;
	int leader, fd;
	void *page;

	if (!suits(p))
		return -1;
	lpmc_attr_self_leader(p, &attr);
	leader = lpmc_open_raw(&attr, 0, -1, -1);
	if (leader < 0)
		return -1;
	lpmc_attr(p, &attr);
	attr.inherit = attr.inherit_thread = 0;
	attr.pinned = attr.disabled = 0; /* the leader's, of a group */
	fd = lpmc_open_raw(&attr, 0, -1, leader);
	page = fd < 0 ? NULL : lpmc.sys->map(fd, (size_t)sysconf(_SC_PAGESIZE));
	f = page ? LPMC_GROW(t->fds, t->nr_fds) : NULL;
	if (!f) {
		if (page)
			lpmc.sys->unmap(page, (size_t)sysconf(_SC_PAGESIZE));
		if (fd >= 0)
			lpmc.sys->close(fd);
		lpmc.sys->close(leader);
		return -1;
	}
	*f = (struct lpmc_fd){ .fd = fd, .leader = leader, .pid = t->pid, .cpu = -1 };
	p->user_page = page;
	return 0;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * fakekernel.c - fakekernel.h: perf events, memory, threads and time.  fakeproc.c has the files.
 */
#include "fakekernel.h"
#include "fakeproc.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <attach.h>

struct fake fake;
__thread pid_t fake_tid;
uint64_t fake_csr[32];

/* Held while the table of events is read or changed. */
static pthread_mutex_t events = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void fake_event_names(void)
{
	static const char names[] = "five\0six\0cycles";
	static const char selectors[] = "\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0\6\0\0\0\0\0\0\0\7";

	fake.event_names = names;
	fake.event_names_size = sizeof(names);
	fake.event_selectors = selectors;
	fake.event_selectors_size = sizeof(selectors) - 1;
}

static struct fake_event *of(int fd)
{
	if (fd < FAKE_FD || fd >= FAKE_FD + FAKE_FDS || !fake.event[fd - FAKE_FD].open)
		return NULL;
	return &fake.event[fd - FAKE_FD];
}

static bool is_hardware(const struct perf_event_attr *a)
{
	return a->type != PERF_TYPE_SOFTWARE;
}

/* Whether a counter can count the event. */
static bool is_mapped(const struct perf_event_attr *a)
{
	if (a->type == PERF_TYPE_RAW && a->config >> 63)
		return (a->config & 0xffff) < 64 && fake.mapped_fw >> (a->config & 0xffff) & 1;
	if (a->type == PERF_TYPE_RAW)
		return a->config < 64 && fake.mapped_raw >> a->config & 1;
	if (a->type == PERF_TYPE_HARDWARE && fake.unmapped)
		return a->config != fake.unmapped;
	return true;
}

/* The kernel's checks, in the kernel's order. */
static int refuses(const struct perf_event_attr *a, pid_t pid, int cpu)
{
	bool filter = a->exclude_kernel || a->exclude_user;

	if (fake.no_perf)
		return ENOSYS;
	if (fake.paranoid > 2 || (fake.paranoid > 1 && !a->exclude_kernel) ||
	    (fake.paranoid > 0 && pid == -1))
		return EACCES;
	if (pid > 0 && !fake.any_process && pid != FAKE_SELF && pid != FAKE_OTHER &&
	    pid != FAKE_OTHER + 1 && pid != FAKE_CHILD && !fake_is_own_thread(pid) &&
	    !(pid == FAKE_LATER && fake.forked))
		return pid == 1 ? EACCES : ESRCH;
	if (cpu >= fake.ncpu ||
	    (cpu >= 0 && cpu == fake.offline && (pid < 0 || fake.no_offline_tasks)))
		return ENODEV;
	if (a->freq && a->sample_freq > FAKE_MAX_RATE)
		return EINVAL;
	if (fake.no_sample_inherit && a->inherit && (a->sample_type & PERF_SAMPLE_READ))
		return EINVAL;
	if (!is_hardware(a))
		return 0;
	if (fake.no_pmu || (a->type == PERF_TYPE_HARDWARE && a->config >= fake.general) ||
	    (a->type == PERF_TYPE_HW_CACHE && a->config != 0x10003))
		return ENOENT;
	if (fake.legacy && a->type == PERF_TYPE_RAW)
		return ENOENT;
	if ((fake.no_sscofpmf || fake.legacy) && a->sample_period)
		return EOPNOTSUPP;
	if ((fake.no_sscofpmf || fake.legacy) && filter)
		return EINVAL;
	return 0;
}

#define CAP_USER_RDPMC (1ull << 2)

static void page_update(struct fake_event *e)
{
	uint32_t on;

	if (!e->page)
		return;
	on = e->enabled && !e->error && is_hardware(&e->attr) && e->cpu <= 0;
	/* Another thread may read the page meanwhile: lock is odd until the page is consistent. */
	__atomic_store_n(&e->page->lock, e->page->lock + 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&e->page->index, on, __ATOMIC_SEQ_CST);
	__atomic_store_n(&e->page->capabilities, CAP_USER_RDPMC, __ATOMIC_SEQ_CST);
	__atomic_store_n(&e->page->offset, (int64_t)(e->value - (on ? fake_csr[0] : 0)),
			 __ATOMIC_SEQ_CST);
	__atomic_store_n(&e->page->lock, e->page->lock + 1, __ATOMIC_SEQ_CST);
}

static struct fake_event *leader_of(struct fake_event *e)
{
	return e->group >= 0 ? of(e->group) : e;
}

/* How many hardware counters the enabled groups and the group of leader need together. */
static int counters_with(const struct fake_event *leader)
{
	int nr = 0;

	for (int i = 0; i < FAKE_FDS; i++) {
		struct fake_event *e = &fake.event[i], *l = e->open ? leader_of(e) : NULL;

		nr += l && (l == leader || (l->enabled && !l->waits)) && is_hardware(&e->attr);
	}
	return nr;
}

static bool all_mapped(const struct fake_event *leader)
{
	for (int i = 0; i < FAKE_FDS; i++) {
		if (fake.event[i].open && leader_of(&fake.event[i]) == leader &&
		    !is_mapped(&fake.event[i].attr))
			return false;
	}
	return true;
}

/*
 * A group gets counters for all of its events or for none.  Without them a pinned group is in the
 * error state, and any other group waits for its turn.
 */
static void enable(struct fake_event *e)
{
	bool fits = all_mapped(e) && counters_with(e) <= fake.counters;

	e->error = e->attr.pinned && !fits;
	e->enabled = !e->error;
	e->waits = !e->error && !fits;
	page_update(e);
	if (e->enabled && fake.enabled)
		fake.enabled(e);
}

static int event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	int error = refuses(attr, pid, cpu), i = 0;
	struct fake_event *e;

	if (error)
		return fake_fails(error);
	if (group >= 0 && !of(group))
		return fake_fails(EBADF);
	/* A group has one thread, CPU and leader; only a leader may be pinned or exclusive. */
	if (group >= 0 && (of(group)->group >= 0 || attr->pinned || attr->exclusive))
		return fake_fails(EINVAL);
	if (group >= 0 && (of(group)->pid != pid || of(group)->cpu != cpu))
		return fake_fails(EINVAL);
	while (i < fake.fd_limit && fake.event[i].open)
		i++;
	if (i == fake.fd_limit)
		return fake_fails(EMFILE);
	e = &fake.event[i];
	*e = (struct fake_event){ .open = true,
				  .attr = *attr,
				  .pid = pid,
				  .cpu = cpu,
				  .group = group,
				  .output = -1,
				  .period = attr->sample_period };
	fake.opened++;
	if (!attr->disabled && group < 0)
		enable(e);
	return FAKE_FD + i;
}

static int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	int fd;

	if (fake.opening)
		fake.opening();
	pthread_mutex_lock(&events);
	fd = event_open(attr, pid, cpu, group);
	pthread_mutex_unlock(&events);
	return fd;
}

static int event_ioctl(int fd, unsigned long request, uint64_t *arg)
{
	struct fake_event *e = of(fd);

	if (!e)
		return fake_fails(EBADF);
	switch (request) {
	case PERF_EVENT_IOC_ENABLE:
		enable(e);
		break;
	case PERF_EVENT_IOC_DISABLE:
		e->enabled = false;
		page_update(e);
		break;
	case PERF_EVENT_IOC_PERIOD:
		e->period = *arg;
		break;
	case PERF_EVENT_IOC_SET_OUTPUT:
		e->output = (int)*arg;
		break;
	case PERF_EVENT_IOC_ID:
		*arg = FAKE_ID + (uint64_t)(e - fake.event);
		break;
	default:
		return fake_fails(ENOTTY);
	}
	return 0;
}

static int perf_ioctl(int fd, unsigned long request, uint64_t *arg)
{
	int result;

	pthread_mutex_lock(&events);
	result = event_ioctl(fd, request, arg);
	pthread_mutex_unlock(&events);
	return result;
}

static ssize_t event_read(int fd, void *buf, size_t size)
{
	struct fake_event *e = of(fd);
	uint64_t v[4 + FAKE_FDS];
	size_t n = 3;

	if (!e)
		return fake_fails(EBADF);
	if (e->error)
		return 0;
	v[0] = e->value;
	v[1] = e->time_enabled;
	v[2] = e->time_running;
	if (e->attr.read_format & PERF_FORMAT_GROUP) {
		v[n++] = e->value;
		for (int i = 0; i < FAKE_FDS; i++) { /* in the order in which they were opened */
			if (fake.event[i].open && fake.event[i].group == fd)
				v[n++] = fake.event[i].value;
		}
		v[0] = n - 3;
	}
	if (size < n * 8)
		return fake_fails(ENOSPC);
	memcpy(buf, v, n * 8);
	return (ssize_t)(n * 8);
}

static ssize_t fake_read(int fd, void *buf, size_t size)
{
	ssize_t n;

	pthread_mutex_lock(&events);
	n = event_read(fd, buf, size);
	pthread_mutex_unlock(&events);
	return n;
}

static ssize_t fake_write(int fd, const void *buf, size_t size)
{
	if (fake.real_log && fd == fake.real_fd)
		return write(fd, buf, size);
	if (fd != 3)
		return (ssize_t)size;
	if (fake.write_error)
		return fake_fails(fake.write_error);
	if (size > sizeof(fake.log) - fake.log_len)
		return fake_fails(ENOSPC);
	memcpy(fake.log + fake.log_len, buf, size);
	fake.log_len += size;
	return (ssize_t)size;
}

static int fake_close(int fd)
{
	struct fake_event *e;

	pthread_mutex_lock(&events);
	e = of(fd);
	if (e)
		e->open = false;
	pthread_mutex_unlock(&events);
	if (fake.real_log && fd == fake.real_fd)
		close(fd);
	return 0;
}

static int fake_dup(int fd)
{
	if (of(fd))
		return fd + 2 * FAKE_FDS; /* a copy that is never used */
	if (fake.real_log)
		return fake.real_fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return fake.dup_error ? fake_fails(fake.dup_error) : 3;
}

static int fake_eventfd(void)
{
	return 4;
}

static int fake_poll(struct pollfd *fds, unsigned nr, int milliseconds)
{
	int ready = 0;

	if (fake.real_threads && milliseconds) {
		usleep(100);
		return 0;
	}
	for (unsigned i = 0; i < nr; i++) {
		struct fake_event *e = of(fds[i].fd);

		fds[i].revents = e && e->hung_up ? POLLHUP : 0;
		ready += fds[i].revents != 0;
	}
	return ready;
}

static void *fake_map(int fd, size_t size)
{
	struct fake_event *e = of(fd);

	if (fake.map_error || !e || (e->attr.inherit && e->cpu < 0)) {
		errno = fake.map_error ? fake.map_error : EINVAL;
		return NULL;
	}
	e->page = aligned_alloc(4096, (size + 4095) & ~(size_t)4095);
	e->page_size = size;
	memset(e->page, 0, size);
	e->page->pmc_width = 48;
	e->page->data_offset = 4096;
	e->page->data_size = size - 4096;
	page_update(e);
	return e->page;
}

static void fake_unmap(void *at, size_t size)
{
	(void)size;
	for (int i = 0; i < FAKE_FDS; i++) {
		if (fake.event[i].page == at)
			fake.event[i].page = NULL;
	}
	free(at);
}

static uint64_t now(int clock)
{
	return clock == CLOCK_MONOTONIC ? fake.now : 1000000000ull * 1700000000;
}

static pid_t fake_gettid(void)
{
	return fake_tid ? fake_tid : FAKE_SELF;
}

static pid_t fake_getpid(void)
{
	return FAKE_SELF;
}

static bool privileged(void)
{
	return !fake.unprivileged;
}

static void hurry(void)
{
	__atomic_add_fetch(&fake.hurries, 1, __ATOMIC_RELEASE);
}

/* As Linux before 5.3, which has no pidfd_open(2). */
static int has_ended(pid_t pid)
{
	(void)pid;
	return -1;
}

static bool single_threaded(void)
{
	return !fake.threads;
}

/* Without real_threads the helper never runs: a flush does its work. */
static int thread(void *(*body)(void *), void *arg, pid_t *tid, unsigned long *handle)
{
	if (fake.real_threads) {
		fake.helpers++;
		return lpmc_sys_linux.thread(body, arg, tid, handle);
	}
	*tid = 4243;
	*handle = 1;
	return fake.thread_error;
}

static void join(unsigned long handle)
{
	if (fake.joining)
		fake.joining();
	if (!fake.real_threads)
		return;
	lpmc_sys_linux.join(handle);
	fake.helpers--;
}

static pid_t fake_sigio_waiter(void)
{
	return fake.sigio_waiter;
}

static void fake_sigio(pid_t tid)
{
	if (tid == fake.sigio_waiter)
		fake.sigios++;
}

const struct pmc_sys fake_sys = {
	.sigio_waiter = fake_sigio_waiter,
	.sigio = fake_sigio,
	.perf_open = perf_open,
	.perf_ioctl = perf_ioctl,
	.read = fake_read,
	.write = fake_write,
	.close = fake_close,
	.dup = fake_dup,
	.eventfd = fake_eventfd,
	.poll = fake_poll,
	.map = fake_map,
	.unmap = fake_unmap,
	.slurp = fake_slurp,
	.readlink = fake_readlink,
	.numbers = fake_numbers,
	.now = now,
	.getpid = fake_getpid,
	.gettid = fake_gettid,
	.privileged = privileged,
	.hurry = hurry,
	.single_threaded = single_threaded,
	.is_process = fake_is_process,
	.has_ended = has_ended,
	.thread = thread,
	.join = join,
};

void fake_end(void)
{
	lpmc_reset(&fake_sys);
}

void fake_boot(void)
{
	fake_end();
	memset(&fake, 0, sizeof(fake));
	memset(fake_csr, 0, sizeof(fake_csr));
	fake.paranoid = -1;
	fake.user_access = 1;
	fake.counters = 6;
	fake.general = 2;
	fake.ncpu = 2;
	fake.offline = -1;
	fake.mapped_fw = 0x3fffff;
	fake.mapped_raw = 1 << 5;
	fake.fd_limit = FAKE_FDS;
	fake.now = 1000;
	ok(pmc_init() == 0);
}

int fake_nr_open(void)
{
	int nr = 0;

	for (int i = 0; i < FAKE_FDS; i++)
		nr += fake.event[i].open;
	return nr;
}

struct fake_event *fake_event(pid_t pid, int cpu)
{
	static struct fake_event none;

	for (int i = 0; i < FAKE_FDS; i++) {
		if (fake.event[i].open && fake.event[i].pid == pid && fake.event[i].cpu == cpu)
			return &fake.event[i];
	}
	ok(!"there is such an event");
	return &none;
}

void fake_count(uint64_t n)
{
	for (int i = 0; i < FAKE_FDS; i++) {
		struct fake_event *e = &fake.event[i], *leader;

		if (!e->open)
			continue;
		leader = leader_of(e);
		if (!leader || !leader->enabled || e->cpu > 0)
			continue;
		e->time_enabled += n;
		if (leader->waits)
			continue;
		e->value += n;
		e->time_running += n;
	}
	fake_csr[0] += n;
	fake.now += n;
}

void fake_record(struct fake_event *e, uint32_t type, uint16_t misc, const void *body, size_t size)
{
	struct perf_event_header h = { .type = type, .misc = misc };
	struct perf_event_mmap_page *page = e->page;
	uint8_t record[1024];

	h.size = (uint16_t)(sizeof(h) + size);
	memcpy(record, &h, sizeof(h));
	memcpy(record + sizeof(h), body, size);
	for (size_t i = 0; i < h.size; i++)
		((uint8_t *)page)[4096 + (page->data_head + i) % page->data_size] = record[i];
	page->data_head += h.size;
}

void fake_task(struct fake_event *e, uint32_t type, uint64_t time, uint32_t pid, uint32_t ppid,
	       uint32_t tid)
{
	struct {
		uint32_t pid, ppid, tid, ptid;
		uint64_t time;
		struct fake_trailer t;
	} body = { pid, ppid, tid, ppid, time, { ppid, ppid, time, 0, 0 } };

	fake_record(e, type, 0, &body, sizeof(body));
}

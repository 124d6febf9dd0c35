// SPDX-License-Identifier: BSD-2-Clause
/*
 * sys.c - struct pmc_sys with the real kernel.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "number.h"
#include "sys.h"
#include "write.h"

static int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group, PERF_FLAG_FD_CLOEXEC);
}

static int perf_ioctl(int fd, unsigned long request, uint64_t *arg)
{
	/* PERF_EVENT_IOC_PERIOD and PERF_EVENT_IOC_ID take an address, the others a number. */
	return request == PERF_EVENT_IOC_PERIOD || request == PERF_EVENT_IOC_ID
		       ? ioctl(fd, request, arg)
		       : ioctl(fd, request, arg ? *arg : 0);
}

static ssize_t sys_read(int fd, void *buf, size_t size)
{
	ssize_t n;

	do
		n = read(fd, buf, size);
	while (n < 0 && errno == EINTR);
	return n;
}

/* Writing to a pipe without a reader returns EPIPE, and the program gets no SIGPIPE. */
static ssize_t sys_write(int fd, const void *buf, size_t size)
{
	const struct timespec at_once = { 0 };
	sigset_t pipe, old, pending;
	ssize_t result;
	int error;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &old);
	sigpending(&pending);
	result = write_all(fd, buf, size) ? (ssize_t)size : -1;
	error = errno;
	if (result < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE))
		sigtimedwait(&pipe, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = error;
	return result;
}

static int sys_dup(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0 && ((flags & O_ACCMODE) == O_RDONLY || (flags & O_PATH))) {
		errno = EBADF;
		return -1;
	}
	return fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static int sys_eventfd(void)
{
	return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

static int sys_poll(struct pollfd *fds, unsigned nr, int milliseconds)
{
	return poll(fds, nr, milliseconds);
}

static void *sys_map(int fd, size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

static void sys_unmap(void *at, size_t size)
{
	munmap(at, size);
}

static ssize_t slurp(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t fill = 0;
	ssize_t n = 0;

	if (fd < 0)
		return -1;
	while (fill + 1 < size && (n = sys_read(fd, buf + fill, size - 1 - fill)) > 0)
		fill += (size_t)n;
	buf[fill] = '\0';
	close(fd);
	return n < 0 ? -1 : (ssize_t)fill;
}

static int sys_readlink(const char *path, char *buf, size_t size)
{
	ssize_t n = readlink(path, buf, size - 1);

	buf[n < 0 ? 0 : n] = '\0';
	return n < 0 ? -1 : 0;
}

static int ascending(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static int numbers(const char *path, int *list, int max)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int nr = 0;

	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		uint64_t n;

		if (!number_parse(entry->d_name, NUMBER_DECIMAL, 0, INT_MAX, &n))
			continue;
		if (nr < max)
			list[nr] = (int)n;
		nr++;
	}
	closedir(dir);
	qsort(list, nr < max ? (size_t)nr : (size_t)max, sizeof(*list), ascending);
	return nr;
}

static uint64_t now(int clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static bool privileged(void)
{
	return geteuid() == 0;
}

/*
 * Sends no signal: it only checks whether one could be sent.  EPERM: it is another user's process.
 */
static bool is_process(pid_t pid)
{
	return syscall(SYS_tgkill, pid, pid, 0) == 0 || errno == EPERM;
}

/*
 * (Linux 5.3: a pidfd is readable when all threads of the process have ended, also for a zombie.)
 */
static int has_ended(pid_t pid)
{
	struct pollfd fd = { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };
	int ready;

	if (fd.fd < 0)
		return errno == ESRCH ? 1 : -1;
	ready = poll(&fd, 1, 0);
	close(fd.fd);
	return ready;
}

static bool single_threaded(void)
{
	return __libc_single_threaded;
}

static void hurry(void)
{
	struct sched_param one = { .sched_priority = 1 };

	sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &one);
}

/* Whether the process has a handler for SIGIO.  *ignored: it ignores SIGIO. */
static bool has_handler(bool *ignored)
{
	struct sigaction now;

	if (sigaction(SIGIO, NULL, &now) < 0)
		return false;
	*ignored = !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN;
	return (now.sa_flags & SA_SIGINFO) || (now.sa_handler != SIG_DFL && !*ignored);
}

static pid_t sigio_waiter(void)
{
	bool ignored = false, handled = has_handler(&ignored);
	sigset_t blocked;

	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	return handled || (!ignored && sigismember(&blocked, SIGIO)) ? gettid() : 0;
}

/* (By default SIGIO ends a process.  Then it is sent only if the waiting thread blocks it.) */
static void sys_sigio(pid_t tid)
{
	char path[48], text[4096];
	const char *at;
	uint64_t mask;
	bool ignored;

	if (has_handler(&ignored)) {
		kill(getpid(), SIGIO);
		return;
	}
	snprintf(path, sizeof(path), "/proc/self/task/%d/status", (int)tid);
	if (slurp(path, text, sizeof(text)) <= 0 || !(at = strstr(text, "SigBlk:")))
		return;
	at += strlen("SigBlk:");
	if (number_field(&at, NUMBER_HEX, UINT64_MAX, &mask) && mask >> (SIGIO - 1) & 1)
		syscall(SYS_tgkill, getpid(), tid, SIGIO);
}

struct start {
	void *(*body)(void *);
	void *arg;
	pid_t tid;
	sem_t began;
};

static void *begin(void *arg)
{
	struct start *s = arg;
	void *(*body)(void *) = s->body;

	arg = s->arg;
	s->tid = (pid_t)syscall(SYS_gettid);
	sem_post(&s->began); /* the creator returns now, and *s is no longer valid */
	return body(arg);
}

static int thread(void *(*body)(void *), void *arg, pid_t *tid, unsigned long *handle)
{
	struct start s = { .body = body, .arg = arg };
	sigset_t all, old;
	pthread_t t;
	int error;

	sem_init(&s.began, 0, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(&t, NULL, begin, &s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!error) {
		while (sem_wait(&s.began) < 0)
			;
		*tid = s.tid;
		*handle = (unsigned long)t;
	}
	sem_destroy(&s.began);
	return error;
}

static void join(unsigned long handle)
{
	pthread_join((pthread_t)handle, NULL);
}

const struct pmc_sys lpmc_sys_linux = {
	.perf_open = perf_open,
	.perf_ioctl = perf_ioctl,
	.read = sys_read,
	.write = sys_write,
	.close = close,
	.dup = sys_dup,
	.eventfd = sys_eventfd,
	.poll = sys_poll,
	.map = sys_map,
	.unmap = sys_unmap,
	.slurp = slurp,
	.readlink = sys_readlink,
	.numbers = numbers,
	.now = now,
	.getpid = getpid,
	.gettid = gettid,
	.privileged = privileged,
	.hurry = hurry,
	.single_threaded = single_threaded,
	.is_process = is_process,
	.has_ended = has_ended,
	.sigio_waiter = sigio_waiter,
	.sigio = sys_sigio,
	.thread = thread,
	.join = join,
};

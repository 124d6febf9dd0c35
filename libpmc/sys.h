/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sys.h - what the library needs of the kernel, as one struct of operations, so that a unit test
 * can be the kernel.  sys.c is the real one.
 *
 * They fail as system calls do: -1 and errno.
 */
#ifndef LPMC_SYS_H
#define LPMC_SYS_H

#include <linux/perf_event.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pmc_sys {
	/* perf_event_open(2), close-on-exec */
	int (*perf_open)(struct perf_event_attr *attr, pid_t pid, int cpu, int group);
	int (*perf_ioctl)(int fd, unsigned long request, uint64_t *arg);
	ssize_t (*read)(int fd, void *buf, size_t size);
	ssize_t (*write)(int fd, const void *buf, size_t size);
	int (*close)(int fd);
	int (*dup)(int fd); /* one that can be written to, else EBADF; close-on-exec */
	int (*eventfd)(void); /* close-on-exec, non-blocking */
	int (*poll)(struct pollfd *fds, unsigned nr, int milliseconds);
	/* shared, readable and writable; NULL on failure */
	void *(*map)(int fd, size_t size);
	void (*unmap)(void *at, size_t size);
	/* a file's first bytes, with a NUL behind them; how many */
	ssize_t (*slurp)(const char *path, char *buf, size_t size);
	/* where a link leads, with a NUL behind it */
	int (*readlink)(const char *path, char *buf, size_t size);
	/* the numbers among a directory's names, ascending; how many there are, of which max are
	 * stored */
	int (*numbers)(const char *path, int *list, int max);
	uint64_t (*now)(int clock); /* nanoseconds */
	pid_t (*getpid)(void);
	pid_t (*gettid)(void); /* of the calling thread */
	bool (*privileged)(void); /* the effective user is root */
	bool (*single_threaded)(void); /* the process has one thread */
	/* Whether there is a process of this number; false for a thread's, too. */
	bool (*is_process)(pid_t pid);
	/* Whether a process has ended, all of its threads: 1, 0, or -1, ask /proc. */
	int (*has_ended)(pid_t pid);
	/* The calling thread, if a SIGIO would reach it: it is blocked there, or the process has a
	 * handler; else 0 */
	pid_t (*sigio_waiter)(void);
	/* Sends one to such a thread's process, unless it would end that */
	void (*sigio)(pid_t tid);
	/* Runs body(arg) in a thread that takes no signals; 0 or an errno.  *tid: who it is. */
	int (*thread)(void *(*body)(void *), void *arg, pid_t *tid, unsigned long *handle);
	void (*join)(unsigned long handle);
	/* The calling thread runs as soon as it can, before all that have no real-time priority; if
	 * it may. */
	void (*hurry)(void);
};

extern const struct pmc_sys lpmc_sys_linux;

#endif

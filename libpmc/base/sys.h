/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sys.h - what the library needs from the kernel, as a struct of operations.  sys.c has the real
 * ones; a unit test replaces them by a fake kernel.
 *
 * Unless a comment says otherwise, they fail as system calls do: with -1 and errno.
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
	/* Duplicates a descriptor, close-on-exec; EBADF if it cannot be written to. */
	int (*dup)(int fd);
	int (*eventfd)(void); /* close-on-exec, non-blocking */
	int (*poll)(struct pollfd *fds, unsigned nr, int milliseconds);
	/* Maps a descriptor, shared, readable and writable; NULL on failure. */
	void *(*map)(int fd, size_t size);
	void (*unmap)(void *at, size_t size);
	/* Reads up to size - 1 bytes of a file, and appends a NUL; returns how many it has read. */
	ssize_t (*slurp)(const char *path, char *buf, size_t size);
	/* Reads where a symbolic link points to, and appends a NUL. */
	int (*readlink)(const char *path, char *buf, size_t size);
	/*
	 * The names in a directory that are numbers, ascending.  Stores at most max of them;
	 * returns how many there are.
	 */
	int (*numbers)(const char *path, int *list, int max);
	uint64_t (*now)(int clock); /* nanoseconds */
	pid_t (*getpid)(void);
	pid_t (*gettid)(void); /* of the calling thread */
	bool (*privileged)(void); /* the effective user is root */
	bool (*single_threaded)(void); /* the process has one thread */
	/* Whether a process has this number; false if only a thread has it. */
	bool (*is_process)(pid_t pid);
	/*
	 * Whether a process has ended with all its threads: 1 or 0; -1 if the kernel cannot tell.
	 */
	int (*has_ended)(pid_t pid);
	/*
	 * The number of the calling thread if SIGIO can be sent to it: the process has a handler,
	 * or the thread blocks SIGIO.  Else 0.
	 */
	pid_t (*sigio_waiter)(void);
	/*
	 * Sends SIGIO for a thread that sigio_waiter() returned, unless that would end the process.
	 */
	void (*sigio)(pid_t tid);
	/* Runs body(arg) in a new thread that blocks all signals.  Returns 0 or an errno. */
	int (*thread)(void *(*body)(void *), void *arg, pid_t *tid, unsigned long *handle);
	void (*join)(unsigned long handle);
	/* Gives the calling thread a real-time priority, if it may have one. */
	void (*hurry)(void);
};

extern const struct pmc_sys lpmc_sys_linux;

#endif

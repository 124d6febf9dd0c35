/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fakeproc.h - the files of /proc and /sys on the fake kernel, as struct pmc_sys reads them.
 */
#ifndef FAKEPROC_H
#define FAKEPROC_H

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>

/* The end of a system call that fails. */
static inline int fake_fails(int error)
{
	errno = error;
	return -1;
}

/* Whether tid is a thread of FAKE_SELF, but not its first. */
bool fake_is_own_thread(pid_t tid);

/* The functions of the same names of struct pmc_sys. */
ssize_t fake_slurp(const char *path, char *buf, size_t size);
int fake_readlink(const char *path, char *buf, size_t size);
int fake_numbers(const char *path, int *list, int max);
bool fake_is_process(pid_t pid);

#endif

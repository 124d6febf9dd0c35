/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process.h - reads from /proc the threads, the children and the parent of a process.
 */
#ifndef LPMC_PROCESS_H
#define LPMC_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* Reads a whole file as a string, which the caller frees; NULL if it is empty or cannot be read. */
char *lpmc_slurp(const char *path);
/* Whether /proc is mounted. */
bool lpmc_process_is_told(void);
/* Whether a process (tid 0), or one thread of it, has ended.  A zombie has ended. */
bool lpmc_process_has_ended(pid_t pid, pid_t tid);

/* All names in a directory of /proc that are numbers; NULL with ESRCH.  The caller frees them. */
int *lpmc_process_numbers(const char *path, int *nr);
/* The same, but sets no error text; if it returns NULL and *nr > 0, no memory is left. */
int *lpmc_process_list(const char *path, int *nr);
/* The child processes of a thread, as a text of numbers, or NULL.  The caller frees it. */
char *lpmc_process_children(pid_t pid, pid_t tid);
/* The process of a thread, or 0 if /proc does not tell. */
pid_t lpmc_process_of(pid_t tid);
/* The parent of a process, or 0 if /proc does not tell. */
pid_t lpmc_process_parent(pid_t pid);
/* Whether a process is `ancestor` or one of its descendants. */
bool lpmc_process_is_under(pid_t pid, pid_t ancestor);

#endif

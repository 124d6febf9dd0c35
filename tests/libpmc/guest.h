/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest.h - shared by libpmc's tests in the Linux guest: work of known size, and processes to
 * count.
 */
#ifndef GUEST_H
#define GUEST_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmc.h>
#include <pmclog.h>
#include <tap.h>

/* Under QEMU's -icount, with one hart: an instruction is a nanosecond and a cycle. */
extern bool guest_exact;
extern const char *guest_self; /* this program's path */

/* Exactly 2 * n instructions, and a few that are the same for every n. */
void guest_spin(uint64_t n);

/* Allocates a PMC with this initial value or reload count; else a failed check shows the error. */
pmc_id_t guest_allocate(const char *spec, enum pmc_mode mode, uint32_t flags, uint64_t count);
uint64_t guest_read(pmc_id_t id);

/* A child that waits for guest_go(), then calls body(arg) and exits with its result. */
struct guest_child {
	pid_t pid;
	int go;
};
struct guest_child guest_fork(int (*body)(void *), void *arg);
void guest_go(struct guest_child *c);
int guest_wait(struct guest_child *c);

/* Checks that a call succeeds; else shows the library's error text. */
#define works(call) guest_works((call) == 0, __FILE__, __LINE__, #call)
void guest_works(bool worked, const char *file, int line, const char *what);

/* Checks that a number is within bounds. */
#define within(got, low, high) guest_within(got, low, high, __FILE__, __LINE__, #got)
void guest_within(uint64_t got, uint64_t low, uint64_t high, const char *file, int line,
		  const char *what);

/* Writes a file of /proc/sys. */
void guest_sysctl(const char *path, const char *value);

/* A log in a file, read from its start. */
struct guest_log {
	char path[32];
	int fd;
	void *parser;
	struct pmclog_ev ev;
};
void guest_log_open(struct guest_log *l);
/* Closes the log and goes to its start. */
void guest_log_rewind(struct guest_log *l);
bool guest_log_find(struct guest_log *l, enum pmclog_type type);
void guest_log_close(struct guest_log *l);

int guest_counting(void);
int guest_logging(void);

/* targets.c: cases of guest_counting(). */
void guest_group_of_two(void);
void guest_thread_alone(void);
void guest_overlaps(void);

#endif

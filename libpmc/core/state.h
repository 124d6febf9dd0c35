/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * state.h - a PMC, and the state of the library in this process.
 * state.c and enter.c define its functions.
 *
 * The life of a count: spec.c parses the specifier.  probe.c checks that the event counts on this
 * machine.  pmc.c allocates a struct lpmc.  target.c opens the perf events of a process, with
 * attributes from attr.c.  read.c reads them, through the user page if possible.
 *
 * The life of a sample: the kernel writes a record into a ring, which target.c has mapped.  drain.c
 * collects the records of all rings (with ring.c) and sorts them by time; the helper thread or a
 * flush calls it.  record.c parses a record, and translate.c makes log entries from it.  entry.c
 * writes the entries to the log.  pmclog.c parses them in the program that reads the log.  For a
 * PMC with PMC_F_RECORDS, entry.c writes the records themselves.
 *
 * All functions of the library that are not pure expect the lock: lpmc_enter() ... lpmc_leave().
 * The lock is held while processes are looked up and events are opened.  It is not held while the
 * log is written (entry.c).  pmc_read() does not need it either: view.c keeps copies of the PMCs
 * for readers, under a lock of their own.
 */
#ifndef LPMC_STATE_H
#define LPMC_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "error.h"
#include "event.h"
#include "pmc.h"
#include "sys.h"
#include "vec.h"

#define LPMC_SOFT_ROWS 16
#define LPMC_SBI_ROWS  64 /* Linux's RISC-V driver knows 64 counters at most */
#define LPMC_ROWS      (LPMC_SOFT_ROWS + LPMC_SBI_ROWS)
#define LPMC_CPUS_MAX  0xfff /* a handle has 12 bits for the CPU, and PMC_CPU_ANY is one value */

/*
 * A PMC
 */

/* The most PMCs that a group can have, not counting its leader. */
#define LPMC_MEMBERS 15

/* One open perf event. */
struct lpmc_fd {
	int fd; /* the event that counts */
	int member[LPMC_MEMBERS]; /* if the PMC leads a group: the events of the other PMCs */
	int leader; /* PMC_F_LOG_PROCCSW: the event that samples at each switch; else -1 */
	pid_t pid, tid;
	int cpu;
	bool alone; /* threads and processes that are created later do not inherit it */
};

/*
 * A process, or one thread of it, that a PMC is attached to.  A PMC of system scope has one target,
 * with pid -1.  If two targets both include a process, only one of them has its events.
 */
struct lpmc_target {
	pid_t pid;
	pid_t tid; /* 0: all threads */
	VEC(struct lpmc_fd) fds;
};

/* A ring buffer that the kernel writes. */
struct lpmc_buffer {
	struct perf_event_mmap_page *page;
	size_t size; /* of the mapping */
	int cpu, fd;
	bool hung_up; /* its events have ended: the helper does not poll it any more */
};

/*
 * A process that gets a PROCEXIT entry when it ends.  An attached process has descriptors, which
 * hang up when the process and all its descendants have ended.  A process that was forked later has
 * none; each of its threads leaves a value in each ring when it ends.
 */
struct lpmc_exit {
	pid_t pid;
	pid_t root; /* the attached process that it descends from, or itself */
	uint64_t value; /* the sum of the values that its threads left */
	/* its threads: that run; that were ever created; and how many values they have left */
	unsigned live, created, reads;
	bool attached, gone, logged;
};

/* A thread whose name is in the log (tasks.c). */
struct lpmc_task {
	pid_t tid, pid;
	uint32_t flags;
	char name[16]; /* as long as Linux's records have it */
};

/* What a thread had counted on a CPU at its last context switch there (PMC_F_LOG_PROCCSW). */
struct lpmc_switch {
	pid_t tid;
	int cpu;
	uint64_t value;
};

/*
 * A PMC.  In a group (group.c) only the leader has targets.  Each of its events leads a group of
 * perf events.  The leader also keeps the members' counts, so that one copy of it (view.c) has all
 * values of one moment.
 */
struct lpmc {
	struct lpmc *next;
	pmc_id_t lead; /* a member: the handle of its leader */
	unsigned place; /* a member: its number in the group, from 1; else 0 */
	struct lpmc *member[LPMC_MEMBERS];
	unsigned nr_members; /* a leader: how many others are in its group; else 0 */
	uint64_t kept_of[LPMC_MEMBERS]; /* a leader: `kept` of each member */
	pmc_id_t id;
	struct lpmc_spec spec;
	enum pmc_mode mode;
	uint32_t flags;
	int cpu;
	enum pmc_state state;
	uint64_t reload; /* sampling: the reload count */
	uint64_t jitter; /* PMC_F_JITTER: the state of the random number generator */
	uint64_t base; /* counting: value = base + kept + the values of the events */
	uint64_t kept; /* what the detached targets had counted */
	uint64_t kept_enabled, kept_running;
	bool lost; /* a target did not have a counter all the time: there is no count */
	bool attached; /* the PMC has, or has had, targets */
	pid_t awaited_by; /* the thread that gets a SIGIO when the last target has ended, or 0 */
	VEC(struct lpmc_target) targets;
	VEC(struct lpmc_buffer) buffers;
	/* User pages (self.c): of this process, one for each CPU; */
	VEC(struct perf_event_mmap_page *) pages;
	/* of the one thread of this process that is counted, or NULL; */
	struct perf_event_mmap_page *own_page;
	/* and of threads that are detached: these pages stay mapped until the PMC ends. */
	VEC(struct perf_event_mmap_page *) left_pages;
	VEC(struct lpmc_exit) exits;
	VEC(struct lpmc_switch) switches;
};

static inline bool lpmc_has_rings(const struct lpmc *p)
{
	return PMC_IS_SAMPLING_MODE(p->mode) ||
	       (p->flags & (PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT)) != 0;
}

/* Whether the log gets the kernel's records themselves, not entries made from them. */
static inline bool lpmc_is_recorded(const struct lpmc *p)
{
	return (p->flags & PMC_F_RECORDS) != 0;
}

/* VEC_PUSH of vec.h, but if there is no memory it also sets errno to ENOMEM and the text. */
#define LPMC_PUSH(v, ...) (VEC_PUSH(v, __VA_ARGS__) || lpmc_fail(ENOMEM, "out of memory") == 0)

/*
 * What pmc_read() needs for a PMC that can be read in user space.  id is 0 if the entry is unused.
 *
 * If the PMC counts this process, the process has one thread.  The entry is then valid while the
 * lock of the page is still `seq`: a thread that has left its CPU may have counted on another one.
 *
 * If the PMC counts one thread, `reader` names that thread by an address that no other thread has.
 * Only that thread fills in the other fields, while it holds the PMC's view, and only it reads
 * them.  Other threads only clear id and reader.  The page stays mapped (self.c), and it shows when
 * the PMC is stopped, written or attached to another target.
 */
struct lpmc_fast {
	_Alignas(64) pmc_id_t id; /* (aligned so that a shift gives the address of an entry) */
	uint32_t seq;
	const struct perf_event_mmap_page *page; /* of the CPU that the thread is on */
	uint64_t base; /* the PMC's base, plus what was counted on other CPUs */
	const struct lpmc *pmc;
	const void *reader; /* NULL: the PMC counts this process, which has one thread */
};

/*
 * Memory that the kernel wipes in a forked child (MADV_WIPEONFORK).  So a child cannot use what its
 * parent has allocated, whichever system call made the fork.
 */
#define LPMC_ALIVE    1
#define LPMC_STARTING 2

struct lpmc_own {
	struct lpmc_fast fast[256]; /* by row, which is a byte: no index is out of bounds */
	_Atomic uint32_t alive; /* LPMC_ALIVE; in a child 0 (wiped) and then LPMC_STARTING */
};

/* A record that drain.c has collected and not yet written: its place in the arena. */
struct lpmc_pending {
	uint64_t time;
	struct lpmc *pmc;
	uint32_t offset, size, order;
};

struct lpmc_state {
	const struct pmc_sys *sys;
	struct lpmc_own *own;
	void (*in_child)(void); /* closes and frees what a forked child inherited (init.c) */
	pthread_mutex_t lock;
	struct lpmc *pmcs;
	struct pmc_driverstats stats;
	struct pmc_cpuinfo info;
	struct lpmc_cpu_events *cpu_events; /* NULL: not read yet (device_tree.c) */
	bool csr_allowed; /* a setting of Linux allows user space to read counters (self.c) */

	int log_fd; /* -1: no log is configured */
	int log_ending; /* the descriptor of a log that gets its last entries, or -1 */
	bool log_records; /* the log gets records, not entries */
	int log_error; /* the errno of the first write that failed, or 0 */
	pid_t log_awaited_by; /* the thread that gets a SIGIO when a write fails, or 0 */
	/* Threads take these in this order, and before the lock: */
	pthread_mutex_t log_changing; /* to begin or end a log */
	pthread_mutex_t log_writing; /* to write to the log's file */
	VEC(uint8_t) log_buf;

	VEC(struct lpmc_pending) pending; /* the records that drain.c has collected, */
	VEC(uint8_t) arena; /* and their bytes */
	VEC(struct lpmc_task) tasks; /* sorted by tid */
	VEC(pid_t) execs; /* processes that called execve(2) and have not mapped a program yet */

	/* The helper thread (helper.c) */
	unsigned long helper;
	bool helper_hurries; /* it has asked for a real-time priority */
	uint64_t helper_looked; /* when it last looked at all rings */
	pid_t helper_tid;
	bool helper_on;
	atomic_bool helper_quit;
	int helper_wake; /* an eventfd */
};

extern struct lpmc_state lpmc;

/*
 * Takes the lock.  Returns -1 with ENXIO before pmc_init(), or with EDEADLK in a signal handler
 * that has interrupted a call of the library.
 */
int lpmc_enter(void);
/* Takes one of the library's locks; those of the log come before lpmc_enter().  -1 with EDEADLK. */
int lpmc_lock(pthread_mutex_t *mutex);
/* False before pmc_init(), and in a forked child that has not called the library yet. */
bool lpmc_is_ours(void);
void lpmc_leave(void);
/* Finds the PMC of a handle; NULL with ESRCH or EINVAL. */
struct lpmc *lpmc_find(pmc_id_t id);
/*
 * lpmc_enter() and lpmc_find(); the caller calls lpmc_leave().  On failure it returns NULL with the
 * errno of either, and the lock is not held.
 */
struct lpmc *lpmc_enter_pmc(pmc_id_t id);

#endif

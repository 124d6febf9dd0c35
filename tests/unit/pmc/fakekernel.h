/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fakekernel.h - a kernel for libpmc's unit tests: perf events of a RISC-V machine, on any host.
 *
 * It behaves like Linux's riscv_pmu_sbi driver where that matters.  Without Sscofpmf there is no
 * sampling (EOPNOTSUPP) and no filter (EINVAL).  Raw and firmware events always open.  A pinned
 * event without a counter goes into the error state, where read(2) returns 0 bytes.  The user page
 * of a firmware event claims that user mode can read the counter.
 */
#ifndef FAKEKERNEL_H
#define FAKEKERNEL_H

#include <pmc.h>
#include <pmclog.h>
#include <sys.h>

#include <tap.h>

#define FAKE_FD	      1000
#define FAKE_FDS      256
#define FAKE_ID	      500 /* the identifier of the first event */
#define FAKE_MAX_RATE 25000 /* kernel.perf_event_max_sample_rate */
#define FAKE_SELF     4242
#define FAKE_KERNEL   2 /* a process of the kernel */
#define FAKE_OTHER    77 /* a process with the threads 77 and 78 */
#define FAKE_CHILD    80 /* a child of 77, with one thread */
#define FAKE_LATER    81 /* a child of 80, once it is forked, with one thread */
#define FAKE_THREAD   4250 /* the second thread of FAKE_SELF; eight more follow it */

struct fake_event {
	bool open, enabled, error;
	bool waits; /* multiplexed: has no counter at the moment */
	struct perf_event_attr attr;
	pid_t pid;
	int cpu, group;
	uint64_t value, time_enabled, time_running;
	uint64_t period;
	int output; /* SET_OUTPUT */
	bool hung_up;
	struct perf_event_mmap_page *page;
	size_t page_size;
};

struct fake {
	bool no_perf, no_pmu, no_sscofpmf, no_memory, threads, unprivileged, no_sample_inherit;
	bool legacy; /* riscv-pmu-legacy: the firmware has no PMU extension */
	bool no_offline_tasks; /* threads have no events on a CPU that is offline */
	int paranoid; /* -1: everything is allowed */
	int user_access; /* kernel.perf_user_access; -1: the setting does not exist */
	int counters; /* number of hardware counters */
	unsigned general; /* number of general hardware events of Linux that open, from cycles on */
	unsigned unmapped; /* the one of them that no counter can count; 0: none */
	int ncpu, offline; /* number of CPUs; the CPU that is offline, or -1 */
	uint64_t mapped_fw, mapped_raw; /* bit n: firmware event n, raw event n has a counter */
	int fd_limit;
	bool no_proc; /* /proc is not mounted */
	_Atomic bool gone; /* FAKE_OTHER does not exist any more */
	pid_t sigio_waiter; /* the thread that has a handler of SIGIO */
	_Atomic int sigios; /* how many SIGIOs were sent */
	bool forked; /* FAKE_LATER exists */
	bool set_id; /* FAKE_OTHER runs a set-user-ID program, which we may not watch */
	bool zombie; /* FAKE_OTHER has ended, and nobody has waited for it */
	bool any_process; /* every process exists, with one thread */
	bool real_log; /* the log is a real file: the one it is configured with */
	bool real_threads; /* the helper is a real thread */
	_Atomic int helpers; /* helpers that run, with real_threads */
	int real_fd; /* the library's copy of the log's descriptor */
	void (*enabled)(struct fake_event *e); /* called when an event is enabled, or NULL */
	void (*opening)(void); /* called before an event is opened, or NULL */
	void (*joining)(void); /* called before a helper is joined, without the lock */
	int hurries; /* how often a thread has asked for priority */
	int thread_error, dup_error, write_error, map_error;
	uint64_t now;
	struct fake_event event[FAKE_FDS];
	int opened; /* how many perf events were ever opened */
	/* properties of the device tree's pmu node; NULL: there are none */
	const char *event_names, *event_selectors;
	size_t event_names_size, event_selectors_size;
	int tree_reads; /* how often one of them was read */
	char maps[512];
	const char *children; /* of FAKE_OTHER; NULL: only FAKE_CHILD */
	uint8_t log[1 << 19]; /* what was written to the log */
	size_t log_len;
};

extern struct fake fake;
/* The calling thread's number; 0: FAKE_SELF. */
extern __thread pid_t fake_tid;
extern uint64_t fake_csr[32]; /* fakearch/csr.h */
extern const struct pmc_sys fake_sys;

/* Makes a new kernel, and calls pmc_init(). */
void fake_boot(void);
/*
 * Gives the raw event 5, which has a counter, the name five; 6, which has none, the name six; and 7
 * the name cycles, which means another event.
 */
void fake_event_names(void);
/* Closes and frees everything that the library has, as if it had never been used. */
void fake_end(void);
/* How many perf events are open. */
int fake_nr_open(void);
struct fake_event *fake_event(pid_t pid, int cpu);
/* Lets time pass: every event that is on a counter counts n. */
void fake_count(uint64_t n);
/* Appends a record to the ring of an event. */
void fake_record(struct fake_event *e, uint32_t type, uint16_t misc, const void *body, size_t size);
/* The fields at the end of every record. */
struct fake_trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, pad;
};
/* Appends a PERF_RECORD_FORK or PERF_RECORD_EXIT to the ring of an event, by a thread of ppid. */
void fake_task(struct fake_event *e, uint32_t type, uint64_t time, uint32_t pid, uint32_t ppid,
	       uint32_t tid);

#endif

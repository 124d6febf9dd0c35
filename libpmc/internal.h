/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * internal.h - what the files of libpmc share.
 *
 * The life of a count: pmc.c allocates a struct lpmc after event.c has read its specifier and
 * probe.c has seen that the event counts here; target.c opens the perf events of a process
 * (attr.c says which); read.c reads them, through the user page if it can.
 *
 * The life of a sample: the kernel writes a record into a ring (target.c maps it); drain.c,
 * called by the helper thread or a flush, collects the records of all rings (ring.c) in the
 * order of their times; translate.c makes log entries of them (record.c takes them apart); log.c
 * writes those; pmclog.c, in whoever reads the log, parses them.  Of a PMC with PMC_F_RECORDS
 * log.c writes the records themselves.
 *
 * Everything here but pure functions expects the lock: lpmc_enter() ... lpmc_leave().  It is held
 * while processes are looked up and events opened, and never while the log is written (log.c) or a
 * PMC is read, for which view.c keeps what a reader needs under a lock of its own.
 */
#ifndef LPMC_INTERNAL_H
#define LPMC_INTERNAL_H

#include <ctype.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "pmc.h"
#include "pmclog.h"
#include "sys.h"

#define LPMC_NR(array) (sizeof(array) / sizeof((array)[0]))

#define LPMC_SOFT_ROWS 16
#define LPMC_SBI_ROWS  64 /* Linux's RISC-V driver knows 64 counters at most */
#define LPMC_ROWS      (LPMC_SOFT_ROWS + LPMC_SBI_ROWS)
#define LPMC_CPUS_MAX  0xfff /* what a handle can tell, without PMC_CPU_ANY */

/*
 * The fewest events between two samples.  A program in user mode gets on at any number; in the kernel,
 * Linux's interrupt itself takes some 1300 instructions, and from there down throttling alone lets it
 * get on: it did, in the guest, at 1300 (63,000 samples where 1500 has 2,400), 1000 and 800, and no
 * more at 500.
 */
#define LPMC_RELOAD_MIN	    1000
#define LPMC_RELOAD_DEFAULT 65536
/* Of a clock Linux makes any fewer nanoseconds these, and does not say so in what it records. */
#define LPMC_RELOAD_CLOCK   10000

/*
 * error.c
 */

/* Sets errno and the text; returns -1. */
int lpmc_fail(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* EFAULT and -1 if a pointer that a public function wants is NULL. */
int lpmc_null(const void *pointer, const char *function);
/* The text alone, for what succeeds with a remark. */
void lpmc_remark(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * event.c - names.  Pure.
 */

/* An event and how Linux is asked for it. */
struct lpmc_event {
	const char *name; /* NULL for one by number */
	const char *text;
	uint32_t ev; /* enum pmc_event */
	uint32_t type; /* perf_event_attr.type */
	uint64_t config;
};

struct lpmc_spec {
	struct lpmc_event event;
	char name[PMC_NAME_MAX]; /* as the list has it, or as it was given */
	bool usr, os; /* both or none: everything */
	bool multiplex;
};

/* The character that a name's character is compared as, whatever the locale. */
static inline int lpmc_fold(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 'a';
	return c == ' ' || c == '.' || c == '_' ? '-' : c;
}

/* Reads a specifier; -1 with EINVAL and the text. */
int lpmc_spec_parse(const char *text, struct lpmc_spec *spec);
/* Row n of the list of all events, or NULL behind its end. */
const struct lpmc_event *lpmc_event_row(unsigned n);
const struct lpmc_event *lpmc_event_of(uint32_t ev);
enum pmc_class lpmc_event_class(uint32_t ev);
bool lpmc_event_is_firmware(const struct lpmc_event *e);
/* A clock of the kernel's; and what happens in the kernel alone, whoever caused it. */
bool lpmc_event_is_clock(const struct lpmc_event *e);
bool lpmc_event_is_of_kernel(const struct lpmc_event *e);
/* Whether two names are one: case, and which of space . _ - separates, do not count. */
bool lpmc_name_same(const char *a, const char *b, size_t b_len);

/* suggest.c: the name or alias nearest to a misspelled one; false: none is near.  Pure. */
bool lpmc_suggest(const char *name, size_t len, char near[PMC_NAME_MAX]);
/* event.c: the alias number n, or NULL behind the last. */
const char *lpmc_event_alias(unsigned n, uint32_t *ev);
/* Linux's name of a cache event of the list, in two parts; false if it is another event. */
bool lpmc_event_cache_alias(uint32_t ev, const char **cache, const char **op);

/*
 * A PMC
 */

/* PMCs of a group beside its leader. */
#define LPMC_MEMBERS 15

/* One open perf event. */
struct lpmc_fd {
	int fd; /* what counts */
	int member[LPMC_MEMBERS]; /* with a group's leader: the other events of the group */
	int leader; /* the group's leader, or -1 */
	pid_t pid, tid;
	int cpu;
	bool alone; /* nothing inherits it */
};

/*
 * A process that a PMC is attached to, or one thread of it; for system scope, the one entry with pid
 * -1.  What another target counts as well has its events there.
 */
struct lpmc_target {
	pid_t pid;
	pid_t tid; /* 0: all threads */
	struct lpmc_fd *fds;
	unsigned nr_fds;
};

/* A ring that the kernel writes. */
struct lpmc_buffer {
	struct perf_event_mmap_page *page;
	size_t size; /* of the mapping */
	int cpu, fd;
	bool hung_up; /* nobody waits for it any longer */
};

/*
 * A process on its way to its PROCEXIT entry.  One that was attached has descriptors, which hang
 * up when it and all that it has forked are gone; one that was forked since has the values that
 * its threads leave in the ring, one for each ring.
 */
struct lpmc_exit {
	pid_t pid;
	pid_t root; /* the attached process that it descends from, or itself */
	uint64_t value; /* left by its threads */
	unsigned live, created, reads; /* its threads; values that they left */
	bool attached, gone, logged;
};

/* The last value of a thread on a CPU, for PROCCSW. */
struct lpmc_switch {
	pid_t tid;
	int cpu;
	uint64_t value;
};

/*
 * Of a group (group.c) the leader has the targets, whose events are groups of Linux's, and keeps the
 * members' counts beside its own, so that one look at it finds all of one moment.
 */
struct lpmc {
	struct lpmc *next;
	pmc_id_t lead; /* the leader's, of the others */
	unsigned place; /* from 1, of the others; 0: it leads, or there is no group */
	struct lpmc *member[LPMC_MEMBERS];
	unsigned nr_members; /* the leader's; 0: no group */
	uint64_t kept_of[LPMC_MEMBERS];
	pmc_id_t id;
	struct lpmc_spec spec;
	enum pmc_mode mode;
	uint32_t flags;
	int cpu;
	enum pmc_state state;
	uint64_t reload; /* sampling */
	uint64_t jitter; /* the state of its numbers (PMC_F_JITTER) */
	uint64_t base; /* counting: value = base + what the events say */
	uint64_t kept; /* counted by targets that are detached */
	uint64_t kept_enabled, kept_running;
	bool lost; /* not every target could stay on its counter */
	bool attached; /* it has had targets */
	pid_t awaited_by; /* the thread that wants a SIGIO when its last target has ended, or 0 */
	struct lpmc_target *targets;
	unsigned nr_targets;
	struct lpmc_buffer *buffers;
	unsigned nr_buffers;
	struct perf_event_mmap_page **pages; /* the caller's own counter, one for each CPU */
	unsigned nr_pages; /* 0: it is not read so in user space */
	struct perf_event_mmap_page *own_page; /* of the one thread that it counts, or NULL */
	struct perf_event_mmap_page **left_pages; /* of threads before, until the PMC's end */
	unsigned nr_left_pages;
	struct lpmc_exit *exits;
	unsigned nr_exits;
	struct lpmc_switch *switches;
	unsigned nr_switches;
};

static inline bool lpmc_has_rings(const struct lpmc *p)
{
	return PMC_IS_SAMPLING_MODE(p->mode) ||
	       (p->flags & (PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT)) != 0;
}

/* Its records are passed on as they are. */
static inline bool lpmc_is_recorded(const struct lpmc *p)
{
	return (p->flags & PMC_F_RECORDS) != 0;
}

/* Grows an array by one element, which is zeroed; NULL with ENOMEM. */
void *lpmc_grow(void *array, unsigned *nr, size_t size);
#define LPMC_GROW(array, nr) (lpmc_grow(&(array), &(nr), sizeof(*(array))))

/* A whole file as a string, which the caller frees; NULL if it is empty or cannot be read. */
char *lpmc_slurp(const char *path);

/* attr.c - what Linux is asked for.  Pure. */

/* The counting or sampling event of a PMC. */
void lpmc_attr(const struct lpmc *p, struct perf_event_attr *attr);
void lpmc_attr_modes(const struct lpmc *p, struct perf_event_attr *attr);
/* The leader in front of the event of a PMC that logs context switches. */
void lpmc_attr_switch_leader(const struct lpmc *p, struct perf_event_attr *attr);

/* jitter.c */

/* After how many samples of so many events a period is set anew.  Pure. */
unsigned lpmc_jitter_samples(uint64_t reload);
/* The next period: three to five quarters of the reload count. */
uint64_t lpmc_jitter_period(struct lpmc *p);
/* Gives it to the events on a CPU. */
void lpmc_jitter(struct lpmc *p, int cpu);

/* open.c - perf_event_open(2), with the reason when it fails. */

/* A descriptor; or -1, errno as the manual says, and the text. */
int lpmc_open(const struct lpmc *p, struct perf_event_attr *attr, pid_t pid, int cpu, int group);
/* perf_event_open(2) itself, counted; errno is the kernel's. */
int lpmc_open_raw(struct perf_event_attr *attr, pid_t pid, int cpu, int group);
/* What that errno means: sets the manual's, and the text; returns -1. */
int lpmc_open_failed(const struct lpmc *p, const struct perf_event_attr *attr, pid_t pid, int cpu);
/* The number that a file such as /proc/sys/kernel/... holds. */
int lpmc_setting(const char *path, int otherwise);
/*
 * Why Linux refuses what it refuses on RISC-V with the driver riscv-pmu-legacy, which it takes where
 * the firmware has no PMU extension; NULL: it has another.
 */
const char *lpmc_legacy(void);

/* probe.c */

/* Whether a PMC would count; -1, errno and text as pmc_allocate() has them. */
int lpmc_probe(const struct lpmc *p);
/* Whether PMCs would count together; -1 with EBUSY: there are not so many counters. */
int lpmc_probe_group(struct lpmc *const *list, unsigned nr);
/* PMC_CAP_* of an event on this machine. */
uint32_t lpmc_probe_caps(const struct lpmc *p);

/* group.c */

/* The PMC that has the targets: itself, or its leader. */
struct lpmc *lpmc_group_leader(struct lpmc *p);
/* The state of a leader, and of its members. */
void lpmc_group_state(struct lpmc *leader, enum pmc_state state);
/* Ends the group that a PMC is in, if any. */
void lpmc_group_end(struct lpmc *p);

/* process.c */

/* Whether /proc is there to ask. */
bool lpmc_process_is_told(void);
/* Whether a process, or one thread of it (tid 0: all of it), has ended: a zombie has. */
bool lpmc_process_has_ended(pid_t pid, pid_t tid);

/* Numbers of a directory of /proc, however many; NULL with ESRCH.  The caller frees. */
int *lpmc_process_numbers(const char *path, int *nr);
/* The text of the children of a thread, or NULL; the caller frees. */
char *lpmc_process_children(pid_t pid, pid_t tid);
/* The process of a thread; the parent of a process.  0: /proc does not say. */
pid_t lpmc_process_of(pid_t tid);
pid_t lpmc_process_parent(pid_t pid);
/* Whether the one is the other, or descends from it. */
bool lpmc_process_is_under(pid_t pid, pid_t ancestor);

/* target.c, self.c */

int lpmc_target_attach(struct lpmc *p, pid_t pid, pid_t tid);
/* What it has counted is kept, and what other targets count, too, goes on. */
void lpmc_target_detach(struct lpmc *p, struct lpmc_target *t);
/* As if it had never been attached. */
void lpmc_target_drop(struct lpmc *p, struct lpmc_target *t);
/* Whether a PMC has had targets, and none is left: they are detached, or have ended. */
bool lpmc_target_all_gone(const struct lpmc *p);
struct lpmc_target *lpmc_target_of(struct lpmc *p, pid_t pid, pid_t tid);
/* All events on or off. */
int lpmc_target_enable(struct lpmc *p, bool on);
/* Tries the shape that can be read in user space; 0, or -1 if the general shape must do. */
int lpmc_self_attach(struct lpmc *p, struct lpmc_target *t);
/* Maps the page of one thread's event, if that thread could read it. */
void lpmc_self_map_thread(struct lpmc *p, const struct lpmc_target *t);
/* Unmaps the pages; the events are the target's. */
void lpmc_self_detach(struct lpmc *p);
/* And those that another thread might still have read. */
void lpmc_self_end(struct lpmc *p);

/* read.c */

struct lpmc_sum {
	uint64_t value, enabled, running;
	uint64_t member[LPMC_MEMBERS];
};

/* What the events of a target say; -1 with EINVAL if one could not stay on its counter. */
int lpmc_target_read(const struct lpmc *p, const struct lpmc_target *t, struct lpmc_sum *sum);
int lpmc_value(const struct lpmc *p, uint64_t *value);
/* Adds what they say to what a PMC has kept. */
void lpmc_keep(struct lpmc *p, const struct lpmc_sum *sum);
/* Before a PMC is stopped: another start would hide that its count is lost. */
void lpmc_lost_note(struct lpmc *p);
/* Sampling: the reload count, of the events as well. */
int lpmc_reload_set(struct lpmc *p, uint64_t value);
/* Lets pmc_read() use the user page, or no longer. */
void lpmc_fast_set(struct lpmc *p);
void lpmc_fast_clear(const struct lpmc *p);

/*
 * The rings: ring.c, record.c (both pure), drain.c, translate.c
 */

struct lpmc_ring {
	const uint8_t *data;
	uint64_t size; /* a power of 2 */
	uint64_t head, tail; /* tail moves; tail <= head */
};

#define LPMC_RECORD_MAX 65536

/* Copies the next record; its size, 0 when there is none, -1 (and tail = head) when broken. */
int lpmc_ring_next(struct lpmc_ring *r, void *buf, size_t size);

/* A record of the kernel, taken apart.  Pointers are into the record. */
struct lpmc_record {
	uint32_t type, misc;
	uint32_t pid, tid, ppid, ptid, cpu;
	uint64_t time;
	uint64_t ip, addr, offset, lost, value;
	uint32_t prot;
	const uint64_t *chain;
	uint32_t nr_chain;
	const char *name; /* ends in a NUL */
};

/* What records carry depends on their PMC: the same that lpmc_attr() asked for. */
enum lpmc_layout { LPMC_PLAIN, LPMC_CHAIN, LPMC_SWITCH, LPMC_RECORDS };
enum lpmc_layout lpmc_layout_of(const struct lpmc *p);

/* -1 if the record contradicts itself. */
int lpmc_record_parse(const void *data, size_t size, enum lpmc_layout layout,
		      struct lpmc_record *out);

/* Empties all rings into the log; to the last record of now, or (all) of ever. */
void lpmc_drain(bool all);
/* Forgets what is collected of a PMC. */
void lpmc_drain_forget(const struct lpmc *p);
void lpmc_translate(struct lpmc *p, const struct lpmc_record *r);
/* What the threads of a target had counted at their last switches: their next events begin with 0. */
void lpmc_switch_forget(struct lpmc *p, const struct lpmc_target *t);

/* maps.c: tells the log of what a target (-1: everybody) has mapped already. */
void lpmc_maps_log(pid_t pid);

/* exit.c: what records say of processes that come and go, for PROCEXIT. */
void lpmc_exit_fork(struct lpmc *p, const struct lpmc_record *r);
void lpmc_exit_thread(struct lpmc *p, const struct lpmc_record *r);
void lpmc_exit_read(struct lpmc *p, const struct lpmc_record *r);
/* A target that is detached, and what it has forked, do not end any more. */
void lpmc_exit_forget(struct lpmc *p, const struct lpmc_target *t);
/* Before a pass over the rings: who has gone. */
void lpmc_exit_poll(struct lpmc *p);
/* After it: writes the entries that are due. */
void lpmc_exit_log(struct lpmc *p, uint64_t time);

/* log.c */

/* The record at h: its fixed part is `size` bytes, `path` (or NULL) follows; h is filled in. */
void lpmc_log_put(enum pmclog_type type, uint64_t time, struct pmclog_header *h, size_t size,
		  const char *path);
/* A record as it is, in place of entries. */
void lpmc_log_record(const void *record, size_t size);
void lpmc_log_allocate(const struct lpmc *p);
void lpmc_log_attach(const struct lpmc *p, pid_t pid);
void lpmc_log_detach(const struct lpmc *p, pid_t pid);

/* Whether so much waits for the reader that no more is collected. */
bool lpmc_log_is_long(void);
/* The helper's round: what is in the rings into the log, and that into its file.  Takes the locks. */
void lpmc_log_pass(void);

/*
 * view.c - what pmc_read() and pmc_times() look at, which take no lock that is held across a system
 * call.
 */

/* A PMC as it was when it last changed, with targets and descriptors of its own.  It stays as it is. */
struct lpmc_view {
	struct lpmc_view *next;
	unsigned users;
	struct lpmc pmc;
};

/* Lets readers see a PMC.  (Without memory for it they ask with the lock.) */
void lpmc_view_add(const struct lpmc *p);
/* Shows them what it is now, if they see it; returns when none looks at it as it was. */
void lpmc_view_change(const struct lpmc *p);
/* Hides it again; returns when none looks at it. */
void lpmc_view_remove(const struct lpmc *p);
/* What there is to read of a handle, for lpmc_view_give(); NULL: ask with the lock. */
struct lpmc_view *lpmc_view_take(pmc_id_t id);
void lpmc_view_give(struct lpmc_view *v);
/* Whether this thread has one; then it is a signal's handler that asks. */
bool lpmc_view_is_taken(void);
/* In a child: all readers are the parent's. */
void lpmc_view_forget_parent(void);
/* Around a fork(): the list is whole in the child. */
bool lpmc_view_lock(void);
void lpmc_view_unlock(void);

/* helper.c */

/* Both do nothing where it is needed already, or still. */
int lpmc_helper_start(void);
void lpmc_helper_stop(void);
/* What it waits for has changed. */
void lpmc_helper_wake(void);

/*
 * state.c - the library's state in this process.
 */

/*
 * What pmc_read() needs of a PMC that can be read in user space; id 0 is none.
 *
 * Of a process, which has one thread then, it holds while the page's lock is still `seq`: a thread that
 * has been off its CPU may have counted elsewhere.
 *
 * Of one thread, `reader` is it, by an address that no other thread has.  That thread alone fills in the
 * rest, with the PMC's view taken, and looks at it; others only take id and reader away.  The page
 * stays mapped (self.c); that the PMC is stopped, written or attached elsewhere shows in it.
 */
struct lpmc_fast {
	_Alignas(64) pmc_id_t id; /* (an entry is found by a shift) */
	uint32_t seq;
	const struct perf_event_mmap_page *page; /* of the CPU that the thread is on */
	uint64_t base; /* the PMC's, and what was counted on other CPUs */
	const struct lpmc *pmc;
	const void *reader; /* NULL: the one thread of the process */
};

/*
 * Memory that the kernel wipes in a forked child (MADV_WIPEONFORK): nothing allocated before the
 * fork can be used there, however the fork was made.
 */
struct lpmc_own {
	struct lpmc_fast fast[256]; /* by row, all of a byte, so that no index is out of bounds */
	_Atomic uint32_t alive;
};

struct lpmc_pending {
	uint64_t time;
	struct lpmc *pmc;
	uint32_t offset, size, order;
};

struct lpmc_state {
	const struct pmc_sys *sys;
	struct lpmc_own *own;
	pthread_mutex_t lock;
	struct lpmc *pmcs;
	struct pmc_driverstats stats;
	struct pmc_cpuinfo info;
	bool csr_allowed; /* counters may be read in user space: the setting has said so */

	int log_fd; /* -1: none */
	int log_ending; /* one that gets its last entries, or -1 */
	bool log_records; /* it gets records, and no entries */
	int log_error; /* the first write that failed */
	pid_t log_awaited_by; /* the thread that wants a SIGIO then, or 0 */
	/* Taken in this order, and before the lock: */
	pthread_mutex_t log_changing; /* somebody begins or ends it */
	pthread_mutex_t log_writing; /* somebody writes */
	uint8_t *log_buf;
	size_t log_fill, log_max;

	struct lpmc_pending *pending;
	unsigned nr_pending, max_pending;
	uint8_t *arena;
	size_t arena_fill, arena_max;
	pid_t *execs; /* processes that exec'ed and have not mapped their program yet */
	unsigned nr_execs;

	unsigned long helper;
	bool helper_hurries;
	uint64_t helper_looked; /* when it last looked at all rings (helper.c) */
	pid_t helper_tid;
	bool helper_on;
	bool helper_again; /* one is wanted while the last one ends */
	atomic_bool helper_quit;
	int helper_wake; /* an eventfd */
};

extern struct lpmc_state lpmc;

/* Locks; -1 with ENXIO before pmc_init(), EDEADLK in a signal's handler that interrupted us. */
int lpmc_enter(void);
/* One of the other locks, which are taken before it; -1 with EDEADLK. */
int lpmc_lock(pthread_mutex_t *mutex);
/* Whether the library is this process's, and not yet its parent's. */
bool lpmc_is_ours(void);
void lpmc_leave(void);
/* The PMC of a handle; NULL with ESRCH or EINVAL. */
struct lpmc *lpmc_find(pmc_id_t id);
/* Both, for lpmc_leave(); NULL: not locked, and errno is either's. */
struct lpmc *lpmc_enter_pmc(pmc_id_t id);
/* For unit tests: another kernel, and a library that has never been used. */
void lpmc_reset(const struct pmc_sys *sys);
/* Ends a PMC, whatever its state (pmc.c). */
void lpmc_end(struct lpmc *p);
/* Releases the log without a word (log.c). */
void lpmc_log_drop(void);
/* info.c */
bool lpmc_cpu_online(int cpu);
/* Whether it is there, and may come online while a thread that is counted runs. */
bool lpmc_cpu_present(int cpu);
/* Whether system scope can be there; EINVAL, ENXIO. */
int lpmc_cpu_check(int cpu);
void lpmc_info_init(void);

#endif

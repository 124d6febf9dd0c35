/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmc.h - performance counters for programs: pmc(3), over Linux perf_event_open(2).
 *
 * The interface is FreeBSD's, with the same names, arguments, fields and errors, so that a program
 * written for FreeBSD compiles with it.  Functions that only this library has stand at the end,
 * under "Extensions".  The manual is pmc(3); it starts with the typical flow of a program.
 *
 * These rules hold for all functions, unless a comment says otherwise:
 *
 *   - 0 is success; -1 is failure, with errno set and a text in pmc_error_text().
 *   - They fail with ENXIO before pmc_init() has succeeded.
 *   - A handle belongs to the process that allocated it.  With a wrong handle, a process that owns
 *     no PMC gets ESRCH, and a process that owns others gets EINVAL.  A forked child owns no PMC.
 *   - They may be called from several threads at once.  Only pmc_release() of a handle must not
 *     overlap with other calls that use the same handle.
 *   - A failed call has changed nothing.
 *   - They fail with EFAULT if a pointer that they read or write through is NULL.  Exceptions: the
 *     old value of pmc_rw(), the words of the printing functions, and a buffer of size 0 may be
 *     NULL.
 */
#ifndef PMC_H
#define PMC_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PMC_NAME_MAX  64 /* bytes of a name, with its NUL */
#define PMC_CPUID_LEN 64
#define PMC_CLASS_MAX 8 /* classes of PMCs in struct pmc_cpuinfo */

/* The version that logs carry: major << 24 | minor << 16 | patch. */
#define PMC_VERSION_MAJOR 0x0A
#define PMC_VERSION_MINOR 0x00
#define PMC_VERSION_PATCH 0x0000
#define PMC_VERSION	  (PMC_VERSION_MAJOR << 24 | PMC_VERSION_MINOR << 16 | PMC_VERSION_PATCH)

/* pmc_start() of a PMC that needs a log and has none.  FreeBSD has this errno, Linux has not. */
#ifndef EDOOFUS
#define EDOOFUS EBADFD
#endif

/* Types of CPU.  A CPU whose counters are offered by the SBI is RISCV_SBI; any other is GENERIC. */
enum pmc_cputype {
	PMC_CPU_GENERIC = 0x400,
	PMC_CPU_RISCV_SBI = 0x700,
};
/* Programs for FreeBSD compare with this type; no CPU has it here. */
#define PMC_CPU_INTEL_PIV ((enum pmc_cputype)0x86)
#define PMC_CPU_FIRST	  PMC_CPU_GENERIC
#define PMC_CPU_LAST	  PMC_CPU_RISCV_SBI

/* Classes of PMCs: events that the kernel counts, and events of hardware and firmware. */
enum pmc_class {
	PMC_CLASS_SOFT = 0x0f,
	PMC_CLASS_RISCV_SBI = 0x20,
};
#define PMC_CLASS_FIRST PMC_CLASS_SOFT
#define PMC_CLASS_LAST	PMC_CLASS_RISCV_SBI

/*
 * Events.  Those of class RISCV_SBI are PMC_EV_RISCV_SBI_FIRST | event_idx (SBI 3.0 §11.1 to
 * §11.5).  The event_idx of every raw event is 0x20000; the numbers after it are raw events to
 * which this machine's device tree gives names (pmc(3)), and mean nothing elsewhere.
 * pmc_event_names_of_class() returns all names.
 */
enum pmc_event {
	PMC_EV_SOFT_CPU_CLOCK = 0x20000,
	PMC_EV_SOFT_TASK_CLOCK,
	PMC_EV_SOFT_PAGE_FAULTS,
	PMC_EV_SOFT_PAGE_FAULTS_MINOR,
	PMC_EV_SOFT_PAGE_FAULTS_MAJOR,
	PMC_EV_SOFT_CONTEXT_SWITCHES,
	PMC_EV_SOFT_CPU_MIGRATIONS,
	PMC_EV_RISCV_SBI_FIRST = 0x100000,
	PMC_EV_RISCV_SBI_LAST = 0x1fffff,
};

enum pmc_state {
	PMC_STATE_DISABLED,
	PMC_STATE_FREE,
	PMC_STATE_ALLOCATED,
	PMC_STATE_STOPPED,
	PMC_STATE_RUNNING,
	PMC_STATE_DELETED,
	PMC_STATE_MAX,
};
#define PMC_STATE_FIRST PMC_STATE_DISABLED
#define PMC_STATE_LAST	PMC_STATE_DELETED

/* System or process ("thread") scope, sampling or counting. */
enum pmc_mode {
	PMC_MODE_SS = 0,
	PMC_MODE_SC = 1,
	PMC_MODE_TS = 2,
	PMC_MODE_TC = 3,
};
#define PMC_MODE_FIRST PMC_MODE_SS
#define PMC_MODE_LAST  PMC_MODE_TC

#define PMC_IS_COUNTING_MODE(mode) ((mode) == PMC_MODE_SC || (mode) == PMC_MODE_TC)
#define PMC_IS_SAMPLING_MODE(mode) ((mode) == PMC_MODE_SS || (mode) == PMC_MODE_TS)
#define PMC_IS_SYSTEM_MODE(mode)   ((mode) == PMC_MODE_SS || (mode) == PMC_MODE_SC)
#define PMC_IS_VIRTUAL_MODE(mode)  ((mode) == PMC_MODE_TS || (mode) == PMC_MODE_TC)

enum pmc_disp {
	PMC_DISP_STANDALONE,
	PMC_DISP_FREE,
	PMC_DISP_THREAD,
	PMC_DISP_UNKNOWN,
};
#define PMC_DISP_FIRST PMC_DISP_STANDALONE
#define PMC_DISP_LAST  PMC_DISP_THREAD

enum pmc_caps {
	PMC_CAP_INTERRUPT = 1 << 0, /* can sample */
	PMC_CAP_USER = 1 << 1, /* can count user mode only */
	PMC_CAP_SYSTEM = 1 << 2, /* can count the kernel only */
	PMC_CAP_EDGE = 1 << 3,
	PMC_CAP_THRESHOLD = 1 << 4,
	PMC_CAP_READ = 1 << 5,
	PMC_CAP_WRITE = 1 << 6,
	PMC_CAP_INVERT = 1 << 7,
	PMC_CAP_QUALIFIER = 1 << 8,
	PMC_CAP_PRECISE = 1 << 9,
	PMC_CAP_TAGGING = 1 << 10,
	PMC_CAP_CASCADE = 1 << 11,
	PMC_CAP_SYSWIDE = 1 << 12, /* one CPU counts for all; no event of this library does */
	PMC_CAP_DOMWIDE = 1 << 13, /* one CPU counts for its NUMA node; likewise */
};
#define PMC_CAP_FIRST PMC_CAP_INTERRUPT
#define PMC_CAP_LAST  PMC_CAP_DOMWIDE

/* Flags of pmc_allocate() */
#define PMC_F_DESCENDANTS   0x00000002 /* descendants of targets, too; system scope: no effect */
#define PMC_F_LOG_PROCCSW   0x00000004 /* TC: a log entry for each context switch */
#define PMC_F_LOG_PROCEXIT  0x00000008 /* TC: a log entry when a target exits */
#define PMC_F_CALLCHAIN	    0x00000080 /* sampling: call chains, not only the pc */
#define PMC_F_USERCALLCHAIN 0x00000100 /* with CALLCHAIN: only the user part */

/*
 * An extension, for process scope: pmc_start() arms the PMC, and a target counts from its next
 * execve(2) on.  This excludes what a child does before it executes its program.
 */
#define PMC_F_ON_EXEC 0x10000000

/*
 * Extensions for sampling:
 *   RECORDS       samples go to the file of pmc_configure_records() instead of the log; the reload
 *                 count has no lower limit.  The other three flags need it.
 *   FREQUENCY     the count of pmc_allocate() and pmc_set() is samples per second; Linux adapts the
 *                 period to it.
 *   SAMPLES_ONLY  write no records of mappings, forks and thread names, because another PMC with
 *                 the same targets writes them.
 *   JITTER        vary the period between 3/4 and 5/4 of the count, so that sampling cannot stay in
 *                 step with a loop; each sample holds its period.  Not with FREQUENCY, and not for
 *                 events of class SOFT.
 */
#define PMC_F_JITTER	   0x08000000
#define PMC_F_RECORDS	   0x20000000
#define PMC_F_FREQUENCY	   0x40000000
#define PMC_F_SAMPLES_ONLY 0x80000000

#define PMC_CALLCHAIN_DEPTH_MAX 512
#define PMC_CC_F_USERSPACE	0x01

/* A handle: CPU (12 bits, all ones for process scope), mode (4), class (8), row (8). */
typedef uint32_t pmc_id_t;
typedef uint64_t pmc_value_t;

#define PMC_ID_INVALID	       (~(pmc_id_t)0)
#define PMC_CPU_ANY	       (~0)
#define PMC_ID_TO_ROWINDEX(id) ((id)&0xff)
#define PMC_ID_TO_CLASS(id)    (((id) >> 8) & 0xff)
#define PMC_ID_TO_MODE(id)     (((id) >> 16) & 0xf)
#define PMC_ID_TO_CPU(id)      (((id) >> 20) & 0xfff)
#define PMC_ID_MAKE_ID(cpu, mode, cls, row)                                                        \
	(((pmc_id_t)(cpu)&0xfff) << 20 | ((pmc_id_t)(mode)&0xf) << 16 |                            \
	 ((pmc_id_t)(cls)&0xff) << 8 | ((pmc_id_t)(row)&0xff))

/* Statistics of the library in this process. */
struct pmc_driverstats {
	unsigned int pm_intr_ignored; /* times that the kernel throttled a PMC */
	unsigned int pm_intr_processed; /* samples taken */
	unsigned int pm_intr_bufferfull; /* samples lost because a ring buffer was full */
	unsigned int pm_syscalls; /* perf_event_open(2) calls */
	unsigned int pm_syscall_errors; /* those that failed */
	unsigned int pm_buffer_requests; /* ring buffers requested */
	unsigned int pm_buffer_requests_failed; /* those that were refused */
	unsigned int pm_log_sweeps; /* passes over the ring buffers */
};

struct pmc_classinfo {
	enum pmc_class pm_class;
	uint32_t pm_caps; /* PMC_CAP_* that events of the class can have */
	uint32_t pm_width; /* width of a count in bits */
	uint32_t pm_num; /* rows per CPU: how many PMCs a process may own at once */
};

struct pmc_cpuinfo {
	enum pmc_cputype pm_cputype;
	uint32_t pm_ncpu; /* greatest CPU number + 1 */
	uint32_t pm_npmc; /* rows of all classes */
	uint32_t pm_nclass;
	struct pmc_classinfo pm_classes[PMC_CLASS_MAX];
};

struct pmc_info {
	char pm_name[PMC_NAME_MAX];
	enum pmc_class pm_class;
	int pm_enabled;
	enum pmc_disp pm_rowdisp;
	pid_t pm_ownerpid; /* this process, or -1: Linux does not show the PMCs of others */
	enum pmc_mode pm_mode;
	enum pmc_event pm_event;
	uint32_t pm_flags;
	pmc_value_t pm_reloadcount;
};

struct pmc_pmcinfo {
	int32_t pm_cpu;
	__extension__ struct pmc_info pm_pmcs[0]; /* pmc_npmc() rows */
};

/* What pmc_pmu_pmcallocate() fills in. */
struct pmc_op_pmcallocate {
	uint32_t pm_caps;
	uint32_t pm_cpu;
	enum pmc_class pm_class;
	enum pmc_event pm_ev;
	uint32_t pm_flags;
	enum pmc_mode pm_mode;
	pmc_id_t pm_pmcid;
	pmc_value_t pm_count;
};

/*
 * Prepares the library; repeated calls do nothing.  Fails with EOPNOTSUPP if the kernel has no
 * perf_event_open(2), or with ENOMEM.
 */
int pmc_init(void);

/*
 * Allocates a PMC for an event (pmc(3), EVENT SPECIFIERS).  cpu is a CPU number for system
 * scope, PMC_CPU_ANY for process scope.  count is the initial value of PMC_MODE_SC, the
 * reload count of a sampling PMC; PMC_MODE_TC ignores it and starts at 0, as on FreeBSD, whose
 * programs give -1 for both.  Checks that this machine really counts the event.
 *   EINVAL      mode, cpu or flags are wrong; the specifier is misspelled, or names an event that
 *               this machine does not count, or no counter is free for it now; no row is free
 *   ENXIO       the machine has no counters at all; the CPU is offline
 *   EOPNOTSUPP  the event can be counted, but not sampled, or not restricted to one mode
 *   EPERM       the caller may not count in system scope, or may not count the kernel
 */
int pmc_allocate(const char *eventspecifier, enum pmc_mode mode, uint32_t flags, int cpu,
		 pmc_id_t *pmcid, uint64_t count);

/* Stops the PMC, detaches it from its targets and frees it. */
int pmc_release(pmc_id_t pmcid);

/*
 * Attaches a stopped process-scope PMC to all threads of a process; pid 0 is the calling process.
 * Targets may overlap, for example a parent and its child with PMC_F_DESCENDANTS: each thread is
 * counted once.
 *   EBUSY   the PMC is running
 *   EEXIST  the process is a target already
 *   EINVAL  the PMC has system scope, or pid is negative
 *   EPERM   the process belongs to another user
 *   ESRCH   the process does not exist, or pid is the number of a thread
 */
int pmc_attach(pmc_id_t pmcid, pid_t pid);

/*
 * Removes a target; its count stays.  A target that has ended need not be detached.
 *   EINVAL  the PMC has system scope, or the process is not a target
 *   ESRCH   the process does not exist, or has ended
 */
int pmc_detach(pmc_id_t pmcid, pid_t pid);

/*
 * Starts counting.  A process-scope PMC without a target is attached to the calling process first.
 *   EDOOFUS  a sampling or logging PMC, and no log is configured.  A PMC that only samples its
 *            owner needs no log; its samples are lost without one.
 *   EBUSY    no counter is free for it
 *   ESRCH    all its targets have ended or were detached
 * A process that has a handler for SIGIO, or blocks it, gets one when the last target has ended.
 */
int pmc_start(pmc_id_t pmcid);

/* Stops counting; EINVAL if the PMC was never started. */
int pmc_stop(pmc_id_t pmcid);

/*
 * Reads, writes, or does both at once.  EBUSY: a write to a running PMC.  EINVAL: the PMC did not
 * have a counter all the time, so no true count exists.
 */
int pmc_read(pmc_id_t pmcid, pmc_value_t *value);
int pmc_write(pmc_id_t pmcid, pmc_value_t value);
int pmc_rw(pmc_id_t pmcid, pmc_value_t newvalue, pmc_value_t *oldvalue);

/*
 * Replaces the `count` of pmc_allocate() for a stopped PMC (EBUSY if it is running).  A reload
 * count below 1000 becomes 1000, for a clock below 10000 becomes 10000, and pmc_error_text() says
 * so.
 */
int pmc_set(pmc_id_t pmcid, pmc_value_t value);

/* Store the PMC_CAP_* of a PMC; store the width of its counts in bits. */
int pmc_capabilities(pmc_id_t pmcid, uint32_t *caps);
int pmc_width(pmc_id_t pmcid, uint32_t *width);

/* Describe the system; *info belongs to the library.  CPU numbers are 0 to pmc_ncpu() - 1. */
int pmc_cpuinfo(const struct pmc_cpuinfo **info);
int pmc_ncpu(void);
int pmc_npmc(int cpu);

/* Describes all rows of a CPU; the caller frees *info.  EINVAL: no such CPU; ENXIO: offline. */
int pmc_pmcinfo(int cpu, struct pmc_pmcinfo **info);

/* Linux has no administrative state of counters: EPERM if unprivileged, else EOPNOTSUPP. */
int pmc_enable(int cpu, int pmc);
int pmc_disable(int cpu, int pmc);

/* Checks the handle and fails with ENOSYS: Linux may move a running PMC to another counter. */
int pmc_get_msr(pmc_id_t pmcid, uint32_t *msr);

int pmc_get_driver_stats(struct pmc_driverstats *stats);

/*
 * The log of this process (pmclog(3)).  configure duplicates fd; -1 ends logging.
 *   configure  EBUSY a log exists; EINVAL fd is -1, and no log exists; EAGAIN the helper thread
 *              could not be started; EMFILE no descriptor is free; EBADF fd is not open for writing
 *   the others EINVAL no log exists; the errno of a write(2) that failed now or earlier
 */
int pmc_configure_logfile(int fd);
int pmc_flush_logfile(void);
int pmc_writelog(uint32_t userdata);
int pmc_close_logfile(void);

/* Names of numbers: constant strings, or NULL with EINVAL. */
const char *pmc_name_of_capability(enum pmc_caps cap);
const char *pmc_name_of_class(enum pmc_class cls);
const char *pmc_name_of_cputype(enum pmc_cputype type);
const char *pmc_name_of_disposition(enum pmc_disp disp);
const char *pmc_name_of_event(enum pmc_event event);
const char *pmc_name_of_mode(enum pmc_mode mode);
const char *pmc_name_of_state(enum pmc_state state);

/* Stores a list of all event names of a class.  The caller frees the list, but not the names. */
int pmc_event_names_of_class(enum pmc_class cls, const char ***names, int *nr);

/* Returns 1: events are selected by name. */
int pmc_pmu_enabled(void);

/* Print to stdout the events whose name contains the words; NULL or "" matches all events. */
void pmc_pmu_print_counters(const char *words);
void pmc_pmu_print_counter_desc(const char *event);
void pmc_pmu_print_counter_desc_long(const char *event);
void pmc_pmu_print_counter_full(const char *event);

/*
 * Returns a useful reload count for a first try: 65537.  For what is not an event it is 65536, by
 * which FreeBSD's pmc(8) knows that this machine has no such event.
 */
uint64_t pmc_pmu_sample_rate_get(const char *event);

/* Fills in op for the event of that name: 0 or an errno. */
int pmc_pmu_pmcallocate(const char *event, struct pmc_op_pmcallocate *op);

/*
 * Stores a constant list of six events that tell the most about a program: cycles, instructions,
 * branches, branch-misses, cache-references, cache-misses.  Returns 0 or an errno: EOPNOTSUPP if
 * this machine cannot count all of them at once, otherwise as pmc_allocate().
 */
int pmc_pmu_stat_mode(const char ***counters);

/*
 * Convert an event number (enum pmc_event), as logs have it, to a name of the list and back; NULL
 * or -1 if the list does not have the event.  cpuid is ignored: it is the list of this machine.
 */
const char *pmc_pmu_event_get_by_idx(const char *cpuid, int idx);
int pmc_pmu_idx_get_by_event(const char *cpuid, const char *event);

/*
 * Extensions, which FreeBSD does not have.
 */

/*
 * Explains the last failed call of this thread: what is wrong, and what to change.  It is one line
 * of printable ASCII without a newline; "?" replaces any other byte of a name that the caller
 * passed.  "" if no call has failed.  It stays valid until the next call of this thread that fails.
 */
const char *pmc_error_text(void);

/*
 * Like pmc_attach() and pmc_detach(), for one thread of any process; 0 is the calling thread.
 * Threads and processes that it creates are not counted.  Also EINVAL: the PMC has
 * PMC_F_DESCENDANTS; ESRCH: the thread does not exist.
 */
int pmc_attach_thread(pmc_id_t pmcid, pid_t tid);
int pmc_detach_thread(pmc_id_t pmcid, pid_t tid);

/*
 * Makes a group of 2 to 16 counting PMCs.  Either all of them have a counter or none has, and
 * pmc_read_group() reads them at one moment.  They must be stopped; must have no targets, if of
 * process scope; must have the same mode, CPU and flags; and all or none must be `multiplex`.
 * pmc_attach(), pmc_detach(), pmc_start(), pmc_stop() and the like of one PMC apply to the group.
 * pmc_release() of one ends the group: the others are stopped, keep their counts, and have no
 * targets.  If this fails, no group exists, and each PMC can be used by itself:
 *   EBUSY   the machine does not have enough free counters; or a PMC is running or has targets
 *   EEXIST  a PMC already belongs to a group
 *   EINVAL  the list is wrong; a PMC samples or logs, or differs from the first
 */
int pmc_group(const pmc_id_t *pmcids, int nr);

/*
 * Reads the group that a PMC belongs to, with one read(2) for each thread.  Stores up to max
 * values, in the order of pmc_group(), and the times of pmc_times() at the same moment; both times
 * may be NULL.  Returns the number of PMCs in the group, 1 without a group; or -1, as pmc_read()
 * does.
 */
int pmc_read_group(pmc_id_t pmcid, pmc_value_t *values, int max, uint64_t *enabled,
		   uint64_t *running);

/*
 * Stores two times in nanoseconds, summed over threads: enabled, during which the targets ran while
 * the PMC was started; and running, the part of it during which the PMC had a counter.  They differ
 * only with the qualifier `multiplex`: then pmc_read() returns count * enabled / running, an
 * estimate.
 */
int pmc_times(pmc_id_t pmcid, uint64_t *enabled, uint64_t *running);

/*
 * Returns the name of event n of the list, from 0 on; NULL after the last.  The names that this
 * machine's device tree gives to raw events stand after those that every machine has; without
 * memory for them it returns NULL, too, and sets errno to ENOMEM.
 */
const char *pmc_event_name(unsigned n);

/* Returns one line that tells what an event counts; NULL with EINVAL for an unknown name. */
const char *pmc_event_text(const char *event);

/*
 * Stores the other names of an event (those of Linux and FreeBSD), separated by spaces, like
 * snprintf().  Returns their length, 0 if there are none, or -1 with EINVAL for an unknown name.
 */
int pmc_event_aliases(const char *event, char *to, size_t size);

/*
 * Stores the number of the hardware counter that counts for a running PMC now (0 is cycle, 2 is
 * instret, SBI 3.0 §11).  Linux shows it only to a thread that reads its own counter in user space:
 * ENOSYS for every other PMC; EACCES if perf_user_access is 0; EBUSY if the PMC has no counter now.
 */
int pmc_counter(pmc_id_t pmcid, uint32_t *ctr);

/* Stores the width of that counter in bits, with the same errors.  Values of pmc_read() have 64. */
int pmc_counter_width(pmc_id_t pmcid, uint32_t *width);

/*
 * Takes the place of a log for PMCs with PMC_F_RECORDS. Writes the records of their ring buffers to
 * fd, from its current position on, in order of time.  These are the records of perf_event_open(2),
 * as in a perf.data, with PERF_SAMPLE_IDENTIFIER and times of CLOCK_MONOTONIC. Errors are those of
 * pmc_configure_logfile(); pmc_flush_logfile() flushes and pmc_close_logfile() closes the file.
 */
int pmc_configure_records(int fd);

/*
 * Stores the struct perf_event_attr of the PMC, or its first size bytes.  Returns the size of the
 * whole structure, or -1.
 */
int pmc_perf_attr(pmc_id_t pmcid, void *attr, size_t size);

/*
 * Stores up to max of the identifiers that records of this PMC carry, and returns how many exist:
 * one for each thread and CPU that the PMC has been attached to.  Or -1.
 */
int pmc_perf_ids(pmc_id_t pmcid, uint64_t *ids, int max);

#ifdef __cplusplus
}
#endif

#endif

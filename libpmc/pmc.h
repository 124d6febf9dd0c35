/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmc.h - performance counters for programs: pmc(3), over Linux perf_event_open(2).
 *
 * The interface is FreeBSD's, so that a program written for it compiles here: the same names,
 * arguments, fields and errors.  What only this library has stands at the end, under
 * "Extensions".  The manual is pmc(3); it starts with a typical program.
 *
 * What holds for all functions, unless said otherwise:
 *
 *   - 0 is success; -1 is failure, with errno set and a text in pmc_error_text().
 *   - They fail with ENXIO before pmc_init() has succeeded.
 *   - A handle belongs to the process that allocated it.  A process that owns no PMC gets ESRCH,
 *     one that owns others gets EINVAL.  A forked child owns nothing.
 *   - They may be called from several threads at once.  Only pmc_release() of a handle must not
 *     overlap with other calls that use the same handle.
 *   - A failed call has changed nothing.
 *   - They fail with EFAULT where a pointer that they read or write is NULL.  What may be NULL: the
 *     old value of pmc_rw(), the words of the printing functions, and a place of which 0 bytes or
 *     elements are asked for.
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

/* pmc_start() of a PMC that needs a log and has none; FreeBSD has an errno of its own for it. */
#ifndef EDOOFUS
#define EDOOFUS EBADFD
#endif

/* Kinds of CPU.  Any CPU whose counters the SBI offers is RISCV_SBI; any other is GENERIC. */
enum pmc_cputype {
	PMC_CPU_GENERIC = 0x400,
	PMC_CPU_RISCV_SBI = 0x700,
};
/* What programs for FreeBSD ask for; there is none here. */
#define PMC_CPU_INTEL_PIV ((enum pmc_cputype)0x86)
#define PMC_CPU_FIRST PMC_CPU_GENERIC
#define PMC_CPU_LAST  PMC_CPU_RISCV_SBI

/* Classes of PMCs: what the kernel counts, and what hardware and firmware count. */
enum pmc_class {
	PMC_CLASS_SOFT = 0x0f,
	PMC_CLASS_RISCV_SBI = 0x20,
};
#define PMC_CLASS_FIRST PMC_CLASS_SOFT
#define PMC_CLASS_LAST	PMC_CLASS_RISCV_SBI

/*
 * Events.  Those of class RISCV_SBI are PMC_EV_RISCV_SBI_FIRST | event_idx (SBI 3.0 §11.1 to
 * §11.5); pmc_event_names_of_class() has all names.
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
	PMC_CAP_USER = 1 << 1, /* can count user mode alone */
	PMC_CAP_SYSTEM = 1 << 2, /* can count the kernel alone */
	PMC_CAP_EDGE = 1 << 3,
	PMC_CAP_THRESHOLD = 1 << 4,
	PMC_CAP_READ = 1 << 5,
	PMC_CAP_WRITE = 1 << 6,
	PMC_CAP_INVERT = 1 << 7,
	PMC_CAP_QUALIFIER = 1 << 8,
	PMC_CAP_PRECISE = 1 << 9,
	PMC_CAP_TAGGING = 1 << 10,
	PMC_CAP_CASCADE = 1 << 11,
	PMC_CAP_SYSWIDE =
		1 << 12, /* one CPU counts for all: no event of Linux's that has a name here */
	PMC_CAP_DOMWIDE = 1 << 13, /* or for its NUMA node */
};
#define PMC_CAP_FIRST PMC_CAP_INTERRUPT
#define PMC_CAP_LAST  PMC_CAP_DOMWIDE

/* Flags of pmc_allocate() */
#define PMC_F_DESCENDANTS   0x00000002 /* children of targets, too; nothing in system scope */
#define PMC_F_LOG_PROCCSW   0x00000004 /* TC: a log entry for each context switch */
#define PMC_F_LOG_PROCEXIT  0x00000008 /* TC: a log entry when a target exits */
#define PMC_F_CALLCHAIN	    0x00000080 /* sampling: call chains, not only the pc */
#define PMC_F_USERCALLCHAIN 0x00000100 /* with CALLCHAIN: the user's part alone */

/*
 * An extension: process scope; pmc_start() arms the PMC, and a target counts from its next
 * execve(2) on, so that a child's way to the program that it is to run is not counted.
 */
#define PMC_F_ON_EXEC 0x10000000

/*
 * Extensions: sampling.  With RECORDS samples are not for a log but for pmc_configure_records(),
 * and a reload count is taken as it is, however small; with that FREQUENCY, the count of
 * pmc_allocate() and pmc_set() is samples a second, for which Linux adapts the period; and
 * SAMPLES_ONLY: other PMCs with the same targets record what these map, fork and are called; and
 * JITTER: the count varies from three to five quarters of what was asked for, so that it is in step
 * with no loop; each sample says its own.  Not with FREQUENCY, and not for events of the kernel's own.
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

/* What the library has done in this process. */
struct pmc_driverstats {
	unsigned int pm_intr_ignored; /* times that the kernel throttled a PMC */
	unsigned int pm_intr_processed; /* samples taken */
	unsigned int pm_intr_bufferfull; /* samples lost, the ring being full */
	unsigned int pm_syscalls; /* perf_event_open(2) calls */
	unsigned int pm_syscall_errors; /* those that failed */
	unsigned int pm_buffer_requests; /* rings asked for */
	unsigned int pm_buffer_requests_failed; /* and refused */
	unsigned int pm_log_sweeps; /* passes over the rings */
};

struct pmc_classinfo {
	enum pmc_class pm_class;
	uint32_t pm_caps; /* PMC_CAP_* that events of the class can have */
	uint32_t pm_width; /* bits of a count */
	uint32_t pm_num; /* rows: PMCs that a process may own at once, a CPU */
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
	pid_t pm_ownerpid; /* this process, or -1: Linux does not tell of others' */
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
 * Prepares the library; repeated calls do nothing.  Fails with EOPNOTSUPP where the kernel has
 * no perf_event_open(2), ENOMEM.
 */
int pmc_init(void);

/*
 * Allocates a PMC for an event (pmc(3), EVENT SPECIFIERS).  cpu is a CPU number for system
 * scope, PMC_CPU_ANY for process scope.  count is the initial value of a counting PMC, the
 * reload count of a sampling one.  Checks that the event really counts here.
 *   EINVAL      mode, cpu or flags; a specifier that is misspelled, or names an event that this
 *               machine does not count, or that has no counter free now; no row left
 *   ENXIO       the machine has no counters at all; the CPU is offline
 *   EOPNOTSUPP  the event counts but cannot be sampled, or not for one mode alone
 *   EPERM       no privilege for system scope, or for the kernel's part of the event
 */
int pmc_allocate(const char *eventspecifier, enum pmc_mode mode, uint32_t flags, int cpu,
		 pmc_id_t *pmcid, uint64_t count);

/* Stops the PMC, takes it from its targets and frees it. */
int pmc_release(pmc_id_t pmcid);

/*
 * Attaches a stopped PMC of process scope to all threads of a process; pid 0 is the caller's.  Targets
 * may overlap, as a parent and its child with PMC_F_DESCENDANTS do: each thread counts once.
 *   EBUSY running; EEXIST attached already; EINVAL system scope, or pid; EPERM; ESRCH no process, or
 *   the number of a thread
 */
int pmc_attach(pmc_id_t pmcid, pid_t pid);

/*
 * The reverse; what was counted stays.  EINVAL system scope, or not attached; ESRCH no process, or no
 * longer: what a target counted stays when it ends, too.
 */
int pmc_detach(pmc_id_t pmcid, pid_t pid);

/*
 * Starts counting; of process scope with no target, attaches to the caller's process first.
 *   EDOOFUS  a sampling or logging PMC, and no log is configured; a process that samples nobody but
 *            itself needs none, and then keeps no samples
 *   EBUSY    no counter is free for it
 *   ESRCH    all targets that it had have ended, or are detached
 * A process that has a handler for SIGIO, or blocks it, gets one when the last target has ended.
 */
int pmc_start(pmc_id_t pmcid);

/* Stops counting; EINVAL if it was never started. */
int pmc_stop(pmc_id_t pmcid);

/*
 * Reads, writes, or both at once.  EBUSY: a write to a PMC that runs.  EINVAL: it could not
 * always be on a counter, so that there is no true count.
 */
int pmc_read(pmc_id_t pmcid, pmc_value_t *value);
int pmc_write(pmc_id_t pmcid, pmc_value_t value);
int pmc_rw(pmc_id_t pmcid, pmc_value_t newvalue, pmc_value_t *oldvalue);

/*
 * Sets what `count` of pmc_allocate() set, of a PMC that does not run (else EBUSY).  A reload
 * count under 1000 becomes 1000, of a clock 10000, and pmc_error_text() says so.
 */
int pmc_set(pmc_id_t pmcid, pmc_value_t value);

/* PMC_CAP_* of a PMC; the bits of its counts. */
int pmc_capabilities(pmc_id_t pmcid, uint32_t *caps);
int pmc_width(pmc_id_t pmcid, uint32_t *width);

/* The system: *info belongs to the library.  CPUs are numbered 0 to pmc_ncpu() - 1. */
int pmc_cpuinfo(const struct pmc_cpuinfo **info);
int pmc_ncpu(void);
int pmc_npmc(int cpu);

/* All rows of a CPU; the caller frees *info.  EINVAL no such CPU, ENXIO offline. */
int pmc_pmcinfo(int cpu, struct pmc_pmcinfo **info);

/* Linux keeps no administrative state of counters: EPERM unprivileged, else EOPNOTSUPP. */
int pmc_enable(int cpu, int pmc);
int pmc_disable(int cpu, int pmc);

/* ENOSYS, after the handle was checked: which counter serves a PMC changes while it runs. */
int pmc_get_msr(pmc_id_t pmcid, uint32_t *msr);

int pmc_get_driver_stats(struct pmc_driverstats *stats);

/*
 * The log of this process (pmclog(3)).  configure duplicates fd; -1 ends logging.
 *   configure  EBUSY there is one; EINVAL fd -1, and there is none; EAGAIN no helper thread;
 *              EMFILE no descriptor is left; EBADF fd is not open for writing
 *   the others EINVAL no log; the errno of a write(2) that failed, then or before
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

/* All event names of a class, in a list that the caller frees; the names are constant. */
int pmc_event_names_of_class(enum pmc_class cls, const char ***names, int *nr);

/* Whether events go by name (yes). */
int pmc_pmu_enabled(void);

/* Print to stdout the events whose name contains the words; NULL or "" is all of them. */
void pmc_pmu_print_counters(const char *words);
void pmc_pmu_print_counter_desc(const char *event);
void pmc_pmu_print_counter_desc_long(const char *event);
void pmc_pmu_print_counter_full(const char *event);

/* A reload count to begin with; the event of a name, into op: 0 or an errno. */
uint64_t pmc_pmu_sample_rate_get(const char *event);
int pmc_pmu_pmcallocate(const char *event, struct pmc_op_pmcallocate *op);

/* Six events that tell the most of a program, in a list that is constant: 0 or an errno. */
int pmc_pmu_stat_mode(const char ***counters);

/* The list by number; cpuid is not looked at, as the list is that of every CPU.  NULL, -1: none. */
const char *pmc_pmu_event_get_by_idx(const char *cpuid, int idx);
int pmc_pmu_idx_get_by_event(const char *cpuid, const char *event);

/*
 * Extensions, which FreeBSD does not have.
 */

/*
 * What the last call of this thread that failed found, and what to change, in one line of printable
 * ASCII without a newline ("?" stands for any other byte of a name that was given); "" before.  It stays true until the thread's next failing call.
 */
const char *pmc_error_text(void);

/*
 * As pmc_attach() and pmc_detach(), of one thread, of whatever process: 0 is the calling one.  What it
 * creates is not counted.  EINVAL: with PMC_F_DESCENDANTS, too; ESRCH: no such thread.
 */
int pmc_attach_thread(pmc_id_t pmcid, pid_t tid);
int pmc_detach_thread(pmc_id_t pmcid, pid_t tid);

/*
 * Makes a group of 2 to 16 counting PMCs that do not run and, of process scope, have no targets: they
 * are on counters together or not at all, and are read at one moment.  They have one mode, CPU and
 * flags, and are all `multiplex` or none.  The first leads.  pmc_attach(), pmc_start(), pmc_stop() and
 * their like of one of them are of all; pmc_release() of one ends the group: the others are stopped,
 * keep what they counted, and have no targets.
 *   EBUSY   the machine has not so many counters that are free, or one runs or has targets; then
 *           there is no group, and each can be used by itself
 *   EEXIST  one is in a group; EINVAL the list, a PMC that samples or logs, or that differs
 */
int pmc_group(const pmc_id_t *pmcids, int nr);

/*
 * Reads a group that a PMC is in, with one look at each thread: stores up to max values, in the order
 * of pmc_group(), and returns how many there are; 1 without a group.  The times are pmc_times()'s, of
 * the same moment; NULL for none.  Or -1, as pmc_read().
 */
int pmc_read_group(pmc_id_t pmcid, pmc_value_t *values, int max, uint64_t *enabled,
		   uint64_t *running);

/*
 * For how long the targets ran while the PMC was started, and for how long of that it was on a
 * counter, in nanoseconds summed over threads.  They differ only with the qualifier
 * `multiplex`: then pmc_read() returns count * enabled / running, an estimate.
 */
int pmc_times(pmc_id_t pmcid, uint64_t *enabled, uint64_t *running);

/* One line about an event of the list: what it counts; NULL with EINVAL for an unknown name. */
const char *pmc_event_text(const char *event);

/*
 * The other names of an event of the list (Linux's, FreeBSD's), with a space between two, as
 * snprintf() stores them: returns their length, 0 if there are none, -1 with EINVAL for an unknown
 * name.
 */
int pmc_event_aliases(const char *event, char *to, size_t size);

/*
 * The number of the hardware counter (0 is cycle, 2 instret, SBI 3.0 §11) that serves a running PMC
 * now.  Linux shows it only to a thread that reads its own counter in user space: ENOSYS for
 * every other PMC; EBUSY if it is on no counter at the moment.
 */
int pmc_counter(pmc_id_t pmcid, uint32_t *ctr);

/* The bits that it has, under the same conditions; what pmc_read() returns has 64. */
int pmc_counter_width(pmc_id_t pmcid, uint32_t *width);

/*
 * In place of a log, for PMCs with PMC_F_RECORDS: fd gets what Linux writes into their rings, in the
 * order of its times, from the file's position on: records of perf_event_open(2) as a perf.data has
 * them, with PERF_SAMPLE_IDENTIFIER; times are CLOCK_MONOTONIC's.  Otherwise as
 * pmc_configure_logfile(), and pmc_flush_logfile() and pmc_close_logfile() are for it, too.
 */
int pmc_configure_records(int fd);

/*
 * What Linux was asked for: a struct perf_event_attr, of which as much as fits into size bytes is
 * stored.  Returns its whole size, or -1.
 */
int pmc_perf_attr(pmc_id_t pmcid, void *attr, size_t size);

/*
 * By which identifiers records of a PMC are known: stores up to max, and returns how many there
 * are: one for each thread and CPU that it has been attached to.  Or -1.
 */
int pmc_perf_ids(pmc_id_t pmcid, uint64_t *ids, int max);

#ifdef __cplusplus
}
#endif

#endif

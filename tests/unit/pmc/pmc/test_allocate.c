// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_allocate.c - pmc_allocate and pmc_release: every error of pmc_allocate(3), and its text.
 */
#include "fakekernel.h"

#include <errno.h>

#include <attach.h>
#include <state.h>

static pmc_id_t id;

static int allocate(const char *spec, enum pmc_mode mode, uint32_t flags, int cpu)
{
	tap_context("%s mode %d flags %x cpu %d", spec, mode, flags, cpu);
	errno = 0;
	return pmc_allocate(spec, mode, flags, cpu, &id, 100000);
}

static void fails(const char *spec, enum pmc_mode mode, uint32_t flags, int cpu, int error,
		  const char *says)
{
	int open = fake_nr_open();
	pmc_id_t before = id;

	is(allocate(spec, mode, flags, cpu), -1);
	is(errno, error);
	is(id, before);
	is(fake_nr_open(), open);
	ok(strstr(pmc_error_text(), says));
	if (!strstr(pmc_error_text(), says))
		printf("#   %s\n", pmc_error_text());
}

#define ANY PMC_CPU_ANY
#define TC  PMC_MODE_TC
#define TS  PMC_MODE_TS
#define SC  PMC_MODE_SC
#define SS  PMC_MODE_SS

/* FreeBSD's programs set this flag on all PMCs. */
static void descendants_of_a_cpu(void)
{
	fake_boot();
	is(allocate("cycles", SC, PMC_F_DESCENDANTS, 0), 0);
	is(allocate("cycles", SS, PMC_F_DESCENDANTS, 0), 0);
	is(pmc_configure_logfile(3), 0);
	is(pmc_start(id), 0);
}

#define no_fault(call)                                                                             \
	do {                                                                                       \
		errno = 0;                                                                         \
		is(call, -1);                                                                      \
		is(errno, EFAULT);                                                                 \
		ok(strstr(pmc_error_text(), "NULL"));                                              \
	} while (0)

static void no_pointers(void)
{
	void *log = pmclog_open(PMCLOG_FD_NONE);
	struct pmc_op_pmcallocate op;
	struct pmclog_ev ev;
	const char **names;
	uint64_t v;
	int nr;

	fake_boot();
	is(allocate("cycles", TC, 0, ANY), 0);
	is(pmc_start(id), 0);
	no_fault(pmc_allocate(NULL, TC, 0, ANY, &id, 0));
	no_fault(pmc_allocate("cycles", TC, 0, ANY, NULL, 0));
	no_fault(pmc_read(id, NULL));
	no_fault(pmc_times(id, NULL, &v));
	no_fault(pmc_times(id, &v, NULL));
	no_fault(pmc_capabilities(id, NULL));
	no_fault(pmc_width(id, NULL));
	no_fault(pmc_cpuinfo(NULL));
	no_fault(pmc_pmcinfo(0, NULL));
	no_fault(pmc_get_driver_stats(NULL));
	no_fault(pmc_counter(id, NULL));
	no_fault(pmc_counter_width(id, NULL));
	no_fault(pmc_event_names_of_class(PMC_CLASS_SOFT, NULL, &nr));
	no_fault(pmc_event_names_of_class(PMC_CLASS_SOFT, &names, NULL));
	no_fault(pmc_pmu_idx_get_by_event("", NULL));
	no_fault(pmc_event_aliases(NULL, NULL, 0));
	no_fault(pmc_event_aliases("cycles", NULL, 1));
	no_fault(pmc_perf_attr(id, NULL, 1));
	no_fault(pmc_perf_ids(id, NULL, 1));
	no_fault(pmclog_feed(log, NULL, 100));
	no_fault(pmclog_feed(NULL, (char[1]){ 0 }, 1));
	no_fault(pmclog_read(log, NULL));
	no_fault(pmclog_read(NULL, &ev));
	is(ev.pl_state, PMCLOG_ERROR);
	is(pmc_pmu_pmcallocate(NULL, &op), EFAULT);
	is(pmc_pmu_pmcallocate("cycles", NULL), EFAULT);
	ok(!pmc_event_text(NULL));
	is(errno, EFAULT);
	/* pointers that may be NULL */
	is(pmclog_feed(log, NULL, 0), 0);
	is(pmc_stop(id), 0);
	is(pmc_rw(id, 1, NULL), 0);
	ok(pmc_event_aliases("cycles", NULL, 0) > 0);
	ok(pmc_perf_attr(id, NULL, 0) > 0);
	is(pmc_perf_ids(id, NULL, 0), 2);
	pmclog_close(NULL);
	pmclog_close(log);
}

static void before_init(void)
{
	uint32_t u;
	uint64_t v;

	lpmc_reset(&fake_sys);
	fails("cycles", TC, 0, ANY, ENXIO, "pmc_init()");
	is(pmc_release(1), -1);
	is(errno, ENXIO);
	is(pmc_read(1, &v), -1);
	is(errno, ENXIO);
	is(pmc_width(1, &u), -1);
	is(errno, ENXIO);
	is(pmc_ncpu(), -1);
	is(errno, ENXIO);
	is(pmc_flush_logfile(), -1);
	is(errno, ENXIO);
	fake.no_perf = true;
	is(pmc_init(), -1);
	is(errno, EOPNOTSUPP);
	fake_boot();
	is(pmc_init(), 0);
}

static void modes_and_handles(void)
{
	fake_boot();
	is(allocate("cycles", TC, 0, ANY), 0);
	is(id, PMC_ID_MAKE_ID(ANY, TC, PMC_CLASS_RISCV_SBI, 16));
	is(PMC_ID_TO_CPU(id), 0xfff);
	is(PMC_ID_TO_MODE(id), TC);
	is(PMC_ID_TO_CLASS(id), PMC_CLASS_RISCV_SBI);
	is(fake_nr_open(), 0); /* no event is open before the attach */
	is(allocate("cycles", TS, 0, ANY), 0);
	is(PMC_ID_TO_ROWINDEX(id), 17);
	is(allocate("TASK_CLOCK", SC, 0, 1), 0);
	is(id, PMC_ID_MAKE_ID(1, SC, PMC_CLASS_SOFT, 0));
	is(fake_nr_open(), 1);
	is(fake_event(-1, 1)->attr.pinned, 1);
	is(allocate("instructions", SS, 0, 0), 0);
	is(fake_event(-1, 0)->attr.sample_period, 100000);
	is(fake_event(-1, 0)->attr.inherit, 0);
	is(pmc_release(id), 0);
	is(fake_nr_open(), 1);
}

static void invalid(void)
{
	fake_boot();
	fails("cycles", (enum pmc_mode)4, 0, ANY, EINVAL, "mode 4");
	fails("cycles", (enum pmc_mode) - 1, 0, ANY, EINVAL, "mode -1");
	fails("cycles", TC, 0, 0, EINVAL, "PMC_CPU_ANY");
	fails("cycles", TS, 0, 1, EINVAL, "PMC_CPU_ANY");
	fails("cycles", SC, 0, ANY, EINVAL, "CPU numbers are 0 to 1");
	fails("cycles", SS, 0, 2, EINVAL, "CPU numbers are 0 to 1");
	fails("cycles", TC, 0x10, ANY, EINVAL, "flags 0x10");
	fails("cycles", SC, PMC_F_LOG_PROCEXIT, 0, EINVAL, "process scope");
	fails("cycles", SS, PMC_F_LOG_PROCCSW, 0, EINVAL, "process scope");
	fails("cycles", TS, PMC_F_LOG_PROCEXIT, ANY, EINVAL, "counting");
	fails("cycles", TC, PMC_F_USERCALLCHAIN, ANY, EINVAL, "USERCALLCHAIN");
	fails("cycles", TS, PMC_F_USERCALLCHAIN, ANY, EINVAL, "USERCALLCHAIN");
	fails("cyclse", TC, 0, ANY, EINVAL, "did you mean cycles?");
	fails("cycles,nonsense", TC, 0, ANY, EINVAL, "unknown qualifier");
	/* flags that programs set on all PMCs are accepted */
	is(allocate("cycles", TC, PMC_F_CALLCHAIN, ANY), 0);
	is(allocate("cycles", TS, PMC_F_CALLCHAIN | PMC_F_USERCALLCHAIN, ANY), 0);
}

static void not_here(void)
{
	fake_boot();
	fails("branches", TC, 0, ANY, EINVAL, "maps no counter");
	fails("branches,usr", TC, 0, ANY, EINVAL, "maps no counter");
	fails("L1-dcache-load-misses", TC, 0, ANY, EINVAL, "maps no counter");
	fails("raw=6", TC, 0, ANY, EINVAL, "gets no counter");
	is(allocate("raw=5", TC, 0, ANY), 0);
	fake.mapped_fw = 1 << 5;
	is(allocate("FW_SET_TIMER", TC, 0, ANY), 0);
	fails("FW_IPI_SENT", TC, 0, ANY, EINVAL, "gets no counter");
	fails("FW_IPI_SENT", SC, 0, 1, EINVAL, "gets no counter");
	/* with multiplex it may get a counter later */
	is(allocate("FW_IPI_SENT,multiplex", TC, 0, ANY), 0);
}

static void no_hardware(void)
{
	fake_boot();
	fake.no_pmu = true;
	fails("cycles", TC, 0, ANY, ENXIO, "no hardware counters");
	fails("HW_CACHE_DTLB_READ_MISS", SC, 0, 0, ENXIO, "no hardware counters");
	is(allocate("page faults", TC, 0, ANY), 0);
	fake.no_pmu = false;
	fake.offline = 1;
	fails("cycles", SC, 0, 1, ENXIO, "CPU 1 is offline");
	fails("cycles", SS, 0, 1, ENXIO, "CPU 1 is offline");
	is(allocate("cycles", SC, 0, 0), 0);
}

static void not_supported(void)
{
	fake_boot();
	fails("FW_SET_TIMER", TS, 0, ANY, EOPNOTSUPP, "cannot be sampled");
	fails("FW_SET_TIMER,usr", TC, 0, ANY, EOPNOTSUPP, "leave out usr and os");
	is(allocate("FW_SET_TIMER,usr,os", TC, 0, ANY), 0);
	/* Linux would accept these, and count none or all of the events */
	fails("CONTEXT_SWITCHES,usr", TC, 0, ANY, EOPNOTSUPP, "never in user mode; leave out usr");
	fails("CPU_MIGRATIONS,usr", TS, 0, ANY, EOPNOTSUPP, "never in user mode; leave out usr");
	is(allocate("CONTEXT_SWITCHES,os", TC, 0, ANY), 0);
	fails("TASK_CLOCK,usr", TC, 0, ANY, EOPNOTSUPP, "counts the time of all modes");
	fails("CPU_CLOCK,os", SC, 0, 0, EOPNOTSUPP, "counts the time of all modes");
	is(allocate("CPU_CLOCK,usr", TS, 0, ANY), 0);
	is(allocate("PAGE_FAULTS,usr", TC, 0, ANY), 0);
	fake.no_sscofpmf = true;
	fails("cycles", TS, 0, ANY, EOPNOTSUPP, "Sscofpmf");
	fails("cycles", SS, 0, 0, EOPNOTSUPP, "Sscofpmf");
	fails("cycles,usr", TC, 0, ANY, EOPNOTSUPP, "user mode and the kernel separately");
	fails("cycles,os", SC, 0, 0, EOPNOTSUPP, "user mode and the kernel separately");
	is(allocate("cycles", TC, 0, ANY), 0);
	is(allocate("TASK_CLOCK", TS, 0, ANY), 0);
}

/* The error does not blame Sscofpmf. */
static void legacy(void)
{
	fake_boot();
	fake.legacy = true;
	fake.user_access = -1;
	is(allocate("cycles", TC, 0, ANY), 0);
	is(allocate("cycles", SC, 0, 0), 0);
	fails("branches", TC, 0, ANY, EINVAL, "which has no PMU extension");
	fails("raw=5", TC, 0, ANY, EINVAL, "which has no PMU extension");
	fails("FW_SET_TIMER", TC, 0, ANY, EINVAL, "which has no PMU extension");
	fails("cycles", TS, 0, ANY, EOPNOTSUPP, "cannot be sampled: Linux counts cycles");
	fails("cycles,usr", TC, 0, ANY, EOPNOTSUPP, "HW_CPU_CYCLES: Linux counts cycles");
}

static void permission(void)
{
	fake_boot();
	fake.paranoid = 3;
	fails("TASK_CLOCK", TC, 0, ANY, EPERM, "sysctl kernel.perf_event_paranoid=2");
	fails("TASK_CLOCK,usr", TC, 0, ANY, EPERM, "sysctl kernel.perf_event_paranoid=2");
	fails("cycles", TC, 0, ANY, EPERM, "perf_event_paranoid is 3");
	fails("cycles", TC, 0, ANY, EPERM, "counted, if that: add ,usr");
	fails("cycles,usr", TC, 0, ANY, EPERM, "sysctl kernel.perf_event_paranoid=2");
	fails("cycles", SC, 0, 0, EPERM, "system scope needs root");
	fake.paranoid = 2;
	fails("cycles", TC, 0, ANY, EPERM, "add ,usr");
	is(allocate("cycles,usr", TC, 0, ANY), 0);
	fails("cycles,usr", SC, 0, 0, EPERM, "system scope needs root");
	/* a clock reveals nothing about the kernel, but its samples do */
	is(allocate("TASK_CLOCK", TC, 0, ANY), 0);
	fails("TASK_CLOCK", TS, 0, ANY, EPERM, "add ,usr");
	/* no advice that leads to the next error */
	fails("CONTEXT_SWITCHES", TC, 0, ANY, EPERM, "counted: as root: sysctl");
	fails("FW_SET_TIMER", TC, 0, ANY, EPERM, "counted: as root: sysctl");
	fails("CONTEXT_SWITCHES,usr", TC, 0, ANY, EPERM, "counted: as root: sysctl");
	fake.no_sscofpmf = true;
	fails("cycles,usr", TC, 0, ANY, EOPNOTSUPP,
	      "Sscofpmf); to count all modes together, as root: sysctl");
	fake.no_sscofpmf = false;
	fake.paranoid = 1;
	is(allocate("cycles", TC, 0, ANY), 0);
	fails("cycles", SS, 0, 1, EPERM, "kernel.perf_event_paranoid=0 (it is 1)");
	fake.paranoid = 0;
	is(allocate("cycles", SC, 0, 0), 0);
}

static void exhaustion(void)
{
	pmc_id_t first[17];

	fake_boot();
	for (int i = 0; i < 16; i++) {
		is(allocate("TASK_CLOCK", TC, 0, ANY), 0);
		first[i] = id;
	}
	fails("TASK_CLOCK", TC, 0, ANY, EINVAL, "all 16 rows of class SOFT are in use");
	fails("TASK_CLOCK", SC, 0, 0, EINVAL, "all 16 rows");
	is(pmc_release(first[7]), 0);
	is(allocate("TASK_CLOCK", SC, 0, 0), 0);
	is(PMC_ID_TO_ROWINDEX(id), 7);
	is(allocate("TASK_CLOCK", SC, 0, 1), 0); /* another CPU has its own rows */
	is(PMC_ID_TO_ROWINDEX(id), 7);
	/* running PMCs take all counters, so that the probe gets none */
	for (int i = 0; i < fake.counters; i++) {
		is(allocate("cycles", SC, 0, 0), 0);
		is(pmc_start(id), 0);
	}
	fails("cycles", SC, 0, 0, EINVAL, "all its counters are in use");
	fake.fd_limit = fake_nr_open();
	fails("cycles", TC, 0, ANY, EMFILE, "ulimit -n");
}

static void release(void)
{
	fake_boot();
	is(pmc_release(123), -1);
	is(errno, ESRCH);
	is(allocate("cycles", TC, 0, ANY), 0);
	is(pmc_release(id + 1), -1);
	is(errno, EINVAL);
	is(pmc_start(id), 0);
	is(fake_nr_open(), 2);
	is(pmc_release(id), 0); /* while it runs */
	is(fake_nr_open(), 0);
	is(pmc_release(id), -1);
	is(errno, ESRCH);
}

static void counts(void)
{
	uint64_t value;

	fake_boot();
	is(pmc_allocate("cycles", TS, 0, ANY, &id, 0), 0);
	ok(strstr(pmc_error_text(), "a sample every 0 events would be too many: every 1000"));
	is(lpmc_find(id)->reload, 1000);
	is(pmc_allocate("cpu-clock", TS, 0, ANY, &id, 9999), 0);
	ok(strstr(pmc_error_text(), "a sample every 9999 events would be too many: every 10000"));
	is(lpmc_find(id)->reload, 10000);
	is(pmc_allocate("cycles", TS, 0, ANY, &id, 1ull << 63), -1);
	is(errno, EINVAL);
	/* Counting PMCs use it only in system scope, as on FreeBSD, whose programs pass -1. */
	is(pmc_allocate("cycles", SC, 0, 0, &id, 12345), 0);
	is(pmc_read(id, &value), 0);
	is(value, 12345);
	is(pmc_allocate("cycles", SC, 0, 1, &id, UINT64_MAX), 0);
	is(pmc_read(id, &value), 0);
	is(value, UINT64_MAX);
	is(pmc_allocate("cycles", TC, 0, ANY, &id, UINT64_MAX), 0);
	is(pmc_read(id, &value), 0);
	is(value, 0);
}

static void statistics(void)
{
	struct pmc_driverstats stats;

	fake_boot();
	is(allocate("cycles", TC, 0, ANY), 0);
	is(allocate("raw=9999", TC, 0, ANY), -1);
	is(pmc_get_driver_stats(&stats), 0);
	is(stats.pm_syscalls, 3); /* pmc_init() and two probes */
	is(stats.pm_syscall_errors, 0);
	fake.no_pmu = true;
	allocate("cycles", TC, 0, ANY);
	is(pmc_get_driver_stats(&stats), 0);
	is(stats.pm_syscalls, 5);
	is(stats.pm_syscall_errors, 2);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "ENXIO before pmc_init()", before_init },
		{ "the four modes, and the fields of a handle", modes_and_handles },
		{ "EINVAL: mode, cpu, flags, specifier", invalid },
		{ "PMC_F_DESCENDANTS does nothing in system scope", descendants_of_a_cpu },
		{ "EFAULT: pointers that are NULL", no_pointers },
		{ "EINVAL: this machine does not count it", not_here },
		{ "ENXIO: no counters, no CPU", no_hardware },
		{ "EOPNOTSUPP: no sampling, no filters", not_supported },
		{ "EINVAL, EOPNOTSUPP: firmware without the PMU extension", legacy },
		{ "EPERM: what perf_event_paranoid forbids", permission },
		{ "EINVAL: no row, no counter", exhaustion },
		{ "release", release },
		{ "initial values and reload counts", counts },
		{ "statistics", statistics },
	};

	int result = tap_run(cases, TAP_NR(cases));

	lpmc_reset(&fake_sys); /* checks for leaks */
	return result;
}

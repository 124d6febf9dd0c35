// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_names.c - names of numbers, lists of events, facts about the machine.
 */
#include <errno.h>
#include <stdlib.h>

#include "fakekernel.h"

#include <attach.h>

static void names(void)
{
	is_str(pmc_name_of_capability(PMC_CAP_INTERRUPT), "INTERRUPT");
	is_str(pmc_name_of_capability(PMC_CAP_CASCADE), "CASCADE");
	is_str(pmc_name_of_capability(PMC_CAP_DOMWIDE), "DOMWIDE");
	for (unsigned cap = PMC_CAP_FIRST; cap <= PMC_CAP_LAST; cap <<= 1)
		ok(pmc_name_of_capability((enum pmc_caps)cap));
	is_str(pmc_name_of_class(PMC_CLASS_SOFT), "SOFT");
	is_str(pmc_name_of_class(PMC_CLASS_RISCV_SBI), "RISCV_SBI");
	is_str(pmc_name_of_cputype(PMC_CPU_RISCV_SBI), "RISCV_SBI");
	is_str(pmc_name_of_disposition(PMC_DISP_THREAD), "THREAD");
	is_str(pmc_name_of_mode(PMC_MODE_SS), "SS");
	is_str(pmc_name_of_mode(PMC_MODE_TC), "TC");
	for (int state = PMC_STATE_FIRST; state <= PMC_STATE_LAST; state++)
		ok(pmc_name_of_state((enum pmc_state)state));
	is_str(pmc_name_of_event(PMC_EV_SOFT_TASK_CLOCK), "TASK_CLOCK");
	is_str(pmc_name_of_event((enum pmc_event)(PMC_EV_RISCV_SBI_FIRST | 2)), "HW_INSTRUCTIONS");
}

#define NO_NAME(call)                                                                              \
	do {                                                                                       \
		errno = 0;                                                                         \
		ok(!(call));                                                                       \
		is(errno, EINVAL);                                                                 \
	} while (0)

static void no_names(void)
{
	NO_NAME(pmc_name_of_capability((enum pmc_caps)0));
	NO_NAME(pmc_name_of_capability((enum pmc_caps)3));
	NO_NAME(pmc_name_of_class((enum pmc_class)0));
	NO_NAME(pmc_name_of_cputype((enum pmc_cputype)1));
	NO_NAME(pmc_name_of_disposition((enum pmc_disp)9));
	NO_NAME(pmc_name_of_mode((enum pmc_mode)4));
	NO_NAME(pmc_name_of_state(PMC_STATE_MAX));
	NO_NAME(pmc_name_of_event((enum pmc_event)0));
}

static void lists(void)
{
	const char **list;
	int nr;

	is(pmc_event_names_of_class(PMC_CLASS_RISCV_SBI, &list, &nr), 0);
	is(nr, 10 + 42 + 22);
	is_str(list[0], "HW_CPU_CYCLES");
	is_str(list[10], "HW_CACHE_L1D_READ_ACCESS");
	is_str(list[nr - 1], "FW_HFENCE_VVMA_ASID_RECEIVED");
	free(list);
	is(pmc_event_names_of_class(PMC_CLASS_SOFT, &list, &nr), 0);
	is(nr, 7);
	free(list);
	is(pmc_event_names_of_class((enum pmc_class)1, &list, &nr), -1);
	is(errno, EINVAL);
}

static void pmu(void)
{
	struct pmc_op_pmcallocate op = { .pm_caps = 0 };
	const char *name;

	ok(pmc_pmu_enabled());
	is(pmc_pmu_sample_rate_get("cycles"), 65537);
	/* by this number pmc(8) of FreeBSD recognizes an unknown event */
	is(pmc_pmu_sample_rate_get("no such event"), 65536);
	is(pmc_pmu_sample_rate_get(NULL), 65536);
	is(pmc_pmu_idx_get_by_event(NULL, "cycles"), PMC_EV_RISCV_SBI_FIRST | 1);
	is(pmc_pmu_idx_get_by_event(NULL, "page-faults"), PMC_EV_SOFT_PAGE_FAULTS);
	is(pmc_pmu_idx_get_by_event(NULL, "nonsense"), -1);
	is(pmc_pmu_idx_get_by_event(NULL, "raw=1"), -1);
	is_str(pmc_pmu_event_get_by_idx(NULL, PMC_EV_RISCV_SBI_FIRST | 2), "HW_INSTRUCTIONS");
	ok(!pmc_pmu_event_get_by_idx(NULL, -1) && !pmc_pmu_event_get_by_idx(NULL, 0));
	for (unsigned n = 0; (name = pmc_event_name(n)); n++)
		is_str(pmc_pmu_event_get_by_idx(NULL, pmc_pmu_idx_get_by_event(NULL, name)), name);
	is(pmc_pmu_pmcallocate("branches,usr", &op), 0);
	is(op.pm_class, PMC_CLASS_RISCV_SBI);
	is(op.pm_ev, PMC_EV_RISCV_SBI_FIRST | 5);
	is(op.pm_caps, PMC_CAP_READ | PMC_CAP_WRITE | PMC_CAP_USER | PMC_CAP_QUALIFIER);
	is(pmc_pmu_pmcallocate("nonsense", &op), EINVAL);
	is_str(pmc_event_text("instructions"), "completed instructions");
	ok(!pmc_event_text("nonsense"));
}

static void cpus(void)
{
	const struct pmc_cpuinfo *info;

	fake_boot();
	is(pmc_ncpu(), 2);
	is(pmc_npmc(0), 80);
	is(pmc_npmc(2), -1);
	is(errno, EINVAL);
	is(pmc_cpuinfo(&info), 0);
	is(info->pm_cputype, PMC_CPU_RISCV_SBI);
	is(info->pm_nclass, 2);
	is(info->pm_classes[0].pm_class, PMC_CLASS_SOFT);
	is(info->pm_classes[0].pm_num, 16);
	is(info->pm_classes[1].pm_num + info->pm_classes[0].pm_num, info->pm_npmc);
	is(info->pm_classes[1].pm_width, 64);
}

static void rows(void)
{
	struct pmc_pmcinfo *info;
	pmc_id_t thread, cpu1;
	int taken = 0;

	fake_boot();
	is(pmc_allocate("cycles", PMC_MODE_TC, PMC_F_DESCENDANTS, PMC_CPU_ANY, &thread, 0), 0);
	is(pmc_allocate("instructions", PMC_MODE_SS, 0, 1, &cpu1, 5000), 0);
	is(pmc_pmcinfo(1, &info), 0);
	is(info->pm_cpu, 1);
	for (int i = 0; i < 80; i++)
		taken += info->pm_pmcs[i].pm_rowdisp != PMC_DISP_FREE;
	is(taken, 2);
	is_str(info->pm_pmcs[16].pm_name, "RISCV_SBI-0");
	is(info->pm_pmcs[16].pm_rowdisp, PMC_DISP_THREAD);
	is(info->pm_pmcs[16].pm_ownerpid, FAKE_SELF);
	is(info->pm_pmcs[16].pm_flags, PMC_F_DESCENDANTS);
	is(info->pm_pmcs[17].pm_rowdisp, PMC_DISP_STANDALONE);
	is(info->pm_pmcs[17].pm_mode, PMC_MODE_SS);
	is(info->pm_pmcs[17].pm_reloadcount, 5000);
	is((uint64_t)info->pm_pmcs[18].pm_ownerpid, (uint64_t)-1);
	free(info);
	is(pmc_pmcinfo(0, &info), 0);
	is(info->pm_pmcs[17].pm_rowdisp, PMC_DISP_FREE);
	free(info);
	is(pmc_pmcinfo(2, &info), -1);
	is(errno, EINVAL);
	fake.offline = 1;
	is(pmc_pmcinfo(1, &info), -1);
	is(errno, ENXIO);
}

static void administration(void)
{
	uint32_t msr;
	pmc_id_t id;

	fake_boot();
	is(pmc_enable(0, 0), -1);
	is(errno, EOPNOTSUPP);
	is(pmc_disable(5, 0), -1);
	is(errno, EINVAL);
	is(pmc_disable(0, 80), -1);
	is(errno, EINVAL);
	fake.unprivileged = true;
	is(pmc_disable(0, 0), -1);
	is(errno, EPERM);
	is(pmc_get_msr(1, &msr), -1);
	is(errno, ESRCH);
	is(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), 0);
	is(pmc_get_msr(id, &msr), -1);
	is(errno, ENOSYS);
}

static void aliases_of(const char *event, const char *want)
{
	char text[80];

	tap_context("%s", event);
	is(pmc_event_aliases(event, text, sizeof(text)), strlen(want));
	is_str(text, want);
}

static void aliases(void)
{
	char text[8];

	aliases_of("HW_CPU_CYCLES", "cycles unhalted-cycles cpu-cycles");
	aliases_of("cycles,usr", "cycles unhalted-cycles cpu-cycles");
	aliases_of("HW_CACHE_L1D_READ_MISS", "dc-misses L1-dcache-load-misses");
	aliases_of("HW_CACHE_NODE_PREFETCH_MISS", "node-prefetch-misses");
	aliases_of("FW_SET_TIMER", "");
	aliases_of("TASK_CLOCK", "");
	aliases_of("PAGE_FAULTS_MAJOR", "major-faults");
	aliases_of("raw=0x11", "");
	is(pmc_event_aliases("HW_INSTRUCTIONS", text, sizeof(text)), 32);
	is_str(text, "instruc");
	is(pmc_event_aliases("HW_INSTRUCTIONS", NULL, 0), 32);
	is(pmc_event_aliases("nonesuch", text, sizeof(text)), -1);
	is(errno, EINVAL);
	is_str(text, "");
}

static void counters(void)
{
	uint32_t ctr = 99, width = 0;
	pmc_id_t id;

	fake_boot();
	is(pmc_counter(1, &ctr), -1);
	is(errno, ESRCH);
	is(pmc_counter_width(1, &width), -1);
	is(errno, ESRCH);
	is(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), 0);
	is(pmc_counter(id, &ctr), -1);
	is(errno, ENOSYS);
	is(pmc_start(id), 0);
	is(pmc_counter(id, &ctr), 0);
	is(ctr, 0);
	is(pmc_counter_width(id, &width), 0);
	is(width, 48);
	is(pmc_stop(id), 0);
	is(pmc_counter_width(id, &width), -1);
	is(errno, EBUSY);
	is(pmc_counter(id, &ctr), -1);
	is(errno, EBUSY);
	is(pmc_allocate("FW_SET_TIMER", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), 0);
	is(pmc_start(id), 0);
	is(pmc_counter(id, &ctr), -1);
	is(errno, ENOSYS);
	ok(strstr(pmc_error_text(), "FW_SET_TIMER: Linux shows"));
}

static void capabilities(void)
{
	uint32_t caps, width;
	pmc_id_t id, clock;

	fake_boot();
	is(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), 0);
	is(pmc_capabilities(id, &caps), 0);
	is(caps, PMC_CAP_READ | PMC_CAP_WRITE | PMC_CAP_USER | PMC_CAP_SYSTEM | PMC_CAP_QUALIFIER |
			 PMC_CAP_INTERRUPT);
	fake.no_sscofpmf = true;
	is(pmc_capabilities(id, &caps), 0);
	is(caps, PMC_CAP_READ | PMC_CAP_WRITE);
	is(pmc_allocate("CPU_CLOCK", PMC_MODE_TC, 0, PMC_CPU_ANY, &clock, 0), 0);
	is(pmc_capabilities(clock, &caps), 0);
	is(caps, PMC_CAP_READ | PMC_CAP_WRITE | PMC_CAP_INTERRUPT);
	is(pmc_width(id, &width), 0);
	is(width, 64);
	is(pmc_width(id + 1, &width), -1);
	is(errno, EINVAL);
	is(pmc_capabilities(id + 1, &caps), -1);
	is(errno, EINVAL);
}

/* FreeBSD's pmc stat allocates a PMC for each of six names: all of them count, or it gets none. */
static void stat_mode(void)
{
	const char **list = NULL;
	pmc_id_t id;

	fake_boot();
	is(pmc_pmu_stat_mode(&list), EOPNOTSUPP); /* there are no branches */
	ok(!list && strstr(pmc_error_text(), "HW_BRANCH_INSTRUCTIONS"));
	fake.general = 6;
	is(pmc_pmu_stat_mode(&list), 0);
	is(fake_nr_open(), 0);
	is_str(list[0], "cycles");
	is_str(list[5], "cache-misses");
	for (int i = 0; i < 6; i++)
		is(pmc_allocate(list[i], PMC_MODE_TC, PMC_F_DESCENDANTS, PMC_CPU_ANY, &id, 0), 0);
	list = NULL;
	fake.unmapped = PERF_COUNT_HW_BRANCH_MISSES; /* Linux opens it, but it never runs */
	is(pmc_pmu_stat_mode(&list), EOPNOTSUPP);
	ok(!list && strstr(pmc_error_text(), "HW_BRANCH_MISSES: gets no counter"));
	fake.unmapped = 0;
	fake.counters = 5; /* each counts, but not all at once */
	is(pmc_pmu_stat_mode(&list), EOPNOTSUPP);
	ok(!list && strstr(pmc_error_text(), "enough free counters"));
	fake.paranoid = 2;
	is(pmc_pmu_stat_mode(&list), EPERM);
	fake_end();
	is(pmc_pmu_stat_mode(&list), ENXIO);
	is(pmc_pmu_stat_mode(NULL), EFAULT);
	ok(!list);
}

/* Events that only the device tree names are in all lists, after the others. */
static void device_tree(void)
{
	const int five = PMC_EV_RISCV_SBI_FIRST + 0x20001;
	struct pmc_op_pmcallocate op;
	const char **list;
	pmc_id_t id;
	int nr;

	fake_boot();
	fake_event_names();
	is(pmc_allocate("cycles", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), 0);
	is(pmc_pmu_pmcallocate("raw=7", &op), 0);
	is(pmc_pmu_pmcallocate("raw=", &op), EINVAL);
	is(fake.tree_reads, 0); /* only when a name is unknown */
	is(pmc_allocate("Five,usr", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), 0);
	is(pmc_attach(id, FAKE_OTHER), 0);
	is(fake_event(FAKE_OTHER, -1)->attr.type, PERF_TYPE_RAW);
	is(fake_event(FAKE_OTHER, -1)->attr.config, 5);
	ok(fake_event(FAKE_OTHER, -1)->attr.exclude_kernel);
	is(pmc_allocate("six", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), -1);
	ok(strstr(pmc_error_text(), "six: gets no counter"));
	is(pmc_allocate("fvie", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), -1);
	ok(strstr(pmc_error_text(), "did you mean five?"));
	is_str(pmc_event_name(81), "five");
	is_str(pmc_event_name(82), "six");
	ok(!pmc_event_name(83));
	is_str(pmc_event_text("five"), "raw event 0x5 of this CPU");
	is(pmc_event_aliases("five", NULL, 0), 0);
	is(pmc_pmu_idx_get_by_event(NULL, "five"), five);
	is_str(pmc_pmu_event_get_by_idx(NULL, five + 1), "six");
	is_str(pmc_name_of_event((enum pmc_event)five), "five");
	NO_NAME(pmc_name_of_event((enum pmc_event)(five + 2)));
	is(pmc_pmu_pmcallocate("five", &op), 0);
	is(op.pm_class, PMC_CLASS_RISCV_SBI);
	is(op.pm_ev, five);
	is(pmc_pmu_sample_rate_get("five"), 65537);
	is(pmc_event_names_of_class(PMC_CLASS_RISCV_SBI, &list, &nr), 0);
	is(nr, 10 + 42 + 22 + 2);
	is_str(list[nr - 2], "five");
	free(list);
	is(fake.tree_reads, 2); /* once */
}

/* What cannot be read, or does not fit, is not there. */
static void no_device_tree(void)
{
	static char large[512 * 64 + 100];

	fake_boot();
	ok(!pmc_event_name(81) && !pmc_event_text("five"));
	fake_boot();
	fake_event_names();
	fake.event_selectors = NULL;
	ok(!pmc_event_name(81));
	fake_boot();
	fake_event_names();
	fake.event_names_size--;
	ok(!pmc_event_name(81));
	fake_boot();
	fake_event_names();
	memcpy(large, fake.event_names, fake.event_names_size);
	fake.event_names = large;
	fake.event_names_size = sizeof(large);
	ok(!pmc_event_name(81));
	fake_boot();
	fake_event_names();
	fake.event_names = large;
	ok(pmc_event_name(81));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "numbers have names", names },
		{ "other numbers have none", no_names },
		{ "lists of events by class", lists },
		{ "pmc_pmu_*", pmu },
		{ "pmc_pmu_stat_mode", stat_mode },
		{ "CPUs and classes", cpus },
		{ "rows and their owners", rows },
		{ "functions that Linux does not support", administration },
		{ "capabilities and width", capabilities },
		{ "other names of events", aliases },
		{ "the counter that a PMC has now", counters },
		{ "events that the device tree names", device_tree },
		{ "a device tree that names none", no_device_tree },
	};

	int result = tap_run(cases, TAP_NR(cases));

	lpmc_reset(&fake_sys); /* checks for leaks */
	return result;
}

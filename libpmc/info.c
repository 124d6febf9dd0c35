// SPDX-License-Identifier: BSD-2-Clause
/*
 * info.c - what there is: CPUs, classes, rows, and what a PMC can do.
 *
 * A row is a place for a PMC of this process, not a counter: Linux gives counters away by the
 * moment, and tells nobody which.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <csr.h>

#include "internal.h"

/* The greatest number of a list such as "0-3,8"; -1 if there is none. */
static int list_last(const char *text)
{
	int last = -1;

	while (*text) {
		char *end;
		long n = strtol(text, &end, 10);

		if (end == text)
			break;
		last = (int)n;
		text = end + (*end == '-' || *end == ',');
	}
	return last;
}

static bool list_has(const char *text, int cpu)
{
	while (*text) {
		char *end;
		long first = strtol(text, &end, 10), last = first;

		if (end == text)
			break;
		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		if (cpu >= first && cpu <= last)
			return true;
		text = end + (*end == ',');
	}
	return false;
}

/* Without CONFIG_HOTPLUG_CPU there is no list: all are. */
static bool cpu_is(const char *list, int cpu)
{
	char text[4096];

	return lpmc.sys->slurp(list, text, sizeof(text)) <= 0 || list_has(text, cpu);
}

bool lpmc_cpu_online(int cpu)
{
	return cpu_is("/sys/devices/system/cpu/online", cpu);
}

bool lpmc_cpu_present(int cpu)
{
	return cpu_is("/sys/devices/system/cpu/present", cpu);
}

/* RISC-V says so itself in its first words. */
static enum pmc_cputype cputype(void)
{
	char text[512];

	if (lpmc.sys->slurp("/proc/cpuinfo", text, sizeof(text)) > 0 && strstr(text, "isa\t"))
		return PMC_CPU_RISCV_SBI;
	return PMC_CPU_GENERIC;
}

void lpmc_info_init(void)
{
	struct pmc_cpuinfo *info = &lpmc.info;
	char text[256];
	int last = -1;

	if (lpmc.sys->slurp("/sys/devices/system/cpu/possible", text, sizeof(text)) > 0)
		last = list_last(text);
	if (last >= LPMC_CPUS_MAX)
		last = LPMC_CPUS_MAX - 1;
	*info = (struct pmc_cpuinfo){
		.pm_cputype = cputype(),
		.pm_ncpu = last < 0 ? 1 : (uint32_t)last + 1,
		.pm_npmc = LPMC_ROWS,
		.pm_nclass = 2,
		.pm_classes = {
			{ PMC_CLASS_SOFT,
			  PMC_CAP_INTERRUPT | PMC_CAP_USER | PMC_CAP_SYSTEM | PMC_CAP_READ |
				  PMC_CAP_WRITE | PMC_CAP_QUALIFIER,
			  64, LPMC_SOFT_ROWS },
			{ PMC_CLASS_RISCV_SBI,
			  PMC_CAP_INTERRUPT | PMC_CAP_USER | PMC_CAP_SYSTEM | PMC_CAP_READ |
				  PMC_CAP_WRITE | PMC_CAP_QUALIFIER,
			  64, LPMC_SBI_ROWS },
		},
	};
}

int pmc_cpuinfo(const struct pmc_cpuinfo **info)
{
	if (lpmc_null(info, "pmc_cpuinfo") < 0)
		return -1;
	if (lpmc_enter() < 0)
		return -1;
	*info = &lpmc.info; /* constant from pmc_init() on */
	lpmc_leave();
	return 0;
}

int pmc_ncpu(void)
{
	const struct pmc_cpuinfo *info = NULL;

	return pmc_cpuinfo(&info) < 0 ? -1 : (int)info->pm_ncpu;
}

static int cpu_exists(int cpu)
{
	if (cpu < 0 || cpu >= (int)lpmc.info.pm_ncpu)
		return lpmc_fail(EINVAL, "CPU %d: there are 0 to %u", cpu, lpmc.info.pm_ncpu - 1);
	return 0;
}

int lpmc_cpu_check(int cpu)
{
	if (cpu_exists(cpu) < 0)
		return -1;
	return lpmc_cpu_online(cpu) ? 0 : lpmc_fail(ENXIO, "CPU %d is offline", cpu);
}

int pmc_npmc(int cpu)
{
	const struct pmc_cpuinfo *info = NULL;

	if (pmc_cpuinfo(&info) < 0 || cpu_exists(cpu) < 0)
		return -1;
	return (int)info->pm_npmc;
}

static void row_describe(struct pmc_info *row, int i, int cpu)
{
	bool soft = i < LPMC_SOFT_ROWS;
	const struct lpmc *p;

	*row = (struct pmc_info){
		.pm_class = soft ? PMC_CLASS_SOFT : PMC_CLASS_RISCV_SBI,
		.pm_enabled = 1,
		.pm_rowdisp = PMC_DISP_FREE,
		.pm_ownerpid = -1,
	};
	snprintf(row->pm_name, sizeof(row->pm_name), "%s-%d", soft ? "SOFT" : "RISCV_SBI",
		 soft ? i : i - LPMC_SOFT_ROWS);
	for (p = lpmc.pmcs; p; p = p->next) {
		if ((int)PMC_ID_TO_ROWINDEX(p->id) != i || (p->cpu != cpu && p->cpu != PMC_CPU_ANY))
			continue;
		row->pm_rowdisp = PMC_IS_SYSTEM_MODE(p->mode) ? PMC_DISP_STANDALONE
							      : PMC_DISP_THREAD;
		row->pm_ownerpid = lpmc.sys->getpid();
		row->pm_mode = p->mode;
		row->pm_event = (enum pmc_event)p->spec.event.ev;
		row->pm_flags = p->flags;
		row->pm_reloadcount = p->reload;
	}
}

static int rows_describe(int cpu, struct pmc_pmcinfo **info)
{
	struct pmc_pmcinfo *all;

	if (lpmc_cpu_check(cpu) < 0)
		return -1;
	all = malloc(sizeof(*all) + LPMC_ROWS * sizeof(all->pm_pmcs[0]));
	if (!all)
		return lpmc_fail(ENOMEM, "out of memory");
	all->pm_cpu = cpu;
	for (int i = 0; i < LPMC_ROWS; i++)
		row_describe(&all->pm_pmcs[i], i, cpu);
	*info = all;
	return 0;
}

int pmc_pmcinfo(int cpu, struct pmc_pmcinfo **info)
{
	int result;

	if (lpmc_null(info, "pmc_pmcinfo") < 0)
		return -1;
	if (lpmc_enter() < 0)
		return -1;
	result = rows_describe(cpu, info);
	lpmc_leave();
	return result;
}

int pmc_capabilities(pmc_id_t id, uint32_t *caps)
{
	struct lpmc *p = lpmc_null(caps, "pmc_capabilities") < 0 ? NULL : lpmc_enter_pmc(id);

	if (!p)
		return -1;
	*caps = lpmc_probe_caps(p);
	lpmc_leave();
	return 0;
}

int pmc_width(pmc_id_t id, uint32_t *width)
{
	struct lpmc *p = lpmc_null(width, "pmc_width") < 0 ? NULL : lpmc_enter_pmc(id);

	if (!p)
		return -1;
	*width = 64; /* Linux extends every counter to 64 bits */
	lpmc_leave();
	return 0;
}

int pmc_get_msr(pmc_id_t id, uint32_t *msr)
{
	(void)msr;
	if (!lpmc_enter_pmc(id))
		return -1;
	lpmc_fail(ENOSYS,
		  "Linux moves events between counters while they run; pmc_read() reads the "
		  "one of the moment in user space");
	lpmc_leave();
	return -1;
}

/* Why no user page says on which counter a PMC is: the setting, the kernel, or what it counts. */
static void no_page(const struct lpmc *p)
{
	int allowed = lpmc_csr_setting ? lpmc_setting(lpmc_csr_setting, -1) : 1;

	if (allowed == 0)
		lpmc_fail(EACCES,
			  "%s: Linux does not tell on which counter it is, as %s is 0; write 1 "
			  "there, "
			  "as root, before the program starts",
			  p->spec.name, lpmc_csr_setting);
	else if (allowed < 0)
		lpmc_fail(
			ENOSYS,
			"%s: this kernel does not tell on which counter it is: it has no %s (Linux "
			"before 6.6, or no driver riscv-pmu-sbi)",
			p->spec.name, lpmc_csr_setting);
	else if (p->nr_pages == 0 && !p->own_page)
		lpmc_fail(ENOSYS,
			  "%s: Linux tells on which counter it is only a thread, or a process with "
			  "one, that counts itself, without flags",
			  p->spec.name);
	else
		lpmc_fail(EBUSY, "%s is on no counter at the moment", p->spec.name);
}

/* The user page of the counter that a PMC is on now, or NULL. */
static const struct perf_event_mmap_page *page_now(const struct lpmc *p)
{
	for (unsigned i = 0; i < p->nr_pages; i++) {
		if (p->pages[i]->index)
			return p->pages[i];
	}
	if (p->own_page && p->own_page->index)
		return p->own_page;
	no_page(p);
	return NULL;
}

/* The counter that id is on, and its width in bits; NULL where it is not asked for. */
static int counter_now(pmc_id_t id, uint32_t *ctr, uint32_t *width)
{
	const struct lpmc *p = lpmc_enter_pmc(id);
	const struct perf_event_mmap_page *page;

	if (!p)
		return -1;
	page = page_now(p);
	if (page && ctr)
		*ctr = page->index - 1;
	if (page && width)
		*width = page->pmc_width;
	lpmc_leave();
	return page ? 0 : -1;
}

int pmc_counter(pmc_id_t id, uint32_t *ctr)
{
	if (lpmc_null(ctr, "pmc_counter") < 0)
		return -1;
	return counter_now(id, ctr, NULL);
}

int pmc_counter_width(pmc_id_t id, uint32_t *width)
{
	if (lpmc_null(width, "pmc_counter_width") < 0)
		return -1;
	return counter_now(id, NULL, width);
}

static int administer(int cpu, int pmc)
{
	bool root;

	if (lpmc_enter() < 0)
		return -1;
	root = lpmc.sys->privileged();
	lpmc_leave();
	if (cpu_exists(cpu) < 0)
		return -1;
	if (pmc < 0 || pmc >= LPMC_ROWS)
		return lpmc_fail(EINVAL, "row %d: there are 0 to %d", pmc, LPMC_ROWS - 1);
	if (!root)
		return lpmc_fail(EPERM, "only root may enable and disable counters");
	return lpmc_fail(EOPNOTSUPP, "Linux has no administrative state of counters");
}

int pmc_enable(int cpu, int pmc)
{
	return administer(cpu, pmc);
}

int pmc_disable(int cpu, int pmc)
{
	return administer(cpu, pmc);
}

int pmc_get_driver_stats(struct pmc_driverstats *stats)
{
	if (lpmc_null(stats, "pmc_get_driver_stats") < 0)
		return -1;
	if (lpmc_enter() < 0)
		return -1;
	*stats = lpmc.stats;
	lpmc_leave();
	return 0;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * info.c - facts about the machine (CPUs, classes, rows), and what a PMC can do.
 *
 * A row is a place for a PMC of this process, not a hardware counter: Linux assigns events to
 * counters, and may move them at any time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <csr.h>

#include "attach.h"
#include "cpu.h"
#include "error.h"
#include "perf.h"

/* Only on RISC-V the first lines of /proc/cpuinfo contain "isa". */
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

	*info = (struct pmc_cpuinfo){
		.pm_cputype = cputype(),
		.pm_ncpu = (uint32_t)lpmc_cpu_count(),
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

int pmc_npmc(int cpu)
{
	const struct pmc_cpuinfo *info = NULL;

	if (pmc_cpuinfo(&info) < 0 || lpmc_cpu_exists(cpu) < 0)
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
	lpmc_fail(ENOSYS, "Linux moves events between counters while they run, so no "
			  "register belongs to a PMC; use pmc_read()");
	lpmc_leave();
	return -1;
}

/* Sets the error of a PMC that no user page shows on a counter, with the reason. */
static void no_page(const struct lpmc *p)
{
	int allowed = lpmc_csr_setting ? lpmc_setting(lpmc_csr_setting, -1) : 1;

	if (allowed == 0)
		lpmc_fail(EACCES,
			  "%s: Linux does not show its counter, because %s is 0; write 1 "
			  "there, as root, before the program starts",
			  p->spec.name, lpmc_csr_setting);
	else if (allowed < 0)
		lpmc_fail(ENOSYS,
			  "%s: this kernel does not show its counter: it has no %s (Linux "
			  "before 6.6, or no driver riscv-pmu-sbi)",
			  p->spec.name, lpmc_csr_setting);
	else if (p->pages.nr == 0 && !p->own_page)
		lpmc_fail(ENOSYS,
			  "%s: Linux shows the counter only to a thread, or a process with "
			  "one thread, that counts itself without flags",
			  p->spec.name);
	else
		lpmc_fail(EBUSY, "%s has no counter at the moment", p->spec.name);
}

/* The user page that shows the counter that a PMC is on now; or NULL with errno and the text. */
static const struct perf_event_mmap_page *page_now(const struct lpmc *p)
{
	for (unsigned i = 0; i < p->pages.nr; i++) {
		if (p->pages.at[i]->index)
			return p->pages.at[i];
	}
	if (p->own_page && p->own_page->index)
		return p->own_page;
	no_page(p);
	return NULL;
}

/* The counter that a PMC is on, and its width in bits.  Either pointer may be NULL. */
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
	if (lpmc_cpu_exists(cpu) < 0)
		return -1;
	if (pmc < 0 || pmc >= LPMC_ROWS)
		return lpmc_fail(EINVAL, "row %d does not exist: row numbers are 0 to %d", pmc,
				 LPMC_ROWS - 1);
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

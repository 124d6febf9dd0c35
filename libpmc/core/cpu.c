// SPDX-License-Identifier: BSD-2-Clause
/*
 * cpu.c - which CPUs exist, are present and are online, from /sys.
 */
#include "cpu.h"
#include "error.h"
#include "number.h"
#include "state.h"

#define CPU_LIST "/sys/devices/system/cpu/"

int lpmc_cpu_count(void)
{
	uint64_t first, last = 0;
	char text[256];
	const char *at = text;

	if (lpmc.sys->slurp(CPU_LIST "possible", text, sizeof(text)) <= 0)
		return 1;
	while (number_range(&at, INT32_MAX, &first, &last) && *at)
		;
	return last < LPMC_CPUS_MAX ? (int)last + 1 : LPMC_CPUS_MAX;
}

static bool list_has(const char *text, int cpu)
{
	uint64_t first, last;

	while (*text && number_range(&text, INT32_MAX, &first, &last)) {
		if (cpu >= (int)first && cpu <= (int)last)
			return true;
	}
	return false;
}

/* A kernel without CONFIG_HOTPLUG_CPU has no such list; then every CPU is present and online. */
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

int lpmc_cpu_exists(int cpu)
{
	if (cpu < 0 || cpu >= (int)lpmc.info.pm_ncpu)
		return lpmc_fail(EINVAL, "CPU %d does not exist: CPU numbers are 0 to %u", cpu,
				 lpmc.info.pm_ncpu - 1);
	return 0;
}

int lpmc_cpu_check(int cpu)
{
	if (lpmc_cpu_exists(cpu) < 0)
		return -1;
	return lpmc_cpu_online(cpu) ? 0 : lpmc_fail(ENXIO, "CPU %d is offline", cpu);
}

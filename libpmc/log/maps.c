// SPDX-License-Identifier: BSD-2-Clause
/*
 * maps.c - logs the files that processes had mapped before a sampling PMC started, as MAP_IN
 * entries.  The kernel's records only tell what is mapped later.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drain.h"
#include "entry.h"
#include "log.h"
#include "number.h"
#include "process.h"
#include "procmap.h"

static void map_in(pid_t pid, uint64_t start, const char *path)
{
	struct pmclog_map_in m = { .pl_pid = (uint32_t)pid, .pl_start = start };

	lpmc_log_put(PMCLOG_TYPE_MAP_IN, lpmc.sys->now(CLOCK_MONOTONIC), &m.pl_h,
		     offsetof(struct pmclog_map_in, pl_pathname), path);
}

/* Other names are [vdso], [stack], anon_inode:..., and //anon or //toolong in records. */
bool lpmc_is_file(const char *name)
{
	return name[0] == '/' && name[1] != '/';
}

static void maps_line(pid_t pid, const char *line)
{
	struct procmap m;

	if (procmap_read(line, &m) && m.perms[2] == 'x' && lpmc_is_file(m.name))
		map_in(pid, m.start - m.offset, m.name);
}

static void maps_of(pid_t pid)
{
	char path[32], *text, *save, *line;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	text = lpmc_slurp(path);
	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		maps_line(pid, line);
	free(text);
}

/*
 * Logs the kernel at the address of its first symbol, unless Linux hides addresses.  The name is
 * FreeBSD's: its pmcstat -k takes the folder in which a file of this name is.
 */
static void kernel_map(void)
{
	char text[4096];
	const char *at = text;
	uint64_t start;

	if (lpmc.sys->slurp("/proc/kallsyms", text, sizeof(text)) > 0 &&
	    number_read(&at, NUMBER_HEX, UINT64_MAX, &start) && start)
		map_in(-1, start, "kernel");
}

static void maps_of_all(void)
{
	int nr, *pids = lpmc_process_list("/proc", &nr);

	for (int i = 0; pids && i < nr; i++)
		maps_of(pids[i]);
	free(pids);
}

void lpmc_maps_log(pid_t pid)
{
	kernel_map();
	if (pid >= 0)
		maps_of(pid);
	else
		maps_of_all();
}

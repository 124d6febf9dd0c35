// SPDX-License-Identifier: BSD-2-Clause
/*
 * maps.c - logs the files that processes had mapped before a sampling PMC started, as MAP_IN
 * entries.  The kernel's records only tell what is mapped later.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drain.h"
#include "entry.h"
#include "log.h"
#include "process.h"

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

/* Parses a line of /proc/PID/maps: start-end perms offset dev inode path */
static void maps_line(pid_t pid, char *line)
{
	uint64_t start, offset;
	char perms[5];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%*x %4s %" SCNx64 " %*s %*s %n", &start, perms, &offset,
		   &at) == 3 &&
	    at && perms[2] == 'x' && lpmc_is_file(line + at))
		map_in(pid, start - offset, line + at);
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
	uint64_t start;

	if (lpmc.sys->slurp("/proc/kallsyms", text, sizeof(text)) > 0 &&
	    sscanf(text, "%" SCNx64, &start) == 1 && start)
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

// SPDX-License-Identifier: BSD-2-Clause
/*
 * fakeproc.c - fakeproc.h: the processes are those of fakekernel.h.
 */
#include "fakeproc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fakekernel.h"

bool fake_is_own_thread(pid_t tid)
{
	return tid >= FAKE_THREAD && tid < FAKE_THREAD + 9;
}

/* The text of /proc/ID/status, of a process or a thread. */
static int status_text(const char *path, char *buf, size_t size)
{
	static const struct {
		pid_t tid, pid, parent;
	} known[] = { { 1, 1, 0 },
		      { FAKE_OTHER, FAKE_OTHER, 1 },
		      { FAKE_OTHER + 1, FAKE_OTHER, 1 },
		      { FAKE_CHILD, FAKE_CHILD, FAKE_OTHER },
		      { FAKE_LATER, FAKE_LATER, FAKE_CHILD },
		      { FAKE_SELF, FAKE_SELF, 1 } };
	pid_t tid = atoi(path + 6), first = fake_is_own_thread(tid) ? FAKE_SELF : tid;

	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].tid == first && !(tid == FAKE_LATER && !fake.forked) &&
		    !(known[i].pid == FAKE_OTHER && fake.gone))
			return snprintf(buf, size, "Name:\tit\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\n",
					known[i].pid, tid, known[i].parent);
	}
	return fake_fails(ENOENT);
}

/* A property of the device tree. */
static ssize_t bytes(const char *from, size_t from_size, char *buf, size_t size)
{
	size_t n = from_size < size ? from_size : size - 1;

	fake.tree_reads++;
	if (!from)
		return fake_fails(ENOENT);
	memcpy(buf, from, n);
	buf[n] = '\0';
	return (ssize_t)n;
}

#define PMU_NODE "/sys/firmware/devicetree/base/pmu/"

ssize_t fake_slurp(const char *path, char *buf, size_t size)
{
	size_t len = strlen(path);
	int n;

	if (fake.no_proc && strncmp(path, "/proc/", 6) == 0)
		return fake_fails(ENOENT);
	if (strncmp(path, "/proc/", 6) == 0 && len > 7 && strcmp(path + len - 7, "/status") == 0)
		return status_text(path, buf, size);
	if (strcmp(path, PMU_NODE "holter,event-names") == 0)
		return bytes(fake.event_names, fake.event_names_size, buf, size);
	if (strcmp(path, PMU_NODE "holter,event-selectors") == 0)
		return bytes(fake.event_selectors, fake.event_selectors_size, buf, size);

	if (strcmp(path, "/proc/sys/kernel/perf_event_paranoid") == 0)
		n = snprintf(buf, size, "%d\n", fake.paranoid);
	else if (strcmp(path, "/proc/sys/kernel/perf_user_access") == 0 && fake.user_access >= 0)
		n = snprintf(buf, size, "%d\n", fake.user_access);
	else if (strcmp(path, "/proc/sys/kernel/perf_event_max_sample_rate") == 0)
		n = snprintf(buf, size, "%d\n", FAKE_MAX_RATE);
	else if (strcmp(path, "/sys/devices/system/cpu/possible") == 0 ||
		 strcmp(path, "/sys/devices/system/cpu/present") == 0)
		n = snprintf(buf, size, "0-%d\n", fake.ncpu - 1);
	else if (strcmp(path, "/sys/devices/system/cpu/online") == 0)
		n = fake.offline < 0 ? snprintf(buf, size, "0-%d\n", fake.ncpu - 1)
				     : snprintf(buf, size, "0-%d\n", fake.offline - 1);
	else if (strcmp(path, "/proc/cpuinfo") == 0)
		n = snprintf(buf, size, "processor\t: 0\nhart\t\t: 0\nisa\t\t: rv64imafdc\n");
	else if (strcmp(path, "/proc/77/task/77/children") == 0)
		n = fake.children ? snprintf(buf, size, "%s", fake.children)
				  : snprintf(buf, size, "%d ", FAKE_CHILD);
	else if (strcmp(path, "/proc/80/task/80/children") == 0 && fake.forked)
		n = snprintf(buf, size, "%d ", FAKE_LATER);
	else if (strcmp(path, "/proc/1/task/1/children") == 0)
		n = snprintf(buf, size, "%d %d ", FAKE_OTHER, FAKE_SELF);
	else if (strcmp(path, "/proc/78/stat") == 0 || strcmp(path, "/proc/81/stat") == 0)
		n = snprintf(buf, size, "%.*s (it) S 1", 2, path + 6);
	else if (strcmp(path, "/proc/77/task/77/stat") == 0 ||
		 strcmp(path, "/proc/77/task/78/stat") == 0)
		n = fake.zombie ? fake_fails(ENOENT)
				: snprintf(buf, size, "%.2s (%s) S 1 1 1 0 -1 4194304 1", path + 14,
					   path[15] == '7' ? "other" : "it (x) y");
	else if (strcmp(path, "/proc/2/task/2/stat") == 0)
		n = snprintf(buf, size, "2 (kworker/u4:0-events) S 0 0 0 0 -1 2129984 0");
	else if (strncmp(path, "/proc/4242/task/", 16) == 0 && strcmp(path + len - 5, "/stat") == 0)
		n = snprintf(buf, size, "%d (mine) S 1", atoi(path + 16));
	else if (fake_is_own_thread(atoi(path + (len > 6 ? 6 : 0))) &&
		 strcmp(path + len - 5, "/stat") == 0)
		n = snprintf(buf, size, "%d (mine) S 1", atoi(path + 6));
	else if (strcmp(path, "/proc/77/stat") == 0 && !fake.gone)
		n = snprintf(buf, size, "77 (other) %c 1", fake.zombie ? 'Z' : 'S');
	else if (strcmp(path, "/proc/80/stat") == 0 || strcmp(path, "/proc/4242/stat") == 0)
		n = snprintf(buf, size, "%.*s (mine) S 1", 2, path + 6);
	else if (fake.any_process && !strncmp(path, "/proc/", 6) &&
		 strcmp(path + len - 5, "/stat") == 0)
		n = snprintf(buf, size, "%d (any) S 1", atoi(path + 6));
	else if (strcmp(path, "/proc/77/maps") == 0)
		n = snprintf(buf, size, "%s", fake.maps);
	else if (strcmp(path, "/proc/kallsyms") == 0)
		n = snprintf(buf, size, "ffffffff80000000 T _start\n");
	else
		return fake_fails(ENOENT);
	if (n < 0)
		return n;
	return n < (int)size ? n : (int)size - 1;
}

int fake_readlink(const char *path, char *buf, size_t size)
{
	bool there = strcmp(path, "/proc/77/exe") == 0 && !fake.set_id;

	snprintf(buf, size, "%s", there ? "/bin/other" : "");
	return there ? 0 : fake_fails(fake.set_id ? EACCES : ENOENT);
}

int fake_numbers(const char *path, int *list, int max)
{
	if (fake.no_proc && strncmp(path, "/proc", 5) == 0)
		return fake_fails(ENOENT);
	if (strcmp(path, "/proc/4242/task") == 0 || strcmp(path, "/proc/self/task") == 0) {
		if (max > 0)
			list[0] = FAKE_SELF;
		return 1;
	}
	if (strcmp(path, "/proc") == 0) {
		if (max > 1) {
			list[0] = FAKE_KERNEL;
			list[1] = FAKE_OTHER;
		}
		return 2;
	}
	if (strcmp(path, "/proc/2/task") == 0) {
		if (max > 0)
			list[0] = FAKE_KERNEL;
		return 1;
	}
	if (strcmp(path, "/sys/bus/platform/drivers/riscv-pmu-legacy") == 0)
		return fake.legacy ? 0 : fake_fails(ENOENT);
	if (strcmp(path, "/proc/77/task") == 0 && !fake.gone) {
		if (max > 0)
			list[0] = FAKE_OTHER;
		if (max > 1 && !fake.zombie)
			list[1] = FAKE_OTHER + 1;
		return fake.zombie ? 1 : 2;
	}
	if (strcmp(path, "/proc/81/task") == 0 && fake.forked) {
		if (max > 0)
			list[0] = FAKE_LATER;
		return 1;
	}
	if (strcmp(path, "/proc/80/task") == 0 || strcmp(path, "/proc/1/task") == 0) {
		if (max > 0)
			list[0] = path[6] == '8' ? FAKE_CHILD : 1;
		return 1;
	}
	if (fake.any_process) {
		if (max > 0)
			list[0] = atoi(path + 6);
		return 1;
	}
	/* Its only thread ends before an event is opened. */
	if (strcmp(path, "/proc/99/task") == 0) {
		if (max > 0)
			list[0] = 99;
		return 1;
	}
	return fake_fails(ENOENT);
}

bool fake_is_process(pid_t pid)
{
	char path[32], text[200], *at;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	return status_text(path, text, sizeof(text)) > 0 && (at = strstr(text, "Tgid:")) &&
	       atoi(at + 5) == pid;
}

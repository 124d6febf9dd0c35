// SPDX-License-Identifier: BSD-2-Clause
/*
 * open.c - calls perf_event_open(2) and explains its errors.
 *
 * The kernel's errno says little.  For example, Debian's perf_event_paranoid of 3 hides every other
 * reason behind EACCES.  The library reads the kernel's settings only after a call has failed.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "number.h"
#include "perf.h"

int lpmc_open_raw(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	int fd = lpmc.sys->perf_open(attr, pid, cpu, group);

	lpmc.stats.pm_syscalls++;
	lpmc.stats.pm_syscall_errors += fd < 0;
	return fd;
}

int lpmc_setting(const char *path, int otherwise)
{
	char text[16];
	int value;

	return lpmc.sys->slurp(path, text, sizeof(text)) > 0 && number_setting(text, &value)
		       ? value
		       : otherwise;
}

const char *lpmc_legacy(void)
{
	int none;

	return lpmc.sys->numbers("/sys/bus/platform/drivers/riscv-pmu-legacy", &none, 0) < 0
		       ? NULL
		       : "Linux counts cycles and instructions alone, in all modes at once, and "
			 "samples nothing with this firmware, which has no PMU extension (holter "
			 "doctor)";
}

/* Explains EINVAL, which the kernel returns for several reasons. */
static int invalid(const struct lpmc *p, const struct perf_event_attr *attr)
{
	int most = lpmc_setting("/proc/sys/kernel/perf_event_max_sample_rate", INT_MAX);

	if (attr->freq && attr->sample_freq > (uint64_t)most)
		return lpmc_fail(EINVAL,
				 "%s: %llu samples a second are more than "
				 "kernel.perf_event_max_sample_rate, which is %d",
				 p->spec.name, (unsigned long long)attr->sample_freq, most);
	return lpmc_fail(EINVAL, "%s: the kernel does not support this event", p->spec.name);
}

/* Whether the event happens in user mode, and Linux can count it there alone. */
static bool has_user_mode(const struct lpmc_event *e)
{
	return !lpmc_event_is_firmware(e) && !lpmc_event_is_of_kernel(e);
}

/*
 * Explains EACCES and EPERM.  (If perf_event_paranoid is above 2, Debian's and Ubuntu's kernels
 * forbid every event, while other kernels behave as with 2.  If user mode alone was refused, it is
 * one of the former.)
 */
static int refused(const struct lpmc *p, const struct perf_event_attr *attr, pid_t pid)
{
	const char *name = p->spec.name;
	int level = lpmc_setting("/proc/sys/kernel/perf_event_paranoid", 2);

	if (pid < 0)
		return lpmc_fail(EPERM,
				 "%s: system scope needs root, CAP_PERFMON, or sysctl "
				 "kernel.perf_event_paranoid=0 (it is %d)",
				 name, level);
	if (level > 2 && attr->exclude_kernel)
		return lpmc_fail(EPERM,
				 "%s: perf_event_paranoid is %d, which forbids every event; as "
				 "root: sysctl kernel.perf_event_paranoid=2 (or 1, to count the "
				 "kernel, too)",
				 name, level);
	if (level > 1 && !attr->exclude_kernel)
		return lpmc_fail(EPERM,
				 "%s: perf_event_paranoid is %d, so that only user mode may be "
				 "counted%s: %sas root: sysctl kernel.perf_event_paranoid=1",
				 name, level, level > 2 ? ", if that" : "",
				 has_user_mode(&p->spec.event) ? "add ,usr to the event, or " : "");
	return lpmc_fail(EPERM, "%s: process %d belongs to another user, or has changed its user",
			 name, (int)pid);
}

/* Explains ENOENT: either this machine cannot count the event, or it has no hardware counters. */
static int no_event(const struct lpmc *p)
{
	struct perf_event_attr cycles = { .type = PERF_TYPE_HARDWARE, .size = sizeof(cycles) };
	const char *legacy = lpmc_legacy();
	int fd;

	cycles.exclude_kernel = 1; /* needs the least privilege */
	cycles.disabled = 1;
	fd = lpmc_open_raw(&cycles, 0, -1, -1);
	if (fd < 0 && errno == EINVAL) { /* without Sscofpmf there is no mode filter */
		cycles.exclude_kernel = 0;
		fd = lpmc_open_raw(&cycles, 0, -1, -1);
	}
	if (fd < 0 && (errno == ENOENT || errno == ENODEV || errno == EOPNOTSUPP))
		return lpmc_fail(ENXIO,
				 "%s: this machine has no hardware counters that Linux knows (on "
				 "RISC-V: no riscv-pmu-sbi driver, or firmware without the PMU "
				 "extension); events of class SOFT count "
				 "here",
				 p->spec.name);
	if (fd >= 0)
		lpmc.sys->close(fd);
	return lpmc_fail(EINVAL, "%s: this machine does not count it: %s", p->spec.name,
			 legacy ? legacy
				: "the firmware (its device tree's pmu node) maps no counter to "
				  "the event");
}

static int no_interrupt(const struct lpmc *p)
{
	const char *legacy = lpmc_legacy();

	return lpmc_fail(EOPNOTSUPP, "%s: cannot be sampled: %s", p->spec.name,
			 legacy ? legacy
				: "its counter raises no interrupt (on RISC-V this needs the "
				  "extension Sscofpmf, in the device tree's riscv,isa); it can be "
				  "counted");
}

int lpmc_open_failed(const struct lpmc *p, const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	const char *name = p->spec.name;

	switch (errno) {
	case EACCES:
	case EPERM:
		return refused(p, attr, pid);
	case ENOENT:
		return no_event(p);
	case ENODEV:
		return lpmc_fail(ENXIO, "%s: CPU %d is offline, or has no such counters", name,
				 cpu);
	case EOPNOTSUPP:
		return no_interrupt(p);
	case ESRCH:
		return lpmc_fail(ESRCH, "there is no process %d", (int)pid);
	case EMFILE:
	case ENFILE:
		return lpmc_fail(errno,
				 "%s: too many files are open: an event takes one for each "
				 "thread (and CPU, when sampling); see ulimit -n",
				 name);
	case ENOSYS:
		return lpmc_fail(EOPNOTSUPP, "this kernel has no perf events (CONFIG_PERF_EVENTS)");
	case EINVAL:
		return invalid(p, attr);
	default:
		return lpmc_fail(errno, "%s: perf_event_open: %s", name, strerror(errno));
	}
}

int lpmc_open(const struct lpmc *p, struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	int fd = lpmc_open_raw(attr, pid, cpu, group);

	return fd >= 0 ? fd : lpmc_open_failed(p, attr, pid, cpu);
}

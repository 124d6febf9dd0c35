// SPDX-License-Identifier: BSD-2-Clause
/*
 * facts.c - reads what the layers report about themselves: the kernel, the settings, perf, and the
 * CPU of hosts that are not RISC-V (riscv.c reads RISC-V CPUs).
 *
 * This file draws no conclusions.  If something cannot be read, the fact tells so.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "number.h"

static int number_of(struct doctor *d, const char *path)
{
	char *text = doctor_slurp(d, path);
	int value;

	if (!text || !number_setting(text, &value))
		value = DOCTOR_NO_NUMBER;
	free(text);
	return value;
}

/*
 * The kernel's log
 */

/*
 * Removes the prefixes and the continuation lines from the records of /dev/kmsg (Linux,
 * Documentation/ABI/testing/dev-kmsg).
 */
static char *log_lines(const char *records)
{
	char *lines = malloc(strlen(records) + 2), *to = lines;

	if (!lines)
		return NULL;
	while (*records) {
		size_t len = strcspn(records, "\n");
		const char *text = memchr(records, ';', len);

		if (text && *records != ' ') {
			text++;
			memcpy(to, text, len - (size_t)(text - records));
			to += len - (size_t)(text - records);
			*to++ = '\n';
		}
		records += len + (records[len] == '\n');
	}
	*to = '\0';
	return lines;
}

static void read_log(struct doctor *d)
{
	char *records = doctor_slurp(d, "/dev/kmsg");
	int error = errno;

	if (!records) {
		d->known.log = error == EPERM || error == EACCES ? DOCTOR_LOG_DENIED
								 : DOCTOR_LOG_NONE;
		return;
	}
	d->kernel_log = log_lines(records);
	d->no_memory |= !d->kernel_log;
	/* The kernel overwrites the oldest records: without the first, others may be lost too. */
	d->known.log = d->kernel_log && strstr(d->kernel_log, "Linux version ") ? DOCTOR_LOG_READ
										: DOCTOR_LOG_PARTLY;
	free(records);
}

static void log_fact(struct doctor *d)
{
	static const char *const text[] = {
		[DOCTOR_LOG_READ] = "readable, from the boot on",
		[DOCTOR_LOG_PARTLY] = "readable, but what it said at boot has been overwritten",
		[DOCTOR_LOG_DENIED] = "may not be read (needs root, or sysctl "
				      "kernel.dmesg_restrict=0): trials replace it",
		[DOCTOR_LOG_NONE] = "there is none here (a container?)",
	};
	const char *line = d->kernel_log;

	doctor_fact(d, DOCTOR_KERNEL, "log", "%s", text[d->known.log]);
	while (line && *line) {
		size_t len = strcspn(line, "\n");

		if (!strncmp(line, "riscv-pmu", 9) || !strncmp(line, "Legacy PMU", 10) ||
		    !strncmp(line, "hw perfevents", 13) || !strncmp(line, "Performance Events", 18))
			doctor_fact(d, DOCTOR_KERNEL, "message", "%.*s", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

/*
 * The kernel
 */

static enum doctor_seen config_has(const char *config, const char *option)
{
	return config ? strstr(config, option) ? DOCTOR_THERE : DOCTOR_ABSENT : DOCTOR_UNKNOWN;
}

static void read_config(struct doctor *d, const char *release)
{
	char path[256], *config;

	snprintf(path, sizeof(path), "/boot/config-%s", release);
	config = doctor_slurp(d, path);
	d->known.config_sbi = config_has(config, "CONFIG_RISCV_PMU_SBI=");
	d->known.config_perf = config_has(config, "CONFIG_PERF_EVENTS=");
	free(config);
}

/* Lists the names of the PMUs that the kernel has registered. */
static void read_pmus(struct doctor *d)
{
	static const char path[] = "/sys/bus/event_source/devices";
	struct doctor_known *k = &d->known;
	char all[512] = "", **names;
	int nr = doctor_list(d, path, &names);

	k->cpu_pmu = nr < 0 ? DOCTOR_UNKNOWN : DOCTOR_ABSENT;
	for (int i = 0; i < nr; i++) {
		size_t len = strlen(all);

		snprintf(all + len, sizeof(all) - len, "%s%s", len ? " " : "", names[i]);
		if (!strncmp(names[i], "cpu", 3) || !strncmp(names[i], "armv", 4) ||
		    !strncmp(names[i], "apple_", 6))
			k->cpu_pmu = DOCTOR_THERE;
	}
	doctor_free_names(names, nr);
	doctor_fact(d, DOCTOR_KERNEL, "PMUs", "%s",
		    nr < 0 ? "/sys/bus/event_source is not there"
		    : nr   ? all
			   : "none");
}

static enum doctor_seen driver(struct doctor *d, const char *path)
{
	if (doctor_exists(d, path))
		return DOCTOR_THERE;
	return doctor_exists(d, "/sys/bus/platform/drivers") ? DOCTOR_ABSENT : DOCTOR_UNKNOWN;
}

/* A driver registers itself only after it has found the firmware's PMU extension. */
static void read_drivers(struct doctor *d)
{
	struct doctor_known *k = &d->known;

	if (k->arch != DOCTOR_RISCV)
		return;
	k->sbi_driver = driver(d, "/sys/bus/platform/drivers/riscv-pmu-sbi");
	k->legacy_driver = driver(d, "/sys/bus/platform/drivers/riscv-pmu-legacy");
	doctor_fact(d, DOCTOR_KERNEL, "driver", "%s",
		    k->sbi_driver == DOCTOR_THERE      ? "riscv-pmu-sbi"
		    : k->legacy_driver == DOCTOR_THERE ? "riscv-pmu-legacy (cycles and "
							 "instructions, no more)"
		    : k->sbi_driver == DOCTOR_UNKNOWN  ? "not known: /sys is not there"
						       : "none of RISC-V counters");
}

static void read_kernel(struct doctor *d)
{
	char *release = doctor_slurp(d, "/proc/sys/kernel/osrelease");
	struct doctor_known *k = &d->known;

	if (release) {
		doctor_version(release, &k->release_major, &k->release_minor);
		read_config(d, release);
	}
	doctor_fact(d, DOCTOR_KERNEL, "Linux", "%s, %s", release ? release : "(release not known)",
		    d->ops->machine);
	free(release);
	read_drivers(d);
	read_pmus(d);
	log_fact(d);
}

/*
 * Permissions and settings
 */

static void setting(struct doctor *d, const char *name, int value, const char *meaning)
{
	if (value == DOCTOR_NO_NUMBER)
		doctor_fact(d, DOCTOR_PERMISSION, name, "there is no such setting here");
	else
		doctor_fact(d, DOCTOR_PERMISSION, name, "%d%s%s", value, *meaning ? ": " : "",
			    meaning);
}

static const char *paranoid_means(int level)
{
	switch (level) {
	case -1:
		return "everybody may count everything";
	case 0:
		return "everybody may count every CPU; raw tracepoints need root";
	case 1:
		return "everybody may count own processes, kernel included; whole CPUs need root";
	case 2:
		return "everybody may count own processes in user mode; the rest needs root";
	default:
		return level > 2 ? "only root may count" : "";
	}
}

static const char *user_access_means(const struct doctor *d, int level)
{
	static const char *const text[] = {
		"counters are not read in user space",
		"a process that has mapped an event may read its counter in user space",
		"legacy: everybody may read cycle and instret, which nobody may rely on",
	};

	if (d->known.arch == DOCTOR_RISCV && level >= 0 && level < 3)
		return text[level];
	return level == 0 ? text[0] : "";
}

static void read_sandbox(struct doctor *d)
{
	char *status = doctor_slurp(d, "/proc/self/status");
	char *seccomp = doctor_after(d, status, "\nSeccomp:\t");
	char *capable = doctor_after(d, status, "\nCapEff:\t");
	char *uids = doctor_after(d, status, "\nUid:\t");
	struct doctor_known *k = &d->known;
	const char *at = uids;
	uint64_t real, effective;

	k->no_proc = !status;
	k->root = uids && number_field(&at, NUMBER_DECIMAL, UINT32_MAX, &real) &&
		  number_field(&at, NUMBER_DECIMAL, UINT32_MAX, &effective) && !effective;
	k->seccomp = seccomp && *seccomp != '0';
	for (unsigned i = 0; i < 2 && !k->container; i++) {
		char *mark = doctor_slurp(d, i ? "/run/.containerenv" : "/.dockerenv");

		k->container = mark != NULL;
		free(mark);
	}
	doctor_fact(d, DOCTOR_PERMISSION, "user", "%s, capabilities 0x%s",
		    k->root ? "root" : "not root", capable ? capable : "?");
	if (k->seccomp || k->container)
		doctor_fact(d, DOCTOR_PERMISSION, "sandbox", "%s%s%s",
			    k->container ? "a container" : "",
			    k->container && k->seccomp ? ", " : "",
			    k->seccomp ? "system calls are filtered (seccomp)" : "");
	free(status);
	free(seccomp);
	free(capable);
	free(uids);
}

static void read_settings(struct doctor *d)
{
	struct doctor_known *k = &d->known;
	int rate = number_of(d, "/proc/sys/kernel/perf_event_max_sample_rate");

	read_sandbox(d);
	k->paranoid = number_of(d, "/proc/sys/kernel/perf_event_paranoid");
	k->user_access = number_of(d, k->arch == DOCTOR_X86
					      ? "/sys/bus/event_source/devices/cpu/rdpmc"
					      : "/proc/sys/kernel/perf_user_access");
	k->kptr_restrict = number_of(d, "/proc/sys/kernel/kptr_restrict");
	setting(d, "perf_event_paranoid", k->paranoid, paranoid_means(k->paranoid));
	setting(d, k->arch == DOCTOR_X86 ? "rdpmc" : "perf_user_access", k->user_access,
		user_access_means(d, k->user_access));
	setting(d, "kptr_restrict", k->kptr_restrict, "");
	setting(d, "perf_event_max_sample_rate", rate, "samples a second");
}

static void read_perf(struct doctor *d)
{
	char line[128];

	d->known.perf = d->ops->run(d->ops, "perf", "--version", line, sizeof(line)) == 0;
	if (d->known.perf)
		doctor_fact(d, DOCTOR_PERF, "perf", "%s", line);
	else
		doctor_fact(d, DOCTOR_PERF, "perf", "%s",
			    errno == ENOENT ? "is not in PATH; holter does without"
					    : "is in PATH, and does not run");
}

/*
 * CPUs that are not RISC-V
 */

static void cpu_line(struct doctor *d, const char *cpuinfo, const char *key, const char *name)
{
	char *value = doctor_after(d, cpuinfo, key);

	if (value)
		doctor_fact(d, DOCTOR_HART, name, "%s", value + strspn(value, "\t :"));
	free(value);
}

static void read_x86(struct doctor *d, const char *cpuinfo)
{
	cpu_line(d, cpuinfo, "model name", "CPU");
	d->known.virtual_machine = cpuinfo && strstr(cpuinfo, " hypervisor");
	doctor_fact(d, DOCTOR_HART, "machine", "%s",
		    d->known.virtual_machine ? "virtual: a hypervisor decides which counters there "
					       "are"
					     : "not virtual");
	doctor_fact(d, DOCTOR_HART, "arch_perfmon", "%s",
		    cpuinfo && strstr(cpuinfo, " arch_perfmon") ? "yes" : "no");
}

static void read_arm(struct doctor *d, const char *cpuinfo)
{
	cpu_line(d, cpuinfo, "CPU implementer", "implementer");
	cpu_line(d, cpuinfo, "CPU part", "part");
}

static enum doctor_arch arch_of(const char *machine)
{
	if (!strncmp(machine, "riscv", 5))
		return DOCTOR_RISCV;
	if (!strcmp(machine, "x86_64") || !strcmp(machine, "i686"))
		return DOCTOR_X86;
	return !strcmp(machine, "aarch64") ? DOCTOR_ARM : DOCTOR_OTHER;
}

void doctor_read_facts(struct doctor *d)
{
	char *cpuinfo = doctor_slurp(d, "/proc/cpuinfo");

	d->known = (struct doctor_known){ .arch = arch_of(d->ops->machine),
					  .sbi_major = -1,
					  .firmware_counters = -1,
					  .hardware_counters = -1 };
	read_log(d);
	if (d->known.arch == DOCTOR_RISCV) {
		doctor_read_riscv(d, cpuinfo);
	} else if (d->known.arch == DOCTOR_X86) {
		read_x86(d, cpuinfo);
	} else if (d->known.arch == DOCTOR_ARM) {
		read_arm(d, cpuinfo);
	}
	read_kernel(d);
	if (d->known.arch == DOCTOR_RISCV)
		doctor_read_sbi(d); /* after read_kernel(), which finds the driver */
	read_settings(d);
	read_perf(d);
	free(cpuinfo);
}

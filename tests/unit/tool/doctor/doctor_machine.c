// SPDX-License-Identifier: BSD-2-Clause
/*
 * doctor_machine.c - see doctor_machine.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <event_list.h>

#include "doctor_machine.h"

#define RECORDED(path, text)                                                                       \
	{                                                                                          \
		path, text, sizeof(text) - 1                                                       \
	}

const struct machine_file machine_guest[] = {
	{ "/proc/cpuinfo",
	  "processor\t: 0\nhart\t\t: 0\n"
	  "isa\t\t: rv64imafdc_zicntr_zicsr_zifencei_zihpm_zca_zcd_zba_sscofpmf_sstc_svpbmt\n"
	  "mmu\t\t: sv48\nuarch\t\t: holter,max\n"
	  "mvendorid\t: 0x0\nmarchid\t\t: 0x0\nmimpid\t\t: 0x0\n"
	  "hart isa\t: rv64imafdc_zicntr_zicsr_zifencei_zihpm_zca_zcd_zba_sscofpmf_sstc_svpbmt\n" },
	RECORDED("/proc/device-tree/model", "riscv-virtio,holter\0"),
	RECORDED("/proc/device-tree/compatible", "riscv-virtio\0"),
	RECORDED("/proc/device-tree/pmu/compatible", "riscv,pmu\0"),
	RECORDED("/proc/device-tree/cpus/cpu@0/riscv,isa-extensions",
		 "i\0m\0a\0f\0d\0c\0zihpm\0sscofpmf\0sstc\0"),
	{ "/dev/kmsg", "5,0,0,-;Linux version 6.12.107+deb13-riscv64 (Debian 6.12.107-1)\n"
		       "6,9,0,-;SBI specification v3.0 detected\n"
		       " SUBSYSTEM=continuation;riscv-pmu-sbi: 3 firmware and 3 hardware counters\n"
		       "6,10,0,-;SBI implementation ID=0x484c54 Version=0x1\n"
		       "6,200,476874,-;riscv-pmu-sbi: SBI PMU extension is available\n"
		       "6,201,476892,-;riscv-pmu-sbi: 16 firmware and 31 hardware counters\n" },
	{ "/sys/bus/platform/drivers/riscv-pmu-sbi/uevent", "" },
	{ "/sys/bus/event_source/devices/cpu/type", "4\n" },
	{ "/sys/bus/event_source/devices/software/type", "1\n" },
	{ "/proc/sys/kernel/osrelease", "6.12.107+deb13-riscv64\n" },
	{ "/proc/sys/kernel/perf_event_paranoid", "-1\n" },
	{ "/proc/sys/kernel/perf_user_access", "1\n" },
	{ "/proc/sys/kernel/kptr_restrict", "0\n" },
	{ "/proc/sys/kernel/perf_event_max_sample_rate", "100000\n" },
	{ "/proc/self/status", "Name:\tholter\nUid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\n"
			       "Seccomp:\t0\nSeccomp_filters:\t0\n" },
	{ 0 },
};

const struct machine_file machine_x86[] = {
	{ "/proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\n"
			   "model name\t: 12th Gen Intel(R) Core(TM) i7-1260P\n"
			   "flags\t\t: fpu vme arch_perfmon pebs\n" },
	{ "/dev/kmsg",
	  "5,0,0,-;Linux version 6.12.0-amd64\n"
	  "6,90,0,-;Performance Events: PEBS fmt4+-baseline, Alderlake Hybrid events\n" },
	{ "/sys/bus/event_source/devices/cpu/rdpmc", "1\n" },
	{ "/sys/bus/event_source/devices/software/type", "1\n" },
	{ "/proc/sys/kernel/osrelease", "6.12.0-amd64\n" },
	{ "/proc/sys/kernel/perf_event_paranoid", "2\n" },
	{ "/proc/sys/kernel/kptr_restrict", "0\n" },
	{ "/proc/self/status", "Uid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\nSeccomp:\t0\n" },
	{ 0 },
};

static const struct machine *machine_of(const struct doctor_ops *ops)
{
	return (const struct machine *)((const char *)ops - offsetof(struct machine, ops));
}

/*
 * Files
 */

static const struct machine_file *in_list(const struct machine_file *list, const char *path)
{
	for (; list && list->path; list++) {
		if (!strcmp(list->path, path))
			return list;
	}
	return NULL;
}

static const struct machine_file *file_of(const struct machine *m, const char *path)
{
	const struct machine_file *f = in_list(m->own, path);

	return f ? f : in_list(m->base, path);
}

static ssize_t machine_read(const struct doctor_ops *ops, const char *path, char **data)
{
	const struct machine_file *f = file_of(machine_of(ops), path);
	size_t size;

	if (!f || (!f->text && !f->error)) {
		errno = ENOENT;
		return -1;
	}
	if (f->error) {
		errno = f->error;
		return -1;
	}
	size = f->size ? f->size : strlen(f->text);
	*data = malloc(size + 1);
	if (!*data)
		return -1;
	memcpy(*data, f->text, size);
	(*data)[size] = '\0';
	return (ssize_t)size;
}

/* Adds the name below dir that leads to a file, unless it is there already.  -1: no memory. */
static int add_name(char **names, int nr, const char *dir, const char *path)
{
	size_t len = strlen(dir);
	char *name;

	if (strncmp(path, dir, len) || path[len] != '/')
		return nr;
	name = strndup(path + len + 1, strcspn(path + len + 1, "/"));
	if (!name)
		return -1;
	for (int i = 0; i < nr; i++) {
		if (!strcmp(names[i], name)) {
			free(name);
			return nr;
		}
	}
	names[nr] = name;
	return nr + 1;
}

/* (/sys/bus/platform/drivers exists on any kernel.) */
static int machine_list(const struct doctor_ops *ops, const char *path, char ***names)
{
	const struct machine *m = machine_of(ops);
	bool always = !strcmp(path, "/sys/bus/platform/drivers");
	int nr = 0, next;

	*names = calloc(64, sizeof(**names));
	if (!*names)
		return -1;
	for (unsigned i = 0; i < 2; i++) {
		for (const struct machine_file *f = i ? m->base : m->own; f && f->path; f++) {
			const struct machine_file *used = file_of(m, f->path);

			if (!used->text && !used->error)
				continue;
			next = add_name(*names, nr, path, f->path);
			if (next < 0) {
				doctor_free_names(*names, nr);
				errno = ENOMEM;
				return -1;
			}
			nr = next;
		}
	}
	if (nr || always)
		return nr;
	free(*names);
	errno = ENOENT;
	return -1;
}

static int machine_run(const struct doctor_ops *ops, const char *program, const char *arg,
		       char *line, size_t size)
{
	if (machine_of(ops)->no_perf || strcmp(program, "perf") || strcmp(arg, "--version")) {
		errno = ENOENT;
		return -1;
	}
	snprintf(line, size, "perf version 6.12.107");
	return 0;
}

static int machine_hwprobe(const struct doctor_ops *ops, struct hwprobe *pairs, unsigned nr)
{
	const struct hwprobe *known = machine_of(ops)->probe;

	if (!known) {
		errno = ENOSYS;
		return -1;
	}
	for (unsigned i = 0; i < nr; i++) {
		const struct hwprobe *k = known;

		while (k->key != -1 && k->key != pairs[i].key)
			k++;
		pairs[i] = *k;
	}
	return 0;
}

/*
 * Events
 */

static int fails(struct doctor_try *t, int error, const char *why)
{
	t->error = error;
	snprintf(t->text, sizeof(t->text), "%s", why);
	return error;
}

/* The index of an event among those of its kind. */
static unsigned position(const struct list_event *event)
{
	struct list_event e;
	unsigned nr = 0;

	for (unsigned n = 0; list_event(n, &e); n++) {
		if (e.kind != event->kind)
			continue;
		if (e.code == event->code)
			return nr;
		nr++;
	}
	return 0;
}

static bool is_mapped(const struct machine *m, const struct list_event *e)
{
	switch (e->kind) {
	case LIST_GENERAL:
		return position(e) < m->general;
	case LIST_CACHE:
		return position(e) < m->cache;
	case LIST_FIRMWARE:
		return position(e) < m->firmware;
	case LIST_RAW:
		return m->general > 2 && !strncmp(e->name, "raw=0x11", 8);
	default:
		return true;
	}
}

static int paranoid_of(const struct machine *m)
{
	return atoi(file_of(m, "/proc/sys/kernel/perf_event_paranoid")->text);
}

static int permitted(const struct machine *m, struct doctor_try *t)
{
	bool usr = strstr(t->event, ",usr") || strstr(t->event, "_CLOCK");
	int level = m->user ? paranoid_of(m) : -1;

	if (m->sandbox)
		return fails(t, m->sandbox, "the sandbox says no");
	if (level > 2 || (level > 1 && !usr) || (level > 0 && t->way == DOCTOR_SYSTEM))
		return fails(t, EPERM, "perf_event_paranoid forbids it");
	return 0;
}

static int possible(const struct machine *m, struct doctor_try *t, const struct list_event *e)
{
	bool filtered = strchr(t->event, ',');

	if (e->kind == LIST_SOFT && filtered && !strstr(t->event, "PAGE_FAULTS"))
		return fails(t, EOPNOTSUPP, "not of one mode");
	if (e->kind == LIST_SOFT)
		return 0;
	if (m->no_hardware)
		return fails(t, ENXIO, "this machine has no hardware counters");
	if (filtered && (!m->filters || e->kind == LIST_FIRMWARE))
		return fails(t, EOPNOTSUPP, "the counters cannot tell modes");
	if (!is_mapped(m, e))
		return fails(t, EINVAL, "this machine does not count it");
	if (t->way == DOCTOR_SAMPLE && !m->overflow)
		return fails(t, EOPNOTSUPP, "cannot be sampled");
	if (t->way == DOCTOR_USER && !m->user_reads)
		return fails(t, EBUSY, "has no counter at the moment");
	return 0;
}

static uint64_t counts(const struct machine *m, const struct doctor_try *t)
{
	const uint64_t all = 2 * DOCTOR_ROUNDS;

	switch (t->way) {
	case DOCTOR_SAMPLE:
		return all * 10 / DOCTOR_PERIOD * m->samples / 100;
	case DOCTOR_MANY:
		return 30;
	case DOCTOR_USER:
		return m->counter;
	default:
		if (m->dead)
			return 0;
		return strstr(t->event, ",os") && !m->filters_ignored ? 5000 : all + 8;
	}
}

static void machine_attempt(const struct doctor_ops *ops, struct doctor_try *list, unsigned nr)
{
	const struct machine *m = machine_of(ops);

	for (unsigned i = 0; i < nr; i++) {
		struct doctor_try *t = &list[i];
		struct list_event e;

		t->error = 0;
		t->text[0] = '\0';
		if (!list_event_of(t->event, &e)) {
			fails(t, EINVAL, pmc_error_text());
			continue;
		}
		if (permitted(m, t) || possible(m, t, &e))
			continue;
		t->value = counts(m, t);
		t->width = 64;
	}
}

struct machine machine_with(const struct machine_file *own)
{
	return (struct machine){
		.ops = { "1.2.3", "abc", "riscv64", machine_read, machine_list, machine_run,
			 machine_hwprobe, machine_attempt },
		.own = own,
		.base = machine_guest,
		.general = 10,
		.cache = 10,
		.firmware = 22,
		.filters = true,
		.overflow = true,
		.samples = 100,
		.user_reads = true,
		.counter = 3,
	};
}

struct machine machine_healthy(void)
{
	return machine_with(NULL);
}

struct machine machine_laptop(const struct machine_file *own)
{
	struct machine m = machine_with(own);

	m.ops.machine = "x86_64";
	m.base = machine_x86;
	return m;
}

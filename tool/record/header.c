// SPDX-License-Identifier: BSD-2-Clause
/*
 * header.c - writes the features of a perf.data file, which describe the machine and the command
 * (record.h).
 */
#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "build_id.h"
#include "record.h"

/*
 * Build ids
 */

static void put_build_id(FILE *to, const char *name, uint16_t misc, struct build_id id)
{
	size_t len = strlen(name) + 1, padded = (len + 63) & ~(size_t)63;
	struct perf_data_build_id b = {
		.header.misc = misc | PERF_DATA_MISC_BUILD_ID_SIZE,
		.header.size = (uint16_t)(sizeof(b) + padded),
		.pid = -1,
		.size = id.size,
	};

	if (!id.size)
		return;
	memcpy(b.build_id, id.id, id.size);
	fwrite(&b, sizeof(b), 1, to);
	fwrite(name, 1, len, to);
	for (; len < padded; len++)
		fputc(0, to);
}

/* Reads from sysfs the build id of a module, given as /lib/modules/.../name.ko.xz or [name]. */
static struct build_id module_id(const char *path)
{
	const char *base = strrchr(path, '/');
	char name[64], notes[128];

	snprintf(name, sizeof(name), "%s", base ? base + 1 : path + 1);
	name[strcspn(name, ".]")] = '\0';
	for (char *c = name; *c; c++)
		*c = *c == '-' ? '_' : *c;
	snprintf(notes, sizeof(notes), "/sys/module/%s/notes/.note.gnu.build-id", name);
	return build_id_of_notes_file(notes);
}

static bool is_module(const char *path)
{
	const char *base = strrchr(path, '/');

	return base && strstr(base, ".ko") && !strncmp(path, "/lib/modules/", 13);
}

static void put_object(const char *name, FILE *to)
{
	if (!strncmp(name, PERF_DATA_KERNEL, strlen(PERF_DATA_KERNEL)))
		put_build_id(to, PERF_DATA_KERNEL, PERF_RECORD_MISC_KERNEL,
			     build_id_of_notes_file("/sys/kernel/notes"));
	else if (!strcmp(name, "[vdso]"))
		put_build_id(to, name, PERF_RECORD_MISC_USER, build_id_of_vdso());
	else if (is_module(name) || name[0] == '[')
		put_build_id(to, name, PERF_RECORD_MISC_KERNEL, module_id(name));
	else if (name[0] == '/' && name[1] != '/')
		put_build_id(to, name, PERF_RECORD_MISC_USER, build_id_of_elf(name));
}

static void visit_object(const void *node, VISIT visit, void *to)
{
	if (visit == postorder || visit == leaf)
		put_object(*(char *const *)node, to);
}

/*
 * The machine
 */

static void put_text(struct perf_file *f, enum perf_data_feature which, const char *text)
{
	FILE *to = *text ? perf_file_feature(f, which) : NULL;

	if (to)
		perf_file_string(to, text);
}

/* Reads the first line with this key in /proc/cpuinfo.  value is empty if there is none. */
static void cpuinfo(const char *key, char *value, size_t size)
{
	FILE *info = fopen("/proc/cpuinfo", "re");
	size_t len = strlen(key);
	char line[512];

	*value = '\0';
	while (info && !*value && fgets(line, sizeof(line), info)) {
		char *colon = strchr(line, ':');

		if (strncmp(line, key, len) || !colon || strspn(line + len, " \t:") == 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(value, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
	}
	if (info)
		fclose(info);
}

/* /proc/cpuinfo has the model on x86, and the microarchitecture or the extensions on RISC-V. */
static void put_cpu(struct perf_file *f)
{
	static const char *const keys[] = { "model name", "uarch", "isa" };
	char text[256] = "", vendor[64], arch[64], imp[64];

	for (unsigned i = 0; i < 3 && !*text; i++)
		cpuinfo(keys[i], text, sizeof(text));
	put_text(f, PERF_DATA_CPUDESC, text);
	cpuinfo("mvendorid", vendor, sizeof(vendor));
	cpuinfo("marchid", arch, sizeof(arch));
	cpuinfo("mimpid", imp, sizeof(imp));
	snprintf(text, sizeof(text), "%s-%s-%s", vendor, arch, imp);
	put_text(f, PERF_DATA_CPUID, *vendor ? text : "");
}

static void put_machine(struct perf_file *f)
{
	uint32_t cpus[2] = { (uint32_t)sysconf(_SC_NPROCESSORS_CONF),
			     (uint32_t)sysconf(_SC_NPROCESSORS_ONLN) };
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) /
			  1024;
	struct utsname name;
	FILE *to;

	uname(&name);
	put_text(f, PERF_DATA_HOSTNAME, name.nodename);
	put_text(f, PERF_DATA_OSRELEASE, name.release);
	put_text(f, PERF_DATA_VERSION, "holter " HOLTER_VERSION);
	put_text(f, PERF_DATA_ARCH, name.machine);
	to = perf_file_feature(f, PERF_DATA_NRCPUS);
	if (to)
		fwrite(cpus, sizeof(cpus), 1, to);
	put_cpu(f);
	to = perf_file_feature(f, PERF_DATA_TOTAL_MEM);
	if (to)
		fwrite(&memory, sizeof(memory), 1, to);
}

static void put_command(struct perf_file *f, int argc, char **argv)
{
	FILE *to = perf_file_feature(f, PERF_DATA_CMDLINE);
	uint32_t nr = (uint32_t)argc + 1;
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (!to)
		return;
	self[n > 0 ? n : 0] = '\0';
	fwrite(&nr, sizeof(nr), 1, to);
	perf_file_string(to, self);
	for (int i = 0; i < argc; i++)
		perf_file_string(to, argv[i]);
}

/*
 * Times
 */

static uint64_t now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* The times in records are from CLOCK_MONOTONIC (pmc_configure_records(3)). */
static void put_clock(struct perf_file *f)
{
	struct perf_data_clock clock = {
		.version = 1,
		.clockid = CLOCK_MONOTONIC,
		.wall_ns = now(CLOCK_REALTIME),
		.clock_ns = now(CLOCK_MONOTONIC),
	};
	struct timespec resolution;
	uint64_t ns;
	FILE *to = perf_file_feature(f, PERF_DATA_CLOCKID);

	clock_getres(CLOCK_MONOTONIC, &resolution);
	ns = (uint64_t)resolution.tv_nsec;
	if (to)
		fwrite(&ns, sizeof(ns), 1, to);
	to = perf_file_feature(f, PERF_DATA_CLOCK_DATA);
	if (to)
		fwrite(&clock, sizeof(clock), 1, to);
}

void record_features(struct perf_file *f, const struct record_found *found, int argc, char **argv)
{
	FILE *to = perf_file_feature(f, PERF_DATA_BUILD_ID);

	if (to)
		twalk_r(found->objects, visit_object, to);
	put_machine(f);
	put_command(f, argc, argv);
	perf_file_describe(f);
	to = perf_file_feature(f, PERF_DATA_SAMPLE_TIME);
	if (to) {
		fwrite(&found->first, sizeof(found->first), 1, to);
		fwrite(&found->last, sizeof(found->last), 1, to);
	}
	put_clock(f);
}

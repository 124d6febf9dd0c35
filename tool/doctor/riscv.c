// SPDX-License-Identifier: BSD-2-Clause
/*
 * riscv.c - reads what a RISC-V machine reports about its hart, device tree and firmware.
 *
 * The hart: /proc/cpuinfo, which shows how the kernel understood the device tree, or else
 * riscv_hwprobe(2).
 * The device tree: /proc/device-tree.  OpenSBI and Holter's firmware remove the tables from the
 * node riscv,pmu, but leave the node.
 * The firmware: the messages that the kernel printed at boot (SBI 3.0 §4, §11).
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <rv/sbi.h>

#include "doctor.h"
#include "number.h"

/*
 * The hart
 */

/*
 * CPUs by mvendorid and marchid, which the SBI reports (SBI 3.0 §4.5, §4.6).  The numbers come from
 * tools/perf/pmu-events/arch/riscv/mapfile.csv of Linux (Andes, SiFive, T-Head), from marchid.md of
 * riscv-isa-manual (Rocket, QEMU), and from /proc/cpuinfo of boards (SpacemiT).  The column
 * sscofpmf follows the device trees in Linux: eswin/eic7700.dtsi, spacemit/k1.dtsi.
 */
static const struct cpu {
	uint64_t mvendorid, marchid;
	const char *name;
	bool sscofpmf; /* this CPU is known to have Sscofpmf */
	bool own; /* it has a custom overflow interrupt, and Linux has a driver for it */
} cpus[] = {
	{ 0x31e, 0x8000000000008a45, "Andes AX45MP", false, true },
	{ 0x489, 0x8000000000000007, "SiFive U74", false, false },
	{ 0x489, 0x8000000000000008, "SiFive P550", true, false },
	{ 0x5b7, 0, "T-Head C906, C910 or C920", false, true },
	{ 0x710, 0x8000000058000001, "SpacemiT X60", true, false },
	{ 0, 1, "Rocket", false, false },
	{ 0, 42, "QEMU (marchid of its own)", false, false },
};

/* Reads the value of a key.  Returns false if the kernel does not know it, or if harts differ. */
static bool probe(const struct doctor *d, int64_t key, uint64_t *value)
{
	struct hwprobe pair = { key, 0 };

	if (d->ops->hwprobe(d->ops, &pair, 1) < 0 || pair.key != key || pair.value == UINT64_MAX)
		return false;
	*value = pair.value;
	return true;
}

/*
 * Reads an identity CSR from /proc/cpuinfo (since Linux 6.1, commit 3baca1a4d490), or else with
 * riscv_hwprobe(2).
 */
static bool identity(struct doctor *d, const char *cpuinfo, const char *line, int64_t key,
		     uint64_t *value)
{
	char *text = doctor_after(d, cpuinfo, line);

	bool read = text && number_parse(text, NUMBER_HEX | NUMBER_0X, 0, UINT64_MAX, value);

	free(text);
	return read || probe(d, key, value);
}

static void known_cpu(struct doctor *d, const char *cpuinfo)
{
	uint64_t vendor, arch, imp = 0;

	if (!identity(d, cpuinfo, "mvendorid\t: ", HWPROBE_MVENDORID, &vendor) ||
	    !identity(d, cpuinfo, "marchid\t\t: ", HWPROBE_MARCHID, &arch)) {
		doctor_fact(d, DOCTOR_HART, "identity",
			    "the kernel does not tell (6.1 and later do)");
		return;
	}
	(void)identity(d, cpuinfo, "mimpid\t\t: ", HWPROBE_MIMPID, &imp);
	doctor_fact(d, DOCTOR_HART, "identity", "mvendorid 0x%llx, marchid 0x%llx, mimpid 0x%llx",
		    (unsigned long long)vendor, (unsigned long long)arch, (unsigned long long)imp);
	for (unsigned i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		if (vendor != cpus[i].mvendorid || arch != cpus[i].marchid)
			continue;
		d->known.cpu = cpus[i].name;
		d->known.cpu_has_sscofpmf = cpus[i].sscofpmf;
		d->known.own_overflow = cpus[i].own;
		doctor_fact(d, DOCTOR_HART, "known as", "%s", cpus[i].name);
	}
}

/*
 * Without an ISA line in /proc/cpuinfo: the extensions that riscv_hwprobe(2) reports.  These are
 * extensions for user mode, so Sscofpmf is not among them.
 */
static void probed_extensions(struct doctor *d)
{
	static const struct {
		unsigned bit;
		const char *name;
	} list[] = { { 0, "fd" },  { 1, "c" },	 { 2, "v" },	   { 3, "zba" },
		     { 4, "zbb" }, { 5, "zbs" }, { 50, "zicntr" }, { 51, "zihpm" } };
	char text[80] = "ima";
	uint64_t bits;

	if (!probe(d, HWPROBE_IMA_EXT_0, &bits)) {
		doctor_fact(d, DOCTOR_HART, "ISA", "/proc/cpuinfo does not tell");
		return;
	}
	for (unsigned i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		size_t len = strlen(text);

		if (bits >> list[i].bit & 1)
			snprintf(text + len, sizeof(text) - len, " %s", list[i].name);
	}
	doctor_fact(d, DOCTOR_HART, "ISA",
		    "of user mode: %s (riscv_hwprobe; /proc/cpuinfo does not tell)", text);
}

/* Returns whether an ISA string has a multi-letter extension; an underscore precedes each. */
static bool isa_has(const char *isa, const char *extension)
{
	size_t len = strlen(extension);

	for (const char *at = isa; at && (at = strchr(at, '_'));) {
		at++;
		if (!strncmp(at, extension, len) && (!at[len] || at[len] == '_'))
			return true;
	}
	return false;
}

/*
 * Counts the harts, and compares their "hart isa" lines (before Linux 6.7: "isa").  Sets
 * harts_differ.
 */
static int compare_harts(struct doctor *d, const char *cpuinfo)
{
	const char *key = cpuinfo && strstr(cpuinfo, "hart isa\t: ") ? "\nhart isa\t: "
								     : "\nisa\t\t: ";
	char *first = NULL;
	int nr = 0;

	for (const char *at = cpuinfo; at && (at = strstr(at, key)); at++) {
		char *isa = doctor_after(d, at, key);

		nr++;
		if (first && isa && strcmp(first, isa))
			d->known.harts_differ = true;
		if (first)
			free(isa);
		else
			first = isa;
	}
	free(first);
	return nr;
}

static void read_hart(struct doctor *d, const char *cpuinfo)
{
	static const struct {
		const char *name, *isa, *without;
	} wanted[] = {
		{ "Sscofpmf", "sscofpmf", "no (no sampling, no counting of one mode alone)" },
		{ "Zihpm", "zihpm", "not named" },
		{ "Sstc", "sstc", "no (the firmware sets timers)" },
	};
	char *isa = doctor_after(d, cpuinfo, "\nisa\t\t: ");
	int harts = compare_harts(d, cpuinfo);

	if (isa)
		doctor_fact(d, DOCTOR_HART, "ISA", "%s", isa);
	else
		probed_extensions(d);
	doctor_fact(d, DOCTOR_HART, "harts", "%d%s", harts,
		    d->known.harts_differ ? ", which differ in their ISA" : "");
	for (unsigned i = 0; isa && i < sizeof(wanted) / sizeof(wanted[0]); i++)
		doctor_fact(d, DOCTOR_HART, wanted[i].name, "%s",
			    isa_has(isa, wanted[i].isa) ? "yes" : wanted[i].without);
	d->known.isa_sscofpmf = isa && isa_has(isa, "sscofpmf");
	free(isa);
	known_cpu(d, cpuinfo);
}

/*
 * The device tree
 */

/*
 * Reads a property that is a list of strings, and joins them with spaces.  NULL: there is no such
 * property.
 */
static char *strings_of(struct doctor *d, const char *dir, const char *node, const char *name)
{
	char path[512], *data;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/%s%s%s", dir, node, *node ? "/" : "", name);
	n = doctor_read(d, path, &data);
	if (n < 0)
		return NULL;
	while (n > 0 && !data[n - 1])
		n--;
	for (ssize_t i = 0; i < n; i++) {
		if (!data[i])
			data[i] = ' ';
	}
	return data;
}

static bool is_pmu(struct doctor *d, const char *dir, const char *node)
{
	char *compatible = strings_of(d, dir, node, "compatible");
	bool is = compatible && strstr(compatible, "riscv,pmu");

	free(compatible);
	return is;
}

/* Looks for the riscv,pmu node where boards have it: in the root node and in /soc. */
static bool find_pmu(struct doctor *d, const char *root)
{
	char dir[256], **names;
	bool found = false;

	for (unsigned i = 0; i < 2 && !found; i++) {
		int nr;

		snprintf(dir, sizeof(dir), "%s%s", root, i ? "/soc" : "");
		nr = doctor_list(d, dir, &names);
		for (int n = 0; n < nr && !found; n++)
			found = is_pmu(d, dir, names[n]);
		doctor_free_names(names, nr);
	}
	return found;
}

/* Reads the extensions of the first hart. */
static void tree_extensions(struct doctor *d, const char *root)
{
	char dir[256], **names, *isa = NULL;
	int nr;

	snprintf(dir, sizeof(dir), "%s/cpus", root);
	nr = doctor_list(d, dir, &names);
	for (int n = 0; n < nr && !isa; n++) {
		if (strncmp(names[n], "cpu@", 4))
			continue;
		isa = strings_of(d, dir, names[n], "riscv,isa-extensions");
		if (!isa)
			isa = strings_of(d, dir, names[n], "riscv,isa");
	}
	doctor_free_names(names, nr);
	d->known.tree_sscofpmf = isa && strstr(isa, "sscofpmf");
	doctor_fact(d, DOCTOR_TREE, "extensions", "%s", isa ? isa : "not given");
	free(isa);
}

static void read_tree(struct doctor *d)
{
	static const char *const roots[] = { "/proc/device-tree", "/sys/firmware/devicetree/base" };
	const char *root = NULL;
	char *text;

	for (unsigned i = 0; i < 2 && !root; i++)
		root = doctor_exists(d, roots[i]) ? roots[i] : NULL;
	d->known.tree = root ? DOCTOR_THERE : DOCTOR_ABSENT;
	if (!root) {
		doctor_fact(d, DOCTOR_TREE, "tree", "the kernel shows none (ACPI?)");
		return;
	}
	text = strings_of(d, root, "", "model");
	doctor_fact(d, DOCTOR_TREE, "model", "%s", text ? text : "not given");
	d->known.tree_holter = text && !strcmp(text, "riscv-virtio,holter");
	free(text);
	text = strings_of(d, root, "", "compatible");
	doctor_fact(d, DOCTOR_TREE, "compatible", "%s", text ? text : "not given");
	free(text);
	tree_extensions(d, root);
	d->known.tree_pmu = find_pmu(d, root);
	doctor_fact(d, DOCTOR_TREE, "riscv,pmu", "%s",
		    d->known.tree_pmu ? "there (its tables are for the firmware, which takes them "
					"out)"
				      : "there is no such node");
}

void doctor_read_riscv(struct doctor *d, const char *cpuinfo)
{
	read_hart(d, cpuinfo);
	read_tree(d);
}

/*
 * The firmware
 */

/* Names of SBI implementation ids (SBI 3.0 §4.9), and of Holter's. */
static const char *implementation_name(uint64_t id)
{
	static const char *const names[] = {
		"Berkeley Boot Loader",
		"OpenSBI",
		"Xvisor",
		"KVM",
		"RustSBI",
		"Diosix",
		"Coffer",
		"Xen",
		"PolarFire Hart Software Services",
		"coreboot",
		"oreboot",
		"bhyve",
	};

	if (id < sizeof(names) / sizeof(names[0]))
		return names[id];
	return id == SBI_IMPL_HOLTER ? "Holter" : "unknown";
}

static void implementation_fact(struct doctor *d)
{
	const struct doctor_known *k = &d->known;
	char version[32];

	switch (k->implementation) {
	case SBI_IMPL_OPENSBI:
		snprintf(version, sizeof(version), "%u.%u", (unsigned)(k->version >> 16),
			 (unsigned)(k->version & 0xffff));
		break;
	case SBI_IMPL_KVM: /* Linux's version */
		snprintf(version, sizeof(version), "%u.%u.%u", (unsigned)(k->version >> 16),
			 (unsigned)(k->version >> 8 & 0xff), (unsigned)(k->version & 0xff));
		break;
	default:
		snprintf(version, sizeof(version), "version 0x%llx",
			 (unsigned long long)k->version);
	}
	doctor_fact(d, DOCTOR_FIRMWARE, "implementation", "%s %s (id 0x%llx)",
		    implementation_name(k->implementation), version,
		    (unsigned long long)k->implementation);
}

/* "0x1 Version=0x10002" */
static void read_implementation(struct doctor_known *k, const char *at)
{
	static const char version_is[] = " Version=";
	uint64_t id, version;

	if (!number_read(&at, NUMBER_HEX | NUMBER_0X, UINT64_MAX, &id) ||
	    strncmp(at, version_is, strlen(version_is)))
		return;
	at += strlen(version_is);
	if (!number_read(&at, NUMBER_HEX | NUMBER_0X, UINT64_MAX, &version))
		return;
	k->implementation_known = true;
	k->implementation = id;
	k->version = version;
}

static void read_versions(struct doctor *d)
{
	struct doctor_known *k = &d->known;
	char *spec = doctor_after(d, d->kernel_log, "SBI specification v");
	char *impl = doctor_after(d, d->kernel_log, "SBI implementation ID=");

	if (spec)
		doctor_version(spec, &k->sbi_major, &k->sbi_minor);
	if (impl)
		read_implementation(k, impl);
	if (k->sbi_major >= 0)
		doctor_fact(d, DOCTOR_FIRMWARE, "SBI", "%d.%d", k->sbi_major, k->sbi_minor);
	else
		doctor_fact(d, DOCTOR_FIRMWARE, "SBI", "version not known: the kernel's log %s",
			    k->log == DOCTOR_LOG_READ ? "does not say" : "is not at hand");
	if (k->implementation_known)
		implementation_fact(d);
	free(spec);
	free(impl);
}

#define DRIVER "riscv-pmu-sbi: "

/* "16 firmware and 31 hardware counters" */
static void read_counters(struct doctor_known *k, const char *at)
{
	static const char between[] = " firmware and ";
	uint64_t firmware, hardware;

	if (!number_read(&at, NUMBER_DECIMAL, INT_MAX, &firmware) ||
	    strncmp(at, between, strlen(between)))
		return;
	at += strlen(between);
	if (!number_read(&at, NUMBER_DECIMAL, INT_MAX, &hardware))
		return;
	k->firmware_counters = (int)firmware;
	k->hardware_counters = (int)hardware;
}

/* Reads the driver's boot messages about the PMU extension, and whether the driver exists. */
void doctor_read_sbi(struct doctor *d)
{
	struct doctor_known *k = &d->known;
	const char *line = d->kernel_log;

	read_versions(d);
	while (line && (line = strstr(line, DRIVER))) {
		line += strlen(DRIVER);
		read_counters(k, line);
	}
	k->log_no_counters = d->kernel_log &&
			     strstr(d->kernel_log, "PMU extension doesn't provide any counters");
	k->snapshot = d->kernel_log && strstr(d->kernel_log, "SBI PMU snapshot detected");
	doctor_fact(d, DOCTOR_FIRMWARE, "PMU extension", "%s",
		    k->sbi_driver == DOCTOR_THERE      ? "there (the kernel's driver has found it)"
		    : k->legacy_driver == DOCTOR_THERE ? "the kernel has not found it"
						       : "not known: no driver has looked for it");
	if (k->hardware_counters >= 0)
		doctor_fact(d, DOCTOR_FIRMWARE, "counters",
			    "%d of hardware, %d of firmware; snapshots: %s", k->hardware_counters,
			    k->firmware_counters, k->snapshot ? "yes" : "no");
}

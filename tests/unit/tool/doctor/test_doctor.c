// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_doctor.c - holter doctor on many kinds of machines: the layer that it blames, and its
 * advice.
 */
#include <errno.h>
#include <stdlib.h>

#include <tap.h>

#include "doctor_machine.h"

static struct doctor d;
static char *shown;

static void examine(const struct machine *m)
{
	doctor_free(&d);
	doctor_examine(&d, &m->ops, NULL, 0);
}

static const char *show(void (*how)(const struct doctor *, FILE *))
{
	size_t size;
	FILE *to;

	free(shown);
	to = open_memstream(&shown, &size);
	how(&d, to);
	fclose(to);
	return shown;
}

static bool shows(const char *words)
{
	bool has = strstr(show(doctor_show_text), words) != NULL;

	if (!has)
		printf("# shown:\n%s\n", shown);
	return has;
}

/* Checks that the first layer that refuses is this one, with these words in its text and advice. */
static void is_refused(const struct machine *m, enum doctor_layer layer, const char *text,
		       const char *advice)
{
	const struct doctor_finding *f;

	examine(m);
	f = doctor_verdict(&d);
	ok(f != NULL);
	if (!f)
		return;
	is(f->layer, layer);
	ok(strstr(f->text, text));
	ok(f->advice && strstr(f->advice, advice));
	if (!strstr(f->text, text) || !f->advice || !strstr(f->advice, advice))
		printf("# text: %s\n# advice: %s\n", f->text, f->advice ? f->advice : "none");
}

static void is_fine(const struct machine *m)
{
	examine(m);
	ok(!doctor_verdict(&d));
	if (doctor_verdict(&d))
		printf("# found: %s\n", doctor_verdict(&d)->text);
	ok(shows("verdict: no layer refuses or limits counting"));
}

static bool has_finding(const char *text)
{
	for (unsigned i = 0; i < d.findings.nr; i++) {
		if (strstr(d.findings.at[i].text, text))
			return true;
	}
	return false;
}

static void rows_are(enum doctor_answer want)
{
	for (enum doctor_row row = 0; row < DOCTOR_ROWS; row++) {
		tap_context("row %d", (int)row);
		if (row != DOCTOR_ROW_GIVEN)
			is(d.rows[row].answer, want);
	}
	tap_context("%s", "");
}

static void healthy(void)
{
	struct machine m = machine_healthy();

	is_fine(&m);
	is(d.findings.nr, 0);
	rows_are(DOCTOR_YES);
	ok(shows("Holter version 0x1 (id 0x484c54)"));
	ok(shows("31 of hardware, 16 of firmware; snapshots: no"));
	ok(shows("i m a f d c zihpm sscofpmf sstc"));
	ok(shows("10 of 42"));
	ok(shows("sampling            yes: HW_INSTRUCTIONS: 80 samples of some 80"));
	ok(shows("HW_INSTRUCTIONS is on counter 3 of 64 bits"));
}

/*
 * The hart and its device tree
 */

#define ISA_WITHOUT "isa\t\t: rv64imafdc_zicntr_zihpm_sstc\n"

static struct machine without_sscofpmf(const struct machine_file *own)
{
	struct machine m = machine_with(own);

	m.filters = m.overflow = false;
	return m;
}

static void no_sscofpmf(void)
{
	static const struct machine_file own[] = {
		{ "/proc/cpuinfo", "hart\t\t: 0\n" ISA_WITHOUT
				   "mvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000007\n"
				   "mimpid\t\t: 0x4210427\n" },
		{ "/proc/device-tree/cpus/cpu@0/riscv,isa-extensions", NULL },
		{ "/proc/device-tree/cpus/cpu@0/riscv,isa", "rv64imafdc" },
		{ 0 },
	};
	struct machine m = without_sscofpmf(own);

	is_refused(&m, DOCTOR_HART, "no Sscofpmf", "takes a CPU with Sscofpmf");
	ok(shows("SiFive U74"));
	ok(shows("rv64imafdc\n"));
	is(d.rows[DOCTOR_ROW_SAMPLE].answer, DOCTOR_NO);
	is(d.rows[DOCTOR_ROW_USR].answer, DOCTOR_NO);
	is(d.rows[DOCTOR_ROW_GENERAL].answer, DOCTOR_YES);
	/* a user who is not root may count user mode only, which these counters cannot */
	m.user = true;
	m.own = (const struct machine_file[]){ own[0],
					       own[1],
					       { "/proc/sys/kernel/perf_event_paranoid", "2\n" },
					       { "/proc/self/status", "Uid:\t1000\t1000\n" },
					       { 0 } };
	is_refused(&m, DOCTOR_PERMISSION, "nothing is left", "perf_event_paranoid=1");
}

static void forgotten_sscofpmf(void)
{
	static const struct machine_file x60[] = {
		{ "/proc/cpuinfo", "hart\t\t: 0\n" ISA_WITHOUT
				   "mvendorid\t: 0x710\nmarchid\t\t: 0x8000000058000001\n" },
		{ "/proc/device-tree/cpus/cpu@0/riscv,isa-extensions", "i" },
		{ 0 },
	};
	static const struct machine_file old[] = {
		{ "/proc/cpuinfo", "hart\t\t: 0\nisa\t\t: rv64imafdc\n" },
		{ 0 },
	};
	static const struct machine_file thead[] = {
		{ "/proc/cpuinfo", "hart\t\t: 0\nisa\t\t: rv64imafdc\n"
				   "mvendorid\t: 0x5b7\nmarchid\t\t: 0x0\n" },
		{ 0 },
	};
	struct machine m = without_sscofpmf(x60);

	is_refused(&m, DOCTOR_TREE, "which SpacemiT X60 has", "riscv,isa-extensions");
	m = without_sscofpmf(old);
	is_refused(&m, DOCTOR_KERNEL, "the kernel does not know it", "update the kernel");
	m = without_sscofpmf(thead);
	is_refused(&m, DOCTOR_KERNEL, "T-Head", "CONFIG_ERRATA_THEAD_PMU");
	/* if it works nevertheless, no layer is blamed */
	m = machine_with(thead);
	is_fine(&m);
}

/* Without /proc/cpuinfo, or with an old kernel's. */
static void probed(void)
{
	static const struct machine_file hidden[] = { { "/proc/cpuinfo", NULL }, { 0 } };
	static const struct machine_file old[] = {
		{ "/proc/cpuinfo", "hart\t\t: 0\nisa\t\t: rv64imafdc\n" },
		{ 0 },
	};
	static const struct hwprobe p550[] = { { 0, 0x489 },
					       { 1, 0x8000000000000008 },
					       { 2, 0x6220425 },
					       { 4, 0x1b | 3ull << 50 },
					       { -1, 0 } };
	static const struct hwprobe differ[] = { { 0, 0x489 }, { 1, UINT64_MAX }, { -1, 0 } };
	struct machine m = without_sscofpmf(hidden);

	m.probe = p550;
	is_refused(&m, DOCTOR_KERNEL, "the device tree names Sscofpmf", "update the kernel");
	ok(shows("identity            mvendorid 0x489, marchid 0x8000000000000008, mimpid "
		 "0x6220425\n"));
	ok(shows("known as            SiFive P550\n"));
	ok(shows(
		"ISA                 of user mode: ima fd c zba zbb zicntr zihpm (riscv_hwprobe;"));
	m.own = old;
	examine(&m);
	ok(shows("known as            SiFive P550\n"));
	ok(shows("ISA                 rv64imafdc\n"));
	m.probe = differ;
	examine(&m);
	ok(shows("identity            the kernel does not tell (6.1 and later do)\n"));
	m = without_sscofpmf(hidden);
	examine(&m);
	ok(shows("ISA                 /proc/cpuinfo does not tell\n"));
}

static void wrong_counts(void)
{
	struct machine m = machine_healthy();

	m.filters_ignored = true;
	is_refused(&m, DOCTOR_HART, "ignores them: os says 400008", "do not use usr and os");
	is(d.rows[DOCTOR_ROW_OS].answer, DOCTOR_PARTLY);
	m = machine_healthy();
	m.dead = true;
	is_refused(&m, DOCTOR_HART, "it does not count", "do not use its counts");
	m = machine_healthy();
	m.samples = 20;
	is_refused(&m, DOCTOR_HART, "16 samples, where its count makes some 80",
		   "a sample stands for a time");
}

static void harts_differ(void)
{
	static const struct machine_file own[] = {
		{ "/proc/cpuinfo", "hart\t\t: 0\nisa\t\t: rv64imac_sscofpmf\n"
				   "hart isa\t: rv64imac_sscofpmf\n\n"
				   "hart\t\t: 1\nisa\t\t: rv64imac_sscofpmf\n"
				   "hart isa\t: rv64imac_sscofpmf_v\n" },
		{ 0 },
	};
	struct machine m = machine_with(own);

	is_fine(&m);
	ok(shows("2, which differ in their ISA"));
	ok(has_finding("the harts differ"));
}

/* OpenSBI without a table knows the fixed counters, which raise no interrupt. */
static void no_pmu_node(void)
{
	static const struct machine_file own[] = {
		{ "/proc/device-tree/pmu/compatible", NULL },
		{ "/dev/kmsg", "5,0,0,-;Linux version 6.12\n"
			       "6,9,0,-;SBI specification v3.0 detected\n"
			       "6,10,0,-;SBI implementation ID=0x1 Version=0x10009\n" },
		{ 0 },
	};
	struct machine m = machine_with(own);

	m.general = 2;
	m.cache = m.samples = 0;
	is_refused(&m, DOCTOR_TREE, "no riscv,pmu node", "riscv,pmu node");
	ok(has_finding("fixed counters"));
	ok(has_finding("OpenSBI since 1.8"));
	ok(shows("OpenSBI 1.9 (id 0x1)"));
	ok(shows("none of 578"));
	/* a pmu node in /soc counts, too */
	m.own = (const struct machine_file[]){
		own[0], { "/proc/device-tree/soc/pmu/compatible", "riscv,pmu", 0, 0 }, { 0 }
	};
	m.samples = 100;
	is_fine(&m);
	ok(has_finding("maps no general event"));
	ok(has_finding("without the models of a CPU"));
	m.general = 4;
	is_fine(&m);
	ok(!has_finding("without the models of a CPU"));
	/* nothing is mapped at all */
	m.own = own;
	m.general = 0;
	is_refused(&m, DOCTOR_TREE, "maps no event without it", "riscv,pmu node");
}

/*
 * The firmware
 */

static const struct machine_file old_opensbi[] = {
	{ "/dev/kmsg", "5,0,0,-;Linux version 6.12\n6,9,0,-;SBI specification v0.2 detected\n"
		       "6,10,0,-;SBI implementation ID=0x1 Version=0x9\n"
		       "6,99,0,-;Legacy PMU implementation is available\n" },
	{ "/sys/bus/platform/drivers/riscv-pmu-sbi/uevent", NULL },
	{ "/sys/bus/platform/drivers/riscv-pmu-legacy/uevent", "" },
	{ 0 },
};

static void opensbi_0_9(void)
{
	struct machine m = without_sscofpmf(old_opensbi);

	m.general = 2;
	m.cache = m.firmware = 0;
	m.user_reads = false;
	is_refused(&m, DOCTOR_FIRMWARE, "SBI 0.2, which has no PMU extension", "OpenSBI 1.0");
	ok(shows("OpenSBI 0.9 (id 0x1)"));
	ok(shows("riscv-pmu-legacy"));
	ok(shows("Legacy PMU implementation"));
	is(d.findings.nr, 1); /* all the rest follows from it */
	m.no_hardware = true;
	is_refused(&m, DOCTOR_FIRMWARE, "SBI 0.2, which has no PMU extension", "OpenSBI 1.0");
}

/* The kernel's log may be unreadable; the drivers still tell something. */
static void no_pmu_extension_no_log(void)
{
	static const struct machine_file own[] = {
		{ "/dev/kmsg", NULL, 0, EPERM },
		{ "/sys/bus/platform/drivers/riscv-pmu-sbi/uevent", NULL },
		{ "/sys/bus/platform/drivers/riscv-pmu-legacy/uevent", "" },
		{ 0 },
	};
	struct machine m = machine_with(own);

	m.no_hardware = true;
	is_refused(&m, DOCTOR_FIRMWARE, "has no PMU extension", "OpenSBI 1.0 or later");
	ok(shows("may not be read (needs root"));
	ok(shows("version not known: the kernel's log is not at hand"));
	m.no_hardware = m.filters = m.overflow = m.user_reads = false;
	m.general = 2;
	m.cache = m.firmware = 0;
	is_refused(&m, DOCTOR_FIRMWARE, "found no PMU extension", "OpenSBI 1.0 or later");
}

static void no_counters(void)
{
	static const struct machine_file own[] = {
		{ "/dev/kmsg", "4,7,1,-;riscv-pmu-sbi: SBI PMU extension doesn't provide any "
			       "counters\n" },
		{ 0 },
	};
	struct machine m = machine_with(own);

	m.no_hardware = true;
	is_refused(&m, DOCTOR_FIRMWARE, "offers no counter", "update the firmware");
	ok(shows("what it said at boot has been overwritten"));
	m = machine_healthy();
	m.general = m.cache = 0;
	is_refused(&m, DOCTOR_FIRMWARE, "maps no counter to any event", "riscv,pmu node");
	m = machine_healthy();
	m.firmware = 0;
	is_refused(&m, DOCTOR_FIRMWARE, "none of its own events", "update");
}

static void lost_samples(void)
{
	static const struct machine_file own[] = {
		{ "/dev/kmsg",
		  "5,0,0,-;Linux version 6.12\n6,9,0,-;SBI specification v2.0 detected\n"
		  "6,99,0,-;riscv-pmu-sbi: SBI PMU snapshot detected\n" },
		{ 0 },
	};
	struct machine m = machine_healthy();

	m.samples = 0;
	is_refused(&m, DOCTOR_FIRMWARE, "no overflow interrupt arrives", "delegate interrupt 13");
	for (m.counter = 0; m.counter <= 2; m.counter += 2)
		is_refused(&m, DOCTOR_TREE, "a fixed counter (cycle or instret)",
			   "sample an event that");
	m = machine_with(own);
	m.samples = 5;
	is_refused(&m, DOCTOR_FIRMWARE, "it offers snapshots", "switch snapshots off");
	m.samples = 100;
	is_fine(&m);
}

/*
 * The kernel
 */

static void no_driver(void)
{
	static const struct machine_file none[] = {
		{ "/sys/bus/platform/drivers/riscv-pmu-sbi/uevent", NULL },
		{ "/dev/kmsg",
		  "5,0,0,-;Linux version 6.12\n6,9,0,-;SBI specification v3.0 detected\n" },
		{ 0 },
	};
	struct machine m = machine_with(none);
	struct machine_file own[8] = { none[0], none[1] };

	m.no_hardware = true;
	is_refused(&m, DOCTOR_KERNEL, "no driver for counters", "CONFIG_RISCV_PMU_SBI");
	ok(shows("PMU extension       not known: no driver has looked for it"));
	/* the kernel's configuration has the answer */
	m.own = own;
	own[2] = (struct machine_file){ "/boot/config-6.12.107+deb13-riscv64",
					"CONFIG_RISCV_PMU_SBI=y\n" };
	is_refused(&m, DOCTOR_FIRMWARE, "has no PMU extension", "PMU extension");
	own[3] = (struct machine_file){ "/sys/bus/platform/drivers/riscv-pmu-legacy/uevent", "" };
	own[2].text = "# CONFIG_RISCV_PMU_SBI is not set\n";
	is_refused(&m, DOCTOR_KERNEL, "no driver for counters", "CONFIG_RISCV_PMU_SBI");
	own[2] = (struct machine_file){ "/proc/sys/kernel/osrelease", "5.10.0-riscv64\n" };
	is_refused(&m, DOCTOR_KERNEL, "Linux 5.10 has no driver", "5.18");
}

static void no_perf_events(void)
{
	static const struct machine_file own[] = {
		{ "/proc/sys/kernel/perf_event_paranoid", NULL },
		{ 0 },
	};
	struct machine m = machine_with(own);

	m.sandbox = EOPNOTSUPP;
	is_refused(&m, DOCTOR_KERNEL, "no perf events", "CONFIG_PERF_EVENTS");
}

static void no_proc(void)
{
	static const struct machine_file own[] = {
		{ "/proc/sys/kernel/perf_event_paranoid", NULL },
		{ "/proc/self/status", NULL },
		{ 0 },
	};
	struct machine m = machine_with(own);

	m.sandbox = ESRCH;
	is_refused(&m, DOCTOR_PERMISSION, "/proc is not mounted", "mount -t proc");
}

/*
 * Permissions
 */

static void paranoid(void)
{
	struct machine_file own[] = {
		{ "/proc/sys/kernel/perf_event_paranoid", "3\n" },
		{ "/proc/sys/kernel/kptr_restrict", "1\n" },
		{ "/proc/self/status", "Uid:\t1000\t1000\nCapEff:\t0\nSeccomp:\t0\n" },
		{ 0 },
	};
	struct machine m = machine_with(own);

	m.user = true;
	is_refused(&m, DOCTOR_PERMISSION, "perf_event_paranoid is 3",
		   "sysctl kernel.perf_event_paranoid=2");
	is(d.rows[DOCTOR_ROW_SOFTWARE].answer, DOCTOR_NO);
	/* 2: what needs root is reported, and is not a fault */
	own[0].text = "2\n";
	is_fine(&m);
	is(d.rows[DOCTOR_ROW_SOFTWARE].answer, DOCTOR_YES);
	ok(shows("software events     yes: 5 of 7, in user mode alone (without root)"));
	is(d.rows[DOCTOR_ROW_GENERAL].answer, DOCTOR_YES);
	is(d.rows[DOCTOR_ROW_SAMPLE].answer, DOCTOR_YES);
	is(d.rows[DOCTOR_ROW_OS].answer, DOCTOR_PRIVILEGE);
	is(d.rows[DOCTOR_ROW_SYSTEM].answer, DOCTOR_PRIVILEGE);
	is(d.rows[DOCTOR_ROW_FIRMWARE].answer, DOCTOR_PRIVILEGE);
	ok(shows("a whole CPU         needs root: "));
	ok(has_finding("only root may count whole CPUs or the kernel"));
	ok(has_finding("kptr_restrict hides"));
	own[0].text = "1\n";
	is_fine(&m);
	is(d.rows[DOCTOR_ROW_OS].answer, DOCTOR_YES);
	is(d.rows[DOCTOR_ROW_FIRMWARE].answer, DOCTOR_YES);
	is(d.rows[DOCTOR_ROW_SYSTEM].answer, DOCTOR_PRIVILEGE);
}

static void sandboxes(void)
{
	static const struct machine_file filtered[] = {
		{ "/proc/self/status", "Uid:\t0\t0\nCapEff:\t0\nSeccomp:\t2\n" },
		{ "/.dockerenv", "" },
		{ "/dev/kmsg", NULL },
		{ 0 },
	};
	struct machine m = machine_with(filtered);

	m.sandbox = EPERM;
	is_refused(&m, DOCTOR_PERMISSION, "filtered (seccomp)", "--cap-add=PERFMON");
	ok(shows("a container, system calls are filtered"));
	ok(shows("there is none here (a container?)"));
	m.sandbox = EOPNOTSUPP; /* as libpmc reports ENOSYS */
	is_refused(&m, DOCTOR_PERMISSION, "filtered (seccomp)", "seccomp");
}

static void no_user_access(void)
{
	static const struct machine_file own[] = {
		{ "/proc/sys/kernel/perf_user_access", "0\n" },
		{ 0 },
	};
	static const struct machine_file old[] = {
		{ "/proc/sys/kernel/perf_user_access", NULL },
		{ 0 },
	};
	struct machine m = machine_with(own);

	m.user_reads = false;
	is_refused(&m, DOCTOR_PERMISSION, "perf_user_access is 0",
		   "sysctl kernel.perf_user_access=1");
	m.own = old; /* a kernel that is older than the setting */
	is_fine(&m);
	ok(has_finding("does not let counters be read in user space"));
}

/*
 * Other hosts
 */

static void laptop(void)
{
	static const struct machine_file rdpmc[] = {
		{ "/sys/bus/event_source/devices/cpu/rdpmc", "0\n" },
		{ 0 },
	};
	static const struct machine_file virtual[] = {
		{ "/proc/cpuinfo",
		  "model name\t: QEMU Virtual CPU\nflags\t\t: fpu hypervisor lm\n" },
		{ "/sys/bus/event_source/devices/cpu/rdpmc", NULL },
		{ 0 },
	};
	struct machine m = machine_laptop(NULL);

	is_fine(&m);
	ok(shows("device tree: not used on x86-64\n"));
	ok(shows("i7-1260P"));
	is(d.rows[DOCTOR_ROW_FIRMWARE].answer, DOCTOR_NOT_TRIED);
	m = machine_laptop(rdpmc);
	m.user_reads = false;
	is_refused(&m, DOCTOR_PERMISSION, "rdpmc is 0", "cpu/rdpmc");
	m = machine_laptop(virtual);
	m.no_hardware = true;
	is_refused(&m, DOCTOR_HART, "virtual machine", "pmu=on");
	ok(shows("CPU: no hardware counters (virtual machine)\n"));
	ok(shows("verdict: the first layer that refuses or limits counting is the CPU\n"
		 "  CPU (refuses): this is a virtual"));
	m.own = virtual + 1; /* no virtual machine */
	is_refused(&m, DOCTOR_KERNEL, "no PMU of the CPU is registered", "messages");
}

static void arm(void)
{
	static const struct machine_file own[] = {
		{ "/proc/cpuinfo", "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n" },
		{ "/sys/bus/event_source/devices/cpu/rdpmc", NULL },
		{ "/sys/bus/event_source/devices/armv8_pmuv3_0/type", "8\n" },
		{ "/proc/sys/kernel/perf_user_access", "0\n" },
		{ 0 },
	};
	struct machine m = machine_laptop(own);

	m.ops.machine = "aarch64";
	m.user_reads = false;
	is_refused(&m, DOCTOR_PERMISSION, "perf_user_access is 0", "perf_user_access=1");
	ok(shows("0xd0c"));
	m.user_reads = true;
	is_fine(&m);
}

/*
 * What is shown
 */

static void given_events(void)
{
	char raw[] = "raw=0x11", bus[] = "HW_BUS_CYCLES";
	char *given[] = { raw, bus };
	struct machine m = machine_healthy();

	m.general = 5;
	doctor_free(&d);
	doctor_examine(&d, &m.ops, given, 2);
	is(d.rows[DOCTOR_ROW_GIVEN].worked, 1);
	ok(shows("events you named    yes: 1 of 2"));
	ok(shows("counted: raw=0x11\n"));
	ok(shows("not HW_BUS_CYCLES:\n"));
}

static void as_json(void)
{
	static const struct machine_file own[] = {
		{ "/proc/device-tree/model", "a \"board\"\x01\033[2J\302\233" },
		{ 0 },
	};
	struct machine m = machine_with(own);

	examine(&m);
	show(doctor_show_json);
	ok(strstr(shown, "{\"holter\": \"1.2.3\", \"commit\": \"abc\", \"machine\": \"riscv64\", "
			 "\"verdict\": null"));
	/* JSON has what the machine has; only text has it replaced. */
	ok(strstr(shown, "a \\\"board\\\"\\u0001\\u001b[2J\\u009b\""));
	show(doctor_show_text);
	ok(strstr(shown, "a \"board\"??[2J??\n"));
	ok(!strncmp(shown, "holter 1.2.3 (commit abc)\n", 26));
	m.dead = true;
	examine(&m);
	show(doctor_show_json);
	ok(strstr(shown, "\"verdict\": {\"layer\": \"hart\", \"weight\": \"refuses\""));
	ok(strstr(shown, "\"what\": \"software events\", \"answer\": \"yes\""));
	m = machine_healthy();
	m.user_reads = false;
	examine(&m);
	show(doctor_show_json);
	ok(strstr(shown, "\"error\": \"EBUSY\", \"reason\": \"has no counter at the moment\""));
}

static void no_perf_program(void)
{
	struct machine m = machine_healthy();

	m.no_perf = true;
	is_fine(&m);
	ok(has_finding("perf is not installed"));
	ok(shows("is not in PATH"));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a healthy machine", healthy },
		{ "no Sscofpmf", no_sscofpmf },
		{ "Sscofpmf that one layer does not name", forgotten_sscofpmf },
		{ "riscv_hwprobe instead of /proc/cpuinfo", probed },
		{ "counts, filters and samples that are wrong", wrong_counts },
		{ "harts that differ", harts_differ },
		{ "no riscv,pmu node", no_pmu_node },
		{ "OpenSBI 0.9", opensbi_0_9 },
		{ "no PMU extension, no log", no_pmu_extension_no_log },
		{ "firmware without counters", no_counters },
		{ "samples that do not arrive", lost_samples },
		{ "a kernel without the driver", no_driver },
		{ "a kernel without perf events", no_perf_events },
		{ "no /proc", no_proc },
		{ "perf_event_paranoid", paranoid },
		{ "sandboxes", sandboxes },
		{ "perf_user_access=0", no_user_access },
		{ "x86-64", laptop },
		{ "arm64", arm },
		{ "events that were named", given_events },
		{ "as JSON", as_json },
		{ "no perf", no_perf_program },
	};
	int status = tap_run(cases, TAP_NR(cases));

	doctor_free(&d);
	free(shown);
	return status;
}

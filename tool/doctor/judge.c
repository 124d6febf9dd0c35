// SPDX-License-Identifier: BSD-2-Clause
/*
 * judge.c - concludes which layer refuses what, from the reports of the layers and the trials.
 *
 * The trials come first: if an event counts although a layer seems to forbid it, there is no
 * finding.  If a layer reports nothing, for example because its line in the log was overwritten,
 * the other layers decide.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <rv/sbi.h>

#include "doctor.h"

/* Adds a finding.  advice: a constant text, or NULL. */
__attribute__((format(printf, 5, 6))) static void find(struct doctor *d, enum doctor_layer layer,
						       enum doctor_weight weight,
						       const char *advice, const char *format, ...)
{
	struct doctor_finding f = { .layer = layer, .weight = weight, .advice = advice };
	size_t at = d->findings.nr;
	struct doctor_finding *list;
	va_list args;
	int n;

	va_start(args, format);
	n = VEC_ROOM(&d->findings, 1) ? vasprintf(&f.text, format, args) : -1;
	va_end(args);
	if (n < 0) {
		d->no_memory = true;
		return;
	}
	list = d->findings.at;
	/* The most severe first, then from the bottom layer up. */
	while (at && (list[at - 1].weight < weight ||
		      (list[at - 1].weight == weight && list[at - 1].layer > layer))) {
		list[at] = list[at - 1];
		at--;
	}
	list[at] = f;
	d->findings.nr++;
}

static bool works(const struct doctor *d, enum doctor_row row)
{
	return d->rows[row].answer == DOCTOR_YES;
}

static bool refused(const struct doctor *d, enum doctor_row row)
{
	return d->rows[row].answer == DOCTOR_NO;
}

static bool release_before(const struct doctor_known *k, int major, int minor)
{
	return k->release_major && (k->release_major < major ||
				    (k->release_major == major && k->release_minor < minor));
}

/*
 * Nothing counts, not even software events.
 */

static void nothing_counts(struct doctor *d)
{
	const struct doctor_known *k = &d->known;

	if (k->no_proc)
		find(d, DOCTOR_PERMISSION, DOCTOR_REFUSAL, "as root: mount -t proc proc /proc",
		     "/proc is not mounted: it lists the threads and rights of a process");
	else if (k->paranoid == DOCTOR_NO_NUMBER)
		find(d, DOCTOR_KERNEL, DOCTOR_REFUSAL, "take a kernel with CONFIG_PERF_EVENTS=y",
		     "the kernel has no perf events%s",
		     k->config_perf == DOCTOR_ABSENT ? " (its configuration says so, too)" : "");
	else if (k->paranoid > 2 && !k->root)
		find(d, DOCTOR_PERMISSION, DOCTOR_REFUSAL,
		     "as root: sysctl kernel.perf_event_paranoid=2 (1 to count the kernel, too; 0 "
		     "for whole CPUs); /etc/sysctl.d keeps it",
		     "perf_event_paranoid is %d: only root may count", k->paranoid);
	else
		find(d, DOCTOR_PERMISSION, DOCTOR_REFUSAL,
		     "let the sandbox allow perf_event_open(2): a container needs "
		     "--cap-add=PERFMON "
		     "or a seccomp profile that has it (docker: --security-opt "
		     "seccomp=unconfined)",
		     "perf_event_open(2) is refused although perf_event_paranoid is %d: %s",
		     k->paranoid,
		     k->seccomp	    ? "this process's system calls are filtered (seccomp)"
		     : k->container ? "the container forbids it"
				    : "a security module or a sandbox forbids it");
}

/*
 * Software events count, but no hardware event does.
 */

static void no_driver(struct doctor *d)
{
	const struct doctor_known *k = &d->known;

	if (k->sbi_major == 0 && k->sbi_minor < 3)
		find(d, DOCTOR_FIRMWARE, DOCTOR_REFUSAL,
		     "update the firmware: OpenSBI 1.0 or later, or Holter's (SBI 0.3 or later)",
		     "it speaks SBI %d.%d, which has no PMU extension (that came with 0.3)",
		     k->sbi_major, k->sbi_minor);
	else if (release_before(k, 5, 18))
		find(d, DOCTOR_KERNEL, DOCTOR_REFUSAL, "update the kernel to 5.18 or later",
		     "Linux %d.%d has no driver for the SBI's counters (that came with 5.18)",
		     k->release_major, k->release_minor);
	else if (k->config_sbi == DOCTOR_ABSENT ||
		 (k->config_sbi == DOCTOR_UNKNOWN && k->legacy_driver == DOCTOR_ABSENT))
		find(d, DOCTOR_KERNEL, DOCTOR_REFUSAL,
		     "take a kernel with CONFIG_RISCV_PMU=y and CONFIG_RISCV_PMU_SBI=y",
		     "the kernel has no driver for counters (riscv-pmu-sbi)");
	else
		find(d, DOCTOR_FIRMWARE, DOCTOR_REFUSAL,
		     "take firmware with the SBI's PMU extension: OpenSBI 1.0 or later, or "
		     "Holter's; RustSBI and hypervisors have it as an option",
		     "its SBI has no PMU extension: the kernel's driver looked for it and did not "
		     "find it");
}

static void no_counters(struct doctor *d)
{
	if (d->known.log_no_counters || d->known.hardware_counters == 0)
		find(d, DOCTOR_FIRMWARE, DOCTOR_REFUSAL,
		     "update the firmware; the hart may have none, too (look for Zihpm)",
		     "its PMU extension offers no counter of hardware");
	else if (!d->known.tree_pmu && d->known.tree == DOCTOR_THERE)
		find(d, DOCTOR_TREE, DOCTOR_REFUSAL,
		     "give the firmware a device tree with a riscv,pmu node for this CPU",
		     "there is no riscv,pmu node, and the firmware maps no event without it");
	else
		find(d, DOCTOR_FIRMWARE, DOCTOR_REFUSAL,
		     "update the firmware, or mend the tables of the riscv,pmu node in the device "
		     "tree that it gets",
		     "it maps no counter to any event, not even cycles");
}

static void no_hardware_elsewhere(struct doctor *d)
{
	const struct doctor_known *k = &d->known;

	if (k->virtual_machine)
		find(d, DOCTOR_HART, DOCTOR_REFUSAL,
		     "let the hypervisor pass counters on (QEMU: -cpu host,pmu=on; clouds: whole "
		     "machines), or count in Holter's guest: holter run -- COMMAND",
		     "this is a virtual machine to which its hypervisor gives no counters");
	else if (k->cpu_pmu == DOCTOR_THERE)
		find(d, DOCTOR_KERNEL, DOCTOR_REFUSAL, "look for its messages in the kernel's log",
		     "it has registered a PMU of the CPU, and opens none of its events");
	else
		find(d, DOCTOR_KERNEL, DOCTOR_REFUSAL,
		     "look for its messages in the kernel's log; in a virtual machine ask for "
		     "counters there",
		     "it knows no counters of this CPU: no PMU of the CPU is registered");
}

static bool hidden_by_mode(const struct doctor *d)
{
	const struct doctor_result *r = &d->rows[DOCTOR_ROW_GENERAL];

	/* The user may only count user mode, but these counters cannot filter by mode. */
	return !d->known.root && d->known.paranoid == 2 && d->known.sbi_driver == DOCTOR_THERE &&
	       !d->known.isa_sscofpmf && r->tries.nr && strstr(r->tries.at[0].event, ",usr");
}

static void no_hardware(struct doctor *d)
{
	if (hidden_by_mode(d))
		find(d, DOCTOR_PERMISSION, DOCTOR_REFUSAL,
		     "as root: sysctl kernel.perf_event_paranoid=1",
		     "perf_event_paranoid is 2, which allows user mode alone, and these counters "
		     "cannot tell it from the kernel: nothing is left");
	else if (d->known.arch != DOCTOR_RISCV)
		no_hardware_elsewhere(d);
	else if (d->known.sbi_driver == DOCTOR_THERE)
		no_counters(d);
	else
		no_driver(d);
}

/*
 * Hardware events count, but perhaps not all of them.
 */

/* The legacy driver, which reads only the CSRs cycle and instret. */
static void legacy(struct doctor *d)
{
	const struct doctor_known *k = &d->known;

	if (k->sbi_driver == DOCTOR_THERE || k->legacy_driver != DOCTOR_THERE)
		return;
	if (k->sbi_major == 0 && k->sbi_minor < 3)
		find(d, DOCTOR_FIRMWARE, DOCTOR_LIMIT,
		     "update the firmware: OpenSBI 1.0 or later, or Holter's (SBI 0.3 or later)",
		     "it speaks SBI %d.%d, which has no PMU extension (that came with 0.3): cycles "
		     "and instructions count, nothing else, and nothing is sampled",
		     k->sbi_major, k->sbi_minor);
	else
		find(d, DOCTOR_FIRMWARE, DOCTOR_LIMIT,
		     "take firmware with the SBI's PMU extension: OpenSBI 1.0 or later, or "
		     "Holter's",
		     "the kernel has found no PMU extension in its SBI: cycles and instructions "
		     "count, nothing else, and nothing is sampled");
}

static void miscount(struct doctor *d)
{
	if (d->rows[DOCTOR_ROW_GENERAL].answer == DOCTOR_PARTLY)
		find(d, DOCTOR_HART, DOCTOR_REFUSAL,
		     "do not use its counts; a newer firmware or emulator may count right", "%s",
		     d->rows[DOCTOR_ROW_GENERAL].text);
	if (d->rows[DOCTOR_ROW_OS].answer == DOCTOR_PARTLY)
		find(d, DOCTOR_HART, DOCTOR_LIMIT,
		     "do not use usr and os here (QEMU 7.2 ignores them; a newer one, and Holter's "
		     "machine, do not)",
		     "it takes filters of modes and ignores them: os says %s",
		     d->rows[DOCTOR_ROW_OS].text);
}

/*
 * Returns whether the sampled event was on cycle or instret, which cannot raise an overflow
 * interrupt: Sscofpmf only defines it for the hpmcounters.
 */
static bool is_fixed(const struct doctor *d)
{
	const struct doctor_result *r = &d->rows[DOCTOR_ROW_READ];

	return d->known.arch == DOCTOR_RISCV && r->worked &&
	       (r->tries.at[0].value == 0 || r->tries.at[0].value == 2);
}

/* The kernel can sample, but overflow interrupts do not come, or come at the wrong time. */
static void lost_samples(struct doctor *d)
{
	const char *text = d->rows[DOCTOR_ROW_SAMPLE].text;

	if (d->known.snapshot)
		find(d, DOCTOR_FIRMWARE, DOCTOR_LIMIT,
		     "switch snapshots off, or take firmware that knows of it (Holter's)",
		     "it offers snapshots, with which Linux (up to 7.2 at least) restarts the "
		     "wrong "
		     "counters after an overflow: %s",
		     text);
	else if (d->known.arch == DOCTOR_RISCV && d->known.tree == DOCTOR_THERE &&
		 !d->known.tree_pmu)
		find(d, DOCTOR_TREE, DOCTOR_LIMIT,
		     "give the firmware a device tree with a riscv,pmu node that maps events to "
		     "counters which can overflow",
		     "there is no riscv,pmu node, so that firmware takes the fixed counters, which "
		     "raise no interrupt: %s",
		     text);
	else if (refused(d, DOCTOR_ROW_SAMPLE) && is_fixed(d))
		find(d, DOCTOR_TREE, DOCTOR_LIMIT,
		     "sample an event that another counter counts (holter list shows on which each "
		     "is), or map cycles and instructions to such counters, too, in the riscv,pmu "
		     "node",
		     "its riscv,pmu node maps the event to a fixed counter (cycle or instret), "
		     "which "
		     "raises no interrupt: %s",
		     text);
	else if (d->known.arch == DOCTOR_RISCV && refused(d, DOCTOR_ROW_SAMPLE))
		find(d, DOCTOR_FIRMWARE, DOCTOR_LIMIT,
		     "update the firmware; it must map the event to a counter that can overflow, "
		     "and delegate interrupt 13",
		     "no overflow interrupt arrives: %s", text);
	else
		find(d, DOCTOR_HART, DOCTOR_LIMIT,
		     "here a sample stands for a time, not for a number of events",
		     "its overflow interrupts do not come when they should: %s", text);
}

static void no_sampling(struct doctor *d)
{
	const struct doctor_result *r = &d->rows[DOCTOR_ROW_SAMPLE];
	const struct doctor_known *k = &d->known;

	if (r->answer == DOCTOR_PARTLY || (refused(d, DOCTOR_ROW_SAMPLE) && r->worked))
		lost_samples(d);
	if (!refused(d, DOCTOR_ROW_SAMPLE) || r->worked ||
	    (k->arch == DOCTOR_RISCV && k->sbi_driver != DOCTOR_THERE))
		return;
	if (k->arch != DOCTOR_RISCV)
		find(d, DOCTOR_HART, DOCTOR_LIMIT, NULL, "no sampling: %s", r->text);
	else if (k->own_overflow)
		find(d, DOCTOR_KERNEL, DOCTOR_LIMIT,
		     "take a kernel with CONFIG_ERRATA_THEAD_PMU, or CONFIG_ANDES_CUSTOM_PMU and "
		     "xandespmu in the device tree",
		     "it does not use the overflow interrupt that %s has: no sampling, no counting "
		     "of one mode alone",
		     k->cpu);
	else if (k->isa_sscofpmf)
		find(d, DOCTOR_KERNEL, DOCTOR_LIMIT, "look for the driver's messages above",
		     "it knows Sscofpmf and does not sample: %s", r->text);
	else if (k->tree_sscofpmf)
		find(d, DOCTOR_KERNEL, DOCTOR_LIMIT, "update the kernel to 5.18 or later",
		     "the device tree names Sscofpmf, and the kernel does not know it");
	else if (k->cpu_has_sscofpmf)
		find(d, DOCTOR_TREE, DOCTOR_LIMIT,
		     "add sscofpmf to riscv,isa-extensions of each CPU",
		     "it does not name Sscofpmf, which %s has: no sampling, no counting of one "
		     "mode "
		     "alone",
		     k->cpu);
	else
		find(d, DOCTOR_HART, DOCTOR_LIMIT,
		     "sampling takes a CPU with Sscofpmf (QEMU: -cpu rv64,sscofpmf=true; Holter: "
		     "holter run with another --cpu)",
		     "it has no Sscofpmf: events are counted, but not sampled, and not in user "
		     "mode "
		     "or in the kernel alone");
}

/* Two of the ten general events are cycles and instructions, which need no table. */
static void few_events(struct doctor *d)
{
	const struct doctor_known *k = &d->known;
	bool few = d->rows[DOCTOR_ROW_GENERAL].worked <= 2 && !d->rows[DOCTOR_ROW_CACHE].worked;

	if (k->arch != DOCTOR_RISCV || k->sbi_driver != DOCTOR_THERE || !few)
		return;
	if (k->tree == DOCTOR_THERE && !k->tree_pmu)
		find(d, DOCTOR_TREE, DOCTOR_LIMIT,
		     "give the firmware a device tree with a riscv,pmu node for this CPU (mainline "
		     "Linux has some; the vendor's manual has the selectors)",
		     "there is no riscv,pmu node, so that firmware knows of cycles and "
		     "instructions alone");
	else
		find(d, DOCTOR_TREE, DOCTOR_REMARK, NULL,
		     "its riscv,pmu node maps no general event but cycles and instructions, and no "
		     "cache event; raw selectors may count more");
}

/* The machine of holter run without --cpu has no models. */
static void no_models(struct doctor *d)
{
	const struct doctor_result *r = &d->rows[DOCTOR_ROW_GENERAL];

	if (!d->known.tree_holter || d->known.cpu || d->known.sbi_driver != DOCTOR_THERE)
		return;
	for (unsigned n = 0; n < r->tries.nr; n++) {
		if (r->tries.at[n].error && !strcmp(r->tries.at[n].event, "HW_CACHE_MISSES"))
			find(d, DOCTOR_HART, DOCTOR_REMARK,
			     "holter run --cpu NAME (holter cpu lists the CPUs)",
			     "this is Holter's machine without the models of a CPU: events of "
			     "caches and branch prediction do not happen");
	}
}

static void no_firmware_events(struct doctor *d)
{
	if (d->known.sbi_driver == DOCTOR_THERE && refused(d, DOCTOR_ROW_FIRMWARE))
		find(d, DOCTOR_FIRMWARE, DOCTOR_LIMIT, "update the firmware",
		     "it counts none of its own events");
}

static void no_user_reads(struct doctor *d)
{
	const struct doctor_known *k = &d->known;

	if (!refused(d, DOCTOR_ROW_READ) ||
	    (k->arch == DOCTOR_RISCV && k->sbi_driver != DOCTOR_THERE))
		return;
	if (k->user_access == 0)
		find(d, DOCTOR_PERMISSION, DOCTOR_LIMIT,
		     k->arch == DOCTOR_X86
			     ? "as root: echo 1 >/sys/bus/event_source/devices/cpu/rdpmc"
			     : "as root: sysctl kernel.perf_user_access=1",
		     "%s is 0: counters are read through system calls, at some thirty times the "
		     "cost",
		     k->arch == DOCTOR_X86 ? "rdpmc" : "perf_user_access");
	else if (k->arch == DOCTOR_RISCV && k->user_access == DOCTOR_NO_NUMBER)
		find(d, DOCTOR_KERNEL, DOCTOR_REMARK, "update the kernel to 6.6 or later",
		     "it does not let counters be read in user space; system calls read them");
	else
		find(d, DOCTOR_KERNEL, DOCTOR_REMARK, NULL,
		     "counters are not read in user space: %s", d->rows[DOCTOR_ROW_READ].text);
}

/*
 * Remarks
 */

static void remarks(struct doctor *d)
{
	const struct doctor_known *k = &d->known;

	if (k->harts_differ)
		find(d, DOCTOR_HART, DOCTOR_REMARK,
		     "pin what you count to harts of one kind (taskset)",
		     "the harts differ: an event may count on some of them only");
	if (k->implementation_known && k->implementation == SBI_IMPL_OPENSBI &&
	    k->version >= (1 << 16 | 8))
		find(d, DOCTOR_FIRMWARE, DOCTOR_REMARK,
		     "sample less often when samples stop coming (perf record -F 100)",
		     "OpenSBI since 1.8 loses a counter's overflow interrupt when Linux has "
		     "throttled it");
	if (!k->root && k->paranoid > 0 && k->paranoid < 3)
		find(d, DOCTOR_PERMISSION, DOCTOR_REMARK,
		     "as root: sysctl kernel.perf_event_paranoid=0",
		     "only root may count whole CPUs%s", k->paranoid == 2 ? " or the kernel" : "");
	if (!k->root && k->kptr_restrict > 0)
		find(d, DOCTOR_PERMISSION, DOCTOR_REMARK, "as root: sysctl kernel.kptr_restrict=0",
		     "kptr_restrict hides the kernel's addresses: samples in the kernel have no "
		     "names");
	if (!k->perf)
		find(d, DOCTOR_PERF, DOCTOR_REMARK, "Debian: apt-get install linux-perf",
		     "perf is not installed; holter does without");
}

static void judge_hardware(struct doctor *d)
{
	legacy(d);
	miscount(d);
	few_events(d);
	no_models(d);
	no_sampling(d);
	no_firmware_events(d);
	no_user_reads(d);
}

void doctor_judge(struct doctor *d)
{
	if (!works(d, DOCTOR_ROW_SOFTWARE))
		nothing_counts(d);
	else if (refused(d, DOCTOR_ROW_GENERAL))
		no_hardware(d);
	else
		judge_hardware(d);
	remarks(d);
}

const struct doctor_finding *doctor_verdict(const struct doctor *d)
{
	return d->findings.nr && d->findings.at[0].weight > DOCTOR_REMARK ? &d->findings.at[0]
									  : NULL;
}

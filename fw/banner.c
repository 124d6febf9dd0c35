// SPDX-License-Identifier: BSD-2-Clause
/*
 * banner.c - prints what the firmware found: one fact a line, one line a hart, and the reasons why
 * counters are missing.  holter-fw(7) explains each line.
 */
#include "banner.h"
#include "ecall.h"
#include "ext_base.h"
#include "ext_pmu.h"
#include "mdev.h"
#include "platform.h"
#include "print.h"

#define LABEL "  %-12s "

static bool before(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a < *b;
}

/* Prints the extensions that probe_extension finds, sorted by name. */
static void extensions(const struct hart *h)
{
	const struct sbi_ext *last = NULL, *next;
	unsigned i;

	print(LABEL, "extensions");
	do {
		next = NULL;
		for (i = 0; i < ECALL_SLOTS; i++) {
			const struct sbi_ext *e = ecall_table[i];

			if (e && (!last || before(last->name, e->name)) &&
			    (!next || before(e->name, next->name)))
				next = e;
		}
		if (next && (!next->probe || next->probe(h)))
			print("%s%s", last ? " " : "", next->name);
		last = next;
	} while (next);
	print("\n");
}

static void memory(void)
{
	unsigned i;

	for (i = 0; i < platform.nr_ram; i++)
		print(LABEL "0x%llx to 0x%llx\n", i ? "" : "memory",
		      (unsigned long long)platform.ram[i].base,
		      (unsigned long long)(platform.ram[i].base + platform.ram[i].size - 1));
}

static const char *timer_name(const struct hart *h)
{
	if (h->has_sstc)
		return "Sstc";
	return h->dt.mtimecmp ? "ACLINT" : "none";
}

static void console(void)
{
	print(LABEL "%s\n", "console", platform.console_name);
	if (platform.console_unknown[0])
		print(LABEL "a driver for %s, the console that stdout-path names\n",
		      "missing", platform.console_unknown);
}

/* Prints a range that S-mode must not access, and whether PMP protects it: platform.closed[i]. */
static void closed(const char *label, const char *name, const struct range *r, unsigned i)
{
	const struct hart *h = NULL;
	unsigned k;

	for (k = 0; k < hart_nr && !h; k++) {
		if (hart_at(k)->present && hart_at(k)->pmp_open >> i & 1)
			h = hart_at(k);
	}
	print(LABEL "%s%s0x%llx to 0x%llx, ", label, name, name[0] ? " " : "",
	      (unsigned long long)r->base, (unsigned long long)(r->base + r->size - 1));
	if (!h)
		print("closed by PMP\n");
	else
		print("OPEN to S-mode: hart %lu has %s\n", (unsigned long)h->id,
		      h->has_pmp ? "too few PMP entries" : "no PMP that can be set");
}

static void machine(const struct hart *h, rv_ulong next_addr, rv_ulong tree)
{
	unsigned i;

	print("\nHolter firmware %u.%u, SBI 3.0, RV%u\n", FW_VERSION_MAJOR, FW_VERSION_MINOR,
	      (unsigned)RV_XLEN);
	print(LABEL "%s\n", "platform", platform.model);
	memory();
	console();
	closed("firmware", "", &platform.fw, 0);
	for (i = 0; i < platform.nr_mdevs; i++)
		closed(i ? "" : "devices", platform.mdev[i].name, &platform.mdev[i].r,
		       mdev_closed(&platform.mdev[i]));
	print(LABEL "%s, %u Hz\n", "timer", timer_name(h), (unsigned)platform.timebase);
	print(LABEL "%s\n", "ipi", h->dt.msip ? "ACLINT" : "none");
	print(LABEL "%s%s%s\n", "reset", platform.poweroff.reg ? "poweroff " : "",
	      platform.reboot.reg ? "reboot" : "",
	      platform.poweroff.reg || platform.reboot.reg ? "" : "none");
	print(LABEL "hart %lu, 0x%lx in S-mode, device tree at 0x%lx\n", "next",
	      (unsigned long)h->id, (unsigned long)next_addr, (unsigned long)tree);
	extensions(h);
}

/* A mask of the hardware counters that the hart offers S-mode. */
static uint32_t counters(struct hart *h, unsigned *fw_ctrs)
{
	rv_ulong count = sbipmu_call(0, 0, 0, 0, 0, 0, SBI_PMU_NUM_COUNTERS, &h->pmu).value, i;
	uint32_t hw = 0;

	*fw_ctrs = 0;
	for (i = 0; i < count; i++) {
		struct sbiret r = sbipmu_call(i, 0, 0, 0, 0, 0, SBI_PMU_COUNTER_GET_INFO, &h->pmu);

		if (r.error)
			continue;
		if (r.value >> (RV_XLEN - 1))
			++*fw_ctrs;
		else
			hw |= (uint32_t)1 << i;
	}
	return hw;
}

/* Prints counters as "cycle:64 instret:64 3-18:64"; the number after the colon is the width. */
static void print_counters(uint32_t hw)
{
	const struct sbipmu_facts *f = &pmu.facts;
	unsigned i, end;

	if (!hw)
		print("none");
	for (i = 0; i < COUNTER_HW_MAX; i = end + 1) {
		end = i;
		if (!(hw >> i & 1))
			continue;
		while (i >= COUNTER_HPM_FIRST && end + 1 < COUNTER_HW_MAX && hw >> (end + 1) & 1 &&
		       f->width[end + 1] == f->width[i])
			end++;
		if (i == COUNTER_CY)
			print("cycle:%u", f->width[i]);
		else if (i == COUNTER_IR)
			print(" instret:%u", f->width[i]);
		else if (end > i)
			print(" %u-%u:%u", i, end, f->width[i]);
		else
			print(" %u:%u", i, f->width[i]);
	}
}

static void hart_line(struct hart *h)
{
	unsigned fw_ctrs;
	uint32_t hw;

	if (!h->present) {
		print("  %-5lu %s and cannot be started\n", (unsigned long)h->id,
		      h->unfit ? "has no S-mode" : "has not arrived");
		return;
	}
	hw = counters(h, &fw_ctrs);
	print("  %-5lu %-9s %-10s %-4u ", (unsigned long)h->id,
	      h->pmu.facts.sscofpmf ? "yes" : "no", h->pmu.facts.smcntrpmf ? "yes" : "no", fw_ctrs);
	print_counters(hw);
	print("\n");
}

static void print_set(const char *what, uint32_t ctrs)
{
	unsigned i;

	if (!ctrs)
		return;
	print(LABEL "counters", "missing");
	for (i = 0; i < COUNTER_HW_MAX; i++) {
		if (ctrs >> i & 1)
			print(" %u", i);
	}
	print(": %s\n", what);
}

static void missing(bool have_node)
{
	const struct sbipmu_facts *f = &pmu.facts;

	if (!f->mcountinhibit)
		print(LABEL "all hardware counters: without mcountinhibit they cannot be stopped\n",
		      "missing");
	else
		print_set("mcountinhibit cannot stop them", f->unstoppable);
	print_set("mcounteren cannot open them", f->closed);
	if (!f->sscofpmf)
		print(LABEL "sampling and mode filters: the hart has no Sscofpmf\n", "missing");
	else if (!f->smcntrpmf)
		print(LABEL "mode filters of cycle and instret: the hart has no Smcntrpmf\n",
		      "missing");
	if (!have_node)
		print(LABEL "hardware events except cycles and instructions: "
			    "no riscv,pmu node in the device tree\n",
		      "missing");
}

void banner(const struct hart *boot, rv_ulong next_addr, rv_ulong tree)
{
	unsigned i;

	machine(boot, next_addr, tree);
	print(LABEL "%u general and cache, %u raw rows; snapshots %s\n", "events", pmu.nr_events,
	      pmu.nr_raw_rows, pmu.snapshot ? "on" : "off");
	print("  hart  Sscofpmf  Smcntrpmf  fw   counters:bits\n");
	for (i = 0; i < hart_nr; i++)
		hart_line(hart_at(i));
	if (platform.nr_harts_ignored)
		print(LABEL "%u harts of the device tree: more than %u, or listed twice\n",
		      "missing", platform.nr_harts_ignored, HART_MAX);
	missing(pmu_has_node());
	print("\n");
}

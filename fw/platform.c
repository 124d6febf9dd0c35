// SPDX-License-Identifier: BSD-2-Clause
/*
 * platform.c - what the device tree says about the machine, read once at boot.
 *
 * Nodes that are used: cpus, memory, riscv,aclint-mswi and -mtimer or riscv,clint0 and
 * sifive,clint0, ns16550a, sifive,test0, syscon-poweroff and -reboot, chosen/stdout-path.
 * Addresses are taken as they stand: buses with a translating "ranges" are not supported.
 *
 * Implements: Devicetree Specification 0.4 §3 (cpus, memory, chosen); the Linux bindings of
 * the nodes above.
 */
#include "fw.h"

struct platform platform;
/* For start.S; set when the hart table is complete. */
extern unsigned platform_nr_harts;
unsigned platform_nr_harts;

bool platform_ram_ok(uint64_t addr, uint64_t size)
{
	const struct range *fw = &platform.fw;
	unsigned i;

	if (addr + size < addr || (addr < fw->base + fw->size && addr + size > fw->base))
		return false;
	for (i = 0; i < platform.nr_ram; i++) {
		const struct range *r = &platform.ram[i];

		if (addr >= r->base && addr - r->base <= r->size &&
		    size <= r->size - (addr - r->base))
			return true;
	}
	return false;
}

/* True if word is one of the parts of an ISA string such as "rv64imac_svadu". */
static bool isa_has(const char *isa, const char *word)
{
	const char *p, *q;

	while (*isa) {
		while (*isa && *isa != '_')
			isa++;
		if (*isa)
			isa++;
		for (p = isa, q = word; *q && *p == *q; p++, q++)
			;
		if (!*q && (!*p || *p == '_'))
			return true;
	}
	return false;
}

static bool cpu_has(const struct dtb *t, uint32_t node, const char *word)
{
	const char *isa = dtb_string(t, node, "riscv,isa");

	return dtb_string_in(t, node, "riscv,isa-extensions", word) || (isa && isa_has(isa, word));
}

static void add_cpu(const struct dtb *t, uint32_t node)
{
	uint32_t intc = dtb_child(t, node, "interrupt-controller");
	uint64_t id, unused;
	struct hart *h;

	if (!dtb_string_in(t, node, "device_type", "cpu") || !dtb_enabled(t, node) ||
	    !dtb_reg(t, node, 0, &id, &unused) || id > (rv_ulong)-2)
		return;
	if (platform.nr_harts == HART_MAX || hart_find((rv_ulong)id)) {
		platform.nr_harts_ignored++;
		return;
	}
	h = hart_at(platform.nr_harts);
	h->id = (rv_ulong)id;
	h->index = platform.nr_harts;
	h->state = SBI_HSM_STATE_STOPPED;
	h->dt.svadu = cpu_has(t, node, "svadu");
	h->dt.svade = cpu_has(t, node, "svade");
	if (intc != DTB_NONE)
		dtb_cell(t, intc, "phandle", 0, &h->dt.intc);
	hart_ids[platform.nr_harts++] = h->id;
}

static void find_cpus(const struct dtb *t)
{
	uint32_t cpus = dtb_path(t, "/cpus"), n;
	int depth = 0;

	if (cpus == DTB_NONE)
		return;
	dtb_cell(t, cpus, "timebase-frequency", 0, &platform.timebase);
	for (n = dtb_next(t, cpus, &depth); n != DTB_NONE && depth > 0;
	     n = dtb_next(t, n, &depth)) {
		if (depth == 1)
			add_cpu(t, n);
	}
}

static void find_memory(const struct dtb *t)
{
	uint64_t base, size;
	uint32_t n;
	unsigned i;

	for (n = dtb_root(t); n != DTB_NONE; n = dtb_next(t, n, NULL)) {
		if (!dtb_string_in(t, n, "device_type", "memory") || !dtb_enabled(t, n))
			continue;
		for (i = 0; dtb_reg(t, n, i, &base, &size) && platform.nr_ram < RAM_MAX; i++) {
			/* What a register cannot hold is not S-mode's to name either. */
			if (size && base + size - 1 >= base && base + size - 1 <= (rv_ulong)-1)
				platform.ram[platform.nr_ram++] = (struct range){ base, size };
		}
	}
}

/* A device's registers: named by the tree, addressable, and neither RAM nor firmware. */
static bool device_range(const struct dtb *t, uint32_t node, unsigned index, struct range *r)
{
	return dtb_reg(t, node, index, &r->base, &r->size) && r->size && r->base &&
	       r->base + r->size - 1 >= r->base && r->base + r->size - 1 <= (rv_ulong)-1 &&
	       !platform_ram_ok(r->base, 1) && !(r->base & 3) &&
	       (r->base >= platform.fw.base + platform.fw.size ||
		r->base + r->size <= platform.fw.base);
}

static volatile void *reg_at(const struct range *r, uint64_t offset, uint64_t size)
{
	return offset + size <= r->size ? (volatile void *)(uintptr_t)(r->base + offset) : NULL;
}

/* Once a device, though it may be compatible with two names that are looked for. */
static void close_device(const struct range *r)
{
	unsigned i;

	for (i = 0; i < platform.nr_mdevs; i++) {
		if (platform.mdev[i].base == r->base && platform.mdev[i].size == r->size)
			return;
	}
	if (platform.nr_mdevs < sizeof(platform.mdev) / sizeof(platform.mdev[0]))
		platform.mdev[platform.nr_mdevs++] = *r;
}

static struct hart *hart_of_intc(uint32_t phandle)
{
	unsigned i;

	for (i = 0; i < platform.nr_harts; i++) {
		if (hart_at(i)->dt.intc == phandle)
			return hart_at(i);
	}
	return NULL;
}

/*
 * interrupts-extended lists <interrupt controller of a hart, irq>; the n-th pair with that
 * irq belongs to the device's n-th register.  Gives the hart of it, NULL if not ours; false
 * at the end of the list.
 */
static bool nth_hart(const struct dtb *t, uint32_t node, uint32_t irq, unsigned n, struct hart **h)
{
	uint32_t intc, number;
	unsigned i;

	for (i = 0; dtb_cell(t, node, "interrupts-extended", i, &intc) &&
		    dtb_cell(t, node, "interrupts-extended", i + 1, &number);
	     i += 2) {
		if (number == irq && !n--) {
			*h = hart_of_intc(intc);
			return true;
		}
	}
	return false;
}

static void mswi_harts(const struct dtb *t, uint32_t node, const struct range *r)
{
	struct hart *h;
	unsigned n;

	for (n = 0; nth_hart(t, node, IRQ_M_SOFT, n, &h); n++) {
		if (h)
			h->dt.msip = reg_at(r, 4 * n, 4);
	}
}

static void mtimer_harts(const struct dtb *t, uint32_t node, const struct range *cmp,
			 uint64_t offset, volatile void *mtime)
{
	struct hart *h;
	unsigned n;

	for (n = 0; nth_hart(t, node, IRQ_M_TIMER, n, &h); n++) {
		if (h) {
			h->dt.mtimecmp = reg_at(cmp, offset + 8 * n, 8);
			h->dt.mtime = mtime;
		}
	}
}

/* SiFive's CLINT: MSWI at 0, mtimecmp at 0x4000, mtime at 0xbff8. */
static void find_clint(const struct dtb *t, const char *compatible)
{
	uint32_t n = DTB_NONE;
	struct range r;

	while ((n = dtb_compatible_next(t, n, compatible)) != DTB_NONE) {
		if (!device_range(t, n, 0, &r))
			continue;
		mswi_harts(t, n, &r);
		mtimer_harts(t, n, &r, 0x4000, reg_at(&r, 0xbff8, 8));
		close_device(&r);
	}
}

/* ACLINT: one device each; the timer's reg is mtime, mtimecmp, in this order. */
static void find_aclint(const struct dtb *t)
{
	uint32_t n = DTB_NONE;
	struct range r, cmp;

	while ((n = dtb_compatible_next(t, n, "riscv,aclint-mswi")) != DTB_NONE) {
		if (device_range(t, n, 0, &r)) {
			mswi_harts(t, n, &r);
			close_device(&r);
		}
	}
	while ((n = dtb_compatible_next(t, n, "riscv,aclint-mtimer")) != DTB_NONE) {
		if (!device_range(t, n, 0, &r) || !device_range(t, n, 1, &cmp))
			continue;
		mtimer_harts(t, n, &cmp, 0, reg_at(&r, 0, 8));
		close_device(&r);
		close_device(&cmp);
	}
}

/* The node of chosen/stdout-path, which may be an alias and may have ":options". */
static uint32_t stdout_node(const struct dtb *t)
{
	uint32_t chosen = dtb_path(t, "/chosen"), aliases = dtb_path(t, "/aliases"), i;
	const char *path = chosen == DTB_NONE ? NULL : dtb_string(t, chosen, "stdout-path");
	char name[128];

	for (i = 0; path && path[i] && path[i] != ':'; i++) {
		if (i == sizeof(name) - 1)
			return DTB_NONE;
		name[i] = path[i];
	}
	if (!path || !i)
		return DTB_NONE;
	name[i] = '\0';
	if (name[0] != '/' && aliases != DTB_NONE)
		path = dtb_string(t, aliases, name);
	else
		path = name;
	return path ? dtb_path(t, path) : DTB_NONE;
}

static void find_console(const struct dtb *t)
{
	uint32_t n = stdout_node(t), width = 1, shift = 0;
	struct range r;

	if (n == DTB_NONE || !dtb_compatible(t, n, "ns16550a") || !dtb_enabled(t, n))
		n = dtb_compatible_next(t, DTB_NONE, "ns16550a");
	if (n == DTB_NONE || !device_range(t, n, 0, &r))
		return;
	dtb_cell(t, n, "reg-io-width", 0, &width);
	dtb_cell(t, n, "reg-shift", 0, &shift);
	if ((width != 1 && width != 4) || shift > 3 || r.size < 8u << shift ||
	    (width == 4 && shift < 2))
		return;
	platform.console = r;
	platform.console_width = width;
	platform.console_shift = shift;
}

/* syscon-poweroff and syscon-reboot: a value for a register of the node that regmap names. */
static void find_syscon(const struct dtb *t, const char *compatible, struct finisher *f)
{
	uint32_t n = dtb_compatible_next(t, DTB_NONE, compatible), regmap, offset = 0, value, dev;
	struct range r;

	if (n == DTB_NONE || !dtb_cell(t, n, "value", 0, &value) ||
	    !dtb_cell(t, n, "regmap", 0, &regmap))
		return;
	dtb_cell(t, n, "offset", 0, &offset);
	dev = dtb_phandle(t, regmap);
	if (dev == DTB_NONE || offset & 3 || !device_range(t, dev, 0, &r))
		return;
	f->reg = reg_at(&r, offset, 4);
	f->value = value;
	f->is_test = false;
}

#define TEST_PASS  0x5555
#define TEST_RESET 0x7777

static void find_finishers(const struct dtb *t)
{
	uint32_t n = dtb_compatible_next(t, DTB_NONE, "sifive,test0");
	struct range r;

	find_syscon(t, "syscon-poweroff", &platform.poweroff);
	find_syscon(t, "syscon-reboot", &platform.reboot);
	if (n == DTB_NONE)
		n = dtb_compatible_next(t, DTB_NONE, "sifive,test1");
	if (n == DTB_NONE || !device_range(t, n, 0, &r))
		return;
	platform.poweroff = (struct finisher){ reg_at(&r, 0, 4), TEST_PASS, true };
	platform.reboot = (struct finisher){ reg_at(&r, 0, 4), TEST_RESET, true };
}

static void find_model(const struct dtb *t)
{
	const char *s = dtb_string(t, dtb_root(t), "model");
	unsigned i;

	if (!s)
		s = dtb_string(t, dtb_root(t), "compatible");
	for (i = 0; s && s[i] && i < sizeof(platform.model) - 1; i++)
		platform.model[i] = s[i] < ' ' || s[i] > '~' ? '?' : s[i];
}

bool platform_init(const struct dtb *t, struct range fw)
{
	platform = (struct platform){ .fw = fw };
	find_model(t);
	find_memory(t);
	find_cpus(t);
	find_clint(t, "sifive,clint0");
	find_clint(t, "riscv,clint0");
	find_aclint(t);
	find_console(t);
	find_finishers(t);
	platform_nr_harts = platform.nr_harts;
	return platform.nr_harts > 0;
}

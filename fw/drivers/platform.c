// SPDX-License-Identifier: BSD-2-Clause
/*
 * platform.c - reads the device tree once at boot.
 *
 * It reads these nodes: cpus, memory, the consoles of uart.c, sifive,test0, syscon-poweroff and
 * -reboot, chosen/stdout-path.  aclint.c and mdev.c find the devices of M-mode.
 * Addresses are not translated: a bus with a non-empty "ranges" is not supported.
 *
 * Implements: Devicetree Specification 0.4 §3 (cpus, memory, chosen); the Linux bindings of
 * the nodes above.
 */
#include <dtb.h>
#include <rv/sbi.h>

#include "hart.h"
#include "platform.h"

struct platform platform;

void platform_name(char *to, size_t size, const char *from)
{
	size_t i;

	for (i = 0; from[i] && i < size - 1; i++)
		to[i] = from[i] < ' ' || from[i] > '~' ? '?' : from[i];
	to[i] = '\0';
}

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

/* True if an ISA string such as "rv64imac_svadu" contains the extension word. */
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
	if (hart_nr == HART_MAX || hart_find((rv_ulong)id)) {
		platform.nr_harts_ignored++;
		return;
	}
	h = hart_at(hart_nr);
	h->id = (rv_ulong)id;
	h->index = hart_nr;
	h->state = SBI_HSM_STATE_STOPPED;
	h->dt.svadu = cpu_has(t, node, "svadu");
	h->dt.svade = cpu_has(t, node, "svade");
	if (intc != DTB_NONE)
		dtb_cell(t, intc, "phandle", 0, &h->dt.intc);
	hart_ids[hart_nr++] = h->id;
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
			/* An address that does not fit into a register is of no use to S-mode. */
			if (size && base + size - 1 >= base && base + size - 1 <= (rv_ulong)-1)
				platform.ram[platform.nr_ram++] = (struct range){ base, size };
		}
	}
}

bool platform_device(const struct dtb *t, uint32_t node, unsigned index, struct range *r)
{
	return dtb_reg(t, node, index, &r->base, &r->size) && r->size && r->base &&
	       r->base + r->size - 1 >= r->base && r->base + r->size - 1 <= (rv_ulong)-1 &&
	       !platform_ram_ok(r->base, 1) && !(r->base & 3) &&
	       (r->base >= platform.fw.base + platform.fw.size ||
		r->base + r->size <= platform.fw.base);
}

volatile void *platform_reg(const struct range *r, uint64_t offset, uint64_t size)
{
	return offset + size <= r->size ? (volatile void *)(uintptr_t)(r->base + offset) : NULL;
}

/* The node of chosen/stdout-path.  It may be an alias, and ":options" may follow it. */
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

/* If uart.c can drive node, makes it the platform's console and returns true. */
static bool take_console(const struct dtb *t, uint32_t node)
{
	const struct uart_driver *driver = uart_driver_of(t, node);
	uint32_t width = 1, shift = 0, offset = 0;
	struct range r;

	if (!driver || !dtb_enabled(t, node) || !platform_device(t, node, 0, &r))
		return false;
	dtb_cell(t, node, "reg-io-width", 0, &width);
	dtb_cell(t, node, "reg-shift", 0, &shift);
	dtb_cell(t, node, "reg-offset", 0, &offset);
	if ((width != 1 && width != 4) || shift > 3 || (width == 4 && shift < 2) ||
	    r.size < offset || r.size - offset < (uint64_t)driver->size << shift ||
	    (r.base + offset) & (driver->align - 1))
		return false;
	platform.console = (struct console){ r.base + offset, driver, shift, width };
	platform_name(platform.console_name, sizeof(platform.console_name), dtb_name(t, node));
	return true;
}

/* Takes the console of stdout-path; if uart.c cannot drive it, the first one that it can. */
static void find_console(const struct dtb *t)
{
	uint32_t wanted = stdout_node(t), n;

	if (wanted != DTB_NONE && take_console(t, wanted))
		return;
	if (wanted != DTB_NONE)
		platform_name(platform.console_unknown, sizeof(platform.console_unknown),
			      dtb_name(t, wanted));
	for (n = dtb_root(t); n != DTB_NONE && !take_console(t, n); n = dtb_next(t, n, NULL))
		;
}

/* syscon-poweroff and syscon-reboot: a value, and a register of the node of regmap. */
static void find_syscon(const struct dtb *t, const char *compatible, struct finisher *f)
{
	uint32_t n = dtb_compatible_next(t, DTB_NONE, compatible), regmap, offset = 0, value, dev;
	struct range r;

	if (n == DTB_NONE || !dtb_cell(t, n, "value", 0, &value) ||
	    !dtb_cell(t, n, "regmap", 0, &regmap))
		return;
	dtb_cell(t, n, "offset", 0, &offset);
	dev = dtb_phandle(t, regmap);
	if (dev == DTB_NONE || offset & 3 || !platform_device(t, dev, 0, &r))
		return;
	f->reg = platform_reg(&r, offset, 4);
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
	if (n == DTB_NONE || !platform_device(t, n, 0, &r))
		return;
	platform.poweroff = (struct finisher){ platform_reg(&r, 0, 4), TEST_PASS, true };
	platform.reboot = (struct finisher){ platform_reg(&r, 0, 4), TEST_RESET, true };
}

void platform_open(const struct dtb *t, struct range fw)
{
	const char *model = dtb_string(t, dtb_root(t), "model");

	platform = (struct platform){ .fw = fw };
	hart_nr = 0;
	if (!model)
		model = dtb_string(t, dtb_root(t), "compatible");
	if (model)
		platform_name(platform.model, sizeof(platform.model), model);
	find_memory(t);
	find_console(t);
}

void platform_init(const struct dtb *t)
{
	find_cpus(t);
	find_finishers(t);
}

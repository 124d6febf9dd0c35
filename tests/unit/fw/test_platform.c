// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_platform.c - platform.c, aclint.c and mdev.c of fw/drivers/: what the firmware reads from a
 * device tree, and which devices it closes to S-mode.
 */
#include "board_tree.h"
#include <uart.h>

static void cannot_be_closed(void)
{
	char name[32];
	unsigned i;

	device("mswi@1", "riscv,aclint-mswi", RAM + 0x200000, 0x1000);
	end();
	device("mswi@2", "riscv,aclint-mswi", FW + 0x1000, 0x1000);
	end();
	device("mswi@3", "riscv,aclint-mswi", RAM - 0x1000, 0x1001);
	end();
	begin("mswi@4");
	prop_string("compatible", "riscv,aclint-mswi");
	CELLS("reg", 0xffffffff, 0xfffff000, 0, 0x2000);
	end();
	device("mswi@5", "riscv,aclint-mswi", 0x6000000, 0);
	end();
	begin("mswi@6");
	prop_string("compatible", "riscv,aclint-mswi");
	end();
	/* There is room for 63 ranges, and the CLINT takes one. */
	for (i = 0; i < 65; i++) {
		snprintf(name, sizeof(name), "mswi@%x", 0x6000000 + 0x10000 * i);
		device(name, "riscv,aclint-mswi", 0x6000000 + 0x10000 * i, 0x4000);
		end();
	}
}

/* How many ranges of platform.closed are exactly this one. */
static unsigned is_closed(uint64_t base, uint64_t size)
{
	unsigned i, n = 0;

	for (i = 1; i < platform.nr_closed; i++)
		n += platform.closed[i].base == base && platform.closed[i].size == size;
	return n;
}

static void closes_every_device(void)
{
	struct options o = plain;
	struct dtb t;
	unsigned i;

	o.split = true;
	o.more = many_timers;
	ok(start(&o, &t, 0));
	is(lines, 0);
	is(platform.closed[0].base, FW);
	is(platform.closed[0].size, FW_SIZE);
	is(is_closed(0x2000000, 0xc000), 1);
	for (i = 0; i < 12; i++) {
		is(is_closed(0x3000000 + 0x100000 * i, 8), 1);
		is(is_closed(0x3008004 + 0x100000 * i, 0x7f), 1);
	}
	is(is_closed(0x4000000, 0x8000), 1);
	is(is_closed(0x5000001, 0x1001), 1);
	is(is_closed(0x6000000, 0x4000), 1);
	is(is_closed(0xc000000, 0x8000), 1);
	is(is_closed(0x14000000, 0x2000), 1);
	is(is_closed(0xe000000, 0x4000), 1);
	is(platform.nr_closed, 1 + 1 + 24 + 3 + 3);
	is(platform.nr_mdevs, 3 + 24 + 3 + 3);
	is_str(platform.mdev[0].name, "mswi@2000000");
	for (i = 0; i < platform.nr_mdevs; i++) {
		const struct range *c = &platform.closed[mdev_closed(&platform.mdev[i])];

		ok(platform.mdev[i].r.base >= c->base &&
		   platform.mdev[i].r.base + platform.mdev[i].r.size <= c->base + c->size);
	}
}

static void says_what_it_cannot_close(void)
{
	struct options o = plain;
	struct dtb t;

	o.more = cannot_be_closed;
	ok(start(&o, &t, 0));
	is(platform.nr_mdevs, MDEV_MAX);
	is(platform.nr_closed, CLOSED_MAX);
	/* The six lines above, and three for the row. */
	is(lines, 6 + 3);
}

/* Devices that nothing uses fill the tables; the first would make the range of the CLINT larger. */
static void dummies(void)
{
	char name[32];
	unsigned i;

	device("mswi@2010000", "riscv,aclint-mswi", 0x2010000, 0x4000);
	end();
	for (i = 0; i < 70; i++) {
		snprintf(name, sizeof(name), "mswi@%x", 0x6000000 + 0x10000 * i);
		device(name, "riscv,aclint-mswi", 0x6000000 + 0x10000 * i, 0x7004);
		end();
	}
}

static void writers(void)
{
	device("imsics@14000000", "riscv,imsics", 0x14000000, 0x2000);
	CELLS("interrupts-extended", 100, IRQ_M_EXT, 101, IRQ_M_EXT);
	end();
	device("aplic@e000000", "riscv,aplic", 0xe000000, 0x4000);
	CELLS("interrupts-extended", 100, IRQ_M_EXT);
	end();
	device("htif@f000000", "ucb,htif0", 0xf000000, 16);
	end();
}

static void closes_what_matters_first(void)
{
	static const struct {
		bool split;
		const char *console;
		struct range want[4];
	} rows[] = {
		{ false,
		  NULL,
		  { { 0x2000000, 0x10000 },
		    { 0xe000000, 0x4000 },
		    { 0xf000000, 16 },
		    { 0x14000000, 0x2000 } } },
		{ true,
		  NULL,
		  { { 0x2000000, 0xc000 },
		    { 0xe000000, 0x4000 },
		    { 0xf000000, 16 },
		    { 0x14000000, 0x2000 } } },
		/* The console is HTIF. */
		{ false,
		  "ucb,htif0",
		  { { 0x10000000, 0x100 },
		    { 0x2000000, 0x10000 },
		    { 0xe000000, 0x4000 },
		    { 0xf000000, 16 } } },
	};
	struct options o = plain;
	struct dtb t;
	unsigned i, k;

	o.before = dummies;
	o.more = writers;
	for (i = 0; i < TAP_NR(rows); i++) {
		tap_context("row %u", i);
		o.split = rows[i].split;
		o.console = rows[i].console;
		ok(start(&o, &t, 0));
		is(platform.closed[0].base, FW);
		for (k = 0; k < TAP_NR(rows[i].want); k++) {
			is(platform.closed[1 + k].base, rows[i].want[k].base);
			is(platform.closed[1 + k].size, rows[i].want[k].size);
		}
		is(platform.nr_mdevs, MDEV_MAX);
		/* A line for each device that does not fit. */
		is(lines, 71 + (o.split ? 6 : o.console ? 5 : 4) - MDEV_MAX);
	}
}

static void finds_consoles(void)
{
	static const char *const known[] = { "ns16550a",	 "ns16550",
					     "snps,dw-apb-uart", "intel,xscale-uart",
					     "spacemit,k1-uart", "sifive,uart0",
					     "ucb,htif0" };
	struct options o = plain;
	struct dtb t;
	unsigned i;

	for (i = 0; i < TAP_NR(known); i++) {
		tap_context("%s", known[i]);
		o.console = known[i];
		ok(start(&o, &t, 0));
		ok(platform.console.driver != NULL);
		is(platform.console.base, 0x10000000);
		is_str(platform.console_name, "serial@10000000");
		is_str(platform.console_unknown, "");
	}
}

static void other_uart(void)
{
	device("serial@11000000", "snps,dw-apb-uart", 0x11000000, 0x100);
	CELLS("reg-shift", 2);
	CELLS("reg-io-width", 4);
	CELLS("reg-offset", 0x40);
	end();
}

static void does_with_an_unknown_console(void)
{
	struct options o = plain;
	struct dtb t;

	o.console = "vendor,uart";
	ok(start(&o, &t, 0));
	ok(!platform.console.driver);
	is_str(platform.console_unknown, "serial@10000000");
	o.more = other_uart;
	ok(start(&o, &t, 0));
	is_str(platform.console_unknown, "serial@10000000");
	is_str(platform.console_name, "serial@11000000");
	is(platform.console.base, 0x11000040);
	is(platform.console.shift, 2);
	is(platform.console.width, 4);
}

static void finds_everything(void)
{
	struct options o = plain;
	struct dtb t;

	for (o.split = false;; o.split = true) {
		tap_context("split %d", o.split);
		ok(start(&o, &t, 0));
		is(hart_nr, 2);
		is(hart_at(1)->id, 4);
		is(hart_at(1)->index, 1);
		ok(!hart_at(0)->dt.svadu && hart_at(1)->dt.svadu && hart_at(1)->dt.svade);
		is((uintptr_t)hart_at(1)->dt.msip, 0x2000004);
		is((uintptr_t)hart_at(0)->dt.mtimecmp, 0x2004000);
		is((uintptr_t)hart_at(1)->dt.mtimecmp, 0x2004008);
		is((uintptr_t)hart_at(1)->dt.mtime, 0x200bff8);
		is(platform.nr_mdevs, o.split ? 3 : 1);
		/* Adjacent ranges need one entry. */
		is(platform.nr_closed, 2);
		is(platform.timebase, 10000000);
		/* The second range wraps and is left out. */
		is(platform.nr_ram, 1);
		is(platform.console.base, 0x10000000);
		is((uintptr_t)platform.poweroff.reg, 0x100000);
		is(platform.poweroff.value, 0x5555);
		is(platform.reboot.value, 0x7777);
		is_str(platform.model, "bad?name");
		if (o.split)
			break;
	}
}

static void finds_syscon(void)
{
	struct options o = plain;
	struct dtb t;

	o.syscon = true;
	ok(start(&o, &t, 0));
	is((uintptr_t)platform.poweroff.reg, 0x100008);
	is(platform.poweroff.value, 0x1234);
	ok(!platform.reboot.reg);
}

static void ignores_what_is_listed_twice(void)
{
	static const uint32_t ids[] = { 3, 3, 0xffffffff, 1 };
	struct options o = { .nr_cpus = 4, .ids = ids };
	struct dtb t;

	ok(start(&o, &t, 0));
	is(hart_nr, 3);
	is(platform.nr_harts_ignored, 1);
	o.nr_cpus = 0;
	ok(!start(&o, &t, 0));
}

static void says_what_is_ram(void)
{
	static const struct {
		uint64_t addr, size;
		bool is_ram;
	} rows[] = {
		{ RAM + FW_SIZE, 1, true },
		{ RAM + FW_SIZE - 1, 1, false },
		{ RAM + FW_SIZE - 1, 2, false },
		{ RAM, 1, false },
		{ RAM - 1, 1, false },
		{ RAM - 1, 0x200000, false },
		{ RAM + FW_SIZE, RAM_SIZE - FW_SIZE, true },
		{ RAM + FW_SIZE, RAM_SIZE - FW_SIZE + 1, false },
		{ RAM + RAM_SIZE - 1, 1, true },
		{ RAM + RAM_SIZE, 1, false },
		{ RAM + RAM_SIZE - 1, UINT64_MAX, false },
		{ UINT64_MAX, 1, false },
		{ UINT64_MAX - 15, 16, false },
		{ 0x10000000, 4, false },
		{ 0, 1, false },
	};
	struct dtb t;
	unsigned i;

	ok(start(&plain, &t, 0));
	for (i = 0; i < TAP_NR(rows); i++) {
		tap_context("row %u", i);
		is(platform_ram_ok(rows[i].addr, rows[i].size), rows[i].is_ram);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "finds harts, timers, console, finisher; CLINT and ACLINT", finds_everything },
		{ "finds syscon finishers", finds_syscon },
		{ "ignores harts listed twice; refuses none", ignores_what_is_listed_twice },
		{ "lists the memory that S-mode may use", says_what_is_ram },
		{ "closes every device of M-mode", closes_every_device },
		{ "names the devices that it cannot close", says_what_it_cannot_close },
		{ "closes first what is in use, then what writes to memory",
		  closes_what_matters_first },
		{ "finds consoles of every kind", finds_consoles },
		{ "names a console that has no driver", does_with_an_unknown_console },
	};

	return board_run(cases, TAP_NR(cases));
}

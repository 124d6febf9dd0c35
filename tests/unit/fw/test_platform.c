// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_platform.c - platform.c, aclint.c and mdev.c of fw/drivers/, and fw/fixup.c: what the
 * firmware reads from a device tree, and the tree that it passes to S-mode.
 *
 * RAM is a mapping at a fixed address below 4 GiB, so that a tree can be placed in it.
 */
#include <sys/mman.h>

#include "tap.h"
#include "dtbgen.h"
#include <aclint.h>
#include <dtb.h>
#include <fixup.h>
#include <hart.h>
#include <machine.h>
#include <mdev.h>
#include <platform.h>
#include <print.h>
#include <uart.h>

#define RAM	 0x20000000u
#define RAM_SIZE (64u << 20)
#define FW	 RAM
#define FW_SIZE	 0x100000u
#define KERNEL	 (RAM + 0x200000)

rv_ulong fake_csr[4096];
static unsigned lines;

void print(const char *format, ...)
{
	lines++;
}

/* ---- the machine that the cases change ---- */

struct options {
	unsigned nr_cpus;
	const uint32_t *ids;
	bool split; /* ACLINT devices instead of a CLINT */
	bool syscon; /* syscon finishers instead of the test device */
	uint32_t initrd, initrd_end;
	bool reserved; /* the tree already has a /reserved-memory node */
	void (*reserve)(void); /* writes the children of that node */
	void (*before)(void); /* writes devices in front of the timers */
	void (*more)(void); /* writes other devices */
	const char *console; /* its compatible */
};

static void cpus(const struct options *o)
{
	char name[32];
	unsigned i;

	begin("cpus");
	CELLS("#address-cells", 1);
	CELLS("#size-cells", 0);
	CELLS("timebase-frequency", 10000000);
	for (i = 0; i < o->nr_cpus; i++) {
		snprintf(name, sizeof(name), "cpu@%x", o->ids[i]);
		begin(name);
		prop_string("device_type", "cpu");
		CELLS("reg", o->ids[i]);
		prop_string("riscv,isa", i ? "rv64imac_svadu_svade" : "rv64imac_svadux_zicsr");
		begin("interrupt-controller");
		CELLS("phandle", 100 + i);
		end();
		end();
	}
	end();
}

static void interrupts(const struct options *o, uint32_t first, uint32_t second)
{
	uint32_t cells[64];
	unsigned i, n = 0;

	for (i = 0; i < o->nr_cpus; i++) {
		cells[n++] = 100 + i;
		cells[n++] = first;
		if (second) {
			cells[n++] = 100 + i;
			cells[n++] = second;
		}
	}
	prop_cells("interrupts-extended", n, cells);
}

static void timers(const struct options *o)
{
	if (o->split) {
		begin("mswi@2000000");
		prop_string("compatible", "riscv,aclint-mswi");
		CELLS("reg", 0, 0x2000000, 0, 0x4000);
		interrupts(o, IRQ_M_SOFT, 0);
		end();
		begin("mtimer@2004000");
		prop_string("compatible", "riscv,aclint-mtimer");
		CELLS("reg", 0, 0x200bff8, 0, 8, 0, 0x2004000, 0, 0x7ff8);
		interrupts(o, IRQ_M_TIMER, 0);
		end();
		return;
	}
	begin("clint@2000000");
	prop("compatible", "sifive,clint0\0riscv,clint0", 27);
	CELLS("reg", 0, 0x2000000, 0, 0x10000);
	interrupts(o, IRQ_M_SOFT, IRQ_M_TIMER);
	end();
}

static void finishers(const struct options *o)
{
	begin("test@100000");
	prop_string("compatible", o->syscon ? "syscon" : "sifive,test0");
	CELLS("reg", 0, 0x100000, 0, 0x1000);
	CELLS("phandle", 50);
	end();
	if (!o->syscon)
		return;
	begin("poweroff");
	prop_string("compatible", "syscon-poweroff");
	CELLS("regmap", 50);
	CELLS("offset", 8);
	CELLS("value", 0x1234);
	end();
}

static void machine(const struct options *o)
{
	dtbgen_start();
	begin("");
	CELLS("#address-cells", 2);
	CELLS("#size-cells", 2);
	prop_string("model", "bad\nname");
	cpus(o);
	begin("memory@20000000");
	prop_string("device_type", "memory");
	CELLS("reg", 0, RAM, 0, RAM_SIZE, 0xffffffff, 0xfffff000, 0, 0x2000);
	end();
	begin("aliases");
	prop_string("serial0", "/soc/serial@10000000");
	end();
	begin("chosen");
	prop_string("stdout-path", "serial0:115200n8");
	if (o->initrd) {
		CELLS("linux,initrd-start", 0, o->initrd);
		CELLS("linux,initrd-end", 0, o->initrd_end);
	}
	end();
	if (o->reserved) {
		begin("reserved-memory");
		CELLS("#address-cells", 2);
		CELLS("#size-cells", 2);
		prop("ranges", NULL, 0);
		if (o->reserve)
			o->reserve();
		end();
	}
	begin("pmu");
	prop_string("compatible", "riscv,pmu");
	CELLS("riscv,event-to-mhpmcounters", 1, 1, 8);
	CELLS("riscv,event-to-mhpmevent", 1, 0, 1);
	CELLS("riscv,raw-event-to-mhpmcounters", 0, 1, 0, 0, 8);
	end();
	begin("soc");
	CELLS("#address-cells", 2);
	CELLS("#size-cells", 2);
	begin("serial@10000000");
	prop_string("compatible", o->console ? o->console : "ns16550a");
	CELLS("reg", 0, 0x10000000, 0, 0x100);
	end();
	if (o->before)
		o->before();
	timers(o);
	finishers(o);
	if (o->more)
		o->more();
	end();
	end();
}

static const uint32_t two[] = { 0, 4 };
static const struct options plain = { .nr_cpus = 2, .ids = two };

/* Opens the tree of the machine o; the tree lies at where in RAM if that is not 0. */
static bool start(const struct options *o, struct dtb *t, uint32_t where)
{
	unsigned char *blob, *at;
	uint32_t total;

	memset(hart_slot, 0, sizeof(hart_slot));
	memset(hart_ids, 0, sizeof(hart_ids));
	lines = 0;
	machine(o);
	blob = dtbgen_finish(false, 0, &total);
	at = (unsigned char *)(uintptr_t)(where ? where : RAM + RAM_SIZE - 0x200000);
	memcpy(at, blob, total);
	free(blob);
	if (dtb_open(t, at, 0x100000))
		return false;
	platform_open(t, (struct range){ FW, FW_SIZE });
	platform_init(t);
	aclint_init(t);
	mdev_init(t);
	return hart_nr > 0;
}

/* ---- devices of M-mode ---- */

/* A node with a compatible and one range; the caller ends it. */
static void device(const char *name, const char *compatible, uint32_t base, uint32_t size)
{
	begin(name);
	prop_string("compatible", compatible);
	CELLS("reg", 0, base, 0, size);
}

static void domains(void)
{
	device("aplic@c000000", "riscv,aplic", 0xc000000, 0x8000);
	CELLS("msi-parent", 60);
	CELLS("riscv,children", 62);
	end();
	device("aplic@d000000", "riscv,aplic", 0xd000000, 0x8000);
	CELLS("phandle", 62);
	CELLS("msi-parent", 61);
	end();
	device("imsics@14000000", "riscv,imsics", 0x14000000, 0x2000);
	CELLS("phandle", 60);
	CELLS("interrupts-extended", 100, IRQ_M_EXT, 101, IRQ_M_EXT);
	end();
	device("imsics@18000000", "riscv,imsics", 0x18000000, 0x2000);
	CELLS("phandle", 61);
	CELLS("interrupts-extended", 100, IRQ_S_EXT, 101, IRQ_S_EXT);
	end();
	/* An APLIC of M-mode whose interrupts go to the harts by wires. */
	device("aplic@e000000", "riscv,aplic", 0xe000000, 0x4000);
	CELLS("interrupts-extended", 100, IRQ_M_EXT);
	end();
	device("aplic@f000000", "riscv,aplic", 0xf000000, 0x4000);
	CELLS("interrupts-extended", 100, IRQ_S_EXT);
	end();
}

static void many_timers(void)
{
	char name[32];
	unsigned i;

	for (i = 0; i < 12; i++) {
		snprintf(name, sizeof(name), "mtimer@%x", 0x3000000 + 0x100000 * i);
		begin(name);
		prop_string("compatible", "riscv,aclint-mtimer");
		CELLS("reg", 0, 0x3000000 + 0x100000 * i, 0, 8, 0, 0x3008004 + 0x100000 * i, 0,
		      0x7f);
		end();
	}
	/* One register only, a device without a driver, and one that is disabled. */
	device("mtimer@4000000", "riscv,aclint-mtimer", 0x4000000, 0x8000);
	end();
	device("clint@5000000", "thead,c900-clint", 0x5000001, 0x1001);
	end();
	device("mswi@6000000", "riscv,aclint-mswi", 0x6000000, 0x4000);
	prop_string("status", "disabled");
	end();
	domains();
}

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

/* ---- consoles ---- */

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

/* ---- cases ---- */

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

/* Checks that the tree is as S-mode should get it. */
static void check_tree(rv_ulong addr, const struct options *o)
{
	uint64_t base = 0, size = 0;
	struct dtb t;
	uint32_t n;

	ok(platform_ram_ok(addr, 4));
	is_str(dtb_open(&t, (void *)(uintptr_t)addr, 0x100000), NULL);
	n = dtb_path(&t, "/reserved-memory/firmware");
	ok(n != DTB_NONE && dtb_reg(&t, n, 0, &base, &size));
	is(base, FW);
	is(size, FW_SIZE);
	ok(dtb_prop(&t, n, "no-map", NULL) != NULL);
	n = dtb_path(&t, "/pmu");
	ok(dtb_compatible(&t, n, "riscv,pmu"));
	ok(!dtb_prop(&t, n, "riscv,event-to-mhpmevent", NULL));
	ok(!dtb_prop(&t, n, "riscv,event-to-mhpmcounters", NULL));
	ok(!dtb_prop(&t, n, "riscv,raw-event-to-mhpmcounters", NULL));
	is_str(dtb_string(&t, dtb_path(&t, "/chosen"), "stdout-path"), "serial0:115200n8");
	n = dtb_path(&t, "/cpus");
	ok(dtb_child(&t, n, o->nr_cpus ? "cpu" : "none") != DTB_NONE || !o->nr_cpus);
	is(lines, 0);
}

static void leaves_a_tree_where_it_is(void)
{
	struct options o = plain;
	struct dtb t;

	for (o.reserved = false;; o.reserved = true) {
		memset((void *)(uintptr_t)KERNEL, 0, 64);
		ok(start(&o, &t, RAM + 0x3000000));
		is(fixup_tree(&t, KERNEL), RAM + 0x3000000);
		check_tree(RAM + 0x3000000, &o);
		if (o.reserved)
			break;
	}
}

static void moves_a_tree_out_of_the_way(void)
{
	unsigned char *kernel = (unsigned char *)(uintptr_t)KERNEL;
	struct options o = plain;
	struct dtb t;
	rv_ulong at;

	/* The tree lies within 16 MiB of a payload whose size is unknown. */
	memset(kernel, 0, 64);
	ok(start(&o, &t, KERNEL + 0x800000));
	at = fixup_tree(&t, KERNEL);
	ok(at >= KERNEL + 0x1000000);
	check_tree(at, &o);

	/*
	 * The tree lies within a kernel of 40 MiB, beyond the 16 MiB for unknown sizes, and the RAM
	 * disk follows the kernel.
	 */
	memcpy(kernel + 0x38, "RSC\5", 4);
	kernel[0x10 + 3] = 0x02;
	kernel[0x10 + 2] = 0x80;
	o.initrd = RAM + RAM_SIZE - 0x400000;
	o.initrd_end = RAM + RAM_SIZE;
	ok(start(&o, &t, KERNEL + 0x2000000));
	at = fixup_tree(&t, KERNEL);
	ok(at >= KERNEL + 0x2800000 && at + 0x2000 < o.initrd);
	check_tree(at, &o);

	/* The tree lies right below the firmware and has no room to grow. */
	memset(kernel, 0, 64);
	ok(start(&plain, &t, RAM + RAM_SIZE - 0x800));
	at = fixup_tree(&t, KERNEL);
	ok(at < RAM + RAM_SIZE - 0x1000);
	check_tree(at, &plain);
}

#define NO_MAP	   (RAM + RAM_SIZE - 0x1000000)
#define NO_MAP_TOO (NO_MAP - 0x1000000)
#define RESERVED   (NO_MAP_TOO - 0x200000)

static void two_regions(void)
{
	begin("secret");
	CELLS("reg", 0, NO_MAP, 0, 0x1000000, 0, NO_MAP_TOO, 0, 0x1000000);
	prop("no-map", NULL, 0);
	end();
	begin("dynamic");
	CELLS("size", 0, 0x100000);
	end();
	dtbgen.rsv[0][0] = RESERVED;
	dtbgen.rsv[0][1] = 0x1000;
	/* The place of the tree itself: some earlier boot stages reserve it. */
	dtbgen.rsv[1][0] = RAM + 0x1800000;
	dtbgen.rsv[1][1] = 0x1000;
	dtbgen.nr_rsv = 2;
}

static void respects_what_is_reserved(void)
{
	struct options o = plain;
	struct dtb t;
	rv_ulong at;

	memset((void *)(uintptr_t)KERNEL, 0, 64);
	o.reserved = true;
	o.reserve = two_regions;
	/* The tree lies within the payload: it moves below all three reservations. */
	ok(start(&o, &t, KERNEL + 0x800000));
	at = fixup_tree(&t, KERNEL);
	is(at, RESERVED - 0x200000);
	check_tree(at, &o);
	/* The tree would grow into a reservation. */
	ok(start(&o, &t, RESERVED - 0x1000));
	at = fixup_tree(&t, KERNEL);
	is(at, RESERVED - 0x200000);
	/* The reservation of its own place does not move the tree. */
	ok(start(&o, &t, RAM + 0x1800000));
	at = fixup_tree(&t, KERNEL);
	is(at, RAM + 0x1800000);
	check_tree(at, &o);
}

static void everything_reserved(void)
{
	begin("all");
	CELLS("reg", 0, 0, 0xffffffff, 0xffffffff);
	end();
}

static void disables_what_is_withheld(void)
{
	static const char *const nodes[] = { "/soc/aplic@c000000", "/soc/imsics@14000000",
					     "/soc/aplic@e000000", "/cpus/cpu@4" };
	static const char *const kept[] = { "/soc/aplic@d000000", "/soc/imsics@18000000",
					    "/soc/aplic@f000000", "/cpus/cpu@0",
					    "/soc/clint@2000000" };
	struct options o = plain;
	struct dtb t;
	unsigned i;

	memset((void *)(uintptr_t)KERNEL, 0, 64);
	o.more = domains;
	ok(start(&o, &t, RAM + 0x3000000));
	hart_at(1)->unfit = 1;
	check_tree(fixup_tree(&t, KERNEL), &o);
	for (i = 0; i < TAP_NR(nodes); i++) {
		tap_context("%s", nodes[i]);
		is_str(dtb_string(&t, dtb_path(&t, nodes[i]), "status"), "disabled");
	}
	for (i = 0; i < TAP_NR(kept); i++) {
		tap_context("%s", kept[i]);
		ok(dtb_path(&t, kept[i]) != DTB_NONE && dtb_enabled(&t, dtb_path(&t, kept[i])));
	}
}

/* A tree with random bytes in it; the RAM in it stays correct, so that the tree can be moved. */
static void outlives_any_tree(void)
{
	struct options o = plain;
	uint32_t seed = 1, total;
	unsigned i, k, opened = 0;
	unsigned char *blob;
	struct dtb t;

	o.more = many_timers;
	o.reserved = true;
	o.reserve = two_regions;
	machine(&o);
	blob = dtbgen_finish(false, 0, &total);
	for (i = 0; i < 3000; i++) {
		unsigned char *at = (unsigned char *)(uintptr_t)(RAM + 0x1800000);

		memcpy(at, blob, total);
		for (k = 0; k < 1 + i % 4; k++) {
			seed = seed * 1664525 + 1013904223;
			at[56 + (seed >> 8) % (total - 56)] = (unsigned char)(seed >> 24);
		}
		memset(hart_slot, 0, sizeof(hart_slot));
		if (dtb_open(&t, at, total))
			continue;
		opened++;
		platform_open(&t, (struct range){ FW, FW_SIZE });
		platform_init(&t);
		aclint_init(&t);
		mdev_init(&t);
		ok(platform.nr_closed >= 1 && platform.nr_closed <= CLOSED_MAX);
		ok(platform.nr_mdevs <= MDEV_MAX);
		platform.nr_ram = 1;
		platform.ram[0] = (struct range){ RAM, RAM_SIZE };
		fixup_tree(&t, KERNEL);
		is_str(dtb_open(&t, t.blob, 0x100000), NULL);
	}
	ok(opened > 1000);
	free(blob);
	/* All RAM is reserved: the tree stays. */
	o.more = NULL;
	o.reserve = everything_reserved;
	ok(start(&o, &t, KERNEL + 0x800000));
	is(fixup_tree(&t, KERNEL), KERNEL + 0x800000);
	ok(lines > 0);
}

/* Makes the payload a kernel that needs all memory behind it. */
static void large_kernel(void)
{
	unsigned char *kernel = (unsigned char *)(uintptr_t)KERNEL;

	memset(kernel, 0, 64);
	memcpy(kernel + 0x38, "RSC\5", 4);
	memset(kernel + 0x10, 0xff, 4); /* 4 GiB */
}

#define HIGH	  0x200000000000
#define HIGH_SIZE 0x1000000u

/* There is a gap of 1 MiB between the firmware and the kernel; no multiple of 2 MiB is in it. */
static void uses_small_gaps(void)
{
	struct options o = plain;
	struct dtb t;
	rv_ulong at;

	large_kernel();
	ok(start(&o, &t, KERNEL + 0x100000));
	/* Memory above 4 GiB comes last. */
	platform.ram[platform.nr_ram++] = (struct range){ HIGH, HIGH_SIZE };
	at = fixup_tree(&t, KERNEL);
	ok(at >= FW + FW_SIZE && at + t.total <= KERNEL);
	check_tree(at, &o);
	/* The initial RAM disk fills the gap, but for 32 KiB. */
	o.initrd = FW + FW_SIZE + 0x8000;
	o.initrd_end = KERNEL;
	ok(start(&o, &t, KERNEL + 0x100000));
	at = fixup_tree(&t, KERNEL);
	ok(at >= FW + FW_SIZE && at + t.total <= o.initrd);
	check_tree(at, &o);
}

static void uses_memory_above_4g(void)
{
	struct options o = plain;
	struct dtb t;
	rv_ulong at;

	if (mmap((void *)HIGH, HIGH_SIZE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED)
		return;
	large_kernel();
	o.initrd = FW + FW_SIZE;
	o.initrd_end = KERNEL;
	ok(start(&o, &t, KERNEL + 0x100000));
	platform.ram[platform.nr_ram++] = (struct range){ HIGH, HIGH_SIZE };
	at = fixup_tree(&t, KERNEL);
	is(at, HIGH + HIGH_SIZE - 0x200000);
	check_tree(at, &o);
	munmap((void *)HIGH, HIGH_SIZE);
}

static void says_when_there_is_no_room(void)
{
	struct options o = plain;
	struct dtb t;

	large_kernel();
	o.initrd = FW + FW_SIZE;
	o.initrd_end = KERNEL;
	ok(start(&o, &t, KERNEL + 0x100000));
	is(fixup_tree(&t, KERNEL), KERNEL + 0x100000);
	ok(lines > 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "finds harts, timers, console, finisher; CLINT and ACLINT", finds_everything },
		{ "finds syscon finishers", finds_syscon },
		{ "ignores harts listed twice; refuses none", ignores_what_is_listed_twice },
		{ "lists the memory that S-mode may use", says_what_is_ram },
		{ "leaves a tree where it can stay", leaves_a_tree_where_it_is },
		{ "moves a tree out of the way of kernel and ramdisk",
		  moves_a_tree_out_of_the_way },
		{ "closes every device of M-mode", closes_every_device },
		{ "names the devices that it cannot close", says_what_it_cannot_close },
		{ "closes first what is in use, then what writes to memory",
		  closes_what_matters_first },
		{ "finds consoles of every kind", finds_consoles },
		{ "names a console that has no driver", does_with_an_unknown_console },
		{ "keeps the tree out of reserved memory", respects_what_is_reserved },
		{ "disables devices that S-mode must not use", disables_what_is_withheld },
		{ "survives damaged trees", outlives_any_tree },
		{ "puts a tree into a small gap", uses_small_gaps },
		{ "puts a tree above 4 GiB if there is no other memory", uses_memory_above_4g },
		{ "reports that there is no room for the tree", says_when_there_is_no_room },
	};

	if (mmap((void *)(uintptr_t)RAM, RAM_SIZE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED) {
		printf("1..0 # SKIP no memory at %#x\n", RAM);
		return 0;
	}
	return tap_run(cases, TAP_NR(cases));
}

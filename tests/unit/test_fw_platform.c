// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_fw_platform.c - fw/platform.c and fw/fixup.c: what the firmware takes from a device
 * tree, and the tree that it hands on.
 *
 * RAM is a mapping at a fixed address below 4 GiB, so that a tree can be placed in it.
 */
#include <sys/mman.h>

#include "tap.h"
#include "dtbgen.h"
#include <fw.h>

#define RAM	 0x20000000u
#define RAM_SIZE (64u << 20)
#define FW	 RAM
#define FW_SIZE	 0x100000u
#define KERNEL	 (RAM + 0x200000)

rv_ulong fake_csr[4096];
union hart_slot hart_slot[HART_MAX];
rv_ulong hart_ids[HART_MAX];
static unsigned lines;

struct hart *hart_find(rv_ulong id)
{
	unsigned i;

	for (i = 0; i < platform.nr_harts; i++) {
		if (hart_ids[i] == id)
			return hart_at(i);
	}
	return NULL;
}

void print(const char *format, ...)
{
	lines++;
}

/* ---- the machine that the cases change ---- */

struct options {
	unsigned nr_cpus;
	const uint32_t *ids;
	bool split; /* ACLINT devices instead of a CLINT */
	bool syscon; /* instead of the test device */
	uint32_t initrd, initrd_end;
	bool reserved; /* has a /reserved-memory already */
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
	prop_string("compatible", "ns16550a");
	CELLS("reg", 0, 0x10000000, 0, 0x100);
	end();
	timers(o);
	finishers(o);
	end();
	end();
}

static const uint32_t two[] = { 0, 4 };
static const struct options plain = { .nr_cpus = 2, .ids = two };

/* Opens the machine of o, at where in RAM if not 0. */
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
	return !dtb_open(t, at, 0x100000) && platform_init(t, (struct range){ FW, FW_SIZE });
}

/* ---- cases ---- */

static void finds_everything(void)
{
	struct options o = plain;
	struct dtb t;

	for (o.split = false;; o.split = true) {
		tap_context("split %d", o.split);
		ok(start(&o, &t, 0));
		is(platform.nr_harts, 2);
		is(hart_at(1)->id, 4);
		is(hart_at(1)->index, 1);
		ok(!hart_at(0)->dt.svadu && hart_at(1)->dt.svadu && hart_at(1)->dt.svade);
		is((uintptr_t)hart_at(1)->dt.msip, 0x2000004);
		is((uintptr_t)hart_at(0)->dt.mtimecmp, 0x2004000);
		is((uintptr_t)hart_at(1)->dt.mtimecmp, 0x2004008);
		is((uintptr_t)hart_at(1)->dt.mtime, 0x200bff8);
		is(platform.nr_mdevs, o.split ? 3 : 1);
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
	is(platform.nr_harts, 3);
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

/* The tree is as S-mode should get it. */
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

	/* Within 16 MiB of a payload that does not say how big it is. */
	memset(kernel, 0, 64);
	ok(start(&o, &t, KERNEL + 0x800000));
	at = fixup_tree(&t, KERNEL);
	ok(at >= KERNEL + 0x1000000);
	check_tree(at, &o);

	/* Within a kernel of 40 MiB, beyond the guess, and the ramdisk behind it. */
	memcpy(kernel + 0x38, "RSC\5", 4);
	kernel[0x10 + 3] = 0x02;
	kernel[0x10 + 2] = 0x80;
	o.initrd = RAM + RAM_SIZE - 0x400000;
	o.initrd_end = RAM + RAM_SIZE;
	ok(start(&o, &t, KERNEL + 0x2000000));
	at = fixup_tree(&t, KERNEL);
	ok(at >= KERNEL + 0x2800000 && at + 0x2000 < o.initrd);
	check_tree(at, &o);

	/* Right below the firmware: no room to grow. */
	memset(kernel, 0, 64);
	ok(start(&plain, &t, RAM + RAM_SIZE - 0x800));
	at = fixup_tree(&t, KERNEL);
	ok(at < RAM + RAM_SIZE - 0x1000);
	check_tree(at, &plain);
}

static void says_when_there_is_no_room(void)
{
	unsigned char *kernel = (unsigned char *)(uintptr_t)KERNEL;
	struct dtb t;

	memset(kernel, 0, 64);
	memcpy(kernel + 0x38, "RSC\5", 4);
	memset(kernel + 0x10, 0xff, 4); /* a kernel of 4 GiB */
	ok(start(&plain, &t, KERNEL + 0x100000));
	is(fixup_tree(&t, KERNEL), KERNEL + 0x100000);
	ok(lines > 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "finds harts, timers, console, finisher; CLINT and ACLINT", finds_everything },
		{ "finds syscon finishers", finds_syscon },
		{ "ignores harts listed twice; refuses none", ignores_what_is_listed_twice },
		{ "says what S-mode may use as memory", says_what_is_ram },
		{ "leaves a tree where it can stay", leaves_a_tree_where_it_is },
		{ "moves a tree out of the way of kernel and ramdisk",
		  moves_a_tree_out_of_the_way },
		{ "says so when there is no room", says_when_there_is_no_room },
	};

	if (mmap((void *)(uintptr_t)RAM, RAM_SIZE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED) {
		printf("1..0 # SKIP no memory at %#x\n", RAM);
		return 0;
	}
	return tap_run(cases, TAP_NR(cases));
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board_tree.h - the device tree of a board with two harts for tests of fw/, and what a case may
 * change in it.  Opens it as the firmware does when it boots.
 *
 * RAM is a mapping at a fixed address below 4 GiB, so that a tree can be placed in it.
 */
#ifndef BOARD_TREE_H
#define BOARD_TREE_H

#include <sys/mman.h>

#include "tap.h"
#include "dtbgen.h"
#include <aclint.h>
#include <dtb.h>
#include <hart.h>
#include <machine.h>
#include <mdev.h>
#include <platform.h>
#include <print.h>

#define RAM	 0x20000000u
#define RAM_SIZE (64u << 20)
#define FW	 RAM
#define FW_SIZE	 0x100000u
#define KERNEL	 (RAM + 0x200000)

rv_ulong fake_csr[4096];
static unsigned lines; /* that the firmware has printed */

void print(const char *format, ...)
{
	lines++;
}

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

static inline void cpus(const struct options *o)
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

static inline void interrupts(const struct options *o, uint32_t first, uint32_t second)
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

static inline void timers(const struct options *o)
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

static inline void finishers(const struct options *o)
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

static inline void machine(const struct options *o)
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
static inline bool start(const struct options *o, struct dtb *t, uint32_t where)
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

/* Devices of M-mode that cases add */

/* A node with a compatible and one range; the caller ends it. */
static inline void device(const char *name, const char *compatible, uint32_t base, uint32_t size)
{
	begin(name);
	prop_string("compatible", compatible);
	CELLS("reg", 0, base, 0, size);
}

static inline void domains(void)
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

static inline void many_timers(void)
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

/*
 * Maps RAM and runs the cases; returns what main returns.  If something else lies at the address of
 * RAM, the test is skipped.
 */
static inline int board_run(const struct tap_case *cases, size_t nr)
{
	if (mmap((void *)(uintptr_t)RAM, RAM_SIZE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED) {
		printf("1..0 # SKIP no memory at %#x\n", RAM);
		return 0;
	}
	return tap_run(cases, nr);
}

#endif

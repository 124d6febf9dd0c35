// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_fixup.c - fw/fixup.c: the device tree that the firmware passes to S-mode, and its place in
 * memory.
 */
#include "board_tree.h"
#include <fixup.h>

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

/* Makes the payload a kernel that needs all memory after it. */
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
		{ "leaves a tree where it can stay", leaves_a_tree_where_it_is },
		{ "moves a tree out of the way of kernel and ramdisk",
		  moves_a_tree_out_of_the_way },
		{ "keeps the tree out of reserved memory", respects_what_is_reserved },
		{ "disables devices that S-mode must not use", disables_what_is_withheld },
		{ "survives damaged trees", outlives_any_tree },
		{ "puts a tree into a small gap", uses_small_gaps },
		{ "puts a tree above 4 GiB if there is no other memory", uses_memory_above_4g },
		{ "reports that there is no room for the tree", says_when_there_is_no_room },
	};

	return board_run(cases, TAP_NR(cases));
}

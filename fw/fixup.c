// SPDX-License-Identifier: BSD-2-Clause
/*
 * fixup.c - prepares the device tree for S-mode.
 *
 * Four things change.  The PMU's event tables are removed: they are for firmware only.  The
 * firmware's memory becomes a reserved region with no-map.  Interrupt domains of M-mode and harts
 * without S-mode are disabled.  The tree is moved if it overlaps the kernel, the initial RAM disk
 * or the firmware, or if it has no room to grow; it is never moved to a region that the tree
 * reserves.
 *
 * The size of the kernel is read from its header: a kernel that clears its .bss and overwrites its
 * own tree hangs without any message.
 *
 * Implements: Devicetree Specification 0.4 §3.5 (reserved-memory); Linux's binding riscv,pmu.yaml;
 * Linux's Documentation/arch/riscv/boot-image-header.rst.
 */
#include <dtb.h>

#include "fixup.h"
#include "hart.h"
#include "mdev.h"
#include "platform.h"
#include "print.h"

/* Room for the edits: mainly a status property for each hart and each interrupt domain. */
#define ROOM 8192
/* Alignment of a moved tree: large pages of the kernel if possible; a tree needs no more than 8. */
#define LARGE_PAGE (2 * 1024 * 1024)
#define ALIGNMENT  8

#define IMAGE_MAGIC_OFFSET 0x38
#define IMAGE_MAGIC	   0x05435352 /* "RSC\5" */
#define IMAGE_SIZE_OFFSET  0x10
/* The assumed size of a payload without that header. */
#define IMAGE_GUESS	   (16 * 1024 * 1024)

static struct range kernel_range(rv_ulong next_addr)
{
	const unsigned char *p = (const unsigned char *)(uintptr_t)next_addr;
	struct range r = { next_addr, IMAGE_GUESS };
	uint64_t size = 0;
	unsigned i;

	if (!platform_ram_ok(next_addr, 64))
		return r;
	for (i = 0; i < 8; i++)
		size |= (uint64_t)p[IMAGE_SIZE_OFFSET + i] << 8 * i;
	/* dtb_be32 reads big-endian; the header is little-endian. */
	if (dtb_be32(p + IMAGE_MAGIC_OFFSET) == __builtin_bswap32(IMAGE_MAGIC) && size &&
	    next_addr + size > next_addr)
		r.size = size;
	return r;
}

static struct range initrd_range(const struct dtb *t)
{
	uint32_t chosen = dtb_path(t, "/chosen");
	uint64_t start, end;

	if (chosen == DTB_NONE || !dtb_number(t, chosen, "linux,initrd-start", &start) ||
	    !dtb_number(t, chosen, "linux,initrd-end", &end) || end < start)
		return (struct range){ 0, 0 };
	return (struct range){ start, end - start };
}

static bool apart(uint64_t addr, uint64_t size, struct range r)
{
	/* No sums: r may end at the last address, and a wrong tree may claim more. */
	return !r.size || (addr < r.base ? r.base - addr >= size : addr - r.base >= r.size);
}

/* True if r overlaps addr; false if r contains own: the tree's own place may be reserved. */
static bool in_the_way(const struct range *r, uint64_t addr, uint64_t size, uint64_t own)
{
	return !apart(addr, size, *r) && !(own >= r->base && own - r->base < r->size);
}

/* Finds a region that the tree reserves and that overlaps addr. */
static bool reserved(const struct dtb *t, uint64_t addr, uint64_t size, uint64_t own,
		     struct range *r)
{
	uint32_t n = dtb_path(t, "/reserved-memory");
	int depth = 0;
	unsigned i;

	for (i = 0; dtb_reservation(t, i, &r->base, &r->size); i++) {
		if (in_the_way(r, addr, size, own))
			return true;
	}
	if (n == DTB_NONE)
		return false;
	while ((n = dtb_next(t, n, &depth)) != DTB_NONE && depth > 0) {
		for (i = 0; dtb_reg(t, n, i, &r->base, &r->size); i++) {
			if (in_the_way(r, addr, size, own))
				return true;
		}
	}
	return false;
}

/* The first address of something that overlaps addr; UINT64_MAX if there is nothing. */
static uint64_t obstacle(const struct dtb *t, uint64_t addr, uint64_t size, struct range kernel,
			 struct range initrd)
{
	struct range r;

	if (!apart(addr, size, kernel))
		return kernel.base;
	if (!apart(addr, size, initrd))
		return initrd.base;
	if (!apart(addr, size, platform.fw))
		return platform.fw.base;
	return reserved(t, addr, size, UINT64_MAX, &r) ? r.base : UINT64_MAX;
}

/* The highest free place of that size in RAM that ends at or before limit; 0 if there is none. */
static uint64_t place_below(const struct dtb *t, uint64_t size, struct range kernel,
			    struct range initrd, uint64_t limit, uint64_t step)
{
	unsigned i;

	for (i = 0; i < platform.nr_ram; i++) {
		const struct range *ram = &platform.ram[i];
		uint64_t end = ram->base + ram->size, addr;

		if (end > limit || end < ram->base)
			end = limit;
		while (end > ram->base && end - ram->base >= size) {
			addr = (end - size) & ~(step - 1);
			if (addr < ram->base)
				break;
			end = obstacle(t, addr, size, kernel, initrd);
			if (end == UINT64_MAX)
				return addr;
		}
	}
	return 0;
}

/* A free place of that size in RAM; 0 if there is none.  Looks in every gap. */
static uint64_t find_place(const struct dtb *t, uint64_t size, struct range kernel,
			   struct range initrd)
{
	/* Every kernel can access addresses below 4 GiB, and some want large pages. */
	static const struct {
		uint64_t limit, step;
	} wishes[] = {
		{ RV_BIT(32), LARGE_PAGE },
		{ RV_BIT(32), ALIGNMENT },
		{ UINT64_MAX, LARGE_PAGE },
		{ UINT64_MAX, ALIGNMENT },
	};
	uint64_t place = 0;
	unsigned i;

	for (i = 0; i < sizeof(wishes) / sizeof(wishes[0]) && !place; i++)
		place = place_below(t, size, kernel, initrd, wishes[i].limit, wishes[i].step);
	return place;
}

/* Copies n bytes; the blocks may overlap. */
static void move(unsigned char *to, const unsigned char *from, size_t n)
{
	size_t i;

	if (to < from) {
		for (i = 0; i < n; i++)
			to[i] = from[i];
	} else {
		for (i = n; i; i--)
			to[i - 1] = from[i - 1];
	}
}

/* Moves the tree if necessary; returns the size to which it may grow. */
static size_t place(struct dtb *t, rv_ulong next_addr)
{
	struct range kernel = kernel_range(next_addr), initrd = initrd_range(t), r;
	uint64_t here = (uintptr_t)t->blob, size = (uint64_t)t->total + ROOM, there;

	if (platform_ram_ok(here, size) && apart(here, size, kernel) && apart(here, size, initrd) &&
	    !reserved(t, here, size, here, &r))
		return size;
	there = find_place(t, size, kernel, initrd);
	if (!there) {
		print("holter: no room for the device tree; it stays at 0x%llx\n",
		      (unsigned long long)here);
		return t->total;
	}
	move((unsigned char *)(uintptr_t)there, t->blob, t->total);
	t->blob = (unsigned char *)(uintptr_t)there;
	return size;
}

static bool disable(struct dtb *t, size_t cap, uint32_t node)
{
	dtb_prop_drop(t, node, "status");
	return dtb_prop_add(t, cap, node, "status", "disabled", 9);
}

/* The next enabled node that S-mode must not use; DTB_NONE if there is none. */
static uint32_t next_withheld(const struct dtb *t)
{
	uint32_t n, cpus = dtb_path(t, "/cpus");
	uint64_t id, unused;
	int depth = 0;

	for (n = dtb_root(t); n != DTB_NONE; n = dtb_next(t, n, NULL)) {
		if (dtb_enabled(t, n) && mdev_is_domain(t, n))
			return n;
	}
	for (n = cpus; n != DTB_NONE && (n = dtb_next(t, n, &depth)) != DTB_NONE && depth > 0;) {
		const struct hart *h;

		if (depth != 1 || !dtb_enabled(t, n) || !dtb_reg(t, n, 0, &id, &unused) ||
		    !dtb_string_in(t, n, "device_type", "cpu"))
			continue;
		h = id > (rv_ulong)-2 ? NULL : hart_find((rv_ulong)id);
		if (!h || h->unfit)
			return n;
	}
	return DTB_NONE;
}

/* Disables interrupt domains of M-mode and harts without S-mode. */
static void disable_withheld(struct dtb *t, size_t cap)
{
	uint32_t n;

	while ((n = next_withheld(t)) != DTB_NONE && disable(t, cap, n))
		;
	if (n != DTB_NONE)
		print("holter: no room in the device tree to disable %s\n", dtb_name(t, n));
}

static void drop_pmu_tables(struct dtb *t)
{
	uint32_t n = DTB_NONE;

	while ((n = dtb_compatible_next(t, n, "riscv,pmu")) != DTB_NONE) {
		dtb_prop_drop(t, n, "riscv,event-to-mhpmevent");
		dtb_prop_drop(t, n, "riscv,event-to-mhpmcounters");
		dtb_prop_drop(t, n, "riscv,raw-event-to-mhpmcounters");
	}
}

/* Writes value as count cells to p. */
static unsigned char *put_cells(unsigned char *p, uint64_t value, uint32_t count)
{
	for (; count; count--, p += 4)
		dtb_put32(p, count > 2 ? 0 : (uint32_t)(count == 2 ? value >> 32 : value));
	return p;
}

/* The node /reserved-memory; adds it if it is missing, with the root's #address-cells. */
static uint32_t reserved_node(struct dtb *t, size_t cap, uint32_t ac, uint32_t sc)
{
	uint32_t n = dtb_path(t, "/reserved-memory");
	unsigned char cell[4];

	if (n != DTB_NONE)
		return n;
	n = dtb_node_add(t, cap, dtb_root(t), "reserved-memory");
	if (n == DTB_NONE || !dtb_prop_add(t, cap, n, "ranges", NULL, 0))
		return DTB_NONE;
	dtb_put32(cell, sc);
	if (!dtb_prop_add(t, cap, n, "#size-cells", cell, 4))
		return DTB_NONE;
	dtb_put32(cell, ac);
	return dtb_prop_add(t, cap, n, "#address-cells", cell, 4) ? n : DTB_NONE;
}

static bool reserve_firmware(struct dtb *t, size_t cap)
{
	uint32_t root = dtb_root(t), ac = 2, sc = 1, n;
	unsigned char reg[32], *end;

	dtb_cell(t, root, "#address-cells", 0, &ac);
	dtb_cell(t, root, "#size-cells", 0, &sc);
	if (ac < 1 || ac > 4 || sc < 1 || sc > 4)
		return false;
	n = reserved_node(t, cap, ac, sc);
	if (n == DTB_NONE)
		return false;
	/* The unit address is the firmware's base, so no other node has this name. */
	n = dtb_node_add(t, cap, n, "firmware@80000000");
	if (n == DTB_NONE || !dtb_prop_add(t, cap, n, "no-map", NULL, 0))
		return false;
	end = put_cells(reg, platform.fw.base, ac);
	end = put_cells(end, platform.fw.size, sc);
	return dtb_prop_add(t, cap, n, "reg", reg, (uint32_t)(end - reg));
}

rv_ulong fixup_tree(struct dtb *t, rv_ulong next_addr)
{
	size_t cap = place(t, next_addr);

	drop_pmu_tables(t);
	disable_withheld(t, cap);
	if (!reserve_firmware(t, cap))
		print("holter: cannot reserve the firmware's memory in the device tree; "
		      "S-mode must not touch it\n");
	return (uintptr_t)t->blob;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_fdt.c - any bytes as a device tree: lib/fdt reads and edits it; fw/drivers/platform.c and
 * mdev.c read the platform's devices from it.
 *
 * Must hold: no byte outside the blob is read (the sanitizer checks it).  No byte outside the blob
 * and its room is written.  An accepted blob is still valid after every edit.  The values that the
 * platform keeps are within its limits.
 */
#include <aclint.h>
#include <dtb.h>
#include <hart.h>
#include <machine.h>
#include <mdev.h>
#include <platform.h>
#include <print.h>

#include "fuzz.h"

#define ROOM 256

rv_ulong fake_csr[4096];
void print(const char *format, ...)
{
}

/* Calls every reading function on every node.  Returns the number of nodes. */
static unsigned read_everything(const struct dtb *t)
{
	uint32_t n, len, value;
	uint64_t a, b;
	int depth = 0;
	unsigned count = 0;

	for (n = dtb_root(t); n != DTB_NONE; n = dtb_next(t, n, &depth)) {
		must(depth >= 0 && depth < DTB_DEPTH_MAX);
		must((dtb_parent(t, n) == DTB_NONE) == (depth == 0));
		dtb_reg(t, n, 0, &a, &b);
		dtb_reg(t, n, 3, &a, &b);
		dtb_compatible(t, n, "riscv,pmu");
		dtb_enabled(t, n);
		dtb_string(t, n, "model");
		dtb_number(t, n, "reg", &a);
		dtb_cell(t, n, "interrupts-extended", 5, &value);
		dtb_child(t, n, "cpu");
		if (dtb_prop(t, n, "reg", &len))
			must(len <= t->st_len);
		count++;
	}
	for (len = 0; dtb_reservation(t, len, &a, &b); len++)
		must(len < t->total / 16);
	dtb_path(t, "/cpus/cpu@0");
	dtb_phandle(t, 1);
	dtb_compatible_next(t, DTB_NONE, "ns16550a");
	return count;
}

static void edit(struct dtb *t, size_t cap)
{
	unsigned nodes = read_everything(t);
	struct dtb again;
	uint32_t n;

	dtb_prop_drop(t, dtb_root(t), "compatible");
	must(!dtb_open(&again, t->blob, cap));
	must(read_everything(&again) == nodes);
	n = dtb_node_add(t, cap, dtb_root(t), "reserved-memory");
	if (n != DTB_NONE) {
		nodes++;
		dtb_prop_add(t, cap, n, "a-new-name", "12345", 5);
		dtb_prop_add(t, cap, n, "ranges", NULL, 0);
	}
	must(!dtb_open(&again, t->blob, cap));
	must(again.total == t->total && again.st == t->st && again.str == t->str);
	must(read_everything(&again) == nodes);
}

static void take_platform(const struct dtb *t)
{
	unsigned i;

	memset(hart_slot, 0, sizeof(hart_slot));
	memset(hart_ids, 0, sizeof(hart_ids));
	platform_open(t, (struct range){ 0x80000000, 0x100000 });
	platform_init(t);
	aclint_init(t);
	mdev_init(t);
	must(hart_nr <= HART_MAX && platform.nr_ram <= RAM_MAX);
	for (i = 0; i < platform.nr_ram; i++)
		must(platform.ram[i].base + platform.ram[i].size - 1 >= platform.ram[i].base);
	must(!platform_ram_ok(0x80000000, 1) && !platform_ram_ok(0x800fffff, 2));
	must(platform.model[sizeof(platform.model) - 1] == '\0');
	must(platform.nr_mdevs <= MDEV_MAX && platform.nr_closed <= CLOSED_MAX);
	for (i = 0; i < platform.nr_mdevs; i++) {
		const struct range *d = &platform.mdev[i].r;
		const struct range *c = &platform.closed[mdev_closed(&platform.mdev[i])];

		must(d->base + d->size <= 0x80000000 || d->base >= 0x80100000);
		must(c->base <= d->base && d->base + d->size <= c->base + c->size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char *exact = malloc(size ? size : 1), *roomy = malloc(size + ROOM);
	struct dtb t;

	/* One copy has the exact size, for reading; one has more room, for editing. */
	memcpy(exact, data, size);
	memcpy(roomy, data, size);
	if (!dtb_open(&t, exact, size)) {
		must(t.total <= size);
		read_everything(&t);
		take_platform(&t);
	}
	if (!dtb_open(&t, roomy, size))
		edit(&t, size + ROOM);
	free(exact);
	free(roomy);
	return 0;
}

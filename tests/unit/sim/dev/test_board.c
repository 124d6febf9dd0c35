/* SPDX-License-Identifier: BSD-2-Clause */
/* test_board.c - finisher, clock, and the device tree of the whole board. */
#include <libfdt.h>

#include "dev_board.h"
#include "tap.h"

static struct fake f;

static void finisher(void)
{
	struct device *d;

	fake_init(&f);
	d = finisher_create(&f.board);
	wr(d, 4, 4, 0x5555);
	wr(d, 0, 4, 0x1234);
	is(f.finished, 0);
	wr(d, 0, 4, 0x5555);
	is(f.finished, 1);
	is(f.status, 0);
	wr(d, 0, 4, 0x00073333);
	is(f.status, 7);
	wr(d, 0, 2, 0x3333);
	is(f.status, 1);
	is(f.reboots, 0);
	wr(d, 0, 4, 0x7777);
	is(f.reboots, 1);
	d->destroy(d);
	ok(fake_end(&f));
}

static uint64_t date(struct device *d)
{
	uint64_t low = rd(d, 0, 4);

	return rd(d, 4, 4) << 32 | low;
}

static void clock_and_alarm(void)
{
	struct device *d;
	uint64_t at;

	fake_init(&f);
	d = rtc_create(&f.board, fake_irq(&f, RTC_IRQ), RTC_EPOCH);
	is(date(d), RTC_EPOCH);
	fake_time(&f, 12345);
	is(date(d), RTC_EPOCH + 12345);
	at = RTC_EPOCH + 20000;
	wr(d, 0x10, 4, 1);
	wr(d, 0xc, 4, at >> 32);
	is(rd(d, 0x18, 4), 0);
	wr(d, 0x8, 4, at & 0xffffffff);
	is(rd(d, 0x18, 4), 1);
	ok(fake_save(&f, d));
	d->reset(d);
	ok(fake_restore(&f, d));
	fake_time(&f, 19999);
	ok(!f.line[RTC_IRQ]);
	fake_time(&f, 20000);
	ok(f.line[RTC_IRQ]);
	is(rd(d, 0x18, 4), 0);
	wr(d, 0x1c, 4, 1);
	ok(!f.line[RTC_IRQ]);
	/* An alarm in the past rings at once; a cleared one never rings. */
	wr(d, 0x8, 4, 0);
	ok(f.line[RTC_IRQ]);
	wr(d, 0x1c, 4, 1);
	wr(d, 0xc, 4, 0xffffffff);
	wr(d, 0x8, 4, 0);
	wr(d, 0x14, 4, 0);
	fake_time(&f, 1000000);
	ok(!f.line[RTC_IRQ]);
	/* The guest can set the date. */
	wr(d, 4, 4, 1);
	wr(d, 0, 4, 2);
	is(date(d), 0x100000002);
	d->destroy(d);
	d = rtc_create(&f.board, fake_irq(&f, RTC_IRQ), RTC_HOST);
	ok(date(d) > RTC_EPOCH - 365ull * 86400 * 1000000000);
	d->destroy(d);
	ok(fake_end(&f));
}

/* A tree with the nodes that the machine makes before its devices add theirs. */
static void plant(void *fdt, int size)
{
	char name[16];
	int cpus, node;

	is(fdt_create_empty_tree(fdt, size), 0);
	node = fdt_add_subnode(fdt, 0, "soc");
	cpus = fdt_add_subnode(fdt, 0, "cpus");
	ok(node > 0 && cpus > 0);
	for (int i = 1; i >= 0; i--) {
		snprintf(name, sizeof(name), "cpu@%d", i);
		node = fdt_add_subnode(fdt, cpus, name);
		node = fdt_add_subnode(fdt, node, "interrupt-controller");
		is(fdt_setprop_u32(fdt, node, "phandle", 1 + (uint32_t)i), 0);
	}
}

static uint32_t cell(const void *fdt, const char *path, const char *property, int i)
{
	int len;
	const fdt32_t *p = fdt_getprop(fdt, fdt_path_offset(fdt, path), property, &len);

	return p && 4 * i < len ? fdt32_to_cpu(p[i]) : 0xdead;
}

static void device_tree(void)
{
	static char fdt[16384];
	struct irq none[2] = { { 0 }, { 0 } };
	struct device *d[6];
	static const uint32_t clint[] = { 1, 3, 1, 7, 2, 3, 2, 7 };
	static const uint32_t plic[] = { 1, 11, 1, 9, 2, 11, 2, 9 };

	fake_init(&f);
	plant(fdt, sizeof(fdt));
	d[0] = clint_create(&f.board, 2, none, none);
	d[1] = plic_create(&f.board, 2, none, none);
	d[2] = finisher_create(&f.board);
	d[3] = serial_create(&f.board, none[0], -1, -1);
	d[4] = rtc_create(&f.board, none[0], RTC_EPOCH);
	d[5] = virtio_none_create((struct virtio_slot){ &f.board, 7, none[0] });
	for (unsigned i = 0; i < TAP_NR(d); i++)
		is(d[i]->dt(d[i], fdt, fdt_path_offset(fdt, "/soc"), 3), 0);
	for (int i = 0; i < 8; i++) {
		is(cell(fdt, "/soc/clint@2000000", "interrupts-extended", i), clint[i]);
		is(cell(fdt, "/soc/plic@c000000", "interrupts-extended", i), plic[i]);
	}
	is(cell(fdt, "/soc/plic@c000000", "phandle", 0), 3);
	is(cell(fdt, "/soc/plic@c000000", "riscv,ndev", 0), 96);
	is(cell(fdt, "/soc/plic@c000000", "reg", 1), 0xc000000);
	is(cell(fdt, "/soc/plic@c000000", "reg", 3), 0x600000);
	is(cell(fdt, "/poweroff", "regmap", 0), cell(fdt, "/soc/test@100000", "phandle", 0));
	is(cell(fdt, "/poweroff", "value", 0), 0x5555);
	is(cell(fdt, "/reboot", "value", 0), 0x7777);
	is(cell(fdt, "/soc/serial@10000000", "interrupts", 0), 10);
	is(cell(fdt, "/soc/rtc@101000", "interrupts", 0), 11);
	is(cell(fdt, "/soc/virtio_mmio@10008000", "interrupts", 0), 8);
	is(cell(fdt, "/soc/virtio_mmio@10008000", "interrupt-parent", 0), 3);
	/* A tree without room causes an error, not a crash. */
	plant(fdt, 700);
	for (unsigned i = 0; i < TAP_NR(d); i++) {
		if (d[i]->dt(d[i], fdt, fdt_path_offset(fdt, "/soc"), 3) < 0)
			break;
		ok(i < TAP_NR(d) - 1);
	}
	for (unsigned i = 0; i < TAP_NR(d); i++)
		d[i]->destroy(d[i]);
	ok(fake_end(&f));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the finisher ends the machine", finisher },
		{ "the clock tells the date, and its alarm rings", clock_and_alarm },
		{ "every device has its node", device_tree },
	};

	return tap_run(cases, TAP_NR(cases));
}

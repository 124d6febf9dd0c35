// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_aplic.c - fw/drivers/aplic.c: which sources it delegates and which addresses of messages it
 * sets.  The registers are memory at the address that the tree names.
 */
#include <sys/mman.h>

#include "tap.h"
#include "dtbgen.h"
#include <aplic.h>
#include <dtb.h>
#include <machine.h>
#include <platform.h>
#include <print.h>
#include <rv/trap.h>

#define ROOT	0xc000000u
#define SIZE	0x8000u
#define CHILD_A 11
#define CHILD_B 12
#define FILES_M 20
#define FILES_S 21
#define OLD	0x55555555u

rv_ulong fake_csr[4096];
static unsigned lines;

void print(const char *format, ...)
{
	lines++;
}

static uint32_t reg(unsigned offset)
{
	return *(volatile uint32_t *)(uintptr_t)(ROOT + offset);
}

struct root {
	const char *status, *property;
	uint32_t sources, size;
	unsigned nr_rows;
	uint32_t row[3][3];
	bool messages;
};

static void files(const char *name, uint32_t base, uint32_t phandle, uint32_t irq, uint32_t guest)
{
	begin(name);
	prop_string("compatible", "riscv,imsics");
	CELLS("reg", 0x1234, base, 0, 0x4000);
	CELLS("phandle", phandle);
	CELLS("interrupts-extended", 100, irq, 101, irq, 102, irq);
	if (guest)
		CELLS("riscv,guest-index-bits", guest);
	end();
}

static void child(const char *name, uint32_t base, uint32_t phandle, bool messages)
{
	begin(name);
	prop_string("compatible", "riscv,aplic");
	CELLS("reg", 0, base, 0, SIZE);
	CELLS("phandle", phandle);
	if (messages)
		CELLS("msi-parent", FILES_S);
	else
		CELLS("interrupts-extended", 100, IRQ_S_EXT);
	end();
}

static void tree(const struct root *o)
{
	dtbgen_start();
	begin("");
	CELLS("#address-cells", 2);
	CELLS("#size-cells", 2);
	child("aplic@d000000", 0xd000000, CHILD_A, o->messages);
	child("aplic@e000000", 0xe000000, CHILD_B, o->messages);
	begin("aplic@c000000");
	prop_string("compatible", "riscv,aplic");
	CELLS("reg", 0, ROOT, 0, o->size);
	CELLS("riscv,num-sources", o->sources);
	CELLS("riscv,children", CHILD_B, CHILD_A);
	if (o->nr_rows)
		prop_cells(o->property, 3 * o->nr_rows, o->row[0]);
	if (o->messages)
		CELLS("msi-parent", FILES_M);
	else
		CELLS("interrupts-extended", 100, IRQ_M_EXT);
	if (o->status)
		prop_string("status", o->status);
	end();
	files("imsics@24000000", 0x24000000, FILES_M, IRQ_M_EXT, 0);
	files("imsics@28000000", 0x28000000, FILES_S, IRQ_S_EXT, 3);
	end();
}

/* Sets up the APLIC of o, whose registers hold OLD before. */
static void set_up(const struct root *o)
{
	unsigned char *blob;
	uint32_t total, i;
	struct dtb t;

	for (i = 0; i < SIZE; i += 4)
		*(volatile uint32_t *)(uintptr_t)(ROOT + i) = OLD;
	lines = 0;
	tree(o);
	blob = dtbgen_finish(false, 0, &total);
	is_str(dtb_open(&t, blob, total), NULL);
	platform_open(&t, (struct range){ 0x80000000, 0x100000 });
	aplic_init(&t);
	free(blob);
}

static const struct root wired = {
	.property = "riscv,delegation",
	.sources = 96,
	.size = SIZE,
	.nr_rows = 2,
	.row = { { CHILD_A, 1, 63 }, { CHILD_B, 65, 96 } },
};

static void delegates(void)
{
	static const char *const names[] = { "riscv,delegation", "riscv,delegate" };
	struct root o = wired;
	unsigned n, i;

	for (n = 0; n < TAP_NR(names); n++) {
		tap_context("%s", names[n]);
		o.property = names[n];
		set_up(&o);
		is(reg(0), 0);
		for (i = 1; i <= 96; i++)
			is(reg(4 * i), i < 64 ? 0x401 : i == 64 ? 0 : 0x400);
		is(reg(4 * 97), OLD);
		/* No messages: these registers may not exist. */
		for (i = 0x1bc0; i <= 0x1bcc; i += 4)
			is(reg(i), OLD);
		is(lines, 0);
	}
}

static void sets_addresses_of_messages(void)
{
	struct root o = wired;

	o.messages = true;
	set_up(&o);
	is(reg(4 * 1), 0x401);
	is(reg(0x1bc0), 0x23424000);
	/* Three harts need two bits; groups begin at bit 24. */
	is(reg(0x1bc4), 2u << 12 | 0x1);
	is(reg(0x1bc8), 0x23428000);
	is(reg(0x1bcc), 3u << 20 | 0x1);
	is(lines, 0);
}

static void refuses_wrong_rows(void)
{
	static const uint32_t rows[][3] = {
		{ CHILD_A, 0, 5 }, { CHILD_A, 5, 4 }, { CHILD_A, 90, 97 },
		{ FILES_S, 1, 5 }, { 99, 1, 5 },      { CHILD_A, 1, 0xffffffff },
	};
	struct root o = wired;
	unsigned n, i;

	o.nr_rows = 1;
	for (n = 0; n < TAP_NR(rows); n++) {
		tap_context("row %u", n);
		memcpy(o.row[0], rows[n], sizeof(rows[n]));
		set_up(&o);
		for (i = 1; i <= 96; i++)
			is(reg(4 * i), 0);
		is(reg(4 * 97), OLD);
		is(lines, 1);
	}
}

static void leaves_alone(void)
{
	struct root o = wired;
	unsigned i, n;

	for (n = 0; n < 3; n++) {
		tap_context("case %u", n);
		o = wired;
		if (n == 0)
			o.status = "disabled";
		if (n == 1)
			o.sources = 1024;
		if (n == 2)
			o.size = 0x1000;
		set_up(&o);
		for (i = 0; i < SIZE; i += 4)
			is(reg(i), OLD);
		is(lines, n > 0);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "delegates the rows of the tree", delegates },
		{ "sets the addresses of messages", sets_addresses_of_messages },
		{ "reports wrong rows", refuses_wrong_rows },
		{ "leaves other devices as they are", leaves_alone },
	};

	if (mmap((void *)(uintptr_t)ROOT, SIZE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED) {
		printf("1..0 # SKIP no memory at %#x\n", ROOT);
		return 0;
	}
	return tap_run(cases, TAP_NR(cases));
}

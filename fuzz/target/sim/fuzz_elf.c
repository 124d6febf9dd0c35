// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_elf.c - hostile files as program, firmware, kernel and initrd (sim/machine/load.c, image.c).
 *
 * Input: a byte that chooses the kind of file, then the file, or two files of half the size.
 *
 * Must hold: no access outside the file or RAM (sanitizers).  The file is refused with one line,
 * or the machine has an entry address in RAM and a complete device tree, and runs.
 */
#define _GNU_SOURCE
#include <libfdt.h>

#include "load.h"
#include "machine.h"
#include "temp.h"

#define MEMORY (8u << 20)

enum { PROGRAM, FIRMWARE, KERNEL, INITRD, BOTH, ALL, USES };

static void stop(void *arg)
{
	machine_finish(arg, 0, false);
}

static struct machine *the_machine(void)
{
	static struct machine *m;
	const struct machine_options o = {
		.harts = 1,
		.memory = MEMORY,
		.counters = 29,
		.width = 64,
		.console_in = -1,
		.console_out = -1,
	};
	struct error_text why;

	if (!m)
		m = machine_create(&o, &why);
	if (!m)
		abort();
	htif_find(m, 0, 0);
	return m;
}

static void check_and_run(struct machine *m)
{
	must(cluster_ram(&m->cl, m->entry, 4) != NULL);
	must(!fdt_check_full(cluster_ram(&m->cl, m->boot_arg[0], 2 << 20), 2 << 20));
	machine_reset(m);
	m->board.wake_at(m, m->now + 500, stop, m);
	machine_run(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t loop[] = { 0x6f, 0, 0, 0 };
	unsigned use = size ? data[0] % USES : 0;
	size_t half = size / 2;
	struct temp_memory one, two, raw;
	struct machine *m = the_machine();
	struct boot b = { .append = "words" };
	struct error_text why = { "" };

	if (!size)
		return 0;
	temp_memory(&one, data + 1, use < BOTH ? size - 1 : half);
	temp_memory(&two, data + 1 + half, size - 1 - half);
	temp_memory(&raw, loop, sizeof(loop));
	b.program = use == PROGRAM ? one.path : NULL;
	b.firmware = use == FIRMWARE || use == BOTH ? one.path : use == PROGRAM ? NULL : raw.path;
	b.kernel = use == KERNEL || use == ALL ? one.path : use == BOTH ? two.path : NULL;
	b.initrd = use == INITRD ? one.path : use == ALL ? two.path : NULL;
	if (machine_load(m, &b, &why))
		check_and_run(m);
	else
		must(!strncmp(why.text, "/proc/self/fd/", 14) && !strchr(why.text, '\n'));
	close(one.fd);
	close(two.fd);
	close(raw.fd);
	return 0;
}

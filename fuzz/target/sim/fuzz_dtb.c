// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_dtb.c - hostile device trees that the user gives to the machine (sim/machine/fdt_given.c).
 *
 * Input: a byte with the options of the command line, then the tree.
 *
 * Must hold: no access outside the tree (sanitizers).  The tree is refused with a reason, or the
 * guest gets a complete tree that has what the options ask for.
 */
#include <libfdt.h>

#include "fuzz.h"
#include "machine.h"
#include "machine_fdt.h"

#define ROOM 8192

#define SAYS_MEMORY 1
#define SAYS_APPEND 2
#define SAYS_INITRD 4

static void check_tree(const void *fdt, unsigned says)
{
	int chosen = fdt_path_offset(fdt, "/chosen"), len;
	const char *args;

	must(!fdt_check_full(fdt, ROOM));
	must(chosen >= 0);
	args = fdt_getprop(fdt, chosen, "bootargs", &len);
	must(!(says & SAYS_APPEND) || (args && len == 6 && !memcmp(args, "words", 6)));
	must(!(says & SAYS_INITRD) ||
	     (fdt_getprop(fdt, chosen, "linux,initrd-end", &len) && len == 8));
	must(fdt_getprop(fdt, chosen, "rng-seed", &len) && len == 32);
	if (says & SAYS_MEMORY)
		must(fdt_getprop(fdt, fdt_path_offset(fdt, "/memory@80000000"), "reg", &len) !=
		     NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static _Alignas(8) uint8_t to[ROOM];
	static uint8_t ram;
	/* Of the machine, the code under test uses only where the memory is. */
	static struct machine m = { .cl.ram = &ram, .cl.ram_size = 8 << 20 };
	unsigned says = size ? data[0] : 0;
	const struct boot_words w = {
		.append = says & SAYS_APPEND ? "words" : NULL,
		.initrd = says & SAYS_INITRD ? 0x81000000 : 0,
		.initrd_end = says & SAYS_INITRD ? 0x81001000 : 0,
		.memory = says & SAYS_MEMORY,
	};
	struct error_text why = { "" };
	void *from;

	if (size < 2)
		return 0;
	/* A copy of the exact size, aligned like a mapped file. */
	from = malloc(size - 1);
	memcpy(from, data + 1, size - 1);
	if (machine_fdt_given(&m, &w, from, size - 1, to, ROOM, &why))
		check_tree(to, says);
	else
		must(*why.text && !strchr(why.text, '\n'));
	free(from);
	return 0;
}

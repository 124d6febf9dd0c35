// SPDX-License-Identifier: BSD-2-Clause
/*
 * fdt_given.c - takes a device tree from a file and completes it from the command line
 * (machine_fdt.h).
 *
 * The file is untrusted: libfdt checks all of it before the code here reads any of it.  The code
 * changes /chosen, and the memory nodes if --memory is given.  Everything else stays.
 *
 * Implements: devicetree specification 0.4, §3.4 (memory), §3.6 (chosen).
 */
#include <libfdt.h>
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "machine_fdt.h"

static bool refuse(struct error_text *why, const char *what, int error)
{
	return error_set(why, "%s%s%s", what, error ? ": " : "", error ? fdt_strerror(error) : "");
}

static bool is_memory(const void *fdt, int node)
{
	int len;
	const char *type = fdt_getprop(fdt, node, "device_type", &len);

	return type && len == sizeof("memory") && !memcmp(type, "memory", len);
}

/* The next memory node under the root after `node`; after 0 it is the first one. */
static int next_memory(const void *fdt, int node)
{
	node = node ? fdt_next_subnode(fdt, node) : fdt_first_subnode(fdt, 0);
	while (node >= 0 && !is_memory(fdt, node))
		node = fdt_next_subnode(fdt, node);
	return node;
}

/* Replaces all memory nodes by one that describes all RAM. */
static int put_memory(void *fdt, const struct machine *m)
{
	int node = next_memory(fdt, 0), error;

	while (node >= 0) {
		error = fdt_del_node(fdt, node);
		if (error)
			return error;
		node = next_memory(fdt, 0);
	}
	node = fdt_add_subnode(fdt, 0, "memory@80000000");
	if (node < 0)
		return node;
	error = fdt_setprop_string(fdt, node, "device_type", "memory");
	return error ? error
		     : fdt_appendprop_addrrange(fdt, 0, node, "reg", RAM_BASE, m->cl.ram_size);
}

static uint64_t cells(const fdt32_t *cell, int nr)
{
	uint64_t value = 0;

	while (nr--)
		value = value << 32 | fdt32_to_cpu(*cell++);
	return value;
}

/* Whether the machine has RAM everywhere where the tree describes memory. */
static bool memory_is_there(const void *fdt, const struct machine *m, struct error_text *why)
{
	int address = fdt_address_cells(fdt, 0), size = fdt_size_cells(fdt, 0), len, all = 0;

	if (address < 1 || address > 2 || size < 1 || size > 2)
		return refuse(why, "addresses and sizes have one or two cells", 0);
	for (int node = next_memory(fdt, 0); node >= 0; node = next_memory(fdt, node)) {
		const fdt32_t *reg = fdt_getprop(fdt, node, "reg", &len);

		for (len = reg ? len / 4 : 0; len >= address + size; len -= address + size) {
			uint64_t at = cells(reg, address), bytes = cells(reg + address, size);

			if (bytes && !cluster_ram(&m->cl, at, bytes)) {
				return error_set(
					why,
					"says %llu MiB of memory at %#llx, but RAM is %llu MiB at "
					"%#llx (see --memory)",
					(unsigned long long)bytes >> 20, (unsigned long long)at,
					(unsigned long long)m->cl.ram_size >> 20, RAM_BASE);
			}
			all += bytes != 0;
			reg += address + size;
		}
	}
	return all || refuse(why, "has no memory (see --memory)", 0);
}

static int put_chosen(const struct machine *m, void *fdt, const struct boot_words *w)
{
	int chosen = fdt_path_offset(fdt, "/chosen"), error = 0;

	if (chosen == -FDT_ERR_NOTFOUND)
		chosen = fdt_add_subnode(fdt, 0, "chosen");
	if (chosen < 0)
		return chosen;
	if (w->append)
		error = fdt_setprop_string(fdt, chosen, "bootargs", w->append);
	if (!error && w->initrd_end)
		error = fdt_setprop_u64(fdt, chosen, "linux,initrd-start", w->initrd);
	if (!error && w->initrd_end)
		error = fdt_setprop_u64(fdt, chosen, "linux,initrd-end", w->initrd_end);
	return error ? error : machine_fdt_seed(m, fdt, chosen);
}

bool machine_fdt_given(struct machine *m, const struct boot_words *w, const void *from,
		       uint64_t from_size, void *to, int size, struct error_text *why)
{
	int error;

	if (from_size < sizeof(struct fdt_header) || fdt_magic(from) != FDT_MAGIC)
		return refuse(why, "not a device tree (dtc -O dtb makes one of a source)", 0);
	/* Before fdt_check_full: in libfdt 1.6.1 it crashes on some trees of older versions. */
	if (fdt_version(from) < FDT_LAST_SUPPORTED_VERSION)
		return refuse(why, "a device tree of an old version (dtc writes 17)", 0);
	error = fdt_check_full(from, from_size);
	if (error)
		return refuse(why, "a device tree that is damaged", error);
	error = fdt_open_into(from, to, size);
	if (error)
		return refuse(why, "does not fit into 2 MiB", error);
	if (w->memory)
		error = put_memory(to, m);
	else if (!memory_is_there(to, m, why))
		return false;
	if (!error)
		error = put_chosen(m, to, w);
	if (!error)
		error = fdt_pack(to);
	return !error || refuse(why, "cannot be completed", error);
}

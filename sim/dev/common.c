/* SPDX-License-Identifier: BSD-2-Clause */
/* common.c - functions that all devices use.  Uses libfdt. */
#include <libfdt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common.h"

struct device *device_new(const struct device *proto, const struct board *board, size_t state_size)
{
	size_t head = (sizeof(struct device) + 15) & ~(size_t)15;
	struct device *d = calloc(1, head + state_size);

	if (!d)
		return NULL;
	*d = *proto;
	d->board = board;
	d->state = (char *)d + head;
	return d;
}

void device_free(struct device *d)
{
	free(d);
}

void *dev_refuse(struct error_text *why, const char *format, ...)
{
	va_list args;

	if (why) {
		va_start(args, format);
		error_vset(why, format, args);
		va_end(args);
	}
	return NULL;
}

static uint64_t low_mask(unsigned bytes)
{
	return bytes >= 8 ? UINT64_MAX : (1ull << (8 * bytes)) - 1;
}

uint64_t device_reg64_read(uint64_t reg, uint64_t offset, unsigned bytes)
{
	return reg >> (8 * (offset & 7)) & low_mask(bytes);
}

uint64_t device_reg64_write(uint64_t reg, uint64_t offset, unsigned bytes, uint64_t value)
{
	unsigned shift = 8 * (offset & 7);
	uint64_t mask = low_mask(bytes) << shift;

	return (reg & ~mask) | (value << shift & mask);
}

int device_node(void *fdt, int parent, const struct device *d, const char *compatible, int len)
{
	fdt64_t reg[2] = { cpu_to_fdt64(d->base), cpu_to_fdt64(d->size) };
	char name[64];
	int node, err;

	snprintf(name, sizeof(name), "%s@%llx", d->name, (unsigned long long)d->base);
	node = fdt_add_subnode(fdt, parent, name);
	if (node < 0)
		return node;
	err = fdt_setprop(fdt, node, "reg", reg, sizeof(reg));
	if (!err)
		err = fdt_setprop(fdt, node, "compatible", compatible, len);
	return err ? err : node;
}

int device_node_interrupt(void *fdt, int node, uint32_t plic, uint32_t num)
{
	int err = fdt_setprop_u32(fdt, node, "interrupts", num);

	return err ? err : fdt_setprop_u32(fdt, node, "interrupt-parent", plic);
}

int device_node_hart_interrupts(void *fdt, int node, unsigned nr, uint32_t first, uint32_t second)
{
	const uint32_t num[2] = { first, second };
	char path[64];
	uint32_t intc;
	int err = 0;

	for (unsigned i = 0; i < 2 * nr && !err; i++) {
		snprintf(path, sizeof(path), "/cpus/cpu@%x/interrupt-controller", i / 2);
		intc = fdt_get_phandle(fdt, fdt_path_offset(fdt, path));
		if (!intc)
			return -FDT_ERR_NOTFOUND;
		err = fdt_appendprop_u32(fdt, node, "interrupts-extended", intc);
		if (!err)
			err = fdt_appendprop_u32(fdt, node, "interrupts-extended", num[i & 1]);
	}
	return err;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * finisher.c - a register; a write to it ends the machine (SiFive's test finisher).
 *
 * It has no state.  Its device-tree node is a syscon.  The nodes /poweroff and /reboot tell Linux
 * and firmware which value to write.
 */
#include <libfdt.h>

#include "common.h"

#define FINISH_FAIL  0x3333
#define FINISH_PASS  0x5555
#define FINISH_RESET 0x7777

static uint64_t finisher_read(struct device *d, uint64_t offset, unsigned bytes)
{
	return 0;
}

static void finisher_write(struct device *d, uint64_t offset, unsigned bytes, uint64_t value)
{
	unsigned code = value >> 16 & 0xffff;

	if (offset != 0)
		return;
	switch (value & 0xffff) {
	case FINISH_FAIL:
		/* A failure with status 0 must not look like success. */
		d->board->finish(d->board->opaque, code ? code : 1, false);
		break;
	case FINISH_PASS:
		d->board->finish(d->board->opaque, 0, false);
		break;
	case FINISH_RESET:
		d->board->finish(d->board->opaque, 0, true);
		break;
	}
}

static void finisher_reset(struct device *d)
{
}

static bool finisher_state(struct device *d, const struct stream *s)
{
	return true;
}

/*
 * Adds a node under the root.  It says that writing value to the syscon does what compatible names.
 */
static int finisher_dt_use(void *fdt, const char *name, const char *compatible, uint32_t regmap,
			   uint32_t value)
{
	int node = fdt_add_subnode(fdt, 0, name);
	int err;

	if (node < 0)
		return node;
	err = fdt_setprop_u32(fdt, node, "value", value);
	if (!err)
		err = fdt_setprop_u32(fdt, node, "offset", 0);
	if (!err)
		err = fdt_setprop_u32(fdt, node, "regmap", regmap);
	if (!err)
		err = fdt_setprop_string(fdt, node, "compatible", compatible);
	return err;
}

static int finisher_dt(struct device *d, void *fdt, int soc, uint32_t plic)
{
	static const char compatible[] = "sifive,test1\0sifive,test0\0syscon";
	uint32_t phandle = plic + 1;
	int node = device_node(fdt, soc, d, compatible, sizeof(compatible));
	int err;

	if (node < 0)
		return node;
	err = fdt_setprop_u32(fdt, node, "phandle", phandle);
	if (!err)
		err = finisher_dt_use(fdt, "reboot", "syscon-reboot", phandle, FINISH_RESET);
	if (!err)
		err = finisher_dt_use(fdt, "poweroff", "syscon-poweroff", phandle, FINISH_PASS);
	return err;
}

struct device *finisher_create(const struct board *board)
{
	static const struct device proto = {
		.name = "test",
		.base = FINISHER_BASE,
		.size = 0x1000,
		.min_bytes = 2,
		.max_bytes = 4,
		.read = finisher_read,
		.write = finisher_write,
		.reset = finisher_reset,
		.save = finisher_state,
		.restore = finisher_state,
		.destroy = device_free,
		.dt = finisher_dt,
	};

	return device_new(&proto, board, 0);
}

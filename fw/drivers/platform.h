/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * platform.h - what the device tree says about the machine.  Written at boot only.
 */
#ifndef FW_PLATFORM_H
#define FW_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uart.h"

struct dtb;

#define RAM_MAX 16

struct range {
	uint64_t base, size;
};

struct finisher {
	volatile void *reg; /* NULL: none */
	uint32_t value; /* a write of it turns off or reboots */
	bool is_test; /* SiFive's test device: the value may contain an exit status */
};

/* One range of registers of a device that belongs to M-mode. */
struct mdev {
	struct range r;
	char name[32];
};

/* PMP has at most 64 entries.  The first range of platform.closed is the firmware. */
#define CLOSED_MAX 64
#define MDEV_MAX   (CLOSED_MAX - 1)

struct platform {
	struct range fw; /* the firmware itself */
	char model[64];
	unsigned nr_harts_ignored;
	unsigned nr_ram;
	struct range ram[RAM_MAX];
	uint32_t timebase; /* Hz; 0: unknown */
	unsigned nr_mdevs;
	struct mdev mdev[MDEV_MAX];
	unsigned nr_closed; /* ranges that S-mode must not access: the important ones first */
	struct range closed[CLOSED_MAX];
	struct finisher poweroff, reboot;
	struct console console;
	char console_name[32];
	char console_unknown[32]; /* the node of stdout-path, if uart.c has no driver for it */
};

extern struct platform platform;

/*
 * Called first: reads memory and console from t into platform.  fw is the firmware's own memory.
 * uart_init() may follow.
 */
void platform_open(const struct dtb *t, struct range fw);

/* Reads the rest of t, and fills the hart table. */
void platform_init(const struct dtb *t);

/*
 * Stores range number index of a device's registers in *r.  False if there is none, if it is not
 * aligned to 4 bytes, or if it lies in RAM or in the firmware's memory.
 */
bool platform_device(const struct dtb *t, uint32_t node, unsigned index, struct range *r);

/* The register of size bytes at offset of r; NULL if it is not inside r. */
volatile void *platform_reg(const struct range *r, uint64_t offset, uint64_t size);

/* Copies a text of the tree; cuts it to size, and replaces what is not printable by '?'. */
void platform_name(char *to, size_t size, const char *from);

/*
 * True if S-mode may use the size bytes at addr: all are in one RAM range, none is in the
 * firmware's memory, and the range does not wrap.
 */
bool platform_ram_ok(uint64_t addr, uint64_t size);

#endif

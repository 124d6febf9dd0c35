/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * common.h - what the devices share among themselves: making one, and its device-tree node.
 */
#ifndef SIM_DEV_COMMON_H
#define SIM_DEV_COMMON_H

#include "devices.h"

/*
 * A device like proto, with state_size zeroed bytes behind state, in one allocation that
 * device_free frees.  NULL: no memory.
 */
struct device *device_new(const struct device *proto, const struct board *board, size_t state_size);
void device_free(struct device *d);

/* Sets why to a formatted line; returns NULL, for "return dev_why(...)". */
__attribute__((format(printf, 2, 3))) void *dev_why(struct dev_why *why, const char *format, ...);

/*
 * Part of a 64-bit register that an access of bytes at offset reads, and the register after such
 * an access has written value.  offset is from the register's beginning.
 */
uint64_t reg64_read(uint64_t reg, uint64_t offset, unsigned bytes);
uint64_t reg64_write(uint64_t reg, uint64_t offset, unsigned bytes, uint64_t value);

/*
 * Adds the node name@base with reg and the list of compatible strings (len bytes, with each
 * NUL) under parent.  Returns it, or a negative libfdt error.
 */
int dt_device(void *fdt, int parent, const struct device *d, const char *compatible, int len);

/* Adds interrupt-parent and interrupts to node.  Returns 0 or a negative libfdt error. */
int dt_interrupt(void *fdt, int node, uint32_t plic, uint32_t num);

/*
 * Adds interrupts-extended: for each of nr harts its interrupt controller with interrupt first,
 * and again with second.  Returns 0 or a negative libfdt error.
 */
int dt_hart_interrupts(void *fdt, int node, unsigned nr, uint32_t first, uint32_t second);

#endif

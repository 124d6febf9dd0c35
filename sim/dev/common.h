/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * common.h - functions that the devices share: to allocate a device, and to add its device-tree
 * node.
 */
#ifndef SIM_DEV_COMMON_H
#define SIM_DEV_COMMON_H

#include "devices.h"

/*
 * Allocates a copy of proto.  Its state points to state_size zeroed bytes in the same allocation.
 * The caller frees both with device_free.  Returns NULL when there is no memory.
 */
struct device *device_new(const struct device *proto, const struct board *board, size_t state_size);
void device_free(struct device *d);

/*
 * Formats one line of text into why, if why is not NULL.  Returns NULL, so that a caller can write
 * "return dev_refuse(...)".
 */
__attribute__((format(printf, 2, 3))) void *dev_refuse(struct error_text *why, const char *format,
						       ...);

/*
 * Access to a part of a 64-bit register: bytes wide, at offset from the start of the register.
 * device_reg64_read returns that part of reg.  device_reg64_write returns reg with that part
 * replaced by value.
 */
uint64_t device_reg64_read(uint64_t reg, uint64_t offset, unsigned bytes);
uint64_t device_reg64_write(uint64_t reg, uint64_t offset, unsigned bytes, uint64_t value);

/*
 * Adds the node name@base under parent, with the properties reg and compatible.  compatible is a
 * list of strings of len bytes in all, each with its NUL.  Returns the node, or a negative libfdt
 * error.
 */
int device_node(void *fdt, int parent, const struct device *d, const char *compatible, int len);

/* Adds interrupt-parent and interrupts to node.  Returns 0 or a negative libfdt error. */
int device_node_interrupt(void *fdt, int node, uint32_t plic, uint32_t num);

/*
 * Adds interrupts-extended to node.  It has two entries for each of nr harts: the hart's interrupt
 * controller with interrupt number first, then with second.  Returns 0 or a negative libfdt error.
 */
int device_node_hart_interrupts(void *fdt, int node, unsigned nr, uint32_t first, uint32_t second);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fixup.h - prepares the device tree for S-mode.
 */
#ifndef FW_FIXUP_H
#define FW_FIXUP_H

#include <rv/xlen.h>

struct dtb;

/*
 * Moves the device tree if it overlaps something, removes the PMU tables, disables what S-mode must
 * not use, and reserves the firmware's memory.  Returns the address of the tree.
 */
rv_ulong fixup_tree(struct dtb *t, rv_ulong next_addr);

#endif

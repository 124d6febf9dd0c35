/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mdev.h - the devices that belong to M-mode.
 */
#ifndef FW_MDEV_H
#define FW_MDEV_H

#include <stdbool.h>
#include <stdint.h>

struct dtb;
struct mdev;

/*
 * Finds them and adds them to platform.closed, the important ones first: what the firmware uses,
 * then what could make others write to memory.  Prints which of them cannot be protected.
 * aclint_init() comes before.
 */
void mdev_init(const struct dtb *t);
/* True if node is an interrupt domain of M-mode: an APLIC or IMSIC interrupt files. */
bool mdev_is_domain(const struct dtb *t, uint32_t node);
/* The index of the first entry of platform.closed that contains d. */
unsigned mdev_closed(const struct mdev *d);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtb_walk.h - offsets in the structure block; for edit.c, from dtb.c.
 */
#ifndef DTB_WALK_H
#define DTB_WALK_H

#include "dtb.h"

/* The offset of the token after the one at off.  dtb_open() has checked the blob. */
uint32_t dtb_skip(const struct dtb *t, uint32_t off);

/* The offset of a property's token; DTB_NONE if the node does not have the property. */
uint32_t dtb_prop_offset(const struct dtb *t, uint32_t node, const char *name);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * banner.h - prints what the firmware found.
 */
#ifndef FW_BANNER_H
#define FW_BANNER_H

#include "hart.h"

void banner(const struct hart *boot, rv_ulong next_addr, rv_ulong tree);

#endif

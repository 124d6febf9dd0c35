/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmp.h - protects memory and devices from S-mode.
 */
#ifndef FW_PMP_H
#define FW_PMP_H

#include "hart.h"

/* Protects the ranges of platform.closed on the calling hart; sets has_pmp and pmp_open. */
void pmp_init(struct hart *h);

#endif

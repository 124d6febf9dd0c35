/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ext_srst.h - SRST, and the reset for the legacy call.
 */
#ifndef FW_EXT_SRST_H
#define FW_EXT_SRST_H

#include "ecall.h"

extern const struct sbi_ext ext_srst;

/* Returns only if there is no finisher, or if it has had no effect for a second. */
enum sbi_err srst_reset(struct hart *h, bool reboot, bool failure);

#endif

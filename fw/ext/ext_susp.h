/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ext_susp.h - SUSP.
 */
#ifndef FW_EXT_SUSP_H
#define FW_EXT_SUSP_H

#include "ecall.h"

extern const struct sbi_ext ext_susp;

#endif

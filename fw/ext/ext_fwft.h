/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ext_fwft.h - FWFT.
 */
#ifndef FW_EXT_FWFT_H
#define FW_EXT_FWFT_H

#include "ecall.h"

extern const struct sbi_ext ext_fwft;

#endif

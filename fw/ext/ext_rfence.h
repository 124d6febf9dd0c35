/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ext_rfence.h - RFENCE.
 */
#ifndef FW_EXT_RFENCE_H
#define FW_EXT_RFENCE_H

#include "ecall.h"

extern const struct sbi_ext ext_rfence;

#endif

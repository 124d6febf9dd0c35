/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ext_time.h - TIME.
 */
#ifndef FW_EXT_TIME_H
#define FW_EXT_TIME_H

#include "ecall.h"

extern const struct sbi_ext ext_time;

#endif

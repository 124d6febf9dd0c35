/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ext_base.h - Base.
 */
#ifndef FW_EXT_BASE_H
#define FW_EXT_BASE_H

#include "ecall.h"

#define FW_VERSION_MAJOR 0
#define FW_VERSION_MINOR 1


extern const struct sbi_ext ext_base;

#endif

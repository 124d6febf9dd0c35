/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ext_dbcn.h - DBCN.
 */
#ifndef FW_EXT_DBCN_H
#define FW_EXT_DBCN_H

#include "ecall.h"

extern const struct sbi_ext ext_dbcn;

#endif

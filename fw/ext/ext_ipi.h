/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ext_ipi.h - IPI.
 */
#ifndef FW_EXT_IPI_H
#define FW_EXT_IPI_H

#include "ecall.h"

extern const struct sbi_ext ext_ipi;

#endif

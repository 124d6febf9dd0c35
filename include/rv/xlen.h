/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xlen.h - the register width that code is compiled for.
 *
 * A RISC-V compiler defines it.  Other builds (tests, fuzzers, an emulator that links lib/sbipmu)
 * set it with -DRV_XLEN=32 or -DRV_XLEN=64; the default is 64.
 * Code uses `if (RV_XLEN == 32)`, so that both branches are always compiled.
 */
#ifndef RV_XLEN_H
#define RV_XLEN_H

#ifndef RV_XLEN
#ifdef __riscv_xlen
#define RV_XLEN __riscv_xlen
#else
#define RV_XLEN 64
#endif
#endif

#ifndef __ASSEMBLER__
#include <stdint.h>

/* One register: what the SBI specification calls unsigned long. */
#if RV_XLEN == 32
typedef uint32_t rv_ulong;
typedef int32_t rv_long;
#else
typedef uint64_t rv_ulong;
typedef int64_t rv_long;
#endif
#endif

#endif

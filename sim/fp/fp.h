/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fp.h - RISC-V floating point, bit-exact in every rounding mode, with the five flags.  The door of
 * sim/fp.
 *
 * Values are bit patterns: binary16 in uint16_t, binary32 in uint32_t, binary64 in uint64_t.  The
 * caller handles NaN boxing of the narrower ones in 64-bit registers.  A function takes a rounding
 * mode if it matters: the encoding of frm (0 RNE, 1 RTZ, 2 RDN, 3 RUP, 4 RMM; never 7).  It ORs the
 * flags that it raises into *flags (NV 0x10, DZ 0x08, OF 0x04, UF 0x02, NX 0x01).  Underflow is
 * detected after rounding.  A NaN result is the canonical NaN.  The functions have no effect except
 * on *flags.  They expect the host's FPU to round to nearest-even, which it does unless somebody
 * calls fesetround.  They leave the host's own exception flags undefined.  Link with libm.
 *
 * RNE costs little more than the host's own operation.  The other modes are computed in integers
 * (fp_soft.h), and so is binary16.  The files refuse to compile with -ffast-math.
 *
 * Implements: Unpriv 20240411, chapters 20, 21 (F and D), 22 (Zfh) and 25 (Zfa); IEEE 754-2019.
 */
#ifndef SIM_FP_H
#define SIM_FP_H

#include <stdbool.h>
#include <stdint.h>

#define FP_NV 0x10
#define FP_DZ 0x08
#define FP_OF 0x04
#define FP_UF 0x02
#define FP_NX 0x01

enum fp_rm { FP_RNE, FP_RTZ, FP_RDN, FP_RUP, FP_RMM, FP_DYNAMIC = 7 /* in an instruction: frm */ };

#define FP16_NAN 0x7e00u
#define FP32_NAN 0x7fc00000u
#define FP64_NAN 0x7ff8000000000000ull

uint32_t fp32_add(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags);
uint32_t fp32_sub(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags);
uint32_t fp32_mul(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags);
uint32_t fp32_div(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags);
uint32_t fp32_sqrt(uint32_t a, unsigned rm, uint32_t *flags);
/* a * b + c with one rounding; the caller negates operands for fmsub, fnmadd, fnmsub. */
uint32_t fp32_fma(uint32_t a, uint32_t b, uint32_t c, unsigned rm, uint32_t *flags);
uint32_t fp32_min(uint32_t a, uint32_t b, uint32_t *flags); /* IEEE 754-2019 minimumNumber */
uint32_t fp32_max(uint32_t a, uint32_t b, uint32_t *flags);
bool fp32_eq(uint32_t a, uint32_t b, uint32_t *flags); /* quiet */
bool fp32_lt(uint32_t a, uint32_t b, uint32_t *flags); /* signaling */
bool fp32_le(uint32_t a, uint32_t b, uint32_t *flags);
unsigned fp32_class(uint32_t a); /* the ten bits of fclass */

uint64_t fp64_add(uint64_t a, uint64_t b, unsigned rm, uint32_t *flags);
uint64_t fp64_sub(uint64_t a, uint64_t b, unsigned rm, uint32_t *flags);
uint64_t fp64_mul(uint64_t a, uint64_t b, unsigned rm, uint32_t *flags);
uint64_t fp64_div(uint64_t a, uint64_t b, unsigned rm, uint32_t *flags);
uint64_t fp64_sqrt(uint64_t a, unsigned rm, uint32_t *flags);
uint64_t fp64_fma(uint64_t a, uint64_t b, uint64_t c, unsigned rm, uint32_t *flags);
uint64_t fp64_min(uint64_t a, uint64_t b, uint32_t *flags);
uint64_t fp64_max(uint64_t a, uint64_t b, uint32_t *flags);
bool fp64_eq(uint64_t a, uint64_t b, uint32_t *flags);
bool fp64_lt(uint64_t a, uint64_t b, uint32_t *flags);
bool fp64_le(uint64_t a, uint64_t b, uint32_t *flags);
unsigned fp64_class(uint64_t a);

/* Conversions between formats, and to and from integers with RISC-V's saturation. */
uint64_t fp32_to_fp64(uint32_t a, uint32_t *flags);
uint32_t fp64_to_fp32(uint64_t a, unsigned rm, uint32_t *flags);
int32_t fp32_to_i32(uint32_t a, unsigned rm, uint32_t *flags);
uint32_t fp32_to_u32(uint32_t a, unsigned rm, uint32_t *flags);
int64_t fp32_to_i64(uint32_t a, unsigned rm, uint32_t *flags);
uint64_t fp32_to_u64(uint32_t a, unsigned rm, uint32_t *flags);
int32_t fp64_to_i32(uint64_t a, unsigned rm, uint32_t *flags);
uint32_t fp64_to_u32(uint64_t a, unsigned rm, uint32_t *flags);
int64_t fp64_to_i64(uint64_t a, unsigned rm, uint32_t *flags);
uint64_t fp64_to_u64(uint64_t a, unsigned rm, uint32_t *flags);
uint32_t fp32_from_i32(int32_t a, unsigned rm, uint32_t *flags);
uint32_t fp32_from_u32(uint32_t a, unsigned rm, uint32_t *flags);
uint32_t fp32_from_i64(int64_t a, unsigned rm, uint32_t *flags);
uint32_t fp32_from_u64(uint64_t a, unsigned rm, uint32_t *flags);
uint64_t fp64_from_i32(int32_t a);
uint64_t fp64_from_u32(uint32_t a);
uint64_t fp64_from_i64(int64_t a, unsigned rm, uint32_t *flags);
uint64_t fp64_from_u64(uint64_t a, unsigned rm, uint32_t *flags);

/* binary16 */
uint16_t fp16_add(uint16_t a, uint16_t b, unsigned rm, uint32_t *flags);
uint16_t fp16_sub(uint16_t a, uint16_t b, unsigned rm, uint32_t *flags);
uint16_t fp16_mul(uint16_t a, uint16_t b, unsigned rm, uint32_t *flags);
uint16_t fp16_div(uint16_t a, uint16_t b, unsigned rm, uint32_t *flags);
uint16_t fp16_sqrt(uint16_t a, unsigned rm, uint32_t *flags);
uint16_t fp16_fma(uint16_t a, uint16_t b, uint16_t c, unsigned rm, uint32_t *flags);
uint16_t fp16_min(uint16_t a, uint16_t b, uint32_t *flags);
uint16_t fp16_max(uint16_t a, uint16_t b, uint32_t *flags);
bool fp16_eq(uint16_t a, uint16_t b, uint32_t *flags);
bool fp16_lt(uint16_t a, uint16_t b, uint32_t *flags);
bool fp16_le(uint16_t a, uint16_t b, uint32_t *flags);
unsigned fp16_class(uint16_t a);
uint32_t fp16_to_fp32(uint16_t a, uint32_t *flags);
uint64_t fp16_to_fp64(uint16_t a, uint32_t *flags);
uint16_t fp32_to_fp16(uint32_t a, unsigned rm, uint32_t *flags);
uint16_t fp64_to_fp16(uint64_t a, unsigned rm, uint32_t *flags);
int32_t fp16_to_i32(uint16_t a, unsigned rm, uint32_t *flags);
uint32_t fp16_to_u32(uint16_t a, unsigned rm, uint32_t *flags);
int64_t fp16_to_i64(uint16_t a, unsigned rm, uint32_t *flags);
uint64_t fp16_to_u64(uint16_t a, unsigned rm, uint32_t *flags);
uint16_t fp16_from_i32(int32_t a, unsigned rm, uint32_t *flags);
uint16_t fp16_from_u32(uint32_t a, unsigned rm, uint32_t *flags);
uint16_t fp16_from_i64(int64_t a, unsigned rm, uint32_t *flags);
uint16_t fp16_from_u64(uint64_t a, unsigned rm, uint32_t *flags);

/*
 * Zfa.  minm and maxm: IEEE 754-2019 minimum and maximum.  ltq and leq: quiet comparisons.  round:
 * to an integer of the format.  constant: of fli, n < 32.  modulo: the integer modulo 2^32.
 */
uint16_t fp16_minm(uint16_t a, uint16_t b, uint32_t *flags);
uint16_t fp16_maxm(uint16_t a, uint16_t b, uint32_t *flags);
bool fp16_ltq(uint16_t a, uint16_t b, uint32_t *flags);
bool fp16_leq(uint16_t a, uint16_t b, uint32_t *flags);
uint16_t fp16_round(uint16_t a, bool raises_nx, unsigned rm, uint32_t *flags);
uint16_t fp16_constant(unsigned n);
uint32_t fp32_minm(uint32_t a, uint32_t b, uint32_t *flags);
uint32_t fp32_maxm(uint32_t a, uint32_t b, uint32_t *flags);
bool fp32_ltq(uint32_t a, uint32_t b, uint32_t *flags);
bool fp32_leq(uint32_t a, uint32_t b, uint32_t *flags);
uint32_t fp32_round(uint32_t a, bool raises_nx, unsigned rm, uint32_t *flags);
uint32_t fp32_constant(unsigned n);
uint64_t fp64_minm(uint64_t a, uint64_t b, uint32_t *flags);
uint64_t fp64_maxm(uint64_t a, uint64_t b, uint32_t *flags);
bool fp64_ltq(uint64_t a, uint64_t b, uint32_t *flags);
bool fp64_leq(uint64_t a, uint64_t b, uint32_t *flags);
uint64_t fp64_round(uint64_t a, bool raises_nx, unsigned rm, uint32_t *flags);
uint64_t fp64_constant(unsigned n);
int32_t fp64_to_i32_modulo(uint64_t a, uint32_t *flags);

#endif

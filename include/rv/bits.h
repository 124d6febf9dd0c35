/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bits.h - bit and field helpers, usable from C and from assembly.
 *
 * Macros only: no functions, no types.  RV_ULL() adds the suffix that a 64-bit constant needs in
 * C and that the assembler does not know.
 */
#ifndef RV_BITS_H
#define RV_BITS_H

#ifdef __ASSEMBLER__
#define RV_ULL(x) x
#else
#define RV_ULL(x) x##ULL
#endif

/* A 64-bit constant with only bit n set; n is 0 to 63. */
#define RV_BIT(n) (RV_ULL(1) << (n))

/* A 64-bit constant with bits hi to lo set, hi >= lo. */
#define RV_MASK(hi, lo) (((RV_BIT(hi) << 1) - 1) & ~(RV_BIT(lo) - 1))

#endif

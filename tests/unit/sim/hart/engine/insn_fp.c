// SPDX-License-Identifier: BSD-2-Clause
/*
 * insn_fp.c - floating-point instructions: each does its operation on its operands, in its rounding
 * mode, with its flags and NaN boxes (insn.h). test_fp.c tests the arithmetic itself.
 */
#include "csr.h"
#include "insn.h"

#define NX 1
#define UF 2
#define OF 4
#define DZ 8
#define NV 16

enum { RNE, RTZ, RDN, RUP, RMM, DYN = 7 };

#define B(single) (0xffffffff00000000ull | (single)) /* in its NaN box */

/* binary32 */
#define S_1	B(0x3f800000)
#define S_2	B(0x40000000)
#define S_3	B(0x40400000)
#define S_HALF	B(0x3f000000)
#define S_NEG1	B(0xbf800000)
#define S_0	B(0x00000000)
#define S_NEG0	B(0x80000000)
#define S_INF	B(0x7f800000)
#define S_NINF	B(0xff800000)
#define S_MAX	B(0x7f7fffff)
#define S_TINY	B(0x00000001)
#define S_QNAN	B(0x7fc00000)
#define S_SNAN	B(0x7f800001)
#define UNBOXED 0x000000003f800000ull /* 1.0 that is not a boxed binary32 */

#define H(half) (0xffffffffffff0000ull | (half)) /* in its NaN box */

/* binary16 */
#define H_1    H(0x3c00)
#define H_2    H(0x4000)
#define H_3    H(0x4200)
#define H_HALF H(0x3800)
#define H_NEG1 H(0xbc00)
#define H_0    H(0x0000)
#define H_NEG0 H(0x8000)
#define H_INF  H(0x7c00)
#define H_NINF H(0xfc00)
#define H_MAX  H(0x7bff)
#define H_TINY H(0x0001)
#define H_QNAN H(0x7e00)
#define H_SNAN H(0x7c01)

/* binary64 */
#define D_1    0x3ff0000000000000
#define D_2    0x4000000000000000
#define D_3    0x4008000000000000
#define D_HALF 0x3fe0000000000000
#define D_NEG1 0xbff0000000000000
#define D_0    0x0000000000000000
#define D_NEG0 0x8000000000000000
#define D_INF  0x7ff0000000000000
#define D_NINF 0xfff0000000000000
#define D_MAX  0x7fefffffffffffff
#define D_TINY 0x0000000000000001
#define D_QNAN 0x7ff8000000000000
#define D_SNAN 0x7ff0000000000001

/* a, b, c: operands, of f or x registers; rm where the format has one */
struct row {
	uint16_t id;
	uint8_t rm, flags;
	uint64_t a, b, c, want;
};

/* Unpriv 20.6 to 20.9 */
static const struct row single[] = {
	{ ISA_fmadd_s, RNE, 0, S_2, S_3, S_1, B(0x40e00000) },
	{ ISA_fmsub_s, RNE, 0, S_2, S_3, S_1, B(0x40a00000) },
	{ ISA_fnmsub_s, RNE, 0, S_2, S_3, S_1, B(0xc0a00000) },
	{ ISA_fnmadd_s, RNE, 0, S_2, S_3, S_1, B(0xc0e00000) },
	{ ISA_fmadd_s, RNE, NV, S_INF, S_0, S_QNAN, S_QNAN },
	{ ISA_fnmadd_s, RNE, 0, S_1, S_0, S_0, S_NEG0 },
	{ ISA_fmsub_s, RNE, 0, S_1, UNBOXED, S_1, S_QNAN },
	{ ISA_fnmsub_s, RNE, 0, S_1, S_1, UNBOXED, S_QNAN },
	{ ISA_fadd_s, RNE, 0, S_1, S_2, 0, S_3 },
	{ ISA_fadd_s, RNE, NX, S_1, B(0x33800000), 0, S_1 },
	{ ISA_fadd_s, RUP, NX, S_1, B(0x33800000), 0, B(0x3f800001) },
	{ ISA_fadd_s, RMM, NX, S_1, B(0x33800000), 0, B(0x3f800001) },
	{ ISA_fadd_s, RTZ, NX, S_1, B(0x33800000), 0, S_1 },
	{ ISA_fadd_s, RDN, 0, S_1, S_NEG1, 0, S_NEG0 },
	{ ISA_fadd_s, RNE, NV, S_INF, S_NINF, 0, S_QNAN },
	{ ISA_fadd_s, RNE, 0, UNBOXED, S_1, 0, S_QNAN },
	{ ISA_fsub_s, RNE, 0, S_1, S_2, 0, S_NEG1 },
	{ ISA_fsub_s, RNE, NV, S_SNAN, S_2, 0, S_QNAN },
	{ ISA_fmul_s, RNE, 0, S_2, S_3, 0, B(0x40c00000) },
	{ ISA_fmul_s, RNE, OF | NX, S_MAX, S_2, 0, S_INF },
	{ ISA_fmul_s, RTZ, OF | NX, S_MAX, S_2, 0, S_MAX },
	{ ISA_fmul_s, RNE, UF | NX, S_TINY, S_HALF, 0, S_0 },
	{ ISA_fmul_s, RUP, UF | NX, S_TINY, S_HALF, 0, S_TINY },
	{ ISA_fmul_s, RNE, 0, B(0x00800000), S_HALF, 0, B(0x00400000) },
	{ ISA_fdiv_s, RNE, DZ, S_1, S_NEG0, 0, S_NINF },
	{ ISA_fdiv_s, RNE, NV, S_0, S_0, 0, S_QNAN },
	{ ISA_fdiv_s, RNE, NX, S_1, S_3, 0, B(0x3eaaaaab) },
	{ ISA_fdiv_s, RDN, NX, S_1, S_3, 0, B(0x3eaaaaaa) },
	{ ISA_fsqrt_s, RNE, 0, B(0x40800000), 0, 0, S_2 },
	{ ISA_fsqrt_s, RNE, NX, S_2, 0, 0, B(0x3fb504f3) },
	{ ISA_fsqrt_s, RNE, NV, S_NEG1, 0, 0, S_QNAN },
	{ ISA_fsqrt_s, RNE, 0, S_NEG0, 0, 0, S_NEG0 },
	/* signs: a NaN is neither changed nor flagged */
	{ ISA_fsgnj_s, 0, 0, S_1, S_NEG0, 0, S_NEG1 },
	{ ISA_fsgnj_s, 0, 0, S_SNAN, S_NEG1, 0, B(0xff800001) },
	{ ISA_fsgnj_s, 0, 0, UNBOXED, S_1, 0, S_QNAN },
	{ ISA_fsgnj_s, 0, 0, S_NEG1, UNBOXED, 0, S_1 },
	{ ISA_fsgnjn_s, 0, 0, S_1, S_1, 0, S_NEG1 },
	{ ISA_fsgnjn_s, 0, 0, S_1, S_NEG1, 0, S_1 },
	{ ISA_fsgnjx_s, 0, 0, S_NEG1, S_NEG1, 0, S_1 },
	{ ISA_fsgnjx_s, 0, 0, S_NEG1, S_1, 0, S_NEG1 },
	{ ISA_fmin_s, 0, 0, S_NEG0, S_0, 0, S_NEG0 },
	{ ISA_fmin_s, 0, 0, S_0, S_NEG0, 0, S_NEG0 },
	{ ISA_fmin_s, 0, 0, S_QNAN, S_1, 0, S_1 },
	{ ISA_fmin_s, 0, NV, S_SNAN, S_1, 0, S_1 },
	{ ISA_fmin_s, 0, 0, S_QNAN, UNBOXED, 0, S_QNAN },
	{ ISA_fmax_s, 0, 0, S_NEG0, S_0, 0, S_0 },
	{ ISA_fmax_s, 0, 0, S_1, S_QNAN, 0, S_1 },
	{ ISA_fmax_s, 0, NV, S_1, S_SNAN, 0, S_1 },
	{ ISA_feq_s, 0, 0, S_NEG0, S_0, 0, 1 },
	{ ISA_feq_s, 0, 0, S_QNAN, S_QNAN, 0, 0 },
	{ ISA_feq_s, 0, NV, S_SNAN, S_1, 0, 0 },
	{ ISA_feq_s, 0, 0, UNBOXED, S_1, 0, 0 },
	{ ISA_flt_s, 0, 0, S_NEG1, S_1, 0, 1 },
	{ ISA_flt_s, 0, 0, S_1, S_1, 0, 0 },
	{ ISA_flt_s, 0, NV, S_QNAN, S_1, 0, 0 },
	{ ISA_fle_s, 0, 0, S_1, S_1, 0, 1 },
	{ ISA_fle_s, 0, NV, S_1, S_QNAN, 0, 0 },
	{ ISA_fclass_s, 0, 0, S_NINF, 0, 0, 1 << 0 },
	{ ISA_fclass_s, 0, 0, S_NEG1, 0, 0, 1 << 1 },
	{ ISA_fclass_s, 0, 0, B(0x80000001), 0, 0, 1 << 2 },
	{ ISA_fclass_s, 0, 0, S_NEG0, 0, 0, 1 << 3 },
	{ ISA_fclass_s, 0, 0, S_0, 0, 0, 1 << 4 },
	{ ISA_fclass_s, 0, 0, S_TINY, 0, 0, 1 << 5 },
	{ ISA_fclass_s, 0, 0, S_1, 0, 0, 1 << 6 },
	{ ISA_fclass_s, 0, 0, S_INF, 0, 0, 1 << 7 },
	{ ISA_fclass_s, 0, 0, S_SNAN, 0, 0, 1 << 8 },
	{ ISA_fclass_s, 0, 0, S_QNAN, 0, 0, 1 << 9 },
	{ ISA_fclass_s, 0, 0, UNBOXED, 0, 0, 1 << 9 },
	/* conversions saturate as in Unpriv 20.7's table; results of 32 bits are sign-extended */
	{ ISA_fcvt_w_s, RTZ, NX, B(0x3fc00000), 0, 0, 1 },
	{ ISA_fcvt_w_s, RNE, NX, B(0x3fc00000), 0, 0, 2 },
	{ ISA_fcvt_w_s, RNE, NX, S_HALF, 0, 0, 0 },
	{ ISA_fcvt_w_s, RMM, NX, S_HALF, 0, 0, 1 },
	{ ISA_fcvt_w_s, RDN, NX, B(0xbfc00000), 0, 0, -2 },
	{ ISA_fcvt_w_s, RNE, 0, B(0xcf000000), 0, 0, MIN32 },
	{ ISA_fcvt_w_s, RNE, NV, B(0x4f000000), 0, 0, 0x7fffffff },
	{ ISA_fcvt_w_s, RNE, NV, S_NINF, 0, 0, MIN32 },
	{ ISA_fcvt_w_s, RNE, NV, S_QNAN, 0, 0, 0x7fffffff },
	{ ISA_fcvt_w_s, RNE, NV, UNBOXED, 0, 0, 0x7fffffff },
	{ ISA_fcvt_wu_s, RNE, 0, B(0x4f32d05e), 0, 0, 0xffffffffb2d05e00 },
	{ ISA_fcvt_wu_s, RTZ, NX, B(0xbf000000), 0, 0, 0 },
	{ ISA_fcvt_wu_s, RNE, NV, S_NEG1, 0, 0, 0 },
	{ ISA_fcvt_wu_s, RNE, NV, B(0x4f800000), 0, 0, M1 },
	{ ISA_fcvt_wu_s, RNE, NV, S_QNAN, 0, 0, M1 },
	{ ISA_fcvt_l_s, RNE, 0, B(0xdf000000), 0, 0, MIN64 },
	{ ISA_fcvt_l_s, RNE, NV, B(0x5f000000), 0, 0, MAX64 },
	{ ISA_fcvt_l_s, RNE, NV, S_NINF, 0, 0, MIN64 },
	{ ISA_fcvt_l_s, RNE, NV, S_QNAN, 0, 0, MAX64 },
	{ ISA_fcvt_lu_s, RNE, 0, B(0x5f000000), 0, 0, MIN64 },
	{ ISA_fcvt_lu_s, RNE, NV, B(0x5f800000), 0, 0, M1 },
	{ ISA_fcvt_lu_s, RNE, NV, S_NEG1, 0, 0, 0 },
	{ ISA_fcvt_lu_s, RNE, NV, S_QNAN, 0, 0, M1 },
	{ ISA_fcvt_s_w, RNE, 0, M1, 0, 0, S_NEG1 },
	{ ISA_fcvt_s_w, RNE, 0, 0x100000001, 0, 0, S_1 },
	{ ISA_fcvt_s_w, RNE, NX, 0x7fffffff, 0, 0, B(0x4f000000) },
	{ ISA_fcvt_s_w, RTZ, NX, 0x7fffffff, 0, 0, B(0x4effffff) },
	{ ISA_fcvt_s_wu, RNE, NX, M1, 0, 0, B(0x4f800000) },
	{ ISA_fcvt_s_wu, RNE, 0, 0x100000001, 0, 0, S_1 },
	{ ISA_fcvt_s_l, RNE, 0, MIN64, 0, 0, B(0xdf000000) },
	{ ISA_fcvt_s_l, RDN, NX, MAX64, 0, 0, B(0x5effffff) },
	{ ISA_fcvt_s_lu, RNE, NX, M1, 0, 0, B(0x5f800000) },
	{ ISA_fcvt_s_lu, RNE, 0, MIN64, 0, 0, B(0x5f000000) },
	/* bits: a value that is not binary32 is moved unchanged */
	{ ISA_fmv_x_w, 0, 0, 0x1234567880000000, 0, 0, MIN32 },
	{ ISA_fmv_x_w, 0, 0, S_SNAN, 0, 0, 0x7f800001 },
	{ ISA_fmv_w_x, 0, 0, 0x1234567880000000, 0, 0, S_NEG0 },
};

/* Unpriv 21.4 to 21.7 */
static const struct row double_[] = {
	{ ISA_fmadd_d, RNE, 0, D_2, D_3, D_1, 0x401c000000000000 },
	{ ISA_fmsub_d, RNE, 0, D_2, D_3, D_1, 0x4014000000000000 },
	{ ISA_fnmsub_d, RNE, 0, D_2, D_3, D_1, 0xc014000000000000 },
	{ ISA_fnmadd_d, RNE, 0, D_2, D_3, D_1, 0xc01c000000000000 },
	{ ISA_fmadd_d, RNE, NV, D_0, D_INF, D_QNAN, D_QNAN },
	{ ISA_fadd_d, RNE, 0, D_1, D_2, 0, D_3 },
	{ ISA_fadd_d, RNE, NX, D_1, 0x3ca0000000000000, 0, D_1 },
	{ ISA_fadd_d, RUP, NX, D_1, 0x3ca0000000000000, 0, D_1 + 1 },
	{ ISA_fadd_d, RMM, NX, D_1, 0x3ca0000000000000, 0, D_1 + 1 },
	{ ISA_fsub_d, RNE, 0, D_1, D_2, 0, D_NEG1 },
	{ ISA_fsub_d, RNE, NV, D_INF, D_INF, 0, D_QNAN },
	{ ISA_fmul_d, RNE, 0, D_2, D_3, 0, 0x4018000000000000 },
	{ ISA_fmul_d, RNE, OF | NX, D_MAX, D_2, 0, D_INF },
	{ ISA_fmul_d, RNE, UF | NX, D_TINY, D_HALF, 0, D_0 },
	{ ISA_fdiv_d, RNE, DZ, D_1, D_0, 0, D_INF },
	{ ISA_fdiv_d, RNE, NX, D_1, D_3, 0, 0x3fd5555555555555 },
	{ ISA_fdiv_d, RUP, NX, D_1, D_3, 0, 0x3fd5555555555556 },
	{ ISA_fsqrt_d, RNE, NX, D_2, 0, 0, 0x3ff6a09e667f3bcd },
	{ ISA_fsqrt_d, RNE, NV, D_NEG1, 0, 0, D_QNAN },
	{ ISA_fsgnj_d, 0, 0, D_1, D_NEG0, 0, D_NEG1 },
	{ ISA_fsgnj_d, 0, 0, D_SNAN, D_NEG1, 0, 0xfff0000000000001 },
	{ ISA_fsgnjn_d, 0, 0, D_1, D_1, 0, D_NEG1 },
	{ ISA_fsgnjx_d, 0, 0, D_NEG1, D_NEG1, 0, D_1 },
	{ ISA_fmin_d, 0, 0, D_0, D_NEG0, 0, D_NEG0 },
	{ ISA_fmin_d, 0, NV, D_SNAN, D_1, 0, D_1 },
	{ ISA_fmin_d, 0, 0, D_QNAN, D_QNAN, 0, D_QNAN },
	{ ISA_fmax_d, 0, 0, D_NEG0, D_0, 0, D_0 },
	{ ISA_fmax_d, 0, 0, D_QNAN, D_1, 0, D_1 },
	{ ISA_feq_d, 0, 0, D_NEG0, D_0, 0, 1 },
	{ ISA_feq_d, 0, 0, D_QNAN, D_1, 0, 0 },
	{ ISA_feq_d, 0, NV, D_SNAN, D_1, 0, 0 },
	{ ISA_flt_d, 0, 0, D_NEG1, D_1, 0, 1 },
	{ ISA_flt_d, 0, NV, D_1, D_QNAN, 0, 0 },
	{ ISA_fle_d, 0, 0, D_1, D_1, 0, 1 },
	{ ISA_fle_d, 0, NV, D_QNAN, D_1, 0, 0 },
	{ ISA_fclass_d, 0, 0, D_NINF, 0, 0, 1 << 0 },
	{ ISA_fclass_d, 0, 0, D_NEG1, 0, 0, 1 << 1 },
	{ ISA_fclass_d, 0, 0, 0x8000000000000001, 0, 0, 1 << 2 },
	{ ISA_fclass_d, 0, 0, D_NEG0, 0, 0, 1 << 3 },
	{ ISA_fclass_d, 0, 0, D_0, 0, 0, 1 << 4 },
	{ ISA_fclass_d, 0, 0, D_TINY, 0, 0, 1 << 5 },
	{ ISA_fclass_d, 0, 0, D_1, 0, 0, 1 << 6 },
	{ ISA_fclass_d, 0, 0, D_INF, 0, 0, 1 << 7 },
	{ ISA_fclass_d, 0, 0, D_SNAN, 0, 0, 1 << 8 },
	{ ISA_fclass_d, 0, 0, D_QNAN, 0, 0, 1 << 9 },
	{ ISA_fcvt_s_d, RNE, 0, D_1, 0, 0, S_1 },
	{ ISA_fcvt_s_d, RNE, OF | NX, D_MAX, 0, 0, S_INF },
	{ ISA_fcvt_s_d, RTZ, OF | NX, D_MAX, 0, 0, S_MAX },
	{ ISA_fcvt_s_d, RNE, UF | NX, 0x3690000000000000, 0, 0, S_0 },
	{ ISA_fcvt_s_d, RNE, NV, D_SNAN, 0, 0, S_QNAN },
	{ ISA_fcvt_d_s, RNE, 0, S_TINY, 0, 0, 0x36a0000000000000 },
	{ ISA_fcvt_d_s, RNE, NV, S_SNAN, 0, 0, D_QNAN },
	{ ISA_fcvt_d_s, RNE, 0, UNBOXED, 0, 0, D_QNAN },
	{ ISA_fcvt_w_d, RTZ, NX, 0x41dfffffffe00000, 0, 0, 0x7fffffff },
	{ ISA_fcvt_w_d, RNE, NV, 0x41dfffffffe00000, 0, 0, 0x7fffffff },
	{ ISA_fcvt_w_d, RNE, 0, 0xc1e0000000000000, 0, 0, MIN32 },
	{ ISA_fcvt_w_d, RNE, NV, D_QNAN, 0, 0, 0x7fffffff },
	{ ISA_fcvt_wu_d, RDN, NV, 0xbfe0000000000000, 0, 0, 0 },
	{ ISA_fcvt_wu_d, RTZ, NX, 0xbfe0000000000000, 0, 0, 0 },
	{ ISA_fcvt_wu_d, RNE, 0, 0x41efffffffe00000, 0, 0, M1 },
	{ ISA_fcvt_wu_d, RNE, NV, 0x41f0000000000000, 0, 0, M1 },
	{ ISA_fcvt_l_d, RNE, 0, 0xc3e0000000000000, 0, 0, MIN64 },
	{ ISA_fcvt_l_d, RNE, NV, 0x43e0000000000000, 0, 0, MAX64 },
	{ ISA_fcvt_l_d, RNE, NV, D_QNAN, 0, 0, MAX64 },
	{ ISA_fcvt_lu_d, RNE, 0, 0x43e0000000000000, 0, 0, MIN64 },
	{ ISA_fcvt_lu_d, RNE, NV, 0x43f0000000000000, 0, 0, M1 },
	{ ISA_fcvt_lu_d, RNE, NV, D_NEG1, 0, 0, 0 },
	{ ISA_fmv_x_d, 0, 0, 0x123456789abcdef0, 0, 0, 0x123456789abcdef0 },
	{ ISA_fcvt_d_w, RNE, 0, 0x1ffffffff, 0, 0, D_NEG1 },
	{ ISA_fcvt_d_w, RNE, 0, MIN32, 0, 0, 0xc1e0000000000000 },
	{ ISA_fcvt_d_wu, RNE, 0, M1, 0, 0, 0x41efffffffe00000 },
	{ ISA_fcvt_d_l, RNE, 0, MIN64, 0, 0, 0xc3e0000000000000 },
	{ ISA_fcvt_d_l, RTZ, NX, MAX64, 0, 0, 0x43dfffffffffffff },
	{ ISA_fcvt_d_lu, RNE, NX, M1, 0, 0, 0x43f0000000000000 },
	{ ISA_fmv_d_x, 0, 0, 0x123456789abcdef0, 0, 0, 0x123456789abcdef0 },
};

/* Unpriv 22 */
static const struct row half[] = {
	{ ISA_fmadd_h, RNE, 0, H_2, H_3, H_1, H(0x4700) },
	{ ISA_fmsub_h, RNE, 0, H_2, H_3, H_1, H(0x4500) },
	{ ISA_fnmsub_h, RNE, 0, H_2, H_3, H_1, H(0xc500) },
	{ ISA_fnmadd_h, RNE, 0, H_2, H_3, H_1, H(0xc700) },
	{ ISA_fmadd_h, RNE, NV, H_INF, H_0, H_QNAN, H_QNAN },
	{ ISA_fmsub_h, RNE, 0, H_1, S_1, H_1, H_QNAN },
	{ ISA_fadd_h, RNE, 0, H_1, H_2, 0, H_3 },
	{ ISA_fadd_h, RNE, NX, H_1, H(0x1000), 0, H_1 },
	{ ISA_fadd_h, RUP, NX, H_1, H(0x1000), 0, H(0x3c01) },
	{ ISA_fadd_h, RNE, OF | NX, H_MAX, H_MAX, 0, H_INF },
	{ ISA_fadd_h, RTZ, OF | NX, H_MAX, H_MAX, 0, H_MAX },
	{ ISA_fadd_h, RNE, NV, H_INF, H_NINF, 0, H_QNAN },
	{ ISA_fsub_h, RNE, 0, H_1, H_2, 0, H_NEG1 },
	{ ISA_fsub_h, RDN, 0, H_1, H_1, 0, H_NEG0 },
	{ ISA_fmul_h, RNE, 0, H_2, H_3, 0, H(0x4600) },
	{ ISA_fmul_h, RNE, UF | NX, H_TINY, H_HALF, 0, H_0 },
	{ ISA_fmul_h, RUP, UF | NX, H_TINY, H_HALF, 0, H_TINY },
	{ ISA_fdiv_h, RNE, NX, H_1, H_3, 0, H(0x3555) },
	{ ISA_fdiv_h, RUP, NX, H_1, H_3, 0, H(0x3556) },
	{ ISA_fdiv_h, RNE, DZ, H_NEG1, H_0, 0, H_NINF },
	{ ISA_fsqrt_h, RNE, NX, H_2, 0, 0, H(0x3da8) },
	{ ISA_fsqrt_h, RNE, NV, H_NEG1, 0, 0, H_QNAN },
	{ ISA_fsgnj_h, 0, 0, H_1, H_NEG0, 0, H_NEG1 },
	{ ISA_fsgnj_h, 0, 0, S_1, H_NEG0, 0, H(0xfe00) },
	{ ISA_fsgnjn_h, 0, 0, H_1, H_NEG0, 0, H_1 },
	{ ISA_fsgnjx_h, 0, 0, H_NEG1, H_NEG0, 0, H_1 },
	{ ISA_fmin_h, 0, 0, H_NEG0, H_0, 0, H_NEG0 },
	{ ISA_fmin_h, 0, NV, H_1, H_SNAN, 0, H_1 },
	{ ISA_fmax_h, 0, 0, H_NEG0, H_0, 0, H_0 },
	{ ISA_fmax_h, 0, 0, H_QNAN, H_QNAN, 0, H_QNAN },
	{ ISA_feq_h, 0, 0, H_0, H_NEG0, 0, 1 },
	{ ISA_feq_h, 0, 0, H_1, H_QNAN, 0, 0 },
	{ ISA_flt_h, 0, 0, H_NEG1, H_1, 0, 1 },
	{ ISA_flt_h, 0, NV, H_1, H_QNAN, 0, 0 },
	{ ISA_fle_h, 0, 0, H_1, H_1, 0, 1 },
	{ ISA_fle_h, 0, NV, H_QNAN, H_1, 0, 0 },
	{ ISA_fclass_h, 0, 0, H_NINF, 0, 0, 1 << 0 },
	{ ISA_fclass_h, 0, 0, H_TINY, 0, 0, 1 << 5 },
	{ ISA_fclass_h, 0, 0, H_SNAN, 0, 0, 1 << 8 },
	{ ISA_fclass_h, 0, 0, S_1, 0, 0, 1 << 9 },
	{ ISA_fcvt_s_h, RNE, 0, H_1, 0, 0, S_1 },
	{ ISA_fcvt_s_h, RNE, 0, H_TINY, 0, 0, B(0x33800000) },
	{ ISA_fcvt_s_h, RNE, NV, H_SNAN, 0, 0, S_QNAN },
	{ ISA_fcvt_h_s, RNE, 0, S_HALF, 0, 0, H_HALF },
	{ ISA_fcvt_h_s, RNE, OF | NX, S_MAX, 0, 0, H_INF },
	{ ISA_fcvt_h_s, RUP, UF | NX, S_TINY, 0, 0, H_TINY },
	{ ISA_fcvt_d_h, RNE, 0, H_NEG1, 0, 0, D_NEG1 },
	{ ISA_fcvt_h_d, RDN, NX, 0x3ff0000000000001, 0, 0, H_1 },
	{ ISA_fcvt_h_d, RUP, NX, 0x3ff0000000000001, 0, 0, H(0x3c01) },
	{ ISA_fcvt_w_h, RNE, NX, H_HALF, 0, 0, 0 },
	{ ISA_fcvt_w_h, RUP, NX, H_HALF, 0, 0, 1 },
	{ ISA_fcvt_w_h, RNE, NV, H_NINF, 0, 0, MIN32 },
	{ ISA_fcvt_wu_h, RNE, NV, H_NEG1, 0, 0, 0 },
	{ ISA_fcvt_wu_h, RNE, NV, H_INF, 0, 0, M1 },
	{ ISA_fcvt_l_h, RNE, 0, H_MAX, 0, 0, 65504 },
	{ ISA_fcvt_l_h, RNE, NV, H_QNAN, 0, 0, MAX64 },
	{ ISA_fcvt_lu_h, RNE, 0, H_2, 0, 0, 2 },
	{ ISA_fcvt_lu_h, RNE, NV, H_INF, 0, 0, M1 },
	{ ISA_fcvt_h_w, RNE, 0, 0x1ffffffff, 0, 0, H_NEG1 },
	{ ISA_fcvt_h_wu, RTZ, OF | NX, M1, 0, 0, H_MAX },
	{ ISA_fcvt_h_l, RNE, OF | NX, MIN64, 0, 0, H_NINF },
	{ ISA_fcvt_h_l, RNE, NX, 2049, 0, 0, H(0x6800) },
	{ ISA_fcvt_h_lu, RUP, NX, 2049, 0, 0, H(0x6801) },
	{ ISA_fmv_x_h, 0, 0, 0x123456789abcdef0, 0, 0, 0xffffffffffffdef0 },
	{ ISA_fmv_h_x, 0, 0, 0x123456789abc1ef0, 0, 0, H(0x1ef0) },
};

/* Unpriv 25; rm of fli: the number of its constant */
static const struct row additional[] = {
	{ ISA_fli_h, 0, 0, 0, 0, 0, H_NEG1 },
	{ ISA_fli_h, 1, 0, 0, 0, 0, H(0x0400) },
	{ ISA_fli_h, 2, 0, 0, 0, 0, H(0x0100) },
	{ ISA_fli_h, 9, 0, 0, 0, 0, H(0x3500) },
	{ ISA_fli_h, 29, 0, 0, 0, 0, H_INF },
	{ ISA_fli_s, 1, 0, 0, 0, 0, B(0x00800000) },
	{ ISA_fli_s, 16, 0, 0, 0, 0, S_1 },
	{ ISA_fli_s, 22, 0, 0, 0, 0, S_3 },
	{ ISA_fli_s, 31, 0, 0, 0, 0, S_QNAN },
	{ ISA_fli_d, 1, 0, 0, 0, 0, 0x0010000000000000 },
	{ ISA_fli_d, 12, 0, 0, 0, 0, D_HALF },
	{ ISA_fli_d, 29, 0, 0, 0, 0, 0x40f0000000000000 },
	{ ISA_fli_d, 30, 0, 0, 0, 0, D_INF },
	{ ISA_fminm_h, 0, 0, H_NEG0, H_0, 0, H_NEG0 },
	{ ISA_fminm_h, 0, 0, H_1, H_QNAN, 0, H_QNAN },
	{ ISA_fmaxm_h, 0, NV, H_SNAN, H_1, 0, H_QNAN },
	{ ISA_fminm_s, 0, 0, S_1, S_2, 0, S_1 },
	{ ISA_fminm_s, 0, 0, S_QNAN, S_2, 0, S_QNAN },
	{ ISA_fmaxm_s, 0, NV, S_SNAN, S_2, 0, S_QNAN },
	{ ISA_fmaxm_s, 0, 0, S_NEG0, S_0, 0, S_0 },
	{ ISA_fminm_d, 0, 0, D_1, D_QNAN, 0, D_QNAN },
	{ ISA_fmaxm_d, 0, 0, D_1, D_2, 0, D_2 },
	{ ISA_fround_h, RNE, 0, H(0x3e00), 0, 0, H_2 },
	{ ISA_fround_h, RTZ, 0, H(0x3e00), 0, 0, H_1 },
	{ ISA_froundnx_h, RNE, NX, H(0x4100), 0, 0, H_2 },
	{ ISA_fround_s, RNE, 0, S_HALF, 0, 0, S_0 },
	{ ISA_fround_s, RMM, 0, S_HALF, 0, 0, S_1 },
	{ ISA_fround_s, RDN, 0, B(0xbf000000), 0, 0, S_NEG1 },
	{ ISA_fround_s, RUP, 0, B(0xbf000000), 0, 0, S_NEG0 },
	{ ISA_fround_s, RNE, 0, S_MAX, 0, 0, S_MAX },
	{ ISA_fround_s, RNE, NV, S_SNAN, 0, 0, S_QNAN },
	{ ISA_froundnx_s, RUP, NX, S_TINY, 0, 0, S_1 },
	{ ISA_froundnx_s, RUP, 0, S_INF, 0, 0, S_INF },
	{ ISA_fround_d, RUP, 0, D_TINY, 0, 0, D_1 },
	{ ISA_fround_d, RNE, 0, D_NEG0, 0, 0, D_NEG0 },
	{ ISA_froundnx_d, RNE, NX, D_HALF, 0, 0, D_0 },
	{ ISA_froundnx_d, RMM, NX, 0x432fffffffffffff, 0, 0, 0x4330000000000000 },
	{ ISA_fleq_h, 0, 0, H_1, H_QNAN, 0, 0 },
	{ ISA_fltq_h, 0, NV, H_1, H_SNAN, 0, 0 },
	{ ISA_fleq_s, 0, 0, S_1, S_1, 0, 1 },
	{ ISA_fleq_s, 0, 0, S_QNAN, S_1, 0, 0 },
	{ ISA_fltq_s, 0, 0, S_1, S_2, 0, 1 },
	{ ISA_fltq_s, 0, NV, S_SNAN, S_2, 0, 0 },
	{ ISA_fleq_d, 0, 0, D_0, D_NEG0, 0, 1 },
	{ ISA_fltq_d, 0, 0, D_QNAN, D_2, 0, 0 },
	{ ISA_fcvtmod_w_d, RTZ, 0, D_NEG1, 0, 0, M1 },
	{ ISA_fcvtmod_w_d, RTZ, NX, D_HALF, 0, 0, 0 },
	{ ISA_fcvtmod_w_d, RTZ, NV, 0x41f0000000100000, 0, 0, 1 },
	{ ISA_fcvtmod_w_d, RTZ, NV, 0xc1f0000000300000, 0, 0, -3 },
	{ ISA_fcvtmod_w_d, RTZ, NV, 0x4520000000000001, 0, 0, MIN32 },
	{ ISA_fcvtmod_w_d, RTZ, NV, 0x4530000000000001, 0, 0, 0 },
	{ ISA_fcvtmod_w_d, RTZ, NV, D_INF, 0, 0, 0 },
	{ ISA_fcvtmod_w_d, RTZ, NV, D_QNAN, 0, 0, 0 },
};

static bool has_rm(unsigned id)
{
	if (isa_table[id].mask & 0x7000) /* fcvtmod.w.d has one mode */
		return false;
	switch (isa_table[id].format) {
	case ISA_FMT_FRM:
	case ISA_FMT_R4:
	case ISA_FMT_F1RM:
	case ISA_FMT_XFRM:
	case ISA_FMT_FXRM:
		return true;
	default:
		return false;
	}
}

static bool to_x(unsigned id)
{
	unsigned format = isa_table[id].format;

	return format == ISA_FMT_FCMP || format == ISA_FMT_XF || format == ISA_FMT_XFRM;
}

static uint32_t fp_encode(unsigned id, unsigned rd, unsigned rm)
{
	uint32_t insn = insn_encode(id, rd, A0, A1, rm);

	return isa_table[id].format == ISA_FMT_R4 ? insn | A2 << 27 : insn;
}

/* With rm in the instruction and with rm in frm. */
static void run_row(struct machine *m, const struct row *r, bool dynamic)
{
	struct hart *h = m->cl.hart[0];
	uint64_t *rd = to_x(r->id) ? &h->x[A3] : &h->f[A3];

	h->f[A0] = h->x[A0] = r->a;
	h->f[A1] = h->x[A1] = r->b;
	h->f[A2] = r->c;
	*rd = 0x5a5a;
	h->fflags = 0;
	h->frm = dynamic ? r->rm : (r->rm + 1) % 5;
	h->mstatus = (h->mstatus & ~MSTATUS_FS) | RV_BIT(13); /* initial */
	is(insn_execute(m, fp_encode(r->id, A3, dynamic ? DYN : r->rm), PRV_M), NO_TRAP);
	is(*rd, r->want);
	is(h->fflags, r->flags);
	is(h->mstatus & MSTATUS_FS, MSTATUS_FS); /* dirty */
}

static void run_rows(const struct row *rows, unsigned nr)
{
	struct machine *m = insn_machine();
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < nr; n++) {
		tap_context("%s, row %u", isa_table[rows[n].id].name, n);
		insn_seen[rows[n].id] = true;
		run_row(m, &rows[n], false);
		if (has_rm(rows[n].id))
			run_row(m, &rows[n], true);
		if (!to_x(rows[n].id))
			continue;
		is(insn_execute(m, fp_encode(rows[n].id, ZERO, rows[n].rm), PRV_M), NO_TRAP);
		is(h->x[ZERO], 0);
	}
	machine_destroy(m);
}

void insn_fp_tests(void)
{
	run_rows(single, TAP_NR(single));
	run_rows(double_, TAP_NR(double_));
}

void insn_half_tests(void)
{
	run_rows(half, TAP_NR(half));
	run_rows(additional, TAP_NR(additional));
}

static bool is_fp(unsigned id)
{
	switch (isa_table[id].ext) {
	case ISA_EXT_F:
	case ISA_EXT_D:
	case ISA_EXT_ZFHMIN:
	case ISA_EXT_ZFHMIN_D:
	case ISA_EXT_ZFH:
	case ISA_EXT_ZFA:
	case ISA_EXT_ZFA_D:
	case ISA_EXT_ZFA_ZFH:
		return true;
	default:
		return false;
	}
}

/* FS off (Priv 3.1.6.6): all of them are illegal in every mode, and so are the three CSRs. */
void insn_fp_off_tests(void)
{
	struct machine *m = insn_machine();
	struct hart *h = m->cl.hart[0];

	csr_write(h, CSR_MSTATUS, 0);
	for (unsigned id = 1; id < ISA_NR; id++) {
		if (!is_fp(id))
			continue;
		tap_context("%s", isa_table[id].name);
		h->x[A0] = RIG_DATA;
		is(insn_execute(m, fp_encode(id, A3, RNE), PRV_M), CAUSE_ILLEGAL_INSN);
		is(insn_execute(m, fp_encode(id, A3, RNE), PRV_U), CAUSE_ILLEGAL_INSN);
	}
	for (unsigned num = CSR_FFLAGS; num <= CSR_FCSR; num++) {
		tap_context("CSR %u", num);
		is(insn_execute(m, csrr(A0, num), PRV_M), CAUSE_ILLEGAL_INSN);
		csr_write(h, CSR_MSTATUS, RV_BIT(13));
		is(insn_execute(m, csrr(A0, num), PRV_U), NO_TRAP);
		is(h->mstatus & MSTATUS_FS, RV_BIT(13)); /* reading does not set FS to dirty */
		is(insn_execute(m, csrw(num, ZERO), PRV_U), NO_TRAP);
		is(h->mstatus & MSTATUS_FS, MSTATUS_FS);
		csr_write(h, CSR_MSTATUS, 0);
	}
	machine_destroy(m);
}

/* Unpriv 20.2: modes 5 and 6 are reserved in the instruction, 5 to 7 in frm when it is used. */
void insn_fp_rm_tests(void)
{
	struct machine *m = insn_machine();
	struct hart *h = m->cl.hart[0];

	for (unsigned id = 1; id < ISA_NR; id++) {
		if (!is_fp(id) || !has_rm(id))
			continue;
		for (unsigned rm = 0; rm < 8; rm++) {
			tap_context("%s, mode %u", isa_table[id].name, rm);
			h->frm = 7;
			is(insn_execute(m, fp_encode(id, A3, rm), PRV_M),
			   rm < 5 ? NO_TRAP : CAUSE_ILLEGAL_INSN);
			h->frm = rm;
			is(insn_execute(m, fp_encode(id, A3, DYN), PRV_M),
			   rm < 5 ? NO_TRAP : CAUSE_ILLEGAL_INSN);
		}
	}
	machine_destroy(m);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fp.h - part of engine_run: floating-point arithmetic, on the functions of fp.h.
 *
 *	OP(name) FP_ON or FP_RM; FRD = a function of S1, FRS1, ...; NEXT;
 *
 * S1, S2, S3 are binary32 operands, taken out of their NaN boxes; FRS1, FRS2, FRS3 are binary64.
 *
 * Implements: Unpriv 20240411 chapters 20 (F) and 21 (D).
 */
/* clang-format off */

OP(fadd_s) FP_RM; FRD = box(fp32_add(S1, S2, rm, &h->fflags)); NEXT;
OP(fsub_s) FP_RM; FRD = box(fp32_sub(S1, S2, rm, &h->fflags)); NEXT;
OP(fmul_s) FP_RM; FRD = box(fp32_mul(S1, S2, rm, &h->fflags)); NEXT;
OP(fdiv_s) FP_RM; FRD = box(fp32_div(S1, S2, rm, &h->fflags)); NEXT;
OP(fsqrt_s) FP_RM; FRD = box(fp32_sqrt(S1, rm, &h->fflags)); NEXT;
OP(fmadd_s) FP_RM; FRD = box(fp32_fma(S1, S2, S3, rm, &h->fflags)); NEXT;
OP(fmsub_s) FP_RM; FRD = box(fp32_fma(S1, S2, S3 ^ SIGN32, rm, &h->fflags)); NEXT;
OP(fnmsub_s) FP_RM; FRD = box(fp32_fma(S1 ^ SIGN32, S2, S3, rm, &h->fflags)); NEXT;
OP(fnmadd_s) FP_RM; FRD = box(fp32_fma(S1 ^ SIGN32, S2, S3 ^ SIGN32, rm, &h->fflags)); NEXT;
OP(fsgnj_s) FP_ON; FRD = box((S1 & ~SIGN32) | (S2 & SIGN32)); NEXT;
OP(fsgnjn_s) FP_ON; FRD = box((S1 & ~SIGN32) | (~S2 & SIGN32)); NEXT;
OP(fsgnjx_s) FP_ON; FRD = box(S1 ^ (S2 & SIGN32)); NEXT;
OP(fmin_s) FP_ON; FRD = box(fp32_min(S1, S2, &h->fflags)); NEXT;
OP(fmax_s) FP_ON; FRD = box(fp32_max(S1, S2, &h->fflags)); NEXT;
OP(feq_s) FP_ON; RD = fp32_eq(S1, S2, &h->fflags); NEXT;
OP(flt_s) FP_ON; RD = fp32_lt(S1, S2, &h->fflags); NEXT;
OP(fle_s) FP_ON; RD = fp32_le(S1, S2, &h->fflags); NEXT;
OP(fclass_s) FP_ON; RD = fp32_class(S1); NEXT;
OP(fcvt_w_s) FP_RM; RD = fp32_to_i32(S1, rm, &h->fflags); NEXT;
OP(fcvt_wu_s) FP_RM; RD = (int32_t)fp32_to_u32(S1, rm, &h->fflags); NEXT;
OP(fcvt_l_s) FP_RM; RD = fp32_to_i64(S1, rm, &h->fflags); NEXT;
OP(fcvt_lu_s) FP_RM; RD = fp32_to_u64(S1, rm, &h->fflags); NEXT;

OP(fadd_d) FP_RM; FRD = (fp64_add(FRS1, FRS2, rm, &h->fflags)); NEXT;
OP(fsub_d) FP_RM; FRD = (fp64_sub(FRS1, FRS2, rm, &h->fflags)); NEXT;
OP(fmul_d) FP_RM; FRD = (fp64_mul(FRS1, FRS2, rm, &h->fflags)); NEXT;
OP(fdiv_d) FP_RM; FRD = (fp64_div(FRS1, FRS2, rm, &h->fflags)); NEXT;
OP(fsqrt_d) FP_RM; FRD = (fp64_sqrt(FRS1, rm, &h->fflags)); NEXT;
OP(fmadd_d) FP_RM; FRD = (fp64_fma(FRS1, FRS2, FRS3, rm, &h->fflags)); NEXT;
OP(fmsub_d) FP_RM; FRD = (fp64_fma(FRS1, FRS2, FRS3 ^ SIGN64, rm, &h->fflags)); NEXT;
OP(fnmsub_d) FP_RM; FRD = (fp64_fma(FRS1 ^ SIGN64, FRS2, FRS3, rm, &h->fflags)); NEXT;
OP(fnmadd_d) FP_RM; FRD = (fp64_fma(FRS1 ^ SIGN64, FRS2, FRS3 ^ SIGN64, rm, &h->fflags)); NEXT;
OP(fsgnj_d) FP_ON; FRD = ((FRS1 & ~SIGN64) | (FRS2 & SIGN64)); NEXT;
OP(fsgnjn_d) FP_ON; FRD = ((FRS1 & ~SIGN64) | (~FRS2 & SIGN64)); NEXT;
OP(fsgnjx_d) FP_ON; FRD = (FRS1 ^ (FRS2 & SIGN64)); NEXT;
OP(fmin_d) FP_ON; FRD = (fp64_min(FRS1, FRS2, &h->fflags)); NEXT;
OP(fmax_d) FP_ON; FRD = (fp64_max(FRS1, FRS2, &h->fflags)); NEXT;
OP(feq_d) FP_ON; RD = fp64_eq(FRS1, FRS2, &h->fflags); NEXT;
OP(flt_d) FP_ON; RD = fp64_lt(FRS1, FRS2, &h->fflags); NEXT;
OP(fle_d) FP_ON; RD = fp64_le(FRS1, FRS2, &h->fflags); NEXT;
OP(fclass_d) FP_ON; RD = fp64_class(FRS1); NEXT;
OP(fcvt_w_d) FP_RM; RD = fp64_to_i32(FRS1, rm, &h->fflags); NEXT;
OP(fcvt_wu_d) FP_RM; RD = (int32_t)fp64_to_u32(FRS1, rm, &h->fflags); NEXT;
OP(fcvt_l_d) FP_RM; RD = fp64_to_i64(FRS1, rm, &h->fflags); NEXT;
OP(fcvt_lu_d) FP_RM; RD = fp64_to_u64(FRS1, rm, &h->fflags); NEXT;

OP(fcvt_s_w) FP_RM; FRD = box(fp32_from_i32(RS1, rm, &h->fflags)); NEXT;
OP(fcvt_s_wu) FP_RM; FRD = box(fp32_from_u32(RS1, rm, &h->fflags)); NEXT;
OP(fcvt_s_l) FP_RM; FRD = box(fp32_from_i64(RS1, rm, &h->fflags)); NEXT;
OP(fcvt_s_lu) FP_RM; FRD = box(fp32_from_u64(RS1, rm, &h->fflags)); NEXT;
OP(fcvt_d_w) FP_RM; FRD = fp64_from_i32(RS1); NEXT;
OP(fcvt_d_wu) FP_RM; FRD = fp64_from_u32(RS1); NEXT;
OP(fcvt_d_l) FP_RM; FRD = fp64_from_i64(RS1, rm, &h->fflags); NEXT;
OP(fcvt_d_lu) FP_RM; FRD = fp64_from_u64(RS1, rm, &h->fflags); NEXT;
OP(fcvt_s_d) FP_RM; FRD = box(fp64_to_fp32(FRS1, rm, &h->fflags)); NEXT;
OP(fcvt_d_s) FP_RM; FRD = fp32_to_fp64(S1, &h->fflags); NEXT;

OP(fmv_x_w) FP_ON; RD = (int32_t)FRS1; NEXT;
OP(fmv_w_x) FP_ON; FRD = box(RS1); NEXT;
OP(fmv_x_d) FP_ON; RD = FRS1; NEXT;
OP(fmv_d_x) FP_ON; FRD = RS1; NEXT;

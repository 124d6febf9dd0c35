/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fp.h - part of engine_run: floating-point arithmetic, on the functions of fp.h.
 *
 *	OP(name) FP_ON or FP_RM; FRD = a function of S1, FRS1, ...; NEXT;
 *
 * H1, H2, H3 are binary16 operands and S1, S2, S3 binary32 ones, taken out of their NaN boxes;
 * FRS1, FRS2, FRS3 are binary64.
 *
 * Implements: Unpriv 20240411 chapters 20 (F), 21 (D), 22 (Zfh) and 25 (Zfa).
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
OP(fcvt_lu_s) FP_RM; SET_RD(fp32_to_u64(S1, rm, &h->fflags)); NEXT;

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
OP(fcvt_lu_d) FP_RM; SET_RD(fp64_to_u64(FRS1, rm, &h->fflags)); NEXT;

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

/* Zfh */
OP(fadd_h) FP_RM; FRD = box16(fp16_add(H1, H2, rm, &h->fflags)); NEXT;
OP(fsub_h) FP_RM; FRD = box16(fp16_sub(H1, H2, rm, &h->fflags)); NEXT;
OP(fmul_h) FP_RM; FRD = box16(fp16_mul(H1, H2, rm, &h->fflags)); NEXT;
OP(fdiv_h) FP_RM; FRD = box16(fp16_div(H1, H2, rm, &h->fflags)); NEXT;
OP(fsqrt_h) FP_RM; FRD = box16(fp16_sqrt(H1, rm, &h->fflags)); NEXT;
OP(fmadd_h) FP_RM; FRD = box16(fp16_fma(H1, H2, H3, rm, &h->fflags)); NEXT;
OP(fmsub_h) FP_RM; FRD = box16(fp16_fma(H1, H2, H3 ^ SIGN16, rm, &h->fflags)); NEXT;
OP(fnmsub_h) FP_RM; FRD = box16(fp16_fma(H1 ^ SIGN16, H2, H3, rm, &h->fflags)); NEXT;
OP(fnmadd_h) FP_RM; FRD = box16(fp16_fma(H1 ^ SIGN16, H2, H3 ^ SIGN16, rm, &h->fflags)); NEXT;
OP(fsgnj_h) FP_ON; FRD = box16((H1 & ~SIGN16) | (H2 & SIGN16)); NEXT;
OP(fsgnjn_h) FP_ON; FRD = box16((H1 & ~SIGN16) | (~H2 & SIGN16)); NEXT;
OP(fsgnjx_h) FP_ON; FRD = box16(H1 ^ (H2 & SIGN16)); NEXT;
OP(fmin_h) FP_ON; FRD = box16(fp16_min(H1, H2, &h->fflags)); NEXT;
OP(fmax_h) FP_ON; FRD = box16(fp16_max(H1, H2, &h->fflags)); NEXT;
OP(feq_h) FP_ON; RD = fp16_eq(H1, H2, &h->fflags); NEXT;
OP(flt_h) FP_ON; RD = fp16_lt(H1, H2, &h->fflags); NEXT;
OP(fle_h) FP_ON; RD = fp16_le(H1, H2, &h->fflags); NEXT;
OP(fclass_h) FP_ON; RD = fp16_class(H1); NEXT;
OP(fcvt_w_h) FP_RM; RD = fp16_to_i32(H1, rm, &h->fflags); NEXT;
OP(fcvt_wu_h) FP_RM; RD = (int32_t)fp16_to_u32(H1, rm, &h->fflags); NEXT;
OP(fcvt_l_h) FP_RM; RD = fp16_to_i64(H1, rm, &h->fflags); NEXT;
OP(fcvt_lu_h) FP_RM; SET_RD(fp16_to_u64(H1, rm, &h->fflags)); NEXT;

OP(fcvt_h_w) FP_RM; FRD = box16(fp16_from_i32(RS1, rm, &h->fflags)); NEXT;
OP(fcvt_h_wu) FP_RM; FRD = box16(fp16_from_u32(RS1, rm, &h->fflags)); NEXT;
OP(fcvt_h_l) FP_RM; FRD = box16(fp16_from_i64(RS1, rm, &h->fflags)); NEXT;
OP(fcvt_h_lu) FP_RM; FRD = box16(fp16_from_u64(RS1, rm, &h->fflags)); NEXT;
OP(fcvt_s_h) FP_RM; FRD = box(fp16_to_fp32(H1, &h->fflags)); NEXT;
OP(fcvt_h_s) FP_RM; FRD = box16(fp32_to_fp16(S1, rm, &h->fflags)); NEXT;
OP(fcvt_d_h) FP_RM; FRD = fp16_to_fp64(H1, &h->fflags); NEXT;
OP(fcvt_h_d) FP_RM; FRD = box16(fp64_to_fp16(FRS1, rm, &h->fflags)); NEXT;
OP(fmv_x_h) FP_ON; RD = (int16_t)FRS1; NEXT;
OP(fmv_h_x) FP_ON; FRD = box16(RS1); NEXT;

/* Zfa */
OP(fli_h) FP_ON; FRD = box16(fp16_constant(SHAMT)); NEXT;
OP(fminm_h) FP_ON; FRD = box16(fp16_minm(H1, H2, &h->fflags)); NEXT;
OP(fmaxm_h) FP_ON; FRD = box16(fp16_maxm(H1, H2, &h->fflags)); NEXT;
OP(fround_h) FP_RM; FRD = box16(fp16_round(H1, false, rm, &h->fflags)); NEXT;
OP(froundnx_h) FP_RM; FRD = box16(fp16_round(H1, true, rm, &h->fflags)); NEXT;
OP(fleq_h) FP_ON; RD = fp16_leq(H1, H2, &h->fflags); NEXT;
OP(fltq_h) FP_ON; RD = fp16_ltq(H1, H2, &h->fflags); NEXT;
OP(fli_s) FP_ON; FRD = box(fp32_constant(SHAMT)); NEXT;
OP(fminm_s) FP_ON; FRD = box(fp32_minm(S1, S2, &h->fflags)); NEXT;
OP(fmaxm_s) FP_ON; FRD = box(fp32_maxm(S1, S2, &h->fflags)); NEXT;
OP(fround_s) FP_RM; FRD = box(fp32_round(S1, false, rm, &h->fflags)); NEXT;
OP(froundnx_s) FP_RM; FRD = box(fp32_round(S1, true, rm, &h->fflags)); NEXT;
OP(fleq_s) FP_ON; RD = fp32_leq(S1, S2, &h->fflags); NEXT;
OP(fltq_s) FP_ON; RD = fp32_ltq(S1, S2, &h->fflags); NEXT;
OP(fli_d) FP_ON; FRD = fp64_constant(SHAMT); NEXT;
OP(fminm_d) FP_ON; FRD = fp64_minm(FRS1, FRS2, &h->fflags); NEXT;
OP(fmaxm_d) FP_ON; FRD = fp64_maxm(FRS1, FRS2, &h->fflags); NEXT;
OP(fround_d) FP_RM; FRD = fp64_round(FRS1, false, rm, &h->fflags); NEXT;
OP(froundnx_d) FP_RM; FRD = fp64_round(FRS1, true, rm, &h->fflags); NEXT;
OP(fleq_d) FP_ON; RD = fp64_leq(FRS1, FRS2, &h->fflags); NEXT;
OP(fltq_d) FP_ON; RD = fp64_ltq(FRS1, FRS2, &h->fflags); NEXT;
OP(fcvtmod_w_d) FP_ON; RD = fp64_to_i32_modulo(FRS1, &h->fflags); NEXT;

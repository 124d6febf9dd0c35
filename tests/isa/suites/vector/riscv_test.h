/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * riscv_test.h - what the programs of riscv-vector-tests want from their environment (env/ps
 * there).  vector.S is the environment.
 */
#ifndef SUITES_VECTOR_RISCV_TEST_H
#define SUITES_VECTOR_RISCV_TEST_H

#define TESTNUM gp

#define RVTEST_RV64UV
#define RVTEST_RV64UVX
#define RVTEST_CODE_BEGIN .globl suite_begin; suite_begin:
#define RVTEST_CODE_END	  la t0, suite_end; jr t0
#define RVTEST_PASS
#define RVTEST_FAIL

/* The program defines resultdata, and testdata after it. */
#define RVTEST_DATA_BEGIN .globl resultdata, testdata
#define RVTEST_DATA_END

#endif

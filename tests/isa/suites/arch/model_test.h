/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_test.h - what the programs of riscv-arch-test want from their environment: the macros that
 * its specification of the test format lists.  arch.S is the environment.
 */
#ifndef SUITES_ARCH_MODEL_TEST_H
#define SUITES_ARCH_MODEL_TEST_H

#define RVMODEL_BOOT
#define RVMODEL_HALT	   la t0, suite_end; jr t0;
#define RVMODEL_DATA_BEGIN .align 4; .globl begin_signature; begin_signature:
#define RVMODEL_DATA_END   .align 4; .globl end_signature; end_signature:

#define RVMODEL_IO_INIT
#define RVMODEL_IO_WRITE_STR(register, text)
#define RVMODEL_IO_CHECK()
#define RVMODEL_IO_ASSERT_GPR_EQ(save, register, value)
#define RVMODEL_IO_ASSERT_SFPR_EQ(save, register, value)
#define RVMODEL_IO_ASSERT_DFPR_EQ(save, register, value)

#define RVMODEL_SET_MSW_INT	li t1, 1; li t2, 0x2000000; sw t1, (t2)
#define RVMODEL_CLEAR_MSW_INT	li t2, 0x2000000; sw x0, (t2)
#define RVMODEL_CLEAR_MTIMER_INT
#define RVMODEL_CLEAR_MEXT_INT

#endif

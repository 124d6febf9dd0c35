/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trap.h - interrupt numbers and exception causes.
 *
 * Implements: Priv 1.13 §3.1.9 (mip and mie), §3.1.15 (mcause), Sscofpmf 1.0 §3 (LCOFI).
 */
#ifndef RV_TRAP_H
#define RV_TRAP_H

#include <rv/bits.h>

/* Privilege modes as mstatus.MPP writes them */
#define PRV_U 0
#define PRV_S 1
#define PRV_M 3

/* Interrupt numbers: bits of mip, mie, mideleg; mcause with its top bit set */
#define IRQ_S_SOFT   1
#define IRQ_VS_SOFT  2
#define IRQ_M_SOFT   3
#define IRQ_S_TIMER  5
#define IRQ_VS_TIMER 6
#define IRQ_M_TIMER  7
#define IRQ_S_EXT    9
#define IRQ_VS_EXT   10
#define IRQ_M_EXT    11
#define IRQ_S_GEXT   12
#define IRQ_LCOF     13 /* local counter overflow */

#define MIP_SSIP   RV_BIT(IRQ_S_SOFT)
#define MIP_MSIP   RV_BIT(IRQ_M_SOFT)
#define MIP_STIP   RV_BIT(IRQ_S_TIMER)
#define MIP_MTIP   RV_BIT(IRQ_M_TIMER)
#define MIP_SEIP   RV_BIT(IRQ_S_EXT)
#define MIP_MEIP   RV_BIT(IRQ_M_EXT)
#define MIP_VSSIP  RV_BIT(IRQ_VS_SOFT)
#define MIP_VSTIP  RV_BIT(IRQ_VS_TIMER)
#define MIP_VSEIP  RV_BIT(IRQ_VS_EXT)
#define MIP_SGEIP  RV_BIT(IRQ_S_GEXT)
#define MIP_LCOFIP RV_BIT(IRQ_LCOF)

/* Exception causes */
#define CAUSE_MISALIGNED_FETCH	0
#define CAUSE_FETCH_ACCESS	1
#define CAUSE_ILLEGAL_INSN	2
#define CAUSE_BREAKPOINT	3
#define CAUSE_MISALIGNED_LOAD	4
#define CAUSE_LOAD_ACCESS	5
#define CAUSE_MISALIGNED_STORE	6
#define CAUSE_STORE_ACCESS	7
#define CAUSE_ECALL_U		8
#define CAUSE_ECALL_S		9
#define CAUSE_ECALL_VS		10
#define CAUSE_ECALL_M		11
#define CAUSE_FETCH_PAGE_FAULT	12
#define CAUSE_LOAD_PAGE_FAULT	13
#define CAUSE_STORE_PAGE_FAULT	15
#define CAUSE_SOFTWARE_CHECK	18
#define CAUSE_FETCH_GUEST_FAULT 20
#define CAUSE_LOAD_GUEST_FAULT	21
#define CAUSE_VIRTUAL_INSN	22
#define CAUSE_STORE_GUEST_FAULT 23

/* xtval of CAUSE_SOFTWARE_CHECK */
#define SOFTWARE_CHECK_LANDING_PAD  2
#define SOFTWARE_CHECK_SHADOW_STACK 3

#endif

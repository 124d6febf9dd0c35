/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csr.h - control and status register numbers and fields.
 *
 * Plain #defines, because assembly needs them.  A family of registers such as hpmcounter3..31 has
 * one base: the register of counter n is BASE + n, where n is the counter index that every part of
 * this project uses (0 cycle, 1 time, 2 instret, 3..31 programmable).
 *
 * Implements: Priv 1.13 (chapters 2, 3 and 10), Sscofpmf 1.0, Smcntrpmf 1.0, Sstc 1.0,
 * Smstateen 1.0, Smcsrind 1.0, Smcdeleg 1.0, Zicfiss 1.0, Sdtrig 1.0, V 1.0.
 */
#ifndef RV_CSR_H
#define RV_CSR_H

#include <rv/bits.h>

/* Bits 9:8 of a number: the lowest privilege level; bits 11:10 all set: read-only. */
#define RV_CSR_PRIV(num)     (((num) >> 8) & 3)
#define RV_CSR_READONLY(num) ((((num) >> 10) & 3) == 3)

/* Unprivileged floating point */
#define CSR_FFLAGS 0x001
#define CSR_FRM	   0x002
#define CSR_FCSR   0x003

/* Unprivileged shadow stack (Zicfiss) */
#define CSR_SSP 0x011

/* Unprivileged vectors */
#define CSR_VSTART 0x008
#define CSR_VXSAT  0x009
#define CSR_VXRM   0x00a
#define CSR_VCSR   0x00f
#define CSR_VL	   0xc20
#define CSR_VTYPE  0xc21
#define CSR_VLENB  0xc22

/* Unprivileged counters: + counter index */
#define CSR_CYCLE	0xc00
#define CSR_TIME	0xc01
#define CSR_INSTRET	0xc02
#define CSR_HPMCOUNTER	0xc00
#define CSR_CYCLEH	0xc80
#define CSR_TIMEH	0xc81
#define CSR_INSTRETH	0xc82
#define CSR_HPMCOUNTERH 0xc80

/* Supervisor */
#define CSR_SSTATUS	  0x100
#define CSR_SIE		  0x104
#define CSR_STVEC	  0x105
#define CSR_SCOUNTEREN	  0x106
#define CSR_SENVCFG	  0x10a
#define CSR_SSTATEEN0	  0x10c
#define CSR_SCOUNTINHIBIT 0x120
#define CSR_SSCRATCH	  0x140
#define CSR_SEPC	  0x141
#define CSR_SCAUSE	  0x142
#define CSR_STVAL	  0x143
#define CSR_SIP		  0x144
#define CSR_STIMECMP	  0x14d
#define CSR_STIMECMPH	  0x15d
#define CSR_SISELECT	  0x150
#define CSR_SIREG	  0x151
#define CSR_SIREG2	  0x152
#define CSR_SIREG3	  0x153
#define CSR_SIREG4	  0x155
#define CSR_SIREG6	  0x157
#define CSR_SATP	  0x180
#define CSR_SCOUNTOVF	  0xda0

/* Hypervisor */
#define CSR_VSSTATUS	0x200
#define CSR_VSIE	0x204
#define CSR_VSTVEC	0x205
#define CSR_VSSCRATCH	0x240
#define CSR_VSEPC	0x241
#define CSR_VSCAUSE	0x242
#define CSR_VSTVAL	0x243
#define CSR_VSIP	0x244
#define CSR_VSTIMECMP	0x24d
#define CSR_VSTIMECMPH	0x25d
#define CSR_VSATP	0x280
#define CSR_HSTATUS	0x600
#define CSR_HEDELEG	0x602
#define CSR_HIDELEG	0x603
#define CSR_HTIMEDELTA	0x605
#define CSR_HCOUNTEREN	0x606
#define CSR_HENVCFG	0x60a
#define CSR_HTIMEDELTAH 0x615
#define CSR_HTVAL	0x643
#define CSR_HTINST	0x64a
#define CSR_HGATP	0x680

/* Machine */
#define CSR_MVENDORID  0xf11
#define CSR_MARCHID    0xf12
#define CSR_MIMPID     0xf13
#define CSR_MHARTID    0xf14
#define CSR_MCONFIGPTR 0xf15

#define CSR_MSTATUS    0x300
#define CSR_MISA       0x301
#define CSR_MEDELEG    0x302
#define CSR_MIDELEG    0x303
#define CSR_MIE	       0x304
#define CSR_MTVEC      0x305
#define CSR_MCOUNTEREN 0x306
#define CSR_MENVCFG    0x30a
#define CSR_MSTATEEN0  0x30c
#define CSR_MSTATUSH   0x310
#define CSR_MEDELEGH   0x312
#define CSR_MIDELEGH   0x313
#define CSR_MIEH       0x314
#define CSR_MENVCFGH   0x31a
#define CSR_MSTATEEN0H 0x31c
#define CSR_MSCRATCH   0x340
#define CSR_MEPC       0x341
#define CSR_MCAUSE     0x342
#define CSR_MTVAL      0x343
#define CSR_MIP	       0x344
#define CSR_MTINST     0x34a
#define CSR_MTVAL2     0x34b
#define CSR_MISELECT   0x350
#define CSR_MIREG      0x351
#define CSR_MIREG3     0x353
#define CSR_MIPH       0x354
#define CSR_MIREG4     0x355
#define CSR_MIREG6     0x357
#define CSR_PMPCFG0    0x3a0
#define CSR_PMPADDR0   0x3b0
#define CSR_SEED       0x015
#define CSR_JVT	       0x017
#define CSR_MNSTATUS   0x744
#define CSR_MSECCFG    0x747
#define CSR_TSELECT    0x7a0
#define CSR_TDATA1     0x7a1
#define CSR_TDATA2     0x7a2
#define CSR_TDATA3     0x7a3
#define CSR_TINFO      0x7a4
#define CSR_DCSR       0x7b0

/* Machine counters: + counter index */
#define CSR_MCYCLE	  0xb00
#define CSR_MINSTRET	  0xb02
#define CSR_MHPMCOUNTER	  0xb00
#define CSR_MCYCLEH	  0xb80
#define CSR_MINSTRETH	  0xb82
#define CSR_MHPMCOUNTERH  0xb80
#define CSR_MCOUNTINHIBIT 0x320
#define CSR_MCYCLECFG	  0x321
#define CSR_MINSTRETCFG	  0x322
#define CSR_MHPMEVENT	  0x320 /* + 3..31 */
#define CSR_MCYCLECFGH	  0x721
#define CSR_MINSTRETCFGH  0x722
#define CSR_MHPMEVENTH	  0x720 /* + 3..31 */

/* T-Head */
#define CSR_TH_SXSTATUS	  0x5c0
#define CSR_TH_SCOUNTEROF 0x5c5

/*
 * mhpmevent (Sscofpmf 1.0 §2) and, without OF, mcyclecfg and minstretcfg (Smcntrpmf 1.0 §2).  On
 * RV32 these bits are in the CSR of the high half.
 */
#define MHPMEVENT_OF	 RV_BIT(63) /* overflow status and interrupt disable */
#define MHPMEVENT_MINH	 RV_BIT(62) /* do not count in M-mode */
#define MHPMEVENT_SINH	 RV_BIT(61)
#define MHPMEVENT_UINH	 RV_BIT(60)
#define MHPMEVENT_VSINH	 RV_BIT(59)
#define MHPMEVENT_VUINH	 RV_BIT(58)
#define MHPMEVENT_FILTER RV_MASK(62, 58)
#define MHPMEVENT_EVENT	 RV_MASK(57, 0)

/* mcounteren, mcountinhibit, scounteren, scountovf: one bit a counter index */
#define COUNTER_CY	  0
#define COUNTER_TM	  1
#define COUNTER_IR	  2
#define COUNTER_HPM_FIRST 3
#define COUNTER_HPM_LAST  31
#define COUNTER_HW_MAX	  32

/* mstatus */
#define MSTATUS_SIE	  RV_BIT(1)
#define MSTATUS_MIE	  RV_BIT(3)
#define MSTATUS_SPIE	  RV_BIT(5)
#define MSTATUS_MPIE	  RV_BIT(7)
#define MSTATUS_SPP	  RV_BIT(8)
#define MSTATUS_VS	  RV_MASK(10, 9)
#define MSTATUS_VS_THEAD  RV_MASK(24, 23) /* where XTheadVector has VS */
#define MSTATUS_MPP_SHIFT 11
#define MSTATUS_MPP	  RV_MASK(12, 11)
#define MSTATUS_FS	  RV_MASK(14, 13)
#define MSTATUS_XS	  RV_MASK(16, 15)
#define MSTATUS_MPRV	  RV_BIT(17)
#define MSTATUS_SUM	  RV_BIT(18)
#define MSTATUS_MXR	  RV_BIT(19)
#define MSTATUS_TVM	  RV_BIT(20)
#define MSTATUS_TW	  RV_BIT(21)
#define MSTATUS_TSR	  RV_BIT(22)
#define MSTATUS_UXL	  RV_MASK(33, 32) /* RV64 */
#define MSTATUS_SXL	  RV_MASK(35, 34) /* RV64 */
#define MSTATUS_GVA	  RV_BIT(38) /* RV64; RV32: mstatush bit 6 */
#define MSTATUS_MPV	  RV_BIT(39) /* RV64; RV32: mstatush bit 7 */
#define MSTATUS_MDT	  RV_BIT(42) /* RV64; Smdbltrp 1.0: a trap now is a double trap */
#define MSTATUSH_GVA	  RV_BIT(6)
#define MSTATUSH_MPV	  RV_BIT(7)

/* Zicfilp: the landing pad that a trap interrupted */
#define MSTATUS_SPELP  RV_BIT(23)
#define MSTATUS_MPELP  RV_BIT(41) /* RV64; RV32: mstatush bit 9 */
#define MSTATUSH_MPELP RV_BIT(9)

/* hstatus */
#define HSTATUS_GVA  RV_BIT(6)
#define HSTATUS_SPV  RV_BIT(7)
#define HSTATUS_SPVP RV_BIT(8)

/* mnstatus */
#define MNSTATUS_NMIE 0x8 /* Smrnmi 1.0 §2.3 */

/* hgatp: the VMID; a hart may implement its low bits only (Priv 1.13 §18.2.10). */
#define HGATP_VMID (RV_XLEN == 32 ? RV_MASK(28, 22) : RV_MASK(57, 44))

/* seed: the state of the entropy source (Zkr 1.0) */
#define SEED_OPST_SHIFT 30
#define SEED_ES16	2

/*
 * mseccfg (Priv 1.13 §3.1.19): M-mode's own memory protection (Smepmp), and which modes below
 * M-mode may access seed (Zkr)
 */
#define MSECCFG_MML   RV_BIT(0)
#define MSECCFG_MMWP  RV_BIT(1)
#define MSECCFG_RLB   RV_BIT(2)
#define MSECCFG_USEED RV_BIT(8)
#define MSECCFG_SSEED RV_BIT(9)
#define MSECCFG_MLPE  RV_BIT(10) /* Zicfilp */
#define MSECCFG_PMM   RV_MASK(33, 32) /* Smmpm */

/* menvcfg */
#define MENVCFG_FIOM  RV_BIT(0)
#define MENVCFG_LPE   RV_BIT(2)
#define MENVCFG_SSE   RV_BIT(3)
#define MENVCFG_CBIE  RV_MASK(5, 4)
#define MENVCFG_CBCFE RV_BIT(6)
#define MENVCFG_CBZE  RV_BIT(7)
#define MENVCFG_PMM   RV_MASK(33, 32)
#define ENVCFG_PMM_7  (2ull << 32) /* values of PMM: 7 and 16 upper bits are ignored */
#define ENVCFG_PMM_16 (3ull << 32)
#define MENVCFG_CDE   RV_BIT(60)
#define MENVCFG_ADUE  RV_BIT(61)
#define MENVCFG_PBMTE RV_BIT(62)
#define MENVCFG_STCE  RV_BIT(63)

/* mstateen0 */
#define MSTATEEN0_FCSR	 RV_BIT(1)
#define MSTATEEN0_JVT	 RV_BIT(2)
#define MSTATEEN0_AIA	 RV_BIT(59)
#define MSTATEEN0_CSRIND RV_BIT(60)
#define MSTATEEN0_ENVCFG RV_BIT(62)
#define MSTATEEN0_SE0	 RV_BIT(63)

/* misa */
#define MISA_EXT(letter) RV_BIT((letter) - 'A')

/* pmpcfg, one byte an entry */
#define PMP_R	  0x01
#define PMP_W	  0x02
#define PMP_X	  0x04
#define PMP_TOR	  0x08
#define PMP_NA4	  0x10
#define PMP_NAPOT 0x18
#define PMP_L	  0x80

/* satp */
#define SATP64_MODE_BARE 0
#define SATP64_MODE_SV39 8
#define SATP64_MODE_SV48 9
#define SATP64_MODE_SV57 10

/* siselect: what sireg and sireg2 then access (Smcdeleg 1.0): + counter index */
#define SISELECT_COUNTER 0x40

/* tdata1: its type in the top bits, and the fields of mcontrol6 (Sdtrig 1.0 §5.7.11) */
#define TDATA1_TYPE	      RV_MASK(63, 60)
#define TDATA1_MCONTROL6      (6ull << 60)
#define TDATA1_DISABLED	      (15ull << 60)
#define MCONTROL6_HIT0	      RV_BIT(22)
#define MCONTROL6_SIZE	      RV_MASK(18, 16)
#define MCONTROL6_SIZE_SHIFT  16
#define MCONTROL6_MATCH	      RV_MASK(10, 7)
#define MCONTROL6_MATCH_NAPOT RV_BIT(7)
#define MCONTROL6_M	      RV_BIT(6)
#define MCONTROL6_S	      RV_BIT(4)
#define MCONTROL6_U	      RV_BIT(3)
#define MCONTROL6_EXECUTE     RV_BIT(2)
#define MCONTROL6_STORE	      RV_BIT(1)
#define MCONTROL6_LOAD	      RV_BIT(0)

/* tinfo: version 1.0, and the types that a trigger can have */
#define TINFO_VERSION RV_BIT(24)

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sbi.h - the supervisor binary interface: extension and function numbers, flags.
 *
 * Usable from C and assembly.  Error codes are the rows of sbi_err.def, as SBI_SUCCESS,
 * SBI_ERR_FAILED and so on; the events of the PMU extension are in pmu_event.h.
 *
 * Implements: SBI 3.0, chapters 3 to 16.
 */
#ifndef RV_SBI_H
#define RV_SBI_H

#include <rv/bits.h>

#define SBI_SPEC_VERSION(major, minor) (((major) << 24) | (minor))

/* Extension ids (a7) */
#define SBI_EXT_LEGACY_SET_TIMER	      0x00
#define SBI_EXT_LEGACY_CONSOLE_PUTCHAR	      0x01
#define SBI_EXT_LEGACY_CONSOLE_GETCHAR	      0x02
#define SBI_EXT_LEGACY_CLEAR_IPI	      0x03
#define SBI_EXT_LEGACY_SEND_IPI		      0x04
#define SBI_EXT_LEGACY_REMOTE_FENCE_I	      0x05
#define SBI_EXT_LEGACY_REMOTE_SFENCE_VMA      0x06
#define SBI_EXT_LEGACY_REMOTE_SFENCE_VMA_ASID 0x07
#define SBI_EXT_LEGACY_SHUTDOWN		      0x08
#define SBI_EXT_BASE			      0x10
#define SBI_EXT_TIME			      0x54494d45
#define SBI_EXT_IPI			      0x735049
#define SBI_EXT_RFENCE			      0x52464e43
#define SBI_EXT_HSM			      0x48534d
#define SBI_EXT_SRST			      0x53525354
#define SBI_EXT_PMU			      0x504d55
#define SBI_EXT_DBCN			      0x4442434e
#define SBI_EXT_SUSP			      0x53555350
#define SBI_EXT_CPPC			      0x43505043
#define SBI_EXT_NACL			      0x4e41434c
#define SBI_EXT_STA			      0x535441
#define SBI_EXT_SSE			      0x535345
#define SBI_EXT_FWFT			      0x46574654
#define SBI_EXT_DBTR			      0x44425452
#define SBI_EXT_MPXY			      0x4d505859

/* Function ids (a6): Base, SBI 3.0 chapter 4 */
#define SBI_BASE_GET_SPEC_VERSION 0
#define SBI_BASE_GET_IMPL_ID	  1
#define SBI_BASE_GET_IMPL_VERSION 2
#define SBI_BASE_PROBE_EXT	  3
#define SBI_BASE_GET_MVENDORID	  4
#define SBI_BASE_GET_MARCHID	  5
#define SBI_BASE_GET_MIMPID	  6

/* Implementation ids: SBI 3.0 table 5; Holter's is not in it. */
#define SBI_IMPL_OPENSBI 1
#define SBI_IMPL_KVM	 3
#define SBI_IMPL_HOLTER	 0x484c54 /* "HLT" */

/* TIME, IPI: chapters 6 and 7 */
#define SBI_TIME_SET_TIMER 0
#define SBI_IPI_SEND_IPI   0

/* RFENCE: chapter 8 */
#define SBI_RFENCE_FENCE_I	    0
#define SBI_RFENCE_SFENCE_VMA	    1
#define SBI_RFENCE_SFENCE_VMA_ASID  2
#define SBI_RFENCE_HFENCE_GVMA_VMID 3
#define SBI_RFENCE_HFENCE_GVMA	    4
#define SBI_RFENCE_HFENCE_VVMA_ASID 5
#define SBI_RFENCE_HFENCE_VVMA	    6

/* HSM: chapter 9 */
#define SBI_HSM_HART_START	0
#define SBI_HSM_HART_STOP	1
#define SBI_HSM_HART_GET_STATUS 2
#define SBI_HSM_HART_SUSPEND	3

#define SBI_HSM_STATE_STARTED	      0
#define SBI_HSM_STATE_STOPPED	      1
#define SBI_HSM_STATE_START_PENDING   2
#define SBI_HSM_STATE_STOP_PENDING    3
#define SBI_HSM_STATE_SUSPENDED	      4
#define SBI_HSM_STATE_SUSPEND_PENDING 5
#define SBI_HSM_STATE_RESUME_PENDING  6

#define SBI_HSM_SUSPEND_RETENTIVE     0x00000000
#define SBI_HSM_SUSPEND_NON_RETENTIVE 0x80000000

/* SRST: chapter 10 */
#define SBI_SRST_RESET		  0
#define SBI_SRST_TYPE_SHUTDOWN	  0
#define SBI_SRST_TYPE_COLD_REBOOT 1
#define SBI_SRST_TYPE_WARM_REBOOT 2
#define SBI_SRST_REASON_NONE	  0
#define SBI_SRST_REASON_FAILURE	  1

/* PMU: chapter 11 */
#define SBI_PMU_NUM_COUNTERS		0
#define SBI_PMU_COUNTER_GET_INFO	1
#define SBI_PMU_COUNTER_CONFIG_MATCHING 2
#define SBI_PMU_COUNTER_START		3
#define SBI_PMU_COUNTER_STOP		4
#define SBI_PMU_COUNTER_FW_READ		5
#define SBI_PMU_COUNTER_FW_READ_HI	6
#define SBI_PMU_SNAPSHOT_SET_SHMEM	7
#define SBI_PMU_EVENT_GET_INFO		8

/* config_flags of config_matching, table 37 */
#define SBI_PMU_CFG_FLAG_SKIP_MATCH  0x01
#define SBI_PMU_CFG_FLAG_CLEAR_VALUE 0x02
#define SBI_PMU_CFG_FLAG_AUTO_START  0x04
#define SBI_PMU_CFG_FLAG_SET_VUINH   0x08
#define SBI_PMU_CFG_FLAG_SET_VSINH   0x10
#define SBI_PMU_CFG_FLAG_SET_UINH    0x20
#define SBI_PMU_CFG_FLAG_SET_SINH    0x40
#define SBI_PMU_CFG_FLAG_SET_MINH    0x80
#define SBI_PMU_CFG_FLAG_FILTER	     0xf8
#define SBI_PMU_CFG_FLAG_ALL	     0xff

/* start_flags, table 39; stop_flags, table 41 */
#define SBI_PMU_START_SET_INIT_VALUE	 0x01
#define SBI_PMU_START_FLAG_INIT_SNAPSHOT 0x02
#define SBI_PMU_START_FLAG_ALL		 0x03
#define SBI_PMU_STOP_FLAG_RESET		 0x01
#define SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT	 0x02
#define SBI_PMU_STOP_FLAG_ALL		 0x03

/* counter_info, §11.7: CSR in 11:0, width - 1 in 17:12, type in the top bit of XLEN */
#define SBI_PMU_INFO_WIDTH_SHIFT 12

/* Snapshot shared memory, table 45 */
#define SBI_PMU_SNAPSHOT_SIZE	  4096
#define SBI_PMU_SNAPSHOT_OVERFLOW 0
#define SBI_PMU_SNAPSHOT_VALUES	  8

/* Event info entry, table 47 */
#define SBI_PMU_EVENT_INFO_SIZE	  16
#define SBI_PMU_EVENT_INFO_ALIGN  16
#define SBI_PMU_EVENT_INFO_IDX	  0
#define SBI_PMU_EVENT_INFO_OUTPUT 4
#define SBI_PMU_EVENT_INFO_DATA	  8

/* DBCN: chapter 12 */
#define SBI_DBCN_WRITE	    0
#define SBI_DBCN_READ	    1
#define SBI_DBCN_WRITE_BYTE 2

/* SUSP: chapter 13 */
#define SBI_SUSP_SUSPEND	     0
#define SBI_SUSP_TYPE_SUSPEND_TO_RAM 0

/* SSE: chapter 17 */
#define SBI_SSE_READ_ATTRS  0
#define SBI_SSE_WRITE_ATTRS 1
#define SBI_SSE_REGISTER    2
#define SBI_SSE_UNREGISTER  3
#define SBI_SSE_ENABLE	    4
#define SBI_SSE_DISABLE	    5
#define SBI_SSE_COMPLETE    6
#define SBI_SSE_INJECT	    7
#define SBI_SSE_HART_UNMASK 8
#define SBI_SSE_HART_MASK   9

/* FWFT: chapter 18 */
#define SBI_FWFT_SET		       0
#define SBI_FWFT_GET		       1
#define SBI_FWFT_MISALIGNED_EXC_DELEG  0
#define SBI_FWFT_LANDING_PAD	       1
#define SBI_FWFT_SHADOW_STACK	       2
#define SBI_FWFT_DOUBLE_TRAP	       3
#define SBI_FWFT_PTE_AD_HW_UPDATING    4
#define SBI_FWFT_POINTER_MASKING_PMLEN 5
#define SBI_FWFT_SET_FLAG_LOCK	       1

#ifndef __ASSEMBLER__
#include <rv/xlen.h>

/* SBI_SUCCESS, SBI_ERR_FAILED ...: the value of sbiret.error (SBI 3.0 §3.1). */
enum sbi_err {
#define ERR(name, value, text) SBI_ERR_##name = (value),
#include <rv/sbi_err.def>
#undef ERR
	SBI_SUCCESS = SBI_ERR_SUCCESS,
};

/* What every SBI call returns: a0 and a1. */
struct sbiret {
	rv_long error;
	rv_ulong value;
};

static inline struct sbiret sbi_ok(rv_ulong value)
{
	return (struct sbiret){ SBI_SUCCESS, value };
}

static inline struct sbiret sbi_fail(enum sbi_err error)
{
	return (struct sbiret){ error, 0 };
}
#endif

#endif

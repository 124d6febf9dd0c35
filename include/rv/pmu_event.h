/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_event.h - the event_idx of the SBI PMU extension and the names of its events.
 *
 * event_idx[19:16] is the type, event_idx[15:0] the code; a cache event's code is
 * cache_id[15:3] | op_id[2:1] | result_id[0] (SBI 3.0 §11, table 30).
 * The rows are in sbi_event.def.
 */
#ifndef RV_PMU_EVENT_H
#define RV_PMU_EVENT_H

#include <rv/bits.h>

#define SBI_PMU_TYPE_HW	    0x0 /* hardware general events */
#define SBI_PMU_TYPE_CACHE  0x1 /* hardware cache events */
#define SBI_PMU_TYPE_RAW    0x2 /* raw events: 48 bits of event_data (deprecated) */
#define SBI_PMU_TYPE_RAW_V2 0x3 /* raw events v2: 56 bits of event_data */
#define SBI_PMU_TYPE_FW	    0xf /* firmware events */

#define SBI_PMU_EIDX_TYPE_SHIFT 16
#define SBI_PMU_EIDX_CODE_MASK	0xffff
#define SBI_PMU_EIDX_VALID_MASK 0xfffff

#define SBI_PMU_EIDX(type, code) (((type) << SBI_PMU_EIDX_TYPE_SHIFT) | (code))
#define SBI_PMU_EIDX_CACHE(id, op, result)                                                         \
	SBI_PMU_EIDX(SBI_PMU_TYPE_CACHE, ((id) << 3) | ((op) << 1) | (result))

#define SBI_PMU_RAW_DATA_MASK	 RV_MASK(47, 0)
#define SBI_PMU_RAW_V2_DATA_MASK RV_MASK(55, 0)

/* Firmware event codes beyond the named ones, table 35 */
#define SBI_PMU_FW_IMPL_FIRST 256
#define SBI_PMU_FW_IMPL_LAST  65534
#define SBI_PMU_FW_PLATFORM   65535

#ifndef __ASSEMBLER__
/* SBI_PMU_HW_CPU_CYCLES ... : codes of hardware general events. */
enum sbi_pmu_hw {
	SBI_PMU_HW_NO_EVENT = 0,
#define HW(code, name, text) SBI_PMU_HW_##name = (code),
#include <rv/sbi_event.def>
	SBI_PMU_HW_COUNT,
};

/* SBI_PMU_HW_CACHE_L1D ... : cache ids. */
enum sbi_pmu_cache {
#define CACHE(id, name, text) SBI_PMU_HW_CACHE_##name = (id),
#include <rv/sbi_event.def>
	SBI_PMU_HW_CACHE_COUNT,
};

/* SBI_PMU_HW_CACHE_OP_READ ... : cache operation ids. */
enum sbi_pmu_cache_op {
#define CACHE_OP(id, name, text) SBI_PMU_HW_CACHE_OP_##name = (id),
#include <rv/sbi_event.def>
	SBI_PMU_HW_CACHE_OP_COUNT,
};

/* SBI_PMU_HW_CACHE_RESULT_ACCESS ... : cache result ids. */
enum sbi_pmu_cache_result {
#define CACHE_RESULT(id, name, text) SBI_PMU_HW_CACHE_RESULT_##name = (id),
#include <rv/sbi_event.def>
};

/* SBI_PMU_FW_MISALIGNED_LOAD ... : codes of firmware events. */
enum sbi_pmu_fw {
#define FW(code, name, text) SBI_PMU_FW_##name = (code),
#include <rv/sbi_event.def>
	SBI_PMU_FW_COUNT,
};
#endif

#endif

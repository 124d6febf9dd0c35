/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * call.c - the functions of the SBI PMU extension: registers in, struct sbiret out.
 *
 * Implements: SBI 3.0 §11.6 to §11.14.
 *
 * Each function validates all its arguments first and changes state last.  Life of a call:
 * S-mode's ecall -> the host's trap handler -> sbipmu_call -> a function of this file -> event.c
 * and match.c choose a counter -> counter.c, fwcount.c and snapshot.c change state.
 */
#include "pmu_counter.h"
#include "pmu_find.h"
#include "pmu_fwcount.h"
#include "pmu_match.h"
#include "pmu_snapshot.h"
#include "pmu_value.h"

/*
 * The counter_idx_base that Linux up to 7.2 passes when it restarts counters after an overflow
 * while snapshots are on: its loop index after the loop's end times the bits of a word
 * (pmu_sbi_start_ovf_ctrs_snapshot in drivers/perf/riscv_pmu_sbi.c).  Linux means 0.  START with
 * INIT_SNAPSHOT takes it as 0; no counter has such a number, so that no correct call changes.
 */
#define LINUX_SNAPSHOT_BASE ((rv_ulong)RV_XLEN * RV_XLEN)

/* Makes one mask of counter indexes from base and mask; false if a counter is not valid. */
static bool decode_set(const struct sbipmu_hart *h, rv_ulong base, rv_ulong mask, uint64_t *set)
{
	*set = 0;
	if (!mask)
		return true;
	if (base >= 64)
		return false;
	*set = (uint64_t)mask << base;
	return *set >> base == mask && !(*set & ~h->valid);
}

static bool decode_ctr(const struct sbipmu_hart *h, rv_ulong ctr)
{
	return ctr < 64 && h->valid & RV_BIT(ctr);
}

static struct sbiret num_counters(const struct sbipmu_hart *h)
{
	return sbi_ok(h->pmu->fw_first + SBIPMU_FW_CTRS);
}

static struct sbiret counter_get_info(const struct sbipmu_hart *h, rv_ulong ctr)
{
	rv_ulong info;

	if (!decode_ctr(h, ctr))
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	if (is_fw_ctr(h->pmu, (unsigned)ctr))
		info = (rv_ulong)1 << (RV_XLEN - 1) | 63 << SBI_PMU_INFO_WIDTH_SHIFT |
		       SBIPMU_FW_CSR;
	else
		info = (rv_ulong)(h->pmu->facts.width[ctr] - 1) << SBI_PMU_INFO_WIDTH_SHIFT |
		       (CSR_HPMCOUNTER + ctr);
	return sbi_ok(info);
}

/* Starts stopped counters, hardware and firmware.  OF of the hardware counters is clear. */
static void start_ctrs(struct sbipmu_hart *h, uint64_t ctrs)
{
	uint64_t hw = hw_among(h, ctrs);

	if (ctrs != hw)
		sbipmu_fw_start(h, ctrs & ~hw);
	if (hw) {
		h->started |= hw;
		sbipmu_inhibit_update(h);
	}
}

/* Stops running counters. */
static void stop_ctrs(struct sbipmu_hart *h, uint64_t ctrs)
{
	uint64_t hw = hw_among(h, ctrs);

	if (ctrs != hw)
		sbipmu_fw_stop(h, ctrs & ~hw);
	if (hw) {
		h->started &= ~hw;
		sbipmu_inhibit_update(h);
	}
}

/*
 * Chooses a counter for a selector when the tables do not say whether the hart has that selector.
 * Counters whose mhpmevent does not keep it are skipped.  -1 if none keeps it.
 */
static __attribute__((noinline)) int match_asking(struct sbipmu_hart *h, uint64_t set,
						  struct answer *a, rv_ulong flags)
{
	int ctr;

	while ((ctr = sbipmu_match(h, set, a, flags)) >= 0) {
		if (sbipmu_selector_taken(h, (unsigned)ctr, a->selector))
			break;
		a->ctrs &= ~RV_BIT(ctr);
	}
	return ctr;
}

static struct sbiret counter_config_matching(struct sbipmu_hart *h, rv_ulong base, rv_ulong mask,
					     rv_ulong flags, rv_ulong eidx, uint64_t data)
{
	struct answer a;
	uint64_t set;
	int ctr;

	if (flags & ~(rv_ulong)SBI_PMU_CFG_FLAG_ALL || !decode_set(h, base, mask, &set))
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	event_find(h, eidx, data, &a);
	ctr = a.inexact ? match_asking(h, set, &a, flags) : sbipmu_match(h, set, &a, flags);
	if (ctr < 0)
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	if (is_fw_ctr(h->pmu, (unsigned)ctr))
		sbipmu_fw_config(h, (unsigned)ctr, a.key);
	else
		sbipmu_hw_config(h, (unsigned)ctr, a.selector, flags);
	if (flags & SBI_PMU_CFG_FLAG_CLEAR_VALUE)
		any_ctr_write(h, (unsigned)ctr, 0);
	if (flags & SBI_PMU_CFG_FLAG_AUTO_START)
		start_ctrs(h, RV_BIT(ctr));
	return sbi_ok((rv_ulong)ctr);
}

/*
 * Refuses unknown flags, both flags together, and SET_INIT_VALUE for more than one counter
 * (SBI 3.0 §11.9: "only valid for a single counter").
 */
static bool start_flags_valid(rv_ulong flags, uint64_t set)
{
	if (flags & ~(rv_ulong)SBI_PMU_START_FLAG_ALL || flags == SBI_PMU_START_FLAG_ALL)
		return false;
	return !(flags & SBI_PMU_START_SET_INIT_VALUE) || !(set & (set - 1));
}

/*
 * Clears OF of stopped counters, so that their next overflow interrupts.  The caller writes their
 * values afterwards: QEMU computes the next overflow when a value is written and may set OF then.
 */
static void clear_overflow_flags(struct sbipmu_hart *h, uint64_t hw)
{
	uint64_t overflown = hw ? hw_overflown(h, hw) : 0;

	if (overflown)
		sbipmu_hw_clear_overflow(h, overflown);
}

static struct sbiret counter_start(struct sbipmu_hart *h, rv_ulong base, rv_ulong mask,
				   rv_ulong flags, uint64_t value)
{
	uint64_t set, fresh;

	if (flags & SBI_PMU_START_FLAG_INIT_SNAPSHOT && h->shmem && base == LINUX_SNAPSHOT_BASE)
		base = 0;
	if (!decode_set(h, base, mask, &set) || set & ~h->mapped || !start_flags_valid(flags, set))
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	if (flags & SBI_PMU_START_FLAG_INIT_SNAPSHOT && !h->shmem)
		return sbi_fail(SBI_ERR_NO_SHMEM);
	fresh = set & ~h->started;
	if (fresh) {
		clear_overflow_flags(h, hw_among(h, fresh));
		if (flags & SBI_PMU_START_FLAG_INIT_SNAPSHOT)
			sbipmu_snapshot_init(h, base, fresh);
		else if (flags & SBI_PMU_START_SET_INIT_VALUE)
			any_ctr_write(h, rv_first_bit(fresh), value);
		start_ctrs(h, fresh);
	}
	return fresh == set ? sbi_ok(0) : sbi_fail(SBI_ERR_ALREADY_STARTED);
}

/*
 * Carries out the flags of a STOP: first saves the values to shared memory, then unmaps.
 * Not part of counter_stop, because most calls have no flags and would pay for its registers.
 */
static __attribute__((noinline)) void stop_flagged(struct sbipmu_hart *h, rv_ulong base,
						   uint64_t mapped, rv_ulong flags)
{
	if (flags & SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT)
		sbipmu_snapshot_take(h, base, mapped);
	if (flags & SBI_PMU_STOP_FLAG_RESET) {
		h->mapped &= ~mapped;
		if (hw_among(h, mapped))
			sbipmu_hw_unmap(h, hw_among(h, mapped));
	}
}

static struct sbiret counter_stop(struct sbipmu_hart *h, rv_ulong base, rv_ulong mask,
				  rv_ulong flags)
{
	struct sbiret ret = sbi_ok(0);
	uint64_t set, running;

	if (flags & ~(rv_ulong)SBI_PMU_STOP_FLAG_ALL || !decode_set(h, base, mask, &set))
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	if (flags & SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT && !h->shmem)
		return sbi_fail(SBI_ERR_NO_SHMEM);
	running = set & h->started;
	if (running != set)
		ret = sbi_fail(SBI_ERR_ALREADY_STOPPED);
	stop_ctrs(h, running);
	if (flags)
		stop_flagged(h, base, set & h->mapped, flags);
	return ret;
}

static struct sbiret counter_fw_read(const struct sbipmu_hart *h, rv_ulong ctr, bool high)
{
	uint64_t value;

	if (ctr - h->pmu->fw_first >= SBIPMU_FW_CTRS)
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	value = fw_ctr_read(h, (unsigned)ctr);
	if (high)
		return sbi_ok(RV_XLEN == 32 ? (rv_ulong)(value >> 31 >> 1) : 0);
	return sbi_ok((rv_ulong)value);
}

/* A 64-bit argument: one register on RV64; two registers on RV32, the low half first. */
static uint64_t arg64(rv_ulong lo, rv_ulong hi)
{
	return RV_XLEN == 32 ? (uint64_t)hi << 32 | lo : lo;
}

/*
 * The functions by FID.  They take S-mode's registers unmoved, so that sbipmu_call reaches them
 * with a tail call and the short ones cost little more than the trap.
 */
#define REGISTERS                                                                                  \
	rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4, rv_ulong a5,              \
		rv_ulong fid, struct sbipmu_hart *h

static struct sbiret fid_num_counters(REGISTERS)
{
	return num_counters(h);
}

static struct sbiret fid_counter_get_info(REGISTERS)
{
	return counter_get_info(h, a0);
}

static struct sbiret fid_counter_config_matching(REGISTERS)
{
	return counter_config_matching(h, a0, a1, a2, a3, arg64(a4, a5));
}

static struct sbiret fid_counter_start(REGISTERS)
{
	return counter_start(h, a0, a1, a2, arg64(a3, a4));
}

static struct sbiret fid_counter_stop(REGISTERS)
{
	return counter_stop(h, a0, a1, a2);
}

static struct sbiret fid_counter_fw_read(REGISTERS)
{
	return counter_fw_read(h, a0, false);
}

static struct sbiret fid_counter_fw_read_hi(REGISTERS)
{
	return counter_fw_read(h, a0, true);
}

static struct sbiret fid_snapshot_set_shmem(REGISTERS)
{
	return sbipmu_snapshot_set(h, a0, a1, a2);
}

static struct sbiret fid_event_get_info(REGISTERS)
{
	return sbipmu_event_info(h, a0, a1, a2, a3);
}

struct sbiret sbipmu_call(REGISTERS)
{
	static struct sbiret (*const functions[])(REGISTERS) = {
		[SBI_PMU_NUM_COUNTERS] = fid_num_counters,
		[SBI_PMU_COUNTER_GET_INFO] = fid_counter_get_info,
		[SBI_PMU_COUNTER_CONFIG_MATCHING] = fid_counter_config_matching,
		[SBI_PMU_COUNTER_START] = fid_counter_start,
		[SBI_PMU_COUNTER_STOP] = fid_counter_stop,
		[SBI_PMU_COUNTER_FW_READ] = fid_counter_fw_read,
		[SBI_PMU_COUNTER_FW_READ_HI] = fid_counter_fw_read_hi,
		[SBI_PMU_SNAPSHOT_SET_SHMEM] = fid_snapshot_set_shmem,
		[SBI_PMU_EVENT_GET_INFO] = fid_event_get_info,
	};

	if (fid >= sizeof(functions) / sizeof(functions[0]))
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	return functions[fid](a0, a1, a2, a3, a4, a5, fid, h);
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * ext_fwft.c - FWFT: features that M-mode turns on or off for S-mode, on each hart separately.
 *
 * MISALIGNED_EXC_DELEG: Linux 6.16 and later ask for it if they are built to emulate misaligned
 * accesses themselves.
 * PTE_AD_HW_UPDATING (Svadu), SHADOW_STACK (Zicfiss), LANDING_PAD (Zicfilp) and
 * POINTER_MASKING_PMLEN (Smnpm) are fields of menvcfg; a hart that does not keep a written 1 does
 * not have the feature.  DOUBLE_TRAP is not offered: the firmware does not handle double traps.
 *
 * Implements: SBI 3.0 chapter 18.
 */
#include <machine.h>

#include "ext_fwft.h"

#define MISALIGNED  (RV_BIT(CAUSE_MISALIGNED_LOAD) | RV_BIT(CAUSE_MISALIGNED_STORE))
#define NR_FEATURES (SBI_FWFT_POINTER_MASKING_PMLEN + 1)

/* The field of menvcfg for each feature; 0: none. */
static const uint64_t field[NR_FEATURES] = {
	[SBI_FWFT_LANDING_PAD] = MENVCFG_LPE,
	[SBI_FWFT_SHADOW_STACK] = MENVCFG_SSE,
	[SBI_FWFT_PTE_AD_HW_UPDATING] = MENVCFG_ADUE,
	[SBI_FWFT_POINTER_MASKING_PMLEN] = MENVCFG_PMM,
};

static uint64_t menvcfg(void)
{
	return csr_read64(CSR_MENVCFG, CSR_MENVCFGH);
}

static void menvcfg_set(uint64_t value)
{
	csr_write64(CSR_MENVCFG, CSR_MENVCFGH, value);
}

/* True if the hart has the feature: it keeps at least one bit of the field. */
static bool have(const struct hart *h, rv_ulong feature)
{
	uint64_t old, kept;

	if (feature == SBI_FWFT_MISALIGNED_EXC_DELEG)
		return true;
	if (!field[feature] || !h->has_menvcfg)
		return false;
	old = menvcfg();
	menvcfg_set(old | field[feature]);
	kept = menvcfg();
	menvcfg_set(old);
	return kept & field[feature];
}

/* Pointer masking: menvcfg.PMM is 0 for no bits, 2 for 7 bits, 3 for 16 bits (Smnpm 1.0). */
static bool set_pmlen(rv_ulong value)
{
	uint64_t old = menvcfg(), want;

	if (value != 0 && value != 7 && value != 16)
		return false;
	want = value ? RV_BIT(33) | (value == 16 ? RV_BIT(32) : 0) : 0;
	menvcfg_set((old & ~MENVCFG_PMM) | want);
	if ((menvcfg() & MENVCFG_PMM) == want)
		return true;
	menvcfg_set(old);
	return false;
}

static bool set_value(rv_ulong feature, rv_ulong value)
{
	if (feature == SBI_FWFT_POINTER_MASKING_PMLEN)
		return set_pmlen(value);
	if (value > 1)
		return false;
	if (feature == SBI_FWFT_MISALIGNED_EXC_DELEG) {
		if (value)
			csr_set(CSR_MEDELEG, MISALIGNED);
		else
			csr_clear(CSR_MEDELEG, MISALIGNED);
	} else {
		menvcfg_set((menvcfg() & ~field[feature]) | (value ? field[feature] : 0));
	}
	return true;
}

static rv_ulong get_value(rv_ulong feature)
{
	static const unsigned char pmlen[4] = { 0, 0, 7, 16 };

	if (feature == SBI_FWFT_MISALIGNED_EXC_DELEG)
		return (csr_read(CSR_MEDELEG) & MISALIGNED) != 0;
	if (feature == SBI_FWFT_POINTER_MASKING_PMLEN)
		return pmlen[menvcfg() >> 32 & 3];
	return (menvcfg() & field[feature]) != 0;
}

static struct sbiret set(struct hart *h, uint32_t feature, rv_ulong value, rv_ulong flags)
{
	if (flags & ~(rv_ulong)SBI_FWFT_SET_FLAG_LOCK)
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	if (h->fwft_locked & (rv_ulong)1 << feature)
		return sbi_fail(SBI_ERR_DENIED_LOCKED);
	if (!set_value(feature, value))
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	if (flags & SBI_FWFT_SET_FLAG_LOCK)
		h->fwft_locked |= (rv_ulong)1 << feature;
	return sbi_ok(0);
}

static struct sbiret fwft(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			  rv_ulong a5, rv_ulong fid, struct hart *h)
{
	uint32_t feature = (uint32_t)a0;

	if (fid > SBI_FWFT_GET)
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	if (feature >= NR_FEATURES)
		return sbi_fail(SBI_ERR_DENIED);
	if (!have(h, feature))
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	return fid == SBI_FWFT_SET ? set(h, feature, a1, a2) : sbi_ok(get_value(feature));
}

const struct sbi_ext ext_fwft = {
	.eid = SBI_EXT_FWFT,
	.handle = fwft,
	.name = "fwft",
};

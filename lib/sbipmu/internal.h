/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * internal.h - what the files of lib/sbipmu share.
 *
 * The path of a call: call.c decodes registers into a set of counters -> event.c turns an
 * event into an answer -> match.c chooses a counter (all of these are pure) -> counter.c and
 * fwcount.c change state -> snapshot.c moves values to and from shared memory.
 * probe.c, dt.c and rawdt.c run at boot and build what the others only read.
 */
#ifndef SBIPMU_INTERNAL_H
#define SBIPMU_INTERNAL_H

#include "sbipmu.h"

#define FIXED_CTRS (RV_BIT(COUNTER_CY) | RV_BIT(COUNTER_IR))
#define HW_CTRS	   RV_MASK(31, 0)

/*
 * The number of the lowest set bit; mask is not zero.  RISC-V without Zbb counts no zeros, and
 * libgcc's way is longer than this one: the lowest bit alone, multiplied by a De Bruijn
 * sequence, has its number in the top bits.
 */
extern const unsigned char sbipmu_debruijn[32];

static inline unsigned first_ctr(uint64_t mask)
{
	uint32_t half = (uint32_t)mask;
	unsigned base = 0;

	if (!half) {
		half = (uint32_t)(mask >> 32);
		base = 32;
	}
	return base + sbipmu_debruijn[(half & -half) * 0x077cb531u >> 27];
}

/* 1 + the number of the highest set bit; 0 for 0. */
static inline uint8_t bit_length(uint64_t bits)
{
	uint8_t n = 0;

	for (; bits; bits >>= 1)
		n++;
	return n;
}

/* The lowest set bit taken out of *mask, as its number. */
static inline unsigned take_ctr(uint64_t *mask)
{
	unsigned ctr = first_ctr(*mask);

	*mask &= *mask - 1;
	return ctr;
}

static inline struct sbiret sbi_ok(rv_ulong value)
{
	return (struct sbiret){ SBI_SUCCESS, value };
}

static inline struct sbiret sbi_fail(enum sbi_err error)
{
	return (struct sbiret){ error, 0 };
}

static inline rv_ulong csr_get(const struct sbipmu_hart *h, unsigned num)
{
	return h->ops->csr_read(h->ctx, num);
}

static inline void csr_set(const struct sbipmu_hart *h, unsigned num, rv_ulong value)
{
	h->ops->csr_write(h->ctx, num, value);
}

/* The number of the CSR that says what hardware counter ctr counts, and when. */
static inline unsigned event_csr(unsigned ctr)
{
	if (ctr == COUNTER_CY)
		return CSR_MCYCLECFG;
	if (ctr == COUNTER_IR)
		return CSR_MINSTRETCFG;
	return CSR_MHPMEVENT + ctr;
}

/* From such a CSR's number, or an mhpmcounter's, to that of its high half (RV32). */
#define EVENT_CSR_HIGH	 (CSR_MHPMEVENTH - CSR_MHPMEVENT)
#define COUNTER_CSR_HIGH (CSR_MHPMCOUNTERH - CSR_MHPMCOUNTER)

/*
 * Writes mhpmevent of a programmable counter, which stands still, so the order of RV32's
 * halves does not matter.
 */
static inline void mhpmevent_write(const struct sbipmu_hart *h, unsigned ctr, uint64_t event)
{
	csr_set(h, CSR_MHPMEVENT + ctr, (rv_ulong)event);
	if (RV_XLEN == 32 && h->facts.sscofpmf)
		csr_set(h, CSR_MHPMEVENTH + ctr, (rv_ulong)(event >> 31 >> 1));
}

/* The hardware is being asked which selectors it takes; then sbipmu_selectors_restore. */
struct asking {
	uint64_t stopped; /* counters that may be asked */
	uint64_t overflown; /* counters whose OF is set and stays so */
	uint64_t asked; /* counters whose mhpmevent is to be put back */
	uint64_t set; /* of which ctr is the lowest */
	unsigned ctr;
};

void sbipmu_asking_choose(const struct sbipmu_hart *h, struct asking *asking, uint64_t set);

/* The lowest of set, which is mostly the set that was asked before. */
static inline unsigned asked_ctr(const struct sbipmu_hart *h, struct asking *asking, uint64_t set)
{
	if (set != asking->set)
		sbipmu_asking_choose(h, asking, set);
	return asking->ctr;
}

static inline uint64_t asked_overflow(const struct asking *asking, unsigned ctr)
{
	return (asking->overflown >> ctr & 1) << 63;
}

/* Writes a CSR; what it then holds. */
static inline rv_ulong csr_update(const struct sbipmu_hart *h, unsigned num, rv_ulong value)
{
	if (h->ops->csr_update)
		return h->ops->csr_update(h->ctx, num, value);
	csr_set(h, num, value);
	return csr_get(h, num);
}

/*
 * Whether programmable counter ctr, which stands still, keeps this selector: mhpmevent is
 * WARL, and a hart that cannot count an event may refuse it.  The selector stays there until
 * sbipmu_selectors_restore, so that many questions to one counter are put right once.
 */
static inline bool selector_try(const struct sbipmu_hart *h, unsigned ctr, uint64_t selector,
				struct asking *asking)
{
	uint64_t event = selector | asked_overflow(asking, ctr);
	unsigned high = CSR_MHPMEVENTH + ctr;
	uint64_t got;

	got = csr_update(h, CSR_MHPMEVENT + ctr, (rv_ulong)event);
	if (RV_XLEN == 32 && h->facts.sscofpmf)
		got |= (uint64_t)csr_update(h, high, (rv_ulong)(event >> 31 >> 1)) << 32;
	return got == event;
}

/*
 * What can count an event, and how.  An event that nothing can count has no ctrs.
 */
struct answer {
	uint64_t ctrs; /* every counter that can, whether free or not */
	uint64_t selector; /* for mhpmevent of programmable counters */
	int key; /* of a firmware event */
	bool inexact; /* from raw rows that stand for many selectors each */
};

/* event.c: which counters can count an event.  Pure, but for event_info's asking the hardware. */
void sbipmu_event_find_other(const struct sbipmu_hart *h, rv_ulong eidx, uint64_t data,
			     struct answer *a);
struct sbiret sbipmu_event_info(struct sbipmu_hart *h, rv_ulong lo, rv_ulong hi, rv_ulong entries,
				rv_ulong flags);

/*
 * The row of a general or cache event; NULL for another event_idx.  Codes that the
 * specification leaves free have rows, too: without counters.
 */
static inline struct sbipmu_event *event_row(const struct sbipmu *pmu, rv_ulong eidx)
{
	const unsigned half = SBIPMU_EVENTS / 2;

	if (eidx & ~(rv_ulong)(SBI_PMU_EIDX(SBI_PMU_TYPE_CACHE, half - 1)))
		return NULL;
	/* the type, 0 or 1, chooses the half */
	return (struct sbipmu_event *)&pmu->event[eidx / (0x10000 / half) + eidx % half];
}

/* What can count an event, into *a. */
static inline void event_find(const struct sbipmu_hart *h, rv_ulong eidx, uint64_t data,
			      struct answer *a)
{
	const struct sbipmu_event *e = event_row(h->pmu, eidx);

	*a = (struct answer){ 0 };
	if (!e) {
		sbipmu_event_find_other(h, eidx, data, a);
	} else if (data == 0) {
		a->ctrs = e->ctrs & h->valid;
		a->selector = e->selector;
	}
}

/* match.c: the counter of set to take for an event; -1 if none.  Pure. */
int sbipmu_match(const struct sbipmu_hart *h, uint64_t set, const struct answer *a, rv_ulong flags);

/* counter.c: hardware counters. */
uint64_t sbipmu_ctr_read(const struct sbipmu_hart *h, unsigned ctr);
void sbipmu_ctr_write(const struct sbipmu_hart *h, unsigned ctr, uint64_t value);
void sbipmu_event_write(const struct sbipmu_hart *h, unsigned ctr, uint64_t event);
void sbipmu_selectors_restore(const struct sbipmu_hart *h, const struct asking *asking);
bool sbipmu_selector_taken(const struct sbipmu_hart *h, unsigned ctr, uint64_t selector);
void sbipmu_inhibit_update(const struct sbipmu_hart *h);
void sbipmu_hw_config(struct sbipmu_hart *h, unsigned ctr, uint64_t selector, rv_ulong flags);
void sbipmu_hw_clear_overflow(struct sbipmu_hart *h, uint64_t overflown);
void sbipmu_hw_unmap(struct sbipmu_hart *h, uint64_t ctrs);

/* fwcount.c: firmware counters, by counter index. */
int sbipmu_fw_key(const struct sbipmu_hart *h, unsigned code, uint64_t data);
void sbipmu_fw_write(struct sbipmu_hart *h, unsigned ctr, uint64_t value);
void sbipmu_fw_config(struct sbipmu_hart *h, unsigned ctr, int key);
void sbipmu_fw_start(struct sbipmu_hart *h, uint64_t ctrs);
void sbipmu_fw_stop(struct sbipmu_hart *h, uint64_t ctrs);

/* The running total of an event, by key. */
static inline uint64_t fw_total(const struct sbipmu_hart *h, int key)
{
	if (key < SBI_PMU_FW_COUNT)
		return h->fw_total[key];
	return h->ops->fw_total(h->ctx, key - SBI_PMU_FW_COUNT);
}

static inline uint64_t fw_ctr_read(const struct sbipmu_hart *h, unsigned ctr)
{
	unsigned i = ctr - h->pmu->fw_first;

	if (!(h->started & RV_BIT(ctr)))
		return h->fw_value[i];
	return h->fw_value[i] + fw_total(h, h->fw_key[i]);
}

/* snapshot.c: shared memory. */
struct sbiret sbipmu_snapshot_set(struct sbipmu_hart *h, rv_ulong lo, rv_ulong hi, rv_ulong flags);
void sbipmu_snapshot_take(const struct sbipmu_hart *h, rv_ulong base, uint64_t ctrs);
void sbipmu_snapshot_init(struct sbipmu_hart *h, rv_ulong base, uint64_t ctrs);
void *sbipmu_shmem(const struct sbipmu_hart *h, rv_ulong lo, rv_ulong hi, rv_ulong size);

/* dt.c, rawdt.c: compile the tables; h serves to ask the hardware whether it takes a selector. */
void sbipmu_dt_compile(struct sbipmu *pmu, const struct sbipmu_hart *h,
		       const struct sbipmu_config *config);
void sbipmu_rawdt_compile(struct sbipmu *pmu, const struct sbipmu_hart *h,
			  const struct sbipmu_config *config);

static inline bool is_fw_ctr(const struct sbipmu *pmu, unsigned ctr)
{
	return ctr >= pmu->fw_first;
}

/* The hardware counters among valid ctrs. */
static inline uint64_t hw_among(const struct sbipmu_hart *h, uint64_t ctrs)
{
	return ctrs & h->hw;
}

/* The hardware counters among ctrs whose OF is set. */
static inline uint64_t hw_overflown(const struct sbipmu_hart *h, uint64_t ctrs)
{
	return h->facts.sscofpmf ? csr_get(h, CSR_SCOUNTOVF) & ctrs : 0;
}

/* Any counter's value; writing wants a stopped one. */
static inline uint64_t any_ctr_read(const struct sbipmu_hart *h, unsigned ctr)
{
	return is_fw_ctr(h->pmu, ctr) ? fw_ctr_read(h, ctr) : sbipmu_ctr_read(h, ctr);
}

static inline void any_ctr_write(struct sbipmu_hart *h, unsigned ctr, uint64_t value)
{
	if (is_fw_ctr(h->pmu, ctr))
		sbipmu_fw_write(h, ctr, value);
	else
		sbipmu_ctr_write(h, ctr, value);
}

/* One complaint for the host. */
static inline void complain(struct sbipmu *pmu, void *ctx, const char *property, int row,
			    const char *text, uint64_t value)
{
	const struct sbipmu_diag d = { property, row, text, value };

	pmu->nr_diags++;
	if (pmu->ops->diag)
		pmu->ops->diag(ctx, &d);
}

/* Cell i of a device-tree property: 32 bits, big-endian, at any alignment. */
static inline uint32_t dt_cell(const void *property, size_t i)
{
	const unsigned char *p = (const unsigned char *)property + 4 * i;

	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

#endif

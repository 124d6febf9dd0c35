/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rawdt.c - compiles riscv,raw-event-to-mhpmcounters into a hash index, once, at boot.
 *
 * May call: ops->diag; sbipmu_selector_taken, which tries a selector on the hardware.
 * Implements: Linux's binding riscv,pmu.yaml, riscv,raw-event-to-mhpmcounters.
 *
 * A row is (select, select_mask, counters).  It stands for each event_data with
 * (event_data & select_mask) == select.  Tables have many rows but few distinct masks.  The index
 * is one hash table with linear probing; the key is the number of the mask with select.  A lookup
 * probes it once for each mask.  Several hash multipliers are tried, and the one with the shortest
 * longest probe is kept; a lookup reads at most that many slots.  Its cost is therefore a small
 * constant for a table of any size.
 */
#include "pmu_counter.h"
#include "pmu_rawdt.h"
#include "pmu_table.h"

#define RAW "riscv,raw-event-to-mhpmcounters"

#define ROW_CELLS 5

struct row {
	uint64_t select;
	uint64_t mask;
	uint32_t ctrs;
};

struct compile {
	struct sbipmu *pmu;
	const struct sbipmu_hart *h;
	const struct sbipmu_config *config;
	int rows;
	size_t slots; /* a power of two */
};

static void say(const struct compile *c, int row, const char *text, uint64_t value)
{
	complain(c->pmu, c->h->ctx, RAW, row, text, value);
}

static struct row read_row(const struct compile *c, int i)
{
	const void *table = c->config->dt->raw_event_to_mhpmcounters;
	size_t cell = (size_t)i * ROW_CELLS;

	return (struct row){
		.select = (uint64_t)dt_cell(table, cell) << 32 | dt_cell(table, cell + 1),
		.mask = ((uint64_t)dt_cell(table, cell + 2) << 32 | dt_cell(table, cell + 3)) &
			SBI_PMU_RAW_V2_DATA_MASK,
		.ctrs = dt_cell(table, cell + 4),
	};
}

/* True if a row stands for one selector. */
static bool is_exact(const struct row *r)
{
	return r->mask == SBI_PMU_RAW_V2_DATA_MASK;
}

/* The programmable counters of a row; 0 if no event_data can match the row. */
static uint32_t usable_counters(const struct compile *c, const struct row *r)
{
	if (r->select & ~r->mask)
		return 0;
	return r->ctrs & c->pmu->facts.hw_ctrs & ~(uint32_t)FIXED_CTRS;
}

/* Reports what is wrong with a row. */
static void check_row(const struct compile *c, int i, const struct row *r)
{
	uint32_t bad = r->ctrs & (~c->pmu->facts.hw_ctrs | (uint32_t)FIXED_CTRS);

	if (r->select & ~SBI_PMU_RAW_V2_DATA_MASK)
		say(c, i, "select has bits that no raw event can have; row ignored", r->select);
	else if (r->select & ~r->mask)
		say(c, i, "select has bits outside its select_mask; row ignored", r->select);
	else if (!usable_counters(c, r))
		say(c, i, "no programmable counter that exists; row ignored", r->ctrs);
	else if (bad)
		say(c, i, "counters do not exist or are not programmable; ignored", bad);
}

/*
 * The number of a mask.  A mask that has none yet gets the next one; select is then the select
 * of its first row.  -1 if all numbers are taken.
 */
static int mask_group(struct sbipmu *pmu, uint64_t mask, uint64_t select)
{
	for (unsigned g = 0; g < pmu->nr_raw_masks; g++)
		if (pmu->raw_mask[g].mask == mask)
			return (int)g;
	if (pmu->nr_raw_masks == SBIPMU_RAW_MASKS)
		return -1;
	pmu->raw_mask[pmu->nr_raw_masks].mask = mask;
	pmu->raw_mask[pmu->nr_raw_masks].alike = mask;
	pmu->raw_mask[pmu->nr_raw_masks].value = select;
	pmu->raw_mask[pmu->nr_raw_masks].tag = (uint64_t)(pmu->nr_raw_masks + 1) << 56;
	return (int)pmu->nr_raw_masks++;
}

/* Updates the bits that all selects of a mask have in common: other events match no row. */
static void note_alike(struct sbipmu *pmu, unsigned group, uint64_t select)
{
	pmu->raw_mask[group].alike &= ~(select ^ pmu->raw_mask[group].value);
	pmu->raw_mask[group].value &= pmu->raw_mask[group].alike;
}

/* Removes counters whose mhpmevent does not keep the selector of an exact row. */
static uint32_t taken_counters(const struct compile *c, int i, const struct row *r, uint32_t ctrs)
{
	uint32_t taken = ctrs;

	if (!is_exact(r))
		return ctrs; /* many selectors: each is tried when S-mode uses it */
	for (uint64_t left = ctrs; left;) {
		unsigned ctr = take_ctr(&left);

		if (!sbipmu_selector_taken(c->h, ctr, r->select))
			taken &= ~(uint32_t)RV_BIT(ctr);
	}
	if (taken != ctrs)
		say(c, i, "mhpmevent refuses this selector; not counted there", ctrs & ~taken);
	return taken;
}

/*
 * The slot of a key: the one that holds it, or the free one where it belongs.  There always is one,
 * because the index is at most half full.  *probes gets the number of slots that were read.
 */
static struct sbipmu_raw_slot *row_place(const struct sbipmu *pmu, uint64_t key, unsigned *probes)
{
	size_t last = (size_t)(~0ull >> pmu->raw_shift);
	size_t i = (size_t)(key * pmu->raw_mult >> pmu->raw_shift);

	for (*probes = 1;; ++*probes, i = (i + 1) & last) {
		struct sbipmu_raw_slot *slot = &pmu->raw_slot[i];

		if (slot->key == key || slot->key == 0)
			return slot;
	}
}

/* Empties the index. */
static void clear_index(const struct compile *c)
{
	for (size_t i = 0; i < c->slots; i++)
		c->pmu->raw_slot[i] = (struct sbipmu_raw_slot){ 0 };
	c->pmu->nr_raw_rows = 0;
}

/*
 * Fills the index with every good row; mult is the hash multiplier.  Returns the longest probe.
 * Reports faults of rows if loud: the first call only.
 */
static unsigned fill_index(const struct compile *c, uint64_t mult, bool loud)
{
	struct sbipmu *pmu = c->pmu;
	unsigned longest = 0;

	clear_index(c);
	pmu->raw_mult = mult;
	for (int i = 0; i < c->rows; i++) {
		struct row r = read_row(c, i);
		uint32_t ctrs = usable_counters(c, &r);
		unsigned probes;
		uint64_t key;
		int group;
		struct sbipmu_raw_slot *slot;

		if (loud)
			check_row(c, i, &r);
		if (!ctrs)
			continue;
		group = mask_group(pmu, r.mask, r.select);
		if (group < 0 || 2 * (size_t)pmu->nr_raw_rows >= c->slots) {
			if (loud)
				say(c, i,
				    group >= 0 ? "table full; row dropped"
					       : "too many different select_masks; row dropped",
				    r.select);
			continue;
		}
		note_alike(pmu, (unsigned)group, r.select);
		key = r.select | pmu->raw_mask[group].tag;
		slot = row_place(pmu, key, &probes);
		if (slot->key && loud)
			say(c, i, "same as an earlier row; the counters of both are used",
			    r.select);
		pmu->nr_raw_rows += slot->key == 0;
		*slot = (struct sbipmu_raw_slot){ key, slot->ctrs | ctrs, !is_exact(&r) };
		if (probes > longest)
			longest = probes;
	}
	return longest;
}

/* Finds the masks that have one row only: all bits of its select are common bits. */
static void note_only_rows(const struct compile *c)
{
	for (unsigned g = 0; g < c->pmu->nr_raw_masks; g++) {
		struct sbipmu_raw_mask *m = &c->pmu->raw_mask[g];
		unsigned probes;

		if (m->alike == m->mask)
			m->only = row_place(c->pmu, m->value | m->tag, &probes);
	}
}

/* Reports rows that overlap an earlier row with another mask. */
static void check_overlaps(const struct compile *c)
{
	if (c->pmu->nr_raw_masks < 2)
		return;
	for (int i = 1; i < c->rows; i++) {
		struct row r = read_row(c, i);

		for (int j = 0; j < i && usable_counters(c, &r); j++) {
			struct row s = read_row(c, j);

			if (s.mask == r.mask || (s.select ^ r.select) & s.mask & r.mask ||
			    !usable_counters(c, &s))
				continue;
			say(c, i, "overlaps an earlier row; the counters of both are used",
			    r.select);
			break;
		}
	}
}

/* Tries the selector of each exact row on the hardware. */
static void check_selectors(const struct compile *c)
{
	for (int i = 0; i < c->rows; i++) {
		struct row r = read_row(c, i);
		uint32_t ctrs = usable_counters(c, &r);
		struct sbipmu_raw_slot *slot;
		unsigned group = 0, probes;

		while (group < c->pmu->nr_raw_masks && c->pmu->raw_mask[group].mask != r.mask)
			group++;
		if (!ctrs || group == c->pmu->nr_raw_masks)
			continue;
		slot = row_place(c->pmu, r.select | c->pmu->raw_mask[group].tag, &probes);
		if (slot->key)
			slot->ctrs &= ~(ctrs & ~taken_counters(c, i, &r, ctrs));
	}
}

void sbipmu_rawdt_compile(struct sbipmu *pmu, const struct sbipmu_hart *h,
			  const struct sbipmu_config *config)
{
	/* Odd constants with no pattern in common; any would do. */
	static const uint64_t mults[] = {
		0x9e3779b97f4a7c15ull, 0xc2b2ae3d27d4eb4full, 0x165667b19e3779f9ull,
		0xff51afd7ed558ccdull, 0xc4ceb9fe1a85ec53ull, 0xbf58476d1ce4e5b9ull,
		0x94d049bb133111ebull, 0xd6e8feb86659fd93ull, 0xa0761d6478bd642full,
		0xe7037ed1a0b428dbull, 0x8ebc6af09c88c6e3ull, 0x589965cc75374cc3ull,
	};
	struct compile c = { .pmu = pmu, .h = h, .config = config };
	size_t len = config->dt->raw_event_to_mhpmcounters_len;
	unsigned best = 0, best_probe, probe;

	if (len % (4 * ROW_CELLS))
		say(&c, -1, "length is not a multiple of its row; the rest is ignored", len);
	c.rows = (int)(len / (4 * ROW_CELLS));
	if (config->nr_raw_slots < 2) {
		say(&c, -1, "the host gave no memory for raw events; ignored", len);
		return;
	}
	pmu->raw_slot = config->raw_slots;
	pmu->raw_shift = 65 - bit_length(config->nr_raw_slots);
	c.slots = (size_t)1 << (bit_length(config->nr_raw_slots) - 1);
	best_probe = fill_index(&c, mults[0], true);
	for (unsigned i = 1; i < sizeof(mults) / sizeof(*mults); i++) {
		probe = fill_index(&c, mults[i], false);
		if (probe < best_probe) {
			best_probe = probe;
			best = i;
		}
	}
	pmu->raw_longest = fill_index(&c, mults[best], false);
	pmu->raw_mask_end = pmu->raw_mask + pmu->nr_raw_masks;
	note_only_rows(&c);
	check_overlaps(&c);
	check_selectors(&c);
}

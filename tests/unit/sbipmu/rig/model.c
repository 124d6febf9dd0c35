/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model.c - see model.h.
 */
#include <string.h>

#include "model.h"

static struct sbiret answer(int error, uint64_t value)
{
	return (struct sbiret){ error, (rv_ulong)value };
}

static bool fixed(unsigned ctr)
{
	return ctr == 0 || ctr == 2;
}

static bool has_filters(const struct model_board *b, unsigned ctr)
{
	return ctr < 32 && (fixed(ctr) ? b->smcntrpmf : b->sscofpmf);
}

/* S-mode cannot set MINH of a counter that it has configured itself, so it is always set. */
static void free_selector(struct model *m, unsigned ctr)
{
	bool hidden = m->board->smcdeleg && has_filters(m->board, ctr);

	m->ctr[ctr].mapped = false;
	m->ctr[ctr].selector = 0;
	m->ctr[ctr].filter = hidden ? SBI_PMU_CFG_FLAG_SET_MINH : 0;
}

void model_init(struct model *m, const struct model_board *board)
{
	unsigned first_fw = 3;

	memset(m, 0, sizeof(*m));
	m->board = board;
	for (unsigned ctr = 0; ctr < 32; ctr++) {
		m->ctr[ctr].valid = board->exists[ctr];
		m->ctr[ctr].width = board->width[ctr];
		free_selector(m, ctr);
		if (board->exists[ctr] && ctr >= 3)
			first_fw = ctr + 1;
	}
	for (unsigned i = 0; i < 16; i++) {
		m->ctr[first_fw + i].valid = true;
		m->ctr[first_fw + i].firmware = true;
		m->ctr[first_fw + i].width = 64;
	}
	m->nr_ctrs = first_fw + 16;
}

static uint64_t truncated(const struct model_ctr *c, uint64_t value)
{
	return c->width == 64 ? value : value % (1ull << c->width);
}

/* Is counter base + i in the set? i is 0 to XLEN - 1. */
static bool in_mask(uint64_t mask, unsigned i)
{
	return mask >> i & 1;
}

static bool set_is_valid(const struct model *m, uint64_t base, uint64_t mask)
{
	for (unsigned i = 0; i < RV_XLEN; i++) {
		if (!in_mask(mask, i))
			continue;
		if (base >= MODEL_CTRS || base + i >= MODEL_CTRS || !m->ctr[base + i].valid)
			return false;
	}
	return true;
}

static bool cache_event_exists(unsigned code)
{
	return code / 8 < 7 && code / 2 % 4 < 3;
}

/* Can ctr count a hardware event, by a table row or because it is a fixed counter? */
static bool hw_can_count(const struct model *m, unsigned ctr, uint64_t eidx, uint64_t data)
{
	const struct model_board *b = m->board;
	uint64_t type = eidx >> 16, code = eidx & 0xffff;
	unsigned bits = type == 2 ? 48 : 56;

	if (type == 0 || type == 1) {
		if (data != 0 || (type == 0 && (code == 0 || code > 10)) ||
		    (type == 1 && !cache_event_exists((unsigned)code)))
			return false;
		if (fixed(ctr))
			return eidx == (ctr == 0 ? 1 : 2);
		for (unsigned i = 0; i < b->nr_ranges; i++)
			if (eidx >= b->range[i].first && eidx <= b->range[i].last &&
			    b->range[i].ctrs >> ctr & 1)
				return true;
		return false;
	}
	if ((type != 2 && type != 3) || code != 0 || fixed(ctr))
		return false;
	if (RV_XLEN == 32 && !b->sscofpmf)
		bits = 32;
	if (data >> bits)
		return false;
	for (unsigned i = 0; i < b->nr_raw; i++)
		if ((data & b->raw[i].mask) == b->raw[i].select && b->raw[i].ctrs >> ctr & 1)
			return true;
	return false;
}

static bool fw_event_exists(uint64_t eidx, uint64_t data)
{
	return eidx >> 16 == 0xf && (eidx & 0xffff) <= 21 && data == 0;
}

static bool can_count(const struct model *m, unsigned ctr, uint64_t eidx, uint64_t data)
{
	if (!m->ctr[ctr].valid)
		return false;
	if (m->ctr[ctr].firmware)
		return fw_event_exists(eidx, data);
	return hw_can_count(m, ctr, eidx, data);
}

bool model_supported(const struct model *m, uint64_t eidx, uint64_t data)
{
	for (unsigned ctr = 0; ctr < m->nr_ctrs; ctr++)
		if (can_count(m, ctr, eidx, data))
			return true;
	return false;
}

/* How many events and raw rows a counter can count. */
static unsigned flexibility(const struct model *m, unsigned ctr)
{
	unsigned n = 0;

	for (uint64_t eidx = 1; eidx <= 10; eidx++)
		n += hw_can_count(m, ctr, eidx, 0);
	for (uint64_t eidx = 0x10000; eidx < 0x10038; eidx++)
		n += hw_can_count(m, ctr, eidx, 0);
	for (unsigned i = 0; i < m->board->nr_raw; i++)
		n += m->board->raw[i].ctrs >> ctr & 1;
	return n;
}

/* The free fixed counter of the set that can count an event, or -1. */
static int free_fixed(const struct model *m, uint64_t base, uint64_t mask, uint64_t eidx,
		      uint64_t data)
{
	for (unsigned i = 0; i < RV_XLEN; i++) {
		unsigned ctr = (unsigned)base + i;

		if (in_mask(mask, i) && fixed(ctr) && can_count(m, ctr, eidx, data) &&
		    !m->ctr[ctr].mapped)
			return (int)ctr;
	}
	return -1;
}

/*
 * The counter to take, or -1.  Fixed counters come first if no counter can interrupt, and last
 * otherwise; not last if the caller wants a filter that only the other counters have.
 */
static int choose(const struct model *m, uint64_t base, uint64_t mask, uint64_t eidx, uint64_t data,
		  uint64_t flags)
{
	bool filtered = flags & (SBI_PMU_CFG_FLAG_SET_UINH | SBI_PMU_CFG_FLAG_SET_SINH);
	bool any_programmable = false;
	int of_fixed = free_fixed(m, base, mask, eidx, data);
	int best = -1;

	if (!m->board->sscofpmf && of_fixed >= 0)
		return of_fixed;
	for (unsigned i = 0; i < RV_XLEN; i++) {
		unsigned ctr = (unsigned)base + i;

		if (!in_mask(mask, i) || fixed(ctr) || !can_count(m, ctr, eidx, data))
			continue;
		any_programmable = true;
		if (!m->ctr[ctr].mapped &&
		    (best < 0 || (!m->ctr[ctr].firmware &&
				  flexibility(m, ctr) < flexibility(m, (unsigned)best))))
			best = (int)ctr;
	}
	if (best >= 0)
		return best;
	if (any_programmable && filtered && !m->board->smcntrpmf)
		return -1;
	return of_fixed;
}

static int first_of(uint64_t base, uint64_t mask)
{
	for (unsigned i = 0; i < RV_XLEN; i++)
		if (in_mask(mask, i))
			return (int)(base + i);
	return -1;
}

/* Clears the interrupt when the last overflow is cleared. */
static void clear_overflow(struct model *m, struct model_ctr *c)
{
	bool left = false;

	if (!c->overflow)
		return;
	c->overflow = false;
	for (unsigned ctr = 0; ctr < m->nr_ctrs; ctr++)
		left |= m->ctr[ctr].overflow;
	if (!left)
		m->lcofip = false;
}

static void start(struct model *m, struct model_ctr *c)
{
	clear_overflow(m, c);
	c->started = true;
}

struct sbiret model_config(struct model *m, uint64_t base, uint64_t mask, uint64_t flags,
			   uint64_t eidx, uint64_t data)
{
	struct model_ctr *c;
	int ctr;

	if (flags > 0xff || !set_is_valid(m, base, mask))
		return answer(SBI_ERR_INVALID_PARAM, 0);
	if (flags & SBI_PMU_CFG_FLAG_SKIP_MATCH) {
		ctr = first_of(base, mask);
		if (ctr < 0 || m->ctr[ctr].started || !can_count(m, (unsigned)ctr, eidx, data))
			return answer(SBI_ERR_NOT_SUPPORTED, 0);
	} else {
		ctr = choose(m, base, mask, eidx, data, flags);
		if (ctr < 0)
			return answer(SBI_ERR_NOT_SUPPORTED, 0);
	}
	c = &m->ctr[ctr];
	clear_overflow(m, c);
	c->mapped = true;
	c->filter = 0;
	c->selector = 0;
	if (c->firmware) {
		c->fw_code = (unsigned)(eidx & 0xffff);
	} else {
		if (has_filters(m->board, (unsigned)ctr))
			c->filter = (unsigned)(flags & 0xf8) | SBI_PMU_CFG_FLAG_SET_MINH;
		if (!fixed((unsigned)ctr))
			c->selector = eidx >> 16 < 2 ? MODEL_SELECTOR(eidx) : data;
	}
	if (flags & SBI_PMU_CFG_FLAG_CLEAR_VALUE)
		c->value = 0;
	if (flags & SBI_PMU_CFG_FLAG_AUTO_START)
		start(m, c);
	return answer(SBI_SUCCESS, (uint64_t)ctr);
}

struct sbiret model_start(struct model *m, uint64_t base, uint64_t mask, uint64_t flags,
			  uint64_t value)
{
	bool again = false;
	unsigned members = 0;

	if (flags == SBI_PMU_START_FLAG_INIT_SNAPSHOT && m->page_set &&
	    base == (uint64_t)RV_XLEN * RV_XLEN)
		base = 0; /* Linux's restart */
	if (flags > 2 || !set_is_valid(m, base, mask))
		return answer(SBI_ERR_INVALID_PARAM, 0);
	for (unsigned i = 0; i < RV_XLEN; i++) {
		if (!in_mask(mask, i))
			continue;
		members++;
		if (!m->ctr[base + i].mapped)
			return answer(SBI_ERR_INVALID_PARAM, 0);
	}
	if (flags == SBI_PMU_START_SET_INIT_VALUE && members > 1)
		return answer(SBI_ERR_INVALID_PARAM, 0);
	if (flags == SBI_PMU_START_FLAG_INIT_SNAPSHOT && !m->page_set)
		return answer(SBI_ERR_NO_SHMEM, 0);
	for (unsigned i = 0; i < RV_XLEN; i++) {
		struct model_ctr *c;

		if (!in_mask(mask, i))
			continue;
		c = &m->ctr[base + i];
		if (c->started) {
			again = true;
			continue;
		}
		if (flags == SBI_PMU_START_SET_INIT_VALUE)
			c->value = truncated(c, value);
		if (flags == SBI_PMU_START_FLAG_INIT_SNAPSHOT)
			c->value = truncated(c, m->page[1 + i]);
		start(m, c);
	}
	return answer(again ? SBI_ERR_ALREADY_STARTED : SBI_SUCCESS, 0);
}

static void take_snapshot(struct model *m, uint64_t base, uint64_t mask)
{
	m->page[0] = 0;
	for (unsigned ctr = 0; ctr < m->nr_ctrs; ctr++)
		if (m->ctr[ctr].overflow && ctr >= base)
			m->page[0] |= 1ull << (ctr - base);
	for (unsigned i = 0; i < RV_XLEN; i++)
		if (in_mask(mask, i) && m->ctr[base + i].mapped)
			m->page[1 + i] = m->ctr[base + i].value;
}

struct sbiret model_stop(struct model *m, uint64_t base, uint64_t mask, uint64_t flags)
{
	bool again = false;

	if (flags > 3 || !set_is_valid(m, base, mask))
		return answer(SBI_ERR_INVALID_PARAM, 0);
	if (flags & SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT && !m->page_set)
		return answer(SBI_ERR_NO_SHMEM, 0);
	for (unsigned i = 0; i < RV_XLEN; i++) {
		if (!in_mask(mask, i))
			continue;
		if (!m->ctr[base + i].started)
			again = true;
		m->ctr[base + i].started = false;
	}
	if (flags & SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT)
		take_snapshot(m, base, mask);
	for (unsigned i = 0; i < RV_XLEN && flags & SBI_PMU_STOP_FLAG_RESET; i++) {
		if (!in_mask(mask, i))
			continue;
		clear_overflow(m, &m->ctr[base + i]);
		free_selector(m, (unsigned)base + i);
	}
	return answer(again ? SBI_ERR_ALREADY_STOPPED : SBI_SUCCESS, 0);
}

struct sbiret model_fw_read(const struct model *m, uint64_t ctr, bool high)
{
	if (ctr >= MODEL_CTRS || !m->ctr[ctr].firmware)
		return answer(SBI_ERR_INVALID_PARAM, 0);
	if (high)
		return answer(SBI_SUCCESS, RV_XLEN == 32 ? m->ctr[ctr].value >> 32 : 0);
	return answer(SBI_SUCCESS, m->ctr[ctr].value);
}

struct sbiret model_get_info(const struct model *m, uint64_t ctr)
{
	if (ctr >= MODEL_CTRS || !m->ctr[ctr].valid)
		return answer(SBI_ERR_INVALID_PARAM, 0);
	if (m->ctr[ctr].firmware)
		return answer(SBI_SUCCESS, (1ull << (RV_XLEN - 1)) + (63 << 12) + SBIPMU_FW_CSR);
	return answer(SBI_SUCCESS, ((m->ctr[ctr].width - 1) << 12) + 0xc00 + ctr);
}

void model_tick(struct model *m, unsigned ctr, uint64_t n)
{
	struct model_ctr *c = &m->ctr[ctr];
	bool runs = c->started || (fixed(ctr) && !c->mapped);
	uint64_t old = c->value;

	if (!c->valid || !runs || c->filter & SBI_PMU_CFG_FLAG_SET_SINH)
		return;
	c->value = truncated(c, old + n);
	if (c->value >= old && n > 0) /* n is small: after a wrap the value is smaller */
		return;
	if (n > 0 && m->board->sscofpmf && !fixed(ctr) && !c->overflow) {
		c->overflow = true;
		m->lcofip = true;
	}
}

void model_fw_event(struct model *m, unsigned code)
{
	for (unsigned ctr = 0; ctr < m->nr_ctrs; ctr++)
		if (m->ctr[ctr].firmware && m->ctr[ctr].started && m->ctr[ctr].fw_code == code)
			m->ctr[ctr].value++;
}

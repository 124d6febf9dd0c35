/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_model.c - random harts, random tables and random calls: the library on the fake CSR file is
 * compared with the plain model of model.c after every call.
 *
 * Covers: SBI 3.0 §11.6 to §11.14 as a whole.  The seed is fixed: each run is the same; a failure
 * prints the sequence and the step.
 */
#include "model.h"
#include "rig.h"

#define SEQUENCES 2000
#define STEPS	  60
#define PAGE	  0x1000u

static struct rig r;
static struct model m;
static struct model_board board;
static uint64_t state;

static uint64_t rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t below(uint64_t n)
{
	return rnd() % n;
}

static bool one_in(unsigned n)
{
	return below(n) == 0;
}

/* A hart: its counters, their widths, its extensions. */
static void random_hart(void)
{
	static const unsigned widths[] = { 32, 40, 48, 64 };
	unsigned programmable = (unsigned)below(30);

	rig_init(&r, programmable, 64);
	memset(&board, 0, sizeof(board));
	r.fake.hw.sscofpmf = !one_in(4);
	r.fake.hw.smcntrpmf = one_in(2);
	for (unsigned ctr = 0; ctr < 32; ctr++) {
		board.width[ctr] = widths[below(TAP_NR(widths))];
		if (ctr == 1 || ctr >= 3 + programmable || one_in(8))
			continue;
		board.exists[ctr] = true;
	}
	for (unsigned ctr = 0; ctr < 32; ctr++) {
		uint32_t bit = (uint32_t)1 << ctr;

		r.fake.hw.width[ctr] = (uint8_t)board.width[ctr];
		if (board.exists[ctr] || ctr == 1)
			continue;
		switch (below(4)) { /* why it is not there */
		case 0:
			r.fake.hw.zero |= bit;
			break;
		case 1:
			r.fake.hw.inhibit_mask &= ~bit;
			break;
		case 2:
			r.fake.hw.counteren_mask &= ~bit;
			break;
		default:
			r.fake.hw.exists &= ~bit;
		}
	}
	/* only programmable counters show Sscofpmf */
	board.sscofpmf = false;
	for (unsigned ctr = 3; ctr < 32; ctr++)
		board.sscofpmf |= r.fake.hw.sscofpmf && board.exists[ctr];
	board.smcntrpmf = r.fake.hw.smcntrpmf;
	board.smcdeleg = r.fake.hw.smcdeleg = one_in(4);
}

/* Ranges that may overlap, and raw rows whose selects lie within their masks. */
static void random_tables(void)
{
	static const uint64_t masks[] = { ~0ull, ~0xfull, ~0xf0ull, 0 };

	rig_no_tables(&r);
	for (uint32_t eidx = 1; eidx < 0x10038; eidx = eidx == 10 ? 0x10000 : eidx + 1) {
		rig_cell(&r.selectors, eidx);
		rig_cell(&r.selectors, 0);
		rig_cell(&r.selectors, MODEL_SELECTOR(eidx));
	}
	board.nr_ranges = (unsigned)below(MODEL_ROWS + 1);
	for (unsigned i = 0; i < board.nr_ranges; i++) {
		uint32_t type = (uint32_t)below(2) << 16;
		struct model_range *g = &board.range[i];

		g->first = type + (uint32_t)(type ? below(50) : 1 + below(10));
		g->last = g->first + (uint32_t)below(8);
		g->ctrs = (uint32_t)rnd();
		rig_cell(&r.counters, g->first);
		rig_cell(&r.counters, g->last);
		rig_cell(&r.counters, g->ctrs);
	}
	board.nr_raw = (unsigned)below(MODEL_ROWS + 1);
	for (unsigned i = 0; i < board.nr_raw; i++) {
		struct model_raw *w = &board.raw[i];

		w->mask = masks[below(TAP_NR(masks))];
		w->select = (0x100 * below(3) + below(32)) & w->mask;
		w->ctrs = (uint32_t)rnd();
		for (unsigned j = 0; j < i; j++) /* a repeated row counts once */
			if (board.raw[j].mask == w->mask && board.raw[j].select == w->select)
				w->ctrs = 0;
		rig_cell(&r.raw, (uint32_t)(w->select >> 32));
		rig_cell(&r.raw, (uint32_t)w->select);
		rig_cell(&r.raw, (uint32_t)(w->mask >> 32));
		rig_cell(&r.raw, (uint32_t)w->mask);
		rig_cell(&r.raw, w->ctrs);
	}
	if (!board.nr_ranges)
		r.selectors.len = 0;
}

static rv_ulong random_base(void)
{
	switch (below(12)) {
	case 0:
		return (rv_ulong)rnd();
	case 1:
		return (rv_ulong)RV_XLEN * RV_XLEN;
	case 2:
	case 3:
	case 4:
		return (rv_ulong)below(m.nr_ctrs);
	default:
		return 0;
	}
}

/* Mostly sets of counters that exist; sometimes any set. */
static rv_ulong random_mask(rv_ulong base)
{
	uint64_t valid = 0;

	for (unsigned ctr = 0; ctr < m.nr_ctrs; ctr++)
		if (m.ctr[ctr].valid)
			valid |= 1ull << ctr;
	valid = base < 64 ? valid >> base : valid;
	switch (below(10)) {
	case 0:
		return (rv_ulong)rnd();
	case 1:
		return 0;
	case 2:
	case 3:
		return (rv_ulong)(valid & rnd());
	case 4:
	case 5:
		return (rv_ulong)(valid & 1ull << below(RV_XLEN));
	default:
		return (rv_ulong)valid;
	}
}

static uint64_t random_event(uint64_t *data)
{
	*data = one_in(20) ? rnd() : 0;
	switch (below(8)) {
	case 0:
		return rnd();
	case 1:
	case 2:
		return 0x10000 + below(0x3a);
	case 3:
		*data = 0x100 * below(3) + below(32);
		return 0x20000 + (one_in(10) ? 1 : 0);
	case 4:
		*data = (0x100 * below(3) + below(32)) | (one_in(4) ? 1ull << below(64) : 0);
		return 0x30000;
	case 5:
		return 0xf0000 + below(23);
	default:
		return below(12);
	}
}

static rv_ulong random_flags(rv_ulong all)
{
	return (rv_ulong)(one_in(16) ? rnd() : rnd() & all);
}

static void do_config(void)
{
	rv_ulong base = random_base(), mask = random_mask(base), flags = random_flags(0xff);
	uint64_t data, eidx = random_event(&data);
	struct sbiret want;

	if (one_in(2))
		flags &= ~(rv_ulong)(SBI_PMU_CFG_FLAG_SKIP_MATCH | SBI_PMU_CFG_FLAG_AUTO_START);
	want = model_config(&m, base, mask, flags, (rv_ulong)eidx, data);
	is_ret(rig_config(&r, base, mask, flags, (rv_ulong)eidx, data), want.error, want.value);
}

static void do_start(void)
{
	rv_ulong base = random_base(), mask = random_mask(base), flags = random_flags(3);
	uint64_t value = one_in(2) ? -below(100) : rnd();
	struct sbiret want;
	uint64_t mapped = 0;

	for (unsigned ctr = 0; ctr < m.nr_ctrs; ctr++)
		if (m.ctr[ctr].mapped)
			mapped |= 1ull << ctr;
	if (!one_in(4)) /* otherwise hardly any start would succeed */
		mask &= (rv_ulong)(base < 64 ? mapped >> base : mapped);
	if (flags & SBI_PMU_START_SET_INIT_VALUE && !one_in(4))
		mask &= -mask;
	want = model_start(&m, base, mask, flags, value);
	is_ret(rig_start(&r, base, mask, flags, value), want.error, want.value);
}

static void do_stop(void)
{
	rv_ulong base = random_base(), mask = random_mask(base), flags = random_flags(3);
	struct sbiret want = model_stop(&m, base, mask, flags);

	is_ret(rig_stop(&r, base, mask, flags), want.error, want.value);
}

static void do_read(void)
{
	rv_ulong ctr = one_in(4) ? (rv_ulong)rnd() : (rv_ulong)below(64);
	struct sbiret want = model_get_info(&m, ctr);

	is_ret(rig_info(&r, ctr), want.error, want.value);
	for (unsigned high = 0; high < 2; high++) {
		want = model_fw_read(&m, ctr, high);
		is_ret(rig_call(&r, SBI_PMU_COUNTER_FW_READ + high, ctr, 0, 0, 0, 0, 0), want.error,
		       want.value);
	}
}

static void do_event_info(void)
{
	uint64_t data, eidx = random_event(&data) & 0xfffff;

	is(rig_supported(&r, (uint32_t)eidx, data), model_supported(&m, eidx, data));
	memset(r.fake.ram + 0x7000, FAKE_CANARY, 16);
}

static void do_events(void)
{
	for (unsigned ctr = 0; ctr < 32; ctr++) {
		uint64_t n = 1 + below(50);

		if (!board.exists[ctr] || one_in(2))
			continue;
		model_tick(&m, ctr, n);
		fake_tick(&r.fake, ctr, n, FAKE_S);
	}
	for (unsigned code = 0; code < SBI_PMU_FW_COUNT; code++)
		if (one_in(3)) {
			model_fw_event(&m, code);
			sbipmu_fw_event(&r.h, (enum sbi_pmu_fw)code);
		}
	if (one_in(3)) /* S-mode takes the interrupt */
		m.lcofip = r.fake.regs.lcofip = false;
}

/* S-mode registers, moves or removes its page, or writes into it. */
static void do_page(void)
{
	if (one_in(6)) {
		is_error(rig_set_shmem(&r, (rv_ulong)-1, (rv_ulong)-1, 0), SBI_SUCCESS);
		m.page_set = false;
	} else {
		is_error(rig_set_shmem(&r, fake_addr(PAGE), 0, 0), SBI_SUCCESS);
		m.page_set = true;
	}
	for (unsigned i = 0; i < MODEL_PAGE; i++) {
		m.page[i] = one_in(2) ? rnd() : -below(100);
		fake_ram_set64(&r.fake, PAGE + 8 * i, m.page[i]);
	}
}

static void compare_hw_counter(unsigned ctr)
{
	const struct model_ctr *c = &m.ctr[ctr];
	bool is_fixed = ctr == 0 || ctr == 2;
	bool runs = c->started || (is_fixed && !c->mapped);
	uint64_t event = c->selector | (uint64_t)c->filter << 55;

	if (c->overflow)
		event |= MHPMEVENT_OF;
	is(r.fake.regs.value[ctr], c->value);
	is(fake_inhibited(&r.fake, ctr), !runs);
	if (!is_fixed)
		is(fake_event(&r.fake, ctr), event);
	else if (board.smcntrpmf)
		is(r.fake.regs.event[ctr], event);
}

static void compare(void)
{
	for (unsigned ctr = 0; ctr < m.nr_ctrs; ctr++) {
		const struct model_ctr *c = &m.ctr[ctr];

		if (!c->valid)
			continue;
		if (!c->firmware)
			compare_hw_counter(ctr);
		is(r.h.started >> ctr & 1, c->started);
		is(r.h.mapped >> ctr & 1, c->mapped);
	}
	if (board.sscofpmf)
		is(r.fake.regs.lcofip, m.lcofip);
	for (unsigned i = 0; i < MODEL_PAGE; i++)
		is(fake_ram64(&r.fake, PAGE + 8 * i), m.page[i]);
}

static void step(void)
{
	switch (below(16)) {
	case 0:
	case 1:
	case 2:
	case 3:
	case 4:
		do_config();
		break;
	case 5:
	case 6:
	case 7:
		do_start();
		break;
	case 8:
	case 9:
	case 10:
		do_stop();
		break;
	case 11:
		do_read();
		break;
	case 12:
		do_event_info();
		break;
	case 13:
		do_page();
		break;
	default:
		do_events();
	}
}

static void sequence(unsigned seed)
{
	state = 0x9e3779b97f4a7c15ull * (seed + 1);
	random_hart();
	random_tables();
	rig_boot(&r);
	model_init(&m, &board);
	for (unsigned ctr = 0; ctr < 3; ctr += 2)
		m.ctr[ctr].value = r.fake.regs.value[ctr]; /* fixed counters keep theirs */
	for (unsigned i = 0; i < MODEL_PAGE; i++)
		m.page[i] = fake_ram64(&r.fake, PAGE + 8 * i);
	is_ret(rig_call(&r, SBI_PMU_NUM_COUNTERS, 0, 0, 0, 0, 0, 0), SBI_SUCCESS, m.nr_ctrs);
	for (unsigned i = 0; i < STEPS && !tap.failed; i++) {
		tap_context("sequence %u, step %u", seed, i);
		step();
		compare();
	}
	ok(fake_ram_clean(&r.fake, PAGE, PAGE + 8 * MODEL_PAGE));
}

static void random_sequences(void)
{
	for (unsigned seed = 0; seed < SEQUENCES && !tap.failed; seed++)
		sequence(seed);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "random calls on random harts, against a plain model", random_sequences },
	};

	return tap_run(cases, TAP_NR(cases));
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_sbi_call.c - SBI PMU calls with any registers, on any hart, in any order, with fake CSRs.
 *
 * Input: a hart (counters, widths, WARL masks, extensions), then steps.  A step is a call, an event
 * that counts or overflows (also between two CSR accesses of a call), a write of S-mode to its
 * snapshot page, or a suspend.  check_call() and check_hart() check what must hold after each call.
 */
#include <rv/trap.h>

#include "fuzz.h"
#include "rig.h"

static struct rig r;
static struct rig_state before;
static unsigned page; /* offset of the snapshot page in the fake's RAM */
static bool page_set;
static bool injected;
static unsigned inject_ctr;
static bool raises; /* the injected overflow asks for an interrupt: OF was 0 (Sscofpmf) */

/* One call's registers. */
struct call {
	rv_ulong fid, a[6];
};

static void make_hart(struct input *in)
{
	unsigned flags;

	rig_init(&r, input_byte(in) % 30, 64);
	flags = input_byte(in);
	r.fake.hw.sscofpmf = !(flags & 1);
	r.fake.hw.smcntrpmf = !(flags & 2);
	r.fake.hw.mcountinhibit = !(flags & 4);
	r.snapshot = !(flags & 8);
	if (flags & 0x10)
		rig_no_tables(&r);
	if (flags & 0x20)
		r.ops = &fake_bare_ops;
	if (flags & 0x40) {
		r.fake.hw.inhibit_mask &= ~(uint32_t)input_bytes(in, 4);
		r.fake.hw.counteren_mask &= ~(uint32_t)input_bytes(in, 4);
	}
	if (flags & 0x80)
		for (unsigned i = 0; i < 4; i++) {
			unsigned ctr = input_byte(in) % 32;

			r.fake.hw.width[ctr] = 32 + input_byte(in) % 33;
			r.fake.hw.warl[ctr].mask = ~(uint64_t)input_bytes(in, 2);
		}
	rig_boot(&r);
	page_set = false;
}

/* The value of a register: small, at the edge of a range, or any. */
static rv_ulong any_register(struct input *in)
{
	static const uint64_t edges[] = {
		~0ull,
		0x80000000,
		0x8000000000000000,
		0x100000000,
		64,
		(uint64_t)RV_XLEN * RV_XLEN,
		0x20000,
		0x30000,
		0xf0000,
		0xfffff,
		0x10000,
		0x7fffd,
		0xfffffffd,
		FAKE_RAM_BASE,
		FAKE_RAM_BASE + FAKE_RAM_SIZE - 0x1000,
		FAKE_RAM_BASE + FAKE_RAM_SIZE,
	};
	unsigned how = input_byte(in);

	if (how < 0x80)
		return how;
	if (how < 0xa0)
		return (rv_ulong)edges[how & 15] + (how & 0x10 ? input_byte(in) : 0);
	if (how < 0xc0)
		return (rv_ulong)1 << (how & 31) << (RV_XLEN == 64 ? input_byte(in) & 31 : 0);
	if (how < 0xe0)
		return (rv_ulong)input_bytes(in, 2);
	return (rv_ulong)input_bytes(in, 8);
}

static uint64_t set_of(rv_ulong base, rv_ulong mask)
{
	return base < 64 ? (uint64_t)mask << base : 0;
}

/* The counters whose CSRs a call may write. */
static uint64_t counters_of(const struct call *c)
{
	switch (c->fid) {
	case SBI_PMU_COUNTER_START:
		if (c->a[0] == (rv_ulong)RV_XLEN * RV_XLEN)
			return c->a[1]; /* base as Linux passes it when it restarts counters */
		return set_of(c->a[0], c->a[1]);
	case SBI_PMU_COUNTER_CONFIG_MATCHING:
	case SBI_PMU_COUNTER_STOP:
		return set_of(c->a[0], c->a[1]);
	case SBI_PMU_EVENT_GET_INFO: /* may try selectors on stopped counters */
		return ~before.h.started;
	default:
		return 0;
	}
}

/* Whether CSR num belongs to hardware counter ctr. */
static bool belongs(unsigned num, unsigned ctr)
{
	unsigned event = ctr == 0   ? CSR_MCYCLECFG
			 : ctr == 2 ? CSR_MINSTRETCFG
				    : CSR_MHPMEVENT + ctr;

	return num == CSR_MHPMCOUNTER + ctr || num == CSR_MHPMCOUNTERH + ctr || num == event ||
	       num == event + (CSR_MHPMEVENTH - CSR_MHPMEVENT);
}

/* Only the CSRs of the call's counters, mcountinhibit and LCOFIP (in mip) may be written. */
static void check_writes(const struct call *c)
{
	uint64_t allowed = counters_of(c);

	must(r.fake.nr_log <= FAKE_LOG || c->fid == SBI_PMU_EVENT_GET_INFO);
	for (unsigned i = 0; i < r.fake.nr_log && i < FAKE_LOG; i++) {
		const struct fake_access *a = &r.fake.log[i];
		bool good = a->num == CSR_MCOUNTINHIBIT || a->num == CSR_MIP;

		for (unsigned ctr = 0; ctr < 32 && !good; ctr++)
			good = allowed >> ctr & 1 && belongs(a->num, ctr);
		must(good || !a->write);
	}
}

/* Only the bytes of S-mode's memory that the call is meant to write may change. */
static void check_memory(const struct call *c)
{
	unsigned from = 0, to = 0;

	if (memcmp(r.fake.ram, before.ram, FAKE_RAM_SIZE) == 0)
		return;
	if (c->fid == SBI_PMU_COUNTER_STOP && c->a[2] & SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT &&
	    page_set) {
		from = page;
		to = page + SBI_PMU_SNAPSHOT_VALUES + 8 * 64;
	}
	if (c->fid == SBI_PMU_EVENT_GET_INFO) {
		from = (unsigned)(c->a[0] - FAKE_RAM_BASE);
		to = from + 16 * (unsigned)c->a[2];
	}
	for (unsigned i = 0; i < FAKE_RAM_SIZE; i++) {
		bool output = c->fid != SBI_PMU_EVENT_GET_INFO || i % 16 / 4 == 1;

		must(r.fake.ram[i] == before.ram[i] || (i >= from && i < to && output));
	}
}

static void check_hart(void)
{
	const struct sbipmu_hart *h = &r.h;

	must(!(h->started & ~h->mapped));
	must(!(h->mapped & ~h->valid));
	for (unsigned ctr = 0; ctr < 32; ctr++) {
		bool is_fixed = ctr == 0 || ctr == 2;
		bool hw = h->facts.hw_ctrs >> ctr & 1 && ctr < h->pmu->fw_first;
		uint64_t event;

		if (!hw)
			continue;
		must(fake_inhibited(&r.fake, ctr) ==
		     !(h->started >> ctr & 1 || (is_fixed && !(h->mapped >> ctr & 1))));
		if (is_fixed)
			continue;
		event = fake_event(&r.fake, ctr);
		if (h->mapped >> ctr & 1 && h->facts.sscofpmf)
			must((event & MHPMEVENT_MINH) != 0);
		must(!(event & RV_MASK(57, 56)));
		if (!h->facts.sscofpmf)
			must(!(event & RV_MASK(63, 56)));
		if (!(h->mapped >> ctr & 1))
			must(event == 0);
	}
}

static void check_call(const struct call *c, struct sbiret ret)
{
	bool acted = ret.error == SBI_SUCCESS || ret.error == SBI_ERR_ALREADY_STARTED ||
		     ret.error == SBI_ERR_ALREADY_STOPPED;

	must(ret.error <= 0 && ret.error >= SBI_ERR_NO_SHMEM);
	must(!ret.error || !ret.value);
	if (!acted && !injected)
		must(rig_state_same(&r, &before));
	check_writes(c);
	check_memory(c);
	check_hart();
	if (!r.fake.hw.sscofpmf || !r.h.facts.sscofpmf)
		return;
	if (r.fake.regs.lcofip && (!before.regs.lcofip || injected))
		must(fake_scountovf(&r.fake) != 0);
	if (raises && !before.regs.lcofip && fake_scountovf(&r.fake) >> inject_ctr & 1)
		must(r.fake.regs.lcofip);
}

/* Makes the counter overflow now, if it runs and is offered; others have no event selected. */
static void overflow(struct fake *f)
{
	unsigned ctr = inject_ctr;

	injected = true;
	if (!(r.h.facts.hw_ctrs >> ctr & 1) || fake_inhibited(f, ctr))
		return;
	raises = !(fake_event(f, ctr) & MHPMEVENT_OF);
	f->regs.value[ctr] = f->hw.width[ctr] == 64 ? ~0ull : ((uint64_t)1 << f->hw.width[ctr]) - 1;
	fake_tick(f, ctr, 1, FAKE_S);
}

static void do_call(struct input *in, rv_ulong fid, bool inject)
{
	struct call c = { .fid = fid };
	struct sbiret ret;

	for (unsigned i = 0; i < 6; i++)
		c.a[i] = any_register(in);
	rig_state_save(&r, &before);
	fake_log_clear(&r.fake);
	injected = raises = false;
	if (inject) {
		inject_ctr = input_byte(in) % 32;
		r.fake.inject = overflow;
		r.fake.inject_at = 1 + input_byte(in) % 16;
	}
	ret = sbipmu_call(c.a[0], c.a[1], c.a[2], c.a[3], c.a[4], c.a[5], c.fid, &r.h);
	r.fake.inject_at = 0;
	check_call(&c, ret);
	if (c.fid == SBI_PMU_SNAPSHOT_SET_SHMEM && ret.error == SBI_SUCCESS) {
		page_set = c.a[0] != (rv_ulong)-1;
		page = (unsigned)(c.a[0] - FAKE_RAM_BASE);
	}
}

static void suspend(bool power_lost)
{
	uint32_t ovf = fake_scountovf(&r.fake);

	rig_state_save(&r, &before);
	r.fake.live = false;
	sbipmu_hart_save(&r.h);
	if (power_lost && r.h.valid & ((RV_BIT(r.pmu.fw_first)) - 1)) {
		fake_scramble(&r.fake);
		/* The library does not own the values that reset leaves in unknown counters. */
		for (unsigned ctr = 3; ctr < 32; ctr++)
			if (!(r.h.facts.hw_ctrs >> ctr & 1))
				r.fake.regs.event[ctr] = before.regs.event[ctr];
	}
	r.fake.live = r.fake.may_set_of = true;
	sbipmu_hart_restore(&r.h);
	r.fake.may_set_of = false;
	must(memcmp(&r.h.started, &before.h.started, sizeof(r.h.started)) == 0);
	must(r.h.mapped == before.h.mapped);
	if (r.h.facts.sscofpmf)
		must(fake_scountovf(&r.fake) == ovf && r.fake.regs.lcofip == before.regs.lcofip);
	check_hart();
}

static void step(struct input *in)
{
	unsigned what = input_byte(in) % 20;

	if (what < 9) {
		do_call(in, what, false);
	} else if (what < 12) {
		do_call(in, what - 7, true); /* config, start, stop */
	} else if (what < 14) {
		do_call(in, any_register(in), true);
	} else if (what < 16) {
		inject_ctr = input_byte(in) % 32;
		overflow(&r.fake);
	} else if (what == 16) {
		sbipmu_fw_event(&r.h, (enum sbi_pmu_fw)(input_byte(in) % SBI_PMU_FW_COUNT));
		r.fake.fw_total[input_byte(in) % FAKE_FW_EVENTS]++;
	} else if (what == 17) {
		unsigned offset = (unsigned)input_bytes(in, 2) % (FAKE_RAM_SIZE - 8);

		fake_ram_set64(&r.fake, offset, any_register(in));
	} else if (what == 18) {
		r.fake.regs.lcofip = false;
	} else {
		suspend(input_byte(in) & 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, data + size };

	make_hart(&in);
	check_hart();
	for (unsigned i = 0; i < 64 && in.at < in.end; i++)
		step(&in);
	return 0;
}

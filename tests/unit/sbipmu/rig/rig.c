/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rig.c - see rig.h.
 */
#include "rig.h"

static uint32_t programmable(const struct rig *r)
{
	return r->fake.hw.exists & ~(uint32_t)(RV_BIT(COUNTER_CY) | RV_BIT(COUNTER_IR));
}

void rig_cell(struct rig_table *t, uint32_t cell)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		t->bytes[t->len++] = (unsigned char)(cell >> shift);
}

void rig_cells(struct rig_table *t, const uint32_t *cells, size_t nr)
{
	t->len = 0;
	for (size_t i = 0; i < nr; i++)
		rig_cell(t, cells[i]);
}

static void usual_tables(struct rig *r)
{
	uint32_t ctrs = programmable(r);
	const uint32_t counters[] = { 1, 10, ctrs, 0x10000, 0x10035, ctrs };
	const uint32_t raw[] = { 0, 0x1000, 0xffffffff, 0xfffff000, ctrs,
				 0, 0x2001, 0xffffffff, 0xffffffff, ctrs };

	for (uint32_t code = 1; code <= 10; code++) {
		rig_cell(&r->selectors, code);
		rig_cell(&r->selectors, 0);
		rig_cell(&r->selectors, RIG_GENERAL + code);
	}
	for (uint32_t code = 0; code <= 0x35; code++) {
		if ((code >> 1 & 3) == 3)
			continue; /* no such operation */
		rig_cell(&r->selectors, 0x10000 + code);
		rig_cell(&r->selectors, 0);
		rig_cell(&r->selectors, RIG_CACHE + code);
	}
	if (!ctrs)
		return;
	rig_cells(&r->counters, counters, TAP_NR(counters));
	rig_cells(&r->raw, raw, TAP_NR(raw));
}

void rig_no_tables(struct rig *r)
{
	r->selectors.len = r->counters.len = r->raw.len = 0;
}

void rig_init(struct rig *r, unsigned programmable_ctrs, unsigned width)
{
	memset(r, 0, sizeof(*r));
	fake_init(&r->fake, programmable_ctrs, width);
	r->fake.hw.sscofpmf = true;
	r->fake.hw.smcntrpmf = true;
	r->ops = &fake_ops;
	r->snapshot = true;
	r->nr_slots = RIG_SLOTS;
	usual_tables(r);
}

void rig_compile(struct rig *r)
{
	const struct sbipmu_dt dt = {
		.event_to_mhpmevent = r->selectors.len ? r->selectors.bytes : NULL,
		.event_to_mhpmevent_len = r->selectors.len,
		.event_to_mhpmcounters = r->counters.len ? r->counters.bytes : NULL,
		.event_to_mhpmcounters_len = r->counters.len,
		.raw_event_to_mhpmcounters = r->raw.len ? r->raw.bytes : NULL,
		.raw_event_to_mhpmcounters_len = r->raw.len,
	};
	const struct sbipmu_config config = {
		.raw_slots = r->nr_slots ? r->slots : NULL,
		.nr_raw_slots = r->nr_slots,
		.snapshot = r->snapshot,
		.dt = r->no_dt ? NULL : &dt,
	};

	fake_scramble(&r->fake);
	sbipmu_init(&r->pmu, r->ops, &r->fake, &config);
}

void rig_hart(const struct rig *r, struct sbipmu_hart *h, struct fake *f)
{
	sbipmu_hart_init(h, &r->pmu, f);
	fake_live(f);
}

void rig_boot(struct rig *r)
{
	rig_compile(r);
	rig_hart(r, &r->h, &r->fake);
}

void rig_usual(struct rig *r)
{
	rig_init(r, 4, 64);
	rig_boot(r);
}

void rig_state_save(const struct rig *r, struct rig_state *s)
{
	memcpy(&s->h, &r->h, sizeof(s->h));
	memcpy(&s->regs, &r->fake.regs, sizeof(s->regs));
	memcpy(s->ram, r->fake.ram, sizeof(s->ram));
}

bool rig_state_same(const struct rig *r, const struct rig_state *s)
{
	return memcmp(&s->h, &r->h, sizeof(s->h)) == 0 &&
	       memcmp(&s->regs, &r->fake.regs, sizeof(s->regs)) == 0 &&
	       memcmp(s->ram, r->fake.ram, sizeof(s->ram)) == 0;
}

struct sbiret rig_call(struct rig *r, unsigned fid, rv_ulong a0, rv_ulong a1, rv_ulong a2,
		       rv_ulong a3, rv_ulong a4, rv_ulong a5)
{
	return sbipmu_call(a0, a1, a2, a3, a4, a5, fid, &r->h);
}

static rv_ulong high_half(uint64_t value)
{
	return RV_XLEN == 32 ? (rv_ulong)(value >> 32) : 0;
}

struct sbiret rig_config(struct rig *r, rv_ulong base, rv_ulong mask, rv_ulong flags, rv_ulong eidx,
			 uint64_t data)
{
	return rig_call(r, SBI_PMU_COUNTER_CONFIG_MATCHING, base, mask, flags, eidx, (rv_ulong)data,
			high_half(data));
}

struct sbiret rig_start(struct rig *r, rv_ulong base, rv_ulong mask, rv_ulong flags, uint64_t value)
{
	return rig_call(r, SBI_PMU_COUNTER_START, base, mask, flags, (rv_ulong)value,
			high_half(value), 0);
}

struct sbiret rig_stop(struct rig *r, rv_ulong base, rv_ulong mask, rv_ulong flags)
{
	return rig_call(r, SBI_PMU_COUNTER_STOP, base, mask, flags, 0, 0, 0);
}

struct sbiret rig_info(struct rig *r, rv_ulong ctr)
{
	return rig_call(r, SBI_PMU_COUNTER_GET_INFO, ctr, 0, 0, 0, 0, 0);
}

struct sbiret rig_set_shmem(struct rig *r, rv_ulong lo, rv_ulong hi, rv_ulong flags)
{
	return rig_call(r, SBI_PMU_SNAPSHOT_SET_SHMEM, lo, hi, flags, 0, 0, 0);
}

struct sbiret rig_event_info(struct rig *r, rv_ulong lo, rv_ulong hi, rv_ulong entries,
			     rv_ulong flags)
{
	return rig_call(r, SBI_PMU_EVENT_GET_INFO, lo, hi, entries, flags, 0, 0);
}

uint64_t rig_fw_read(struct rig *r, rv_ulong ctr)
{
	struct sbiret low = rig_call(r, SBI_PMU_COUNTER_FW_READ, ctr, 0, 0, 0, 0, 0);
	struct sbiret high = rig_call(r, SBI_PMU_COUNTER_FW_READ_HI, ctr, 0, 0, 0, 0, 0);

	is(low.error, SBI_SUCCESS);
	is(high.error, SBI_SUCCESS);
	if (RV_XLEN == 32)
		return (uint64_t)high.value << 32 | low.value;
	is(high.value, 0);
	return low.value;
}

int rig_choose(struct rig *r, rv_ulong base, rv_ulong mask, rv_ulong flags, rv_ulong eidx,
	       uint64_t data)
{
	struct sbiret ret = rig_config(r, base, mask, flags, eidx, data);

	return ret.error ? (int)ret.error : (int)ret.value;
}

bool rig_supported(struct rig *r, uint32_t eidx, uint64_t data)
{
	fake_ram_set32(&r->fake, 0x7000, eidx);
	fake_ram_set32(&r->fake, 0x7004, 0xffffffff);
	fake_ram_set64(&r->fake, 0x7008, data);
	is_error(rig_event_info(r, fake_addr(0x7000), 0, 1, 0), SBI_SUCCESS);
	ok(fake_ram32(&r->fake, 0x7004) <= 1);
	is(fake_ram32(&r->fake, 0x7000), eidx);
	is(fake_ram64(&r->fake, 0x7008), data);
	return fake_ram32(&r->fake, 0x7004) == 1;
}

unsigned rig_fw_first(struct rig *r)
{
	struct sbiret nr = rig_call(r, SBI_PMU_NUM_COUNTERS, 0, 0, 0, 0, 0, 0);

	return (unsigned)nr.value - SBIPMU_FW_CTRS;
}

uint64_t rig_valid(struct rig *r)
{
	uint64_t valid = 0;

	for (unsigned ctr = 0; ctr < 64; ctr++)
		if (rig_info(r, ctr).error == SBI_SUCCESS)
			valid |= RV_BIT(ctr);
	return valid;
}

bool rig_said(const struct rig *r, const char *property, int row, const char *text)
{
	for (unsigned i = 0; i < r->fake.nr_diags && i < TAP_NR(r->fake.diag); i++) {
		const struct sbipmu_diag *d = &r->fake.diag[i];

		if (strcmp(d->property, property) == 0 && d->row == row && strstr(d->text, text))
			return true;
	}
	return false;
}

bool rig_is_ret(struct sbiret ret, enum sbi_err error, rv_ulong value, const char *file, int line,
		const char *what)
{
	if (tap_check(ret.error == error && ret.value == value, file, line, what))
		return true;
	printf("#   got  error %lld value 0x%llx\n#   want error %d value 0x%llx\n",
	       (long long)ret.error, (unsigned long long)ret.value, error,
	       (unsigned long long)value);
	return false;
}

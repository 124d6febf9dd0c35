/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_snapshot.c - the snapshot page: where it may be, what is written there and read from it.
 *
 * Covers: SBI 3.0 §11.13 (FID 7), tables 45 and 46; INIT_SNAPSHOT of §11.9 and TAKE_SNAPSHOT of
 * §11.10; §3.2 (shared memory).
 */
#include "rig.h"

#define PAGE  0x3000u /* the page, an offset into the rig's memory */
#define INIT  SBI_PMU_START_FLAG_INIT_SNAPSHOT
#define TAKE  SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT
#define RESET SBI_PMU_STOP_FLAG_RESET
#define ONES  ((rv_ulong)-1)
#define LINUX ((rv_ulong)RV_XLEN * RV_XLEN)

static struct rig r;
static struct rig_state before;

static void boot_with_page(void)
{
	rig_usual(&r);
	is_error(rig_set_shmem(&r, fake_addr(PAGE), 0, 0), SBI_SUCCESS);
}

static uint64_t value_at(unsigned i)
{
	return fake_ram64(&r.fake, PAGE + SBI_PMU_SNAPSHOT_VALUES + 8 * i);
}

static void set_value_at(unsigned i, uint64_t value)
{
	fake_ram_set64(&r.fake, PAGE + SBI_PMU_SNAPSHOT_VALUES + 8 * i, value);
}

static uint64_t overflown(void)
{
	return fake_ram64(&r.fake, PAGE);
}

static void refused(rv_ulong lo, rv_ulong hi, rv_ulong flags, enum sbi_err error)
{
	rig_state_save(&r, &before);
	is_error(rig_set_shmem(&r, lo, hi, flags), error);
	ok(rig_state_same(&r, &before));
}

static void addresses(void)
{
	boot_with_page();
	for (unsigned bit = 0; bit < 12; bit++)
		refused(fake_addr(PAGE) | 1u << bit, 0, 0, SBI_ERR_INVALID_PARAM);
	for (unsigned bit = 0; bit < RV_XLEN; bit++) {
		refused(fake_addr(PAGE), 0, (rv_ulong)1 << bit, SBI_ERR_INVALID_PARAM);
		refused(ONES, ONES, (rv_ulong)1 << bit, SBI_ERR_INVALID_PARAM);
		refused(fake_addr(PAGE), (rv_ulong)1 << bit, 0, SBI_ERR_INVALID_ADDRESS);
	}
	refused(fake_addr(PAGE), ONES, 0, SBI_ERR_INVALID_ADDRESS);
	refused(ONES, 0, 0, SBI_ERR_INVALID_PARAM); /* half of the "none" address is misaligned */
	refused(FAKE_RAM_BASE - 4096, 0, 0, SBI_ERR_INVALID_ADDRESS);
	refused(fake_addr(FAKE_RAM_SIZE), 0, 0, SBI_ERR_INVALID_ADDRESS);
	refused(0, 0, 0, SBI_ERR_INVALID_ADDRESS);
	refused((rv_ulong)-4096, 0, 0, SBI_ERR_INVALID_ADDRESS);
	is_error(rig_set_shmem(&r, fake_addr(FAKE_RAM_SIZE - 4096), 0, 0), SBI_SUCCESS);
	is_error(rig_set_shmem(&r, fake_addr(0), 0, 0), SBI_SUCCESS);
	ok(fake_ram_clean(&r.fake, 0, 0)); /* registering it writes nothing */
}

static void not_offered(void)
{
	rig_init(&r, 4, 64);
	r.snapshot = false;
	rig_boot(&r);
	refused(fake_addr(PAGE), 0, 0, SBI_ERR_NOT_SUPPORTED);
	refused(ONES, ONES, 0, SBI_ERR_NOT_SUPPORTED);
	refused(fake_addr(PAGE), 0, 1, SBI_ERR_NOT_SUPPORTED);
	is(r.fake.nr_shmem, 0);
}

static void no_page(void)
{
	rig_usual(&r);
	is(rig_choose(&r, 3, 1, 0, EIDX_CYCLES, 0), 3);
	rig_state_save(&r, &before);
	is_error(rig_start(&r, 3, 1, INIT, 0), SBI_ERR_NO_SHMEM);
	is_error(rig_start(&r, 0, 0, INIT, 0), SBI_ERR_NO_SHMEM);
	is_error(rig_stop(&r, 3, 1, TAKE), SBI_ERR_NO_SHMEM);
	is_error(rig_stop(&r, 0, 0x7d, TAKE | RESET), SBI_ERR_NO_SHMEM);
	is_error(rig_start(&r, 64, 1, INIT, 0), SBI_ERR_INVALID_PARAM);
	is_error(rig_stop(&r, 64, 1, TAKE), SBI_ERR_INVALID_PARAM);
	ok(rig_state_same(&r, &before));
	/* a page that was unregistered */
	is_error(rig_set_shmem(&r, fake_addr(PAGE), 0, 0), SBI_SUCCESS);
	is_error(rig_set_shmem(&r, ONES, ONES, 0), SBI_SUCCESS);
	is_error(rig_set_shmem(&r, ONES, ONES, 0), SBI_SUCCESS);
	is_error(rig_start(&r, 3, 1, INIT, 0), SBI_ERR_NO_SHMEM);
	is_error(rig_stop(&r, 3, 1, TAKE), SBI_ERR_NO_SHMEM);
	ok(rig_state_same(&r, &before));
}

/* All counters of the set, hardware and firmware, and no others; nothing outside the fields. */
static void take(void)
{
	boot_with_page();
	is(rig_choose(&r, 0, 1, 0, EIDX_CYCLES, 0), 0);
	is(rig_choose(&r, 3, 1, 0, EIDX_CYCLES, 0), 3);
	is(rig_choose(&r, 4, 1, 0, EIDX_CYCLES, 0), 4);
	is(rig_choose(&r, 7, 1, 0, EIDX_FW(5), 0), 7);
	is_error(rig_start(&r, 0, 0x99, 0, 0), SBI_SUCCESS);
	r.fake.regs.value[0] = 0x1122334455667788;
	r.fake.regs.value[3] = 33;
	r.fake.regs.value[4] = 44;
	sbipmu_fw_event(&r.h, SBI_PMU_FW_SET_TIMER);
	is_error(rig_stop(&r, 0, 0x89, TAKE), SBI_SUCCESS);
	is(overflown(), 0);
	is(value_at(0), 0x1122334455667788);
	is(value_at(3), 33);
	is(value_at(7), 1);
	is(value_at(4), 0xa5a5a5a5a5a5a5a5);
	is(value_at(2), 0xa5a5a5a5a5a5a5a5);
	ok(fake_ram_clean(&r.fake, PAGE, PAGE + 8 + 8 * 8));
}

static void relative_to_the_base(void)
{
	boot_with_page();
	is(rig_choose(&r, 4, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 4);
	is(rig_choose(&r, 6, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 6);
	r.fake.regs.value[4] = ~0ull;
	r.fake.regs.value[6] = 66;
	fake_tick(&r.fake, 4, 45, FAKE_U);
	is_error(rig_stop(&r, 4, 5, TAKE), SBI_SUCCESS);
	is(overflown(), 1);
	is(value_at(0), 44);
	is(value_at(2), 66);
	ok(fake_ram_clean(&r.fake, PAGE, PAGE + 8 + 3 * 8));
	/* the bitmap shows all overflowed counters that the base can reach */
	is_error(rig_stop(&r, 3, 8, TAKE), SBI_ERR_ALREADY_STOPPED);
	is(overflown(), 2);
	is_error(rig_stop(&r, 6, 1, TAKE), SBI_ERR_ALREADY_STOPPED);
	is(overflown(), 0);
}

static void the_last_slot(void)
{
	rig_init(&r, 29, 64);
	rig_boot(&r);
	is_error(rig_set_shmem(&r, fake_addr(PAGE), 0, 0), SBI_SUCCESS);
	is(rig_choose(&r, 31, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 31);
	is(rig_choose(&r, 47, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_FW(5), 0), 47);
	r.fake.regs.value[31] = ~0ull;
	fake_tick(&r.fake, 31, 1, FAKE_S);
	sbipmu_fw_event(&r.h, SBI_PMU_FW_SET_TIMER);
	is_error(rig_stop(&r, 31, 1 | 1u << 16, TAKE), SBI_SUCCESS);
	is(overflown(), 1);
	is(value_at(16), 1);
	is_error(rig_stop(&r, 47, 1, TAKE), SBI_ERR_ALREADY_STOPPED);
	is(overflown(), 0); /* firmware counters do not overflow */
	is(value_at(0), 1);
}

/* Counters that stood still before are saved, too; unmapped ones have no value. */
static void stopped_before(void)
{
	boot_with_page();
	is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 3);
	r.fake.regs.value[3] = 33;
	is_error(rig_stop(&r, 3, 1, 0), SBI_SUCCESS);
	is_error(rig_stop(&r, 0, 0x7d, TAKE), SBI_ERR_ALREADY_STOPPED);
	is(value_at(3), 33);
	is(value_at(0), 0xa5a5a5a5a5a5a5a5); /* runs freely */
	is(value_at(4), 0xa5a5a5a5a5a5a5a5);
	/* with RESET: the snapshot comes first */
	r.fake.regs.value[3] = 34;
	is_error(rig_stop(&r, 3, 1, TAKE | RESET), SBI_ERR_ALREADY_STOPPED);
	is(value_at(0), 34);
	is(r.h.mapped, 0);
}

static void overflow_is_seen_before_reset(void)
{
	boot_with_page();
	is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 3);
	r.fake.regs.value[3] = ~0ull;
	fake_tick(&r.fake, 3, 3, FAKE_S);
	is_error(rig_stop(&r, 3, 1, TAKE | RESET), SBI_SUCCESS);
	is(overflown(), 1);
	is(value_at(0), 2);
	is(fake_scountovf(&r.fake), 0);
}

static void without_sscofpmf(void)
{
	rig_init(&r, 4, 64);
	r.fake.hw.sscofpmf = false;
	rig_boot(&r);
	is_error(rig_set_shmem(&r, fake_addr(PAGE), 0, 0), SBI_SUCCESS);
	is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 3);
	is_error(rig_stop(&r, 3, 1, TAKE), SBI_SUCCESS);
	is(overflown(), 0);
}

static void init_values(void)
{
	boot_with_page();
	is(rig_choose(&r, 3, 1, 0, EIDX_CYCLES, 0), 3);
	is(rig_choose(&r, 5, 1, 0, EIDX_CYCLES, 0), 5);
	is(rig_choose(&r, 7, 1, 0, EIDX_FW(5), 0), 7);
	set_value_at(0, 0x8877665544332211);
	set_value_at(2, (uint64_t)-7);
	set_value_at(4, 700);
	fake_ram_set64(&r.fake, PAGE, ~0ull); /* the bitmap is not read */
	rig_state_save(&r, &before);
	is_error(rig_start(&r, 3, 0x15, INIT, 99), SBI_SUCCESS);
	is(r.fake.regs.value[3], 0x8877665544332211);
	is(r.fake.regs.value[5], (uint64_t)-7);
	is(rig_fw_read(&r, 7), 700);
	/* read only */
	ok(memcmp(before.ram, r.fake.ram, FAKE_RAM_SIZE) == 0);
	/* a counter that runs keeps its value */
	set_value_at(0, 1);
	is_error(rig_start(&r, 3, 1, INIT, 0), SBI_ERR_ALREADY_STARTED);
	is(r.fake.regs.value[3], 0x8877665544332211);
}

/*
 * Linux restarts its counters with a base that means 0, with INIT_SNAPSHOT and a page.
 */
static void linux_restart(void)
{
	boot_with_page();
	is(rig_choose(&r, 3, 1, 0, EIDX_CYCLES, 0), 3);
	is(rig_choose(&r, 6, 1, 0, EIDX_CYCLES, 0), 6);
	set_value_at(3, 333);
	set_value_at(6, 666);
	is_error(rig_start(&r, LINUX, 0x48, INIT, 0), SBI_SUCCESS);
	is(r.h.started, 0x48);
	is(r.fake.regs.value[3], 333);
	is(r.fake.regs.value[6], 666);
	is_error(rig_start(&r, LINUX, 0x48, INIT, 0), SBI_ERR_ALREADY_STARTED);
	is_error(rig_start(&r, LINUX, 0, INIT, 0), SBI_SUCCESS);
	/* a set that is invalid from base 0 stays invalid from this base */
	is_error(rig_start(&r, LINUX, 2, INIT, 0), SBI_ERR_INVALID_PARAM);
	is_error(rig_start(&r, LINUX, 0x10, INIT, 0), SBI_ERR_INVALID_PARAM);
	is_error(rig_start(&r, LINUX, (rv_ulong)-1, INIT, 0), SBI_ERR_INVALID_PARAM);
}

static void linux_restart_opens_no_other_door(void)
{
	static const rv_ulong near[] = { LINUX - 1, LINUX + 1,	     LINUX / 2,
					 LINUX * 2, LINUX + RV_XLEN, RV_XLEN == 64 ? 1024 : 4096 };

	boot_with_page();
	is(rig_choose(&r, 3, 1, 0, EIDX_CYCLES, 0), 3);
	rig_state_save(&r, &before);
	for (unsigned i = 0; i < TAP_NR(near); i++)
		is_error(rig_start(&r, near[i], 8, INIT, 0), SBI_ERR_INVALID_PARAM);
	is_error(rig_start(&r, LINUX, 8, 0, 0), SBI_ERR_INVALID_PARAM);
	is_error(rig_start(&r, LINUX, 8, SBI_PMU_START_SET_INIT_VALUE, 0), SBI_ERR_INVALID_PARAM);
	is_error(rig_start(&r, LINUX, 8, SBI_PMU_START_FLAG_ALL, 0), SBI_ERR_INVALID_PARAM);
	is_error(rig_start(&r, LINUX, 8, INIT | 4, 0), SBI_ERR_INVALID_PARAM);
	is_error(rig_stop(&r, LINUX, 8, TAKE), SBI_ERR_INVALID_PARAM);
	is_error(rig_stop(&r, LINUX, 8, 0), SBI_ERR_INVALID_PARAM);
	is_error(rig_config(&r, LINUX, 8, 0, EIDX_CYCLES, 0), SBI_ERR_INVALID_PARAM);
	ok(rig_state_same(&r, &before));
	is_error(rig_set_shmem(&r, ONES, ONES, 0), SBI_SUCCESS);
	is_error(rig_start(&r, LINUX, 8, INIT, 0), SBI_ERR_INVALID_PARAM);
	is(r.h.started, 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "set_shmem: bad addresses are refused, each with its error", addresses },
		{ "set_shmem: not offered", not_offered },
		{ "NO_SHMEM", no_page },
		{ "TAKE_SNAPSHOT writes the set and nothing else", take },
		{ "values and bitmap are relative to the base", relative_to_the_base },
		{ "counters 31 and 47", the_last_slot },
		{ "TAKE_SNAPSHOT of counters stopped before", stopped_before },
		{ "TAKE_SNAPSHOT with RESET shows the overflow", overflow_is_seen_before_reset },
		{ "without Sscofpmf the bitmap is zero", without_sscofpmf },
		{ "INIT_SNAPSHOT", init_values },
		{ "Linux's restart base means 0", linux_restart },
		{ "no other call accepts Linux's base", linux_restart_opens_no_other_door },
	};

	return tap_run(cases, TAP_NR(cases));
}

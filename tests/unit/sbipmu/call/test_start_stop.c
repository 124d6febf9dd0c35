/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_start_stop.c - starting and stopping sets of hardware counters.
 *
 * Covers: SBI 3.0 §11.9 (FID 3), §11.10 (FID 4), tables 39 to 42; Priv 1.13 §3.1.12.
 * test_overflow.c tests overflows, test_snapshot.c shared memory.
 */
#include "rig.h"

#define ALL   0x7fffdu
#define INIT  SBI_PMU_START_SET_INIT_VALUE
#define RESET SBI_PMU_STOP_FLAG_RESET

static struct rig r;
static struct rig_state before;

/* All 16 programmable counters count cycles; none runs. */
static void boot_mapped(void)
{
	rig_init(&r, 16, 64);
	rig_boot(&r);
	for (unsigned ctr = 3; ctr < 19; ctr++)
		is(rig_choose(&r, ctr, 1, SBI_PMU_CFG_FLAG_CLEAR_VALUE, EIDX_CYCLES, 0), (int)ctr);
	fake_log_clear(&r.fake);
}

static void start_refused(rv_ulong base, rv_ulong mask, rv_ulong flags, enum sbi_err error)
{
	rig_state_save(&r, &before);
	fake_log_clear(&r.fake);
	is_error(rig_start(&r, base, mask, flags, 0x1234567890), error);
	ok(rig_state_same(&r, &before));
	is(fake_all_writes(&r.fake), 0);
}

static void stop_refused(rv_ulong base, rv_ulong mask, rv_ulong flags, enum sbi_err error)
{
	rig_state_save(&r, &before);
	fake_log_clear(&r.fake);
	is_error(rig_stop(&r, base, mask, flags), error);
	ok(rig_state_same(&r, &before));
	is(fake_all_writes(&r.fake), 0);
}

static void reserved_flags(void)
{
	boot_mapped();
	for (unsigned bit = 2; bit < RV_XLEN; bit++) {
		tap_context("bit %u", bit);
		start_refused(3, 1, (rv_ulong)1 << bit, SBI_ERR_INVALID_PARAM);
		start_refused(3, 1, (rv_ulong)1 << bit | INIT, SBI_ERR_INVALID_PARAM);
		start_refused(0, 0, (rv_ulong)1 << bit, SBI_ERR_INVALID_PARAM);
	}
	is_error(rig_start(&r, 3, 1, 0, 0), SBI_SUCCESS);
	for (unsigned bit = 2; bit < RV_XLEN; bit++) {
		tap_context("bit %u", bit);
		stop_refused(3, 1, (rv_ulong)1 << bit, SBI_ERR_INVALID_PARAM);
		stop_refused(3, 1, (rv_ulong)1 << bit | RESET, SBI_ERR_INVALID_PARAM);
		stop_refused(0, 0, (rv_ulong)1 << bit, SBI_ERR_INVALID_PARAM);
	}
}

static void invalid_sets(void)
{
	static const struct {
		rv_ulong base, mask;
	} rows[] = {
		{ 0, 2 },
		{ 0, ALL | 2 },
		{ 1, 1 },
		{ 35, 1 },
		{ 4, (rv_ulong)-1 },
		{ 63, 3 },
		{ 64, 1 },
		{ (rv_ulong)-1, 1 },
		{ (rv_ulong)-1, 0x10 },
		{ (rv_ulong)-13, 0x10000 },
		{ (rv_ulong)RV_XLEN * RV_XLEN, 8 },
		{ (rv_ulong)1 << (RV_XLEN - 1), 8 },
	};

	boot_mapped();
	is_error(rig_start(&r, 3, 1, 0, 0), SBI_SUCCESS);
	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("row %u", i);
		start_refused(rows[i].base, rows[i].mask, 0, SBI_ERR_INVALID_PARAM);
		stop_refused(rows[i].base, rows[i].mask, 0, SBI_ERR_INVALID_PARAM);
		stop_refused(rows[i].base, rows[i].mask, RESET, SBI_ERR_INVALID_PARAM);
	}
	for (unsigned bit = 6; bit < RV_XLEN; bit++) {
		tap_context("bit %u", bit);
		start_refused((rv_ulong)1 << bit | 4, 1, 0, SBI_ERR_INVALID_PARAM);
		stop_refused((rv_ulong)1 << bit | 3, 1, 0, SBI_ERR_INVALID_PARAM);
	}
}

static void empty_sets(void)
{
	boot_mapped();
	start_refused(0, 0, 0, SBI_SUCCESS);
	start_refused((rv_ulong)-1, 0, INIT, SBI_SUCCESS);
	start_refused(0, 0, SBI_PMU_START_FLAG_ALL, SBI_ERR_INVALID_PARAM);
	stop_refused(0, 0, 0, SBI_SUCCESS);
	stop_refused((rv_ulong)-1, 0, RESET, SBI_SUCCESS);
}

static void initial_value(void)
{
	static const uint64_t values[] = { 0,
					   1,
					   0xffffffff,
					   0x100000000,
					   (uint64_t)-1000,
					   0x8000000000000001,
					   ~0ull,
					   0x123456789abcdef0 };

	boot_mapped();
	for (unsigned i = 0; i < TAP_NR(values); i++) {
		tap_context("value %u", i);
		is_error(rig_start(&r, 5, 1, INIT, values[i]), SBI_SUCCESS);
		is(r.fake.regs.value[5], values[i]);
		fake_tick(&r.fake, 5, 1, FAKE_S);
		is(r.fake.regs.value[5], values[i] + 1);
		is_error(rig_stop(&r, 5, 1, 0), SBI_SUCCESS);
		is_error(rig_start(&r, 5, 1, 0, 77), SBI_SUCCESS); /* not modified */
		is(r.fake.regs.value[5], values[i] + 1);
		is_error(rig_stop(&r, 5, 1, 0), SBI_SUCCESS);
	}
}

static void initial_value_of_a_fixed_counter(void)
{
	rig_init(&r, 4, 48);
	rig_boot(&r);
	is(rig_choose(&r, 2, 1, 0, EIDX_INSTRUCTIONS, 0), 2);
	is_error(rig_start(&r, 2, 1, INIT, 0xffff123456789abc), SBI_SUCCESS);
	is(r.fake.regs.value[2], 0x123456789abc);
	fake_tick(&r.fake, 2, 4, FAKE_U);
	is(r.fake.regs.value[2], 0x123456789ac0);
}

/* "only valid for a single counter", and not with a snapshot */
static void initial_value_is_for_one(void)
{
	boot_mapped();
	start_refused(3, 3, INIT, SBI_ERR_INVALID_PARAM);
	start_refused(0, 0x7fff8, INIT, SBI_ERR_INVALID_PARAM);
	start_refused(3, 1, SBI_PMU_START_FLAG_ALL, SBI_ERR_INVALID_PARAM);
	is_error(rig_set_shmem(&r, fake_addr(0), 0, 0), SBI_SUCCESS);
	start_refused(3, 1, SBI_PMU_START_FLAG_ALL, SBI_ERR_INVALID_PARAM);
}

static void unmapped_counters_do_not_start(void)
{
	boot_mapped();
	start_refused(0, 1, 0, SBI_ERR_INVALID_PARAM);
	start_refused(0, 9, 0, SBI_ERR_INVALID_PARAM);
	start_refused(0, ALL, 0, SBI_ERR_INVALID_PARAM);
	is_error(rig_stop(&r, 4, 1, RESET), SBI_ERR_ALREADY_STOPPED);
	start_refused(3, 3, 0, SBI_ERR_INVALID_PARAM);
	start_refused(19, 1, 0, SBI_ERR_INVALID_PARAM);
}

/* Every counter of the set is started or stopped, wherever the running one stands in the set. */
static void already_started(void)
{
	for (unsigned running = 3; running < 19; running++) {
		tap_context("%u runs", running);
		boot_mapped();
		is_error(rig_start(&r, running, 1, INIT, 0x5555), SBI_SUCCESS);
		is_error(rig_start(&r, 0, 0x7fff8, 0, 0), SBI_ERR_ALREADY_STARTED);
		is(r.h.started, 0x7fff8);
		is(r.fake.regs.inhibit & 0x7fff8, 0);
		is(r.fake.regs.value[running], 0x5555);
	}
}

/* Linux restarts a running counter when it unthrottles: the call has no side effect. */
static void start_of_a_running_counter(void)
{
	boot_mapped();
	is_error(rig_start(&r, 3, 1, INIT, 0x5555), SBI_SUCCESS);
	start_refused(3, 1, INIT, SBI_ERR_ALREADY_STARTED);
	start_refused(3, 1, 0, SBI_ERR_ALREADY_STARTED);
	r.fake.regs.value[3] = ~0ull;
	fake_tick(&r.fake, 3, 1, FAKE_S);
	is(fake_scountovf(&r.fake), 8);
	start_refused(3, 1, INIT, SBI_ERR_ALREADY_STARTED); /* overflowed, and still running */
	ok(r.fake.regs.lcofip);
}

static void already_stopped(void)
{
	for (unsigned stopped = 3; stopped < 19; stopped++) {
		tap_context("%u stands", stopped);
		boot_mapped();
		is_error(rig_start(&r, 0, 0x7fff8 & ~(1u << stopped), 0, 0), SBI_SUCCESS);
		is_error(rig_stop(&r, 0, 0x7fff8, 0), SBI_ERR_ALREADY_STOPPED);
		is(r.h.started, 0);
		is(r.h.mapped, 0x7fff8);
		is(r.fake.regs.inhibit & 0x7fff8, 0x7fff8);
	}
}

static void stop_and_read(void)
{
	boot_mapped();
	is_error(rig_start(&r, 3, 3, 0, 0), SBI_SUCCESS);
	fake_happen(&r.fake, RIG_GENERAL + 1, 10, FAKE_U);
	is_error(rig_stop(&r, 3, 1, 0), SBI_SUCCESS);
	fake_happen(&r.fake, RIG_GENERAL + 1, 10, FAKE_U);
	is(r.fake.regs.value[3], 10);
	is(r.fake.regs.value[4], 20);
	stop_refused(3, 1, 0, SBI_ERR_ALREADY_STOPPED);
	is_error(rig_start(&r, 3, 1, 0, 0), SBI_SUCCESS);
	fake_happen(&r.fake, RIG_GENERAL + 1, 1, FAKE_U);
	is(r.fake.regs.value[3], 11);
}

/*
 * Linux stops, reads, and stops again with RESET: the second call must still release the counter.
 */
static void reset_frees_a_stopped_counter(void)
{
	boot_mapped();
	is_error(rig_start(&r, 3, 1, 0, 0), SBI_SUCCESS);
	is_error(rig_stop(&r, 3, 1, 0), SBI_SUCCESS);
	is(r.fake.regs.event[3], (RIG_GENERAL + 1) | MHPMEVENT_MINH);
	is_error(rig_stop(&r, 3, 1, RESET), SBI_ERR_ALREADY_STOPPED);
	is(r.fake.regs.event[3], 0);
	is(rig_choose(&r, 3, 1, 0, 3, 0), 3);
	/* in one step */
	is_error(rig_start(&r, 3, 1, 0, 0), SBI_SUCCESS);
	is_error(rig_stop(&r, 3, 1, RESET), SBI_SUCCESS);
	is(r.fake.regs.event[3], 0);
	ok(fake_inhibited(&r.fake, 3));
}

/* Linux's boot-time STOP of everything leaves rdcycle and rdinstret running. */
static void fixed_counters_run_freely(void)
{
	uint64_t cycles, instructions;

	rig_init(&r, 16, 64);
	rig_boot(&r);
	cycles = r.fake.regs.value[0];
	instructions = r.fake.regs.value[2];
	is_error(rig_stop(&r, 0, ALL, RESET), SBI_ERR_ALREADY_STOPPED);
	is_error(rig_stop(&r, 0, ALL, 0), SBI_ERR_ALREADY_STOPPED);
	fake_tick(&r.fake, 0, 7, FAKE_U);
	fake_tick(&r.fake, 2, 5, FAKE_M);
	is(r.fake.regs.value[0], cycles + 7);
	is(r.fake.regs.value[2], instructions + 5);
	/* once configured and released, they run again */
	is(rig_choose(&r, 0, 1, SBI_PMU_CFG_FLAG_SET_UINH, EIDX_CYCLES, 0), 0);
	is_error(rig_start(&r, 0, 1, 0, 0), SBI_SUCCESS);
	is_error(rig_stop(&r, 0, 1, 0), SBI_SUCCESS);
	fake_tick(&r.fake, 0, 7, FAKE_U);
	is(r.fake.regs.value[0], cycles + 7);
	is_error(rig_stop(&r, 0, 1, RESET), SBI_ERR_ALREADY_STOPPED);
	fake_tick(&r.fake, 0, 7, FAKE_U);
	is(r.fake.regs.value[0], cycles + 14);
}

static void one_write_starts_and_stops_a_set(void)
{
	boot_mapped();
	is_error(rig_start(&r, 0, 0x7fff8, 0, 0), SBI_SUCCESS);
	is(fake_writes(&r.fake, CSR_MCOUNTINHIBIT), 1);
	is(fake_all_writes(&r.fake), 1);
	fake_log_clear(&r.fake);
	is_error(rig_stop(&r, 0, 0x7fff8, 0), SBI_SUCCESS);
	is(fake_writes(&r.fake, CSR_MCOUNTINHIBIT), 1);
	is(r.fake.nr_log, 1);
	fake_log_clear(&r.fake);
	is_error(rig_start(&r, 0, 0x7fff8, 0, 0), SBI_SUCCESS);
	fake_log_clear(&r.fake);
	is_error(rig_stop(&r, 0, 0x7fff8, RESET), SBI_SUCCESS);
	is(fake_writes(&r.fake, CSR_MCOUNTINHIBIT), 1);
}

/* The counter is inhibited until its value and its event are complete. */
static void the_value_is_written_first(void)
{
	boot_mapped();
	is_error(rig_start(&r, 7, 1, INIT, 0xfedcba9876543210), SBI_SUCCESS);
	ok(fake_write_place(&r.fake, CSR_MHPMCOUNTER + 7, RV_XLEN == 32 ? 2 : 1) <
	   fake_write_place(&r.fake, CSR_MCOUNTINHIBIT, 1));
	if (RV_XLEN == 64)
		return;
	/* low zero, high, low: no carry from one half to the other */
	is(fake_writes(&r.fake, CSR_MHPMCOUNTER + 7), 2);
	is(fake_writes(&r.fake, CSR_MHPMCOUNTERH + 7), 1);
	is(r.fake.log[fake_write_place(&r.fake, CSR_MHPMCOUNTER + 7, 1) - 1].value, 0);
	ok(fake_write_place(&r.fake, CSR_MHPMCOUNTER + 7, 1) <
	   fake_write_place(&r.fake, CSR_MHPMCOUNTERH + 7, 1));
	ok(fake_write_place(&r.fake, CSR_MHPMCOUNTERH + 7, 1) <
	   fake_write_place(&r.fake, CSR_MHPMCOUNTER + 7, 2));
}

/* Sets with a base other than 0. */
static void sets_are_relative_to_the_base(void)
{
	boot_mapped();
	is_error(rig_start(&r, 10, 5, 0, 0), SBI_SUCCESS);
	is(r.h.started, 0x1400);
	is_error(rig_start(&r, 18, 1, 0, 0), SBI_SUCCESS);
	is(r.h.started, 0x41400);
	is_error(rig_stop(&r, 10, 0x101, 0), SBI_SUCCESS);
	is(r.h.started, 0x1000);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "reserved flags are refused", reserved_flags },
		{ "sets with a counter that does not exist", invalid_sets },
		{ "empty sets", empty_sets },
		{ "SET_INIT_VALUE", initial_value },
		{ "SET_INIT_VALUE of a fixed, narrow counter", initial_value_of_a_fixed_counter },
		{ "SET_INIT_VALUE is for one counter", initial_value_is_for_one },
		{ "unmapped counters do not start", unmapped_counters_do_not_start },
		{ "ALREADY_STARTED: all others start", already_started },
		{ "START of a running counter changes nothing", start_of_a_running_counter },
		{ "ALREADY_STOPPED: all others stop", already_stopped },
		{ "a stopped counter keeps its value", stop_and_read },
		{ "RESET frees a stopped counter", reset_frees_a_stopped_counter },
		{ "STOP does not stop unmapped fixed counters", fixed_counters_run_freely },
		{ "a set starts and stops with one write", one_write_starts_and_stops_a_set },
		{ "the value is written before the counter runs", the_value_is_written_first },
		{ "sets are relative to the base", sets_are_relative_to_the_base },
	};

	return tap_run(cases, TAP_NR(cases));
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_calls.c - fw/hart/hart.c, ext/ecall.c and the extensions that need no second hart: hart
 * masks, the dispatch table, hostile arguments.
 */
#include <stdlib.h>

#include "tap.h"
#include <aclint.h>
#include <csr.h>
#include <ecall.h>
#include <ext_base.h>
#include <ext_dbcn.h>
#include <ext_fwft.h>
#include <ext_ipi.h>
#include <ext_srst.h>
#include <ext_time.h>
#include <ipi.h>
#include <jump.h>
#include <machine.h>
#include <platform.h>
#include <pmp.h>
#include <print.h>
#include <smode.h>
#include <uart.h>

rv_ulong fake_csr[4096];
struct platform platform;
static unsigned char sent[65536];
static size_t nr_sent;
static unsigned ipis;
static uint64_t timer, now;
static unsigned taken;
static bool line_held_up;

const struct sbi_ext ext_rfence = { .eid = SBI_EXT_RFENCE }, ext_hsm = { .eid = SBI_EXT_HSM },
		     ext_pmu = { .eid = SBI_EXT_PMU }, ext_susp = { .eid = SBI_EXT_SUSP };

void wait_for_interrupt(void)
{
}

void fake_fence(int funct7, bool any_addr, rv_ulong addr, bool any_id, rv_ulong id)
{
}

bool csr_num_probe(void *ctx, unsigned num, rv_ulong *value)
{
	*value = 0;
	return num == CSR_MENVCFG;
}

void pmp_init(struct hart *h)
{
}

void aclint_timer_off(struct hart *h)
{
}

uint64_t aclint_time(const struct hart *h)
{
	return now += 10;
}

/* Answers another hart's request for a fence. */
void ipi_take(struct hart *h)
{
	taken++;
	fake_csr[CSR_MIP] &= ~(rv_ulong)MIP_MSIP;
}

void aclint_timer_set(struct hart *h, uint64_t when)
{
	timer = when;
}

void jump_to_s(struct hart *h, rv_ulong a0, rv_ulong a1)
{
	abort();
}

void ipi_send(struct hart *to, rv_ulong what)
{
	ipis++;
}

bool uart_present(void)
{
	return true;
}

bool uart_put(unsigned char c)
{
	if (line_held_up)
		return false;
	sent[nr_sent++] = c;
	return true;
}

size_t uart_write(const unsigned char *s, size_t n)
{
	memcpy(sent, s, n);
	nr_sent = n;
	return n;
}

int uart_get(void)
{
	return nr_sent ? sent[--nr_sent] : -1;
}

void console_lock(void)
{
}

void console_unlock(void)
{
}

static unsigned char ram[8192];

bool platform_ram_ok(uint64_t addr, uint64_t size)
{
	uint64_t base = (uintptr_t)ram;

	return addr >= base && addr - base <= sizeof(ram) && size <= sizeof(ram) - (addr - base);
}

static void reset(unsigned nr)
{
	unsigned i;

	memset(fake_csr, 0, sizeof(fake_csr));
	memset(&platform, 0, sizeof(platform));
	hart_nr = nr;
	for (i = 0; i < nr; i++) {
		memset(hart_at(i), 0, sizeof(struct hart));
		hart_ids[i] = hart_at(i)->id = i;
		hart_at(i)->index = i;
	}
	nr_sent = ipis = 0;
}

static struct sbiret call(const struct sbi_ext *e, rv_ulong fid, rv_ulong a0, rv_ulong a1,
			  rv_ulong a2)
{
	return e->handle(a0, a1, a2, 0, 0, 0, fid, hart_at(0));
}

static void the_table_finds_every_extension(void)
{
	static const rv_ulong eids[] = { SBI_EXT_BASE, SBI_EXT_TIME, SBI_EXT_IPI,  SBI_EXT_RFENCE,
					 SBI_EXT_HSM,  SBI_EXT_SRST, SBI_EXT_DBCN, SBI_EXT_PMU,
					 SBI_EXT_SUSP, SBI_EXT_FWFT };
	unsigned i, n = 0;

	for (i = 0; i < TAP_NR(eids); i++) {
		const struct sbi_ext *e = ecall_find(eids[i]);

		ok(e && e->eid == eids[i]);
		/* Bits above 32 are part of the id. */
		ok(!ecall_find(eids[i] | (rv_ulong)1 << 32));
	}
	for (i = 0; i < ECALL_SLOTS; i++)
		n += ecall_table[i] != NULL;
	is(n, TAP_NR(eids));
	is(ecall_find(SBI_EXT_SSE) == NULL, true);
}

static void base_answers(void)
{
	reset(1);
	is(call(&ext_base, SBI_BASE_GET_SPEC_VERSION, 0, 0, 0).value, 0x3000000);
	is(call(&ext_base, SBI_BASE_GET_IMPL_ID, 0, 0, 0).value, SBI_IMPL_HOLTER);
	is(call(&ext_base, SBI_BASE_PROBE_EXT, SBI_EXT_PMU, 0, 0).value, 1);
	is(call(&ext_base, SBI_BASE_PROBE_EXT, SBI_EXT_SSE, 0, 0).value, 0);
	is(call(&ext_base, SBI_BASE_PROBE_EXT, (rv_ulong)-1, 0, 0).value, 0);
	is(call(&ext_base, SBI_BASE_PROBE_EXT, SBI_EXT_SRST, 0, 0).value, 0);
	is(call(&ext_base, 7, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
	is(call(&ext_base, (rv_ulong)1 << 32, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
}

static void masks_name_harts(void)
{
	static const struct {
		rv_ulong mask, base;
		bool valid;
		rv_ulong harts;
	} rows[] = {
		{ 0, 0, true, 0 },
		{ 1, 0, true, 1 },
		{ 0xf, 0, true, 0xf },
		{ 0x10, 0, false, 0 },
		{ 3, 2, true, 0xc },
		{ 3, 3, false, 0 },
		{ 0, 1000, true, 0 },
		{ 0, (rv_ulong)-1, true, 0xf },
		{ 0xff, (rv_ulong)-1, true, 0xf },
		{ 1, (rv_ulong)-2, false, 0 },
		{ 4, (rv_ulong)-2, false, 0 }, /* wraps to hart 0 */
	};
	rv_ulong harts[HART_WORDS];
	unsigned i;

	reset(4);
	for (i = 0; i < TAP_NR(rows); i++) {
		tap_context("row %u", i);
		is(hart_mask(rows[i].mask, rows[i].base, harts), rows[i].valid);
		if (rows[i].valid)
			is(harts[0], rows[i].harts);
	}
	/* Hart ids with gaps between them. */
	hart_ids[1] = hart_at(1)->id = 70;
	ok(hart_mask(0x40, 64, harts));
	is(harts[0], 2);
	ok(!hart_mask(2, 0, harts));
	ok(hart_find(70) == hart_at(1) && !hart_find(1));
}

static void ipis_go_to_others_that_run(void)
{
	struct hart *h;

	reset(4);
	h = hart_at(0);
	hart_at(2)->state = SBI_HSM_STATE_STOPPED;
	hart_at(3)->state = SBI_HSM_STATE_SUSPENDED;
	is(call(&ext_ipi, 0, 0, (rv_ulong)-1, 0).error, 0);
	is(ipis, 2);
	is(h->pmu.fw_total[SBI_PMU_FW_IPI_SENT], 2);
	is(fake_csr[CSR_MIP], MIP_SSIP);
	is(call(&ext_ipi, 0, 0x1f, 0, 0).error, SBI_ERR_INVALID_PARAM);
	is(ipis, 2);
	is(call(&ext_ipi, 1, 1, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
}

static void the_console_takes_s_modes_memory_only(void)
{
	rv_ulong at = (uintptr_t)ram;

	reset(1);
	memcpy(ram, "hello", 5);
	is(call(&ext_dbcn, SBI_DBCN_WRITE, 5, at, 0).value, 5);
	ok(!memcmp(sent, "hello", 5));
	is(call(&ext_dbcn, SBI_DBCN_WRITE, sizeof(ram), at, 0).value, 4096);
	is(call(&ext_dbcn, SBI_DBCN_WRITE, sizeof(ram) + 1, at, 0).error, SBI_ERR_INVALID_PARAM);
	is(call(&ext_dbcn, SBI_DBCN_WRITE, (rv_ulong)-1, at, 0).error, SBI_ERR_INVALID_PARAM);
	is(call(&ext_dbcn, SBI_DBCN_WRITE, 5, at, 1).error, SBI_ERR_INVALID_PARAM);
	is(call(&ext_dbcn, SBI_DBCN_WRITE, 5, 0, 0).error, SBI_ERR_INVALID_PARAM);
	nr_sent = 0;
	call(&ext_dbcn, SBI_DBCN_WRITE_BYTE, 0x141, 0, 0);
	is(call(&ext_dbcn, SBI_DBCN_READ, 5, at + 100, 0).value, 1);
	is(ram[100], 'A');
	is(call(&ext_dbcn, SBI_DBCN_READ, 5, at + sizeof(ram) - 4, 0).error, SBI_ERR_INVALID_PARAM);
	is(call(&ext_dbcn, 3, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
	line_held_up = true;
	is(call(&ext_dbcn, SBI_DBCN_WRITE_BYTE, 'x', 0, 0).error, SBI_ERR_FAILED);
	hart_at(0)->x[17] = SBI_EXT_LEGACY_CONSOLE_PUTCHAR;
	is(ecall_other('x', 1, 0, 0, 0, 0, 0, hart_at(0)).error, SBI_ERR_FAILED);
	line_held_up = false;
	is(call(&ext_dbcn, SBI_DBCN_WRITE_BYTE, 'x', 0, 0).error, SBI_SUCCESS);
}

static void features_switch(void)
{
	reset(1);
	hart_at(0)->has_menvcfg = true;
	is(call(&ext_fwft, SBI_FWFT_GET, SBI_FWFT_MISALIGNED_EXC_DELEG, 0, 0).value, 0);
	is(call(&ext_fwft, SBI_FWFT_SET, SBI_FWFT_MISALIGNED_EXC_DELEG, 1, 0).error, 0);
	is(fake_csr[CSR_MEDELEG], 0x50);
	is(call(&ext_fwft, SBI_FWFT_GET, SBI_FWFT_MISALIGNED_EXC_DELEG, 0, 0).value, 1);
	is(call(&ext_fwft, SBI_FWFT_SET, 0, 2, 0).error, SBI_ERR_INVALID_PARAM);
	is(call(&ext_fwft, SBI_FWFT_SET, 0, 0, 2).error, SBI_ERR_INVALID_PARAM);
	is(call(&ext_fwft, SBI_FWFT_SET, 0, 0, SBI_FWFT_SET_FLAG_LOCK).error, 0);
	is(call(&ext_fwft, SBI_FWFT_SET, 0, 1, 0).error, SBI_ERR_DENIED_LOCKED);
	is(fake_csr[CSR_MEDELEG], 0);
	is(call(&ext_fwft, SBI_FWFT_SET, SBI_FWFT_PTE_AD_HW_UPDATING, 1, 0).error, 0);
	is(fake_csr[CSR_MENVCFG], MENVCFG_ADUE);
	is(call(&ext_fwft, SBI_FWFT_SET, SBI_FWFT_POINTER_MASKING_PMLEN, 16, 0).error, 0);
	is(call(&ext_fwft, SBI_FWFT_GET, SBI_FWFT_POINTER_MASKING_PMLEN, 0, 0).value, 16);
	is(call(&ext_fwft, SBI_FWFT_SET, SBI_FWFT_POINTER_MASKING_PMLEN, 8, 0).error,
	   SBI_ERR_INVALID_PARAM);
	is(call(&ext_fwft, SBI_FWFT_SET, SBI_FWFT_DOUBLE_TRAP, 1, 0).error, SBI_ERR_NOT_SUPPORTED);
	is(call(&ext_fwft, SBI_FWFT_SET, 6, 1, 0).error, SBI_ERR_DENIED);
	is(call(&ext_fwft, SBI_FWFT_GET, 0x80000000, 0, 0).error, SBI_ERR_DENIED);
	is(call(&ext_fwft, 2, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
	hart_at(0)->has_menvcfg = false;
	is(call(&ext_fwft, SBI_FWFT_GET, SBI_FWFT_PTE_AD_HW_UPDATING, 0, 0).error,
	   SBI_ERR_NOT_SUPPORTED);
}

static void time_and_legacy_calls(void)
{
	struct hart *h;

	reset(1);
	h = hart_at(0);
	is(call(&ext_time, 0, 1234, 0, 0).error, 0);
	is(timer, 1234);
	h->x[17] = SBI_EXT_LEGACY_SET_TIMER;
	is(ecall_other(99, 77, 0, 0, 0, 0, 0, h).value, 77);
	is(timer, 99);
	is(h->pmu.fw_total[SBI_PMU_FW_SET_TIMER], 2);
	h->x[17] = SBI_EXT_LEGACY_CONSOLE_PUTCHAR;
	is(ecall_other('x', 1, 0, 0, 0, 0, 0, h).error, 0);
	is(sent[0], 'x');
	h->x[17] = SBI_EXT_LEGACY_CONSOLE_GETCHAR;
	is(ecall_other(0, 1, 0, 0, 0, 0, 0, h).error, 'x');
	is(ecall_other(0, 1, 0, 0, 0, 0, 0, h).error, -1);
	h->x[17] = SBI_EXT_LEGACY_SEND_IPI;
	is(ecall_other(0, 1, 0, 0, 0, 0, 0, h).error, SBI_ERR_NOT_SUPPORTED);
	h->x[17] = SBI_EXT_SSE;
	is(ecall_other(0, 1, 0, 0, 0, 0, 0, h).error, SBI_ERR_NOT_SUPPORTED);
}

static void resets_only_as_the_specification_knows(void)
{
	reset(1);
	is(call(&ext_srst, 0, 3, 0, 0).error, SBI_ERR_INVALID_PARAM);
	is(call(&ext_srst, 0, 0, 2, 0).error, SBI_ERR_INVALID_PARAM);
	is(call(&ext_srst, 0, 0xf0000000, 0, 0).error, SBI_ERR_INVALID_PARAM);
	is(call(&ext_srst, 0, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
	is(call(&ext_srst, 1, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
}

/*
 * The finisher does nothing: the hart goes on answering requests for fences, and the call returns
 * an error after a second.
 */
static void a_reset_that_does_nothing_comes_back(void)
{
	uint32_t finisher = 0;

	reset(1);
	platform.timebase = 1000;
	hart_at(0)->has_time = true;
	platform.poweroff = (struct finisher){ &finisher, 0x5555, true };
	fake_csr[CSR_MIP] = MIP_MSIP;
	now = 0;
	taken = 0;
	is(call(&ext_srst, 0, 0, 0, 0).error, SBI_ERR_FAILED);
	is(finisher, 0x5555);
	is(taken, 1);
	is(now, 10 + 1000);
	is(call(&ext_srst, 0, 0, 1, 0).error, SBI_ERR_FAILED);
	is(finisher, 1 << 16 | 0x3333);
	is(call(&ext_srst, 0, 1, 0, 0).error, SBI_ERR_NOT_SUPPORTED); /* no reboot */
	/* The legacy shutdown call, on a hart without a clock. */
	hart_at(0)->has_time = false;
	hart_at(0)->x[17] = SBI_EXT_LEGACY_SHUTDOWN;
	finisher = 0;
	is(ecall_other(0, 7, 0, 0, 0, 0, 0, hart_at(0)).error, SBI_ERR_FAILED);
	is(finisher, 0x5555);
}

static void a_hart_begins_clean(void)
{
	struct hart *h;

	reset(1);
	h = hart_at(0);
	fake_csr[CSR_MISA] = MISA_EXT('S');
	smode_init(h);
	is(fake_csr[CSR_MIDELEG], 0x2222);
	/* Causes that the firmware counts are not delegated; ECALL from S-mode cannot be. */
	is(fake_csr[CSR_MEDELEG] & 0xf4, 0);
	is(fake_csr[CSR_MEDELEG] >> CAUSE_LOAD_GUEST_FAULT & 1, 0);
	is(fake_csr[CSR_MCOUNTEREN], 2);
	ok(!(fake_csr[CSR_MENVCFG] & (MENVCFG_ADUE | MENVCFG_STCE)));
	h->dt.svadu = true;
	smode_init(h);
	ok(fake_csr[CSR_MENVCFG] & MENVCFG_ADUE);
	h->dt.svade = true;
	smode_init(h);
	ok(!(fake_csr[CSR_MENVCFG] & MENVCFG_ADUE));
	fake_csr[CSR_MISA] |= MISA_EXT('H');
	smode_init(h);
	is(fake_csr[CSR_MEDELEG] >> CAUSE_FETCH_GUEST_FAULT, 0xf);
	is(fake_csr[CSR_MEDELEG] >> CAUSE_ECALL_VS & 1, 1);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the table finds every extension", the_table_finds_every_extension },
		{ "Base answers", base_answers },
		{ "hart masks give the right harts for any register values", masks_name_harts },
		{ "IPIs go to other harts that run", ipis_go_to_others_that_run },
		{ "the console accepts only memory of S-mode",
		  the_console_takes_s_modes_memory_only },
		{ "FWFT switches, locks and refuses", features_switch },
		{ "TIME and legacy calls", time_and_legacy_calls },
		{ "SRST refuses what is reserved", resets_only_as_the_specification_knows },
		{ "a reset that does nothing returns an error",
		  a_reset_that_does_nothing_comes_back },
		{ "CSRs of a hart before S-mode runs", a_hart_begins_clean },
	};

	return tap_run(cases, TAP_NR(cases));
}

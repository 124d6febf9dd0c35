// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_trap.c - trap.c, redirect.c, misaligned.c and emulate.c of fw/trap/: what is emulated, what
 * is counted, and the state that S-mode or a guest sees after a redirected trap.
 *
 * Memory is an array at an invented virtual address; single bytes of it can fault.
 */
#include <stdlib.h>

#include "tap.h"
#include <access.h>
#include <aclint.h>
#include <ecall.h>
#include <emulate.h>
#include <ipi.h>
#include <machine.h>
#include <misaligned.h>
#include <platform.h>
#include <print.h>
#include <redirect.h>
#include <trap.h>
#include <isa.h>

#define MEM_BASE 0x10000
#define CODE	 0x10000
#define DATA	 0x10100

rv_ulong fake_csr[4096];
struct platform platform;

static unsigned char memory[1024];
static rv_ulong bad_addr, bad_cause;
static uint64_t freg[32];
static uint64_t clock_now;
static struct hart h;

/* ---- what trap.S and the other files would do ---- */

static unsigned char *byte_at(rv_ulong addr, struct trap_info *fault, rv_ulong cause)
{
	static unsigned char nowhere;

	fault->cause = MPRV_OK;
	if (addr >= MEM_BASE && addr < MEM_BASE + sizeof(memory) && addr != bad_addr)
		return &memory[addr - MEM_BASE];
	fault->cause = addr == bad_addr ? bad_cause : cause;
	fault->tval = addr;
	return &nowhere;
}

uint8_t mprv_load(rv_ulong addr, struct trap_info *fault, rv_ulong extra)
{
	return *byte_at(addr, fault, CAUSE_LOAD_PAGE_FAULT);
}

void mprv_store(rv_ulong addr, struct trap_info *fault, uint8_t value)
{
	unsigned char *p = byte_at(addr, fault, CAUSE_STORE_PAGE_FAULT);

	if (fault->cause == MPRV_OK)
		*p = value;
}

void fp_load(unsigned n, const void *from, unsigned bytes)
{
	/* A single is NaN-boxed: the bits above it are ones. */
	freg[n] = bytes == 8 ? 0 : ~(uint64_t)0;
	memcpy(&freg[n], from, bytes);
}

void fp_store(unsigned n, void *to, unsigned bytes)
{
	memcpy(to, &freg[n], bytes);
}

uint64_t aclint_time(const struct hart *hart)
{
	return clock_now;
}

void aclint_timer_fired(struct hart *hart)
{
	csr_set(CSR_MIP, MIP_STIP);
}

void ipi_take(struct hart *hart)
{
	csr_set(CSR_MIP, MIP_SSIP);
}

void ipi_park(struct hart *hart)
{
	abort();
}

void print(const char *format, ...)
{
}

void console_unlock(void)
{
}

/* ---- helpers ---- */

/* A trap of S-mode (or as the arguments say) with the instruction at CODE. */
static void trap(rv_ulong cause, rv_ulong tval, uint32_t insn, rv_ulong mstatus)
{
	h.mepc = CODE;
	h.mstatus = mstatus;
	memcpy(memory, &insn, 4);
	fake_csr[CSR_MCAUSE] = cause;
	fake_csr[CSR_MTVAL] = tval;
	trap_exception(&h);
}

#define FROM_U 0
#define FROM_S ((rv_ulong)PRV_S << MSTATUS_MPP_SHIFT)

static void reset(void)
{
	memset(&h, 0, sizeof(h));
	memset(memory, 0, sizeof(memory));
	memset(fake_csr, 0, sizeof(fake_csr));
	memset(freg, 0, sizeof(freg));
	bad_addr = (rv_ulong)-1;
	h.has_time = true;
	h.has_fsdsp = true;
	fake_csr[CSR_STVEC] = 0x8000 | 1; /* vectored: exceptions still go to the base */
	fake_csr[CSR_VSTVEC] = 0x9000;
}

static uint64_t count(enum sbi_pmu_fw code)
{
	return h.pmu.fw_total[code];
}

/* ---- cases ---- */

static void redirects_to_s(void)
{
	static const struct {
		rv_ulong before, after;
	} rows[] = {
		{ FROM_U, 0 },
		{ FROM_S, MSTATUS_SPP },
		{ FROM_U | MSTATUS_SIE, MSTATUS_SPIE },
		{ FROM_S | MSTATUS_SIE, MSTATUS_SPP | MSTATUS_SPIE },
		{ FROM_S | MSTATUS_SPIE, MSTATUS_SPP },
		{ FROM_U | MSTATUS_SPP | MSTATUS_SUM | MSTATUS_FS, MSTATUS_SUM | MSTATUS_FS },
		{ FROM_S | MSTATUS_MPELP, MSTATUS_SPP | MSTATUS_SPELP },
	};
	unsigned i;

	for (i = 0; i < TAP_NR(rows); i++) {
		reset();
		tap_context("row %u", i);
		trap(CAUSE_LOAD_ACCESS, 0x1234, 0, rows[i].before);
		is(h.mepc, 0x8000);
		is(fake_csr[CSR_SEPC], CODE);
		is(fake_csr[CSR_SCAUSE], CAUSE_LOAD_ACCESS);
		is(fake_csr[CSR_STVAL], 0x1234);
		is(h.mstatus & ~(rv_ulong)MSTATUS_MPP, rows[i].after);
		is(h.mstatus >> MSTATUS_MPP_SHIFT & 3, PRV_S);
		is(h.nr_redirects, 1);
		is(fake_csr[CSR_HSTATUS], 0);
	}
}

static void redirects_guests_to_hs(void)
{
	reset();
	h.has_h = true;
	fake_csr[CSR_MTVAL2] = 0x77;
	fake_csr[CSR_MTINST] = 0x3023;
	trap(CAUSE_STORE_ACCESS, 0x2222, 0, FROM_S | MSTATUS_MPV | MSTATUS_GVA);
	is(h.mepc, 0x8000);
	is(fake_csr[CSR_HSTATUS], HSTATUS_SPV | HSTATUS_SPVP | HSTATUS_GVA);
	is(fake_csr[CSR_HTVAL], 0x77);
	is(fake_csr[CSR_HTINST], 0x3023);
	ok(!(h.mstatus & MSTATUS_MPV));
	is(h.mstatus & MSTATUS_SPP, MSTATUS_SPP);

	/* From VU: SPVP is 0.  From HS: SPV is 0 and SPVP keeps its value. */
	trap(CAUSE_STORE_ACCESS, 0x2222, 0, FROM_U | MSTATUS_MPV);
	is(fake_csr[CSR_HSTATUS], HSTATUS_SPV);
	fake_csr[CSR_HSTATUS] = HSTATUS_SPV | HSTATUS_SPVP;
	trap(CAUSE_STORE_ACCESS, 0x2222, 0, FROM_S);
	is(fake_csr[CSR_HSTATUS], HSTATUS_SPVP);
}

static void redirects_delegated_to_vs(void)
{
	reset();
	h.has_h = true;
	fake_csr[CSR_HEDELEG] = (rv_ulong)1 << CAUSE_LOAD_ACCESS;
	fake_csr[CSR_VSSTATUS] = MSTATUS_SIE;
	trap(CAUSE_LOAD_ACCESS, 0x2222, 0, FROM_S | MSTATUS_MPV);
	is(h.mepc, 0x9000);
	is(fake_csr[CSR_VSEPC], CODE);
	is(fake_csr[CSR_VSCAUSE], CAUSE_LOAD_ACCESS);
	is(fake_csr[CSR_VSTVAL], 0x2222);
	is(fake_csr[CSR_VSSTATUS], MSTATUS_SPIE | MSTATUS_SPP);
	is(fake_csr[CSR_SCAUSE], 0);
	ok(h.mstatus & MSTATUS_MPV);
	/* The trap is not from a guest: hedeleg does not matter. */
	trap(CAUSE_LOAD_ACCESS, 0x2222, 0, FROM_S);
	is(h.mepc, 0x8000);
}

static void counts_what_it_does_not_delegate(void)
{
	reset();
	trap(CAUSE_LOAD_ACCESS, 0, 0, FROM_S);
	trap(CAUSE_STORE_ACCESS, 0, 0, FROM_S);
	trap(CAUSE_STORE_ACCESS, 0, 0, FROM_U);
	trap(CAUSE_ILLEGAL_INSN, 0x1234, 0, FROM_U);
	trap(CAUSE_MISALIGNED_LOAD, DATA + 1, 0x0045a503, FROM_S);
	trap(CAUSE_MISALIGNED_STORE, DATA + 1, 0x00a5a223, FROM_S);
	is(count(SBI_PMU_FW_ACCESS_LOAD), 1);
	is(count(SBI_PMU_FW_ACCESS_STORE), 2);
	is(count(SBI_PMU_FW_ILLEGAL_INSN), 1);
	is(count(SBI_PMU_FW_MISALIGNED_LOAD), 1);
	is(count(SBI_PMU_FW_MISALIGNED_STORE), 1);
	is(h.nr_redirects, 4);
	is(h.nr_emulated, 2);
}

static void loads_misaligned(void)
{
	static const struct {
		const char *text;
		uint32_t insn;
		unsigned length;
		uint64_t x10, f10;
	} rows[] = {
		{ "lh a0", 0x00059503, 4, 0xfffffffffffff2f1, 0 },
		{ "lhu a0", 0x0005d503, 4, 0xf2f1, 0 },
		{ "lw a0", 0x0005a503, 4, 0xfffffffff4f3f2f1, 0 },
		{ "lwu a0", 0x0005e503, 4, 0xf4f3f2f1, 0 },
		{ "ld a0", 0x0005b503, 4, 0xf8f7f6f5f4f3f2f1, 0 },
		{ "c.lw a0", 0x41c8, 2, 0xfffffffff4f3f2f1, 0 },
		{ "c.ld a0", 0x6188, 2, 0xf8f7f6f5f4f3f2f1, 0 },
		{ "flh fa0", 0x00059507, 4, 0, 0xfffffffffffff2f1 },
		{ "flw fa0", 0x0005a507, 4, 0, 0xfffffffff4f3f2f1 },
		{ "fld fa0", 0x0005b507, 4, 0, 0xf8f7f6f5f4f3f2f1 },
		{ "c.fld fa0", 0x2188, 2, 0, 0xf8f7f6f5f4f3f2f1 },
	};
	unsigned i, n;

	for (i = 0; i < TAP_NR(rows); i++) {
		reset();
		for (n = 0; n < 8; n++)
			memory[DATA + 1 - MEM_BASE + n] = (unsigned char)(0xf1 + n);
		tap_context("%s", rows[i].text);
		trap(CAUSE_MISALIGNED_LOAD, DATA + 1, rows[i].insn, FROM_U | 0x2000);
		is(h.x[10], rows[i].x10);
		is(freg[10], rows[i].f10);
		is(h.mepc, CODE + rows[i].length);
		is(h.mstatus & MSTATUS_FS, rows[i].f10 ? MSTATUS_FS : 0x2000);
		is(h.nr_redirects, 0);
	}
}

static void stores_misaligned(void)
{
	static const struct {
		const char *text;
		uint32_t insn;
		unsigned bytes;
	} rows[] = {
		{ "sh a0", 0x00a59023, 2 },   { "sw a0", 0x00a5a023, 4 },
		{ "sd a0", 0x00a5b023, 8 },   { "c.sw a0", 0xc188, 4 },
		{ "c.sd a0", 0xe188, 8 },     { "fsh fa0", 0x00a59027, 2 },
		{ "fsw fa0", 0x00a5a027, 4 }, { "fsd fa0", 0x00a5b027, 8 },
	};
	static const unsigned char pattern[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	unsigned i;

	for (i = 0; i < TAP_NR(rows); i++) {
		reset();
		memcpy(&h.x[10], pattern, 8);
		memcpy(&freg[10], pattern, 8);
		tap_context("%s", rows[i].text);
		trap(CAUSE_MISALIGNED_STORE, DATA + 3, rows[i].insn, FROM_S | MSTATUS_FS);
		ok(!memcmp(memory + DATA + 3 - MEM_BASE, pattern, rows[i].bytes));
		is(memory[DATA + 3 - MEM_BASE + rows[i].bytes], 0);
		is(h.mepc, CODE + isa_length(rows[i].insn));
	}
}

static void x0_stays_zero(void)
{
	reset();
	memory[DATA + 1 - MEM_BASE] = 5;
	h.x[0] = 9; /* x0 has no place of its own: this value must not be stored */
	trap(CAUSE_MISALIGNED_LOAD, DATA + 1, 0x0005a003, FROM_S); /* lw x0 */
	is(h.x[0], 9);
	is(h.mepc, CODE + 4);
	trap(CAUSE_MISALIGNED_STORE, DATA + 1, 0x0005a023, FROM_S); /* sw x0 */
	is(memory[DATA + 1 - MEM_BASE], 0);
}

static void faults_in_the_middle(void)
{
	reset();
	bad_addr = DATA + 4;
	bad_cause = CAUSE_LOAD_PAGE_FAULT;
	h.x[10] = 42;
	trap(CAUSE_MISALIGNED_LOAD, DATA + 1, 0x0005b503, FROM_U);
	is(fake_csr[CSR_SCAUSE], CAUSE_LOAD_PAGE_FAULT);
	is(fake_csr[CSR_STVAL], DATA + 4);
	is(fake_csr[CSR_SEPC], CODE);
	is(h.x[10], 42);
	is(h.nr_emulated, 0);

	/* An access fault during emulation is counted like one that the hart raises. */
	bad_cause = CAUSE_STORE_ACCESS;
	trap(CAUSE_MISALIGNED_STORE, DATA + 1, 0x00a5b023, FROM_U);
	is(fake_csr[CSR_SCAUSE], CAUSE_STORE_ACCESS);
	is(count(SBI_PMU_FW_ACCESS_STORE), 1);
}

static void faults_while_fetching(void)
{
	static const rv_ulong causes[][2] = {
		{ CAUSE_LOAD_PAGE_FAULT, CAUSE_FETCH_PAGE_FAULT },
		{ CAUSE_LOAD_ACCESS, CAUSE_FETCH_ACCESS },
		{ CAUSE_LOAD_GUEST_FAULT, CAUSE_FETCH_GUEST_FAULT },
	};
	unsigned i;

	for (i = 0; i < TAP_NR(causes); i++) {
		reset();
		bad_addr = CODE + 2;
		bad_cause = causes[i][0];
		trap(CAUSE_MISALIGNED_LOAD, DATA + 1, 0x0005b503, FROM_U);
		is(fake_csr[CSR_SCAUSE], causes[i][1]);
		is(fake_csr[CSR_STVAL], CODE + 2);
		is(fake_csr[CSR_SEPC], CODE);
	}
}

/* A guest's trap: what remains in htinst after an access by the firmware itself. */
static void keeps_pseudo_instructions(void)
{
	static const rv_ulong rows[][2] = {
		{ 0x2000, 0x2000 }, { 0x2020, 0x2020 }, { 0x3000, 0x3000 },
		{ 0x3020, 0x3020 }, { 0x00054503, 0 },
	};
	unsigned i;

	for (i = 0; i < TAP_NR(rows); i++) {
		reset();
		h.has_h = true;
		bad_addr = DATA + 1;
		bad_cause = CAUSE_LOAD_GUEST_FAULT;
		fake_csr[CSR_MTINST] = rows[i][0];
		fake_csr[CSR_MTVAL2] = 0x1111;
		trap(CAUSE_MISALIGNED_LOAD, DATA + 1, 0x0005b503, FROM_U | MSTATUS_MPV);
		is(fake_csr[CSR_SCAUSE], CAUSE_LOAD_GUEST_FAULT);
		is(fake_csr[CSR_HTINST], rows[i][1]);
		is(fake_csr[CSR_HTVAL], 0x1111);
		is(fake_csr[CSR_HSTATUS] & HSTATUS_GVA, HSTATUS_GVA);
	}
}

static void hands_on_what_it_cannot_do(void)
{
	static const struct {
		const char *text;
		rv_ulong cause;
		uint32_t insn;
		rv_ulong mstatus;
	} rows[] = {
		{ "lr.w", CAUSE_MISALIGNED_LOAD, 0x1005a52f, FROM_S },
		{ "amoadd.w", CAUSE_MISALIGNED_STORE, 0x00b5a52f, FROM_S },
		{ "a store where a load trapped", CAUSE_MISALIGNED_LOAD, 0x00a5a023, FROM_S },
		{ "a load where a store trapped", CAUSE_MISALIGNED_STORE, 0x0005a503, FROM_S },
		{ "flw with FS off", CAUSE_MISALIGNED_LOAD, 0x0005a507, FROM_S },
		{ "all zeros", CAUSE_MISALIGNED_LOAD, 0, FROM_S },
	};
	unsigned i;

	for (i = 0; i < TAP_NR(rows); i++) {
		reset();
		tap_context("%s", rows[i].text);
		trap(rows[i].cause, DATA + 1, rows[i].insn, rows[i].mstatus);
		is(fake_csr[CSR_SCAUSE], rows[i].cause);
		is(fake_csr[CSR_STVAL], DATA + 1);
		is(h.mepc, 0x8000);
		is(h.nr_emulated, 0);
	}
	/* c.fsdsp fs4, 48(sp), or cm.push {ra, s0}, -16 where there is no c.fsdsp. */
	for (i = 0; i < 2; i++) {
		reset();
		h.has_fsdsp = i;
		h.x[2] = DATA + 1 - 48 * i;
		trap(CAUSE_MISALIGNED_STORE, DATA + 1, 0xb852, FROM_S | MSTATUS_FS);
		is(h.nr_emulated, i);
		is(h.mepc, i ? CODE + 2 : 0x8000);
	}
	/* FS in vsstatus matters too, for a guest. */
	reset();
	h.has_h = true;
	trap(CAUSE_MISALIGNED_LOAD, DATA + 1, 0x0005a507, FROM_S | MSTATUS_MPV | MSTATUS_FS);
	is(h.nr_emulated, 0);
}

static void emulates_time(void)
{
	uint64_t mtime;
	const uint32_t rdtime = 0xc0102573, write = 0xc0151573;

	reset();
	clock_now = 0x123456789;
	/* With a time CSR, or without a timer, the firmware does not emulate rdtime. */
	trap(CAUSE_ILLEGAL_INSN, rdtime, rdtime, FROM_S);
	is(h.nr_redirects, 1);
	h.has_time = false;
	trap(CAUSE_ILLEGAL_INSN, rdtime, rdtime, FROM_S);
	is(h.nr_redirects, 2);

	h.dt.mtime = &mtime;
	trap(CAUSE_ILLEGAL_INSN, rdtime, rdtime, FROM_S);
	is(h.x[10], clock_now);
	is(h.mepc, CODE + 4);
	/* mtval is 0: the firmware fetches the instruction. */
	h.x[10] = 0;
	trap(CAUSE_ILLEGAL_INSN, 0, rdtime, FROM_S);
	is(h.x[10], clock_now);
	/* U-mode may read time only if scounteren allows it. */
	trap(CAUSE_ILLEGAL_INSN, rdtime, rdtime, FROM_U);
	is(h.nr_redirects, 3);
	fake_csr[CSR_SCOUNTEREN] = RV_BIT(COUNTER_TM);
	trap(CAUSE_ILLEGAL_INSN, rdtime, rdtime, FROM_U);
	is(h.nr_redirects, 3);
	/* A write to time is an illegal instruction. */
	trap(CAUSE_ILLEGAL_INSN, write, write, FROM_S);
	is(h.nr_redirects, 4);
	is(count(SBI_PMU_FW_ILLEGAL_INSN), 7);
}

static void emulates_time_for_guests(void)
{
	const uint32_t rdtime = 0xc0102573;
	uint64_t mtime;

	reset();
	h.has_h = true;
	h.has_time = false;
	h.dt.mtime = &mtime;
	clock_now = 1000;
	fake_csr[CSR_HTIMEDELTA] = (rv_ulong)-300;
	trap(CAUSE_ILLEGAL_INSN, rdtime, rdtime, FROM_S | MSTATUS_MPV);
	is(fake_csr[CSR_SCAUSE], CAUSE_VIRTUAL_INSN);
	fake_csr[CSR_HCOUNTEREN] = RV_BIT(COUNTER_TM);
	trap(CAUSE_ILLEGAL_INSN, rdtime, rdtime, FROM_S | MSTATUS_MPV);
	is(h.x[10], 700);
	is(h.nr_redirects, 1);
}

static void takes_interrupts(void)
{
	reset();
	fake_csr[CSR_MCAUSE] = (rv_ulong)1 << (RV_XLEN - 1) | IRQ_M_SOFT;
	trap_interrupt(&h);
	is(fake_csr[CSR_MIP], MIP_SSIP);
	fake_csr[CSR_MCAUSE] = (rv_ulong)1 << (RV_XLEN - 1) | IRQ_M_TIMER;
	trap_interrupt(&h);
	is(fake_csr[CSR_MIP], MIP_SSIP | MIP_STIP);
	/* An interrupt without a handler is disabled: otherwise it would come again for ever. */
	fake_csr[CSR_MIE] = MIP_MSIP | MIP_MEIP;
	fake_csr[CSR_MCAUSE] = (rv_ulong)1 << (RV_XLEN - 1) | IRQ_M_EXT;
	trap_interrupt(&h);
	is(fake_csr[CSR_MIE], MIP_MSIP);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "redirects to S-mode: sstatus, sepc, scause, stval, stvec", redirects_to_s },
		{ "redirects a guest's trap to HS-mode", redirects_guests_to_hs },
		{ "redirects what hedeleg delegates to VS-mode", redirects_delegated_to_vs },
		{ "counts the traps that it does not delegate", counts_what_it_does_not_delegate },
		{ "loads misaligned data of every kind", loads_misaligned },
		{ "stores misaligned data of every kind", stores_misaligned },
		{ "x0 is not written and stores zero", x0_stays_zero },
		{ "a fault in the middle is the fault of that byte", faults_in_the_middle },
		{ "a fault while fetching is a fetch fault", faults_while_fetching },
		{ "htinst keeps only pseudo instructions", keeps_pseudo_instructions },
		{ "redirects what it cannot emulate", hands_on_what_it_cannot_do },
		{ "emulates rdtime where there is no time CSR", emulates_time },
		{ "emulates rdtime for guests", emulates_time_for_guests },
		{ "takes interrupts", takes_interrupts },
	};

	return tap_run(cases, TAP_NR(cases));
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_harts.c - hart.c, smode.c, ipi.c, rfence.c, ext_hsm.c, ext_susp.c and ext_rfence.c of fw/:
 * each call in each state of a hart, the state of a hart after it, the executed fences and their
 * VMID.
 *
 * A function that does not return in the firmware returns to the test by longjmp; `left` says how.
 */
#include <setjmp.h>
#include <stdlib.h>

#include "tap.h"
#include <aclint.h>
#include <csr.h>
#include <ext_hsm.h>
#include <ext_pmu.h>
#include <ext_rfence.h>
#include <ext_susp.h>
#include <ipi.h>
#include <jump.h>
#include <machine.h>
#include <platform.h>
#include <pmp.h>
#include <rfence.h>
#include <smode.h>

rv_ulong fake_csr[4096];
struct platform platform;

static bool has_mseccfg;
static jmp_buf out;

/* How the last call left the firmware, if it did. */
static struct {
	enum { RETURNED, ENTERED, ON_OWN_STACK } how;
	rv_ulong a0, a1, epc, state;
} left;

/* What happened, in order: one letter per event. */
static char events[64];

static void event(char c)
{
	size_t n = strlen(events);

	if (n < sizeof(events) - 1)
		events[n] = c;
}

/* ---- what trap.S and the other files would do ---- */

static struct {
	int funct7;
	bool any_addr, any_id;
	rv_ulong addr, id, hgatp;
} fence[20000];
static unsigned nr_fences;

void fake_fence(int funct7, bool any_addr, rv_ulong addr, bool any_id, rv_ulong id)
{
	if (nr_fences == TAP_NR(fence))
		abort();
	fence[nr_fences].funct7 = funct7;
	fence[nr_fences].any_addr = any_addr;
	fence[nr_fences].addr = addr;
	fence[nr_fences].any_id = any_id;
	fence[nr_fences].id = id;
	fence[nr_fences++].hgatp = fake_csr[CSR_HGATP];
}

/* The HSM state that other harts see while this hart sleeps; an interrupt ends the sleep. */
static rv_ulong state_asleep;

void wait_for_interrupt(void)
{
	state_asleep = hart_at(0)->state;
	event('w');
	hart_at(0)->start_go = 1;
	fake_csr[CSR_MIP] |= MIP_STIP;
}

bool csr_num_probe(void *ctx, unsigned num, rv_ulong *value)
{
	*value = fake_csr[num];
	return num == CSR_MSECCFG && has_mseccfg;
}

void pmp_init(struct hart *h)
{
	event('p');
}

bool platform_ram_ok(uint64_t addr, uint64_t size)
{
	return addr >= 0x1000 && addr < 0x2000;
}

void aclint_timer_off(struct hart *h)
{
	event('t');
}

void aclint_timer_fired(struct hart *h)
{
	fake_csr[CSR_MIE] &= ~(rv_ulong)MIP_MTIP;
}

void pmu_hart_init(struct hart *h)
{
	event('i');
}

void sbipmu_hart_save(struct sbipmu_hart *h)
{
	event('s');
}

void sbipmu_hart_restore(struct sbipmu_hart *h)
{
	event('r');
}

void jump_to_s(struct hart *h, rv_ulong a0, rv_ulong a1)
{
	left.how = ENTERED;
	left.a0 = a0;
	left.a1 = a1;
	left.epc = fake_csr[CSR_MEPC];
	left.state = h->state;
	longjmp(out, 1);
}

void jump_to_own_stack(struct hart *h, void (*fn)(struct hart *h))
{
	left.how = ON_OWN_STACK;
	left.state = h->state;
	ok(fn == hsm_wait);
	longjmp(out, 1);
}

/* ---- helpers ---- */

static const rv_ulong states[] = {
	SBI_HSM_STATE_STARTED,	      SBI_HSM_STATE_STOPPED,   SBI_HSM_STATE_START_PENDING,
	SBI_HSM_STATE_STOP_PENDING,   SBI_HSM_STATE_SUSPENDED, SBI_HSM_STATE_SUSPEND_PENDING,
	SBI_HSM_STATE_RESUME_PENDING,
};

static void reset(void)
{
	unsigned i;

	memset(fake_csr, 0, sizeof(fake_csr));
	memset(events, 0, sizeof(events));
	memset(&left, 0, sizeof(left));
	memset(&platform, 0, sizeof(platform));
	hart_nr = 3;
	for (i = 0; i < 3; i++) {
		memset(hart_at(i), 0, sizeof(struct hart));
		hart_ids[i] = hart_at(i)->id = i;
		hart_at(i)->index = i;
		hart_at(i)->present = i < 2; /* the third has not started yet */
	}
	nr_fences = 0;
	state_asleep = (rv_ulong)-1;
	has_mseccfg = false;
}

static struct sbiret call(const struct sbi_ext *e, rv_ulong fid, rv_ulong a0, rv_ulong a1,
			  rv_ulong a2, rv_ulong a3, rv_ulong a4)
{
	left.how = RETURNED;
	if (setjmp(out))
		return (struct sbiret){ 0, 0 };
	return e->handle(a0, a1, a2, a3, a4, 0, fid, hart_at(0));
}

static struct sbiret hsm(rv_ulong fid, rv_ulong a0, rv_ulong a1, rv_ulong a2)
{
	return call(&ext_hsm, fid, a0, a1, a2, 0, 0);
}

/* ---- cases ---- */

static void start_in_each_state(void)
{
	static const rv_long errors[] = {
		[SBI_HSM_STATE_STARTED] = SBI_ERR_ALREADY_AVAILABLE,
		[SBI_HSM_STATE_STOPPED] = SBI_SUCCESS,
		[SBI_HSM_STATE_START_PENDING] = SBI_ERR_ALREADY_AVAILABLE,
		[SBI_HSM_STATE_STOP_PENDING] = SBI_ERR_FAILED,
		[SBI_HSM_STATE_SUSPENDED] = SBI_ERR_ALREADY_AVAILABLE,
		[SBI_HSM_STATE_SUSPEND_PENDING] = SBI_ERR_ALREADY_AVAILABLE,
		[SBI_HSM_STATE_RESUME_PENDING] = SBI_ERR_ALREADY_AVAILABLE,
	};
	unsigned i;

	for (i = 0; i < TAP_NR(states); i++) {
		struct hart *to = hart_at(1);
		bool starts = states[i] == SBI_HSM_STATE_STOPPED;

		tap_context("state %lu", (unsigned long)states[i]);
		reset();
		to->state = states[i];
		/* Wrong arguments are an error in every state. */
		is(hsm(SBI_HSM_HART_START, 7, 0x1000, 5).error, SBI_ERR_INVALID_PARAM);
		is(hsm(SBI_HSM_HART_START, 2, 0x1000, 5).error, SBI_ERR_INVALID_PARAM);
		is(hsm(SBI_HSM_HART_START, 1, 0x1001, 5).error, SBI_ERR_INVALID_ADDRESS);
		is(hsm(SBI_HSM_HART_START, 1, 0x800, 5).error, SBI_ERR_INVALID_ADDRESS);
		is(to->state, states[i]);
		is(hsm(SBI_HSM_HART_START, 1, 0x1000, 5).error, errors[states[i]]);
		is(to->state, starts ? SBI_HSM_STATE_START_PENDING : states[i]);
		is(to->start_go, starts);
		is(to->start_addr, starts ? 0x1000 : 0);
		is(to->start_arg, starts ? 5 : 0);
		/* Once it has started, the next call finds it started. */
		if (starts)
			is(hsm(SBI_HSM_HART_START, 1, 0x1004, 6).error, SBI_ERR_ALREADY_AVAILABLE);
		is(to->start_addr, starts ? 0x1000 : 0);
	}
}

static void status_in_each_state(void)
{
	unsigned i;

	for (i = 0; i < TAP_NR(states); i++) {
		struct sbiret r;

		reset();
		hart_at(1)->state = states[i];
		r = hsm(SBI_HSM_HART_GET_STATUS, 1, 0, 0);
		is(r.error, SBI_SUCCESS);
		is(r.value, states[i]);
		is(hart_is_running(hart_at(1)),
		   states[i] != SBI_HSM_STATE_STOPPED && states[i] != SBI_HSM_STATE_START_PENDING);
	}
	is(hsm(SBI_HSM_HART_GET_STATUS, 0, 0, 0).value, SBI_HSM_STATE_STARTED);
	is(hsm(SBI_HSM_HART_GET_STATUS, 2, 0, 0).error, SBI_ERR_INVALID_PARAM);
	is(hsm(SBI_HSM_HART_GET_STATUS, 3, 0, 0).error, SBI_ERR_INVALID_PARAM);
	is(hsm(SBI_HSM_HART_GET_STATUS, (rv_ulong)-1, 0, 0).error, SBI_ERR_INVALID_PARAM);
	is(hsm(SBI_HSM_HART_SUSPEND + 1, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
}

/* Stop, wait, start: the hart's CSRs and its PMU are set up again, once, before S-mode runs. */
static void stop_and_start(void)
{
	reset();
	hsm(SBI_HSM_HART_STOP, 0, 0, 0);
	is(left.how, ON_OWN_STACK);
	is(left.state, SBI_HSM_STATE_STOP_PENDING);
	is_str(events, "t"); /* its timer no longer interrupts */

	memset(events, 0, sizeof(events));
	hart_at(0)->start_addr = 0x1230;
	hart_at(0)->start_arg = 77;
	hart_at(0)->fwft_locked = 1;
	fake_csr[CSR_SATP] = 5;
	if (!setjmp(out))
		hsm_wait(hart_at(0));
	is(left.how, ENTERED);
	is(state_asleep, SBI_HSM_STATE_STOPPED);
	is(left.state, SBI_HSM_STATE_STARTED);
	is(left.epc, 0x1230);
	is(left.a0, 0);
	is(left.a1, 77);
	is(fake_csr[CSR_SATP], 0);
	is(hart_at(0)->start_go, 0);
	is(hart_at(0)->fwft_locked, 0);
	/* waits, PMP, timer off, and then the PMU */
	is_str(events, "wpti");
}

static void suspend_of_each_type(void)
{
	static const rv_ulong bad[] = { 1,	    0x0fffffff, 0x10000000, 0x7fffffff,
					0x80000001, 0x8fffffff, 0x90000000, 0xffffffff };
	struct sbiret r;
	unsigned i;

	reset();
	for (i = 0; i < TAP_NR(bad); i++)
		is(hsm(SBI_HSM_HART_SUSPEND, bad[i], 0x1000, 0).error, SBI_ERR_INVALID_PARAM);
	is(hsm(SBI_HSM_HART_SUSPEND, SBI_HSM_SUSPEND_NON_RETENTIVE, 0x1001, 0).error,
	   SBI_ERR_INVALID_ADDRESS);
	is(hsm(SBI_HSM_HART_SUSPEND, SBI_HSM_SUSPEND_NON_RETENTIVE, 0x2000, 0).error,
	   SBI_ERR_INVALID_ADDRESS);
	is(hart_at(0)->state, SBI_HSM_STATE_STARTED);
	is_str(events, "");

	/* Retentive: nothing changes, not even the PMU, and the address is ignored. */
	fake_csr[CSR_MIDELEG] = fake_csr[CSR_MIE] = MIP_STIP;
	r = hsm(SBI_HSM_HART_SUSPEND, SBI_HSM_SUSPEND_RETENTIVE, 1, 0);
	is(r.error, SBI_SUCCESS);
	is(left.how, RETURNED);
	is(state_asleep, SBI_HSM_STATE_SUSPENDED);
	is(hart_at(0)->state, SBI_HSM_STATE_STARTED);
	is_str(events, "w");

	/* Non-retentive: the PMU is saved before the sleep and restored after it. */
	memset(events, 0, sizeof(events));
	fake_csr[CSR_MIP] = 0;
	hsm(SBI_HSM_HART_SUSPEND, SBI_HSM_SUSPEND_NON_RETENTIVE, 0x1ffe, 9);
	is(left.how, ENTERED);
	is(state_asleep, SBI_HSM_STATE_SUSPENDED);
	is(left.state, SBI_HSM_STATE_STARTED);
	is(left.epc, 0x1ffe);
	is(left.a1, 9);
	is_str(events, "swr");
	/* The interrupt that woke it is still pending. */
	is(fake_csr[CSR_MIP] & MIP_STIP, MIP_STIP);
	is(fake_csr[CSR_MIE], MIP_STIP);
}

/* system_suspend is refused unless every other hart is stopped. */
static void system_suspend(void)
{
	unsigned i;

	for (i = 0; i < TAP_NR(states); i++) {
		reset();
		fake_csr[CSR_MIDELEG] = fake_csr[CSR_MIE] = MIP_STIP;
		hart_at(1)->state = states[i];
		tap_context("state %lu", (unsigned long)states[i]);
		is(call(&ext_susp, SBI_SUSP_SUSPEND, 1, 0x1000, 4, 0, 0).error,
		   SBI_ERR_INVALID_PARAM);
		is(call(&ext_susp, SBI_SUSP_SUSPEND, 0, 0x1001, 4, 0, 0).error,
		   SBI_ERR_INVALID_ADDRESS);
		if (states[i] == SBI_HSM_STATE_STOPPED) {
			call(&ext_susp, SBI_SUSP_SUSPEND, 0, 0x1000, 4, 0, 0);
			is(left.how, ENTERED);
			is(left.epc, 0x1000);
			is(left.a1, 4);
			is_str(events, "swr");
		} else {
			is(call(&ext_susp, SBI_SUSP_SUSPEND, 0, 0x1000, 4, 0, 0).error,
			   SBI_ERR_DENIED);
			is_str(events, "");
		}
	}
}

static void the_entropy_source_is_open(void)
{
	reset();
	smode_init(hart_at(0));
	is(fake_csr[CSR_MSECCFG], 0);
	has_mseccfg = true;
	fake_csr[CSR_MSECCFG] = 4;
	smode_init(hart_at(0));
	is(fake_csr[CSR_MSECCFG], 4 | MSECCFG_SSEED | MSECCFG_USEED);
}

#define VMID(n) ((rv_ulong)(n) << 44)
#define SV48X4	((rv_ulong)9 << 60)

/*
 * HFENCE.VVMA acts under the VMID in hgatp: the hart takes the sender's VMID for the fence, with
 * MODE Bare.
 */
static void vs_stage_fences_are_the_senders(void)
{
	struct hart *h = hart_at(0), *sender = hart_at(1);
	rv_ulong own = SV48X4 | VMID(3) | 0x12345;
	rv_ulong fid;

	for (fid = SBI_RFENCE_HFENCE_VVMA_ASID; fid <= SBI_RFENCE_HFENCE_VVMA; fid++) {
		reset();
		h->has_h = true;
		fake_csr[CSR_HGATP] = own;
		sender->rfence = (struct rfence){ .fid = fid,
						  .start = 0x4000,
						  .size = 0x2000,
						  .id = 21,
						  .vmid = VMID(9),
						  .todo = 1 };
		h->rfence_from[0] = 2;
		rfence_take(h);
		is(nr_fences, 2);
		is(fence[0].funct7, HFENCE_VVMA);
		is(fence[0].hgatp, VMID(9));
		is(fence[1].hgatp, VMID(9));
		is(fence[0].addr, 0x4000);
		is(fence[1].addr, 0x5000);
		is(fence[0].any_id, fid == SBI_RFENCE_HFENCE_VVMA);
		is(fake_csr[CSR_HGATP], own);
		is(sender->rfence.todo, 0);
	}
	/* A hart's fence of itself uses its own hgatp; other kinds of fence do not change it. */
	reset();
	h->has_h = true;
	fake_csr[CSR_HGATP] = own;
	is(call(&ext_rfence, SBI_RFENCE_HFENCE_VVMA, 1, 0, 0, 0, 0).error, SBI_SUCCESS);
	is(fence[0].hgatp, VMID(3));
	ok(fence[0].any_addr && fence[0].any_id);
	is(call(&ext_rfence, SBI_RFENCE_HFENCE_GVMA_VMID, 1, 0, 0x8000, 0x1000, 6).error,
	   SBI_SUCCESS);
	is(fence[1].funct7, HFENCE_GVMA);
	is(fence[1].addr, 0x2000);
	is(fence[1].id, 6);
	is(fence[1].hgatp, own);
	is(nr_fences, 2);
	h->has_h = false;
	is(call(&ext_rfence, SBI_RFENCE_HFENCE_VVMA, 1, 0, 0, 0, 0).error, SBI_ERR_NOT_SUPPORTED);
}

static void enter(struct hart *h)
{
	nr_fences = 0;
	if (!setjmp(out))
		smode_enter(h, 0x1000, 0);
}

/*
 * Nobody asks a stopped hart for fences.  When it starts, it fences G-stage translations, and
 * VS-stage translations under each VMID.
 */
static void a_start_fences_guests(void)
{
	struct hart *h = hart_at(0);
	unsigned i;

	reset();
	enter(h);
	is(nr_fences, 0);
	/* A hart that has never run S-mode has no translations of guests. */
	reset();
	h->has_h = true;
	fake_csr[CSR_HGATP] = SV48X4 | VMID(3) | 7;
	enter(h);
	is(nr_fences, 2);
	is(fence[0].funct7, HFENCE_GVMA);
	ok(fence[0].any_addr && fence[0].any_id);
	is(fence[1].funct7, HFENCE_VVMA);
	is(fake_csr[CSR_HGATP], 0);
	/* The second start comes after a stop. */
	enter(h);
	is(nr_fences, 1 + 16384);
	is(fence[0].funct7, HFENCE_GVMA);
	for (i = 1; i < nr_fences; i++)
		ok(fence[i].funct7 == HFENCE_VVMA && fence[i].any_addr && fence[i].any_id &&
		   fence[i].hgatp == VMID(i - 1));
	is(fake_csr[CSR_HGATP], 0);
	/* During a sleep the hart answers all requests for fences: none is due afterwards. */
	nr_fences = 0;
	fake_csr[CSR_HGATP] = SV48X4 | VMID(3) | 7;
	if (!setjmp(out))
		smode_resume(h, 0x1000, 0);
	is(nr_fences, 0);
	is(fake_csr[CSR_HGATP], SV48X4 | VMID(3) | 7);
}

/* Fences are asked of harts that run or sleep, and of no other. */
static void fences_go_to_harts_that_run(void)
{
	struct hart *h = hart_at(0), *to = hart_at(1);
	unsigned i;

	for (i = 0; i < TAP_NR(states); i++) {
		reset();
		to->state = states[i];
		if (!hart_is_running(to)) {
			is(call(&ext_rfence, SBI_RFENCE_FENCE_I, 2, 0, 0, 0, 0).error, 0);
			is(to->rfence_from[0], 0);
			is(h->pmu.fw_total[SBI_PMU_FW_FENCE_I_SENT], 0);
		}
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "hart_start in each state", start_in_each_state },
		{ "hart_get_status in each state", status_in_each_state },
		{ "a hart that stops and starts is set up again", stop_and_start },
		{ "hart_suspend of each type", suspend_of_each_type },
		{ "system_suspend with another hart in each state", system_suspend },
		{ "Zkr: seed is open to S-mode and U-mode", the_entropy_source_is_open },
		{ "HFENCE.VVMA under the sender's VMID, MODE Bare",
		  vs_stage_fences_are_the_senders },
		{ "a start fences G-stage and VS-stage", a_start_fences_guests },
		{ "fences go to harts that run", fences_go_to_harts_that_run },
	};

	return tap_run(cases, TAP_NR(cases));
}

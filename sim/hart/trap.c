// SPDX-License-Identifier: BSD-2-Clause
/*
 * trap.c - takes exceptions and interrupts, and returns from them (trap.h).
 *
 * Implements: Priv 1.13 §3.1.6 (mstatus), §3.1.8-3.1.9 (delegation, pending, priorities), §3.3.2
 * (mret, sret), §3.3.3 (wfi); Sscofpmf 1.0 §3 (LCOFI); Zicfilp 1.0 (SPELP, MPELP).
 */
#include "cluster.h"
#include "guard.h"
#include "hart.h"
#include "timing.h"
#include "trace.h"
#include "trap.h"

/* A hart is stuck after so many exceptions at one pc if no instruction retires between them. */
#define AGAIN_MAX	 1000000
/*
 * A hart is also stuck after NESTED_MAX exceptions at one pc if at most NESTED_INSNS_MAX
 * instructions retire between two of them and no mret or sret does: the handler itself faults.
 * This limit is higher, because a program may use an exception as a jump in a loop that ends.
 */
#define NESTED_MAX	 4000000
#define NESTED_INSNS_MAX 256

uint64_t trap_pending(const struct hart *h)
{
	uint64_t pending = h->mip_soft | h->mip_line;

	if (h->menvcfg & MENVCFG_STCE) {
		pending &= ~MIP_STIP;
		if (hart_now(h) >= h->stimer_at)
			pending |= MIP_STIP;
	}
	return pending;
}

void trap_raise(struct hart *h, unsigned irq, bool level)
{
	uint64_t bit = RV_BIT(irq);

	h->mip_line = level ? h->mip_line | bit : h->mip_line & ~bit;
	h->stop = true;
}

bool trap_wakes(const struct hart *h)
{
	return trap_pending(h) & h->mie;
}

/* Enters the trap handler in mode `to`; with a vectored tvec an interrupt has its own address. */
static void enter(struct hart *h, unsigned to, bool interrupt, unsigned cause, uint64_t tval)
{
	const struct trap_entry entry = { interrupt, h->mode, cause, h->pc, tval };
	uint64_t code = cause | (interrupt ? RV_BIT(63) : 0), vector, status = h->mstatus;

	trace_trap(h, interrupt, cause, tval, to);
	if (to == PRV_S) {
		h->scause = code;
		h->sepc = h->pc;
		h->stval = tval;
		vector = h->stvec;
		status &= ~(MSTATUS_SPP | MSTATUS_SPIE | MSTATUS_SIE);
		status |= (h->mode ? MSTATUS_SPP : 0) | (h->mstatus & MSTATUS_SIE) << 4;
		status = (status & ~MSTATUS_SPELP) | (h->elp ? MSTATUS_SPELP : 0);
	} else {
		h->mcause = code;
		h->mepc = h->pc;
		h->mtval = tval;
		vector = h->mtvec;
		status &= ~(MSTATUS_MPP | MSTATUS_MPIE | MSTATUS_MIE);
		status |= (uint64_t)h->mode << MSTATUS_MPP_SHIFT | (h->mstatus & MSTATUS_MIE) << 4;
		status = (status & ~MSTATUS_MPELP) | (h->elp ? MSTATUS_MPELP : 0);
	}
	h->mstatus = status;
	h->elp = 0;
	h->mode = to;
	h->pc = (vector & ~3ull) + (interrupt && (vector & 3) ? 4 * cause : 0);
	h->stop = true;
	hart_mode_changed(h);
	if (h->timing)
		timing_redirect(h);
	if (h->cl->recorder)
		h->cl->recorder->traps(h, &entry);
}

static void stuck(struct hart *h, unsigned cause)
{
	static const char *const names[] = {
		[CAUSE_FETCH_ACCESS] = "instruction access fault",
		[CAUSE_ILLEGAL_INSN] = "illegal instruction",
		[CAUSE_BREAKPOINT] = "breakpoint",
		[CAUSE_MISALIGNED_LOAD] = "misaligned load",
		[CAUSE_LOAD_ACCESS] = "load access fault",
		[CAUSE_MISALIGNED_STORE] = "misaligned store",
		[CAUSE_STORE_ACCESS] = "store access fault",
		[CAUSE_ECALL_S] = "ecall",
		[CAUSE_ECALL_M] = "ecall",
		[CAUSE_FETCH_PAGE_FAULT] = "instruction page fault",
		[CAUSE_LOAD_PAGE_FAULT] = "load page fault",
		[CAUSE_STORE_PAGE_FAULT] = "store page fault",
		[CAUSE_SOFTWARE_CHECK] = "software check",
	};
	char text[160];

	snprintf(text, sizeof(text), "hart %u is stuck in %c-mode at %#llx: %s, again and again",
		 h->id, h->mode == PRV_M ? 'M' : 'S', (unsigned long long)h->pc, names[cause]);
	h->cl->bus.fail(h->cl->bus.opaque, text);
}

/*
 * Finds a hart that takes the same exception for ever.  There are two reasons.  Its handler faults,
 * at the first instruction or a few later: one that pushes registers on a bad stack does, each time
 * at another address.  Or the firmware returns to S-mode at the instruction that has trapped.
 * Exceptions from U-mode are the kernel's business.
 */
static void look_for_progress(struct hart *h, unsigned cause)
{
	uint64_t retired = 0;

	if (h->mode == PRV_U)
		return;
	for (unsigned mode = 0; mode <= h->mode; mode++)
		retired += h->pmu.total[mode][EVENT_INSTRUCTIONS];
	if (h->again.pc != h->pc || h->again.retired != retired)
		h->again.nr = 0;
	if (h->again.pc != h->pc || retired - h->again.retired > NESTED_INSNS_MAX)
		h->again.nested = 0;
	h->again.pc = h->pc;
	h->again.retired = retired;
	if (++h->again.nr == AGAIN_MAX || ++h->again.nested == NESTED_MAX)
		stuck(h, cause);
}

void trap_exception(struct hart *h, unsigned cause, uint64_t tval)
{
	bool to_s = h->mode != PRV_M && (h->medeleg >> cause & 1);

	look_for_progress(h, cause);
	pmu_happens(h, EVENT_EXCEPTION);
	if (cause >= CAUSE_ECALL_U && cause <= CAUSE_ECALL_M)
		pmu_happens(h, EVENT_ECALL);
	if (cause == CAUSE_FETCH_PAGE_FAULT || cause == CAUSE_LOAD_PAGE_FAULT ||
	    cause == CAUSE_STORE_PAGE_FAULT)
		pmu_happens(h, EVENT_PAGE_FAULT);
	enter(h, to_s ? PRV_S : PRV_M, false, cause, tval);
	/* No instruction has retired.  Time must pass even if a handler faults for ever. */
	h->now++;
}

bool trap_interrupt(struct hart *h)
{
	static const uint8_t order[] = { IRQ_M_EXT,  IRQ_M_SOFT,  IRQ_M_TIMER, IRQ_S_EXT,
					 IRQ_S_SOFT, IRQ_S_TIMER, IRQ_LCOF };
	uint64_t pending = trap_pending(h) & h->mie, now;
	unsigned n = 0, to = PRV_M;

	if (!pending)
		return false;
	now = h->mode < PRV_M || (h->mstatus & MSTATUS_MIE) ? pending & ~h->mideleg : 0;
	if (!now) {
		to = PRV_S;
		if (h->mode < PRV_S || (h->mode == PRV_S && (h->mstatus & MSTATUS_SIE)))
			now = pending & h->mideleg;
	}
	if (!now)
		return false;
	while (!(now >> order[n] & 1))
		n++;
	pmu_happens(h, EVENT_INTERRUPT);
	enter(h, to, true, order[n], 0);
	return true;
}

void trap_mret(struct hart *h)
{
	uint64_t status = h->mstatus;
	unsigned to = (status & MSTATUS_MPP) >> MSTATUS_MPP_SHIFT;

	trace_return(h, "mret");
	h->again.nested = 0;
	h->mstatus = status & ~(MSTATUS_MPP | MSTATUS_MIE | (to != PRV_M ? MSTATUS_MPRV : 0));
	h->mstatus |= MSTATUS_MPIE | (status & MSTATUS_MPIE) >> 4;
	h->mstatus &= ~MSTATUS_MPELP;
	h->elp = status & MSTATUS_MPELP && guard_landing(h, to);
	h->mode = to;
	h->pc = h->mepc;
	h->stop = true;
	hart_mode_changed(h);
}

void trap_sret(struct hart *h)
{
	uint64_t status = h->mstatus;

	trace_return(h, "sret");
	h->again.nested = 0;
	h->mstatus = status & ~(MSTATUS_SPP | MSTATUS_SIE | MSTATUS_MPRV);
	h->mstatus |= MSTATUS_SPIE | (status & MSTATUS_SPIE) >> 4;
	h->mode = status & MSTATUS_SPP ? PRV_S : PRV_U;
	h->mstatus &= ~MSTATUS_SPELP;
	h->elp = status & MSTATUS_SPELP && guard_landing(h, h->mode);
	h->pc = h->sepc;
	h->stop = true;
	hart_mode_changed(h);
}

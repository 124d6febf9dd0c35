// SPDX-License-Identifier: BSD-2-Clause
/*
 * ext_hsm.c - HSM: harts start, stop and suspend.
 *
 * The hart that starts another one changes hart.state from STOPPED to START_PENDING (compare and
 * swap: if two try, one succeeds), writes start_addr and start_arg, and sets start_go.  All other
 * changes are made by the hart itself: START_PENDING -> STARTED -> STOP_PENDING -> STOPPED.  A
 * stopped hart waits in M-mode and still answers requests of other harts.
 *
 * Implements: SBI 3.0 chapter 9.
 */
#include <machine.h>

#include "aclint.h"
#include "ext_hsm.h"
#include "ext_pmu.h"
#include "ipi.h"
#include "jump.h"
#include "platform.h"
#include "smode.h"

static void set_state(struct hart *h, rv_ulong state)
{
	__atomic_store_n(&h->state, state, __ATOMIC_RELEASE);
}

/*
 * RAM only, although S-mode may start in flash at boot: the firmware does not know where flash is,
 * and a hart that starts where nothing is would be lost.
 */
bool hsm_addr_ok(rv_ulong addr)
{
	return !(addr & 1) && platform_ram_ok(addr, 4);
}

void hsm_wait(struct hart *h)
{
	csr_write(CSR_MIE, MIP_MSIP);
	set_state(h, SBI_HSM_STATE_STOPPED);
	while (!__atomic_load_n(&h->start_go, __ATOMIC_ACQUIRE)) {
		if (csr_read(CSR_MIP) & MIP_MSIP)
			ipi_take(h);
		else
			wait_for_interrupt();
	}
	h->start_go = 0;
	/* S-mode may have changed these CSRs before it stopped the hart. */
	smode_init(h);
	pmu_hart_init(h);
	set_state(h, SBI_HSM_STATE_STARTED);
	smode_enter(h, h->start_addr, h->start_arg);
}

struct sbiret hsm_begin(struct hart *to, rv_ulong addr, rv_ulong arg)
{
	rv_ulong state = SBI_HSM_STATE_STOPPED;

	if (!__atomic_compare_exchange_n(&to->state, &state, SBI_HSM_STATE_START_PENDING, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return sbi_fail(state == SBI_HSM_STATE_STOP_PENDING ? SBI_ERR_FAILED
								    : SBI_ERR_ALREADY_AVAILABLE);
	to->start_addr = addr;
	to->start_arg = arg;
	__atomic_store_n(&to->start_go, 1, __ATOMIC_RELEASE);
	ipi_send(to, 0);
	return sbi_ok(0);
}

static struct sbiret start(rv_ulong id, rv_ulong addr, rv_ulong arg)
{
	struct hart *to = hart_find(id);

	if (!to || !__atomic_load_n(&to->present, __ATOMIC_ACQUIRE))
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	if (!hsm_addr_ok(addr))
		return sbi_fail(SBI_ERR_INVALID_ADDRESS);
	return hsm_begin(to, addr, arg);
}

static struct sbiret stop(struct hart *h)
{
	set_state(h, SBI_HSM_STATE_STOP_PENDING);
	aclint_timer_off(h);
	jump_to_own_stack(h, hsm_wait);
}

void hsm_sleep(struct hart *h)
{
	/* sie is the delegated bits of mie: these interrupts may wake S-mode. */
	rv_ulong wake = csr_read(CSR_MIDELEG);

	for (;;) {
		rv_ulong mip = csr_read(CSR_MIP);

		if (mip & MIP_MSIP)
			ipi_take(h);
		else if (mip & csr_read(CSR_MIE) & MIP_MTIP)
			aclint_timer_fired(h);
		else if (mip & csr_read(CSR_MIE) & wake)
			return;
		else
			wait_for_interrupt();
	}
}

static struct sbiret suspend(struct hart *h, uint32_t type, rv_ulong addr, rv_ulong arg)
{
	bool forget = type == SBI_HSM_SUSPEND_NON_RETENTIVE;

	if (type != SBI_HSM_SUSPEND_RETENTIVE && !forget)
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	if (forget && !hsm_addr_ok(addr))
		return sbi_fail(SBI_ERR_INVALID_ADDRESS);
	set_state(h, SBI_HSM_STATE_SUSPEND_PENDING);
	if (forget)
		sbipmu_hart_save(&h->pmu);
	set_state(h, SBI_HSM_STATE_SUSPENDED);
	hsm_sleep(h);
	set_state(h, SBI_HSM_STATE_RESUME_PENDING);
	if (forget)
		sbipmu_hart_restore(&h->pmu);
	set_state(h, SBI_HSM_STATE_STARTED);
	if (forget)
		smode_resume(h, addr, arg);
	return sbi_ok(0);
}

static struct sbiret status(rv_ulong id)
{
	const struct hart *h = hart_find(id);

	if (!h || !__atomic_load_n(&h->present, __ATOMIC_ACQUIRE))
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	return sbi_ok(__atomic_load_n(&h->state, __ATOMIC_ACQUIRE));
}

static struct sbiret hsm(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			 rv_ulong a5, rv_ulong fid, struct hart *h)
{
	switch (fid) {
	case SBI_HSM_HART_START:
		return start(a0, a1, a2);
	case SBI_HSM_HART_STOP:
		return stop(h);
	case SBI_HSM_HART_GET_STATUS:
		return status(a0);
	case SBI_HSM_HART_SUSPEND:
		return suspend(h, (uint32_t)a0, a1, a2);
	default:
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	}
}

const struct sbi_ext ext_hsm = {
	.eid = SBI_EXT_HSM,
	.handle = hsm,
	.name = "hsm",
};

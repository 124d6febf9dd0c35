// SPDX-License-Identifier: BSD-2-Clause
/*
 * ipi.c - one machine software interrupt for all requests between harts.
 *
 * The path of an S-mode IPI: ext_ipi.c -> ipi_send() -> MSWI -> trap.S -> ipi_take() on the
 * receiver -> SSIP, delegated to S-mode.
 */
#include <machine.h>

#include "ipi.h"
#include "rfence.h"

void ipi_send(struct hart *to, rv_ulong what)
{
	__atomic_fetch_or(&to->ipi, what, __ATOMIC_RELEASE);
	full_fence();
	if (to->dt.msip)
		*to->dt.msip = 1;
}

void ipi_take(struct hart *h)
{
	rv_ulong what;

	/* Clear the interrupt first: bits that are set later raise it again. */
	if (h->dt.msip)
		*h->dt.msip = 0;
	full_fence();
	what = __atomic_exchange_n(&h->ipi, 0, __ATOMIC_ACQUIRE);
	if (what & IPI_SOFT) {
		sbipmu_fw_event(&h->pmu, SBI_PMU_FW_IPI_RECEIVED);
		csr_set(CSR_MIP, MIP_SSIP);
	}
	if (what & IPI_RFENCE)
		rfence_take(h);
}

void ipi_park(struct hart *h)
{
	__atomic_store_n(&h->present, 0, __ATOMIC_RELEASE);
	csr_write(CSR_MIE, MIP_MSIP);
	for (;;) {
		if (csr_read(CSR_MIP) & MIP_MSIP)
			ipi_take(h);
		else
			wait_for_interrupt();
	}
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * ipi.c - one machine software interrupt for everything that harts ask of each other.
 *
 * The path of an S-mode IPI: ext_ipi.c -> ipi_send() -> MSWI -> trap.S -> ipi_take() on the
 * receiver -> SSIP, delegated to S-mode.
 */
#include "fw.h"

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

	/* Clear the interrupt first: bits that come later ring again. */
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

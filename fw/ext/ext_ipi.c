// SPDX-License-Identifier: BSD-2-Clause
/*
 * ext_ipi.c - IPI: S-mode's software interrupt on a set of harts.
 *
 * A stopped hart gets no interrupt.  An interrupt to the calling hart itself is not counted by the
 * events "IPI sent" and "IPI received".
 *
 * Implements: SBI 3.0 chapter 7; events 6 and 7 of §11.5.
 */
#include <machine.h>
#include <rv/first_bit.h>

#include "ext_ipi.h"
#include "ipi.h"

static struct sbiret ipi_call(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			      rv_ulong a5, rv_ulong fid, struct hart *h)
{
	rv_ulong harts[HART_WORDS];
	unsigned i;

	if (fid != SBI_IPI_SEND_IPI)
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	if (!hart_mask(a0, a1, harts))
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	for (i = 0; i < HART_WORDS; i++) {
		for (; harts[i]; harts[i] &= harts[i] - 1) {
			struct hart *to = hart_at(i * RV_XLEN + rv_first_bit(harts[i]));

			if (to == h) {
				csr_set(CSR_MIP, MIP_SSIP);
			} else if (hart_is_running(to)) {
				sbipmu_fw_event(&h->pmu, SBI_PMU_FW_IPI_SENT);
				ipi_send(to, IPI_SOFT);
			}
		}
	}
	return sbi_ok(0);
}

static rv_ulong ipi_probe(const struct hart *h)
{
	return hart_nr == 1 || h->dt.msip;
}

const struct sbi_ext ext_ipi = {
	.eid = SBI_EXT_IPI,
	.handle = ipi_call,
	.probe = ipi_probe,
	.name = "ipi",
};

// SPDX-License-Identifier: BSD-2-Clause
/*
 * stateen.c - mstateen0 and sstateen0 (csr_row.h): which state lower modes may use.  Of sstateen0
 * there is only the bit of jvt.
 *
 * Implements: Smstateen 1.0; Unpriv 28.15 (jvt).
 */
#include "cluster.h"
#include "csr.h"
#include "csr_row.h"
#include "hart.h"

uint64_t csr_mstateen0_bits(const struct hart *h)
{
	return MSTATEEN0_ENVCFG | MSTATEEN0_SE0 |
	       (cluster_has(h->cl, ISA_EXT_SSCSRIND) ? MSTATEEN0_CSRIND : 0) |
	       (cluster_has(h->cl, ISA_EXT_ZCMT) ? MSTATEEN0_JVT : 0);
}

bool csr_may_stateen(const struct hart *h, unsigned num)
{
	/* Bit 63 of mstateen1-3 is read-only zero, and so are the sstateen1-3 that it guards. */
	return h->mode == PRV_M || (num == CSR_SSTATEEN0 && (h->mstateen0 & MSTATEEN0_SE0));
}

uint64_t csr_read_mstateen0(const struct hart *h, unsigned num)
{
	return h->mstateen0;
}

/* A bit that is 0 here is read-only zero in sstateen0. */
static uint64_t sstateen0_bits(const struct hart *h)
{
	return h->mstateen0 & MSTATEEN0_JVT;
}

void csr_write_mstateen0(struct hart *h, unsigned num, uint64_t value)
{
	h->mstateen0 = value & csr_mstateen0_bits(h);
	h->sstateen0 &= sstateen0_bits(h);
}

uint64_t csr_read_sstateen0(const struct hart *h, unsigned num)
{
	return h->sstateen0;
}

void csr_write_sstateen0(struct hart *h, unsigned num, uint64_t value)
{
	h->sstateen0 = value & sstateen0_bits(h);
}

bool csr_may_jump_table(const struct hart *h)
{
	if (h->mode == PRV_M || !h->cl->smstateen)
		return true;
	return h->mstateen0 & MSTATEEN0_JVT && (h->mode == PRV_S || h->sstateen0 & MSTATEEN0_JVT);
}

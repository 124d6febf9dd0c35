// SPDX-License-Identifier: BSD-2-Clause
/*
 * csr_float.c - the CSRs of floating point and of vectors, for the table in csr.c.
 *
 * Implements: Unpriv 20240411 §20.2 and §31.3; vectors 0.7.1 §3 (XTheadVector).
 */
#include "cluster.h"
#include "csr_row.h"
#include "hart.h"
#include "vector.h"

/* Floating point */

bool csr_may_fp(const struct hart *h, unsigned num)
{
	return h->mstatus & MSTATUS_FS;
}

/* With XTheadVector fcsr has vxsat and vxrm besides (vectors 0.7.1 §3.8). */
#define FCSR_VXSAT_SHIFT 8

static uint64_t thead_fcsr(const struct hart *h)
{
	const struct vector_state *v = h->vector;

	return cluster_has(h->cl, ISA_EXT_XTHEADVECTOR)
		       ? (uint64_t)(v->vxrm << 1 | v->vxsat) << FCSR_VXSAT_SHIFT
		       : 0;
}

static void write_thead_fcsr(struct hart *h, uint64_t value)
{
	if (cluster_has(h->cl, ISA_EXT_XTHEADVECTOR)) {
		h->vector->vxsat = value >> FCSR_VXSAT_SHIFT & 1;
		h->vector->vxrm = value >> (FCSR_VXSAT_SHIFT + 1) & 3;
	}
}

uint64_t csr_read_fcsr(const struct hart *h, unsigned num)
{
	switch (num) {
	case CSR_FFLAGS:
		return h->fflags;
	case CSR_FRM:
		return h->frm;
	default:
		return h->fflags | h->frm << 5 | thead_fcsr(h);
	}
}

void csr_write_fcsr(struct hart *h, unsigned num, uint64_t value)
{
	if (num != CSR_FRM)
		h->fflags = value & 31;
	if (num == CSR_FRM)
		h->frm = value & 7;
	else if (num == CSR_FCSR)
		h->frm = value >> 5 & 7;
	if (num == CSR_FCSR)
		write_thead_fcsr(h, value);
	h->mstatus |= MSTATUS_FS;
}

/* Vectors: Unpriv §31.3, vectors 0.7.1 §3.  A hart that has these CSRs has h->vector. */

bool csr_may_vector(const struct hart *h, unsigned num)
{
	return h->mstatus & MSTATUS_VS;
}

uint64_t csr_read_vector(const struct hart *h, unsigned num)
{
	const struct vector_state *v = h->vector;

	switch (num) {
	case CSR_VSTART:
		return v->vstart;
	case CSR_VXSAT:
		return v->vxsat;
	case CSR_VXRM:
		return v->vxrm;
	case CSR_VCSR:
		return v->vxrm << 1 | v->vxsat;
	case CSR_VL:
		return v->vl;
	case CSR_VTYPE:
		return v->vtype;
	default:
		return v->bytes;
	}
}

void csr_write_vector(struct hart *h, unsigned num, uint64_t value)
{
	struct vector_state *v = h->vector;

	if (num == CSR_VSTART)
		v->vstart = value & (8 * v->bytes - 1);
	if (num == CSR_VXSAT || num == CSR_VCSR)
		v->vxsat = value & 1;
	if (num == CSR_VXRM)
		v->vxrm = value & 3;
	else if (num == CSR_VCSR)
		v->vxrm = value >> 1 & 3;
	h->mstatus |= MSTATUS_VS;
}

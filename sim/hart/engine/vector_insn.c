// SPDX-License-Identifier: BSD-2-Clause
/*
 * vector_insn.c - vector instructions between a hart and its vector unit (vector.h): is the unit
 * on, operands from x and f registers, results into them.  Loads and stores are in engine_vector.h.
 *
 * Implements: Unpriv 20240411 §31.3.2 (mstatus.VS), §31.6 (AVL); vectors 0.7.1 §6 (AVL).
 */
#include "cluster.h"
#include "engine.h"
#include "fp.h"
#include "hart.h"
#include "vector.h"

bool vector_configure(struct hart *h, const struct insn *i)
{
	bool to_x0 = i->rd == REG_SINK, immediate = i->op == ISA_vsetivli;
	bool in_register = i->op == ISA_vsetvl || i->op == ISA_th_vsetvl;
	uint64_t vtype = in_register ? h->x[i->rs2] : (uint32_t)i->imm, avl;

	if (!vector_on(h))
		return false;
	avl = immediate ? i->rs1 : i->rs1 ? h->x[i->rs1] : UINT64_MAX;
	/* XTheadVector never keeps vl. */
	h->x[i->rd] = vector_set(h->vector, vtype, avl,
				 !immediate && !i->rs1 && to_x0 && !h->vector->thead);
	return true;
}

static uint64_t scalar(const struct hart *h, const struct insn *i)
{
	switch (isa_table[i->op].format) {
	case ISA_FMT_VVX:
	case ISA_FMT_VXVA:
	case ISA_FMT_VVXM:
	case ISA_FMT_VVXN:
	case ISA_FMT_VMVX:
	case ISA_FMT_VXVX:
		return h->x[i->rs1];
	case ISA_FMT_VVF:
	case ISA_FMT_VFVA:
	case ISA_FMT_VVFM:
	case ISA_FMT_VMVF:
		return h->f[i->rs1];
	default:
		return (uint64_t)(int64_t)i->imm;
	}
}

/* Floating point must be on, and frm valid, also for what does not round (Unpriv §31.13). */
static bool floats_on(struct hart *h)
{
	if (!(h->mstatus & MSTATUS_FS) || h->frm > FP_RMM)
		return false;
	h->mstatus |= MSTATUS_FS;
	return true;
}

bool vector_compute(struct hart *h, const struct insn *i)
{
	struct vector_args a = {
		.op = i->op,
		.vd = i->rd,
		.vs1 = i->rs1,
		.vs2 = i->rs2,
		.masked = !(i->raw >> 25 & 1),
		.rm = h->frm,
		.scalar = scalar(h, i),
		.flags = &h->fflags,
	};
	unsigned format = isa_table[i->op].format;

	if (!vector_on(h) || (vector_floats(i->op) && !floats_on(h)) ||
	    !vector_execute(h->vector, &a))
		return false;
	if (format == ISA_FMT_VXV || format == ISA_FMT_VXVM || format == ISA_FMT_VXVX)
		h->x[i->rd] = a.result;
	else if (format == ISA_FMT_VFV)
		h->f[i->rd] = a.result;
	return true;
}

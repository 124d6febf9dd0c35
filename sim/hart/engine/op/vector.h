/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector.h - part of engine_run: vector instructions, by the functions of vector_insn.c and
 * engine_vector.h.
 *
 *	a fault		goto fault: vstart tells the element; those before it are done
 *
 * Implements: Unpriv 20240411 chapter 31.
 */
/* clang-format off */

#define VSET(name, match, mask, format, class, ext) OP(name)
#include "vector.def"
	if (unlikely(!vector_configure(h, SELF)))
		goto illegal;
	NEXT;

#define VARITH(name, match, mask, format, class, ext) OP(name)
#include "vector.def"
	if (unlikely(!ENGINE(vector_computes)(h, r, SELF)))
		goto illegal;
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;

#define VMEM(name, match, mask, format, class, ext) OP(name)
#include "vector.def"
	switch (ENGINE(vector_access)(h, r, SELF)) {
	case VECTOR_ILLEGAL:
		goto illegal;
	case VECTOR_FAULT:
		goto fault;
	default:
		break;
	}
	if (unlikely(h->stop))
		goto leave_after;
	NEXT;

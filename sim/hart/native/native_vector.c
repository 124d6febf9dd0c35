// SPDX-License-Identifier: BSD-2-Clause
/*
 * native_vector.c - which vector instructions are simple (native_vector.h).
 */
#include "native_vector.h"

#include "block.h"
#include "isa.h"

#define V(name, kind)  [ISA_##name##_vv] = { NATIVE_VECTOR_##kind, NATIVE_VECTOR_V }
#define X(name, kind)  [ISA_##name##_vx] = { NATIVE_VECTOR_##kind, NATIVE_VECTOR_X }
#define I(name, kind)  [ISA_##name##_vi] = { NATIVE_VECTOR_##kind, NATIVE_VECTOR_I }
#define VX(name, kind) V(name, kind), X(name, kind)

static const struct {
	uint8_t kind, from;
} row[ISA_NR] = {
	VX(vadd, ADD),
	I(vadd, ADD),
	VX(vsub, SUB),
	X(vrsub, RSUB),
	I(vrsub, RSUB),
	VX(vand, AND),
	I(vand, AND),
	VX(vandn, ANDN),
	VX(vor, OR),
	I(vor, OR),
	VX(vxor, XOR),
	I(vxor, XOR),
	VX(vminu, MINU),
	VX(vmin, MIN),
	VX(vmaxu, MAXU),
	VX(vmax, MAX),
	VX(vmul, MUL),
	VX(vmacc, MACC),
	VX(vnmsac, NMSAC),
	I(vsll, SLL),
	I(vsrl, SRL),
	I(vsra, SRA),
	I(vror, ROR),
	[ISA_vmv_v_v] = { NATIVE_VECTOR_MOVE, NATIVE_VECTOR_V },
	[ISA_vmv_v_x] = { NATIVE_VECTOR_MOVE, NATIVE_VECTOR_X },
	[ISA_vmv_v_i] = { NATIVE_VECTOR_MOVE, NATIVE_VECTOR_I },
};

bool native_vector_of(const struct insn *i, uint64_t vtype, struct native_vector *v)
{
	unsigned lmul = vtype & 7, size = vtype >> 3 & 7;

	if (i->op >= ISA_NR || !row[i->op].kind || !(i->raw >> 25 & 1) || lmul > 3 || size > 3)
		return false;
	*v = (struct native_vector){ .kind = row[i->op].kind,
				     .from = row[i->op].from,
				     .size = size,
				     .regs = 1u << lmul,
				     .vd = i->rd,
				     .vs1 = i->rs1,
				     .vs2 = row[i->op].kind == NATIVE_VECTOR_MOVE ? 0 : i->rs2,
				     .imm = i->imm };
	if ((v->vd | v->vs2 | (v->from == NATIVE_VECTOR_V ? v->vs1 : 0)) & (v->regs - 1))
		return false;
	return native_vector_host(v);
}

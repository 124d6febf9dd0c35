// SPDX-License-Identifier: BSD-2-Clause
/*
 * native_vector.c - which vector instructions are simple (native_vector.h).
 */
#include "native_vector.h"

#include "block.h"
#include "isa.h"
#include "vector.h"

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

/* Sets size and regs.  False: vtype is reserved, or a group is a fraction of a register. */
static bool whole(struct native_vector *v, uint64_t vtype, bool thead)
{
	unsigned lmul = vtype & (thead ? 3 : 7), size = thead ? vtype >> 2 : vtype >> 3 & 7;

	v->size = size & 3;
	v->regs = 1u << (lmul & 3);
	return lmul <= 3 && size <= 3;
}

bool native_vector_of(const struct insn *i, uint64_t vtype, bool thead, struct native_vector *v)
{
	unsigned op = i->op < ISA_NR ? vector_like(i->op) : 0;

	*v = (struct native_vector){ .kind = row[op].kind,
				     .from = row[op].from,
				     .vd = i->rd,
				     .vs1 = i->rs1,
				     .vs2 = row[op].kind == NATIVE_VECTOR_MOVE ? 0 : i->rs2,
				     .imm = i->imm };
	if (!v->kind || !(i->raw >> 25 & 1) || !whole(v, vtype, thead))
		return false;
	if ((v->vd | v->vs2 | (v->from == NATIVE_VECTOR_V ? v->vs1 : 0)) & (v->regs - 1))
		return false;
	return native_vector_host(v);
}

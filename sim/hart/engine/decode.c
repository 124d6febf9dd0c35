// SPDX-License-Identifier: BSD-2-Clause
/*
 * decode.c - from the bits of an instruction to what the engine executes (decode.h).  It calls
 * lib/isa only.
 */
#include "cluster.h"
#include "decode.h"
#include "engine.h"
#include "hart.h"

#define NOP   0x00000013
#define FENCE 0x0ff0000f

static bool is_link(unsigned reg)
{
	return reg == 1 || reg == 5;
}

enum bpred_kind decode_jump_kind(const struct insn *i)
{
	bool links = is_link(i->rd), returns = is_link(i->rs1);

	if (i->op == ISA_cm_popret || i->op == ISA_cm_popretz)
		return BPRED_RETURN;
	if (i->op == ISA_cm_jt || i->op == ISA_cm_jalt)
		return links ? BPRED_INDIRECT_CALL : BPRED_INDIRECT;
	if (i->op == ISA_jal)
		return links ? BPRED_CALL : BPRED_JUMP;
	if (!returns)
		return links ? BPRED_INDIRECT_CALL : BPRED_INDIRECT;
	if (!links)
		return BPRED_RETURN;
	return i->rd == i->rs1 ? BPRED_INDIRECT_CALL : BPRED_SWAP;
}

/*
 * The cache and synchronization instructions of XTheadCmo and XTheadSync, which Linux also uses on
 * the identity that all C9xx share.  Memory and code are coherent here, and each is a fence.
 */
static bool is_thead_fence(const struct cluster *cl, uint32_t raw)
{
	enum isa_ext ext;

	if ((raw & ~RV_MASK(25, 15)) != 0x0b)
		return false;
	ext = isa_table[isa_find(&cl->isa, raw)].ext;
	return (ext == ISA_EXT_XTHEADCMO || ext == ISA_EXT_XTHEADSYNC) &&
	       (cluster_is_thead(cl) || cluster_has(cl, ext));
}

static bool writes_x(unsigned format)
{
	switch (format) {
	case ISA_FMT_FCMP:
	case ISA_FMT_XF:
	case ISA_FMT_XFRM:
	case ISA_FMT_VSETVLI:
	case ISA_FMT_VSETIVLI:
	case ISA_FMT_TVSETVLI:
	case ISA_FMT_VXV:
	case ISA_FMT_VXVM:
	case ISA_FMT_VXVX:
		return true;
	default:
		return format < ISA_FMT_FL;
	}
}

/* Converts the operands of i to what the engine wants.  rm: its rounding mode, if it has one. */
static void adapt(struct insn *i, unsigned rm)
{
	unsigned format = isa_table[i->op].format;

	if (format == ISA_FMT_TLI || format == ISA_FMT_TSI) {
		i->imm = (i->imm >> 2) * (1 << (i->imm & 3));
		i->rs2 = i->rs3; /* what is stored */
		i->rs3 = i->rs1 ? i->rs1 : REG_SINK; /* where the new base goes */
	} else if (format == ISA_FMT_TLP || format == ISA_FMT_TLQ) {
		i->rs2 = i->rs2 ? i->rs2 : REG_SINK;
	}
	if (format == ISA_FMT_CAS) /* before rd is the sink: what it compares with */
		i->rs3 = i->rd;
	if (i->rd == 0 && writes_x(format))
		i->rd = REG_SINK;
	if (isa_table[i->op].class == ISA_CLASS_JUMP)
		i->rs3 = decode_jump_kind(i);
	if (format == ISA_FMT_FRM || format == ISA_FMT_R4 || format == ISA_FMT_F1RM ||
	    format == ISA_FMT_XFRM || format == ISA_FMT_FXRM) {
		i->imm = rm;
		if (rm == 5 || rm == 6)
			i->op = ENGINE_ILLEGAL;
	}
}

/*
 * Whether the operands are reserved: registers of amocas.q, the round of aes64ks1i, registers of
 * T-Head's loads that write two, lists of cm.push, one register twice in cm.mvsa01.
 */
static bool is_reserved(enum isa_insn id, const struct isa_fields *f)
{
	switch (isa_table[id].format) {
	case ISA_FMT_TLI:
		return f->rd == f->rs1;
	case ISA_FMT_TLP:
	case ISA_FMT_TLQ:
		return f->rd == f->rs1 || f->rs2 == f->rs1 || f->rd == f->rs2;
	case ISA_FMT_PUSH:
	case ISA_FMT_POP:
		return !f->rs2;
	case ISA_FMT_MV2S:
		return f->rd == f->rs3;
	default:
		return (id == ISA_amocas_q && (f->rd | f->rs2) & 1) ||
		       (id == ISA_aes64ks1i && f->imm > 10);
	}
}

/*
 * Whether the hart has instructions of 16 bits, and this one, which stands for `wide` or itself.
 */
static bool short_is_there(const struct cluster *cl, uint32_t raw, uint32_t wide)
{
	return isa_has(&cl->extensions, ISA_EXT_C_ZCA) &&
	       (isa_length(wide) == 2 || isa_has(&cl->extensions, isa_short_ext(raw)));
}

/* Whether the hart has this instruction.  A hint without a meaning does nothing. */
static bool is_there(const struct cluster *cl, enum isa_insn id, uint32_t raw, uint32_t wide)
{
	enum isa_ext ext = isa_table[id].ext;

	if (id == ISA_NONE)
		return false;
	if (isa_length(raw) == 2 && !short_is_there(cl, raw, wide))
		return false;
	return ext == ISA_EXT_ZIHINTPAUSE || ext == ISA_EXT_ZICBOP || isa_has(&cl->extensions, ext);
}

/* What stands for raw (isa_wide). */
static uint32_t wide_bits(const struct cluster *cl, bool shadow_stacks, uint32_t raw)
{
	if (isa_length(raw) == 4)
		return is_thead_fence(cl, raw) ? FENCE : raw;
	return isa_short_ext(raw) == ISA_EXT_ZCMOP && !shadow_stacks ? NOP
								     : isa_wide(&cl->isa, raw);
}

/* While shadow stacks are off, their instructions are may-be-operations. */
static enum isa_insn reverted(enum isa_insn id)
{
	switch (id) {
	case ISA_sspush:
		return ISA_mop_rr;
	case ISA_sspopchk:
	case ISA_ssrdp:
		return ISA_mop_r;
	default:
		return id;
	}
}

void decode_insn(const struct cluster *cl, bool shadow_stacks, uint32_t raw, unsigned at,
		 struct insn *i)
{
	uint32_t wide = wide_bits(cl, shadow_stacks, raw);
	enum isa_insn id = isa_find(&cl->isa, wide);
	struct isa_fields f;

	if (!shadow_stacks)
		id = reverted(id);
	isa_fields(id, wide, &f);
	*i = (struct insn){
		.op = id,
		.at = at,
		.rd = f.rd,
		.rs1 = f.rs1,
		.rs2 = f.rs2,
		.rs3 = f.rs3,
		.imm = f.imm,
		.raw = raw,
	};
	if (!is_there(cl, id, raw, wide) || is_reserved(id, &f)) {
		i->op = ENGINE_ILLEGAL;
		return;
	}
	adapt(i, f.rm);
}

bool decode_is_heard(const struct insn *jal, uint64_t target, const uint64_t *targets)
{
	unsigned half = (target & ~PAGE_MASK) / 2;

	return jal->rs3 != BPRED_JUMP || (targets && targets[half / 64] >> half % 64 & 1);
}

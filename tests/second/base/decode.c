// SPDX-License-Identifier: BSD-2-Clause
/*
 * decode.c - what the models need to know of an instruction: rules B1, P11, P13, A8, and the
 * first list of EVENTS in holter-model(7); encodings from the unprivileged and the privileged
 * architecture.
 */
#include "decode.h"

/* But for rs2 and rs1. */
#define SSPUSH	 0xce004073u
#define SSPOPCHK 0xcdc04073u

/* The fields of a word. */
struct word {
	uint32_t bits;
	unsigned op, f3, f7, rd, rs1, rs2;
};

static struct word fields(uint32_t bits)
{
	return (struct word){ .bits = bits,
			      .op = bits & 0x7f,
			      .f3 = bits >> 12 & 7,
			      .f7 = bits >> 25,
			      .rd = bits >> 7 & 31,
			      .rs1 = bits >> 15 & 31,
			      .rs2 = bits >> 20 & 31 };
}

static void event(struct insn *i, enum event ev)
{
	i->events[i->nr_events++] = ev;
}

static void fp_event(struct insn *i, enum event ev)
{
	event(i, EV_FP);
	event(i, ev);
}

static void alu(struct insn *i, const struct word *w)
{
	bool imm = w->op == 0x13 || w->op == 0x1b, add;

	i->class = CLASS_ALU;
	i->rd = w->rd;
	event(i, EV_INT_ALU);
	if (w->op == 0x37 || w->op == 0x17) /* lui, auipc */
		return;
	i->rs1 = w->rs1;
	i->rs2 = imm ? 0 : w->rs2;
	add = w->f3 == 0 && (imm || w->f7 == 0 || w->f7 == 0x20);
	/* slli.uw has another funct3, add.uw another funct7. */
	if (add)
		event(i, EV_INT_ADD);
	/* addi */
	i->steps = w->op == 0x13 && w->f3 == 0 && w->rd == w->rs1;
	i->step = (int32_t)w->bits >> 20;
}

/* prefetch.i, prefetch.r, prefetch.w: ori with x0 and three of its immediates (Zicbop). */
static bool is_prefetch(const struct word *w)
{
	return w->op == 0x13 && w->f3 == 6 && w->rd == 0 &&
	       (w->rs2 == 0 || w->rs2 == 1 || w->rs2 == 3);
}

static void mul_div(struct insn *i, const struct word *w)
{
	if (w->op == 0x3b)
		i->class = w->f3 < 4 ? CLASS_MUL_32 : CLASS_DIV_32;
	else
		i->class = w->f3 < 4 ? CLASS_MUL : CLASS_DIV;
	i->rd = w->rd;
	i->rs1 = w->rs1;
	i->rs2 = w->rs2;
	event(i, w->f3 < 4 ? EV_INT_MUL : EV_INT_DIV);
}

static void load(struct insn *i, const struct word *w, bool fp)
{
	i->class = CLASS_LOAD;
	i->is_load = true;
	i->rs1 = w->rs1;
	i->rd = w->rd + (fp ? REG_F : 0);
	event(i, EV_LOADS);
	if (fp)
		fp_event(i, EV_FP_LOADS);
	else
		event(i, EV_INT_LOADS);
}

static void store(struct insn *i, const struct word *w, bool fp)
{
	i->class = CLASS_STORE;
	i->rs1 = w->rs1;
	i->rs2 = w->rs2 + (fp ? REG_F : 0);
	event(i, EV_STORES);
	if (fp)
		fp_event(i, EV_FP_STORES);
	else
		event(i, EV_INT_STORES);
}

static void atomic(struct insn *i, const struct word *w)
{
	unsigned f5 = w->bits >> 27;

	if (f5 == 6 || f5 == 7) { /* Zalasr */
		if (f5 == 6)
			load(i, w, false);
		else
			store(i, w, false);
		return;
	}
	i->rs1 = w->rs1;
	i->rd = w->rd;
	if (f5 == 2) { /* lr */
		i->class = CLASS_LOAD;
		i->is_load = true;
		event(i, EV_LOADS);
		event(i, EV_LR);
		return;
	}
	i->rs2 = w->rs2;
	i->rs3 = f5 == 5 ? w->rd : 0; /* amocas */
	i->class = f5 == 3 ? CLASS_STORE : CLASS_AMO;
	if (f5 == 3) { /* sc */
		event(i, EV_STORES);
		event(i, EV_SC);
	} else {
		event(i, EV_AMOS);
	}
}

static int64_t branch_offset(uint32_t b)
{
	uint64_t offset = (b >> 8 & 15) << 1 | (b >> 25 & 63) << 5 | (b >> 7 & 1) << 11;

	return (int64_t)offset - (b >> 31 ? 4096 : 0);
}

/* B1 and B13. */
static void branch(struct insn *i, const struct word *w)
{
	bool rd_link = w->rd == 1 || w->rd == 5, rs1_link = w->rs1 == 1 || w->rs1 == 5;

	i->class = CLASS_BRANCH;
	event(i, EV_BRANCH_INSTRUCTIONS);
	if (w->op == 0x63) {
		i->transfer = CONDITIONAL;
		i->rs1 = w->rs1;
		i->rs2 = w->rs2;
		i->offset = branch_offset(w->bits);
		event(i, EV_COND_BRANCHES);
		return;
	}
	i->rd = w->rd;
	event(i, EV_JUMPS);
	if (w->op == 0x6f) { /* jal */
		i->transfer = rd_link ? CALL : DIRECT_JUMP;
		event(i, EV_DIRECT_JUMPS);
	} else {
		i->rs1 = w->rs1;
		event(i, EV_INDIRECT_JUMPS);
		if (!rd_link)
			i->transfer = rs1_link ? RETURN : INDIRECT_JUMP;
		else
			i->transfer = rs1_link && w->rs1 != w->rd ? SWAP : INDIRECT_CALL;
	}
	if (i->transfer == CALL || i->transfer == INDIRECT_CALL || i->transfer == SWAP)
		event(i, EV_CALLS);
	if (i->transfer == RETURN || i->transfer == SWAP)
		event(i, EV_RETURNS);
}

/* P11: the format of floating-point arithmetic. */
static bool is_double(const struct word *w)
{
	return (w->f7 & 3) == 1;
}

static void multiply_add(struct insn *i, const struct word *w)
{
	i->class = is_double(w) ? CLASS_FP_FMA : CLASS_FP_FMA_32;
	i->rs1 = REG_F + w->rs1;
	i->rs2 = REG_F + w->rs2;
	i->rs3 = REG_F + (w->bits >> 27);
	i->rd = REG_F + w->rd;
	fp_event(i, EV_FP_FMA);
}

/* The classes fp-misc, fp-sign, fp-convert and fp-move; f7 without the width. */
static void fp_misc(struct insn *i, const struct word *w, unsigned f7)
{
	bool convert = f7 == 0x20 || f7 == 0x60 || f7 == 0x68;
	bool from_int = f7 == 0x68 || f7 == 0x78; /* fcvt.s.w, fmv.w.x and others */
	bool to_int = f7 == 0x50 || f7 == 0x60 ||
		      f7 == 0x70; /* feq, fcvt.w.s, fmv.x.w and others */
	bool two = f7 == 0x10 || f7 == 0x14 || f7 == 0x50; /* fsgnj, fmin, feq and others */

	bool constant = f7 == 0x78 && w->rs2 == 1; /* fli: the field of rs1 is a number */

	i->class = CLASS_FP_MISC;
	if (convert)
		i->class = CLASS_FP_CONVERT;
	else if (f7 == 0x10)
		i->class = CLASS_FP_SIGN;
	else if ((f7 == 0x78 && !constant) || (f7 == 0x70 && w->f3 == 0))
		i->class = CLASS_FP_MOVE;
	i->rs1 = constant ? 0 : w->rs1 + (from_int ? 0 : REG_F);
	i->rs2 = two ? REG_F + w->rs2 : 0;
	i->rd = w->rd + (to_int ? 0 : REG_F);
	fp_event(i, convert ? EV_FP_CVT : EV_FP_MISC);
}

static void fp(struct insn *i, const struct word *w)
{
	unsigned f7 = w->f7 & ~3u;

	i->rs1 = REG_F + w->rs1;
	i->rs2 = REG_F + w->rs2;
	i->rd = REG_F + w->rd;
	switch (f7) {
	case 0x00: /* fadd */
	case 0x04: /* fsub */
		i->class = is_double(w) ? CLASS_FP_ADD : CLASS_FP_ADD_32;
		fp_event(i, EV_FP_ADD);
		break;
	case 0x08:
		i->class = is_double(w) ? CLASS_FP_MUL : CLASS_FP_MUL_32;
		fp_event(i, EV_FP_MUL);
		break;
	case 0x0c:
		i->class = is_double(w) ? CLASS_FP_DIV : CLASS_FP_DIV_32;
		fp_event(i, EV_FP_DIV);
		break;
	case 0x2c:
		i->class = is_double(w) ? CLASS_FP_SQRT : CLASS_FP_SQRT_32;
		i->rs2 = 0;
		fp_event(i, EV_FP_DIV);
		break;
	default:
		fp_misc(i, w, f7);
	}
}

static void misc_mem(struct insn *i, const struct word *w)
{
	if (w->f3 == 2) { /* cbo.* */
		i->class = CLASS_STORE;
		i->rs1 = w->rs1;
		return;
	}
	i->class = CLASS_FENCE;
	event(i, EV_FENCES);
	i->fence_i = w->f3 == 1;
	i->fence = w->f3 == 0 && w->bits != 0x0100000f; /* pause */
}

static void csr(struct insn *i, const struct word *w)
{
	i->class = CLASS_CSR;
	i->rd = w->rd;
	i->rs1 = w->f3 < 4 ? w->rs1 : 0;
	i->csr_writes = (w->f3 & 3) == 1 || w->rs1 != 0;
	event(i, EV_CSR);
}

/* mop.r and mop.rr: the class alu. */
static void may_be_operation(struct insn *i, const struct word *w)
{
	i->class = CLASS_ALU;
	i->rd = w->rd;
	i->rs1 = w->rs1;
	i->rs2 = w->f7 & 1 && (w->f7 & 0x59) == 0x41 ? w->rs2 : 0;
	event(i, EV_INT_ALU);
}

static void system(struct insn *i, const struct word *w)
{
	if (w->f3 == 4) {
		may_be_operation(i, w);
		return;
	}
	if (w->f3) {
		csr(i, w);
		return;
	}
	if (w->f7 == 0x09 || w->f7 == 0x0b || w->f7 == 0x0c) {
		/* sfence.vma, sinval.vma; sfence.w.inval, sfence.inval.ir */
		i->class = CLASS_FENCE;
		event(i, EV_FENCES);
		i->sfence_vma = w->f7 != 0x0c;
		if (i->sfence_vma) {
			i->rs1 = w->rs1;
			i->rs2 = w->rs2;
		}
		return;
	}
	i->class = CLASS_CSR;
	event(i, EV_SYSTEM);
	i->mret_sret = w->bits == 0x30200073 || w->bits == 0x10200073;
	/* wrs.nto, wrs.sto: P10, H5; the next turn says whether the hart waited */
	i->wfi = w->bits == 0x10500073 || w->bits == 0x00d00073 || w->bits == 0x01d00073;
}

/* T-Head's: the rows of rule P11 by funct3, and by funct7 without the shift amount. */
static void thead(struct insn *i, const struct word *w)
{
	unsigned f5 = w->bits >> 27;
	bool fp = w->f3 > 5, steps = (f5 & 3) == 1 || (f5 & 3) == 3;

	steps &= f5 != 0x1f && f5 != 0x1c && f5 != 0x1e;
	switch (w->f3) {
	case 0: /* th.sfence.vmas; decode() has the others */
		i->class = CLASS_FENCE;
		event(i, EV_FENCES);
		i->sfence_vma = true;
		i->rs1 = w->rs1;
		i->rs2 = w->rs2;
		return;
	case 1:
	case 2:
	case 3:
		i->class = w->f3 == 1 && w->f7 >= 0x10 && w->f7 < 0x16 ? CLASS_MUL : CLASS_ALU;
		event(i, i->class == CLASS_MUL ? EV_INT_MUL : EV_INT_ALU);
		i->rd = w->rd;
		i->rs1 = w->rs1;
		/* th.addsl, mac, th.mveqz and th.mvnez have rs2; the last two kinds read rd */
		if (w->f3 == 1 &&
		    (f5 == 0 || (w->f7 >= 0x10 && w->f7 < 0x16) || w->f7 >> 1 == 0x10))
			i->rs2 = w->rs2;
		if (w->f3 == 1 && f5 && i->rs2 == w->rs2 &&
		    ((w->f7 >= 0x10 && w->f7 < 0x16) || w->f7 >> 1 == 0x10))
			i->rs3 = w->rd;
		return;
	}
	if (w->f3 == 4 || w->f3 == 6) {
		load(i, w, fp);
		i->rs2 = steps || f5 >= 0x1c ? 0 : w->rs2;
		if (!fp && (steps || f5 >= 0x1c))
			i->ready_at_once = 1u << (steps ? w->rs1 : w->rs2);
		return;
	}
	store(i, w, fp);
	if (steps)
		i->ready_at_once = 1u << w->rs1;
	i->rs3 = steps ? 0 : w->rd + (fp ? REG_F : 0);
	i->rs2 = steps ? w->rd : w->rs2;
}

static void by_opcode(struct insn *i, const struct word *w)
{
	switch (w->op) {
	case 0x0b:
		thead(i, w);
		break;
	case 0x57:
	case 0x77:
		decode_vector_issue(i, w->bits);
		break;
	case 0x03:
	case 0x07:
		if (w->op == 0x07 && (w->f3 == 0 || w->f3 > 4))
			decode_vector_issue(i, w->bits);
		else
			load(i, w, w->op == 0x07);
		if (i->is_load)
			i->memory = (struct memory_operand){ w->rs1, 1u << (w->f3 & 3),
							     (int32_t)w->bits >> 20 };
		break;
	case 0x23:
	case 0x27:
		if (w->op == 0x27 && (w->f3 == 0 || w->f3 > 4))
			decode_vector_issue(i, w->bits);
		else
			store(i, w, w->op == 0x27);
		if (!i->vector)
			i->memory = (struct memory_operand){ w->rs1, 1u << (w->f3 & 3),
							     ((int32_t)w->bits >> 25) * 32 +
								     (int)w->rd };
		break;
	case 0x2f:
		if (w->f3 > 5)
			decode_vector_issue(i, w->bits);
		else
			atomic(i, w);
		break;
	case 0x63:
	case 0x67:
	case 0x6f:
		branch(i, w);
		break;
	case 0x43:
	case 0x47:
	case 0x4b:
	case 0x4f:
		multiply_add(i, w);
		break;
	case 0x53:
		fp(i, w);
		break;
	case 0x0f:
		misc_mem(i, w);
		break;
	case 0x73:
		system(i, w);
		break;
	case 0x33:
	case 0x3b:
		if (w->f7 == 1) {
			mul_div(i, w);
			break;
		}
		if (w->op == 0x33 && w->f7 == 5 && w->f3 > 0 && w->f3 < 4) { /* clmul */
			i->class = CLASS_MUL;
			i->rd = w->rd;
			i->rs1 = w->rs1;
			i->rs2 = w->rs2;
			event(i, EV_INT_MUL);
			break;
		}
		alu(i, w);
		break;
	default:
		alu(i, w);
	}
}

/* c.mop.1 and c.mop.5 are c.sspush and c.sspopchk. */
static uint32_t shadow_expand(uint32_t bits)
{
	return bits == 0x6081 ? SSPUSH | 1 << 20 : bits == 0x6281 ? SSPOPCHK | 5 << 15 : bits;
}

/* sspush, sspopchk and ssrdp. */
static bool shadow_stack(struct insn *i, const struct word *w)
{
	if ((w->bits & ~(4u << 20)) == (SSPUSH | 1 << 20)) {
		store(i, w, false);
		i->rs1 = 0;
		return true;
	}
	if ((w->bits & ~(4u << 15)) == (SSPOPCHK | 1 << 15)) {
		load(i, w, false);
		return true;
	}
	if ((w->bits & ~0xf80u) == SSPOPCHK && w->rd) {
		i->class = CLASS_ALU;
		i->rd = w->rd;
		event(i, EV_INT_ALU);
		return true;
	}
	return false;
}

bool decode_is_shadow(uint32_t bits)
{
	/* May-be-operations, and ssamoswap. */
	return bits == 0x6081 || bits == 0x6281 || (bits & 0x707f) == 0x4073 ||
	       ((bits & 0x7f) == 0x2f && bits >> 27 == 9);
}

bool decode_is_fence_word(uint32_t bits)
{
	return (bits & 0xfc007fff) == 0x0000000b;
}

bool decode_is_thead_fence(uint32_t bits, unsigned thead)
{
	/* By the field of rs2: th.dcache.call, iall, ciall; th.icache.*; th.l2cache.* */
	const uint32_t cmo = 0xe | 3u << 16 | 7u << 21;
	/* th.sync, th.sync.s, th.sync.i, th.sync.is */
	const uint32_t sync = 15u << 24;
	/* With an address, or a set and a way, in rs1: th.dcache.*; th.icache.iva, th.icache.ipa */
	const uint32_t cmo_rs1 = 0xffe | 1u << 16 | 1u << 24;
	const struct word w = fields(bits);
	uint32_t there = 0;

	if (!decode_is_fence_word(bits))
		return false;
	if (thead & THEAD_CMO)
		there |= w.f7 ? cmo_rs1 : cmo;
	if (thead & THEAD_SYNC && !w.f7)
		there |= sync;
	return there >> w.rs2 & 1 && (w.f7 || !w.rs1);
}

struct insn decode(uint32_t bits, unsigned thead, bool shadow)
{
	bool is_short = (bits & 3) != 3;
	struct word w = fields(is_short ? decode_expand(bits) : bits);
	struct insn i = { .size = is_short ? 2 : 4 };
	struct word stack = fields(is_short ? shadow_expand(bits) : bits);

	if (decode_is_thead_fence(bits, thead)) {
		i.class = CLASS_FENCE;
		i.fence = true;
		event(&i, EV_FENCES);
	} else if (shadow && shadow_stack(&i, &stack)) {
		return i;
	} else if (is_prefetch(&w)) {
		i.class = CLASS_STORE;
		i.rs1 = w.rs1;
	} else {
		by_opcode(&i, &w);
	}
	return i;
}

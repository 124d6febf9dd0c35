// SPDX-License-Identifier: BSD-2-Clause
/*
 * timing_insn.c - how the model of the pipeline sees each instruction: a row for each op, and the
 * micro-operations of those that are several (timing.h).
 */
#include "timing.h"

/* The register operands of a format: X integer, F floating point; D is rd, 1 to 3 rs1-rs3. */
enum { X_D = 1, F_D = 2, X_1 = 4, F_1 = 8, X_2 = 16, F_2 = 32, F_3 = 64, X_3 = 128 };

enum {
	HAS_NONE = 0,
	HAS_FENCE = 0,
	HAS_R = X_D | X_1 | X_2,
	HAS_R1 = X_D | X_1,
	HAS_I = X_D | X_1,
	HAS_SH6 = X_D | X_1,
	HAS_SH5 = X_D | X_1,
	HAS_L = X_D | X_1,
	HAS_S = X_1 | X_2,
	HAS_JR = X_D | X_1,
	HAS_B = X_1 | X_2,
	HAS_U = X_D,
	HAS_J = X_D,
	HAS_CSR = X_D | X_1,
	HAS_CSRI = X_D,
	HAS_FV = X_1 | X_2,
	HAS_LR = X_D | X_1,
	HAS_AMO = X_D | X_1 | X_2,
	HAS_RS1 = X_1,
	HAS_X1 = X_1,
	HAS_X2 = X_2,
	HAS_RD = X_D,
	HAS_PF = X_1,
	HAS_SRL = X_1 | X_2,
	HAS_CAS = X_D | X_1 | X_2 | X_3, /* rs3 is rd */
	HAS_MOPR = X_D | X_1,
	HAS_MOPRR = X_D | X_1 | X_2,
	HAS_RNUM = X_D | X_1,
	HAS_BS = X_D | X_1 | X_2,
	HAS_PUSH = X_D | X_1, /* sp; rs2 is a number */
	HAS_POP = X_D | X_1,
	HAS_MV2S = X_D | X_1 | X_2,
	HAS_MV2A = X_D | X_1 | X_2,
	HAS_TABLE = X_D,
	HAS_RRD = X_D | X_1 | X_2 | X_3, /* rs3 is rd */
	HAS_TI6 = X_D | X_1,
	HAS_TI5 = X_D | X_1,
	HAS_TBF = X_D | X_1,
	HAS_TRR = X_D | X_1 | X_2,
	HAS_TSR = X_1 | X_2 | X_3,
	HAS_TLI = X_D | X_1,
	HAS_TSI = X_1 | X_2, /* rs2 is what is stored */
	HAS_TLP = X_D | X_1,
	HAS_TLQ = X_D | X_1,
	HAS_TSP = X_1 | X_2 | X_3,
	HAS_TSQ = X_1 | X_2 | X_3,
	HAS_FL = F_D | X_1,
	HAS_FS = X_1 | F_2,
	HAS_FR = F_D | F_1 | F_2,
	HAS_FRM = F_D | F_1 | F_2,
	HAS_R4 = F_D | F_1 | F_2 | F_3,
	HAS_F1RM = F_D | F_1,
	HAS_FCMP = X_D | F_1 | F_2,
	HAS_XF = X_D | F_1,
	HAS_XFRM = X_D | F_1,
	HAS_FX = F_D | X_1,
	HAS_FXRM = F_D | X_1,
	HAS_FLI = F_D,
	HAS_TFL = F_D | X_1 | X_2,
	HAS_TFS = X_1 | X_2 | F_3,
	/* Vectors: their scalar operands; timing_vector.c has the vector registers. */
	HAS_VSETVLI = X_D | X_1,
	HAS_VSETIVLI = X_D,
	HAS_TVSETVLI = X_D | X_1,
	HAS_VLS = X_1,
	HAS_VLSS = X_1 | X_2,
	HAS_VLX = X_1,
	HAS_VLR = X_1,
	HAS_VVX = X_1,
	HAS_VVF = F_1,
	HAS_VXVA = X_1,
	HAS_VFVA = F_1,
	HAS_VVXM = X_1,
	HAS_VVFM = F_1,
	HAS_VVXN = X_1,
	HAS_VMVX = X_1,
	HAS_VMVF = F_1,
	HAS_VXV = X_D,
	HAS_VXVM = X_D,
	HAS_VXVX = X_D | X_1,
	HAS_VFV = F_D,
	HAS_VVV = 0,
	HAS_VVI = 0,
	HAS_VVU = 0,
	HAS_VVVA = 0,
	HAS_VVVM = 0,
	HAS_VVIM = 0,
	HAS_VVVN = 0,
	HAS_VVIN = 0,
	HAS_VV1 = 0,
	HAS_VV = 0,
	HAS_VD = 0,
	HAS_VMVV = 0,
	HAS_VMVI = 0,
	HAS_VVU6 = 0,
	HAS_VVUN = 0,
	HAS_VVB = 0,
	HAS_VVUB = 0,
	HAS_VVVB = 0,
	HAS_TVAMO = X_1,
};

enum {
	IS_ALU = COST_ALU,
	IS_MUL = COST_MUL,
	IS_DIV = COST_DIV,
	IS_LOAD = COST_LOAD,
	IS_STORE = COST_STORE,
	IS_LR = COST_LOAD,
	IS_SC = COST_STORE,
	IS_AMO = COST_AMO,
	IS_BRANCH = COST_BRANCH,
	IS_JUMP = COST_BRANCH,
	IS_CSR = COST_CSR,
	IS_SYSTEM = COST_CSR,
	IS_FENCE = COST_FENCE,
	IS_CBO = COST_STORE,
	IS_FLOAD = COST_LOAD,
	IS_FSTORE = COST_STORE,
	IS_FADD = COST_FP_ADD,
	IS_FMUL = COST_FP_MUL,
	IS_FMA = COST_FP_FMA,
	IS_FDIV = COST_FP_DIV,
	IS_FCVT = COST_FP_CONVERT,
	IS_FMISC = COST_FP_MISC,
	IS_VSET = COST_VSET,
	IS_VLOAD = COST_LOAD,
	IS_VSTORE = COST_STORE,
	IS_VINT = COST_FP_MISC,
	IS_VFIXED = COST_FP_MISC,
	IS_VFLOAT = COST_FP_MISC,
	IS_VMASK = COST_FP_MISC,
	IS_VPERM = COST_FP_MISC,
	IS_VRED = COST_FP_MISC,
	IS_VFRED = COST_FP_MISC,
	IS_VCRYPTO = COST_FP_MISC,
	IS_VAMO = COST_AMO,
};

/* clang-format off */

/* Of 32 bits, single or half precision: the opcode OP-32, or a format that is not double. */
#define NARROW(match)                                                                              \
	(((match) & 0x7f) == 0x3b || (((match) & 0x60) == 0x40 && ((match) >> 25 & 3) != 1))
#define WIDTH(match, class) (NARROW(match) ? COST_##class##_32 : COST_##class)

/* The field funct5 tells square roots, fsgnj, and fmv from fclass and fli. */
#define FUNCT5(match)	((match) >> 27)
#define IS_MOVE(match)	(FUNCT5(match) >> 2 == 7 && !((match) & 0x01f07000))
#define MISC(match)                                                                                \
	(FUNCT5(match) == 4 ? COST_FP_SIGN : IS_MOVE(match) ? COST_FP_MOVE : COST_FP_MISC)

#define CLASS(match, class)                                                                        \
	((int)IS_##class == COST_MUL ? WIDTH(match, MUL)                                           \
	 : (int)IS_##class == COST_DIV ? WIDTH(match, DIV)                                         \
	 : (int)IS_##class == COST_FP_ADD ? WIDTH(match, FP_ADD)                                   \
	 : (int)IS_##class == COST_FP_MUL ? WIDTH(match, FP_MUL)                                   \
	 : (int)IS_##class == COST_FP_FMA ? WIDTH(match, FP_FMA)                                   \
	 : (int)IS_##class == COST_FP_DIV && FUNCT5(match) == 11 ? WIDTH(match, FP_SQRT)           \
	 : (int)IS_##class == COST_FP_DIV ? WIDTH(match, FP_DIV)                                   \
	 : ISA_CLASS_##class == ISA_CLASS_FMISC ? MISC(match)                                      \
	 : (int)IS_##class)

/* clang-format on */

/* What may execute at the late ALU: arithmetic, branches, and the data of integer stores. */
#define LATE(format, class)                                                                        \
	((int)IS_##class == COST_ALU || (int)IS_##class == COST_VSET ||                            \
			 ISA_FMT_##format == ISA_FMT_B                                             \
		 ? COST_LATE_ALL                                                                   \
		 : (ISA_FMT_##format == ISA_FMT_S ? COST_LATE_DATA : COST_LATE_NONE))

/* Loads and stores with an offset: their bytes are in bits 12 and 13. */
#define IS_PLAIN(format)                                                                           \
	(ISA_FMT_##format == ISA_FMT_L || ISA_FMT_##format == ISA_FMT_S ||                         \
	 ISA_FMT_##format == ISA_FMT_FL || ISA_FMT_##format == ISA_FMT_FS)
/* T-Head's loads and stores that step their base, and its loads of a pair. */
#define OTHER(format)                                                                              \
	(ISA_FMT_##format == ISA_FMT_TLI || ISA_FMT_##format == ISA_FMT_TSI   ? 1                  \
	 : ISA_FMT_##format == ISA_FMT_TLP || ISA_FMT_##format == ISA_FMT_TLQ ? 2                  \
									      : 0)
#define BYTES(match, format) (IS_PLAIN(format) ? 1 << ((match) >> 12 & 3) : 0)

#define IS_SEVERAL(format) (ISA_FMT_##format >= ISA_FMT_PUSH && ISA_FMT_##format <= ISA_FMT_MV2A)

/* Arithmetic, without what sets vtype, which mstatus can make illegal. */
#define IS_TIMELESS(format, class)                                                                 \
	(((int)IS_##class == COST_ALU || (int)IS_##class == COST_MUL) && !IS_SEVERAL(format))

#define BITS(has, which) ((has) & (which) ? 31 : 0)
#define FROM(has, which) ((has) & (which) ? 32 : 0)

const struct timing_op timing_op[ISA_NR] = {
	[ISA_NONE] = { COST_ALU, COST_LATE_NONE, 0, 0, false, false, false, { 0 }, { 0 } },
#define INSN(name, match, mask, format, class, ext)                                                \
	[ISA_##name] = { CLASS(match, class),                                                      \
			 LATE(format, class),                                                      \
			 BYTES(match, format),                                                     \
			 OTHER(format),                                                            \
			 ISA_CLASS_##class > ISA_CLASS_VSET,                                       \
			 IS_SEVERAL(format),                                                       \
			 IS_TIMELESS(format, class),                                               \
			 { BITS(HAS_##format, X_D | F_D), BITS(HAS_##format, X_1 | F_1),           \
			   BITS(HAS_##format, X_2 | F_2), BITS(HAS_##format, X_3 | F_3) },         \
			 { FROM(HAS_##format, F_D), FROM(HAS_##format, F_1),                       \
			   FROM(HAS_##format, F_2), FROM(HAS_##format, F_3) } },
#include "insn.def"
};

#define RA 1
#define SP 2
#define A0 10

static struct cost_insn alu(unsigned rd, unsigned rs1)
{
	return (struct cost_insn){ COST_ALU, .rd = rd, .rs1 = rs1, .late = COST_LATE_ALL };
}

static struct cost_insn moves_sp(int32_t bytes)
{
	struct cost_insn i = alu(SP, SP);

	i.moves = true;
	i.offset = bytes;
	return i;
}

/* cm.push: its stores, then sp. */
static unsigned push(const struct insn *i, struct cost_insn op[])
{
	unsigned nr = 0;

	for (unsigned n = i->rs2; n--; nr++)
		op[nr] = (struct cost_insn){ COST_STORE,	  .rs1 = SP,
					     .rs2 = isa_saved(n), .late = COST_LATE_DATA,
					     .bytes = 8,	  .offset = -8 * (int)(nr + 1) };
	op[nr++] = moves_sp(-i->imm);
	return nr;
}

/* cm.pop: its loads, then sp; cm.popretz: a0; and the jump. */
static unsigned pop(const struct insn *i, struct cost_insn op[])
{
	unsigned nr = 0;

	for (unsigned n = i->rs2; n--; nr++)
		op[nr] = (struct cost_insn){ COST_LOAD, .rd = isa_saved(n), .rs1 = SP, .bytes = 8,
					     .offset = i->imm - 8 * (int)(nr + 1) };
	op[nr++] = moves_sp(i->imm);
	if (i->op == ISA_cm_popretz)
		op[nr++] = alu(A0, 0);
	if (i->op != ISA_cm_pop)
		op[nr++] = (struct cost_insn){ COST_BRANCH, .rs1 = RA };
	return nr;
}

unsigned timing_micro_ops(const struct insn *i, struct cost_insn op[TIMING_MICRO_OPS])
{
	if (!timing_op_of(i)->several) {
		op[0] = timing_insn(i);
		return 1;
	}
	switch (isa_table[i->op].format) {
	case ISA_FMT_PUSH:
		return push(i, op);
	case ISA_FMT_POP:
		return pop(i, op);
	default:
		op[0] = alu(i->rd, i->rs1);
		op[1] = alu(i->rs3, i->rs2);
		return 2;
	}
}

struct timing_regs timing_micro_regs(const struct insn *i)
{
	struct cost_insn op[TIMING_MICRO_OPS];
	struct timing_regs regs = { 0, 0 };
	unsigned nr = timing_micro_ops(i, op);

	for (unsigned n = 0; n < nr; n++) {
		regs.reads |= (1ull << op[n].rs1 | 1ull << op[n].rs2 | 1ull << op[n].rs3) &
			      ~regs.writes;
		regs.writes |= 1ull << op[n].rd & ~1ull;
	}
	regs.reads &= ~1ull;
	return regs;
}

const struct insn *timing_first_need(const struct block_run *r, const struct insn *i, unsigned reg)
{
	const struct insn *end = r->insn + r->nr;

	while (++i < end) {
		const struct timing_op *op = timing_op_of(i);
		const struct cost_insn c = timing_insn(i);

		if (op->vector || op->several)
			return NULL;
		if (c.rd == reg || c.rs1 == reg || c.rs2 == reg || c.rs3 == reg)
			return i;
		if (!op->timeless)
			return NULL;
	}
	return NULL;
}

/* The magnitude of an operand of 32 or 64 bits, and whether it is negative. */
static uint64_t magnitude(uint64_t number, bool is_signed, bool narrow, bool *negative)
{
	if (narrow)
		number = is_signed ? (uint64_t)(int32_t)number : (uint32_t)number;
	*negative = is_signed && number >> 63;
	return *negative ? -number : number;
}

unsigned timing_division(const struct hart *h, const struct insn *i)
{
	bool narrow = timing_op_of(i)->class == COST_DIV_32, a, b, result;
	bool is_signed = i->op == ISA_div || i->op == ISA_rem || i->op == ISA_divw ||
			 i->op == ISA_remw;
	bool quotient = i->op == ISA_div || i->op == ISA_divw;
	struct cost_division d = {
		.dividend = magnitude(h->x[i->rs1], is_signed, narrow, &a),
		.divisor = magnitude(h->x[i->rs2], is_signed, narrow, &b),
	};

	result = quotient ? a != b : a;
	d.negative = (a || b) + result;
	return cost_division(&h->timing->cost->config, timing_op_of(i)->class, &d);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * isa.h - decoding of RISC-V instructions, freestanding and pure.
 * The door of lib/isa.
 *
 * A compressed instruction is first expanded to its 32-bit equivalent, so that all other functions
 * know one encoding only.  Those of Zcmp and Zcmt have none, and rows of their own.
 *
 * Implements: Unpriv 20240411, chapters 2 (base), 20-21 (F, D loads and stores), 26 (C),
 * 28.13 (Zcb), 28.14 (Zcmp), 28.15 (Zcmt), 31 (V), Zcmop; vectors 0.7.1 (XTheadVector,
 * XTheadZvamo).
 */
#ifndef ISA_H
#define ISA_H

#include <stdbool.h>
#include <stdint.h>

#define ISA_SIGNED 1
#define ISA_FLOAT  2
#define ISA_RV64   4

/* Length in bytes of the instruction that begins with these 16 bits: 2 or 4. */
static inline unsigned isa_length(uint32_t insn)
{
	return (insn & 3) == 3 ? 4 : 2;
}

/*
 * The 32-bit equivalent of a 16-bit instruction on a hart with xlen 32 or 64; 0, which is an
 * illegal instruction, if there is none.
 */
uint32_t isa_expand(uint16_t insn, unsigned xlen);

/*
 * The extension that has this 16-bit instruction, if isa_expand() has an equivalent: C or Zca, C or
 * Zcd, Zcb, Zcmop.
 */
unsigned isa_short_ext(uint16_t insn);

/* Instructions: ISA_add and so on, in the order of insn.def.  ISA_NONE is not an instruction. */
enum isa_insn {
	ISA_NONE,
#define INSN(name, match, mask, format, class, ext) ISA_##name,
#include "insn.def"
	ISA_NR,
};

/*
 * The operands of an instruction in the order of assembly language.  x: an integer register, f: a
 * floating-point register.
 */
enum isa_format {
	ISA_FMT_NONE, /* no operands */
	ISA_FMT_R, /* x rd, x rs1, x rs2 */
	ISA_FMT_R1, /* x rd, x rs1 */
	ISA_FMT_I, /* x rd, x rs1, imm */
	ISA_FMT_SH6, /* x rd, x rs1, shift amount */
	ISA_FMT_SH5,
	ISA_FMT_L, /* x rd, imm(x rs1) */
	ISA_FMT_S, /* x rs2, imm(x rs1) */
	ISA_FMT_JR, /* x rd, imm(x rs1) */
	ISA_FMT_B, /* x rs1, x rs2, target */
	ISA_FMT_U, /* x rd, imm >> 12 */
	ISA_FMT_J, /* x rd, target */
	ISA_FMT_CSR, /* x rd, csr, x rs1 */
	ISA_FMT_CSRI, /* x rd, csr, uimm */
	ISA_FMT_FENCE, /* predecessors, successors */
	ISA_FMT_FV, /* x rs1, x rs2 */
	ISA_FMT_LR, /* x rd, (x rs1) */
	ISA_FMT_AMO, /* x rd, x rs2, (x rs1) */
	ISA_FMT_RS1, /* (x rs1) */
	ISA_FMT_X1, /* x rs1 */
	ISA_FMT_X2, /* x rs2 */
	ISA_FMT_RD, /* x rd */
	ISA_FMT_PF, /* imm(x rs1) */
	ISA_FMT_SRL, /* x rs2, (x rs1) */
	ISA_FMT_CAS, /* x rd, which it also reads, x rs2, (x rs1) */
	ISA_FMT_MOPR, /* x rd, x rs1; the number of the operation is part of the name */
	ISA_FMT_MOPRR, /* x rd, x rs1, x rs2; the same */
	ISA_FMT_RNUM, /* x rd, x rs1, number of a round */
	ISA_FMT_BS, /* x rd, x rs1, x rs2, number of a byte */
	/*
	 * Zcmp.  rs2: how many registers are pushed or popped (isa_saved); 0: a reserved list;
	 * imm: by how much sp changes.
	 */
	ISA_FMT_PUSH, /* registers, -imm */
	ISA_FMT_POP, /* registers, imm */
	ISA_FMT_MV2S, /* x rd = x rs1, x rs3 = x rs2, both written */
	ISA_FMT_MV2A, /* x rs1, x rs2: into rd and rs3 */
	ISA_FMT_TABLE, /* index */
	/* T-Head: rs3 is what else the place of rd names. */
	ISA_FMT_RRD, /* x rd, which it also reads, x rs1, x rs2 */
	ISA_FMT_TI6, /* x rd, x rs1, number of a bit */
	ISA_FMT_TI5,
	ISA_FMT_TBF, /* x rd, x rs1, last and first bit of a field: imm is last << 6 | first */
	ISA_FMT_TRR, /* x rd, x rs1, x rs2, shift amount */
	ISA_FMT_TSR, /* x rs3, which is stored, x rs1, x rs2, shift amount */
	ISA_FMT_TLI, /* x rd, (x rs1), step, shift amount: imm is step << 2 | shift amount */
	ISA_FMT_TSI, /* x rs3, which is stored; the same */
	ISA_FMT_TLP, /* x rd, x rs2, (x rs1), index of a pair of 16 bytes */
	ISA_FMT_TLQ, /* of 8 bytes */
	ISA_FMT_TSP, /* x rs3, x rs2, which are stored; the same */
	ISA_FMT_TSQ,
	ISA_FMT_FL, /* f rd, imm(x rs1) */
	ISA_FMT_FS, /* f rs2, imm(x rs1) */
	ISA_FMT_FR, /* f rd, f rs1, f rs2 */
	ISA_FMT_FRM, /* f rd, f rs1, f rs2, rounding mode */
	ISA_FMT_R4, /* f rd, f rs1, f rs2, f rs3, rounding mode */
	ISA_FMT_F1RM, /* f rd, f rs1, rounding mode */
	ISA_FMT_FCMP, /* x rd, f rs1, f rs2 */
	ISA_FMT_XF, /* x rd, f rs1 */
	ISA_FMT_XFRM, /* x rd, f rs1, rounding mode */
	ISA_FMT_FX, /* f rd, x rs1 */
	ISA_FMT_FXRM, /* f rd, x rs1, rounding mode */
	ISA_FMT_FLI, /* f rd, constant */
	ISA_FMT_TFL, /* f rd, x rs1, x rs2, shift amount */
	ISA_FMT_TFS, /* f rs3, which is stored; the same */
	/*
	 * Vectors.  v: a vector register; vm: bit 25, which is 0 for a masked instruction.  imm is
	 * the immediate or, if there is none, nf of a load or store.
	 */
	ISA_FMT_VSETVLI, /* x rd, x rs1, vtype */
	ISA_FMT_VSETIVLI, /* x rd, uimm, vtype */
	ISA_FMT_TVSETVLI, /* x rd, x rs1, vtype of XTheadVector */
	ISA_FMT_VLS, /* v rd, (x rs1), vm */
	ISA_FMT_VLSS, /* v rd, (x rs1), x rs2, vm */
	ISA_FMT_VLX, /* v rd, (x rs1), v rs2, vm */
	ISA_FMT_VLR, /* v rd, (x rs1) */
	ISA_FMT_VVV, /* v rd, v rs2, v rs1, vm */
	ISA_FMT_VVX, /* v rd, v rs2, x rs1, vm */
	ISA_FMT_VVF, /* v rd, v rs2, f rs1, vm */
	ISA_FMT_VVI, /* v rd, v rs2, imm, vm */
	ISA_FMT_VVU, /* v rd, v rs2, uimm, vm */
	ISA_FMT_VVVA, /* v rd, v rs1, v rs2, vm: rd is an operand, too */
	ISA_FMT_VXVA, /* v rd, x rs1, v rs2, vm */
	ISA_FMT_VFVA, /* v rd, f rs1, v rs2, vm */
	ISA_FMT_VVVM, /* v rd, v rs2, v rs1, v0 */
	ISA_FMT_VVXM, /* v rd, v rs2, x rs1, v0 */
	ISA_FMT_VVIM, /* v rd, v rs2, imm, v0 */
	ISA_FMT_VVFM, /* v rd, v rs2, f rs1, v0 */
	ISA_FMT_VVVN, /* v rd, v rs2, v rs1 */
	ISA_FMT_VVXN, /* v rd, v rs2, x rs1 */
	ISA_FMT_VVIN, /* v rd, v rs2, imm */
	ISA_FMT_VV1, /* v rd, v rs2, vm */
	ISA_FMT_VV, /* v rd, v rs2 */
	ISA_FMT_VD, /* v rd, vm */
	ISA_FMT_VMVV, /* v rd, v rs1 */
	ISA_FMT_VMVX, /* v rd, x rs1 */
	ISA_FMT_VMVF, /* v rd, f rs1 */
	ISA_FMT_VMVI, /* v rd, imm */
	ISA_FMT_VXV, /* x rd, v rs2 */
	ISA_FMT_VXVM, /* x rd, v rs2, vm */
	ISA_FMT_VXVX, /* x rd, v rs2, x rs1 */
	ISA_FMT_VFV, /* f rd, v rs2 */
	ISA_FMT_VVU6, /* v rd, v rs2, uimm of 6 bits, vm */
	ISA_FMT_VVUN, /* v rd, v rs2, uimm */
	ISA_FMT_VVB, /* v rd, v rs2: rd is an operand, too */
	ISA_FMT_VVUB, /* v rd, v rs2, uimm: the same */
	ISA_FMT_VVVB, /* v rd, v rs2, v rs1: the same */
	ISA_FMT_TVAMO, /* v rd or, if imm (wd) is 0, no result; v rs2, (x rs1), v rd, vm */
	ISA_FMT_NR
};

/* Kinds of instructions that counters, cost models and pipelines distinguish. */
enum isa_class {
	ISA_CLASS_ALU,
	ISA_CLASS_MUL,
	ISA_CLASS_DIV,
	ISA_CLASS_LOAD,
	ISA_CLASS_STORE,
	ISA_CLASS_LR,
	ISA_CLASS_SC,
	ISA_CLASS_AMO,
	ISA_CLASS_BRANCH, /* conditional */
	ISA_CLASS_JUMP,
	ISA_CLASS_CSR,
	ISA_CLASS_SYSTEM,
	ISA_CLASS_FENCE,
	ISA_CLASS_CBO,
	ISA_CLASS_FLOAD,
	ISA_CLASS_FSTORE,
	ISA_CLASS_FADD,
	ISA_CLASS_FMUL,
	ISA_CLASS_FMA,
	ISA_CLASS_FDIV, /* and square root */
	ISA_CLASS_FCVT,
	ISA_CLASS_FMISC, /* moves, comparisons, signs */
	ISA_CLASS_VSET, /* vectors: configuration */
	ISA_CLASS_VLOAD,
	ISA_CLASS_VSTORE,
	ISA_CLASS_VINT,
	ISA_CLASS_VFIXED, /* fixed point */
	ISA_CLASS_VFLOAT,
	ISA_CLASS_VMASK,
	ISA_CLASS_VPERM, /* permutations, moves of scalars */
	ISA_CLASS_VRED, /* integer reductions */
	ISA_CLASS_VFRED, /* floating-point reductions */
	ISA_CLASS_VCRYPTO, /* ciphers and hashes */
	ISA_CLASS_VAMO, /* atomics */
};

/*
 * Extensions that a hart may have or lack.  After them comes what instructions need otherwise: the
 * privileged ones, which every hart has, and those that need one of two extensions, or two.
 */
enum isa_ext {
#define EXT(id, name) ISA_EXT_##id,
#include "ext.def"
	ISA_EXT_NR,
	ISA_EXT_S = ISA_EXT_NR,
#define EITHER(id, a, b) ISA_EXT_##id,
#define BOTH(id, a, b)	 ISA_EXT_##id,
#include "ext.def"
	ISA_EXT_NEEDS,
};

extern const char *const isa_ext_name[ISA_EXT_NR];

/* A set of extensions. */
#define ISA_EXT_WORDS ((ISA_EXT_NR + 63) / 64)

struct isa_set {
	uint64_t word[ISA_EXT_WORDS];
};

static inline bool isa_set_has(const struct isa_set *s, unsigned ext)
{
	return s->word[ext / 64] >> ext % 64 & 1;
}

static inline void isa_set_add(struct isa_set *s, unsigned ext)
{
	s->word[ext / 64] |= 1ull << ext % 64;
}

static inline void isa_set_remove(struct isa_set *s, unsigned ext)
{
	s->word[ext / 64] &= ~(1ull << ext % 64);
}

/* Whether a hart with these extensions has an instruction that needs this (isa_row.ext). */
bool isa_has(const struct isa_set *has, unsigned ext);

/* What a number of one of two extensions, or of two, stands for.  False: it is an extension. */
bool isa_parts(unsigned ext, unsigned *a, unsigned *b, bool *both);

/* Adds to a set what its extensions contain. */
void isa_set_close(struct isa_set *s);

struct isa_row {
	char name[20]; /* as the assembler writes it, but with _ instead of . */
	uint32_t match, mask;
	uint8_t format, class, ext;
};

/* Whether it is of the vectors 0.7.1 of T-Head's cores. */
static inline bool isa_is_thead_vector(const struct isa_row *r)
{
	return r->ext == ISA_EXT_XTHEADVECTOR || r->ext == ISA_EXT_XTHEADZVAMO;
}

/* Indexed by enum isa_insn; row ISA_NONE matches nothing. */
extern const struct isa_row isa_table[ISA_NR];

/* An index of isa_table for isa_find(), in the caller's memory; isa_index_init() fills it. */
#define ISA_INDEX_ROWS 2048

struct isa_index {
	/* The caller's: encodings of c.fsdsp are instructions of Zcmp and Zcmt. */
	bool zcm;
	/* The caller's: encodings of V are instructions of XTheadVector or XTheadZvamo. */
	bool thead;
	uint16_t first[257]; /* by opcode[6:2] and funct3 */
	uint16_t row[ISA_INDEX_ROWS];
};

void isa_index_init(struct isa_index *index);

/*
 * The bits that isa_find() and isa_fields() take for an instruction on RV64: itself, or of 16 bits
 * its equivalent; or itself, if index->zcm and it is one of Zcmp or Zcmt.
 */
uint32_t isa_wide(const struct isa_index *index, uint32_t insn);

/* The instruction that these bits are on RV64, or ISA_NONE. */
enum isa_insn isa_find(const struct isa_index *index, uint32_t insn);

/* The fields of an instruction; fields that it does not have are 0. */
struct isa_fields {
	uint8_t rd, rs1, rs2, rs3;
	uint8_t rm; /* rounding mode */
	bool masked; /* by v0 */
	int32_t imm; /* also the shift amount, CSR number, fence sets (pred << 4 | succ), vtype */
};

void isa_fields(enum isa_insn id, uint32_t insn, struct isa_fields *f);

/* Register n of those that cm.push stores, from the lowest address on: ra, s0, s1 to s11. */
static inline unsigned isa_saved(unsigned n)
{
	return n == 0 ? 1 : n < 3 ? 7 + n : 15 + n;
}

/*
 * Writes the instruction as assembly language to text, branch targets as absolute addresses.  The
 * text is cut to size bytes, with a NUL at its end.  insn: 32 bits, or 16 if compressed.
 */
void isa_disassemble(const struct isa_index *index, uint32_t insn, uint64_t pc, char *text,
		     unsigned size);

/*
 * The same for people, as GNU objdump prints it: pseudo-instructions (ret, mv, beqz), CSRs by name,
 * rounding modes, targets without 0x, and ".4byte 0x57" for what is not an instruction.
 */
void isa_assembly(const struct isa_index *index, uint32_t insn, uint64_t pc, char *text,
		  unsigned size);

/*
 * Where a branch or jump with a constant offset goes.  Returns false for all other instructions.
 * isa_assembly() puts the target at the end of the text.
 */
bool isa_target(const struct isa_index *index, uint32_t insn, uint64_t pc, uint64_t *target);

#define ISA_CSR_NAME_SIZE 16

/* Sets the name of a CSR as in the manual; "" if no extension that this project knows has it. */
void isa_csr_name(unsigned num, char to[ISA_CSR_NAME_SIZE]);

/* A load or store. */
struct isa_access {
	uint8_t bytes; /* 1, 2, 4 or 8 */
	uint8_t reg; /* rd of a load, rs2 of a store: x or, if is_float, f */
	uint8_t base; /* rs1 */
	bool is_store;
	bool is_float;
	bool is_signed;
	int32_t offset;
};

/*
 * Decodes a 32-bit load or store of one register into *a; false for any other instruction, atomic
 * and vector accesses included.
 */
bool isa_decode_access(uint32_t insn, unsigned xlen, struct isa_access *a);

/* A Zicsr instruction. */
struct isa_csr {
	uint16_t csr;
	uint8_t rd;
	uint8_t rs1; /* or the immediate */
	bool immediate;
	bool writes; /* false: it only reads */
};

/* Decodes csrrw, csrrs, csrrc and their immediate forms; false for any other instruction. */
bool isa_decode_csr(uint32_t insn, struct isa_csr *c);

#endif

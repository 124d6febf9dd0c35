/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decode.h - what the models need to know of an instruction.
 *
 * Only instructions that have retired are decoded, so nothing is checked.  A compressed
 * instruction is what it stands for.
 */
#ifndef SECOND_DECODE_H
#define SECOND_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"

/* Rule P11, in its order. */
enum class {
	CLASS_ALU,
	CLASS_MUL,
	CLASS_DIV,
	CLASS_LOAD,
	CLASS_STORE,
	CLASS_AMO,
	CLASS_BRANCH,
	CLASS_FP_ADD,
	CLASS_FP_MUL,
	CLASS_FP_FMA,
	CLASS_FP_DIV,
	CLASS_FP_SQRT,
	CLASS_FP_MISC,
	CLASS_CSR,
	CLASS_FENCE,
	CLASS_MUL_32,
	CLASS_DIV_32,
	CLASS_FP_ADD_32,
	CLASS_FP_MUL_32,
	CLASS_FP_FMA_32,
	CLASS_FP_DIV_32,
	CLASS_FP_SQRT_32,
	CLASS_FP_SIGN,
	CLASS_FP_CONVERT,
	CLASS_FP_MOVE,
	CLASS_VSET
};

/* Rule B1. */
enum transfer {
	TRANSFER_NONE,
	CONDITIONAL,
	DIRECT_JUMP,
	CALL,
	INDIRECT_JUMP,
	INDIRECT_CALL,
	RETURN,
	SWAP
};

enum { REG_F = 32, REGS = 64, INSN_EVENTS_MAX = 6, PARTS_MAX = 16 };

/* Rule W12: a memory operand. */
struct memory_operand {
	unsigned base, bytes; /* bytes 0: there is none */
	int64_t offset;
};

struct insn {
	unsigned size; /* bytes */
	enum class class;
	/* Rule P13: registers 1 to 31, floating-point ones from REG_F on, 0 none. */
	unsigned rs1, rs2, rs3, rd;
	enum transfer transfer;
	int64_t offset; /* of a conditional branch */
	enum event
		events[INSN_EVENTS_MAX]; /* but for what B13, taken or not, and CSR writes decide */
	unsigned nr_events;
	bool is_load; /* loads and lr */
	bool fence; /* fence, not pause, fence.i or sfence.vma (rule L7) */
	bool fence_i, sfence_vma, mret_sret, wfi; /* sinval.vma is an sfence_vma here (rule F4) */
	bool csr_writes;
	bool vector; /* of section VECTOR UNITS: all but those that set vtype */
	uint32_t more_reads, more_writes; /* of integer registers, as bits: rule P15 */
	bool table; /* rule F8 */
	struct memory_operand memory;
	/* Integer registers, as bits: what T-Head's accesses write besides a result (W12). */
	uint32_t ready_at_once;
	bool steps; /* rule W12, 3: it adds to its own register: */
	int64_t step;
};

/* Rule P15: the parts of an instruction, each with what the pipeline needs to know. */
struct parts {
	unsigned n; /* 0: it has none */
	struct insn part[PARTS_MAX];
};

/* Rule V3, in its order. */
enum vector_class {
	V_ADD,
	V_LOGIC,
	V_MUL,
	V_DIV,
	V_FP_ADD,
	V_FP_MISC,
	V_FP_DIV,
	V_MASK,
	V_PERMUTE,
	V_GATHER,
	V_REDUCE,
	V_FP_REDUCE,
	V_FP_ORDERED,
	V_SCALAR,
	V_CRYPTO,
	V_LOAD,
	V_STORE
};

/* Rules V3, V4: a vector instruction with a vtype. */
struct vector_regs {
	unsigned first, n;
};
struct vector_insn {
	enum vector_class class;
	unsigned size; /* of elements, log2 of bytes */
	unsigned eighths; /* E */
	unsigned fields;
	bool masked;
	bool each; /* strided or indexed, or an AMO: each field by itself */
	struct vector_regs from[4], to;
	unsigned lanes; /* rule V9 */
};

/* Minor opcodes of vector instructions, and an encoding of V that is free: th.vext.x.v. */
enum { OPIVV, OPFVV, OPMVV, OPIVI, OPIVX, OPFVF, OPMVX, OPCFG };
enum { F6_INDEXED = 0x11 };

/* thead: vtype, loads and stores are those of XTheadVector. */
struct vector_insn decode_vector(uint32_t bits, unsigned vtype, unsigned vlen, bool thead);
/* An instruction as V encodes it; bits: as XTheadVector does, if it is a vector one. */
uint32_t decode_thead_vector(uint32_t bits);
/* Whether an instruction is not of V, but of Zvbb, Zvbc or a cipher's extension. */
bool decode_vector_is_later(uint32_t bits);
/* Class, scalar registers and events, for decode(). */
void decode_vector_issue(struct insn *i, uint32_t bits);

/* The fences of T-Head that a CPU has, as bits. */
enum thead_fences { THEAD_CMO = 1, THEAD_SYNC = 2 };

/* thead: enum thead_fences.  shadow: shadow stacks are on (rule P11). */
struct insn decode(uint32_t bits, unsigned thead, bool shadow);
/* Rule A8: one of the words of which it speaks; one that is a fence. */
bool decode_is_fence_word(uint32_t bits);
bool decode_is_thead_fence(uint32_t bits, unsigned thead);
/* The same for an instruction of Zcmp or Zcmt (decode_zcm.c).  False: it is not one. */
bool decode_zcm(uint32_t bits, struct insn *i, struct parts *p);
/* Whether an instruction that has accessed memory is one of shadow stacks. */
bool decode_is_shadow(uint32_t bits);
/* The 32 bits that a compressed instruction stands for (decode_short.c). */
uint32_t decode_expand(uint16_t bits);

#endif

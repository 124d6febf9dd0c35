/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * native.h - native code: runs (block.h) that execute often, as machine code of the host.
 *
 *	engine_body.h, COUNT	a run has executed often enough: native_translate
 *	engine_body.h, NATIVE	native_run, until the code leaves; the engine then goes on there, at
 *				the same label at which the interpreter would be
 *
 * The code is made of copies of stencils (stencil.h), which the compiler has made of op/.  It
 * counts and does exactly what the interpreter does.  It leaves to the interpreter what it cannot
 * do: the instructions of op/sys.h, runs without code, and whatever stops at a budget, a fetch, a
 * fault or an event of an access.
 *
 * All harts of a machine share the code.  It is in one region of memory, and is freed with the
 * blocks (block_flush).  One thread runs all harts, so a fence of the guest needs no fence of the
 * host.
 *
 * The hosts are x86-64 and aarch64 (native_host.h).  gcc compiles the stencils, also in a build by
 * clang; a build without gcc, or for another host, has none.
 */
#ifndef SIM_NATIVE_H
#define SIM_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine.h"

struct block_run;
struct bpred_config;
struct hart;
struct listener;
struct native;

/*
 * Why code leaves: what native_run returns.  In the first four, the bits from NATIVE_INSN on are
 * the number of the instruction.
 */
enum native_leave {
	NATIVE_FAULT, /* the instruction has faulted */
	NATIVE_ILLEGAL,
	NATIVE_AFTER, /* it has retired, and h->stop is set */
	NATIVE_HERE, /* the interpreter must execute it */
	NATIVE_BEGIN, /* r, which has no code, may run: the interpreter must execute it */
	NATIVE_LEFT, /* the engine must return */
};

#define NATIVE_KIND 7u
#define NATIVE_INSN 3

/* The stencils of one engine, as extract.c has found them. */
enum native_hole {
#define NATIVE_HOLE(name, bits) HOLE_##name,
#include "native_hole.def"
	HOLE_NR
};

/* The stencils that are not instructions; an instruction's number is its op. */
enum native_stencil {
	STENCIL_END = ENGINE_END,
	STENCIL_unlinked = ENGINE_OP_NR,
	STENCIL_here,
	STENCIL_link,
	STENCIL_link_self,
	STENCIL_link_lines,
	STENCIL_link_told,
	STENCIL_begin,
	STENCIL_count,
	STENCIL_jumped,
	STENCIL_vectors,
	STENCIL_general, /* how many have the number of an instruction, or one above */
#define INSN(name, match, mask, format, class, ext) STENCIL_##name = ISA_##name,
#include "insn.def"
};

/*
 * An instruction may have stencils of their own for operands that are frequent.  Their number is
 * NATIVE_VARIANT(variant, op).  All are made of the same line of op/.
 */
enum native_variant {
	NATIVE_SINK, /* nothing is written: rd is x0 */
	NATIVE_SAME, /* rd is rs1 */
	NATIVE_ZERO1, /* rs1 is x0 */
	NATIVE_ZERO2, /* rs2 is x0 */
	NATIVE_DYNAMIC, /* the rounding mode is that of frm */
	NATIVE_VARIANTS,
};

#define NATIVE_VARIANT(variant, op) (STENCIL_general + (variant)*ENGINE_OP_NR + (op))
#define STENCIL_NR		    NATIVE_VARIANT(NATIVE_VARIANTS, 0)

enum {
	STENCIL_sink_END = NATIVE_VARIANT(NATIVE_SINK, ENGINE_END),
	STENCIL_zero2_END = NATIVE_VARIANT(NATIVE_ZERO2, ENGINE_END),
#define INSN(name, match, mask, format, class, ext)                                                \
	STENCIL_sink_##name = NATIVE_VARIANT(NATIVE_SINK, ISA_##name),                             \
	STENCIL_same_##name = NATIVE_VARIANT(NATIVE_SAME, ISA_##name),                             \
	STENCIL_zero1_##name = NATIVE_VARIANT(NATIVE_ZERO1, ISA_##name),                           \
	STENCIL_zero2_##name = NATIVE_VARIANT(NATIVE_ZERO2, ISA_##name),                           \
	STENCIL_dynamic_##name = NATIVE_VARIANT(NATIVE_DYNAMIC, ISA_##name),
#include "insn.def"
};

/* What a relocation points to. */
enum native_target {
	NATIVE_TO_HOLE, /* its value */
	NATIVE_TO_HOT, /* this stencil's code */
	NATIVE_TO_COLD,
	NATIVE_TO_NEXT, /* hole_next: after this stencil's hot code */
	NATIVE_TO_WAY0, /* hole_way0 */
	NATIVE_TO_WAY1,
	NATIVE_TO_ROUTINE, /* rt_ function number n */
	NATIVE_TO_CALL, /* C function number n */
};

struct native_reloc {
	uint16_t at; /* in the hot code, or from its end on in the cold code */
	uint16_t type; /* R_X86_64_ or R_AARCH64_ */
	/* From the beginning of the instruction, if its operand can be a register instead; or 0. */
	uint8_t start;
	uint8_t target; /* enum native_target */
	uint16_t n;
	int32_t addend;
};

struct native_code {
	uint32_t bytes; /* where its bytes begin: hot code, then cold code */
	uint16_t hot, cold;
	uint32_t reloc; /* its first relocation */
	uint16_t relocs;
};

struct native_call {
	const void *to; /* a C function */
	bool knows_none; /* it does not take a hart */
};

/* Routines with a name. */
enum native_routine {
#define NATIVE_ROUTINE(name) ROUTINE_##name,
#include "native_routine.def"
	ROUTINE_NR
};

struct native_stencils {
	const uint8_t *bytes;
	const struct native_reloc *reloc;
	const struct native_code *code; /* by enum native_stencil; hot 0: there is none */
	const struct native_code *routine;
	unsigned routines;
	uint16_t named[ROUTINE_NR]; /* plus 1; 0: this engine has no such routine */
	const struct native_call *call;
	unsigned calls;
};

/* The tables of extract.c, which an engine includes.  The arguments are named[]. */
#define NATIVE_TABLES(...)                                                                         \
	{                                                                                          \
		.bytes = native_bytes, .reloc = native_reloc, .code = native_code,                 \
		.routine = native_routine,                                                         \
		.routines = sizeof(native_routine) / sizeof(native_routine[0]),                    \
		.named = { __VA_ARGS__ }, .call = native_call,                                     \
		.calls = sizeof(native_call) / sizeof(native_call[0]),                             \
	}

/* The stencils of engine.c and engine_timed.c.  routines 0: this build has none. */
extern const struct native_stencils plain_stencils, timed_stencils;

/*
 * Creates *n, with a region of so many bytes, to which the host gives memory when code is written.
 * False: no memory.  *n is NULL if the host does not allow code in memory, or the build has no
 * stencils.  predictor: that of all harts; NULL: they have no models.
 */
bool native_create(struct native **n, const struct native_stencils *s, size_t bytes,
		   const struct bpred_config *predictor);
void native_destroy(struct native *n);

/* Gives r code; h is about to run it.  If there is no room, native_full is then true. */
void native_translate(struct native *n, const struct hart *h, struct block_run *r);

/* r, which has code, has been linked: lets its code go on to successors that have code, too. */
void native_link(struct native *n, struct block_run *r);

/*
 * From now on code must count how often runs come to their ends (tally.h), and, with a listener,
 * tell it of calls and of jumps to its targets.  A listener that hears of runs also wants counts of
 * fetches.  If there is code that does not do so, native_full becomes true, so that it is freed
 * with the blocks; until then the interpreter runs harts that count.
 */
void native_counts(struct native *n, const struct listener *listener);

bool native_full(const struct native *n);

/* Frees all code.  All runs are about to be freed. */
void native_flush(struct native *n);

/* Runs *r, which has code and is at *pc; all of it may run.  Returns why and where it leaves. */
unsigned native_run(struct native *n, struct hart *h, struct block_run **r, uint64_t *pc);

#endif

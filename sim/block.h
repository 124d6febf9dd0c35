/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * block.h - predecoded instructions, in blocks that are entered at the top only.
 *
 * A block is straight-line code of one physical page: it ends with the first instruction that may
 * go elsewhere or change what the machine is (jump, branch, CSR, system), at the page's end or
 * after BLOCK_MAX instructions.  It is keyed by its physical address and holds nothing of the
 * virtual one, so that all harts, modes and address spaces share it.  All blocks of a page die
 * when one of its instructions is written (block_written).
 *
 * What it costs and counts is summed here when it is decoded: the engine adds the sums when it
 * has run to its end, and pmu_add_part resolves the part up to an instruction when it has not.
 */
#ifndef SIM_BLOCK_H
#define SIM_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "model/cost.h"

struct machine;
struct hart;

#define BLOCK_MAX 64

/*
 * One instruction.  op is an enum isa_insn or an enum engine_op; rd of x0 is 32, where writes
 * are lost.
 */
struct insn {
	uint16_t op;
	uint16_t at; /* bytes from the block's start */
	uint8_t rd, rs1, rs2, rs3; /* rs3 of jal and jalr: enum bpred_kind */
	int32_t imm; /* or the rounding mode */
	uint32_t raw; /* as in memory: 16 or 32 bits */
};

struct block {
	uint64_t pa;
	struct block *next_hash, *next_page;
	/*
	 * With models: this block and those after it, in up to BLOCK_LINES lines of L1I, as one that
	 * may run when a fetch of each of these would change nothing; NULL: there is none.  Of such a
	 * one, part is the block that it begins with.
	 */
	struct block *whole, *part;
	bool joined; /* whole has been looked for */
	bool chained; /* to[] may be used */
	bool live;
	uint8_t count[EVENT_CODE_NR];
	/* Where models are on (timing.h): */
	uint16_t stall[COST_STATIC_STALLS]; /* as a run, or several */
	uint16_t head_stall[COST_STATIC_STALLS]; /* without its last instruction */
	uint64_t fetch_line; /* the first of L1I in which it lies */

	/* What the engine looks at each time: together, and beside the instructions. */
	struct block *to[2]; /* in the same page: where it goes on, not taken and taken */
	uint64_t seen; /* L1I's changes, when all its lines were the last ones used in their sets */
	uint16_t cycles; /* as a run, or several */
	uint16_t last; /* bytes from its start to its last two */
	uint8_t nr; /* instructions; insn[nr] is ENGINE_END */
	bool branches; /* ends with a conditional branch */
	uint8_t lines; /* of L1I, in which it lies: one, or two of an instruction, but for a whole */
	uint8_t next_lines[2]; /* how many are fetched if it goes on with to[] */
	struct insn insn[];
};

/* Of L1I: what a block with models may span. */
#define BLOCK_LINES 4

/* Room for the longest block: for those made for one use, part of another or not to be kept. */
#define BLOCK_BYTES                                                                                \
	(sizeof(struct block) + (BLOCK_MAX + 1) * sizeof(struct insn) +                            \
	 BLOCK_MAX * sizeof(uint16_t))

/* With models, and behind the instructions: the cycles of b before each of them. */
static inline uint16_t *block_before(const struct block *b)
{
	return (uint16_t *)&b->insn[b->nr + 1];
}

/* Whether control may leave, or the machine may be another, after this instruction. */
bool block_ends(const struct insn *i);

/* The CODE events of one instruction, as bits. */
uint64_t block_insn_events(const struct insn *i);

/*
 * The position after the instruction with which n (> 0) is reached, or nr if it is not: each
 * instruction counts for each bit of events (CODE events) that it is, and each more.
 */
unsigned block_find(const struct block *b, uint64_t events, unsigned each, uint64_t n);

/*
 * The block that begins at physical address pa, decoded if it is new; NULL unless at least
 * its first instruction lies whole in one page of RAM.
 */
struct block *block_at(struct machine *m, uint64_t pa);

/* That b goes on with next, or next->whole, taken or not. */
void block_link(const struct machine *m, struct block *b, unsigned way, struct block *next);

/* One instruction, raw and at pa, as a block of its own in s (BLOCK_BYTES). */
void block_single(struct machine *m, struct block *s, uint64_t pa, uint32_t raw);

/* The first nr instructions of b in s. */
void block_prefix(struct block *s, const struct block *b, unsigned nr);

/*
 * RAM was or will be written: drops the code of its page if it holds any of these bytes.
 * Returns whether it did, and the hart that runs must leave its block.
 */
bool block_written(struct machine *m, uint64_t pa, uint64_t len);

/* Forgets all code. */
void block_flush(struct machine *m);

#endif

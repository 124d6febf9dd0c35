/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * block.h - predecoded instructions, in blocks that are entered at the top only.
 *
 *	a page of code:	| addi  ld  beq | addi  sd  addi  jal | ...  | addi  ret |
 *			|<-- block A -->|<------ block B ---->|      |<-- C ---->|
 *			|<------------ superblock ----------->|
 *
 *	A->to[0] == B		the successor if the branch is not taken
 *	A->to[1] == C		the successor if it is taken, and its target is C
 *	A->superblock		with models: A and B as one block, if they are near each other
 *
 * A block is straight-line code in one physical page.  It ends with the first instruction that can
 * go elsewhere or change the state of the machine (jump, branch, CSR, system), at the end of the
 * page, or after BLOCK_MAX instructions; with models also at the end of a line of L1I (timing_cut).
 * Its key is its physical address.  It does not depend on virtual addresses, so all harts, modes
 * and address spaces share it.  A write to an instruction invalidates all blocks of its page
 * (block_written).
 *
 * The sums of the block's events and costs are computed when it is decoded.  The engine adds them
 * when the block has run to its end; if it has not, pmu_add_part adds the events of the
 * instructions that have retired.
 */
#ifndef SIM_BLOCK_H
#define SIM_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "cost.h"

struct cluster;
struct hart;

#define BLOCK_MAX 64

/*
 * One instruction.  op is an enum isa_insn or an enum engine_op.  If rd is x0 it is REG_SINK, so
 * that writes do no harm.
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
	 * With models.  superblock: this block and its successors in up to BLOCK_LINES lines of
	 * L1I as one block, which can run while fetches of its lines would change nothing in L1I.
	 * NULL: there is none.  In a superblock, first is the block with which it begins.
	 */
	struct block *superblock, *first;
	bool superblock_tried; /* join has tried to make superblock */
	bool chained; /* to[] may be used */
	bool valid; /* not unlinked: its code has not been written since */
	uint8_t count[EVENT_CODE_NR];
	/* With models (timing.h): */
	uint16_t stall[COST_STATIC_STALLS]; /* static stall cycles */
	uint16_t head_stall[COST_STATIC_STALLS]; /* the same without the last instruction */
	uint64_t fetch_line; /* its first line of L1I */

	/* Hot: the engine reads these for each block, so they are beside the instructions. */
	struct block *to[2]; /* successors in the same page: not taken, taken */
	uint64_t seen; /* L1I's count of changes when timing_l1i_has was last true */
	uint16_t cycles; /* with models: static cycles */
	uint16_t last; /* bytes from its start to its last two bytes */
	uint8_t nr; /* instructions; insn[nr] is ENGINE_END */
	bool branches; /* ends with a conditional branch */
	uint8_t lines; /* the number of its L1I lines: one or two, more for a superblock */
	uint8_t next_lines[2]; /* how many lines a step to to[] fetches */
	struct insn insn[];
};

/* The maximum number of L1I lines of a superblock. */
#define BLOCK_LINES 4

/* The size of the longest block.  hart.scratch has it: it takes any block for one use. */
#define BLOCK_BYTES                                                                                \
	(sizeof(struct block) + (BLOCK_MAX + 1) * sizeof(struct insn) +                            \
	 BLOCK_MAX * sizeof(uint16_t))

/* With models: an array behind the instructions, the cycles of b before each of them. */
static inline uint16_t *block_before(const struct block *b)
{
	return (uint16_t *)&b->insn[b->nr + 1];
}

/* Whether a block ends with this instruction: it can jump or change the state of the machine. */
bool block_ends(const struct insn *i);

/* The CODE events of one instruction, as bits. */
uint64_t block_insn_events(const struct insn *i);

/*
 * Adds up over the instructions of b: for each one its events among `events` (bits of CODE events)
 * plus `each`.  Returns after how many instructions the sum reaches n (> 0), or nr if it does not.
 */
unsigned block_find(const struct block *b, uint64_t events, unsigned each, uint64_t n);

/*
 * Returns the block at physical address pa; decodes it if it is new.  NULL: not all of its first
 * instruction is in one page of RAM.
 */
struct block *block_at(struct cluster *cl, uint64_t pa);

/* Records next, or its superblock, as b's successor.  way: 0 not taken, 1 taken. */
void block_link(const struct cluster *cl, struct block *b, unsigned way, struct block *next);

/* Makes a block of the one instruction raw, which is at pa, in s[BLOCK_BYTES]. */
void block_single(struct cluster *cl, struct block *s, uint64_t pa, uint32_t raw);

/* Makes a block of the first nr instructions of b (a prefix) in s[BLOCK_BYTES]. */
void block_prefix(struct block *s, const struct block *b, unsigned nr);

/*
 * RAM was or will be written.  If a block was decoded from these bytes, invalidates all blocks of
 * the page and returns true: the hart that runs must then leave its block.
 */
bool block_written(struct cluster *cl, uint64_t pa, uint64_t len);

/* Frees all blocks. */
void block_flush(struct cluster *cl);

/* Create and destroy the block cache: the memory of all blocks. */
bool block_cache_create(struct cluster *cl);
void block_cache_destroy(struct cluster *cl);
uint64_t block_cache_bytes(const struct cluster *cl);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * block.h - predecoded instructions, in blocks that are entered at the top only.
 *
 *	a page of code:	| addi  ld  beq | addi  sd  addi  jal | ...  | addi  ret |
 *			|<-- block A -->|<------ block B ---->|      |<-- C ---->|
 *			|<------------ superblock ----------->|
 *
 *	A->superblock		with models: A and B as one block, if they are in a few lines of L1I
 *	A->runs			A as it runs: without models one run, with models one for each
 *				state of the pipeline with which A has begun
 *	run->to[0][0]		the successor, a run of B, if the branch is not taken
 *	run->to[1][0]		the successor, a run of C, if it is taken, and its target is C
 *
 * A block is straight-line code in one physical page.  It ends with the first instruction that can
 * go elsewhere or change the state of the machine (jump, branch, CSR, system), at the end of the
 * page, or after BLOCK_MAX instructions; with models also at the end of a line of L1I (timing_cut).
 * Its key is its physical address, and whether shadow stacks are on.  It does not depend on virtual
 * addresses, so all harts, modes and address spaces share it.  A write to an instruction
 * invalidates all blocks of its page (block_written).
 *
 * The sums of the block's events are computed when it is decoded, those of a run's costs when it is
 * made.  The engine counts how often a run has come to its end (tally.h).  If it leaves a run
 * earlier, pmu_add_part adds the events of the instructions that have retired.
 */
#ifndef SIM_BLOCK_H
#define SIM_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "states.h"

struct cluster;
struct hart;
struct tally;
struct tally_key;

#define BLOCK_MAX 64

/*
 * One instruction.  op is an enum isa_insn or an enum engine_op.  If rd is x0 it is REG_SINK, so
 * that writes do no harm.
 */
struct insn {
	uint16_t op;
	uint16_t at; /* bytes from the block's start */
	uint8_t rd, rs1, rs2, rs3; /* rs3 of jumps: enum bpred_kind */
	int32_t imm; /* or the rounding mode */
	uint32_t raw; /* as in memory: 16 or 32 bits */
};

/* How the transfer of control at the end of a block was predicted: an index of run.to[]. */
enum block_outcome {
	BLOCK_RIGHT,
	BLOCK_WRONG, /* in its direction */
	BLOCK_RARE, /* in anything else, or the BTB did not know it: see block_run.rare */
	BLOCK_OUTCOMES
};

/*
 * A block that begins with one state of the pipeline (states.h).  What it costs and the state in
 * which it ends follow from that.
 */
struct block_run {
	/* What native code uses while one run follows another: one cache line of the host. */
	uint64_t seen; /* L1I's count of changes near fetch_set when timing_l1i_has was last true */
	const void *code; /* native code (native.h), or NULL */
	/* tally.h: the key of tally, if tally is active; what is not yet added to tally->ran. */
	const struct tally_key *key;
	uint64_t ways[2];
	uint32_t cycles; /* with models: static cycles */
	uint32_t fetch_set; /* the set of L1I of block's first line */
	uint16_t way_cycles[2][BLOCK_OUTCOMES]; /* with models: cycles of the control transfer */
	/* By way: an outcome of which it has no bit is one that the code itself goes on with. */
	uint8_t code_others[2];
	uint8_t nr; /* the number of instructions of block */
	uint8_t lines; /* the number of L1I lines of block */

	/* What finds the next run, where that is not linked in native code: one more line. */
	/* Successors in its page, by way: 1 if the branch is taken, else 0. */
	struct block_run *to[2][BLOCK_OUTCOMES];
	int32_t goes[2]; /* by way: bytes from its address to the successor's, but for a jalr */
	uint16_t last; /* bytes from the block's start to its last two bytes */
	uint16_t entry; /* where the engine begins: the op of insn[0], ENGINE_COUNT or _NATIVE */
	uint8_t next_lines[2]; /* how many lines a step to to[] fetches */
	/*
	 * Whether to[way][] differ, but for BLOCK_RARE.  If not, the host need not wait for the
	 * outcome before it goes on with the next block.
	 */
	bool splits[2];

	/* The numbers of the states after the transfer of control; or STATES_NONE. */
	uint32_t after[2][BLOCK_OUTCOMES];
	uint64_t fetch_line; /* block's first line of L1I */
	const struct insn *insn; /* of block */
	struct tally *tally; /* the tally that this run uses now */
	bool code_linked[2]; /* by way: its code goes on to the successor's code */
	bool branches; /* block ends with a conditional branch */
	bool ends; /* its last instruction ends it, not ENGINE_END */
	uint32_t in, out; /* numbers of the states before block and after its last instruction */

	struct block *block;
	struct block_run *next; /* the next run of the same block */
	struct block_run *first; /* of a superblock: a run of block->first, or NULL */
	void *heard; /* the listener's data; NULL: none yet */
	uint32_t code_end, code_cold; /* where in native code its end is (native.c) */
	uint16_t ran; /* number of executions, counted while entry is ENGINE_COUNT */
	/* By way: the BPRED_ bits for which the BLOCK_RARE entries were computed; 0: none. */
	uint8_t rare[2];
	bool passes; /* reads and writes are known, and no instruction is one that never passes */
	/* Out of order: the registers that the block reads and writes, as bits (timing_pass.h). */
	uint64_t reads, writes;
	uint16_t stall[COST_STATIC_STALLS]; /* static stall cycles */
	uint16_t head_stall[COST_STATIC_STALLS]; /* the same without the last instruction */
	struct timing_stalls *stalls; /* those of each instruction; NULL: not yet known */
	uint16_t before[]; /* with models: the cycles before each instruction, and all */
};

struct block {
	uint64_t pa;
	struct block *next_hash, *next_page;
	struct block_run *runs; /* the one that was last asked for comes first */
	/*
	 * With models.  superblock: this block and its successors in up to BLOCK_LINES lines of
	 * L1I as one block, which can run while fetches of its lines would change nothing in L1I.
	 * NULL: there is none.  In a superblock, first is the block with which it begins.
	 */
	struct block *superblock, *first;
	bool superblock_tried; /* join has tried to make superblock */
	bool chained; /* to[] may be used */
	bool valid; /* not unlinked: its code has not been written since */
	bool branches; /* ends with a conditional branch */
	bool shadow_stacks; /* decoded as while they are on (Zicfiss) */
	uint8_t nr; /* instructions; insn[nr] is ENGINE_END */
	uint8_t lines; /* the number of its L1I lines: one or two, more for a superblock */
	uint16_t last; /* bytes from its start to its last two bytes */
	uint64_t fetch_line; /* its first line of L1I */
	uint32_t fetch_set; /* the set of that line */
	uint8_t count[EVENT_CODE_NR];
	struct timing_regs *regs; /* out of order: those of each instruction (timing_pass.h) */
	struct insn insn[];
};

/* The maximum number of L1I lines of a superblock. */
#define BLOCK_LINES 4

/* The sizes of the longest block and of its run. */
#define BLOCK_BYTES (sizeof(struct block) + (BLOCK_MAX + 1) * sizeof(struct insn))
#define RUN_BYTES   (sizeof(struct block_run) + (BLOCK_MAX + 1) * sizeof(uint16_t))

/* The bytes of a cache line of the host: a run begins with one. */
#define RUN_ALIGN 64

/* The CODE events of one instruction, as bits. */
uint64_t block_insn_events(const struct insn *i);

/*
 * Adds up over the instructions of b: for each one its events among `events` (bits of CODE events)
 * plus `each`.  Returns after how many instructions the sum reaches n (> 0), or nr if it does not.
 */
unsigned block_find(const struct block *b, uint64_t events, unsigned each, uint64_t n);

/*
 * Returns the block at physical address pa as it is while shadow stacks are on or off; decodes it
 * if it is new.  NULL: not all of its first instruction is in one page of RAM.
 */
struct block *block_at(struct cluster *cl, uint64_t pa, bool shadow_stacks);

/*
 * Returns the run of b that begins with the state of this number.  NULL: no memory is left for it;
 * block_crowded is then true.
 */
struct block_run *block_run_of(struct cluster *cl, struct block *b, uint32_t state);

/* Whether block_run_of found no memory.  Then call block_flush. */
bool block_crowded(const struct cluster *cl);

/* Records next as the successor of r.  way: 0 not taken, 1 taken. */
void block_link(const struct cluster *cl, struct block_run *r, unsigned way, unsigned outcome,
		struct block_run *next);

/*
 * A block for one use, with room for any block and its one run, s->runs.  block_single makes it the
 * one instruction raw, which is at pa, block_prefix the first nr instructions of b.  NULL: no
 * memory.
 */
struct block *block_scratch_new(void);
void block_scratch_free(struct block *s);
void block_single(struct cluster *cl, struct block *s, uint64_t pa, bool shadow_stacks,
		  uint32_t raw);
void block_prefix(struct block *s, const struct block *b, unsigned nr);

/*
 * RAM was or will be written.  If a block was decoded from these bytes, invalidates all blocks of
 * the page and returns true: the hart that runs must then leave its block.
 */
bool block_written(struct cluster *cl, uint64_t pa, uint64_t len);

/* Memory that is kept until block_flush.  NULL: there is no room. */
void *block_memory(struct cluster *cl, size_t size);

/* Frees all blocks. */
void block_flush(struct cluster *cl);

/* Create and destroy the block cache: the memory of all blocks. */
bool block_cache_create(struct cluster *cl);
void block_cache_destroy(struct cluster *cl);

#endif

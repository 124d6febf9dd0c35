/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cost.h - the time of instructions on a pipeline.  The cycles are those of a stated model, not of
 * any silicon.  They are whole numbers.
 *
 * The static part, in order (inorder.c): instructions issue in order, up to width instructions in a
 * cycle (a group), if there are units for them.  An instruction waits until its operands are ready
 * and its unit is free.  Its result must not come before an older result for the same register.
 * All loads hit here.  A core with ALUs in two stages lets arithmetic, branches and the data of
 * stores issue before their operands are there: they execute at the second, late ALU.  But they do
 * not issue in one cycle with what they need.  So
 *
 *	cycles = groups + cycles in which nothing issued, each with one cause
 *
 * Out of order (window.c): instructions enter the window in order, issue when they can, and retire
 * in order.  The clock is the time of retirement.  So
 *
 *	cycles = cycles in which something retires + cycles in which nothing does, each with one
 *		 cause
 *
 * The state of the pipeline goes on from one instruction to the next, whatever they are: over
 * branches, lines of code, traps and time slices.  A jump, a branch that is taken, a trap and the
 * return from one end a group; so does a front end that delivers nothing.  wfi empties the
 * pipeline.  The cost of an instruction depends on those before it, never on those after it.
 * How an engine divides its work changes nothing: it takes the state along (struct cost_pipe), or
 * its number (states.h).
 *
 * The dynamic part: cycles that the answers of the other models add.  Each has one cause.  While
 * the front end waits (FRONTEND below), what is in flight goes on; out of order, the hart is
 * charged only the cycles that this does not cover.  While the back end waits for memory, the
 * pipeline that is modelled here stands still.  waits.h tells
 * what goes on while a load that missed waits for its data.
 *
 * The causes, in the words of the AX45MP's event table:
 *	WAIT_LOAD + WAIT_INT	"waiting for source operand ready in the integer register file
 *				scoreboard"
 *	WAIT_FETCH, WAIT_READ	"waiting for I-Cache fill data", "waiting for D-Cache fill data"
 *	WAIT_UNCACHED_FETCH	"waiting for uncached fetch data from bus"
 *	WAIT_UNCACHED_READ	"waiting for uncached load data from bus"
 *	WAIT_ITLB, WAIT_DTLB	"waiting for Main ITLB fill data", "pipeline stall cycles caused by
 *				Main DTLB miss"
 */
#ifndef SIM_MODEL_COST_H
#define SIM_MODEL_COST_H

#include "bpred.h"
#include "hierarchy.h"

#define COST_WIDTH_MAX	4
#define COST_CYCLES_MAX 255 /* of a class */
#define COST_STORES_MAX 32
#define COST_LOADS_MAX	64
#define COST_WINDOW_MAX 512
#define COST_AHEAD	63 /* out of order: cycles between dispatch and completion, at most */
#define COST_LATE_MAX	15

enum cost_order { COST_IN_ORDER, COST_OUT_OF_ORDER, COST_ORDERS };
extern const char *const cost_order_name[COST_ORDERS];

enum cost_class {
	COST_ALU,
	COST_MUL,
	COST_DIV,
	COST_LOAD, /* integer and floating point; lr */
	COST_STORE, /* sc, too */
	COST_AMO,
	COST_BRANCH, /* and jumps */
	COST_FP_ADD,
	COST_FP_MUL,
	COST_FP_FMA,
	COST_FP_DIV,
	COST_FP_SQRT,
	COST_FP_MISC, /* comparisons, minimum and maximum, fclass, fli */
	COST_CSR, /* and system instructions */
	COST_FENCE,
	/* Of 32 bits; single and half precision. */
	COST_MUL_32,
	COST_DIV_32,
	COST_FP_ADD_32,
	COST_FP_MUL_32,
	COST_FP_FMA_32,
	COST_FP_DIV_32,
	COST_FP_SQRT_32,
	COST_FP_SIGN, /* fsgnj, fsgnjn, fsgnjx: also copies within the floating-point registers */
	COST_FP_CONVERT, /* and rounding */
	COST_FP_MOVE, /* between integer and floating-point registers */
	COST_VSET, /* vsetvli, vsetivli, vsetvl */
	COST_CLASSES
};

/* The unit that a class uses. */
enum cost_unit {
	COST_UNIT_ALU,
	COST_UNIT_MUL,
	COST_UNIT_DIV,
	COST_UNIT_MEMORY,
	COST_UNIT_BRANCH,
	COST_UNIT_FP,
	COST_UNIT_FP_DIV, /* and square roots */
	COST_UNIT_SYSTEM, /* CSRs and fences: they issue alone, and nothing else proceeds */
	COST_UNITS
};

/* Why no instruction issues in a cycle. */
enum cost_stall {
	/* Static: an older instruction of the run */
	COST_WAIT_LOAD, /* a load's result, in an integer register */
	COST_WAIT_INT, /* another result in an integer register */
	COST_WAIT_FP, /* a result in a floating-point register, loads too */
	COST_WAIT_UNIT, /* a unit that takes nothing until it is done (division) */
	COST_WAIT_SERIAL, /* CSR, fence: busy with that alone */
	COST_STATIC_STALLS,
	/* Dynamic, at the front end */
	COST_WAIT_BRANCH = COST_STATIC_STALLS, /* refetch after a branch */
	COST_WAIT_FETCH,
	COST_WAIT_UNCACHED_FETCH,
	COST_WAIT_ITLB,
	/* Dynamic, at the back end */
	COST_WAIT_READ,
	COST_WAIT_WRITE,
	COST_WAIT_UNCACHED_READ,
	COST_WAIT_UNCACHED_WRITE,
	COST_WAIT_DTLB,
	COST_WAIT_VECTOR, /* a vector register, or a vector unit (vunit.h) */
	COST_STALLS
};

/* The stalls of the front end, as bits.  All others belong to the back end. */
#define COST_FRONTEND                                                                              \
	(1u << COST_WAIT_BRANCH | 1u << COST_WAIT_FETCH | 1u << COST_WAIT_UNCACHED_FETCH |         \
	 1u << COST_WAIT_ITLB)

/* The stalls that an older load's wait hides on an out-of-order core (waits.h). */
#define COST_HIDES (COST_FRONTEND | 1u << COST_WAIT_DTLB)

/* Why the front end delivers nothing.  In order, only the first differs from the others. */
enum cost_front {
	COST_FRONT_GOES_ON, /* a branch was not taken, as predicted: nothing waits */
	COST_FRONT_FETCHES, /* a transfer of control, a fetch: counted from the last dispatch */
	COST_FRONT_RESOLVES, /* a misprediction: from the branch's completion; recovery_cycles */
	COST_FRONT_TRAPS, /* counted from the time at which all before has retired */
};

struct cost_config {
	uint8_t order; /* enum cost_order */
	uint8_t width; /* instructions that issue, or are dispatched, in a cycle: 1 to 4 */
	uint8_t units[COST_UNITS]; /* instructions a cycle that each takes: 1 to 4 */
	uint8_t latency[COST_CLASSES]; /* cycles until a result can be used: 1 to 255 (load-use) */
	uint8_t busy[COST_CLASSES]; /* cycles until its unit takes another: 1 pipelined, to 255 */
	/* Out of order, where no latency and no busy is more than COST_AHEAD: */
	uint16_t window; /* instructions between dispatch and retirement: 1 to 512 */
	uint8_t queues[COST_UNITS]; /* instructions that wait for a unit: 1 to 255 */
	uint8_t forward_cycles; /* from a store's data to a load of it: 1 to 63; 0: none waits */
	/*
	 * From the retirement of what was mispredicted to the next dispatch, at least: 1 to 255;
	 * 0: that need not wait for a retirement.
	 */
	uint8_t recovery_cycles;

	/* Cycles after a control transfer in which nothing can issue: 0 to 1000 */
	uint16_t taken; /* one that was predicted right and taken */
	uint16_t btb_miss; /* more than that, if the BTB did not know it */
	uint16_t bad_direction, bad_target, bad_return; /* instead of all that */

	uint32_t second_tlb_cycles; /* a hit in the second-level TLB: 0 to 1000 */
	uint32_t walk_cycles; /* of a walk, beyond its memory accesses: 0 to 1000 */
	uint8_t stores; /* of the store buffer: 0 (a store waits for its line) to 32 */
	uint8_t loads; /* of the load queue: 0 (a load waits for its line) to 64 */
	uint8_t late_alu; /* in order: cycles from the first ALU to the late one: 0 (none) to 15 */

	/*
	 * The time of integer divisions (cost_division).  If it depends on their operands, latency
	 * and busy are the least, there is one divider, and it is not busy for longer than that.
	 */
	uint8_t div_bits; /* bits of a quotient in a cycle: 1 to 64; 0: it does not */
	uint8_t div_cycles; /* of a division without those: 0 to 255 */
	uint8_t div_sign; /* more for a negative operand, and for a negative result: 0 to 255 */
};

/* No register.  Others are 0 to 31 integer, where 0 is x0, and 32 to 63 floating point. */
#define COST_NO_REG 0
#define COST_REGS   64

/* Which operands an instruction can take at the late ALU. */
enum cost_late {
	COST_LATE_NONE,
	COST_LATE_DATA, /* rs2, which a store writes */
	COST_LATE_ALL, /* all: it executes there if one is not ready before */
};

/* An instruction: its class, the register it writes, and the registers it reads. */
struct cost_insn {
	uint8_t class;
	uint8_t rd, rs1, rs2, rs3;
	uint8_t late; /* enum cost_late */
	uint8_t other; /* another register that it writes, whose value is there at once; 0: none */
	uint8_t bytes; /* a load of rd from rs1 + offset, or a store of rs2 there; 0: another one */
	bool moves; /* adds offset to rs1, which is rd */
	int32_t offset;
};

/* The bytes of a store whose data is late: what its instruction says of their address (W12). */
struct cost_operand {
	int32_t offset; /* from base */
	uint8_t base, bytes;
};

/* The stores with late data that a core remembers (W12, O11). */
#define COST_OPERANDS 8

/* Whether an instruction is a load or store of some of these bytes. */
static inline bool cost_is_at(const struct cost_operand *at, const struct cost_insn *i)
{
	return at->base == i->rs1 && i->offset < at->offset + at->bytes &&
	       at->offset < i->offset + i->bytes;
}

/* Whether a file can have it; without use it is 0. */
static inline bool cost_operand_possible(const struct cost_operand *at, bool used)
{
	return used ? at->base < 32 && at->bytes && at->bytes <= 8 && !(at->bytes & (at->bytes - 1))
		    : !at->offset && !at->base && !at->bytes;
}

/* Instruction i, which writes these registers (bits), executes.  False: `at` says nothing more. */
static inline bool cost_moves(struct cost_operand *at, const struct cost_insn *i, uint64_t writes)
{
	if (!(writes >> at->base & 1))
		return true;
	at->offset -= i->offset;
	return i->moves;
}

/* What only a core that issues out of order has in flight.  Bit n, or byte n: n cycles after
 * cost_pipe.cycle. */
struct cost_window {
	uint32_t retired; /* when all has retired; not before cost_pipe.cycle */
	uint32_t resolved; /* when the branch completes, if that was the last instruction */
	/* The cycles in which more than [n] instructions of the unit keep it busy, or issue. */
	uint64_t taken[COST_UNITS][COST_WIDTH_MAX], starts[COST_UNITS][COST_WIDTH_MAX];
	uint8_t retiring[COST_AHEAD + 1]; /* how many instructions retire, if the window can fill */
	uint16_t inside; /* their sum */
	uint8_t stores; /* those with late data, in their order */
	struct cost_operand operand[COST_OPERANDS];
	uint32_t there[COST_OPERANDS]; /* when a load has their data */
};

/* The state of the pipeline, with cycles from any beginning. */
struct cost_pipe {
	/* Of the last group, or the last dispatch; if issued is 0, the first that is possible. */
	uint32_t cycle;
	uint8_t issued; /* instructions in it */
	uint32_t ready[COST_REGS]; /* when a register's value is there */
	/* In order */
	uint8_t used[COST_UNITS]; /* by the last group */
	uint32_t free[COST_UNITS]; /* when a unit takes an instruction again */
	uint8_t cause[COST_REGS]; /* of waiting for a register */
	uint8_t late; /* by how many cycles the branch that was the last instruction is late */
	uint8_t wrote[COST_WIDTH_MAX]; /* by the last group, and not too late for its late ALUs */
	struct cost_window window; /* out of order */
};

#define COST_STATE_WORDS (2 * COST_UNITS * COST_WIDTH_MAX + (COST_AHEAD + 1) / 8)

/*
 * The same, normalized: equal bytes mean equal future behaviour.  Cycles count from the last group
 * if the next instruction may join it, otherwise from the first cycle in which that instruction can
 * issue or be dispatched.  What is over is 0.  All zero: nothing is in flight.  A core uses its
 * first state_bytes bytes.
 */
struct cost_state {
	union {
		struct {
			uint8_t issued, used[COST_UNITS], free[COST_UNITS], ready[COST_REGS];
			uint8_t cause[COST_REGS], late, wrote[COST_WIDTH_MAX];
		} in;
		struct {
			uint8_t issued, lag, resolved, ready[COST_REGS];
			uint8_t stores, there[COST_OPERANDS];
			struct cost_operand operand[COST_OPERANDS];
			uint64_t word[COST_STATE_WORDS]; /* the words that the core needs */
		} out;
	};
};

/* The cost of instructions. */
struct cost_sum {
	uint32_t cycles;
	uint32_t stall[COST_STATIC_STALLS]; /* the stall cycles among these cycles, by cause */
	/* In order: groups that ended with room: */
	uint32_t cut; /* the next instruction had to wait for a result or a busy unit */
	uint32_t full; /* no unit of its kind was left in this cycle */
};

struct cost {
	size_t state_bytes;
	/* Out of order: */
	bool fills; /* the window can */
	uint8_t keeps; /* units that some instruction keeps for more than a cycle, as bits */
	uint16_t branch[2][BPRED_ANSWERS]; /* [taken][BPRED_ bits]: cycles */
	struct cost_config config;
};

bool cost_check(const struct cost_config *config, struct model_error *why);
void cost_init(struct cost *c, const struct cost_config *config);

/* The next instruction.  Adds its cost to *sum. */
void cost_step(const struct cost *c, struct cost_pipe *p, const struct cost_insn *i,
	       struct cost_sum *sum);

/*
 * The front end delivers nothing for so many cycles; after that, also if they are 0, the next
 * instruction begins a group, unless the front end goes on.  Returns the cycles by which the hart's
 * clock goes on: in order all of them, and those by which a branch that resolves was late; out of
 * order those that what is in flight does not hide.
 */
unsigned cost_wait(const struct cost *c, struct cost_pipe *p, enum cost_front why, unsigned cycles);

/* Converts from one form to the other. */
void cost_pack(const struct cost *c, const struct cost_pipe *p, struct cost_state *s);
void cost_unpack(const struct cost *c, const struct cost_state *s, struct cost_pipe *p);

/*
 * Whether the completion of a branch still counts.  That is over when cost_wait has been told how
 * the branch went on, so that a number for such a state would be wasted.
 */
static inline bool cost_unresolved(const struct cost *c, const struct cost_pipe *p)
{
	return c->config.order == COST_OUT_OF_ORDER ? p->window.resolved : p->late;
}

/* Whether the cycles of a transfer of control depend on the pipeline before it. */
static inline bool cost_branch_varies(const struct cost *c, unsigned wrong)
{
	return c->config.order == COST_OUT_OF_ORDER ||
	       (c->config.late_alu && wrong & BPRED_BAD_DIRECTION);
}

/*
 * The cycles for which instructions can have been in the pipeline already: how many of the width
 * instructions of each may retire at once.
 */
static inline unsigned cost_ahead(const struct cost *c)
{
	return c->config.order == COST_OUT_OF_ORDER ? COST_AHEAD + 1 : 0;
}

/*
 * Returns the cycles of COST_WAIT_BRANCH that a control transfer adds.  wrong: the BPRED_ bits of
 * its misprediction (bpred.h); 0: predicted correctly.
 */
static inline unsigned cost_branch(const struct cost *c, bool taken, unsigned wrong)
{
	return c->branch[taken][wrong];
}

/* Returns for what the front end waits then. */
static inline enum cost_front cost_branch_front(bool taken, unsigned wrong)
{
	if (wrong & ~(unsigned)BPRED_BTB_MISS)
		return COST_FRONT_RESOLVES;
	return taken ? COST_FRONT_FETCHES : COST_FRONT_GOES_ON;
}

/* Returns the cause of the cycles of an access. */
enum cost_stall cost_memory_stall(enum hierarchy_kind kind);

/* Returns the cycles that a walk adds; accesses is the sum of its memory accesses' cycles. */
static inline unsigned cost_walk(const struct cost *c, unsigned accesses)
{
	return c->config.walk_cycles + accesses;
}

/* An integer division. */
struct cost_division {
	uint64_t dividend, divisor; /* without their signs */
	uint8_t negative; /* 1 for a negative operand, and 1 for a negative result */
};

/* Returns by how many cycles a division of a class takes longer than its latency. */
unsigned cost_division(const struct cost_config *c, enum cost_class class,
		       const struct cost_division *d);

/* The state of a hart's pipeline; a restore that failed: an empty one. */
bool cost_save(const struct cost *c, const struct cost_state *p, const struct stream *s);
bool cost_restore(const struct cost *c, struct cost_state *p, const struct stream *s);

#endif

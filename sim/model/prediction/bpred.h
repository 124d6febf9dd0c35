/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bpred.h - branch prediction: directions, targets, returns.
 *
 * Each control transfer that retires makes one call, in order.  The call predicts, compares,
 * learns, and returns what was wrong.  There is no wrong path: a misprediction changes nothing
 * except what the predictor learns.  Addresses are virtual.  As in most hardware, address spaces
 * are not distinguished, so programs disturb each other.
 *
 *	direction	of conditional branches: STATIC (backward, or to itself, is taken), or a
 *			table of two-bit counters by pc (BIMODAL), by pc xor the last branches
 *			(GSHARE), or by pc below tagged tables (TAGE, tage.h).  BIMODE has two
 *			tables like GSHARE's, one for branches that are mostly taken and one for the
 *			others.  Counters by pc choose the table.  Only the chosen table learns.
 *			The choosing counter does not learn if it chose against the outcome and the
 *			table was right anyway (C.-C. Lee, I.-C. K. Chen, T. N. Mudge, "The bi-mode
 *			branch predictor", MICRO 1997)
 *	BTB		targets of taken transfers, set-associative, by pc; LRU.  Returns do not use
 *			it if there is a return stack.  For a direct jump or branch, a missing or
 *			wrong entry is only a BTB miss
 *	indirect	targets of jumps through a register: from the BTB, or from a table by pc xor
 *			a history of such targets
 *	return stack	circular: a call that is too deep overwrites the oldest entry
 */
#ifndef SIM_MODEL_BPRED_H
#define SIM_MODEL_BPRED_H

#include "tage.h"

#define BPRED_RETURNS_MAX 64

enum bpred_direction {
	BPRED_STATIC,
	BPRED_BIMODAL,
	BPRED_GSHARE,
	BPRED_BIMODE,
	BPRED_TAGE,
	BPRED_DIRECTIONS
};

extern const char *const bpred_direction_name[BPRED_DIRECTIONS]; /* as descriptions have it */

struct bpred_config {
	uint8_t direction; /* BPRED_STATIC ... */
	uint32_t counters; /* of a table, unless STATIC: a power of two, 2 to 2^20 */
	uint32_t history; /* of GSHARE, BIMODE: branches, 1 to log2 of counters */
	uint32_t choices; /* of BIMODE, counters that choose: a power of two, 2 to 2^20 */
	struct tage_config tage; /* of TAGE */
	uint32_t btb_sets; /* a power of two up to 65536; 0: there is none */
	uint32_t btb_ways; /* 1 to 64 */
	uint32_t targets; /* of the indirect table: a power of two, 2 to 65536; 0: BTB's targets */
	uint32_t target_history; /* bits of it, 0 to log2 of targets */
	uint32_t returns; /* the stack's depth, 0 to 64 */
};

/* A control transfer.  Unpriv 20240411, table 3: what jalr does with ra and t0. */
enum bpred_kind {
	BPRED_COND,
	BPRED_JUMP, /* jal that does not link */
	BPRED_CALL, /* jal that links */
	BPRED_INDIRECT, /* a jalr that is not one of those below */
	BPRED_INDIRECT_CALL,
	BPRED_RETURN,
	BPRED_SWAP, /* returns and calls: pops, then pushes */
	BPRED_KINDS
};

/* What was wrong. */
enum {
	BPRED_BAD_DIRECTION = 1,
	BPRED_BAD_TARGET = 2, /* of a jump through a register */
	BPRED_BAD_RETURN = 4,
	BPRED_BTB_MISS = 8, /* taken, and the BTB did not have the target */
};

#define BPRED_ANSWERS 16 /* all of the above together, plus one */

struct btb_entry {
	uint64_t pc; /* BTB_FREE */
	uint64_t target;
	uint64_t used; /* bpred.uses when it was used last; 0: free */
};

#define BTB_FREE 1 /* no pc is odd */
#define BTB_NEAR 1024

struct bpred {
	/* The fields that inline functions use. */
	/* 0 to 3, taken from 2 on, and TAGE's bits above; BIMODE's are pairs; NULL: STATIC */
	uint8_t *counter;
	uint64_t counter_mask, history, history_mask; /* history_mask 0: BIMODAL, TAGE's base */
	uint8_t *choice; /* of BIMODE: from 2 on, the second of each pair */
	uint64_t choice_mask;
	struct btb_entry *btb; /* by slot; one that is never filled if there is no BTB */
	uint64_t uses; /* of the BTB */
	uint32_t near[BTB_NEAR]; /* by pc: bytes from btb to the entry that may be its */
	bool simple; /* BIMODAL or GSHARE */

	uint64_t btb_mask;
	uint64_t *target; /* the indirect table, or NULL */
	uint64_t target_mask, path, path_mask;
	uint64_t stack[BPRED_RETURNS_MAX];
	uint32_t top, depth; /* the next place; how many are there */
	struct tage tage;
	struct bpred_config config;
};

/* why->part is "tage" for what is wrong there. */
bool bpred_check(const struct bpred_config *config, struct model_error *why);
bool bpred_init(struct bpred *p, const struct bpred_config *config);
void bpred_free(struct bpred *p);
void bpred_reset(struct bpred *p);
bool bpred_save(const struct bpred *p, const struct stream *s);
bool bpred_restore(struct bpred *p, const struct stream *s);

/* The part of bpred_btb that is not inline. */
unsigned bpred_btb_slow(struct bpred *p, uint64_t pc, uint64_t target);

/* Whether the BTB has the target at once; if so, updates it.  If not, call bpred_btb_slow. */
static inline bool bpred_btb_has(struct bpred *p, uint64_t pc, uint64_t target)
{
	uint32_t at = p->near[pc >> 1 & (BTB_NEAR - 1)];
	struct btb_entry *e = (struct btb_entry *)((char *)p->btb + at);

	if (__builtin_expect(e->pc != pc || e->target != target, 0))
		return false;
	e->used = ++p->uses;
	return true;
}

/* Returns 0 if the BTB had the target, else BPRED_ bits.  Updates the BTB. */
static inline unsigned bpred_btb(struct bpred *p, uint64_t pc, uint64_t target)
{
	return bpred_btb_has(p, pc, target) ? 0 : bpred_btb_slow(p, pc, target);
}

/* A counter, up to 3, down to 0. */
static inline unsigned bpred_trained(unsigned counter, bool up)
{
	return up ? counter + 1 - (counter >> 1 & counter) : counter - (counter > 0);
}

/*
 * Returns the index of the counter (or pair) of the branch at pc.  Then adds the outcome to the
 * history.
 */
static inline uint64_t bpred_index(struct bpred *p, uint64_t pc, bool taken)
{
	uint64_t index = (pc >> 1 ^ p->history) & p->counter_mask;

	p->history = (p->history << 1 | taken) & p->history_mask;
	return index;
}

/* The part of bpred_cond that is not inline: TAGE, STATIC.  Returns whether it was wrong. */
unsigned bpred_other(struct bpred *p, uint64_t pc, bool taken, uint64_t target);

/* BIMODAL or GSHARE (p->simple).  Returns whether it was wrong. */
static inline unsigned bpred_simple(struct bpred *p, uint64_t pc, bool taken)
{
	uint8_t *counter = &p->counter[bpred_index(p, pc, taken)];
	unsigned was = *counter;

	*counter = bpred_trained(was, taken);
	return was >> 1 ^ taken;
}

/* BIMODE.  Returns whether it was wrong. */
static inline unsigned bpred_bimode(struct bpred *p, uint64_t pc, bool taken)
{
	uint8_t *choice = &p->choice[pc >> 1 & p->choice_mask];
	unsigned chosen = *choice;
	uint8_t *counter = &p->counter[bpred_index(p, pc, taken) << 1 | chosen >> 1];
	unsigned was = *counter, wrong = was >> 1 ^ taken, learns;

	*counter = bpred_trained(was, taken);
	/*
	 * Without a jump in the host's code, because the host could not predict that jump either.
	 */
	learns = -(wrong | (chosen >> 1 == taken));
	*choice = chosen ^ ((chosen ^ bpred_trained(chosen, taken)) & learns);
	return wrong;
}

/* A conditional branch at pc, with this target, was taken or not.  Returns BPRED_ bits. */
static inline __attribute__((always_inline)) unsigned bpred_cond(struct bpred *p, uint64_t pc,
								 bool taken, uint64_t target)
{
	unsigned wrong;

	if (p->simple)
		wrong = bpred_simple(p, pc, taken);
	else if (p->choice)
		wrong = bpred_bimode(p, pc, taken);
	else
		wrong = bpred_other(p, pc, taken, target);
	if (taken)
		wrong |= bpred_btb(p, pc, target);
	return wrong;
}

/* A jump through a register at pc, not a return, went to target.  Returns BPRED_ bits. */
unsigned bpred_indirect(struct bpred *p, uint64_t pc, uint64_t target);

/* Whether its return address goes onto the stack. */
static inline bool bpred_calls(enum bpred_kind kind)
{
	return kind == BPRED_CALL || kind == BPRED_INDIRECT_CALL || kind == BPRED_SWAP;
}

static inline void bpred_push(struct bpred *p, uint64_t next)
{
	if (!p->config.returns)
		return;
	p->stack[p->top] = next;
	p->top = p->top + 1 == p->config.returns ? 0 : p->top + 1;
	p->depth += p->depth < p->config.returns;
}

static inline unsigned bpred_return(struct bpred *p, uint64_t pc, uint64_t target)
{
	if (!p->config.returns)
		return bpred_indirect(p, pc, target) ? BPRED_BAD_RETURN : 0;
	if (!p->depth)
		return BPRED_BAD_RETURN;
	p->top = (p->top ? p->top : p->config.returns) - 1;
	p->depth--;
	return p->stack[p->top] == target ? 0 : BPRED_BAD_RETURN;
}

/*
 * A jump of any kind but COND, at pc, went to target; next is the address after it.  Returns
 * BPRED_ bits.
 */
static inline unsigned bpred_jump(struct bpred *p, enum bpred_kind kind, uint64_t pc,
				  uint64_t target, uint64_t next)
{
	unsigned wrong;

	if (kind <= BPRED_CALL)
		wrong = bpred_btb(p, pc, target);
	else if (kind <= BPRED_INDIRECT_CALL)
		wrong = bpred_indirect(p, pc, target);
	else
		wrong = bpred_return(p, pc, target);
	if (bpred_calls(kind))
		bpred_push(p, next);
	return wrong;
}

#endif

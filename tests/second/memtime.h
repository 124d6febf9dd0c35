/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memtime.h - holter-model(7), WAITING and THE SHADOW OF A MISS: how long a hart waits for its
 * accesses.  In order, rules L1 to L12 hold (memtime.c).  Out of order, the pipeline goes on in
 * the shadow of a load that misses: rules O1 to O9 (shadow.c) replace some of them.
 */
#ifndef SECOND_MEMTIME_H
#define SECOND_MEMTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "cache.h"
#include "decode.h"
#include "late.h"
#include "tlb.h"

/* Rule L2: how long the data of an access takes beyond a hit in L1, and where it was. */
struct answer {
	uint64_t cycles;
	enum place place;
	bool written; /* rule M7 */
};

/* What waits for data: the state of rules L3 to L7.  Times are those of the clock of the hart. */
struct entry {
	uint64_t end; /* when it is free; a register: until when it waits, 0: it does not */
	enum place place;
	uint64_t number; /* rule O4: of the instruction */
};
enum { QUEUE_MAX = 32 }; /* rule O5 */
struct memtime {
	unsigned loads; /* in the load queue, in any order */
	struct entry *load;
	unsigned stores; /* in the store buffer, the oldest one first */
	uint64_t *store;
	struct entry reg[REGS];
	uint64_t divider; /* rule L14: until when it is busy; 0: it is free */
	struct entry vector[32]; /* rule V2 */
	/* Out of order, rule O5: */
	uint64_t number; /* of this instruction */
	struct entry operands; /* U of this instruction, 0 if there is none */
	uint64_t not_charged; /* rule O1: static cost of an instruction that traps, on the clock */
	bool translated_late; /* rule O9: its translation took cycles after U */
	uint64_t late; /* of this instruction */
	uint64_t latency; /* of its class */
	struct lates lates; /* rule O11 */
	struct {
		unsigned n;
		uint64_t time[QUEUE_MAX];
	} queue[8]; /* by unit */
};

struct hart;
struct cpu;
struct plan;

void memtime_init(struct memtime *t, const struct cpu *cpu);

/* What the page calls the time of an access (L1, O3). */
uint64_t memtime_fetch_time(const struct hart *h);
uint64_t memtime_time(const struct hart *h, const struct cpu *cpu, bool is_load);
/* The same of the first read of a walk for data. */
uint64_t memtime_walk_time(const struct hart *h, const struct cpu *cpu);

/* Rule L4, or O5, 1 to 5: before the instruction executes, whose static cost is h->cost. */
void memtime_before(struct hart *h, const struct cpu *cpu, const struct insn *i);
/* Rule O5, 8: its static cost has been taken. */
void memtime_operands(struct hart *h, const struct cpu *cpu, const struct insn *i);
/* Rule O1: static cycles go by; returns how many are not hidden. */
uint64_t memtime_static(struct hart *h, uint64_t cycles);
/*
 * Rules L1, O1: the static cost of an instruction that traps is there for its accesses, and gone
 * after them.
 */
void memtime_trapping(struct hart *h, const struct cpu *cpu);
void memtime_trapped(struct hart *h);

/* Rule L3, or O4: a load or lr to register rd, which came at a time. */
void memtime_load(struct hart *h, const struct cpu *cpu, unsigned rd, uint64_t at,
		  const struct answer *a);
/*
 * Rules V6, V8: what a vector instruction waits for, with its accesses to come; a line that a
 * vector load reads.
 */
void memtime_vector(struct hart *h, const struct cpu *cpu, const struct vector_insn *v,
		    unsigned elements);
void memtime_vector_load(struct hart *h, const struct cpu *cpu, const struct vector_insn *v,
			 uint64_t at, const struct answer *a);
/* Rule V1. */
uint64_t memtime_vector_time(const struct hart *h);

/* Rule L5: an AMO. */
void memtime_atomic(struct hart *h, const struct answer *a);
/* Rule L6: a store, sc or cbo.*. */
void memtime_store(struct hart *h, const struct cpu *cpu, const struct answer *a);
/* Rule L7. */
void memtime_fence(struct hart *h, const struct cpu *cpu);
/* A fetch waits (P8). */
void memtime_fetch(struct hart *h, enum event ev, uint64_t cycles);
/* An uncached access of data: the hart waits at once. */
void memtime_uncached(struct hart *h, enum event ev, uint64_t cycles);
/* Rules L8, L9: a hit in the second-level TLB; a walk, whose reads took so many cycles. */
void memtime_second_tlb(struct hart *h, const struct cpu *cpu, enum tlb_access access);
void memtime_walk(struct hart *h, const struct cpu *cpu, enum tlb_access access, uint64_t cycles);
/* L13 */
void memtime_return(struct hart *h, const struct cpu *cpu);
void memtime_free(struct memtime *t);

/* Rule L2: a wait for data, of which the clock goes forward. */
void memtime_count_read(struct hart *h, uint64_t cycles, enum place place);
/* Whether an instruction of this class needs the divider. */
bool memtime_divides(enum class class);
/* shadow.c: rules O2, O4 to O6. */
void shadow_stand_until(struct hart *h, uint64_t t);
void shadow_load(struct hart *h, const struct cpu *cpu, unsigned rd, uint64_t at,
		 const struct answer *a);
void shadow_grow(struct hart *h, const struct entry *e); /* R grows to its end (O4, O5, 8) */
void shadow_before(struct hart *h, const struct cpu *cpu, const struct insn *i);
void shadow_operands(struct hart *h, const struct cpu *cpu, const struct insn *i);
/* After a misprediction, for which W10 charges these cycles; returns how many are not hidden. */
uint64_t shadow_recover(struct hart *h, const struct cpu *cpu, uint64_t cycles);
/* division.c: rules L14, O10; the bits of the instruction, and the values of rs1 and rs2. */
void division_executes(struct hart *h, const struct cpu *cpu, const struct insn *i, uint32_t bits,
		       const uint64_t operand[2]);

#endif

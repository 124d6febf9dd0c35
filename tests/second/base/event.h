/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.h - the events of holter-model(7), EVENTS, in its order, and their totals.
 */
#ifndef SECOND_EVENT_H
#define SECOND_EVENT_H

#include <stdint.h>

#define EVENT_LIST(X)                                                                              \
	X(INSTRUCTIONS, "instructions")                                                            \
	X(BRANCH_INSTRUCTIONS, "branch-instructions")                                              \
	X(LOADS, "loads")                                                                          \
	X(STORES, "stores")                                                                        \
	X(AMOS, "amos")                                                                            \
	X(LR, "lr")                                                                                \
	X(SC, "sc")                                                                                \
	X(INT_LOADS, "int-loads")                                                                  \
	X(INT_STORES, "int-stores")                                                                \
	X(COND_BRANCHES, "cond-branches")                                                          \
	X(COND_TAKEN, "cond-taken")                                                                \
	X(COND_NOT_TAKEN, "cond-not-taken")                                                        \
	X(JUMPS, "jumps")                                                                          \
	X(INDIRECT_JUMPS, "indirect-jumps")                                                        \
	X(CALLS, "calls")                                                                          \
	X(RETURNS, "returns")                                                                      \
	X(DIRECT_JUMPS, "direct-jumps")                                                            \
	X(INT_ALU, "int-alu")                                                                      \
	X(INT_MUL, "int-mul")                                                                      \
	X(INT_DIV, "int-div")                                                                      \
	X(INT_ADD, "int-add")                                                                      \
	X(FP, "fp")                                                                                \
	X(FP_LOADS, "fp-loads")                                                                    \
	X(FP_STORES, "fp-stores")                                                                  \
	X(FP_ADD, "fp-add")                                                                        \
	X(FP_MUL, "fp-mul")                                                                        \
	X(FP_FMA, "fp-fma")                                                                        \
	X(FP_DIV, "fp-div")                                                                        \
	X(FP_CVT, "fp-cvt")                                                                        \
	X(FP_MISC, "fp-misc")                                                                      \
	X(CSR, "csr")                                                                              \
	X(CSR_WRITES, "csr-writes")                                                                \
	X(VECTOR, "vector")                                                                        \
	X(VECTOR_CONFIG, "vector-config")                                                          \
	X(VECTOR_LOADS, "vector-loads")                                                            \
	X(VECTOR_STORES, "vector-stores")                                                          \
	X(VECTOR_UNIT_STRIDE, "vector-unit-stride")                                                \
	X(VECTOR_STRIDED, "vector-strided")                                                        \
	X(VECTOR_INDEXED, "vector-indexed")                                                        \
	X(VECTOR_INT, "vector-int")                                                                \
	X(VECTOR_FIXED, "vector-fixed")                                                            \
	X(VECTOR_FLOAT, "vector-float")                                                            \
	X(VECTOR_REDUCTIONS, "vector-reductions")                                                  \
	X(VECTOR_MASK, "vector-mask")                                                              \
	X(VECTOR_PERMUTE, "vector-permute")                                                        \
	X(VECTOR_CRYPTO, "vector-crypto")                                                          \
	X(SYSTEM, "system")                                                                        \
	X(FENCES, "fences")                                                                        \
	X(CYCLES, "cycles")                                                                        \
	X(EXCEPTIONS, "exceptions")                                                                \
	X(INTERRUPTS, "interrupts")                                                                \
	X(PAGE_FAULTS, "page-faults")                                                              \
	X(ECALLS, "ecalls")                                                                        \
	X(MISALIGNED, "misaligned")                                                                \
	X(VECTOR_ELEMENTS, "vector-elements")                                                      \
	X(VECTOR_ACTIVE, "vector-active")                                                          \
	X(VECTOR_LANES, "vector-lanes")                                                            \
	X(VECTOR_LINES, "vector-lines")                                                            \
	X(ITLB_LOOKUPS, "itlb-lookups")                                                            \
	X(ITLB_MISSES, "iTLB-load-misses")                                                         \
	X(DTLB_READS, "dtlb-reads")                                                                \
	X(DTLB_WRITES, "dtlb-writes")                                                              \
	X(DTLB_READ_MISSES, "dTLB-load-misses")                                                    \
	X(DTLB_WRITE_MISSES, "dTLB-store-misses")                                                  \
	X(STLB_FETCHES, "stlb-fetches")                                                            \
	X(STLB_FETCH_MISSES, "stlb-fetch-misses")                                                  \
	X(STLB_READS, "stlb-reads")                                                                \
	X(STLB_READ_MISSES, "stlb-read-misses")                                                    \
	X(STLB_WRITES, "stlb-writes")                                                              \
	X(STLB_WRITE_MISSES, "stlb-write-misses")                                                  \
	X(PAGE_WALKS, "page-walks")                                                                \
	X(WALK_READS, "walk-reads")                                                                \
	X(PAGE_WALK_CYCLES, "page-walk-cycles")                                                    \
	X(L1I_FETCHES, "l1i-fetches")                                                              \
	X(L1I_FETCH_MISSES, "l1i-fetch-misses")                                                    \
	X(L1I_PREFETCHES, "l1i-prefetches")                                                        \
	X(L1I_PREFETCH_MISSES, "l1i-prefetch-misses")                                              \
	X(L1D_READS, "l1d-reads")                                                                  \
	X(L1D_READ_MISSES, "l1d-read-misses")                                                      \
	X(L1D_WRITES, "l1d-writes")                                                                \
	X(L1D_WRITE_MISSES, "l1d-write-misses")                                                    \
	X(L1D_PREFETCHES, "l1d-prefetches")                                                        \
	X(L1D_PREFETCH_MISSES, "l1d-prefetch-misses")                                              \
	X(L1D_WALKS, "l1d-walks")                                                                  \
	X(L1D_WALK_MISSES, "l1d-walk-misses")                                                      \
	X(L1D_WRITEBACKS, "l1d-writebacks")                                                        \
	X(L2_READS, "l2-reads")                                                                    \
	X(L2_READ_MISSES, "l2-read-misses")                                                        \
	X(L2_WRITES, "l2-writes")                                                                  \
	X(L2_WRITE_MISSES, "l2-write-misses")                                                      \
	X(L2_PREFETCHES, "l2-prefetches")                                                          \
	X(L2_PREFETCH_MISSES, "l2-prefetch-misses")                                                \
	X(L2_UPDATES, "l2-updates")                                                                \
	X(L2_UPDATE_MISSES, "l2-update-misses")                                                    \
	X(L2_WRITEBACKS, "l2-writebacks")                                                          \
	X(LL_READS, "ll-reads")                                                                    \
	X(LL_READ_MISSES, "ll-read-misses")                                                        \
	X(LL_WRITES, "ll-writes")                                                                  \
	X(LL_WRITE_MISSES, "ll-write-misses")                                                      \
	X(LL_PREFETCHES, "ll-prefetches")                                                          \
	X(LL_PREFETCH_MISSES, "ll-prefetch-misses")                                                \
	X(LL_UPDATES, "ll-updates")                                                                \
	X(LL_UPDATE_MISSES, "ll-update-misses")                                                    \
	X(LL_WRITEBACKS, "ll-writebacks")                                                          \
	X(BUS_READS, "bus-reads")                                                                  \
	X(BUS_WRITES, "bus-writes")                                                                \
	X(BUS_PREFETCHES, "bus-prefetches")                                                        \
	X(UNCACHED_FETCHES, "uncached-fetches")                                                    \
	X(UNCACHED_READS, "uncached-reads")                                                        \
	X(UNCACHED_WRITES, "uncached-writes")                                                      \
	X(SNOOP_INVALIDATES, "snoop-invalidates")                                                  \
	X(SNOOP_WRITEBACKS, "snoop-writebacks")                                                    \
	X(COND_MISPREDICTS, "cond-mispredicts")                                                    \
	X(TAKEN_MISPREDICTS, "taken-mispredicts")                                                  \
	X(TARGET_MISPREDICTS, "target-mispredicts")                                                \
	X(RETURN_MISPREDICTS, "return-mispredicts")                                                \
	X(BTB_MISSES, "btb-misses")                                                                \
	X(WAIT_LOAD, "wait-load")                                                                  \
	X(WAIT_INT, "wait-int")                                                                    \
	X(WAIT_FP, "wait-fp")                                                                      \
	X(WAIT_UNIT, "wait-unit")                                                                  \
	X(WAIT_SERIAL, "wait-serial")                                                              \
	X(WAIT_BRANCH, "wait-branch")                                                              \
	X(WAIT_FETCH, "wait-fetch")                                                                \
	X(WAIT_UNCACHED_FETCH, "wait-uncached-fetch")                                              \
	X(WAIT_ITLB, "wait-itlb")                                                                  \
	X(WAIT_READ, "wait-read")                                                                  \
	X(WAIT_READ_L2, "wait-read-l2")                                                            \
	X(WAIT_READ_LL, "wait-read-ll")                                                            \
	X(WAIT_READ_MEMORY, "wait-read-memory")                                                    \
	X(WAIT_WRITE, "wait-write")                                                                \
	X(WAIT_UNCACHED_READ, "wait-uncached-read")                                                \
	X(WAIT_UNCACHED_WRITE, "wait-uncached-write")                                              \
	X(WAIT_DTLB, "wait-dtlb")                                                                  \
	X(WAIT_VECTOR, "wait-vector")

enum event {
#define X(name, text) EV_##name,
	EVENT_LIST(X)
#undef X
		EVENTS,
	EV_NONE = EVENTS
};

/* Rule N1: the totals of a hart, by mode: 0 (U), 1 (S), 3 (M). */
struct totals {
	unsigned mode; /* of the hart at this moment */
	uint64_t of[EVENTS][4];
};

/* EV_NONE counts nothing. */
static inline void count_n(struct totals *t, enum event ev, uint64_t n)
{
	if (ev != EV_NONE)
		t->of[ev][t->mode] += n;
}

static inline void count(struct totals *t, enum event ev)
{
	count_n(t, ev, 1);
}

#endif

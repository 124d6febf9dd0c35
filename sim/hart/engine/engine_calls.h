/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * engine_calls.h - the functions of an engine that native code calls, too.  engine_access.h,
 * engine_vector.h and engine_body.h define them, once for each engine: ENGINE(name); loads and
 * stores with models are in engine_timed.c.  i is the current instruction, in r.  False or NULL: it
 * faults with h->fault.  The caller then checks h->stop.
 */
#include <stdbool.h>
#include <stdint.h>

struct block_run;
struct hart;
struct insn;

/* What cache_block returns. */
enum cbo { CBO_DONE, CBO_ILLEGAL, CBO_FAULT };

/* What vector_access returns. */
enum vector_access { VECTOR_DONE, VECTOR_ILLEGAL, VECTOR_FAULT };

/* Accesses that missed the software TLB. */
bool __attribute__((noinline, cold))
ENGINE(slow_load)(struct hart *h, const struct block_run *r, const struct insn *i, unsigned bytes,
		  uint64_t va, uint64_t *value);
bool __attribute__((noinline, cold))
ENGINE(slow_store)(struct hart *h, const struct block_run *r, const struct insn *i, unsigned bytes,
		   uint64_t va, uint64_t value);

/* With models: accesses that missed the L0 hit table. */
#define ENGINE_ACCESSES(bytes)                                                                     \
	bool NATIVE_COLD ENGINE(load_##bytes)(struct hart * h, const struct block_run *r,          \
					      const struct insn *i, uint64_t va, uint64_t *value); \
	bool NATIVE_COLD ENGINE(store_##bytes)(struct hart * h, const struct block_run *r,         \
					       const struct insn *i, uint64_t va, uint64_t value)

/* Cold in the stencils, so that their fast path saves no registers. */
#ifndef NATIVE_COLD
#define NATIVE_COLD
#endif

ENGINE_ACCESSES(1);
ENGINE_ACCESSES(2);
ENGINE_ACCESSES(4);
ENGINE_ACCESSES(8);

/*
 * The host address of memory that an atomic modifies.  *pa is its physical address, and
 * access_wrote must follow; or ACCESS_NO_PA if va has hit in the software TLB.
 */
void *ENGINE(atomic_at)(struct hart *h, const struct block_run *r, const struct insn *i,
			uint64_t va, unsigned bytes, uint64_t *pa);

bool ENGINE(load_reserved)(struct hart *h, const struct block_run *r, const struct insn *i);
bool ENGINE(store_conditional)(struct hart *h, const struct block_run *r, const struct insn *i);
/* Zalasr */
bool ENGINE(load_acquire)(struct hart *h, const struct block_run *r, const struct insn *i);
bool ENGINE(store_release)(struct hart *h, const struct block_run *r, const struct insn *i);
/* amocas.q */
bool ENGINE(compare_and_swap)(struct hart *h, const struct block_run *r, const struct insn *i);
enum cbo ENGINE(cache_block)(struct hart *h, const struct block_run *r, const struct insn *i);
/* XTheadMemPair */
bool ENGINE(load_pair)(struct hart *h, const struct block_run *r, const struct insn *i);
bool ENGINE(store_pair)(struct hart *h, const struct block_run *r, const struct insn *i);
/* Zcmp: cm.push; cm.pop and what of cm.popret and cm.popretz comes before they jump */
bool ENGINE(push)(struct hart *h, const struct block_run *r, const struct insn *i);
bool ENGINE(pop)(struct hart *h, const struct block_run *r, const struct insn *i);
/* Zicfiss: sspush, sspopchk, ssamoswap */
bool ENGINE(shadow_push)(struct hart *h, const struct block_run *r, const struct insn *i);
bool ENGINE(shadow_pop)(struct hart *h, const struct block_run *r, const struct insn *i);
bool ENGINE(shadow_swap)(struct hart *h, const struct block_run *r, const struct insn *i);

/* A vector instruction that computes.  False: it is illegal.  Then h->stop must be checked. */
bool ENGINE(vector_computes)(struct hart *h, const struct block_run *r, const struct insn *i);

/* A vector load or store. */
enum vector_access ENGINE(vector_access)(struct hart *h, const struct block_run *r,
					 const struct insn *i);

/*
 * What runs next.  They return a run that may begin at once: the caller subtracts its cycles.
 * NULL: the engine must return; h->pc is the next instruction.  was: an address in the line that
 * was fetched last.
 *
 * fetch: fetches the block at pc, which begins with the state of this number (STATES_NONE: with
 * that of h->timing).  enter: the same for r, which is at pc and decoded.  find: what follows run
 * `from`, which is at pc and has ended (way: 1 if its branch was taken); links it, if it is always
 * the same.  leave: the engine must return before it fetches at pc.
 */
struct block_run *ENGINE(fetch)(struct hart *h, uint64_t pc, uint32_t state, uint64_t was);
struct block_run *ENGINE(enter)(struct hart *h, struct block_run *r, uint64_t pc, uint64_t was);
void ENGINE(leave)(struct hart *h, uint64_t pc, uint32_t state, uint64_t was);
struct block_run *ENGINE(find)(struct hart *h, struct block_run *from, unsigned way,
			       unsigned outcome, uint64_t pc, uint64_t target);

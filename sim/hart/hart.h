/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hart.h - one hart: its state and how it runs.  Its parts have headers of their own: engine.h,
 * mmu.h, access.h, soft_tlb.h, reservation.h, csr.h, pmu.h, trap.h, timing.h, trace.h.
 *
 * The life of a cache miss, from the load to the interrupt.  Models are on, and an armed counter
 * (pmu.h) that is one below its overflow counts read misses of L1D.
 *
 *  1. op/mem.h: ld is READ(int64_t, 8, ...).
 *  2. op/words.h: READ looks up the address in the L0 hit table (model/memory/l0.h).  It is not
 *     there: timed_load_8.
 *  3. engine/engine_timed.c: timed_load_8 finds the host address in the software TLB.
 *     cache_l0_hit (model/memory/cache.h) asks the model of L1D whether this is a hit that needs
 *     nothing outside of L1D.  L1D does not have the line: l1_slow calls l1_miss
 *     (engine_access.h); then the value is read.  If the software TLB does not have the
 *     page: timed_slow_load (engine_access.h), access_load (access.c), mmu_translate (mmu.c), and
 *     timing_data instead of timing_soft.
 *  4. timing/timing_data.c: timing_soft calls access_line, which computes the time of the
 *     access.
 *  5. model/memory/hierarchy.c: hierarchy_access looks for the line in L1D, L2 and LL (cache.c),
 *     and asks for it; each level that the request reaches serves it when it is free (ledger.c).
 *     hierarchy_access counts nothing.  Its answer says which events happened, how often, where
 *     the line was, and after how many cycles its data is there.
 *  6. timing/timing.c: timing_note calls pmu_adds for each event of the answer.  pmu_adds adds it
 *     to total[mode][event] and, because pmu.listens is set, calls pmu_tell.
 *  7. pmu.c: pmu_tell sets h->stop, because an armed counter counts this event.
 *  8. timing/timing_data.c: read_in_order puts the load into the load queue and lets its register
 *     wait (model/pipeline/waits.c); h->stop gets STOP_LOOK.  From now on the engine calls
 *     timing_look before each instruction.  An instruction that needs the register waits:
 *     timing_wait_for subtracts the cycles from the countdown.  Without a load queue, the load
 *     itself waits.  Out of order, read_ahead moves the clock to the time at which the load
 *     retires, and the pipeline is in its shadow: timing_look hides the cost of what follows.
 *  9. op/words.h: READ writes the register and sees h->stop.  leave_run calls hart_leave_run
 *     (hart.c), which retires the instructions of the block up to the load; hart_sync brings time
 *     and totals up to date.  The engine returns.
 * 10. hart.c: hart_run calls pmu_overflow (pmu.c).  The counter's events have reached its target:
 *     it sets OF in mhpmevent and LCOFIP in mip.
 * 11. trap.c: trap_interrupt enters the handler, if the interrupt is enabled.  sepc is the
 *     instruction after the load.  When the handler reads the counter, csr.c calls pmu_read.
 *
 * Events that the code itself determines (a load, a taken branch) are not counted one by one: the
 * engine counts how often blocks have run (tally.h), and pmu_limit or timing_prepare computes
 * beforehand how far the engine may run before such an event makes a counter overflow.
 *
 * Implements: Unpriv 20240411, Priv 1.13, Sscofpmf 1.0, Smcntrpmf 1.0, Sstc 1.0.
 */
#ifndef SIM_HART_H
#define SIM_HART_H

#include <stdbool.h>
#include <stdint.h>
#include <rv/csr.h>
#include <rv/trap.h>

#include "block.h"
#include "event.h"
#include "mmu.h"
#include "pmp.h"
#include "soft_tlb.h"
#include "l0.h"
#include "tlb.h"
#include "pmu.h"
#include "tally.h"

struct cluster;
struct listener;
struct timing;
struct vector_state;

#define REG_SINK 32 /* the register that takes writes to x0 */

#define STOP_NOW  1 /* return */
#define STOP_LOOK 2 /* look at each instruction: registers wait for data (timing_look) */

#define RESERVATION_NONE 1 /* no aligned address */

/*
 * The jump cache: what runs at a virtual address with a state of the pipeline (JUMP_FREE: the entry
 * is free).  key is the address, exclusive-or hart.fetch_key.  fetch_key only uses low bits,
 * in which all addresses with the same state in one entry are equal: a generation in the lowest
 * bits, and above it the mode.
 */
#define JUMP_NR	      4096
#define JUMP_GEN_BITS 11
#define JUMP_FREE     (STATES_NONE - 1)
struct jump {
	uint64_t key;
	struct block_run *r;
	uint32_t state;
};

/* With models: the translation of a page of code, valid while fetch_key is equal to key. */
#define CODE_PAGES 64
struct code_page {
	uint64_t va, key, bias; /* va: or CODE_PAGE_FREE; bias: pa minus va */
	unsigned slot; /* the ITLB entry that gave it */
};

#define CODE_PAGE_FREE 1

/* The exception that an instruction causes. */
#define FAULT_DEBUG 64 /* no exception: a watchpoint; the instruction has done nothing */
struct fault {
	unsigned cause;
	uint64_t tval;
};

/* A trigger (trigger.h): tdata1 and tdata2. */
#define TRIGGER_NR 4
struct trigger {
	uint64_t data1, data2;
};

/* What a hart waits for: nothing; an interrupt (wfi); an interrupt or the end of its turn (wrs). */
enum hart_idle { HART_RUNS, HART_IDLE, HART_WAITS };

struct hart {
	/* Hot: the engine uses these all the time.  Native code is smaller if they come first. */
	int64_t countdown; /* see Time */
	uint64_t retired; /* with models: instructions since the last hart_sync */
	struct soft_tlb *lines; /* the software TLB of data_mode */
	uint8_t stop; /* bits STOP_, for the engine after this instruction */
	bool counts_code; /* tallies count: CODE, EDGE, stalls, listener or recorder */
	bool counts_elements; /* vector elements are counted, or told (engine.h) */
	bool divides; /* with models: the time of divisions depends on their operands */
	bool tlb_wants_hits; /* the modelled DTLB must see hits (model/memory/tlb.h) */
	uint8_t branches_told; /* not 0: timing_branch must see each branch; or BRANCHES_TALLIED */
	uint8_t frm;
	uint8_t mode; /* PRV_ */
	uint8_t data_mode; /* the mode of loads and stores (MPRV) */
	bool translated; /* paging is on for loads and stores */
	uint32_t fflags;
	uint8_t idle; /* enum hart_idle */
	uint8_t elp; /* Zicfilp: the next instruction must be a landing pad */
	bool shadow_stacks; /* Zicfiss: they are on in the current mode */
	bool guarded; /* each instruction must be looked at (guard.h) */
	uint8_t ignored; /* the upper bits that addresses of data ignore (pointer masking) */
	uint64_t mstatus; /* without SD, which is computed when it is read */
	const uint64_t *fetch_changes; /* cache.window of L1I; UINT64_MAX: report fetches */
	uint64_t fetches; /* L1I hits that hart_sync has yet to count */
	struct bpred *bpred; /* with models */
	const struct tally_key *key; /* of what is counted; or TALLY_ASK */
	uint64_t fetch_key; /* generation and mode: decides which jump cache entries are valid */
	uint64_t fetch_mask; /* the address bits that differ between lines, and FETCH_NONE */
	/* The address bits that must be equal for a fetch to use the last translation. */
	uint64_t fetch_same_page_mask;
	/* Branches by [taken][outcome], and their cycles, that hart_sync has yet to count. */
	uint64_t branch_cycles, directions[2][BLOCK_RARE];

	uint64_t x[33];
	uint64_t f[32];
	uint64_t pc;

	/*
	 * Time.  now is exact at the last hart_sync.  Since then start - countdown instructions
	 * have retired, and, if run is not NULL, those of run before at.  countdown is what is
	 * left of the budget.  With models both are in cycles, and all static cycles of the
	 * current run were subtracted from countdown when it began.
	 */
	uint64_t now;
	int64_t start;
	const struct block_run *run; /* the current run while code outside the engine needs it */
	const struct insn *at; /* the current instruction of run */

	/* Models (timing.h), NULL if they are off, and copies of what the engine often needs. */
	struct timing *timing;
	struct hierarchy_hart *caches;
	uint64_t ram_bias; /* host address of RAM minus its physical address */
	uint64_t fetch_at; /* virtual address of the line that was fetched last; or FETCH_NONE */
	unsigned data_slot, code_slot; /* DTLB and ITLB entries of the last translations */
	bool past_caches; /* the last translated page is not cached (Svpbmt) */
	struct block *pending_block; /* has been fetched, and must run first; or NULL */

	struct vector_state *vector; /* vector.h; NULL: the hart has no vectors */

	uint64_t reservation; /* physical address, or RESERVATION_NONE (reservation.h) */
	uint64_t reserved; /* bytes of the reservation */
	struct fault fault;

	struct pmu pmu;
	struct tally_key keys[4][2]; /* without a listener: by mode and `translated` */
	struct tally *tallied; /* the active tallies of its keys */
	uint64_t scratch_pc; /* the address of scratch, since its run has begun */
	const struct listener *listener; /* a profile (listener.h), or NULL */
	void *heard; /* data of the listener for this hart */
	uint64_t tick; /* the time of listener.ticks; UINT64_MAX: never */
	struct l0 l0; /* models: the L0 hit table, in front of L1D (model/memory/l0.h) */
	struct tlb tlb; /* the modelled TLB */
	struct soft_tlb soft[CTX_NR];
	struct soft_line *last_line; /* paranoid: the only entry of soft that is in use */
	struct jump jump[JUMP_NR];
	struct code_page code_page[CODE_PAGES];
	struct block *scratch; /* a block for one use (block_scratch_new) */

	/* CSRs */
	uint64_t mip_soft, mip_line; /* set by software and OF; set by devices */
	uint64_t mie, mideleg, medeleg, mtvec, mepc, mcause, mtval, mscratch;
	uint64_t stvec, sepc, scause, stval, sscratch, satp, stimecmp;
	uint64_t menvcfg, senvcfg, mseccfg, mstateen0, sstateen0, miselect, siselect;
	struct trigger trigger[TRIGGER_NR];
	uint32_t tselect;
	uint32_t trigger_kinds; /* all that the triggers watch: MCONTROL6_LOAD, _STORE, _EXECUTE */
	uint64_t ssp; /* the shadow stack's pointer */
	uint64_t jvt; /* Zcmt: the address of the table of cm.jt and cm.jalt */
	uint64_t entropy; /* of seed: the state of the stream */
	uint32_t mcounteren, scounteren;
	uint8_t pmpcfg[PMP_NR];
	uint64_t pmpaddr[PMP_NR];
	struct pmp_range pmp[PMP_NR];
	unsigned pmp_used; /* the number of entries up to the last one that is on */

	unsigned id;
	struct cluster *cl;
	uint64_t stimer_at; /* the cycle at which stimecmp is reached */

	/*
	 * trap.c: the last exception.  nr: how often it came again without an instruction
	 * retired in between.  nested: the same with few instructions and no mret or sret between.
	 */
	struct {
		uint64_t pc, retired, nr, nested;
	} again;
};

/* The entry of the jump cache for this address and this state of the pipeline. */
static inline struct jump *hart_jump(struct hart *h, uint64_t va, uint32_t state)
{
	return &h->jump[(va >> 1 ^ state * 0x9e5ull) & (JUMP_NR - 1)];
}

/* r begins at pc: its tally is active then. */
static inline void tally_at(struct hart *h, struct block_run *r, uint64_t pc)
{
	if (__builtin_expect(r->key != h->key, 0))
		tally_begin(h, r, pc);
}

/* A RARE event happens n times in the current mode, or a CYCLE event takes n cycles. */
static inline void pmu_adds(struct hart *h, enum event e, uint64_t n)
{
	h->pmu.total[h->mode][e] += n;
	if (__builtin_expect(h->pmu.listens, 0))
		pmu_tell(h, e, n);
}

static inline void pmu_happens(struct hart *h, enum event e)
{
	pmu_adds(h, e, 1);
}

/*
 * The address that an access to data at va has: with pointer masking its upper bits are copies of
 * the bit below them, or zeros without paging.
 */
static inline uint64_t mmu_pointer(const struct hart *h, uint64_t va)
{
	if (!h->ignored)
		return va;
	if (h->translated)
		return (uint64_t)((int64_t)(va << h->ignored) >> h->ignored);
	return va << h->ignored >> h->ignored;
}

/* Whether vectors are on; they are then dirty. */
static inline bool vector_on(struct hart *h)
{
	if (!(h->mstatus & MSTATUS_VS))
		return false;
	h->mstatus |= MSTATUS_VS;
	return true;
}

/* The cycles until all instructions before the current one have ended; exact at any moment. */
static inline uint64_t hart_now(const struct hart *h)
{
	uint64_t now = h->now + (h->start - h->countdown);
	unsigned n;

	if (!h->run)
		return now;
	n = h->at - h->run->insn;
	if (h->timing)
		return now - h->run->cycles + h->run->before[n];
	return now + n;
}

/* Resets the hart; it starts at pc at cycle now. */
void hart_reset(struct hart *h, uint64_t pc, uint64_t now);

/*
 * Runs the hart until its time reaches *until, it waits for an interrupt, or the machine stops.
 * *until may become smaller while it runs.
 */
void hart_run(struct hart *h, const uint64_t *until);

/* Adds what has run since the last call to time and totals.  Outside of blocks only. */
void hart_sync(struct hart *h);

/* The engine leaves r after its first nr instructions: accounts for these. */
void hart_leave_run(struct hart *h, const struct block_run *r, unsigned nr);

/* The same for all but the last instruction of r; csr_instruction accounts for that one. */
void hart_leave_last(struct hart *h, const struct block_run *r);

/* Fetches and returns the block at h->pc, which may be h->scratch.  NULL: a fault (h->fault). */
struct block *hart_fetch(struct hart *h);

#endif

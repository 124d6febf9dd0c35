/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hart.h - one hart: its state, and what its parts (engine, mmu, csr, pmu, trap) do for each
 * other.
 *
 * The life of an event, across files: an instruction retires (engine.c, whole blocks at a time)
 * or something rarer happens (mmu.c, trap.c); it is added to total[mode][event] (pmu.c).
 * Counters do not count: a counter is a base plus the totals of the modes that its filter
 * lets through, so filters, inhibits and reads are exact at any instruction.  pmu_limit says
 * how far the engine may run before a counter overflows; there it stops, pmu_overflow sets OF
 * and LCOFIP (csr.h), and hart_run takes the interrupt before the next instruction.
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
#include "model/filter.h"
#include "model/tlb.h"
#include "pmu.h"

struct exact_hart;
struct machine;
struct timing;

#define REG_SINK 32 /* where writes to x0 go */

/*
 * Where code at a virtual address was found before.  key is the address, exclusive-or
 * hart.fetch_key, which stands in the bits that the place in the array tells anyway: a generation
 * below, and above it the mode (JUMP_FREE: none).
 */
#define JUMP_NR	      4096
#define JUMP_GEN_BITS 11
#define JUMP_FREE     2
struct jump {
	uint64_t key;
	struct block *b;
};

/* Models: where a page of code was found before, while fetch_key is the same, and by which entry. */
#define CODE_PAGES 64
struct code_page {
	uint64_t va, key, bias; /* CODE_PAGE_FREE; fetch_key; pa less va */
	unsigned slot; /* of the ITLB */
};

#define CODE_PAGE_FREE 1

/* Why the engine or an access gave up: an exception to be taken. */
#define FAULT_DEBUG 64 /* no exception: a watchpoint, and the instruction has done nothing */
struct fault {
	unsigned cause;
	uint64_t tval;
};

struct hart {
	/* What the engine touches all the time. */
	uint64_t x[33];
	uint64_t f[32];
	uint64_t pc;
	struct soft_tlb *lines; /* of the mode in which loads and stores work now */
	uint64_t mstatus; /* FS among others; SD is made when read */
	uint32_t fflags;
	uint8_t frm;
	uint8_t mode; /* PRV_ */
	uint8_t data_mode; /* that of loads and stores (MPRV) */
	bool stop; /* leave the engine after this instruction */
	bool counts_code; /* some counter selects a CODE or EDGE event, or all are (exact.h) */
	bool idle; /* in WFI */
	bool translated; /* loads and stores are (paging) */
	bool touches; /* and hits of their TLB must be told (model/tlb.h) */
	uint64_t fetch_key; /* generation and mode: which remembered jumps hold */

	/*
	 * The time: now is exact at the last hart_sync; since then start - countdown instructions
	 * have retired, and, inside a block, those before at.  Where models are on, the block that
	 * is under way is in it with all its static cycles.
	 */
	uint64_t now;
	int64_t start, countdown; /* where models are on, cycles */
	uint64_t retired; /* where models are on: instructions since then */
	const struct block *block; /* NULL outside */
	const struct insn *at;

	/* Models (timing.h): NULL if they are off, and what the engine asks of them at once. */
	struct timing *timing;
	struct memory_hart *caches;
	struct bpred *bpred;
	uint64_t ram_bias; /* the host's address of RAM less its physical one */
	uint64_t fetch_at; /* the line fetched last; FETCH_NONE */
	uint64_t fetch_mask; /* bits of an address that tell lines, and FETCH_NONE */
	uint64_t fetch_near; /* those in which a line found as that one was does not differ */
	const uint64_t *fetch_changes; /* L1I's; or, if each fetch must be told, more than any */
	uint64_t fetches; /* of such lines, which are still to be counted */
	/* Directions by [taken][wrong]: how many are still to be counted, and what each costs. */
	uint64_t directions[2][2];
	uint16_t direction_cycles[2][2];
	uint8_t branches_told; /* a bit beyond wrong directions, if each is to be told (timing.h) */
	unsigned data_slot, code_slot; /* the DTLB's and ITLB's, of the last translation */
	bool past_caches; /* as that page has it (Svpbmt) */
	struct block *ready; /* has been fetched, and must run before anything else; or NULL */

	uint64_t reservation; /* physical address, or 1 */
	uint64_t reserved; /* bytes */
	struct fault fault;

	struct pmu pmu;
	struct exact_hart *exact; /* an exact profile is made (exact.h), or NULL */
	struct filter filter; /* models: of lines, in front of L1D (model/filter.h) */
	struct tlb tlb; /* what software sees; soft holds only what this holds */
	struct soft_tlb soft[CTX_NR];
	struct soft_line *last_line; /* paranoid: the one line that is in use */
	struct jump jump[JUMP_NR];
	struct code_page code_page[CODE_PAGES];
	struct block *scratch; /* BLOCK_BYTES */

	/* CSRs */
	uint64_t mip_soft, mip_line;
	uint64_t mie, mideleg, medeleg, mtvec, mepc, mcause, mtval, mscratch;
	uint64_t stvec, sepc, scause, stval, sscratch, satp, stimecmp;
	uint64_t menvcfg, senvcfg, mstateen0, sstateen0;
	uint32_t mcounteren, scounteren;
	uint8_t pmpcfg[PMP_NR];
	uint64_t pmpaddr[PMP_NR];
	struct pmp_range pmp[PMP_NR];
	unsigned pmp_used; /* entries up to the last that is on */

	unsigned id;
	struct machine *m;
	uint64_t stimer_at; /* guest time at which stimecmp is reached */

	/*
	 * trap.c: the last exception.  nr: how often in a row it came with nothing retired between;
	 * nested: with few instructions retired between, and no return from a trap.
	 */
	struct {
		uint64_t pc, retired, nr, nested;
	} again;
};

/* A RARE event, in the current mode: n times, or n cycles of a CYCLE event. */
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

/* As after reset, at pc. */
void hart_reset(struct hart *h, uint64_t pc);

/*
 * Runs until the hart's time is *until, which may come nearer meanwhile, the hart waits for an
 * interrupt, or the machine is to stop.
 */
void hart_run(struct hart *h, const uint64_t *until);

/* The time with all instructions before the current one; exact at any moment. */
uint64_t hart_now(const struct hart *h);

/* Adds what has run since the last call to time and totals.  Outside of blocks only. */
void hart_sync(struct hart *h);

/* Of b, which is being left, the first nr instructions have retired: accounts for them. */
void hart_leave_block(struct hart *h, const struct block *b, unsigned nr);

/* All but its last one have, which is going to be accounted for by itself (CSRs). */
void hart_leave_last(struct hart *h, const struct block *b);

/* The block at h->pc; NULL if fetching faults (h->fault), or it is one for h->scratch. */
struct block *hart_fetch(struct hart *h);

/* The mode has changed, or what decides how addresses are translated (mstatus, satp, menvcfg). */
void hart_mode_changed(struct hart *h);

/* trap.c */
void trap_exception(struct hart *h, unsigned cause, uint64_t tval);
bool trap_interrupt(struct hart *h); /* takes one that is pending and enabled, if any */
bool trap_wakes(const struct hart *h); /* whether WFI ends */
void trap_mret(struct hart *h);
void trap_sret(struct hart *h);
void trap_raise(struct hart *h, unsigned irq, bool level); /* a line of mip */
uint64_t trap_pending(const struct hart *h); /* mip */

/* engine.c: runs b and what follows it until the countdown, h->stop, or a trap. */
void engine_run(struct hart *h, struct block *b);
void engine_run_timed(struct hart *h, struct block *b); /* with h->timing */

/*
 * csr.c.  A Zicsr instruction is csr_read, which says whether it is legal, then (it retires)
 * csr_write if it writes.  The value that csrrs and csrrc modify is csr_modified, not what they
 * read: mip.SEIP is also a line from outside.
 */
bool csr_read(struct hart *h, unsigned num, bool writes, uint64_t *value);
void csr_write(struct hart *h, unsigned num, uint64_t value);
uint64_t csr_modified(const struct hart *h, unsigned num, uint64_t read);
void csr_reset(struct hart *h);
/* The registers come from a snapshot: whether they can be, and then what follows from them is. */
bool csr_restored(struct hart *h);
const char *csr_name(unsigned num); /* NULL: there is none; of numbered ones without number */
/*
 * For a debugger, num < 4096: the name as in the manual, "" if there is none; and what there is,
 * whatever the mode and mstatus say (false: nothing, or it cannot be written).
 */
#define CSR_NAME_SIZE 16
void csr_full_name(unsigned num, char to[CSR_NAME_SIZE]);
bool csr_exists(const struct machine *m, unsigned num);
bool csr_peek(const struct hart *h, unsigned num, uint64_t *value);
bool csr_poke(struct hart *h, unsigned num, uint64_t value);
uint64_t csr_time(const struct hart *h);

/* trace.c: what -d shows.  Each does nothing unless its category is on. */
void trace_insn(struct hart *h, uint64_t pc, const struct insn *i);
void trace_csr(struct hart *h, unsigned num, uint64_t old, uint64_t new);
void trace_trap(struct hart *h, bool interrupt, unsigned cause, uint64_t tval, unsigned to);
void trace_return(struct hart *h, const char *what);
void trace_pmu(struct hart *h, unsigned ctr);
void trace_walk(struct hart *h, uint64_t va, unsigned access, uint64_t pte, bool ok);

#endif

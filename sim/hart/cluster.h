/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cluster.h - what the harts of a machine share: the list of harts, RAM, blocks, models, and their
 * common properties (extensions, counters, identity).
 */
#ifndef SIM_CLUSTER_H
#define SIM_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "bus.h"
#include "isa.h"
#include "listener.h"
#include "mmu.h"
#include "selector.h"

#define HARTS_MAX 8
#define RAM_BASE  0x80000000ull

/* What -d logs. */
#define TRACE_INSN 1
#define TRACE_CSR  2
#define TRACE_TRAP 4
#define TRACE_PMU  8
#define TRACE_MMU  16

struct block_cache;
struct cost;
struct cpu_models;
struct hierarchy;
struct native;
struct states;
struct tallies;

/*
 * A page of RAM.  A bit of code or watch stands for 64 bytes of it: blocks were decoded from these
 * bytes; HTIF watches writes to them.
 */
struct page {
	uint64_t code, watch;
	struct block *blocks;
};

struct cluster {
	struct bus bus;
	struct hart *hart[HARTS_MAX];
	unsigned harts;
	bool finished; /* hart_run must return: the machine ends */

	uint8_t *ram;
	uint64_t ram_size;
	struct page *page;
	struct block_cache *blocks;
	uint64_t block_epoch; /* changes when blocks are freed */
	struct tallies *tallies; /* how often runs have come to their ends */
	struct native *native; /* native code, or NULL */
	unsigned native_after; /* after how many times a run gets native code; 0: never */
	uint64_t native_bytes; /* of memory for native code */
	/* The pages of reservations that harts had at the end of their turns (reservation.h). */
	uint64_t reserved_page[HARTS_MAX];

	struct isa_index isa;
	struct pmu_table pmu; /* the counters of each hart, and the events they can count */
	unsigned models; /* MODEL_ bits of the models that are on: all or none */
	unsigned known_models; /* those that selectors and the device tree know: on now, or later */
	struct cpu_models *shape; /* the CPU's models, varied by the seed; NULL: they are off */
	struct hierarchy *hierarchy; /* the cache hierarchy; NULL: the models are off */
	struct cost *cost; /* NULL: the models are off */
	struct states *states; /* numbers of the states of pipelines; NULL: the models are off */
	uint64_t mvendorid, marchid, mimpid;
	struct isa_set extensions; /* that each hart has */
	unsigned vector_bytes; /* of a vector register, if they have V */
	unsigned mmu; /* how many paging modes, from Sv39 on: 0 to 3 */

	bool paranoid; /* one TLB line, no kept blocks, one instruction at a time */
	bool trap_misaligned; /* a misaligned access traps, and software emulates it */
	bool smstateen; /* the harts have Smstateen: mstateen CSRs gate state of lower modes */
	unsigned trace; /* TRACE_ */
	FILE *trace_to;

	const struct listener *listener; /* a profile, or NULL */
	void *heard; /* data of the listener */
	const struct recorder *recorder; /* or NULL */
	void *recorded; /* data of the recorder */
	const struct debugger *debugger;
	bool debugged; /* harts must ask the debugger: it has set points, or single-steps */
	bool watched; /* the debugger has set watchpoints */
};

/* The host address of len bytes of RAM at physical address pa.  NULL: not all of them are RAM. */
static inline void *cluster_ram(const struct cluster *cl, uint64_t pa, uint64_t len)
{
	uint64_t offset = pa - RAM_BASE;

	if (offset >= cl->ram_size || len > cl->ram_size - offset)
		return NULL;
	return cl->ram + offset;
}

static inline struct page *cluster_page(const struct cluster *cl, uint64_t pa)
{
	return &cl->page[(pa - RAM_BASE) >> PAGE_SHIFT];
}

static inline bool cluster_has(const struct cluster *cl, enum isa_ext ext)
{
	return isa_set_has(&cl->extensions, ext);
}

/* V or XTheadVector */
static inline bool cluster_has_vectors(const struct cluster *cl)
{
	return isa_has(&cl->extensions, ISA_EXT_VECTORS);
}

/* Whether the CPU is one of T-Head's C9xx, which all have this identity. */
static inline bool cluster_is_thead(const struct cluster *cl)
{
	return cl->mvendorid == 0x5b7 && !cl->marchid;
}

#endif

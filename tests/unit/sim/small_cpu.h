/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * small_cpu.h - a CPU with every event and small models, for tests: small structures overflow soon.
 */
#ifndef SIM_SMALL_CPU_H
#define SIM_SMALL_CPU_H

#include <string.h>

#include "cpu.h"
#include "cpu_models.h"

/* Lines of 64 bytes; L1I 1 KiB, L1D 1 KiB, L2 4 KiB, last level 16 KiB; all LRU. */
static inline void small_memory(struct hierarchy_config *m)
{
	const struct cache_config l1 = { .line = 64, .sets = 4, .ways = 4, .policy = REPLACE_LRU };

	*m = (struct hierarchy_config){
		.l1i = l1,
		.l1d = l1,
		.l2 = l1,
		.ll = l1,
		.l2_cycles = 10,
		.ll_cycles = 30,
		.bus_cycles = 100,
		.snoop_cycles = 5,
		.uncached_cycles = 40,
		.cbo_bytes = CPU_CBO_BYTES,
	};
	m->l2.sets = 16;
	m->ll.sets = 64;
}

/* First level: 4 entries a side, second: 16; pages of 4 KiB and 2 MiB. */
static inline void small_tlb(struct tlb_config *t)
{
	const struct tlb_shape l1 = {
		.sets = 1,
		.ways = 4,
		.policy = REPLACE_LRU,
		.sizes = 1 << TLB_4K | 1 << TLB_2M,
	};

	*t = (struct tlb_config){ .part = { [TLB_I] = l1, [TLB_D] = l1, [TLB_SECOND] = l1 } };
	t->part[TLB_SECOND].sets = 4;
}

static inline void small_cost(struct cost_config *c)
{
	*c = (struct cost_config){
		.width = 2,
		.taken = 1,
		.btb_miss = 2,
		.bad_direction = 7,
		.bad_target = 8,
		.bad_return = 9,
		.second_tlb_cycles = 4,
		.walk_cycles = 3,
		.stores = 2,
	};
	for (unsigned n = 0; n < COST_UNITS; n++)
		c->units[n] = 1;
	c->units[COST_UNIT_ALU] = 2;
	for (unsigned n = 0; n < COST_CLASSES; n++)
		c->latency[n] = c->busy[n] = 1;
	c->latency[COST_LOAD] = 3;
	c->latency[COST_MUL] = 4;
	c->latency[COST_DIV] = c->busy[COST_DIV] = 12;
	c->busy[COST_CSR] = 2;
}

/* Fills in both; *cpu then has all that machine_create needs. */
static inline void small_cpu(struct cpu *cpu, struct cpu_models *models)
{
	*cpu = (struct cpu){
		.name = "small",
		.identity = 1,
		.isa = cpu_isa_all(),
		.mmu = CPU_MMU_SV48,
		.models = models,
	};
	selector_every(&cpu->pmu);
	*models = (struct cpu_models){ 0 };
	small_memory(&models->hierarchy);
	small_tlb(&models->tlb);
	small_cost(&models->cost);
	models->bpred = (struct bpred_config){
		.direction = BPRED_GSHARE,
		.counters = 64,
		.history = 4,
		.btb_sets = 4,
		.btb_ways = 2,
		.targets = 16,
		.target_history = 4,
		.returns = 4,
	};
}

/* Adds V to both. */
static inline void small_vectors(struct cpu *cpu, struct cpu_models *models)
{
	struct vunit_config *u = &models->vunit;

	isa_set_add(&cpu->isa, ISA_EXT_V);
	cpu->vlen = CPU_VLEN_MIN;
	memset(u->cycles, 2, sizeof(u->cycles));
	memset(u->latency, 4, sizeof(u->latency));
	u->masked = 3;
	u->element = 2;
	u->chaining = true;
}

#endif

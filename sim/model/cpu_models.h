/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu_models.h - the shapes of a CPU's models (model/): each has passed its check.
 */
#ifndef SIM_CPU_MODELS_H
#define SIM_CPU_MODELS_H

#include "bpred.h"
#include "cost.h"
#include "hierarchy.h"
#include "tlb.h"
#include "vunit.h"

/* The block of cbo.*, on every CPU. */
#define CPU_CBO_BYTES 64

/* Names of enum replace_policy and enum cache_prefetch, as descriptions have them. */
extern const char *const cpu_policy_name[REPLACE_POLICIES];
extern const char *const cpu_prefetch_name[CACHE_PREFETCHES];

struct cpu_models {
	struct hierarchy_config hierarchy;
	struct tlb_config tlb;
	struct bpred_config bpred;
	struct cost_config cost;
	struct vunit_config vunit; /* of a CPU with vectors */
};

/* Gives every random replacement another seed, by seed; 0: the same as before. */
void cpu_models_vary(struct cpu_models *m, uint64_t seed);

#endif

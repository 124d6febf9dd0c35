/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * thead_rig.h - shared by the tests of T-Head's vectors: a C910 that executes one instruction, and
 * the elements that a load, a store or an AMO accesses.
 */
#ifndef THEAD_RIG_H
#define THEAD_RIG_H

#include "cpu_rig.h"
#include "csr.h"
#include "vector.h"

#define HANDLER (RAM_BASE + 0x400)
#define WINDOW	8192 /* of memory, with RIG_DATA in its middle */
#define VLENB	16

static uint64_t seed = 1;

static inline uint64_t rnd(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 32 ^ seed << 32;
}

static inline struct machine *c910(bool models)
{
	struct machine_options o = { .cpu = load("c910"),
				     .models = models,
				     .memory = RIG_MEMORY,
				     .counters = MACHINE_AS_CPU,
				     .width = MACHINE_AS_CPU };

	return rig_create(&o);
}

static inline void end(struct machine *m)
{
	struct cpu *cpu = (struct cpu *)m->o.cpu;

	machine_destroy(m);
	cpu_free(cpu);
}

/* Runs one instruction in M-mode with vectors on.  Returns the cause of its trap; 0: none. */
static inline uint64_t execute(struct machine *m, uint32_t insn)
{
	struct hart *h = m->cl.hart[0];

	csr_write(h, CSR_MTVEC, HANDLER);
	h->mcause = h->mepc = 0;
	h->pc = RAM_BASE;
	h->mode = PRV_M;
	RIG_CODE(m, RAM_BASE, insn, END);
	RIG_CODE(m, HANDLER, END);
	rig_run(m, 100000);
	return h->pc > HANDLER ? h->mcause : 0;
}

/* One load or store, as the test understands it. */
struct element_access {
	uint32_t insn;
	bool store, masked, sign, indexed;
	unsigned bytes, wide, fields, group, vd, vs2;
	uint64_t base, stride;
};

static inline bool active(const struct vector_state *v, const struct element_access *a,
			  const uint8_t *reg, unsigned n)
{
	unsigned bit = n * ((8u << v->sew) / a->group);

	return !a->masked || (reg[bit / 8] >> bit % 8 & 1);
}

static inline uint64_t address(const struct element_access *a, const uint8_t *reg, unsigned n)
{
	int64_t offset = 0;

	if (!a->indexed)
		return a->base + n * a->stride;
	memcpy(&offset, reg + a->vs2 * VLENB + n * a->wide, a->wide);
	offset = (int64_t)((uint64_t)offset << (64 - 8 * a->wide)) >> (64 - 8 * a->wide);
	return a->base + (uint64_t)offset;
}

/* Elements from vl on become 0. */
static inline void clear(const struct vector_state *v, const struct element_access *a, uint8_t *reg)
{
	for (unsigned field = 0; !a->store && field < a->fields; field++)
		memset(reg + (a->vd + field * a->group) * VLENB + v->vl * a->wide, 0,
		       (v->max - v->vl) * a->wide);
}

#endif

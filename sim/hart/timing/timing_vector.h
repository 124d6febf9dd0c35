/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timing_vector.h - vector instructions as the model of the vector units sees them, and when they
 * issue; a private matter of the files of this folder.  The current instruction is h->at in h->run.
 */
#ifndef SIM_TIMING_VECTOR_H
#define SIM_TIMING_VECTOR_H

#include "timing.h"
#include "vector.h"

/* The time of the hart after the static cost of the current instruction. */
static inline uint64_t timing_behind_now(const struct hart *h)
{
	const struct block_run *r = h->run;
	unsigned n = h->at - r->insn + 1;
	uint64_t end = h->now + (h->start - h->countdown);

	return end - (n < r->nr ? r->cycles - r->before[n] : 0);
}

/* In order: the cycle in which the current instruction issues if it waits for nothing. */
static inline uint64_t timing_issue(const struct hart *h)
{
	return timing_behind_now(h) - 1;
}

/*
 * Vectors wait for so many cycles; the caller knows that no listener hears it and no stop is due.
 */
static inline void timing_vector_passes(struct hart *h, unsigned cycles)
{
	h->countdown -= cycles;
	h->pmu.total[h->mode][timing_stall_event(COST_WAIT_VECTOR)] += cycles;
}

/* timing_wait_for(COST_WAIT_VECTOR). */
static inline void timing_vector_waits(struct hart *h, unsigned cycles)
{
	if (__builtin_expect(h->pmu.listens || h->countdown <= cycles, 0))
		timing_wait_for(h, COST_WAIT_VECTOR, cycles);
	else
		timing_vector_passes(h, cycles);
}

/* The entry for the current instruction. */
static inline struct timing_vector *timing_vector_place(struct hart *h)
{
	return &h->timing->vectors[(h->at->raw * 0x9e3779b1u) >> (32 - TIMING_VECTORS_BITS)];
}

/* Its work, if this was made before with the same vtype and elements; or NULL. */
static inline const struct vunit_work *timing_vector_known(struct hart *h, uint32_t elements)
{
	const struct timing_vector *p = timing_vector_place(h);

	return p->insn == h->at->raw && p->vtype == h->vector->vtype && p->elements == elements
		       ? &p->work
		       : NULL;
}

/* The accesses that a load or store makes one element at a time; two for each element of an AMO. */
static inline uint32_t timing_vector_elements(const struct hart *h, const struct vector_memory *m)
{
	uint32_t from = h->vector->vstart;

	return (m->strided || m->indexed) && from < m->nr
		       ? (m->nr - from) * m->fields * (1 + m->atomic)
		       : 0;
}

/* Make the work of an instruction that computes, and of a load or store. */
const struct vunit_work *timing_vector_make(struct hart *h);
const struct vunit_work *timing_vector_make_access(struct hart *h, const struct vector_memory *m);

static inline const struct vunit_work *timing_vector_computing(struct hart *h)
{
	const struct vunit_work *w = timing_vector_known(h, 0);

	return w ? w : timing_vector_make(h);
}

static inline const struct vunit_work *timing_vector_accessing(struct hart *h,
							       const struct vector_memory *m)
{
	const struct vunit_work *w = timing_vector_known(h, timing_vector_elements(h, m));

	return w ? w : timing_vector_make_access(h, m);
}

#endif

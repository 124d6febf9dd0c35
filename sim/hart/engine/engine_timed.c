// SPDX-License-Identifier: BSD-2-Clause
/*
 * engine_timed.c - the engine of harts with models (timing.h): blocks and events have costs.
 *
 *	engine_body.h + timed == true	->  engine_run_timed
 */
#include <stdbool.h>

static const bool timed = true;
#define ENGINE(name) timed_##name
#define ENGINE_RUN   engine_run_timed
#include "engine_body.h"

/* An access that has hit in the software TLB, but not in cache_l0_hit.  Returns true. */
static bool __attribute__((noinline))
l1_slow(struct hart *h, const struct block_run *r, const struct insn *i, uint64_t va,
	uint64_t addend, bool write)
{
	uint64_t pa = va + addend - h->ram_bias;

	if (!(write ? hierarchy_write_hit(h->caches, pa) : hierarchy_read_hit(h->caches, pa)))
		l1_miss(h, r, i, va + addend, write ? HIERARCHY_WRITE : HIERARCHY_READ);
	cache_l0_enter(&h->caches->l1d, va, pa, addend, write);
	return true;
}

/*
 * The accesses of a hart with models that missed the L0 hit table.  Most need no call; the others
 * end in a tail call, so that the compiler saves no registers.
 */
#define DEFINE_ACCESSES(bytes)                                                                     \
	static bool __attribute__((noinline))                                                      \
	l1_load_##bytes(struct hart *h, const struct block_run *r, const struct insn *i,           \
			uint64_t va, uint64_t addend, uint64_t *value)                             \
	{                                                                                          \
		const void *host = (void *)(va + addend);                                          \
                                                                                                   \
		__builtin_prefetch(host); /* it may take as long as the models */                  \
		l1_slow(h, r, i, va, addend, false);                                               \
		memcpy(value, host, bytes);                                                        \
		return true;                                                                       \
	}                                                                                          \
                                                                                                   \
	bool __attribute__((noinline))                                                             \
	timed_load_##bytes(struct hart *h, const struct block_run *r, const struct insn *i,        \
			   uint64_t va, uint64_t *value)                                           \
	{                                                                                          \
		const struct soft_line *l = soft_hit(h->lines->read, va, bytes);                   \
		uint64_t host;                                                                     \
                                                                                                   \
		if (unlikely(!l))                                                                  \
			return timed_slow_load(h, r, i, bytes, va, value);                         \
		host = va + l->addend;                                                             \
		report_hit(h, va, false);                                                          \
		if (unlikely(!cache_l0_hit(&h->caches->l1d, va, host - h->ram_bias, l->addend,     \
					   false)))                                                \
			return l1_load_##bytes(h, r, i, va, l->addend, value);                     \
		memcpy(value, (void *)host, bytes);                                                \
		return true;                                                                       \
	}                                                                                          \
                                                                                                   \
	bool __attribute__((noinline))                                                             \
	timed_store_##bytes(struct hart *h, const struct block_run *r, const struct insn *i,       \
			    uint64_t va, uint64_t value)                                           \
	{                                                                                          \
		const struct soft_line *l = soft_hit(h->lines->write, va, bytes);                  \
		uint64_t host;                                                                     \
                                                                                                   \
		if (unlikely(!l))                                                                  \
			return timed_slow_store(h, r, i, bytes, va, value);                        \
		host = va + l->addend;                                                             \
		memcpy((void *)host, &value, bytes);                                               \
		report_hit(h, va, true);                                                           \
		if (unlikely(!cache_l0_hit(&h->caches->l1d, va, host - h->ram_bias, l->addend,     \
					   true)))                                                 \
			return l1_slow(h, r, i, va, l->addend, true);                              \
		return true;                                                                       \
	}

DEFINE_ACCESSES(1)
DEFINE_ACCESSES(2)
DEFINE_ACCESSES(4)
DEFINE_ACCESSES(8)

#include "timing_fold.h"
#include "stencil_timed.inc"

const struct native_stencils timed_stencils = NATIVE_STENCILS;

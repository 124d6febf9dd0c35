/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model.h - what the models share.
 *
 * A model is a state machine of hardware that has no effect on what a program computes: caches
 * (cache.h, memory.h), TLBs (tlb.h), branch predictors (bpred.h), a pipeline's timing (cost.h).
 * A model answers and counts nothing; it knows no hart and no machine, only include/rv, libc and
 * sim/stream.h.  Its state depends on its configuration and on the calls made, and on nothing
 * else: the same calls give the same answers, on every host.
 *
 * Every model NAME has
 *	struct NAME_config	its shape: plain numbers, to be filled from a device tree
 *	NAME_check		whether that shape can be; false: one line, and which field
 *	NAME_init, NAME_free	takes a shape that was checked; false: no memory
 *	NAME_reset		as after NAME_init
 *	NAME_save, NAME_restore	its state, for a model of the same shape.  What restore reads is
 *				hostile: false if it ended early or is no state that the model
 *				could be in, and the model then stands as after reset.
 *
 * The fields that inline functions read are in the headers; nobody else may touch them.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../stream.h"

/*
 * Why a shape is impossible: the member of the _config struct, of which of its parts ("l1d";
 * NULL: it has none), and one line that names neither.  To be zeroed before.
 */
struct model_why {
	const char *part, *field;
	char text[160];
};

/* Sets *why but its part; returns false, for "return model_refuse(...)". */
__attribute__((format(printf, 3, 4))) bool model_refuse(struct model_why *why, const char *field,
							const char *format, ...);

/* False, with *why, unless low <= value <= high; and is a power of two, for the second. */
bool model_in_range(struct model_why *why, const char *field, uint64_t value, uint64_t low,
		    uint64_t high);
bool model_in_powers(struct model_why *why, const char *field, uint64_t value, uint64_t low,
		     uint64_t high);

/* The exponent of a power of two. */
static inline unsigned model_log2(uint64_t power)
{
	return __builtin_ctzll(power);
}

/* Numbers that stand before a model's state in a stream, to know it again. */
bool model_save_shape(const struct stream *s, const uint32_t *shape, unsigned nr);
bool model_restore_shape(const struct stream *s, const uint32_t *shape, unsigned nr);

#endif

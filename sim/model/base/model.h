/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model.h - declarations that all models share.
 *
 * A model is a state machine of hardware that has no effect on the results of a program: caches
 * (cache.h, hierarchy.h), TLBs (tlb.h), branch predictors (bpred.h), the timing of a pipeline
 * (cost.h), the bandwidth that harts share (ledger.h).  A model answers and counts nothing.  It
 * depends on no hart and no machine, only on include/rv, libc and lib/util/stream.h.  Its state
 * depends only on its configuration and on the calls made: the same calls give the same answers on
 * every host.
 *
 * Every model NAME has
 *	struct NAME_config	its shape: plain numbers, as a device tree gives them
 *	NAME_check		tells whether that shape is possible; false: why has one line and
 *				the field
 *	NAME_init, NAME_free	need a shape that was checked; false: no memory
 *	NAME_reset		the state after NAME_init
 *	NAME_save, NAME_restore	the state of a model, for another one of the same shape.  The data
 *				that restore reads is hostile.  false: it ended early or is no
 *				possible state of the model.  The model is then in its reset state.
 *
 * Some fields are in the headers because inline functions read them.  Other code must not use them.
 */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "errtext.h"
#include "stream.h"

/*
 * Why a shape is impossible: the member of the _config struct, the part that it is in ("l1d"; NULL:
 * none), and one line of text that names neither.  The caller zeroes it first.
 */
struct model_error {
	const char *part, *field;
	struct error_text error;
};

/* Sets *why, except its part.  Returns false, for "return model_refuse(...)". */
__attribute__((format(printf, 3, 4))) bool model_refuse(struct model_error *why, const char *field,
							const char *format, ...);

/*
 * Return true if low <= value <= high, else false with *why set.  The second also wants a power of
 * two.
 */
bool model_in_range(struct model_error *why, const char *field, uint64_t value, uint64_t low,
		    uint64_t high);
bool model_in_powers(struct model_error *why, const char *field, uint64_t value, uint64_t low,
		     uint64_t high);

/* The exponent of a power of two. */
static inline unsigned model_log2(uint64_t power)
{
	return __builtin_ctzll(power);
}

/* A shape precedes a model's state in a stream, so that restore can compare it. */
bool model_save_shape(const struct stream *s, const uint32_t *shape, unsigned nr);
bool model_restore_shape(const struct stream *s, const uint32_t *shape, unsigned nr);

#endif

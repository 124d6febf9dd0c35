/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mutate.h - makes new inputs from a corpus.  Equal seeds and numbers give equal inputs.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "corpus.h"

/*
 * Makes input number n of a seed in to, which has room for max bytes.  Most inputs are one of the
 * corpus with a few changes; one in eight is random bytes.  Returns the input's size.
 */
size_t mutate(const struct corpus *c, uint64_t seed, uint64_t n, uint8_t *to, size_t max);

#endif

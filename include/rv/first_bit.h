/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * first_bit.h - the number of the lowest set bit.
 *
 * RISC-V without Zbb has no instruction for it.  This is shorter than libgcc's function: the lowest
 * bit alone times a De Bruijn sequence has an index into the table in its top five bits.
 */
#ifndef RV_FIRST_BIT_H
#define RV_FIRST_BIT_H

#include <stdint.h>

/* mask is not 0. */
static inline unsigned rv_first_bit(uint64_t mask)
{
	static const unsigned char number[32] = {
		0,  1,	28, 2,	29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4,  8,
		31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6,  11, 5,  10, 9,
	};
	uint32_t half = (uint32_t)mask;
	unsigned base = 0;

	if (!half) {
		half = (uint32_t)(mask >> 32);
		base = 32;
	}
	return base + number[(half & -half) * 0x077cb531u >> 27];
}

#endif

// SPDX-License-Identifier: BSD-2-Clause
/*
 * parts.c - groups of registers, masks, and how the results of a kernel are written (parts.h).
 *
 * Implements: Unpriv 20240411 §31.4 (groups), §31.5.3 (masks), §31.5.4 (tails); vectors 0.7.1 §4.4
 * (masks).
 */
#include "parts.h"

bool vector_operand(const struct vector_state *v, enum vector_place place, unsigned reg,
		    struct vector_operand *g)
{
	static const int8_t more[] = {
		[PLACE_WIDE] = 1,    [PLACE_HALF] = -1,	   [PLACE_QUARTER] = -2,
		[PLACE_EIGHTH] = -3, [PLACE_ONE_WIDE] = 1,
	};
	int lmul;

	*g = (struct vector_operand){ reg, 1, v->sew };
	switch (place) {
	case PLACE_NONE:
		g->nr = 0;
		return true;
	case PLACE_MASK:
		g->size = -1;
		return true;
	case PLACE_ONE:
		return true;
	case PLACE_E16:
		g->size = 1;
		break;
	case PLACE_SAME:
		break;
	default:
		g->size = v->sew + more[place];
		break;
	}
	if (g->size < 0 || g->size > 3)
		return false;
	if (place == PLACE_ONE_WIDE)
		return true;
	lmul = v->lmul + g->size - v->sew;
	if (lmul < -3 || lmul > 3)
		return false;
	if (lmul > 0)
		g->nr = 1u << lmul;
	return !(reg & (g->nr - 1));
}

void vector_gather(const struct vector_state *v, unsigned reg, uint8_t *to)
{
	const uint8_t *from = v->reg + reg * v->bytes;
	const unsigned shift = vector_log_mlen(v);

	if (!shift) {
		memcpy(to, from, v->bytes);
		return;
	}
	memset(to, 0, v->bytes);
	if (shift == 3) { /* the lowest bits of eight bytes */
		for (unsigned n = 0; n < v->max; n += 8) {
			u64 bits;

			memcpy(&bits, from + n, 8);
			to[n / 8] = (bits & 0x0101010101010101) * 0x0102040810204080 >> 56;
		}
		return;
	}
	for (unsigned n = 0; n < v->max; n++)
		to[n / 8] |= vector_bit(from, n << shift) << n % 8;
}

void vector_put(struct vector_state *v, const struct vector_args *a, const void *from,
		unsigned bytes)
{
	const uint8_t *p = from;
	uint8_t *to = vector_reg(v, a->vd);

	if (v->vstart >= v->vl)
		return;
	if (!a->masked) {
		memcpy(to + v->vstart * bytes, p + v->vstart * bytes, (v->vl - v->vstart) * bytes);
		return;
	}
	/* vd may be v0 only if the mask is no longer needed: kernels that write v0 are not here. */
	for (unsigned n = v->vstart; n < v->vl; n++) {
		if (!vector_active(v, n))
			continue;
		switch (bytes) {
		case 1:
			to[n] = p[n];
			break;
		case 2:
			((u16 *)to)[n] = ((const u16 *)p)[n];
			break;
		case 4:
			((u32 *)to)[n] = ((const u32 *)p)[n];
			break;
		default:
			((u64 *)to)[n] = ((const u64 *)p)[n];
			break;
		}
	}
}

void vector_put_mask(struct vector_state *v, const struct vector_args *a, const uint8_t *from)
{
	uint8_t *to = vector_reg(v, a->vd);
	unsigned n = v->vstart;

	/* Bit n of v0 is read before bit n of vd, which may be v0, is written. */
	for (; n < v->vl && (a->masked || n % 8); n++) {
		if (vector_does(v, a, n))
			vector_set_bit(to, n, from[n]);
	}
	for (; n + 8 <= v->vl; n += 8) {
		u64 bits;

		memcpy(&bits, from + n, 8);
		to[n / 8] = bits * 0x0102040810204080 >> 56;
	}
	for (; n < v->vl; n++)
		vector_set_bit(to, n, from[n]);
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * hash.c - kernels: SHA-256, SHA-512 and SM3, on groups of four or eight elements.
 *
 * Implements: Vector Cryptography 1.0 (Zvknha, Zvknhb, Zvksh); FIPS 180-4; GB/T 32905 (SM3).
 */
#include "parts.h"

#define ROTATE(x, by) ((x) >> (by) | (x) << (BITS - (by)))

/* FIPS 180-4 §4.1.2, §4.1.3: what a word becomes, by the width of words. */
#define SUM0_32(x)	  (ROTATE(x, 2) ^ ROTATE(x, 13) ^ ROTATE(x, 22))
#define SUM1_32(x)	  (ROTATE(x, 6) ^ ROTATE(x, 11) ^ ROTATE(x, 25))
#define SIGMA0_32(x)	  (ROTATE(x, 7) ^ ROTATE(x, 18) ^ (x) >> 3)
#define SIGMA1_32(x)	  (ROTATE(x, 17) ^ ROTATE(x, 19) ^ (x) >> 10)
#define SUM0_64(x)	  (ROTATE(x, 28) ^ ROTATE(x, 34) ^ ROTATE(x, 39))
#define SUM1_64(x)	  (ROTATE(x, 14) ^ ROTATE(x, 18) ^ ROTATE(x, 41))
#define SIGMA0_64(x)	  (ROTATE(x, 1) ^ ROTATE(x, 8) ^ (x) >> 7)
#define SIGMA1_64(x)	  (ROTATE(x, 19) ^ ROTATE(x, 61) ^ (x) >> 6)
#define CHOICE(x, y, z)	  (((x) & (y)) ^ (~(x) & (z)))
#define MAJORITY(x, y, z) (((x) & (y)) ^ ((x) & (z)) ^ ((y) & (z)))

/*
 * Four words of the message schedule.  vd: words 0 to 3 of it; vs2: words 4 and 9 to 11; vs1: 12 to
 * 15.
 */
#define SCHEDULE(bits)                                                                             \
	KERNEL(vsha2ms_vv_##bits)                                                                  \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const U *d = vector_reg(v, a->vd), *s2 = vector_reg(v, a->vs2);                    \
		const U *s1 = vector_reg(v, a->vs1);                                               \
		VECTOR_BUFFER(U, to);                                                              \
		for (unsigned n = v->vstart; n < v->vl; n += 4) {                                  \
			const U old[5] = { d[n], d[n + 1], d[n + 2], d[n + 3], s2[n] };            \
			const U mid[4] = { s2[n + 1], s2[n + 2], s2[n + 3], s1[n] };               \
			for (unsigned i = 0; i < 4; i++) {                                         \
				U last = i < 2 ? s1[n + i + 2] : to[n + i - 2];                    \
				to[n + i] = SIGMA1_##bits(last) + mid[i] +                         \
					    SIGMA0_##bits(old[i + 1]) + old[i];                    \
			}                                                                          \
		}                                                                                  \
		vector_put(v, a, to, sizeof(U));                                                   \
	}

/* Two rounds.  Elements of vs2: f, e, b, a; of vd: h, g, d, c; words from element first of vs1. */
#define ROUNDS(bits, name, first)                                                                  \
	KERNEL(name##_vv_##bits)                                                                   \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const U *d = vector_reg(v, a->vd), *s2 = vector_reg(v, a->vs2);                    \
		const U *s1 = vector_reg(v, a->vs1);                                               \
		VECTOR_BUFFER(U, to);                                                              \
		for (unsigned n = v->vstart; n < v->vl; n += 4) {                                  \
			U s[8] = { s2[n + 3], s2[n + 2], d[n + 3], d[n + 2],                       \
				   s2[n + 1], s2[n],	 d[n + 1], d[n] };                         \
			for (unsigned i = 0; i < 2; i++) {                                         \
				U t1 = s[7] + SUM1_##bits(s[4]) + CHOICE(s[4], s[5], s[6]) +       \
				       s1[n + (first) + i];                                        \
				U t2 = SUM0_##bits(s[0]) + MAJORITY(s[0], s[1], s[2]);             \
				memmove(s + 1, s, 7 * sizeof(U));                                  \
				s[0] = t1 + t2;                                                    \
				s[4] += t1;                                                        \
			}                                                                          \
			to[n] = s[5], to[n + 1] = s[4], to[n + 2] = s[1], to[n + 3] = s[0];        \
		}                                                                                  \
		vector_put(v, a, to, sizeof(U));                                                   \
	}

#define SHA2(bits) SCHEDULE(bits) ROUNDS(bits, vsha2cl, 0) ROUNDS(bits, vsha2ch, 2)

SHA2(32)
SHA2(64)

/* SM3.  Elements have their bytes in the order of memory; words are big-endian. */
static inline u32 left(u32 x, unsigned by)
{
	return x << by | x >> (-by & 31);
}

static void words(const u32 *from, u32 *to, unsigned nr)
{
	for (unsigned n = 0; n < nr; n++)
		to[n] = __builtin_bswap32(from[n]);
}

/* GB/T 32905 §5.3.2: w[16] to w[23] of the message, whose words are w[0] to w[15]. */
static void sm3_expand(u32 w[24])
{
	for (unsigned n = 16; n < 24; n++) {
		u32 x = w[n - 16] ^ w[n - 9] ^ left(w[n - 3], 15);

		w[n] = x ^ left(x, 15) ^ left(x, 23) ^ left(w[n - 13], 7) ^ w[n - 6];
	}
}

/* §5.3.3: round j of the compression of s, which is a to h, with w and the fourth word after it. */
static void sm3_round(u32 s[8], unsigned j, u32 w, u32 w4)
{
	const bool early = j < 16;
	u32 t = early ? 0x79cc4519 : 0x7a879d8a;
	u32 ss1 = left(left(s[0], 12) + s[4] + left(t, j % 32), 7), ss2 = ss1 ^ left(s[0], 12);
	u32 ff = early ? s[0] ^ s[1] ^ s[2] : MAJORITY(s[0], s[1], s[2]);
	u32 gg = early ? s[4] ^ s[5] ^ s[6] : CHOICE(s[4], s[5], s[6]);
	u32 tt1 = ff + s[3] + ss2 + (w ^ w4), tt2 = gg + s[7] + ss1 + w;

	s[3] = s[2], s[2] = left(s[1], 9), s[1] = s[0], s[0] = tt1;
	s[7] = s[6], s[6] = left(s[5], 19), s[5] = s[4], s[4] = tt2 ^ left(tt2, 9) ^ left(tt2, 17);
}

KERNEL(vsm3me_vv_32)
{
	const u32 *s2 = vector_reg(v, a->vs2), *s1 = vector_reg(v, a->vs1);
	VECTOR_BUFFER(u32, to);

	for (unsigned n = v->vstart; n < v->vl; n += 8) {
		u32 w[24];

		words(s1 + n, w, 8);
		words(s2 + n, w + 8, 8);
		sm3_expand(w);
		words(w + 16, to + n, 8);
	}
	vector_put(v, a, to, sizeof(*to));
}

/* Two rounds.  Elements of vd: a to h; of vs2: two words, and two that are four further on. */
KERNEL(vsm3c_vi_32)
{
	const u32 *d = vector_reg(v, a->vd), *s2 = vector_reg(v, a->vs2);
	VECTOR_BUFFER(u32, to);

	for (unsigned n = v->vstart; n < v->vl; n += 8) {
		unsigned j = 2 * (a->scalar & 31);
		u32 s[8], w[8];

		words(d + n, s, 8);
		words(s2 + n, w, 8);
		sm3_round(s, j, w[0], w[4]);
		sm3_round(s, j + 1, w[1], w[5]);
		words(s, to + n, 8);
	}
	vector_put(v, a, to, sizeof(*to));
}

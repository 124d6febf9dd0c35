// SPDX-License-Identifier: BSD-2-Clause
/*
 * cipher.c - kernels: AES, SM4, and GHASH, on groups of four elements of 32 bits.
 *
 * In the expressions d is a group of vd, k one of vs2 (with .vs: its first one).
 *
 * Implements: Vector Cryptography 1.0 (Zvkned, Zvksed, Zvkg); FIPS 197; GB/T 32907 (SM4); NIST
 * SP 800-38D §6.3.
 */
#include "crypto.h"
#include "parts.h"

/* Four elements: 0 and 1 in low, 2 and 3 in high.  Columns of AES, words of SM4. */
struct block {
	u64 low, high;
};

static inline struct block block_at(struct vector_state *v, unsigned reg, unsigned n)
{
	struct block b;

	memcpy(&b, (u32 *)vector_reg(v, reg) + n, sizeof(b));
	return b;
}

static inline struct block both(struct block a, struct block b)
{
	return (struct block){ a.low ^ b.low, a.high ^ b.high };
}

/* N: the element of vs2 at which k begins. */
#define KERNEL_OF(name, N, ...)                                                                    \
	KERNEL(name##_32)                                                                          \
	{                                                                                          \
		VECTOR_BUFFER(u32, to);                                                            \
		for (unsigned n = v->vstart; n < v->vl; n += 4) {                                  \
			const struct block d __attribute__((unused)) = block_at(v, a->vd, n);      \
			const struct block k = block_at(v, a->vs2, N), r = __VA_ARGS__;            \
			memcpy(to + n, &r, sizeof(r));                                             \
		}                                                                                  \
		vector_put(v, a, to, sizeof(*to));                                                 \
	}
#define ROUND(name, f) KERNEL_OF(name##_vv, n, f(d, k)) KERNEL_OF(name##_vs, 0, f(d, k))

/* AES: FIPS 197 §5.1, §5.3 */
static struct block last_round(struct block d)
{
	return (struct block){ crypto_aes64es(d.low, d.high), crypto_aes64es(d.high, d.low) };
}

static struct block last_inverse(struct block d)
{
	return (struct block){ crypto_aes64ds(d.low, d.high), crypto_aes64ds(d.high, d.low) };
}

static struct block middle_round(struct block d)
{
	d = last_round(d);
	return (struct block){ crypto_aes64mix(d.low), crypto_aes64mix(d.high) };
}

static struct block mixed_inverse(struct block d)
{
	return (struct block){ crypto_aes64im(d.low), crypto_aes64im(d.high) };
}

#define LAST_ENCRYPTION(d, k) both(last_round(d), k)
#define ENCRYPTION(d, k)      both(middle_round(d), k)
#define LAST_DECRYPTION(d, k) both(last_inverse(d), k)
#define DECRYPTION(d, k)      mixed_inverse(both(last_inverse(d), k))

ROUND(vaesef, LAST_ENCRYPTION)
ROUND(vaesem, ENCRYPTION)
ROUND(vaesdf, LAST_DECRYPTION)
ROUND(vaesdm, DECRYPTION)
KERNEL_OF(vaesz_vs, 0, both(d, k))

/* Each word is the sum of its predecessor, the first one of `first`, and of that of old. */
static struct block key_words(struct block old, u32 first)
{
	u32 w0 = (u32)old.low ^ first, w1 = w0 ^ (u32)(old.low >> 32), w2 = w1 ^ (u32)old.high;

	return (struct block){ w0 | (u64)w1 << 32, w2 | (u64)(w2 ^ (u32)(old.high >> 32)) << 32 };
}

#define SUBSTITUTE_ONLY 10 /* of crypto_aes64ks1i: no rotation, no constant */

/* FIPS 197 §5.2.  A number that is not a round's has bit 3 inverted. */
static struct block next_key_128(struct block k, unsigned round)
{
	round &= 15;
	if (!round || round > 10)
		round ^= 8;
	return key_words(k, (u32)crypto_aes64ks1i(k.high, round - 1));
}

static struct block next_key_256(struct block old, struct block k, unsigned round)
{
	round &= 15;
	if (round < 2 || round > 14)
		round ^= 8;
	return key_words(old, (u32)crypto_aes64ks1i(k.high,
						    round % 2 ? SUBSTITUTE_ONLY : round / 2 - 1));
}

KERNEL_OF(vaeskf1_vi, n, next_key_128(k, a->scalar))
KERNEL_OF(vaeskf2_vi, n, next_key_256(d, k, a->scalar))

/* SM4.  crypto.h has words with their bytes in the other order. */
static u32 four_bytes(u64 (*step)(u64, u64, unsigned), u32 x)
{
	u64 sum = 0;

	for (unsigned byte = 0; byte < 4; byte++)
		sum = step(sum, __builtin_bswap32(x), byte);
	return __builtin_bswap32((u32)sum);
}

/* The next four words: each is the word four before it, xor a step of the three between and key. */
static struct block sm4_words(u64 (*step)(u64, u64, unsigned), struct block from, const u32 key[4])
{
	u32 w[8];

	memcpy(w, &from, sizeof(from));
	for (unsigned n = 0; n < 4; n++)
		w[n + 4] = w[n] ^ four_bytes(step, w[n + 1] ^ w[n + 2] ^ w[n + 3] ^ key[n]);
	memcpy(&from, w + 4, sizeof(from));
	return from;
}

static struct block sm4_rounds(struct block d, struct block k)
{
	u32 key[4];

	memcpy(key, &k, sizeof(k));
	return sm4_words(crypto_sm4ed, d, key);
}

static struct block sm4_keys(struct block k, unsigned round)
{
	u32 constant[4] = { 0 };

	for (unsigned n = 0; n < 16; n++) /* GB/T 32907 §7.3.2 */
		constant[n / 4] = constant[n / 4] << 8 | (((round & 7) * 16 + n) * 7 & 0xff);
	return sm4_words(crypto_sm4ks, k, constant);
}

ROUND(vsm4r, sm4_rounds)
KERNEL_OF(vsm4k_vi, n, sm4_keys(k, a->scalar))

/* GHASH: bytes have their bits in the other order. */
static u128 polynomial(struct block b)
{
	return (u128)bytes_reversed(b.high) << 64 | bytes_reversed(b.low);
}

/* The product in GF(2^128), modulo x^128 + x^7 + x^2 + x + 1. */
static struct block product(struct block a, struct block b)
{
	u128 x = polynomial(a), y = polynomial(b), sum = 0;

	for (unsigned n = 0; n < 128; n++) {
		sum ^= x >> n & 1 ? y : 0;
		y = y << 1 ^ (y >> 127 ? 0x87 : 0);
	}
	return (struct block){ bytes_reversed((u64)sum), bytes_reversed((u64)(sum >> 64)) };
}

KERNEL_OF(vgmul_vv, n, product(d, k))
KERNEL_OF(vghsh_vv, n, product(both(d, block_at(v, a->vs1, n)), k))

// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cipher.c - the vector steps of ciphers and hashes (sim/vector/base/vector.h) make what the
 * standards give as examples: AES (FIPS 197, appendix C), SHA-256 and SHA-512 (FIPS 180-4: "abc"),
 * GHASH (GCM's test case 2), SM3 (GB/T 32905, A.1) and SM4 (GB/T 32907, A.1).  Each is computed in
 * two groups of elements at once, and both must be the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa.h"
#include "tap.h"
#include "vector.h"

#define E32    0x10
#define E32_M2 0x11
#define E64_M2 0x19

static struct isa_set all;

static struct vector_state *new_state(unsigned vtype, unsigned vl)
{
	struct vector_state *v = vector_new();

	vector_reset(v, VECTOR_BYTES_MIN * 2, &all);
	is(vector_set(v, vtype, vl, false), vl);
	return v;
}

static void run(struct vector_state *v, unsigned op, unsigned vd, unsigned vs2, unsigned vs1)
{
	uint32_t flags = 0;
	struct vector_args a = {
		.op = op, .vd = vd, .vs2 = vs2, .vs1 = vs1, .scalar = vs1, .flags = &flags
	};

	ok(vector_execute(v, &a));
}

static uint8_t *reg(struct vector_state *v, unsigned n)
{
	return v->reg + n * v->bytes;
}

/* Puts the bytes of a group into both groups of a register group. */
static void put(struct vector_state *v, unsigned n, const void *from, unsigned bytes)
{
	memcpy(reg(v, n), from, bytes);
	memcpy(reg(v, n) + bytes, from, bytes);
}

static void put_hex(struct vector_state *v, unsigned n, const char *hex)
{
	uint8_t bytes[64];
	unsigned nr = 0;

	for (; hex[2 * nr]; nr++)
		bytes[nr] = strtoul((const char[]){ hex[2 * nr], hex[2 * nr + 1], 0 }, NULL, 16);
	put(v, n, bytes, nr);
}

static void holds(struct vector_state *v, unsigned n, const char *hex)
{
	char text[129];
	unsigned nr = strlen(hex) / 2;

	for (unsigned i = 0; i < nr; i++)
		snprintf(text + 2 * i, 3, "%02x", reg(v, n)[i]);
	is_str(text, hex);
	ok(!memcmp(reg(v, n), reg(v, n) + nr, nr));
}

/* The block in v2 by round keys from v4 on, and back.  vs: each key is the first group for all. */
static void aes(struct vector_state *v, unsigned rounds, bool vs)
{
	run(v, ISA_vaesz_vs, 2, 4, 0);
	for (unsigned n = 1; n < rounds; n++)
		run(v, vs ? ISA_vaesem_vs : ISA_vaesem_vv, 2, 4 + n, 0);
	run(v, vs ? ISA_vaesef_vs : ISA_vaesef_vv, 2, 4 + rounds, 0);
}

static void aes_back(struct vector_state *v, unsigned rounds, bool vs)
{
	run(v, ISA_vaesz_vs, 2, 4 + rounds, 0);
	for (unsigned n = rounds - 1; n; n--)
		run(v, vs ? ISA_vaesdm_vs : ISA_vaesdm_vv, 2, 4 + n, 0);
	run(v, vs ? ISA_vaesdf_vs : ISA_vaesdf_vv, 2, 4, 0);
}

static void aes_both(struct vector_state *v, unsigned rounds, const char *cipher)
{
	for (unsigned vs = 0; vs < 2; vs++) {
		put_hex(v, 2, "00112233445566778899aabbccddeeff");
		aes(v, rounds, vs);
		holds(v, 2, cipher);
		aes_back(v, rounds, vs);
		holds(v, 2, "00112233445566778899aabbccddeeff");
	}
}

static void aes_128(void)
{
	struct vector_state *v = new_state(E32, 8);

	put_hex(v, 4, "000102030405060708090a0b0c0d0e0f");
	for (unsigned n = 1; n <= 10; n++)
		run(v, ISA_vaeskf1_vi, 4 + n, 3 + n, n);
	holds(v, 14, "13111d7fe3944a17f307a78b4d2b30c5");
	aes_both(v, 10, "69c4e0d86a7b0430d8cdb78070b4c55a");
	free(v);
}

static void aes_256(void)
{
	struct vector_state *v = new_state(E32, 8);

	put_hex(v, 4, "000102030405060708090a0b0c0d0e0f");
	put_hex(v, 5, "101112131415161718191a1b1c1d1e1f");
	for (unsigned n = 2; n <= 14; n++) {
		memcpy(reg(v, 4 + n), reg(v, 2 + n), v->bytes);
		run(v, ISA_vaeskf2_vi, 4 + n, 3 + n, n);
	}
	holds(v, 18, "24fc79ccbf0979e9371ac23c6d68de36");
	aes_both(v, 14, "8ea2b7ca516745bfeafc49904b496089");
	free(v);
}

/* A number that is not a round's is one with bit 3 inverted; bit 4 does not count. */
static void round_numbers(void)
{
	static const struct {
		uint16_t op;
		uint8_t number, same;
	} rows[] = {
		{ ISA_vaeskf1_vi, 0, 8 },   { ISA_vaeskf1_vi, 11, 3 }, { ISA_vaeskf1_vi, 15, 7 },
		{ ISA_vaeskf1_vi, 26, 10 }, { ISA_vaeskf2_vi, 0, 8 },  { ISA_vaeskf2_vi, 1, 9 },
		{ ISA_vaeskf2_vi, 15, 7 },  { ISA_vaeskf2_vi, 18, 2 }, { ISA_vsm4k_vi, 8, 0 },
		{ ISA_vsm4k_vi, 31, 7 },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct vector_state *v = new_state(E32, 8);

		put_hex(v, 4, "000102030405060708090a0b0c0d0e0f");
		run(v, rows[n].op, 6, 4, rows[n].number);
		run(v, rows[n].op, 7, 4, rows[n].same);
		tap_context("%s %u", isa_table[rows[n].op].name, rows[n].number);
		ok(!memcmp(reg(v, 6), reg(v, 7), v->bytes));
		free(v);
	}
}

/* FIPS 180-4 §4.2.3, §5.3.5; those of SHA-256 are the upper halves of the first ones. */
static const uint64_t sha2_constant[80] = {
	0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
	0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
	0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
	0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
	0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
	0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
	0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
	0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
	0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
	0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
	0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
	0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
	0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
	0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
	0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
	0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
	0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
	0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
	0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
	0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

static const uint64_t sha2_initial[8] = {
	0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
	0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

/* Four words of numbers as wide as the elements, which are the upper parts of those of w. */
static void put_words(struct vector_state *v, unsigned n, const uint64_t w[4])
{
	uint32_t narrow[4];

	for (unsigned i = 0; i < 4; i++)
		narrow[i] = w[i] >> 32;
	if (v->sew == 3)
		put(v, n, w, 32);
	else
		put(v, n, narrow, 16);
}

/* The next four words of the schedule, in place of the oldest ones: w, groups from old to new. */
static void sha2_schedule(struct vector_state *v, const unsigned w[4])
{
	const unsigned bytes = 1u << v->sew;

	for (unsigned group = 0; group < 8; group += 4) { /* into v0: word 4, and words 9 to 11 */
		memcpy(reg(v, 0) + group * bytes, reg(v, w[1]) + group * bytes, bytes);
		memcpy(reg(v, 0) + (group + 1) * bytes, reg(v, w[2]) + (group + 1) * bytes,
		       3 * bytes);
	}
	run(v, ISA_vsha2ms_vv, w[0], 0, w[3]);
}

/*
 * The hash of "abc", of words as wide as elements, whose groups have step registers.  Groups 1 to 4
 * are the words, 5 constants plus words, 6 and 7 the state: f, e, b, a, and h, g, d, c.
 */
static void sha2(struct vector_state *v, unsigned step, unsigned rounds)
{
	const uint64_t message[16] = { 0x6162638000000000, [15] = v->sew == 3 ? 24 : 24ull << 32 };
	const uint64_t *h = sha2_initial, first[] = { h[5], h[4], h[1], h[0] };
	const uint64_t second[] = { h[7], h[6], h[3], h[2] };
	const unsigned sum = 5 * step, feba = 6 * step, hgdc = 7 * step;

	for (unsigned n = 0; n < 4; n++)
		put_words(v, (1 + n) * step, message + 4 * n);
	put_words(v, feba, first);
	put_words(v, hgdc, second);
	for (unsigned n = 0; n < rounds / 4; n++) {
		unsigned w[4];

		for (unsigned i = 0; i < 4; i++)
			w[i] = (1 + (n + i) % 4) * step;
		put_words(v, sum, sha2_constant + 4 * n);
		run(v, ISA_vadd_vv, sum, sum, w[0]);
		run(v, ISA_vsha2cl_vv, hgdc, feba, sum);
		run(v, ISA_vsha2ch_vv, feba, hgdc, sum);
		sha2_schedule(v, w);
	}
	put_words(v, sum, first);
	run(v, ISA_vadd_vv, feba, feba, sum);
	put_words(v, sum, second);
	run(v, ISA_vadd_vv, hgdc, hgdc, sum);
	run(v, ISA_vrev8_v, feba, feba, 0);
	run(v, ISA_vrev8_v, hgdc, hgdc, 0);
}

static void sha_256(void)
{
	struct vector_state *v = new_state(E32, 8);

	sha2(v, 1, 64);
	holds(v, 6, "96177a9cb00361a38f01cfeaba7816bf");
	holds(v, 7, "f20015adb410ff615dae2223414140de");
	free(v);
}

static void sha_512(void)
{
	struct vector_state *v = new_state(E64_M2, 8);

	sha2(v, 2, 80);
	holds(v, 12, "36ba3c23a3feebbd2192992a274fc1a8cc417349ae204131ddaf35a193617aba");
	holds(v, 14, "2a9ac94fa54ca49f454d4423643ce80e0a9eeee64b55d39a12e6fa4e89a97ea2");
	free(v);
}

/* The hash key of the zero key; a block of ciphertext, then the lengths. */
static void ghash(void)
{
	struct vector_state *v = new_state(E32, 8);

	put_hex(v, 2, "66e94bd4ef8a2c3b884cfa59ca342b2e");
	put_hex(v, 3, "00000000000000000000000000000000");
	put_hex(v, 4, "0388dace60b6a392f328c2b971b2fe78");
	put_hex(v, 5, "00000000000000000000000000000080");
	run(v, ISA_vghsh_vv, 3, 2, 4);
	run(v, ISA_vghsh_vv, 3, 2, 5);
	holds(v, 3, "f38cbb1ad69223dcc3457ae5b6b0f885");
	run(v, ISA_vgmul_vv, 4, 2, 0);
	holds(v, 4, "5e2ec746917062882c85b0685353deb7");
	free(v);
}

/* Words of a block from the order of bytes to numbers. */
static void swap(struct vector_state *v, unsigned n)
{
	run(v, ISA_vrev8_v, n, n, 0);
}

/* The keys of rounds are in v4 to v11; the block in v2, whose words come out in the other order. */
static void sm4_block(struct vector_state *v, bool back, bool vs)
{
	uint32_t *w = (uint32_t *)reg(v, 2);

	swap(v, 2);
	for (unsigned n = 0; n < 8; n++)
		run(v, vs ? ISA_vsm4r_vs : ISA_vsm4r_vv, 2, back ? 12 + 7 - n : 4 + n, 0);
	for (unsigned n = 0; n < 8; n += 4) {
		const uint32_t was[] = { w[n], w[n + 1], w[n + 2], w[n + 3] };

		for (unsigned i = 0; i < 4; i++)
			w[n + i] = was[3 - i];
	}
	swap(v, 2);
}

static void sm4(void)
{
	struct vector_state *v = new_state(E32, 8);
	const char *text = "0123456789abcdeffedcba9876543210";

	put_hex(v, 3, text);
	put_hex(v, 2, "a3b1bac656aa3350677d9197b27022dc"); /* GB/T 32907 §7.3.1 */
	run(v, ISA_vxor_vv, 3, 3, 2);
	swap(v, 3);
	for (unsigned n = 0; n < 8; n++)
		run(v, ISA_vsm4k_vi, 4 + n, n ? 3 + n : 3, n);
	for (unsigned n = 0; n < 8; n++) { /* for the way back: the keys in the other order */
		const uint32_t *from = (const uint32_t *)reg(v, 4 + n);

		put(v, 12 + n, (const uint32_t[]){ from[3], from[2], from[1], from[0] }, 16);
	}
	for (unsigned vs = 0; vs < 2; vs++) {
		put_hex(v, 2, text);
		sm4_block(v, false, vs);
		holds(v, 2, "681edf34d206965e86b3e94f536e4246");
		sm4_block(v, true, vs);
		holds(v, 2, text);
	}
	free(v);
}

/*
 * "abc" in one block.  v2: the state; v4, v6, v8: words of the message, of which an instruction
 * takes eight from each of two groups.
 */
static void sm3(void)
{
	static const char initial[] =
		"7380166f4914b2b9172442d7da8a0600a96f30bc163138aae38dee4db0fb0e4e";
	static const char first[] =
		"6162638000000000000000000000000000000000000000000000000000000000";
	static const char last[] =
		"0000000000000000000000000000000000000000000000000000000000000018";
	struct vector_state *v = new_state(E32_M2, 16);

	put_hex(v, 2, initial);
	put_hex(v, 4, first);
	put_hex(v, 6, last);
	for (unsigned n = 0; n < 32; n++) {
		if (n % 4 == 0) {
			/* Words 2 n to 2 n + 7, those after them, and the next ones. */
			run(v, ISA_vsm3me_vv, 8, 6, 4);
			memcpy(reg(v, 10), reg(v, 4), 64);
		} else { /* two words further on */
			for (unsigned group = 0; group < 64; group += 32) {
				memmove(reg(v, 10) + group, reg(v, 10) + group + 8, 24);
				memcpy(reg(v, 10) + group + 24, reg(v, 6) + group + (n % 4 - 1) * 8,
				       8);
			}
		}
		run(v, ISA_vsm3c_vi, 2, 10, n);
		if (n % 4 == 3) {
			memcpy(reg(v, 4), reg(v, 6), 64);
			memcpy(reg(v, 6), reg(v, 8), 64);
		}
	}
	put_hex(v, 4, initial);
	run(v, ISA_vxor_vv, 2, 2, 4);
	holds(v, 2, "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
	free(v);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "AES-128", aes_128 },
		{ "AES-256", aes_256 },
		{ "numbers of rounds", round_numbers },
		{ "SHA-256", sha_256 },
		{ "SHA-512", sha_512 },
		{ "GHASH", ghash },
		{ "SM4", sm4 },
		{ "SM3", sm3 },
	};

	memset(&all, 0xff, sizeof(all));
	return tap_run(cases, TAP_NR(cases));
}

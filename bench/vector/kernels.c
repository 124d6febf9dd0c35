/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernels.c - vector programs of bench/vector/run, one for each NAME, written with intrinsics, for a machine
 * without a system.  A program runs its kernel once and checks the result with a loop of scalar instructions;
 * then it runs the kernel COUNT times.
 *
 *	memcpy		4096 bytes, LMUL 8
 *	strlen		of 4095 characters, with loads that are fault-only-first
 *	saxpy		1024 floats, LMUL 4
 *	sgemm		64 x 64 floats, four rows at a time, LMUL 4
 *	dot8		products of 4096 signed bytes, widened to 16 and summed in 32 bits
 *	conv7		7 x 7 weights of 16 bits over 58 x 64 of them, LMUL 2
 *	chacha20	the keystream of 4096 bytes over a text, a block in each 32-bit element
 */
#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

#define BYTES 4096
#define SIDE  64
#define ROWS  58
#define TAPS  7

static union {
	uint8_t byte[BYTES];
	int8_t sbyte[BYTES];
	int16_t half[SIDE * SIDE + SIDE];
	uint32_t word[SIDE * SIDE];
	float real[SIDE * SIDE];
} a, b __attribute__((unused)), c __attribute__((unused));

#if defined(RUN_memcpy)

static void fill(void)
{
	for (unsigned i = 0; i < BYTES; i++)
		a.byte[i] = (uint8_t)(i * 7 + (i >> 8));
}

__attribute__((noinline)) static void kernel(void)
{
	const uint8_t *from = a.byte;
	uint8_t *to = b.byte;

	for (size_t left = BYTES, vl; left; left -= vl, from += vl, to += vl) {
		vl = __riscv_vsetvl_e8m8(left);
		__riscv_vse8_v_u8m8(to, __riscv_vle8_v_u8m8(from, vl), vl);
	}
}

static int right(void)
{
	for (unsigned i = 0; i < BYTES; i++)
		if (b.byte[i] != a.byte[i])
			return 0;
	return 1;
}

#elif defined(RUN_strlen)

static size_t length;

static void fill(void)
{
	for (unsigned i = 0; i < BYTES - 1; i++)
		a.byte[i] = (uint8_t)(i % 255 + 1);
	a.byte[BYTES - 1] = 0;
}

__attribute__((noinline)) static void kernel(void)
{
	const uint8_t *at = a.byte;
	size_t vl;
	long zero;

	for (;;) {
		vuint8m1_t text = __riscv_vle8ff_v_u8m1(at, &vl, __riscv_vsetvlmax_e8m1());

		zero = __riscv_vfirst_m_b8(__riscv_vmseq_vx_u8m1_b8(text, 0, vl), vl);
		if (zero >= 0)
			break;
		at += vl;
	}
	length = (size_t)(at + zero - a.byte);
}

static int right(void)
{
	return length == BYTES - 1;
}

#elif defined(RUN_saxpy)

/* Sums of small whole numbers: exact in any order. */
static void fill(void)
{
	for (unsigned i = 0; i < 1024; i++) {
		a.real[i] = (float)(i & 63);
		b.real[i] = (float)(i >> 4);
	}
}

__attribute__((noinline)) static void kernel(void)
{
	const float *x = a.real;
	float *y = b.real;

	for (size_t left = 1024, vl; left; left -= vl, x += vl, y += vl) {
		vfloat32m4_t sum;

		vl = __riscv_vsetvl_e32m4(left);
		sum = __riscv_vle32_v_f32m4(y, vl);
		sum = __riscv_vfmacc_vf_f32m4(sum, 0.5f, __riscv_vle32_v_f32m4(x, vl), vl);
		__riscv_vse32_v_f32m4(y, sum, vl);
	}
}

static int right(void)
{
	for (unsigned i = 0; i < 1024; i++)
		if (b.real[i] != (float)(i >> 4) + 0.5f * (float)(i & 63))
			return 0;
	return 1;
}

#elif defined(RUN_sgemm)

static void fill(void)
{
	for (unsigned i = 0; i < SIDE * SIDE; i++) {
		a.real[i] = (float)(i % 5);
		b.real[i] = (float)(i % 7);
	}
}

__attribute__((noinline)) static void kernel(void)
{
	for (unsigned row = 0; row < SIDE; row += 4)
		for (size_t col = 0, vl; col < SIDE; col += vl) {
			const float *left = &a.real[row * SIDE], *right = &b.real[col];
			float *to = &c.real[row * SIDE + col];
			vfloat32m4_t s0, s1, s2, s3;

			vl = __riscv_vsetvl_e32m4(SIDE - col);
			s0 = s1 = s2 = s3 = __riscv_vfmv_v_f_f32m4(0, vl);
			for (unsigned k = 0; k < SIDE; k++, left++, right += SIDE) {
				vfloat32m4_t line = __riscv_vle32_v_f32m4(right, vl);

				s0 = __riscv_vfmacc_vf_f32m4(s0, left[0], line, vl);
				s1 = __riscv_vfmacc_vf_f32m4(s1, left[SIDE], line, vl);
				s2 = __riscv_vfmacc_vf_f32m4(s2, left[2 * SIDE], line, vl);
				s3 = __riscv_vfmacc_vf_f32m4(s3, left[3 * SIDE], line, vl);
			}
			__riscv_vse32_v_f32m4(to, s0, vl);
			__riscv_vse32_v_f32m4(to + SIDE, s1, vl);
			__riscv_vse32_v_f32m4(to + 2 * SIDE, s2, vl);
			__riscv_vse32_v_f32m4(to + 3 * SIDE, s3, vl);
		}
}

static int right(void)
{
	for (unsigned i = 0; i < SIDE; i++)
		for (unsigned j = 0; j < SIDE; j++) {
			unsigned sum = 0;

			for (unsigned k = 0; k < SIDE; k++)
				sum += (i * SIDE + k) % 5 * ((k * SIDE + j) % 7);
			if (c.real[i * SIDE + j] != (float)sum)
				return 0;
		}
	return 1;
}

#elif defined(RUN_dot8)

static int32_t product;

static void fill(void)
{
	for (unsigned i = 0; i < BYTES; i++) {
		a.sbyte[i] = (int8_t)(i * 11);
		b.sbyte[i] = (int8_t)(i * 5 + 3);
	}
}

__attribute__((noinline)) static void kernel(void)
{
	const int8_t *x = a.sbyte, *y = b.sbyte;
	size_t all = __riscv_vsetvlmax_e32m8();
	vint32m8_t sum = __riscv_vmv_v_x_i32m8(0, all);
	vint32m1_t zero = __riscv_vmv_s_x_i32m1(0, 1);

	for (size_t left = BYTES, vl; left; left -= vl, x += vl, y += vl) {
		vint16m4_t both;

		vl = __riscv_vsetvl_e8m2(left);
		both = __riscv_vwmul_vv_i16m4(__riscv_vle8_v_i8m2(x, vl), __riscv_vle8_v_i8m2(y, vl), vl);
		sum = __riscv_vwadd_wv_i32m8_tu(sum, sum, both, vl);
	}
	product = __riscv_vmv_x_s_i32m1_i32(__riscv_vredsum_vs_i32m8_i32m1(sum, zero, all));
}

static int right(void)
{
	int32_t sum = 0;

	for (unsigned i = 0; i < BYTES; i++)
		sum += a.sbyte[i] * b.sbyte[i];
	return product == sum;
}

#elif defined(RUN_conv7)

static void fill(void)
{
	for (unsigned i = 0; i < SIDE * SIDE + SIDE; i++)
		a.half[i] = (int16_t)(i * 13);
	for (unsigned i = 0; i < TAPS * TAPS; i++)
		b.half[i] = (int16_t)(i - 20);
}

/* A row's last pixels see the next row's first, as its filter has no border. */
__attribute__((noinline)) static void kernel(void)
{
	for (unsigned row = 0; row < ROWS; row++)
		for (size_t col = 0, vl; col < SIDE; col += vl) {
			const int16_t *weight = b.half;
			vint16m2_t sum;

			vl = __riscv_vsetvl_e16m2(SIDE - col);
			sum = __riscv_vmv_v_x_i16m2(0, vl);
			for (unsigned y = 0; y < TAPS; y++) {
				const int16_t *pixel = &a.half[(row + y) * SIDE + col];

#pragma clang loop unroll(full)
				for (unsigned x = 0; x < TAPS; x++)
					sum = __riscv_vmacc_vx_i16m2(sum, *weight++,
						__riscv_vle16_v_i16m2(pixel + x, vl), vl);
			}
			__riscv_vse16_v_i16m2(&c.half[row * SIDE + col], sum, vl);
		}
}

static int right(void)
{
	for (unsigned i = 0; i < ROWS * SIDE; i++) {
		unsigned sum = 0;

		for (unsigned y = 0; y < TAPS; y++)
			for (unsigned x = 0; x < TAPS; x++)
				sum += (unsigned)(a.half[i + y * SIDE + x] * b.half[y * TAPS + x]);
		if (c.half[i] != (int16_t)sum)
			return 0;
	}
	return 1;
}

#elif defined(RUN_chacha20)

static uint32_t key[8], nonce[3];

static void fill(void)
{
	for (unsigned i = 0; i < 8; i++)
		key[i] = 0x03020100 + i * 0x04040404;
	nonce[1] = 0x4a000000;
	for (unsigned i = 0; i < BYTES / 4; i++)
		a.word[i] = i * 0x01010101;
}

static const uint32_t SIGMA[4] = { 0x61707865, 0x3320646e, 0x79622d32, 0x6b206574 };

#define VROTL(x, bits) __riscv_vor_vv_u32m1(__riscv_vsll_vx_u32m1(x, bits, vl), \
					    __riscv_vsrl_vx_u32m1(x, 32 - (bits), vl), vl)
#define VSTEP(x, y, z, bits) do { \
		x = __riscv_vadd_vv_u32m1(x, y, vl); \
		z = __riscv_vxor_vv_u32m1(z, x, vl); \
		z = VROTL(z, bits); \
	} while (0)
#define VQUARTER(x, y, z, w) do { \
		VSTEP(x, y, w, 16); \
		VSTEP(z, w, y, 12); \
		VSTEP(x, y, w, 8); \
		VSTEP(z, w, y, 7); \
	} while (0)
/* Adds what the state began with, and writes word N of each block. */
#define PUT(n, x, begin) do { \
		x = __riscv_vadd_vx_u32m1(x, begin, vl); \
		x = __riscv_vxor_vv_u32m1(x, __riscv_vlse32_v_u32m1(&from[n], 64, vl), vl); \
		__riscv_vsse32_v_u32m1(&to[n], 64, x, vl); \
	} while (0)
#define V(x) __riscv_vmv_v_x_u32m1(x, vl)

__attribute__((noinline)) static void kernel(void)
{
	const uint32_t *from = a.word;
	uint32_t *to = b.word;

	for (size_t block = 0, vl; block < BYTES / 64; block += vl, from += 16 * vl, to += 16 * vl) {
		vuint32m1_t s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15;

		vl = __riscv_vsetvl_e32m1(BYTES / 64 - block);
		s0 = V(SIGMA[0]), s1 = V(SIGMA[1]), s2 = V(SIGMA[2]), s3 = V(SIGMA[3]);
		s4 = V(key[0]), s5 = V(key[1]), s6 = V(key[2]), s7 = V(key[3]);
		s8 = V(key[4]), s9 = V(key[5]), s10 = V(key[6]), s11 = V(key[7]);
		s12 = __riscv_vadd_vx_u32m1(__riscv_vid_v_u32m1(vl), (uint32_t)block, vl);
		s13 = V(nonce[0]), s14 = V(nonce[1]), s15 = V(nonce[2]);
		for (unsigned round = 0; round < 10; round++) {
			VQUARTER(s0, s4, s8, s12);
			VQUARTER(s1, s5, s9, s13);
			VQUARTER(s2, s6, s10, s14);
			VQUARTER(s3, s7, s11, s15);
			VQUARTER(s0, s5, s10, s15);
			VQUARTER(s1, s6, s11, s12);
			VQUARTER(s2, s7, s8, s13);
			VQUARTER(s3, s4, s9, s14);
		}
		s12 = __riscv_vadd_vv_u32m1(s12, __riscv_vid_v_u32m1(vl), vl);
		PUT(0, s0, SIGMA[0]);
		PUT(1, s1, SIGMA[1]);
		PUT(2, s2, SIGMA[2]);
		PUT(3, s3, SIGMA[3]);
		PUT(4, s4, key[0]);
		PUT(5, s5, key[1]);
		PUT(6, s6, key[2]);
		PUT(7, s7, key[3]);
		PUT(8, s8, key[4]);
		PUT(9, s9, key[5]);
		PUT(10, s10, key[6]);
		PUT(11, s11, key[7]);
		PUT(12, s12, (uint32_t)block);
		PUT(13, s13, nonce[0]);
		PUT(14, s14, nonce[1]);
		PUT(15, s15, nonce[2]);
	}
}

static uint32_t rotl(uint32_t x, unsigned bits)
{
	return x << bits | x >> (32 - bits);
}

static void quarter(uint32_t *x, uint32_t *y, uint32_t *z, uint32_t *w)
{
	*x += *y, *w = rotl(*w ^ *x, 16);
	*z += *w, *y = rotl(*y ^ *z, 12);
	*x += *y, *w = rotl(*w ^ *x, 8);
	*z += *w, *y = rotl(*y ^ *z, 7);
}

/* RFC 8439, section 2.3. */
static int right(void)
{
	for (uint32_t block = 0; block < BYTES / 64; block++) {
		uint32_t begin[16], s[16];

		for (unsigned i = 0; i < 16; i++)
			begin[i] = s[i] = i < 4 ? SIGMA[i] : i < 12 ? key[i - 4] : i == 12 ? block : nonce[i - 13];
		for (unsigned round = 0; round < 10; round++) {
			for (unsigned i = 0; i < 4; i++)
				quarter(&s[i], &s[4 + i], &s[8 + i], &s[12 + i]);
			for (unsigned i = 0; i < 4; i++)
				quarter(&s[i], &s[4 + (i + 1) % 4], &s[8 + (i + 2) % 4], &s[12 + (i + 3) % 4]);
		}
		for (unsigned i = 0; i < 16; i++)
			if (b.word[16 * block + i] != (a.word[16 * block + i] ^ (s[i] + begin[i])))
				return 0;
	}
	return 1;
}

#else
#error "RUN_NAME says which program"
#endif

/* Ends the machine: QEMU's and Holter's test finisher. */
static void end(unsigned code)
{
	*(volatile uint32_t *)0x100000 = code;
	for (;;)
		;
}

void start(void);
void start(void)
{
	fill();
	kernel();
	if (!right())
		end(1 << 16 | 0x3333);
	for (unsigned i = 0; i < COUNT; i++)
		kernel();
	end(0x5555);
}

static char stack[4096] __attribute__((used, aligned(16)));

/* mstatus.VS and FS, and a stack. */
__asm__(".section .text.start\n"
	".globl _start\n"
	"_start:\n"
	"	li	t0, 0x6600\n"
	"	csrs	mstatus, t0\n"
	"	la	sp, stack + 4096\n"
	"	j	start\n"
	".text\n");

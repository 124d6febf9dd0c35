// SPDX-License-Identifier: BSD-2-Clause
/*
 * filter_prog.c - for tests/cpu/rva23: blurs an image of WIDTH x HEIGHT gray pixels with 5 x 5 weights, and prints a
 * checksum of the result.  Without RISC-V's vectors it is a loop of C; with INTRINSICS it uses those of V, and else
 * the compiler may make vectors of the loop.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef INTRINSICS
#include <riscv_vector.h>
#endif

#define WIDTH  320
#define HEIGHT 200
#define TAPS   5

static uint8_t image[HEIGHT][WIDTH];
static uint8_t blurred[HEIGHT - TAPS + 1][WIDTH - TAPS + 1];
static const uint16_t weight[TAPS] = { 1, 4, 6, 4, 1 };

#ifdef INTRINSICS
/* One load for each weight and each vector of pixels. */
__attribute__((noinline)) static void blur(void)
{
	for (int y = 0; y <= HEIGHT - TAPS; y++)
		for (size_t x = 0, vl; x <= WIDTH - TAPS; x += vl) {
			vuint16m2_t sum;

			vl = __riscv_vsetvl_e8m1(WIDTH - TAPS + 1 - x);
			sum = __riscv_vmv_v_x_u16m2(0, vl);
			for (int i = 0; i < TAPS; i++)
				for (int j = 0; j < TAPS; j++) {
					vuint8m1_t pixels = __riscv_vle8_v_u8m1(&image[y + i][x + (size_t)j], vl);

					sum = __riscv_vmacc_vx_u16m2(sum, weight[i] * weight[j],
						__riscv_vzext_vf2_u16m2(pixels, vl), vl);
				}
			__riscv_vse8_v_u8m1(&blurred[y][x], __riscv_vnsrl_wx_u8m1(sum, 8, vl), vl);
		}
}
#else
__attribute__((noinline)) static void blur(void)
{
	for (int y = 0; y <= HEIGHT - TAPS; y++)
		for (int x = 0; x <= WIDTH - TAPS; x++) {
			uint16_t sum = 0;

			for (int i = 0; i < TAPS; i++)
				for (int j = 0; j < TAPS; j++)
					sum += weight[i] * weight[j] * image[y + i][x + j];
			blurred[y][x] = sum >> 8;
		}
}
#endif

int main(void)
{
	uint32_t state = 1, hash = 2166136261u;

	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			state = state * 1664525 + 1013904223;
			image[y][x] = state >> 24;
		}
	/* So that no store faults: after a fault, elements are counted from vstart on. */
	memset(blurred, 1, sizeof blurred);
	blur();
	for (int y = 0; y <= HEIGHT - TAPS; y++)
		for (int x = 0; x <= WIDTH - TAPS; x++)
			hash = (hash ^ blurred[y][x]) * 16777619;
	printf("%08x\n", (unsigned)hash);
	return 0;
}

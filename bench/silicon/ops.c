// SPDX-License-Identifier: BSD-2-Clause
/*
 * ops.c - each class of instructions: lat-NAME is a chain in which each instruction waits for the
 * one before (cycles an instruction, or a pair where the name has two), per-NAME the same without
 * dependences (cycles an instruction).  Operands of divisions are full words, for which most
 * dividers need longest; lat-div-BITS: the quotient has so many bits.
 */
#include "silicon.h"

enum { LOOPS = 24, UNROLL = 64 };

static uint64_t cell[8] __attribute__((aligned(64)));

/*
 * a0: 64 bits, t2: 16, t3: 32; a1: 1; a2: a cell that contains its own address; fa0: digits
 * without end.
 */
#define REGISTERS                                                                                  \
	"li a0, 0xfeadbeefcafebabd\nli t2, 0xbeef\nli t3, 0xdeadbeef\nli a1, 1\n"                  \
	"mv a2, %2\nsd a2, 0(a2)\nli a3, 3\n"                                                      \
	"li a4, 5\nli a5, 7\nli a6, 0x123456789abcdef\nli a7, 11\n"                                \
	"fcvt.d.l fa1, a3\nfcvt.d.l fa0, a5\nfdiv.d fa0, fa0, fa1\n"                               \
	"fcvt.d.l fa6, a1\nfcvt.s.d ft0, fa0\nfcvt.s.d ft1, fa1\nfcvt.s.d ft2, fa6\n"

#define CLOBBERED                                                                                  \
	"t0", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t1", "t2", "t3", "t4", "t5", "fa0", \
		"fa1", "fa2", "fa3", "fa4", "fa5", "fa6", "fa7", "ft0", "ft1", "ft2", "ft3",       \
		"memory"

/* The second of two turns counts: the first brings the code into the caches. */
#define MEASURE(name, ops, kernel)                                                                 \
	do {                                                                                       \
		uint64_t start, end;                                                               \
                                                                                                   \
		for (int turn = 0; turn < 2; turn++)                                               \
			asm volatile(REGISTERS "csrr %0, cycle\n.balign 64\nli t0, 24\n1:\n"       \
					       ".rept 64\n" kernel "\n.endr\n"                     \
					       "addi t0, t0, -1\nbnez t0, 1b\ncsrr %1, cycle\n"    \
				     : "=&r"(start), "=&r"(end)                                    \
				     : "r"(cell)                                                   \
				     : CLOBBERED);                                                 \
		result(name, 0, end - start, (uint64_t)LOOPS * UNROLL * (ops));                    \
	} while (0)

int main(void)
{
	MEASURE("lat-alu", 1, "add a0, a0, a1");
	MEASURE("lat-shift", 1, "srl a0, a0, a1");
	MEASURE("lat-mulw", 1, "mulw a0, a0, a3");
	MEASURE("lat-mul", 1, "mul a0, a0, a3");
	MEASURE("lat-mulh", 1, "mulhu a0, a0, a0");
	MEASURE("lat-divw", 1, "divuw a0, a0, a1");
	MEASURE("lat-div", 1, "divu a0, a0, a1");
	MEASURE("lat-div-16", 1, "divu t2, t2, a1");
	MEASURE("lat-div-32", 1, "divu t3, t3, a1");
	MEASURE("lat-div-small", 1, "div a4, a4, a1");
	MEASURE("lat-load", 1, "ld a2, 0(a2)");
	MEASURE("lat-load-alu", 1, "ld a2, 0(a2)\nadd a2, a2, zero");
	MEASURE("lat-store-load", 1, "sd a2, 8(a2)\nld a2, 8(a2)");
	MEASURE("lat-amo", 1, "amoor.d a2, zero, (a2)");
	MEASURE("lat-fadd.s", 1, "fadd.s ft0, ft0, ft1");
	MEASURE("lat-fmul.s", 1, "fmul.s ft0, ft0, ft2");
	MEASURE("lat-fmadd.s", 1, "fmadd.s ft0, ft0, ft2, ft1");
	MEASURE("lat-fdiv.s", 1, "fdiv.s ft0, ft0, ft2");
	MEASURE("lat-fsqrt.s", 1, "fsqrt.s ft0, ft0");
	MEASURE("lat-fadd.d", 1, "fadd.d fa0, fa0, fa1");
	MEASURE("lat-fmul.d", 1, "fmul.d fa0, fa0, fa6");
	MEASURE("lat-fmadd.d", 1, "fmadd.d fa0, fa0, fa6, fa1");
	MEASURE("lat-fdiv.d", 1, "fdiv.d fa0, fa0, fa6");
	MEASURE("lat-fsqrt.d", 1, "fsqrt.d fa0, fa0");
	MEASURE("lat-fsgnj.d", 1, "fsgnj.d fa0, fa0, fa1");
	MEASURE("lat-fcvt+fcvt", 1, "fcvt.d.l fa0, a0\nfcvt.l.d a0, fa0");
	MEASURE("lat-fmv+fmv", 1, "fmv.d.x fa0, a0\nfmv.x.d a0, fa0");

	MEASURE("per-alu", 4, "add a0, a1, a1\nadd t1, a1, a1\nadd t2, a1, a1\nadd t3, a1, a1");
	MEASURE("per-mul", 4, "mul a0, a3, a3\nmul t1, a3, a3\nmul t2, a3, a3\nmul t3, a3, a3");
	MEASURE("per-div", 1, "div t1, a6, a3");
	MEASURE("per-load", 4, "ld t1, 0(a2)\nld t2, 0(a2)\nld t3, 0(a2)\nld t4, 0(a2)");
	MEASURE("per-store", 4, "sd a1, 8(a2)\nsd a3, 16(a2)\nsd a4, 24(a2)\nsd a5, 32(a2)");
	MEASURE("per-load-store", 2, "ld t1, 0(a2)\nsd a3, 16(a2)");
	MEASURE("per-alu-load", 2, "ld t1, 0(a2)\nadd t2, a1, a1");
	MEASURE("per-alu-mul", 2, "mul t1, a3, a3\nadd t2, a1, a1");
	MEASURE("per-alu-branch", 2, "add t1, a1, a1\nbeqz a1, 1b");
	MEASURE("per-fadd.d", 4,
		"fadd.d ft3, fa0, fa1\nfadd.d fa7, fa0, fa1\n"
		"fadd.d fa3, fa0, fa1\nfadd.d fa4, fa0, fa1");
	MEASURE("per-fmul.d", 4,
		"fmul.d ft3, fa0, fa1\nfmul.d fa7, fa0, fa1\n"
		"fmul.d fa3, fa0, fa1\nfmul.d fa4, fa0, fa1");
	MEASURE("per-fmadd.d", 4,
		"fmadd.d ft3, fa0, fa1, fa1\nfmadd.d fa7, fa0, fa1, fa1\n"
		"fmadd.d fa3, fa0, fa1, fa1\nfmadd.d fa4, fa0, fa1, fa1");
	MEASURE("per-fdiv.d", 1, "fdiv.d fa4, fa0, fa1");
	MEASURE("per-fmadd.d-load", 2, "fmadd.d ft3, fa0, fa1, fa1\nfld fa4, 0(a2)");
	return 0;
}

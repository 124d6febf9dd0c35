// SPDX-License-Identifier: BSD-2-Clause
/*
 * vector.c - vectors of the ratified specification.  On a core that has none it measures nothing.
 *
 *	vper-INSN-eSmL	cycles an instruction with elements of S bits and groups of L registers, as
 *			rvv-bench measures it: eight of them in turn with other registers
 *	vlat-INSN-eSmL	the same, each waits for the one before
 *	vmemcpy-mL	cycles a byte of a copy, for several sizes (rvv-bench's memcpy_rvv)
 *	vmemset-mL	the same of a fill
 *	vsaxpy, vdot	cycles an element of 32 bits, for several sizes; none are published
 */
#include "silicon.h"

enum { LOOPS = 32, UNROLL = 8, IN_TURN = 8, STRIDE = 3 };

#define WITH_VECTORS ".option push\n.option arch, +v\n"
#define SECOND	     ((char *)BUFFER + BUFFER_SIZE / 2)

/* A cell that contains its own address. */
static uint64_t cell __attribute__((aligned(64)));

/* a2: BUFFER; a3: a stride; a4: the cell; t1: 3; t2 is free. */
#define MEASURE(name, sew, lmul, ops, kernel)                                                      \
	do {                                                                                       \
		uint64_t start, end;                                                               \
                                                                                                   \
		for (int turn = 0; turn < 2; turn++)                                               \
			asm volatile(WITH_VECTORS                                                  \
				     "li t1, 3\nmv a2, %2\nmv a3, %3\nmv a4, %4\nsd a4, (a4)\n"    \
				     "li t0, 32\n"                                                 \
				     "vsetvli t2, zero, e8, m8, ta, ma\nvmv.v.i v24, 0\n"          \
				     "vsetvli t2, zero, e" #sew ", m" #lmul ", ta, ma\n"           \
				     "csrr %0, cycle\n.balign 64\n1:\n"                            \
				     ".rept 8\n" kernel ".endr\n"                                  \
				     "addi t0, t0, -1\nbnez t0, 1b\ncsrr %1, cycle\n"              \
				     ".option pop"                                                 \
				     : "=&r"(start), "=&r"(end)                                    \
				     : "r"(BUFFER), "r"(STRIDE * sew / 8l), "r"(&cell)             \
				     : "t0", "t1", "t2", "a2", "a3", "a4", "ft0", "memory");       \
		result(name "-e" #sew "m" #lmul, 0, end - start,                                   \
		       (uint64_t)LOOPS * UNROLL * (ops));                                          \
	} while (0)

/* The forms of an instruction: d a result, a and b operands. */
#define VV(insn, d, a, b)      insn " v" #d ", v" #a ", v" #b "\n"
#define VX(insn, d, a, b)      insn " v" #d ", v" #a ", t1\n"
#define V(insn, d, a, b)       insn " v" #d ", v" #a "\n"
#define X(insn, d, a, b)       insn " v" #d ", t1\n"
#define MASKED(insn, d, a, b)  insn " v" #d ", v" #a ", v" #b ", v0.t\n"
#define TO_X(insn, d, a, b)    insn " t2, v" #d "\n"
#define MEM(insn, d, a, b)     insn " v" #d ", (a2)\n"
#define STRIDED(insn, d, a, b) insn " v" #d ", (a2), a3\n"
#define INDEXED(insn, d, a, b) insn " v" #d ", (a2), v24\n"

/* Eight in turn, by groups; those of segments have two fields. */
#define TURN1(form, i)                                                                             \
	form(i, 8, 16, 24) form(i, 9, 17, 25) form(i, 10, 18, 26) form(i, 11, 19, 27)              \
		form(i, 12, 20, 28) form(i, 13, 21, 29) form(i, 14, 22, 30) form(i, 15, 23, 31)
#define PAIRS2(form, i)                                                                            \
	form(i, 8, 16, 24) form(i, 10, 18, 26) form(i, 12, 20, 28) form(i, 14, 22, 30)
#define TURN2(form, i)	PAIRS2(form, i) PAIRS2(form, i)
#define PAIRS4(form, i) form(i, 8, 16, 24) form(i, 12, 20, 28)
#define TURN4(form, i)	PAIRS4(form, i) PAIRS4(form, i) PAIRS4(form, i) PAIRS4(form, i)
#define PAIRS8(form, i) form(i, 8, 16, 24) form(i, 8, 16, 24)
#define TURN8(form, i)	PAIRS8(form, i) PAIRS8(form, i) PAIRS8(form, i) PAIRS8(form, i)

#define PER(form, insn, sew, lmul) MEASURE("vper-" insn, sew, lmul, IN_TURN, TURN##lmul(form, insn))
#define PER_GROUPS(form, insn, sew)                                                                \
	do {                                                                                       \
		PER(form, insn, sew, 1);                                                           \
		PER(form, insn, sew, 2);                                                           \
		PER(form, insn, sew, 4);                                                           \
		PER(form, insn, sew, 8);                                                           \
	} while (0)
#define MASKED_OF(insn, sew, lmul)                                                                 \
	MEASURE("vper-" insn ",v0.t", sew, lmul, IN_TURN, TURN##lmul(MASKED, insn))
#define PER_MASKED(insn, sew)                                                                      \
	do {                                                                                       \
		MASKED_OF(insn, sew, 1);                                                           \
		MASKED_OF(insn, sew, 2);                                                           \
		MASKED_OF(insn, sew, 4);                                                           \
		MASKED_OF(insn, sew, 8);                                                           \
	} while (0)
/* A result of two registers. */
#define PER_WIDE(insn, sew)   MEASURE("vper-" insn, sew, 1, IN_TURN, TURN2(VV, insn))
/* Fields of two registers each time: what TURN2 writes at the least. */
#define PER_FIELDS(insn, sew) MEASURE("vper-" insn, sew, 1, IN_TURN, TURN2(MEM, insn))

#define LAT(insn, sew, lmul, operands) MEASURE("vlat-" insn, sew, lmul, 1, insn " " operands "\n")
#define LAT_GROUPS(insn, sew, operands)                                                            \
	do {                                                                                       \
		LAT(insn, sew, 1, operands);                                                       \
		LAT(insn, sew, 2, operands);                                                       \
		LAT(insn, sew, 4, operands);                                                       \
		LAT(insn, sew, 8, operands);                                                       \
	} while (0)
/* The result of a gather may not overlap its operands. */
#define GATHER_LAT(sew, lmul)                                                                      \
	MEASURE("vlat-vrgather.vv", sew, lmul, 2,                                                  \
		"vrgather.vv v8, v16, v24\nvrgather.vv v24, v16, v8\n")

static void integers(void)
{
	PER_GROUPS(VV, "vadd.vv", 8);
	PER_GROUPS(VX, "vadd.vx", 32);
	PER_GROUPS(VV, "vand.vv", 32);
	PER_GROUPS(VV, "vsll.vv", 32);
	PER_GROUPS(VV, "vmseq.vv", 32);
	PER_GROUPS(VV, "vmul.vv", 32);
	PER_GROUPS(VV, "vmul.vv", 64);
	PER_GROUPS(VV, "vmacc.vv", 16);
	PER_GROUPS(VV, "vdiv.vv", 8);
	PER_GROUPS(VV, "vdiv.vv", 64);
	PER_WIDE("vwmul.vv", 16);
	PER(V, "vzext.vf2", 32, 4);
	PER_MASKED("vadd.vv", 32);
}

static void floats(void)
{
	PER_GROUPS(VV, "vfadd.vv", 32);
	PER_GROUPS(VV, "vfmacc.vv", 32);
	PER_GROUPS(VV, "vfmul.vv", 64);
	PER_GROUPS(VV, "vfsgnj.vv", 32);
	PER_GROUPS(VV, "vfdiv.vv", 32);
	PER_GROUPS(VV, "vfdiv.vv", 64);
	PER_GROUPS(V, "vfsqrt.v", 64);
	PER_GROUPS(V, "vfcvt.x.f.v", 32);
	PER_GROUPS(VV, "vfredusum.vs", 32);
	PER_GROUPS(VV, "vfredosum.vs", 32);
}

static void permutations(void)
{
	PER_GROUPS(VV, "vrgather.vv", 8);
	PER_GROUPS(VX, "vrgather.vx", 32);
	PER_GROUPS(VX, "vslideup.vx", 32);
	PER_GROUPS(VX, "vslidedown.vx", 32);
	PER_GROUPS(VV, "vcompress.vm", 32);
	PER_GROUPS(VV, "vredsum.vs", 32);
	PER_GROUPS(V, "viota.m", 32);
	PER(VV, "vmand.mm", 32, 1);
	PER(TO_X, "vmv.x.s", 32, 1);
	PER(X, "vmv.s.x", 32, 1);
	PER(TO_X, "vcpop.m", 32, 1);
}

static void memory(void)
{
	PER_GROUPS(MEM, "vle8.v", 8);
	PER_GROUPS(MEM, "vle64.v", 64);
	PER_GROUPS(MEM, "vse8.v", 8);
	PER_GROUPS(MEM, "vse64.v", 64);
	PER(MEM, "vle8ff.v", 8, 1);
	PER_GROUPS(STRIDED, "vlse32.v", 32);
	PER_GROUPS(STRIDED, "vsse32.v", 32);
	PER_GROUPS(INDEXED, "vluxei32.v", 32);
	PER_FIELDS("vlseg2e32.v", 32);
	PER_FIELDS("vsseg2e32.v", 32);
	MEASURE("vper-vlseg8e32.v", 32, 1, 1, "vlseg8e32.v v8, (a2)\n");
}

static void chains(void)
{
	LAT_GROUPS("vadd.vv", 32, "v8, v8, v16");
	LAT_GROUPS("vand.vv", 32, "v8, v8, v16");
	LAT_GROUPS("vmul.vv", 16, "v8, v8, v16");
	LAT_GROUPS("vmul.vv", 64, "v8, v8, v16");
	LAT("vdiv.vv", 32, 1, "v8, v8, v16");
	LAT_GROUPS("vfadd.vv", 32, "v8, v8, v16");
	LAT_GROUPS("vfmul.vv", 64, "v8, v8, v16");
	LAT_GROUPS("vfmacc.vv", 32, "v8, v8, v16");
	LAT_GROUPS("vfmacc.vv", 64, "v8, v8, v16");
	LAT_GROUPS("vfsgnj.vv", 32, "v8, v8, v16");
	LAT("vfdiv.vv", 64, 1, "v8, v8, v16");
	LAT("vmand.mm", 32, 1, "v8, v8, v16");
	GATHER_LAT(8, 1);
	GATHER_LAT(8, 2);
	GATHER_LAT(8, 4);
	GATHER_LAT(8, 8);
	LAT_GROUPS("vslidedown.vx", 32, "v8, v8, t1");
	LAT_GROUPS("vredsum.vs", 32, "v8, v16, v8");
	LAT_GROUPS("vfredusum.vs", 64, "v8, v16, v8");
	LAT_GROUPS("vfredosum.vs", 32, "v8, v16, v8");
	MEASURE("vlat-vmv.s.x+vmv.x.s", 64, 1, 1, "vmv.s.x v8, t1\nvmv.x.s t1, v8\n");
	MEASURE("vlat-vle64.v+vmv.x.s", 64, 1, 1, "vle64.v v8, (a4)\nvmv.x.s a4, v8\n");
}

/* The loops of rvv-bench; the same again with groups of eight registers. */
#define COPY(name, lmul)                                                                           \
	static void __attribute__((noipa)) name(char *to, const char *from, uint64_t size)         \
	{                                                                                          \
		uint64_t vl;                                                                       \
                                                                                                   \
		asm volatile(WITH_VECTORS                                                          \
			     "1: vsetvli %3, %2, e8, " lmul ", ta, ma\n"                           \
			     "vle8.v v0, (%1)\nadd %1, %1, %3\nsub %2, %2, %3\n"                   \
			     "vse8.v v0, (%0)\nadd %0, %0, %3\nbnez %2, 1b\n.option pop"           \
			     : "+r"(to), "+r"(from), "+r"(size), "=&r"(vl)                         \
			     :                                                                     \
			     : "memory");                                                          \
	}
COPY(copy_m1, "m1")
COPY(copy_m8, "m8")

#define FILL(name, lmul)                                                                           \
	static void __attribute__((noipa)) name(char *to, const char *from, uint64_t size)         \
	{                                                                                          \
		uint64_t vl;                                                                       \
                                                                                                   \
		asm volatile(WITH_VECTORS                                                          \
			     "vsetvli %2, zero, e8, " lmul ", ta, ma\nvmv.v.x v8, %3\n"            \
			     "1: vsetvli %2, %1, e8, " lmul ", ta, ma\nvse8.v v8, (%0)\n"          \
			     "sub %1, %1, %2\nadd %0, %0, %2\nbnez %1, 1b\n.option pop"            \
			     : "+r"(to), "+r"(size), "=&r"(vl)                                     \
			     : "r"(from)                                                           \
			     : "memory");                                                          \
	}
FILL(fill_m1, "m1")
FILL(fill_m8, "m8")

static void __attribute__((noipa)) saxpy(char *to, const char *from, uint64_t size)
{
	uint64_t vl, left = size / 4;

	asm volatile(WITH_VECTORS
		     "fmv.w.x ft0, zero\n1: vsetvli %3, %2, e32, m4, ta, ma\n"
		     "vle32.v v8, (%1)\nvle32.v v16, (%0)\nsub %2, %2, %3\nslli %3, %3, 2\n"
		     "vfmacc.vf v16, ft0, v8\nadd %1, %1, %3\nvse32.v v16, (%0)\n"
		     "add %0, %0, %3\nbnez %2, 1b\n.option pop"
		     : "+r"(to), "+r"(from), "+r"(left), "=&r"(vl)
		     :
		     : "ft0", "memory");
}

static void __attribute__((noipa)) dot(char *to, const char *from, uint64_t size)
{
	uint64_t vl, left = size / 4;

	asm volatile(WITH_VECTORS
		     "vsetvli %3, zero, e32, m4, ta, ma\nvmv.v.i v24, 0\n"
		     "1: vsetvli %3, %2, e32, m4, tu, ma\n"
		     "vle32.v v8, (%1)\nvle32.v v16, (%0)\nsub %2, %2, %3\nslli %3, %3, 2\n"
		     "vfmacc.vv v24, v16, v8\nadd %1, %1, %3\nadd %0, %0, %3\nbnez %2, 1b\n"
		     "vmv.s.x v8, zero\nvfredusum.vs v8, v24, v8\nvfmv.f.s ft0, v8\n.option pop"
		     : "+r"(to), "+r"(from), "+r"(left), "=&r"(vl)
		     :
		     : "ft0", "memory");
}

/* The second of two runs; as there, what it writes has just been written. */
static void stream(const char *name, void (*run)(char *, const char *, uint64_t), uint64_t size,
		   uint64_t count, const char *from)
{
	uint64_t cycles = 0;

	for (int turn = 0; turn < 2; turn++) {
		for (uint64_t i = 0; i < size; i += sizeof(uint64_t))
			*(volatile uint64_t *)(BUFFER + i) = 0;
		cycles = cycles_now();
		run(BUFFER, from, size);
		cycles = cycles_now() - cycles;
	}
	result(name, size, cycles, count);
}

static void streams(void)
{
	static const uint64_t sizes[] = { 4096, 16384, 65536, 131072, 4 << 20 };

	for (uint64_t i = 0; i < sizes[4] + PAGE; i += sizeof(uint64_t))
		*(volatile uint64_t *)(SECOND + i) = 0;
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint64_t size = sizes[i];

		/* The source is not aligned, either. */
		stream("vmemcpy-m1", copy_m1, size, size, SECOND + 9);
		stream("vmemcpy-m8", copy_m8, size, size, SECOND + 9);
		stream("vmemset-m1", fill_m1, size, size, SECOND);
		stream("vmemset-m8", fill_m8, size, size, SECOND);
		stream("vsaxpy", saxpy, size, size / 4, SECOND);
		stream("vdot", dot, size, size / 4, SECOND);
	}
}

int main(void)
{
	uint64_t sstatus;

	asm volatile("csrr %0, sstatus" : "=r"(sstatus));
	if (!(sstatus & 0x600)) /* VS, which start.S has set where it exists */
		return 0;
	pages_place(0);
	integers();
	floats();
	permutations();
	memory();
	chains();
	streams();
	return 0;
}

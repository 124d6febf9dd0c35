// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_native_vector.c - code of the host's vectors (native_vector.h) does what the kernels of
 * sim/vector do: random instructions in a row, of each kind, SEW, LMUL and size of registers, of V
 * and of XTheadVector.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "hart.h"
#include "isa.h"
#include "native_vector.h"
#include "tap.h"
#include "vector.h"

#define IN_A_ROW 20
#define ROUNDS	 400
#define ROOM	 (256u << 10)

static uint64_t seed = 1;
static bool seen[ISA_NR][4];
static struct isa_set has[2]; /* [1]: XTheadVector in place of V */
static struct isa_index table[2];

/*
 * Rows of native_vector.c, each with the sizes of elements that the host has; XTheadVector has all
 * but vandn and vror.
 */
#define COMBINATIONS (131 + 120)

static uint64_t rnd(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 32 ^ seed << 32;
}

/* Runs code, with h in the register in which native code has it. */
static void run(const uint8_t *code, struct hart *h)
{
#ifdef __x86_64__
	__asm__ volatile("sub $256, %%rsp\n\tcall *%0\n\tadd $256, %%rsp"
			 :
			 : "d"(code), "b"(h)
			 : "rax", "rcx", "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
			   "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
			   "xmm13", "xmm14", "xmm15");
#else
	(void)code, (void)h;
#endif
}

/* A random instruction that computes, on groups of so many registers. */
static uint32_t random_insn(unsigned regs)
{
	unsigned op;
	uint32_t fields;

	do
		op = ISA_vsetivli + rnd() % (ISA_NR - ISA_vsetivli);
	while (isa_table[op].class != ISA_CLASS_VINT);
	fields = (rnd() & -regs & 31) << 7 | (rnd() & -regs & 31) << 15 |
		 (rnd() & -regs & 31) << 20 | (rnd() & 1) << 26;
	return isa_table[op].match | ((fields | 1u << 25) & ~isa_table[op].mask);
}

static bool is_simple(uint32_t raw, uint64_t vtype, bool thead, struct insn *i,
		      struct native_vector *v)
{
	struct isa_fields f;
	enum isa_insn op = isa_find(&table[thead], raw);

	isa_fields(op, raw, &f);
	*i = (struct insn){
		.op = op, .rd = f.rd, .rs1 = f.rs1, .rs2 = f.rs2, .imm = f.imm, .raw = raw
	};
	return native_vector_of(i, vtype, thead, v);
}

static void execute(struct hart *h, const struct insn *i, const struct native_vector *n)
{
	uint32_t flags = 0;
	struct vector_args a = {
		.op = i->op,
		.vd = i->rd,
		.vs1 = i->rs1,
		.vs2 = i->rs2,
		.scalar = n->from == NATIVE_VECTOR_X ? h->x[i->rs1] : (uint64_t)(int64_t)i->imm,
		.flags = &flags,
	};

	tap_context("%s", isa_table[i->op].name);
	ok(vector_execute(h->vector, &a));
}

/* Instructions in a row, by kernels and by the host's vectors. */
static void one_round(struct hart *h, uint8_t *code)
{
	struct native_vector_place place = { offsetof(struct hart, x),
					     offsetof(struct hart, vector),
					     offsetof(struct vector_state, reg), h->vector->bytes };
	struct native_vector v[IN_A_ROW];
	struct vector_state *is = h->vector, *was = vector_new();
	uint64_t vtype = rnd() % 4 << (is->thead ? 2 : 3) | rnd() % 4;
	unsigned nr = 0;
	size_t bytes;

	vector_set(is, vtype, UINT64_MAX, false);
	for (unsigned n = 0; n < sizeof(is->reg); n++)
		is->reg[n] = rnd();
	for (unsigned n = 1; n < 32; n++)
		h->x[n] = rnd();
	*was = *is;
	for (unsigned tries = 0; tries < 300 && nr < IN_A_ROW; tries++) {
		struct insn i;

		if (!is_simple(random_insn(1u << is->lmul), vtype, is->thead, &i, &v[nr]))
			continue;
		execute(h, &i, &v[nr++]);
		seen[i.op][is->sew] = true;
	}
	bytes = native_vector_code(NULL, &place, v, nr);
	tap_context("%u instructions, vtype %#lx, registers of %u bytes", nr, (unsigned long)vtype,
		    is->bytes);
	ok(bytes < ROOM);
	is(native_vector_code(code, &place, v, nr), bytes);
	code[bytes] = 0xc3;
	h->vector = was;
	run(code, h);
	ok(!memcmp(was->reg, is->reg, sizeof(is->reg)));
	h->vector = is;
	free(was);
}

static void same_results(void)
{
	uint8_t *code = mmap(NULL, ROOM, PROT_READ | PROT_WRITE | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct hart *h = calloc(1, sizeof(*h));
	unsigned combinations = 0;

	ok(code != MAP_FAILED && h);
	memset(&has[0], 0xff, sizeof(has[0]));
	isa_set_add(&has[1], ISA_EXT_XTHEADVECTOR);
	h->vector = vector_new();
	for (unsigned n = 0; n < 2 * ROUNDS; n++) {
		vector_reset(h->vector, VECTOR_BYTES_MIN << n / 2 % 4, &has[n % 2]);
		one_round(h, code);
	}
	for (unsigned op = 0; op < ISA_NR; op++) {
		for (unsigned sew = 0; sew < 4; sew++)
			combinations += seen[op][sew];
	}
	is(combinations, COMBINATIONS);
	free(h->vector);
	free(h);
	munmap(code, ROOM);
}

/* A mask, fractions of registers, a reserved vtype, instructions that are not in the table. */
static void not_simple(void)
{
	const uint32_t add = isa_table[ISA_vadd_vv].match | 1u << 25, m1 = 2 << 3;
	struct native_vector v;
	struct insn i;

	ok(is_simple(add, m1, false, &i, &v));
	ok(!is_simple(add & ~(1u << 25), m1, false, &i, &v));
	ok(!is_simple(add, m1 | 7, false, &i, &v));
	ok(!is_simple(isa_table[ISA_vdiv_vv].match | 1u << 25, m1, false, &i, &v));
	ok(!is_simple(add, 4 << 3, false, &i, &v));
	/* v1 is not a group of two registers */
	ok(!is_simple(add | 1u << 7, m1 | 1, false, &i, &v));
	ok(is_simple(add, 2 << 2, true, &i, &v));
	ok(!is_simple(add | 1u << 7, 2 << 2 | 1, true, &i, &v));
	ok(!is_simple(add, 4 << 2, true, &i, &v));
	ok(!is_simple(add, 1 << 5, true, &i, &v));
}

static bool has_code(void)
{
#ifdef __x86_64__
	return __builtin_cpu_supports("avx2");
#else
	return false;
#endif
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the host's vectors and the kernels have the same results", same_results },
		{ "what is not simple", not_simple },
	};

	isa_index_init(&table[0]);
	isa_index_init(&table[1]);
	table[1].thead = true;
	if (has_code())
		return tap_run(cases, TAP_NR(cases));
	printf("1..0 # SKIP this host has no AVX2\n");
	return 0;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_native.c - native code: runs have it when they are hot, its region is emptied when it is
 * full, and a host that refuses executable memory gives the same results without it.
 *
 * That its results are those of the interpreter is what the other tests of the machine test, which
 * run a second time with native code (meson.build), and fuzz_engine.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "native.h"
#include "rig.h"
#include "small_cpu.h"

#define BLOCKS 3000
#define ROUNDS 6
#define LIMIT  100000000

/* What must not depend on native code. */
struct result {
	uint64_t x[32], f[32], now, total[EVENT_NR], epoch;
	bool native;
};

static struct machine *create(bool models, enum machine_native native, uint64_t bytes)
{
	static struct cpu_models shape;
	static struct cpu cpu;
	struct machine_options o = { .native = native, .native_after = 2, .native_bytes = bytes };

	if (models) {
		small_cpu(&cpu, &shape);
		o.cpu = &cpu;
		o.models = true;
	}
	return rig_create(&o);
}

/*
 * Many short blocks, each with a branch that is not taken and a jump to the next one, in a loop;
 * the last one waits.
 */
static void put_program(struct machine *m)
{
	uint64_t at = RAM_BASE;

	RIG_CODE(m, at, addi(A1, ZERO, ROUNDS));
	at += 4;
	for (unsigned n = 0; n < BLOCKS; n++, at += 16)
		RIG_CODE(m, at, addi(A0, A0, n % 7 + 1), branch(0, A0, ZERO, 8), sd(A0, 0, S0),
			 jal(ZERO, 4));
	RIG_CODE(m, at, addi(A1, A1, -1), bnez(A1, 8), END, jal(ZERO, -16 * BLOCKS - 12));
	m->cl.hart[0]->x[S0] = RIG_DATA;
}

static struct result run(bool models, enum machine_native native, uint64_t bytes)
{
	struct machine *m = create(models, native, bytes);
	struct hart *h = m->cl.hart[0];
	struct result r = { .native = m->cl.native };

	put_program(m);
	pmu_count_all(h);
	m->current = h;
	/* In turns: the region is emptied between two of them. */
	while (!h->idle && h->now < LIMIT) {
		m->end = h->now + 1000;
		hart_run(h, &m->end);
	}
	ok(h->idle);
	tally_settle(h);
	memcpy(r.x, h->x, sizeof(r.x));
	memcpy(r.total, h->pmu.total[PRV_M], sizeof(r.total));
	r.now = h->now;
	r.epoch = m->cl.block_epoch;
	machine_destroy(m);
	return r;
}

static void same(const struct result *a, const struct result *b)
{
	ok(!memcmp(a->x, b->x, sizeof(a->x)) && !memcmp(a->f, b->f, sizeof(a->f)));
	is(b->now, a->now);
	for (unsigned e = 0; e < EVENT_NR; e++)
		is(b->total[e], a->total[e]);
}

static void hot_code_is_native(void)
{
	for (unsigned models = 0; models < 2; models++) {
		struct machine *m = create(models, MACHINE_NATIVE_ON, 0);
		struct block_run *r;

		RIG_CODE(m, RAM_BASE, addi(A0, ZERO, 9), addi(A0, A0, -1), bnez(A0, -4), END);
		rig_run(m, LIMIT);
		r = block_at(&m->cl, RAM_BASE + 4, false)->runs;
		while (r && !r->code)
			r = r->next;
		ok(r && r->entry == ENGINE_NATIVE);
		machine_destroy(m);
	}
}

/* Vector instructions in a row; all: with the elements counted. */
static struct result run_vectors(enum machine_native native, bool all)
{
	static struct cpu_models shape;
	static struct cpu cpu;
	struct machine_options o = {
		.native = native, .native_after = 2, .cpu = &cpu, .models = true
	};
	struct machine *m;
	struct hart *h;
	struct result r = { .native = native == MACHINE_NATIVE_ON };

	small_cpu(&cpu, &shape);
	isa_set_add(&cpu.isa, ISA_EXT_V);
	cpu.vlen = CPU_VLEN_MIN;
	memset(shape.vunit.cycles, 2, sizeof(shape.vunit.cycles));
	memset(shape.vunit.latency, 4, sizeof(shape.vunit.latency));
	shape.vunit.masked = shape.vunit.element = 1;
	m = rig_create(&o);
	h = m->cl.hart[0];
	h->mstatus |= MSTATUS_VS;
	/*
	 * vsetvli a0, x0, e64, m1; vmv.v.i v2, 1; ten times: six vadd.vv v1, v1, v2, another
	 * instruction, four of them, and vmv.x.s, which waits for the last one of all.
	 */
	RIG_CODE(m, RAM_BASE, addi(A1, ZERO, 10), 0x01807557, 0x5e00b157, 0x021100d7, 0x021100d7,
		 0x021100d7, 0x021100d7, 0x021100d7, 0x021100d7, addi(A1, A1, -1), 0x021100d7,
		 0x021100d7, 0x021100d7, 0x021100d7, 0x42102557, bnez(A1, -48), END);
	if (all)
		pmu_count_all(h);
	rig_run(m, LIMIT);
	tally_settle(h);
	memcpy(r.x, h->x, sizeof(r.x));
	memcpy(r.total, h->pmu.total[PRV_M], sizeof(r.total));
	r.now = h->now;
	machine_destroy(m);
	return r;
}

static void vectors_in_a_row(void)
{
	for (unsigned all = 0; all < 2; all++) {
		struct result off = run_vectors(MACHINE_NATIVE_OFF, all);
		struct result on = run_vectors(MACHINE_NATIVE_ON, all);

		same(&off, &on);
		is(on.x[A0], 100);
		/* Each of the hundred waits for the one before it. */
		ok(on.total[EVENT_WAIT_VECTOR] > 100);
	}
}

static void full_region_is_emptied(void)
{
	for (unsigned models = 0; models < 2; models++) {
		struct result off = run(models, MACHINE_NATIVE_OFF, 0);
		struct result all = run(models, MACHINE_NATIVE_ON, 0);
		struct result few = run(models, MACHINE_NATIVE_ON, 128 << 10);

		same(&off, &all);
		same(&off, &few);
		is(all.epoch, off.epoch);
		ok(few.epoch > all.epoch);
		is(off.total[EVENT_TAKEN], ROUNDS - 1);
	}
}

/*
 * Other code at the same place of the emptied region: a host that goes on with what its instruction
 * cache still has gives the results of the round before.
 */
static void new_code_replaces_old(void)
{
	for (unsigned models = 0; models < 2; models++) {
		struct machine *m = create(models, MACHINE_NATIVE_ON, 0);
		struct hart *h = m->cl.hart[0];

		for (unsigned step = 1; step < 6; step++) {
			block_flush(&m->cl);
			RIG_CODE(m, RAM_BASE, addi(A0, ZERO, 0), addi(A1, ZERO, 50),
				 addi(A0, A0, step), addi(A1, A1, -1), bnez(A1, -8), END);
			h->pc = RAM_BASE;
			rig_run(m, LIMIT);
			is(h->x[A0], 50 * step);
		}
		machine_destroy(m);
	}
}

/* From now on this process may not map executable memory. */
static bool refuse_code(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { TAP_NR(filter), filter };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void refused_memory(void)
{
	struct result off = run(false, MACHINE_NATIVE_OFF, 0);
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		struct machine_options o = { .harts = 1,
					     .memory = 16 << 20,
					     .width = 64,
					     .console_in = -1,
					     .console_out = -1,
					     .native = MACHINE_NATIVE_ON };
		struct error_text why = { "" };
		struct result r;

		if (!refuse_code())
			_exit(77);
		r = run(false, MACHINE_NATIVE_AUTO, 0);
		ok(!r.native);
		same(&off, &r);
		ok(!machine_create(&o, &why));
		ok(strstr(why.text, "native code"));
		fflush(stdout);
		_exit(tap.failed ? 1 : 0);
	}
	ok(waitpid(child, &status, 0) == child && WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		printf("# no seccomp here: not tried\n");
	else
		is(WEXITSTATUS(status), 0);
}

/*
 * The n-th program of m: a loop with this instruction, before which a3 to a5 get the address of
 * data.  Results: also in a1 and a2, what a4 and a5 were in each turn; in a6 and a7, the data.
 */
static struct result run_insn(struct machine *m, unsigned n, uint32_t word)
{
	struct hart *h = m->cl.hart[0];
	const uint64_t at = RAM_BASE + n * 64;
	uint32_t add = isa_table[ISA_add].match;
	struct block_run *run;
	struct result r;

	RIG_CODE(m, at, addi(A0, ZERO, 9), addi(A3, S0, 0), addi(A4, S0, 0), addi(A5, S0, 0), word,
		 add | A1 << 7 | A1 << 15 | A4 << 20, add | A2 << 7 | A2 << 15 | A5 << 20,
		 addi(A0, A0, -1), bnez(A0, -28), ld(A6, 0, S0), ld(A7, 8, S0), END);
	RIG_CODE(m, RIG_DATA, 0x9abcdef0, 0x12345678, 0, 0);
	csr_write(h, CSR_MSTATUS, MSTATUS_FS);
	h->x[S0] = RIG_DATA;
	h->f[A3] = h->f[A4] = h->f[A5] = 0x4008000000000000; /* 3.0 */
	h->pc = at;
	rig_run(m, LIMIT);
	memset(&r, 0, sizeof(r));
	memcpy(r.x, h->x, sizeof(r.x));
	memcpy(r.f, h->f, sizeof(r.f));
	r.now = h->now;
	run = block_at(&m->cl, at + 4, false)->runs;
	while (run && !run->code)
		run = run->next;
	r.native = run && run->code_end;
	return r;
}

/* Fields of operands: where the register's number is. */
enum { RD = 1 << 7, RS1 = 1 << 15, RS2 = 1 << 20, RS3 = 1 << 27 };
enum { RM_DYNAMIC = 7 << 12, SHIFT_BY_37 = 37 << 20, SHIFT_BY_31 = 31 << 20, OVER_ONE = 8 };

struct operands {
	enum isa_insn op;
	unsigned fields;
	uint32_t more;
};

/* rd, rs1, rs2: indices of registers.  Whether it makes sense to try them. */
static bool makes_sense(const struct operands *o, unsigned rd, unsigned rs1, unsigned rs2)
{
	unsigned class = isa_table[o->op].class;
	bool accesses = (class >= ISA_CLASS_LOAD && class <= ISA_CLASS_AMO) ||
			class == ISA_CLASS_FLOAD || class == ISA_CLASS_FSTORE;

	return (o->fields & RD || !rd) && (o->fields & RS1 || !rs1) && (o->fields & RS2 || !rs2) &&
	       !(accesses && !rs1);
}

/*
 * What programs usually do with a4 and a5, and with fa4 and fa5, is native, in all combinations of
 * x0 and a3 to a5 as operands, and has the interpreter's results.  Some combinations have stencils
 * of their own.
 */
static void operands(bool models)
{
	static const uint8_t regs[] = { ZERO, A3, A4, A5 };
	static const struct operands insns[] = {
		{ ISA_add, RD | RS1 | RS2, 0 },
		{ ISA_sub, RD | RS1 | RS2, 0 },
		{ ISA_xor, RD | RS1 | RS2, 0 },
		{ ISA_sltu, RD | RS1 | RS2, 0 },
		{ ISA_sll, RD | RS1 | RS2, 0 },
		{ ISA_sraw, RD | RS1 | RS2, 0 },
		{ ISA_subw, RD | RS1 | RS2, 0 },
		{ ISA_addi, RD | RS1, 8 << 20 },
		{ ISA_addiw, RD | RS1, 0xfffu << 20 },
		{ ISA_andi, RD | RS1, 0xff0u << 20 },
		{ ISA_slti, RD | RS1, 1 << 20 },
		{ ISA_sltiu, RD | RS1, 1 << 20 },
		{ ISA_slli, RD | RS1, SHIFT_BY_37 },
		{ ISA_srli, RD | RS1, SHIFT_BY_37 },
		{ ISA_srai, RD | RS1, SHIFT_BY_37 },
		{ ISA_slliw, RD | RS1, SHIFT_BY_31 },
		{ ISA_srliw, RD | RS1, SHIFT_BY_31 },
		{ ISA_sraiw, RD | RS1, SHIFT_BY_31 },
		{ ISA_slli_uw, RD | RS1, SHIFT_BY_37 },
		{ ISA_lui, RD, 0 },
		{ ISA_auipc, RD, 0 },
		{ ISA_mul, RD | RS1 | RS2, 0 },
		{ ISA_divw, RD | RS1 | RS2, 0 },
		{ ISA_remu, RD | RS1 | RS2, 0 },
		{ ISA_clz, RD | RS1, 0 },
		{ ISA_czero_eqz, RD | RS1 | RS2, 0 },
		{ ISA_ld, RD | RS1, 0 },
		{ ISA_lbu, RD | RS1, 0 },
		{ ISA_sd, RS1 | RS2, 8 << 7 },
		{ ISA_sb, RS1 | RS2, 8 << 7 },
		{ ISA_amoadd_d, RD | RS1 | RS2, 0 },
		{ ISA_beq, RS1 | RS2, OVER_ONE << 7 },
		{ ISA_bltu, RS1 | RS2, OVER_ONE << 7 },
		{ ISA_bge, RS1 | RS2, OVER_ONE << 7 },
		{ ISA_jal, RD, OVER_ONE << 20 },
		{ ISA_fld, RD | RS1, 0 },
		{ ISA_fsd, RS1 | RS2, 8 << 7 },
		{ ISA_fadd_d, RD | RS1 | RS2, 0 },
		{ ISA_fadd_d, RD | RS1 | RS2, RM_DYNAMIC },
		{ ISA_fmadd_d, RD | RS1 | RS2, A5 * RS3 },
		{ ISA_fmadd_d, RD | RS1 | RS2, A5 * RS3 | RM_DYNAMIC },
		{ ISA_fcvt_d_l, RD | RS1, 0 },
		{ ISA_fcvt_lu_d, RD | RS1, RM_DYNAMIC },
		{ ISA_feq_d, RD | RS1 | RS2, 0 },
		{ ISA_fmv_x_d, RD | RS1, 0 },
		{ ISA_fmv_d_x, RD | RS1, 0 },
	};
	struct machine *interpreter = create(models, MACHINE_NATIVE_OFF, 0);
	struct machine *native = create(models, MACHINE_NATIVE_ON, 0);
	unsigned program = 0;

	for (unsigned n = 0; n < 64 * TAP_NR(insns); n++) {
		const struct operands *o = &insns[n / 64];
		unsigned rd = n % 4, rs1 = n / 4 % 4, rs2 = n / 16 % 4;
		uint32_t word = isa_table[o->op].match | o->more;
		struct result a, b;

		if (!makes_sense(o, rd, rs1, rs2))
			continue;
		word |= (o->fields & RD) * regs[rd] | (o->fields & RS1) * regs[rs1] |
			(o->fields & RS2) * regs[rs2];
		a = run_insn(interpreter, program, word);
		b = run_insn(native, program++, word);
		tap_context("%s: %x", isa_table[o->op].name, word);
		ok(b.native);
		same(&a, &b);
	}
	machine_destroy(interpreter);
	machine_destroy(native);
}

static void operands_without(void)
{
	operands(false);
}

static void operands_with(void)
{
	operands(true);
}

static const struct tap_case cases[] = {
	{ "code that runs often is native", hot_code_is_native },
	{ "vector instructions in a row cost and count the same", vectors_in_a_row },
	{ "a full region is emptied, and nothing else changes", full_region_is_emptied },
	{ "new code replaces old code", new_code_replaces_old },
	{ "executable memory is refused: the same results", refused_memory },
	{ "operands that have stencils of their own, or are in the host's registers",
	  operands_without },
	{ "with models", operands_with },
};

int main(void)
{
	return tap_run(cases, TAP_NR(cases));
}

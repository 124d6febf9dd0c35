// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exec.c - instructions against values that follow from the manual, where random streams
 * (tests/isa) would hardly look: edges, traps, CSRs, self-modifying code, atomics, jumps.
 */
#include "rig.h"

#define MIN64 0x8000000000000000ull
#define MIN32 0xffffffff80000000ull
#define MINUS 0xffffffffffffffffull

/* a op b; one operand only: b is ignored. */
static const struct {
	const char *name;
	uint32_t match;
	uint64_t a, b, want;
} alu[] = {
	{ "div by zero", 0x02004033, 5, 0, MINUS },
	{ "div overflow", 0x02004033, MIN64, MINUS, MIN64 },
	{ "divu by zero", 0x02005033, 5, 0, MINUS },
	{ "rem by zero", 0x02006033, 5, 0, 5 },
	{ "rem overflow", 0x02006033, MIN64, MINUS, 0 },
	{ "remu by zero", 0x02007033, MINUS, 0, MINUS },
	{ "divw by zero", 0x0200403b, 5, 1ull << 32, MINUS },
	{ "divw overflow", 0x0200403b, MIN32, MINUS, MIN32 },
	{ "divuw", 0x0200503b, MINUS, 1, MINUS },
	{ "remw by zero", 0x0200603b, 0x80000000, 0, MIN32 },
	{ "remuw by zero", 0x0200703b, 0x80000001, 0, 0xffffffff80000001 },
	{ "mulh", 0x02001033, MIN64, MIN64, 1ull << 62 },
	{ "mulhsu", 0x02002033, MINUS, MINUS, MINUS },
	{ "mulhu", 0x02003033, MINUS, MINUS, MINUS - 1 },
	{ "mulw", 0x0200003b, 0x10000, 0x8000, MIN32 },
	{ "sra by 64 is by 0", 0x40005033, MIN64, 64, MIN64 },
	{ "sraw", 0x4000503b, 0x80000000, 31, MINUS },
	{ "sltu", 0x00003033, 0, MINUS, 1 },
	{ "slt", 0x00002033, 0, MINUS, 0 },
	{ "add.uw", 0x0800003b, MINUS, 1, 0x100000000 },
	{ "sh3add", 0x20006033, 2, 1, 17 },
	{ "sh2add.uw", 0x2000403b, MINUS, 0, 0x3fffffffc },
	{ "rol by 0", 0x60001033, 0x123, 0, 0x123 },
	{ "rolw", 0x6000103b, 0x80000001, 1, 3 },
	{ "rorw", 0x6000503b, 1, 1, MIN32 },
	{ "clz of 0", 0x60001013, 0, 0, 64 },
	{ "clzw of 0", 0x6000101b, 1ull << 40, 0, 32 },
	{ "ctz of 0", 0x60101013, 0, 0, 64 },
	{ "ctzw of 0", 0x6010101b, 1ull << 40, 0, 32 },
	{ "cpopw", 0x6020101b, MINUS, 0, 32 },
	{ "orc.b", 0x28705013, 0x0100800000000080, 0, 0xff00ff00000000ff },
	{ "rev8", 0x6b805013, 0x0102030405060708, 0, 0x0807060504030201 },
	{ "sext.h", 0x60501013, 0x18000, 0, 0xffffffffffff8000 },
	{ "zext.h", 0x0800403b, MINUS, 0, 0xffff },
	{ "max", 0x0a006033, MINUS, 1, 1 },
	{ "minu", 0x0a005033, MINUS, 1, 1 },
	{ "xnor", 0x40004033, 0xf0, 0xff, ~0x0full },
	{ "bext", 0x48005033, MIN64, 63, 1 },
	{ "binv", 0x68001033, 0, 64, 1 },
	{ "bclr", 0x48001033, 3, 0, 2 },
	{ "bset", 0x28001033, 0, 63, MIN64 },
};

/* Those whose rs2 is part of the opcode. */
static bool unary(uint32_t match)
{
	return (match & 0x7f) != 0x33 && (match & 0xfe00707f) != 0x0200003b &&
	       ((match & 0x7f) != 0x3b || match == 0x0800403b);
}

static void arithmetic(void)
{
	for (unsigned n = 0; n < TAP_NR(alu); n++) {
		struct machine *m = rig_create(NULL);
		struct hart *h = m->hart[0];

		tap_context("%s", alu[n].name);
		h->x[A0] = alu[n].a;
		h->x[A1] = alu[n].b;
		RIG_CODE(m, RAM_BASE, r_type(alu[n].match, A2, A0, unary(alu[n].match) ? 0 : A1),
			 r_type(alu[n].match, ZERO, A0, unary(alu[n].match) ? 0 : A1), END);
		rig_run(m, 100);
		is(h->x[A2], alu[n].want);
		is(h->x[ZERO], 0);
		machine_destroy(m);
	}
}

/* Runs one instruction in a mode; the cause that M-mode sees, UINT64_MAX for none. */
static uint64_t cause_of(struct machine *m, uint32_t insn, unsigned mode)
{
	struct hart *h = m->hart[0];

	RIG_CODE(m, RAM_BASE, MRET);
	RIG_CODE(m, RAM_BASE + 0x100, insn, ECALL);
	RIG_CODE(m, RAM_BASE + 0x200, END);
	h->pc = RAM_BASE;
	h->mode = PRV_M;
	csr_write(h, CSR_MTVEC, RAM_BASE + 0x200);
	csr_write(h, CSR_MEPC, RAM_BASE + 0x100);
	csr_write(h, CSR_MSTATUS,
		  (h->mstatus & ~MSTATUS_MPP) | (uint64_t)mode << MSTATUS_MPP_SHIFT);
	csr_write(h, CSR_PMPADDR0, UINT64_MAX);
	csr_write(h, CSR_PMPCFG0, PMP_NAPOT | PMP_R | PMP_W | PMP_X);
	hart_mode_changed(h);
	rig_run(m, 100);
	return h->mepc == RAM_BASE + 0x100 ? h->mcause : UINT64_MAX;
}

static void privileges(void)
{
	struct machine *m = rig_create(NULL);
	struct hart *h = m->hart[0];

	is(cause_of(m, ECALL, PRV_U), CAUSE_ECALL_U);
	is(cause_of(m, ECALL, PRV_S), CAUSE_ECALL_S);
	is(cause_of(m, 0x00100073, PRV_S), CAUSE_BREAKPOINT);
	is(h->mtval, RAM_BASE + 0x100);
	is(cause_of(m, MRET, PRV_S), CAUSE_ILLEGAL_INSN);
	is(h->mtval, MRET);
	is(cause_of(m, SRET, PRV_U), CAUSE_ILLEGAL_INSN);
	is(cause_of(m, END, PRV_U), CAUSE_ILLEGAL_INSN);
	is(cause_of(m, 0x12000073, PRV_U), CAUSE_ILLEGAL_INSN); /* sfence.vma */
	is(cause_of(m, 0x12000073, PRV_S), UINT64_MAX);
	is(cause_of(m, csrr(A0, CSR_MSTATUS), PRV_S), CAUSE_ILLEGAL_INSN);
	is(cause_of(m, csrr(A0, CSR_SSTATUS), PRV_U), CAUSE_ILLEGAL_INSN);
	is(cause_of(m, csrr(A0, CSR_SSTATUS), PRV_S), UINT64_MAX);
	is(cause_of(m, csrr(A0, CSR_CYCLE), PRV_S), CAUSE_ILLEGAL_INSN);
	is(cause_of(m, csrr(A0, 0x7a0), PRV_S), CAUSE_ILLEGAL_INSN);
	is(cause_of(m, 0x00000000, PRV_S), CAUSE_ILLEGAL_INSN);
	is(h->mtval, 0);
	is(cause_of(m, 0x02b577d3, PRV_S), CAUSE_ILLEGAL_INSN); /* fadd.d, FS off */
	csr_write(h, CSR_MSTATUS, MSTATUS_FS);
	is(cause_of(m, 0x02b577d3, PRV_S), UINT64_MAX);
	csr_write(h, CSR_FRM, 5);
	is(cause_of(m, 0x02b577d3, PRV_S), CAUSE_ILLEGAL_INSN); /* dynamic mode 5 */
	csr_write(h, CSR_MSTATUS, MSTATUS_TVM | MSTATUS_TSR);
	is(cause_of(m, csrr(A0, CSR_SATP), PRV_S), CAUSE_ILLEGAL_INSN);
	is(cause_of(m, 0x12000073, PRV_S), CAUSE_ILLEGAL_INSN);
	is(cause_of(m, SRET, PRV_S), CAUSE_ILLEGAL_INSN);
	is(cause_of(m, 0x0040200f, PRV_S), CAUSE_ILLEGAL_INSN); /* cbo.zero, CBZE off */
	csr_write(h, CSR_MENVCFG, MENVCFG_CBZE);
	h->x[0] = 0;
	is(cause_of(m, r_type(0x0040200f, 0, ZERO, 0), PRV_S), CAUSE_STORE_ACCESS);
	machine_destroy(m);
}

/* Code that writes the very next instruction of its own block. */
static void code_that_changes_itself(void)
{
	struct machine *m = rig_create(NULL);
	struct hart *h = m->hart[0];

	h->x[T0] = RAM_BASE;
	h->x[T1] = addi(A0, A0, 100);
	h->x[T2] = 3;
	/* sw t1, 16(t0): the addi at 0x10, behind it in the block */
	RIG_CODE(m, RAM_BASE, NOP, NOP, addi(A1, A1, 1), 0x2023u | 16 << 7 | T0 << 15 | T1 << 20,
		 addi(A0, A0, 1), addi(T2, T2, -1), addi(T1, T1, 0), bnez(T2, -20), END);
	rig_run(m, 1000);
	is(h->x[A0], 300);
	is(h->x[A1], 3);
	machine_destroy(m);
}

static void reservations(void)
{
	struct machine *m = rig_create(NULL);
	struct hart *h = m->hart[0];
	uint64_t *data = machine_ram(m, RIG_DATA, 16);

	h->x[S0] = RIG_DATA;
	h->x[S1] = RIG_DATA + 8;
	h->x[T0] = 7;
	RIG_CODE(m, RAM_BASE, r_type(0x1800302f, A0, S0, T0), /* sc.d without lr: fails */
		 r_type(0x1000302f, T1, S0, 0), /* lr.d */
		 r_type(0x1800302f, A1, S0, T0), /* sc.d */
		 r_type(0x1800302f, A2, S0, T0), /* again: fails */
		 r_type(0x1000302f, T1, S0, 0),
		 r_type(0x1800302f, A3, S1, T0), /* elsewhere: fails */
		 END);
	rig_run(m, 1000);
	is(h->x[A0], 1);
	is(h->x[A1], 0);
	is(h->x[A2], 1);
	is(h->x[A3], 1);
	is(data[0], 7);
	is(data[1], 0);
	machine_destroy(m);
}

static void misaligned(void)
{
	for (unsigned trap = 0; trap < 2; trap++) {
		struct machine_options o = { .trap_misaligned = trap };
		struct machine *m = rig_create(&o);
		struct hart *h = m->hart[0];

		h->x[S0] = RIG_DATA + PAGE_SIZE - 3;
		h->x[T0] = 0x1122334455667788;
		RIG_CODE(m, RAM_BASE, sd(T0, 0, S0), ld(A0, 0, S0), ld(A1, 0, S0), END);
		RIG_CODE(m, RAM_BASE + 0x200, END);
		csr_write(h, CSR_MTVEC, RAM_BASE + 0x200);
		rig_run(m, 1000);
		is(h->x[A0], trap ? 0 : h->x[T0]);
		is(h->x[A1], trap ? 0 : h->x[T0]);
		is(h->mcause, trap ? CAUSE_MISALIGNED_STORE : 0);
		is(h->mtval, trap ? h->x[S0] : 0);
		machine_destroy(m);
	}
}

/* rd of jalr may be its rs1; targets lose bit 0; an odd instruction may straddle pages. */
static void jumps(void)
{
	struct machine *m = rig_create(NULL);
	struct hart *h = m->hart[0];
	uint32_t wide = addi(A0, A0, 5);

	h->x[T0] = RAM_BASE + PAGE_SIZE - 2 - 0x100;
	RIG_CODE(m, RAM_BASE, jalr(T0, 0x101, T0));
	memcpy(machine_ram(m, RAM_BASE + PAGE_SIZE - 2, 4), &wide, 4);
	memcpy(machine_ram(m, RAM_BASE + PAGE_SIZE + 2, 4), &(uint32_t){ END }, 4);
	rig_run(m, 100);
	is(h->x[T0], RAM_BASE + 4);
	is(h->x[A0], 5);
	is(h->pc, RAM_BASE + PAGE_SIZE + 6);
	is(rig_csr(m, CSR_MINSTRET), 3);
	machine_destroy(m);
}

static void warl(void)
{
	static const struct {
		unsigned csr;
		uint64_t write, read;
	} rows[] = {
		{ CSR_MTVEC, UINT64_MAX, ~2ull },
		{ CSR_MEPC, UINT64_MAX, ~1ull },
		{ CSR_MEDELEG, UINT64_MAX, 0xb3ff },
		{ CSR_MIDELEG, UINT64_MAX, 0x2222 },
		{ CSR_MIE, UINT64_MAX, 0x2aaa },
		{ CSR_MIP, UINT64_MAX, 0x2222 },
		{ CSR_MSTATUS, 0, RV_BIT(33) | RV_BIT(35) },
		{ CSR_SATP, 1ull << 60, 0 },
		{ CSR_SATP, 8ull << 60 | 5, 8ull << 60 | 5 },
		{ CSR_PMPADDR0, UINT64_MAX, RV_MASK(53, 0) },
		{ CSR_PMPCFG0, PMP_W, 0 },
		{ CSR_MVENDORID, 0, 0 },
		{ CSR_MISA, 0, 0x800000000014112d },
	};
	struct machine *m = rig_create(NULL);

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		tap_context("%s", csr_name(rows[n].csr));
		csr_write(m->hart[0], rows[n].csr, rows[n].write);
		is(rig_csr(m, rows[n].csr), rows[n].read);
	}
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "arithmetic at its edges", arithmetic },
		{ "what each mode may do", privileges },
		{ "code that changes itself", code_that_changes_itself },
		{ "reservations", reservations },
		{ "misaligned accesses, done and trapped", misaligned },
		{ "jumps and instructions across pages", jumps },
		{ "what CSRs keep", warl },
	};

	return tap_run(cases, TAP_NR(cases));
}

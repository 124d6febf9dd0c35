// SPDX-License-Identifier: BSD-2-Clause
/*
 * insn_sys.c - CSR instructions, what each mode may execute, fences, hints, and encodings that are
 * not instructions (insn.h).
 */
#include "csr.h"
#include "insn.h"

static const uint8_t modes[] = { PRV_U, PRV_S, PRV_M };

/* Unpriv 6.1, on mscratch: rd gets the old value; the immediate forms use rs1's number. */
static const struct {
	uint16_t id;
	uint64_t before, operand, after;
} csr_rows[] = {
	{ ISA_csrrw, 5, M1, M1 },
	{ ISA_csrrs, 0xf0, 0x3c, 0xfc },
	{ ISA_csrrc, 0xf0, 0x3c, 0xc0 },
	{ ISA_csrrwi, M1, 31, 31 },
	{ ISA_csrrsi, MIN64, 17, MIN64 | 17 },
	{ ISA_csrrci, M1, 31, ~31ull },
};

static void csr_row(struct machine *m, unsigned row)
{
	struct hart *h = m->cl.hart[0];
	unsigned id = csr_rows[row].id;
	bool immediate = id >= ISA_csrrwi;
	unsigned rs1 = immediate ? csr_rows[row].operand : A0;

	for (unsigned rd = 0; rd < 3; rd++) {
		static const uint8_t to[] = { A2, A0, ZERO };

		h->mscratch = csr_rows[row].before;
		h->x[A0] = csr_rows[row].operand;
		is(insn_execute(m, insn_encode(id, to[rd], rs1, 0, CSR_MSCRATCH), PRV_M), NO_TRAP);
		is(h->mscratch, csr_rows[row].after);
		is(h->x[to[rd]], to[rd] ? csr_rows[row].before : 0);
	}
	/* Set and clear with x0 or 0 only read; csrrw writes the value 0 of x0. */
	h->mscratch = 0x77;
	is(insn_execute(m, insn_encode(id, A2, 0, 0, CSR_MSCRATCH), PRV_M), NO_TRAP);
	is(h->x[A2], 0x77);
	is(h->mscratch, id == ISA_csrrw || id == ISA_csrrwi ? 0 : 0x77);
	/* so they may read a read-only CSR; a register that holds 0 is still a write */
	is(insn_execute(m, insn_encode(id, A2, 0, 0, CSR_MHARTID), PRV_M),
	   id == ISA_csrrw || id == ISA_csrrwi ? CAUSE_ILLEGAL_INSN : NO_TRAP);
	h->x[A3] = 0;
	is(insn_execute(m, insn_encode(id, A2, A3, 0, CSR_MHARTID), PRV_M), CAUSE_ILLEGAL_INSN);
	/* CSR numbers that do not exist; and an instruction that traps writes nothing. */
	h->x[A2] = 9;
	is(insn_execute(m, insn_encode(id, A2, 0, 0, 0x5c0), PRV_M), CAUSE_ILLEGAL_INSN);
	is(h->mtval, insn_encode(id, A2, 0, 0, 0x5c0));
	is(insn_execute(m, insn_encode(id, A2, 0, 0, CSR_MSCRATCH), PRV_S), CAUSE_ILLEGAL_INSN);
	is(insn_execute(m, insn_encode(id, A2, 0, 0, CSR_SSCRATCH), PRV_U), CAUSE_ILLEGAL_INSN);
	is(h->x[A2], 9);
}

void insn_csr_tests(void)
{
	struct machine *m = insn_machine();

	for (unsigned n = 0; n < TAP_NR(csr_rows); n++) {
		tap_context("%s", isa_table[csr_rows[n].id].name);
		insn_seen[csr_rows[n].id] = true;
		csr_row(m, n);
	}
	machine_destroy(m);
}

#define ILL CAUSE_ILLEGAL_INSN
#define OK  NO_TRAP

/*
 * Priv 3.1.6.5, 3.3, 10.2.1; Svinval: the effect of an instruction in U, S and M with bits of
 * mstatus.
 */
static const struct {
	uint16_t id;
	uint64_t status, want[3];
} privileged[] = {
	{ ISA_ecall, 0, { CAUSE_ECALL_U, CAUSE_ECALL_S, CAUSE_ECALL_M } },
	{ ISA_ebreak, 0, { CAUSE_BREAKPOINT, CAUSE_BREAKPOINT, CAUSE_BREAKPOINT } },
	{ ISA_mret, 0, { ILL, ILL, OK } },
	{ ISA_mret, MSTATUS_TSR, { ILL, ILL, OK } },
	{ ISA_sret, 0, { ILL, OK, OK } },
	{ ISA_sret, MSTATUS_TSR, { ILL, ILL, OK } },
	{ ISA_sret, MSTATUS_TW | MSTATUS_TVM, { ILL, OK, OK } },
	{ ISA_wfi, 0, { ILL, OK, OK } },
	{ ISA_wfi, MSTATUS_TW, { ILL, ILL, OK } },
	{ ISA_wfi, MSTATUS_TSR | MSTATUS_TVM, { ILL, OK, OK } },
	{ ISA_sfence_vma, 0, { ILL, OK, OK } },
	{ ISA_sfence_vma, MSTATUS_TVM, { ILL, ILL, OK } },
	{ ISA_sfence_vma, MSTATUS_TSR | MSTATUS_TW, { ILL, OK, OK } },
	{ ISA_sinval_vma, 0, { ILL, OK, OK } },
	{ ISA_sinval_vma, MSTATUS_TVM, { ILL, ILL, OK } },
	{ ISA_sfence_w_inval, 0, { ILL, OK, OK } },
	{ ISA_sfence_w_inval, MSTATUS_TVM, { ILL, OK, OK } },
	{ ISA_sfence_inval_ir, 0, { ILL, OK, OK } },
	{ ISA_sfence_inval_ir, MSTATUS_TVM, { ILL, OK, OK } },
	{ ISA_pause, MSTATUS_TW, { OK, OK, OK } },
	{ ISA_fence_i, MSTATUS_TVM, { OK, OK, OK } },
};

/* satp with TVM (Priv 3.1.6.5), like the instructions above. */
static void satp_and_tvm(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	for (unsigned tvm = 0; tvm < 2; tvm++) {
		tap_context("satp, TVM %u", tvm);
		csr_write(h, CSR_MSTATUS, tvm ? MSTATUS_TVM : 0);
		is(insn_execute(m, csrr(A0, CSR_SATP), PRV_U), ILL);
		is(insn_execute(m, csrr(A0, CSR_SATP), PRV_S), tvm ? ILL : OK);
		is(insn_execute(m, csrw(CSR_SATP, ZERO), PRV_S), tvm ? ILL : OK);
		is(insn_execute(m, csrr(A0, CSR_SATP), PRV_M), OK);
	}
}

static uint64_t mtval_of(unsigned id)
{
	return id == ISA_ecall ? 0 : id == ISA_ebreak ? CODE : isa_table[id].match;
}

/*
 * Unpriv chapter 19: CBZE and CBCFE of menvcfg enable S-mode and U-mode, those of senvcfg U-mode;
 * CBIE is a field in which 0 disables.
 */
static void cache_blocks(struct machine *m)
{
	static const struct {
		uint16_t id;
		uint64_t enable[3];
	} rows[] = {
		{ ISA_cbo_zero, { MENVCFG_CBZE } },
		{ ISA_cbo_clean, { MENVCFG_CBCFE } },
		{ ISA_cbo_flush, { MENVCFG_CBCFE } },
		{ ISA_cbo_inval, { RV_BIT(4), RV_BIT(4) | RV_BIT(5) } },
	};
	struct hart *h = m->cl.hart[0];
	uint8_t *data = cluster_ram(&m->cl, RIG_DATA, 192);

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		unsigned id = rows[n].id;
		uint32_t insn = insn_encode(id, 0, A0, 0, 0);

		insn_seen[id] = true;
		for (unsigned i = 0; i < 9; i++) {
			uint64_t menvcfg = rows[n].enable[i / 3], senvcfg = rows[n].enable[i % 3];
			bool s = menvcfg, u = s && senvcfg;

			tap_context("%s, menvcfg %llx, senvcfg %llx", isa_table[id].name,
				    (unsigned long long)menvcfg, (unsigned long long)senvcfg);
			csr_write(h, CSR_MENVCFG, menvcfg);
			csr_write(h, CSR_SENVCFG, senvcfg);
			h->x[A0] = RIG_DATA + 64 + 21;
			memset(data, 0xab, 192);
			is(insn_execute(m, insn, PRV_U), u ? OK : ILL);
			is(insn_execute(m, insn, PRV_S), s ? OK : ILL);
			is(data[64], (id == ISA_cbo_zero) && s ? 0 : 0xab);
			is(insn_execute(m, insn, PRV_M), OK);
			for (unsigned at = 0; at < 192; at++)
				is(data[at], id == ISA_cbo_zero && at / 64 == 1 ? 0 : 0xab);
		}
		/* Not memory: a store fault at the address in rs1. */
		h->x[A0] = 0x45;
		is(insn_execute(m, insn, PRV_M), CAUSE_STORE_ACCESS);
		is(h->mtval, 0x45);
	}
	/* The reserved value of CBIE is not stored. */
	csr_write(h, CSR_MENVCFG, RV_BIT(5) | MENVCFG_CBZE);
	is(rig_csr(m, CSR_MENVCFG), MENVCFG_CBZE);
	csr_write(h, CSR_SENVCFG, RV_BIT(5) | MENVCFG_CBZE);
	is(rig_csr(m, CSR_SENVCFG), MENVCFG_CBZE);
}

void insn_privilege_tests(void)
{
	struct machine *m = insn_machine();
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < TAP_NR(privileged); n++) {
		unsigned id = privileged[n].id;

		insn_seen[id] = true;
		for (unsigned i = 0; i < 3; i++) {
			tap_context("%s, row %u, mode %u", isa_table[id].name, n, modes[i]);
			csr_write(h, CSR_MSTATUS, privileged[n].status);
			csr_write(h, CSR_SEPC, 0);
			is(insn_execute(m, isa_table[id].match, modes[i]), privileged[n].want[i]);
			if (privileged[n].want[i] != OK)
				is(h->mtval, mtval_of(id));
		}
	}
	satp_and_tvm(m);
	cache_blocks(m);
	machine_destroy(m);
}

/* Encodings that are nearly instructions: each is illegal, with its bits in mtval. */
static const uint32_t none[] = {
	0x00000000, 0xffffffff, 0x0000001f, /* longer than 32 bits */
	0x10000033, /* add, funct7 8 */
	0x42001033, /* sll, funct7 33 */
	0x0200101b, /* slliw by 32 */
	0x4200501b, /* sraiw by 32 */
	0x04001013, /* slli by 64 */
	0x00007003, /* load, funct3 7 */
	0x00004023, /* store, funct3 4 */
	0x00002063, /* branch, funct3 2 */
	0x00001067, /* jalr, funct3 1 */
	0x0000202b, 0x0000000b, /* custom-1, custom-0 */
	0x0000402f, /* amoadd of 16 bytes */
	0x1010202f, /* lr.w with rs2 */
	0x3000202f, /* AMO, funct5 6 */
	0x0000300f, /* misc-mem, funct3 3 */
	0x0030200f, /* cbo 3 */
	0x0000208f, /* cbo with rd */
	0x00004073, /* system, funct3 4 */
	0x00200073, /* uret */
	0x302000f3, /* mret with rd */
	0x120000f3, /* sfence.vma with rd */
	0x60301013, /* clz's row, rs2 3 */
	0x6b905013, /* rev8's row, rs2 25 */
	0x6c001013, /* binvi's row, funct6 27 */
	0x06000053, /* fadd.q */
	0x06000053, /* fadd.q */
	0x58100053, /* fsqrt.s with rs2 */
	0xc0400053, /* fcvt from single, rs2 4 */
	0xe0002053, /* fmv, funct3 2 */
	0x20003053, /* fsgnj, funct3 3 */
	0x04000043, /* fmadd.h */
	0x00004007, /* load-fp, funct3 4 */
};

/* A fence with any sets is a fence; reserved fields are ignored (Unpriv 2.7). */
static void fences(struct machine *m)
{
	insn_seen[ISA_fence] = true;
	for (unsigned n = 0; n < 256; n++) {
		tap_context("fence with sets %02x", n);
		is(insn_execute(m, insn_encode(ISA_fence, 0, 0, 0, n), PRV_U), OK);
	}
	is(insn_execute(m, 0x8330000f, PRV_U), OK); /* fence.tso */
	is(insn_execute(m, 0x0ff0000f | A0 << 7 | A1 << 15, PRV_U), OK);
	is(insn_execute(m, 0x1000000f, PRV_U), OK); /* a reserved mode */
}

/* Runs from CODE until the END or the end of a turn of 1000 cycles. */
static void one_turn(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	m->end = h->now + 1000;
	m->current = h;
	hart_run(h, &m->end);
	m->current = NULL;
}

/* Zawrs: the turn ends only if there is a reservation and no interrupt is pending. */
void insn_wait_tests(void)
{
	static const uint16_t ids[] = { ISA_wrs_nto, ISA_wrs_sto };
	struct machine *m = insn_machine();
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < 8; n++) {
		bool reserved = n & 2, pending = n & 4, waits = reserved && !pending;
		unsigned id = ids[n & 1];
		uint64_t begin = h->now;

		insn_seen[id] = true;
		tap_context("%s, %s, %s", isa_table[id].name, reserved ? "lr" : "no lr",
			    pending ? "an interrupt" : "no interrupt");
		csr_write(h, CSR_MSTATUS, MSTATUS_TW); /* the wait is bounded: TW does not matter */
		csr_write(h, CSR_MIE, MIP_SSIP);
		csr_write(h, CSR_MIP, pending ? MIP_SSIP : 0);
		RIG_CODE(m, CODE, reserved ? insn_encode(ISA_lr_w, A1, A0, 0, 0) : NOP,
			 isa_table[id].match, addi(A2, ZERO, 1), jal(ZERO, 0));
		h->x[A0] = RIG_DATA;
		h->x[A2] = 0;
		h->pc = CODE;
		h->idle = HART_RUNS;
		h->reservation = RESERVATION_NONE;
		h->mode = PRV_M;
		one_turn(m);
		is(h->x[A2], !waits);
		is(h->now, begin + 1000);
		is(h->pc, waits ? CODE + 8 : CODE + 12);
		is(h->idle, HART_RUNS);
		one_turn(m);
		is(h->x[A2], 1);
	}
	machine_destroy(m);
}

/* Zkr: seed must be written when it is read, and mseccfg allows it below M-mode. */
void insn_seed_tests(void)
{
	static const uint64_t allows[] = { MSECCFG_USEED, MSECCFG_SSEED, UINT64_MAX };
	struct machine *m = insn_machine();
	struct hart *h = m->cl.hart[0];
	uint32_t swap = insn_encode(ISA_csrrw, A0, ZERO, 0, CSR_SEED), reads = csrr(A0, CSR_SEED);
	uint64_t first;

	is(insn_execute(m, swap, PRV_M), OK);
	first = h->x[A0];
	is(first >> 16, SEED_ES16 << (SEED_OPST_SHIFT - 16));
	is(insn_execute(m, swap, PRV_M), OK);
	is(h->x[A0] >> 16, first >> 16);
	ok(h->x[A0] != first);
	is(insn_execute(m, reads, PRV_M), ILL);
	for (unsigned mode = PRV_U; mode <= PRV_M; mode += mode ? 2 : 1) {
		for (unsigned bits = 0; bits < 4; bits++) {
			uint64_t cfg = (bits & 1 ? MSECCFG_USEED : 0) |
				       (bits & 2 ? MSECCFG_SSEED : 0);

			tap_context("mode %u, mseccfg %u", mode, bits);
			csr_write(h, CSR_MSECCFG, cfg);
			is(insn_execute(m, swap, mode),
			   mode == PRV_M || cfg & allows[mode] ? OK : ILL);
		}
	}
	csr_write(h, CSR_MSECCFG,
		  MSECCFG_USEED | MSECCFG_SSEED | ~(uint64_t)(MSECCFG_PMM | MSECCFG_MLPE | 7));
	is(rig_csr(m, CSR_MSECCFG), MSECCFG_USEED | MSECCFG_SSEED);
	machine_destroy(m);
}

void insn_hint_tests(void)
{
	static const uint16_t prefetches[] = { ISA_prefetch_i, ISA_prefetch_r, ISA_prefetch_w };
	struct machine *m = insn_machine();
	struct hart *h = m->cl.hart[0];

	fences(m);
	/* A prefetch never faults (Unpriv chapter 19), and writes nothing. */
	for (unsigned n = 0; n < 3; n++) {
		tap_context("%s", isa_table[prefetches[n]].name);
		insn_seen[prefetches[n]] = true;
		h->x[A0] = 0x40;
		is(insn_execute(m, insn_encode(prefetches[n], 0, A0, 0, -2048), PRV_U), OK);
		is(h->x[ZERO], 0);
		is(h->x[A0], 0x40);
	}
	csr_write(h, CSR_MSTATUS, 0);
	for (unsigned n = 0; n < TAP_NR(none); n++) {
		tap_context("%08x", none[n]);
		is(insn_execute(m, none[n], PRV_M), CAUSE_ILLEGAL_INSN);
		is(h->mtval, (none[n] & 3) == 3 ? none[n] : (uint16_t)none[n]);
	}
	machine_destroy(m);
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * insn_mem.c - loads, stores, atomics and reservations (insn.h).
 */
#include "insn.h"

#define FILL  0x1111111111111111ull
#define WORD  0xf0e0d0c0b0a09080ull
#define SMALL 0x0706050403020100ull

static bool is_float(unsigned id)
{
	return isa_table[id].format == ISA_FMT_FL || isa_table[id].format == ISA_FMT_FS;
}

/* Unpriv 2.6, 4.3, 20.5, 21.3: the value read is sign-extended, zero-extended or NaN-boxed. */
static const struct {
	uint16_t id;
	int offset; /* place in the eight bytes of memory */
	uint64_t memory, want;
} loads[] = {
	{ ISA_lb, 0, WORD, -128 },
	{ ISA_lb, 7, WORD, -16 },
	{ ISA_lb, 7, SMALL, 7 },
	{ ISA_lbu, 0, WORD, 0x80 },
	{ ISA_lbu, 7, WORD, 0xf0 },
	{ ISA_lh, 0, WORD, 0xffffffffffff9080 },
	{ ISA_lh, 6, SMALL, 0x0706 },
	{ ISA_lhu, 0, WORD, 0x9080 },
	{ ISA_lhu, 6, WORD, 0xf0e0 },
	{ ISA_lw, 0, WORD, 0xffffffffb0a09080 },
	{ ISA_lw, 4, SMALL, 0x07060504 },
	{ ISA_lwu, 0, WORD, 0xb0a09080 },
	{ ISA_lwu, 4, WORD, 0xf0e0d0c0 },
	{ ISA_ld, 0, WORD, WORD },
	{ ISA_flh, 0, WORD, 0xffffffffffff9080 },
	{ ISA_flw, 0, WORD, 0xffffffffb0a09080 },
	{ ISA_flw, 4, SMALL, 0xffffffff07060504 },
	{ ISA_fld, 0, WORD, WORD },
	/* misaligned, which this machine executes */
	{ ISA_lh, 1, WORD, 0xffffffffffffa090 },
	{ ISA_lhu, 3, WORD, 0xc0b0 },
	{ ISA_lw, 3, WORD, 0xffffffffe0d0c0b0 },
	{ ISA_lwu, 1, WORD, 0xc0b0a090 },
	{ ISA_flw, 2, WORD, 0xffffffffd0c0b0a0 },
};

/* A store writes its bytes and no others; fsw ignores the NaN box. */
static const struct {
	uint16_t id;
	int offset;
	uint64_t value, want;
} stores[] = {
	{ ISA_sb, 0, 0xaabbccddeeff0123, 0x1111111111111123 },
	{ ISA_sb, 7, 0xaabbccddeeff0123, 0x2311111111111111 },
	{ ISA_sh, 2, 0xaabbccddeeff0123, 0x1111111101231111 },
	{ ISA_sw, 4, 0xaabbccddeeff0123, 0xeeff012311111111 },
	{ ISA_sd, 0, 0xaabbccddeeff0123, 0xaabbccddeeff0123 },
	{ ISA_fsh, 2, 0xaabbccddeeff0123, 0x1111111101231111 },
	{ ISA_fsw, 0, 0xaabbccddeeff0123, 0x11111111eeff0123 },
	{ ISA_fsd, 0, 0xaabbccddeeff0123, 0xaabbccddeeff0123 },
	{ ISA_sh, 3, 0xaabbccddeeff0123, 0x1111110123111111 },
	{ ISA_sw, 1, 0xaabbccddeeff0123, 0x111111eeff012311 },
	{ ISA_fsw, 2, 0xaabbccddeeff0123, 0x1111eeff01231111 },
};

/* Every row with its base before, at and after the address, with an immediate of every size. */
static const int immediates[] = { 0, 2040, -2048, -1 };

static void load_rows(struct machine *m)
{
	struct hart *h = m->cl.hart[0];
	uint64_t *data = cluster_ram(&m->cl, RIG_DATA, 8);

	for (unsigned n = 0; n < 4 * TAP_NR(loads); n++) {
		unsigned row = n / 4, id = loads[row].id;
		int imm = immediates[n % 4];

		tap_context("%s, row %u, immediate %d", isa_table[id].name, row, imm);
		insn_seen[id] = true;
		*data = loads[row].memory;
		h->x[A0] = RIG_DATA + loads[row].offset - imm;
		is(insn_execute(m, insn_encode(id, A2, A0, 0, imm), PRV_M), NO_TRAP);
		is(is_float(id) ? h->f[A2] : h->x[A2], loads[row].want);
		is(insn_execute(m, insn_encode(id, ZERO, A0, 0, imm), PRV_M), NO_TRAP);
		is(h->x[ZERO], 0);
	}
}

static void store_rows(struct machine *m)
{
	struct hart *h = m->cl.hart[0];
	uint64_t *data = cluster_ram(&m->cl, RIG_DATA - 8, 24);

	for (unsigned n = 0; n < 4 * TAP_NR(stores); n++) {
		unsigned row = n / 4, id = stores[row].id;
		int imm = immediates[n % 4];

		tap_context("%s, row %u, immediate %d", isa_table[id].name, row, imm);
		insn_seen[id] = true;
		data[0] = data[1] = data[2] = FILL;
		h->x[A0] = RIG_DATA + stores[row].offset - imm;
		h->x[A1] = h->f[A1] = stores[row].value;
		is(insn_execute(m, insn_encode(id, 0, A0, A1, imm), PRV_M), NO_TRAP);
		is(data[0], FILL);
		is(data[1], stores[row].want);
		is(data[2], FILL);
	}
}

void insn_mem_tests(void)
{
	struct machine *m = insn_machine();
	struct hart *h = m->cl.hart[0];

	load_rows(m);
	store_rows(m);
	/* A load to x0 faults like any other (Unpriv 2.6). */
	h->x[A0] = 0x40;
	tap_context("a load to x0");
	is(insn_execute(m, insn_encode(ISA_ld, ZERO, A0, 0, 8), PRV_M), CAUSE_LOAD_ACCESS);
	is(h->mtval, 0x48);
	machine_destroy(m);
}

/*
 * Unpriv 13.4.  AMO of a word: the word above stays, rd is sign-extended, rs2's upper half is
 * ignored.
 */
static const struct {
	uint16_t id;
	uint64_t memory, source, want, left;
} amos[] = {
	{ ISA_amoswap_w, 0x80000000, 0x123456789, MIN32, 0x23456789 },
	{ ISA_amoadd_w, 0x7fffffff, 0xffffffff00000001, 0x7fffffff, 0x80000000 },
	{ ISA_amoadd_w, 0xffffffff, 1, M1, 0 },
	{ ISA_amoxor_w, 0xff00ff00, 0x0ff00ff0, 0xffffffffff00ff00, 0xf0f0f0f0 },
	{ ISA_amoand_w, 0xff00ff00, 0x0ff00ff0, 0xffffffffff00ff00, 0x0f000f00 },
	{ ISA_amoor_w, 0xff00ff00, 0x0ff00ff0, 0xffffffffff00ff00, 0xfff0fff0 },
	{ ISA_amomin_w, 0x80000000, 1, MIN32, 0x80000000 },
	{ ISA_amomin_w, 1, 0xffffffff, 1, 0xffffffff },
	{ ISA_amomin_w, 1, 0x7fffffff00000002, 1, 1 },
	{ ISA_amomax_w, 0x80000000, 1, MIN32, 1 },
	{ ISA_amomax_w, 1, 0xffffffff, 1, 1 },
	{ ISA_amomax_w, 3, 0x8000000000000004, 3, 4 },
	{ ISA_amominu_w, 0x80000000, 0xffffffff00000001, MIN32, 1 },
	{ ISA_amominu_w, 1, 0xffffffff, 1, 1 },
	{ ISA_amomaxu_w, 0x80000000, 0xffffffff00000001, MIN32, 0x80000000 },
	{ ISA_amomaxu_w, 1, 0xffffffff, 1, 0xffffffff },
	{ ISA_amoswap_b, 0x80, 0x123, -128, 0x23 },
	{ ISA_amoadd_b, 0x7f, 0x101, 0x7f, 0x80 },
	{ ISA_amoxor_b, 0xff, 0x0f, M1, 0xf0 },
	{ ISA_amoand_b, 0xf1, 0x33, 0xfffffffffffffff1, 0x31 },
	{ ISA_amoor_b, 0x81, 0x42, 0xffffffffffffff81, 0xc3 },
	{ ISA_amomin_b, 0x80, 1, -128, 0x80 },
	{ ISA_amomin_b, 1, 0xff, 1, 0xff },
	{ ISA_amomax_b, 0x80, 1, -128, 1 },
	{ ISA_amomax_b, 1, 0xff, 1, 1 },
	{ ISA_amominu_b, 0x80, 0x701, -128, 1 },
	{ ISA_amominu_b, 1, 0xff, 1, 1 },
	{ ISA_amomaxu_b, 0x80, 0xf01, -128, 0x80 },
	{ ISA_amomaxu_b, 1, 0xff, 1, 0xff },
	{ ISA_amoswap_h, 0x8000, 0x12345, -32768, 0x2345 },
	{ ISA_amoadd_h, 0x7fff, 0x10001, 0x7fff, 0x8000 },
	{ ISA_amoxor_h, 0xff00, 0x0ff0, 0xffffffffffffff00, 0xf0f0 },
	{ ISA_amoand_h, 0xff01, 0x0ff3, 0xffffffffffffff01, 0x0f01 },
	{ ISA_amoor_h, 0x8001, 0x4002, 0xffffffffffff8001, 0xc003 },
	{ ISA_amomin_h, 0x8000, 1, -32768, 0x8000 },
	{ ISA_amomin_h, 1, 0xffff, 1, 0xffff },
	{ ISA_amomax_h, 0x8000, 1, -32768, 1 },
	{ ISA_amomax_h, 1, 0xffff, 1, 1 },
	{ ISA_amominu_h, 0x8000, 0x70001, -32768, 1 },
	{ ISA_amominu_h, 1, 0xffff, 1, 1 },
	{ ISA_amomaxu_h, 0x8000, 0xf0001, -32768, 0x8000 },
	{ ISA_amomaxu_h, 1, 0xffff, 1, 0xffff },
	{ ISA_amoswap_d, MIN64, 0x123456789, MIN64, 0x123456789 },
	{ ISA_amoadd_d, MAX64, 1, MAX64, MIN64 },
	{ ISA_amoxor_d, 0xff00ff0000000000, M1, 0xff00ff0000000000, 0x00ff00ffffffffff },
	{ ISA_amoand_d, 0xff00ff0000000001, 0x0ff0000000000003, 0xff00ff0000000001,
	  0x0f00000000000001 },
	{ ISA_amoor_d, 0xff00000000000001, 0x0ff0000000000002, 0xff00000000000001,
	  0xfff0000000000003 },
	{ ISA_amomin_d, MIN64, 1, MIN64, MIN64 },
	{ ISA_amomin_d, 1, M1, 1, M1 },
	{ ISA_amomax_d, MIN64, 1, MIN64, 1 },
	{ ISA_amomax_d, 1, M1, 1, 1 },
	{ ISA_amominu_d, MIN64, 1, MIN64, 1 },
	{ ISA_amominu_d, 1, M1, 1, 1 },
	{ ISA_amomaxu_d, MIN64, 1, MIN64, MIN64 },
	{ ISA_amomaxu_d, 1, M1, 1, M1 },
};

/* By funct3. */
static unsigned amo_bytes(unsigned id)
{
	return 1u << (isa_table[id].match >> 12 & 7);
}

/* The low bytes of value, sign-extended. */
static uint64_t extended(uint64_t value, unsigned bytes)
{
	unsigned by = 64 - 8 * bytes;

	return (uint64_t)((int64_t)(value << by) >> by);
}

static void amo_row(struct machine *m, unsigned row)
{
	struct hart *h = m->cl.hart[0];
	uint64_t *data = cluster_ram(&m->cl, RIG_DATA, 8);
	unsigned bytes = amo_bytes(amos[row].id);
	uint64_t above = bytes < 8 ? 0x5555555555555555ull << 8 * bytes : 0;
	/* with each of aq and rl, which have no effect here */
	uint32_t insn = insn_encode(amos[row].id, A2, A0, A1, 0) | (row & 3) << 25;

	*data = amos[row].memory | above;
	h->x[A0] = RIG_DATA;
	h->x[A1] = amos[row].source;
	is(insn_execute(m, insn, PRV_M), NO_TRAP);
	is(h->x[A2], amos[row].want);
	is(*data, amos[row].left | above);
	/* rd may be rs2, rs1 or x0. */
	*data = amos[row].memory | above;
	is(insn_execute(m, insn_encode(amos[row].id, A1, A0, A1, 0), PRV_M), NO_TRAP);
	is(h->x[A1], amos[row].want);
	is(*data, amos[row].left | above);
	*data = amos[row].memory | above;
	h->x[A1] = amos[row].source;
	is(insn_execute(m, insn_encode(amos[row].id, ZERO, A0, A1, 0), PRV_M), NO_TRAP);
	is(h->x[ZERO], 0);
	is(*data, amos[row].left | above);
	is(insn_execute(m, insn_encode(amos[row].id, A0, A0, A1, 0), PRV_M), NO_TRAP);
	is(h->x[A0], extended(amos[row].left, bytes));
}

/* Misaligned, or not memory: a store fault, but a load fault for lr; nothing is written. */
static void amo_faults(struct machine *m, unsigned id)
{
	struct hart *h = m->cl.hart[0];
	uint64_t *data = cluster_ram(&m->cl, RIG_DATA, 16);
	bool lr = isa_table[id].class == ISA_CLASS_LR;

	data[0] = data[1] = FILL;
	h->x[A4] = h->x[A2] = 7;
	h->x[A0] = RIG_DATA + amo_bytes(id) / 2;
	if (amo_bytes(id) > 1) {
		is(insn_execute(m, insn_encode(id, A2, A0, A4, 0), PRV_M),
		   lr ? CAUSE_MISALIGNED_LOAD : CAUSE_MISALIGNED_STORE);
		is(h->mtval, h->x[A0]);
	}
	h->x[A0] = 0x40;
	is(insn_execute(m, insn_encode(id, A2, A0, A4, 0), PRV_M),
	   lr ? CAUSE_LOAD_ACCESS : CAUSE_STORE_ACCESS);
	is(h->mtval, 0x40);
	is(h->x[A2], 7);
	is(data[0], FILL);
	is(data[1], FILL);
}

void insn_amo_tests(void)
{
	struct machine *m = insn_machine();

	for (unsigned n = 0; n < TAP_NR(amos); n++) {
		tap_context("%s, row %u", isa_table[amos[n].id].name, n);
		insn_seen[amos[n].id] = true;
		amo_row(m, n);
	}
	for (unsigned id = 1; id < ISA_NR; id++) {
		unsigned class = isa_table[id].class;

		if (class != ISA_CLASS_AMO && class != ISA_CLASS_LR && class != ISA_CLASS_SC)
			continue;
		tap_context("%s", isa_table[id].name);
		amo_faults(m, id);
	}
	machine_destroy(m);
}

/* Zalasr 1.0: like a load or a store, but the address must be aligned. */
void insn_ordered_tests(void)
{
	static const uint16_t ids[2][4] = {
		{ ISA_lb_aq, ISA_lh_aq, ISA_lw_aq, ISA_ld_aq },
		{ ISA_sb_rl, ISA_sh_rl, ISA_sw_rl, ISA_sd_rl },
	};
	struct machine *m = insn_machine();
	struct hart *h = m->cl.hart[0];
	uint64_t *data = cluster_ram(&m->cl, RIG_DATA, 16);

	for (unsigned n = 0; n < 8; n++) {
		unsigned store = n / 4, bytes = 1u << n % 4;
		uint64_t mask = bytes < 8 ? (1ull << 8 * bytes) - 1 : M1, from = 0x9192939495969798;
		uint32_t insn = insn_encode(ids[store][n % 4], store ? 0 : A1, A0, store ? A1 : 0,
					    0);

		tap_context("%s", isa_table[ids[store][n % 4]].name);
		insn_seen[ids[store][n % 4]] = true;
		for (unsigned twice = 0; twice < 2;
		     twice++) { /* the second time by the software TLB */
			data[0] = 0x8182838485868788;
			h->x[A0] = RIG_DATA;
			h->x[A1] = from;
			is(insn_execute(m, insn | (twice ? 3u << 25 : 0), PRV_M), NO_TRAP);
			is(data[0], store ? (0x8182838485868788 & ~mask) | (from & mask)
					  : 0x8182838485868788);
			is(h->x[A1], store ? from : extended(0x8182838485868788, bytes));
		}
		for (unsigned off = 1; off < bytes; off++) {
			h->x[A0] = RIG_DATA + off;
			is(insn_execute(m, insn, PRV_M),
			   store ? CAUSE_MISALIGNED_STORE : CAUSE_MISALIGNED_LOAD);
			is(h->mtval, RIG_DATA + off);
		}
		h->x[A0] = 0x40;
		is(insn_execute(m, insn, PRV_M), store ? CAUSE_STORE_ACCESS : CAUSE_LOAD_ACCESS);
		is(h->mtval, 0x40);
	}
	machine_destroy(m);
}

/* Unpriv 15: whether memory had what rd had decides; rd gets what it had, sign-extended. */
static void cas_row(struct machine *m, unsigned id, unsigned rd, unsigned rs2, bool equal)
{
	struct hart *h = m->cl.hart[0];
	uint64_t *data = cluster_ram(&m->cl, RIG_DATA, 16), fill = 0x5555555555555555, old, want;
	unsigned bytes = amo_bytes(id), low = bytes < 8 ? bytes : 8;
	uint64_t mask = low < 8 ? (1ull << 8 * low) - 1 : M1;

	old = !equal ? 0x8182838485868788 : rd ? 0x9192939495969798 : 0;
	data[0] = (fill & ~mask) | (old & mask);
	data[1] = bytes < 16 ? fill : equal && !rd ? 0 : 0xa1a2a3a4a5a6a7a8;
	h->x[A0] = RIG_DATA;
	h->x[A2] = 0x9192939495969798;
	h->x[A2 + 1] = 0xa1a2a3a4a5a6a7a8;
	h->x[A4] = 0xb1b2b3b4b5b6b7b8;
	h->x[A4 + 1] = 0xc1c2c3c4c5c6c7c8;
	want = equal ? (rs2 ? h->x[rs2] : 0) : old;
	is(insn_execute(m, insn_encode(id, rd, A0, rs2, 0), PRV_M), NO_TRAP);
	is(data[0], (fill & ~mask) | (want & mask));
	if (bytes == 16)
		is(data[1], !equal ? 0xa1a2a3a4a5a6a7a8 : rs2 ? h->x[rs2 + 1] : 0);
	else
		is(data[1], fill);
	is(h->x[ZERO], 0);
	is(h->x[rd], rd ? extended(old, low) : 0);
	if (rd)
		is(h->x[rd + 1], 0xa1a2a3a4a5a6a7a8);
}

/* The upper half alone decides, too; odd registers are reserved. */
static void cas_pairs(struct machine *m)
{
	struct hart *h = m->cl.hart[0];
	uint64_t *data = cluster_ram(&m->cl, RIG_DATA, 16);

	data[0] = h->x[A2] = 5;
	data[1] = 7;
	h->x[A2 + 1] = 6;
	h->x[A0] = RIG_DATA;
	is(insn_execute(m, insn_encode(ISA_amocas_q, A2, A0, A4, 0), PRV_M), NO_TRAP);
	is(data[0], 5);
	is(data[1], 7);
	is(h->x[A2 + 1], 7);
	is(insn_execute(m, insn_encode(ISA_amocas_q, A1, A0, A4, 0), PRV_M), CAUSE_ILLEGAL_INSN);
	is(insn_execute(m, insn_encode(ISA_amocas_q, A2, A0, A1, 0), PRV_M), CAUSE_ILLEGAL_INSN);
}

void insn_cas_tests(void)
{
	static const uint16_t ids[] = { ISA_amocas_b, ISA_amocas_h, ISA_amocas_w, ISA_amocas_d,
					ISA_amocas_q };
	struct machine *m = insn_machine();

	for (unsigned n = 0; n < TAP_NR(ids); n++) {
		insn_seen[ids[n]] = true;
		for (unsigned how = 0; how < 8; how++) {
			tap_context("%s, case %u", isa_table[ids[n]].name, how);
			cas_row(m, ids[n], how & 1 ? ZERO : A2, how & 2 ? ZERO : A4, how & 4);
		}
	}
	cas_pairs(m);
	machine_destroy(m);
}

/* Unpriv 13.2: lr at A0 (or none), an instruction in between, then sc. */
static const struct {
	const char *name;
	uint16_t lr, sc;
	uint32_t between;
	int lr_at, sc_at;
	uint64_t want, left;
} pairs[] = {
	{ "a pair of words", ISA_lr_w, ISA_sc_w, NOP, 0, 0, 0, 0x11111111eeff0123 },
	{ "a pair of doublewords", ISA_lr_d, ISA_sc_d, NOP, 0, 0, 0, 0xaabbccddeeff0123 },
	{ "the upper word", ISA_lr_w, ISA_sc_w, NOP, 4, 4, 0, 0xeeff012311111111 },
	{ "no lr", ISA_NONE, ISA_sc_d, NOP, 0, 0, 1, FILL },
	{ "no lr, a word", ISA_NONE, ISA_sc_w, NOP, 0, 0, 1, FILL },
	{ "elsewhere", ISA_lr_d, ISA_sc_d, NOP, 8, 0, 1, FILL },
	{ "the other word", ISA_lr_w, ISA_sc_w, NOP, 4, 0, 1, FILL },
	{ "another size", ISA_lr_w, ISA_sc_d, NOP, 0, 0, 1, FILL },
};

void insn_reservation_tests(void)
{
	struct machine *m = insn_machine();
	struct hart *h = m->cl.hart[0];
	uint64_t *data = cluster_ram(&m->cl, RIG_DATA, 16);

	for (unsigned n = 0; n < TAP_NR(pairs); n++) {
		unsigned lr = pairs[n].lr, sc = pairs[n].sc;

		tap_context("%s", pairs[n].name);
		insn_seen[sc] = true;
		insn_seen[lr] = true;
		data[0] = data[1] = FILL;
		h->x[A0] = RIG_DATA + pairs[n].sc_at;
		h->x[A3] = RIG_DATA + pairs[n].lr_at;
		h->x[A1] = 0xaabbccddeeff0123;
		h->reservation = RESERVATION_NONE;
		RIG_CODE(m, CODE, lr ? insn_encode(lr, A4, A3, 0, 0) : NOP, pairs[n].between,
			 insn_encode(sc, A2, A0, A1, 0),
			 /* a reservation is used once: even a failed sc ends it */
			 insn_encode(sc, A5, A0, A1, 0), END);
		h->pc = CODE;
		rig_run(m, 100);
		is(h->x[A2], pairs[n].want);
		is(h->x[A5], 1);
		is(data[0], pairs[n].left);
		is(data[1], FILL);
		if (lr)
			is(h->x[A4], amo_bytes(lr) == 4 ? 0x11111111 : FILL);
	}
	/* lr.w sign-extends. */
	data[0] = 0x80000000;
	h->x[A0] = RIG_DATA;
	is(insn_execute(m, insn_encode(ISA_lr_w, A2, A0, 0, 0), PRV_M), NO_TRAP);
	is(h->x[A2], MIN32);
	machine_destroy(m);
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * insn_thead.c - T-Head's extensions (insn.h): T-Head ISA extension specification 2.3.
 */
#include "insn.h"

#define WORD 0xf0e0d0c0b0a09080ull

static struct machine *thead_machine(void)
{
	struct machine *m = insn_machine();

	/* But for those of vectors, which need a unit. */
	for (unsigned ext = 0; ext < ISA_EXT_NR; ext++) {
		if (!strncmp(isa_ext_name[ext], "xthead", 6) && ext != ISA_EXT_XTHEADVECTOR &&
		    ext != ISA_EXT_XTHEADZVAMO)
			isa_set_add(&m->cl.extensions, ext);
	}
	return m;
}

/* id with a0 in the place of rd, a1 as rs1, a2 as rs2 where it has one, and its immediate bits. */
static uint32_t word(unsigned id, uint32_t bits)
{
	const struct isa_row *r = &isa_table[id];

	insn_seen[id] = true;
	return r->match | A0 << 7 | A1 << 15 | (((A2 << 20 & ~r->mask) | bits) & ~(r->mask));
}

#define STEP(imm, shift)   (((imm)&31u) << 20 | (uint32_t)(shift) << 25)
#define FIELD(last, first) ((uint32_t)(last) << 26 | (uint32_t)(first) << 20)

/* a0 before, a1 and a2, and a0 after. */
static const struct {
	uint16_t id;
	uint32_t bits;
	bool no_rs2;
	uint64_t a0, a1, a2, want;
} rows[] = {
	{ ISA_th_addsl, 0u << 25, false, 9, 5, 3, 8 },
	{ ISA_th_addsl, 3u << 25, false, 9, 5, M1, -3 },
	{ ISA_th_srri, 4u << 20, true, 0, 0x123456789abcdef0, 0, 0x0123456789abcdef },
	{ ISA_th_srri, 63u << 20, true, 0, MIN64, 0, 1 },
	{ ISA_th_srriw, 4u << 20, true, 0, 0x123456789abcdef8, 0, 0xffffffff89abcdef },
	{ ISA_th_ext, FIELD(7, 0), true, 0, 0x180, 0, 0xffffffffffffff80 },
	{ ISA_th_ext, FIELD(63, 60), true, 0, 0x7000000000000000, 0, 7 },
	{ ISA_th_ext, FIELD(3, 4), true, 77, M1, 0, 77 },
	{ ISA_th_extu, FIELD(7, 0), true, 0, 0x180, 0, 0x80 },
	{ ISA_th_extu, FIELD(63, 0), true, 0, M1, 0, M1 },
	{ ISA_th_extu, FIELD(0, 1), true, 77, M1, 0, 77 },
	{ ISA_th_ff0, 0, true, 0, M1, 0, 64 },
	{ ISA_th_ff0, 0, true, 0, 0, 0, 0 },
	{ ISA_th_ff0, 0, true, 0, 0xf000000000000000, 0, 4 },
	{ ISA_th_ff1, 0, true, 0, 0, 0, 64 },
	{ ISA_th_ff1, 0, true, 0, 1, 0, 63 },
	{ ISA_th_rev, 0, true, 0, 0x0102030405060708, 0, 0x0807060504030201 },
	{ ISA_th_revw, 0, true, 0, 0x0102030405060788, 0, 0xffffffff88070605 },
	{ ISA_th_tstnbz, 0, true, 0, 0x0100000080ff0012, 0, 0x00ffffff0000ff00 },
	{ ISA_th_tst, 63u << 20, true, 0, MIN64, 0, 1 },
	{ ISA_th_tst, 0, true, 0, MIN64, 0, 0 },
	{ ISA_th_mveqz, 0, false, 7, 5, 0, 5 },
	{ ISA_th_mveqz, 0, false, 7, 5, 1ull << 32, 7 },
	{ ISA_th_mvnez, 0, false, 7, 5, 0, 7 },
	{ ISA_th_mvnez, 0, false, 7, 5, 1ull << 32, 5 },
	{ ISA_th_mula, 0, false, 7, 5, M1, 2 },
	{ ISA_th_muls, 0, false, 7, 5, M1, 12 },
	{ ISA_th_mulaw, 0, false, MAX64, 0x100000001, 1, 0 },
	{ ISA_th_mulaw, 0, false, 0x7fffffff, 1, 1, MIN32 },
	{ ISA_th_mulsw, 0, false, 0, 0x100000001, 1, M1 },
	{ ISA_th_mulah, 0, false, 1, 0x1ffff, 0x20003, -2 },
	{ ISA_th_mulsh, 0, false, 1, 0x1ffff, 0x20003, 4 },
};

static void arithmetic(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		uint32_t insn = word(rows[n].id, rows[n].bits);

		tap_context("%s, row %u", isa_table[rows[n].id].name, n);
		insn = rows[n].no_rs2
			       ? isa_table[rows[n].id].match | rows[n].bits | A0 << 7 | A1 << 15
			       : insn;
		h->x[A0] = rows[n].a0;
		h->x[A1] = rows[n].a1;
		h->x[A2] = rows[n].a2;
		is(insn_execute(m, insn, PRV_M), NO_TRAP);
		is(h->x[A0], rows[n].want);
		is(insn_execute(m, insn & ~(31u << 7), PRV_M), NO_TRAP);
		is(h->x[ZERO], 0);
	}
}

/* Loads and stores of so many bytes; want: of the bytes of WORD in a register. */
#define ACCESS(width, bytes, want)                                                                 \
	{                                                                                          \
		ISA_th_l##width##ia, ISA_th_l##width##ib, ISA_th_lr##width, ISA_th_lur##width,     \
			bytes, want                                                                \
	}
static const struct th_access {
	uint16_t after, before, indexed, narrow, bytes;
	uint64_t want;
} loads[] = {
	ACCESS(d, 8, WORD),
	ACCESS(w, 4, 0xffffffffb0a09080),
	ACCESS(wu, 4, 0xb0a09080),
	ACCESS(h, 2, 0xffffffffffff9080),
	ACCESS(hu, 2, 0x9080),
	ACCESS(b, 1, 0xffffffffffffff80),
	ACCESS(bu, 1, 0x80),
	{ 0, 0, ISA_th_flrd, ISA_th_flurd, 8, WORD },
	{ 0, 0, ISA_th_flrw, ISA_th_flurw, 4, 0xffffffffb0a09080 },
}, stores[] = {
	{ ISA_th_sdia, ISA_th_sdib, ISA_th_srd, ISA_th_surd, 8, 0 },
	{ ISA_th_swia, ISA_th_swib, ISA_th_srw, ISA_th_surw, 4, 0 },
	{ ISA_th_shia, ISA_th_shib, ISA_th_srh, ISA_th_surh, 2, 0 },
	{ ISA_th_sbia, ISA_th_sbib, ISA_th_srb, ISA_th_surb, 1, 0 },
	{ 0, 0, ISA_th_fsrd, ISA_th_fsurd, 8, 0 },
	{ 0, 0, ISA_th_fsrw, ISA_th_fsurw, 4, 0 },
};

/* Executes one access at RIG_DATA, or with `far` at an address where there is nothing. */
static void one(struct machine *m, const struct th_access *a, unsigned id, bool load, bool far)
{
	struct hart *h = m->cl.hart[0];
	uint64_t *data = cluster_ram(&m->cl, RIG_DATA, 8), at = far ? 0x40 : RIG_DATA, base = at;
	bool steps = id == a->after || id == a->before, is_float = !a->after;
	uint32_t bits = steps ? STEP(-3, 2) : 2u << 25;

	tap_context("%s, far %u", isa_table[id].name, far);
	*data = load ? WORD : 0;
	h->x[A0] = h->f[A0] = load ? 5 : WORD;
	h->x[A2] = id == a->narrow ? MIN64 | 6 : -6ull;
	if (id == a->before)
		base = at + 12;
	else if (!steps)
		base = id == a->narrow ? at - 24 : at + 24;
	h->x[A1] = base;
	is(insn_execute(m, steps ? isa_table[id].match | bits | A0 << 7 | A1 << 15 : word(id, bits),
			PRV_M),
	   !far	  ? NO_TRAP
	   : load ? CAUSE_LOAD_ACCESS
		  : CAUSE_STORE_ACCESS);
	insn_seen[id] = true;
	is(h->x[A1], steps && !far ? base - 12 : base);
	if (load)
		is(is_float ? h->f[A0] : h->x[A0], far ? 5 : a->want);
	else
		is(*data, far ? 0 : a->bytes == 8 ? WORD : WORD & ((1ull << 8 * a->bytes) - 1));
}

static void accesses(struct machine *m, const struct th_access *a, unsigned nr, bool load)
{
	for (unsigned n = 0; n < 8 * nr; n++) {
		const struct th_access *of = &a[n / 8];
		const uint16_t ids[] = { of->after, of->before, of->indexed, of->narrow };

		if (ids[n / 2 % 4])
			one(m, of, ids[n / 2 % 4], load, n % 2);
	}
}

/* Pairs: at the third place of 16 or 8 bytes; one whose second half faults loads nothing. */
static void pairs(struct machine *m)
{
	static const struct {
		uint16_t load, store;
		unsigned bytes;
		uint64_t want;
	} kinds[] = {
		{ ISA_th_ldd, ISA_th_sdd, 8, WORD },
		{ ISA_th_lwd, ISA_th_swd, 4, 0xffffffffb0a09080 },
		{ ISA_th_lwud, ISA_th_swd, 4, 0xb0a09080 },
	};
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < TAP_NR(kinds); n++) {
		unsigned bytes = kinds[n].bytes;
		uint8_t *data = cluster_ram(&m->cl, RIG_DATA, 64);

		tap_context("%s", isa_table[kinds[n].load].name);
		memset(data, 0, 64);
		h->x[A0] = WORD;
		h->x[A2] = ~WORD;
		h->x[A1] = RIG_DATA;
		is(insn_execute(m, word(kinds[n].store, 2u << 25), PRV_M), NO_TRAP);
		ok(!memcmp(data + 4 * bytes, &h->x[A0], bytes));
		ok(!memcmp(data + 5 * bytes, &h->x[A2], bytes));
		memcpy(data + 5 * bytes, &(uint64_t){ WORD }, bytes);
		is(insn_execute(m, word(kinds[n].load, 2u << 25), PRV_M), NO_TRAP);
		is(h->x[A0], kinds[n].want);
		is(h->x[A2], kinds[n].want);
		h->x[A0] = h->x[A2] = 5;
		h->x[A1] = RAM_BASE + (16 << 20) - 5 * bytes;
		is(insn_execute(m, word(kinds[n].load, 2u << 25), PRV_M), CAUSE_LOAD_ACCESS);
		is(h->mtval, RAM_BASE + (16 << 20));
		is(h->x[A0] + h->x[A2], 10);
		/* Two results in one register, or over the base: reserved. */
		is(insn_execute(m, isa_table[kinds[n].load].match | A0 << 7 | A1 << 15 | A0 << 20,
				PRV_M),
		   CAUSE_ILLEGAL_INSN);
		is(insn_execute(m, isa_table[kinds[n].load].match | A1 << 7 | A1 << 15 | A0 << 20,
				PRV_M),
		   CAUSE_ILLEGAL_INSN);
	}
	is(insn_execute(m, isa_table[ISA_th_ldia].match | A1 << 7 | A1 << 15, PRV_M),
	   CAUSE_ILLEGAL_INSN);
	/* x0 as the base stays 0. */
	h->x[A0] = 5;
	is(insn_execute(m, isa_table[ISA_th_ldib].match | STEP(1, 3) | A0 << 7, PRV_M),
	   CAUSE_LOAD_ACCESS);
	is(h->mtval, 8);
}

/* Cache instructions and th.sync are fences; th.sfence.vmas is not U-mode's. */
static void fences(struct machine *m)
{
	for (unsigned id = ISA_th_addsl; id <= ISA_th_sfence_vmas; id++) {
		uint32_t insn;

		if (isa_table[id].class != ISA_CLASS_FENCE)
			continue;
		tap_context("%s", isa_table[id].name);
		insn_seen[id] = true;
		insn = isa_table[id].match | (A1 << 15 & ~isa_table[id].mask);
		is(insn_execute(m, insn, PRV_S), NO_TRAP);
		is(insn_execute(m, insn, PRV_U),
		   id == ISA_th_sfence_vmas ? CAUSE_ILLEGAL_INSN : NO_TRAP);
	}
}

/*
 * The words of opcode custom-0 without funct3 and rd: what XTheadCmo and XTheadSync define, as bits
 * 25 to 20, rs1 (x: any register, else x0) and which of the two.  Bit 26 is th.sfence.vmas alone.
 */
static const struct {
	const char *name;
	uint8_t bits;
	char rs1, ext;
} defined[] = {
	{ "dcache.call", 0x01, '0', 'c' },  { "dcache.iall", 0x02, '0', 'c' },
	{ "dcache.ciall", 0x03, '0', 'c' }, { "icache.iall", 0x10, '0', 'c' },
	{ "icache.ialls", 0x11, '0', 'c' }, { "l2cache.call", 0x15, '0', 'c' },
	{ "l2cache.iall", 0x16, '0', 'c' }, { "l2cache.ciall", 0x17, '0', 'c' },
	{ "sync", 0x18, '0', 's' },	    { "sync.s", 0x19, '0', 's' },
	{ "sync.i", 0x1a, '0', 's' },	    { "sync.is", 0x1b, '0', 's' },
	{ "dcache.csw", 0x21, 'x', 'c' },   { "dcache.isw", 0x22, 'x', 'c' },
	{ "dcache.cisw", 0x23, 'x', 'c' },  { "dcache.cval1", 0x24, 'x', 'c' },
	{ "dcache.cva", 0x25, 'x', 'c' },   { "dcache.iva", 0x26, 'x', 'c' },
	{ "dcache.civa", 0x27, 'x', 'c' },  { "dcache.cpal1", 0x28, 'x', 'c' },
	{ "dcache.cpa", 0x29, 'x', 'c' },   { "dcache.ipa", 0x2a, 'x', 'c' },
	{ "dcache.cipa", 0x2b, 'x', 'c' },  { "icache.iva", 0x30, 'x', 'c' },
	{ "icache.ipa", 0x38, 'x', 'c' },
};

/* 'c' or 's', the extension of bits 31 to 15 of such a word; 0: nobody defines it. */
static char extension_of(unsigned bits)
{
	unsigned rs1 = bits & 31;

	if (bits >> 10 == 2)
		return 's';
	for (unsigned n = 0; n < TAP_NR(defined); n++) {
		if (defined[n].bits == bits >> 5 && (defined[n].rs1 == 'x' || !rs1))
			return defined[n].ext;
	}
	return 0;
}

/* Whether the disassembler knows the word. */
static bool is_named(struct machine *m, uint32_t insn)
{
	char text[80];

	isa_assembly(&m->cl.isa, insn, CODE, text, sizeof(text));
	return !strncmp(text, "th.", 3);
}

/*
 * Each of them, funct7 up to 3: it runs if its extension is there, and traps otherwise.  The
 * identity of T-Head's C9xx has the cache instructions and th.sync, too.
 */
static void words_of_fences(const char *exts, bool identity)
{
	struct machine *m = insn_machine();

	if (strchr(exts, 'c'))
		isa_set_add(&m->cl.extensions, ISA_EXT_XTHEADCMO);
	if (strchr(exts, 's'))
		isa_set_add(&m->cl.extensions, ISA_EXT_XTHEADSYNC);
	if (identity)
		m->cl.mvendorid = 0x5b7;
	for (unsigned bits = 0; bits < 1 << 12; bits++) {
		uint32_t insn = bits << 15 | 0x0b;
		char ext = extension_of(bits);
		bool there = ext && (strchr(exts, ext) || (identity && bits >> 10 < 2));

		tap_context("%08x, extensions '%s'%s", insn, exts, identity ? ", identity" : "");
		is(insn_execute(m, insn, PRV_S), there ? NO_TRAP : CAUSE_ILLEGAL_INSN);
		is(is_named(m, insn), ext != 0);
	}
	tap_context("th.sync into a register");
	is(insn_execute(m, 0x0180008b, PRV_S), CAUSE_ILLEGAL_INSN);
	tap_context("bit 27, bit 31");
	is(insn_execute(m, 0x0980000b, PRV_S), CAUSE_ILLEGAL_INSN);
	is(insn_execute(m, 0x8180000b, PRV_S), CAUSE_ILLEGAL_INSN);
	machine_destroy(m);
}

void insn_thead_tests(void)
{
	struct machine *m = thead_machine();

	arithmetic(m);
	accesses(m, loads, TAP_NR(loads), true);
	accesses(m, stores, TAP_NR(stores), false);
	pairs(m);
	fences(m);
	machine_destroy(m);
	words_of_fences("", false);
	words_of_fences("", true);
	words_of_fences("c", false);
	words_of_fences("s", false);
	words_of_fences("cs", false);
}

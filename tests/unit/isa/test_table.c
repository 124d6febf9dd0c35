// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_table.c - the instruction table of lib/isa: only intended rows overlap, the index finds what
 * a linear search finds, and the text is what an assembler accepts.
 */
#include <stdlib.h>

#include "tap.h"
#include "isa.h"

static struct isa_index index_of_all, index_of_thead; /* with vectors of V, or XTheadVector */

/* Vectors are V's or XTheadVector's. */
static bool is_chosen(enum isa_insn id, bool thead)
{
	return isa_table[id].class < ISA_CLASS_VSET || isa_is_thead_vector(&isa_table[id]) == thead;
}

/* Rows that are special cases of another row, the general form. */
static bool hint_of(enum isa_insn a, enum isa_insn b)
{
	return (a == ISA_pause && b == ISA_fence) || (a == ISA_zext_h && b == ISA_packw) ||
	       (a == ISA_sspush && b == ISA_mop_rr) || (a == ISA_cm_jt && b == ISA_cm_jalt) ||
	       ((a == ISA_sspopchk || a == ISA_ssrdp) && b == ISA_mop_r) ||
	       ((a == ISA_prefetch_i || a == ISA_prefetch_r || a == ISA_prefetch_w) &&
		b == ISA_ori);
}

static void no_overlaps(void)
{
	for (unsigned a = 1; a < ISA_NR; a++) {
		const struct isa_row *ra = &isa_table[a];

		tap_context("%s", ra->name);
		is(ra->match & ~ra->mask, 0);
		is(ra->match & 3, ra->ext == ISA_EXT_ZCMP || ra->ext == ISA_EXT_ZCMT ? 2 : 3);
		is(ra->mask & 3, 3);
		for (unsigned b = a + 1; b < ISA_NR; b++) {
			const struct isa_row *rb = &isa_table[b];

			if ((ra->match ^ rb->match) & ra->mask & rb->mask ||
			    (is_chosen(a, true) != is_chosen(b, true) &&
			     is_chosen(a, false) != is_chosen(b, false)))
				continue;
			tap_context("%s and %s", ra->name, rb->name);
			ok(hint_of(a, b));
		}
	}
}

static enum isa_insn plain_search(uint32_t insn, bool thead)
{
	for (unsigned id = 1; id < ISA_NR; id++) {
		if ((insn & isa_table[id].mask) == isa_table[id].match && is_chosen(id, thead))
			return id;
	}
	return ISA_NONE;
}

static void both_agree(uint32_t insn)
{
	is(isa_find(&index_of_all, insn), plain_search(insn, false));
	is(isa_find(&index_of_thead, insn), plain_search(insn, true));
}

static void index_agrees(void)
{
	uint32_t x = 1;

	for (unsigned id = 1; id < ISA_NR; id++) {
		both_agree(isa_table[id].match);
		both_agree(isa_table[id].match | ~isa_table[id].mask);
	}
	for (unsigned n = 0; n < 200000; n++) {
		x = x * 1664525 + 1013904223;
		both_agree(x | 3);
	}
}

static void immediates(void)
{
	static const struct {
		uint32_t insn;
		int32_t imm;
	} rows[] = {
		{ 0xfff00093, -1 }, /* addi ra,zero,-1 */
		{ 0x80000093, -2048 },	 { 0xfe112fa3, -1 }, /* sw ra,-1(sp) */
		{ 0x7e112fa3, 2047 },	 { 0x80000063, -4096 }, /* beq */
		{ 0x7e000fe3, 4094 },	 { 0x8000006f, -1048576 }, /* jal */
		{ 0x7ffff06f, 1048574 }, { 0xfffff0b7, -4096 }, /* lui */
		{ 0x43f0d093, 63 }, /* srai */
		{ 0x30001073, 0x300 }, /* csrrw */
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct isa_fields f;

		tap_context("%08x", rows[n].insn);
		isa_fields(isa_find(&index_of_all, rows[n].insn), rows[n].insn, &f);
		is(f.imm, rows[n].imm);
	}
}

static void text(void)
{
	static const struct {
		uint32_t insn;
		const char *text;
	} rows[] = {
		{ 0x00a58533, "add a0,a1,a0" },
		{ 0xff010113, "addi sp,sp,-16" },
		{ 0x00813083, "ld ra,8(sp)" },
		{ 0xfe0518e3, "bne a0,zero,0xff0" },
		{ 0x12345537, "lui a0,0x12345" },
		{ 0x30529073, "csrrw zero,0x305,t0" },
		{ 0x3002d073, "csrrwi zero,0x300,5" },
		{ 0x100522af, "lr.w t0,(a0)" },
		{ 0x00b6302f, "amoadd.d zero,a1,(a2)" },
		{ 0x02b577d3, "fadd.d fa5,fa0,fa1" },
		{ 0x00008082, "c:jalr zero,0(ra)" },
		{ 0x00000000, "unknown" },
		{ 0xffffffff, "unknown" },
	};
	char to[40];

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		isa_disassemble(&index_of_all, rows[n].insn, 0x1000, to, sizeof(to));
		is_str(to, rows[n].text);
	}
	isa_disassemble(&index_of_all, 0x00a58533, 0, to, 5);
	is_str(to, "add ");
}

/* As objdump prints it; tests/isa/assembly compares all instructions with objdump itself. */
static void assembly(void)
{
	static const struct {
		uint32_t insn;
		const char *text;
	} rows[] = {
		{ 0x00008082, "ret" },
		{ 0x00008067, "ret" },
		{ 0x00000001, "nop" },
		{ 0x0000852e, "mv a0,a1" },
		{ 0x00058513, "mv a0,a1" },
		{ 0x00b00533, "add a0,zero,a1" },
		{ 0x00500513, "li a0,5" },
		{ 0xff010113, "addi sp,sp,-16" },
		{ 0x00351513, "slli a0,a0,0x3" },
		{ 0xfe0518e3, "bnez a0,ff0" },
		{ 0xfea054e3, "blez a0,fe8" },
		{ 0xff1ff0ef, "jal ff0" },
		{ 0xff1ff06f, "j ff0" },
		{ 0x00078067, "jr a5" },
		{ 0x000780e7, "jalr a5" },
		{ 0xfff54513, "not a0,a0" },
		{ 0x40a00533, "neg a0,a0" },
		{ 0x00a03533, "snez a0,a0" },
		{ 0x00153513, "seqz a0,a0" },
		{ 0x0005051b, "sext.w a0,a0" },
		{ 0x0ff57513, "zext.b a0,a0" },
		{ 0x22b58553, "fmv.d fa0,fa1" },
		{ 0xc0002573, "rdcycle a0" },
		{ 0x10002573, "csrr a0,sstatus" },
		{ 0x32051073, "csrw mcountinhibit,a0" },
		{ 0x3232d073, "csrwi mhpmevent3,5" },
		{ 0x7c002573, "csrr a0,0x7c0" },
		{ 0x0ff0000f, "fence" },
		{ 0x0310000f, "fence rw,w" },
		{ 0x06b6302f, "amoadd.d.aqrl zero,a1,(a2)" },
		{ 0xc2061553, "fcvt.w.d a0,fa2,rtz" },
		{ 0x81c5c573, "mop.r.0 a0,a1" },
		{ 0xcdfec573, "mop.r.31 a0,t4" },
		{ 0xcec5c573, "mop.rr.7 a0,a1,a2" },
		{ 0x06c5950b, "th.addsl a0,a1,a2,3" },
		{ 0x1c45a50b, "th.ext a0,a1,7,4" },
		{ 0x7ff5c50b, "th.ldia a0,(a1),-1,3" },
		{ 0xfec5d50b, "th.sdd a0,a2,(a1),3,4" },
		{ 0x02b5000b, "th.dcache.cipa a0" },
		{ 0x64c5e50b, "th.flrd fa0,a1,a2,2" },
		{ 0x00006381, "c.mop.7" },
		{ 0x00006081, "sspush ra" },
		{ 0x00006281, "sspopchk t0" },
		{ 0xce504073, "sspush t0" },
		{ 0xcdc0c073, "sspopchk ra" },
		{ 0xcdc04573, "ssrdp a0" },
		{ 0x4eb6352f, "ssamoswap.d.aqrl a0,a1,(a2)" },
		{ 0x00009c5d, "mul s0,s0,a5" },
		{ 0x31359513, "aes64ks1i a0,a1,0x3" },
		{ 0xb0c58533, "sm4ed a0,a1,a2,0x2" },
		{ 0x2ec5b52f, "amocas.d.aqrl a0,a2,(a1)" },
		{ 0x44559553, "froundnx.h fa0,fa1,rtz" },
		{ 0xf2148553, "fli.d fa0,0x1.4p-2" },
		{ 0xc2859553, "fcvtmod.w.d a0,fa1,rtz" },
		{ 0x00000000, "unimp" },
		{ 0x02008057, "vadd.vv v0,v0,v1" },
		{ 0x0d0572d7, "vsetvli t0,a0,e32,m1,ta,ma" },
		{ 0x00056407, "vle32.v v8,(a0),v0.t" },
		{ 0x42050087, "vlseg3e8.v v1,(a0)" },
		{ 0x0000007b, ".4byte 0x7b" },
		{ 0x00009c00, ".2byte 0x9c00" },
	};
	char to[40];

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		isa_assembly(&index_of_all, rows[n].insn, 0x1000, to, sizeof(to));
		is_str(to, rows[n].text);
	}
	isa_assembly(&index_of_all, 0x00008082, 0, to, 3);
	is_str(to, "re");
}

/* XTheadVector, beside what the same bits are in V. */
static void thead_vectors(void)
{
	static const struct {
		uint32_t insn;
		const char *text, *v;
	} rows[] = {
		{ 0x00857657, "th.vsetvli a2,a0,e32,m1,d1", "vsetvli a2,a0,e16,m1,tu,mu" },
		{ 0x02957657, "th.vsetvli a2,a0,e32,m2,d2", "vsetvli a2,a0,41" },
		{ 0x22457657, "th.vsetvli a2,a0,548", "vsetvli a2,a0,548" },
		{ 0x80c5f557, "th.vsetvl a0,a1,a2", "vsetvl a0,a1,a2" },
		{ 0xc2057057, ".4byte 0xc2057057", "vsetivli zero,10,32" },
		{ 0x12050407, "th.vlb.v v8,(a0)", ".4byte 0x12050407" },
		{ 0x02055407, "th.vlhu.v v8,(a0)", "vle16.v v8,(a0)" },
		{ 0x00057407, "th.vle.v v8,(a0),v0.t", "vle64.v v8,(a0),v0.t" },
		{ 0x33050407, "th.vlseg2bff.v v8,(a0)", ".4byte 0x33050407" },
		{ 0x4ab57427, "th.vssseg3e.v v8,(a0),a1", "vssseg3e64.v v8,(a0),a1" },
		{ 0x6f056407, "th.vlxseg4wu.v v8,(a0),v16", "vloxseg4ei32.v v8,(a0),v16" },
		{ 0x1e055427, "th.vsuxh.v v8,(a0),v0", ".4byte 0x1e055427" },
		{ 0x02860257, "th.vadd.vv v4,v8,v12", "vadd.vv v4,v8,v12" },
		{ 0x42860257, "th.vadc.vvm v4,v8,v12,v0", ".4byte 0x42860257" },
		{ 0x92860257, "th.vaadd.vv v4,v8,v12", ".4byte 0x92860257" },
		{ 0x9283b257, "th.vaadd.vi v4,v8,7", ".4byte 0x9283b257" },
		{ 0xf8862257, "th.vwmaccsu.vv v4,v12,v8,v0.t", ".4byte 0xf8862257" },
		{ 0xfe866257, "th.vwmaccus.vx v4,a2,v8", "vwmaccsu.vx v4,a2,v8" },
		{ 0xf2860257, "th.vwsmaccu.vv v4,v12,v8", ".4byte 0xf2860257" },
		{ 0xb2860257, "th.vnsrl.vv v4,v8,v12", "vnsrl.wv v4,v8,v12" },
		{ 0xb2804257, "th.vncvt.x.x.v v4,v8", "vncvt.x.x.w v4,v8" },
		{ 0x8a8a1257, "th.vfncvt.f.f.v v4,v8", ".4byte 0x8a8a1257" },
		{ 0x6a865257, "th.vmford.vf v4,v8,fa2", ".4byte 0x6a865257" },
		{ 0x62862257, "th.vmandnot.mm v4,v8,v12", "vmandn.mm v4,v8,v12" },
		{ 0x66842257, "th.vmcpy.m v4,v8", "vmmv.m v4,v8" },
		{ 0x52802557, "th.vmpopc.m a0,v8", ".4byte 0x52802557" },
		{ 0x32802557, "th.vmv.x.s a0,v8", "vclmul.vv v10,v8,v0" },
		{ 0x3285a557, "th.vext.x.v a0,v8,a1", "vclmul.vv v10,v8,v11" },
		/* XTheadZvamo, as GNU's assembler */
		{ 0x0685e22f, "th.vamoaddw.v v4,v8,(a1),v4", ".4byte 0x685e22f" },
		{ 0x0285f22f, "th.vamoaddd.v zero,v8,(a1),v4", ".4byte 0x285f22f" },
		{ 0x0885e22f, "th.vamoswapw.v zero,v8,(a1),v4,v0.t", ".4byte 0x885e22f" },
		{ 0x2485f22f, "th.vamoxord.v v4,v8,(a1),v4,v0.t", ".4byte 0x2485f22f" },
		{ 0x6685e22f, "th.vamoandw.v v4,v8,(a1),v4", ".4byte 0x6685e22f" },
		{ 0x4685f22f, "th.vamoord.v v4,v8,(a1),v4", ".4byte 0x4685f22f" },
		{ 0x8685e22f, "th.vamominw.v v4,v8,(a1),v4", ".4byte 0x8685e22f" },
		{ 0xa285f22f, "th.vamomaxd.v zero,v8,(a1),v4", ".4byte 0xa285f22f" },
		{ 0xc685e22f, "th.vamominuw.v v4,v8,(a1),v4", ".4byte 0xc685e22f" },
		{ 0xe485f22f, "th.vamomaxud.v v4,v8,(a1),v4,v0.t", ".4byte 0xe485f22f" },
		{ 0x1685e22f, ".4byte 0x1685e22f", ".4byte 0x1685e22f" }, /* lr of vectors: none */
	};
	char to[40];

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		tap_context("%08x", rows[n].insn);
		isa_assembly(&index_of_thead, rows[n].insn, 0, to, sizeof(to));
		is_str(to, rows[n].text);
		isa_assembly(&index_of_all, rows[n].insn, 0, to, sizeof(to));
		is_str(to, rows[n].v);
	}
}

/* Encodings of c.fsdsp, as they are with Zcmp and Zcmt. */
static void lists(void)
{
	static const struct {
		uint16_t insn;
		const char *text, *without;
	} rows[] = {
		{ 0xb842, "cm.push {ra},-16", "fsd fa6,48(sp)" },
		{ 0xb85e, "cm.push {ra, s0},-64", "fsd fs7,48(sp)" },
		{ 0xbaf2, "cm.pop {ra, s0-s11},112", "fsd ft8,368(sp)" },
		{ 0xba7e, "cm.pop {ra, s0-s2},80", "fsd ft11,304(sp)" },
		{ 0xbe62, "cm.popret {ra, s0-s1},32", "fsd fs8,312(sp)" },
		{ 0xbce2, "cm.popretz {ra, s0-s9},96", "fsd fs8,120(sp)" },
		{ 0xacbe, "cm.mvsa01 s1,s7", "fsd fa5,88(sp)" },
		{ 0xad62, "cm.mva01s s2,s0", "fsd fs8,152(sp)" },
		{ 0xa07e, "cm.jt 31", "fsd ft11,0(sp)" },
		{ 0xa082, "cm.jalt 32", "fsd ft0,64(sp)" },
		{ 0xb832, ".2byte 0xb832", "fsd fa2,48(sp)" }, /* a reserved list */
		{ 0xb002, "fsd ft0,32(sp)", "fsd ft0,32(sp)" }, /* none of theirs */
		{ 0x8082, "ret", "ret" },
	};
	struct isa_index with = index_of_all;
	char to[40];

	with.zcm = true;
	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		isa_assembly(&with, rows[n].insn, 0, to, sizeof(to));
		is_str(to, rows[n].text);
		isa_assembly(&index_of_all, rows[n].insn, 0, to, sizeof(to));
		is_str(to, rows[n].without);
	}
	isa_disassemble(&with, 0xb842, 0, to, sizeof(to));
	is_str(to, "cm.push {ra},-16");
}

static void targets(void)
{
	uint64_t target = 7;

	ok(isa_target(&index_of_all, 0xfe0518e3, 0x1000, &target));
	is(target, 0xff0);
	ok(isa_target(&index_of_all, 0x0000a001, 0x1000, &target)); /* c.j */
	is(target, 0x1000);
	ok(!isa_target(&index_of_all, 0x00008082, 0x1000, &target)); /* ret */
	ok(!isa_target(&index_of_all, 0xffffffff, 0x1000, &target));
	is(target, 0x1000);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "no two encodings overlap", no_overlaps },
		{ "the index finds what a search finds", index_agrees },
		{ "immediates", immediates },
		{ "disassembly", text },
		{ "assembly for people", assembly },
		{ "XTheadVector", thead_vectors },
		{ "Zcmp and Zcmt", lists },
		{ "targets of branches", targets },
	};

	isa_index_init(&index_of_all);
	isa_index_init(&index_of_thead);
	index_of_thead.thead = true;
	return tap_run(cases, TAP_NR(cases));
}

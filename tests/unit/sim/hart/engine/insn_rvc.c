// SPDX-License-Identifier: BSD-2-Clause
/*
 * insn_rvc.c - compressed instructions: each expands to the instruction in the manual's listing
 * (Unpriv 26.8), and the machine executes exactly that (insn.h).
 */
#include "insn.h"

/* Every form, with extreme operands and each bit of an immediate in its place. */
static const struct {
	uint16_t half;
	uint32_t wide;
	const char *text;
} rows[] = {
	{ 0x0040, 0x00410413, "c.addi4spn s0, sp, 4" },
	{ 0x1ffc, 0x3fc10793, "c.addi4spn a5, sp, 1020" },
	{ 0x0028, 0x00810513, "c.addi4spn a0, sp, 8" },
	{ 0x0088, 0x04010513, "c.addi4spn a0, sp, 64" },
	{ 0x0408, 0x20010513, "c.addi4spn a0, sp, 512" },
	{ 0x2380, 0x0007b407, "c.fld fs0, 0(a5)" },
	{ 0x3c7c, 0x0f843787, "c.fld fa5, 248(s0)" },
	{ 0x41a8, 0x0405a503, "c.lw a0, 64(a1)" },
	{ 0x5c7c, 0x07c42783, "c.lw a5, 124(s0)" },
	{ 0x43c0, 0x0047a403, "c.lw s0, 4(a5)" },
	{ 0x6780, 0x0087b403, "c.ld s0, 8(a5)" },
	{ 0x7c7c, 0x0f843783, "c.ld a5, 248(s0)" },
	{ 0xa3e0, 0x0c87b027, "c.fsd fs0, 192(a5)" },
	{ 0xc1e8, 0x04a5a223, "c.sw a0, 68(a1)" },
	{ 0xdc7c, 0x06f42e23, "c.sw a5, 124(s0)" },
	{ 0xfc7c, 0x0ef43c23, "c.sd a5, 248(s0)" },
	{ 0x0001, 0x00000013, "c.nop" },
	{ 0x1501, 0xfe050513, "c.addi a0, -32" },
	{ 0x0ffd, 0x01ff8f93, "c.addi t6, 31" },
	{ 0x2501, 0x0005051b, "c.addiw a0, 0" },
	{ 0x3f81, 0xfe0f8f9b, "c.addiw t6, -32" },
	{ 0x20fd, 0x01f0809b, "c.addiw ra, 31" },
	{ 0x5501, 0xfe000513, "c.li a0, -32" },
	{ 0x4ffd, 0x01f00f93, "c.li t6, 31" },
	{ 0x7101, 0xe0010113, "c.addi16sp sp, -512" },
	{ 0x617d, 0x1f010113, "c.addi16sp sp, 496" },
	{ 0x6141, 0x01010113, "c.addi16sp sp, 16" },
	{ 0x6105, 0x02010113, "c.addi16sp sp, 32" },
	{ 0x6121, 0x04010113, "c.addi16sp sp, 64" },
	{ 0x6109, 0x08010113, "c.addi16sp sp, 128" },
	{ 0x6111, 0x10010113, "c.addi16sp sp, 256" },
	{ 0x6505, 0x00001537, "c.lui a0, 1" },
	{ 0x6ffd, 0x0001ffb7, "c.lui t6, 31" },
	{ 0x7501, 0xfffe0537, "c.lui a0, 0xfffe0" },
	{ 0x70fd, 0xfffff0b7, "c.lui ra, 0xfffff" },
	{ 0x8005, 0x00145413, "c.srli s0, 1" },
	{ 0x93fd, 0x03f7d793, "c.srli a5, 63" },
	{ 0x9381, 0x0207d793, "c.srli a5, 32" },
	{ 0x8405, 0x40145413, "c.srai s0, 1" },
	{ 0x97fd, 0x43f7d793, "c.srai a5, 63" },
	{ 0x9801, 0xfe047413, "c.andi s0, -32" },
	{ 0x8bfd, 0x01f7f793, "c.andi a5, 31" },
	{ 0x8c1d, 0x40f40433, "c.sub s0, a5" },
	{ 0x8fa1, 0x0087c7b3, "c.xor a5, s0" },
	{ 0x8d4d, 0x00b56533, "c.or a0, a1" },
	{ 0x8f75, 0x00d77733, "c.and a4, a3" },
	{ 0x9c1d, 0x40f4043b, "c.subw s0, a5" },
	{ 0x9fa1, 0x008787bb, "c.addw a5, s0" },
	{ 0xaffd, 0x7fe0006f, "c.j .+2046" },
	{ 0xb001, 0x801ff06f, "c.j .-2048" },
	{ 0xa009, 0x0020006f, "c.j .+2" },
	{ 0xa801, 0x0100006f, "c.j .+16" },
	{ 0xa005, 0x0200006f, "c.j .+32" },
	{ 0xa081, 0x0400006f, "c.j .+64" },
	{ 0xa041, 0x0800006f, "c.j .+128" },
	{ 0xa201, 0x1000006f, "c.j .+256" },
	{ 0xa401, 0x2000006f, "c.j .+512" },
	{ 0xa101, 0x4000006f, "c.j .+1024" },
	{ 0xcc7d, 0x0e040f63, "c.beqz s0, .+254" },
	{ 0xd381, 0xf00780e3, "c.beqz a5, .-256" },
	{ 0xc781, 0x00078463, "c.beqz a5, .+8" },
	{ 0xc385, 0x02078063, "c.beqz a5, .+32" },
	{ 0xc3a1, 0x04078063, "c.beqz a5, .+64" },
	{ 0xc3c1, 0x08078063, "c.beqz a5, .+128" },
	{ 0xec7d, 0x0e041f63, "c.bnez s0, .+254" },
	{ 0xf381, 0xf00790e3, "c.bnez a5, .-256" },
	{ 0x0086, 0x00109093, "c.slli ra, 1" },
	{ 0x1ffe, 0x03ff9f93, "c.slli t6, 63" },
	{ 0x1502, 0x02051513, "c.slli a0, 32" },
	{ 0x2002, 0x00013007, "c.fldsp ft0, 0(sp)" },
	{ 0x3ffe, 0x1f813f87, "c.fldsp ft11, 504(sp)" },
	{ 0x50fe, 0x0fc12083, "c.lwsp ra, 252(sp)" },
	{ 0x4512, 0x00412503, "c.lwsp a0, 4(sp)" },
	{ 0x4506, 0x04012503, "c.lwsp a0, 64(sp)" },
	{ 0x7ffe, 0x1f813f83, "c.ldsp t6, 504(sp)" },
	{ 0x6522, 0x00813503, "c.ldsp a0, 8(sp)" },
	{ 0x6506, 0x04013503, "c.ldsp a0, 64(sp)" },
	{ 0x8082, 0x00008067, "c.jr ra" },
	{ 0x8f82, 0x000f8067, "c.jr t6" },
	{ 0x857e, 0x01f00533, "c.mv a0, t6" },
	{ 0x8f86, 0x00100fb3, "c.mv t6, ra" },
	{ 0x9002, 0x00100073, "c.ebreak" },
	{ 0x9082, 0x000080e7, "c.jalr ra" },
	{ 0x9f82, 0x000f80e7, "c.jalr t6" },
	{ 0x957e, 0x01f50533, "c.add a0, t6" },
	{ 0x9ffe, 0x01ff8fb3, "c.add t6, t6" },
	{ 0xbffe, 0x1ff13c27, "c.fsdsp ft11, 504(sp)" },
	{ 0xa082, 0x04013027, "c.fsdsp ft0, 64(sp)" },
	{ 0xdffe, 0x0ff12e23, "c.swsp t6, 252(sp)" },
	{ 0xc0aa, 0x04a12023, "c.swsp a0, 64(sp)" },
	{ 0xfffe, 0x1ff13c23, "c.sdsp t6, 504(sp)" },
	{ 0xe0aa, 0x04a13023, "c.sdsp a0, 64(sp)" },
	/* hints (Unpriv 26.7): they do nothing, like the instructions that they expand to */
	{ 0x0005, 0x00100013, "c.nop 1" },
	{ 0x0501, 0x00050513, "c.addi a0, 0" },
	{ 0x4005, 0x00100013, "c.li x0, 1" },
	{ 0x6005, 0x00001037, "c.lui x0, 1" },
	{ 0x0006, 0x00101013, "c.slli x0, 1" },
	{ 0x0502, 0x00051513, "c.slli a0, 0" },
	{ 0x8001, 0x00045413, "c.srli s0, 0" },
	{ 0x8401, 0x40045413, "c.srai s0, 0" },
	{ 0x802a, 0x00a00033, "c.mv x0, a0" },
	{ 0x902a, 0x00a00033, "c.add x0, a0" },
	/* Zcb and Zcmop */
	{ 0x8040, 0x00144403, "c.lbu s0, 1(s0)" },
	{ 0x8420, 0x00245403, "c.lhu s0, 2(s0)" },
	{ 0x8440, 0x00041403, "c.lh s0, 0(s0)" },
	{ 0x8840, 0x008400a3, "c.sb s0, 1(s0)" },
	{ 0x8c20, 0x00841123, "c.sh s0, 2(s0)" },
	{ 0x9c61, 0x0ff47413, "c.zext.b s0" },
	{ 0x9fe5, 0x60479793, "c.sext.b a5" },
	{ 0x9c69, 0x0804443b, "c.zext.h s0" },
	{ 0x9c6d, 0x60541413, "c.sext.h s0" },
	{ 0x9c71, 0x0804043b, "c.zext.w s0" },
	{ 0x9c75, 0xfff44413, "c.not s0" },
	{ 0x9c5d, 0x02f40433, "c.mul s0, a5" },
	{ 0x6181, 0x00000013, "c.mop.3" },
	{ 0x6081, 0xce104073, "c.mop.1, c.sspush ra" },
	{ 0x6281, 0xcdc2c073, "c.mop.5, c.sspopchk t0" },
	{ 0x6781, 0x00000013, "c.mop.15" },
	/* reserved */
	{ 0x0000, 0, "the illegal instruction" },
	{ 0x0004, 0, "c.addi4spn s1, sp, 0" },
	{ 0x9c00, 0, "quadrant 0, funct3 4" },
	{ 0x2005, 0, "c.addiw x0, 1" },
	{ 0x6101, 0, "c.addi16sp 0" },
	{ 0x6501, 0, "c.lui a0, 0" },
	{ 0x6001, 0, "c.lui x0, 0" },
	{ 0x9c79, 0, "quadrant 1, funct6 39, funct2 3, 6" },
	{ 0x9c7d, 0, "quadrant 1, funct6 39, funct2 3, 7" },
	{ 0x6881, 0, "c.lui a7, 0" },
	{ 0x4002, 0, "c.lwsp x0, 0" },
	{ 0x6002, 0, "c.ldsp x0, 0" },
	{ 0x8002, 0, "c.jr x0" },
};

void insn_rvc_tests(void)
{
	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		tap_context("%s", rows[n].text);
		is(isa_expand(rows[n].half, 64), rows[n].wide);
	}
}

/* All effects of an instruction of two or four bytes at CODE. */
struct end {
	uint64_t x[32], f[32], cause, tval, pc, memory[1024];
};

/* x31 holds the highest base; offsets go up to 504 from there, and down to 0. */
static void run(struct machine *m, const void *insn, unsigned bytes, struct end *e)
{
	static const uint64_t zeros[1024];
	struct hart *h = m->cl.hart[0];
	void *data = cluster_ram(&m->cl, RIG_DATA, sizeof(e->memory));
	void *code = cluster_ram(&m->cl, CODE, 8);

	memset(data, 0, sizeof(e->memory));
	memset(code, 0, 8);
	memcpy(code, insn, bytes);
	memcpy((uint8_t *)code + bytes, &(uint32_t){ ECALL }, 4);
	machine_ram_written(m, CODE, 8);
	machine_ram_written(m, RIG_DATA, sizeof(e->memory));
	for (unsigned n = 1; n < 32; n++) {
		h->x[n] = RIG_DATA + 128 * n;
		h->f[n] = 0x1122334455667700 + n;
	}
	h->f[0] = 0x1122334455667788;
	h->mcause = h->mtval = h->mepc = 0;
	h->pc = CODE;
	rig_run(m, 1000);
	memcpy(e->x, h->x, sizeof(e->x));
	memcpy(e->f, h->f, sizeof(e->f));
	memcpy(e->memory, data, sizeof(e->memory));
	e->cause = h->mcause;
	e->tval = h->mtval;
	e->pc = h->mepc;
	/* Jump distances and the link count from the instruction's address and length. */
	if (e->pc == CODE + bytes)
		e->pc = CODE + 4;
	if (e->x[RA] == CODE + bytes)
		e->x[RA] = CODE + 4;
	is(memcmp(zeros, h->x, 8), 0);
}

static bool same(const struct end *a, const struct end *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* A jump into itself or the next instruction, where the two lengths differ. */
static bool jumps_near(struct machine *m, uint32_t insn)
{
	enum isa_insn id = isa_find(&m->cl.isa, insn);
	struct isa_fields f;

	isa_fields(id, insn, &f);
	return (id == ISA_jal || isa_table[id].class == ISA_CLASS_BRANCH) && f.imm >= 0 &&
	       f.imm <= 4;
}

/* All 49152 of them, on one state: the same effect as their expansion, or illegal. */
void insn_rvc_all_tests(void)
{
	static struct end compressed, wide;
	struct machine *m = insn_machine();

	for (unsigned half = 0; half < 65536; half++) {
		uint32_t insn = isa_expand(half, 64);

		if ((half & 3) == 3)
			continue;
		tap_context("0x%04x", half);
		if (jumps_near(m, insn))
			continue;
		run(m, &half, 2, &compressed);
		if (!insn) {
			is(compressed.cause, CAUSE_ILLEGAL_INSN);
			is(compressed.tval, half);
			is(compressed.pc, CODE);
			continue;
		}
		run(m, &insn, 4, &wide);
		ok(same(&compressed, &wide));
	}
	machine_destroy(m);
}

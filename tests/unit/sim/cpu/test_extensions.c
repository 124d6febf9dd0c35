// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_extensions.c - what a description does not name does not exist: on each CPU an instruction
 * or a CSR of each extension works or traps as the strings of its tree say, and bits of CSRs that
 * belong to an extension can be set or not.
 *
 * usage: test_sim_extensions FOLDER       with the compiled descriptions
 */
#include <libfdt.h>

#include "access.h"
#include "cpu_rig.h"
#include "csr.h"
#include "vector.h"

#define HANDLER (RAM_BASE + 0x400)

/* The extension of the row, a/b: one of two, a+b: both; NULL: none that the machine implements. */
static const struct {
	const char *ext;
	uint32_t insn;
} insns[] = {
#define READ(csr) (0x00002073u | (uint32_t)(csr) << 20)
	{ "m", 0x02000033 /* mul x0, x0, x0 */ },
	{ "a", 0x0805202f /* amoswap.w x0, x0, (a0) */ },
	{ "f", 0x00000053 /* fadd.s f0, f0, f0 */ },
	{ "d", 0x02000053 /* fadd.d */ },
	{ "f", READ(CSR_FCSR) },
	{ "c/zca", 0x00010001 /* c.nop, twice */ },
	{ "c/zcd", 0x00012100 /* c.fld fs0, 0(a0); c.nop */ },
	{ "zifencei", 0x0000100f },
	{ "zicntr", READ(CSR_TIME) },
	{ "zihpm", READ(CSR_HPMCOUNTER + 3) },
	{ "zba", 0x20002033 /* sh1add */ },
	{ "zba", 0x0800003b /* add.uw */ },
	{ "zbb", 0x60001013 /* clz */ },
	{ "zbb/zbkb", 0x0800403b /* zext.h */ },
	{ "zbb/zbkb", 0x60001033 /* rol */ },
	{ "zbs", 0x48001033 /* bclr */ },
	{ "zbs", 0x28001013 /* bseti */ },
	{ "zicbom", 0x0015200f /* cbo.clean (a0) */ },
	{ "zicboz", 0x0045200f /* cbo.zero (a0) */ },
	{ "svinval", 0x16000073 /* sinval.vma */ },
	{ "svinval", 0x18000073 /* sfence.w.inval */ },
	{ "sstc", READ(CSR_STIMECMP) },
	{ "sscofpmf", READ(CSR_SCOUNTOVF) },
	{ "smcntrpmf", READ(CSR_MCYCLECFG) },
	{ "smcntrpmf", READ(CSR_MINSTRETCFG) },
	{ "smstateen", READ(CSR_MSTATEEN0) },
	{ "smstateen", READ(CSR_SSTATEEN0) },
	{ "sscsrind", READ(CSR_SISELECT) },
	{ "smcsrind", READ(CSR_MISELECT) },
	{ "zicond", 0x0e005033 /* czero.eqz */ },
	{ "zimop", 0x81c04073 /* mop.r.0 */ },
	{ "zimop", 0x82004073 /* mop.rr.0 */ },
	{ "zawrs", 0x00d00073 /* wrs.nto */ },
	{ "zawrs", 0x01d00073 /* wrs.sto */ },
	{ "zbc/zbkc", 0x0a001033 /* clmul */ },
	{ "zbc", 0x0a002033 /* clmulr */ },
	{ "zbkb", 0x08004033 /* pack */ },
	{ "zbkx", 0x28002033 /* xperm4 */ },
	{ "zknd", 0x3a000033 /* aes64ds */ },
	{ "zknd/zkne", 0x7e000033 /* aes64ks2 */ },
	{ "zkne", 0x32000033 /* aes64es */ },
	{ "zknh", 0x10001013 /* sha256sum0 */ },
	{ "zksed", 0x30000033 /* sm4ed */ },
	{ "zksh", 0x10801013 /* sm3p0 */ },
	{ "zkr", 0x01501073 /* csrw seed, x0 */ },
	{ "zicfiss", READ(CSR_SSP) },
	{ "zimop", 0xce104073 /* sspush, which M-mode has as mop.rr.7 */ },
	{ "zcmop", 0x00016281 /* c.sspopchk; c.nop: the same */ },
	{ "zkr/smepmp/smmpm/zicfilp", READ(CSR_MSECCFG) },
	{ "zacas", 0x2805202f /* amocas.w x0, x0, (a0) */ },
	{ "zabha", 0x0005002f /* amoadd.b */ },
	{ "zalasr", 0x3405202f /* lw.aq x0, (a0) */ },
	{ "zalasr", 0x3a05302f /* sd.rl x0, (a0) */ },
	{ "zacas+zabha", 0x2805102f /* amocas.h */ },
	{ "zfhmin", 0x00051007 /* flh f0, 0(a0) */ },
	{ "zfhmin", 0x40200053 /* fcvt.s.h */ },
	{ "zfhmin+d", 0x42200053 /* fcvt.d.h */ },
	{ "zfh", 0x04000053 /* fadd.h */ },
	{ "zfa", 0x28002053 /* fminm.s */ },
	{ "zfa+d", 0x2a002053 /* fminm.d */ },
	{ "zfa+zfh", 0x2c002053 /* fminm.h */ },
	{ "zcb", 0x00019c61 /* c.zext.b s0; c.nop */ },
	{ "zcb", 0x00018108 /* c.lbu a0, 0(a0); c.nop */ },
	{ "zcmop", 0x00016081 /* c.mop.1; c.nop */ },
	/* Hints are no-ops where they have no meaning. */
	{ "i", 0x0100000f /* pause */ },
	{ "i", 0x00056013 /* prefetch.i 0(a0) */ },
	/* Encodings that no machine here has. */
	{ NULL, 0x3005202f /* the load without aq that Zalasr reserves */ },
	{ NULL, READ(CSR_SCOUNTINHIBIT) }, /* before M-mode delegates */
	{ NULL, READ(CSR_SIREG) },
	{ NULL, READ(CSR_MIREG) },
	{ NULL, 0x62000073 /* hfence.gvma */ },
	{ "xtheadba", 0x0000100b /* th.addsl */ },
	{ "xtheadbb", 0x8400100b /* th.ff0 */ },
	{ "xtheadbs", 0x8800100b /* th.tst */ },
	{ "xtheadcmo", 0x0010000b /* th.dcache.call */ },
	{ NULL, 0x0040000b /* th.ipush, of XTheadInt */ },
	{ NULL, 0x0000000b },
	{ "xtheadcondmov", 0x4000100b /* th.mveqz */ },
	{ "xtheadfmemidx", 0x4005600b /* th.flrw f0, a0, x0, 0 */ },
	{ "xtheadfmemidx+d", 0x6005600b /* th.flrd */ },
	{ "xtheadmac", 0x2000100b /* th.mula */ },
	{ "xtheadmemidx", 0x7805400b /* th.ldia x0, (a0), 0, 0 */ },
	{ "xtheadmemidx", 0x6005500b /* th.srd */ },
	{ "xtheadmempair", 0xf815500b /* th.sdd x0, x1, (a0), 0, 4 */ },
	{ "xtheadsync", 0x0180000b /* th.sync */ },
	{ "xtheadsync", 0x0400000b /* th.sfence.vmas */ },
	{ NULL, READ(0x600) /* hstatus */ },
#undef READ
};

/* The same for vectors. */
static const struct {
	const char *ext;
	uint32_t insn;
	uint8_t vtype;
} vector_insns[] = {
	{ "v/xtheadvector", 0x0d007057 /* vsetvli */, 0x09 },
	{ "v/xtheadvector", 0x02430157 /* vadd.vv */, 0x09 },
	{ "v", 0xc9047057 /* vsetivli */, 0x09 },
	{ "v", 0x02050107 /* vle8.v; th.vlbu.v */, 0xc9 },
	{ "xtheadvector", 0x12050107 /* th.vlb.v */, 0x09 },
	{ "xtheadvector", 0x42430157 /* th.vadc.vvm */, 0x09 },
	{ "xtheadvector", 0x52402557 /* th.vmpopc.m */, 0x09 },
	{ "xtheadzvamo", 0x0685622f /* th.vamoaddw.v v4,v8,(a0),v4 */, 0x09 },
	{ "zvfhmin", 0x4a461157 /* vfwcvt.f.f.v */, 0x08 },
	{ "zvfh/xtheadvector", 0x02431157 /* vfadd.vv; vtype has 16 or 32 bits */, 0x08 },
	{ "zvkb", 0x06430157 /* vandn.vv */, 0x11 },
	{ "zvbb", 0x4a462157 /* vclz.v */, 0x11 },
	{ "zvbc", 0x32432157 /* vclmul.vv */, 0x19 },
	{ "zvkned", 0xa643a177 /* vaesz.vs */, 0x11 },
	{ "zvkg", 0xa248a177 /* vgmul.vv */, 0x11 },
	{ "zvknha/zvknhb", 0xb6432177 /* vsha2ms.vv */, 0x11 },
	{ "zvknhb", 0xb6862277 /* vsha2ms.vv */, 0x1a },
	{ "zvksed", 0x86402177 /* vsm4k.vi */, 0x11 },
	{ "zvksh", 0xae402177 /* vsm3c.vi */, 0x11 },
};

static const struct {
	const char *ext;
	unsigned csr;
	uint64_t bit;
} bits[] = {
	{ "i", CSR_MENVCFG, MENVCFG_FIOM },
	{ "zicbom", CSR_MENVCFG, MENVCFG_CBCFE },
	{ "zicbom", CSR_SENVCFG, MENVCFG_CBCFE },
	{ "zicboz", CSR_MENVCFG, MENVCFG_CBZE },
	{ "zicboz", CSR_SENVCFG, MENVCFG_CBZE },
	{ "svadu", CSR_MENVCFG, MENVCFG_ADUE },
	{ "zicfilp", CSR_MENVCFG, MENVCFG_LPE },
	{ "zicfilp", CSR_SENVCFG, MENVCFG_LPE },
	{ "zicfiss", CSR_MENVCFG, MENVCFG_SSE },
	{ "zicfilp/xtheadvector", CSR_MSTATUS, MSTATUS_SPELP }, /* of the latter a bit of VS */
	{ "zicfilp", CSR_MSTATUS, MSTATUS_MPELP },
	{ "zicfilp/zicfiss", CSR_MEDELEG, RV_BIT(CAUSE_SOFTWARE_CHECK) },
	{ "sdtrig", CSR_TDATA2, RV_BIT(40) },
	{ "smnpm", CSR_MENVCFG, ENVCFG_PMM_7 },
	{ "ssnpm", CSR_SENVCFG, ENVCFG_PMM_16 },
	{ "smcdeleg", CSR_MENVCFG, MENVCFG_CDE },
	{ "svpbmt", CSR_MENVCFG, MENVCFG_PBMTE },
	{ "sstc", CSR_MENVCFG, MENVCFG_STCE },
	{ "sscofpmf", CSR_MIDELEG, MIP_LCOFIP },
	{ "sscofpmf", CSR_MIE, MIP_LCOFIP },
	{ "sscofpmf", CSR_MIP, MIP_LCOFIP },
	{ "sscofpmf", CSR_MHPMEVENT + 3, MHPMEVENT_OF },
	{ "sscofpmf", CSR_MHPMEVENT + 3, MHPMEVENT_MINH },
	{ "sscofpmf", CSR_MHPMEVENT + 3, MHPMEVENT_UINH },
	{ "f", CSR_MSTATUS, MSTATUS_FS },
	{ "v", CSR_MSTATUS, MSTATUS_VS },
	{ "v", CSR_SSTATUS, MSTATUS_VS },
	{ "xtheadvector", CSR_MSTATUS, RV_BIT(24) }, /* VS, and no bit of Zicfilp */
	{ "xtheadvector", CSR_SSTATUS, RV_BIT(24) },
	{ "xtheadvector", CSR_FCSR, 7 << 8 }, /* vxrm, vxsat */
};

/* The tree of a description, which is read here a second time, and its machine. */
struct subject {
	char *blob;
	struct cpu *cpu;
	struct machine *m;
};

/* The extensions that contain another. */
static const struct {
	const char *ext, *part;
} contains[] = {
	{ "zfh", "zfhmin" },	    { "zvfh", "zvfhmin" },	  { "smcdeleg", "ssccfg" },
	{ "smcsrind", "sscsrind" }, { "smstateen", "ssstateen" },
};

static bool names(const struct subject *s, const char *ext)
{
	static const char *const lists[] = { "riscv,isa-extensions", "holter,added-extensions" };
	int node = fdt_path_offset(s->blob, "/cpus/cpu@0");

	for (unsigned n = 0; ext && n < TAP_NR(contains); n++) {
		if (!strcmp(contains[n].part, ext) && names(s, contains[n].ext))
			return true;
	}
	for (unsigned n = 0; ext && n < TAP_NR(lists); n++) {
		if (fdt_stringlist_search(s->blob, node, lists[n], ext) >= 0)
			return true;
	}
	return false;
}

/* Whether what needs ext (as in insns) should work without this extension; NULL: with all. */
static bool works(const struct subject *s, const char *ext, const char *without)
{
	char first[24] = "";
	size_t len = ext ? strcspn(ext, "/+") : 0;
	bool has;

	memcpy(first, ext ? ext : "", len);
	has = names(s, first) && !(without && !strcmp(first, without));
	if (!ext || !ext[len])
		return has;
	return ext[len] == '/' ? has || works(s, ext + len + 1, without)
			       : has && works(s, ext + len + 1, without);
}

static struct machine *machine_with(const struct cpu *cpu, bool models)
{
	struct machine_options o = { .cpu = cpu,
				     .models = models,
				     .memory = RIG_MEMORY,
				     .counters = MACHINE_AS_CPU,
				     .width = MACHINE_AS_CPU };

	return rig_create(&o);
}

static struct subject subject_of(const char *name, bool models)
{
	struct subject s;
	size_t size;

	s.blob = blob_of(name, &size);
	s.cpu = load(name);
	s.m = machine_with(s.cpu, models);
	return s;
}

static void subject_end(struct subject *s)
{
	machine_destroy(s->m);
	cpu_free(s->cpu);
	free(s->blob);
}

/* The cause of the trap of insn in M-mode; 0: it does not trap.  vtype: of a hart with vectors. */
static uint64_t cause_of_vector(struct machine *m, uint32_t insn, unsigned vtype)
{
	struct hart *h = m->cl.hart[0];

	hart_reset(h, RAM_BASE, h->now);
	csr_write(h, CSR_MTVEC, HANDLER);
	csr_write(h, CSR_MSTATUS,
		  MSTATUS_FS | (h->vector && h->vector->thead ? MSTATUS_VS_THEAD : MSTATUS_VS));
	if (h->vector)
		vector_set(h->vector, vtype, 8, false);
	h->x[A0] = RIG_DATA;
	RIG_CODE(m, RAM_BASE, insn, END);
	RIG_CODE(m, HANDLER, END);
	rig_run(m, 100000);
	if (h->pc > HANDLER)
		is(h->mepc, RAM_BASE);
	return h->pc > HANDLER ? h->mcause : 0;
}

static uint64_t cause_of(struct machine *m, uint32_t insn)
{
	return cause_of_vector(m, insn, 0);
}

static void each_instruction(void)
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		for (unsigned models = 0; models < 2; models++) {
			struct subject s = subject_of(cpus[n], models);

			for (unsigned i = 0; i < TAP_NR(insns); i++) {
				tap_context("%s: %08x of %s", cpus[n], insns[i].insn,
					    insns[i].ext ? insns[i].ext : "nobody");
				is(cause_of(s.m, insns[i].insn),
				   works(&s, insns[i].ext, NULL) ? 0 : CAUSE_ILLEGAL_INSN);
			}
			subject_end(&s);
		}
	}
}

/* A board without vectors, one with some of the extensions, one with all. */
static void each_vector_instruction(void)
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct subject s = subject_of(cpus[n], false);

		for (unsigned i = 0; i < TAP_NR(vector_insns); i++) {
			tap_context("%s: %08x of %s", cpus[n], vector_insns[i].insn,
				    vector_insns[i].ext);
			is(cause_of_vector(s.m, vector_insns[i].insn, vector_insns[i].vtype),
			   works(&s, vector_insns[i].ext, NULL) ? 0 : CAUSE_ILLEGAL_INSN);
		}
		subject_end(&s);
	}
}

static void each_bit(void)
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct subject s = subject_of(cpus[n], false);
		struct hart *h = s.m->cl.hart[0];

		for (unsigned i = 0; i < TAP_NR(bits); i++) {
			bool there = works(&s, bits[i].ext, NULL);

			tap_context("%s: CSR %x of %s", cpus[n], bits[i].csr, bits[i].ext);
			csr_write(h, bits[i].csr, bits[i].bit);
			is(rig_csr(s.m, bits[i].csr) & bits[i].bit, there ? bits[i].bit : 0);
			csr_write(h, bits[i].csr, 0);
			is(rig_csr(s.m, bits[i].csr) & bits[i].bit, 0);
		}
		subject_end(&s);
	}
}

/* The letters of misa are those of the description. */
static void misa(void)
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct subject s = subject_of(cpus[n], false);
		uint64_t want = RV_BIT(63) | MISA_EXT('S') | MISA_EXT('U');

		for (char c = 'a'; c <= 'm'; c++)
			want |= names(&s, (const char[]){ c, 0 }) ? RV_BIT(c - 'a') : 0;
		want |= names(&s, "v") || names(&s, "xtheadvector") ? MISA_EXT('V') : 0;
		tap_context("%s", cpus[n]);
		is(rig_csr(s.m, CSR_MISA), want);
		subject_end(&s);
	}
}

/*
 * Any set of extensions, as a board may have: even floating point and compressed code can be
 * absent.
 */
static void without_each(void)
{
	static const char *const needed[] = { "i", "m", "a", "zicsr", "zicntr" };

	for (unsigned ext = 0; cpu_isa_name(ext); ext++) {
		struct subject s = subject_of("max", false);
		bool always = false;

		for (unsigned n = 0; n < TAP_NR(needed); n++)
			always |= !strcmp(needed[n], cpu_isa_name(ext));
		machine_destroy(s.m);
		if (!always)
			isa_set_remove(&s.cpu->isa, ext);
		s.m = machine_with(s.cpu, false);
		for (unsigned i = 0; i < TAP_NR(insns); i++) {
			bool gone = !works(&s, insns[i].ext, always ? NULL : cpu_isa_name(ext));

			/* fadd.d without F: no extension can set FS, it stays 0. */
			gone |= insns[i].ext && !strcmp(cpu_isa_name(ext), "f") &&
				(!strcmp(insns[i].ext, "d") || !strncmp(insns[i].ext, "zf", 2));
			gone |= insns[i].ext && !strcmp(insns[i].ext, "c/zcd") &&
				(ext == ISA_EXT_D || ext == ISA_EXT_F);
			tap_context("without %s: %08x", cpu_isa_name(ext), insns[i].insn);
			is(cause_of(s.m, insns[i].insn), gone ? CAUSE_ILLEGAL_INSN : 0);
		}
		subject_end(&s);
	}
}

/*
 * max names all but vendors' extensions, and those that exclude C with D; --smstateen adds
 * Smstateen.
 */
static void max_has_all(void)
{
	struct subject s = subject_of("max", false);

	for (unsigned ext = 0; cpu_isa_name(ext); ext++) {
		tap_context("%s", cpu_isa_name(ext));
		is(names(&s, cpu_isa_name(ext)),
		   ext != ISA_EXT_SMSTATEEN && ext != ISA_EXT_SSSTATEEN && ext != ISA_EXT_ZCMP &&
			   ext != ISA_EXT_ZCMT && strncmp(cpu_isa_name(ext), "xthead", 6));
	}
	subject_end(&s);
}

/*
 * Without a description all extensions exist except vectors, vendors', and Smstateen, because it
 * restricts access.
 */
static void without_a_description(void)
{
	struct machine_options o = { 0 };

	for (o.smstateen = false;; o.smstateen = true) {
		struct machine *m = rig_create(&o);

		for (unsigned i = 0; i < TAP_NR(insns); i++) {
			bool stateen = insns[i].ext && !strcmp(insns[i].ext, "smstateen");
			bool vendor = insns[i].ext && !strncmp(insns[i].ext, "xthead", 6);

			tap_context("%08x", insns[i].insn);
			is(cause_of(m, insns[i].insn),
			   !insns[i].ext || vendor || (stateen && !o.smstateen) ? CAUSE_ILLEGAL_INSN
										: 0);
		}
		machine_destroy(m);
		if (o.smstateen)
			break;
	}
}

/* A counter of a CPU without Sscofpmf wraps, and no interrupt is pending then. */
static void overflow_is_silent(void)
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct subject s = subject_of(cpus[n], false);
		bool tells = names(&s, "sscofpmf");
		struct hart *h;

		machine_destroy(s.m);
		selector_every(&s.cpu->pmu);
		s.m = machine_with(s.cpu, false);
		h = s.m->cl.hart[0];
		tap_context("%s", cpus[n]);
		csr_write(h, CSR_MHPMEVENT + 3, event_table[EVENT_LOAD].selector);
		csr_write(h, CSR_MHPMCOUNTER + 3, UINT64_MAX);
		h->x[S0] = RIG_DATA;
		RIG_CODE(s.m, RAM_BASE, ld(T0, 0, S0), ld(T0, 0, S0), END);
		rig_run(s.m, 100000);
		is(rig_csr(s.m, CSR_MHPMCOUNTER + 3), 1);
		is(rig_csr(s.m, CSR_MIP) & MIP_LCOFIP, tells ? MIP_LCOFIP : 0);
		is(rig_csr(s.m, CSR_MHPMEVENT + 3) >> 63, tells);
		subject_end(&s);
	}
}

/* A PTE with the N bit maps 64 KiB with Svnapot, and nothing without it. */
static void napot(void)
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct subject s = subject_of(cpus[n], false);
		struct hart *h = s.m->cl.hart[0];
		uint64_t value, *leaf = cluster_ram(&s.m->cl, TABLES + 2 * PAGE_SIZE, 8);

		pages(s.m);
		for (unsigned i = 0; i < 16; i++)
			leaf[i] = (RAM_BASE + 0x800000) >> 2 | 8 << 10 | RV_BIT(63) | 0xc7;
		tap_context("%s", cpus[n]);
		is(access_load(h, PAGES_VA, 8, &value), names(&s, "svnapot"));
		subject_end(&s);
	}
}

/* --svade: Svadu is absent, and the bit that is on at reset is off. */
static void svade(void)
{
	for (unsigned n = 0; n < 2; n++) {
		struct machine_options o = { .svade = n };
		struct machine *m = rig_create(&o);

		is(rig_csr(m, CSR_MENVCFG), n ? 0 : MENVCFG_ADUE);
		csr_write(m->cl.hart[0], CSR_MENVCFG, MENVCFG_ADUE);
		is(rig_csr(m, CSR_MENVCFG), n ? 0 : MENVCFG_ADUE);
		is(cluster_has(&m->cl, ISA_EXT_SVADU), !n);
		ok(cluster_has(&m->cl, ISA_EXT_SVADE));
		machine_destroy(m);
	}
}

/* The promise about misaligned accesses holds if they do not trap. */
static void promises(void)
{
	for (unsigned trap = 0; trap < 2; trap++) {
		struct machine_options o = { .trap_misaligned = trap };
		struct machine *m = rig_create(&o);

		is(cluster_has(&m->cl, ISA_EXT_ZICCLSM), !trap);
		is(cause_of(m, 0x00152003 /* lw x0, 1(a0) */), trap ? CAUSE_MISALIGNED_LOAD : 0);
		machine_destroy(m);
	}
}

/* The same where the description says it, which the option cannot change. */
static void described_traps(void)
{
	static const char *const trapping[] = { "p550", "rocket", "u74" };

	for (unsigned n = 0; n < 2 * TAP_NR(cpus); n++) {
		struct cpu *cpu = load(cpus[n / 2]);
		struct machine_options o = { .cpu = cpu, .models = true, .trap_misaligned = n & 1 };
		struct machine *m = rig_create(&o);
		bool traps = o.trap_misaligned;

		for (unsigned i = 0; i < TAP_NR(trapping); i++)
			traps |= !strcmp(cpus[n / 2], trapping[i]);
		tap_context("%s, option %u", cpus[n / 2], n & 1);
		is(cluster_has(&m->cl, ISA_EXT_ZICCLSM),
		   !traps && isa_set_has(&cpu->isa, ISA_EXT_ZICCLSM));
		is(cause_of(m, 0x00152003 /* lw x0, 1(a0) */), traps ? CAUSE_MISALIGNED_LOAD : 0);
		is(cause_of(m, 0x000530a3 /* sd x0, 1(a0) */), traps ? CAUSE_MISALIGNED_STORE : 0);
		is(cause_of(m, 0x00053423 /* sd x0, 8(a0) */), 0);
		machine_destroy(m);
		cpu_free(cpu);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "each instruction, on each CPU", each_instruction },
		{ "each vector instruction, on each CPU", each_vector_instruction },
		{ "each bit, on each CPU", each_bit },
		{ "misa", misa },
		{ "without each of them", without_each },
		{ "max", max_has_all },
		{ "without a description", without_a_description },
		{ "overflow without Sscofpmf", overflow_is_silent },
		{ "pages of 64 KiB", napot },
		{ "--svade", svade },
		{ "misaligned accesses", promises },
		{ "misaligned accesses, on each CPU", described_traps },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return tap_run(cases, TAP_NR(cases));
}

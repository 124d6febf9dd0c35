// SPDX-License-Identifier: BSD-2-Clause
/*
 * csr.c - control and status registers: a table with the access check, the read function and the
 * write function of each.
 *
 * The number of a CSR gives the privilege it needs and whether it is read-only (Priv 1.13 §2.1); a
 * row adds other conditions.  A read has no side effects.  A write that may change more than the
 * register (mode, interrupts, counters, translation) makes the engine return to hart_run (h->stop).
 *
 * Implements: Priv 1.13 chapters 2, 3, 10, 12; Sscofpmf, Smcntrpmf, Sstc, Smstateen, Smepmp,
 * Smcsrind, Smcdeleg, Smnpm; Zkr; Zicfilp, Zicfiss; Zcmt.
 */
#include "cluster.h"
#include "csr.h"
#include "csr_row.h"
#include "hart.h"
#include "trace.h"
#include "trap.h"
#include "trigger.h"
#include "vector.h"

#define MSTATUS_WRITABLE                                                                           \
	(MSTATUS_SIE | MSTATUS_MIE | MSTATUS_SPIE | MSTATUS_MPIE | MSTATUS_SPP | MSTATUS_MPP |     \
	 MSTATUS_MPRV | MSTATUS_SUM | MSTATUS_MXR | MSTATUS_TVM | MSTATUS_TW | MSTATUS_TSR)
#define SSTATUS_WRITABLE                                                                           \
	(MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP | MSTATUS_FS | MSTATUS_VS | MSTATUS_SUM |        \
	 MSTATUS_MXR | MSTATUS_SPELP)
#define MSTATUS_SD  RV_BIT(63)
#define MSTATUS_XLS (RV_BIT(33) | RV_BIT(35)) /* UXL, SXL: 64 */

#define EXCEPTIONS 0xb3ffull /* of I: all but ecall from M-mode */

#define SELECT_MAX 0xfff /* of miselect and siselect: no extension uses more (Smcsrind 1.0 §4) */

#define SATP_KEPT (RV_MASK(63, 60) | RV_MASK(59, 44) | RV_MASK(43, 0))

struct csr {
	uint64_t (*read)(const struct hart *h, unsigned num);
	void (*write)(struct hart *h, unsigned num, uint64_t value);
	bool (*may)(const struct hart *h, unsigned num); /* NULL: only the number decides */
	bool calm; /* a write changes nothing but the register */
	bool both; /* an instruction that only reads is illegal */
	uint8_t ext; /* the extension that adds it, as in insn.def; not given: every hart has it */
};

_Static_assert(ISA_EXT_I == 0, "a row that names no extension is of I");

/* Bits that an extension adds; they are read-only zero without it. */

static uint64_t only(const struct hart *h, enum isa_ext ext, uint64_t bits)
{
	return cluster_has(h->cl, ext) ? bits : 0;
}

static uint64_t s_interrupts(const struct hart *h)
{
	return MIP_SSIP | MIP_STIP | MIP_SEIP | only(h, ISA_EXT_SSCOFPMF, MIP_LCOFIP);
}

static uint64_t interrupts(const struct hart *h)
{
	return s_interrupts(h) | MIP_MSIP | MIP_MTIP | MIP_MEIP;
}

static uint64_t envcfg_bits(const struct hart *h)
{
	return MENVCFG_FIOM | only(h, ISA_EXT_ZICBOM, MENVCFG_CBIE | MENVCFG_CBCFE) |
	       only(h, ISA_EXT_ZICBOZ, MENVCFG_CBZE) | only(h, ISA_EXT_ZICFILP, MENVCFG_LPE);
}

static uint64_t senvcfg_bits(const struct hart *h)
{
	return envcfg_bits(h) | only(h, ISA_EXT_SSNPM, MENVCFG_PMM) | (h->menvcfg & MENVCFG_SSE);
}

static uint64_t menvcfg_bits(const struct hart *h)
{
	return envcfg_bits(h) | only(h, ISA_EXT_SMNPM, MENVCFG_PMM) |
	       only(h, ISA_EXT_ZICFISS, MENVCFG_SSE) | only(h, ISA_EXT_SVADU, MENVCFG_ADUE) |
	       only(h, ISA_EXT_SVPBMT, MENVCFG_PBMTE) | only(h, ISA_EXT_SSTC, MENVCFG_STCE) |
	       only(h, ISA_EXT_SMCDELEG, MENVCFG_CDE);
}

static uint64_t mseccfg_bits(const struct hart *h)
{
	return only(h, ISA_EXT_ZKR, MSECCFG_USEED | MSECCFG_SSEED) |
	       only(h, ISA_EXT_SMEPMP, MSECCFG_MML | MSECCFG_MMWP | MSECCFG_RLB) |
	       only(h, ISA_EXT_SMMPM, MSECCFG_PMM) | only(h, ISA_EXT_ZICFILP, MSECCFG_MLPE);
}

static uint64_t mstatus_bits(const struct hart *h)
{
	return MSTATUS_WRITABLE | only(h, ISA_EXT_F, MSTATUS_FS) |
	       (cluster_has_vectors(h->cl) ? MSTATUS_VS : 0) |
	       only(h, ISA_EXT_ZICFILP, MSTATUS_SPELP | MSTATUS_MPELP);
}

/* The exceptions that can be delegated. */
static uint64_t exceptions(const struct hart *h)
{
	return EXCEPTIONS | only(h, ISA_EXT_ZICFILP, RV_BIT(CAUSE_SOFTWARE_CHECK)) |
	       only(h, ISA_EXT_ZICFISS, RV_BIT(CAUSE_SOFTWARE_CHECK));
}

/* Registers without any other effect: a row names the field and the bits that can be written. */
#define KEPT(field, mask)                                                                          \
	static uint64_t read_##field(const struct hart *h, unsigned num)                           \
	{                                                                                          \
		return h->field;                                                                   \
	}                                                                                          \
	static void write_##field(struct hart *h, unsigned num, uint64_t value)                    \
	{                                                                                          \
		h->field = value & (mask);                                                         \
	}

KEPT(mscratch, UINT64_MAX)
KEPT(mepc, ~1ull)
KEPT(mcause, UINT64_MAX)
KEPT(mtval, UINT64_MAX)
KEPT(mtvec, ~2ull)
KEPT(medeleg, exceptions(h))
KEPT(mideleg, s_interrupts(h))
KEPT(mie, interrupts(h))
KEPT(sscratch, UINT64_MAX)
KEPT(sepc, ~1ull)
KEPT(scause, UINT64_MAX)
KEPT(stval, UINT64_MAX)
KEPT(stvec, ~2ull)
KEPT(ssp, ~7ull)
KEPT(jvt, ~63ull) /* its mode is WARL, and only 0 exists */
KEPT(miselect, SELECT_MAX)
KEPT(siselect, SELECT_MAX)

/* CBIE is WARL, and its value 2 is reserved (Unpriv chapter 19): it becomes 0. */
static uint64_t legal_cbie(uint64_t value)
{
	return (value & MENVCFG_CBIE) == RV_BIT(5) ? value & ~MENVCFG_CBIE : value;
}

/* PMM is WARL, and its value 1 is reserved (Priv 1.13 §3.1.18): the field keeps its value. */
static uint64_t legal_pmm(uint64_t old, uint64_t value)
{
	return (value & MENVCFG_PMM) == RV_BIT(32) ? (value & ~MENVCFG_PMM) | (old & MENVCFG_PMM)
						   : value;
}

static uint64_t read_zero(const struct hart *h, unsigned num)
{
	return 0;
}

static void write_nothing(struct hart *h, unsigned num, uint64_t value)
{
}

/* mireg: no extension here has a register that miselect could select. */
static bool may_never(const struct hart *h, unsigned num)
{
	return false;
}

/*
 * The entropy source (Zkr): each access takes 16 bits of a stream that the seed of the machine and
 * the hart determine (SplitMix64).  All bits are always ready.
 */
static bool may_seed(const struct hart *h, unsigned num)
{
	return h->mode == PRV_M || h->mseccfg & (h->mode == PRV_S ? MSECCFG_SSEED : MSECCFG_USEED);
}

static uint64_t read_seed(const struct hart *h, unsigned num)
{
	uint64_t mix = h->entropy;

	mix = (mix ^ mix >> 30) * 0xbf58476d1ce4e5b9;
	mix = (mix ^ mix >> 27) * 0x94d049bb133111eb;
	return (uint64_t)SEED_ES16 << SEED_OPST_SHIFT | mix >> 48;
}

static void write_seed(struct hart *h, unsigned num, uint64_t value)
{
	h->entropy += 0x9e3779b97f4a7c15;
}

/* Status */

/*
 * h->mstatus has VS where V has it.  With XTheadVector software sees it elsewhere, and the bits of
 * V are 0.
 */
#define VS_MOVED 14

static uint64_t status_seen(const struct hart *h, uint64_t status)
{
	if (!cluster_has(h->cl, ISA_EXT_XTHEADVECTOR))
		return status;
	return (status & ~MSTATUS_VS) | (status & MSTATUS_VS) << VS_MOVED;
}

static uint64_t status_meant(const struct hart *h, uint64_t status)
{
	if (!cluster_has(h->cl, ISA_EXT_XTHEADVECTOR))
		return status;
	return (status & ~(MSTATUS_VS | MSTATUS_VS_THEAD)) |
	       (status & MSTATUS_VS_THEAD) >> VS_MOVED;
}

static uint64_t read_status(const struct hart *h)
{
	uint64_t status = h->mstatus | MSTATUS_XLS;

	if ((status & MSTATUS_FS) == MSTATUS_FS || (status & MSTATUS_VS) == MSTATUS_VS)
		status |= MSTATUS_SD;
	return status;
}

static uint64_t read_mstatus(const struct hart *h, unsigned num)
{
	return status_seen(h, read_status(h));
}

static void write_status(struct hart *h, uint64_t value, uint64_t mask)
{
	uint64_t mpp = (value & MSTATUS_MPP) >> MSTATUS_MPP_SHIFT;

	value = status_meant(h, value);
	if (mpp == 2)
		mask &= ~MSTATUS_MPP;
	h->mstatus = (h->mstatus & ~mask) | (value & mask);
	hart_mode_changed(h);
}

static void write_mstatus(struct hart *h, unsigned num, uint64_t value)
{
	write_status(h, value, mstatus_bits(h));
}

static uint64_t read_sstatus(const struct hart *h, unsigned num)
{
	return status_seen(h, read_status(h) & (SSTATUS_WRITABLE | MSTATUS_UXL | MSTATUS_SD));
}

static void write_sstatus(struct hart *h, unsigned num, uint64_t value)
{
	write_status(h, value, SSTATUS_WRITABLE & mstatus_bits(h));
}

static uint64_t read_misa(const struct hart *h, unsigned num)
{
	static const struct {
		enum isa_ext ext;
		char letter;
	} letters[] = { { ISA_EXT_A, 'A' }, { ISA_EXT_B, 'B' }, { ISA_EXT_C, 'C' },
			{ ISA_EXT_D, 'D' }, { ISA_EXT_F, 'F' }, { ISA_EXT_I, 'I' },
			{ ISA_EXT_M, 'M' }, { ISA_EXT_V, 'V' }, { ISA_EXT_XTHEADVECTOR, 'V' } };
	uint64_t misa = RV_BIT(63) | MISA_EXT('S') | MISA_EXT('U');

	/* Zca, with Zcd where there is D, is C (Unpriv 28.1). */
	if (only(h, ISA_EXT_ZCA, 1) && (!only(h, ISA_EXT_D, 1) || only(h, ISA_EXT_ZCD, 1)))
		misa |= MISA_EXT('C');
	for (unsigned n = 0; n < sizeof(letters) / sizeof(letters[0]); n++)
		misa |= only(h, letters[n].ext, MISA_EXT(letters[n].letter));
	return misa;
}

static uint64_t read_identity(const struct hart *h, unsigned num)
{
	const struct cluster *cl = h->cl;

	return num == CSR_MVENDORID ? cl->mvendorid : num == CSR_MARCHID ? cl->marchid : cl->mimpid;
}

static uint64_t read_mhartid(const struct hart *h, unsigned num)
{
	return h->id;
}

/* Interrupts */

static uint64_t read_mip(const struct hart *h, unsigned num)
{
	return trap_pending(h);
}

static void write_mip(struct hart *h, unsigned num, uint64_t value)
{
	uint64_t mask = s_interrupts(h);

	if (h->menvcfg & MENVCFG_STCE)
		mask &= ~MIP_STIP;
	h->mip_soft = (h->mip_soft & ~mask) | (value & mask);
}

static uint64_t read_sip(const struct hart *h, unsigned num)
{
	return trap_pending(h) & h->mideleg;
}

static void write_sip(struct hart *h, unsigned num, uint64_t value)
{
	uint64_t mask = h->mideleg & (MIP_SSIP | MIP_LCOFIP);

	h->mip_soft = (h->mip_soft & ~mask) | (value & mask);
}

static uint64_t read_sie(const struct hart *h, unsigned num)
{
	return h->mie & h->mideleg;
}

static void write_sie(struct hart *h, unsigned num, uint64_t value)
{
	h->mie = (h->mie & ~h->mideleg) | (value & h->mideleg);
}

/* Translation */

static bool may_satp(const struct hart *h, unsigned num)
{
	return h->mode == PRV_M || !(h->mstatus & MSTATUS_TVM);
}

static uint64_t read_satp(const struct hart *h, unsigned num)
{
	return h->satp;
}

/* Bare always exists; the CPU may have Sv39, Sv48 and Sv57, whose numbers are consecutive. */
static bool satp_mode_exists(const struct hart *h, unsigned mode)
{
	return mode == SATP64_MODE_BARE ||
	       (mode >= SATP64_MODE_SV39 && mode - SATP64_MODE_SV39 < h->cl->mmu);
}

static void write_satp(struct hart *h, unsigned num, uint64_t value)
{
	if (!satp_mode_exists(h, value >> 60))
		return;
	if (value == h->satp)
		return;
	h->satp = value & SATP_KEPT;
	mmu_space_changed(h);
}

static uint64_t read_mseccfg(const struct hart *h, unsigned num)
{
	return h->mseccfg;
}

static void write_trigger(struct hart *h, unsigned num, uint64_t value)
{
	if (!cluster_has(h->cl, ISA_EXT_SDTRIG))
		return;
	csr_write_trigger(h, num, value);
	/* Other pages are watched now, and instructions may have to be looked at (guard.h). */
	soft_tlb_flush(h);
	hart_mode_changed(h);
}

static void write_mseccfg(struct hart *h, unsigned num, uint64_t value)
{
	h->mseccfg = pmp_legal_mseccfg(h, legal_pmm(h->mseccfg, value)) & mseccfg_bits(h);
	pmp_changed(h);
	hart_mode_changed(h);
}

/* Configuration of lower modes */

static bool may_senvcfg(const struct hart *h, unsigned num)
{
	return h->mode == PRV_M || !h->cl->smstateen || (h->mstateen0 & MSTATEEN0_ENVCFG);
}

static bool may_jvt(const struct hart *h, unsigned num)
{
	return csr_may_jump_table(h);
}

static uint64_t read_menvcfg(const struct hart *h, unsigned num)
{
	return h->menvcfg;
}

static void write_menvcfg(struct hart *h, unsigned num, uint64_t value)
{
	h->menvcfg = legal_cbie(legal_pmm(h->menvcfg, value)) & menvcfg_bits(h);
	h->senvcfg &= senvcfg_bits(h);
	mmu_space_changed(h);
}

static uint64_t read_senvcfg(const struct hart *h, unsigned num)
{
	return h->senvcfg;
}

static void write_senvcfg(struct hart *h, unsigned num, uint64_t value)
{
	uint64_t old = h->senvcfg;

	h->senvcfg = legal_cbie(legal_pmm(old, value)) & senvcfg_bits(h);
	if ((h->senvcfg ^ old) & (MENVCFG_PMM | MENVCFG_LPE | MENVCFG_SSE))
		mmu_space_changed(h);
}

static bool may_ssp(const struct hart *h, unsigned num)
{
	return h->mode == PRV_M || h->shadow_stacks;
}

/* Time */

uint64_t csr_time(const struct hart *h)
{
	return bus_time(&h->cl->bus);
}

static bool may_stimecmp(const struct hart *h, unsigned num)
{
	return h->mode == PRV_M || (h->menvcfg & MENVCFG_STCE && h->mcounteren & 1 << COUNTER_TM);
}

static uint64_t read_stimecmp(const struct hart *h, unsigned num)
{
	return h->stimecmp;
}

static void write_stimecmp(struct hart *h, unsigned num, uint64_t value)
{
	h->stimecmp = value;
	h->stimer_at = bus_time_when(&h->cl->bus, value);
}

/*
 * T-Head's C9xx cores: they share one identity, and Linux reads two vendor CSRs when it sees it.
 * th.sxstatus tells that extended page attributes are off; th.scounterof reads as scountovf.
 */
static bool may_thead(const struct hart *h, unsigned num)
{
	return cluster_is_thead(h->cl);
}

#define ROW(field)   read_##field, write_##field
#define OTHER(field) csr_read_##field, csr_write_##field

static const struct csr table[4096] = {
	[CSR_FFLAGS] = { csr_read_fcsr, csr_write_fcsr, csr_may_fp, true, .ext = ISA_EXT_F },
	[CSR_FRM] = { csr_read_fcsr, csr_write_fcsr, csr_may_fp, true, .ext = ISA_EXT_F },
	[CSR_FCSR] = { csr_read_fcsr, csr_write_fcsr, csr_may_fp, true, .ext = ISA_EXT_F },
	[CSR_SSP] = { ROW(ssp), may_ssp, true, .ext = ISA_EXT_ZICFISS },
	[CSR_JVT] = { ROW(jvt), may_jvt, true, .ext = ISA_EXT_ZCMT },
	[CSR_VSTART] = { csr_read_vector, csr_write_vector, csr_may_vector, true,
			 .ext = ISA_EXT_VECTORS },
	[CSR_VXSAT] = { csr_read_vector, csr_write_vector, csr_may_vector, true,
			.ext = ISA_EXT_VECTORS },
	[CSR_VXRM] = { csr_read_vector, csr_write_vector, csr_may_vector, true,
		       .ext = ISA_EXT_VECTORS },
	[CSR_VCSR] = { csr_read_vector, csr_write_vector, csr_may_vector, true, .ext = ISA_EXT_V },
	[CSR_VL... CSR_VLENB] = { csr_read_vector, NULL, csr_may_vector, .ext = ISA_EXT_VECTORS },
	[CSR_CYCLE] = { csr_read_counter, NULL, csr_may_counter },
	[CSR_TIME] = { csr_read_counter, NULL, csr_may_counter },
	[CSR_INSTRET] = { csr_read_counter, NULL, csr_may_counter },
	[CSR_HPMCOUNTER + 3 ... CSR_HPMCOUNTER + 31] = { csr_read_counter, NULL, csr_may_counter,
							 .ext = ISA_EXT_ZIHPM },

	[CSR_SEED] = { ROW(seed), may_seed, true, true, ISA_EXT_ZKR },
	[CSR_MSECCFG] = { ROW(mseccfg), .ext = ISA_EXT_MSECCFG },

	[CSR_SSTATUS] = { ROW(sstatus) },
	[CSR_SIE] = { ROW(sie) },
	[CSR_STVEC] = { ROW(stvec), .calm = true },
	[CSR_SCOUNTEREN] = { OTHER(scounteren) },
	[CSR_SENVCFG] = { ROW(senvcfg), may_senvcfg },
	[CSR_SSTATEEN0] = { OTHER(sstateen0), csr_may_stateen, .ext = ISA_EXT_SSSTATEEN },
	[CSR_SSTATEEN0 + 1 ... CSR_SSTATEEN0 + 3] = { read_zero, write_nothing, csr_may_stateen,
						      .ext = ISA_EXT_SSSTATEEN },
	[CSR_SCOUNTINHIBIT] = { OTHER(scountinhibit), csr_may_scountinhibit,
				.ext = ISA_EXT_SSCCFG },
	[CSR_SSCRATCH] = { ROW(sscratch), .calm = true },
	[CSR_SEPC] = { ROW(sepc), .calm = true },
	[CSR_SCAUSE] = { ROW(scause), .calm = true },
	[CSR_STVAL] = { ROW(stval), .calm = true },
	[CSR_SIP] = { ROW(sip) },
	[CSR_STIMECMP] = { ROW(stimecmp), may_stimecmp, .ext = ISA_EXT_SSTC },
	[CSR_SISELECT] = { ROW(siselect), csr_may_siselect, true, .ext = ISA_EXT_SSCSRIND },
	[CSR_SIREG... CSR_SIREG3] = { OTHER(sireg), csr_may_sireg, .ext = ISA_EXT_SSCSRIND },
	[CSR_SIREG4... CSR_SIREG6] = { OTHER(sireg), csr_may_sireg, .ext = ISA_EXT_SSCSRIND },
	[CSR_SATP] = { ROW(satp), may_satp },
	[CSR_SCOUNTOVF] = { csr_read_scountovf, NULL, .ext = ISA_EXT_SSCOFPMF },
	[CSR_TH_SXSTATUS] = { read_zero, write_nothing, may_thead },
	[CSR_TH_SCOUNTEROF] = { csr_read_scountovf, write_nothing, may_thead },

	[CSR_MVENDORID] = { read_identity, write_nothing },
	[CSR_MARCHID] = { read_identity, write_nothing },
	[CSR_MIMPID] = { read_identity, write_nothing },
	[CSR_MHARTID] = { read_mhartid, NULL },
	[CSR_MCONFIGPTR] = { read_zero, write_nothing },
	[CSR_MSTATUS] = { ROW(mstatus) },
	[CSR_MISA] = { read_misa, write_nothing },
	[CSR_MEDELEG] = { ROW(medeleg) },
	[CSR_MIDELEG] = { ROW(mideleg) },
	[CSR_MIE] = { ROW(mie) },
	[CSR_MTVEC] = { ROW(mtvec), .calm = true },
	[CSR_MCOUNTEREN] = { OTHER(mcounteren) },
	[CSR_MENVCFG] = { ROW(menvcfg) },
	[CSR_MSTATEEN0] = { OTHER(mstateen0), csr_may_stateen, .ext = ISA_EXT_SMSTATEEN },
	[CSR_MSTATEEN0 + 1 ... CSR_MSTATEEN0 + 3] = { read_zero, write_nothing, csr_may_stateen,
						      .ext = ISA_EXT_SMSTATEEN },
	[CSR_MSCRATCH] = { ROW(mscratch), .calm = true },
	[CSR_MEPC] = { ROW(mepc), .calm = true },
	[CSR_MCAUSE] = { ROW(mcause), .calm = true },
	[CSR_MTVAL] = { ROW(mtval), .calm = true },
	[CSR_MISELECT] = { ROW(miselect), .calm = true, .ext = ISA_EXT_SMCSRIND },
	[CSR_MIREG...
		CSR_MIREG3] = { read_zero, write_nothing, may_never, .ext = ISA_EXT_SMCSRIND },
	[CSR_MIREG4...
		CSR_MIREG6] = { read_zero, write_nothing, may_never, .ext = ISA_EXT_SMCSRIND },
	[CSR_MIP] = { ROW(mip) },
	[CSR_PMPCFG0] = { csr_read_pmpcfg, csr_write_pmpcfg },
	[CSR_PMPCFG0 + 2] = { csr_read_pmpcfg, csr_write_pmpcfg },
	[CSR_PMPADDR0... CSR_PMPADDR0 + PMP_NR - 1] = { csr_read_pmpaddr, csr_write_pmpaddr },

	[CSR_TSELECT] = { csr_read_trigger, write_trigger },
	[CSR_TDATA1... CSR_TDATA3] = { csr_read_trigger, write_trigger },
	[CSR_TINFO] = { csr_read_trigger, write_trigger },

	[CSR_MCYCLE] = { csr_read_counter, csr_write_counter },
	[CSR_MINSTRET] = { csr_read_counter, csr_write_counter },
	[CSR_MHPMCOUNTER + 3 ... CSR_MHPMCOUNTER + 31] = { csr_read_counter, csr_write_counter },
	[CSR_MCOUNTINHIBIT] = { OTHER(mcountinhibit) },
	[CSR_MCYCLECFG] = { csr_read_config, csr_write_config, .ext = ISA_EXT_SMCNTRPMF },
	[CSR_MINSTRETCFG] = { csr_read_config, csr_write_config, .ext = ISA_EXT_SMCNTRPMF },
	[CSR_MHPMEVENT + 3 ... CSR_MHPMEVENT + 31] = { csr_read_config, csr_write_config },
};

bool csr_is_known(unsigned num)
{
	return num < 4096 && table[num].read;
}

bool csr_exists(const struct cluster *cl, unsigned num)
{
	const struct csr *c = &table[num & 4095];

	return c->read && isa_has(&cl->extensions, c->ext);
}

bool csr_peek(const struct hart *h, unsigned num, uint64_t *value)
{
	if (!csr_exists(h->cl, num))
		return false;
	*value = table[num].read(h, num);
	return true;
}

bool csr_poke(struct hart *h, unsigned num, uint64_t value)
{
	if (!csr_exists(h->cl, num) || RV_CSR_READONLY(num))
		return false;
	csr_write(h, num, value);
	return true;
}

bool csr_read(struct hart *h, unsigned num, bool writes, uint64_t *value)
{
	const struct csr *c = &table[num & 4095];

	if (!csr_exists(h->cl, num) || h->mode < RV_CSR_PRIV(num) ||
	    (writes && RV_CSR_READONLY(num)) || (c->both && !writes) || (c->may && !c->may(h, num)))
		return false;
	if (c->read == csr_read_counter)
		pmu_settle(h, num & 31);
	else if (c->read == csr_read_sireg)
		pmu_settle(h, csr_sireg_counter(h));
	*value = c->read(h, num);
	return true;
}

void csr_write(struct hart *h, unsigned num, uint64_t value)
{
	const struct csr *c = &table[num & 4095];
	uint64_t old = c->read(h, num);

	c->write(h, num, value);
	if (!c->calm)
		h->stop = true;
	trace_csr(h, num, old, c->read(h, num));
	if (h->cl->recorder)
		h->cl->recorder->csr_written(h, num, value, old, c->read(h, num));
}

uint64_t csr_modified(const struct hart *h, unsigned num, uint64_t read)
{
	if (num != CSR_MIP)
		return read;
	return (read & ~MIP_SEIP) | (h->mip_soft & MIP_SEIP);
}

bool csr_restored(struct hart *h)
{
	if (h->mstatus & ~mstatus_bits(h) || (h->mstatus & MSTATUS_MPP) == 2 << MSTATUS_MPP_SHIFT ||
	    h->mode == 2 || h->fflags > 31)
		return false;
	if (h->mie & ~interrupts(h) || h->mip_soft & ~s_interrupts(h) ||
	    h->mideleg & ~s_interrupts(h) || h->menvcfg & ~menvcfg_bits(h) ||
	    h->senvcfg & ~senvcfg_bits(h) || h->mseccfg & ~mseccfg_bits(h) ||
	    h->miselect > SELECT_MAX || h->siselect > SELECT_MAX ||
	    h->mstateen0 & ~csr_mstateen0_bits(h) || h->medeleg & ~exceptions(h) || h->ssp & 7 ||
	    h->jvt & 63 || (h->elp && !cluster_has(h->cl, ISA_EXT_ZICFILP)) || h->mepc & 1 ||
	    h->sepc & 1)
		return false;
	if (!satp_mode_exists(h, h->satp >> 60))
		return false;
	if (!trigger_restored(h))
		return false;
	pmp_changed(h);
	hart_mode_changed(h);
	return true;
}

void csr_reset(struct hart *h)
{
	h->mstatus = 0;
	h->mip_soft = h->mie = h->mideleg = h->medeleg = 0;
	h->mtvec = h->mepc = h->mcause = h->mtval = h->mscratch = 0;
	h->stvec = h->sepc = h->scause = h->stval = h->sscratch = h->satp = 0;
	h->stimecmp = h->stimer_at = UINT64_MAX;
	h->senvcfg = h->mstateen0 = h->sstateen0 = h->miselect = h->siselect = 0;
	h->elp = 0;
	h->ssp = h->jvt = 0;
	trigger_reset(h);
	/* Firmware that does not know Zkr boots a Linux that does (its reset value is free). */
	h->mseccfg = mseccfg_bits(h) & MSECCFG_SSEED;
	/*
	 * Priv 1.13 §3.4 leaves the reset value open.  1, as in QEMU, serves software that does not
	 * know Svadu.
	 */
	h->menvcfg = only(h, ISA_EXT_SVADU, MENVCFG_ADUE);
	h->mcounteren = h->scounteren = 0;
	h->fflags = h->frm = 0;
	if (h->vector)
		vector_reset(h->vector, h->cl->vector_bytes, &h->cl->extensions);
	for (unsigned n = 0; n < PMP_NR; n++)
		h->pmpcfg[n] = h->pmpaddr[n] = 0;
	pmp_changed(h);
}

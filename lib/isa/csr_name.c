// SPDX-License-Identifier: BSD-2-Clause
/*
 * csr_name.c - the names of CSRs (isa.h).  Pure.
 *
 * Implements: Priv 1.13 chapter 2, and the extensions that rv/csr.h names.
 */
#include <rv/csr.h>

#include "isa.h"

/* nr registers: one without a number, or a family whose names end with a number. */
static const struct {
	uint16_t first;
	uint8_t nr, number; /* number: of the first */
	const char *name;
} names[] = {
	{ CSR_FFLAGS, 0, 0, "fflags" },
	{ CSR_FRM, 0, 0, "frm" },
	{ CSR_FCSR, 0, 0, "fcsr" },
	{ CSR_SSP, 0, 0, "ssp" },
	{ CSR_VSTART, 0, 0, "vstart" },
	{ CSR_VXSAT, 0, 0, "vxsat" },
	{ CSR_VXRM, 0, 0, "vxrm" },
	{ CSR_VCSR, 0, 0, "vcsr" },
	{ CSR_VL, 0, 0, "vl" },
	{ CSR_VTYPE, 0, 0, "vtype" },
	{ CSR_VLENB, 0, 0, "vlenb" },
	{ CSR_SEED, 0, 0, "seed" },
	{ CSR_JVT, 0, 0, "jvt" },
	{ CSR_CYCLE, 0, 0, "cycle" },
	{ CSR_TIME, 0, 0, "time" },
	{ CSR_INSTRET, 0, 0, "instret" },
	{ CSR_HPMCOUNTER + 3, 29, 3, "hpmcounter" },
	{ CSR_SSTATUS, 0, 0, "sstatus" },
	{ CSR_SIE, 0, 0, "sie" },
	{ CSR_STVEC, 0, 0, "stvec" },
	{ CSR_SCOUNTEREN, 0, 0, "scounteren" },
	{ CSR_SENVCFG, 0, 0, "senvcfg" },
	{ CSR_SSTATEEN0, 4, 0, "sstateen" },
	{ CSR_SCOUNTINHIBIT, 0, 0, "scountinhibit" },
	{ CSR_SSCRATCH, 0, 0, "sscratch" },
	{ CSR_SEPC, 0, 0, "sepc" },
	{ CSR_SCAUSE, 0, 0, "scause" },
	{ CSR_STVAL, 0, 0, "stval" },
	{ CSR_SIP, 0, 0, "sip" },
	{ CSR_STIMECMP, 0, 0, "stimecmp" },
	{ CSR_SISELECT, 0, 0, "siselect" },
	{ CSR_SIREG, 0, 0, "sireg" },
	{ CSR_SIREG2, 2, 2, "sireg" },
	{ CSR_SIREG4, 3, 4, "sireg" },
	{ CSR_SATP, 0, 0, "satp" },
	{ CSR_SCOUNTOVF, 0, 0, "scountovf" },
	{ CSR_VSSTATUS, 0, 0, "vsstatus" },
	{ CSR_VSIE, 0, 0, "vsie" },
	{ CSR_VSTVEC, 0, 0, "vstvec" },
	{ CSR_VSSCRATCH, 0, 0, "vsscratch" },
	{ CSR_VSEPC, 0, 0, "vsepc" },
	{ CSR_VSCAUSE, 0, 0, "vscause" },
	{ CSR_VSTVAL, 0, 0, "vstval" },
	{ CSR_VSIP, 0, 0, "vsip" },
	{ CSR_VSTIMECMP, 0, 0, "vstimecmp" },
	{ CSR_VSATP, 0, 0, "vsatp" },
	{ CSR_HSTATUS, 0, 0, "hstatus" },
	{ CSR_HEDELEG, 0, 0, "hedeleg" },
	{ CSR_HIDELEG, 0, 0, "hideleg" },
	{ CSR_HTIMEDELTA, 0, 0, "htimedelta" },
	{ CSR_HCOUNTEREN, 0, 0, "hcounteren" },
	{ CSR_HENVCFG, 0, 0, "henvcfg" },
	{ CSR_HTVAL, 0, 0, "htval" },
	{ CSR_HTINST, 0, 0, "htinst" },
	{ CSR_HGATP, 0, 0, "hgatp" },
	{ CSR_MVENDORID, 0, 0, "mvendorid" },
	{ CSR_MARCHID, 0, 0, "marchid" },
	{ CSR_MIMPID, 0, 0, "mimpid" },
	{ CSR_MHARTID, 0, 0, "mhartid" },
	{ CSR_MCONFIGPTR, 0, 0, "mconfigptr" },
	{ CSR_MSTATUS, 0, 0, "mstatus" },
	{ CSR_MISA, 0, 0, "misa" },
	{ CSR_MEDELEG, 0, 0, "medeleg" },
	{ CSR_MIDELEG, 0, 0, "mideleg" },
	{ CSR_MIE, 0, 0, "mie" },
	{ CSR_MTVEC, 0, 0, "mtvec" },
	{ CSR_MCOUNTEREN, 0, 0, "mcounteren" },
	{ CSR_MENVCFG, 0, 0, "menvcfg" },
	{ CSR_MSTATEEN0, 4, 0, "mstateen" },
	{ CSR_MSCRATCH, 0, 0, "mscratch" },
	{ CSR_MEPC, 0, 0, "mepc" },
	{ CSR_MCAUSE, 0, 0, "mcause" },
	{ CSR_MTVAL, 0, 0, "mtval" },
	{ CSR_MIP, 0, 0, "mip" },
	{ CSR_MISELECT, 0, 0, "miselect" },
	{ CSR_MIREG, 0, 0, "mireg" },
	{ CSR_MIREG + 1, 2, 2, "mireg" },
	{ CSR_MIREG4, 3, 4, "mireg" },
	{ CSR_MTINST, 0, 0, "mtinst" },
	{ CSR_MTVAL2, 0, 0, "mtval2" },
	{ CSR_MSECCFG, 0, 0, "mseccfg" },
	{ CSR_PMPCFG0, 16, 0, "pmpcfg" },
	{ CSR_PMPADDR0, 64, 0, "pmpaddr" },
	{ CSR_TSELECT, 0, 0, "tselect" },
	{ CSR_TDATA1, 3, 1, "tdata" },
	{ CSR_TINFO, 0, 0, "tinfo" },
	{ CSR_DCSR, 0, 0, "dcsr" },
	{ CSR_MCYCLE, 0, 0, "mcycle" },
	{ CSR_MINSTRET, 0, 0, "minstret" },
	{ CSR_MHPMCOUNTER + 3, 29, 3, "mhpmcounter" },
	{ CSR_MCOUNTINHIBIT, 0, 0, "mcountinhibit" },
	{ CSR_MCYCLECFG, 0, 0, "mcyclecfg" },
	{ CSR_MINSTRETCFG, 0, 0, "minstretcfg" },
	{ CSR_MHPMEVENT + 3, 29, 3, "mhpmevent" },
	{ CSR_TH_SXSTATUS, 0, 0, "th.sxstatus" },
	{ CSR_TH_SCOUNTEROF, 0, 0, "th.scounterof" },
};

void isa_csr_name(unsigned num, char to[ISA_CSR_NAME_SIZE])
{
	for (unsigned n = 0; n < sizeof(names) / sizeof(*names); n++) {
		unsigned index = num - names[n].first, number = names[n].number + index;

		if (num < names[n].first || index >= (names[n].nr ? names[n].nr : 1))
			continue;
		for (const char *s = names[n].name; *s; s++)
			*to++ = *s;
		if (names[n].nr && number >= 10)
			*to++ = '0' + number / 10;
		if (names[n].nr)
			*to++ = '0' + number % 10;
		break;
	}
	*to = 0;
}

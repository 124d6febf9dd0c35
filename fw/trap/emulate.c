// SPDX-License-Identifier: BSD-2-Clause
/*
 * emulate.c - emulates reads of the time CSR, which S-mode expects and a hart may lack.  Every
 * other illegal instruction is redirected to S-mode.
 *
 * Implements: Priv 1.13 §3.1.11 (mcounteren), §10.1 (scounteren), §18.2.5 (hcounteren,
 * htimedelta).
 */
#include <isa.h>
#include <machine.h>

#include "aclint.h"
#include "emulate.h"
#include "redirect.h"

enum verdict { ALLOWED, ILLEGAL, VIRTUAL };

/* Whether the mode that trapped may read time.  The firmware has set mcounteren.TM. */
static enum verdict may_read_time(const struct hart *h)
{
	bool user = (h->mstatus & MSTATUS_MPP) == 0, guest = trap_from_guest(h);

	if (guest && !(csr_read(CSR_HCOUNTEREN) & RV_BIT(COUNTER_TM)))
		return VIRTUAL;
	if (user && !(csr_read(CSR_SCOUNTEREN) & RV_BIT(COUNTER_TM)))
		return guest ? VIRTUAL : ILLEGAL;
	return ALLOWED;
}

/* True if the instruction is csrr rd, time or csrr rd, timeh. */
static bool is_time_read(uint32_t insn, struct isa_csr *c)
{
	return isa_decode_csr(insn, c) && !c->writes &&
	       (c->csr == CSR_TIME || (RV_XLEN == 32 && c->csr == CSR_TIMEH));
}

static void read_time(struct hart *h, const struct isa_csr *c)
{
	uint64_t now = aclint_time(h);

	if (trap_from_guest(h))
		now += csr_read64(CSR_HTIMEDELTA, CSR_HTIMEDELTAH);
	if (c->rd)
		h->x[c->rd] = (rv_ulong)(c->csr == CSR_TIMEH ? now >> 32 : now);
	h->nr_emulated++;
	h->mepc += 4;
}

void illegal_emulate(struct hart *h, struct trap_info *info)
{
	uint32_t insn = (uint32_t)info->tval;
	struct trap_info fault;
	struct isa_csr c;
	unsigned length;

	if (h->has_time || !h->dt.mtime) {
		trap_redirect(h, info);
		return;
	}
	/* mtval holds the instruction, or 0 on harts that do not write it. */
	if (!insn && !trap_fetch(h, &insn, &length, &fault)) {
		trap_redirect(h, &fault);
		return;
	}
	if (!is_time_read(insn, &c)) {
		trap_redirect(h, info);
		return;
	}
	switch (may_read_time(h)) {
	case ALLOWED:
		read_time(h, &c);
		break;
	case VIRTUAL:
		info->cause = CAUSE_VIRTUAL_INSN;
		trap_redirect(h, info);
		break;
	case ILLEGAL:
		trap_redirect(h, info);
	}
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmp.h - physical memory protection.
 *
 * Implements: Priv 1.13 §3.7; Smepmp 1.0.
 */
#ifndef SIM_PMP_H
#define SIM_PMP_H

#include <stdbool.h>
#include <stdint.h>

#include "mmu.h"

struct hart;

#define PMP_NR 16

struct pmp_range {
	uint64_t first, last; /* first > last: matches nothing */
	uint8_t cfg;
};

/* Whether PMP allows the access in mode.  *whole: the answer is the same for the whole page. */
bool pmp_allows(const struct hart *h, uint64_t pa, unsigned bytes, enum access access,
		unsigned mode, bool *whole);

/* To be called after a write to pmpcfg, pmpaddr or mseccfg. */
void pmp_changed(struct hart *h);

/* What a write of value to mseccfg gives: MML and MMWP stay, RLB may stay off (Smepmp 1.0). */
uint64_t pmp_legal_mseccfg(const struct hart *h, uint64_t value);

/* For rows of the table in csr.c; num is the number of the CSR. */
uint64_t csr_read_pmpcfg(const struct hart *h, unsigned num);
void csr_write_pmpcfg(struct hart *h, unsigned num, uint64_t value);
uint64_t csr_read_pmpaddr(const struct hart *h, unsigned num);
void csr_write_pmpaddr(struct hart *h, unsigned num, uint64_t value);

#endif

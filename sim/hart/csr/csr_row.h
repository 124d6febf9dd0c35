/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csr_row.h - the functions of csr_counter.c, csr_float.c and stateen.c that rows of the table in
 * csr.c name.  num is the number of the CSR.  Those of pmp.c and trigger.c are in pmp.h and
 * trigger.h.
 */
#ifndef SIM_CSR_ROW_H
#define SIM_CSR_ROW_H

#include <stdbool.h>
#include <stdint.h>

struct hart;

bool csr_may_counter(const struct hart *h, unsigned num);
bool csr_may_scountinhibit(const struct hart *h, unsigned num);
bool csr_may_siselect(const struct hart *h, unsigned num);
bool csr_may_sireg(const struct hart *h, unsigned num);

/* The counter that siselect selects; COUNTERS (pmu.h): none. */
unsigned csr_sireg_counter(const struct hart *h);

bool csr_may_fp(const struct hart *h, unsigned num);
uint64_t csr_read_fcsr(const struct hart *h, unsigned num);
void csr_write_fcsr(struct hart *h, unsigned num, uint64_t value);
bool csr_may_vector(const struct hart *h, unsigned num);
uint64_t csr_read_vector(const struct hart *h, unsigned num);
void csr_write_vector(struct hart *h, unsigned num, uint64_t value);

bool csr_may_stateen(const struct hart *h, unsigned num);
uint64_t csr_mstateen0_bits(const struct hart *h);
uint64_t csr_read_mstateen0(const struct hart *h, unsigned num);
void csr_write_mstateen0(struct hart *h, unsigned num, uint64_t value);
uint64_t csr_read_sstateen0(const struct hart *h, unsigned num);
void csr_write_sstateen0(struct hart *h, unsigned num, uint64_t value);

uint64_t csr_read_counter(const struct hart *h, unsigned num);
void csr_write_counter(struct hart *h, unsigned num, uint64_t value);
uint64_t csr_read_config(const struct hart *h, unsigned num);
void csr_write_config(struct hart *h, unsigned num, uint64_t value);
uint64_t csr_read_mcountinhibit(const struct hart *h, unsigned num);
void csr_write_mcountinhibit(struct hart *h, unsigned num, uint64_t value);
uint64_t csr_read_mcounteren(const struct hart *h, unsigned num);
void csr_write_mcounteren(struct hart *h, unsigned num, uint64_t value);
uint64_t csr_read_scounteren(const struct hart *h, unsigned num);
void csr_write_scounteren(struct hart *h, unsigned num, uint64_t value);
uint64_t csr_read_scountovf(const struct hart *h, unsigned num);
uint64_t csr_read_scountinhibit(const struct hart *h, unsigned num);
void csr_write_scountinhibit(struct hart *h, unsigned num, uint64_t value);
uint64_t csr_read_sireg(const struct hart *h, unsigned num);
void csr_write_sireg(struct hart *h, unsigned num, uint64_t value);

#endif

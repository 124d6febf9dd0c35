/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csr.h - CSR access by a number that is known at run time only, and loads that may fault.
 */
#ifndef FW_CSR_H
#define FW_CSR_H

#include <stdbool.h>

#include <rv/xlen.h>

/* ctx is not used: the signatures are those of struct sbipmu_ops. */
rv_ulong csr_num_read(void *ctx, unsigned num);
void csr_num_write(void *ctx, unsigned num, rv_ulong value);
/* Writes mhpmevent of a counter, or its high half, and returns the value that it then holds. */
rv_ulong csr_event_update(void *ctx, unsigned num, rv_ulong value);
/* Reads a CSR into *value; false if the hart does not have it. */
bool csr_num_probe(void *ctx, unsigned num, rv_ulong *value);

/* Reads the word at a physical address into *value; false if the access faults. */
bool try_load(rv_ulong addr, rv_ulong *value);

#endif

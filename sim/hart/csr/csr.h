/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csr.h - control and status registers.  csr.c and stateen.c define its functions.
 */
#ifndef SIM_CSR_H
#define SIM_CSR_H

#include <stdbool.h>
#include <stdint.h>

struct cluster;
struct hart;

/*
 * A Zicsr instruction has three steps.  csr_read returns the value, or false if the instruction is
 * illegal.  The instruction retires.  csr_write writes, if the instruction does.
 *
 * csrrs and csrrc modify the value that csr_modified returns.  This is not always the value that
 * they read: mip.SEIP reads as one also when only the interrupt controller's line is high.
 */
bool csr_read(struct hart *h, unsigned num, bool writes, uint64_t *value);
void csr_write(struct hart *h, unsigned num, uint64_t value);
uint64_t csr_modified(const struct hart *h, unsigned num, uint64_t read);
void csr_reset(struct hart *h);

/* Whether mstateen0 and sstateen0 allow jvt, cm.jt and cm.jalt in this mode (Smstateen). */
bool csr_may_jump_table(const struct hart *h);

/*
 * Called when the CSRs have been restored from a snapshot: computes the state that depends on them.
 * Returns false if they are not a possible state.
 */
bool csr_restored(struct hart *h);

/* For tests: whether some hart has this CSR; isa_csr_name() has its name. */
bool csr_is_known(unsigned num);

/*
 * For a debugger; num < 4096.  These ignore the current mode and mstatus.  False: there is no such
 * CSR, or it is read-only.
 */
bool csr_exists(const struct cluster *cl, unsigned num);
bool csr_peek(const struct hart *h, unsigned num, uint64_t *value);
bool csr_poke(struct hart *h, unsigned num, uint64_t value);
uint64_t csr_time(const struct hart *h);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trigger.h - triggers that raise breakpoint exceptions: the part of Sdtrig that gdb and Linux use.
 * Each has type mcontrol6 or is disabled, and compares addresses.
 */
#ifndef SIM_TRIGGER_H
#define SIM_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

struct hart;

/*
 * The current instruction is about to access bytes at va; kinds are MCONTROL6_LOAD, _STORE and
 * _EXECUTE.  True: a trigger fires, and h->fault is its exception; the instruction does nothing.
 */
bool trigger_hits(struct hart *h, uint64_t va, unsigned bytes, unsigned kinds);

/* Whether a trigger watches data in the page of va. */
bool trigger_in_page(const struct hart *h, uint64_t va);

void trigger_reset(struct hart *h);

/*
 * The triggers have been restored from a snapshot.  False: they are not a possible state.  The
 * caller then empties the software TLB, and calls hart_mode_changed, as after csr_write_trigger.
 */
bool trigger_restored(struct hart *h);

/* For rows of the table in csr.c; num is the number of the CSR. */
uint64_t csr_read_trigger(const struct hart *h, unsigned num);
void csr_write_trigger(struct hart *h, unsigned num, uint64_t value);

#endif

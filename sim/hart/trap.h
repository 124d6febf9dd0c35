/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trap.h - takes exceptions and interrupts, and returns from them.
 */
#ifndef SIM_TRAP_H
#define SIM_TRAP_H

#include <stdbool.h>
#include <stdint.h>

struct hart;

/* Takes an exception of the instruction at h->pc. */
void trap_exception(struct hart *h, unsigned cause, uint64_t tval);

/* Takes the pending and enabled interrupt of the highest priority.  False: there is none. */
bool trap_interrupt(struct hart *h);

/* Whether WFI ends: an interrupt is pending and enabled in mie, whatever mstatus says. */
bool trap_wakes(const struct hart *h);

/* Executes mret or sret. */
void trap_mret(struct hart *h);
void trap_sret(struct hart *h);

/* A device sets the level of an interrupt line: bit irq of mip. */
void trap_raise(struct hart *h, unsigned irq, bool level);

/* The value of mip. */
uint64_t trap_pending(const struct hart *h);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aclint.h - timer and software interrupts of M-mode.
 */
#ifndef FW_ACLINT_H
#define FW_ACLINT_H

#include "hart.h"

struct dtb;

/* Finds CLINT and ACLINT devices and stores the registers of each hart in hart.dt. */
void aclint_init(const struct dtb *t);

/* The time, from the hart's time CSR or the device; 0 if there is neither. */
uint64_t aclint_time(const struct hart *h);
/* Sets the time of the calling hart's next timer interrupt; clears a pending one. */
void aclint_timer_set(struct hart *h, uint64_t when);
/* Handles a machine timer interrupt: makes S-mode's timer interrupt pending. */
void aclint_timer_fired(struct hart *h);
/* Disables the timer interrupt until the next aclint_timer_set(). */
void aclint_timer_off(struct hart *h);

#endif

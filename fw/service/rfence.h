/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rfence.h - executes the fences that other harts ask for.
 */
#ifndef FW_RFENCE_H
#define FW_RFENCE_H

#include <rv/sbi.h>

#include "hart.h"

#define RFENCE_PAGE 4096

/* The "sent" firmware event of each RFENCE function; the "received" event is this plus 1. */
extern const unsigned char rfence_sent_event[SBI_RFENCE_HFENCE_VVMA + 1];

/* Executes a request on the calling hart. */
void rfence_carry_out(const struct rfence *r);
/* Executes all requests of other harts on the calling hart. */
void rfence_take(struct hart *h);

#endif

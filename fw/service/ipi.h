/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ipi.h - requests between harts.
 */
#ifndef FW_IPI_H
#define FW_IPI_H

#include "hart.h"

/* Sets the IPI_ bits of what in to->ipi, then raises to's software interrupt. */
void ipi_send(struct hart *to, rv_ulong what);
/* Handles the calling hart's machine software interrupt. */
void ipi_take(struct hart *h);
/* Stops the calling hart for ever; it still answers requests of other harts. */
void ipi_park(struct hart *h) __attribute__((noreturn));

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.h - the machine's devices.
 */
#ifndef SIM_BOARD_H
#define SIM_BOARD_H

#include "machine.h"

/* Creates the devices.  Returns false, with one line in *why, when one cannot be created. */
bool board_create(struct machine *m, struct error_text *why);

#endif

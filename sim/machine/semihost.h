/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * semihost.h - semihosting calls.
 */
#ifndef SIM_SEMIHOST_H
#define SIM_SEMIHOST_H

#include <stdbool.h>

struct hart;

/*
 * Executes the semihosting call at h->pc: an ebreak between the two hints.  False: the ebreak is
 * not one, and nothing has happened.
 */
bool semihost_call(struct hart *h);

#endif

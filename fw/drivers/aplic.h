/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aplic.h - wired interrupts of platforms with an APLIC.
 */
#ifndef FW_APLIC_H
#define FW_APLIC_H

struct dtb;

/*
 * Gives S-mode the interrupts that the tree's domains of M-mode delegate (riscv,delegation), and
 * sets where the APLIC sends messages.  Prints what it cannot delegate.  platform_open() comes
 * before.
 */
void aplic_init(const struct dtb *t);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * htif.h - Berkeley's host-target interface as Spike serves it: a bare program writes a command to
 * its symbol tohost, and reads the answer from its symbol fromhost.
 *
 *	bits 63:56 device, 55:48 command, 47:0 payload
 *	device 0, command 0	odd payload: exit, status payload / 2; even: the address of a block of
 *				words, the number of a system call and its arguments, where the result
 *				replaces the number.  SYS_write to 1 or 2 and SYS_exit are served.
 *	device 1, command 0	a character from the console, answered with 0x100 + character
 *	device 1, command 1	the payload's low byte goes to the console; no answer
 *
 * tohost becomes 0 when a command is taken.  An answer has the command's device and command, and waits
 * until fromhost is 0.  Anything else ends the machine with a line that names the command.
 *
 * There is no specification; this follows what riscv-tests, riscv-pk and Spike's host side agree on.
 */
#ifndef SIM_HTIF_H
#define SIM_HTIF_H

#include <stdbool.h>
#include <stdint.h>

struct machine;

struct htif {
	uint64_t tohost, fromhost; /* physical addresses of two words of RAM, multiples of 8; 0: none */
	uint64_t answer; /* waits until fromhost is 0; 0: none */
	uint8_t reading; /* 1: a character is wanted */
};

/* Where the symbols of a program are, 0 for none; what is no word of RAM is none. */
void htif_find(struct machine *m, uint64_t tohost, uint64_t fromhost);

/* Whether the guest's writes to the words are looked at.  Off while m->htif changes. */
void htif_watch(struct machine *m, bool on);

/* After a restore: whether m->htif can be.  If not, it is none. */
bool htif_restored(struct machine *m);

/* RAM that may hold the words was written. */
void htif_written(struct machine *m, uint64_t pa, uint64_t len);

/* Between rounds: a character may have come for a program that wants one. */
void htif_input(struct machine *m);

#endif

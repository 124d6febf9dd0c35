/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * htif.h - Berkeley's host-target interface, as Spike has it: a bare-metal program writes a
 * command to its symbol tohost and reads the answer from its symbol fromhost.
 *
 *	bits 63:56 device, 55:48 command, 47:0 payload
 *	device 0, command 0	An odd payload: exit; the status is payload / 2.  An even payload: a
 *				system call; the payload is the address of four words, which are the
 *				number and the arguments.  The result replaces the number.
 *				SYS_write to 1 or 2 and SYS_exit are implemented.  A SYS_write that
 *				fails returns -EBADF or -EFAULT; the first is reported (m->warn).
 *	device 1, command 0	Read a character from the console.  The answer is 0x100 + character.
 *				At the end of the input the machine ends with an error: Spike would
 *				never answer, and the program would wait for ever.
 *	device 1, command 1	Write the payload's low byte to the console.  There is no answer.
 *
 * The machine sets tohost to 0 when it takes a command.  An answer carries the command's device and
 * command numbers; it waits until fromhost is 0.  Any other command ends the machine with a line
 * that names the command.
 *
 * There is no specification: this is what riscv-tests, riscv-pk and Spike's host side agree on.
 */
#ifndef SIM_HTIF_H
#define SIM_HTIF_H

#include <stdbool.h>
#include <stdint.h>

struct machine;

struct htif {
	uint64_t tohost, fromhost; /* physical addresses in RAM, multiples of 8; 0: none */
	uint64_t answer; /* the answer that waits until fromhost is 0; 0: none */
	uint8_t reading; /* 1: the program waits for a character */
	bool warned; /* a failed SYS_write was reported; not saved */
};

/*
 * Sets the addresses of tohost and fromhost; 0: the program has no such symbol.  An address that is
 * not that of an aligned word in RAM counts as 0.
 */
void htif_find(struct machine *m, uint64_t tohost, uint64_t fromhost);

/*
 * Turns on or off that the guest's writes to the two words reach htif_written.  It must be off
 * while m->htif changes.
 */
void htif_watch(struct machine *m, bool on);

/* Checks m->htif after a restore.  Returns false, and clears it, if it is not a possible state. */
bool htif_restored(struct machine *m);

/* Somebody has written RAM at pa: obeys a new command in tohost, delivers an answer that waits. */
void htif_written(struct machine *m, uint64_t pa, uint64_t len);

/*
 * Called between rounds while m->htif.reading: answers if the console has a character; ends the
 * machine if it will have none.
 */
void htif_input(struct machine *m);

#endif

// SPDX-License-Identifier: BSD-2-Clause
/*
 * htif.c - the host-target interface (htif.h).  Its console is the UART: a character is read from
 * the UART's receiver and written to its transmitter, so that the output of both stays in order.
 */
#include <stdio.h>

#include "machine.h"

#define DEVICE_SYSTEM  0
#define DEVICE_CONSOLE 1

#define CONSOLE_READ  0
#define CONSOLE_WRITE 1

#define SYS_WRITE 64
#define SYS_EXIT  93

#define EBADF_RESULT  ((uint64_t)-9)
#define EFAULT_RESULT ((uint64_t)-14)

#define WRITE_MAX 65536 /* bytes of one SYS_write; a longer one writes only so many */

#define UART_LSR      5
#define UART_LSR_DATA 1

static uint64_t *word(struct machine *m, uint64_t pa)
{
	return pa && !(pa & 7) ? cluster_ram(&m->cl, pa, 8) : NULL;
}

/* Writes a word of guest RAM as a device does: blocks and reservations there become invalid. */
static void put(struct machine *m, uint64_t pa, uint64_t value)
{
	*(uint64_t *)cluster_ram(&m->cl, pa, 8) = value;
	m->board.ram_written(m->board.opaque, pa, 8);
}

void htif_watch(struct machine *m, bool on)
{
	const uint64_t words[] = { m->htif.tohost, m->htif.fromhost };

	for (unsigned n = 0; n < 2; n++) {
		uint64_t bit = 1ull << (words[n] >> 6 & 63);

		if (!words[n])
			continue;
		if (on)
			cluster_page(&m->cl, words[n])->watch |= bit;
		else
			cluster_page(&m->cl, words[n])->watch &= ~bit;
	}
}

void htif_find(struct machine *m, uint64_t tohost, uint64_t fromhost)
{
	htif_watch(m, false);
	m->htif = (struct htif){ 0 };
	if (word(m, tohost))
		m->htif.tohost = tohost;
	if (m->htif.tohost && word(m, fromhost))
		m->htif.fromhost = fromhost;
	htif_watch(m, true);
}

bool htif_restored(struct machine *m)
{
	struct htif *t = &m->htif;

	if ((!t->tohost || word(m, t->tohost)) && (!t->fromhost || word(m, t->fromhost)) &&
	    (t->tohost || !t->fromhost))
		return true;
	*t = (struct htif){ 0 };
	return false;
}

static void deliver(struct machine *m)
{
	struct htif *t = &m->htif;
	uint64_t answer = t->answer;

	if (!answer || !t->fromhost || *word(m, t->fromhost))
		return;
	t->answer = 0;
	put(m, t->fromhost, answer);
}

static void answer(struct machine *m, uint64_t command, uint64_t payload)
{
	m->htif.answer = (command & ~0xffffffffffffull) | payload;
	deliver(m);
}

/* Says once, through m->warn, that a system call has failed. */
static uint64_t failed(struct machine *m, uint64_t result, const uint64_t *call)
{
	char line[160];

	if (m->htif.warned || !m->warn)
		return result;
	m->htif.warned = true;
	snprintf(line, sizeof(line), "tohost: SYS_write of %#llx bytes at %#llx to %#llx: %s",
		 (unsigned long long)call[3], (unsigned long long)call[2],
		 (unsigned long long)call[1],
		 result == EBADF_RESULT ? "only 1 and 2 are open" : "they are not all in RAM");
	m->warn(m, line);
	return result;
}

/* An exit status on the host has eight bits: a status whose low bits are 0 becomes 255. */
static void leave(struct machine *m, uint64_t status)
{
	machine_finish(m, status & 0xff ? status & 0xff : status ? 255 : 0, false);
}

static void unknown(struct machine *m, const char *what, uint64_t number)
{
	snprintf(m->stuck_text, sizeof(m->stuck_text),
		 "tohost: %s %#llx is not served (exit, SYS_write, SYS_exit and the console are)",
		 what, (unsigned long long)number);
	machine_fail(m, m->stuck_text);
}

/* call: SYS_write, descriptor, address, length. */
static uint64_t console_write(struct machine *m, const uint64_t *call)
{
	uint64_t len = call[3];
	const uint8_t *text = cluster_ram(&m->cl, call[2], len);

	if (call[1] != 1 && call[1] != 2)
		return failed(m, EBADF_RESULT, call);
	if (!text)
		return failed(m, EFAULT_RESULT, call);
	len = len < WRITE_MAX ? len : WRITE_MAX;
	for (uint64_t n = 0; n < len; n++)
		machine_io_write(m, SERIAL_BASE, 1, text[n]);
	return len;
}

static void system_call(struct machine *m, uint64_t command, uint64_t block)
{
	const uint64_t *call = block & 7 ? NULL : cluster_ram(&m->cl, block, 32);

	if (!call) {
		unknown(m, "a block at", block);
		return;
	}
	switch (call[0]) {
	case SYS_WRITE:
		put(m, block, console_write(m, call));
		answer(m, command, 1);
		break;
	case SYS_EXIT:
		leave(m, call[1]);
		break;
	default:
		unknown(m, "the system call", call[0]);
		break;
	}
}

void htif_input(struct machine *m)
{
	uint64_t value;

	if (serial_ended(m->serial)) {
		machine_fail(m, "tohost: the program reads a character, but the input has ended");
		return;
	}
	if (!machine_io_read(m, SERIAL_BASE + UART_LSR, 1, &value) || !(value & UART_LSR_DATA) ||
	    !machine_io_read(m, SERIAL_BASE, 1, &value))
		return;
	m->htif.reading = 0;
	answer(m, (uint64_t)DEVICE_CONSOLE << 56 | (uint64_t)CONSOLE_READ << 48, 0x100 | value);
}

static void obey(struct machine *m, uint64_t command)
{
	uint64_t payload = command & 0xffffffffffff;
	unsigned which = command >> 48;

	if (which == (DEVICE_SYSTEM << 8) && payload & 1) {
		leave(m, payload >> 1);
	} else if (which == (DEVICE_SYSTEM << 8)) {
		system_call(m, command, payload);
	} else if (which == (DEVICE_CONSOLE << 8 | CONSOLE_WRITE)) {
		machine_io_write(m, SERIAL_BASE, 1, payload & 0xff);
	} else if (which == (DEVICE_CONSOLE << 8 | CONSOLE_READ)) {
		m->htif.reading = 1;
		htif_input(m);
	} else {
		unknown(m, "the command", command);
	}
}

static bool touches(uint64_t word, uint64_t pa, uint64_t len)
{
	return word && word + 8 > pa && word < pa + len;
}

void htif_written(struct machine *m, uint64_t pa, uint64_t len)
{
	struct htif *t = &m->htif;
	uint64_t command;

	if (touches(t->fromhost, pa, len))
		deliver(m);
	if (!touches(t->tohost, pa, len))
		return;
	command = *word(m, t->tohost);
	if (!command)
		return;
	put(m, t->tohost, 0);
	obey(m, command);
}

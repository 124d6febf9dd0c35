// SPDX-License-Identifier: BSD-2-Clause
/*
 * semihost.c - the few semihosting calls that tests and small programs use to print and to exit.
 *
 * Implements: RISC-V Semihosting 0.4, operations SYS_WRITEC, SYS_WRITE0, SYS_EXIT,
 * SYS_EXIT_EXTENDED; others return -1.
 */
#include <string.h>

#include "access.h"
#include "machine.h"
#include "semihost.h"

#define SYS_WRITEC	  0x03
#define SYS_WRITE0	  0x04
#define SYS_EXIT	  0x18
#define SYS_EXIT_EXTENDED 0x20

#define ADP_STOPPED_APPLICATION_EXIT 0x20026

#define HINT_BEFORE 0x01f01013 /* slli x0, x0, 31 */
#define HINT_AFTER  0x40705013 /* srai x0, x0, 7 */
#define EBREAK	    0x00100073

#define TEXT_MAX 4096

static bool read_word(struct hart *h, uint64_t va, unsigned bytes, uint64_t *value)
{
	*value = 0;
	return access_load(h, va, bytes, value);
}

static void write_text(struct hart *h, uint64_t va)
{
	uint64_t c;

	for (unsigned n = 0; n < TEXT_MAX && read_word(h, va + n, 1, &c) && c; n++) {
		if (machine_io_write(machine_of(h), SERIAL_BASE, 1, c))
			continue;
	}
}

static void finish(struct hart *h, uint64_t op, uint64_t arg)
{
	uint64_t reason = arg, code = 0;

	/* On RV64 both calls take the address of two words; some programs pass only the reason. */
	if (op == SYS_EXIT_EXTENDED || arg != ADP_STOPPED_APPLICATION_EXIT) {
		if (!read_word(h, arg, 8, &reason) || !read_word(h, arg + 8, 8, &code))
			reason = 0;
	}
	machine_finish(machine_of(h), reason == ADP_STOPPED_APPLICATION_EXIT ? code & 0xff : 1,
		       false);
}

/* Reads the instructions as data: without read permission for the page there is no semihosting. */
static bool between_hints(struct hart *h)
{
	uint64_t before, here, after;

	return read_word(h, h->pc - 4, 4, &before) && before == HINT_BEFORE &&
	       read_word(h, h->pc, 4, &here) && here == EBREAK &&
	       read_word(h, h->pc + 4, 4, &after) && after == HINT_AFTER;
}

bool semihost_call(struct hart *h)
{
	struct fault fault = h->fault;
	uint64_t op = h->x[10], arg = h->x[11], c;

	if (!between_hints(h)) {
		h->fault = fault;
		return false;
	}
	h->x[10] = 0;
	switch (op) {
	case SYS_WRITEC:
		if (read_word(h, arg, 1, &c))
			machine_io_write(machine_of(h), SERIAL_BASE, 1, c);
		break;
	case SYS_WRITE0:
		write_text(h, arg);
		break;
	case SYS_EXIT:
	case SYS_EXIT_EXTENDED:
		finish(h, op, arg);
		break;
	default:
		h->x[10] = UINT64_MAX;
		break;
	}
	return true;
}

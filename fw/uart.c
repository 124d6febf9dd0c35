// SPDX-License-Identifier: BSD-2-Clause
/*
 * uart.c - the 16550 that the device tree names as the console.
 *
 * The stage before has set its line; here it is only read and written.  Without one every
 * function quietly does nothing.  Calls nothing.
 */
#include "fw.h"

#define RBR	       0 /* read: received; write: to send */
#define LSR	       5
#define LSR_DATA_READY 0x01
#define LSR_THR_EMPTY  0x20
#define FIFO_SIZE      16
/* Turns to wait for room: a line that is held up must not hold up the machine. */
#define PATIENCE       1000000

static struct {
	volatile unsigned char *reg;
	unsigned shift, width;
} uart;

bool uart_init(const struct platform *p)
{
	uart.reg = (volatile unsigned char *)(uintptr_t)p->console.base;
	uart.shift = p->console_shift;
	uart.width = p->console_width;
	return uart.reg;
}

bool uart_present(void)
{
	return uart.reg;
}

static unsigned reg_read(unsigned n)
{
	volatile unsigned char *reg = uart.reg + (n << uart.shift);

	return uart.width == 4 ? *(volatile uint32_t *)reg : *reg;
}

static void reg_write(unsigned n, unsigned char value)
{
	volatile unsigned char *reg = uart.reg + (n << uart.shift);

	if (uart.width == 4)
		*(volatile uint32_t *)reg = value;
	else
		*reg = value;
}

static bool wait_for_room(void)
{
	unsigned n;

	for (n = 0; n < PATIENCE; n++) {
		if (reg_read(LSR) & LSR_THR_EMPTY)
			return true;
	}
	return false;
}

void uart_put(unsigned char c)
{
	if (uart.reg && wait_for_room())
		reg_write(RBR, c);
}

size_t uart_write(const unsigned char *s, size_t n)
{
	size_t done, burst;

	if (!uart.reg)
		return n;
	for (done = 0; done < n && reg_read(LSR) & LSR_THR_EMPTY;) {
		for (burst = 0; burst < FIFO_SIZE && done < n; burst++)
			reg_write(RBR, s[done++]);
	}
	return done;
}

int uart_get(void)
{
	if (!uart.reg || !(reg_read(LSR) & LSR_DATA_READY))
		return -1;
	return (int)(reg_read(RBR) & 0xff);
}

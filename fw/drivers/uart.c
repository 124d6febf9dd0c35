// SPDX-License-Identifier: BSD-2-Clause
/*
 * uart.c - the console: 16550 and compatible ones, SiFive's UART, Berkeley's HTIF.
 *
 * The boot stage before the firmware has set the speed of the line.  Without a console every
 * function does nothing.  Calls nothing but lib/fdt.
 */
#include <dtb.h>
#include <rv/xlen.h>

#include "uart.h"

/*
 * How often to read the status register while waiting for room: 20 ms at 10 reads a microsecond,
 * which is the time of 16 characters at 9600 baud.  A blocked line must not block the machine.
 */
#define PATIENCE 200000

static struct console uart;

static volatile uint32_t *word(unsigned offset)
{
	return (volatile uint32_t *)(uintptr_t)(uart.base + offset);
}

/* ---- 16550: registers of uart.width bytes, 1 << uart.shift bytes apart ---- */

#define RBR	       0 /* read: the received character; write: the character to send */
#define LSR	       5
#define LSR_DATA_READY 0x01
#define LSR_THR_EMPTY  0x20
#define FIFO_SIZE      16

static unsigned ns16550_read(unsigned n)
{
	volatile unsigned char *reg = (volatile unsigned char *)word(n << uart.shift);

	return uart.width == 4 ? *(volatile uint32_t *)reg : *reg;
}

static bool ns16550_has_room(void)
{
	return ns16550_read(LSR) & LSR_THR_EMPTY;
}

static void ns16550_put(unsigned char c)
{
	volatile unsigned char *reg = (volatile unsigned char *)word(RBR);

	if (uart.width == 4)
		*(volatile uint32_t *)reg = c;
	else
		*reg = c;
}

static int ns16550_get(void)
{
	return ns16550_read(LSR) & LSR_DATA_READY ? (int)(ns16550_read(RBR) & 0xff) : -1;
}

static const struct uart_driver ns16550 = {
	.size = 8,
	.align = 4,
	.has_room = ns16550_has_room,
	.burst = FIFO_SIZE,
	.put = ns16550_put,
	.get = ns16550_get,
};

/* ---- SiFive's UART (FU540-C000 manual, chapter 13) ---- */

#define SIFIVE_TXDATA 0x00
#define SIFIVE_RXDATA 0x04
#define SIFIVE_TXCTRL 0x08
#define SIFIVE_RXCTRL 0x0c
#define SIFIVE_FLAG   0x80000000u /* txdata: full; rxdata: empty */
#define SIFIVE_ENABLE 1u

static void sifive_setup(void)
{
	*word(SIFIVE_TXCTRL) |= SIFIVE_ENABLE;
	*word(SIFIVE_RXCTRL) |= SIFIVE_ENABLE;
}

static bool sifive_has_room(void)
{
	return !(*word(SIFIVE_TXDATA) & SIFIVE_FLAG);
}

static void sifive_put(unsigned char c)
{
	*word(SIFIVE_TXDATA) = c;
}

static int sifive_get(void)
{
	uint32_t data = *word(SIFIVE_RXDATA);

	return data & SIFIVE_FLAG ? -1 : (int)(data & 0xff);
}

static const struct uart_driver sifive = {
	.size = 0x1c,
	.align = 4,
	.setup = sifive_setup,
	.has_room = sifive_has_room,
	.burst = 1,
	.put = sifive_put,
	.get = sifive_get,
};

/*
 * ---- HTIF: two 64-bit words, fromhost and tohost; device 1 is the terminal.  The reader of a word
 * sets it to 0 when it has taken it.
 */

#define HTIF_FROM  0
#define HTIF_TO	   8
#define HTIF_READ  0x0100 /* device and command: bits 63:48 */
#define HTIF_WRITE 0x0101

/* True while a request for a character is pending. */
static bool htif_asked;

static bool htif_has_room(void)
{
	return !*word(HTIF_TO) && !*word(HTIF_TO + 4);
}

static void htif_send(unsigned what, unsigned char c)
{
	if (RV_XLEN == 64) {
		*(volatile uint64_t *)word(HTIF_TO) = (uint64_t)what << 48 | c;
		return;
	}
	/* The host acts when the upper half is written. */
	*word(HTIF_TO) = c;
	*word(HTIF_TO + 4) = what << 16;
}

static void htif_put(unsigned char c)
{
	htif_send(HTIF_WRITE, c);
}

static int htif_get(void)
{
	int c;

	if (!htif_asked && htif_has_room()) {
		htif_send(HTIF_READ, 0);
		htif_asked = true;
	}
	if (!*word(HTIF_FROM) && !*word(HTIF_FROM + 4))
		return -1;
	c = (int)(*word(HTIF_FROM) & 0xff);
	*word(HTIF_FROM) = 0;
	*word(HTIF_FROM + 4) = 0;
	htif_asked = false;
	return c;
}

static const struct uart_driver htif = {
	.size = 16,
	.align = 8,
	.has_room = htif_has_room,
	.burst = 1,
	.put = htif_put,
	.get = htif_get,
};

const struct uart_driver *uart_driver_of(const struct dtb *t, uint32_t node)
{
	static const struct {
		const char *compatible;
		const struct uart_driver *driver;
	} rows[] = {
		{ "ns16550a", &ns16550 },	  { "ns16550", &ns16550 },
		{ "snps,dw-apb-uart", &ns16550 }, { "intel,xscale-uart", &ns16550 },
		{ "spacemit,k1-uart", &ns16550 }, { "sifive,uart0", &sifive },
		{ "ucb,htif0", &htif },
	};
	unsigned i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (dtb_compatible(t, node, rows[i].compatible))
			return rows[i].driver;
	}
	return NULL;
}

bool uart_init(const struct console *c)
{
	uart = *c;
	if (uart.driver && uart.driver->setup)
		uart.driver->setup();
	return uart.driver;
}

bool uart_present(void)
{
	return uart.driver;
}

/*
 * Waits for room.  After a wait without success the status is read only once for each character,
 * until there is room again: a blocked line costs one wait in all, not one for each character.
 */
static bool wait_for_room(void)
{
	static bool held_up;
	unsigned n, patience = held_up ? 1 : PATIENCE;

	for (n = 0; n < patience; n++) {
		if (uart.driver->has_room()) {
			held_up = false;
			return true;
		}
	}
	held_up = true;
	return false;
}

bool uart_put(unsigned char c)
{
	if (!uart.driver)
		return true;
	if (!wait_for_room())
		return false;
	uart.driver->put(c);
	return true;
}

size_t uart_write(const unsigned char *s, size_t n)
{
	size_t done, burst;

	if (!uart.driver)
		return n;
	for (done = 0; done < n && uart.driver->has_room();) {
		for (burst = 0; burst < uart.driver->burst && done < n; burst++)
			uart.driver->put(s[done++]);
	}
	return done;
}

int uart_get(void)
{
	return uart.driver ? uart.driver->get() : -1;
}

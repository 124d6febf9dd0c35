/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uart.h - the console's device, if there is one.
 */
#ifndef FW_UART_H
#define FW_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dtb;

struct uart_driver {
	unsigned size; /* bytes of registers, before reg-shift */
	unsigned align; /* the address of the registers must be a multiple of it; a power of two */
	void (*setup)(void);
	bool (*has_room)(void);
	unsigned burst; /* characters that may be sent after has_room() is true */
	void (*put)(unsigned char c);
	int (*get)(void); /* -1: nothing received */
};

struct console {
	uint64_t base;
	const struct uart_driver *driver; /* NULL: no console */
	unsigned shift, width;
};

/* The driver of a node; NULL if there is none. */
const struct uart_driver *uart_driver_of(const struct dtb *t, uint32_t node);
/* Selects the console for the functions below; false if it has no driver. */
bool uart_init(const struct console *c);
/* Sends c after a bounded wait for room; false if there was no room and c is lost. */
bool uart_put(unsigned char c);
/* Sends as many characters as there is room for; returns their number. */
size_t uart_write(const unsigned char *s, size_t n);
/* The next character received, or -1. */
int uart_get(void);
bool uart_present(void);

#endif

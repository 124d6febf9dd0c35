// SPDX-License-Identifier: BSD-2-Clause
/*
 * print.c - lines on the console.  The formats are listed in print.h.
 */
#include <stdarg.h>

#include "print.h"
#include "uart.h"

/* Loop turns to wait for another hart's text.  After them the texts mix: better than no text. */
#define PATIENCE 1000000

static int locked;

void console_lock(void)
{
	unsigned n;

	for (n = 0; n < PATIENCE && __atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE); n++)
		;
}

void console_unlock(void)
{
	__atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
}

static void put(char c)
{
	if (c == '\n')
		uart_put('\r');
	uart_put((unsigned char)c);
}

/* Prints s, then blanks up to width. */
static void put_string(const char *s, unsigned width)
{
	unsigned n;

	for (n = 0; s[n]; n++)
		put(s[n]);
	for (; n < width; n++)
		put(' ');
}

static void put_number(uint64_t value, unsigned base, unsigned width)
{
	char text[24], *p = text + sizeof(text);

	*--p = '\0';
	/* RV32 has no 64-bit division without a library: subtract and shift. */
	do {
		uint64_t rest = value;
		unsigned digit;

		if (base == 16) {
			digit = value & 15;
			value >>= 4;
		} else {
			value = 0;
			for (int bit = 60; bit >= 0; bit--) {
				if (rest >> bit >= 10) {
					rest -= (uint64_t)10 << bit;
					value |= (uint64_t)1 << bit;
				}
			}
			digit = (unsigned)rest;
		}
		*--p = "0123456789abcdef"[digit];
	} while (value);
	put_string(p, width);
}

/* Counts the letters l at *format and moves *format past them. */
static unsigned length_modifier(const char **format)
{
	unsigned n = 0;

	for (; **format == 'l'; ++*format)
		n++;
	return n;
}

static uint64_t next_unsigned(va_list *args, unsigned longs)
{
	if (longs == 2)
		return va_arg(*args, uint64_t);
	return longs ? va_arg(*args, unsigned long) : va_arg(*args, unsigned);
}

static const char *put_field(const char *f, va_list *args)
{
	unsigned width = 0, longs;
	int number;

	if (*f == '-')
		f++;
	for (; *f >= '0' && *f <= '9'; f++)
		width = 10 * width + (unsigned)(*f - '0');
	longs = length_modifier(&f);
	switch (*f) {
	case 's':
		put_string(va_arg(*args, const char *), width);
		break;
	case 'd':
		number = va_arg(*args, int);
		if (number < 0)
			put('-');
		put_number(number < 0 ? -(uint64_t)number : (uint64_t)number, 10, width);
		break;
	case 'u':
		put_number(next_unsigned(args, longs), 10, width);
		break;
	case 'x':
		put_number(next_unsigned(args, longs), 16, width);
		break;
	default:
		put(*f);
	}
	return f;
}

void print(const char *format, ...)
{
	va_list args;
	const char *f;

	if (!uart_present())
		return;
	va_start(args, format);
	console_lock();
	for (f = format; *f; f++) {
		if (*f == '%' && f[1])
			f = put_field(f + 1, &args);
		else
			put(*f);
	}
	console_unlock();
	va_end(args);
}

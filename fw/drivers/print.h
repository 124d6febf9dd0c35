/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.h - lines on the console.
 */
#ifndef FW_PRINT_H
#define FW_PRINT_H

/*
 * %s string, %d int, %u unsigned, %x unsigned in hex, %lx and %lu rv_ulong, %llx uint64_t; %-Ns and
 * %-Nu pad with blanks on the right.  The texts of two calls on two harts do not mix.
 */
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void console_lock(void);
void console_unlock(void);

#endif

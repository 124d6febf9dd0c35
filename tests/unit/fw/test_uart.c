// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_uart.c - fw/drivers/uart.c and print.c: the registers that each kind of console reads and
 * writes, and how long a hart waits for a blocked line or for another hart that prints.  The
 * registers are memory, so that a test sees the last write only.
 */
#include "tap.h"
#include "dtbgen.h"
#include <dtb.h>
#include <machine.h>
#include <print.h>
#include <uart.h>

static union {
	unsigned char byte[64];
	uint32_t word[16];
	uint64_t dword[8];
} reg __attribute__((aligned(8)));

/* Opens a console of this kind. */
static void use(const char *compatible, unsigned shift, unsigned width)
{
	struct console c = { (uintptr_t)&reg, NULL, shift, width };
	unsigned char *blob;
	uint32_t total;
	struct dtb t;

	dtbgen_start();
	begin("");
	begin("console");
	prop_string("compatible", compatible);
	end();
	end();
	blob = dtbgen_finish(false, 0, &total);
	ok(!dtb_open(&t, blob, total));
	c.driver = uart_driver_of(&t, dtb_path(&t, "/console"));
	ok(!uart_driver_of(&t, dtb_root(&t)));
	memset(&reg, 0, sizeof(reg));
	is(uart_init(&c), c.driver != NULL);
	is(uart_present(), c.driver != NULL);
	free(blob);
}

static void drives_16550(void)
{
	use("ns16550a", 0, 1);
	is(uart_write((const unsigned char *)"ab", 2), 0);
	is((uint64_t)uart_get(), (uint64_t)-1);
	reg.byte[5] = 0x20;
	is(uart_write((const unsigned char *)"ab", 2), 2);
	is(reg.byte[0], 'b');
	reg.byte[5] = 0x01;
	is(uart_get(), 'b');
	use("snps,dw-apb-uart", 2, 4);
	reg.word[0] = 0x01020304;
	reg.word[5] = 0x20;
	uart_put('x');
	is(reg.word[0], 'x');
	reg.word[5] = 0x01;
	is(uart_get(), 'x');
}

static void drives_sifive(void)
{
	use("sifive,uart0", 0, 1);
	is(reg.word[2], 1);
	is(reg.word[3], 1);
	uart_put('s');
	is(reg.word[0], 's');
	reg.word[0] = 0x80000000;
	is(uart_write((const unsigned char *)"ab", 2), 0);
	reg.word[1] = 0x80000000;
	is((uint64_t)uart_get(), (uint64_t)-1);
	reg.word[1] = 'r';
	is(uart_get(), 'r');
}

static void drives_htif(void)
{
	use("ucb,htif0", 0, 1);
	uart_put('h');
	is(reg.dword[1], (uint64_t)0x0101 << 48 | 'h');
	/* The host has not taken the character. */
	is(uart_write((const unsigned char *)"ab", 2), 0);
	is((uint64_t)uart_get(), (uint64_t)-1);
	is(reg.dword[1], (uint64_t)0x0101 << 48 | 'h');
	reg.dword[1] = 0;
	is((uint64_t)uart_get(), (uint64_t)-1);
	is(reg.dword[1], (uint64_t)0x0100 << 48);
	/* One request; its answer is taken once. */
	reg.dword[1] = 0;
	is((uint64_t)uart_get(), (uint64_t)-1);
	is(reg.dword[1], 0);
	reg.dword[0] = (uint64_t)0x0100 << 48 | 'k';
	is(uart_get(), 'k');
	is(reg.dword[0], 0);
}

static void does_without(void)
{
	use("vendor,uart", 0, 1);
	uart_put('x');
	is(uart_write((const unsigned char *)"ab", 2), 2);
	is((uint64_t)uart_get(), (uint64_t)-1);
	is(reg.dword[0], 0);
}

/* The line has room from poll number room_at on. */
static unsigned long looks, room_at;
static unsigned char last;

static bool look(void)
{
	return ++looks >= room_at;
}

static void put_last(unsigned char c)
{
	last = c;
}

static int get_none(void)
{
	return -1;
}

static void use_slow(void)
{
	static const struct uart_driver slow = {
		.has_room = look, .burst = 1, .put = put_last, .get = get_none
	};
	struct console c = { .driver = &slow };

	ok(uart_init(&c));
	/* ends a block that an earlier case left behind */
	room_at = 0;
	ok(uart_put('?'));
	looks = 0;
}

/* A blocked line costs one long wait, then one poll for each character until it moves. */
static void a_line_that_is_held_up(void)
{
	unsigned i;

	use_slow();
	room_at = 200000;
	ok(uart_put('a'));
	is(looks, 200000);
	is(last, 'a');
	room_at = (unsigned long)-1;
	looks = 0;
	ok(!uart_put('b'));
	is(looks, 200000);
	for (i = 0; i < 1000; i++)
		ok(!uart_put('c'));
	is(looks, 201000);
	print("1234567\n"); /* 8 characters and a carriage return */
	is(looks, 201009);
	is(last, 'a');
	room_at = looks + 1;
	ok(uart_put('d'));
	is(last, 'd');
	/* The line has moved: the next character may wait long again. */
	room_at = looks + 1000;
	ok(uart_put('e'));
	is(last, 'e');
}

static void write_does_not_wait(void)
{
	use_slow();
	room_at = (unsigned long)-1;
	is(uart_write((const unsigned char *)"abc", 3), 0);
	is(looks, 1);
}

/* A hart that died while it held the lock does not stop the others from printing. */
static void the_lock_is_not_waited_for_for_ever(void)
{
	use_slow();
	console_lock();
	print("x\n");
	is(last, '\n');
	console_lock();
	console_unlock();
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "16550, with bytes and with words", drives_16550 },
		{ "SiFive's UART", drives_sifive },
		{ "HTIF", drives_htif },
		{ "no console", does_without },
		{ "a blocked line costs one wait", a_line_that_is_held_up },
		{ "uart_write does not wait", write_does_not_wait },
		{ "the wait for the lock ends", the_lock_is_not_waited_for_for_ever },
	};

	return tap_run(cases, TAP_NR(cases));
}

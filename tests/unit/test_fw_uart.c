// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_fw_uart.c - fw/uart.c: which registers each kind of console reads and writes.  The registers are
 * memory, so that what was written last is what can be seen.
 */
#include "tap.h"
#include "dtbgen.h"
#include <fw.h>

static union {
	unsigned char byte[64];
	uint32_t word[16];
	uint64_t dword[8];
} reg __attribute__((aligned(8)));

/* Makes a console of that kind the one in use. */
static void use(const char *compatible, unsigned shift, unsigned width)
{
	struct platform p = { .console = { (uintptr_t)&reg, NULL, shift, width } };
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
	p.console.driver = uart_driver_of(&t, dtb_path(&t, "/console"));
	ok(!uart_driver_of(&t, dtb_root(&t)));
	memset(&reg, 0, sizeof(reg));
	is(uart_init(&p), p.console.driver != NULL);
	is(uart_present(), p.console.driver != NULL);
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
	/* The host has not taken it. */
	is(uart_write((const unsigned char *)"ab", 2), 0);
	is((uint64_t)uart_get(), (uint64_t)-1);
	is(reg.dword[1], (uint64_t)0x0101 << 48 | 'h');
	reg.dword[1] = 0;
	is((uint64_t)uart_get(), (uint64_t)-1);
	is(reg.dword[1], (uint64_t)0x0100 << 48);
	/* Asked once; the answer is taken once. */
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

int main(void)
{
	static const struct tap_case cases[] = {
		{ "16550, with bytes and with words", drives_16550 },
		{ "SiFive's UART", drives_sifive },
		{ "HTIF", drives_htif },
		{ "no console", does_without },
	};

	return tap_run(cases, TAP_NR(cases));
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* test_serial.c - the UART: registers, interrupts, FIFOs, host descriptors. */
#include <fcntl.h>
#include <unistd.h>

#include "dev_board.h"
#include "tap.h"

#define IRQ SERIAL_IRQ

static struct fake f;
static int in[2], out[2]; /* pipes */

static struct device *make(void)
{
	fake_init(&f);
	if (pipe(in) || pipe(out))
		abort();
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	return serial_create(&f.board, fake_irq(&f, IRQ), in[0], out[1]);
}

static void end(struct device *d)
{
	d->destroy(d);
	for (unsigned i = 0; i < 2; i++) {
		close(in[i]);
		close(out[i]);
	}
	ok(fake_end(&f));
}

/* Returns what the UART has sent so far. */
static const char *output(void)
{
	static char text[9000];
	ssize_t n = read(out[0], text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = 0;
	return text;
}

static void type(struct device *d, const char *text)
{
	ok(write(in[1], text, strlen(text)) == (ssize_t)strlen(text));
	fake_input(&f, 10);
}

static void put_out(void)
{
	struct device *d = make();

	is(rd(d, 5, 1), 0x60);
	wr(d, 0, 1, 'h');
	wr(d, 0, 1, 'i');
	is_str(output(), "");
	fake_time(&f, 999999);
	is_str(output(), "");
	fake_time(&f, 1000000);
	is_str(output(), "hi");
	for (unsigned i = 0; i < 5000; i++)
		wr(d, 0, 1, 'x');
	is(strlen(output()), 4096);
	d->reset(d);
	is(strlen(output()), 904);
	end(d);
}

static void transmit_interrupt(void)
{
	struct device *d = make();

	is(rd(d, 2, 1), 0x01);
	wr(d, 1, 1, 0x02);
	ok(f.line[IRQ]);
	/* Only reading IIR or writing THR clears the interrupt; a byte in THR is sent at once. */
	is(rd(d, 5, 1), 0x60);
	is(rd(d, 0, 1), 0);
	wr(d, 0, 1, 'a');
	ok(f.line[IRQ]);
	is(rd(d, 2, 1), 0x02);
	ok(!f.line[IRQ]);
	is(rd(d, 2, 1), 0x01);
	wr(d, 0, 1, 'a');
	ok(f.line[IRQ]);
	wr(d, 1, 1, 0);
	ok(!f.line[IRQ]);
	end(d);
}

static void receive(void)
{
	struct device *d = make();

	wr(d, 1, 1, 0x01);
	type(d, "ab");
	/* Without FIFOs one byte at a time; the second waits in the host. */
	ok(f.line[IRQ]);
	is(rd(d, 2, 1), 0x04);
	is(rd(d, 5, 1), 0x61);
	is(rd(d, 0, 1), 'a');
	ok(!f.line[IRQ]);
	fake_input(&f, 1);
	is(rd(d, 0, 1), 'b');
	wr(d, 2, 1, 0xc1); /* FIFOs on, trigger at 14 */
	is(rd(d, 2, 1), 0xc1);
	type(d, "0123456789abcdefgh");
	is(rd(d, 2, 1), 0xc4);
	for (unsigned i = 0; i < 16; i++)
		is(rd(d, 0, 1), "0123456789abcdef"[i]);
	is(rd(d, 5, 1), 0x60);
	fake_input(&f, 1);
	is(rd(d, 2, 1), 0xcc); /* fewer than 14: timed out */
	is(rd(d, 0, 1), 'g');
	wr(d, 2, 1, 0xc3); /* clears the receive FIFO */
	is(rd(d, 5, 1), 0x60);
	ok(!f.line[IRQ]);
	/* The end of input: no more interrupts. */
	close(in[1]);
	is(fake_input(&f, 10), 1);
	is(rd(d, 5, 1), 0x60);
	end(d);
}

static void loopback(void)
{
	struct device *d = make();

	wr(d, 4, 1, 0x10);
	is(rd(d, 6, 1) & 0xf0, 0);
	wr(d, 4, 1, 0x1a); /* as Linux probes: OUT2 and RTS */
	is(rd(d, 6, 1) & 0xf0, 0x90);
	wr(d, 1, 1, 0x04);
	wr(d, 0, 1, 'a');
	wr(d, 0, 1, 'b');
	is(rd(d, 2, 1), 0x06);
	is(rd(d, 5, 1), 0x63);
	is(rd(d, 5, 1), 0x61);
	is(rd(d, 0, 1), 'a');
	fake_time(&f, 10000000);
	is_str(output(), "");
	end(d);
}

static void plain_registers(void)
{
	struct device *d = make();

	wr(d, 7, 1, 0x5a);
	is(rd(d, 7, 1), 0x5a);
	wr(d, 3, 1, 0x83);
	wr(d, 0, 1, 0x34);
	wr(d, 1, 1, 0x12);
	is(rd(d, 0, 1), 0x34);
	is(rd(d, 1, 1), 0x12);
	wr(d, 3, 1, 0x03);
	is(rd(d, 1, 1), 0);
	is(rd(d, 0, 1), 0);
	is(rd(d, 8, 1), 0);
	is(rd(d, 6, 1), 0xb0);
	end(d);
}

static void snapshot(void)
{
	struct device *d = make();

	wr(d, 2, 1, 0x01);
	wr(d, 1, 1, 0x01);
	type(d, "abc");
	is(rd(d, 0, 1), 'a');
	wr(d, 0, 1, 'x');
	ok(fake_save(&f, d));
	is_str(output(), "x");
	d->reset(d);
	ok(!f.line[IRQ]);
	ok(fake_restore(&f, d));
	ok(f.line[IRQ]);
	is(rd(d, 0, 1), 'b');
	is(rd(d, 0, 1), 'c');
	ok(!f.line[IRQ]);
	/* A FIFO with an impossible state. */
	memset(f.shot, 0xff, f.shot_len);
	ok(!fake_restore(&f, d));
	is(rd(d, 5, 1), 0x60);
	end(d);
}

static void nobody_there(void)
{
	struct device *d;

	fake_init(&f);
	d = serial_create(&f.board, fake_irq(&f, IRQ), -1, -1);
	wr(d, 0, 1, 'a');
	fake_time(&f, 10000000);
	is(rd(d, 5, 1), 0x60);
	d->destroy(d);
	ok(fake_end(&f));
}

/*
 * At the end of the machine a reader that takes nothing is not waited for; one that reads gets all.
 */
static void at_the_end(void)
{
	struct device *d = make();
	static char full[4096];
	int ends[2];

	ok(!pipe(ends));
	f.board.end_fd = ends[0];
	is(write(ends[1], "x", 1), 1);
	wr(d, 0, 1, 'a');
	fake_time(&f, 1000000);
	is_str(output(), "a");
	fcntl(out[1], F_SETFL, O_NONBLOCK);
	while (write(out[1], full, sizeof(full)) > 0)
		continue;
	fcntl(out[1], F_SETFL, 0);
	wr(d, 0, 1, 'b');
	fake_time(&f, 2000000);
	while (read(out[0], full, sizeof(full)) > 0)
		ok(!memchr(full, 'b', sizeof(full)));
	end(d);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "output comes out in time", put_out },
		{ "the transmit interrupt", transmit_interrupt },
		{ "input, with and without FIFOs", receive },
		{ "loopback", loopback },
		{ "divisor, scratch, modem", plain_registers },
		{ "state survives a snapshot", snapshot },
		{ "without descriptors", nobody_there },
		{ "output at the end of the machine", at_the_end },
	};

	return tap_run(cases, TAP_NR(cases));
}

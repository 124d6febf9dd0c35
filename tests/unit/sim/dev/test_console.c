/* SPDX-License-Identifier: BSD-2-Clause */
/* test_console.c - terminals and byte streams over virtio. */
#include <fcntl.h>
#include <unistd.h>

#include "dev_driver.h"
#include "tap.h"

#define IRQ	  3
#define MULTIPORT 2ull

/* Ports: 0 a terminal, 1 a stream in, 2 a stream out. */
static struct fake f;
static struct driver g;
static int in[2][2], out[2][2];

static const unsigned rx[] = { 0, 4, 6 }, tx[] = { 1, 5, 7 };
#define CONTROL_RX 2
#define CONTROL_TX 3

static unsigned outputs; /* how often port 2 was about to write */

static void on_output(void *arg)
{
	char byte;

	outputs++;
	ok(arg == &outputs && read(out[1][0], &byte, 1) < 0); /* nothing is there yet */
}

static void start(uint64_t features)
{
	struct virtio_console_port ports[3] = {
		{ .console = true },
		{ .name = "holter.in", .out = -1 },
		{ .name = "holter.out", .in = -1, .output = on_output, .output_arg = &outputs },
	};

	fake_init(&f);
	for (unsigned i = 0; i < 2; i++) {
		if (pipe(in[i]) || pipe(out[i]))
			abort();
		fcntl(out[i][0], F_SETFL, O_NONBLOCK);
	}
	ports[0].in = in[0][0];
	ports[0].out = out[0][1];
	ports[1].in = in[1][0];
	ports[2].out = out[1][1];
	driver_init(&g, &f,
		    virtio_console_create((struct virtio_slot){ &f.board, 2, fake_irq(&f, IRQ) },
					  ports, 3),
		    features, features & MULTIPORT ? 8 : 2);
}

static void end(void)
{
	g.d->destroy(g.d);
	for (unsigned i = 0; i < 4; i++) {
		close(in[i / 2][i % 2]);
		close(out[i / 2][i % 2]);
	}
	ok(fake_end(&f));
}

static void type(unsigned pipe_nr, const char *text)
{
	ok(write(in[pipe_nr][1], text, strlen(text)) == (ssize_t)strlen(text));
	fake_input(&f, 20);
}

static const char *output(unsigned pipe_nr)
{
	static char text[9000];
	ssize_t n;

	fake_time(&f, f.now + 1000000);
	n = read(out[pipe_nr][0], text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = 0;
	return text;
}

/* Gives a queue an in buffer; got reads what the device returned in it. */
static uint64_t give(unsigned q, uint32_t len)
{
	uint64_t b = buffer(&g, NULL, len);

	offer(&g, q, chain(&g, q, 0, 0, b, len));
	return b;
}

static const char *got(unsigned q, uint64_t b)
{
	static char text[4096];
	uint32_t head, len;

	if (!taken(&g, q, &head, &len))
		return NULL;
	memcpy(text, at(&f, b), len);
	text[len] = 0;
	return text;
}

static void put(unsigned q, const char *text)
{
	uint32_t head, len;

	offer(&g, q, chain(&g, q, buffer(&g, text, strlen(text)), (uint32_t)strlen(text), 0, 0));
	ok(taken(&g, q, &head, &len));
	is(len, 0);
}

static void one_port(void)
{
	uint64_t b;

	start(0);
	is(rd(g.d, REG_CONFIG + 4, 4), 3);
	put(tx[0], "hello");
	put(tx[0], ", world");
	is_str(output(0), "hello, world");
	wr(g.d, REG_CONFIG + 8, 4, '!');
	is_str(output(0), "!");
	/* Input waits in the host until there is a buffer. */
	type(0, "abc");
	b = give(rx[0], 2);
	is_str(got(rx[0], b), NULL);
	fake_input(&f, 5);
	is_str(got(rx[0], b), "ab");
	b = give(rx[0], 2);
	is_str(got(rx[0], b), "c");
	b = give(rx[0], 100);
	is_str(got(rx[0], b), NULL);
	type(0, "late");
	is_str(got(rx[0], b), "late");
	ok(f.line[IRQ]);
	end();
}

/* Sends a control message. */
static void control(uint32_t id, uint16_t event, uint16_t value)
{
	struct {
		uint32_t id;
		uint16_t event, value;
	} m = { id, event, value };
	uint32_t head, len;

	offer(&g, CONTROL_TX, chain(&g, CONTROL_TX, buffer(&g, &m, 8), 8, 0, 0));
	ok(taken(&g, CONTROL_TX, &head, &len));
}

/* Expects a control message in a new buffer. */
static void expect(uint32_t id, uint16_t event, uint16_t value, const char *name)
{
	uint64_t b = give(CONTROL_RX, 64);
	const char *m = got(CONTROL_RX, b);

	ok(m != NULL);
	if (!m)
		return;
	is(get32(&f, b), id);
	is(get16(&f, b + 4), event);
	is(get16(&f, b + 6), value);
	is_str(m + 8, name);
}

static void expect_none(void)
{
	uint64_t b = give(CONTROL_RX, 64);

	is_str(got(CONTROL_RX, b), NULL);
}

static void handshake(void)
{
	control(0, 0, 1);
	for (unsigned i = 0; i < 3; i++)
		expect(i, 1, 1, "");
	control(0, 3, 1);
	expect(0, 4, 1, "");
	expect(0, 6, 1, "");
	control(1, 3, 1);
	expect(1, 7, 1, "holter.in");
	expect(1, 6, 1, "");
	control(2, 3, 1);
	expect(2, 7, 1, "holter.out");
	expect(2, 6, 1, "");
	/* Invalid messages change nothing. */
	control(3, 3, 1);
	control(0xffffffff, 6, 1);
	control(0, 99, 1);
}

static void streams(void)
{
	uint64_t b;

	start(MULTIPORT);
	handshake();
	b = give(rx[1], 100);
	type(1, "data");
	/* The guest has not opened the port. */
	is_str(got(rx[1], b), NULL);
	control(1, 6, 1);
	fake_input(&f, 5);
	is_str(got(rx[1], b), "data");
	/* The end of input closes the port, after the data. */
	b = give(rx[1], 100);
	type(1, "last");
	close(in[1][1]);
	in[1][1] = -1;
	is_str(got(rx[1], b), "last");
	give(rx[1], 100);
	fake_input(&f, 5);
	expect(1, 6, 0, "");
	/* A stream out stays open although it has no input. */
	control(2, 6, 1);
	give(rx[2], 10);
	fake_input(&f, 5);
	expect_none();
	put(tx[2], "result");
	outputs = 0;
	is_str(output(1), "result");
	is(outputs, 1);
	end();
}

static void snapshot(void)
{
	uint64_t b;

	start(MULTIPORT);
	handshake();
	control(1, 6, 1);
	b = give(rx[1], 2);
	type(1, "abcdef");
	is_str(got(rx[1], b), "ab");
	put(tx[2], "kept");
	ok(fake_save(&f, g.d));
	is_str(output(1), "kept");
	ok(fake_restore(&f, g.d));
	b = give(rx[1], 100);
	is_str(got(rx[1], b), "cdef");
	memset(f.shot + f.shot_len - 2060, 0xff, 2060);
	ok(!fake_restore(&f, g.d));
	end();
}

/* A guest is restored with other descriptors: the device tells it the new state of its ports. */
static void other_descriptors(void)
{
	struct virtio_console_port ports[3] = {
		{ .console = true, .in = -1, .out = -1 },
		{ .name = "holter.in", .in = -1, .out = -1 },
		{ .name = "holter.out", .in = -1, .out = -1 },
	};
	uint16_t avail[20], used[20];
	unsigned desc;
	struct device *d;

	start(MULTIPORT);
	handshake();
	ok(fake_save(&f, g.d));
	memcpy(avail, g.avail, sizeof(avail));
	memcpy(used, g.used, sizeof(used));
	desc = g.desc;
	d = virtio_console_create((struct virtio_slot){ &f.board, 2, fake_irq(&f, IRQ) }, ports, 3);
	g.d->destroy(g.d);
	g.d = d;
	ok(fake_restore(&f, d));
	g.desc = desc;
	expect(0, 6, 0, "");
	expect(1, 6, 0, "");
	end();
}

static void hostile(void)
{
	start(MULTIPORT);
	/* Short control messages, empty buffers, wrong directions. */
	offer(&g, CONTROL_TX, chain(&g, CONTROL_TX, buffer(&g, "\0\0\0\0\0\0\1", 7), 7, 0, 0));
	offer(&g, CONTROL_TX, chain(&g, CONTROL_TX, 0, 0, BUFFERS_AT, 8));
	control(0, 0, 1);
	offer(&g, CONTROL_RX, chain(&g, CONTROL_RX, BUFFERS_AT, 8, 0, 0));
	offer(&g, rx[0], chain(&g, rx[0], BUFFERS_AT, 8, 0, 0));
	control(0, 6, 1);
	type(0, "x");
	offer(&g, tx[0], chain(&g, tx[0], 0, 0, BUFFERS_AT, 8));
	ok(!needs_reset(&g));
	is_str(output(0), "");
	for (unsigned q = 8; q < 40; q++)
		wr(g.d, REG_NOTIFY, 4, q);
	end();
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a driver with a single port", one_port },
		{ "streams open, carry data and close", streams },
		{ "state survives a snapshot", snapshot },
		{ "a restore with other descriptors", other_descriptors },
		{ "a hostile driver", hostile },
	};

	return tap_run(cases, TAP_NR(cases));
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* test_net.c - the network card: frames both ways, and frames of a hostile driver. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dev_driver.h"
#include "tap.h"

#define IRQ 4
#define RX  0
#define TX  1

static struct fake f;
static struct driver g;
static struct error_text why;

static struct device *open_card(const struct virtio_net_options *o)
{
	return virtio_net_create((struct virtio_slot){ &f.board, 3, fake_irq(&f, IRQ) }, o, &why);
}

/* Prints a note and returns false in a build without network. */
static bool start(void)
{
	const struct virtio_net_options o = { .restricted = true };
	struct device *d;

	fake_init(&f);
	d = open_card(&o);
	if (!d) {
		printf("# %s\n", why.text);
		ok(strstr(why.text, "libslirp") != NULL);
		fake_end(&f);
		return false;
	}
	driver_init(&g, &f, d, 0, 2);
	return true;
}

static void end(void)
{
	g.d->destroy(g.d);
	ok(fake_end(&f));
}

/* An ARP request for 10.0.2.2 from 10.0.2.15, after an empty virtio header. */
static const unsigned char arp[12 + 42] = {
	[12] = 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x52, 0x54, 0x00, 0x12, 0x34, 0x56, 0x08, 0x06,
	0x00,	     0x01, 0x08, 0x00, 0x06, 0x04, 0x00, 0x01, 0x52, 0x54, 0x00, 0x12, 0x34, 0x56,
	10,	     0,	   2,	 15,   0,    0,	   0,	 0,    0,    0,	   10,	 0,    2,    2,
};

static uint64_t give(uint32_t len)
{
	uint64_t b = buffer(&g, NULL, len);

	offer(&g, RX, chain(&g, RX, 0, 0, b, len));
	return b;
}

static void send_arp(void)
{
	uint32_t head, len;

	offer(&g, TX, chain(&g, TX, buffer(&g, arp, sizeof(arp)), sizeof(arp), 0, 0));
	ok(taken(&g, TX, &head, &len));
}

static void frames(void)
{
	uint32_t head, len;
	uint64_t b;

	if (!start())
		return;
	is(rd(g.d, REG_CONFIG, 4), 0x12005452);
	is(rd(g.d, REG_CONFIG + 6, 2), 1);
	b = give(1600);
	send_arp();
	ok(taken(&g, RX, &head, &len));
	ok(len >= 12 + 42);
	is(get16(&f, b + 10), 1);
	is(get16(&f, b + 12 + 12), 0x0608);
	is(get16(&f, b + 12 + 20), 0x0200);
	is(get32(&f, b + 12 + 28), 0x0202000a);
	ok(f.line[IRQ]);
	/* Without a buffer the answer waits, also across a snapshot. */
	send_arp();
	ok(!taken(&g, RX, &head, &len));
	ok(fake_save(&f, g.d));
	ok(fake_restore(&f, g.d));
	b = give(1600);
	ok(taken(&g, RX, &head, &len));
	is(get32(&f, b + 12 + 28), 0x0202000a);
	/* A full backlog loses frames and nothing else. */
	for (unsigned i = 0; i < 100; i++)
		send_arp();
	for (unsigned i = 0; i < 64; i++) {
		give(64);
		ok(taken(&g, RX, &head, &len));
	}
	give(64);
	ok(!taken(&g, RX, &head, &len));
	memset(f.shot + f.shot_len - 16, 0xff, 16);
	ok(fake_restore(&f, g.d)); /* only bytes of a frame */
	memset(f.shot, 0xff, f.shot_len);
	ok(!fake_restore(&f, g.d));
	end();
}

static void hostile(void)
{
	static unsigned char noise[4096];
	uint32_t head, len;
	uint64_t seed = 1;

	if (!start())
		return;
	give(4);
	send_arp();
	ok(taken(&g, RX, &head, &len));
	is(len, 4);
	for (unsigned i = 0; i < 3000; i++) {
		uint32_t size = i % 100 ? i % 1514 + 1 : i;

		memcpy(noise, arp, sizeof(arp));
		for (unsigned k = 24 + i % 7 * 2; k < sizeof(noise); k++) {
			seed = seed * 6364136223846793005ull + 1;
			noise[k] = (unsigned char)(seed >> 33);
		}
		noise[24] = 8;
		noise[25] = i & 1 ? 0 : 6;
		g.buffer = BUFFERS_AT;
		offer(&g, TX,
		      chain(&g, TX, buffer(&g, noise, sizeof(noise)), size ? size : 1, 0, 0));
		ok(taken(&g, TX, &head, &len));
		fake_time(&f, f.now + 10000000);
	}
	offer(&g, TX, chain(&g, TX, 0, 0, BUFFERS_AT, 100));
	ok(taken(&g, TX, &head, &len));
	ok(!needs_reset(&g));
	end();
}

/* Without VERSION_1 the header has another size, so this driver has to accept the feature. */
static void old_driver(void)
{
	if (!start())
		return;
	wr(g.d, REG_STATUS, 4, 0);
	wr(g.d, REG_STATUS, 4, 3);
	wr(g.d, REG_STATUS, 4, 11);
	is(rd(g.d, REG_STATUS, 4), 3);
	wr(g.d, REG_DRIVER_SEL, 4, 1);
	wr(g.d, REG_DRIVER, 4, 1);
	wr(g.d, REG_STATUS, 4, 11);
	is(rd(g.d, REG_STATUS, 4), 11);
	end();
}

static void ports(void)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	struct virtio_net_forward forward[2] = { { 0 }, { 0 } };
	const struct virtio_net_options o = { .forward = forward };
	socklen_t len = sizeof(addr);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (!start())
		return;
	end();
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ok(!bind(fd, (struct sockaddr *)&addr, sizeof(addr)) && !listen(fd, 1));
	ok(!getsockname(fd, (struct sockaddr *)&addr, &len));
	forward[0].host = ntohs(addr.sin_port);
	forward[0].guest = 22;
	fake_init(&f);
	ok(!open_card(&o));
	ok(strstr(why.text, "port ") != NULL && strstr(why.text, "in use") != NULL);
	close(fd);
	ok(fake_end(&f));
}

/* The Internet checksum of a header (RFC 1071). */
static uint16_t sum(const unsigned char *at, size_t len, uint32_t start)
{
	for (size_t i = 0; i < len; i += 2)
		start += (uint32_t)at[i] << 8 | at[i + 1];
	while (start >> 16)
		start = (start & 0xffff) + (start >> 16);
	return (uint16_t)~start;
}

static void put16(unsigned char *at, unsigned value)
{
	at[0] = (unsigned char)(value >> 8);
	at[1] = (unsigned char)value;
}

/* The first packet of a TCP connection from 10.0.2.15. */
static void send_syn(uint32_t address, unsigned port)
{
	static unsigned source = 1000;
	unsigned char p[12 + 14 + 20 + 20] = { 0 }, *ip = p + 26, *tcp = p + 46;
	uint32_t head, len;

	memcpy(p + 12, "\x52\x55\x0a\x00\x02\x02\x52\x54\x00\x12\x34\x56\x08\x00", 14);
	ip[0] = 0x45;
	put16(ip + 2, 40);
	ip[8] = 64;
	ip[9] = IPPROTO_TCP;
	memcpy(ip + 12, "\x0a\x00\x02\x0f", 4);
	put16(ip + 16, address >> 16);
	put16(ip + 18, address & 0xffff);
	put16(ip + 10, sum(ip, 20, 0));
	put16(tcp, source++);
	put16(tcp + 2, port);
	tcp[12] = 0x50;
	tcp[13] = 0x02; /* SYN */
	put16(tcp + 14, 4096);
	put16(tcp + 16, sum(tcp, 20, (uint16_t)~sum(ip + 12, 8, IPPROTO_TCP + 20)));
	offer(&g, TX, chain(&g, TX, buffer(&g, p, sizeof(p)), sizeof(p), 0, 0));
	ok(taken(&g, TX, &head, &len));
}

/* True if a connection to that address has reached a listening socket of 127.0.0.1. */
static bool arrives(int fd, uint32_t address, unsigned port)
{
	int got;

	send_arp(); /* so that it has the guest's address */
	send_syn(address, port);
	got = accept(fd, NULL, NULL);
	if (got >= 0)
		close(got);
	return got >= 0;
}

static void loopback(void)
{
	struct virtio_net_options o = { .host = true };
	struct sockaddr_in addr = { .sin_family = AF_INET };
	socklen_t len = sizeof(addr);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	unsigned port;

	if (!start())
		return;
	end();
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ok(!bind(fd, (struct sockaddr *)&addr, sizeof(addr)) && !listen(fd, 8));
	ok(!getsockname(fd, (struct sockaddr *)&addr, &len));
	port = ntohs(addr.sin_port);
	for (unsigned n = 0; n < 2; n++, o.host = false) {
		tap_context("the host's loopback is %s", o.host ? "asked for" : "closed");
		fake_init(&f);
		driver_init(&g, &f, open_card(&o), 0, 2);
		is(arrives(fd, 0x0a000202, port), o.host);
		is(arrives(fd, 0x7f000001, port), o.host);
		is(arrives(fd, 0x00000000, port), o.host);
		ok(!arrives(fd, 0x0a000203, port) || o.host);
		end();
	}
	close(fd);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "frames go both ways", frames },
		{ "a hostile driver", hostile },
		{ "a driver without VERSION_1", old_driver },
		{ "a port in use", ports },
		{ "the host's loopback", loopback },
	};

	return tap_run(cases, TAP_NR(cases));
}

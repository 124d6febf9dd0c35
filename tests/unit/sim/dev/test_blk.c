/* SPDX-License-Identifier: BSD-2-Clause */
/* test_blk.c - the disk: requests, bounds, the image file. */
#include <fcntl.h>
#include <unistd.h>

#include "dev_driver.h"
#include "tap.h"

#define IRQ	2
#define SECTORS 64

#define T_IN	       0
#define T_OUT	       1
#define T_FLUSH	       4
#define T_GET_ID       8
#define T_DISCARD      11
#define T_WRITE_ZEROES 13
#define S_OK	       0
#define S_IOERR	       1
#define S_UNSUPP       2

static struct fake f;
static struct driver g;
static char image[64];
static struct error_text why;

/* An image whose sector n is full of n + 1, and half a sector more. */
static void make_image(void)
{
	unsigned char sector[512];
	int fd;

	strcpy(image, "/tmp/holter-blk-XXXXXX");
	fd = mkstemp(image);
	for (unsigned i = 0; i < SECTORS; i++) {
		memset(sector, (int)i + 1, sizeof(sector));
		if (write(fd, sector, sizeof(sector)) != sizeof(sector))
			abort();
	}
	if (write(fd, sector, 256) != 256)
		abort();
	close(fd);
}

static struct device *open_disk(bool read_only)
{
	struct virtio_blk_options o = { .path = image, .read_only = read_only, .serial = "sn1" };

	return virtio_blk_create((struct virtio_slot){ &f.board, 1, fake_irq(&f, IRQ) }, &o, &why);
}

static void start(bool read_only)
{
	make_image();
	fake_init(&f);
	driver_init(&g, &f, open_disk(read_only), 0, 1);
}

static void end(void)
{
	g.d->destroy(g.d);
	unlink(image);
	ok(fake_end(&f));
}

/*
 * One request: header, out_len bytes of data out or in_len bytes in, status.  Returns the status,
 * or 0xff if there is none.
 */
static unsigned request(uint32_t type, uint64_t sector, uint64_t out, uint32_t out_len, uint64_t in,
			uint32_t in_len)
{
	struct {
		uint32_t type, reserved;
		uint64_t sector;
	} header = { type, 0, sector };
	uint64_t h = buffer(&g, &header, sizeof(header)), s = buffer(&g, "\xff", 1);
	uint32_t head, len;

	set_desc(&g, DESC_AT(0), 0, h, 16, FLAG_NEXT, 1);
	set_desc(&g, DESC_AT(0), 1, out, out_len, FLAG_NEXT, 2);
	set_desc(&g, DESC_AT(0), 2, in, in_len, FLAG_NEXT | FLAG_WRITE, 3);
	set_desc(&g, DESC_AT(0), 3, s, 1, FLAG_WRITE, 0);
	offer(&g, 0, 0);
	if (!taken(&g, 0, &head, &len))
		return 0xff;
	is(len, in_len + 1);
	return *(unsigned char *)at(&f, s);
}

static unsigned byte_of(uint64_t addr)
{
	return *(unsigned char *)at(&f, addr);
}

/* The first byte of a sector in the host's image. */
static unsigned on_host(unsigned sector)
{
	unsigned char byte = 0;
	int fd = open(image, O_RDONLY);

	if (pread(fd, &byte, 1, 512 * (off_t)sector) != 1)
		byte = 0xee;
	close(fd);
	return byte;
}

static void reads_and_writes(void)
{
	uint64_t b;

	start(false);
	b = buffer(&g, NULL, 4096);
	is(rd(g.d, REG_CONFIG, 8), SECTORS);
	is(rd(g.d, REG_CONFIG + 20, 4), 512);
	is(request(T_IN, 3, 0, 0, b, 1024), S_OK);
	is(byte_of(b), 4);
	is(byte_of(b + 1023), 5);
	memset(at(&f, b), 0xaa, 1024);
	is(request(T_OUT, 62, b, 1024, 0, 0), S_OK);
	is(on_host(61), 62);
	is(on_host(62), 0xaa);
	is(on_host(63), 0xaa);
	is(on_host(64), 64);
	is(request(T_FLUSH, 0, 0, 0, 0, 0), S_OK);
	is(request(T_GET_ID, 0, 0, 0, b, 20), S_OK);
	is_str((char *)at(&f, b), "sn1");
	is(request(99, 0, 0, 0, b, 20), S_UNSUPP);
	ok(f.line[IRQ]);
	end();
}

static void bounds(void)
{
	static const struct {
		uint64_t sector;
		uint32_t len;
	} rows[] = {
		{ SECTORS, 512 },
		{ SECTORS - 1, 1024 },
		{ 0, 511 },
		{ 0, 513 },
		{ UINT64_MAX, 512 },
		{ 0, 65 * 512 },
		{ UINT64_MAX / 512, 1024 },
		{ 1ull << 55, 512 },
		{ SECTORS, 256 },
	};
	uint64_t b;

	start(false);
	b = buffer(&g, NULL, 65 * 512);
	memset(at(&f, b), 0x77, 65 * 512);
	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("row %u", i);
		is(request(T_IN, rows[i].sector, 0, 0, b, rows[i].len), S_IOERR);
		is(byte_of(b), 0x77);
		is(request(T_OUT, rows[i].sector, b, rows[i].len, 0, 0), S_IOERR);
	}
	is(on_host(0), 1);
	is(on_host(SECTORS - 1), SECTORS);
	is(on_host(SECTORS), SECTORS);
	ok(!needs_reset(&g));
	end();
}

static unsigned range(uint32_t type, uint64_t sector, uint32_t count, uint32_t flags)
{
	struct {
		uint64_t sector;
		uint32_t count, flags;
	} r = { sector, count, flags };

	return request(type, 0, buffer(&g, &r, sizeof(r)), sizeof(r), 0, 0);
}

static void discards(void)
{
	uint64_t b;

	start(false);
	is(range(T_WRITE_ZEROES, 2, 2, 0), S_OK);
	is(range(T_WRITE_ZEROES, 8, 1, 1), S_OK);
	is(on_host(1), 2);
	is(on_host(2), 0);
	is(on_host(3), 0);
	is(on_host(4), 5);
	is(on_host(8), 0);
	is(range(T_DISCARD, 16, 8, 0), S_OK);
	is(on_host(15), 16);
	is(on_host(24), 25);
	is(range(T_DISCARD, 16, 8, 1), S_UNSUPP);
	is(range(T_WRITE_ZEROES, 60, 5, 0), S_IOERR);
	is(range(T_WRITE_ZEROES, UINT64_MAX, 1, 0), S_IOERR);
	is(range(T_DISCARD, 0, 0xffffffff, 0), S_IOERR);
	is(range(T_WRITE_ZEROES, 0, 0, 0), S_OK);
	b = buffer(&g, NULL, 4096);
	is(request(T_DISCARD, 0, b, 15, 0, 0), S_IOERR);
	is(request(T_DISCARD, 0, b, 0, 0, 0), S_IOERR);
	is(request(T_DISCARD, 0, b, 17 * 16, 0, 0), S_IOERR);
	is(on_host(63), 64);
	end();
}

static void read_only(void)
{
	uint64_t b;

	start(true);
	b = buffer(&g, NULL, 512);
	is(request(T_IN, 1, 0, 0, b, 512), S_OK);
	is(byte_of(b), 2);
	is(request(T_OUT, 1, b, 512, 0, 0), S_IOERR);
	is(range(T_DISCARD, 1, 1, 0), S_IOERR);
	is(range(T_WRITE_ZEROES, 1, 1, 0), S_IOERR);
	is(request(T_FLUSH, 0, 0, 0, 0, 0), S_OK);
	wr(g.d, REG_FEATURES_SEL, 4, 0);
	is(rd(g.d, 0x10, 4) >> 5 & 1, 1);
	is(rd(g.d, 0x10, 4) >> 13 & 3, 0);
	end();
}

/* Chains that the device cannot answer. */
static void misuse(void)
{
	uint64_t b;

	start(false);
	b = buffer(&g, NULL, 512);
	offer(&g, 0, chain(&g, 0, b, 15, b, 8));
	ok(needs_reset(&g));
	driver_init(&g, &f, g.d, 0, 1);
	offer(&g, 0, chain(&g, 0, b, 16, 0, 0));
	ok(needs_reset(&g));
	driver_init(&g, &f, g.d, 0, 1);
	offer(&g, 0, chain(&g, 0, 0, 0, b, 16));
	ok(needs_reset(&g));
	/* Data in the wrong direction is ignored. */
	driver_init(&g, &f, g.d, 0, 1);
	is(request(T_OUT, 0, 0, 0, b, 512), S_OK);
	is(on_host(0), 1);
	is(request(T_IN, 0, b, 512, 0, 0), S_OK);
	/* The image has become shorter while it is used. */
	ok(!truncate(image, 512));
	is(request(T_IN, 5, 0, 0, b, 512), S_IOERR);
	end();
}

static void images(void)
{
	struct device *d;
	int fd;

	start(false);
	ok(!open_disk(false));
	ok(strstr(why.text, "in use"));
	ok(!open_disk(true));
	ok(fake_save(&f, g.d));
	ok(fake_restore(&f, g.d));
	g.d->destroy(g.d);
	/* A snapshot of a machine with another disk. */
	ok(!truncate(image, 1024));
	g.d = open_disk(true);
	ok(!fake_restore(&f, g.d));
	/* Two machines may read an image. */
	d = open_disk(true);
	ok(d != NULL);
	d->destroy(d);
	ok(!open_disk(false));
	g.d->destroy(g.d);
	fd = open(image, O_WRONLY | O_TRUNC);
	close(fd);
	ok(!open_disk(false));
	ok(strstr(why.text, "512"));
	unlink(image);
	ok(!open_disk(false));
	ok(strstr(why.text, image) && strstr(why.text, "No such file"));
	strcpy(image, "/tmp");
	ok(!open_disk(true));
	ok(strstr(why.text, "not a disk"));
	ok(fake_end(&f));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "read, write, flush, identify", reads_and_writes },
		{ "no access outside of the image", bounds },
		{ "discard and write zeroes", discards },
		{ "a read-only disk", read_only },
		{ "misuse", misuse },
		{ "images that cannot be opened", images },
	};

	return tap_run(cases, TAP_NR(cases));
}

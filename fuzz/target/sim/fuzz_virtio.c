/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_virtio.c - virtio devices with a hostile guest: registers, queues and buffers, mixed with
 * input from the host, time and snapshots.
 *
 * Input: a byte that chooses the device, then operations: one byte each, with operands.
 *
 * Must hold: no access outside RAM (sanitizers, and checks of the fake board).  A device that
 * needs a reset writes nothing.  A saved state can be restored.  Nothing leaks.
 */
#define _GNU_SOURCE
#include "dev_driver.h"
#include "dev_folder.h"

#define KINDS 4
#define IRQ   1

struct guest {
	struct fake f;
	struct driver g;
	unsigned kind, queues;
	int host[2]; /* a pipe: the input of the console */
	int sink;
};

static struct device *create(struct guest *u)
{
	const struct virtio_console_port ports[3] = {
		{ .console = true, .in = u->host[0], .out = -1 },
		{ .name = "in", .in = -1, .out = -1 },
		{ .name = "out", .in = -1, .out = u->sink },
	};
	const struct virtio_blk_options disk = { .path = folder()->image };
	const struct virtio_9p_options share = { .path = folder()->share, .tag = "share" };
	struct virtio_slot slot = { &u->f.board, 0, fake_irq(&u->f, IRQ) };

	u->queues = 1;
	switch (u->kind) {
	case 0:
		return virtio_rng_create(slot, 1);
	case 1:
		return virtio_blk_create(slot, &disk, NULL);
	case 2:
		u->queues = 8;
		return virtio_console_create(slot, ports, 3);
	}
	return virtio_9p_create(slot, &share, NULL);
}

/* A feature of the console: without it, the device uses only few of its queues. */
static uint64_t multiport(const struct guest *u)
{
	return u->kind == 2 ? 2 : 0;
}

/* An address: mostly in the queues or buffers, else at an edge of RAM, or anywhere. */
static uint64_t address(struct input *in)
{
	uint8_t how = input_byte(in);
	uint64_t low = input_bytes(in, 2);

	if (how < 100)
		return BUFFERS_AT + low;
	if (how < 160)
		return RAM_BASE + low;
	if (how < 190)
		return INDIRECT_AT + (low & 0xfff);
	if (how < 220)
		return RAM_BASE + RAM_SIZE - (low & 0x3f);
	return how < 240 ? low : ~low;
}

static uint32_t length(struct input *in)
{
	uint8_t how = input_byte(in);

	return how < 200   ? how
	       : how < 240 ? (uint32_t)input_bytes(in, 2)
			   : 0xffffffffu << (how & 15);
}

static void write_register(struct guest *u, struct input *in)
{
	static const uint16_t reg[] = { 0x14, 0x20, 0x24,  0x30,  0x38, 0x44, 0x50,
					0x64, 0x70, 0x80,  0x84,  0x90, 0x94, 0xa0,
					0xa4, 0xfc, 0x100, 0x104, 0x108 };
	uint8_t which = input_byte(in);
	uint64_t offset = which < 200 ? reg[which % (sizeof(reg) / sizeof(reg[0]))]
				      : input_bytes(in, 2) & 0xffc;

	wr(u->g.d, offset, 4, length(in));
	rd(u->g.d, offset, 4);
}

static void write_descriptor(struct guest *u, struct input *in)
{
	uint8_t which = input_byte(in);
	uint64_t table = which & 0x80 ? INDIRECT_AT : DESC_AT((which >> 4) % u->queues);
	uint64_t addr = address(in);
	uint32_t len = length(in);
	uint8_t flags = input_byte(in);

	set_desc(&u->g, table, which % QUEUE_SIZE, addr, len, flags & 7, (flags >> 3) % 18);
}

static void put_header(uint8_t *p, uint32_t len, uint8_t type)
{
	p[0] = (uint8_t)len;
	p[4] = type & ~1u;
	p[7] = type & 1;
}

/* Writes the header of a request to the device at addr. */
static void make_header(struct guest *u, struct input *in, uint64_t addr, uint32_t len)
{
	uint8_t *p = at(&u->f, addr);
	uint8_t type = input_byte(in);

	memset(p, 0, 16);
	switch (u->kind) {
	case 1: /* type, sector */
		p[0] = type & 15;
		p[8] = type >> 4;
		break;
	case 2: /* port, event, value */
		p[0] = type & 3;
		p[4] = (type >> 2) % 9;
		p[6] = type >> 7;
		break;
	case 3: /* size, type, tag, a fid */
		put_header(p, len, type);
		break;
	}
}

/* Makes a complete descriptor chain that is valid, so that the device also gets good requests. */
static void request(struct guest *u, struct input *in)
{
	unsigned q = input_byte(in) % u->queues;
	uint32_t out_len = input_byte(in), in_len = input_byte(in) * 8u;
	uint64_t out = BUFFERS_AT + 64u * input_byte(in), at_in = BUFFERS_AT + 0x8000;

	if (out_len & 1)
		make_header(u, in, out, out_len);
	if (out_len + in_len)
		offer(&u->g, q, chain(&u->g, q, out, out_len, at_in, in_len));
}

static void fill(struct guest *u, struct input *in)
{
	uint64_t addr = address(in);
	unsigned len = input_byte(in) % 64;

	while (len--) {
		uint8_t *p = fake_ram(&u->f, addr++, 1), byte = input_byte(in);

		if (p)
			*p = byte;
	}
}

static void snapshot(struct guest *u)
{
	must(fake_save(&u->f, u->g.d));
	/* The device may refuse features that the driver negotiates; its state is always valid. */
	must(fake_restore(&u->f, u->g.d));
}

static void notify_broken(struct guest *u)
{
	uint64_t before = u->f.written;

	if (!needs_reset(&u->g))
		return;
	for (unsigned q = 0; q < u->queues; q++)
		wr(u->g.d, REG_NOTIFY, 4, q);
	fake_input(&u->f, 2);
	must(u->f.written == before);
}

static void operate(struct guest *u, struct input *in)
{
	uint8_t op = input_byte(in);
	uint64_t features;

	switch (op % 16) {
	case 0:
		write_register(u, in);
		break;
	case 1:
	case 2:
	case 3:
		write_descriptor(u, in);
		break;
	case 4:
	case 5:
		op = input_byte(in);
		offer(&u->g, op % u->queues, op >> 4);
		break;
	case 6:
	case 7:
	case 8:
		fill(u, in);
		break;
	case 9:
	case 10:
	case 11:
		request(u, in);
		break;
	case 12:
		op = input_byte(in);
		must(write(u->host[1], &op, 1) == 1);
		fake_input(&u->f, 2);
		break;
	case 13:
		fake_time(&u->f, u->f.now + 1000ull * input_byte(in));
		break;
	case 14:
		snapshot(u);
		break;
	case 15:
		features = (uint64_t)(input_byte(in) & 3) << 28;
		driver_init(&u->g, &u->f, u->g.d, features | multiport(u), u->queues);
		break;
	}
	notify_broken(u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct guest u;
	struct input in = { data, data + size };
	struct device *d;

	if (size > 2000)
		return 0;
	u.kind = input_byte(&in) % KINDS;
	/* Only this kind of device changes the folder. */
	if (!folder()->base[0] || u.kind == 3)
		folder_fill();
	fake_init(&u.f);
	must(pipe2(u.host, O_NONBLOCK | O_CLOEXEC) == 0);
	u.sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
	d = create(&u);
	must(d != NULL);
	driver_init(&u.g, &u.f, d, multiport(&u), u.queues);
	while (in.at < in.end)
		operate(&u, &in);
	d->destroy(d);
	close(u.host[0]);
	close(u.host[1]);
	close(u.sink);
	must(fake_end(&u.f));
	folder_check();
	return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * virtio_console.c - terminals and byte streams between guest and host.
 *
 * Pending control messages are flags of their port, not a queue.  So there are never more messages
 * than the driver has room for, and a snapshot is plain data.  The device reads input from the host
 * only when the guest has opened the port and offers a buffer, because Linux discards input that
 * comes earlier.
 *
 * Implements: virtio 1.2 §5.3, with multiport and emergency write.
 */
#include <string.h>

#include "hostio.h"
#include "virtio.h"

#define F_MULTIPORT   (1ull << 1)
#define F_EMERG_WRITE (1ull << 2)

#define CONFIG_MAX_NR_PORTS 4
#define CONFIG_EMERG_WR	    8

#define Q_CONTROL_RX 2
#define Q_CONTROL_TX 3

/* Control events. */
#define DEVICE_READY 0
#define DEVICE_ADD   1
#define PORT_READY   3
#define CONSOLE_PORT 4
#define PORT_OPEN    6
#define PORT_NAME    7

#define CONTROL_LEN  8
#define NAME_MAX_LEN 64

/* Pending control messages.  They are sent in this order. */
#define DUE_ADD	    1
#define DUE_CONSOLE 2
#define DUE_NAME    4
#define DUE_OPEN    8

struct port {
	struct virtio *v;
	unsigned num;
	bool console;
	char name[NAME_MAX_LEN];
	struct hostio io;
	struct port_regs {
		uint8_t due;
		uint8_t guest_open, closed; /* closed: the host's input has ended */
		uint16_t staged; /* bytes from the host that the guest does not have yet */
		uint8_t stage[2048];
	} r;
};

struct console {
	unsigned nr;
	struct port port[VIRTIO_CONSOLE_PORTS];
};

static unsigned rx_queue(const struct port *p)
{
	return p->num ? 2 + 2 * p->num : 0;
}

static bool multiport(const struct virtio *v)
{
	return v->r.driver & F_MULTIPORT;
}

static void send_due(struct virtio *v);

/* Gives the staged bytes to the guest.  Then asks for more input if the guest has room. */
static void deliver(struct port *p)
{
	struct virtio *v = p->v;
	unsigned q = rx_queue(p);
	struct virtq_chain c;
	size_t n;
	bool open = p->r.guest_open || (!multiport(v) && p->num == 0);

	for (unsigned i = virtq_available(v, q); open && p->r.staged && i; i--) {
		if (!virtq_pop(v, q, &c))
			break;
		n = virtq_chain_write(v, &c, 0, p->r.stage, p->r.staged);
		p->r.staged -= n;
		memmove(p->r.stage, p->r.stage + n, p->r.staged);
		virtq_push(v, q, &c, (uint32_t)n);
	}
	virtq_signal(v, q);
	hostio_want(&p->io, open && !p->r.staged && virtq_available(v, q));
}

/*
 * Closes a port whose input from the host has ended.  A port with an output stays open for the
 * guest's writes.
 */
static void close_port(struct port *p)
{
	if (p->r.closed || p->io.out >= 0)
		return;
	p->r.closed = 1;
	p->r.due |= DUE_OPEN;
	send_due(p->v);
}

static void on_input(void *arg)
{
	struct port *p = arg;
	int n;

	if (!p->r.staged) {
		n = hostio_read(&p->io, p->r.stage, sizeof(p->r.stage));
		if (n > 0)
			p->r.staged = (uint16_t)n;
		else if (n < 0)
			close_port(p);
	}
	deliver(p);
}

/* Writes one control message into one buffer of the driver. */
static void send_control(struct virtio *v, const struct virtq_chain *c, struct port *p)
{
	uint8_t message[CONTROL_LEN + NAME_MAX_LEN];
	unsigned due = p->r.due & -p->r.due;
	size_t len = CONTROL_LEN;

	p->r.due &= ~due;
	put_le32(message, p->num);
	put_le16(message + 6, 1);
	if (due == DUE_ADD) {
		put_le16(message + 4, DEVICE_ADD);
	} else if (due == DUE_CONSOLE) {
		put_le16(message + 4, CONSOLE_PORT);
	} else if (due == DUE_NAME) {
		put_le16(message + 4, PORT_NAME);
		len += strlen(p->name);
		memcpy(message + CONTROL_LEN, p->name, len - CONTROL_LEN);
	} else {
		put_le16(message + 4, PORT_OPEN);
		put_le16(message + 6, !p->r.closed);
	}
	virtq_push(v, Q_CONTROL_RX, c, (uint32_t)virtq_chain_write(v, c, 0, message, len));
}

static void send_due(struct virtio *v)
{
	struct console *con = v->state;
	struct virtq_chain c;

	if (!multiport(v))
		return;
	for (unsigned i = 0; i < con->nr; i++)
		while (con->port[i].r.due && virtq_available(v, Q_CONTROL_RX) &&
		       virtq_pop(v, Q_CONTROL_RX, &c))
			send_control(v, &c, &con->port[i]);
	virtq_signal(v, Q_CONTROL_RX);
}

/* Whether the port has no input left and no output. */
static bool port_over(const struct port *p)
{
	return p->io.in < 0 && p->io.out < 0 && !p->r.staged;
}

static void port_ready(struct port *p)
{
	p->r.due |= DUE_OPEN | (p->console ? DUE_CONSOLE : 0) | (p->name[0] ? DUE_NAME : 0);
	p->r.closed = port_over(p);
}

static void control(struct virtio *v, const uint8_t *message)
{
	struct console *con = v->state;
	uint32_t id = le32(message);
	uint16_t event = le16(message + 4), value = le16(message + 6);

	if (event == DEVICE_READY && value) {
		for (unsigned i = 0; i < con->nr; i++)
			con->port[i].r.due |= DUE_ADD;
	} else if (id < con->nr && event == PORT_READY && value) {
		port_ready(&con->port[id]);
	} else if (id < con->nr && event == PORT_OPEN) {
		con->port[id].r.guest_open = value & 1;
		deliver(&con->port[id]);
	}
	send_due(v);
}

static void receive_control(struct virtio *v)
{
	uint8_t message[CONTROL_LEN];
	struct virtq_chain c;

	for (unsigned n = virtq_available(v, Q_CONTROL_TX); n; n--) {
		if (!virtq_pop(v, Q_CONTROL_TX, &c))
			break;
		if (virtq_chain_read(&c, 0, message, sizeof(message)) == sizeof(message))
			control(v, message);
		virtq_push(v, Q_CONTROL_TX, &c, 0);
	}
	virtq_signal(v, Q_CONTROL_TX);
}

static void transmit(struct port *p, unsigned q)
{
	struct virtq_chain c;

	for (unsigned n = virtq_available(p->v, q); n && virtq_pop(p->v, q, &c); n--) {
		for (unsigned i = 0; i < c.out_nr; i++)
			hostio_write(&p->io, c.seg[i].p, c.seg[i].len);
		virtq_push(p->v, q, &c, 0);
	}
	virtq_signal(p->v, q);
}

static void console_notify(struct virtio *v, unsigned q)
{
	struct console *con = v->state;
	struct port *p = &con->port[q < Q_CONTROL_RX ? 0 : q / 2 - 1];

	if (q == Q_CONTROL_RX)
		send_due(v);
	else if (q == Q_CONTROL_TX)
		receive_control(v);
	else if (q % 2)
		transmit(p, q);
	else
		deliver(p);
}

static void console_config_write(struct virtio *v, unsigned offset, unsigned bytes, uint64_t value)
{
	struct console *con = v->state;
	uint8_t byte = (uint8_t)value;

	if (offset == CONFIG_EMERG_WR)
		hostio_write(&con->port[0].io, &byte, 1);
}

/* A reset by the driver keeps the bytes that were read from the host and not delivered. */
static void console_reset(struct virtio *v)
{
	struct console *con = v->state;

	for (unsigned i = 0; i < con->nr; i++) {
		struct port *p = &con->port[i];

		p->r.due = 0;
		p->r.guest_open = 0;
		p->r.closed = 0;
		hostio_want(&p->io, false);
		hostio_flush(&p->io);
	}
}

static bool console_save(struct virtio *v, const struct stream *s)
{
	struct console *con = v->state;
	bool done = true;

	for (unsigned i = 0; i < con->nr; i++) {
		done &= stream_write(s, &con->port[i].r, sizeof(con->port[i].r));
		done &= hostio_save(&con->port[i].io, s);
	}
	return done;
}

static bool console_restore(struct virtio *v, const struct stream *s)
{
	struct console *con = v->state;
	struct port_regs *r;

	for (unsigned i = 0; i < con->nr; i++) {
		r = &con->port[i].r;
		if (!stream_read(s, r, sizeof(*r)) || r->staged > sizeof(r->stage) ||
		    !hostio_restore(&con->port[i].io, s)) {
			memset(r, 0, sizeof(*r));
			return false;
		}
	}
	for (unsigned i = 0; i < con->nr; i++) {
		struct port *p = &con->port[i];

		/* The descriptors may differ from those at the time of the save. */
		p->r.due |= p->r.closed != port_over(p) ? DUE_OPEN : 0;
		p->r.closed = port_over(p);
		deliver(p);
	}
	send_due(v);
	return true;
}

static void console_destroy(struct virtio *v)
{
	struct console *con = v->state;

	for (unsigned i = 0; i < con->nr; i++)
		hostio_end(&con->port[i].io);
}

struct device *virtio_console_create(struct virtio_slot slot,
				     const struct virtio_console_port *ports, unsigned nr)
{
	static const struct virtio_class class = {
		.id = 3,
		.kind = "console",
		.queues = 2 * VIRTIO_CONSOLE_PORTS + 2,
		.queue_max = 128,
		.notify = console_notify,
		.config_write = console_config_write,
		.reset = console_reset,
		.save = console_save,
		.restore = console_restore,
		.destroy = console_destroy,
	};
	struct device *d = nr && nr <= VIRTIO_CONSOLE_PORTS
				   ? virtio_create(slot, &class, sizeof(struct console))
				   : NULL;
	struct console *con;

	if (!d)
		return NULL;
	con = virtio_of(d)->state;
	con->nr = nr;
	for (unsigned i = 0; i < nr; i++) {
		struct port *p = &con->port[i];

		p->v = virtio_of(d);
		p->num = i;
		p->console = ports[i].console;
		if (ports[i].name)
			strncpy(p->name, ports[i].name, sizeof(p->name) - 1);
		hostio_init(&p->io, slot.board, ports[i].in, ports[i].out, on_input, p);
		p->io.output = ports[i].output;
		p->io.output_arg = ports[i].output_arg;
	}
	virtio_of(d)->features |= F_MULTIPORT | F_EMERG_WRITE;
	virtio_of(d)->config_len = 12;
	put_le32(virtio_of(d)->config + CONFIG_MAX_NR_PORTS, nr);
	return d;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serial.c - the UART: an NS16550A with its FIFOs.
 *
 * The UART sends a byte at once, so the transmitter is always empty.  The baud rate has no effect.
 * Received bytes below the trigger level raise the timeout interrupt at once, so that typed input
 * never waits.
 *
 * Implements: National Semiconductor PC16550D, registers at byte offsets 0 to 7.
 */
#include <libfdt.h>
#include <string.h>

#include "common.h"
#include "hostio.h"

#define FIFO_SIZE 16

enum {
	RBR = 0, /* THR on write, DLL when LCR.DLAB */
	IER = 1, /* DLM when LCR.DLAB */
	IIR = 2, /* FCR on write */
	LCR = 3,
	MCR = 4,
	LSR = 5,
	MSR = 6,
	SCR = 7,
};

#define IER_RX	  0x01
#define IER_TX	  0x02
#define IER_LINE  0x04
#define IER_MODEM 0x08

#define IIR_NONE    0x01
#define IIR_MODEM   0x00
#define IIR_TX	    0x02
#define IIR_RX	    0x04
#define IIR_LINE    0x06
#define IIR_TIMEOUT 0x0c
#define IIR_FIFO    0xc0

#define FCR_ENABLE   0x01
#define FCR_CLEAR_RX 0x02

#define LCR_DLAB 0x80

#define MCR_DTR	 0x01
#define MCR_RTS	 0x02
#define MCR_OUT1 0x04
#define MCR_OUT2 0x08
#define MCR_LOOP 0x10

#define LSR_DATA    0x01
#define LSR_OVERRUN 0x02
#define LSR_EMPTY   0x60 /* THRE and TEMT */

#define MSR_CTS 0x10
#define MSR_DSR 0x20
#define MSR_RI	0x40
#define MSR_DCD 0x80

struct serial {
	struct irq irq;
	struct hostio io;
	struct serial_regs {
		uint8_t ier, fcr, lcr, mcr, lsr_errors, msr_delta, scr, dll, dlm;
		uint8_t tx_pending; /* a read of IIR has not yet shown the THRE interrupt */
		uint8_t count, head; /* receive FIFO */
		uint8_t fifo[FIFO_SIZE];
	} r;
};

static unsigned fifo_size(const struct serial *u)
{
	return u->r.fcr & FCR_ENABLE ? FIFO_SIZE : 1;
}

static unsigned trigger_level(const struct serial *u)
{
	static const uint8_t level[] = { 1, 4, 8, 14 };

	return u->r.fcr & FCR_ENABLE ? level[u->r.fcr >> 6] : 1;
}

/*
 * The modem lines.  The other side is always present.  In loopback mode they are the UART's own
 * outputs.
 */
static uint8_t modem_lines(const struct serial *u)
{
	uint8_t mcr = u->r.mcr;

	if (!(mcr & MCR_LOOP))
		return MSR_CTS | MSR_DSR | MSR_DCD;
	return (mcr & MCR_DTR ? MSR_DSR : 0) | (mcr & MCR_RTS ? MSR_CTS : 0) |
	       (mcr & MCR_OUT1 ? MSR_RI : 0) | (mcr & MCR_OUT2 ? MSR_DCD : 0);
}

/* The interrupt of the highest priority (PC16550D, table III). */
static uint8_t interrupt_id(const struct serial *u)
{
	if (u->r.ier & IER_LINE && u->r.lsr_errors)
		return IIR_LINE;
	if (u->r.ier & IER_RX && u->r.count >= trigger_level(u))
		return IIR_RX;
	if (u->r.ier & IER_RX && u->r.count)
		return IIR_TIMEOUT;
	if (u->r.ier & IER_TX && u->r.tx_pending)
		return IIR_TX;
	if (u->r.ier & IER_MODEM && u->r.msr_delta)
		return IIR_MODEM;
	return IIR_NONE;
}

/* After any change: sets the interrupt line, and asks for input if there is room for it. */
static void update(struct serial *u)
{
	irq_set(&u->irq, interrupt_id(u) != IIR_NONE);
	hostio_want(&u->io, u->r.count < fifo_size(u) && !(u->r.mcr & MCR_LOOP));
}

static void receive(struct serial *u, uint8_t byte)
{
	if (u->r.count == fifo_size(u)) {
		u->r.lsr_errors |= LSR_OVERRUN;
		return;
	}
	u->r.fifo[(u->r.head + u->r.count++) % FIFO_SIZE] = byte;
}

static void on_input(void *arg)
{
	struct device *d = arg;
	struct serial *u = d->state;
	unsigned room = fifo_size(u) - u->r.count;
	uint8_t data[FIFO_SIZE];
	int n = room ? hostio_read(&u->io, data, room) : 0;

	for (int i = 0; i < n; i++)
		receive(u, data[i]);
	update(u);
}

static uint8_t read_data(struct serial *u)
{
	uint8_t byte;

	if (!u->r.count)
		return 0;
	byte = u->r.fifo[u->r.head];
	u->r.head = (u->r.head + 1) % FIFO_SIZE;
	u->r.count--;
	return byte;
}

static uint8_t read_iir(struct serial *u)
{
	uint8_t id = interrupt_id(u);

	if (id == IIR_TX)
		u->r.tx_pending = 0;
	return id | (u->r.fcr & FCR_ENABLE ? IIR_FIFO : 0);
}

static uint64_t serial_read(struct device *d, uint64_t offset, unsigned bytes)
{
	struct serial *u = d->state;
	bool latch = u->r.lcr & LCR_DLAB;
	uint8_t value = 0;

	switch (offset) {
	case RBR:
		value = latch ? u->r.dll : read_data(u);
		break;
	case IER:
		value = latch ? u->r.dlm : u->r.ier;
		break;
	case IIR:
		value = read_iir(u);
		break;
	case LCR:
		value = u->r.lcr;
		break;
	case MCR:
		value = u->r.mcr;
		break;
	case LSR:
		value = LSR_EMPTY | u->r.lsr_errors | (u->r.count ? LSR_DATA : 0);
		u->r.lsr_errors = 0;
		break;
	case MSR:
		value = modem_lines(u) | u->r.msr_delta;
		u->r.msr_delta = 0;
		break;
	case SCR:
		value = u->r.scr;
		break;
	}
	update(u);
	return value;
}

static void write_data(struct serial *u, uint8_t byte)
{
	if (u->r.mcr & MCR_LOOP)
		receive(u, byte);
	else
		hostio_write(&u->io, &byte, 1);
	u->r.tx_pending = 1;
}

static void write_fcr(struct serial *u, uint8_t value)
{
	/* A change of FCR_ENABLE empties the FIFOs. */
	if ((value ^ u->r.fcr) & FCR_ENABLE || value & FCR_CLEAR_RX)
		u->r.count = u->r.head = 0;
	u->r.fcr = value & (0xc0 | FCR_ENABLE);
}

static void write_mcr(struct serial *u, uint8_t value)
{
	uint8_t before = modem_lines(u), changed;

	u->r.mcr = value & 0x1f;
	changed = before ^ modem_lines(u);
	/*
	 * The delta bit of a line is four bits below it.  RI sets its delta bit only when it falls.
	 */
	if (before & MSR_RI || !(changed & MSR_RI))
		u->r.msr_delta |= changed >> 4;
	else
		u->r.msr_delta |= (changed & ~MSR_RI) >> 4;
}

static void serial_write(struct device *d, uint64_t offset, unsigned bytes, uint64_t value)
{
	struct serial *u = d->state;
	bool latch = u->r.lcr & LCR_DLAB;

	switch (offset) {
	case RBR:
		if (latch)
			u->r.dll = value;
		else
			write_data(u, value);
		break;
	case IER:
		if (latch) {
			u->r.dlm = value;
			break;
		}
		/* The transmitter is empty, so enabling its interrupt raises it. */
		if (value & IER_TX && !(u->r.ier & IER_TX))
			u->r.tx_pending = 1;
		u->r.ier = value & 0x0f;
		break;
	case IIR:
		write_fcr(u, value);
		break;
	case LCR:
		u->r.lcr = value;
		break;
	case MCR:
		write_mcr(u, value);
		break;
	case SCR:
		u->r.scr = value;
		break;
	}
	update(u);
}

static void serial_reset(struct device *d)
{
	struct serial *u = d->state;

	memset(&u->r, 0, sizeof(u->r));
	u->r.mcr = MCR_OUT2;
	u->r.dll = 0x0c; /* 9600 baud */
	hostio_flush(&u->io);
	update(u);
}

static bool serial_save(struct device *d, const struct stream *s)
{
	struct serial *u = d->state;

	return stream_write(s, &u->r, sizeof(u->r)) && hostio_save(&u->io, s);
}

static bool serial_restore(struct device *d, const struct stream *s)
{
	struct serial *u = d->state;

	if (!stream_read(s, &u->r, sizeof(u->r)) || u->r.count > fifo_size(u) ||
	    u->r.head >= FIFO_SIZE || !hostio_restore(&u->io, s)) {
		serial_reset(d);
		return false;
	}
	update(u);
	return true;
}

static void serial_destroy(struct device *d)
{
	struct serial *u = d->state;

	hostio_end(&u->io);
	device_free(d);
}

static int serial_dt(struct device *d, void *fdt, int soc, uint32_t plic)
{
	static const char compatible[] = "ns16550a";
	int node = device_node(fdt, soc, d, compatible, sizeof(compatible));
	int err;

	if (node < 0)
		return node;
	err = fdt_setprop_u32(fdt, node, "clock-frequency", 3686400);
	return err ? err : device_node_interrupt(fdt, node, plic, SERIAL_IRQ);
}

struct device *serial_create(const struct board *board, struct irq irq, int in, int out)
{
	static const struct device proto = {
		.name = "serial",
		.base = SERIAL_BASE,
		.size = 0x100,
		.min_bytes = 1,
		.max_bytes = 8,
		.read = serial_read,
		.write = serial_write,
		.reset = serial_reset,
		.save = serial_save,
		.restore = serial_restore,
		.destroy = serial_destroy,
		.dt = serial_dt,
	};
	struct device *d = device_new(&proto, board, sizeof(struct serial));
	struct serial *u;

	if (!d)
		return NULL;
	u = d->state;
	u->irq = irq;
	hostio_init(&u->io, board, in, out, on_input, d);
	serial_reset(d);
	return d;
}

bool serial_ended(const struct device *d)
{
	const struct serial *u = d->state;

	return u->io.in < 0 && !u->r.count;
}

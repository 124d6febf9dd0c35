/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * virtio_net.c - a network card.  The interface to the network behind it is net.h.
 *
 * Frames for the guest wait in a short backlog while the driver has no buffers.  Frames that do not
 * fit are dropped.
 *
 * Implements: virtio 1.2 §5.1, without offloads.
 */
#include <string.h>

#include "net.h"
#include "virtio.h"

#define F_MAC	 (1ull << 5)
#define F_STATUS (1ull << 16)

#define CONFIG_STATUS  6
#define STATUS_LINK_UP 1

#define Q_RX 0
#define Q_TX 1

#define HEADER_LEN  12
#define FRAME_MAX   2048
#define BACKLOG_MAX 64

struct card {
	struct net *net;
	struct backlog {
		uint32_t first, count;
		struct frame {
			uint32_t len;
			uint8_t data[FRAME_MAX];
		} frame[BACKLOG_MAX];
	} backlog;
};

/* Delivers waiting frames while the guest has buffers. */
static void deliver(struct virtio *v)
{
	static const uint8_t header[HEADER_LEN] = { [10] = 1 }; /* num_buffers */
	struct card *card = v->state;
	struct backlog *b = &card->backlog;
	struct virtq_chain c;
	uint32_t written;

	while (b->count && virtq_available(v, Q_RX) && virtq_pop(v, Q_RX, &c)) {
		const struct frame *f = &b->frame[b->first];

		written = (uint32_t)virtq_chain_write(v, &c, 0, header, HEADER_LEN);
		written += (uint32_t)virtq_chain_write(v, &c, HEADER_LEN, f->data, f->len);
		virtq_push(v, Q_RX, &c, written);
		b->first = (b->first + 1) % BACKLOG_MAX;
		b->count--;
	}
	virtq_signal(v, Q_RX);
}

static void on_receive(void *arg, const uint8_t *frame, size_t len)
{
	struct virtio *v = arg;
	struct card *card = v->state;
	struct backlog *b = &card->backlog;
	struct frame *f = &b->frame[(b->first + b->count) % BACKLOG_MAX];

	if (len > FRAME_MAX || b->count == BACKLOG_MAX || !virtio_running(v, Q_RX))
		return;
	f->len = (uint32_t)len;
	memcpy(f->data, frame, len);
	b->count++;
	deliver(v);
}

static void transmit(struct virtio *v)
{
	struct card *card = v->state;
	uint8_t frame[FRAME_MAX];
	struct virtq_chain c;
	size_t len;

	for (unsigned n = virtq_available(v, Q_TX); n && virtq_pop(v, Q_TX, &c); n--) {
		len = virtq_chain_read(&c, HEADER_LEN, frame, sizeof(frame));
		if (len && c.out_len <= HEADER_LEN + FRAME_MAX)
			net_send(card->net, frame, len);
		virtq_push(v, Q_TX, &c, 0);
	}
	virtq_signal(v, Q_TX);
}

static void card_notify(struct virtio *v, unsigned q)
{
	if (q == Q_TX)
		transmit(v);
	else
		deliver(v);
}

static void card_reset(struct virtio *v)
{
	struct card *card = v->state;

	card->backlog.first = card->backlog.count = 0;
}

/* A snapshot holds the frames of the backlog, but no connections. */
static bool card_save(struct virtio *v, const struct stream *s)
{
	struct card *card = v->state;

	return stream_write(s, &card->backlog, sizeof(card->backlog));
}

static bool card_restore(struct virtio *v, const struct stream *s)
{
	struct card *card = v->state;
	struct backlog *b = &card->backlog;
	bool done = stream_read(s, b, sizeof(*b)) && b->first < BACKLOG_MAX &&
		    b->count <= BACKLOG_MAX;

	for (unsigned i = 0; done && i < BACKLOG_MAX; i++)
		done = b->frame[i].len <= FRAME_MAX;
	if (!done)
		card_reset(v);
	return done;
}

static void card_destroy(struct virtio *v)
{
	struct card *card = v->state;

	if (card->net)
		net_close(card->net);
}

struct device *virtio_net_create(struct virtio_slot slot, const struct virtio_net_options *o,
				 struct error_text *why)
{
	static const struct virtio_class class = {
		.id = 1,
		.kind = "network",
		.queues = 2,
		.queue_max = VIRTQ_MAX,
		/*
		 * Without this feature the header of a packet is two bytes shorter (virtio 1.2
		 * §5.1.6.1).
		 */
		.needs = VIRTIO_F_VERSION_1,
		.notify = card_notify,
		.reset = card_reset,
		.save = card_save,
		.restore = card_restore,
		.destroy = card_destroy,
	};
	static const uint8_t none[6], usual[6] = { 0x52, 0x54, 0x00, 0x12, 0x34, 0x56 };
	struct device *d = virtio_create(slot, &class, sizeof(struct card));
	struct virtio *v;
	struct card *card;

	if (!d)
		return dev_refuse(why, "no network: out of memory");
	v = virtio_of(d);
	card = v->state;
	card->net = net_open(slot.board, o, on_receive, v, why);
	if (!card->net) {
		d->destroy(d);
		return NULL;
	}
	v->features |= F_MAC | F_STATUS;
	v->config_len = 8;
	memcpy(v->config, memcmp(o->mac, none, 6) ? o->mac : usual, 6);
	put_le16(v->config + CONFIG_STATUS, STATUS_LINK_UP);
	return d;
}

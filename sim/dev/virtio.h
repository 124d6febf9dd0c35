/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * virtio.h - what the virtio devices are made of: a transport (virtio.c), queues (virtq.c), and
 * for each kind of device a class of a few functions.
 *
 * The life of a request: the driver fills a chain of descriptors and writes QueueNotify
 * (virtio.c); the class's notify takes the chain with virtq_pop, which has checked all of it,
 * reads from its first part and writes into its second, gives it back with virtq_push, and at
 * the end of the batch virtq_signal raises the interrupt if the driver wants one.
 *
 * A queue that breaks the rules breaks the device: it sets DEVICE_NEEDS_RESET and does nothing
 * until the driver resets it (virtio 1.2 §2.1.1).
 *
 * The guest does not run while a device works, but what a device writes may hit the queue's own
 * memory: every index is read once, checked, and loops are bounded before they start.
 */
#ifndef SIM_DEV_VIRTIO_H
#define SIM_DEV_VIRTIO_H

#include "common.h"

#define VIRTQ_MAX	  256 /* descriptors of a queue and segments of a chain */
#define VIRTIO_QUEUES	  (2 * VIRTIO_CONSOLE_PORTS + 2)
#define VIRTIO_CONFIG_MAX 96

#define VIRTIO_F_INDIRECT  (1ull << 28)
#define VIRTIO_F_EVENT_IDX (1ull << 29)
#define VIRTIO_F_VERSION_1 (1ull << 32)

#define VIRTIO_STATUS_DRIVER_OK	  4
#define VIRTIO_STATUS_FEATURES_OK 8
#define VIRTIO_STATUS_NEEDS_RESET 64

struct virtio;

struct virtio_class {
	uint32_t id; /* virtio 1.2 §5 */
	const char *kind; /* struct device's */
	unsigned queues;
	uint16_t queue_max;
	uint64_t needs; /* features that a driver must take */
	/* The driver has made queue q's chains available.  Not called on a broken device. */
	void (*notify)(struct virtio *v, unsigned q);
	/* Any of these may be NULL. */
	void (*config_write)(struct virtio *v, unsigned offset, unsigned bytes, uint64_t value);
	void (*reset)(struct virtio *v);
	bool (*save)(struct virtio *v, const struct stream *s);
	bool (*restore)(struct virtio *v, const struct stream *s);
	void (*destroy)(struct virtio *v);
};

/* A queue as the driver has set it up, and where the device is in it.  Saved as it is. */
struct virtq {
	uint64_t desc, avail, used;
	uint16_t num, ready;
	uint16_t next_avail, next_used;
	uint16_t signalled; /* next_used at the last look at whether to interrupt */
};

struct virtio {
	const struct virtio_class *class;
	struct device *d;
	const struct board *board;
	struct irq irq;
	unsigned num; /* slot */
	uint64_t features; /* offered */
	uint8_t config[VIRTIO_CONFIG_MAX];
	unsigned config_len;
	void *state; /* the class's */
	struct virtio_regs {
		uint32_t status, interrupt, generation;
		uint32_t features_sel, driver_sel, queue_sel;
		uint64_t driver; /* features taken */
		struct virtq q[VIRTIO_QUEUES];
	} r;
};

/* A virtio device of class at slot; its state is state_size zeroed bytes.  NULL: no memory. */
struct device *virtio_create(struct virtio_slot slot, const struct virtio_class *class,
			     size_t state_size);
struct virtio *virtio_of(struct device *d);

/* Tells the driver that config has changed. */
void virtio_config_changed(struct virtio *v);

/* Marks the device as in need of a reset. */
void virtio_broken(struct virtio *v);

/* Whether the driver is up, and queue q with it. */
bool virtio_running(const struct virtio *v, unsigned q);

/* For virtq.c: raises the interrupt for used buffers. */
void virtio_interrupt(struct virtio *v);

/*
 * A chain of descriptors, checked: seg[0 .. out_nr) is what the device reads, the in_nr after
 * are what it writes; each lies in RAM as a whole, at p.
 */
struct virtq_chain {
	uint16_t head;
	unsigned out_nr, in_nr;
	uint64_t out_len, in_len; /* bytes */
	struct virtq_seg {
		uint8_t *p;
		uint64_t addr;
		uint32_t len;
	} seg[VIRTQ_MAX];
};

/*
 * How many chains the driver has made available now: the bound of a loop with virtq_pop.  Breaks
 * the device if it is more than the queue has.
 */
unsigned virtq_available(struct virtio *v, unsigned q);

/* Takes the next chain; false if there is none, or it is broken and the device with it. */
bool virtq_pop(struct virtio *v, unsigned q, struct virtq_chain *c);

/* Gives a chain back with written bytes in its in part. */
void virtq_push(struct virtio *v, unsigned q, const struct virtq_chain *c, uint32_t written);

/* At the end of a batch: interrupts if the driver wants it for what has been pushed. */
void virtq_signal(struct virtio *v, unsigned q);

/*
 * Copies between a buffer and the out or in part of a chain, from byte offset on; returns how
 * many bytes, fewer than len where the chain ends.
 */
size_t chain_read(const struct virtq_chain *c, uint64_t offset, void *data, size_t len);
size_t chain_write(struct virtio *v, const struct virtq_chain *c, uint64_t offset, const void *data,
		   size_t len);

/* Little-endian fields of requests. */
static inline uint16_t le16(const void *p)
{
	const uint8_t *b = p;

	return (uint16_t)(b[0] | b[1] << 8);
}

static inline uint32_t le32(const void *p)
{
	const uint8_t *b = p;

	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint64_t le64(const void *p)
{
	return le32(p) | (uint64_t)le32((const uint8_t *)p + 4) << 32;
}

static inline void put_le16(void *p, uint16_t value)
{
	uint8_t *b = p;

	b[0] = value & 0xff;
	b[1] = value >> 8;
}

static inline void put_le32(void *p, uint32_t value)
{
	put_le16(p, value & 0xffff);
	put_le16((uint8_t *)p + 2, value >> 16);
}

static inline void put_le64(void *p, uint64_t value)
{
	put_le32(p, value & 0xffffffff);
	put_le32((uint8_t *)p + 4, value >> 32);
}

#endif

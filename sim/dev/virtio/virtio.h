/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * virtio.h - the parts of a virtio device: a transport (virtio.c), queues (virtq.c), and a class of
 * a few functions for each kind of device.
 *
 * The life of a request: the driver fills a chain of descriptors and writes QueueNotify (virtio.c).
 * The notify function of the class takes the chain with virtq_pop, which checks all of it.  It
 * reads from the first part of the chain and writes into the second part, then returns the chain
 * with virtq_push.  At the end of the batch virtq_signal raises the interrupt if the driver wants
 * one.
 *
 * If a queue breaks the rules, the device sets DEVICE_NEEDS_RESET and does nothing until the driver
 * resets it (virtio 1.2 §2.1.1).
 *
 * The guest does not run while a device works.  But a device may write into the memory of its own
 * queue.  So each index is read once and checked, and each loop has its bound before it starts.
 */
#ifndef SIM_DEV_VIRTIO_H
#define SIM_DEV_VIRTIO_H

#include "bytes.h"
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
	const char *kind; /* for kind of struct device */
	unsigned queues;
	uint16_t queue_max;
	uint64_t needs; /* features that a driver must accept */
	/*
	 * Called when the driver has made chains available in queue q.  Never called on a broken
	 * device.
	 */
	void (*notify)(struct virtio *v, unsigned q);
	/* Each of these may be NULL. */
	void (*config_write)(struct virtio *v, unsigned offset, unsigned bytes, uint64_t value);
	void (*reset)(struct virtio *v);
	bool (*save)(struct virtio *v, const struct stream *s);
	bool (*restore)(struct virtio *v, const struct stream *s);
	void (*destroy)(struct virtio *v);
};

/*
 * A queue as the driver has set it up, with the device's position in it.  A snapshot holds this
 * struct unchanged.
 */
struct virtq {
	uint64_t desc, avail, used;
	uint16_t num, ready;
	uint16_t next_avail, next_used;
	uint16_t signalled; /* next_used when the device last decided whether to interrupt */
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
	void *state; /* owned by the class */
	struct virtio_regs {
		uint32_t status, interrupt, generation;
		uint32_t features_sel, driver_sel, queue_sel;
		uint64_t driver; /* features that the driver accepted */
		struct virtq q[VIRTIO_QUEUES];
	} r;
};

/*
 * Creates a virtio device of this class at slot.  Its state is state_size zeroed bytes.  NULL: no
 * memory.
 */
struct device *virtio_create(struct virtio_slot slot, const struct virtio_class *class,
			     size_t state_size);
struct virtio *virtio_of(struct device *d);

/* Sets DEVICE_NEEDS_RESET. */
void virtio_broken(struct virtio *v);

/* Whether the driver and its queue q are ready. */
bool virtio_running(const struct virtio *v, unsigned q);

/* For virtq.c: raises the interrupt for used buffers. */
void virtio_interrupt(struct virtio *v);

/*
 * A checked chain of descriptors.  The device reads seg[0 .. out_nr) and writes the in_nr segments
 * after them.  The whole of each segment is in RAM; p points to it.
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
 * Returns how many chains are available now: the bound of a loop with virtq_pop.  If that is more
 * than the queue can hold, the device becomes broken and the result is 0.
 */
unsigned virtq_available(struct virtio *v, unsigned q);

/*
 * Takes the next chain.  false: there is none, or the chain breaks the rules and the device is now
 * broken.
 */
bool virtq_pop(struct virtio *v, unsigned q, struct virtq_chain *c);

/* Returns a chain to the driver, with written bytes in its in part. */
void virtq_push(struct virtio *v, unsigned q, const struct virtq_chain *c, uint32_t written);

/* To be called at the end of a batch: interrupts if the driver wants that for the chains pushed. */
void virtq_signal(struct virtio *v, unsigned q);

/*
 * Copy from the out part, or into the in part, of a chain, starting at byte offset.  Return the
 * number of bytes copied, which is less than len if the chain ends first.
 */
size_t virtq_chain_read(const struct virtq_chain *c, uint64_t offset, void *data, size_t len);
size_t virtq_chain_write(struct virtio *v, const struct virtq_chain *c, uint64_t offset,
			 const void *data, size_t len);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * virtio.c - the virtio transport over MMIO: registers, negotiation, interrupts.
 *
 * Implements: virtio 1.2 §4.2 (version 2, without the legacy interface), §3.1 (initialization).
 */
#include <libfdt.h>
#include <string.h>

#include "virtio.h"

enum {
	MAGIC = 0x000,
	VERSION = 0x004,
	DEVICE_ID = 0x008,
	VENDOR_ID = 0x00c,
	FEATURES = 0x010,
	FEATURES_SEL = 0x014,
	DRIVER_FEATURES = 0x020,
	DRIVER_FEATURES_SEL = 0x024,
	QUEUE_SEL = 0x030,
	QUEUE_NUM_MAX = 0x034,
	QUEUE_NUM = 0x038,
	QUEUE_READY = 0x044,
	QUEUE_NOTIFY = 0x050,
	INTERRUPT_STATUS = 0x060,
	INTERRUPT_ACK = 0x064,
	STATUS = 0x070,
	QUEUE_DESC = 0x080,
	QUEUE_AVAIL = 0x090,
	QUEUE_USED = 0x0a0,
	SHM_LEN = 0x0b0, /* to SHM_BASE_HIGH at 0x0bc */
	SHM_END = 0x0c0,
	GENERATION = 0x0fc,
	CONFIG = 0x100,
};

#define MAGIC_VALUE  0x74726976 /* "virt" */
#define VENDOR_VALUE 0x554d4551 /* "QEMU": small drivers look for it, and larger ones ignore it */

#define INTERRUPT_USED	 1
#define INTERRUPT_CONFIG 2

#define STATUS_DRIVER_BITS 0x8f /* the bits that a driver may set */

struct virtio *virtio_of(struct device *d)
{
	return d->state;
}

static void update_irq(struct virtio *v)
{
	irq_set(&v->irq, v->r.interrupt != 0);
}

void virtio_interrupt(struct virtio *v)
{
	v->r.interrupt |= INTERRUPT_USED;
	update_irq(v);
}

/* Tells the driver that config has changed. */
static void config_changed(struct virtio *v)
{
	v->r.generation++;
	if (v->r.status & VIRTIO_STATUS_DRIVER_OK) {
		v->r.interrupt |= INTERRUPT_CONFIG;
		update_irq(v);
	}
}

void virtio_broken(struct virtio *v)
{
	if (v->r.status & VIRTIO_STATUS_NEEDS_RESET)
		return;
	v->r.status |= VIRTIO_STATUS_NEEDS_RESET;
	config_changed(v);
}

bool virtio_running(const struct virtio *v, unsigned q)
{
	return v->r.status & VIRTIO_STATUS_DRIVER_OK &&
	       !(v->r.status & VIRTIO_STATUS_NEEDS_RESET) && v->r.q[q].ready;
}

/* Whether the registers of a queue, which the driver has written, describe a valid queue. */
static bool queue_valid(const struct virtio *v, const struct virtq *vq)
{
	return vq->num && vq->num <= v->class->queue_max && !(vq->num & (vq->num - 1)) &&
	       !(vq->desc & 15) && !(vq->avail & 1) && !(vq->used & 3);
}

static void virtio_reset(struct device *d)
{
	struct virtio *v = virtio_of(d);

	memset(&v->r, 0, sizeof(v->r));
	update_irq(v);
	if (v->class->reset)
		v->class->reset(v);
}

static struct virtq *selected(struct virtio *v)
{
	return v->r.queue_sel < v->class->queues ? &v->r.q[v->r.queue_sel] : NULL;
}

static uint64_t config_read(const struct virtio *v, uint64_t offset, unsigned bytes)
{
	unsigned left;

	if (offset >= v->config_len)
		return 0;
	left = v->config_len - (unsigned)offset;
	return le_bytes(v->config + offset, left < bytes ? left : bytes);
}

static uint64_t virtio_read(struct device *d, uint64_t offset, unsigned bytes)
{
	struct virtio *v = virtio_of(d);
	const struct virtq *vq = selected(v);

	if (offset >= CONFIG)
		return config_read(v, offset - CONFIG, bytes);
	if (bytes != 4)
		return 0;
	if (offset >= SHM_LEN && offset < SHM_END)
		return 0xffffffff; /* no shared memory */
	switch (offset) {
	case MAGIC:
		return MAGIC_VALUE;
	case VERSION:
		return 2;
	case DEVICE_ID:
		return v->class->id;
	case VENDOR_ID:
		return VENDOR_VALUE;
	case FEATURES:
		return v->r.features_sel < 2
			       ? device_reg64_read(v->features, 4 * v->r.features_sel, 4)
			       : 0;
	case QUEUE_NUM_MAX:
		return vq ? v->class->queue_max : 0;
	case QUEUE_READY:
		return vq ? vq->ready : 0;
	case INTERRUPT_STATUS:
		return v->r.interrupt;
	case STATUS:
		return v->r.status;
	case GENERATION:
		return v->r.generation;
	}
	return 0;
}

/*
 * The driver may accept only offered features (virtio 1.2 §2.2.2).  A device may refuse a driver
 * that does not accept VERSION_1 (§6.2).  It does so if its class needs that feature, because the
 * message format then differs.
 */
static bool features_taken(const struct virtio *v, uint64_t driver)
{
	return !(driver & ~v->features) && !(v->class->needs & ~driver);
}

static void write_status(struct virtio *v, uint32_t value)
{
	if (!value) {
		virtio_reset(v->d);
		return;
	}
	if (value & VIRTIO_STATUS_FEATURES_OK && !(v->r.status & VIRTIO_STATUS_FEATURES_OK) &&
	    !features_taken(v, v->r.driver))
		value &= ~(uint32_t)VIRTIO_STATUS_FEATURES_OK;
	if (!(value & VIRTIO_STATUS_FEATURES_OK))
		value &= ~(uint32_t)VIRTIO_STATUS_DRIVER_OK;
	v->r.status = (v->r.status & VIRTIO_STATUS_NEEDS_RESET) | (value & STATUS_DRIVER_BITS);
}

/* Writes a register of the selected queue.  The registers of a queue in use do not change. */
static void write_queue(struct virtio *v, uint64_t offset, uint32_t value)
{
	struct virtq *vq = selected(v);
	uint64_t *addr;

	if (!vq)
		return;
	if (offset == QUEUE_READY) {
		if (!value)
			vq->ready = 0;
		else if (!vq->ready && queue_valid(v, vq)) {
			vq->ready = 1;
			vq->next_avail = vq->next_used = vq->signalled = 0;
		}
		return;
	}
	if (vq->ready)
		return;
	if (offset == QUEUE_NUM) {
		vq->num = value <= v->class->queue_max ? value : 0;
		return;
	}
	addr = (offset & ~7ull) == QUEUE_DESC	 ? &vq->desc
	       : (offset & ~7ull) == QUEUE_AVAIL ? &vq->avail
						 : &vq->used;
	*addr = device_reg64_write(*addr, offset, 4, value);
}

static void notify(struct virtio *v, uint32_t q)
{
	if (q < v->class->queues && virtio_running(v, q))
		v->class->notify(v, q);
}

static void virtio_write(struct device *d, uint64_t offset, unsigned bytes, uint64_t value)
{
	struct virtio *v = virtio_of(d);

	if (offset >= CONFIG && v->class->config_write)
		v->class->config_write(v, offset - CONFIG, bytes, value);
	if (offset >= CONFIG || bytes != 4)
		return;
	switch (offset) {
	case FEATURES_SEL:
		v->r.features_sel = value;
		break;
	case DRIVER_FEATURES_SEL:
		v->r.driver_sel = value;
		break;
	case DRIVER_FEATURES:
		if (v->r.driver_sel < 2 && !(v->r.status & VIRTIO_STATUS_FEATURES_OK))
			v->r.driver = device_reg64_write(v->r.driver, 4 * v->r.driver_sel, 4,
							 value);
		break;
	case QUEUE_SEL:
		v->r.queue_sel = value;
		break;
	case QUEUE_NUM:
	case QUEUE_READY:
	case QUEUE_DESC:
	case QUEUE_DESC + 4:
	case QUEUE_AVAIL:
	case QUEUE_AVAIL + 4:
	case QUEUE_USED:
	case QUEUE_USED + 4:
		write_queue(v, offset, value);
		break;
	case QUEUE_NOTIFY:
		notify(v, value);
		break;
	case INTERRUPT_ACK:
		v->r.interrupt &= ~(uint32_t)value;
		update_irq(v);
		break;
	case STATUS:
		write_status(v, value);
		break;
	}
}

static bool virtio_save(struct device *d, const struct stream *s)
{
	struct virtio *v = virtio_of(d);

	return stream_write(s, &v->r, sizeof(v->r)) && (!v->class->save || v->class->save(v, s));
}

static bool regs_possible(const struct virtio *v, const struct virtio_regs *r)
{
	for (unsigned i = 0; i < VIRTIO_QUEUES; i++) {
		if (r->q[i].ready > (i < v->class->queues))
			return false;
		if (r->q[i].ready && !queue_valid(v, &r->q[i]))
			return false;
	}
	if (!(r->status & VIRTIO_STATUS_FEATURES_OK))
		return !(r->status & VIRTIO_STATUS_DRIVER_OK);
	return features_taken(v, r->driver);
}

static bool virtio_restore(struct device *d, const struct stream *s)
{
	struct virtio *v = virtio_of(d);
	struct virtio_regs r;

	if (!stream_read(s, &r, sizeof(r)) || !regs_possible(v, &r)) {
		virtio_reset(d);
		return false;
	}
	virtio_reset(d);
	v->r = r;
	if (v->class->restore && !v->class->restore(v, s)) {
		virtio_reset(d);
		return false;
	}
	update_irq(v);
	return true;
}

static void virtio_destroy(struct device *d)
{
	struct virtio *v = virtio_of(d);

	if (v->class->destroy)
		v->class->destroy(v);
	device_free(d);
}

static int virtio_dt(struct device *d, void *fdt, int soc, uint32_t plic)
{
	static const char compatible[] = "virtio,mmio";
	int node = device_node(fdt, soc, d, compatible, sizeof(compatible));

	return node < 0 ? node
			: device_node_interrupt(fdt, node, plic, VIRTIO_IRQ + virtio_of(d)->num);
}

struct device *virtio_create(struct virtio_slot slot, const struct virtio_class *class,
			     size_t state_size)
{
	static const struct device proto = {
		.name = "virtio_mmio",
		.size = VIRTIO_STRIDE,
		.min_bytes = 1,
		.max_bytes = 8,
		.read = virtio_read,
		.write = virtio_write,
		.reset = virtio_reset,
		.save = virtio_save,
		.restore = virtio_restore,
		.destroy = virtio_destroy,
		.dt = virtio_dt,
	};
	size_t head = (sizeof(struct virtio) + 15) & ~(size_t)15;
	struct device *d = device_new(&proto, slot.board, head + state_size);
	struct virtio *v;

	if (!d)
		return NULL;
	d->base = VIRTIO_BASE + slot.num * VIRTIO_STRIDE;
	d->kind = class->kind;
	v = d->state;
	v->class = class;
	v->d = d;
	v->board = slot.board;
	v->irq = slot.irq;
	v->num = slot.num;
	v->features = VIRTIO_F_VERSION_1 | VIRTIO_F_INDIRECT | VIRTIO_F_EVENT_IDX;
	v->state = (char *)v + head;
	update_irq(v);
	return d;
}

struct device *virtio_none_create(struct virtio_slot slot)
{
	static const struct virtio_class class = { .id = 0, .kind = "none" };

	return virtio_create(slot, &class, 0);
}

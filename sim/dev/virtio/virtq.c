/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * virtq.c - the device side of virtqueues, which are in memory that a hostile guest has written.
 *
 * Implements: virtio 1.2 §2.7 (split virtqueues), with indirect descriptors and event indices.
 */
#include <string.h>

#include "virtio.h"

#define DESC_SIZE     16
#define DESC_NEXT     1
#define DESC_WRITE    2
#define DESC_INDIRECT 4

#define AVAIL_NO_INTERRUPT 1

struct desc {
	uint64_t addr;
	uint32_t len;
	uint16_t flags, next;
};

static uint8_t *ram(struct virtio *v, uint64_t addr, uint64_t len)
{
	return v->board->ram(v->board->opaque, addr, len);
}

/*
 * Reads a 16-bit word of the queue.  If it is not in RAM, the device becomes broken, and the result
 * is 0.
 */
static uint16_t get16(struct virtio *v, uint64_t addr)
{
	const uint8_t *p = ram(v, addr, 2);

	if (!p) {
		virtio_broken(v);
		return 0;
	}
	return le16(p);
}

static void put_ram(struct virtio *v, uint64_t addr, const void *data, unsigned len)
{
	uint8_t *p = ram(v, addr, len);

	if (!p) {
		virtio_broken(v);
		return;
	}
	memcpy(p, data, len);
	v->board->ram_written(v->board->opaque, addr, len);
}

/* The fields after the rings (virtio 1.2 §2.7.7, §2.7.10). */
static uint64_t used_event_addr(const struct virtq *vq)
{
	return vq->avail + 4 + 2 * (uint64_t)vq->num;
}

static uint64_t avail_event_addr(const struct virtq *vq)
{
	return vq->used + 4 + 8 * (uint64_t)vq->num;
}

static bool broken(const struct virtio *v)
{
	return v->r.status & VIRTIO_STATUS_NEEDS_RESET;
}

unsigned virtq_available(struct virtio *v, unsigned q)
{
	struct virtq *vq = &v->r.q[q];
	uint16_t nr;

	if (!virtio_running(v, q))
		return 0;
	nr = get16(v, vq->avail + 2) - vq->next_avail;
	if (nr > vq->num)
		virtio_broken(v);
	return broken(v) ? 0 : nr;
}

static bool read_desc(struct virtio *v, uint64_t addr, struct desc *d)
{
	const uint8_t *p = ram(v, addr, DESC_SIZE);

	if (!p)
		return false;
	d->addr = le64(p);
	d->len = le32(p + 8);
	d->flags = le16(p + 12);
	d->next = le16(p + 14);
	return true;
}

static bool add_seg(struct virtio *v, struct virtq_chain *c, const struct desc *d)
{
	unsigned nr = c->out_nr + c->in_nr;
	uint8_t *p;

	/* An empty descriptor may point anywhere. */
	if (!d->len)
		return true;
	p = ram(v, d->addr, d->len);
	if (!p || nr >= VIRTQ_MAX)
		return false;
	if (d->flags & DESC_WRITE) {
		c->in_nr++;
		c->in_len += d->len;
	} else {
		/* The segments that the device reads come first (virtio 1.2 §2.7.4.2). */
		if (c->in_nr)
			return false;
		c->out_nr++;
		c->out_len += d->len;
	}
	c->seg[nr] = (struct virtq_seg){ .p = p, .addr = d->addr, .len = d->len };
	return true;
}

/*
 * Follows a chain through a table of num descriptors, starting at index i.  A chain that is longer
 * than its table has a loop.  inside: the table is an indirect table, and must not contain another
 * one.
 */
static bool walk(struct virtio *v, struct virtq_chain *c, uint64_t table, unsigned num, unsigned i,
		 bool inside)
{
	struct desc d;

	for (unsigned steps = 0; steps < num; steps++) {
		if (i >= num || !read_desc(v, table + (uint64_t)i * DESC_SIZE, &d))
			return false;
		if (d.flags & DESC_INDIRECT) {
			if (inside || d.flags & DESC_NEXT || d.len % DESC_SIZE || !d.len ||
			    d.len > VIRTQ_MAX * DESC_SIZE || !(v->r.driver & VIRTIO_F_INDIRECT))
				return false;
			return walk(v, c, d.addr, d.len / DESC_SIZE, 0, true);
		}
		if (!add_seg(v, c, &d))
			return false;
		if (!(d.flags & DESC_NEXT))
			return true;
		i = d.next;
	}
	return false;
}

bool virtq_pop(struct virtio *v, unsigned q, struct virtq_chain *c)
{
	struct virtq *vq = &v->r.q[q];
	uint8_t event[2];

	if (!virtq_available(v, q))
		return false;
	c->head = get16(v, vq->avail + 4 + 2 * (uint64_t)(vq->next_avail % vq->num));
	c->out_nr = c->in_nr = 0;
	c->out_len = c->in_len = 0;
	if (broken(v) || !walk(v, c, vq->desc, vq->num, c->head, false)) {
		virtio_broken(v);
		return false;
	}
	vq->next_avail++;
	if (v->r.driver & VIRTIO_F_EVENT_IDX) {
		put_le16(event, vq->next_avail);
		put_ram(v, avail_event_addr(vq), event, sizeof(event));
	}
	return !broken(v);
}

void virtq_push(struct virtio *v, unsigned q, const struct virtq_chain *c, uint32_t written)
{
	struct virtq *vq = &v->r.q[q];
	uint8_t elem[8], idx[2];

	if (!virtio_running(v, q))
		return;
	put_le32(elem, c->head);
	put_le32(elem + 4, written);
	put_ram(v, vq->used + 4 + 8 * (uint64_t)(vq->next_used % vq->num), elem, sizeof(elem));
	vq->next_used++;
	put_le16(idx, vq->next_used);
	put_ram(v, vq->used + 2, idx, sizeof(idx));
}

void virtq_signal(struct virtio *v, unsigned q)
{
	struct virtq *vq = &v->r.q[q];
	uint16_t pushed, event;
	bool wanted;

	if (!virtio_running(v, q))
		return;
	pushed = vq->next_used - vq->signalled;
	if (!pushed)
		return;
	if (v->r.driver & VIRTIO_F_EVENT_IDX) {
		/* Has next_used passed the event (virtio 1.2 §2.7.7.2)? */
		event = get16(v, used_event_addr(vq));
		wanted = (uint16_t)(vq->next_used - event - 1) < pushed;
	} else {
		wanted = !(get16(v, vq->avail) & AVAIL_NO_INTERRUPT);
	}
	vq->signalled = vq->next_used;
	if (wanted)
		virtio_interrupt(v);
}

/*
 * How many of len bytes, which begin at *offset of the segments from s on, are in s, and where in
 * it.  Moves *offset to the next segment.
 */
static size_t seg_part(const struct virtq_seg *s, uint64_t *offset, size_t len, uint64_t *at)
{
	uint64_t n;

	*at = *offset;
	if (*at >= s->len) {
		*offset -= s->len;
		return 0;
	}
	*offset = 0;
	n = s->len - *at;
	return n < len ? n : len;
}

size_t virtq_chain_read(const struct virtq_chain *c, uint64_t offset, void *data, size_t len)
{
	size_t done = 0;

	for (unsigned i = 0; i < c->out_nr && done < len; i++) {
		const struct virtq_seg *s = &c->seg[i];
		uint64_t at;
		size_t n = seg_part(s, &offset, len - done, &at);

		if (!n)
			continue;
		memcpy((uint8_t *)data + done, s->p + at, n);
		done += n;
	}
	return done;
}

size_t virtq_chain_write(struct virtio *v, const struct virtq_chain *c, uint64_t offset,
			 const void *data, size_t len)
{
	size_t done = 0;

	for (unsigned i = c->out_nr; i < c->out_nr + c->in_nr && done < len; i++) {
		const struct virtq_seg *s = &c->seg[i];
		uint64_t at;
		size_t n = seg_part(s, &offset, len - done, &at);

		if (!n)
			continue;
		memcpy(s->p + at, (const uint8_t *)data + done, n);
		v->board->ram_written(v->board->opaque, s->addr + at, n);
		done += n;
	}
	return done;
}

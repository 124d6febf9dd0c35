/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * virtio_9p.c - the device of a shared folder: 9P messages in a virtqueue.  The server is p9.c.
 *
 * The device copies a whole request out of guest RAM before it checks it, so that the request
 * cannot change between check and use.
 *
 * Implements: the virtio 9P transport (device 9) of Linux and QEMU.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "p9.h"
#include "virtio.h"

#define F_MOUNT_TAG (1ull << 0)
#define TAG_MAX	    32

struct share {
	int root;
	struct p9 server;
	uint8_t *request, *reply; /* P9_MSIZE_MAX bytes each */
};

static void share_notify(struct virtio *v, unsigned q)
{
	struct share *sh = v->state;
	struct virtq_chain c;
	size_t len, room;

	for (unsigned n = virtq_available(v, q); n && virtq_pop(v, q, &c); n--) {
		if (c.in_len < P9_ERROR_LEN || c.out_len < P9_HEADER || c.out_len > P9_MSIZE_MAX) {
			virtio_broken(v);
			return;
		}
		len = virtq_chain_read(&c, 0, sh->request, c.out_len);
		room = c.in_len < P9_MSIZE_MAX ? c.in_len : P9_MSIZE_MAX;
		len = p9_serve(&sh->server, sh->request, len, sh->reply, room);
		virtq_chain_write(v, &c, 0, sh->reply, len);
		virtq_push(v, q, &c, (uint32_t)len);
	}
	virtq_signal(v, q);
}

static void share_reset(struct virtio *v)
{
	struct share *sh = v->state;

	p9_reset(&sh->server);
}

static bool share_save(struct virtio *v, const struct stream *s)
{
	struct share *sh = v->state;

	return p9_save(&sh->server, s);
}

static bool share_restore(struct virtio *v, const struct stream *s)
{
	struct share *sh = v->state;

	return p9_restore(&sh->server, s);
}

static void share_destroy(struct virtio *v)
{
	struct share *sh = v->state;

	p9_reset(&sh->server);
	free(sh->request);
	free(sh->reply);
	if (sh->root >= 0)
		close(sh->root);
}

static bool open_share(struct share *sh, const struct virtio_9p_options *o, struct error_text *why)
{
	size_t tag = strlen(o->tag);

	sh->root = open(o->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (sh->root < 0)
		return dev_refuse(why, "%s: %s", o->path, strerror(errno));
	if (!tag || tag > TAG_MAX)
		return dev_refuse(why, "a share's tag has 1 to %d bytes, not '%s'", TAG_MAX,
				  o->tag);
	sh->request = malloc(P9_MSIZE_MAX);
	sh->reply = malloc(P9_MSIZE_MAX);
	if (!sh->request || !sh->reply)
		return dev_refuse(why, "%s: out of memory", o->path);
	p9_init(&sh->server, sh->root, o->read_only, o->as_root);
	return true;
}

struct device *virtio_9p_create(struct virtio_slot slot, const struct virtio_9p_options *o,
				struct error_text *why)
{
	static const struct virtio_class class = {
		.id = 9,
		.kind = "share",
		.queues = 1,
		.queue_max = 128,
		.notify = share_notify,
		.reset = share_reset,
		.save = share_save,
		.restore = share_restore,
		.destroy = share_destroy,
	};
	struct device *d = virtio_create(slot, &class, sizeof(struct share));
	struct virtio *v;

	if (!d)
		return dev_refuse(why, "%s: out of memory", o->path);
	v = virtio_of(d);
	if (!open_share(v->state, o, why)) {
		d->destroy(d);
		return NULL;
	}
	v->features |= F_MOUNT_TAG;
	v->config_len = (unsigned)(2 + strlen(o->tag));
	put_le16(v->config, (uint16_t)strlen(o->tag));
	memcpy(v->config + 2, o->tag, strlen(o->tag));
	return d;
}

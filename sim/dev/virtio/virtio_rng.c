/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * virtio_rng.c - random numbers.  The same seed gives the same numbers in every run.
 *
 * Do not use them for secrets, unless they come from the host (VIRTIO_RNG_HOST).
 *
 * Implements: virtio 1.2 §5.4.
 */
#include <string.h>
#include <sys/random.h>

#include "hash.h"
#include "virtio.h"

/* The most bytes that one request gets; a shorter answer is allowed. */
#define ANSWER_MAX 4096

struct rng {
	bool host;
	uint64_t state;
};

static size_t fill(struct rng *r, uint8_t *data, size_t len)
{
	ssize_t n;

	if (r->host) {
		n = getrandom(data, len, 0);
		return n > 0 ? (size_t)n : 0;
	}
	for (size_t i = 0; i < len; i += 8) {
		uint8_t word[8];

		put_le64(word, splitmix64(&r->state));
		memcpy(data + i, word, len - i < 8 ? len - i : 8);
	}
	return len;
}

static void rng_notify(struct virtio *v, unsigned q)
{
	uint8_t data[ANSWER_MAX];
	struct virtq_chain c;
	size_t len;

	for (unsigned n = virtq_available(v, q); n && virtq_pop(v, q, &c); n--) {
		len = fill(v->state, data, c.in_len < ANSWER_MAX ? c.in_len : ANSWER_MAX);
		virtq_chain_write(v, &c, 0, data, len);
		virtq_push(v, q, &c, (uint32_t)len);
	}
	virtq_signal(v, q);
}

/* A reset by the driver does not restart the stream of numbers. */
static bool rng_save(struct virtio *v, const struct stream *s)
{
	const struct rng *r = v->state;

	return stream_write(s, &r->state, sizeof(r->state));
}

static bool rng_restore(struct virtio *v, const struct stream *s)
{
	struct rng *r = v->state;

	return stream_read(s, &r->state, sizeof(r->state));
}

struct device *virtio_rng_create(struct virtio_slot slot, uint64_t seed)
{
	static const struct virtio_class class = {
		.id = 4,
		.kind = "random",
		.queues = 1,
		.queue_max = 64,
		.notify = rng_notify,
		.save = rng_save,
		.restore = rng_restore,
	};
	struct device *d = virtio_create(slot, &class, sizeof(struct rng));
	struct rng *r;

	if (!d)
		return NULL;
	r = virtio_of(d)->state;
	r->host = seed == VIRTIO_RNG_HOST;
	r->state = seed;
	return d;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * virtio_blk.c - a disk in a raw image file.
 *
 * The device carries out a request at once, and copies directly between the image and guest RAM.
 * It first checks every request against the capacity.  It never reads or writes outside of the
 * image.
 *
 * Implements: virtio 1.2 §5.2, with flush, discard and write-zeroes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "virtio.h"

#define SECTOR 512

#define F_SEG_MAX      (1ull << 2)
#define F_RO	       (1ull << 5)
#define F_BLK_SIZE     (1ull << 6)
#define F_FLUSH	       (1ull << 9)
#define F_DISCARD      (1ull << 13)
#define F_WRITE_ZEROES (1ull << 14)

#define T_IN	       0
#define T_OUT	       1
#define T_FLUSH	       4
#define T_GET_ID       8
#define T_DISCARD      11
#define T_WRITE_ZEROES 13

#define S_OK	 0
#define S_IOERR	 1
#define S_UNSUPP 2

#define HEADER_LEN 16
#define RANGE_LEN  16 /* of a discard or write-zeroes: sector, count, flags */
#define ID_LEN	   20

#define RANGES_MAX	 16
#define RANGE_SECTOR_MAX 0x10000 /* 32 MiB, to limit the time of a request */

struct blk {
	int fd;
	bool read_only;
	uint64_t capacity; /* sectors */
	char id[ID_LEN];
};

static bool in_image(const struct blk *b, uint64_t sector, uint64_t bytes)
{
	return sector <= b->capacity && bytes % SECTOR == 0 &&
	       bytes / SECTOR <= b->capacity - sector;
}

/*
 * Reads or writes all of iov at offset of the file.  Returns false on an error, or if the file has
 * become shorter.
 */
static bool transfer(const struct blk *b, bool write, struct iovec *iov, unsigned nr,
		     uint64_t offset)
{
	ssize_t n;

	while (nr) {
		n = write ? pwritev(b->fd, iov, (int)nr, (off_t)offset)
			  : preadv(b->fd, iov, (int)nr, (off_t)offset);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		offset += (uint64_t)n;
		for (; nr && (size_t)n >= iov->iov_len; iov++, nr--)
			n -= (ssize_t)iov->iov_len;
		if (nr) {
			iov->iov_base = (char *)iov->iov_base + n;
			iov->iov_len -= (size_t)n;
		}
	}
	return true;
}

static unsigned read_sectors(struct virtio *v, const struct virtq_chain *c, uint64_t sector)
{
	const struct blk *b = v->state;
	uint64_t left = c->in_len - 1; /* the last byte is the status */
	struct iovec iov[VIRTQ_MAX];
	unsigned nr = 0;
	bool done;

	if (!in_image(b, sector, left))
		return S_IOERR;
	for (unsigned i = c->out_nr; left; i++, nr++) {
		iov[nr].iov_base = c->seg[i].p;
		iov[nr].iov_len = c->seg[i].len < left ? c->seg[i].len : left;
		left -= iov[nr].iov_len;
	}
	done = transfer(b, false, iov, nr, sector * SECTOR);
	for (unsigned i = c->out_nr; i < c->out_nr + c->in_nr; i++)
		v->board->ram_written(v->board->opaque, c->seg[i].addr, c->seg[i].len);
	return done ? S_OK : S_IOERR;
}

static unsigned write_sectors(struct virtio *v, const struct virtq_chain *c, uint64_t sector)
{
	const struct blk *b = v->state;
	uint64_t skip = HEADER_LEN;
	struct iovec iov[VIRTQ_MAX];
	unsigned nr = 0;

	if (b->read_only || !in_image(b, sector, c->out_len - HEADER_LEN))
		return S_IOERR;
	for (unsigned i = 0; i < c->out_nr; i++) {
		if (skip >= c->seg[i].len) {
			skip -= c->seg[i].len;
			continue;
		}
		iov[nr].iov_base = c->seg[i].p + skip;
		iov[nr++].iov_len = c->seg[i].len - skip;
		skip = 0;
	}
	return transfer(b, true, iov, nr, sector * SECTOR) ? S_OK : S_IOERR;
}

static bool write_zeroes(const struct blk *b, uint64_t offset, uint64_t bytes)
{
	static const char zeroes[65536];

	while (bytes) {
		size_t n = bytes < sizeof(zeroes) ? bytes : sizeof(zeroes);
		struct iovec part = { .iov_base = (void *)(uintptr_t)zeroes, .iov_len = n };

		if (!transfer(b, true, &part, 1, offset))
			return false;
		bytes -= n;
		offset += n;
	}
	return true;
}

static unsigned one_range(const struct blk *b, bool zero, const uint8_t *range)
{
	uint64_t sector = le64(range), bytes = (uint64_t)le32(range + 8) * SECTOR;
	uint32_t flags = le32(range + 12);

	/* Only write-zeroes has a flag, "may unmap". */
	if (flags & ~(zero ? 1u : 0u))
		return S_UNSUPP;
	if (bytes > (uint64_t)RANGE_SECTOR_MAX * SECTOR || !in_image(b, sector, bytes))
		return S_IOERR;
	if (!bytes)
		return S_OK;
	if (!zero || flags) {
		if (!fallocate(b->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			       (off_t)(sector * SECTOR), (off_t)bytes))
			return S_OK;
		/* A discard is a hint. */
		if (!zero)
			return errno == EOPNOTSUPP ? S_OK : S_IOERR;
	}
	return write_zeroes(b, sector * SECTOR, bytes) ? S_OK : S_IOERR;
}

static unsigned ranges(struct virtio *v, const struct virtq_chain *c, bool zero)
{
	const struct blk *b = v->state;
	uint64_t len = c->out_len - HEADER_LEN;
	unsigned status = S_OK;
	uint8_t range[RANGE_LEN];

	if (b->read_only || !len || len % RANGE_LEN || len / RANGE_LEN > RANGES_MAX)
		return S_IOERR;
	for (uint64_t at = HEADER_LEN; at < c->out_len && status == S_OK; at += RANGE_LEN) {
		virtq_chain_read(c, at, range, sizeof(range));
		status = one_range(b, zero, range);
	}
	return status;
}

static unsigned request(struct virtio *v, const struct virtq_chain *c)
{
	const struct blk *b = v->state;
	uint8_t header[HEADER_LEN];
	uint64_t sector;

	virtq_chain_read(c, 0, header, sizeof(header));
	sector = le64(header + 8);
	switch (le32(header)) {
	case T_IN:
		return read_sectors(v, c, sector);
	case T_OUT:
		return write_sectors(v, c, sector);
	case T_FLUSH:
		return b->read_only || !fdatasync(b->fd) ? S_OK : S_IOERR;
	case T_GET_ID:
		virtq_chain_write(v, c, 0, b->id, c->in_len - 1 < ID_LEN ? c->in_len - 1 : ID_LEN);
		return S_OK;
	case T_DISCARD:
		return ranges(v, c, false);
	case T_WRITE_ZEROES:
		return ranges(v, c, true);
	}
	return S_UNSUPP;
}

static void blk_notify(struct virtio *v, unsigned q)
{
	struct virtq_chain c;
	uint8_t status;

	for (unsigned n = virtq_available(v, q); n && virtq_pop(v, q, &c); n--) {
		/* A request without a header or a status byte cannot be answered. */
		if (c.out_len < HEADER_LEN || c.in_len < 1 || c.in_len > INT_MAX) {
			virtio_broken(v);
			return;
		}
		status = request(v, &c);
		virtq_chain_write(v, &c, c.in_len - 1, &status, 1);
		virtq_push(v, q, &c, (uint32_t)c.in_len);
	}
	virtq_signal(v, q);
}

/*
 * A snapshot does not hold the image.  At restore the size must match: an image of another size is
 * another image.
 */
static bool blk_save(struct virtio *v, const struct stream *s)
{
	const struct blk *b = v->state;

	return stream_write(s, &b->capacity, sizeof(b->capacity));
}

static bool blk_restore(struct virtio *v, const struct stream *s)
{
	const struct blk *b = v->state;
	uint64_t capacity;

	return stream_read(s, &capacity, sizeof(capacity)) && capacity == b->capacity;
}

static void blk_destroy(struct virtio *v)
{
	struct blk *b = v->state;

	if (b->fd >= 0)
		close(b->fd);
}

/*
 * Locks the image: no other machine may write to an image in use, or use an image that this one
 * writes to.
 */
static bool lock_image(int fd, bool read_only)
{
	struct flock lock = { .l_type = read_only ? F_RDLCK : F_WRLCK, .l_whence = SEEK_SET };

	return !fcntl(fd, F_OFD_SETLK, &lock) || (errno != EAGAIN && errno != EACCES);
}

static bool open_image(struct blk *b, const struct virtio_blk_options *o, struct error_text *why)
{
	struct stat st;
	off_t size;

	b->read_only = o->read_only;
	b->fd = open(o->path, (o->read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NONBLOCK);
	if (b->fd < 0 || fstat(b->fd, &st))
		return dev_refuse(why, "%s: %s", o->path, strerror(errno));
	if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
		return dev_refuse(why, "%s: not a disk image", o->path);
	size = lseek(b->fd, 0, SEEK_END);
	if (size < SECTOR)
		return dev_refuse(why, "%s: a disk has at least 512 bytes, this has %lld", o->path,
				  (long long)size);
	b->capacity = (uint64_t)size / SECTOR;
	if (!lock_image(b->fd, o->read_only))
		return dev_refuse(why, "%s: in use by another machine", o->path);
	return true;
}

static void fill_config(struct virtio *v, const struct blk *b)
{
	uint8_t *p = v->config;

	v->features |= F_SEG_MAX | F_BLK_SIZE | F_FLUSH;
	v->features |= b->read_only ? F_RO : F_DISCARD | F_WRITE_ZEROES;
	v->config_len = 60;
	put_le64(p, b->capacity);
	put_le32(p + 12, VIRTQ_MAX - 2); /* seg_max: without header and status */
	put_le32(p + 20, SECTOR);
	put_le32(p + 36, RANGE_SECTOR_MAX); /* discard: sectors, ranges, alignment */
	put_le32(p + 40, RANGES_MAX);
	put_le32(p + 44, 1);
	put_le32(p + 48, RANGE_SECTOR_MAX); /* write zeroes: sectors, ranges, may unmap */
	put_le32(p + 52, RANGES_MAX);
	p[56] = 1;
}

struct device *virtio_blk_create(struct virtio_slot slot, const struct virtio_blk_options *o,
				 struct error_text *why)
{
	static const struct virtio_class class = {
		.id = 2,
		.kind = "disk",
		.queues = 1,
		.queue_max = VIRTQ_MAX,
		.notify = blk_notify,
		.save = blk_save,
		.restore = blk_restore,
		.destroy = blk_destroy,
	};
	struct device *d = virtio_create(slot, &class, sizeof(struct blk));
	struct blk *b;

	if (!d)
		return dev_refuse(why, "%s: out of memory", o->path);
	b = virtio_of(d)->state;
	if (!open_image(b, o, why)) {
		d->destroy(d);
		return NULL;
	}
	strncpy(b->id, o->serial ? o->serial : "holter", ID_LEN);
	fill_config(virtio_of(d), b);
	return d;
}

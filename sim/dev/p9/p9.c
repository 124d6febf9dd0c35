/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * p9.c - the 9P2000.L server: it turns the bytes of a request into the bytes of a reply.
 *
 * Implements: the 9P2000.L protocol of Linux's client (Documentation/filesystems/9p.rst,
 * include/net/9p/9p.h).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "p9.h"

#define RLERROR 7

void p9_init(struct p9 *s, int root, bool read_only, bool as_root)
{
	memset(s, 0, sizeof(*s));
	s->root = root;
	s->read_only = read_only;
	s->as_root = as_root;
	s->msize = P9_MSIZE_MAX;
}

void p9_reset(struct p9 *s)
{
	p9_fid_drop_all(s);
	p9_ino_forget(s);
	s->msize = P9_MSIZE_MAX;
}

static p9_op *find_op(unsigned type)
{
	p9_op *op = p9_op_names(type);

	return op ? op : p9_op_io(type);
}

size_t p9_serve(struct p9 *s, const uint8_t *request, size_t len, uint8_t *reply, size_t room)
{
	struct p9_in in = { .p = request, .len = len };
	struct p9_out out = { .p = reply, .at = P9_HEADER };
	uint64_t size, type, tag;
	p9_op *op;
	int err;

	/*
	 * In some kernels the size field of a write does not include the data.  The buffer has
	 * them.
	 */
	size = p9_get(&in, 4);
	type = p9_get(&in, 1);
	tag = p9_get(&in, 2);
	in.bad |= size > len;
	op = find_op((unsigned)type);
	out.size = room < s->msize ? room : s->msize;
	if (in.bad || len > s->msize)
		err = -EINVAL;
	else
		err = op ? op(s, &in, &out) : -EOPNOTSUPP;
	if (!err && (in.bad || out.bad))
		err = in.bad ? -EINVAL : -EMSGSIZE;
	if (err) {
		type = RLERROR - 1;
		out.at = P9_HEADER;
		out.bad = false;
		out.size = P9_ERROR_LEN;
		p9_put(&out, 4, (uint32_t)-err);
	}
	len = out.at;
	out.at = 0;
	p9_put(&out, 4, len);
	p9_put(&out, 1, type + 1);
	p9_put(&out, 2, tag);
	return len;
}

struct saved_fid {
	uint32_t id, flags, len;
	uint8_t opened, dir, pad[2];
};

static bool save_fid(const struct p9_fid *fid, const struct stream *stream)
{
	struct saved_fid f = {
		.id = fid->id,
		.flags = fid->flags,
		.len = (uint32_t)strlen(fid->path),
		.opened = fid->opened,
		.dir = fid->dir,
	};

	return stream_write(stream, &f, sizeof(f)) && stream_write(stream, fid->path, f.len);
}

bool p9_save(struct p9 *s, const struct stream *stream)
{
	uint32_t head[2] = { s->msize, s->fids };
	bool done = stream_write(stream, head, sizeof(head));

	for (unsigned i = 0; i < P9_BUCKETS; i++)
		for (const struct p9_fid *fid = s->bucket[i]; fid && done; fid = fid->next)
			done = save_fid(fid, stream);
	return done && p9_ino_save(s, stream);
}

static bool restore_fid(struct p9 *s, const struct stream *stream)
{
	char path[P9_PATH_MAX];
	struct p9_fid *fid;
	struct saved_fid f;
	struct stat st;

	if (!stream_read(stream, &f, sizeof(f)) || f.len >= sizeof(path) ||
	    !stream_read(stream, path, f.len))
		return false;
	path[f.len] = 0;
	if (strlen(path) != f.len || !p9_path_valid(path) || p9_fid_new(s, f.id, path, &fid))
		return false;
	if (!f.opened)
		return true;
	if (s->open >= P9_OPEN_MAX)
		return false;
	/*
	 * Do not truncate the file again.  And it must still be what it was, a file or a directory.
	 */
	if (p9_fid_open(s, fid, f.flags & ~P9_O_TRUNC, &st)) {
		p9_fid_opened(s, fid, -1, f.flags, f.dir);
	} else if (fid->dir != f.dir) {
		close(fid->fd);
		fid->fd = -1;
		fid->dir = f.dir;
	}
	return true;
}

bool p9_restore(struct p9 *s, const struct stream *stream)
{
	uint32_t head[2];
	bool done;

	p9_reset(s);
	done = stream_read(stream, head, sizeof(head)) && head[0] >= P9_MSIZE_MIN &&
	       head[0] <= P9_MSIZE_MAX && head[1] <= P9_FIDS_MAX;
	if (done)
		s->msize = head[0];
	for (uint32_t i = 0; done && i < head[1]; i++)
		done = restore_fid(s, stream);
	done = done && p9_ino_restore(s, stream);
	if (!done)
		p9_reset(s);
	return done;
}

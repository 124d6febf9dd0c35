/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * p9_state.c - the state of a 9P server: set up, reset, saved and restored (p9.h).
 */
#include <string.h>
#include <unistd.h>

#include "p9.h"

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

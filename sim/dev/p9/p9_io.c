/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * p9_io.c - 9P operations on open files: opening, reading, writing, listing, locks.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "p9.h"

#define LOCK_SUCCESS 0
#define LOCK_UNLCK   2

/* Returns the host's flags for the guest's flags.  Other flags are not passed on. */
static int host_flags(uint32_t flags)
{
	static const int access[] = { O_RDONLY, O_WRONLY, O_RDWR, O_RDWR };

	return access[flags & P9_O_ACCMODE] | (flags & P9_O_TRUNC ? O_TRUNC : 0) |
	       (flags & P9_O_APPEND ? O_APPEND : 0) | (flags & P9_O_DSYNC ? O_DSYNC : 0) |
	       (flags & P9_O_SYNC ? O_SYNC : 0) | (flags & P9_O_DIRECTORY ? O_DIRECTORY : 0);
}

static bool changes(uint32_t flags)
{
	return flags & (P9_O_ACCMODE | P9_O_TRUNC);
}

int p9_fid_open(struct p9 *s, struct p9_fid *fid, uint32_t flags, struct stat *st)
{
	int node, fd;

	if (fid->opened)
		return -EINVAL;
	if (s->open >= P9_OPEN_MAX)
		return -EMFILE;
	if (s->read_only && changes(flags))
		return -EROFS;
	node = p9_path_open(s, fid->path);
	if (node < 0)
		return node;
	fd = p9_path_reopen(node, host_flags(flags), st);
	close(node);
	if (fd < 0)
		return fd;
	p9_fid_opened(s, fid, fd, flags, S_ISDIR(st->st_mode));
	return 0;
}

static int op_lopen(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	struct p9_fid *fid = p9_fid_find(s, (uint32_t)p9_get(in, 4));
	uint32_t flags = (uint32_t)p9_get(in, 4);
	struct stat st;
	int err;

	if (in->bad)
		return -EINVAL;
	if (!fid)
		return -EBADF;
	err = p9_fid_open(s, fid, flags, &st);
	if (err)
		return err;
	p9_put_qid(out, s, &st);
	p9_put(out, 4, 0); /* iounit 0: only msize limits it */
	return 0;
}

/* Creates the file at path.  If it exists, opens it instead, unless P9_O_EXCL forbids that. */
static int create(struct p9 *s, const char *path, uint32_t flags, uint32_t mode, struct stat *st)
{
	const char *name;
	int parent = p9_path_parent(s, path, &name), fd, node;

	if (parent < 0)
		return parent;
	fd = openat(parent, name,
		    host_flags(flags) | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY,
		    mode & 0777);
	fd = fd < 0 ? -errno : fd;
	close(parent);
	if (fd >= 0) {
		/* The guest has applied its umask.  Undo the effect of the host's. */
		if (fchmod(fd, mode & 0777) || fstat(fd, st)) {
			close(fd);
			return -EIO;
		}
		p9_ino_made(s, st);
		return fd;
	}
	if (fd != -EEXIST || flags & P9_O_EXCL)
		return fd;
	node = p9_path_open(s, path);
	if (node < 0)
		return node;
	fd = p9_path_reopen(node, host_flags(flags), st);
	close(node);
	return fd;
}

static int op_lcreate(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	struct p9_fid *fid = p9_fid_find(s, (uint32_t)p9_get(in, 4));
	char name[P9_NAME_MAX], path[P9_PATH_MAX];
	uint32_t flags, mode;
	struct stat st;
	int fd, err;

	p9_get_string(in, name, sizeof(name));
	flags = (uint32_t)p9_get(in, 4);
	mode = (uint32_t)p9_get(in, 4);
	p9_get(in, 4); /* gid */
	if (in->bad)
		return -EINVAL;
	if (!fid || fid->opened)
		return -EBADF;
	if (s->read_only)
		return -EROFS;
	if (s->open >= P9_OPEN_MAX)
		return -EMFILE;
	if (!p9_name_valid(name))
		return -EINVAL;
	err = p9_path_join(path, fid->path, name);
	if (err)
		return err;
	fd = create(s, path, flags, mode, &st);
	if (fd < 0)
		return fd;
	err = p9_fid_set_path(fid, path);
	if (err) {
		close(fd);
		return err;
	}
	p9_fid_opened(s, fid, fd, flags, S_ISDIR(st.st_mode));
	p9_put_qid(out, s, &st);
	p9_put(out, 4, 0);
	return 0;
}

/* Returns the open file or directory (dir) of a fid; -errno if the fid is not that. */
static int open_fd(struct p9 *s, uint32_t id, bool dir)
{
	const struct p9_fid *fid = p9_fid_find(s, id);

	if (!fid || !fid->opened)
		return -EBADF;
	if (fid->dir != dir)
		return dir ? -ENOTDIR : -EISDIR;
	return fid->fd < 0 ? -ESTALE : fid->fd;
}

static int op_read(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	int fd = open_fd(s, (uint32_t)p9_get(in, 4), false);
	uint64_t offset = p9_get(in, 8);
	size_t count = p9_get(in, 4), room = out->size - out->at - 4;
	ssize_t n;

	if (in->bad || offset > INT64_MAX)
		return -EINVAL;
	if (fd < 0)
		return fd;
	n = pread(fd, out->p + out->at + 4, count < room ? count : room, (off_t)offset);
	if (n < 0)
		return -errno;
	p9_put(out, 4, (uint64_t)n);
	out->at += (size_t)n;
	return 0;
}

static int op_write(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	int fd = open_fd(s, (uint32_t)p9_get(in, 4), false);
	uint64_t offset = p9_get(in, 8);
	size_t count = p9_get(in, 4);
	const uint8_t *data = p9_get_bytes(in, count);
	ssize_t n;

	if (in->bad || offset > INT64_MAX)
		return -EINVAL;
	if (fd < 0)
		return fd;
	n = pwrite(fd, data, count, (off_t)offset);
	if (n < 0)
		return -errno;
	p9_put(out, 4, (uint64_t)n);
	return 0;
}

/*
 * Writes one entry of a directory: qid, offset of the next entry, type, name.  Returns false if it
 * does not fit.
 */
static bool put_entry(struct p9 *s, struct p9_out *out, size_t end, uint64_t dev,
		      const struct dirent64 *entry)
{
	size_t len = strlen(entry->d_name);

	if (out->at + 13 + 8 + 1 + 2 + len > end)
		return false;
	p9_put(out, 1, entry->d_type == DT_DIR ? 0x80 : entry->d_type == DT_LNK ? 0x02 : 0);
	p9_put(out, 4, 0);
	p9_put(out, 8, p9_ino(s, dev, entry->d_ino));
	p9_put(out, 8, (uint64_t)entry->d_off);
	p9_put(out, 1, entry->d_type);
	p9_put_string(out, entry->d_name, len);
	return true;
}

static int put_entries(struct p9 *s, int fd, struct p9_out *out, size_t end)
{
	_Alignas(struct dirent64) char entries[8192];
	const struct dirent64 *entry;
	size_t first = out->at;
	struct stat st;
	ssize_t len;

	if (fstat(fd, &st))
		return -errno;
	while ((len = getdents64(fd, entries, sizeof(entries))) > 0) {
		for (ssize_t at = 0; at < len; at += entry->d_reclen) {
			entry = (const void *)(entries + at);
			if (!put_entry(s, out, end, st.st_dev, entry))
				return out->at == first ? -EINVAL : 0;
		}
	}
	return len < 0 ? -errno : 0;
}

static int op_readdir(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	int fd = open_fd(s, (uint32_t)p9_get(in, 4), true), err;
	uint64_t offset = p9_get(in, 8);
	size_t count = p9_get(in, 4), start = out->at, end;

	if (in->bad || offset > INT64_MAX)
		return -EINVAL;
	if (fd < 0)
		return fd;
	if (lseek(fd, (off_t)offset, SEEK_SET) < 0)
		return -errno;
	p9_put(out, 4, 0);
	end = count < out->size - out->at ? out->at + count : out->size;
	err = put_entries(s, fd, out, end);
	if (err)
		return err;
	end = out->at;
	out->at = start;
	p9_put(out, 4, end - start - 4);
	out->at = end;
	return 0;
}

static int op_fsync(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	const struct p9_fid *fid = p9_fid_find(s, (uint32_t)p9_get(in, 4));
	bool data_only = p9_get(in, 4);

	if (in->bad)
		return -EINVAL;
	if (!fid || !fid->opened)
		return -EBADF;
	if (fid->fd < 0)
		return -ESTALE;
	return (data_only ? fdatasync(fid->fd) : fsync(fid->fd)) ? -errno : 0;
}

/* The guest itself handles locks between its processes.  Processes of the host do not see them. */
static int op_lock(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	if (!p9_fid_find(s, (uint32_t)p9_get(in, 4)))
		return -EBADF;
	p9_put(out, 1, LOCK_SUCCESS);
	return 0;
}

static int op_getlock(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	const struct p9_fid *fid = p9_fid_find(s, (uint32_t)p9_get(in, 4));
	uint64_t start, len, proc;
	char client[P9_NAME_MAX];

	p9_get(in, 1);
	start = p9_get(in, 8);
	len = p9_get(in, 8);
	proc = p9_get(in, 4);
	p9_get_string(in, client, sizeof(client));
	if (in->bad)
		return -EINVAL;
	if (!fid)
		return -EBADF;
	p9_put(out, 1, LOCK_UNLCK);
	p9_put(out, 8, start);
	p9_put(out, 8, len);
	p9_put(out, 4, proc);
	p9_put_string(out, client, strlen(client));
	return 0;
}

p9_op *p9_op_io(unsigned type)
{
	switch (type) {
	case 12:
		return op_lopen;
	case 14:
		return op_lcreate;
	case 40:
		return op_readdir;
	case 50:
		return op_fsync;
	case 52:
		return op_lock;
	case 54:
		return op_getlock;
	case 116:
		return op_read;
	case 118:
		return op_write;
	}
	return NULL;
}

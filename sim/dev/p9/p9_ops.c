/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * p9_ops.c - 9P operations on names and attributes: attach, walk, create, remove.
 *
 * Each operation reads all its arguments, and refuses a bad message before it changes anything.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "p9.h"

#define WALK_MAX 16

#define GETATTR_BASIC 0x7ffull

#define SETATTR_MODE	  0x001
#define SETATTR_UID	  0x002
#define SETATTR_GID	  0x004
#define SETATTR_SIZE	  0x008
#define SETATTR_ATIME	  0x010
#define SETATTR_MTIME	  0x020
#define SETATTR_ATIME_SET 0x080
#define SETATTR_MTIME_SET 0x100

#define UNLINK_DIR 0x200

static int op_version(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	uint32_t msize = (uint32_t)p9_get(in, 4);
	char version[32];
	bool known;

	p9_get_string(in, version, sizeof(version));
	if (in->bad || msize < P9_MSIZE_MIN)
		return -EINVAL;
	known = strcmp(version, "9P2000.L") == 0;
	p9_reset(s);
	if (known && msize < P9_MSIZE_MAX)
		s->msize = msize;
	p9_put(out, 4, known ? s->msize : msize);
	p9_put_string(out, known ? version : "unknown", known ? strlen(version) : 7);
	return 0;
}

/* Writes the qid of the file at path.  made: the guest has just created it. */
static int put_path_qid(struct p9 *s, struct p9_out *out, const char *path, bool made)
{
	int fd = p9_path_open(s, path), err = 0;
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st)) {
		err = -errno;
	} else {
		if (made)
			p9_ino_made(s, &st);
		p9_put_qid(out, s, &st);
	}
	close(fd);
	return err;
}

/*
 * The name of the tree and the user are ignored: there is one tree, and all accesses are by this
 * process's user.
 */
static int op_attach(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	uint32_t id = (uint32_t)p9_get(in, 4);
	char text[P9_PATH_MAX];
	struct p9_fid *fid;
	int err;

	p9_get(in, 4);
	p9_get_string(in, text, sizeof(text));
	p9_get_string(in, text, sizeof(text));
	p9_get(in, 4);
	if (in->bad)
		return -EINVAL;
	err = put_path_qid(s, out, "", false);
	return err ? err : p9_fid_new(s, id, "", &fid);
}

/*
 * Walks from path along the names in the message, as far as they exist.  Updates path and writes
 * the qids.  Returns the number of names walked, or an error if the first one does not exist.
 */
static int walk(struct p9 *s, struct p9_in *in, struct p9_out *out, char *path, unsigned names)
{
	char name[P9_NAME_MAX], next[P9_PATH_MAX];
	int err;

	for (unsigned i = 0; i < names; i++) {
		p9_get_string(in, name, sizeof(name));
		err = in->bad ? -EINVAL : p9_path_join(next, path, name);
		if (!err)
			err = put_path_qid(s, out, next, false);
		if (err)
			return i ? (int)i : err;
		memcpy(path, next, strlen(next) + 1);
	}
	return (int)names;
}

/* Makes newid a fid for path.  If newid is the fid itself, the fid moves to path. */
static int walk_to(struct p9 *s, struct p9_fid *fid, uint32_t newid, const char *path)
{
	struct p9_fid *made;

	if (fid->id != newid)
		return p9_fid_new(s, newid, path, &made);
	return fid->opened ? -EBADF : p9_fid_set_path(fid, path);
}

static int op_walk(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	struct p9_fid *fid = p9_fid_find(s, (uint32_t)p9_get(in, 4));
	uint32_t newid = (uint32_t)p9_get(in, 4);
	unsigned names = (unsigned)p9_get(in, 2);
	char path[P9_PATH_MAX];
	size_t start = out->at, end;
	int found, err;

	if (in->bad || names > WALK_MAX)
		return -EINVAL;
	if (!fid || (newid != fid->id && p9_fid_find(s, newid)))
		return -EBADF;
	memcpy(path, fid->path, strlen(fid->path) + 1);
	p9_put(out, 2, 0);
	found = walk(s, in, out, path, names);
	if (found < 0)
		return found;
	if ((unsigned)found == names) {
		err = walk_to(s, fid, newid, path);
		if (err)
			return err;
	}
	end = out->at;
	out->at = start;
	p9_put(out, 2, (unsigned)found);
	out->at = end;
	return 0;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/*
 * Linux compares access time and modification time at each read.  The distance between the two on
 * the host depends on the time that the host took to write the file, so runs would differ.
 * Therefore the guest never sees an access time before the modification time.
 */
static void put_attributes(struct p9 *s, struct p9_out *out, const struct stat *st)
{
	const struct timespec *accessed = is_before(&st->st_atim, &st->st_mtim) ? &st->st_mtim
										: &st->st_atim;
	const struct timespec *times[] = { accessed, &st->st_mtim, &st->st_ctim };

	p9_put(out, 8, GETATTR_BASIC);
	p9_put_qid(out, s, st);
	p9_put(out, 4, st->st_mode);
	p9_put(out, 4, s->as_root ? 0 : st->st_uid);
	p9_put(out, 4, s->as_root ? 0 : st->st_gid);
	p9_put(out, 8, st->st_nlink);
	p9_put(out, 8, st->st_rdev);
	p9_put(out, 8, (uint64_t)st->st_size);
	p9_put(out, 8, (uint64_t)st->st_blksize);
	p9_put(out, 8, (uint64_t)st->st_blocks);
	for (unsigned i = 0; i < 3; i++) {
		p9_put(out, 8, (uint64_t)times[i]->tv_sec);
		p9_put(out, 8, (uint64_t)times[i]->tv_nsec);
	}
	for (unsigned i = 0; i < 4; i++)
		p9_put(out, 8, 0); /* birth time, generation, data version: not supported */
}

static int op_getattr(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	uint32_t id = (uint32_t)p9_get(in, 4);
	struct p9_fid *fid;
	struct stat st;
	int fd, err;

	p9_get(in, 8);
	if (in->bad)
		return -EINVAL;
	fd = p9_fid_get(s, id, &fid);
	if (fd < 0)
		return fd;
	err = fstat(fd, &st) ? -errno : 0;
	p9_fid_put(fid, fd);
	if (!err)
		put_attributes(s, out, &st);
	return err;
}

struct setattr {
	uint32_t valid, mode, uid, gid;
	uint64_t size;
	struct timespec time[2]; /* as utimensat takes them */
};

static void get_setattr(struct p9_in *in, struct setattr *a)
{
	static const uint32_t now[] = { SETATTR_ATIME, SETATTR_MTIME };
	static const uint32_t set[] = { SETATTR_ATIME_SET, SETATTR_MTIME_SET };

	a->valid = (uint32_t)p9_get(in, 4);
	a->mode = (uint32_t)p9_get(in, 4);
	a->uid = (uint32_t)p9_get(in, 4);
	a->gid = (uint32_t)p9_get(in, 4);
	a->size = p9_get(in, 8);
	for (unsigned i = 0; i < 2; i++) {
		uint64_t sec = p9_get(in, 8), nsec = p9_get(in, 8);

		a->time[i].tv_sec = (time_t)sec;
		a->time[i].tv_nsec = nsec < 1000000000 ? (long)nsec : 0;
		if (!(a->valid & now[i]))
			a->time[i].tv_nsec = UTIME_OMIT;
		else if (!(a->valid & set[i]))
			a->time[i].tv_nsec = UTIME_NOW;
	}
}

static int set_size(const struct p9_fid *fid, int fd, uint64_t size)
{
	struct stat st;
	int file, err;

	if (size > INT64_MAX)
		return -EINVAL;
	if (fid->opened && fid->flags & P9_O_ACCMODE)
		return ftruncate(fd, (off_t)size) ? -errno : 0;
	file = p9_path_reopen(fd, O_WRONLY, &st);
	if (file < 0)
		return file;
	err = ftruncate(file, (off_t)size) ? -errno : 0;
	close(file);
	return err;
}

/*
 * Changes the attributes of fd, which is an O_PATH or an open descriptor.  The set-user-ID and
 * set-group-ID bits are dropped: a guest must not give such rights to programs on the host.
 */
static int set_attributes(const struct p9 *s, const struct p9_fid *fid, int fd,
			  const struct setattr *a)
{
	struct p9_proc proc = p9_path_proc(fd);
	uid_t uid = a->valid & SETATTR_UID ? a->uid : (uid_t)-1;
	gid_t gid = a->valid & SETATTR_GID ? a->gid : (gid_t)-1;
	int err;

	if (a->valid & SETATTR_MODE && chmod(proc.text, a->mode & 01777))
		return -errno;
	if (a->valid & (SETATTR_UID | SETATTR_GID) && !s->as_root &&
	    fchownat(fd, "", uid, gid, AT_EMPTY_PATH))
		return -errno;
	if (a->valid & SETATTR_SIZE) {
		err = set_size(fid, fd, a->size);
		if (err)
			return err;
	}
	if (a->valid & (SETATTR_ATIME | SETATTR_MTIME) &&
	    utimensat(AT_FDCWD, proc.text, a->time, 0))
		return -errno;
	return 0;
}

static int op_setattr(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	uint32_t id = (uint32_t)p9_get(in, 4);
	struct p9_fid *fid;
	struct setattr a;
	int fd, err;

	get_setattr(in, &a);
	if (in->bad)
		return -EINVAL;
	if (s->read_only)
		return -EROFS;
	fd = p9_fid_get(s, id, &fid);
	if (fd < 0)
		return fd;
	err = set_attributes(s, fid, fd, &a);
	p9_fid_put(fid, fd);
	return err;
}

static int op_statfs(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	struct p9_fid *fid;
	struct statfs st;
	int fd = p9_fid_get(s, (uint32_t)p9_get(in, 4), &fid), err;

	if (fd < 0)
		return fd;
	err = fstatfs(fd, &st) ? -errno : 0;
	p9_fid_put(fid, fd);
	if (err)
		return err;
	p9_put(out, 4, 0x01021997); /* V9FS_MAGIC */
	p9_put(out, 4, (uint32_t)st.f_bsize);
	p9_put(out, 8, st.f_blocks);
	p9_put(out, 8, st.f_bfree);
	p9_put(out, 8, st.f_bavail);
	p9_put(out, 8, st.f_files);
	p9_put(out, 8, st.f_ffree);
	p9_put(out, 8, 0);
	p9_put(out, 4, NAME_MAX);
	return 0;
}

static int op_readlink(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	char target[P9_PATH_MAX];
	struct p9_fid *fid;
	int fd = p9_fid_get(s, (uint32_t)p9_get(in, 4), &fid);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = readlinkat(fd, "", target, sizeof(target));
	n = n < 0 ? (errno == ENOENT ? -EINVAL : -errno) : n;
	p9_fid_put(fid, fd);
	if (n < 0)
		return (int)n;
	p9_put_string(out, target, (size_t)n);
	return 0;
}

/* A name in the directory of a fid: descriptor of the directory, name, and path. */
struct place {
	int dir;
	char name[P9_NAME_MAX];
	char path[P9_PATH_MAX];
};

/* Reads a directory fid and a name from a message into at.  Does not open the directory yet. */
static int get_place(struct p9 *s, struct p9_in *in, struct place *at)
{
	const struct p9_fid *fid = p9_fid_find(s, (uint32_t)p9_get(in, 4));

	at->dir = -1;
	p9_get_string(in, at->name, sizeof(at->name));
	if (in->bad)
		return -EINVAL;
	if (!fid)
		return -EBADF;
	return p9_name_valid(at->name) ? p9_path_join(at->path, fid->path, at->name) : -EINVAL;
}

/*
 * Opens the directory.  To be called when the whole message is read; fails if the share is
 * read-only.
 */
static int open_place(struct p9 *s, const struct p9_in *in, struct place *at)
{
	const char *name;

	if (in->bad)
		return -EINVAL;
	if (s->read_only)
		return -EROFS;
	at->dir = p9_path_parent(s, at->path, &name);
	return at->dir < 0 ? at->dir : 0;
}

/* Closes a place.  result is that of a system call: 0, or -1 and errno. */
static int close_place(const struct place *at, int result)
{
	int err = result ? -errno : 0;

	close(at->dir);
	return err;
}

static int op_symlink(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	char target[P9_PATH_MAX];
	struct place at;
	int err = get_place(s, in, &at);

	p9_get_string(in, target, sizeof(target));
	p9_get(in, 4);
	if (!err)
		err = open_place(s, in, &at);
	if (!err)
		err = close_place(&at, symlinkat(target, at.dir, at.name));
	return err ? err : put_path_qid(s, out, at.path, true);
}

/* Sets the mode that the guest asked for: the host's umask has removed bits from it. */
static int fix_mode(struct p9 *s, const char *path, uint32_t mode)
{
	int fd = p9_path_open(s, path), err;
	struct p9_proc proc;

	if (fd < 0)
		return fd;
	proc = p9_path_proc(fd);
	err = chmod(proc.text, mode & 01777) ? -errno : 0;
	close(fd);
	return err;
}

static int op_mkdir(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	struct place at;
	int err = get_place(s, in, &at);
	uint32_t mode = (uint32_t)p9_get(in, 4);

	p9_get(in, 4);
	if (!err)
		err = open_place(s, in, &at);
	if (!err)
		err = close_place(&at, mkdirat(at.dir, at.name, mode & 0777));
	if (!err)
		err = fix_mode(s, at.path, mode);
	return err ? err : put_path_qid(s, out, at.path, true);
}

/* Creates files, FIFOs and sockets, which work inside the guest.  Refuses devices. */
static int op_mknod(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	struct place at;
	int err = get_place(s, in, &at);
	uint32_t mode = (uint32_t)p9_get(in, 4), type = mode & S_IFMT;

	p9_get(in, 8);
	p9_get(in, 4);
	if (!err && type && type != S_IFREG && type != S_IFIFO && type != S_IFSOCK)
		err = -EPERM;
	if (!err)
		err = open_place(s, in, &at);
	if (!err)
		err = close_place(&at, mknodat(at.dir, at.name, type | (mode & 0777), 0));
	if (!err)
		err = fix_mode(s, at.path, mode);
	return err ? err : put_path_qid(s, out, at.path, true);
}

static int op_link(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	const struct p9_fid *dir = p9_fid_find(s, (uint32_t)p9_get(in, 4));
	uint32_t id = (uint32_t)p9_get(in, 4);
	struct p9_proc proc;
	struct place at;
	struct p9_fid *fid;
	int fd, err;

	p9_get_string(in, at.name, sizeof(at.name));
	if (in->bad || !p9_name_valid(at.name))
		return -EINVAL;
	if (!dir)
		return -EBADF;
	err = p9_path_join(at.path, dir->path, at.name);
	if (err)
		return err;
	fd = p9_fid_get(s, id, &fid);
	if (fd < 0)
		return fd;
	err = open_place(s, in, &at);
	if (!err) {
		proc = p9_path_proc(fd);
		err = close_place(&at,
				  linkat(AT_FDCWD, proc.text, at.dir, at.name, AT_SYMLINK_FOLLOW));
	}
	p9_fid_put(fid, fd);
	return err;
}

static int rename_places(struct p9 *s, struct p9_in *in, struct place *from, struct place *to)
{
	int err = open_place(s, in, from);

	if (err)
		return err;
	err = open_place(s, in, to);
	if (!err)
		err = close_place(to, renameat(from->dir, from->name, to->dir, to->name));
	close(from->dir);
	if (!err)
		p9_fid_moved(s, from->path, to->path);
	return err;
}

static int op_renameat(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	struct place from, to;
	int err = get_place(s, in, &from), err2 = get_place(s, in, &to);

	if (err || err2)
		return err ? err : err2;
	return rename_places(s, in, &from, &to);
}

/* Sets at to the place of the fid's own file.  The folder itself has none. */
static int fid_place(const struct p9_fid *fid, struct place *at)
{
	const char *slash;

	if (!*fid->path)
		return -EBUSY;
	slash = strrchr(fid->path, '/');
	memcpy(at->path, fid->path, strlen(fid->path) + 1);
	slash = slash ? slash + 1 : fid->path;
	memcpy(at->name, slash, strlen(slash) + 1);
	return 0;
}

static int op_rename(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	const struct p9_fid *fid = p9_fid_find(s, (uint32_t)p9_get(in, 4));
	struct place from, to;
	int err = get_place(s, in, &to);

	if (err)
		return err;
	err = fid ? fid_place(fid, &from) : -EBADF;
	return err ? err : rename_places(s, in, &from, &to);
}

static int op_unlinkat(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	struct place at;
	int err = get_place(s, in, &at);
	uint32_t flags = (uint32_t)p9_get(in, 4);

	if (!err)
		err = open_place(s, in, &at);
	if (err)
		return err;
	return close_place(&at, unlinkat(at.dir, at.name, flags & UNLINK_DIR ? AT_REMOVEDIR : 0));
}

/* Drops the fid even if its file cannot be removed. */
static int op_remove(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	uint32_t id = (uint32_t)p9_get(in, 4);
	const struct p9_fid *fid = p9_fid_find(s, id);
	struct place at;
	int err;

	if (in->bad || !fid)
		return in->bad ? -EINVAL : -EBADF;
	err = fid_place(fid, &at);
	if (!err)
		err = open_place(s, in, &at);
	if (!err && !unlinkat(at.dir, at.name, 0))
		err = close_place(&at, 0);
	else if (!err)
		err = close_place(&at, unlinkat(at.dir, at.name, AT_REMOVEDIR));
	p9_fid_drop(s, id);
	return err;
}

static int op_clunk(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	uint32_t id = (uint32_t)p9_get(in, 4);

	if (in->bad || !p9_fid_find(s, id))
		return -EBADF;
	p9_fid_drop(s, id);
	return 0;
}

/* Nothing to flush: every request is answered before the next one is read. */
static int op_flush(struct p9 *s, struct p9_in *in, struct p9_out *out)
{
	return 0;
}

p9_op *p9_op_names(unsigned type)
{
	switch (type) {
	case 8:
		return op_statfs;
	case 16:
		return op_symlink;
	case 18:
		return op_mknod;
	case 20:
		return op_rename;
	case 22:
		return op_readlink;
	case 24:
		return op_getattr;
	case 26:
		return op_setattr;
	case 70:
		return op_link;
	case 72:
		return op_mkdir;
	case 74:
		return op_renameat;
	case 76:
		return op_unlinkat;
	case 100:
		return op_version;
	case 104:
		return op_attach;
	case 108:
		return op_flush;
	case 110:
		return op_walk;
	case 120:
		return op_clunk;
	case 122:
		return op_remove;
	}
	return NULL; /* auth, xattrwalk and xattrcreate, for example, are not supported */
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * p9.h - a file server for 9P2000.L over a folder of the host.  It does not depend on virtio:
 * requests and replies are byte strings.
 *
 * The path of a request: p9_serve (p9.c) reads the header and finds the operation.  p9_ops.c and
 * p9_io.c have one function for each operation.  It reads its arguments (p9_msg.c), finds its fids
 * (p9_fid.c), and reaches files only through p9_path.c.  p9_ino.c has the inode numbers that the
 * guest sees; p9_state.c sets up, resets, saves and restores all of it.
 *
 * Every byte of a request is hostile.  Fids, open files and message sizes have limits.  Names are
 * checked.  p9_path.c never leaves the folder.
 *
 * Functions that return int return a value >= 0 or -errno.  The guest receives this error number:
 * Linux's 9P uses the numbers of asm-generic, and so does the host.
 */
#ifndef SIM_DEV_P9_H
#define SIM_DEV_P9_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "device.h"

#define P9_MSIZE_MAX 524288
#define P9_MSIZE_MIN 512
#define P9_HEADER    7
#define P9_ERROR_LEN 11 /* the least room for a reply, which is an error */

#define P9_FIDS_MAX 8192
#define P9_OPEN_MAX 512 /* fids with an open file */
#define P9_PATH_MAX 4096 /* with the NUL */

#define P9_NONE 0xffffffffu

/* Flags of Tlopen and Tlcreate. */
#define P9_O_ACCMODE   03u
#define P9_O_EXCL      0200u
#define P9_O_TRUNC     01000u
#define P9_O_APPEND    02000u
#define P9_O_DSYNC     010000u
#define P9_O_DIRECTORY 0200000u
#define P9_O_SYNC      04000000u

#define P9_BUCKETS 512

/* A fid: the guest's handle of a file.  path is relative to the folder; "" is the folder itself. */
struct p9_fid {
	struct p9_fid *next;
	uint32_t id;
	char *path;
	int fd; /* open file or directory, -1 */
	uint32_t flags; /* the flags of Tlopen with which it was opened */
	bool opened; /* if fd is -1: it was open before a restore, which did not find the file */
	bool dir;
};

/* A file of the host that the guest has seen, with the inode number that the guest sees. */
struct p9_inode {
	uint64_t dev, ino, number; /* 0: none, a free slot */
};

struct p9_inodes {
	struct p9_inode *slot; /* a hash table */
	uint32_t slots, used;
	uint64_t last; /* number */
};

struct p9 {
	int root; /* O_PATH */
	bool read_only, as_root;
	uint32_t msize;
	unsigned fids, open;
	struct p9_fid *bucket[P9_BUCKETS];
	struct p9_inodes inodes;
};

/* p9.c */

/*
 * Handles the request of len bytes at request.  Writes the reply to reply, which has room for room
 * >= P9_ERROR_LEN bytes.  Returns the reply's length.
 */
size_t p9_serve(struct p9 *s, const uint8_t *request, size_t len, uint8_t *reply, size_t room);

/* p9_state.c */

/* Serves the folder behind descriptor root.  The caller still owns the descriptor. */
void p9_init(struct p9 *s, int root, bool read_only, bool as_root);

/* Drops every fid, closes its file, and forgets the inode numbers. */
void p9_reset(struct p9 *s);

/*
 * Save and restore the fids and the inode numbers.  If restore does not find a file again, its fid
 * answers ESTALE.
 */
bool p9_save(struct p9 *s, const struct stream *stream);
bool p9_restore(struct p9 *s, const struct stream *stream);

/* p9_msg.c: fields of messages.  A field that does not fit sets bad, and bad stays set. */

struct p9_in {
	const uint8_t *p;
	size_t len, at;
	bool bad;
};

struct p9_out {
	uint8_t *p;
	size_t size, at;
	bool bad;
};

uint64_t p9_get(struct p9_in *in, unsigned bytes);
/*
 * Copies a string and adds a NUL.  A string with a NUL inside, or of size bytes or more, sets bad.
 */
void p9_get_string(struct p9_in *in, char *text, size_t size);
/* Returns a pointer to the next len bytes of the message. */
const uint8_t *p9_get_bytes(struct p9_in *in, size_t len);
void p9_put(struct p9_out *out, unsigned bytes, uint64_t value);
void p9_put_string(struct p9_out *out, const char *text, size_t len);
void p9_put_qid(struct p9_out *out, struct p9 *s, const struct stat *st);

/* p9_fid.c */

struct p9_fid *p9_fid_find(struct p9 *s, uint32_t id);
/* Makes a new fid for path; -EBADF if the id is in use. */
int p9_fid_new(struct p9 *s, uint32_t id, const char *path, struct p9_fid **fid);
int p9_fid_set_path(struct p9_fid *fid, const char *path);
void p9_fid_drop(struct p9 *s, uint32_t id);
void p9_fid_drop_all(struct p9 *s);
/* Makes fd the open file of the fid. */
void p9_fid_opened(struct p9 *s, struct p9_fid *fid, int fd, uint32_t flags, bool dir);
/* Moves every fid at or below path from to the same place below to. */
void p9_fid_moved(struct p9 *s, const char *from, const char *to);

/* p9_ino.c */

/* Returns the inode number that the guest sees, which is also the path field of the qid. */
uint64_t p9_ino(struct p9 *s, uint64_t dev, uint64_t ino);
/* To be called after a file is created: gives it a new number even if the host reuses an inode. */
void p9_ino_made(struct p9 *s, const struct stat *st);
void p9_ino_forget(struct p9 *s);
bool p9_ino_save(const struct p9 *s, const struct stream *stream);
bool p9_ino_restore(struct p9 *s, const struct stream *stream);

/* p9_path.c */

/* The longest name, with its NUL. */
#define P9_NAME_MAX 256

/* Whether name can be a path component: not empty, not "." or "..", and without a slash. */
bool p9_name_valid(const char *name);
/* Whether path is a possible result of p9_path_join. */
bool p9_path_valid(const char *path);
/*
 * Writes path/name to to.  For "..", writes the parent of path; the parent of the folder is the
 * folder.
 */
int p9_path_join(char *to, const char *path, const char *name);
/*
 * Returns an O_PATH descriptor of the file at path.  A symbolic link is opened itself, not
 * followed.
 */
int p9_path_open(const struct p9 *s, const char *path);
/*
 * Returns an O_PATH descriptor of the directory that contains path, and sets *name to the last
 * component.
 */
int p9_path_parent(const struct p9 *s, const char *path, const char **name);
/*
 * A path in /proc that names the file of an O_PATH descriptor, for system calls without
 * AT_EMPTY_PATH.
 */
struct p9_proc {
	char text[40];
};
struct p9_proc p9_path_proc(int fd);
/*
 * Opens the regular file or directory of an O_PATH descriptor for reading or writing.  Sets *st to
 * its status.
 */
int p9_path_reopen(int fd, int flags, struct stat *st);

/* p9_ops.c, p9_io.c: the operation of a message type, NULL if there is none. */
typedef int p9_op(struct p9 *s, struct p9_in *in, struct p9_out *out);
p9_op *p9_op_names(unsigned type); /* operations on names and attributes */
p9_op *p9_op_io(unsigned type); /* operations on open files */
/* Opens a fid's file as Tlopen does. */
int p9_fid_open(struct p9 *s, struct p9_fid *fid, uint32_t flags, struct stat *st);
/* Finds a fid and returns an O_PATH or open descriptor of its file.  Close it with p9_fid_put. */
int p9_fid_get(struct p9 *s, uint32_t id, struct p9_fid **fid);
void p9_fid_put(const struct p9_fid *fid, int fd);

#endif

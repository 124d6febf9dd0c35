/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * p9.h - a file server for 9P2000.L over a folder of the host.  Knows nothing of virtio: a
 * request comes in as bytes and a reply goes out as bytes.
 *
 * The way of a request: p9_serve (p9.c) reads the header and finds the operation; p9_ops.c and
 * p9_io.c have one function for each, which reads its arguments (p9_msg.c), finds its fids
 * (p9_fid.c), and reaches files through p9_path.c only.
 *
 * Every byte of a request is hostile.  What bounds the damage: fids, open files and message
 * sizes have limits, names are checked, and p9_path.c never leaves the folder.
 *
 * Functions that return int return a value >= 0 or -errno, the guest's error number: Linux' 9P
 * has those of asm-generic, which are also the host's.
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
#define P9_ERROR_LEN 11 /* the shortest reply room that can tell an error */

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

/* A name that the guest uses for a file: a path from the folder, "" for the folder itself. */
struct p9_fid {
	struct p9_fid *next;
	uint32_t id;
	char *path;
	int fd; /* open file or directory, -1 */
	uint32_t flags; /* it was opened with these, as in Tlopen */
	bool opened; /* with fd -1: was open before a restore that has not found it again */
	bool dir;
};

/* A file of the host that the guest has met, and the number that it has for it. */
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

/* Serves the folder behind descriptor root, which stays the caller's. */
void p9_init(struct p9 *s, int root, bool read_only, bool as_root);

/* Forgets every fid and closes its file, and every inode's number. */
void p9_reset(struct p9 *s);

/*
 * Answers the request of len bytes at request in at most room >= P9_ERROR_LEN bytes at reply.
 * Returns the reply's length.
 */
size_t p9_serve(struct p9 *s, const uint8_t *request, size_t len, uint8_t *reply, size_t room);

/* The fids and the numbers.  A file that is not found again on restore answers ESTALE. */
bool p9_save(struct p9 *s, const struct stream *stream);
bool p9_restore(struct p9 *s, const struct stream *stream);

/* p9_msg.c: fields of messages.  After a field that does not fit, bad stays set. */

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
/* A string, copied with a NUL behind it; one with a NUL inside or of size bytes and more is bad. */
void p9_get_string(struct p9_in *in, char *text, size_t size);
/* The next len bytes where they are. */
const uint8_t *p9_get_bytes(struct p9_in *in, size_t len);
void p9_put(struct p9_out *out, unsigned bytes, uint64_t value);
void p9_put_string(struct p9_out *out, const char *text, size_t len);
void p9_put_qid(struct p9_out *out, struct p9 *s, const struct stat *st);

/* p9_fid.c */

struct p9_fid *p9_fid_find(struct p9 *s, uint32_t id);
/* A new fid for path; -EBADF if the id is in use. */
int p9_fid_new(struct p9 *s, uint32_t id, const char *path, struct p9_fid **fid);
int p9_fid_set_path(struct p9_fid *fid, const char *path);
void p9_fid_drop(struct p9 *s, uint32_t id);
void p9_fid_drop_all(struct p9 *s);
/* fd becomes the fid's open file. */
void p9_fid_opened(struct p9 *s, struct p9_fid *fid, int fd, uint32_t flags, bool dir);
/* Every fid at or below path from is now at to. */
void p9_fid_moved(struct p9 *s, const char *from, const char *to);

/* p9_ino.c */

/* The guest's number of a file: what its qid has as path. */
uint64_t p9_ino(struct p9 *s, uint64_t dev, uint64_t ino);
/* A file has just been made: its number is new, whatever the host's was before. */
void p9_ino_made(struct p9 *s, const struct stat *st);
void p9_ino_forget(struct p9 *s);
bool p9_ino_save(const struct p9 *s, const struct stream *stream);
bool p9_ino_restore(struct p9 *s, const struct stream *stream);

/* p9_path.c */

/* The longest name, with its NUL. */
#define P9_NAME_MAX 256

/* Whether name can be one component: not empty, ".", "..", and without a slash. */
bool p9_name_valid(const char *name);
/* Whether path is one that p9_path_join could have made. */
bool p9_path_valid(const char *path);
/* path/name, or the parent for "..", which of the folder is the folder. */
int p9_path_join(char *to, const char *path, const char *name);
/* O_PATH descriptor of the file at path itself, never of what a symbolic link points to. */
int p9_path_open(const struct p9 *s, const char *path);
/* O_PATH descriptor of the directory that path is in, and its name there in *name. */
int p9_path_parent(const struct p9 *s, const char *path, const char **name);
/* The text by which system calls without AT_EMPTY_PATH reach the file of an O_PATH descriptor. */
struct p9_proc {
	char text[40];
};
struct p9_proc p9_path_proc(int fd);
/*
 * Opens the regular file or directory at an O_PATH descriptor for reading or writing.  *st is
 * its status.
 */
int p9_path_reopen(int fd, int flags, struct stat *st);

/* p9_ops.c, p9_io.c: the operation of a message type, NULL if there is none. */
typedef int p9_op(struct p9 *s, struct p9_in *in, struct p9_out *out);
p9_op *p9_op_names(unsigned type); /* what works on names and attributes */
p9_op *p9_op_io(unsigned type); /* what works on open files */
/* Opens a fid's file as Tlopen does. */
int p9_fid_open(struct p9 *s, struct p9_fid *fid, uint32_t flags, struct stat *st);
/* A fid and an O_PATH or open descriptor of its file; close with p9_fid_put. */
int p9_fid_get(struct p9 *s, uint32_t id, struct p9_fid **fid);
void p9_fid_put(const struct p9_fid *fid, int fd);

#endif

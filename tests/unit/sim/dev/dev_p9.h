/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dev_p9.h - a 9P client for the tests: composes messages, sends them, reads the replies.
 */
#ifndef DEV_P9_H
#define DEV_P9_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "p9.h"
#include "tap.h"

#define T_STATFS    8
#define T_LOPEN	    12
#define T_LCREATE   14
#define T_SYMLINK   16
#define T_MKNOD	    18
#define T_RENAME    20
#define T_READLINK  22
#define T_GETATTR   24
#define T_SETATTR   26
#define T_XATTRWALK 30
#define T_READDIR   40
#define T_FSYNC	    50
#define T_LOCK	    52
#define T_GETLOCK   54
#define T_LINK	    70
#define T_MKDIR	    72
#define T_RENAMEAT  74
#define T_UNLINKAT  76
#define T_VERSION   100
#define T_AUTH	    102
#define T_ATTACH    104
#define T_FLUSH	    108
#define T_WALK	    110
#define T_READ	    116
#define T_WRITE	    118
#define T_CLUNK	    120
#define T_REMOVE    122

struct client {
	struct p9 server;
	int root;
	char base[64]; /* holds the folder "share" and files outside of it */
	char share[80];
	uint8_t request[16384], reply[16384];
	size_t len; /* of the reply */
	struct p9_in in; /* the body of the reply */
};

/*
 * Fields of a message: 1, 2, 4, 8: integers of that many bytes; s: a string; b: length and bytes.
 */
static inline size_t compose(uint8_t *to, unsigned type, const char *format, va_list args)
{
	struct p9_out out = { .p = to, .size = 16384, .at = 7 };
	size_t len;

	for (; *format; format++) {
		if (*format == 's') {
			const char *text = va_arg(args, const char *);

			p9_put_string(&out, text, strlen(text));
		} else if (*format == 'b') {
			const char *data = va_arg(args, const char *);

			len = va_arg(args, unsigned);
			p9_put(&out, 4, len);
			memcpy(to + out.at, data, len);
			out.at += len;
		} else if (*format == '8') {
			p9_put(&out, 8, va_arg(args, unsigned long long));
		} else {
			p9_put(&out, (unsigned)(*format - '0'), va_arg(args, unsigned));
		}
	}
	len = out.at;
	out.at = 0;
	p9_put(&out, 4, len);
	p9_put(&out, 1, type);
	p9_put(&out, 2, 77);
	return len;
}

/*
 * Sends a message.  Returns 0 or the error number of its reply, 9999 for a malformed reply; in
 * reads the fields.
 */
static inline unsigned ask(struct client *c, unsigned type, const char *format, ...)
{
	va_list args;
	size_t len;

	va_start(args, format);
	len = compose(c->request, type, format, args);
	va_end(args);
	c->len = p9_serve(&c->server, c->request, len, c->reply, sizeof(c->reply));
	c->in = (struct p9_in){ .p = c->reply, .len = c->len };
	if (p9_get(&c->in, 4) != c->len)
		return 9999;
	len = p9_get(&c->in, 1);
	if (p9_get(&c->in, 2) != 77 || c->in.bad)
		return 9999;
	if (len == 7)
		return (unsigned)p9_get(&c->in, 4);
	return len == type + 1 ? 0 : 9999;
}

/* Walks from fid to newid by the names in path, which are separated by slashes. */
static inline unsigned walk_path(struct client *c, unsigned fid, unsigned newid, const char *path)
{
	struct p9_out out = { .p = c->request, .size = sizeof(c->request), .at = 7 };
	unsigned names = 0, got;
	size_t len;

	p9_put(&out, 4, fid);
	p9_put(&out, 4, newid);
	p9_put(&out, 2, 0);
	while (*path) {
		len = strcspn(path, "/");
		p9_put_string(&out, path, len);
		path += len + (path[len] == '/');
		names++;
	}
	len = out.at;
	out.at = 0;
	p9_put(&out, 4, len);
	p9_put(&out, 1, T_WALK);
	p9_put(&out, 2, 77);
	out.at = 15;
	p9_put(&out, 2, names);
	c->len = p9_serve(&c->server, c->request, len, c->reply, sizeof(c->reply));
	c->in = (struct p9_in){ .p = c->reply, .len = c->len, .at = 7 };
	if (c->reply[4] == 7)
		return (unsigned)p9_get(&c->in, 4);
	got = (unsigned)p9_get(&c->in, 2);
	return got == names ? 0 : ENOENT;
}

static inline void shell(const struct client *c, const char *command)
{
	char line[512];

	snprintf(line, sizeof(line), "cd %s && { %s; }", c->base, command);
	if (system(line))
		abort();
}

/* A folder with a few files, and a secret outside of it; fid 0 is attached. */
static inline void client_start(struct client *c, bool read_only, bool as_root)
{
	memset(c, 0, sizeof(*c));
	strcpy(c->base, "/tmp/holter-p9-XXXXXX");
	if (!mkdtemp(c->base))
		abort();
	snprintf(c->share, sizeof(c->share), "%s/share", c->base);
	shell(c, "mkdir share share/dir share/dir/deep outside; echo secret >outside/secret;"
		 "echo hello >share/file; echo deep >share/dir/deep/leaf;"
		 "ln -s /etc share/etc; ln -s ../outside share/out; ln -s file share/link;"
		 "ln -s ../outside/secret share/secret; mkfifo share/fifo; chmod 644 share/file");
	c->root = open(c->share, O_PATH | O_DIRECTORY | O_CLOEXEC);
	p9_init(&c->server, c->root, read_only, as_root);
	if (ask(c, T_VERSION, "4s", 8192u, "9P2000.L") ||
	    ask(c, T_ATTACH, "44ss4", 0u, P9_NONE, "root", "/", 0u))
		abort();
}

static inline void client_end(struct client *c)
{
	char line[128];

	p9_reset(&c->server);
	close(c->root);
	snprintf(line, sizeof(line), "rm -rf %s", c->base);
	if (system(line))
		abort();
}

/* True if a shell test about the folder is true: "test -e share/x". */
static inline bool holds(const struct client *c, const char *command)
{
	char line[512];

	snprintf(line, sizeof(line), "cd %s && { %s; } >/dev/null 2>&1", c->base, command);
	return system(line) == 0;
}

/* The fields of a file, by their place in the reply to T_GETATTR. */
#define AT_INO	 13
#define AT_MODE	 21
#define AT_UID	 25
#define AT_SIZE	 49
#define AT_ATIME 73
#define AT_MTIME 89

static inline uint64_t attribute(struct client *c, unsigned fid, size_t offset, unsigned bytes)
{
	is(ask(c, T_GETATTR, "48", fid, 0x7ffull), 0);
	c->in.at = 7 + offset;
	return p9_get(&c->in, bytes);
}

/* The inode number of a fid. */
static inline uint64_t inode_of(struct client *c, unsigned fid)
{
	return attribute(c, fid, AT_INO, 8);
}

#endif

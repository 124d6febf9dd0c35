/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * p9_msg.c - the fields of 9P messages: little-endian integers, counted strings, qids.
 */
#include <string.h>

#include "bytes.h"
#include "p9.h"

#define QID_DIR	    0x80
#define QID_SYMLINK 0x02

const uint8_t *p9_get_bytes(struct p9_in *in, size_t len)
{
	const uint8_t *p = in->p + in->at;

	if (in->bad || len > in->len - in->at) {
		in->bad = true;
		return NULL;
	}
	in->at += len;
	return p;
}

uint64_t p9_get(struct p9_in *in, unsigned bytes)
{
	const uint8_t *p = p9_get_bytes(in, bytes);

	return p ? le_bytes(p, bytes) : 0;
}

void p9_get_string(struct p9_in *in, char *text, size_t size)
{
	size_t len = p9_get(in, 2);
	const uint8_t *p = p9_get_bytes(in, len);

	text[0] = 0;
	if (!p)
		return;
	if (len >= size || memchr(p, 0, len)) {
		in->bad = true;
		return;
	}
	memcpy(text, p, len);
	text[len] = 0;
}

static uint8_t *room(struct p9_out *out, size_t len)
{
	uint8_t *p = out->p + out->at;

	if (out->bad || len > out->size - out->at) {
		out->bad = true;
		return NULL;
	}
	out->at += len;
	return p;
}

void p9_put(struct p9_out *out, unsigned bytes, uint64_t value)
{
	uint8_t *p = room(out, bytes);

	if (p)
		put_le_bytes(p, bytes, value);
}

void p9_put_string(struct p9_out *out, const char *text, size_t len)
{
	uint8_t *p;

	p9_put(out, 2, len);
	p = room(out, len);
	if (p && len)
		memcpy(p, text, len);
}

void p9_put_qid(struct p9_out *out, struct p9 *s, const struct stat *st)
{
	p9_put(out, 1, S_ISDIR(st->st_mode) ? QID_DIR : S_ISLNK(st->st_mode) ? QID_SYMLINK : 0);
	p9_put(out, 4,
	       (uint32_t)st->st_mtim.tv_sec ^ (uint32_t)st->st_mtim.tv_nsec ^
		       (uint32_t)st->st_size << 8);
	p9_put(out, 8, p9_ino(s, st->st_dev, st->st_ino));
}

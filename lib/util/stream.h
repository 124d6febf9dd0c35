/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stream.h - where state is saved to and restored from (snapshots).  Its owner implements it with a
 * file.  Devices and models only see these two calls.
 */
#ifndef UTIL_STREAM_H
#define UTIL_STREAM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * write and read return false on an error and on every later call, so that a caller may check once
 * at the end.
 */
struct stream {
	void *opaque;
	bool (*write)(void *opaque, const void *data, size_t len);
	bool (*read)(void *opaque, void *data, size_t len);
};

static inline bool stream_write(const struct stream *s, const void *data, size_t len)
{
	return s->write(s->opaque, data, len);
}

static inline bool stream_read(const struct stream *s, void *data, size_t len)
{
	return s->read(s->opaque, data, len);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stream.h - where state is saved and restored (snapshots).  Calls nobody; devices and models
 * know it, and neither knows the other.
 */
#ifndef SIM_STREAM_H
#define SIM_STREAM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * write and read return false on an error, and go on returning it, so that a caller may check
 * once at the end.
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

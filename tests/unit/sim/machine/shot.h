/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shot.h - a machine's state in memory, for tests and fuzzing: what state_save writes, without the
 * file format around it.
 */
#ifndef SIM_SHOT_H
#define SIM_SHOT_H

#include <stdlib.h>
#include <string.h>

#include "state.h"

struct shot {
	uint8_t *data;
	size_t len, at, room;
};

static inline bool shot_write(void *opaque, const void *data, size_t len)
{
	struct shot *s = opaque;

	if (len > s->room - s->len) {
		s->room = 2 * (s->len + len);
		s->data = realloc(s->data, s->room);
		if (!s->data)
			abort();
	}
	memcpy(s->data + s->len, data, len);
	s->len += len;
	return true;
}

static inline bool shot_read(void *opaque, void *data, size_t len)
{
	struct shot *s = opaque;

	if (len > s->len - s->at) {
		s->at = s->len;
		return false;
	}
	memcpy(data, s->data + s->at, len);
	s->at += len;
	return true;
}

static inline bool shot_save(struct shot *s, struct machine *m)
{
	const struct stream stream = { .opaque = s, .write = shot_write };

	s->len = s->at = 0;
	return state_save(m, &stream);
}

static inline bool shot_restore(struct shot *s, struct machine *m, struct error_text *why)
{
	const struct stream stream = { .opaque = s, .read = shot_read };

	s->at = 0;
	return state_restore(m, &stream, why);
}

static inline void shot_end(struct shot *s)
{
	free(s->data);
	*s = (struct shot){ 0 };
}

#endif

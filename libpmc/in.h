/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * in.h - bytes from outside, a log entry's or a ring record's, read in order.  Reading beyond the
 * end gives zeros and is remembered.
 */
#ifndef LIBPMC_IN_H
#define LIBPMC_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct in {
	const char *at, *end;
	bool bad;
};

static inline void in_get(struct in *in, void *to, size_t len)
{
	if ((size_t)(in->end - in->at) < len) {
		in->bad = true;
		memset(to, 0, len);
		return;
	}
	memcpy(to, in->at, len);
	in->at += len;
}

static inline uint32_t get32(struct in *in)
{
	uint32_t v;

	in_get(in, &v, sizeof(v));
	return v;
}

static inline uint64_t get64(struct in *in)
{
	uint64_t v;

	in_get(in, &v, sizeof(v));
	return v;
}

#endif

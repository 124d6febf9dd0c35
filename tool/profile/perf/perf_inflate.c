// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_inflate.c - decompresses records (perf record -z).  All compressed records of a file are
 * pieces of one zstd stream.  A record in the stream may begin in one piece and end in the next
 * (perf_internal.h).
 */
#include <zstd.h>

#include "perf_internal.h"

#define INFLATED_MAX (4ull << 30) /* a file with more is taken for a decompression bomb */

static bool room(struct perf_reader *r)
{
	const size_t nr = r->inflated.nr;

	if (nr < r->inflated.size)
		return true;
	if (nr >= INFLATED_MAX)
		return perf_refuse(r, "holds more than 4 GB of compressed records");
	return VEC_ROOM(&r->inflated, nr ? 1 : 1 << 20) ||
	       perf_refuse(r, "out of memory for its compressed records");
}

bool perf_inflate(struct perf_reader *r, const char *at, size_t len, void **stream)
{
	ZSTD_inBuffer in = { at, len, 0 };
	bool full = true;

	if (!*stream && !(*stream = ZSTD_createDStream()))
		return perf_refuse(r, "out of memory for its compressed records");
	while (in.pos < in.size || full) {
		ZSTD_outBuffer out;
		size_t left;

		if (!room(r))
			return false;
		out = (ZSTD_outBuffer){ r->inflated.at, r->inflated.size, r->inflated.nr };
		left = ZSTD_decompressStream(*stream, &out, &in);
		if (ZSTD_isError(left))
			return perf_refuse(r, "its compressed records are damaged: %s",
					   ZSTD_getErrorName(left));
		full = out.pos == out.size;
		r->inflated.nr = out.pos;
	}
	return true;
}

void perf_inflate_end(void *stream)
{
	ZSTD_freeDStream(stream);
}

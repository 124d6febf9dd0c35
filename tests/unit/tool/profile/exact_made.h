/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_made.h - exact profiles made by hand (holter-profile(5)), number by number.
 */
#ifndef EXACT_MADE_H
#define EXACT_MADE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct made {
	uint8_t at[1 << 16];
	size_t len;
};

static inline void made_bytes(struct made *m, const void *data, size_t len)
{
	if (len > sizeof(m->at) - m->len)
		abort();
	memcpy(m->at + m->len, data, len);
	m->len += len;
}

static inline void made_number(struct made *m, uint64_t n)
{
	uint8_t byte;

	do {
		byte = (n & 0x7f) | (n > 0x7f) << 7;
		made_bytes(m, &byte, 1);
		n >>= 7;
	} while (n);
}

static inline void made_text(struct made *m, const char *text)
{
	made_number(m, strlen(text));
	made_bytes(m, text, strlen(text));
}

#define made_numbers(m, ...)                                                                       \
	do {                                                                                       \
		const uint64_t numbers_[] = { __VA_ARGS__ };                                       \
		for (unsigned n_ = 0; n_ < sizeof(numbers_) / sizeof(*numbers_); n_++)             \
			made_number(m, numbers_[n_]);                                              \
	} while (0)

/* The whole file: *len bytes, which the caller frees. */
static inline uint8_t *made_file(const void *data, size_t size, size_t *len)
{
	size_t most = ZSTD_compressBound(size);
	uint8_t *file = malloc(16 + most);
	ZSTD_CCtx *z = ZSTD_createCCtx();

	if (!file || !z)
		abort();
	memcpy(file, "HOLTPROF\1\0\0\0\0\0\0", 16);
	ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
	*len = 16 + ZSTD_compress2(z, file + 16, most, data, size);
	ZSTD_freeCCtx(z);
	return file;
}

#endif

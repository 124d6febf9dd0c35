/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bytes.h - reads and writes numbers in bytes that come from elsewhere.
 *
 * struct in reads the fields of a log entry, or of a record of the kernel's ring, in order.  They
 * are in the host's byte order and at any alignment.  Reading beyond the end gives zeros and sets
 * bad, which the caller may check once at the end.  le16() and the others read and write
 * little-endian fields at an address, on hosts of either byte order.
 */
#ifndef UTIL_BYTES_H
#define UTIL_BYTES_H

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

/* A field of up to 8 bytes. */
static inline uint64_t le_bytes(const void *p, unsigned bytes)
{
	const uint8_t *b = p;
	uint64_t value = 0;

	for (unsigned n = 0; n < bytes; n++)
		value |= (uint64_t)b[n] << (8 * n);
	return value;
}

static inline uint16_t le16(const void *p)
{
	return (uint16_t)le_bytes(p, 2);
}

static inline uint32_t le32(const void *p)
{
	return (uint32_t)le_bytes(p, 4);
}

static inline uint64_t le64(const void *p)
{
	return le_bytes(p, 8);
}

static inline void put_le_bytes(void *p, unsigned bytes, uint64_t value)
{
	uint8_t *b = p;

	for (unsigned n = 0; n < bytes; n++)
		b[n] = value >> (8 * n) & 0xff;
}

static inline void put_le16(void *p, uint16_t value)
{
	put_le_bytes(p, 2, value);
}

static inline void put_le32(void *p, uint32_t value)
{
	put_le_bytes(p, 4, value);
}

static inline void put_le64(void *p, uint64_t value)
{
	put_le_bytes(p, 8, value);
}

#endif

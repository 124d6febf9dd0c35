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

static inline uint16_t le16(const void *p)
{
	const uint8_t *b = p;

	return (uint16_t)(b[0] | b[1] << 8);
}

static inline uint32_t le32(const void *p)
{
	const uint8_t *b = p;

	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint64_t le64(const void *p)
{
	return le32(p) | (uint64_t)le32((const uint8_t *)p + 4) << 32;
}

static inline void put_le16(void *p, uint16_t value)
{
	uint8_t *b = p;

	b[0] = value & 0xff;
	b[1] = value >> 8;
}

static inline void put_le32(void *p, uint32_t value)
{
	put_le16(p, value & 0xffff);
	put_le16((uint8_t *)p + 2, value >> 16);
}

static inline void put_le64(void *p, uint64_t value)
{
	put_le32(p, value & 0xffffffff);
	put_le32((uint8_t *)p + 4, value >> 32);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtb_block.h - the layout of the blob: its header and the tokens of the structure block.
 */
#ifndef DTB_BLOCK_H
#define DTB_BLOCK_H

#include "dtb.h"

/* Tokens of the structure block */
#define TOKEN_BEGIN_NODE 1
#define TOKEN_END_NODE	 2
#define TOKEN_PROP	 3
#define TOKEN_NOP	 4
#define TOKEN_END	 9

/* Offsets in the header */
#define HDR_MAGIC	 0
#define HDR_TOTALSIZE	 4
#define HDR_OFF_STRUCT	 8
#define HDR_OFF_STRINGS	 12
#define HDR_OFF_RSVMAP	 16
#define HDR_VERSION	 20
#define HDR_LAST_COMP	 24
#define HDR_SIZE_STRINGS 32
#define HDR_SIZE_STRUCT	 36

static inline uint32_t align4(uint32_t n)
{
	return (n + 3) & ~(uint32_t)3;
}

/* The token at an offset of the structure block. */
static inline uint32_t token(const struct dtb *t, uint32_t off)
{
	return dtb_be32(t->blob + t->st + off);
}

static inline bool string_equal(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static inline uint32_t string_length(const char *s)
{
	uint32_t n = 0;

	while (s[n])
		n++;
	return n;
}

#endif

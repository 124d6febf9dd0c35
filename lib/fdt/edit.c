// SPDX-License-Identifier: BSD-2-Clause
/*
 * edit.c - the few changes that firmware makes to a device tree (dtb.h).
 *
 * To remove a property, it is overwritten with FDT_NOP; to add one, the rest of the blob is moved
 * up.  Calls only the reader.
 */
#include "dtb_block.h"

bool dtb_prop_drop(struct dtb *t, uint32_t node, const char *name)
{
	uint32_t off = dtb_prop_offset(t, node, name), end;

	if (off == DTB_NONE)
		return false;
	for (end = dtb_skip(t, off); off < end; off += 4)
		dtb_put32(t->blob + t->st + off, TOKEN_NOP);
	return true;
}

/* Adds n to the offset of a block that begins at or after the place of insertion. */
static void shift(struct dtb *t, uint32_t *block, unsigned field, uint32_t at, uint32_t n)
{
	if (*block < at)
		return;
	*block += n;
	dtb_put32(t->blob + field, *block);
}

/* Inserts n zero bytes at offset at of the blob; n is a multiple of 8. */
static bool open_gap(struct dtb *t, size_t cap, uint32_t at, uint32_t n)
{
	uint32_t i;

	if (cap < t->total || n > cap - t->total || n > INT32_MAX - t->total)
		return false;
	for (i = t->total; i > at; i--)
		t->blob[i - 1 + n] = t->blob[i - 1];
	for (i = 0; i < n; i++)
		t->blob[at + i] = 0;
	t->total += n;
	dtb_put32(t->blob + HDR_TOTALSIZE, t->total);
	shift(t, &t->st, HDR_OFF_STRUCT, at, n);
	shift(t, &t->str, HDR_OFF_STRINGS, at, n);
	shift(t, &t->rsv, HDR_OFF_RSVMAP, at, n);
	return true;
}

/* Inserts n bytes of FDT_NOP at offset off of the structure block. */
static bool open_struct(struct dtb *t, size_t cap, uint32_t off, uint32_t n)
{
	uint32_t gap = (n + 7) & ~(uint32_t)7, i;

	if (!open_gap(t, cap, t->st + off, gap))
		return false;
	for (i = 0; i < gap; i += 4)
		dtb_put32(t->blob + t->st + off + i, TOKEN_NOP);
	t->st_len += gap;
	dtb_put32(t->blob + HDR_SIZE_STRUCT, t->st_len);
	return true;
}

static void copy(unsigned char *to, const void *from, uint32_t n)
{
	const unsigned char *p = from;

	while (n--)
		*to++ = *p++;
}

/* The offset of name in the strings block.  Adds it if it is not there; DTB_NONE: no room. */
static uint32_t intern(struct dtb *t, size_t cap, const char *name)
{
	uint32_t i, n = string_length(name) + 1, end = t->str_len, str = t->str;

	for (i = 0; i < end; i += string_length((char *)t->blob + t->str + i) + 1) {
		if (string_equal((char *)t->blob + t->str + i, name))
			return i;
	}
	if (!open_gap(t, cap, t->str + end, (n + 7) & ~(uint32_t)7))
		return DTB_NONE;
	/* An empty block begins where the gap does, and has moved. */
	t->str = str;
	dtb_put32(t->blob + HDR_OFF_STRINGS, str);
	copy(t->blob + str + end, name, n);
	t->str_len = end + n;
	dtb_put32(t->blob + HDR_SIZE_STRINGS, t->str_len);
	return end;
}

bool dtb_prop_add(struct dtb *t, size_t cap, uint32_t node, const char *name, const void *value,
		  uint32_t len)
{
	uint32_t str = intern(t, cap, name), off = dtb_skip(t, node);
	unsigned char *p;

	if (str == DTB_NONE || !open_struct(t, cap, off, 12 + align4(len)))
		return false;
	p = t->blob + t->st + off;
	for (uint32_t i = 0; i < align4(len); i += 4)
		dtb_put32(p + 12 + i, 0);
	dtb_put32(p, TOKEN_PROP);
	dtb_put32(p + 4, len);
	dtb_put32(p + 8, str);
	copy(p + 12, value, len);
	return true;
}

/* The offset of a node's FDT_END_NODE. */
static uint32_t node_end(const struct dtb *t, uint32_t node)
{
	uint32_t off = node;
	int depth = 0;

	for (;; off = dtb_skip(t, off)) {
		uint32_t tok = token(t, off);

		if (tok == TOKEN_BEGIN_NODE)
			depth++;
		if (tok == TOKEN_END_NODE && --depth == 0)
			return off;
	}
}

uint32_t dtb_node_add(struct dtb *t, size_t cap, uint32_t parent, const char *name)
{
	uint32_t off = node_end(t, parent), n = align4(string_length(name) + 1);
	unsigned char *p;

	if (!open_struct(t, cap, off, 4 + n + 4))
		return DTB_NONE;
	p = t->blob + t->st + off;
	for (uint32_t i = 0; i < n; i += 4)
		dtb_put32(p + 4 + i, 0);
	dtb_put32(p, TOKEN_BEGIN_NODE);
	copy(p + 4, name, string_length(name));
	dtb_put32(p + 4 + n, TOKEN_END_NODE);
	return off;
}

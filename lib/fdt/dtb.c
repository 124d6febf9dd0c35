// SPDX-License-Identifier: BSD-2-Clause
/*
 * dtb.c - reading a flattened device tree (dtb.h).
 *
 * Only dtb_open() reads unchecked bytes.  Calls nothing outside this folder.
 */
#include "dtb_block.h"

uint32_t dtb_skip(const struct dtb *t, uint32_t off)
{
	const unsigned char *p = t->blob + t->st + off;

	switch (dtb_be32(p)) {
	case TOKEN_BEGIN_NODE:
		return off + 4 + align4(string_length((const char *)p + 4) + 1);
	case TOKEN_PROP:
		return off + 12 + align4(dtb_be32(p + 4));
	default:
		return off + 4;
	}
}

/* Checks the token at *off and moves *off past it; NULL, or a text that says what is wrong. */
static const char *check_token(const struct dtb *t, uint32_t *off, int *depth)
{
	uint32_t left = t->st_len - *off, n;
	const unsigned char *p = t->blob + t->st + *off;

	if (left < 4)
		return "structure block without an end";
	switch (dtb_be32(p)) {
	case TOKEN_BEGIN_NODE:
		for (n = 4; n < left && p[n]; n++)
			;
		if (n >= left || align4(n + 1) > left)
			return "node name runs out of the structure block";
		if (++*depth > DTB_DEPTH_MAX)
			return "nodes nested too deep";
		*off += align4(n + 1);
		return NULL;
	case TOKEN_END_NODE:
		if (--*depth < 0)
			return "node end without a beginning";
		break;
	case TOKEN_PROP:
		if (*depth == 0)
			return "property outside a node";
		if (left < 12 || dtb_be32(p + 4) > left - 12)
			return "property runs out of the structure block";
		if (dtb_be32(p + 8) >= t->str_len)
			return "property name outside the strings block";
		n = 12 + align4(dtb_be32(p + 4));
		if (n > left)
			return "property runs out of the structure block";
		*off += n;
		return NULL;
	case TOKEN_NOP:
		break;
	default:
		return "unknown token";
	}
	*off += 4;
	return NULL;
}

/* Checks that there is one root node, properly nested, and FDT_END after it. */
static const char *check_struct(const struct dtb *t)
{
	const char *wrong = NULL;
	uint32_t off = 0;
	bool root = false;
	int depth = 0;

	while (!wrong) {
		if (t->st_len - off < 4)
			return "structure block without an end";
		if (depth == 0) {
			if (token(t, off) == TOKEN_END)
				return root ? NULL : "no root node";
			if (token(t, off) == TOKEN_BEGIN_NODE) {
				if (root)
					return "more than one root node";
				root = true;
			}
		}
		wrong = check_token(t, &off, &depth);
	}
	return wrong;
}

/* True if a block lies after the header and inside the blob. */
static bool in_blob(const struct dtb *t, uint32_t off, uint32_t len)
{
	return off >= DTB_HEADER_SIZE && off <= t->total && len <= t->total - off;
}

/* The length of the reservation block; 0 if its end is not inside the blob. */
static uint32_t rsv_length(const struct dtb *t)
{
	uint32_t off, i;

	for (off = t->rsv; in_blob(t, off, 16); off += 16) {
		for (i = 0; i < 16 && !t->blob[off + i]; i++)
			;
		if (i == 16)
			return off + 16 - t->rsv;
	}
	return 0;
}

/* An empty block overlaps a block that has bytes on both sides of it. */
static bool overlap(uint32_t a, uint32_t a_len, uint32_t b, uint32_t b_len)
{
	return a < b + b_len && b < a + a_len;
}

const char *dtb_open(struct dtb *t, void *blob, size_t max)
{
	const unsigned char *p = blob;
	uint32_t rsv_len;

	*t = (struct dtb){ .blob = blob };
	if (!blob || (uintptr_t)blob & 7)
		return "not aligned to 8 bytes";
	if (max < DTB_HEADER_SIZE || dtb_be32(p + HDR_MAGIC) != DTB_MAGIC)
		return "no magic number";
	t->total = dtb_be32(p + HDR_TOTALSIZE);
	if (t->total < DTB_HEADER_SIZE || t->total > max || t->total > INT32_MAX)
		return "wrong total size";
	if (dtb_be32(p + HDR_VERSION) < 17 || dtb_be32(p + HDR_LAST_COMP) > 17)
		return "not format version 17";
	t->st = dtb_be32(p + HDR_OFF_STRUCT);
	t->st_len = dtb_be32(p + HDR_SIZE_STRUCT);
	t->str = dtb_be32(p + HDR_OFF_STRINGS);
	t->str_len = dtb_be32(p + HDR_SIZE_STRINGS);
	t->rsv = dtb_be32(p + HDR_OFF_RSVMAP);
	if (t->st & 3 || !in_blob(t, t->st, t->st_len))
		return "structure block out of bounds";
	if (!in_blob(t, t->str, t->str_len) || (t->str_len && p[t->str + t->str_len - 1]))
		return "strings block out of bounds or not terminated";
	rsv_len = t->rsv & 7 ? 0 : rsv_length(t);
	if (!rsv_len)
		return "memory reservation block out of bounds";
	/* An edit moves one block and not the other, so they must not overlap. */
	if (overlap(t->st, t->st_len, t->str, t->str_len) ||
	    overlap(t->st, t->st_len, t->rsv, rsv_len) ||
	    overlap(t->str, t->str_len, t->rsv, rsv_len))
		return "blocks overlap";
	return check_struct(t);
}

uint32_t dtb_root(const struct dtb *t)
{
	uint32_t off = 0;

	while (token(t, off) != TOKEN_BEGIN_NODE)
		off = dtb_skip(t, off);
	return off;
}

uint32_t dtb_next(const struct dtb *t, uint32_t node, int *depth)
{
	uint32_t off = node;
	int d = 1;

	for (;;) {
		off = dtb_skip(t, off);
		switch (token(t, off)) {
		case TOKEN_BEGIN_NODE:
			if (depth)
				*depth += d;
			return off;
		case TOKEN_END_NODE:
			d--;
			break;
		case TOKEN_END:
			return DTB_NONE;
		}
	}
}

uint32_t dtb_parent(const struct dtb *t, uint32_t node)
{
	uint32_t path[DTB_DEPTH_MAX + 1], n;
	int depth = 0;

	for (n = dtb_root(t); n != DTB_NONE && n != node; n = dtb_next(t, n, &depth))
		path[depth] = n;
	return n == DTB_NONE || depth == 0 ? DTB_NONE : path[depth - 1];
}

const char *dtb_name(const struct dtb *t, uint32_t node)
{
	return (const char *)t->blob + t->st + node + 4;
}

/* True if name is want[0..len), with or without a unit address after it. */
static bool name_matches(const char *name, const char *want, uint32_t len)
{
	bool unit = false;
	uint32_t i;

	for (i = 0; i < len; i++) {
		if (name[i] != want[i])
			return false;
		unit = unit || want[i] == '@';
	}
	return !name[len] || (name[len] == '@' && !unit);
}

static uint32_t child_of(const struct dtb *t, uint32_t node, const char *want, uint32_t len)
{
	uint32_t n = node;
	int depth = 0;

	while ((n = dtb_next(t, n, &depth)) != DTB_NONE && depth > 0) {
		if (depth == 1 && name_matches(dtb_name(t, n), want, len))
			return n;
	}
	return DTB_NONE;
}

uint32_t dtb_child(const struct dtb *t, uint32_t node, const char *name)
{
	return child_of(t, node, name, string_length(name));
}

uint32_t dtb_path(const struct dtb *t, const char *path)
{
	uint32_t n = dtb_root(t), len;

	if (*path != '/')
		return DTB_NONE;
	while (n != DTB_NONE) {
		while (*path == '/')
			path++;
		for (len = 0; path[len] && path[len] != '/'; len++)
			;
		if (!len)
			break;
		n = child_of(t, n, path, len);
		path += len;
	}
	return n;
}

uint32_t dtb_phandle(const struct dtb *t, uint32_t phandle)
{
	uint32_t n, value;

	for (n = dtb_root(t); n != DTB_NONE; n = dtb_next(t, n, NULL)) {
		if (dtb_cell(t, n, "phandle", 0, &value) && value == phandle)
			break;
	}
	return n;
}

uint32_t dtb_compatible_next(const struct dtb *t, uint32_t node, const char *compatible)
{
	node = node == DTB_NONE ? dtb_root(t) : dtb_next(t, node, NULL);
	while (node != DTB_NONE && !(dtb_compatible(t, node, compatible) && dtb_enabled(t, node)))
		node = dtb_next(t, node, NULL);
	return node;
}

uint32_t dtb_prop_offset(const struct dtb *t, uint32_t node, const char *name)
{
	uint32_t off = dtb_skip(t, node);

	for (;; off = dtb_skip(t, off)) {
		const unsigned char *p = t->blob + t->st + off;

		switch (dtb_be32(p)) {
		case TOKEN_PROP:
			if (string_equal((char *)t->blob + t->str + dtb_be32(p + 8), name))
				return off;
			break;
		case TOKEN_NOP:
			break;
		default:
			return DTB_NONE;
		}
	}
}

const void *dtb_prop(const struct dtb *t, uint32_t node, const char *name, uint32_t *len)
{
	uint32_t off = dtb_prop_offset(t, node, name);

	if (off == DTB_NONE)
		return NULL;
	if (len)
		*len = token(t, off + 4);
	return t->blob + t->st + off + 12;
}

const char *dtb_string(const struct dtb *t, uint32_t node, const char *name)
{
	uint32_t len;
	const char *s = dtb_prop(t, node, name, &len);

	return s && len && !s[len - 1] ? s : NULL;
}

bool dtb_string_in(const struct dtb *t, uint32_t node, const char *name, const char *want)
{
	uint32_t len, i;
	const char *s = dtb_prop(t, node, name, &len);

	if (!s || !len || s[len - 1])
		return false;
	for (i = 0; i < len; i += string_length(s + i) + 1) {
		if (string_equal(s + i, want))
			return true;
	}
	return false;
}

bool dtb_cell(const struct dtb *t, uint32_t node, const char *name, unsigned index, uint32_t *value)
{
	uint32_t len;
	const unsigned char *p = dtb_prop(t, node, name, &len);

	if (!p || index >= len / 4)
		return false;
	*value = dtb_be32(p + 4 * index);
	return true;
}

/* The number of count cells at p; false if it needs more than 64 bits. */
static bool read_cells(const unsigned char *p, uint32_t count, uint64_t *value)
{
	*value = 0;
	for (; count; count--, p += 4) {
		if (*value >> 32)
			return false;
		*value = *value << 32 | dtb_be32(p);
	}
	return true;
}

bool dtb_number(const struct dtb *t, uint32_t node, const char *name, uint64_t *value)
{
	uint32_t len;
	const unsigned char *p = dtb_prop(t, node, name, &len);

	return p && (len == 4 || len == 8) && read_cells(p, len / 4, value);
}

bool dtb_reg(const struct dtb *t, uint32_t node, unsigned index, uint64_t *addr, uint64_t *size)
{
	uint32_t parent = dtb_parent(t, node), ac = 2, sc = 1, len;
	const unsigned char *p = dtb_prop(t, node, "reg", &len);

	if (!p || parent == DTB_NONE)
		return false;
	dtb_cell(t, parent, "#address-cells", 0, &ac);
	dtb_cell(t, parent, "#size-cells", 0, &sc);
	if (ac > 4 || sc > 4 || ac + sc == 0 || index >= len / (4 * (ac + sc)))
		return false;
	p += 4 * (ac + sc) * index;
	return read_cells(p, ac, addr) && read_cells(p + 4 * ac, sc, size);
}

bool dtb_reservation(const struct dtb *t, unsigned index, uint64_t *addr, uint64_t *size)
{
	const unsigned char *p = t->blob + t->rsv;

	for (;; p += 16) {
		read_cells(p, 2, addr);
		read_cells(p + 8, 2, size);
		/* The last entry is zero; dtb_open() has checked that it exists. */
		if (!*addr && !*size)
			return false;
		if (!index--)
			return true;
	}
}

bool dtb_enabled(const struct dtb *t, uint32_t node)
{
	const char *s = dtb_string(t, node, "status");

	return !dtb_prop(t, node, "status", NULL) ||
	       (s && (string_equal(s, "okay") || string_equal(s, "ok")));
}

bool dtb_compatible(const struct dtb *t, uint32_t node, const char *compatible)
{
	return dtb_string_in(t, node, "compatible", compatible);
}

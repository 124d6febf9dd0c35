/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtb.h - a small reader and editor of flattened device trees, for code without a libc.
 *
 * dtb_open() checks the whole blob once: header, block bounds, nesting, names, every
 * property's length.  The other functions rely on that check and therefore never leave the
 * blob, whatever it holds; they expect that nobody else writes to it meanwhile.
 *
 * A node is the offset of its FDT_BEGIN_NODE in the structure block, DTB_NONE is no node.
 * Lengths are in bytes, cells are converted to the host's byte order.
 *
 * Implements: Devicetree Specification 0.4, chapter 5 (format version 17), §2.3 (standard
 * properties).  Programs on a host use libfdt instead.
 */
#ifndef DTB_H
#define DTB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DTB_NONE	0xffffffffu
#define DTB_HEADER_SIZE 40
#define DTB_MAGIC	0xd00dfeedu
/* Deeper trees are refused, so that nothing that walks one needs an unbounded stack. */
#define DTB_DEPTH_MAX	32

/* An open blob.  Offsets are from its beginning. */
struct dtb {
	unsigned char *blob;
	uint32_t total;
	uint32_t rsv; /* memory reservation block */
	uint32_t st, st_len; /* structure block */
	uint32_t str, str_len; /* strings block */
};

/*
 * Opens and checks the blob at blob, of which at most max bytes may be read; blob is aligned
 * to 8 bytes or the call fails.  Returns NULL when all is well, else what is wrong, as a
 * constant text.  t is then unusable.
 */
const char *dtb_open(struct dtb *t, void *blob, size_t max);

/* The root node. */
uint32_t dtb_root(const struct dtb *t);

/*
 * The node after node in document order (its first child, or its next sibling, or that of an
 * ancestor), DTB_NONE after the last.  *depth, if depth is not NULL, changes as the walk
 * descends and ascends.
 */
uint32_t dtb_next(const struct dtb *t, uint32_t node, int *depth);

/* The parent, DTB_NONE for the root. */
uint32_t dtb_parent(const struct dtb *t, uint32_t node);

/* The first direct child called name, with or without its unit address; else DTB_NONE. */
uint32_t dtb_child(const struct dtb *t, uint32_t node, const char *name);

/* The node at an absolute path such as "/soc/serial@10000000", else DTB_NONE. */
uint32_t dtb_path(const struct dtb *t, const char *path);

/* The node with that phandle, else DTB_NONE. */
uint32_t dtb_phandle(const struct dtb *t, uint32_t phandle);

/*
 * The first enabled node after node (DTB_NONE: from the root on) that is compatible with
 * compatible, else DTB_NONE.
 */
uint32_t dtb_compatible_next(const struct dtb *t, uint32_t node, const char *compatible);

/* The node's name with its unit address; the root's is "". */
const char *dtb_name(const struct dtb *t, uint32_t node);

/* A property's value and, in *len (may be NULL), its length; NULL if it is not there. */
const void *dtb_prop(const struct dtb *t, uint32_t node, const char *name, uint32_t *len);

/* A property that is a string; NULL unless it is there and ends in NUL. */
const char *dtb_string(const struct dtb *t, uint32_t node, const char *name);

/* True if the property is a list of strings and holds want. */
bool dtb_string_in(const struct dtb *t, uint32_t node, const char *name, const char *want);

/* Cell index of a property into *value; false if the property is not there or too short. */
bool dtb_cell(const struct dtb *t, uint32_t node, const char *name, unsigned index,
	      uint32_t *value);

/* A property of one or two cells as a number; false if it is not there. */
bool dtb_number(const struct dtb *t, uint32_t node, const char *name, uint64_t *value);

/*
 * Entry index of "reg", read with the parent's #address-cells and #size-cells.  False if
 * there is none or if it does not fit into 64 bits.  Addresses are not translated.
 */
bool dtb_reg(const struct dtb *t, uint32_t node, unsigned index, uint64_t *addr, uint64_t *size);

/* Entry index of the memory reservation block; false at its end. */
bool dtb_reservation(const struct dtb *t, unsigned index, uint64_t *addr, uint64_t *size);

/* True unless "status" says otherwise. */
bool dtb_enabled(const struct dtb *t, uint32_t node);

/* True if "compatible" holds that string. */
bool dtb_compatible(const struct dtb *t, uint32_t node, const char *compatible);

/* A big-endian cell at p, which need not be aligned. */
static inline uint32_t dtb_be32(const void *p)
{
	const unsigned char *b = p;

	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* Stores value as a big-endian cell. */
static inline void dtb_put32(void *p, uint32_t value)
{
	unsigned char *b = p;

	b[0] = (unsigned char)(value >> 24);
	b[1] = (unsigned char)(value >> 16);
	b[2] = (unsigned char)(value >> 8);
	b[3] = (unsigned char)value;
}

/*
 * Editing.  cap is how many bytes the caller owns at t->blob.  Each call that adds something
 * invalidates nodes behind the place of insertion and fails, having changed nothing that
 * matters, when the result would not fit.
 */

/* Removes a property in place; true if it was there. */
bool dtb_prop_drop(struct dtb *t, uint32_t node, const char *name);

/* Adds a property to a node that does not have it. */
bool dtb_prop_add(struct dtb *t, size_t cap, uint32_t node, const char *name, const void *value,
		  uint32_t len);

/* Adds an empty node as parent's last child; DTB_NONE on failure. */
uint32_t dtb_node_add(struct dtb *t, size_t cap, uint32_t parent, const char *name);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtb.h - a small reader and editor of flattened device trees, for code without a libc.
 * The door of lib/fdt.
 *
 * dtb_open() checks the whole blob once: header, bounds of the blocks, nesting, names, the length
 * of every property.  The other functions rely on that check and never access memory outside the
 * blob.  They expect that nobody else writes to the blob.
 *
 * A node is the offset of its FDT_BEGIN_NODE in the structure block; DTB_NONE is not a node.
 * Lengths are in bytes.  Cells are converted to the byte order of the CPU.
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
/* dtb_open() refuses deeper trees, so that a walk needs a bounded stack only. */
#define DTB_DEPTH_MAX	32

/* An open blob.  Offsets count from its first byte. */
struct dtb {
	unsigned char *blob;
	uint32_t total;
	uint32_t rsv; /* memory reservation block */
	uint32_t st, st_len; /* structure block */
	uint32_t str, str_len; /* strings block */
};

/*
 * Opens and checks the blob at blob; reads at most max bytes.  Returns NULL on success, else a
 * constant text that says what is wrong; t must not be used then.  Fails if blob is not aligned
 * to 8 bytes.
 */
const char *dtb_open(struct dtb *t, void *blob, size_t max);

/* The root node. */
uint32_t dtb_root(const struct dtb *t);

/*
 * The next node in document order: the first child, else the next sibling, else the next sibling
 * of an ancestor; DTB_NONE after the last node.  Unless depth is NULL, *depth is increased by 1 for
 * a child and decreased by 1 for each level that the walk goes up.
 */
uint32_t dtb_next(const struct dtb *t, uint32_t node, int *depth);

/* The parent, DTB_NONE for the root.  Global for tests. */
uint32_t dtb_parent(const struct dtb *t, uint32_t node);

/* The first direct child with that name; its unit address may be left out.  Else DTB_NONE. */
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

/* True if the property is a list of strings that contains want. */
bool dtb_string_in(const struct dtb *t, uint32_t node, const char *name, const char *want);

/* Stores cell number index of a property in *value; false if it has no such cell. */
bool dtb_cell(const struct dtb *t, uint32_t node, const char *name, unsigned index,
	      uint32_t *value);

/* Stores a property of one or two cells in *value; false if there is no such property. */
bool dtb_number(const struct dtb *t, uint32_t node, const char *name, uint64_t *value);

/*
 * Entry number index of "reg", decoded with the parent's #address-cells and #size-cells.  False if
 * there is no such entry or if it does not fit into 64 bits.  Addresses are not translated.
 */
bool dtb_reg(const struct dtb *t, uint32_t node, unsigned index, uint64_t *addr, uint64_t *size);

/* Entry number index of the memory reservation block; false at its end. */
bool dtb_reservation(const struct dtb *t, unsigned index, uint64_t *addr, uint64_t *size);

/* True if "status" is absent, "okay" or "ok". */
bool dtb_enabled(const struct dtb *t, uint32_t node);

/* True if "compatible" contains that string. */
bool dtb_compatible(const struct dtb *t, uint32_t node, const char *compatible);

/* The big-endian cell at p; any alignment. */
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
 * Editing.  cap is the number of bytes that the caller owns at t->blob.  A call that adds something
 * moves the nodes after it: their offsets become invalid.  It fails if the result would be larger
 * than cap; the tree then has the same contents as before.
 */

/* For edit.c: the offset of the token after the one at off. */
uint32_t dtb_skip(const struct dtb *t, uint32_t off);

/* For edit.c: the offset of a property's token; DTB_NONE if the node does not have it. */
uint32_t dtb_prop_offset(const struct dtb *t, uint32_t node, const char *name);

/* Removes a property in place; true if the node had it. */
bool dtb_prop_drop(struct dtb *t, uint32_t node, const char *name);

/* Adds a property to a node that does not have it. */
bool dtb_prop_add(struct dtb *t, size_t cap, uint32_t node, const char *name, const void *value,
		  uint32_t len);

/* Adds an empty node as parent's last child; DTB_NONE on failure. */
uint32_t dtb_node_add(struct dtb *t, size_t cap, uint32_t parent, const char *name);

#endif

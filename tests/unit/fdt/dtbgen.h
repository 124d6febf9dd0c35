/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtbgen.h - writes device-tree blobs for tests, well-formed or not.
 *
 * dtbgen_start(), then begin/prop/end in document order, then dtbgen_finish(), which puts the
 * blocks in one of two orders.  There is one static builder: one blob at a time.
 */
#ifndef DTBGEN_H
#define DTBGEN_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dtb.h>

#define DTBGEN_MAX 16384

static struct {
	unsigned char st[DTBGEN_MAX];
	uint32_t st_len;
	char str[2048];
	uint32_t str_len;
	uint64_t rsv[4][2]; /* memory reservations: address and size */
	unsigned nr_rsv;
} dtbgen;

static inline void dtbgen_start(void)
{
	memset(&dtbgen, 0, sizeof(dtbgen));
}

static inline void dtbgen_cell(uint32_t value)
{
	dtb_put32(dtbgen.st + dtbgen.st_len, value);
	dtbgen.st_len += 4;
}

static inline void dtbgen_bytes(const void *data, size_t len)
{
	if (len)
		memcpy(dtbgen.st + dtbgen.st_len, data, len);
	dtbgen.st_len = (dtbgen.st_len + (uint32_t)len + 3) & ~3u;
}

static inline void begin(const char *name)
{
	dtbgen_cell(1);
	dtbgen_bytes(name, strlen(name) + 1);
}

static inline void end(void)
{
	dtbgen_cell(2);
}

static inline void prop(const char *name, const void *data, size_t len)
{
	uint32_t off;

	for (off = 0; off < dtbgen.str_len; off += (uint32_t)strlen(dtbgen.str + off) + 1) {
		if (!strcmp(dtbgen.str + off, name))
			break;
	}
	if (off >= dtbgen.str_len) {
		off = dtbgen.str_len;
		strcpy(dtbgen.str + off, name);
		dtbgen.str_len += (uint32_t)strlen(name) + 1;
	}
	dtbgen_cell(3);
	dtbgen_cell((uint32_t)len);
	dtbgen_cell(off);
	dtbgen_bytes(data, len);
}

static inline void prop_string(const char *name, const char *value)
{
	prop(name, value, strlen(value) + 1);
}

/* A property of nr cells. */
static inline void prop_cells(const char *name, unsigned nr, const uint32_t *cells)
{
	unsigned char data[256];
	unsigned i;

	for (i = 0; i < nr; i++)
		dtb_put32(data + 4 * i, cells[i]);
	prop(name, data, 4 * nr);
}

#define CELLS(name, ...)                                                                           \
	prop_cells(name, sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t),                   \
		   (const uint32_t[]){ __VA_ARGS__ })

/*
 * Returns the blob, in memory from malloc of exactly its size plus room, so that a sanitizer sees
 * any access beyond it.  strings_first: the strings block comes before the structure block.
 */
static inline unsigned char *dtbgen_finish(bool strings_first, size_t room, uint32_t *total)
{
	uint32_t rsv = 40, a = rsv + 16 * (dtbgen.nr_rsv + 1), str, st;
	unsigned char *blob;
	unsigned i;

	dtbgen_cell(9);
	str = strings_first ? a : a + dtbgen.st_len;
	st = strings_first ? (str + dtbgen.str_len + 7) & ~7u : a;
	*total = strings_first ? st + dtbgen.st_len : str + dtbgen.str_len;
	blob = calloc(1, *total + room);
	dtb_put32(blob, DTB_MAGIC);
	dtb_put32(blob + 4, *total);
	dtb_put32(blob + 8, st);
	dtb_put32(blob + 12, str);
	dtb_put32(blob + 16, rsv);
	dtb_put32(blob + 20, 17);
	dtb_put32(blob + 24, 16);
	dtb_put32(blob + 32, dtbgen.str_len);
	dtb_put32(blob + 36, dtbgen.st_len);
	for (i = 0; i < 4 * dtbgen.nr_rsv; i++)
		dtb_put32(blob + rsv + 4 * i,
			  (uint32_t)(dtbgen.rsv[i / 4][i / 2 % 2] >> (i % 2 ? 0 : 32)));
	memcpy(blob + st, dtbgen.st, dtbgen.st_len);
	memcpy(blob + str, dtbgen.str, dtbgen.str_len);
	return blob;
}

#endif

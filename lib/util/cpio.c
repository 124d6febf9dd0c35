// SPDX-License-Identifier: BSD-2-Clause
/*
 * cpio.c - reads and writes cpio archives.  A member is a header of 110 characters, a name and
 * data; name and data are each padded to 4 bytes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cpio.h"
#include "number.h"
#include "write.h"

#define HEADER	     110
#define FIELD(n)     (6 + 8 * (n))
#define FIELD_MODE   FIELD(1)
#define FIELD_SIZE   FIELD(6)
#define FIELD_NAME   FIELD(11)
#define ROUND(value) (((value) + 3) & ~(size_t)3)

static bool field(const uint8_t *header, size_t at, uint64_t *value)
{
	return number_hex((const char *)header + at, 8, value);
}

bool cpio_next(const void *archive, size_t size, size_t *at, struct cpio_member *m)
{
	const uint8_t *first = archive, *header;
	uint64_t mode, data_size, name_size;

	while (*at < size && !first[*at])
		(*at)++;
	header = first + *at;
	if (size - *at < HEADER || memcmp(header, CPIO_MAGIC, strlen(CPIO_MAGIC)) ||
	    !field(header, FIELD_MODE, &mode) || !field(header, FIELD_SIZE, &data_size) ||
	    !field(header, FIELD_NAME, &name_size))
		return false;
	if (!name_size || name_size > size - *at - HEADER || header[HEADER + name_size - 1])
		return false;
	*at = ROUND(*at + HEADER + name_size);
	if (*at > size || data_size > size - *at)
		return false;
	*m = (struct cpio_member){ (uint32_t)mode, (const char *)header + HEADER, first + *at,
				   data_size };
	*at = ROUND(*at + data_size) < size ? ROUND(*at + data_size) : size;
	return true;
}

bool cpio_put_head(int fd, const char *name, uint32_t mode, size_t size)
{
	char header[HEADER + 32]; /* room for numbers of any size */
	size_t len = strlen(name) + 1;

	snprintf(header, sizeof(header),
		 CPIO_MAGIC "%08x%08" PRIx32 "%08x%08x%08x%08x%08zx%08x%08x%08x%08x%08zx%08x", 0,
		 mode, 0, 0, 1, 0, size, 0, 0, 0, 0, len, 0);
	return write_all(fd, header, HEADER) && write_all(fd, name, len) &&
	       cpio_put_end(fd, HEADER + len);
}

bool cpio_put_end(int fd, size_t size)
{
	static const char zeros[4];

	return write_all(fd, zeros, ROUND(size) - size);
}

bool cpio_put_last(int fd)
{
	return cpio_put_head(fd, "TRAILER!!!", 0, 0);
}

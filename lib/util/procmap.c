// SPDX-License-Identifier: BSD-2-Clause
/*
 * procmap.c - reads a line of /proc/PID/maps: start-end perms offset major:minor inode name
 */
#include <string.h>

#include "number.h"
#include "procmap.h"

/* Reads a hexadecimal number and the character after it. */
static bool hex(const char **at, char end, uint64_t high, uint64_t *value)
{
	return number_field(at, NUMBER_HEX, high, value) && *(*at)++ == end;
}

bool procmap_read(const char *line, struct procmap *m)
{
	uint64_t major, minor;

	if (!hex(&line, '-', UINT64_MAX, &m->start) || !hex(&line, ' ', UINT64_MAX, &m->end) ||
	    strcspn(line, " ") != sizeof(m->perms))
		return false;
	memcpy(m->perms, line, sizeof(m->perms));
	line += sizeof(m->perms);
	if (!hex(&line, ' ', UINT64_MAX, &m->offset) || !hex(&line, ':', UINT32_MAX, &major) ||
	    !hex(&line, ' ', UINT32_MAX, &minor) ||
	    !number_field(&line, NUMBER_DECIMAL, UINT64_MAX, &m->inode))
		return false;
	m->major = (uint32_t)major;
	m->minor = (uint32_t)minor;
	m->name = line + strspn(line, " ");
	return m->end >= m->start;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * entry.c - appends entries and records to the log's buffer, and writes the buffer to the file.
 *
 * Most entries are not written by the call that makes them.  So the library remembers an error of a
 * write, and the next flush, writelog or close returns it.  It drops all later entries: the file
 * ends with a whole record, or with the record whose write failed.
 *
 * A thread that writes takes the buffer's contents and then holds only log_writing, which keeps the
 * order of the writes.  So only a flush or the end of the log waits for the reader of a pipe.
 * Meanwhile the buffer grows.  When it is very long, records stay in the rings; Linux drops and
 * counts those for which a ring has no room.  Only pmc_writelog() then writes the buffer itself, so
 * that no entry of the program is lost.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "error.h"
#include "log.h"

#define BUFFER_SIZE 65536
#define BUFFER_KEPT (1 << 20) /* the most memory that a new buffer begins with */
#define BUFFER_MAX  (64 << 20) /* from this length on, records stay in the rings */

/* Notes the first error, and sends a SIGIO if a thread waits for one. */
static void note_error(int error)
{
	if (!error || lpmc.log_error)
		return;
	lpmc.log_error = error;
	if (lpmc.log_awaited_by)
		lpmc.sys->sigio(lpmc.log_awaited_by);
}

bool lpmc_log_buffer(void)
{
	return VEC_ROOM(&lpmc.log_buf, BUFFER_SIZE);
}

struct lpmc_full lpmc_log_take(void)
{
	size_t max = lpmc.log_buf.size < BUFFER_KEPT ? lpmc.log_buf.size : BUFFER_KEPT;
	struct lpmc_full full = { lpmc.log_buf.at, lpmc.log_buf.nr, lpmc.log_fd };

	if (!lpmc.log_buf.nr)
		return (struct lpmc_full){ .fd = -1 };
	lpmc.log_buf.at = malloc(max);
	lpmc.log_buf.size = lpmc.log_buf.at ? max : 0; /* (If 0, the next entry allocates.) */
	lpmc.log_buf.nr = 0;
	if (lpmc.log_error)
		full.size = 0;
	return full;
}

/* Writes and frees what was taken.  Gives the lock back meanwhile.  Returns 0 or an errno. */
static int write_full(struct lpmc_full full)
{
	int error = 0;

	if (full.size) {
		lpmc_leave();
		if (lpmc.sys->write(full.fd, full.buf, full.size) < 0)
			error = errno;
		pthread_mutex_lock(&lpmc.lock);
	}
	free(full.buf);
	return error;
}

void lpmc_log_write(struct lpmc_full full)
{
	note_error(write_full(full));
}

bool lpmc_log_is_long(void)
{
	return lpmc.log_buf.nr >= BUFFER_MAX;
}

int lpmc_log_outcome(void)
{
	if (!lpmc.log_error)
		return 0;
	return lpmc_fail(lpmc.log_error, "the log could not be written: %s; later entries are lost",
			 strerror(lpmc.log_error));
}

/* Makes room for `size` bytes, fewer than BUFFER_SIZE; false if there is no memory. */
static bool make_room(size_t size)
{
	size_t before = lpmc.log_buf.size;

	if (!VEC_ROOM(&lpmc.log_buf, before ? size : BUFFER_SIZE)) {
		note_error(ENOMEM);
		return false;
	}
	if (lpmc.log_buf.size != before)
		lpmc_helper_wake();
	return true;
}

void lpmc_log_put(enum pmclog_type type, uint64_t time, struct pmclog_header *h, size_t size,
		  const char *path)
{
	size_t path_len = path ? strnlen(path, PATH_MAX - 1) : 0;
	/* with the path's NUL, rounded up to a multiple of 8, so that the next entry is aligned */
	size_t total = path ? (size + path_len + 1 + 7) & ~(size_t)7 : size;

	if (lpmc.log_fd < 0 || lpmc.log_error || lpmc.log_records || !make_room(total))
		return;
	h->pl_header = PMCLOG_HEADER_MAGIC << 24 | (uint32_t)type << 16 | (uint32_t)total;
	h->pl_spare = 0;
	h->pl_tsc = time;
	memset(lpmc.log_buf.at + lpmc.log_buf.nr, 0, total);
	memcpy(lpmc.log_buf.at + lpmc.log_buf.nr, h, size);
	if (path)
		memcpy(lpmc.log_buf.at + lpmc.log_buf.nr + size, path, path_len);
	lpmc.log_buf.nr += total;
}

void lpmc_log_record(const void *record, size_t size)
{
	if (lpmc.log_fd < 0 || lpmc.log_error || !lpmc.log_records || !make_room(size))
		return;
	memcpy(lpmc.log_buf.at + lpmc.log_buf.nr, record, size);
	lpmc.log_buf.nr += size;
}

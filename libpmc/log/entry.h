/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * entry.h - the log's buffer: entries and records are appended to it, and the helper or a flush
 * writes it to the file.
 */
#ifndef LPMC_ENTRY_H
#define LPMC_ENTRY_H

#include "pmclog.h"
#include "state.h"

/*
 * Appends an entry.  h is the header of its fixed part, which has `size` bytes; this function fills
 * in the header.  path follows the fixed part, unless it is NULL.
 */
void lpmc_log_put(enum pmclog_type type, uint64_t time, struct pmclog_header *h, size_t size,
		  const char *path);
/* Appends a record of the kernel, if the log gets records (PMC_F_RECORDS). */
void lpmc_log_record(const void *record, size_t size);
/* Whether the buffer is so long that records must stay in the rings. */
bool lpmc_log_is_long(void);

/* Contents that were taken from the buffer, to be written to the file. */
struct lpmc_full {
	uint8_t *buf;
	size_t size;
	int fd;
};

/* Allocates memory for the first entries; false if there is none. */
bool lpmc_log_buffer(void);
/* Takes the contents and leaves an empty buffer.  The caller holds log_writing and the lock. */
struct lpmc_full lpmc_log_take(void);
/* Writes what was taken, and notes an error.  Gives the lock back meanwhile. */
void lpmc_log_write(struct lpmc_full full);
/* 0 if all writes have succeeded; else -1 with the errno of the first failed one, and the text. */
int lpmc_log_outcome(void);

#endif

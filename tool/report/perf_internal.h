/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_internal.h - what the files of the reader of perf.data share (perf_reader.h).
 *
 *	perf_open.c	the file's header, attributes, the order of the records
 *	perf_feature.c	what the file says of its machine
 *	perf_inflate.c	compressed records
 *	perf_space.c	processes, and what they map
 *	perf_run.c	following the records
 *	perf_sample.c	what is in a sample
 */
#ifndef REPORT_PERF_INTERNAL_H
#define REPORT_PERF_INTERNAL_H

#include "idmap.h"
#include "in.h"
#include "perf_data.h"
#include "perf_reader.h"

struct perf_event { /* an event of the file */
	struct perf_event_attr attr;
	uint32_t event; /* of the profile; PROFILE_NONE: a dummy, which has none there */
	char *name;
};

struct perf_record {
	uint64_t time; /* 0: before all else */
	const struct perf_event_header *at; /* whole, but not aligned */
};

struct perf_map {
	uint64_t start, end; /* end: the last byte */
	uint64_t pgoff;
	uint32_t object;
};

struct perf_space { /* what a process maps, sorted, none over another */
	PROFILE_ARRAY(struct perf_map) maps;
	PROFILE_ARRAY(uint32_t) processes; /* of the profile: one for each command it has been */
	int64_t pid;
	uint32_t changes; /* of maps, counted */
};

struct perf_thread {
	uint32_t space;
	uint32_t process; /* of the profile */
	char comm[16];
};

struct perf_build_id {
	const char *path; /* in the file */
	uint8_t id[PROFILE_BUILD_ID], size;
};

/* Code that the kernel has written: an eBPF program. */
struct perf_ksymbol {
	uint64_t addr, size;
	const char *name; /* in the file */
	uint32_t object;
};

struct perf_reader {
	struct profile *p;
	struct perf_why *why;
	const struct perf_unwinder *unwinder; /* NULL: none */
	const char *data;
	size_t len;
	bool pipe;
	PROFILE_ARRAY(struct perf_event) events;
	struct idmap ids; /* to events */
	struct idmap values; /* of group reads: to last_values */
	PROFILE_ARRAY(uint64_t) last_values;
	PROFILE_ARRAY(struct perf_record) records;
	PROFILE_ARRAY(struct perf_build_id) build_ids;
	PROFILE_ARRAY(char) inflated; /* the records that were compressed */
	struct perf_space kernel;
	struct perf_space
		written; /* code that the kernel has written, at the time of its samples */
	PROFILE_ARRAY(struct perf_ksymbol) ksymbols;
	PROFILE_ARRAY(struct perf_space) spaces;
	PROFILE_ARRAY(struct perf_thread) threads;
	struct idmap space_of, thread_of; /* by pid, by tid */
};

/* Writes why and returns false. */
__attribute__((format(printf, 2, 3))) bool perf_refuse(struct perf_reader *r, const char *format,
						       ...);

/* As perf_refuse, for a place in the file. */
bool perf_damaged(struct perf_reader *r, const char *at, const char *what);

/* Room for one more in one of the arrays above; false after perf_refuse. */
#define PERF_GROW(r, array)                                                                        \
	perf_grow(r, (void **)&(array)->at, (array)->nr, &(array)->size, sizeof(*(array)->at))
bool perf_grow(struct perf_reader *r, void **at, size_t nr, size_t *size, size_t element);

/* A string of the format: len, and bytes with a zero among them.  NULL: not whole. */
const char *perf_string(struct in *in);

bool perf_add_event(struct perf_reader *r, const char *attr, size_t attr_size, const char *ids,
		    size_t nr_ids);
bool perf_feature(struct perf_reader *r, unsigned feature, const char *at, size_t len);
bool perf_build_id_record(struct perf_reader *r, const char *at, size_t len);
bool perf_inflate(struct perf_reader *r, const char *at, size_t len, void **stream);
void perf_inflate_end(void *stream);

/* The event that a record belongs to, by its id; the first one if it says none; NULL: not known. */
const struct perf_event *perf_event_of(const struct perf_reader *r,
				       const struct perf_event_header *h);
uint64_t perf_time_of(const struct perf_event *e, const struct perf_event_header *h);

bool perf_map_add(struct perf_reader *r, struct perf_space *s, const struct perf_map *map);
const struct perf_map *perf_map_find(const struct perf_space *s, uint64_t addr);
struct perf_thread *perf_thread(struct perf_reader *r, int32_t pid, int32_t tid);
bool perf_comm(struct perf_reader *r, int32_t pid, int32_t tid, const char *comm, bool exec);
bool perf_fork(struct perf_reader *r, int32_t pid, int32_t ppid, int32_t tid, int32_t ptid);
struct perf_space *perf_space(struct perf_reader *r, int32_t pid);

bool perf_sample(struct perf_reader *r, const struct perf_event_header *h);

#endif

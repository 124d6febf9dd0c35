/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_internal.h - types and functions that the files of the perf.data reader share
 * (perf_reader.h).
 *
 *	perf_base.c	errors
 *	perf_open.c	the file's header, attributes, the order of the records
 *	perf_feature.c	features: facts about the recorded machine and the recording
 *	perf_inflate.c	compressed records
 *	perf_space.c	processes, threads and mappings
 *	perf_jit.c	code that programs generated, from their jitdump files
 *	perf_run.c	follows the records
 *	perf_sample.c	parses samples
 */
#ifndef REPORT_PERF_INTERNAL_H
#define REPORT_PERF_INTERNAL_H

#include "idmap.h"
#include "bytes.h"
#include "jit.h"
#include "perf_data.h"
#include "perf_reader.h"

struct perf_event { /* an event of the file */
	struct perf_event_attr attr;
	uint32_t event; /* index in the profile; PROFILE_NONE: a dummy event, not in the profile */
	char *name;
};

struct perf_record {
	uint64_t time; /* 0: before all others */
	const struct perf_event_header *at; /* complete, but not aligned */
};

struct perf_map {
	uint64_t start, end; /* end: the last byte */
	uint64_t pgoff;
	uint32_t object;
};

struct perf_space { /* the address space of a process */
	VEC(struct perf_map) maps; /* sorted, without overlaps */
	VEC(uint32_t) processes; /* of the profile: one for each name the process had */
	int64_t pid;
	uint32_t changes; /* how often maps changed */
	/* Generated code: the index in perf_reader.generated + 1; 0: none.  It precedes maps. */
	uint32_t generated;
};

/* The jitdump file of a process, as far as it was followed. */
struct perf_jit {
	struct jitdump dump;
	uint32_t space, object; /* indices in perf_reader.spaces and in the profile */
	size_t next; /* the first code that was not there at the time of the current record */
};

struct perf_thread {
	uint32_t space; /* index in perf_reader.spaces */
	uint32_t process; /* index in the profile */
	char comm[16];
};

struct perf_build_id {
	const char *path; /* points into the file */
	uint8_t id[PROFILE_BUILD_ID], size;
};

/* Code that the kernel generated: an eBPF program or a trampoline. */
struct perf_ksymbol {
	uint64_t addr, size;
	const char *name; /* points into the file */
	uint32_t object;
};

struct perf_reader {
	struct profile *p;
	struct error_text *why;
	const struct perf_unwinder *unwinder; /* NULL: none */
	const char *data;
	size_t len;
	bool pipe;
	VEC(struct perf_event) events;
	struct idmap ids; /* event id to index in events */
	struct idmap values; /* event id to index in last_values, for group reads */
	VEC(uint64_t) last_values;
	VEC(struct perf_record) records;
	VEC(struct perf_build_id) build_ids;
	VEC(char) inflated; /* the compressed records, decompressed */
	struct perf_space kernel;
	struct perf_space written; /* code that the kernel generated, as of the current record */
	VEC(struct perf_ksymbol) ksymbols;
	VEC(struct perf_space) spaces;
	VEC(struct perf_space) generated; /* only maps is used */
	VEC(struct perf_jit) jits;
	const struct perf_jitdumps *jitdumps; /* NULL: none are read */
	VEC(struct perf_thread) threads;
	struct idmap space_of, thread_of; /* by pid, by tid */
};

/* Writes the error to r->why and returns false. */
__attribute__((format(printf, 2, 3))) bool perf_refuse(struct perf_reader *r, const char *format,
						       ...);

/* Like perf_refuse, for an error at a place in the file. */
bool perf_damaged(struct perf_reader *r, const char *at, const char *what);

/* Makes room for one more element in one of the arrays above.  False: no memory; r->why says so. */
#define PERF_GROW(r, array) (VEC_ROOM(array, 1) || perf_refuse(r, "out of memory"))

bool perf_feature(struct perf_reader *r, unsigned feature, const char *at, size_t len);
bool perf_build_id_record(struct perf_reader *r, const char *at, size_t len);
bool perf_inflate(struct perf_reader *r, const char *at, size_t len, void **stream);
void perf_inflate_end(void *stream);

/*
 * The event of a record, by the event id in the record; the first event if the record has no id.
 * NULL: no event of the file has this id.
 */
const struct perf_event *perf_event_of(const struct perf_reader *r,
				       const struct perf_event_header *h);
uint64_t perf_time_of(const struct perf_event *e, const struct perf_event_header *h);

bool perf_map_add(struct perf_reader *r, struct perf_space *s, const struct perf_map *map);
const struct perf_map *perf_map_find(const struct perf_space *s, uint64_t addr);
struct perf_thread *perf_thread(struct perf_reader *r, int32_t pid, int32_t tid);
bool perf_comm(struct perf_reader *r, int32_t pid, int32_t tid, const char *comm, bool exec);
bool perf_fork(struct perf_reader *r, int32_t pid, int32_t ppid, int32_t tid, int32_t ptid);
struct perf_space *perf_space(struct perf_reader *r, int32_t pid);

/* Whether path is the name of a jitdump file: jit-PID.dump. */
bool perf_is_jitdump(const char *path);
/* Reads the jitdump file that a process has mapped.  A file that is not here is not an error. */
bool perf_jit_open(struct perf_reader *r, int32_t pid, const char *path);
/* Adds the code of a process that was there at a time. */
bool perf_jit_follow(struct perf_reader *r, uint32_t space, uint64_t time);
/* The generated code at an address of a process; NULL: there is none. */
const struct perf_map *perf_jit_find(const struct perf_reader *r, const struct perf_space *s,
				     uint64_t addr);
/* The maps of generated code of a space, made if there are none.  NULL: no memory. */
struct perf_space *perf_generated_of(struct perf_reader *r, struct perf_space *s);
/* A process has mapped a file, or begins anew (map is NULL): generated code there is gone. */
bool perf_generated_replace(struct perf_reader *r, struct perf_space *s,
			    const struct perf_map *map);
void perf_jit_free(struct perf_reader *r);

bool perf_sample(struct perf_reader *r, const struct perf_event_header *h);

#endif

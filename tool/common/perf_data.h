/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_data.h - the format of perf.data files, beyond <linux/perf_event.h>: facts for the writer
 * and the reader of such files.
 *
 * A file:
 *
 *	struct perf_data_header
 *	attrs section		header.attr_size bytes each: a perf_event_attr of attr_size - 16
 *				bytes, then the section of its ids (u64 each)
 *	data section		records, each a struct perf_event_header and what its type says
 *	after the data section: for each bit of header.features that is set, from the lowest,
 *				a struct perf_data_section that says where that feature is
 *
 * A pipe: struct perf_data_pipe_header, then only records; attributes and features are records,
 * too.
 *
 * Numbers have the byte order of the machine that wrote the file; the magic number shows it.  A
 * string is u32 len and len bytes: the text, a zero that ends it, and zeros that pad it to a
 * multiple of 64.
 *
 * Source: Linux, tools/perf/Documentation/perf.data-file-format.txt and tools/lib/perf/include.
 */
#ifndef TOOL_PERF_DATA_H
#define TOOL_PERF_DATA_H

#include <stdint.h>
#include <linux/perf_event.h>

#define PERF_DATA_MAGIC	  0x32454c4946524550ull /* "PERFILE2", read on a little-endian machine */
#define PERF_DATA_SWAPPED 0x50455246494c4532ull /* the same, of a machine of the other byte order */

struct perf_data_section {
	uint64_t offset, size; /* in the file, bytes */
};

struct perf_data_header {
	uint64_t magic;
	uint64_t size; /* of this struct: 104 */
	uint64_t attr_size; /* of an entry of attrs */
	struct perf_data_section attrs, data, event_types; /* the last one is no longer in use */
	uint64_t features[4]; /* bits, enum perf_data_feature */
};

struct perf_data_pipe_header {
	uint64_t magic;
	uint64_t size; /* of this struct: 16 */
};

enum perf_data_feature {
	PERF_DATA_TRACING = 1,
	PERF_DATA_BUILD_ID = 2, /* struct perf_data_build_id, one after the other */
	PERF_DATA_HOSTNAME = 3, /* a string; so are the next three */
	PERF_DATA_OSRELEASE = 4,
	PERF_DATA_VERSION = 5, /* of perf */
	PERF_DATA_ARCH = 6,
	PERF_DATA_NRCPUS = 7, /* u32 available, u32 online */
	PERF_DATA_CPUDESC = 8, /* a string; so is the next */
	PERF_DATA_CPUID = 9,
	PERF_DATA_TOTAL_MEM = 10, /* u64 kilobytes */
	PERF_DATA_CMDLINE = 11, /* u32 nr, nr strings */
	PERF_DATA_EVENT_DESC = 12, /* below */
	PERF_DATA_PMU_MAPPINGS = 16, /* u32 nr; each: u32 type, string */
	PERF_DATA_GROUP_DESC = 17, /* u32 nr; each: string, u32 leader's index, u32 members */
	PERF_DATA_SAMPLE_TIME = 21, /* u64 first, u64 last sample's time */
	PERF_DATA_CLOCKID = 23, /* u64 the resolution of the records' clock, nanoseconds */
	PERF_DATA_COMPRESSED = 27, /* struct perf_data_compressed */
	PERF_DATA_CLOCK_DATA = 29, /* struct perf_data_clock */
};

/* The same moment by the time of day, and by the records' clock. */
struct perf_data_clock {
	uint32_t version; /* 1 */
	uint32_t clockid;
	uint64_t wall_ns, clock_ns;
};

/*
 * PERF_DATA_EVENT_DESC: u32 nr, u32 attr_size; for each event: the attr (attr_size bytes), u32
 * nr_ids, a string (its name), nr_ids times u64.
 */

/* A PERF_RECORD_HEADER_BUILD_ID, and an entry of PERF_DATA_BUILD_ID; the path follows. */
struct perf_data_build_id {
	struct perf_event_header header; /* in the feature, type is 0; misc says kernel or user */
	int32_t pid; /* -1: the host's */
	uint8_t build_id[20];
	uint8_t size; /* if misc has PERF_DATA_MISC_BUILD_ID_SIZE; otherwise 20 */
	uint8_t reserved[3];
};
#define PERF_DATA_MISC_BUILD_ID_SIZE 0x8000

/* PERF_RECORD_MMAP2 has its build id in place of device and inode: u8 size, u8[3] 0, u8[20] id. */
#define PERF_DATA_MISC_MMAP_BUILD_ID 0x4000

struct perf_data_compressed {
	uint32_t version; /* 1 */
	uint32_t type; /* 1: zstd */
	uint32_t level, ratio;
	uint32_t mmap_len; /* upper bound of what one record holds, decompressed */
};

/* Records that perf itself writes; the kernel's are enum perf_event_type. */
enum perf_data_record {
	PERF_DATA_RECORD_ATTR = 64, /* the attr, as long as attr.size says, then u64 ids */
	PERF_DATA_RECORD_EVENT_TYPE = 65,
	PERF_DATA_RECORD_TRACING_DATA = 66, /* u32 size: that many bytes follow the record */
	PERF_DATA_RECORD_BUILD_ID = 67,
	PERF_DATA_RECORD_FINISHED_ROUND = 68,
	PERF_DATA_RECORD_ID_INDEX = 69,
	PERF_DATA_RECORD_AUXTRACE_INFO = 70,
	PERF_DATA_RECORD_AUXTRACE = 71, /* u64 size: that many bytes follow the record */
	PERF_DATA_RECORD_EVENT_UPDATE = 78, /* u64 type, u64 id; type 2: the event's name */
	PERF_DATA_RECORD_FEATURE = 80, /* u64 the feature; then what its section would have */
	PERF_DATA_RECORD_COMPRESSED = 81, /* a piece of one zstd stream of records */
	PERF_DATA_RECORD_FINISHED_INIT = 82,
	PERF_DATA_RECORD_COMPRESSED2 = 83, /* u64 size, that many bytes, padding to 8 */
};
#define PERF_DATA_UPDATE_NAME 2

/*
 * The kernel in PERF_RECORD_MMAP has the path "[kernel.kallsyms]_text" (or _stext), the symbol at
 * pgoff; a module has its path, or its name in brackets.
 */
#define PERF_DATA_KERNEL "[kernel.kallsyms]"

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmclog.h - the log of libpmc: its format, and a parser for it; pmclog(3).
 *
 * A log is a sequence of records.  A record consists of a header word, magic << 24 | type << 16 |
 * length of the record in bytes; a word that is 0; a 64-bit time; and a payload of 4-byte words.
 * The byte order is that of the machine that wrote it.  Times are nanoseconds of CLOCK_MONOTONIC;
 * the first record gives their frequency, 10^9, and the time of day at which it was written.
 *
 * The structures pmclog_NAME are the records in the file; the structures pmclog_ev_NAME are what
 * the parser makes of them.
 */
#ifndef PMCLOG_H
#define PMCLOG_H

#include <limits.h>
#include <sched.h> /* struct timespec, which C99's time.h does not have */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include <pmc.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif
#ifndef MAXCOMLEN
#define MAXCOMLEN 19
#endif

enum pmclog_type {
	PMCLOG_TYPE_CLOSELOG = 1,
	PMCLOG_TYPE_DROPNOTIFY = 2,
	PMCLOG_TYPE_INITIALIZE = 3,
	PMCLOG_TYPE_PCSAMPLE = 4, /* in old logs; this library neither writes nor reads it */
	PMCLOG_TYPE_PMCALLOCATE = 5,
	PMCLOG_TYPE_PMCATTACH = 6,
	PMCLOG_TYPE_PMCDETACH = 7,
	PMCLOG_TYPE_PROCCSW = 8,
	PMCLOG_TYPE_PROCEXEC = 9,
	PMCLOG_TYPE_PROCEXIT = 10,
	PMCLOG_TYPE_PROCFORK = 11,
	PMCLOG_TYPE_SYSEXIT = 12,
	PMCLOG_TYPE_USERDATA = 13,
	PMCLOG_TYPE_MAP_IN = 14,
	PMCLOG_TYPE_MAP_OUT = 15,
	PMCLOG_TYPE_CALLCHAIN = 16,
	PMCLOG_TYPE_PMCALLOCATEDYN = 17,
	PMCLOG_TYPE_THR_CREATE = 18,
	PMCLOG_TYPE_THR_EXIT = 19,
	PMCLOG_TYPE_PROC_CREATE = 20,
};

#define PMCLOG_HEADER_MAGIC	     0xEEU
#define PMCLOG_HEADER_TO_LENGTH(h)   ((h)&0xffff)
#define PMCLOG_HEADER_TO_TYPE(h)     (((h) >> 16) & 0xff)
#define PMCLOG_HEADER_TO_MAGIC(h)    ((h) >> 24)
#define PMCLOG_HEADER_CHECK_MAGIC(h) (PMCLOG_HEADER_TO_MAGIC(h) == PMCLOG_HEADER_MAGIC)

#define PMC_CALLCHAIN_CPUFLAGS_TO_CPU(f)      (((f) >> 16) & 0xffff)
#define PMC_CALLCHAIN_CPUFLAGS_TO_USERMODE(f) ((f)&PMC_CC_F_USERSPACE)
#define PMC_CALLCHAIN_TO_CPUFLAGS(cpu, flags) ((uint32_t)(cpu) << 16 | ((flags)&0xffff))

struct pmclog_header {
	uint32_t pl_header;
	uint32_t pl_spare;
	uint64_t pl_tsc;
};

struct pmclog_initialize {
	struct pmclog_header pl_h;
	uint32_t pl_version; /* PMC_VERSION of the writer */
	uint32_t pl_cpu; /* enum pmc_cputype */
	uint64_t pl_tsc_freq;
	int64_t pl_sec, pl_nsec; /* the time of day of this record */
	char pl_cpuid[PMC_CPUID_LEN];
};

/* pl_pc: the pc, then return addresses, innermost first; the record length tells how many. */
struct pmclog_callchain {
	struct pmclog_header pl_h;
	uint32_t pl_pid, pl_tid, pl_pmcid, pl_cpuflags;
	uint64_t pl_pc[PMC_CALLCHAIN_DEPTH_MAX];
};

/* pl_pathname ends with a NUL and is padded with NULs to a multiple of 4 bytes, in all records. */
struct pmclog_map_in {
	struct pmclog_header pl_h;
	uint32_t pl_pid, pl_pad; /* pid -1: the kernel, whose pathname is "kernel" */
	uint64_t pl_start; /* address at which the first byte of the file would lie */
	char pl_pathname[PATH_MAX];
};

struct pmclog_map_out {
	struct pmclog_header pl_h;
	uint32_t pl_pid, pl_pad;
	uint64_t pl_start, pl_end;
};

struct pmclog_pmcallocate {
	struct pmclog_header pl_h;
	uint32_t pl_pmcid, pl_event, pl_flags, pl_pad;
	uint64_t pl_rate;
};

/* The same for an event that is not in the list (raw=, fw=, platform=). */
struct pmclog_pmcallocatedyn {
	struct pmclog_header pl_h;
	uint32_t pl_pmcid, pl_event, pl_flags, pl_pad;
	char pl_evname[PMC_NAME_MAX];
};

struct pmclog_pmcattach {
	struct pmclog_header pl_h;
	uint32_t pl_pmcid, pl_pid;
	char pl_pathname[PATH_MAX];
};

struct pmclog_pmcdetach {
	struct pmclog_header pl_h;
	uint32_t pl_pmcid, pl_pid;
};

struct pmclog_proccsw {
	struct pmclog_header pl_h;
	uint64_t pl_value; /* events since the thread was switched in */
	uint32_t pl_pmcid, pl_pid, pl_tid, pl_pad;
};

struct pmclog_procexec {
	struct pmclog_header pl_h;
	uint32_t pl_pid, pl_pmcid;
	uint64_t pl_base, pl_dyn; /* addresses of interpreter (0: unknown) and program */
	char pl_pathname[PATH_MAX];
};

struct pmclog_procexit {
	struct pmclog_header pl_h;
	uint32_t pl_pmcid, pl_pid;
	uint64_t pl_value;
};

struct pmclog_procfork {
	struct pmclog_header pl_h;
	uint32_t pl_oldpid, pl_newpid;
};

struct pmclog_sysexit {
	struct pmclog_header pl_h;
	uint32_t pl_pid, pl_pad;
};

/* pl_flags here and below: 4 (FreeBSD's P_KPROC) if it belongs to the kernel, otherwise 0. */
struct pmclog_threadcreate {
	struct pmclog_header pl_h;
	uint32_t pl_tid, pl_pid, pl_flags, pl_pad;
	char pl_tdname[MAXCOMLEN + 1];
	uint32_t pl_pad2;
};

struct pmclog_threadexit {
	struct pmclog_header pl_h;
	uint32_t pl_tid, pl_pad;
};

struct pmclog_proccreate {
	struct pmclog_header pl_h;
	uint32_t pl_pid, pl_flags;
	char pl_pcomm[MAXCOMLEN + 1];
	uint32_t pl_pad;
};

struct pmclog_userdata {
	struct pmclog_header pl_h;
	uint32_t pl_userdata, pl_pad;
};

/* The result of pmclog_read(). */
enum pmclog_state {
	PMCLOG_OK, /* an event */
	PMCLOG_EOF, /* the end of the log or of its file */
	PMCLOG_REQUIRE_DATA, /* call pmclog_feed(); or the descriptor has no data now */
	PMCLOG_ERROR, /* not a log, or a damaged one: pmc_error_text() tells where */
};

struct pmclog_ev_callchain {
	uint32_t pl_pid;
	uint32_t pl_tid;
	uint32_t pl_pmcid;
	uint32_t pl_cpuflags;
	uint32_t pl_cpuflags2; /* 0 */
	uint32_t pl_npc;
	uintptr_t pl_pc[PMC_CALLCHAIN_DEPTH_MAX];
};

/* These events have no data. */
struct pmclog_ev_closelog {
	char pl_none;
};

struct pmclog_ev_dropnotify {
	char pl_none;
};

struct pmclog_ev_initialize {
	uint32_t pl_version;
	uint32_t pl_arch;
	uint64_t pl_tsc_freq;
	struct timespec pl_ts;
	char pl_cpuid[PATH_MAX];
};

struct pmclog_ev_map_in {
	pid_t pl_pid;
	uintptr_t pl_start;
	char pl_pathname[PATH_MAX];
};

struct pmclog_ev_map_out {
	pid_t pl_pid;
	uintptr_t pl_start;
	uintptr_t pl_end;
};

struct pmclog_ev_pcsample {
	uintptr_t pl_pc;
	pid_t pl_pid;
	pid_t pl_tid;
	pmc_id_t pl_pmcid;
	uint32_t pl_flags;
	uint32_t pl_usermode;
};

struct pmclog_ev_pmcallocate {
	const char *pl_evname; /* constant, or "" for an event this library does not know */
	uint64_t pl_rate;
	uint32_t pl_event;
	uint32_t pl_flags;
	pmc_id_t pl_pmcid;
};

struct pmclog_ev_pmcallocatedyn {
	char pl_evname[PMC_NAME_MAX];
	uint32_t pl_event;
	uint32_t pl_flags;
	pmc_id_t pl_pmcid;
};

struct pmclog_ev_pmcattach {
	pmc_id_t pl_pmcid;
	pid_t pl_pid;
	char pl_pathname[PATH_MAX];
};

struct pmclog_ev_pmcdetach {
	pmc_id_t pl_pmcid;
	pid_t pl_pid;
};

struct pmclog_ev_proccsw {
	pid_t pl_pid;
	pid_t pl_tid;
	pmc_id_t pl_pmcid;
	pmc_value_t pl_value;
};

struct pmclog_ev_proccreate {
	pid_t pl_pid;
	uint32_t pl_flags;
	char pl_pcomm[MAXCOMLEN + 1];
};

struct pmclog_ev_procexec {
	pid_t pl_pid;
	pmc_id_t pl_pmcid;
	uintptr_t pl_baseaddr;
	uintptr_t pl_dynaddr;
#define pl_entryaddr pl_dynaddr /* its name before FreeBSD 14 */
	char pl_pathname[PATH_MAX];
};

struct pmclog_ev_procexit {
	uint32_t pl_pid;
	pmc_id_t pl_pmcid;
	pmc_value_t pl_value;
};

struct pmclog_ev_procfork {
	pid_t pl_oldpid;
	pid_t pl_newpid;
};

struct pmclog_ev_sysexit {
	pid_t pl_pid;
};

struct pmclog_ev_threadcreate {
	pid_t pl_tid;
	pid_t pl_pid;
	uint32_t pl_flags;
	char pl_tdname[MAXCOMLEN + 1];
};

struct pmclog_ev_threadexit {
	pid_t pl_tid;
};

struct pmclog_ev_userdata {
	uint32_t pl_userdata;
};

struct pmclog_ev {
	enum pmclog_state pl_state;
	off_t pl_offset; /* offset of the byte after this record */
	size_t pl_count; /* number of records up to and including this one */
	struct timespec pl_ts; /* its time, on the clock of the log */
	enum pmclog_type pl_type;
	void *pl_data; /* the record as in the log; valid until the next call */
	int pl_len;
	union {
		struct pmclog_ev_callchain pl_cc;
		struct pmclog_ev_closelog pl_cl;
		struct pmclog_ev_dropnotify pl_dn;
		struct pmclog_ev_initialize pl_i;
		struct pmclog_ev_map_in pl_mi;
		struct pmclog_ev_map_out pl_mo;
		struct pmclog_ev_pcsample pl_s;
		struct pmclog_ev_pmcallocate pl_a;
		struct pmclog_ev_pmcallocatedyn pl_ad;
		struct pmclog_ev_pmcattach pl_t;
		struct pmclog_ev_pmcdetach pl_d;
		struct pmclog_ev_proccsw pl_c;
		struct pmclog_ev_proccreate pl_pc;
		struct pmclog_ev_procexec pl_x;
		struct pmclog_ev_procexit pl_e;
		struct pmclog_ev_procfork pl_f;
		struct pmclog_ev_sysexit pl_se;
		struct pmclog_ev_threadcreate pl_tc;
		struct pmclog_ev_threadexit pl_te;
		struct pmclog_ev_userdata pl_u;
	} pl_u;
};

#define PMCLOG_FD_NONE (-1)

/* The type to which the result of pmclog_open() points, for programs that name it. */
struct pmclog_parse_state;

/*
 * Creates a parser that reads from a descriptor, or with PMCLOG_FD_NONE the data of pmclog_feed().
 * NULL with ENOMEM.  Does not need pmc_init().  Only one thread at a time may use a parser.
 */
void *pmclog_open(int fd);

/*
 * Passes data to a parser that has no descriptor.  The caller must keep the data until
 * pmclog_read() returns PMCLOG_REQUIRE_DATA again.  -1 with EINVAL if len is negative, if the
 * parser has a descriptor, or if it has not returned PMCLOG_REQUIRE_DATA.
 */
int pmclog_feed(void *cookie, char *data, int len);

/* Stores the next event: 0 and PMCLOG_OK; or -1, and pl_state tells why.  PMCLOG_ERROR is final. */
int pmclog_read(void *cookie, struct pmclog_ev *ev);

/* Frees the parser; the descriptor stays open. */
void pmclog_close(void *cookie);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doctor.h - the declarations that the parts of holter doctor share.
 *
 * The steps of a diagnosis: facts.c and riscv.c read what each layer reports about itself.
 * trials.c tries each kind of event.  judge.c concludes from both which layer refuses what.
 * show.c prints the result.  These files access the machine only through a struct doctor_ops.
 * sys.c implements it for the real machine, with try.c, which counts through libpmc.  A unit test
 * implements it for any machine that it needs.
 */
#ifndef TOOL_DOCTOR_H
#define TOOL_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "hwprobe.h"
#include "vec.h"

/* The layers, from the bottom up. */
enum doctor_layer {
	DOCTOR_HART,
	DOCTOR_TREE,
	DOCTOR_FIRMWARE,
	DOCTOR_KERNEL,
	DOCTOR_PERMISSION,
	DOCTOR_PERF,
	DOCTOR_LAYERS,
};

/* How an event is tried. */
enum doctor_way {
	DOCTOR_PROBE, /* allocate and release */
	DOCTOR_COUNT, /* value: count of DOCTOR_ROUNDS of a loop; two instructions or more each */
	DOCTOR_USER, /* read in user space; value: number of the counter, width: its bits */
	DOCTOR_MANY, /* value: number of PMCs that have a counter at the same time */
	DOCTOR_SAMPLE, /* value: samples in DOCTOR_SAMPLE_ROUNDS, one every DOCTOR_PERIOD events */
	DOCTOR_SYSTEM, /* count everything that runs on the first CPU */
};

#define DOCTOR_ROUNDS	     200000
#define DOCTOR_SAMPLE_ROUNDS (10 * DOCTOR_ROUNDS)
#define DOCTOR_PERIOD	     50000

struct doctor_try {
	char event[64]; /* pmc(3), EVENT SPECIFIERS */
	enum doctor_way way;
	/* the outcome */
	int error; /* 0, or the errno from libpmc's functions */
	uint64_t value;
	uint32_t width;
	char text[320]; /* with error: the reason, without the event's name */
};

/* Access to the machine.  read, list, run and hwprobe fail with -1 and errno. */
struct doctor_ops {
	const char *holter, *commit; /* version of Holter, and the commit it was built from */
	const char *machine; /* as uname -m prints it */
	/* Reads a whole file and appends a NUL.  Returns the length.  The caller frees *data. */
	ssize_t (*read)(const struct doctor_ops *ops, const char *path, char **data);
	/* Lists a directory, sorted.  Returns the number of names.  See doctor_free_names(). */
	int (*list)(const struct doctor_ops *ops, const char *path, char ***names);
	/* Runs a program with one argument.  line: the first line that it prints on stdout. */
	int (*run)(const struct doctor_ops *ops, const char *program, const char *arg, char *line,
		   size_t size);
	/* Calls riscv_hwprobe(2) for all harts. */
	int (*hwprobe)(const struct doctor_ops *ops, struct hwprobe *pairs, unsigned nr);
	/* Tries all entries, and fills in the outcomes. */
	void (*attempt)(const struct doctor_ops *ops, struct doctor_try *list, unsigned nr);
};

void doctor_free_names(char **names, int nr);

enum doctor_arch { DOCTOR_RISCV, DOCTOR_X86, DOCTOR_ARM, DOCTOR_OTHER };

/* A line of the report about a layer. */
struct doctor_fact {
	enum doctor_layer layer;
	const char *name;
	char *value;
};

/* Whether something exists. */
enum doctor_seen { DOCTOR_UNKNOWN, DOCTOR_ABSENT, DOCTOR_THERE };

enum doctor_log { DOCTOR_LOG_READ, DOCTOR_LOG_PARTLY, DOCTOR_LOG_DENIED, DOCTOR_LOG_NONE };

/* The reports of the layers that judge.c uses. */
struct doctor_known {
	enum doctor_arch arch;
	/* hart */
	bool isa_sscofpmf; /* the kernel reports Sscofpmf */
	bool harts_differ;
	bool virtual_machine; /* x86: there is a hypervisor */
	const char *cpu; /* name of the CPU if cpus[] of riscv.c has it, or NULL */
	bool cpu_has_sscofpmf; /* cpus[] says that this CPU has Sscofpmf */
	bool own_overflow; /* cpus[] says that this CPU has a custom overflow interrupt */
	/* device tree */
	enum doctor_seen tree;
	bool tree_sscofpmf;
	bool tree_pmu; /* there is a riscv,pmu node */
	bool tree_holter; /* the machine is the one of holter run */
	/* firmware; sbi_major < 0: unknown */
	int sbi_major, sbi_minor;
	bool implementation_known;
	uint64_t implementation, version;
	bool snapshot;
	/* kernel */
	enum doctor_log log;
	int release_major, release_minor; /* 0.0: unknown */
	enum doctor_seen sbi_driver, legacy_driver, cpu_pmu;
	enum doctor_seen config_sbi, config_perf; /* in the kernel's configuration */
	bool log_no_counters; /* the log says that the driver found no counters */
	int firmware_counters, hardware_counters; /* -1: unknown */
	/* permissions */
	bool root;
	bool no_proc; /* /proc is not mounted */
	int paranoid; /* DOCTOR_NO_NUMBER: there is no such file */
	int user_access;
	int kptr_restrict;
	bool seccomp;
	bool container;
	bool perf; /* perf is in PATH and runs */
};

#define DOCTOR_NO_NUMBER (-1000)

/* A row of the trials: a kind of event, or a use of an event. */
enum doctor_row {
	DOCTOR_ROW_SOFTWARE,
	DOCTOR_ROW_GENERAL,
	DOCTOR_ROW_CACHE,
	DOCTOR_ROW_RAW,
	DOCTOR_ROW_FIRMWARE,
	DOCTOR_ROW_GIVEN, /* the events of the command line */
	DOCTOR_ROW_MANY,
	DOCTOR_ROW_READ,
	DOCTOR_ROW_USR,
	DOCTOR_ROW_OS,
	DOCTOR_ROW_SAMPLE,
	DOCTOR_ROW_SYSTEM,
	DOCTOR_ROWS,
};

enum doctor_answer {
	DOCTOR_YES,
	DOCTOR_PARTLY, /* it works, but not correctly */
	DOCTOR_PRIVILEGE, /* only root may do it */
	DOCTOR_NO,
	DOCTOR_NOT_TRIED, /* this machine has no such thing, or no event to try it with */
};

struct doctor_result {
	enum doctor_answer answer;
	char *text; /* a short description */
	size_t worked; /* so many of tries */
	VEC(struct doctor_try) tries;
};

enum doctor_weight {
	DOCTOR_REMARK, /* only information */
	DOCTOR_LIMIT, /* some events or uses do not work */
	DOCTOR_REFUSAL, /* no event of a kind can be counted */
};

struct doctor_finding {
	enum doctor_layer layer;
	enum doctor_weight weight;
	char *text;
	const char *advice; /* NULL: the user can do nothing */
};

struct doctor {
	const struct doctor_ops *ops;
	char *kernel_log; /* lines without their prefixes; NULL: the log cannot be read */
	struct doctor_known known;
	VEC(struct doctor_fact) facts;
	struct doctor_result rows[DOCTOR_ROWS];
	VEC(struct doctor_finding) findings; /* the most severe first, then from the bottom up */
	bool no_memory; /* the diagnosis is not complete */
};

/*
 * Examines the machine: facts, trials, findings.  given: nr more events to try.  If d->no_memory is
 * set then, the rest must only be freed.
 */
void doctor_examine(struct doctor *d, const struct doctor_ops *ops, char *const *given, int nr);
void doctor_free(struct doctor *d);

/* Returns the most severe finding, or NULL if no layer refuses anything. */
const struct doctor_finding *doctor_verdict(const struct doctor *d);

/* Makes the texts in d printable, too (term.h). */
void doctor_show_text(const struct doctor *d, FILE *to);
void doctor_show_json(const struct doctor *d, FILE *to);

/*
 * The parts
 */

/* facts.c */
void doctor_read_facts(struct doctor *d);

/* read.c */
__attribute__((format(printf, 4, 5))) void doctor_fact(struct doctor *d, enum doctor_layer layer,
						       const char *name, const char *format, ...);
/* The read and list of d->ops; they set d->no_memory if that is why they fail. */
ssize_t doctor_read(struct doctor *d, const char *path, char **data);
int doctor_list(struct doctor *d, const char *path, char ***names);
/* Reads a file without its last newline.  NULL: it cannot be read.  The caller frees the text. */
char *doctor_slurp(struct doctor *d, const char *path);
/* Returns whether there is a directory `path`. */
bool doctor_exists(struct doctor *d, const char *path);
/* Copies the rest of the line after the first `key` in text, or NULL.  The caller frees it. */
char *doctor_after(struct doctor *d, const char *text, const char *key);

/* Reads the start of a text such as "6.12.3", if it is a version. */
void doctor_version(const char *text, int *major, int *minor);

/* riscv.c: reads the hart, the device tree and the firmware of a RISC-V machine. */
void doctor_read_riscv(struct doctor *d, const char *cpuinfo);
void doctor_read_sbi(struct doctor *d);

/* trials.c */
void doctor_try_all(struct doctor *d, char *const *given, int nr);

/* judge.c */
void doctor_judge(struct doctor *d);

/* try.c: tries one event with libpmc, in the calling process. */
void doctor_try_event(struct doctor_try *t);

/* sys.c */
extern const struct doctor_ops *doctor_ops_linux(void);

#endif

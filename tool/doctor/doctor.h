/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doctor.h - what the parts of holter doctor share.
 *
 * The way of a diagnosis: facts.c and riscv.c read what each layer says of itself;
 * trials.c tries each kind of event; judge.c concludes, from both, which layer
 * refuses what; show.c prints it all.  They know the machine by a struct doctor_ops alone:
 * sys.c is the real one (with try.c, which counts through libpmc), and a unit test
 * is any machine that it likes.
 */
#ifndef TOOL_DOCTOR_H
#define TOOL_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "hwprobe.h"

/* From the bottom up. */
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
	DOCTOR_PROBE, /* allocated, and given back */
	DOCTOR_COUNT, /* value: of DOCTOR_ROUNDS of a loop, each of two instructions or more */
	DOCTOR_USER, /* read in user space; value is the counter's number, width its bits */
	DOCTOR_MANY, /* value: how many PMCs are on a counter at once */
	DOCTOR_SAMPLE, /* value: samples of DOCTOR_SAMPLE_ROUNDS, one each DOCTOR_PERIOD */
	DOCTOR_SYSTEM, /* counted on the first CPU, whoever runs there */
};

#define DOCTOR_ROUNDS	     200000
#define DOCTOR_SAMPLE_ROUNDS (10 * DOCTOR_ROUNDS)
#define DOCTOR_PERIOD	     50000

struct doctor_try {
	char event[64]; /* pmc(3), EVENT SPECIFIERS */
	enum doctor_way way;
	/* what came of it */
	int error; /* 0, or an errno: as libpmc's functions give it */
	uint64_t value;
	uint32_t width;
	char text[320]; /* why not, if error; without the event's name */
};

/* The machine.  read, list, run and hwprobe fail with -1 and errno. */
struct doctor_ops {
	const char *holter; /* which version of it asks */
	const char *machine; /* as uname -m says it */
	/* All of a file, with a NUL behind it, for free(); its length. */
	ssize_t (*read)(const struct doctor_ops *ops, const char *path, char **data);
	/* A directory's names, sorted, for doctor_free_names(); how many. */
	int (*list)(const struct doctor_ops *ops, const char *path, char ***names);
	/* What a program (with one argument) prints on stdout, its first line. */
	int (*run)(const struct doctor_ops *ops, const char *program, const char *arg, char *line,
		   size_t size);
	/* riscv_hwprobe(2), of all harts. */
	int (*hwprobe)(const struct doctor_ops *ops, struct hwprobe *pairs, unsigned nr);
	/* Tries all of them, and fills in what came of it. */
	void (*attempt)(const struct doctor_ops *ops, struct doctor_try *list, unsigned nr);
};

void doctor_free_names(char **names, int nr);

enum doctor_arch { DOCTOR_RISCV, DOCTOR_X86, DOCTOR_ARM, DOCTOR_OTHER };

/* A line about a layer, for people. */
struct doctor_fact {
	enum doctor_layer layer;
	const char *name;
	char *value;
};

/* Whether something is there. */
enum doctor_seen { DOCTOR_UNKNOWN, DOCTOR_ABSENT, DOCTOR_THERE };

enum doctor_log { DOCTOR_LOG_READ, DOCTOR_LOG_PARTLY, DOCTOR_LOG_DENIED, DOCTOR_LOG_NONE };

/* What the judge goes by, of that which the layers say. */
struct doctor_known {
	enum doctor_arch arch;
	/* hart */
	bool isa_sscofpmf; /* as the kernel knows it */
	bool harts_differ;
	bool virtual_machine; /* x86: a hypervisor runs it */
	const char *cpu; /* its name, if it is a known one, or NULL */
	bool cpu_has_sscofpmf; /* a known one that is known to have it */
	bool own_overflow; /* a known one with an overflow interrupt of its own */
	/* device tree */
	enum doctor_seen tree;
	bool tree_sscofpmf;
	bool tree_pmu; /* the node of the counters */
	bool tree_holter; /* the machine is that of holter run */
	/* firmware; sbi_major < 0: not known */
	int sbi_major, sbi_minor;
	bool implementation_known;
	uint64_t implementation, version;
	bool snapshot;
	/* kernel */
	enum doctor_log log;
	int release_major, release_minor; /* 0.0: not known */
	enum doctor_seen sbi_driver, legacy_driver, cpu_pmu;
	enum doctor_seen config_sbi, config_perf; /* in the kernel's configuration */
	bool log_no_counters; /* the driver found none */
	int firmware_counters, hardware_counters; /* -1: not known */
	/* permissions */
	bool root;
	bool no_proc; /* it is not mounted */
	int paranoid; /* DOCTOR_NO_NUMBER: there is no such file */
	int user_access;
	int kptr_restrict;
	bool seccomp;
	bool container;
	bool perf; /* is in PATH */
};

#define DOCTOR_NO_NUMBER (-1000)

/* A kind of event, or a use of one: a row of what was tried. */
enum doctor_row {
	DOCTOR_ROW_SOFTWARE,
	DOCTOR_ROW_GENERAL,
	DOCTOR_ROW_CACHE,
	DOCTOR_ROW_RAW,
	DOCTOR_ROW_FIRMWARE,
	DOCTOR_ROW_GIVEN, /* by the person, on the command line */
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
	DOCTOR_PARTLY, /* it does, but not as it should */
	DOCTOR_PRIVILEGE, /* who is root can */
	DOCTOR_NO,
	DOCTOR_NOT_TRIED, /* there is no such thing here, or nothing to try it with */
};

struct doctor_result {
	enum doctor_answer answer;
	char *text; /* in a few words */
	unsigned worked, tried;
	struct doctor_try *tries; /* `tried` of them */
};

enum doctor_weight {
	DOCTOR_REMARK, /* worth knowing */
	DOCTOR_LIMIT, /* something that could be counted cannot */
	DOCTOR_REFUSAL, /* nothing of a kind can be counted */
};

struct doctor_finding {
	enum doctor_layer layer;
	enum doctor_weight weight;
	char *text, *advice; /* advice may be NULL: nothing is to be done */
};

struct doctor {
	const struct doctor_ops *ops;
	char *kernel_log; /* its lines without their heads; NULL: it cannot be read */
	struct doctor_known known;
	struct doctor_fact *facts;
	unsigned nr_facts;
	struct doctor_result rows[DOCTOR_ROWS];
	struct doctor_finding *findings; /* ordered: the gravest first, then from the bottom up */
	unsigned nr_findings;
};

/* Examines the machine: facts, trials, findings.  given: nr events to be tried, too. */
void doctor_examine(struct doctor *d, const struct doctor_ops *ops, char *const *given, int nr);
void doctor_free(struct doctor *d);

/* The finding that is the diagnosis, or NULL: nothing refuses anything. */
const struct doctor_finding *doctor_verdict(const struct doctor *d);

void doctor_show_text(const struct doctor *d, FILE *to);
void doctor_show_json(const struct doctor *d, FILE *to);

/*
 * The parts
 */

/* facts.c */
void doctor_read_facts(struct doctor *d);
__attribute__((format(printf, 4, 5))) void doctor_fact(struct doctor *d, enum doctor_layer layer,
						       const char *name, const char *format, ...);
/* A file's text without the newline at its end, for free(); NULL: it cannot be read. */
char *doctor_slurp(const struct doctor *d, const char *path);
bool doctor_exists(const struct doctor *d, const char *path);
/* What follows the text `key` in one line of text, up to its end, for free(); or NULL. */
char *doctor_after(const char *text, const char *key);

/* riscv.c: hart, device tree and firmware of a RISC-V machine. */
void doctor_read_riscv(struct doctor *d, const char *cpuinfo);
void doctor_read_sbi(struct doctor *d);

/* trials.c */
void doctor_try_all(struct doctor *d, char *const *given, int nr);

/* judge.c */
void doctor_judge(struct doctor *d);

/* try.c: tries one event with libpmc, in this process. */
void doctor_try_event(struct doctor_try *t);

/* sys.c */
extern const struct doctor_ops *doctor_ops_linux(void);

#endif

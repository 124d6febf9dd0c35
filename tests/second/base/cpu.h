/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.h - a CPU as its description, holter-cpu(7), has it: the parameters of the models.
 */
#ifndef SECOND_CPU_H
#define SECOND_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "errtext.h"

enum policy { POLICY_LRU, POLICY_PLRU, POLICY_FIFO, POLICY_RANDOM };
enum prefetch {
	PREFETCH_NONE,
	PREFETCH_ON_MISS,
	PREFETCH_TAGGED,
	PREFETCH_STREAM,
	PREFETCH_STRIDE
};
enum direction { STATIC, BIMODAL, GSHARE, BIMODE, TAGE };

enum {
	BANKS_MAX = 8, /* rule G9 */
	DRAM_BANKS_MAX = 64, /* rule M17 */
	UNITS = 8, /* rule P12 */
	CLASSES = 26, /* rule P11 */
	CLASSES_FIRST = 15, /* of a short list */
	CLASSES_SCALAR = 25, /* of a list without vset */
	VECTOR_CLASSES = 17, /* rule V3 */
	TAGE_MAX = 6,
	PIECES = 6, /* sizes of pieces of TLBs: 4k 64k 2m 1g 512g 256t */
};

struct cpu_cache {
	bool there;
	uint64_t size;
	unsigned sets, ways;
	enum policy policy;
	enum prefetch prefetch;
	unsigned entries, degree, distance, pages; /* of the prefetcher */
	unsigned cycles, line_cycles, banks;
};

struct cpu_tlb {
	bool there;
	unsigned sets, ways;
	enum policy policy;
};

struct cpu_predictor {
	enum direction direction;
	unsigned counters, history, choices;
	unsigned tage_tables, tage_entries, tage_tag_bits, tage_history[TAGE_MAX];
	unsigned btb_sets, btb_ways, targets, target_history, returns;
};

struct cpu_pipeline {
	bool out_of_order; /* with a window: */
	unsigned window, queues[UNITS];
	unsigned width;
	unsigned units[UNITS], latency[CLASSES], busy[CLASSES];
	unsigned taken, btb_miss, bad_direction, bad_target, bad_return;
	unsigned second_tlb_cycles, walk_cycles, stores, loads, misses, fill_cycles, late_alu;
	unsigned div_bits, div_cycles, div_sign; /* rule P16 */
	unsigned forward_cycles; /* rule W12 */
	unsigned recovery_cycles; /* rules W10, O6 */
};

struct cpu_vector {
	unsigned vlen; /* 0: no vectors */
	unsigned cycles[VECTOR_CLASSES * 4], latency[VECTOR_CLASSES], masked, element;
	bool chaining;
	bool thead; /* XTheadVector in place of V */
	bool zvbb; /* the CPUs that have it have Zvbc and ciphers, too */
};

struct cpu {
	uint64_t hz, mvendorid, marchid;
	unsigned line; /* LINE */
	struct cpu_cache l1i, l1d, l2, ll; /* rule C1 */
	bool write_through; /* L1D */
	unsigned write_stream; /* L1D, rule C19 */
	struct cpu_tlb itlb, dtlb, stlb;
	bool piece[PIECES];
	bool zcm; /* Zcmp or Zcmt */
	unsigned thead; /* rule A8: enum thead_fences */
	uint64_t random_seed;
	struct cpu_predictor predictor;
	struct cpu_pipeline pipeline;
	struct cpu_vector vector;
	unsigned snoop_cycles, uncached_cycles, memory_cycles;
	unsigned memory_line_cycles; /* rule G1 */
	bool rows; /* rule M17: */
	unsigned row_hit_cycles, row_bytes, dram_banks, dram_interleave;
};

/*
 * Reads a .dtb of len bytes.  False, with one line in *why: it is not a description of
 * Holter's own.
 */
bool cpu_read(struct cpu *c, const void *dtb, size_t len, struct error_text *why);

#endif

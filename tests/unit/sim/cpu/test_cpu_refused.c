// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu_refused.c - CPU descriptions that the reader refuses, and its error messages: a valid
 * description with one edit, and damaged ones.
 *
 * usage: test_sim_cpu_refused FOLDER      with the compiled descriptions
 */
#include <libfdt.h>

#include "cpu_blobs.h"

enum { CELL, TEXT, LIST, DROP, RENAME, DROP_NODE, ADD_NODE, EMPTY, BIG };

static const struct edit {
	const char *cpu, *node, *property;
	int kind;
	uint32_t cell;
	const char *text, *says;
} edits[] = {
#define CPU "/cpus/cpu@0"
	{ "max", CPU, "i-cache-sets", CELL, 100, NULL,
	  CPU ": i-cache-size: 32768 bytes do not make 1 to 64 ways of 100 sets of 64 bytes" },
	{ "max", CPU, "i-cache-size", CELL, 12288 * 5, NULL,
	  CPU ": i-cache-size: 61440 bytes do not make 1 to 64 ways of 128 sets of 64 bytes" },
	{ "max", CPU, "d-cache-sets", CELL, 0, NULL,
	  CPU ": d-cache-sets: 0 is outside 1 to 4294967295" },
	{ "max", CPU, "d-cache-size", DROP, 0, NULL, CPU ": d-cache-size: missing property" },
	{ "max", CPU, "d-cache-size", RENAME, 0, "d-cahce-size",
	  CPU ": d-cache-size: missing property; is it 'd-cahce-size'?" },
	{ "max", CPU, "holter,mvendorid", RENAME, 0, "holter,mvendrid",
	  CPU ": holter,mvendorid: missing property; is it 'holter,mvendrid'?" },
	{ "max", CPU, "d-cache-block-size", CELL, 32, NULL,
	  CPU ": i-cache-block-size: 64, where L1D has 32: all caches need one line size" },
	{ "max", "/cpus/l2-cache", "cache-block-size", CELL, 32, NULL,
	  "/cpus/l2-cache: cache-block-size: 32, where L1D has 64: all caches need one line size" },
	{ "max", "/cpus/l3-cache", "cache-block-size", CELL, 128, NULL,
	  "/cpus/l3-cache: cache-block-size: 128, where L1D has 64: all caches need one line "
	  "size" },
	{ "ax45mp", "/cpus/l2-cache", "cache-block-size", CELL, 32, NULL,
	  "/cpus/l2-cache: cache-block-size: 32, where L1D has 64: all caches need one line size" },
	{ "max", CPU, "d-cache-block-size", CELL, 8, NULL,
	  CPU ": d-cache-block-size: 8 is outside 16 to 256" },
	{ "max", CPU, "d-cache-size", BIG, 0, NULL,
	  CPU ": d-cache-size: must be one number of one or two cells" },
	{ "max", CPU, "holter,d-cache-policy", TEXT, 0, "mru",
	  CPU ": holter,d-cache-policy: 'mru' is not one of lru, plru, fifo, random; "
	      "did you mean lru?" },
	{ "max", CPU, "next-level-cache", CELL, 0x7777, NULL,
	  CPU ": next-level-cache: no node has the phandle 0x7777" },
	{ "max", "/cpus/l3-cache", "next-level-cache", CELL, 1, NULL,
	  "/cpus/l3-cache: next-level-cache: at most two levels behind L1" },
	{ "max", "/cpus/l2-cache", "holter,cycles", DROP, 0, NULL,
	  "/cpus/l2-cache: holter,cycles: missing property" },
	{ "max", CPU, "i-tlb-sets", CELL, 3, NULL,
	  CPU ": i-tlb-size: 32 entries do not make 1 to 64 ways of 3 sets" },
	{ "max", CPU, "d-tlb-size", DROP, 0, NULL, CPU ": d-tlb-size: missing property" },
	{ "max", CPU, "holter,tlb-pages", TEXT, 0, "8k",
	  CPU ": holter,tlb-pages: '8k' is not one of 4k, 64k, 2m, 1g, 512g, 256t" },
	{ "max", CPU, "holter,tlb-pages", TEXT, 0, "2m",
	  CPU ": holter,tlb-pages: 0x4: entries of 4 KiB (bit 0) are needed, and bits above 5 mean "
	      "nothing" },
	{ "max", CPU, "mmu-type", TEXT, 0, "riscv,sv64",
	  CPU ": mmu-type: 'riscv,sv64' is not one of riscv,none, riscv,sv39, riscv,sv48, "
	      "riscv,sv57; did you mean riscv,sv39?" },
	{ "max", CPU, "mmu-type", LIST, 0, "riscv,sv39 riscv,sv57",
	  CPU ": mmu-type: must be one string, not a list" },
	{ "max", CPU, "mmu-type", TEXT, 0, "riscv,none",
	  CPU ": mmu-type: 'riscv,none' has no page tables, which 'svnapot' needs" },
	{ "c908", CPU, "mmu-type", TEXT, 0, "riscv,none",
	  CPU ": mmu-type: 'riscv,none' has no page tables, which 'svpbmt' needs" },
	{ "max", CPU, "mmu-type", DROP, 0, NULL, CPU ": mmu-type: missing property" },
	{ "max", CPU, "riscv,cboz-block-size", CELL, 32, NULL,
	  CPU ": riscv,cboz-block-size: the machine has only blocks of 64" },
	{ "rocket", CPU, "riscv,isa-extensions", TEXT, 0, "v",
	  CPU ": holter,vlen: missing property, which 'v' needs: the bits of a register" },
	{ "rocket", CPU, "riscv,isa-extensions", TEXT, 0, "i",
	  CPU ": riscv,isa-extensions: the machine always has i, m, a, zicsr and zicntr" },
	{ "rocket", CPU, "riscv,isa-extensions", LIST, 0, "i m a c m zicsr zicntr",
	  CPU ": riscv,isa-extensions: names 'm' twice" },
	{ "x60", CPU, "riscv,isa-extensions", LIST, 0, "i m a v zicsr zicntr",
	  CPU ": riscv,isa-extensions: 'v' needs 'd'" },
	{ "rocket", CPU, "riscv,isa-extensions", LIST, 0, "i m a d c zicsr zicntr",
	  CPU ": riscv,isa-extensions: 'd' needs 'f'" },
	{ "rocket", CPU, "riscv,isa-extensions", LIST, 0, "i m a zfh zicsr zicntr",
	  CPU ": riscv,isa-extensions: 'zfhmin' needs 'f'" },
	{ "rocket", CPU, "riscv,isa-extensions", LIST, 0, "i m a zicsr zicntr smcdeleg",
	  CPU ": riscv,isa-extensions: 'smcdeleg' needs 'smcsrind'" },
	{ "rocket", CPU, "riscv,isa-extensions", LIST, 0, "i m a ziccamoc zicsr zicntr",
	  CPU ": riscv,isa-extensions: 'ziccamoc' needs 'zacas'" },
	{ "rocket", CPU, "riscv,isa-extensions", LIST, 0, "i m a zicsr zicntr supm",
	  CPU ": riscv,isa-extensions: 'supm' needs 'ssnpm'" },
	{ "rocket", CPU, "riscv,isa-extensions", LIST, 0, "i m a f d zcb zicsr zicntr",
	  CPU ": riscv,isa-extensions: 'zcb' needs 'c' or 'zca'" },
	{ "rocket", CPU, "riscv,isa-extensions", LIST, 0, "i m a zicsr zicntr zcmp",
	  CPU ": riscv,isa-extensions: 'zcmp' needs 'c' or 'zca'" },
	{ "rocket", CPU, "riscv,isa-extensions", LIST, 0, "i m a f d c zicsr zicntr zcmp",
	  CPU ": riscv,isa-extensions: 'zcmp' needs the words that 'c' with 'd' uses (c.fsdsp): "
	      "name 'zca' instead of 'c'" },
	{ "zcm", CPU, "holter,added-extensions", TEXT, 0, "zcd",
	  CPU
	  ": riscv,isa-extensions: 'zcmp' needs the words that 'zcd' uses (c.fsdsp): name 'zca' "
	  "without 'zcd'" },
	{ "rocket", CPU, "riscv,isa-extensions", LIST, 0, "i m a f d zca zcd zicsr zicntr zcmt",
	  CPU
	  ": riscv,isa-extensions: 'zcmt' needs the words that 'zcd' uses (c.fsdsp): name 'zca' "
	  "without 'zcd'" },
	{ "rocket", CPU, "holter,vlen", CELL, 256, NULL,
	  CPU ": holter,vlen: riscv,isa-extensions names neither v nor xtheadvector" },
	{ "x60", CPU, "holter,vlen", CELL, 100, NULL,
	  CPU ": holter,vlen: 100 is not a power of two from 128 to 1024" },
	{ "x60", CPU, "holter,vlen", BIG, 0, NULL,
	  CPU ": holter,vlen: must have 1 cell, has 16 bytes" },
	{ "x60", CPU, "holter,vlen", TEXT, 0, "256",
	  CPU ": holter,vlen: is a string; must be a number: <256>" },
	{ "max", CPU, "holter,d-cache-write-stream", TEXT, 0, "128",
	  CPU ": holter,d-cache-write-stream: is a string; must be a number: <128>" },
	{ "x60", CPU, "holter,vlen", RENAME, 0, "thead,vlenb",
	  CPU ": thead,vlenb: 256 is not a power of two from 16 to 128" },
	{ "x60", CPU "/holter,vector", "masked", CELL, 0, NULL,
	  CPU "/holter,vector: masked: 0 is outside 1 to 255" },
	{ "x60", CPU "/holter,vector", "element", CELL, 256, NULL,
	  CPU "/holter,vector: element: 256 is outside 0 to 255" },
	{ "x60", CPU "/holter,vector", "latency", CELL, 1, NULL,
	  CPU "/holter,vector: latency: must have 17 cells, has 4 bytes" },
	{ "rocket", CPU, "riscv,isa-extensions", LIST, 0, "i m a zvkt f d v zicsr zicntr",
	  CPU ": holter,vlen: missing property, which 'zvkt' needs: the bits of a register" },
	{ "rocket", CPU, "riscv,isa-extensions", LIST, 0, "i m a zicsr zicntr zvbb",
	  CPU ": riscv,isa-extensions: 'zvbb' needs 'v'" },
	{ "x60", CPU, "riscv,isa-extensions", LIST, 0, "i m a f d v zicsr zicntr zvfh",
	  CPU ": riscv,isa-extensions: 'zvfh' needs 'zfhmin'" },
	{ "x60", CPU, "riscv,isa-extensions", LIST, 0, "i m a zicsr zicntr zvkng",
	  CPU ": holter,vlen: riscv,isa-extensions names neither v nor xtheadvector" },
	{ "c910", CPU, "riscv,isa-extensions", LIST, 0, "i m a f d v zicsr zicntr xtheadvector",
	  CPU ": riscv,isa-extensions: 'xtheadvector' excludes 'v', whose instructions have the "
	      "same encodings" },
	{ "c910", CPU, "riscv,isa-extensions", LIST, 0, "i m a f zicsr zicntr xtheadvector",
	  CPU ": riscv,isa-extensions: 'xtheadvector' needs 'd'" },
	{ "c910", CPU, "riscv,isa-extensions", LIST, 0, "i m a f d v zicsr zicntr xtheadzvamo",
	  CPU ": riscv,isa-extensions: 'xtheadzvamo' needs 'xtheadvector'" },
	{ "rocket", CPU, "holter,added-extensions", TEXT, 0, "xtheadzvamo",
	  CPU ": holter,added-extensions: 'xtheadzvamo' needs 'xtheadvector'" },
	{ "c910", CPU, "holter,added-extensions", TEXT, 0, "zicfilp",
	  CPU ": riscv,isa-extensions: 'xtheadvector' excludes 'zicfilp', whose bit of mstatus it "
	      "uses" },
	{ "c910", CPU, "holter,vlen", DROP, 0, NULL,
	  CPU
	  ": holter,vlen: missing property, which 'xtheadvector' needs: the bits of a register" },
	{ "c910", CPU, "holter,vlen", CELL, 64, NULL,
	  CPU ": holter,vlen: 64 is not a power of two from 128 to 1024" },
	{ "x60", CPU, "holter,lacking-extensions", TEXT, 0, "zvksh",
	  CPU ": holter,lacking-extensions: the machine implements 'zvksh'" },
	{ "vlen128", CPU, "holter,vlen", CELL, 192, NULL,
	  CPU ": holter,vlen: 192 is not a power of two from 128 to 1024" },
	{ "vlen128", CPU, "holter,vlen", CELL, 2048, NULL,
	  CPU ": holter,vlen: 2048 is not a power of two from 128 to 1024" },
	{ "vlen128", CPU, "holter,vlen", DROP, 0, NULL,
	  CPU ": holter,vlen: missing property, which 'v' needs: the bits of a register" },
	{ "rocket", CPU, "riscv,isa-extensions", LIST, 0, "i m a zicsr zicntr zz",
	  CPU ": riscv,isa-extensions: the machine does not implement 'zz'" },
	{ "ax45mp", CPU, "holter,added-extensions", TEXT, 0, "v",
	  CPU ": holter,vlen: missing property, which 'v' needs: the bits of a register" },
	{ "max", CPU, "holter,added-extensions", TEXT, 0, "sstc",
	  CPU ": holter,added-extensions: the core has 'sstc' itself" },
	{ "max", CPU, "holter,lacking-extensions", TEXT, 0, "zba",
	  CPU ": holter,lacking-extensions: the machine implements 'zba'" },
	{ "max", CPU, "riscv,isa-extensions", DROP, 0, NULL,
	  CPU ": riscv,isa-extensions: missing property" },
	{ "max", CPU, "riscv,isa-extensions", CELL, 'i', NULL,
	  CPU ": riscv,isa-extensions: is not a string" },
	{ "max", CPU, "riscv,isa-base", TEXT, 0, "rv32i",
	  CPU ": riscv,isa-base: 'rv32i' is not rv64i" },
	{ "max", CPU, "holter,mvendorid", DROP, 0, NULL,
	  CPU ": holter,mvendorid: missing property" },
	{ "max", CPU, "device_type", TEXT, 0, "gpu", "/cpus: no cpu node that is not disabled" },
	{ "max", "/cpus", NULL, DROP_NODE, 0, NULL, "/: missing node cpus" },
	{ "max", "/", "model", DROP, 0, NULL, "/: model: missing property" },
	{ "max", CPU "/holter,memory", NULL, DROP_NODE, 0, NULL,
	  CPU ": missing node holter,memory" },
	{ "max", CPU "/holter,memory", "dram-ns", CELL, 10001, NULL,
	  CPU "/holter,memory: dram-ns: 10001 is outside 0 to 10000" },
	{ "max", CPU "/holter,memory", "dram-ns", DROP, 0, NULL,
	  CPU "/holter,memory: dram-ns: missing property" },
	{ "max", CPU "/holter,memory", "dram-ns", RENAME, 0, "bus-cycles",
	  CPU "/holter,memory: dram-ns: missing property" },
	{ "max", CPU "/holter,memory", "dram-ns", BIG, 0, NULL,
	  CPU "/holter,memory: dram-ns: must be one number of one or two cells" },
	{ "max", CPU "/holter,memory", "dram-mb-s", CELL, 10000001, NULL,
	  CPU "/holter,memory: dram-mb-s: 10000001 is outside 0 to 10000000" },
	{ "max", CPU "/holter,memory", "dram-mb-s", CELL, 1, NULL,
	  CPU "/holter,memory: dram-mb-s: a line of 64 bytes occupies memory for 64000 cycles, "
	      "more than 4096" },
	{ "max", CPU "/holter,memory", "dram-mb-s", BIG, 0, NULL,
	  CPU "/holter,memory: dram-mb-s: must be one number of one or two cells" },
	{ "u74", CPU "/holter,memory", "dram-row-hit-ns", CELL, 110, NULL,
	  CPU "/holter,memory: dram-row-hit-ns: 110 is outside 0 to 109" },
	{ "u74", CPU "/holter,memory", "dram-row-hit-ns", BIG, 0, NULL,
	  CPU "/holter,memory: dram-row-hit-ns: must be one number of one or two cells" },
	{ "u74", CPU "/holter,memory", "dram-row-hit-ns", DROP, 0, NULL,
	  CPU "/holter,memory: dram-row-bytes: needs dram-row-hit-ns" },
	{ "u74", CPU "/holter,memory", "dram-row-bytes", CELL, 3000, NULL,
	  CPU "/holter,memory: dram-row-bytes: 3000 is not a power of two" },
	{ "u74", CPU "/holter,memory", "dram-row-bytes", CELL, 32, NULL,
	  CPU "/holter,memory: dram-row-bytes: 32 is outside 64 to 1048576" },
	{ "u74", CPU "/holter,memory", "dram-banks", CELL, 0, NULL,
	  CPU "/holter,memory: dram-banks: 0 is outside 1 to 64" },
	{ "u74", CPU "/holter,memory", "dram-interleave-bytes", CELL, 8192, NULL,
	  CPU "/holter,memory: dram-interleave-bytes: 8192 is outside 64 to 4096" },
	{ "max", "/cpus/l2-cache", "holter,line-cycles", CELL, 4097, NULL,
	  "/cpus/l2-cache: holter,line-cycles: 4097 is outside 0 to 4096" },
	{ "max", "/cpus/l3-cache", "holter,line-cycles", CELL, 4097, NULL,
	  "/cpus/l3-cache: holter,line-cycles: 4097 is outside 0 to 4096" },
	{ "max", "/cpus/l2-cache", "holter,banks", CELL, 3, NULL,
	  "/cpus/l2-cache: holter,banks: 3 is not a power of two" },
	{ "max", "/cpus/l3-cache", "holter,banks", CELL, 16, NULL,
	  "/cpus/l3-cache: holter,banks: 16 is outside 1 to 8" },
	{ "max", CPU, "holter,d-cache-write-stream", CELL, 65, NULL,
	  CPU ": holter,d-cache-write-stream: 65 is outside 0 to 64" },
	{ "max", CPU, "clock-frequency", DROP, 0, NULL, CPU ": clock-frequency: missing property" },
	{ "max", CPU, "clock-frequency", RENAME, 0, "clock-freqency",
	  CPU ": clock-frequency: missing property; is it 'clock-freqency'?" },
	{ "max", CPU, "clock-frequency", CELL, 0, NULL,
	  CPU ": clock-frequency: 0 is outside 1000000 to 10000000000" },
	{ "max", CPU, "clock-frequency", CELL, 999999, NULL,
	  CPU ": clock-frequency: 999999 is outside 1000000 to 10000000000" },
	{ "max", CPU, "clock-frequency", BIG, 0, NULL,
	  CPU ": clock-frequency: must be one number of one or two cells" },
	{ "board", "/cpus/cpu@1", "clock-frequency", CELL, 999, NULL,
	  "/cpus/cpu@1: clock-frequency: 999 is outside 1000000 to 10000000000" },
	{ "max", CPU "/holter,predictor", NULL, DROP_NODE, 0, NULL,
	  CPU ": missing node holter,predictor" },
	{ "max", CPU "/holter,predictor", "direction", TEXT, 0, "oracle",
	  CPU
	  "/holter,predictor: direction: 'oracle' is not one of static, bimodal, gshare, bimode, "
	  "tage" },
	{ "max", CPU "/holter,predictor", "direction", DROP, 0, NULL,
	  CPU "/holter,predictor: direction: missing property" },
	{ "max", CPU "/holter,predictor", "counters", CELL, 1000, NULL,
	  CPU "/holter,predictor: counters: 1000 is not a power of two" },
	{ "c910", CPU "/holter,predictor", "choices", CELL, 1000, NULL,
	  CPU "/holter,predictor: choices: 1000 is not a power of two" },
	{ "c910", CPU "/holter,predictor", "history", CELL, 15, NULL,
	  CPU "/holter,predictor: history: 15 is outside 1 to 14" },
	{ "u74", CPU "/holter,predictor", "tage-entries", CELL, 1000, NULL,
	  CPU "/holter,predictor: tage-entries: 1000 is not a power of two" },
	{ "u74", CPU "/holter,predictor", "tage-history", CELL, 5, NULL,
	  CPU "/holter,predictor: tage-history: must have 3 cells, has 4 bytes" },
	{ "u74", CPU "/holter,predictor", "tage-tables", CELL, 9, NULL,
	  CPU "/holter,predictor: tage-tables: 9 is outside 0 to 6" },
	{ "max", CPU "/holter,predictor", "btb-ways", CELL, 65, NULL,
	  CPU "/holter,predictor: btb-ways: 65 is outside 1 to 64" },
	{ "max", CPU "/holter,predictor", "returns", CELL, 65, NULL,
	  CPU "/holter,predictor: returns: 65 is outside 0 to 64" },
	{ "max", CPU "/holter,pipeline", NULL, DROP_NODE, 0, NULL,
	  CPU ": missing node holter,pipeline" },
	{ "max", CPU "/holter,pipeline", "width", CELL, 5, NULL,
	  CPU "/holter,pipeline: width: 5 is outside 1 to 4" },
	{ "max", CPU "/holter,pipeline", "order", TEXT, 0, "out",
	  CPU "/holter,pipeline: window: missing property" },
	{ "max", CPU "/holter,pipeline", "order", TEXT, 0, "inn",
	  CPU "/holter,pipeline: order: 'inn' is not one of in, out; did you mean in?" },
	{ "max", CPU "/holter,pipeline", "latency", DROP, 0, NULL,
	  CPU "/holter,pipeline: latency: missing property" },
	{ "max", CPU "/holter,pipeline", "busy", CELL, 1, NULL,
	  CPU "/holter,pipeline: busy: must have 15, 25 or 26 cells, has 4 bytes" },
	{ "max", CPU "/holter,pipeline", "bad-return", CELL, 1001, NULL,
	  CPU "/holter,pipeline: bad-return: 1001 is outside 0 to 1000" },
	{ "max", CPU "/holter,pipeline", "walk-cycles", DROP, 0, NULL,
	  CPU "/holter,pipeline: walk-cycles: missing property" },
	{ "max", CPU "/holter,pipeline", "fill-cycles", CELL, 1001, NULL,
	  CPU "/holter,pipeline: fill-cycles: 1001 is outside 0 to 1000" },
	{ "max", CPU "/holter,pipeline", "div-bits", CELL, 65, NULL,
	  CPU "/holter,pipeline: div-bits: 65 is outside 0 to 64" },
	{ "u74", CPU "/holter,pipeline", "div-sign", CELL, 256, NULL,
	  CPU "/holter,pipeline: div-sign: 256 is outside 0 to 255" },
	{ "max", CPU "/holter,pipeline", "misses", CELL, 33, NULL,
	  CPU "/holter,pipeline: misses: 33 is outside 0 to 32" },
	{ "u74", CPU, "holter,misaligned-trap", CELL, 0, NULL,
	  CPU ": holter,misaligned-trap: must not have a value" },
	{ "x60", CPU, "holter,misaligned-trap", TEXT, 0, "yes",
	  CPU ": holter,misaligned-trap: must not have a value" },
	{ "u74", CPU, "holter,d-cache-write-through", CELL, 1, NULL,
	  CPU ": holter,d-cache-write-through: must not have a value" },
	{ "x60", CPU "/holter,vector", "chaining", CELL, 1, NULL,
	  CPU "/holter,vector: chaining: must not have a value" },
	{ "max", "/pmu", "holter,every-event", CELL, 1, NULL,
	  "/pmu: holter,every-event: must not have a value" },
#define UNKNOWN "unknown property, or without a meaning in this node"
	{ "max", CPU "/holter,pipeline", "window", CELL, 64, NULL,
	  CPU "/holter,pipeline: window: " UNKNOWN },
	{ "max", CPU, "holter,d-cache-polcy", TEXT, 0, "lru",
	  CPU ": holter,d-cache-polcy: " UNKNOWN },
	{ "max", "/cpus/l2-cache", "holter,l2-cycles", CELL, 5, NULL,
	  "/cpus/l2-cache: holter,l2-cycles: " UNKNOWN },
	{ "max", CPU "/holter,predictor", "btb-size", CELL, 64, NULL,
	  CPU "/holter,predictor: btb-size: " UNKNOWN },
	{ "ax45mp", CPU "/holter,predictor", "tage-tables", CELL, 4, NULL,
	  CPU "/holter,predictor: tage-tables: " UNKNOWN },
	{ "ax45mp", CPU, "holter,second-tlb-sets", CELL, 1, NULL,
	  CPU ": holter,second-tlb-sets: " UNKNOWN },
	{ "x60", CPU, "holter,misaligned-traps", EMPTY, 0, NULL,
	  CPU ": holter,misaligned-traps: " UNKNOWN },
	{ "max", "/pmu", "holter,every", EMPTY, 0, NULL, "/pmu: holter,every: " UNKNOWN },
	{ "max", CPU "/holter,pipe", NULL, ADD_NODE, 0, NULL, CPU "/holter,pipe: unknown node" },
	{ "max", CPU, "compatible", DROP, 0, NULL, CPU ": compatible: missing property" },
	{ "max", CPU, "holter,tlb-pages", EMPTY, 0, NULL,
	  CPU ": holter,tlb-pages: has no page size" },
	{ "max", CPU, "holter,tlb-pages", CELL, 0x346b2121, NULL,
	  CPU ": holter,tlb-pages: is not a string" },
#define EVENT41 "/pmu/event-41"
	{ "ax45mp", EVENT41, "holter,counts", CELL, 0x6c316421, NULL,
	  EVENT41 ": holter,counts: is not a string" },
	{ "ax45mp", "/pmu", NULL, DROP_NODE, 0, NULL, "/: missing node compatible with riscv,pmu" },
	{ "ax45mp", "/pmu", "holter,counters", DROP, 0, NULL,
	  "/pmu: holter,counters: missing property" },
	{ "ax45mp", "/pmu", "holter,counters", CELL, 0x7c, NULL,
	  "/pmu: holter,counters: counters 0 to 2 are not programmable" },
	{ "ax45mp", "/pmu", "holter,counter-width", CELL, 65, NULL,
	  "/pmu: holter,counter-width: 65 is outside 1 to 64" },
	{ "ax45mp", "/pmu", "riscv,event-to-mhpmevent", EMPTY, 0, NULL,
	  "/pmu: riscv,event-to-mhpmevent: is made from the event nodes: remove it" },
	{ "ax45mp", EVENT41, "holter,counts", TEXT, 0, "l1d-raeds",
	  EVENT41 ": holter,counts: there is no event 'l1d-raeds'" },
	{ "ax45mp", EVENT41, "holter,counts", TEXT, 0, "l2-reads",
	  EVENT41 ": holter,counts: 'l2-reads' cannot happen on this CPU" },
	{ "ax45mp", EVENT41, "holter,counts", TEXT, 0, "stlb-reads",
	  EVENT41 ": holter,counts: 'stlb-reads' cannot happen on this CPU" },
	{ "ax45mp", EVENT41, "holter,counts", DROP, 0, NULL,
	  EVENT41 ": holter,counts: missing property" },
	{ "ax45mp", EVENT41, "label", DROP, 0, NULL, EVENT41 ": label: missing property" },
	{ "ax45mp", EVENT41, "holter,selector", DROP, 0, NULL,
	  EVENT41 ": holter,selector: missing property" },
	{ "ax45mp", EVENT41, "holter,selector", CELL, 0x51, NULL,
	  "/pmu/event-51: holter,selector: two nodes have 0x51" },
	{ "ax45mp", EVENT41, "holter,selector", CELL, 0, NULL,
	  EVENT41 ": holter,selector: 0x0 cannot be a selector (bits 57 to 0, not all 0)" },
	{ "ax45mp", EVENT41, "holter,counters", CELL, 0x80, NULL,
	  EVENT41 ": holter,counters: counter 7 does not exist, or is not programmable" },
	{ "ax45mp", EVENT41, "holter,counters", CELL, 0, NULL,
	  EVENT41 ": holter,counters: must name a counter" },
	{ "ax45mp", EVENT41, "holter,event-idx", CELL, 0x10006, NULL,
	  EVENT41 ": holter,event-idx: there is no SBI event 0x10006" },
	{ "ax45mp", EVENT41, "holter,event-idx", CELL, 0x4, NULL,
	  "/pmu/event-51: holter,event-idx: 0x4 already has a selector" },
	{ "u74", "/pmu/event-200", "holter,selector", CELL, 1, NULL,
	  "/pmu/event-200: holter,selector: 0x1 is a class without an event" },
	{ "u74", "/pmu/event-200", "holter,selector", CELL, 0x600, NULL,
	  "/pmu/event-200: holter,counts: 0x600 has several bits: it counts the sum of their "
	  "events" },
	{ "u74", "/pmu/event-6001", "holter,event-idx", DROP, 0, NULL,
	  "/pmu/event-6001: holter,event-idx: missing property" },
	{ "u74", "/pmu/event-6001", "holter,selector", CELL, 0x80006001, NULL,
	  "/pmu: event 0x6: no counter can count selector 0x80006001" },
};

/* Strings, which are words of text. */
static void set_list(void *fdt, int node, const char *property, const char *text)
{
	char list[80];
	size_t len = strlen(text) + 1;

	memcpy(list, text, len);
	for (size_t n = 0; n < len; n++)
		list[n] = list[n] == ' ' ? 0 : list[n];
	is(fdt_setprop(fdt, node, property, list, (int)len), 0);
}

static void make_edit(void *fdt, const struct edit *e)
{
	static const uint8_t big[16];
	const char *name = strrchr(e->node, '/');
	int node = e->kind == ADD_NODE ? fdt_path_offset_namelen(fdt, e->node, name - e->node)
				       : fdt_path_offset(fdt, e->node);

	ok(node >= 0);
	switch (e->kind) {
	case CELL:
		is(fdt_setprop_u32(fdt, node, e->property, e->cell), 0);
		break;
	case TEXT:
		is(fdt_setprop_string(fdt, node, e->property, e->text), 0);
		break;
	case LIST:
		set_list(fdt, node, e->property, e->text);
		break;
	case DROP:
		is(fdt_delprop(fdt, node, e->property), 0);
		break;
	case RENAME: {
		int len;
		const void *value = fdt_getprop(fdt, node, e->property, &len);
		void *copy = value ? memcpy(malloc(len), value, len) : NULL;

		is(fdt_delprop(fdt, node, e->property), 0);
		is(fdt_setprop(fdt, node, e->text, copy, len), 0);
		free(copy);
		break;
	}
	case DROP_NODE:
		is(fdt_del_node(fdt, node), 0);
		break;
	case ADD_NODE:
		ok(fdt_add_subnode(fdt, node, name + 1) >= 0);
		break;
	case EMPTY:
		is(fdt_setprop(fdt, node, e->property, NULL, 0), 0);
		break;
	default:
		is(fdt_setprop(fdt, node, e->property, big, sizeof(big)), 0);
	}
}

static void refusals_name_the_place(void)
{
	for (unsigned n = 0; n < TAP_NR(edits); n++) {
		struct error_text why = { "" };
		char want[540];
		size_t size;
		char *blob = blob_of(edits[n].cpu, &size);
		struct cpu *cpu;

		tap_context("edit %u, %s", n, edits[n].property ? edits[n].property : "node");
		is(fdt_open_into(blob, blob, ROOM), 0);
		make_edit(blob, &edits[n]);
		cpu = cpu_read(blob, ROOM, "a.dtb", NULL, 0, &why);
		snprintf(want, sizeof(want), "a.dtb: %s", edits[n].says);
		is_str(why.text, want);
		ok(!cpu);
		if (cpu)
			cpu_free(cpu);
		free(blob);
	}
}

/* Any prefix of a description, and any description with wrong bytes, is refused or read. */
static void damage_is_harmless(void)
{
	size_t size;
	char *blob = blob_of("ax45mp", &size);
	uint64_t random = 88172645463325252ull;
	struct error_text why;
	struct cpu *cpu;

	for (size_t cut = 0; cut < size; cut += cut < 64 ? 1 : 97) {
		char *part = malloc(cut ? cut : 1);

		memcpy(part, blob, cut);
		ok(!cpu_read(part, cut, "a.dtb", NULL, 0, &why));
		is_str(why.text, "a.dtb: not a device tree, or a damaged one");
		free(part);
	}
	for (unsigned n = 0; n < 300; n++) {
		size_t at;
		char *bad = malloc(size), old;

		memcpy(bad, blob, size);
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		at = random % size;
		old = bad[at];
		bad[at] ^= 1 << (random >> 61);
		cpu = cpu_read(bad, size, "a.dtb", NULL, 0, &why);
		ok(old != bad[at]);
		if (cpu)
			cpu_free(cpu);
		free(bad);
	}
	free(blob);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "errors name the file, the node and the property", refusals_name_the_place },
		{ "damaged trees", damage_is_harmless },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return tap_run(cases, TAP_NR(cases));
}

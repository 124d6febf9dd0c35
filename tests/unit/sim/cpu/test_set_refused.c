// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_set_refused.c - the messages of what --set refuses.
 *
 * usage: test_sim_set_refused FOLDER      with the compiled descriptions
 */
#include "set_rig.h"

#define QUOTES "must be strings in quotes with commas between them, as in \"a\",\"b\""

static const struct {
	const char *cpu, *sets[SETS_MAX], *says;
} refusals[] = {
	{ "u74", { "l2.size" }, "--set l2.size: must be PROPERTY=VALUE, as in l2.size=4M" },
	{ "u74", { "=4M" }, "--set =4M: must be PROPERTY=VALUE, as in l2.size=4M" },
	{ "u74", { "" }, "--set : must be PROPERTY=VALUE, as in l2.size=4M" },
	{ "u74", { "l2.size=" }, "--set l2.size=: has no value after the =" },
	{ "u74", { "l2.size=\033" }, "--set l2.size=?: has a character that cannot be printed" },
	{ "u74",
	  { "l2.sise=4M" },
	  "--set l2.sise=4M: there is no property l2.sise; did you mean l2.size?" },
	{ "u74",
	  { "elephant=4M" },
	  "--set elephant=4M: there is no property elephant; holter cpu --properties lists them" },
	{ "u74", { "l3.size=4M" }, "--set l3.size=4M: this CPU has no l3" },
	{ "u74",
	  { "/cpus/cpu@0/holter,misaligned-trap=0" },
	  "--set /cpus/cpu@0/holter,misaligned-trap=0: must be true or false" },
	{ "u74",
	  { "memory.latency=10001" },
	  "--set memory.latency=10001: must be a number from 0 to 10000" },
	{ "u74",
	  { "memory.row-bytes=2M" },
	  "--set memory.row-bytes=2M: must be a number from 0 to 1048576" },
	{ "c910", { "memory.banks=16" }, "--set memory.banks=16: needs dram-row-hit-ns" },
	{ "u74", { "l2.size=0" }, "--set l2.size=0: 0 is outside 1 to 4294967295" },
	{ "u74", { "l2.size=8G" }, "--set l2.size=8G: 8589934592 is outside 1 to 4294967295" },
	{ "u74",
	  { "l2.size=1000" },
	  "--set l2.size=1000: 1000 bytes are not a multiple of 16 lines of 64 bytes" },
	{ "u74", { "l2.size=3M" }, "--set l2.size=3M: cache-sets: 3072 is not a power of two" },
	{ "u74",
	  { "l2.sets=3" },
	  "--set l2.sets=3: cache-size: 2097152 bytes do not make 1 to 64 ways of 3 sets of 64 "
	  "bytes" },
	{ "u74", { "l2.ways=65" }, "--set l2.ways=65: must be a number from 1 to 64" },
	{ "u74",
	  { "l2.size=4M", "l2.ways=8", "l2.sets=2048" },
	  "--set l2.ways=8: with --set l2.size=4M and --set l2.sets=2048 it must be 32" },
	{ "u74", { "stlb.ways=3" }, "--set stlb.ways=3: 512 entries are not a multiple of 3 ways" },
	{ "u74",
	  { "dtlb.entries=65" },
	  "--set dtlb.entries=65: 65 entries do not make 1 to 64 ways of 1 sets" },
	{ "ax45mp",
	  { "stlb.entries=512" },
	  "--set stlb.entries=512: needs stlb.ways, too, which the description does not say" },
	{ "ax45mp",
	  { "stlb.ways=4" },
	  "--set stlb.ways=4: needs stlb.entries, too, which the description does not say" },
	{ "u74",
	  { "line=48" },
	  "--set line=48: 32768 bytes are not a multiple of 8 lines of 48 bytes" },
	{ "max",
	  { "line=32" },
	  "max with --set: /cpus/cpu@0: riscv,isa-extensions: zic64b needs lines of 64 bytes, not "
	  "of 32" },
	{ "max",
	  { "l1d.policy=mru" },
	  "--set l1d.policy=mru: 'mru' is not one of lru, plru, fifo, random; did you mean lru?" },
	{ "max",
	  { "l1d.policy=oldest" },
	  "--set l1d.policy=oldest: 'oldest' is not one of lru, plru, fifo, random" },
	{ "x60",
	  { "l1d.prefetch=strem" },
	  "--set l1d.prefetch=strem: 'strem' is not one of none, on-miss, tagged, stream, stride; "
	  "did you mean stream?" },
	{ "u74",
	  { "bpred.kind=BIMODAL" },
	  "--set bpred.kind=BIMODAL: 'BIMODAL' is not one of static, bimodal, gshare, bimode, "
	  "tage; "
	  "did you mean bimodal?" },
	{ "u74", { "l2.size=8MB" }, "--set l2.size=8MB: must be a number; did you mean 8M?" },
	{ "u74", { "l2.ways=65k" }, "--set l2.ways=65k: must be a number from 1 to 64" },
	{ "u74", { "l2=8M" }, "--set l2=8M: there is no property l2; did you mean l2.size?" },
	{ "u74",
	  { "bpred.history=5" },
	  "--set bpred.history=5: this CPU has no use for history in "
	  "/cpus/cpu@0/holter,predictor" },
	{ "max",
	  { "bpred.kind=bimodal", "bpred.history=5" },
	  "--set bpred.history=5: this CPU has no use for history in "
	  "/cpus/cpu@0/holter,predictor" },
	{ "max",
	  { "bpred.counters=1000" },
	  "--set bpred.counters=1000: 1000 is not a power of two" },
	{ "max",
	  { "l1i.prefetch=stream" },
	  "--set l1i.prefetch=stream: 'stream' is not one of none, on-miss, tagged" },
	{ "max",
	  { "l2.prefetch=stride" },
	  "--set l2.prefetch=stride: 'stride' is not one of none, on-miss, tagged, stream" },
	{ "max",
	  { "l1d.prefetch-entries=24" },
	  "--set l1d.prefetch-entries=24: 24 is not a power of two" },
	{ "max", { "l1d.prefetch-degree=5" }, "--set l1d.prefetch-degree=5: 5 is outside 1 to 4" },
	{ "max",
	  { "l3.prefetch-distance=0" },
	  "--set l3.prefetch-distance=0: 0 is outside 1 to 64" },
	{ "max", { "bpred.history=14" }, "--set bpred.history=14: 14 is outside 1 to 13" },
	{ "max",
	  { "memory.latency=1M" },
	  "--set memory.latency=1M: 1048576 is outside 0 to 10000" },
	{ "max", { "pipe.misses=33" }, "--set pipe.misses=33: 33 is outside 0 to 32" },
	{ "max", { "l2.banks=3" }, "--set l2.banks=3: 3 is not a power of two" },
	{ "max", { "l1d.write-stream=65" }, "--set l1d.write-stream=65: 65 is outside 0 to 64" },
	{ "max",
	  { "l2.line-cycles=4097" },
	  "--set l2.line-cycles=4097: 4097 is outside 0 to 4096" },
	{ "max",
	  { "clock=1G", "memory.bandwidth=15" },
	  "--set memory.bandwidth=15: a line of 64 bytes occupies memory for 4267 cycles, more "
	  "than 4096" },
	{ "max",
	  { "clock=1.8GHz" },
	  "--set clock=1.8GHz: must be a frequency, such as 1.85G, 100M or 32768" },
	{ "max",
	  { "clock=10.1G" },
	  "--set clock=10.1G: 10100000000 is outside 1000000 to 10000000000" },
	{ "max", { "pipe.width=5" }, "--set pipe.width=5: 5 is outside 1 to 4" },
	{ "max", { "pipe.order=up" }, "--set pipe.order=up: 'up' is not one of in, out" },
	{ "max",
	  { "pipe.window=9" },
	  "--set pipe.window=9: this CPU has no use for window in "
	  "/cpus/cpu@0/holter,pipeline" },
	{ "max",
	  { "queues.alu=9" },
	  "--set queues.alu=9: /cpus/cpu@0/holter,pipeline has no list queues, or a shorter one" },
	{ "max",
	  { "pipe.order=out", "pipe.window=513" },
	  "--set pipe.window=513: 513 is outside 1 to 512" },
	{ "max",
	  { "pipe.order=out", "pipe.forward=64" },
	  "--set pipe.forward=64: 64 is outside 0 to 63" },
	{ "max",
	  { "pipe.order=out", "pipe.recovery=256" },
	  "--set pipe.recovery=256: 256 is outside 0 to 255" },
	{ "max",
	  { "pipe.order=out", "queues.alu=0" },
	  "--set queues.alu=0: 0 is outside 1 to 255" },
	{ "max",
	  { "pipe.order=out", "latency.div=64" },
	  "--set latency.div=64: 64 is outside 1 to 63" },
	{ "u74", { "busy.div=7" }, "--set busy.div=7: 7 is outside 1 to 6" },
	{ "u74", { "units.div=2" }, "--set units.div=2: 2 is outside 1 to 1" },
	{ "max",
	  { "latency.mul=0", "latency.alu=2" },
	  "--set latency.alu=2, latency.mul=0: latency: 0 is outside 1 to 255" },
	{ "board",
	  { "latency.mul=5" },
	  "--set latency.mul=5: /cpus/cpu@1/holter,pipeline has no list latency, or a shorter "
	  "one" },
	/* The same property twice */
	{ "u74",
	  { "l2.size=8M", "l2.size=4M" },
	  "--set l2.size=8M: --set l2.size=4M was given before" },
	{ "u74",
	  { "l2.size=4M", "/cpus/l2-cache/cache-sets=4096" },
	  "--set l2.size=4M: --set /cpus/l2-cache/cache-sets=4096 changes the same property" },
	{ "u74",
	  { "pipe.width=1", "/cpus/cpu@0/holter,pipeline/width=2" },
	  "--set pipe.width=1: --set /cpus/cpu@0/holter,pipeline/width=2 changes the same "
	  "property" },
	{ "u74",
	  { "/cpus/l2-cache/cache-size=1M", "/cpus/l2-cache/cache-size=2M" },
	  "--set /cpus/l2-cache/cache-size=2M: --set /cpus/l2-cache/cache-size=1M changes the same "
	  "property" },
	/* Paths */
	{ "u74",
	  { "/cpus/cpu@0/mmu-type=riscv,sv57" },
	  "--set /cpus/cpu@0/mmu-type=riscv,sv57: must be one string, not a list; a string with a "
	  "comma needs quotes" },
	{ "u74",
	  { "/cpus/cpu@0/mmu-type=\"riscv,sv57" },
	  "--set /cpus/cpu@0/mmu-type=\"riscv,sv57: " QUOTES },
	{ "u74",
	  { "/cpus/cpu@0/mmu-type=\"riscv,sv57\"," },
	  "--set /cpus/cpu@0/mmu-type=\"riscv,sv57\",: " QUOTES },
	{ "u74",
	  { "/cpus/cpu@0/mmu-type=\"riscv,sv57\"x" },
	  "--set /cpus/cpu@0/mmu-type=\"riscv,sv57\"x: " QUOTES },
	{ "u74",
	  { "/cpus/cpu@0/mmu-type=\"riscv,sv57\",x" },
	  "--set /cpus/cpu@0/mmu-type=\"riscv,sv57\",x: " QUOTES },
	{ "u74", { "/cpus/cpu@0/mmu-type=\"" }, "--set /cpus/cpu@0/mmu-type=\": " QUOTES },
	{ "u74",
	  { "/cpus/cpu@0/mmu-type=\"riscv,sv57\",\"a\"" },
	  "--set /cpus/cpu@0/mmu-type=\"riscv,sv57\",\"a\": must be one string, not a list; a "
	  "string "
	  "with a comma needs quotes" },
	{ "u74", { "/=3" }, "--set /=3: must be NODE/PROPERTY=VALUE" },
	{ "u74", { "/x=3" }, "--set /x=3: this CPU has no use for x in /" },
	{ "u74",
	  { "/cpus/l2-cashe/cache-size=1M" },
	  "--set /cpus/l2-cashe/cache-size=1M: there is no node /cpus/l2-cashe; did you mean "
	  "/cpus/l2-cache?" },
	{ "u74",
	  { "/elephant/cache-size=1M" },
	  "--set /elephant/cache-size=1M: there is no node /elephant" },
	{ "u74",
	  { "/cpus/l2-cache/cache-szie=1M" },
	  "--set /cpus/l2-cache/cache-szie=1M: nothing reads cache-szie in /cpus/l2-cache; did you "
	  "mean cache-size?" },
	{ "u74",
	  { "/pmu/cache-size=1M" },
	  "--set /pmu/cache-size=1M: this CPU has no use for cache-size in /pmu" },
	{ "u74",
	  { "/pmu/holter,counter-width=wide" },
	  "--set /pmu/holter,counter-width=wide: must be one number of one or two cells" },
	{ "u74",
	  { "/cpus/cpu@0/d-cache-size=false" },
	  "--set /cpus/cpu@0/d-cache-size=false: missing property" },
};

static void refusals_name_the_option(void)
{
	for (unsigned n = 0; n < TAP_NR(refusals); n++) {
		struct error_text why;

		tap_context("%s, %s", refusals[n].cpu, refusals[n].sets[0]);
		ok(!read_with(refusals[n].cpu, refusals[n].sets, &why));
		is_str(why.text, refusals[n].says);
	}
}

/* All texts together fit in a snapshot's header; longer ones are refused. */
static void long_texts(void)
{
	static char text[CPU_SETS_SIZE + 1];
	struct error_text why;

	memset(text, '9', CPU_SETS_SIZE);
	memcpy(text, "l2.latency=", 11);
	text[CPU_SETS_SIZE] = '\0';
	ok(!read_with("u74", (const char *const[SETS_MAX]){ text }, &why));
	ok(strstr(why.text, "all texts of --set have more than 2048 characters"));
	text[CPU_SETS_SIZE - 1] = '\0';
	ok(!read_with("u74", (const char *const[SETS_MAX]){ text }, &why));
	ok(strstr(why.text, "must be a number"));
	memset(text, 'x', CPU_SETS_SIZE - 1);
	memset(text, '/', 300);
	text[400] = '=';
	ok(!read_with("u74", (const char *const[SETS_MAX]){ text }, &why));
	ok(strstr(why.text, "no path of a tree is so long"));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "errors name the option", refusals_name_the_option },
		{ "too long texts", long_texts },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return tap_run(cases, TAP_NR(cases));
}

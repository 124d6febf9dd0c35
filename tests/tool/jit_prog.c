// SPDX-License-Identifier: BSD-2-Clause
/*
 * jit_prog.c - a program for tests/tool/record that generates two functions, both loops of two
 * instructions and a return: "dumped", which jit-PID.dump has with its code, 100000 times round;
 * and "mapped", which perf-PID.map has, 200000 times.  The files are in the current folder.
 *
 * A jitdump file is mapped, so that a profiler sees its path (Linux,
 * tools/perf/Documentation/jitdump-specification.txt).
 */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* 1: addi a0, a0, -1; bnez a0, 1b; ret */
static const uint32_t loop[] = { 0xfff50513, 0xfe051ee3, 0x00008067 };

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A jitdump file with the function at addr.  False: it cannot be written or mapped. */
static int write_dump(uint64_t addr)
{
	const struct {
		uint32_t magic, version, size, machine, pad, pid;
		uint64_t time, flags;
	} header = { 0x4a695444, 1, sizeof(header), EM_RISCV, 0, (uint32_t)getpid(), now(), 0 };
	static const char name[] = "dumped";
	struct {
		uint32_t id, size;
		uint64_t time;
		uint32_t pid, tid;
		uint64_t vma, addr, len, index;
	} load = { .time = now(), .vma = addr, .addr = addr, .len = sizeof(loop), .index = 1 };
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "jit-%d.dump", (int)getpid());
	f = fopen(path, "w+");
	if (!f || mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(f), 0) == MAP_FAILED)
		return 0;
	fwrite(&header, sizeof(header), 1, f);
	load.size = sizeof(load) + sizeof(name) + sizeof(loop);
	load.pid = load.tid = header.pid;
	fwrite(&load, sizeof(load), 1, f);
	fwrite(name, sizeof(name), 1, f);
	fwrite(loop, sizeof(loop), 1, f);
	return fclose(f) == 0;
}

static int write_map(uint64_t addr)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "perf-%d.map", (int)getpid());
	f = fopen(path, "w");
	return f && fprintf(f, "%llx %zx mapped\n", (unsigned long long)addr, sizeof(loop)) > 0 &&
	       fclose(f) == 0;
}

int main(void)
{
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*dumped)(long) = (void (*)(long))code, (*mapped)(long) = (void (*)(long))(code + 64);

	if (code == MAP_FAILED)
		return perror("mmap"), 1;
	memcpy(code, loop, sizeof(loop));
	memcpy(code + 64, loop, sizeof(loop));
	__builtin___clear_cache(code, code + 4096);
	if (!write_dump((uintptr_t)code) || !write_map((uintptr_t)code + 64))
		return perror("jit-PID.dump or perf-PID.map"), 1;
	dumped(100000);
	mapped(200000);
	return 0;
}

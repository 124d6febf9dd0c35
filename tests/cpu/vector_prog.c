// SPDX-License-Identifier: BSD-2-Clause
/*
 * vector_prog.c - for tests/cpu/vector: does Linux keep a program's vectors?  Prints TAP.
 *
 * usage: vector_prog VLEN EXTENSIONS	the bits of hwprobe
 *
 * The compiler knows no vectors: the assembler does, and all registers are moved at once.  With
 * THEAD defined, the vectors are those of XTheadVector, which the assembler does not know, either.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define REGISTERS 32
#define BYTES_MAX 128
#define TURNS	  4000

#ifndef NT_RISCV_VECTOR
#define NT_RISCV_VECTOR 0x901
#endif

struct all {
	uint8_t of[REGISTERS * BYTES_MAX];
};

/* What NT_RISCV_VECTOR holds in Linux 6.12, with the registers after it. */
struct regset {
	uint64_t vstart, vl, vtype, vcsr, vlenb;
	uint8_t reg[REGISTERS * BYTES_MAX];
};

static unsigned bytes; /* of a register */
static unsigned number;

static void result(int ok, const char *name)
{
	printf("%sok %u - %s\n", ok ? "" : "not ", ++number, name);
}

#ifdef THEAD
/* th.vsetvli to, zero, vtype; th.vle.v or th.vse.v of the registers from this one on */
#define VSETVLI(to, vtype) ".insn i 0x57, 7, " to ", x0, " vtype "\n"
#define LOAD(group)	   ".insn i 0x07, 7, x" group ", %0, 0x020\n"
#define STORE(group)	   ".insn i 0x27, 7, x" group ", %0, 0x020\n"
#define BEGIN		   VSETVLI("t0", "0x003") /* e8, m8 */
#define END		   ""
#define HWPROBE_KEY	   11 /* VENDOR_EXT_THEAD_0 */
#define HWPROBE_BITS	   1
#else
#define LOAD(group)  "vl8re8.v v" group ", (%0)\n"
#define STORE(group) "vs8r.v v" group ", (%0)\n"
#define BEGIN	     ".option push\n.option arch, +v\n"
#define END	     ".option pop\n"
/* IMA_EXT_0.  Its bit 2 is V; 17 to 26 are Zvbb to Zvkt, 30 and 31 Zvfh and Zvfhmin. */
#define HWPROBE_KEY  4
#define HWPROBE_BITS 0xc7fe0004
#endif

#define NEXT	   "add %0, %0, %1\n"
#define EACH(move) BEGIN move("0") NEXT move("8") NEXT move("16") NEXT move("24") END

static unsigned long vlenb(void)
{
	unsigned long n;

#ifdef THEAD
	asm volatile(VSETVLI("%0", "0") /* e8, m1 */ : "=r"(n));
#else
	asm volatile(BEGIN "csrr %0, vlenb\n" END : "=r"(n));
#endif
	return n;
}

static void load_all(struct all *a)
{
	uint8_t *p = a->of;

	asm volatile(EACH(LOAD) : "+r"(p) : "r"(8ul * bytes) : "memory", "t0");
}

static void store_all(struct all *a)
{
	uint8_t *p = a->of;

	asm volatile(EACH(STORE) : "+r"(p) : "r"(8ul * bytes) : "memory", "t0");
}

static void pattern(struct all *a, unsigned seed)
{
	for (unsigned n = 0; n < REGISTERS * bytes; n++)
		a->of[n] = (seed = seed * 1103515245 + 12345) >> 16;
}

static volatile unsigned signals;

static void handler(int signal)
{
	struct all other;

	signals++;
	pattern(&other, signal);
	load_all(&other);
}

/* Are the registers still those of a pattern, after a while without system calls? */
static int stay(unsigned seed)
{
	struct all mine, after;

	pattern(&mine, seed);
	for (unsigned n = 0; n < TURNS; n++) {
		load_all(&mine);
		for (volatile unsigned k = 0; k < 3000; k++)
			;
		store_all(&after);
		if (memcmp(&mine, &after, REGISTERS * bytes))
			return 0;
	}
	return 1;
}

/* A system call may lose vectors, an interrupt may not. */
static int over_signals(void)
{
	const struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { { 0, 0 }, { 0, 0 } };
	int ok;

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &often, NULL);
	ok = stay(1);
	setitimer(ITIMER_REAL, &never, NULL);
	return ok && signals;
}

static int over_switches(void)
{
	pid_t child = fork();
	int status, ok;

	if (!child)
		_exit(!stay(7));
	ok = stay(8);
	waitpid(child, &status, 0);
	return ok && !status;
}

static int by_ptrace(void)
{
	struct regset set;
	struct iovec to = { &set, sizeof(set) };
	struct all mine;
	pid_t child = fork();
	int status;

	pattern(&mine, 3);
	if (!child) {
		struct all after, want;

		ptrace(PTRACE_TRACEME, 0, 0, 0);
		pattern(&want, 4);
		load_all(&mine);
		asm volatile("ebreak" ::: "memory");
		store_all(&after);
		_exit(memcmp(&want, &after, REGISTERS * bytes) != 0);
	}
	waitpid(child, &status, 0);
	if (!WIFSTOPPED(status) || ptrace(PTRACE_GETREGSET, child, NT_RISCV_VECTOR, &to))
		return 0;
	if (set.vlenb != bytes || memcmp(set.reg, &mine, REGISTERS * bytes))
		return 0;
	pattern(&mine, 4);
	memcpy(set.reg, &mine, REGISTERS * bytes);
	if (ptrace(PTRACE_SETREGSET, child, NT_RISCV_VECTOR, &to))
		return 0;
	/* The child goes on after its ebreak. */
	struct {
		uint64_t pc, x[31];
	} regs;
	struct iovec general = { &regs, sizeof(regs) };

	ptrace(PTRACE_GETREGSET, child, NT_PRSTATUS, &general);
	regs.pc += 2 + 2 * ((ptrace(PTRACE_PEEKTEXT, child, regs.pc, 0) & 3) == 3);
	ptrace(PTRACE_SETREGSET, child, NT_PRSTATUS, &general);
	ptrace(PTRACE_CONT, child, 0, 0);
	waitpid(child, &status, 0);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* riscv_hwprobe: the bits of vectors. */
static uint64_t hwprobe(void)
{
	struct {
		int64_t key;
		uint64_t value;
	} pair = { HWPROBE_KEY, 0 };

	return syscall(258, &pair, 1, 0, 0, 0) ? 0 : pair.value & HWPROBE_BITS;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
#ifndef THEAD
	result(getauxval(AT_HWCAP) >> ('V' - 'A') & 1, "the auxiliary vector says V");
#endif
	result(argc > 2 && hwprobe() == strtoul(argv[2], NULL, 0), "hwprobe says the extensions");
	bytes = vlenb();
	result(argc > 1 && bytes == strtoul(argv[1], NULL, 0) / 8, "VLEN");
	result(over_signals(), "vectors are the same after signals whose handler uses them");
	result(over_switches(), "and in two processes that take turns");
	result(by_ptrace(), "ptrace reads and writes them");
	printf("1..%u\n", number);
	return 0;
}

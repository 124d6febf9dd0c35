// SPDX-License-Identifier: BSD-2-Clause
/*
 * features.c - what the kernel gives to programs of a CPU's newer extensions.  Each test of
 * features.sh is one call of it:
 *
 *	features hwprobe		print what riscv_hwprobe(2) says, a key a line
 *	features masks			pointer masking: accesses through tagged pointers
 *	features calls			system calls with tagged pointers
 *	features inherited		who has the masking: children, threads, no new program
 *	features turns			two processes take turns, one with masking
 *	features stack			shadow stack: what it is, who may write it
 *	features kept			the shadow stack across signals, threads and children
 *	features mapped			a second shadow stack, map_shadow_stack(2)
 *	features pads			landing pads
 *	features high BITS		memory at addresses of up to BITS bits, none above
 *	features no-masks		a CPU that lacks pointer masking
 *	features no-cfi			a CPU that lacks shadow stacks and landing pads
 *	features digest N		SHA-256 of N blocks of zeros, by libcrypto
 *	features fill N			memset of N bytes, at most 4096, by libc, 100 times
 *
 * Exit status 0: it is so; 1: it is not, and a line says what.  Shadow stacks and landing pads are
 * in features_cfi.c.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "features.h"

/* from the headers of Linux 7.2 */
#define SET_TAGGED_ADDR_CTRL 55
#define GET_TAGGED_ADDR_CTRL 56
#define TAGGED_ADDR_ENABLE   1ul
#define PMLEN(n)	     ((n) << 24)
#define HWPROBE		     258

/* Zicboz */
#define CBO_ZERO_A0 ".4byte 0x0045200f\n"

int bad;

void check(bool ok, const char *what)
{
	if (ok)
		return;
	printf("features: not so: %s\n", what);
	bad = 1;
}

void die(const char *what)
{
	printf("features: %s: %s\n", what, strerror(errno));
	exit(1);
}

void *map(uintptr_t at, int flags)
{
	return mmap((void *)at, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags,
		    -1, 0);
}

/* The signal of an access, its code and its address; 0: the access has succeeded. */
static sigjmp_buf back;
static siginfo_t last;

static void caught(int number, siginfo_t *info, void *context)
{
	(void)context;
	last = *info;
	siglongjmp(back, number);
}

static void catch (void)
{
	const struct sigaction a = { .sa_sigaction = caught, .sa_flags = SA_SIGINFO | SA_NODEFER };

	sigaction(SIGSEGV, &a, NULL);
	sigaction(SIGBUS, &a, NULL);
	sigaction(SIGILL, &a, NULL);
}

static int load_of(volatile char *p, char *value)
{
	int number = sigsetjmp(back, 1);

	if (!number)
		*value = *p;
	return number;
}

static int store_to(volatile char *p, char value)
{
	int number = sigsetjmp(back, 1);

	if (!number)
		*p = value;
	return number;
}

int in_child(int (*fn)(void *), void *arg)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid)
		_exit(fn(arg));
	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* --- riscv_hwprobe: the keys and bits of Linux 7.2; a newer kernel may have more --- */

struct probe {
	int64_t key;
	uint64_t value;
};

/* The names of bits, from bit 0 on. */
static const char ext_0[] =
	"fd c v zba zbb zbs zicboz zbc zbkb zbkc zbkx zknd zkne zknh zksed zksh zkt zvbb zvbc zvkb "
	"zvkg zvkned zvknha zvknhb zvksed zvksh zvkt zfh zfhmin zihintntl zvfh zvfhmin zfa ztso "
	"zacas zicond zihintpause zve32x zve32f zve64x zve64f zve64d zimop zca zcb zcd zcf zcmop "
	"zawrs supm zicntr zihpm zfbfmin zvfbfmin zvfbfwma zicbom zaamo zalrsc zabha zalasr zicbop "
	"zilsd zclsd zicfilp";

static const struct key {
	const char *name;
	const char *bits; /* their names; NULL: a number */
} keys[] = {
	[0] = { "mvendorid", NULL },
	[1] = { "marchid", NULL },
	[2] = { "mimpid", NULL },
	[3] = { "base", "ima" },
	[4] = { "ext0", ext_0 },
	[6] = { "zicboz", NULL },
	[7] = { "highest", NULL },
	[8] = { "time", NULL },
	[9] = { "misaligned", NULL },
	[10] = { "misaligned-vector", NULL },
	[11] = { "thead", "xtheadvector" },
	[12] = { "zicbom", NULL },
	[15] = { "zicbop", NULL },
	[16] = { "ext1", "zicfiss" },
};

static void print_bits(const char *names, uint64_t value)
{
	for (; *names; value >>= 1) {
		size_t length = strcspn(names, " ");

		if (value & 1)
			printf(" %.*s", (int)length, names);
		names += length + (names[length] == ' ');
	}
}

static int hwprobe(void)
{
	for (unsigned k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		struct probe p = { k, 0 };

		if (!keys[k].name)
			continue;
		if (syscall(HWPROBE, &p, 1, 0, NULL, 0))
			die("riscv_hwprobe");
		printf("%s", keys[k].name);
		if (p.key != k)
			printf(" unknown");
		else if (keys[k].bits)
			print_bits(keys[k].bits, p.value);
		else
			printf(" %#lx", p.value);
		printf("\n");
	}
	return 0;
}

/* --- pointer masking --- */

/* The same address with a tag in its upper 7 bits. */
static void *tagged(const void *p, unsigned tag)
{
	return (void *)((uintptr_t)p | (uintptr_t)tag << 57);
}

static int masking(unsigned long how)
{
	return prctl(SET_TAGGED_ADDR_CTRL, how, 0, 0, 0);
}

static int masking_is(void)
{
	return prctl(GET_TAGGED_ADDR_CTRL, 0, 0, 0, 0);
}

/* Every kind of access through one pointer, to 64 bytes that are aligned. */
static void access_all(uint64_t *p, uint64_t *q)
{
	uint64_t old, got[4] = { 0 };

	q[0] = 0x1122334455667788;
	check(*(volatile uint64_t *)p == q[0], "a load through a tagged pointer");
	*(volatile uint64_t *)p = 5;
	check(q[0] == 5, "a store");
	asm volatile("amoadd.d %0, %2, (%1)" : "=r"(old) : "r"(p), "r"(2ul) : "memory");
	check(old == 5 && q[0] == 7, "an AMO");
	asm volatile("1: lr.d %0, (%1)\n addi t0, %0, 1\n sc.d t1, t0, (%1)\n bnez t1, 1b"
		     : "=&r"(old)
		     : "r"(p)
		     : "memory", "t0", "t1");
	check(old == 7 && q[0] == 8, "LR and SC");
	q[1] = 0x0123456789abcdef;
	asm volatile("ld %0, 5(%1)" : "=r"(old) : "r"(p) : "memory");
	check(old == 0x6789abcdef000000, "a misaligned load");
	q[0] = 11, q[1] = 22, q[2] = 33, q[3] = 44;
	asm volatile(".option push\n.option arch, +v\nvsetivli zero, 4, e64, m1, ta, ma\n"
		     "vle64.v v1, (%0)\nvse64.v v1, (%1)\nvadd.vv v1, v1, v1\nvse64.v v1, (%0)\n"
		     ".option pop"
		     :
		     : "r"(p), "r"(got)
		     : "memory");
	check(got[0] == 11 && got[3] == 44, "a vector load");
	check(q[0] == 22 && q[3] == 88, "a vector store");
	asm volatile("fld ft0, 8(%0)\nfsd ft0, 16(%0)" : : "r"(p) : "memory", "ft0");
	check(q[2] == q[1], "a floating-point load and store");
	asm volatile("mv a0, %0\n" CBO_ZERO_A0 : : "r"(p) : "memory", "a0");
	check(!(q[0] | q[1] | q[2] | q[3] | q[7]), "cbo.zero");
}

static int masks(void)
{
	char *page = map(0, 0), value = 0;
	unsigned wrong = 0;

	catch ();
	memset(page, 1, PAGE);
	check(masking_is() == 0, "a program begins without pointer masking");
	check(load_of(tagged(page, 1), &value) == SIGSEGV, "a tagged load faults without it");
	check(store_to(tagged(page, 1), 2) == SIGSEGV && *page == 1, "and so does a store");
	check(!masking(PMLEN(7) | TAGGED_ADDR_ENABLE), "prctl enables 7 bits");
	check(masking_is() == (PMLEN(7) | TAGGED_ADDR_ENABLE), "prctl says that they are enabled");
	for (unsigned tag = 0; tag < 128; tag++) {
		*page = tag;
		wrong += load_of(tagged(page, tag), &value) || value != (char)tag;
		wrong += store_to(tagged(page, tag), 100) || *page != 100;
	}
	check(!wrong, "loads and stores with each of the 128 tags");
	access_all(tagged(page, 0x5a), (uint64_t *)page);
	check(load_of((char *)((uintptr_t)page | 1ul << 56), &value) == SIGSEGV,
	      "bit 56 is no tag");
	munmap(page, PAGE);
	check(load_of(tagged(page, 0x33), &value) == SIGSEGV && last.si_addr == page,
	      "a fault tells the address without the tag");
	if (!sigsetjmp(back, 1)) {
		asm volatile("jalr %0" : : "r"(tagged((void *)getpid, 1)) : "ra", "memory");
		check(false, "a jump is not masked");
	}
	check(!masking(PMLEN(8)) && masking_is() == PMLEN(16), "8 bits are rounded up to 16");
	check(masking(PMLEN(17)) == -1 && errno == EINVAL, "17 bits are refused");
	check(!masking(0) && masking_is() == 0, "prctl turns it off");
	page = map(0, 0);
	check(load_of(tagged(page, 1), &value) == SIGSEGV, "and then a tagged load faults");
	return bad;
}

static int calls(void)
{
	char *text = tagged("tagged\n", 0x41), buffer[8] = "";
	int pipes[2];

	if (pipe(pipes))
		die("pipe");
	check(write(pipes[1], text, 7) == -1 && errno == EFAULT, "EFAULT without masking");
	masking(PMLEN(7));
	check(text[0] == 't', "masking for accesses only");
	check(write(pipes[1], text, 7) == -1 && errno == EFAULT, "system calls take no tags then");
	masking(PMLEN(7) | TAGGED_ADDR_ENABLE);
	check(write(pipes[1], text, 7) == 7, "write takes a tagged pointer");
	check(read(pipes[0], tagged(buffer, 0x7f), 7) == 7 && !strcmp(buffer, "tagged\n"),
	      "read takes a tagged pointer");
	check(masking(TAGGED_ADDR_ENABLE) == -1 && errno == EINVAL, "no tags of 0 bits");
	return bad;
}

static char *shared;

static int reads_tagged(void *tag)
{
	char value = 0;

	return load_of(tagged(shared, (uintptr_t)tag), &value) || value != 9;
}

static void *thread_reads(void *tag)
{
	return reads_tagged(tag) ? NULL : tag;
}

static int other_program(void *unused)
{
	(void)unused;
	execl("/proc/self/exe", "features", "unmasked", NULL);
	return 99;
}

static int unmasked(void)
{
	char c = 1;

	catch ();
	return !(masking_is() == 0 && load_of(tagged(&c, 1), &c) == SIGSEGV);
}

static int inherited(void)
{
	pthread_t t;
	void *got = NULL;

	catch ();
	shared = map(0, 0);
	*shared = 9;
	check(in_child(reads_tagged, (void *)1) == 1, "a child without masking");
	masking(PMLEN(7) | TAGGED_ADDR_ENABLE);
	check(!in_child(reads_tagged, (void *)2), "a child inherits masking");
	if (pthread_create(&t, NULL, thread_reads, (void *)3) || pthread_join(t, &got))
		die("pthread_create");
	check(got == (void *)3, "a thread inherits it");
	check(!in_child(other_program, NULL), "execve turns it off");
	return bad;
}

/* Both run on hart 0, and give it to each other 300 times. */
static int take_turns(void *signal)
{
	for (int i = 0; i < 300; i++) {
		char value = 0;

		if (load_of(tagged(shared, 1 + i % 127), &value) != (int)(intptr_t)signal)
			return 1;
		sched_yield();
	}
	return 0;
}

static int turns(void)
{
	cpu_set_t set;
	pid_t pid;
	int status;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
	catch ();
	shared = map(0, 0);
	pid = fork();
	if (!pid)
		_exit(take_turns((void *)SIGSEGV));
	masking(PMLEN(7));
	check(!take_turns(0), "the process with masking always reads");
	waitpid(pid, &status, 0);
	check(!status, "the process without it always faults");
	return bad;
}

/* --- paging --- */

static int reads_shared(void *unused)
{
	(void)unused;
	return *shared != 77;
}

static int high(unsigned bits)
{
	for (unsigned b = 30; b < bits; b++) {
		uintptr_t at = (1ul << b) + (1ul << b) / 2;
		char *p = map(at, MAP_FIXED_NOREPLACE);

		if (p != (char *)at) {
			printf("features: no page at %#lx: %s\n", at, strerror(errno));
			return 1;
		}
		check(*p == 0, "a new page is zero");
		*p = 77;
		shared = p;
		check(!in_child(reads_shared, NULL), "a child reads it");
		check(b < 38 || map(at + PAGE, 0) == (void *)(at + PAGE), "an address is a hint");
		munmap(p, PAGE);
	}
	check(map(1ul << bits, MAP_FIXED_NOREPLACE) == MAP_FAILED, "nothing is above");
	check((uintptr_t)map(1ul << bits, 0) < 1ul << bits, "a hint above is not taken");
	return bad;
}

/* --- a CPU without them --- */

static bool refused(long result)
{
	return result == -1 && (errno == EINVAL || errno == EOPNOTSUPP || errno == ENOSYS);
}

static int without_masks(void)
{
	char c = 1, value;

	catch ();
	check(refused(masking(PMLEN(7) | TAGGED_ADDR_ENABLE)), "no pointer masking");
	check(load_of(tagged(&c, 1), &value) == SIGSEGV, "a tagged load faults");
	return bad;
}

static int without_cfi(void)
{
	check(refused(cfi_stack_on()), "no shadow stack");
	check(refused(cfi_pads_on()), "no landing pads");
	check(refused(cfi_map_stack(PAGE)), "no map_shadow_stack");
	return bad;
}

/* --- Debian's libraries --- */

static int digest(unsigned long blocks)
{
	void *lib = dlopen("libcrypto.so.3", RTLD_NOW);
	unsigned char *(*sha256)(const void *, size_t, unsigned char *);
	unsigned char out[32], *data = calloc(blocks + 1, 64);

	sha256 = lib ? (unsigned char *(*)(const void *, size_t, unsigned char *))dlsym(lib,
											"SHA256")
		     : NULL;
	if (!sha256) {
		printf("features: no SHA256 in libcrypto.so.3: %s\n", dlerror());
		return 1;
	}
	sha256(data, blocks * 64, out);
	for (int i = 0; i < 32; i++)
		printf("%02x", out[i]);
	printf("\n");
	return 0;
}

static int fill(unsigned long n)
{
	void *(*volatile set)(void *, int, size_t) = memset;
	char *p = map(0, 0);

	for (int i = 0; i < 100; i++)
		set(p, i, n);
	return !(n <= PAGE && p[0] == 99 && p[n - 1] == 99);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*fn)(void);
	} plain[] = {
		{ "hwprobe", hwprobe },	    { "masks", masks },	  { "calls", calls },
		{ "inherited", inherited }, { "turns", turns },	  { "unmasked", unmasked },
		{ "stack", cfi_stack },	    { "kept", cfi_kept }, { "bare", cfi_bare },
		{ "mapped", cfi_mapped },   { "pads", cfi_pads }, { "no-masks", without_masks },
		{ "no-cfi", without_cfi },
	};
	const char *what = argc > 1 ? argv[1] : "";
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;

	for (unsigned i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (!strcmp(what, plain[i].name))
			return plain[i].fn();
	if (!strcmp(what, "high"))
		return high(n);
	if (!strcmp(what, "digest"))
		return digest(n);
	if (!strcmp(what, "fill"))
		return fill(n);
	printf("features: there is no '%s'\n", what);
	return 2;
}

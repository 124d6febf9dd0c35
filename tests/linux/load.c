// SPDX-License-Identifier: BSD-2-Clause
/*
 * load.c - programs that the Linux boot tests run in the guest: each does a known amount of one
 * thing.  They are one static binary, so that one --file is enough:
 *
 *	load [on CPU] spin N		a loop of two instructions, N times; CPU is one digit, so
 *					that each takes the same number of instructions to read
 *	load threads T N		T threads, each such a loop
 *	load fencei N			N remote FENCE.I: flush a process's I-cache on two harts
 *	load sfence N			N remote SFENCE.VMA: mprotect in a process on two harts
 *	load ipi N			N interrupts to another hart: membarrier(2)
 *	load illegal N			N illegal instructions, each caught
 *	load sleep N			N times 1 ms of sleep, hence N timers
 *	load legacy			do rdcycle and rdinstret move? (perf_user_access = 2)
 *	load userpage			read a counter by perf's user page and by read(2)
 *	load group N			cycles and instructions as one group around a loop
 *	load filters E N		E (instructions, branches), E:u, E:k: do they add up?
 *	load wander N M			M times N rounds of the loop, each on the next hart
 *	load unsampled			a counter that cannot overflow must refuse to sample
 *	load restart N			a counter is stopped and started N times: nothing is lost
 *
 * Exit status 0: done; 1: something is wrong, and a line says what; 77: it cannot be done here.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <linux/membarrier.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void die(const char *what)
{
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void on_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

/* Exactly 2 * n instructions (n > 0), apart from the call. */
static void __attribute__((noinline)) spin(uint64_t n)
{
	__asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(n));
}

static void *spin_thread(void *arg)
{
	spin(*(uint64_t *)arg);
	return NULL;
}

static int threads(int n, uint64_t loops)
{
	pthread_t t[64];

	for (int i = 0; i < n && i < 64; i++)
		if (pthread_create(&t[i], NULL, spin_thread, &loops))
			die("pthread_create");
	for (int i = 0; i < n && i < 64; i++)
		pthread_join(t[i], NULL);
	return 0;
}

/* A second thread that keeps this process alive on hart 1 while the first works on hart 0. */
static volatile int other_runs, other_ends;

static void *other(void *arg)
{
	(void)arg;
	on_cpu(1);
	other_runs = 1;
	while (!other_ends)
		;
	return NULL;
}

static void start_other(void)
{
	static pthread_t t;

	on_cpu(0);
	if (pthread_create(&t, NULL, other, NULL))
		die("pthread_create");
	while (!other_runs)
		sched_yield();
}

static int fencei(long n)
{
	start_other();
	while (n--)
		if (syscall(259 /* riscv_flush_icache */, 0, 0, 0))
			die("riscv_flush_icache");
	other_ends = 1;
	return 0;
}

static int sfence(long n)
{
	char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	start_other();
	/* Removing a permission needs a fence on every hart; adding it does not. */
	while (n--) {
		*(volatile char *)p = 1;
		if (mprotect(p, 4096, PROT_READ) || mprotect(p, 4096, PROT_READ | PROT_WRITE))
			die("mprotect");
	}
	other_ends = 1;
	return 0;
}

static int ipi(long n)
{
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0))
		return 77;
	start_other();
	while (n--)
		if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
			die("membarrier");
	other_ends = 1;
	return 0;
}

static sigjmp_buf back;

static void caught(int sig)
{
	siglongjmp(back, sig);
}

static int illegal(long n)
{
	signal(SIGILL, caught);
	for (volatile long i = 0; i < n; i++)
		if (!sigsetjmp(back, 1))
			__asm__ volatile(".4byte 0xffffffff");
	return 0;
}

static int sleeps(long n)
{
	while (n--)
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	return 0;
}

static uint64_t rdcycle(void)
{
	uint64_t v;

	__asm__ volatile("rdcycle %0" : "=r"(v));
	return v;
}

static uint64_t rdinstret(void)
{
	uint64_t v;

	__asm__ volatile("rdinstret %0" : "=r"(v));
	return v;
}

static int legacy(void)
{
	uint64_t c, i;

	signal(SIGILL, caught);
	if (sigsetjmp(back, 1)) {
		fprintf(stderr, "load: rdcycle traps\n");
		return 1;
	}
	c = rdcycle();
	i = rdinstret();
	spin(10000000);
	c = rdcycle() - c;
	i = rdinstret() - i;
	printf("cycles %" PRIu64 " instructions %" PRIu64 "\n", c, i);
	return !(c && i);
}

#define USER   1
#define KERNEL 2

/* Opens an event for user_read(), which counts at once in these modes. */
static int user_event(uint64_t config, int modes)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(a),
		.config = config,
		.config1 = 2, /* riscv: the flag for reading from user space */
		.exclude_user = !(modes & USER),
		.exclude_kernel = !(modes & KERNEL),
	};

	return syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
}

/* Opens an event of a group, or its leader (group -1); the group is started and stopped later. */
static int event(uint64_t config, int group)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(a),
		.config = config,
		.disabled = group < 0,
		.read_format = PERF_FORMAT_GROUP,
	};

	return syscall(SYS_perf_event_open, &a, 0, -1, group, 0);
}

/* The number of a CSR is part of the instruction: one case for each index of the kernel's page. */
static uint64_t read_csr(unsigned int csr)
{
	uint64_t v = 0;

	switch (csr) {
#define R(n)                                                                                       \
	case n:                                                                                    \
		__asm__ volatile("csrr %0, " #n : "=r"(v));                                        \
		break
		R(0xc00);
		R(0xc02);
		R(0xc03);
		R(0xc04);
		R(0xc05);
		R(0xc06);
		R(0xc07);
		R(0xc08);
		R(0xc09);
		R(0xc0a);
		R(0xc0b);
		R(0xc0c);
		R(0xc0d);
		R(0xc0e);
		R(0xc0f);
		R(0xc10);
		R(0xc11);
		R(0xc12);
		R(0xc13);
		R(0xc14);
		R(0xc15);
		R(0xc16);
		R(0xc17);
		R(0xc18);
		R(0xc19);
		R(0xc1a);
		R(0xc1b);
		R(0xc1c);
		R(0xc1d);
		R(0xc1e);
		R(0xc1f);
#undef R
	}
	return v;
}

static uint64_t user_read(volatile struct perf_event_mmap_page *p)
{
	uint32_t seq, index;
	uint64_t v;
	unsigned int width;

	do {
		seq = p->lock;
		__sync_synchronize();
		v = p->offset;
		index = p->index;
		width = p->pmc_width;
		if (p->cap_user_rdpmc && index) {
			int64_t pmc = read_csr(0xc00 + index - 1);

			pmc = (int64_t)((uint64_t)pmc << (64 - width)) >> (64 - width);
			v += pmc;
		}
		__sync_synchronize();
	} while (p->lock != seq);
	return v;
}

static int userpage(void)
{
	int fd = user_event(PERF_COUNT_HW_INSTRUCTIONS, USER | KERNEL);
	struct perf_event_mmap_page *p;
	uint64_t u[2], k[2];

	if (fd < 0)
		die("perf_event_open");
	p = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		die("mmap");
	if (!p->cap_user_rdpmc || !p->index) {
		fprintf(stderr, "load: the kernel does not offer this counter to user space\n");
		return 77;
	}
	signal(SIGILL, caught);
	if (sigsetjmp(back, 1)) {
		fprintf(stderr, "load: reading counter %d traps\n", p->index - 1);
		return 1;
	}
	if (read(fd, &k[0], 8) != 8)
		die("read");
	u[0] = user_read(p);
	spin(10000000);
	u[1] = user_read(p);
	if (read(fd, &k[1], 8) != 8)
		die("read");
	printf("kernel %" PRIu64 "..%" PRIu64 " user %" PRIu64 "..%" PRIu64 "\n", k[0], k[1], u[0],
	       u[1]);
	return !(k[0] <= u[0] && u[0] < u[1] && u[1] <= k[1]);
}

/*
 * Three counters of one event, read one after another in user space.  The instructions between the
 * reads are always the same, so that they cancel out in the difference of two readings.  If the
 * kernel has run between the reads, or has moved a counter, the reading is not used.
 */
struct go {
	uint64_t all, user, kernel;
	uint32_t locks;
};

static volatile struct perf_event_mmap_page *page[3];

static uint64_t counter_of(int n)
{
	return read_csr(0xc00 + page[n]->index - 1);
}

static struct go read_go(void)
{
	struct go g;
	uint64_t again;

	do {
		g.locks = page[0]->lock + page[1]->lock + page[2]->lock;
		g.kernel = counter_of(2);
		g.all = counter_of(0);
		g.user = counter_of(1);
		again = counter_of(2);
	} while (again != g.kernel);
	return g;
}

static int filters(const char *what, uint64_t n)
{
	static const int modes[3] = { USER | KERNEL, USER, KERNEL };
	uint64_t config = strcmp(what, "branches") ? PERF_COUNT_HW_INSTRUCTIONS
						   : PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	struct go a, b;

	for (int i = 0; i < 3; i++) {
		int fd = user_event(config, modes[i]);

		if (fd < 0)
			die("perf_event_open");
		page[i] = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			       0);
		if (page[i] == MAP_FAILED)
			die("mmap");
	}
	for (int i = 0; i < 3; i++) {
		if (page[i]->cap_user_rdpmc && page[i]->index)
			continue;
		fprintf(stderr, "load: the kernel does not offer these counters to user space\n");
		return 77;
	}
	for (int try = 0; try < 10; try++) {
		a = read_go();
		spin(n);
		for (uint64_t i = 0; i < n / 1000; i++)
			syscall(SYS_getppid);
		b = read_go();
		if (a.locks == b.locks)
			break;
	}
	if (a.locks != b.locks) {
		fprintf(stderr, "load: another program came between, ten times\n");
		return 1;
	}
	printf("all %" PRIu64 " user %" PRIu64 " kernel %" PRIu64 "\n", b.all - a.all,
	       b.user - a.user, b.kernel - a.kernel);
	return !(b.all - a.all == b.user - a.user + b.kernel - a.kernel && b.user - a.user >= n &&
		 b.kernel - a.kernel >= n / 1000);
}

static int wander(uint64_t n, int times)
{
	int harts = sysconf(_SC_NPROCESSORS_ONLN);

	for (int i = 0; i < times; i++) {
		on_cpu(i % harts);
		spin(n);
	}
	return 0;
}

static int group(uint64_t n)
{
	int lead = event(PERF_COUNT_HW_CPU_CYCLES, -1);
	uint64_t v[3];

	if (lead < 0 || event(PERF_COUNT_HW_INSTRUCTIONS, lead) < 0)
		die("perf_event_open");
	ioctl(lead, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	spin(n);
	ioctl(lead, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	if (read(lead, v, sizeof(v)) != sizeof(v))
		die("read");
	printf("cycles %" PRIu64 " instructions %" PRIu64 "\n", v[1], v[2]);
	return 0;
}

static int restart(long n)
{
	int fd = event(PERF_COUNT_HW_INSTRUCTIONS, -1);
	uint64_t v[2], last = 0;

	if (fd < 0)
		die("perf_event_open");
	for (long i = 0; i < n; i++) {
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		spin(100000);
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		if (read(fd, v, sizeof(v)) != sizeof(v))
			die("read");
		if (v[1] <= last || v[1] - last > UINT64_C(10000000000)) {
			printf("after round %ld: %" PRIu64 ", before: %" PRIu64 "\n", i, v[1],
			       last);
			return 1;
		}
		last = v[1];
	}
	printf("instructions %" PRIu64 "\n", last);
	return 0;
}

static int unsampled(void)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(a),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = 1000000,
	};

	if (syscall(SYS_perf_event_open, &a, 0, -1, -1, 0) >= 0) {
		fprintf(stderr, "load: the kernel opened it for sampling\n");
		return 1;
	}
	if (errno != EOPNOTSUPP)
		die("perf_event_open");
	return 0;
}

int main(int argc, char **argv)
{
	const char *what;
	long n;

	if (argc > 3 && !strcmp(argv[1], "on")) {
		on_cpu(argv[2][0] - '0');
		argc -= 2;
		argv += 2;
	}
	what = argc > 1 ? argv[1] : "";
	n = argc > 2 ? atol(argv[2]) : 1;
	if (!strcmp(what, "spin"))
		return spin(n), 0;
	if (!strcmp(what, "threads"))
		return threads(n, argc > 3 ? strtoull(argv[3], NULL, 10) : 1);
	if (!strcmp(what, "fencei"))
		return fencei(n);
	if (!strcmp(what, "sfence"))
		return sfence(n);
	if (!strcmp(what, "ipi"))
		return ipi(n);
	if (!strcmp(what, "illegal"))
		return illegal(n);
	if (!strcmp(what, "sleep"))
		return sleeps(n);
	if (!strcmp(what, "legacy"))
		return legacy();
	if (!strcmp(what, "userpage"))
		return userpage();
	if (!strcmp(what, "group"))
		return group(n);
	if (!strcmp(what, "filters"))
		return filters(argc > 2 ? argv[2] : "",
			       argc > 3 ? strtoull(argv[3], NULL, 10) : 1000);
	if (!strcmp(what, "wander"))
		return wander(n, argc > 3 ? atoi(argv[3]) : 1);
	if (!strcmp(what, "unsampled"))
		return unsampled();
	if (!strcmp(what, "restart"))
		return restart(n);
	fprintf(stderr, "load: no such load: '%s'\n", what);
	return 2;
}

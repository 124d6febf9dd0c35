// SPDX-License-Identifier: BSD-2-Clause
/*
 * counting.c - counts in the guest, which are exact if the machine is: all scopes, threads,
 * processes, and errors.  targets.c has groups and targets that overlap.
 */
#include "guest.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* Instructions of spin(n), without those of reading; the least of a few tries. */
static uint64_t spin_costs(pmc_id_t id, uint64_t n)
{
	uint64_t least = UINT64_MAX, a, b;

	for (int i = 0; i < 20; i++) {
		a = guest_read(id);
		guest_spin(n);
		b = guest_read(id);
		if (b - a < least)
			least = b - a;
	}
	return least;
}

static void exact_loops(void)
{
	pmc_id_t id = guest_allocate("instructions", PMC_MODE_TC, 0, 0);
	uint64_t base;

	works(pmc_start(id));
	base = spin_costs(id, 0);
	if (guest_exact) {
		/* not from 0 rounds on: there a jump goes around the loop */
		is(spin_costs(id, 1000) - spin_costs(id, 1), 2 * 999);
		is(spin_costs(id, 5000) - spin_costs(id, 1000), 2 * 4000);
	}
	within(spin_costs(id, 100000) - base, 200000 - 100,
	       guest_exact ? 200000 + 100 : UINT64_MAX);
	works(pmc_release(id));
}

static void cycles_with_them(void)
{
	pmc_id_t cycles = guest_allocate("cycles,usr", PMC_MODE_TC, 0, 1000);
	pmc_id_t instructions = guest_allocate("HW_INSTRUCTIONS", PMC_MODE_TC, 0, 2000);

	works(pmc_start(cycles));
	works(pmc_start(instructions));
	guest_spin(1000000);
	works(pmc_stop(instructions));
	works(pmc_stop(cycles));
	within(guest_read(instructions), 2002000, guest_exact ? 2200000 : UINT64_MAX);
	within(guest_read(cycles), 2000, UINT64_MAX);
	is(guest_read(cycles), guest_read(cycles));
	works(pmc_write(instructions, 7));
	is(guest_read(instructions), 7);
	works(pmc_release(cycles));
	works(pmc_release(instructions));
}

static void *spin_thread(void *arg)
{
	guest_spin(*(uint64_t *)arg);
	return NULL;
}

static void run_threads(uint64_t n)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, spin_thread, &n);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
}

/* Runs in a child: a process that has had threads never again reads in user space. */
static int threads_in_child(void *arg)
{
	pmc_id_t id, late;
	uint64_t value;

	(void)arg;
	tap.failed = 0;
	id = guest_allocate("instructions", PMC_MODE_TC, 0, 0);
	works(pmc_start(id)); /* only one thread: it reads in user space */
	run_threads(1000000);
	value = guest_read(id);
	within(value, 6000000, guest_exact ? 6600000 : UINT64_MAX);
	works(pmc_stop(id));
	late = guest_allocate("instructions", PMC_MODE_TC, 0, 0);
	works(pmc_start(late));
	run_threads(500000);
	works(pmc_stop(late));
	within(guest_read(late), 3000000, guest_exact ? 3400000 : UINT64_MAX);
	fflush(stdout);
	return tap.failed != 0;
}

static void threads(void)
{
	struct guest_child c = guest_fork(threads_in_child, NULL);

	guest_go(&c);
	is(guest_wait(&c), 0);
}

static int spin_child(void *arg)
{
	guest_spin(*(uint64_t *)arg);
	return 0;
}

static int spin_and_fork(void *arg)
{
	struct guest_child c = guest_fork(spin_child, arg);

	guest_go(&c);
	return guest_wait(&c);
}

static uint64_t count_child(int (*body)(void *), uint32_t flags, uint64_t n)
{
	pmc_id_t id = guest_allocate("instructions", PMC_MODE_TC, flags, 0);
	struct guest_child c = guest_fork(body, &n);
	uint64_t value;

	works(pmc_attach(id, c.pid));
	works(pmc_start(id));
	guest_go(&c);
	is(guest_wait(&c), 0);
	value = guest_read(id);
	works(pmc_release(id));
	return value;
}

static void child(void)
{
	within(count_child(spin_child, 0, 2000000), 4000000, guest_exact ? 4300000 : UINT64_MAX);
}

static void descendants(void)
{
	within(count_child(spin_and_fork, 0, 2000000), 1000, 3000000);
	within(count_child(spin_and_fork, PMC_F_DESCENDANTS, 2000000), 4000000,
	       guest_exact ? 5000000 : UINT64_MAX);
}

static int exec_spin(void *arg)
{
	(void)arg;
	execl(guest_self, guest_self, "spin", "2000000", NULL);
	return 127;
}

static void across_exec(void)
{
	within(count_child(exec_spin, 0, 0), 4000000, guest_exact ? 5000000 : UINT64_MAX);
}

static void system_scope(void)
{
	pmc_id_t id = guest_allocate("instructions", PMC_MODE_SC, 0, 0);
	struct guest_child c;
	uint64_t n = 1000000;

	works(pmc_start(id));
	c = guest_fork(spin_child, &n);
	guest_go(&c);
	guest_wait(&c);
	works(pmc_stop(id));
	within(guest_read(id), guest_exact ? 2000000 : 1, UINT64_MAX);
	works(pmc_release(id));
}

static void firmware(void)
{
	pmc_id_t id = guest_allocate("FW_ILLEGAL_INSN", PMC_MODE_TC, 0, 0);
	uint64_t value;

	works(pmc_start(id));
	guest_spin(100000);
	works(pmc_stop(id));
	value = guest_read(id);
	within(value, 0, 1000); /* the cycle CSR would give a hundred thousand */
	works(pmc_release(id));
	is(pmc_allocate("FW_SET_TIMER", PMC_MODE_TS, 0, PMC_CPU_ANY, &id, 5000), -1);
	is(errno, EOPNOTSUPP);
}

static void software(void)
{
	pmc_id_t id = guest_allocate("PAGE_FAULTS", PMC_MODE_TC, 0, 0);
	char *memory = mmap(NULL, 100 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	madvise(memory, 100 * 4096, MADV_NOHUGEPAGE);
	works(pmc_start(id));
	for (int i = 0; i < 100; i++)
		memory[i * 4096] = 1;
	works(pmc_stop(id));
	is(guest_read(id), 100);
	works(pmc_release(id));
	munmap(memory, 100 * 4096);
}

static void exhaustion(void)
{
	pmc_id_t id[64];
	int nr = 0, started = 0;
	uint64_t value;

	while (nr < 40 &&
	       pmc_allocate("instructions", PMC_MODE_TC, 0, PMC_CPU_ANY, &id[nr], 0) == 0) {
		nr++;
		if (pmc_start(id[nr - 1]) < 0)
			break;
		started++;
	}
	printf("# %d counters count instructions\n", started);
	ok(started >= 2 && started < 40);
	ok(errno == EBUSY || errno == EINVAL);
	ok(strstr(pmc_error_text(), "counter"));
	guest_spin(100000);
	for (int i = 0; i < started; i++) {
		works(pmc_read(id[i], &value));
		within(value, 200000, UINT64_MAX);
	}
	works(pmc_release(id[0]));
	is(pmc_allocate("instructions", PMC_MODE_TC, 0, PMC_CPU_ANY, &id[0], 0), 0);
	works(pmc_start(id[0]));
	for (int i = 0; i < nr; i++)
		works(pmc_release(id[i]));
}

static void only_first_cpu(cpu_set_t *before)
{
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	is(sched_getaffinity(0, sizeof(*before), before), 0);
	is(sched_setaffinity(0, sizeof(first), &first), 0);
}

/* PMCs of the CPU take every counter of the event while a process runs there until its end. */
static void ended_uncounted(void)
{
	pmc_id_t id = guest_allocate("instructions", PMC_MODE_TC, 0, 0), taken[40];
	uint64_t n = 100000, value = 5;
	struct guest_child c;
	cpu_set_t cpus;
	int nr = 0;

	only_first_cpu(&cpus);
	c = guest_fork(spin_child, &n);
	works(pmc_attach(id, c.pid));
	while (nr < 40 && pmc_allocate("instructions", PMC_MODE_SC, 0, 0, &taken[nr], 0) == 0) {
		if (pmc_start(taken[nr++]) < 0)
			break;
	}
	works(pmc_start(id));
	guest_go(&c);
	is(guest_wait(&c), 0);
	is(pmc_read(id, &value), -1);
	is(errno, EINVAL);
	ok(strstr(pmc_error_text(), "was not counted"));
	is(value, 5);
	while (nr)
		works(pmc_release(taken[--nr]));
	works(pmc_release(id));
	is(sched_setaffinity(0, sizeof(cpus), &cpus), 0);
}

static int owns_nothing(void *arg)
{
	uint64_t value;

	return pmc_read(*(pmc_id_t *)arg, &value) == -1 && errno == ESRCH ? 0 : 1;
}

static void forked_child(void)
{
	pmc_id_t id = guest_allocate("instructions", PMC_MODE_TC, 0, 0);
	struct guest_child c;
	int status;
	pid_t pid;

	works(pmc_start(id));
	c = guest_fork(owns_nothing, &id);
	guest_go(&c);
	is(guest_wait(&c), 0);
	/* not by a function of the C library */
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		_exit(owns_nothing(&id));
	waitpid(pid, &status, 0);
	is(status, 0);
	guest_read(id);
	works(pmc_release(id));
}

static void *come_and_go(void *arg)
{
	(void)arg;
	return NULL;
}

static int restless(void *arg)
{
	(void)arg;
	for (int i = 0; i < 100000; i++) {
		pthread_t t;

		if (pthread_create(&t, NULL, come_and_go, NULL) == 0)
			pthread_join(t, NULL);
	}
	return 0;
}

static void detach_races(void)
{
	pmc_id_t id = guest_allocate("instructions", PMC_MODE_TC, 0, 0);
	struct guest_child c = guest_fork(restless, NULL);
	int attached = 0;

	guest_go(&c);
	for (int i = 0; i < 30; i++) {
		if (pmc_attach(id, c.pid) < 0) {
			is(errno, ESRCH);
			continue;
		}
		attached++;
		works(pmc_start(id));
		usleep(1000);
		works(pmc_stop(id));
		works(pmc_detach(id, c.pid));
	}
	is(attached, 30);
	within(guest_read(id), 1, UINT64_MAX);
	works(pmc_attach(id, c.pid));
	works(pmc_start(id));
	kill(c.pid, SIGKILL);
	is(guest_wait(&c), 128 + SIGKILL);
	guest_read(id);
	works(pmc_stop(id));
	is(pmc_detach(id, c.pid), -1); /* the process is gone; its count stays */
	is(errno, ESRCH);
	is(pmc_attach(id, c.pid), -1);
	is(errno, ESRCH);
	within(guest_read(id), 1, UINT64_MAX);
	works(pmc_release(id));
}

static int as_nobody(void *arg)
{
	pmc_id_t id;

	(void)arg;
	tap.failed = 0;
	ok(setgid(65534) == 0 && setuid(65534) == 0);
	prctl(PR_SET_DUMPABLE, 1); /* a process that has changed its user is else not countable */
	is(pmc_allocate("instructions", PMC_MODE_TC, 0, PMC_CPU_ANY, &id, 0), -1);
	is(errno, EPERM);
	ok(strstr(pmc_error_text(), "add ,usr"));
	is(pmc_allocate("instructions,usr", PMC_MODE_SC, 0, 0, &id, 0), -1);
	is(errno, EPERM);
	ok(strstr(pmc_error_text(), "perf_event_paranoid"));
	is(pmc_disable(0, 0), -1);
	is(errno, EPERM);
	id = guest_allocate("instructions,usr", PMC_MODE_TC, 0, 0);
	is(pmc_attach(id, 1), -1);
	is(errno, EPERM);
	ok(strstr(pmc_error_text(), "belongs to another user"));
	works(pmc_start(id));
	guest_spin(100000);
	within(guest_read(id), 200000, UINT64_MAX);
	fflush(stdout);
	return tap.failed != 0;
}

static void unprivileged(void)
{
	struct guest_child c;

	guest_sysctl("/proc/sys/kernel/perf_event_paranoid", "2");
	c = guest_fork(as_nobody, NULL);
	guest_go(&c);
	is(guest_wait(&c), 0);
	guest_sysctl("/proc/sys/kernel/perf_event_paranoid", "-1");
}

static int exec_setuid(void *arg)
{
	(void)arg;
	execl("/tmp/setuid", "/tmp/setuid", "spin", "1000000", NULL);
	return 127;
}

static int count_setuid(void *arg)
{
	struct guest_child c;
	pmc_id_t id;

	(void)arg;
	tap.failed = 0;
	ok(setgid(65534) == 0 && setuid(65534) == 0);
	prctl(PR_SET_DUMPABLE, 1); /* a process that has changed its user is else not countable */
	id = guest_allocate("instructions,usr", PMC_MODE_TC, 0, 0);
	c = guest_fork(exec_setuid, NULL);
	works(pmc_attach(id, c.pid));
	works(pmc_start(id));
	guest_go(&c);
	is(guest_wait(&c), 0);
	/* the kernel removes the event; the count of before stays */
	within(guest_read(id), 0, 1900000);
	fflush(stdout);
	return tap.failed != 0;
}

static void set_id_exec(void)
{
	struct guest_child c;
	char command[200];

	snprintf(command, sizeof(command), "cp %s /tmp/setuid && chmod 4755 /tmp/setuid",
		 guest_self);
	is(system(command), 0);
	guest_sysctl("/proc/sys/kernel/perf_event_paranoid", "2");
	c = guest_fork(count_setuid, NULL);
	guest_go(&c);
	is(guest_wait(&c), 0);
	guest_sysctl("/proc/sys/kernel/perf_event_paranoid", "-1");
}

static void no_user_access(void)
{
	uint32_t ctr;
	pmc_id_t id;

	guest_sysctl("/proc/sys/kernel/perf_user_access", "0");
	id = guest_allocate("instructions", PMC_MODE_TC, 0, 0);
	works(pmc_start(id));
	is(pmc_counter(id, &ctr), -1);
	is(errno, EACCES);
	ok(strstr(pmc_error_text(), "perf_user_access"));
	guest_spin(100000);
	within(guest_read(id), 200000, guest_exact ? 260000 : UINT64_MAX);
	works(pmc_release(id));
	guest_sysctl("/proc/sys/kernel/perf_user_access", "1");
}

static void migration(void)
{
	pmc_id_t id;
	cpu_set_t cpu;
	uint64_t last = 0;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_context("one CPU");
		return;
	}
	id = guest_allocate("instructions", PMC_MODE_TC, 0, 0);
	works(pmc_start(id));
	for (int i = 0; i < 20; i++) {
		uint64_t now;

		CPU_ZERO(&cpu);
		CPU_SET(i % 2, &cpu);
		is(sched_setaffinity(0, sizeof(cpu), &cpu), 0);
		guest_spin(10000);
		now = guest_read(id);
		within(now - last, 20000, UINT64_MAX / 2);
		last = now;
	}
	works(pmc_stop(id));
	within(guest_read(id), last, UINT64_MAX);
	works(pmc_release(id));
	CPU_SET(0, &cpu);
	CPU_SET(1, &cpu);
	sched_setaffinity(0, sizeof(cpu), &cpu);
}

/* A CPU was offline when a thread was attached; the thread is counted there, too. */
static void cpu_comes_online(void)
{
	pmc_id_t page, log;
	cpu_set_t all, second;
	uint64_t before;
	int null;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		tap_context("one CPU");
		return;
	}
	sched_getaffinity(0, sizeof(all), &all);
	null = open("/dev/null", O_WRONLY);
	guest_sysctl("/sys/devices/system/cpu/cpu1/online", "0");
	page = guest_allocate("instructions,usr", PMC_MODE_TC, 0, 0);
	works(pmc_start(page));
	works(pmc_configure_logfile(null));
	log = guest_allocate("instructions,usr", PMC_MODE_TC, PMC_F_LOG_PROCEXIT, 0);
	works(pmc_start(log));
	guest_sysctl("/sys/devices/system/cpu/cpu1/online", "1");
	CPU_ZERO(&second);
	CPU_SET(1, &second);
	is(sched_setaffinity(0, sizeof(second), &second), 0);
	before = guest_read(page);
	guest_spin(100000);
	within(guest_read(page) - before, 200000, UINT64_MAX / 2);
	within(guest_read(log), 200000, UINT64_MAX / 2);
	works(pmc_release(page));
	works(pmc_release(log));
	works(pmc_close_logfile());
	close(null);
	sched_setaffinity(0, sizeof(all), &all);
}

int guest_counting(void)
{
	static const struct tap_case cases[] = {
		{ "loops of known length", exact_loops },
		{ "cycles and instructions, initial values, writes", cycles_with_them },
		{ "reads that move from CPU to CPU", migration },
		{ "threads that begin before and after the start", threads },
		{ "a child", child },
		{ "its children, only with PMC_F_DESCENDANTS", descendants },
		{ "a group, read at one moment", guest_group_of_two },
		{ "one thread of several", guest_thread_alone },
		{ "targets that overlap", guest_overlaps },
		{ "across exec", across_exec },
		{ "system scope", system_scope },
		{ "firmware events", firmware },
		{ "software events: a hundred page faults", software },
		{ "when counters run out", exhaustion },
		{ "a process that ends without a counter", ended_uncounted },
		{ "a forked child owns nothing", forked_child },
		{ "attach and detach while threads come and go", detach_races },
		{ "an unprivileged user", unprivileged },
		{ "a set-user-ID program ends the count of an unprivileged user", set_id_exec },
		{ "perf_user_access=0", no_user_access },
		{ "a CPU that comes online", cpu_comes_online },
	};

	if (pmc_init() < 0) {
		printf("Bail out! %s\n", pmc_error_text());
		return 1;
	}
	return tap_run(cases, TAP_NR(cases));
}

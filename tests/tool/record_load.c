// SPDX-License-Identifier: BSD-2-Clause
/*
 * What tests/tool/record samples in the guest: programs whose instructions are known, with frame
 * pointers (-fno-omit-frame-pointer).
 *
 *	record_load chain N		main calls outer, middle, then a loop of 2 N instructions
 *	record_load tasks N		a thread, and a child with another name, each with that loop
 *	record_load steps N		a loop of 32 instructions, 30 of one cycle in a row
 *	record_load wait N		prints a line, waits for a line of input, then the loop
 *	record_load as UID PROGRAM...	the program as another user
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Global: perf before 6.13 takes the assembler's $x for the name of a static function. */
void loop(uint64_t n);
void middle(uint64_t n);
void outer(uint64_t n);

__attribute__((noinline)) void loop(uint64_t n)
{
	/* ra is clobbered as by a call: Linux unwinds from a frame with a return address. */
	__asm__ volatile("1: addi %0, %0, -1\n\tbnez %0, 1b" : "+r"(n) : : "ra");
}

void steps(uint64_t n);

__attribute__((noinline)) void steps(uint64_t n)
{
	__asm__ volatile("1:\n\t.rept 30\n\taddi t0, t1, 1\n\t.endr\n\t"
			 "addi %0, %0, -1\n\tbnez %0, 1b"
			 : "+r"(n)
			 :
			 : "t0");
}

/* Written after each call, so that the compiler does not make the call a jump. */
static volatile unsigned called;

__attribute__((noinline)) void middle(uint64_t n)
{
	loop(n);
	called++;
}

__attribute__((noinline)) void outer(uint64_t n)
{
	middle(n);
	called++;
}

static void *thread(void *n)
{
	pthread_setname_np(pthread_self(), "a-thread");
	loop(*(uint64_t *)n);
	return NULL;
}

static int tasks(uint64_t n)
{
	pthread_t t;
	pid_t child;

	if (pthread_create(&t, NULL, thread, &n))
		return 1;
	pthread_join(t, NULL);
	child = fork();
	if (child == 0) {
		prctl(PR_SET_NAME, "a-child");
		loop(n);
		_exit(0);
	}
	return child < 0 || waitpid(child, NULL, 0) != child;
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;

	if (argc == 3 && !strcmp(argv[1], "chain")) {
		outer(n);
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "steps")) {
		steps(n);
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "tasks"))
		return tasks(n);
	if (argc == 3 && !strcmp(argv[1], "wait")) {
		puts("ready");
		fflush(stdout);
		getchar();
		outer(n);
		return 0;
	}
	if (argc > 3 && !strcmp(argv[1], "as")) {
		if (setgid((gid_t)n) || setuid((uid_t)n))
			return 1;
		execvp(argv[3], argv + 3);
	}
	return 2;
}

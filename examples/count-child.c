// SPDX-License-Identifier: BSD-2-Clause
/*
 * count-child.c - runs a program and prints the counts of it and of its descendants.
 *
 *	cc -o count-child count-child.c -lpmc && ./count-child ls -l
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmc.h>

static const char *const events[] = { "HW_INSTRUCTIONS", "HW_CPU_CYCLES", "PAGE_FAULTS" };
#define NR_EVENTS (sizeof(events) / sizeof(events[0]))

/* Forks a child that waits for a byte before it executes the program. */
static pid_t begin(char **argv, int *go)
{
	int fds[2];
	char byte;
	pid_t pid;

	if (pipe(fds) < 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		close(fds[1]);
		if (read(fds[0], &byte, 1) == 1)
			execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	close(fds[0]);
	*go = fds[1];
	return pid;
}

int main(int argc, char **argv)
{
	pmc_id_t pmc[NR_EVENTS];
	pmc_value_t value;
	int go = -1, status;
	pid_t pid;

	if (argc < 2) {
		fprintf(stderr, "usage: count-child PROGRAM [ARGUMENT]...\n");
		return 2;
	}
	if (pmc_init() < 0) {
		fprintf(stderr, "count-child: %s\n", pmc_error_text());
		return 1;
	}
	pid = begin(argv + 1, &go);
	if (pid < 0) {
		perror("count-child");
		return 1;
	}
	for (unsigned i = 0; i < NR_EVENTS; i++) {
		pmc[i] = PMC_ID_INVALID;
		if (pmc_allocate(events[i], PMC_MODE_TC, PMC_F_DESCENDANTS, PMC_CPU_ANY, &pmc[i],
				 0) < 0 ||
		    pmc_attach(pmc[i], pid) < 0 || pmc_start(pmc[i]) < 0)
			fprintf(stderr, "%s\n", pmc_error_text());
	}
	if (write(go, "", 1) != 1 || waitpid(pid, &status, 0) != pid)
		return 1;
	for (unsigned i = 0; i < NR_EVENTS; i++) {
		if (pmc[i] == PMC_ID_INVALID)
			continue;
		if (pmc_read(pmc[i], &value) < 0)
			fprintf(stderr, "%s\n", pmc_error_text());
		else
			printf("%s: %llu %s\n", argv[1], (unsigned long long)value, events[i]);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_self.c - this program runs itself: its words, input, output and status.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "said.h"
#include "self.h"
#include "tap.h"

/* What the second one does. */
static int child(int argc, char **argv)
{
	char byte;

	if (argc == 3 && !strcmp(argv[2], "killed"))
		raise(SIGKILL);
	printf("%s %s %s\n", argv[0], argv[2], read(0, &byte, 1) == 0 ? "no input" : "input");
	fflush(stdout);
	return 7;
}

static void runs(void)
{
	char path[] = "test_self.XXXXXX", text[64] = "";
	int fd = mkstemp(path);

	ok(fd >= 0);
	is(self_run((const char *const[]){ "child", "a word", NULL }, fd), 7);
	is(pread(fd, text, sizeof(text) - 1, 0), 23);
	is_str(text, "holter a word no input\n");
	is(self_run((const char *const[]){ "child", "killed", NULL }, fd), 128 + SIGKILL);
	close(fd);
	unlink(path);
}

static void cannot(void)
{
	is(self_run((const char *const[]){ "child", NULL }, 1000), -1);
	ok(has_said("cannot run holter child: Bad file descriptor"));
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "it runs", runs },
		{ "it cannot run", cannot },
	};

	if (argc > 1 && !strcmp(argv[1], "child"))
		return child(argc, argv);
	return tap_run(cases, TAP_NR(cases));
}

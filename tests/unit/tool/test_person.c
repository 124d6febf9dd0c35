// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_person.c - colour and progress: on a terminal (a pseudo one), and nowhere else.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <person.h>
#include <tap.h>

static int keys; /* a person's side of it */

static FILE *terminal(void)
{
	int fd;

	keys = posix_openpt(O_RDWR | O_NOCTTY);
	fd = grantpt(keys) || unlockpt(keys) || !ptsname(keys)
		     ? -1
		     : open(ptsname(keys), O_RDWR | O_NOCTTY);
	if (fd < 0) {
		puts("Bail out! no pseudo-terminal: /dev/pts must be mounted");
		exit(1);
	}
	return fdopen(fd, "w");
}

static void colour(void)
{
	FILE *file = tmpfile(), *tty = terminal();

	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	is_str(style_of(file)->bold, "");
	is_str(style_of(tty)->bold, "\033[1m");
	is_str(style_of(tty)->end, "\033[0m");
	setenv("NO_COLOR", "", 1);
	is_str(style_of(tty)->red, "\033[31m");
	setenv("NO_COLOR", "1", 1);
	is_str(style_of(tty)->red, "");
	unsetenv("NO_COLOR");
	setenv("TERM", "dumb", 1);
	is_str(style_of(tty)->red, "");
	fclose(file);
	fclose(tty);
	close(keys);
}

static void printable(void)
{
	char text[] = "plain \033[2J\t\x7f\n\303\244 \302\233m \302\240.";

	person_printable(text);
	is_str(text, "plain ?[2J???\303\244 ??m \302\240.");
	person_printable(NULL);
}

static void columns(void)
{
	struct winsize size = { .ws_col = 77 };
	FILE *file = tmpfile(), *tty = terminal();

	unsetenv("COLUMNS");
	is(person_columns(file), 0);
	is(person_columns(tty), 80);
	ioctl(fileno(tty), TIOCSWINSZ, &size);
	is(person_columns(tty), 77);
	setenv("COLUMNS", "99", 1);
	is(person_columns(tty), 99);
	unsetenv("COLUMNS");
	fclose(file);
	fclose(tty);
	close(keys);
}

/* What a progress of some seconds says, with stderr being `to`; however slow this machine is. */
static void go_on(struct progress *p)
{
	uint64_t begun = p->next, shown;

	p->next = begun ? UINT64_MAX : 0;
	progress_step(p, 1, 10); /* too soon to say */
	p->next = begun ? begun - 1000000000 : 0; /* as if the second had passed */
	progress_step(p, 5, 10);
	shown = p->next;
	ok(!begun || shown >= begun - 900000000); /* a tenth of a second later */
	p->next = begun ? UINT64_MAX : 0;
	progress_step(p, 6, 10); /* too soon after */
	p->next = begun ? 1 : 0;
	progress_step(p, 12345, 0);
	progress_end(p);
	progress_step(p, 7, 10);
}

/* A terminal hands on what it is given when it has the time. */
static ssize_t read_all(char *text, size_t room)
{
	struct pollfd there = { .fd = keys, .events = POLLIN };
	size_t len = 0;
	ssize_t n = 1;

	while (n > 0 && len < room && poll(&there, 1, len ? 500 : 10000) > 0) {
		n = read(keys, text + len, room - len);
		len += n > 0 ? n : 0;
	}
	return len;
}

static void progress(void)
{
	FILE *tty = terminal();
	int before = dup(2);
	struct progress p;
	char text[200];
	ssize_t len;

	dup2(fileno(tty), 2);
	p = progress_begin("reading");
	go_on(&p);
	fflush(stderr);
	dup2(before, 2);
	len = read_all(text, sizeof(text) - 1);
	text[len < 0 ? 0 : len] = '\0';
	is_str(text, "\r\033[Kreading: 50%\r\033[Kreading: 12345\r\033[K");
	fclose(tty);
	close(keys);
	close(before);
}

static void nobody_looks(void)
{
	FILE *file = tmpfile();
	int before = dup(2);
	struct progress p;

	dup2(fileno(file), 2);
	p = progress_begin("reading");
	go_on(&p);
	fflush(stderr);
	dup2(before, 2);
	is(lseek(fileno(file), 0, SEEK_END), 0);
	fclose(file);
	close(before);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "colour on a terminal, if it is wanted", colour },
		{ "nothing that commands a terminal", printable },
		{ "columns of a terminal", columns },
		{ "progress on a terminal, from the first second on", progress },
		{ "and not into a file", nobody_looks },
	};

	return tap_run(cases, TAP_NR(cases));
}

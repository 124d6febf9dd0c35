// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_term.c - colour and progress: on a terminal (a pseudo-terminal here), and nowhere else.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <term.h>
#include <tap.h>

static int keys; /* the user's side of it */

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

/* Only a terminal has a width; only one whose locale says so has UTF-8. */
static void width(void)
{
	FILE *file = tmpfile(), *tty = terminal();
	struct winsize size = { .ws_col = 97, .ws_row = 20 };

	is(term_width(file), 0);
	ok(!ioctl(fileno(tty), TIOCSWINSZ, &size));
	is(term_width(tty), 97);
	setenv("LC_ALL", "", 1);
	setenv("LC_CTYPE", "de_DE.UTF-8", 1);
	setenv("LANG", "C", 1);
	ok(term_has_utf8(tty));
	ok(!term_has_utf8(file));
	setenv("LC_ALL", "C", 1);
	ok(!term_has_utf8(tty));
	setenv("LC_ALL", "C.utf8", 1);
	ok(term_has_utf8(tty));
	unsetenv("LC_ALL");
	unsetenv("LC_CTYPE");
	unsetenv("LANG");
	ok(!term_has_utf8(tty));
	fclose(file);
	fclose(tty);
	close(keys);
}

static void printable(void)
{
	char text[] = "plain \033[2J\t\x7f\n\303\244 \302\233m \302\240.";

	term_printable(text);
	is_str(text, "plain ?[2J???\303\244 ??m \302\240.");
	term_printable(NULL);
}

/* Every byte and every pair: the output is UTF-8, and has no control byte. */
static void printable_bytes(void)
{
	char text[3] = "";
	bool shown;

	for (unsigned n = 1; n < 0x10000; n++) {
		text[0] = (char)(n & 0xff);
		text[1] = (char)(n >> 8);
		term_printable(text);
		for (size_t at = 0, len; text[at]; at += len) {
			len = term_utf8((unsigned char *)text + at, strlen(text + at), &shown);
			tap_context("bytes %02x %02x", n & 0xff, n >> 8);
			ok(len && shown);
			if (!len)
				break;
		}
	}
}

/* Misleading characters: directions, line ends, C1 as one byte and as two. */
static void printable_characters(void)
{
	static const struct {
		const char *text, *want;
	} row[] = {
		{ "c1\x9b"
		  "31m",
		  "c1?31m" },
		{ "\xc2\x9b"
		  "31m",
		  "??31m" },
		{ "\xe2\x80\xae"
		  "txt.exe",
		  "???txt.exe" }, /* U+202E */
		{ "\xe2\x81\xa6"
		  "a\xe2\x81\xa9",
		  "???a???" }, /* U+2066, U+2069 */
		{ "\xd8\x9c"
		  "a\xe2\x80\x8f",
		  "??a???" }, /* U+061C, U+200F */
		{ "\xe2\x80\xa8"
		  "a\xe2\x80\xa9",
		  "???a???" }, /* U+2028, U+2029 */
		{ "\xe2\x80\x93\xf0\x9f\x98\x80", "\xe2\x80\x93\xf0\x9f\x98\x80" },
		{ "\xc0\x9b\xe0\x82\x9b", "?????" }, /* an overlong form */
		{ "\xed\xa0\x80\xf4\x90\x80\x80", "???????" }, /* a surrogate; too large */
		{ "\xe2\x80", "??" }, /* cut off */
	};

	for (size_t n = 0; n < TAP_NR(row); n++) {
		char text[64];

		tap_context("row %zu", n);
		strcpy(text, row[n].text);
		term_printable(text);
		is_str(text, row[n].want);
	}
}

/* The output of a progress of some seconds, if stderr is `to`, on a host of any speed. */
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
	progress_step(p, 6, 10); /* too soon after the last one */
	p->next = begun ? 1 : 0;
	progress_step(p, 12345, 0);
	progress_end(p);
	progress_step(p, 7, 10);
}

/* A terminal passes on its input with a delay. */
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

/* With HOLTER_PROGRESS a file gets the line, too. */
static void asked_for(void)
{
	FILE *file = tmpfile();
	int before = dup(2);
	struct progress p;
	char text[200];
	ssize_t len;

	dup2(fileno(file), 2);
	setenv("HOLTER_PROGRESS", "", 1);
	p = progress_begin("booting");
	ok(!p.on);
	setenv("HOLTER_PROGRESS", "1", 1);
	p = progress_begin("booting");
	unsetenv("HOLTER_PROGRESS");
	p.next = 1;
	progress_say(&p, "%.1f s, %u instructions", 0.8, 120);
	progress_end(&p);
	fflush(stderr);
	dup2(before, 2);
	len = pread(fileno(file), text, sizeof(text) - 1, 0);
	text[len < 0 ? 0 : len] = '\0';
	is_str(text, "\r\033[Kbooting: 0.8 s, 120 instructions\r\033[K");
	fclose(file);
	close(before);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "colour on a terminal, if it is wanted", colour },
		{ "width and character set", width },
		{ "no control character reaches a terminal", printable },
		{ "no byte of 65535 pairs", printable_bytes },
		{ "no misleading character", printable_characters },
		{ "progress on a terminal, from the first second on", progress },
		{ "no progress in a file", nobody_looks },
		{ "progress in a file that asks for it", asked_for },
	};

	return tap_run(cases, TAP_NR(cases));
}

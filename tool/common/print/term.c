// SPDX-License-Identifier: BSD-2-Clause
/*
 * term.c - see term.h.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "term.h"

#define SECOND 1000000000ull

static const struct style plain = { "", "", "", "", "", "", "" };
static const struct style colours = { "\033[1m",  "\033[2m",  "\033[31m", "\033[32m",
				      "\033[33m", "\033[34m", "\033[0m" };

static bool is_terminal(FILE *to)
{
	return isatty(fileno(to));
}

const struct style *style_of(FILE *to)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (!is_terminal(to) || (no && *no) || (term && !strcmp(term, "dumb")))
		return &plain;
	return &colours;
}

unsigned term_width(FILE *to)
{
	struct winsize size;

	return is_terminal(to) && !ioctl(fileno(to), TIOCGWINSZ, &size) ? size.ws_col : 0;
}

bool term_has_utf8(FILE *to)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++) {
		const char *value = getenv(names[n]);

		if (value && *value)
			return is_terminal(to) &&
			       (strcasestr(value, "utf-8") || strcasestr(value, "utf8"));
	}
	return false;
}

/* The length of the UTF-8 sequence that s[0] begins; 0: it begins none. */
static size_t sequence_len(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/* Whether it is an overlong form, a surrogate, or beyond the last character. */
static bool is_outside(const unsigned char *s)
{
	return (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	       (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f);
}

static bool is_shown(uint32_t character)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {
		{ 0, 0x1f },	    { 0x7f, 0x9f }, /* control characters */
		{ 0x61c, 0x61c },   { 0x200e, 0x200f }, /* marks of direction */
		{ 0x2028, 0x202e }, { 0x2066, 0x2069 }, /* ends of lines, directions, isolates */
	};

	for (size_t n = 0; n < sizeof(hidden) / sizeof(*hidden); n++) {
		if (character >= hidden[n].first && character <= hidden[n].last)
			return false;
	}
	return true;
}

size_t term_utf8(const unsigned char *s, size_t room, bool *shown)
{
	size_t len = room ? sequence_len(s[0]) : 0;
	uint32_t character;

	*shown = false;
	if (!len || len > room)
		return 0;
	character = len == 1 ? s[0] : s[0] & (0x7f >> len);
	for (size_t n = 1; n < len; n++) {
		if ((s[n] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (s[n] & 0x3f);
	}
	if (len > 1 && is_outside(s))
		return 0;
	*shown = is_shown(character);
	return len;
}

void term_printable(char *text)
{
	size_t room = text ? strlen(text) : 0, len;
	bool shown;

	for (; room; text += len, room -= len) {
		len = term_utf8((const unsigned char *)text, room, &shown);
		if (!len)
			len = 1;
		if (!shown)
			memset(text, '?', len);
	}
}

const char *term_plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

struct progress progress_begin(const char *what)
{
	const char *always = getenv("HOLTER_PROGRESS");
	struct progress p = { .what = what, .on = is_terminal(stderr) || (always && *always) };

	if (p.on)
		p.next = now() + SECOND;
	return p;
}

void progress_say(struct progress *p, const char *format, ...)
{
	uint64_t t;
	va_list args;

	if (!p->on || (t = now()) < p->next)
		return;
	p->next = t + SECOND / 10;
	p->shown = true;
	fprintf(stderr, "\r\033[K%s: ", p->what);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fflush(stderr);
}

void progress_step(struct progress *p, uint64_t done, uint64_t total)
{
	if (total)
		progress_say(p, "%u%%",
			     (unsigned)(done >= total ? 100 : (double)done * 100 / total));
	else
		progress_say(p, "%" PRIu64, done);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->on = p->shown = false;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * person.c - see person.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "person.h"

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

void person_printable(char *text)
{
	unsigned char *c = (unsigned char *)text;

	for (; c && *c; c++) {
		if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
			c[0] = c[1] = '?';
		else if (c[0] < ' ' || c[0] == 0x7f)
			c[0] = '?';
	}
}

unsigned person_columns(FILE *to)
{
	const char *text = getenv("COLUMNS");
	struct winsize size;

	if (!is_terminal(to))
		return 0;
	if (text && atoi(text) > 0)
		return (unsigned)atoi(text);
	return ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

struct progress progress_begin(const char *what)
{
	struct progress p = { .what = what, .on = is_terminal(stderr) };

	if (p.on)
		p.next = now() + SECOND;
	return p;
}

void progress_step(struct progress *p, uint64_t done, uint64_t total)
{
	uint64_t t;

	if (!p->on || (t = now()) < p->next)
		return;
	p->next = t + SECOND / 10;
	p->shown = true;
	if (total)
		fprintf(stderr, "\r\033[K%s: %u%%", p->what,
			(unsigned)(done >= total ? 100 : (double)done * 100 / total));
	else
		fprintf(stderr, "\r\033[K%s: %" PRIu64, p->what, done);
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->on = p->shown = false;
}

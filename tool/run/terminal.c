// SPDX-License-Identifier: BSD-2-Clause
/*
 * terminal.c - passes the user's keys to a console of the guest (run.h).
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "run.h"

#define ESCAPE 1 /* ^A */

static struct termios terminal;
static volatile sig_atomic_t raw; /* the terminal is raw; `terminal` has its old settings */

void terminal_restore(void)
{
	if (raw)
		tcsetattr(0, TCSANOW, &terminal);
}

/* Sends keys to the guest as they are pressed. */
static void raw_terminal(void)
{
	struct termios t;

	if (tcgetattr(0, &terminal) < 0)
		return;
	raw = true;
	atexit(terminal_restore);
	t = terminal;
	t.c_iflag &= ~(ICRNL | IXON);
	t.c_lflag &= ~(ICANON | ECHO | ISIG);
	tcsetattr(0, TCSANOW, &t);
}

static void key(struct keys *k, char c)
{
	bool escaped = k->escaped;

	k->escaped = !escaped && c == ESCAPE;
	if (escaped && c == 'x')
		machine_finish(k->m, 0, false);
	else if (escaped && c == 's')
		save_now(k->m, k->save);
	else if (!k->escaped && write(k->to, &c, 1) < 0)
		return; /* the guest does not read: drop the key, as a serial line does */
}

static void keys_come(void *arg)
{
	struct keys *k = arg;
	char text[256];
	ssize_t len = read(0, text, sizeof(text));

	if (len <= 0)
		k->m->board.watch_fd(k->m, -1, keys_come, k);
	for (ssize_t n = 0; n < len; n++)
		key(k, text[n]);
}

bool terminal_keys_open(struct keys *k)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return false;
	*k = (struct keys){ .from = ends[0], .to = ends[1] };
	return true;
}

void terminal_keys_start(struct keys *k, struct machine *m, const struct save *save)
{
	k->m = m;
	k->save = save;
	raw_terminal();
	m->board.watch_fd(m, 0, keys_come, k);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hostio.c - bytes between a device and two descriptors of the host.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "hostio.h"

static void on_time(void *arg)
{
	hostio_flush(arg);
}

static void on_input(void *arg)
{
	struct hostio *io = arg;

	io->input(io->arg);
}

void hostio_init(struct hostio *io, const struct board *board, int in, int out,
		 void (*input)(void *arg), void *arg)
{
	memset(io, 0, sizeof(*io));
	io->board = board;
	io->in = in;
	io->out = out;
	io->input = input;
	io->arg = arg;
}

void hostio_want(struct hostio *io, bool want)
{
	want = want && io->in >= 0;
	if (want == io->watching)
		return;
	io->watching = want;
	io->board->watch_fd(io->board->opaque, want ? io->in : -1, on_input, io);
}

int hostio_read(struct hostio *io, void *data, size_t len)
{
	struct pollfd p = { .fd = io->in, .events = POLLIN };
	ssize_t n;

	if (io->in < 0)
		return -1;
	/* The descriptor is the caller's and may block; a late wake-up must not. */
	if (poll(&p, 1, 0) <= 0)
		return 0;
	n = read(io->in, data, len);
	if (n > 0)
		return (int)n;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	hostio_want(io, false);
	io->in = -1;
	return -1;
}

/* Nobody can read what the guest says: it ends, rather than to go on unheard. */
static void lost(struct hostio *io)
{
	const struct board *b = io->board;

	io->out = -1;
	if (!b->fail)
		return;
	b->fail(b->opaque, errno == EPIPE    ? "console output: nobody reads it any more"
			   : errno == ENOSPC ? "console output: no space left on the device"
					     : "console output: cannot be written");
}

/* All of it, waiting where the descriptor does not: output is never lost to a slow reader. */
static void write_out(struct hostio *io, const char *data, size_t len)
{
	struct pollfd p = { .fd = io->out, .events = POLLOUT };
	ssize_t n;

	while (len && io->out >= 0) {
		n = write(io->out, data, len);
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			poll(&p, 1, -1);
		} else if (n == 0 || errno != EINTR) {
			lost(io);
		}
	}
}

void hostio_flush(struct hostio *io)
{
	size_t used = io->used;

	if (!used)
		return;
	io->used = 0;
	io->board->wake_at(io->board->opaque, UINT64_MAX, on_time, io);
	write_out(io, io->buffer, used);
}

void hostio_write(struct hostio *io, const void *data, size_t len)
{
	uint64_t now;

	if (io->out < 0 || !len)
		return;
	if (len > sizeof(io->buffer) - io->used)
		hostio_flush(io);
	if (len >= sizeof(io->buffer)) {
		write_out(io, data, len);
		return;
	}
	memcpy(io->buffer + io->used, data, len);
	if (!io->used) {
		now = io->board->now(io->board->opaque);
		io->board->wake_at(io->board->opaque, now + HOSTIO_DELAY_NS, on_time, io);
	}
	io->used += len;
}

void hostio_end(struct hostio *io)
{
	hostio_flush(io);
	hostio_want(io, false);
}

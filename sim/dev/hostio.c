/* SPDX-License-Identifier: BSD-2-Clause */
/* hostio.c - input and output of a device through two descriptors of the host. */
#include <errno.h>
#include <limits.h>
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
	/* Do not block: the descriptor may be a blocking one, and the input may be gone by now. */
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

/*
 * The output cannot be written.  The machine ends, because a guest without its output is useless.
 */
static void lost(struct hostio *io)
{
	const struct board *b = io->board;
	int error = errno;

	io->out = -1;
	if (!b->fail)
		return;
	b->fail(b->opaque, error,
		error == EPIPE	  ? "console output: nobody reads it any more"
		: error == ENOSPC ? "console output: no space left on the device"
				  : "console output: cannot be written");
}

/* Waits until out accepts data.  Returns false if it does not and the machine is told to end. */
static bool wait_for_room(const struct hostio *io)
{
	struct pollfd p[] = { { .fd = io->out, .events = POLLOUT },
			      { .fd = board_end_fd(io->board), .events = POLLIN } };

	while (poll(p, 2, -1) < 0 && errno == EINTR)
		continue;
	return p[0].revents;
}

/*
 * Writes all of data, and waits where the descriptor does not: a slow reader loses no output.  Each
 * piece fits into a pipe that poll() reports as writable, so that only poll() waits.
 */
static void write_out(struct hostio *io, const char *data, size_t len)
{
	ssize_t n;

	if (len && io->out >= 0 && io->output)
		io->output(io->output_arg);
	while (len && io->out >= 0) {
		if (!wait_for_room(io)) {
			io->out = -1;
			break;
		}
		n = write(io->out, data, len < PIPE_BUF ? len : PIPE_BUF);
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
			lost(io);
		}
	}
}

/* Writes the rest of the buffer to out, but keeps the buffer's fill level. */
static void write_early(struct hostio *io)
{
	write_out(io, io->buffer + io->written, io->used - io->written);
	io->written = io->used;
}

void hostio_flush(struct hostio *io)
{
	if (!io->used)
		return;
	io->board->wake_at(io->board->opaque, UINT64_MAX, on_time, io);
	write_early(io);
	io->used = io->written = 0;
}

void hostio_write(struct hostio *io, const void *data, size_t len)
{
	if (!len)
		return;
	if (len > sizeof(io->buffer) - io->used)
		hostio_flush(io);
	if (len >= sizeof(io->buffer)) {
		write_out(io, data, len);
		return;
	}
	memcpy(io->buffer + io->used, data, len);
	if (!io->used) {
		io->due = io->board->now(io->board->opaque) + HOSTIO_DELAY_NS;
		io->board->wake_at(io->board->opaque, io->due, on_time, io);
	}
	io->used += len;
}

bool hostio_save(struct hostio *io, const struct stream *s)
{
	uint64_t head[2] = { io->used, io->due };

	write_early(io);
	return stream_write(s, head, sizeof(head));
}

bool hostio_restore(struct hostio *io, const struct stream *s)
{
	uint64_t head[2];

	hostio_flush(io);
	if (!stream_read(s, head, sizeof(head)) || head[0] > sizeof(io->buffer))
		return false;
	io->used = io->written = head[0];
	io->due = head[1];
	if (io->used)
		io->board->wake_at(io->board->opaque, io->due, on_time, io);
	return true;
}

void hostio_end(struct hostio *io)
{
	hostio_flush(io);
	hostio_want(io, false);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hostio.h - bytes between a device and two descriptors of the host.
 *
 * Output is gathered and written when the buffer is full or a millisecond of guest time after its
 * first byte, so that a guest that prints byte by byte costs few system calls, and output comes
 * out at moments that the guest determines.  Input is read only while the device wants it.
 *
 * A snapshot finds nothing held back, and yet does not move the moment of the next write: where
 * that ends a round of the machine, harts would take turns at others.  So what is written out
 * early stays counted as used until then.
 */
#ifndef SIM_DEV_HOSTIO_H
#define SIM_DEV_HOSTIO_H

#include "device.h"

#define HOSTIO_BUFFER	4096
#define HOSTIO_DELAY_NS 1000000

struct hostio {
	const struct board *board;
	int in, out; /* -1: none, or ended */
	bool watching;
	size_t used, written; /* bytes in the buffer; those that are out already */
	uint64_t due; /* guest time of the next write while any are used */
	char buffer[HOSTIO_BUFFER];
	void (*input)(void *arg);
	void *arg;
};

/* in and out may be -1.  input(arg) is called when input may be read, see hostio_want. */
void hostio_init(struct hostio *io, const struct board *board, int in, int out,
		 void (*input)(void *arg), void *arg);

/* Whether input(arg) is to be called when there is some. */
void hostio_want(struct hostio *io, bool want);

/*
 * Reads at most len > 0 bytes without waiting for them.  Returns how many; 0: none now;
 * -1: there will be none ever again, and input is not called any more.  To be called only
 * from input(), because a terminal's descriptor would wait.
 */
int hostio_read(struct hostio *io, void *data, size_t len);

/*
 * Puts bytes out.  A descriptor that takes none (-1, a closed pipe; when all is to end,
 * board.end_fd, one whose reader is not ready) swallows them.
 */
void hostio_write(struct hostio *io, const void *data, size_t len);

/* Writes out what is held back. */
void hostio_flush(struct hostio *io);

/*
 * A device's save writes out what is held back, and keeps when more would have been; its restore
 * asks for that moment again.  False: the stream's error, or not a possible state.
 */
bool hostio_save(struct hostio *io, const struct stream *s);
bool hostio_restore(struct hostio *io, const struct stream *s);

/* Flushes and asks the board for nothing any more. */
void hostio_end(struct hostio *io);

#endif

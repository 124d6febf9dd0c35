/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hostio.h - input and output of a device through two descriptors of the host.
 *
 * Output goes to a buffer.  The buffer is written when it is full, or a millisecond of guest time
 * after its first byte.  So a guest that prints single bytes causes few system calls, and guest
 * time alone determines when output appears.  Input is read only while the device wants it.
 *
 * A save must write out the whole buffer, but must not change the guest time of the next write.
 * That write can end a round of the machine, so a change would make the harts take turns at other
 * times.  Therefore bytes that a save has written out still count as used until the next write.
 */
#ifndef SIM_DEV_HOSTIO_H
#define SIM_DEV_HOSTIO_H

#include "device.h"

#define HOSTIO_BUFFER	4096
#define HOSTIO_DELAY_NS 1000000

struct hostio {
	const struct board *board;
	int in, out; /* -1: none, or at its end */
	bool watching;
	size_t used, written; /* bytes in the buffer; how many of them are already written */
	uint64_t due; /* guest time of the next write, if used > 0 */
	char buffer[HOSTIO_BUFFER];
	void (*input)(void *arg);
	void *arg;
	void (*output)(void *arg); /* called before bytes go to out; NULL: nobody wants to know */
	void *output_arg;
};

/* in and out may be -1. input(arg) is called if hostio_want asked for it and there is input. */
void hostio_init(struct hostio *io, const struct board *board, int in, int out,
		 void (*input)(void *arg), void *arg);

/* Chooses whether input(arg) is called when there is input. */
void hostio_want(struct hostio *io, bool want);

/*
 * Reads at most len > 0 bytes, without waiting.  Returns the number of bytes, or 0 if there are
 * none now.  Returns -1 at the end of the input; input is then never called again.  Call this only
 * from input(), because a read from a terminal could block.
 */
int hostio_read(struct hostio *io, void *data, size_t len);

/*
 * Writes len bytes through the buffer.  They are dropped if out is -1 or its reader is gone.  They
 * are also dropped if the machine is told to end (board.end_fd) and the reader is not ready.
 */
void hostio_write(struct hostio *io, const void *data, size_t len);

/* Writes out the buffer. */
void hostio_flush(struct hostio *io);

/*
 * For save and restore of a device.  hostio_save writes out the buffer and saves the time of the
 * next write.  hostio_restore asks for a wake at that time.  false: the stream failed, or its
 * content is not a possible state.
 */
bool hostio_save(struct hostio *io, const struct stream *s);
bool hostio_restore(struct hostio *io, const struct stream *s);

/* Flushes the output, and ends all callbacks from the board. */
void hostio_end(struct hostio *io);

#endif

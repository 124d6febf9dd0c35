// SPDX-License-Identifier: BSD-2-Clause
/* write.c - writes all of something to a descriptor (write.h). */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "write.h"

bool write_all(int fd, const void *data, size_t len)
{
	const char *at = data;

	while (len) {
		ssize_t n = write(fd, at, len);

		if (n > 0) {
			at += n;
			len -= (size_t)n;
		} else if (n == 0) {
			errno = EIO;
			return false;
		} else if (errno == EAGAIN) {
			struct pollfd room = { .fd = fd, .events = POLLOUT };

			poll(&room, 1, -1);
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}

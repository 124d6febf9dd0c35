// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_stamp.c - whether files are still what they were (exact_stamp.h).
 */
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "bytes.h"
#include "exact_stamp.h"
#include "hash.h"

#define SECOND	1000000000ll
#define TICK	(SECOND / 10) /* more than a tick of any kernel */
#define SETTLES (2 * SECOND) /* the times of a file system without fractions of seconds */

static int64_t nanoseconds(const struct timespec *t)
{
	return (int64_t)t->tv_sec * SECOND + t->tv_nsec;
}

void exact_stamp_file(struct exact_stamp *s, const char *path)
{
	struct stat st = { 0 };
	int64_t changed;

	s->sum = hash_pair(s->sum, path ? fnv_text(path) : 0);
	if (!path || stat(path, &st))
		return;
	changed = nanoseconds(&st.st_ctim);
	s->sum = hash_pair(s->sum, hash_pair(st.st_dev, st.st_ino));
	s->sum = hash_pair(s->sum, hash_pair((uint64_t)st.st_size, st.st_mode));
	s->sum = hash_pair(s->sum,
			   hash_pair((uint64_t)changed, (uint64_t)nanoseconds(&st.st_mtim)));
	if (changed > s->changed)
		s->changed = changed;
}

bool exact_stamp_is_settled(const struct exact_stamp *s)
{
	struct timespec now;
	int64_t age;

	clock_gettime(CLOCK_REALTIME, &now);
	age = nanoseconds(&now) - s->changed;
	return age > SETTLES || (age > TICK && s->changed % SECOND);
}

static uint64_t mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15ull;
	return sum ^ sum >> 32;
}

/* Four sums at a time, because each step waits for the multiplication of the one before. */
uint64_t exact_checksum(uint64_t sum, const void *data, size_t len)
{
	uint64_t lane[4] = { sum, 1, 2, 3 };
	const uint8_t *at = data;

	for (; len >= 32; at += 32, len -= 32) {
		for (unsigned n = 0; n < 4; n++)
			lane[n] = mix(lane[n], le64(at + 8 * n));
	}
	for (unsigned n = 1; n < 4; n++)
		lane[0] = mix(lane[0], lane[n]);
	for (; len >= 8; at += 8, len -= 8)
		lane[0] = mix(lane[0], le64(at));
	return fnv_add(lane[0], at, len);
}

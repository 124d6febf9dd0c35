/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * clock.h - cycles of the harts' clock, which runs at hz, and nanoseconds of guest time.
 *
 * The machine has its times in cycles.  It computes nanoseconds only for devices, for messages, and
 * from options that are times.  After c cycles guest time is floor(c * 10^9 / hz) nanoseconds.
 * Nothing is added up in nanoseconds, so rounding errors do not add up.
 *
 * A device that divides nanoseconds again gets the same as from cycles: floor(floor(x) / n) is
 * floor(x / n).  So mtime is floor(c * 10^7 / hz).
 */
#ifndef SIM_CLOCK_H
#define SIM_CLOCK_H

#include <stdint.h>

#define CLOCK_NS 1000000000u /* in a second */

/* Guest time after a number of cycles.  UINT64_MAX: more than 64 bits. */
static inline uint64_t clock_ns(uint64_t hz, uint64_t cycles)
{
	unsigned __int128 ns = (unsigned __int128)cycles * CLOCK_NS / hz;

	return ns < UINT64_MAX ? (uint64_t)ns : UINT64_MAX;
}

/* The first cycle at which guest time has reached ns.  UINT64_MAX: never, or more than 64 bits. */
static inline uint64_t clock_cycles(uint64_t hz, uint64_t ns)
{
	unsigned __int128 cycles = ((unsigned __int128)ns * hz + CLOCK_NS - 1) / CLOCK_NS;

	return ns < UINT64_MAX && cycles < UINT64_MAX ? (uint64_t)cycles : UINT64_MAX;
}

#endif

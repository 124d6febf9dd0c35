/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hwprobe.h - riscv_hwprobe(2), which is newer than the C library's list of calls (Linux 6.4,
 * Documentation/arch/riscv/hwprobe.rst).
 */
#ifndef TOOL_HWPROBE_H
#define TOOL_HWPROBE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Elsewhere no call has the number. */
#ifdef __riscv
#define HWPROBE_CALL 258
#else
#define HWPROBE_CALL -1
#endif

enum { HWPROBE_MVENDORID, HWPROBE_MARCHID, HWPROBE_MIMPID, HWPROBE_IMA_EXT_0 = 4 };

/* struct riscv_hwprobe of the kernel. */
struct hwprobe {
	int64_t key; /* -1: the kernel does not know it */
	uint64_t value; /* UINT64_MAX, of the first three: harts differ */
};

/* Of all harts: 0, or -1 and errno. */
static inline int hwprobe(struct hwprobe *pairs, unsigned nr)
{
	return (int)syscall(HWPROBE_CALL, pairs, (size_t)nr, (size_t)0, NULL, 0u);
}

#endif

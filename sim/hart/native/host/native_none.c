// SPDX-License-Identifier: BSD-2-Clause
/*
 * native_none.c - a build that has no native code (native_host.h).
 */
#include "native_host.h"

const bool native_host = false;
const unsigned native_jump_bytes;

bool native_relocate(uint8_t *p, uint64_t at, unsigned type, int64_t value)
{
	(void)p, (void)at, (void)type, (void)value;
	return false;
}

void native_far_jump(uint8_t *p, const void *to)
{
	(void)p, (void)to;
}

void native_far_call(uint8_t *p, const void *to, unsigned countdown, unsigned x)
{
	(void)p, (void)to, (void)countdown, (void)x;
}

void native_wrote(void *at, size_t bytes)
{
	(void)at, (void)bytes;
}

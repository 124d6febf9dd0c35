// SPDX-License-Identifier: BSD-2-Clause
/*
 * native_no_pin.c - a host without pinned registers (native_host.h).
 */
#include "native_host.h"

const uint8_t native_pinned[NATIVE_PINS_MAX];
const unsigned native_pins;

void native_pin(uint8_t *p, unsigned start, unsigned pin)
{
	(void)p, (void)start, (void)pin;
}

void native_move_pin(uint8_t *p, bool store, unsigned pin, unsigned offset)
{
	(void)p, (void)store, (void)pin, (void)offset;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * native_x86.c - native code on x86-64 (native_host.h).
 */
#include <elf.h>
#include <string.h>

#include "native_host.h"

#define REX	0x40
#define IGNORED 0x3e /* a prefix that changes nothing */

const bool native_host = true;
const unsigned native_jump_bytes = 5;

bool native_relocate(uint8_t *p, uint64_t at, unsigned type, int64_t value)
{
	int32_t word;

	if (type == R_X86_64_8) {
		*p = (uint8_t)value;
		return value == (int8_t)value;
	}
	if (type == R_X86_64_PC32 || type == R_X86_64_PLT32)
		value -= at;
	else if (type != R_X86_64_32S && type != R_X86_64_32)
		return false;
	word = (int32_t)value;
	memcpy(p, &word, sizeof(word));
	return word == value;
}

/* The numbers of the registers that have the pinned ones. */
static const uint8_t pin_host[NATIVE_PINS_MAX] = {
#define NATIVE_PIN(host, number, x) number,
#include "native_pin_x86.def"
};
const uint8_t native_pinned[NATIVE_PINS_MAX] = {
#define NATIVE_PIN(host, number, x) x,
#include "native_pin_x86.def"
};
const unsigned native_pins = NATIVE_PINS_MAX;

/* mov, a register to or from offset(%rbx).  Returns where it ends. */
static uint8_t *put_move(uint8_t *p, bool store, unsigned reg, uint32_t offset)
{
	*p++ = REX | 8 | reg >> 3 << 2;
	*p++ = store ? 0x89 : 0x8b;
	*p++ = 2 << 6 | (reg & 7) << 3 | 3;
	memcpy(p, &offset, sizeof(offset));
	return p + sizeof(offset);
}

void native_far_jump(uint8_t *p, const void *to)
{
	static const uint8_t jump[] = { 0xff, 0x25, 0, 0, 0, 0 }; /* jmp *0(%rip) */

	memcpy(p, jump, sizeof(jump));
	memcpy(p + sizeof(jump), &to, sizeof(to));
}

void native_far_call(uint8_t *p, const void *to, unsigned countdown, unsigned x)
{
	enum { R14 = 14 };
	static const uint8_t call[] = {
		0x48, 0x83, 0xec, 8, /* sub $8, %rsp */
		0xff, 0x15, 0,	  0, 0, 0, /* call *to(%rip) */
		0x48, 0x83, 0xc4, 8, /* add $8, %rsp */
	};
	uint8_t *end = p + NATIVE_FAR_BYTES - sizeof(to);
	uint32_t distance;

	p = put_move(p, true, R14, countdown);
	for (unsigned n = 0; n < native_pins; n++)
		p = put_move(p, true, pin_host[n], x + native_pinned[n] * 8);
	memcpy(p, call, sizeof(call));
	distance = end - (p + 10);
	memcpy(p + 6, &distance, sizeof(distance));
	p = put_move(p + sizeof(call), false, R14, countdown);
	for (unsigned n = 0; n < native_pins; n++)
		p = put_move(p, false, pin_host[n], x + native_pinned[n] * 8);
	*p = 0xc3; /* ret */
	memcpy(end, &to, sizeof(to));
}

void native_move_pin(uint8_t *p, bool store, unsigned pin, unsigned offset)
{
	put_move(p, store, pin_host[pin], offset);
}

void native_pin(uint8_t *p, unsigned start, unsigned pin)
{
	uint8_t old[16], *to = p - start, modrm = 3 << 6 | (p[-1] & 7 << 3) | (pin_host[pin] & 7);
	unsigned prefixes = 0, rex = REX | pin_host[pin] >> 3;

	memcpy(old, to, start);
	while (old[prefixes] == 0xf2 || old[prefixes] == 0xf3)
		prefixes++;
	if ((old[prefixes] & 0xf0) == REX) {
		rex |= old[prefixes];
		memset(to, IGNORED, 4);
		memcpy(to + 4, old, start);
		to[4 + prefixes] = rex;
	} else {
		memset(to, IGNORED, 3);
		memcpy(to + 3, old, prefixes);
		to[3 + prefixes] = rex;
		memcpy(to + 4 + prefixes, old + prefixes, start - prefixes);
	}
	p[3] = modrm;
}

void native_wrote(void *at, size_t bytes)
{
	/* The instruction cache of x86-64 follows writes, also through another mapping. */
	(void)at;
	(void)bytes;
}

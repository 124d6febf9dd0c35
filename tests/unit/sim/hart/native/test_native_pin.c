// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_native_pin.c - which operands of x86-64's instructions can be registers (extract_x86.h), and
 * what native_pin makes of these instructions: bytes as an assembler writes them.
 */
#include <string.h>

#include "extract_x86.h"
#include "native_host.h"
#include "tap.h"

enum { BYTES_MAX = 12, IGNORED = 0x3e };

struct example {
	const char *text;
	uint8_t bytes;
	uint8_t insn[BYTES_MAX];
	uint8_t at, field; /* where a field begins, and what it is */
	uint8_t pinned[2][BYTES_MAX]; /* the same with rbp, with r15 */
};

static const struct example examples[] = {
	{ "mov d(%rbx), %rax",
	  7,
	  { 0x48, 0x8b, 0x83 },
	  3,
	  3,
	  { { IGNORED, IGNORED, IGNORED, IGNORED, 0x48, 0x8b, 0xc5 },
	    { IGNORED, IGNORED, IGNORED, IGNORED, 0x49, 0x8b, 0xc7 } } },
	{ "mov %rcx, d(%rbx)",
	  7,
	  { 0x48, 0x89, 0x8b },
	  3,
	  3,
	  { { IGNORED, IGNORED, IGNORED, IGNORED, 0x48, 0x89, 0xcd },
	    { IGNORED, IGNORED, IGNORED, IGNORED, 0x49, 0x89, 0xcf } } },
	{ "add d(%rbx), %r8",
	  7,
	  { 0x4c, 0x03, 0x83 },
	  3,
	  3,
	  { { IGNORED, IGNORED, IGNORED, IGNORED, 0x4c, 0x03, 0xc5 },
	    { IGNORED, IGNORED, IGNORED, IGNORED, 0x4d, 0x03, 0xc7 } } },
	{ "add d(%rbx), %eax",
	  6,
	  { 0x03, 0x83 },
	  2,
	  2,
	  { { IGNORED, IGNORED, IGNORED, 0x40, 0x03, 0xc5 },
	    { IGNORED, IGNORED, IGNORED, 0x41, 0x03, 0xc7 } } },
	{ "imul d(%rbx), %eax",
	  7,
	  { 0x0f, 0xaf, 0x83 },
	  3,
	  3,
	  { { IGNORED, IGNORED, IGNORED, 0x40, 0x0f, 0xaf, 0xc5 },
	    { IGNORED, IGNORED, IGNORED, 0x41, 0x0f, 0xaf, 0xc7 } } },
	/* With REX: 0f b6 c5 would be ch. */
	{ "movzbl d(%rbx), %eax",
	  7,
	  { 0x0f, 0xb6, 0x83 },
	  3,
	  3,
	  { { IGNORED, IGNORED, IGNORED, 0x40, 0x0f, 0xb6, 0xc5 },
	    { IGNORED, IGNORED, IGNORED, 0x41, 0x0f, 0xb6, 0xc7 } } },
	{ "movq $0x12345678, d(%rbx)",
	  11,
	  { 0x48, 0xc7, 0x83, 0, 0, 0, 0, 0x78, 0x56, 0x34, 0x12 },
	  3,
	  3,
	  { { IGNORED, IGNORED, IGNORED, IGNORED, 0x48, 0xc7, 0xc5, 0x78, 0x56, 0x34, 0x12 },
	    { IGNORED, IGNORED, IGNORED, IGNORED, 0x49, 0xc7, 0xc7, 0x78, 0x56, 0x34, 0x12 } } },
	{ "addq $0x12345678, d(%rbx)",
	  11,
	  { 0x48, 0x81, 0x83, 0, 0, 0, 0, 0x78, 0x56, 0x34, 0x12 },
	  3,
	  3,
	  { { IGNORED, IGNORED, IGNORED, IGNORED, 0x48, 0x81, 0xc5, 0x78, 0x56, 0x34, 0x12 },
	    { IGNORED, IGNORED, IGNORED, IGNORED, 0x49, 0x81, 0xc7, 0x78, 0x56, 0x34, 0x12 } } },
	{ "cmpq $1, d(%rbx)",
	  8,
	  { 0x48, 0x83, 0xbb, 0, 0, 0, 0, 1 },
	  3,
	  3,
	  { { IGNORED, IGNORED, IGNORED, IGNORED, 0x48, 0x83, 0xfd, 1 },
	    { IGNORED, IGNORED, IGNORED, IGNORED, 0x49, 0x83, 0xff, 1 } } },
	{ "shl $1, %rax: 8 bits", 4, { 0x48, 0xc1, 0xe0, 1 }, 3, X86_FIELD, { { 0 } } },
	{ "its immediate operand", 11, { 0x48, 0xc7, 0x83 }, 7, X86_FIELD, { { 0 } } },
	{ "cmpl $1, d(%rbx), which only reads",
	  7,
	  { 0x83, 0xbb, 0, 0, 0, 0, 1 },
	  2,
	  2,
	  { { IGNORED, IGNORED, IGNORED, 0x40, 0x83, 0xfd, 1 },
	    { IGNORED, IGNORED, IGNORED, 0x41, 0x83, 0xff, 1 } } },
	{ "addl $1, d(%rbx), which writes 32 bits",
	  7,
	  { 0x83, 0x83, 0, 0, 0, 0, 1 },
	  2,
	  X86_FIELD,
	  { { 0 } } },
	{ "add %eax, d(%rbx), which writes 32 bits", 6, { 0x01, 0x83 }, 2, X86_FIELD, { { 0 } } },
	{ "mov %al, d(%rbx)", 6, { 0x88, 0x83 }, 2, X86_FIELD, { { 0 } } },
	{ "mov d(%rbx), %ax", 7, { 0x66, 0x8b, 0x83 }, 3, X86_FIELD, { { 0 } } },
	{ "lea d(%rbx), %rax", 7, { 0x48, 0x8d, 0x83 }, 3, X86_FIELD, { { 0 } } },
	{ "mov d(%r11), %rax", 7, { 0x49, 0x8b, 0x83 }, 3, X86_FIELD, { { 0 } } },
	{ "mov d(%rax), %rax", 7, { 0x48, 0x8b, 0x80 }, 3, X86_FIELD, { { 0 } } },
	{ "mov d(%rbx,%rdx,8), %rax", 8, { 0x48, 0x8b, 0x84, 0xd3 }, 4, X86_FIELD, { { 0 } } },
	{ "mov $d, %rax", 7, { 0x48, 0xc7, 0xc0 }, 3, X86_FIELD, { { 0 } } },
	{ "call d", 5, { 0xe8 }, 1, X86_FIELD, { { 0 } } },
	{ "je d", 6, { 0x0f, 0x84 }, 2, X86_FIELD, { { 0 } } },
	{ "test $d, %eax", 5, { 0xa9 }, 1, X86_FIELD, { { 0 } } },
	{ "testl $d, d(%rbx)", 10, { 0xf7, 0x83 }, 6, X86_FIELD, { { 0 } } },
};

static void operands(void)
{
	is(native_pins, TAP_NR(examples[0].pinned));
	for (unsigned n = 0; n < TAP_NR(examples); n++) {
		const struct example *e = &examples[n];
		uint8_t field[BYTES_MAX], code[BYTES_MAX];

		tap_context("%s", e->text);
		ok(x86_find_fields(e->insn, e->bytes, field));
		is(field[e->at], e->field);
		for (unsigned pin = 0; pin < native_pins && e->field != X86_FIELD; pin++) {
			memcpy(code, e->insn, e->bytes);
			native_pin(&code[e->at], e->field, pin);
			ok(!memcmp(code, e->pinned[pin], e->bytes));
		}
	}
}

/* Code of which the last instruction is cut off, at each byte. */
static void cut(void)
{
	for (unsigned n = 0; n < TAP_NR(examples); n++) {
		uint8_t field[2 * BYTES_MAX], code[2 * BYTES_MAX] = { 0 };

		tap_context("%s", examples[n].text);
		memcpy(code, examples[n].insn, examples[n].bytes);
		for (unsigned bytes = 1; bytes < examples[n].bytes; bytes++)
			ok(!x86_find_fields(code, bytes, field));
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "operands that can be registers", operands },
		{ "an instruction that is cut off", cut },
	};

	return tap_run(cases, TAP_NR(cases));
}

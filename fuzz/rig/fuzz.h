/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz.h - what all fuzz targets use: reading an input, and checking what must hold.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An input that is read from its start.  Reads after its end return zeros. */
struct input {
	const uint8_t *at, *end;
};

static inline uint8_t input_byte(struct input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

static inline uint64_t input_bytes(struct input *in, unsigned n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | input_byte(in);
	return value;
}

/* Checks a condition that must hold for every input; aborts if it does not. */
#define must(condition) fuzz_must(condition, __FILE__, __LINE__, #condition)

static inline void fuzz_must(int condition, const char *file, int line, const char *what)
{
	if (condition)
		return;
	printf("# %s:%d: must hold: %s (input %s)\n", file, line, what,
	       getenv("FUZZ_INPUT") ? getenv("FUZZ_INPUT") : "not from a file");
	fflush(stdout);
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

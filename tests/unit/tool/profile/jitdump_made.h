/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jitdump_made.h - a jitdump file of RISC-V code (jitdump.h), made by hand.
 */
#ifndef JITDUMP_MADE_H
#define JITDUMP_MADE_H

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The header; the caller adds functions and closes the file. */
static inline FILE *jitdump_create(const char *path)
{
	static const uint32_t header[] = { 0x4a695444, 1, 40, EM_RISCV, 0, 7, 0, 0, 0, 0 };
	FILE *f = fopen(path, "w");

	fwrite(header, sizeof(header), 1, f);
	return f;
}

/* A function of len bytes of code.  Returns the offset of the code in the file. */
static inline uint64_t jitdump_add(FILE *f, const char *name, uint64_t addr, const void *code,
				   uint32_t len)
{
	const struct {
		uint32_t id, size;
		uint64_t time;
		uint32_t pid, tid;
		uint64_t vma, addr, len, index;
	} load = { 0, 56 + (uint32_t)strlen(name) + 1 + len, 2, 7, 7, addr, addr, len, 1 };
	uint64_t at;

	fwrite(&load, 56, 1, f);
	fwrite(name, strlen(name) + 1, 1, f);
	at = (uint64_t)ftell(f);
	fwrite(code, len, 1, f);
	return at;
}

#endif

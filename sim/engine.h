/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * engine.h - what the engine executes beyond the instructions of the manual, and block.c's memory.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "isa.h"

struct machine;

/* Operations of struct insn beyond enum isa_insn. */
enum engine_op {
	ENGINE_END = ISA_NR, /* behind the last instruction of a block */
	ENGINE_ILLEGAL,
	ENGINE_OP_NR,
};

/* block.c's memory */
bool block_cache_create(struct machine *m);
void block_cache_destroy(struct machine *m);
uint64_t block_cache_bytes(const struct machine *m);

#endif

// SPDX-License-Identifier: BSD-2-Clause
/*
 * engine.c - the engine of harts without models: each instruction takes one cycle.
 *
 *	engine_body.h + timed == false	->  engine_run
 */
#include <stdbool.h>

static const bool timed;
#define ENGINE_RUN   engine_run
#define ENGINE(name) plain_##name
#include "engine_body.h"

#include "stencil_plain.inc"

const struct native_stencils plain_stencils = {
	.bytes = native_bytes,
	.reloc = native_reloc,
	.code = native_code,
	.routine = native_routine,
	.routines = sizeof(native_routine) / sizeof(native_routine[0]),
	.enter = NATIVE_ENTER,
	.call = native_call,
	.calls = sizeof(native_call) / sizeof(native_call[0]),
};

// SPDX-License-Identifier: BSD-2-Clause
/*
 * engine.c - the engine of harts without models: each instruction takes one cycle.
 *
 *	engine_body.h + timed == false	->  engine_run
 */
#include <stdbool.h>

static const bool timed;
#define ENGINE(name) plain_##name
#define ENGINE_RUN engine_run
#include "engine_body.h"

#include "stencil_plain.inc"

const struct native_stencils plain_stencils = NATIVE_STENCILS;

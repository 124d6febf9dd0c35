// SPDX-License-Identifier: BSD-2-Clause
/*
 * engine.c - the engine of harts without models: an instruction is a cycle (engine_body.h).
 */
#include <stdbool.h>

static const bool timed;
#define ENGINE_RUN engine_run
#include "engine_body.h"

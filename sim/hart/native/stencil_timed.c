// SPDX-License-Identifier: BSD-2-Clause
/*
 * stencil_timed.c - the stencils of the engine with models: engine_timed.c.  Compiled for extract.c, not linked.
 */
struct hart;
struct block_run;
#include <stdbool.h>

static const bool timed = true;
#define ENGINE(name) timed_##name
#include "stencil.h"

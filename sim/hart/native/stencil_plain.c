// SPDX-License-Identifier: BSD-2-Clause
/*
 * stencil_plain.c - the stencils of the engine without models: engine.c.  Compiled for extract.c, not linked.
 */
struct hart;
struct block_run;
#include <stdbool.h>

static const bool timed;
#define ENGINE(name) plain_##name
#include "stencil.h"

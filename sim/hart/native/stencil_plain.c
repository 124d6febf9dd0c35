// SPDX-License-Identifier: BSD-2-Clause
/*
 * stencil_plain.c - the stencils of the engine without models (engine.c).
 * It is compiled for extract.c, and not linked.
 */
#include <stdbool.h>

static const bool timed;
#define ENGINE(name) plain_##name
#include "stencil.h"

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_sweep.h - the command `holter sweep` (holter.h).
 */
#ifndef TOOL_SWEEP_CMD_SWEEP_H
#define TOOL_SWEEP_CMD_SWEEP_H

int cmd_sweep(int argc, char **argv);

#endif

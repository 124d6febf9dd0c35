/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cmd_doctor.h - the command `holter doctor` (holter.h).
 */
#ifndef TOOL_DOCTOR_CMD_DOCTOR_H
#define TOOL_DOCTOR_CMD_DOCTOR_H

int cmd_doctor(int argc, char **argv);

#endif

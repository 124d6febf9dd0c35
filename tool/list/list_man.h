/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * list_man.h - the manual page of events.
 */
#ifndef TOOL_LIST_MAN_H
#define TOOL_LIST_MAN_H

/* Prints holter-events(7). */
void list_man(void);

#endif

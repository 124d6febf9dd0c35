/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trace.h - the log that -d turns on.  The functions do nothing unless their category is on;
 * trace_insn and trace_pmu are called only then.
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include <stdbool.h>
#include <stdint.h>

struct hart;
struct insn;

void trace_insn(struct hart *h, uint64_t pc, const struct insn *i);
void trace_csr(struct hart *h, unsigned num, uint64_t old, uint64_t new);
void trace_trap(struct hart *h, bool interrupt, unsigned cause, uint64_t tval, unsigned to);
void trace_return(struct hart *h, const char *what);
void trace_pmu(struct hart *h, unsigned ctr, uint64_t value);
void trace_walk(struct hart *h, uint64_t va, unsigned access, uint64_t pte, bool ok);

#endif

// SPDX-License-Identifier: BSD-2-Clause
/* core_portme.h - what CoreMark (github.com/eembc/coremark, fetched by the user) asks of a port. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define HAS_FLOAT	  0
#define HAS_TIME_H	  0
#define USE_CLOCK	  0
#define HAS_STDIO	  0
#define HAS_PRINTF	  0
#define COMPILER_VERSION  ""
#define COMPILER_FLAGS	  ""
#define MEM_LOCATION	  ""
#define SEED_METHOD	  SEED_VOLATILE
#define MEM_METHOD	  MEM_STATIC
#define MULTITHREAD	  1
#define MAIN_HAS_NOARGC	  1
#define MAIN_HAS_NORETURN 0
#define PERFORMANCE_RUN	  1

typedef int16_t ee_s16;
typedef uint16_t ee_u16;
typedef int32_t ee_s32;
typedef uint8_t ee_u8;
typedef uint32_t ee_u32;
typedef uint64_t CORE_TICKS;
typedef uintptr_t ee_ptr_int;
typedef size_t ee_size_t;
typedef struct {
	ee_u8 portable_id;
} core_portable;

#define align_mem(x) (void *)(4 + (((ee_ptr_int)(x)-1) & ~3))

extern ee_u32 default_num_contexts;
void portable_init(core_portable *p, int *argc, char *argv[]);
void portable_fini(core_portable *p);
int ee_printf(const char *format, ...);

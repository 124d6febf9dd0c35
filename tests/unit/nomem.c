/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nomem.c - the allocator of nomem.h: the linker's --wrap puts these in front of the C library's.
 */
#include <sanitizer/common_interface_defs.h>

#include <errno.h>
#include <search.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "nomem.h"
#include "tap.h"

#define ALLOCATIONS_MAX 100000

static struct {
	unsigned at; /* which allocation fails; 0: none */
	unsigned made;
	bool later; /* those after it, too */
	bool failed;
	bool paused;
} nomem;

static bool fails(void)
{
	if (!nomem.at || nomem.paused)
		return false;
	nomem.made++;
	if (nomem.later ? nomem.made < nomem.at : nomem.made != nomem.at)
		return false;
	if (getenv("NOMEM_TRACE") && (unsigned)atoi(getenv("NOMEM_TRACE")) == nomem.made)
		__sanitizer_print_stack_trace();
	nomem.failed = true;
	errno = ENOMEM;
	return true;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__real_realloc(void *at, size_t size);
void *__wrap_realloc(void *at, size_t size);
void *__real_reallocarray(void *at, size_t nr, size_t size);
void *__wrap_reallocarray(void *at, size_t nr, size_t size);
char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__real_strndup(const char *text, size_t len);
char *__wrap_strndup(const char *text, size_t len);
FILE *__real_open_memstream(char **text, size_t *len);
FILE *__wrap_open_memstream(char **text, size_t *len);
ssize_t __real_getline(char **line, size_t *size, FILE *from);
ssize_t __wrap_getline(char **line, size_t *size, FILE *from);
ssize_t __real___getdelim(char **line, size_t *size, int end, FILE *from);
ssize_t __wrap___getdelim(char **line, size_t *size, int end, FILE *from);
char *__real_realpath(const char *path, char *to);
char *__wrap_realpath(const char *path, char *to);
void *__real_tsearch(const void *key, void **root, __compar_fn_t compare);
void *__wrap_tsearch(const void *key, void **root, __compar_fn_t compare);
int __wrap_asprintf(char **to, const char *format, ...);
int __real_vasprintf(char **to, const char *format, va_list args);
int __wrap_vasprintf(char **to, const char *format, va_list args);
void *__real_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset);
void *__real_mmap64(void *at, size_t len, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap64(void *at, size_t len, int prot, int flags, int fd, off_t offset);

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t nr, size_t size)
{
	return fails() ? NULL : __real_calloc(nr, size);
}

void *__wrap_realloc(void *at, size_t size)
{
	return fails() ? NULL : __real_realloc(at, size);
}

void *__wrap_reallocarray(void *at, size_t nr, size_t size)
{
	return fails() ? NULL : __real_reallocarray(at, nr, size);
}

char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t len)
{
	return fails() ? NULL : __real_strndup(text, len);
}

FILE *__wrap_open_memstream(char **text, size_t *len)
{
	return fails() ? NULL : __real_open_memstream(text, len);
}

FILE *nomem_stream(char **text, size_t *len)
{
	return __real_open_memstream(text, len);
}

/* Any line may be longer than those before it. */
ssize_t __wrap_getline(char **line, size_t *size, FILE *from)
{
	return fails() ? -1 : __real_getline(line, size, from);
}

/* getline()'s name where it is inlined. */
ssize_t __wrap___getdelim(char **line, size_t *size, int end, FILE *from)
{
	return fails() ? -1 : __real___getdelim(line, size, end, from);
}

char *__wrap_realpath(const char *path, char *to)
{
	return !to && fails() ? NULL : __real_realpath(path, to);
}

void *__wrap_tsearch(const void *key, void **root, __compar_fn_t compare)
{
	return fails() ? NULL : __real_tsearch(key, root, compare);
}

int __wrap_vasprintf(char **to, const char *format, va_list args)
{
	return fails() ? -1 : __real_vasprintf(to, format, args);
}

int __wrap_asprintf(char **to, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = __wrap_vasprintf(to, format, args);
	va_end(args);
	return len;
}

void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	return fails() ? MAP_FAILED : __real_mmap(at, len, prot, flags, fd, offset);
}

/* mmap's name where off_t has 64 bits. */
void *__wrap_mmap64(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	return fails() ? MAP_FAILED : __real_mmap64(at, len, prot, flags, fd, offset);
}

void nomem_pause(void)
{
	nomem.paused = true;
}

void nomem_resume(void)
{
	nomem.paused = false;
}

bool nomem_failed(void)
{
	return nomem.failed;
}

/* Returns how many allocations the run made in which none failed. */
static unsigned each(bool (*run)(void *arg), void *arg, enum nomem_rule rule, bool later)
{
	for (unsigned n = 1; n < ALLOCATIONS_MAX; n++) {
		bool good;

		nomem.at = n;
		nomem.later = later;
		nomem.made = 0;
		nomem.failed = nomem.paused = false;
		tap_context("allocation %u fails%s", n, later ? " and all after it" : "");
		good = run(arg);
		nomem.at = 0;
		if (!nomem.failed) {
			ok(good);
			tap_context("no allocation fails");
			return nomem.made;
		}
		ok(!good || rule == NOMEM_MAY_DO_WITHOUT);
	}
	ok(!"it ends");
	return 0;
}

unsigned nomem_each(bool (*run)(void *arg), void *arg, enum nomem_rule rule)
{
	unsigned nr = each(run, arg, rule, false);

	ok(nr > 0);
	is(each(run, arg, rule, true), nr);
	return nr;
}

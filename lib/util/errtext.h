/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * errtext.h - a text that tells the caller why a function has failed.
 *
 * A function that can fail takes a struct error_text.  It sets the text when it fails, and does not
 * change it otherwise.  The text is one line without a newline at its end.  The caller owns the
 * struct and makes it empty ({ "" }) before the call.
 */
#ifndef UTIL_ERRTEXT_H
#define UTIL_ERRTEXT_H

#include <stdarg.h>
#include <stdbool.h>

struct error_text {
	char text[4096 + 256]; /* a path and a sentence; a longer text is cut */
};

/* Sets the text as printf does.  e may be NULL.  Returns false, for `return error_set(...)`. */
__attribute__((format(printf, 2, 3))) bool error_set(struct error_text *e, const char *format, ...);
__attribute__((format(printf, 2, 0))) bool error_vset(struct error_text *e, const char *format,
						      va_list args);

#endif

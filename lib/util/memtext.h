/* SPDX-License-Identifier: BSD-2-Clause */
/* memtext.h - the text of a stream of open_memstream(3). */
#ifndef UTIL_MEMTEXT_H
#define UTIL_MEMTEXT_H

#include <stdio.h>
#include <stdlib.h>

/*
 * Closes a stream whose text is *text; NULL: it could not be opened.  Returns
 * the text, which the caller frees; NULL: there was no memory for all of it.
 */
static inline char *memtext_end(FILE *stream, char **text)
{
	if (!stream)
		return NULL;
	if (!fclose(stream))
		return *text;
	free(*text);
	return NULL;
}

#endif

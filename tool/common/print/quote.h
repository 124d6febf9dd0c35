/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quote.h - words for a shell.
 */
#ifndef TOOL_QUOTE_H
#define TOOL_QUOTE_H

#include <stdio.h>

/* Writes a word in quotes, which a shell reads as this word: 'it'\''s'. */
void quote_word(FILE *to, const char *word);

#endif

// SPDX-License-Identifier: BSD-2-Clause
/*
 * quote.c - words for a shell (quote.h).
 */
#include "quote.h"

void quote_word(FILE *to, const char *word)
{
	fputc('\'', to);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", to);
		else
			fputc(*word, to);
	}
	fputc('\'', to);
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * assembly.c - compares isa_assembly() with a listing of GNU objdump -d or -D on standard input.
 * Prints the instructions that differ, and at the end how many are the same, how many differ, and
 * how many only objdump knows.  tests/isa/assembly judges that.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <isa.h>

/* objdump's text as isa_assembly() writes it: a blank for TAB, without <names> and comments. */
static void tidy(char *text)
{
	char *to = text;

	text[strcspn(text, "<#\n")] = 0;
	for (char *s = text; *s; s++)
		*to++ = *s == '\t' ? ' ' : *s;
	while (to > text && to[-1] == ' ')
		to--;
	*to = 0;
}

/*
 * Whether objdump (2.38 to 2.40) leaves out the i of an immediate form: its "add" is our "addi",
 * which other releases print, too.
 */
static bool same_but_i(const char *theirs, const char *ours)
{
	size_t len = strcspn(theirs, " "), i;

	for (i = 0; i < len && theirs[i] == ours[i]; i++)
		;
	return ours[i] == 'i' && !strcmp(theirs + i, ours + i + 1);
}

/* Hints and reserved encodings, CSRs of extensions that we do not know. */
static bool only_theirs(const char *theirs, const char *ours)
{
	if (!strncmp(theirs, "add ", 4) && !strncmp(ours, "mv ", 3)) /* c.addi of 0 */
		return true;
	return *theirs == '.' || *ours == '.' || !strncmp(theirs, "c.", 2) ||
	       (!strncmp(ours, "csr", 3) && (strstr(ours, "0x") || strstr(theirs, "0x")));
}

int main(void)
{
	static struct isa_index index;
	unsigned long same = 0, differs = 0, unknown = 0;
	char line[512], ours[80];

	isa_index_init(&index);
	while (fgets(line, sizeof(line), stdin)) {
		char *at, *end;
		uint64_t pc = strtoull(line, &at, 16);
		uint32_t insn;

		if (at == line || at[0] != ':' || at[1] != '\t')
			continue;
		insn = strtoul(at + 2, &end, 16);
		if (end - at - 2 != (isa_length(insn) == 2 ? 4 : 8))
			continue; /* what objdump takes for data */
		end += strspn(end, " \t");
		tidy(end);
		isa_assembly(&index, insn, pc, ours, sizeof(ours));
		if (!strcmp(ours, end) || same_but_i(end, ours)) {
			same++;
		} else if (only_theirs(end, ours)) {
			unknown++;
		} else {
			differs++;
			printf("%" PRIx64 ": %08" PRIx32 ": '%s', not '%s'\n", pc, insn, end, ours);
		}
	}
	printf("%lu same, %lu differ, %lu unknown\n", same, differs, unknown);
	return 0;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * list_man.c - holter-events(7), made from the one list of events (event_list.h), as mdoc(7).
 */
#include <stdio.h>
#include <string.h>

#include "event_list.h"
#include "list_man.h"

static const char head[] = ".\\\" SPDX-License-Identifier: BSD-2-Clause\n"
			   ".\\\" Printed by holter list --man.\n"
			   ".Dd November 21, 2026\n"
			   ".Dt HOLTER-EVENTS 7\n"
			   ".Os\n"
			   ".Sh NAME\n"
			   ".Nm holter-events\n"
			   ".Nd events that are counted by name\n"
			   ".Sh DESCRIPTION\n"
			   "The commands of\n"
			   ".Xr holter 1\n"
			   "and programs that use\n"
			   ".Xr pmc 3\n"
			   "choose what is counted by these names.\n"
			   "They are the same on every machine; what a machine counts of them,\n"
			   ".Xr holter-list 1\n"
			   "finds out.\n"
			   "On RISC-V the firmware says which hardware counters count which event, "
			   "so that no name here\n"
			   "belongs to a CPU.\n"
			   ".Pp\n"
			   "In names, case does not count, and space, period, underscore and "
			   "hyphen are one character.\n"
			   "After a name, separated by commas, there may be qualifiers:\n"
			   ".Cm usr\n"
			   "counts in user mode alone,\n"
			   ".Cm os\n"
			   "in the kernel alone, and\n"
			   ".Cm multiplex\n"
			   "lets the event take turns on counters with others.\n"
			   ".Pp\n"
			   "The number after a name is the event_idx of the SBI, with which Linux "
			   "asks the firmware for\n"
			   "a counter.\n";

static const char tail[] =
	".Sh SEE ALSO\n"
	".Xr holter 1 ,\n"
	".Xr holter-list 1 ,\n"
	".Xr holter-stat 1 ,\n"
	".Xr pmc 3 ,\n"
	".Xr holter-cpu 7 ,\n"
	".Xr holter-model 7\n"
	".Sh STANDARDS\n"
	"RISC-V Supervisor Binary Interface Specification, version 3.0, chapter 11.\n";

static const struct {
	const char *title, *text;
} part[LIST_KINDS] = {
	[LIST_GENERAL] = { "Hardware general events",
			   "What most processors count (SBI 3.0, section 11.1).\n"
			   "The meanings are the specification's; how exactly a processor takes "
			   "them,\n"
			   "its manual says.\n" },
	[LIST_CACHE] = { "Hardware cache events",
			 "A cache, an operation on it, and whether all of them or those that miss\n"
			 "(SBI 3.0, section 11.2).\n" },
	[LIST_FIRMWARE] = { "Firmware events",
			    "What the firmware counts of its own work (SBI 3.0, section 11.5).\n"
			    "They cannot be sampled, and count in all modes together.\n" },
	[LIST_SOFT] = { "Events of the kernel",
			"What Linux counts without a hardware counter, on every machine.\n" },
};

static const char numbers[] = ".Ss Events by number\n"
			      ".Bl -tag -width platform=N\n"
			      ".It Ic raw= Ns Ar N , Ic r Ns Ar HEX\n"
			      "a raw event of the CPU, of 56 bits (SBI 3.0, sections 11.3 and "
			      "11.4): what its manual says\n"
			      "is written to mhpmevent; for CPUs that are described,\n"
			      ".Ql holter cpu Ar NAME\n"
			      "shows them; those to which a machine's device tree gives names,\n"
			      ".Xr holter-list 1\n"
			      "shows there\n"
			      ".It Ic fw= Ns Ar N\n"
			      "a firmware event by its code, 0 to 65534\n"
			      ".It Ic platform= Ns Ar N\n"
			      "an event of the platform's firmware, of 62 bits\n"
			      ".El\n";

static void aliases(const char *text)
{
	fputs("Also called", stdout);
	for (size_t len; *text; text += len + (text[len] == ' ')) {
		len = strcspn(text, " ");
		printf("\n.Ic %.*s%s", (int)len, text, text[len] ? " ," : " .");
	}
	putchar('\n');
}

/* A capital first and a period last. */
static void sentence(const char *text)
{
	printf("%c%s.\n", *text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text, text + 1);
}

static void event(const struct list_event *e)
{
	printf(".It Ic %s", e->name);
	if (e->kind != LIST_SOFT)
		printf(" Pq 0x%x", e->code);
	putchar('\n');
	sentence(e->text);
	if (e->aliases[0])
		aliases(e->aliases);
}

void list_man(void)
{
	int kind = -1;
	struct list_event e;

	fputs(head, stdout);
	for (unsigned n = 0; list_event(n, &e) && e.kind != LIST_CPU; n++) {
		if ((int)e.kind != kind) {
			if (kind >= 0)
				puts(".El");
			kind = (int)e.kind;
			printf(".Ss %s\n%s.Bl -tag -width Ds\n", part[kind].title, part[kind].text);
		}
		event(&e);
	}
	printf(".El\n%s%s", numbers, tail);
}

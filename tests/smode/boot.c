// SPDX-License-Identifier: BSD-2-Clause
/*
 * boot.c - the payload of tests/smode/boot: prints the hart on which it starts and the harts that
 * it can start, and accesses the edges of regions that belong to the firmware only, on every hart.
 *
 * Boot arguments, N from 0: lowN and highN are the first byte of a region and the first byte after
 * it. outN says which neighbours are memory: 1 the byte before the region, 2 the byte after it.
 * wordN=1: the region contains registers that allow word accesses only.  All are decimal.
 */
#include "rt.h"

struct region {
	rv_ulong low, high;
	unsigned out;
	bool word;
	unsigned wrong; /* number of bytes that are wrong */
	rv_ulong which; /* the address of one of them */
};

static void check(struct region *r, rv_ulong addr, bool open)
{
	rv_long load = r->word ? rt_try_load(addr) : rt_try_load_byte(addr);
	rv_long store = r->word ? rt_try_store(addr, 0) : rt_try_store_byte(addr, 0);

	if (load != (open ? RT_NO_TRAP : CAUSE_LOAD_ACCESS) ||
	    store != (open ? RT_NO_TRAP : CAUSE_STORE_ACCESS)) {
		r->wrong++;
		r->which = addr;
	}
}

static void edges(void *arg)
{
	struct region *r = arg;

	check(r, r->low, false);
	check(r, r->high - (r->word ? 4 : 1), false);
	if (!(r->low & 3) && rt_try_exec(r->low) != CAUSE_FETCH_ACCESS)
		r->wrong++;
	if (r->out & 1)
		check(r, r->low - 1, true);
	if (r->out & 2)
		check(r, r->high, true);
}

/* The number after the word key followed by n. */
static unsigned arg(const char *key, unsigned n)
{
	char name[8];
	unsigned i;

	for (i = 0; key[i]; i++)
		name[i] = key[i];
	name[i++] = (char)('0' + n);
	name[i] = '\0';
	return rt_arg(name, 0);
}

void main_payload(void)
{
	struct region r;
	unsigned i, n;

	harts_start();
	out("BOOT hart %lu, harts", (unsigned long)rt_boot.hartid);
	for (i = 0; i < rt_nr_harts; i++)
		out(" %lu", (unsigned long)rt_harts[i].id);
	out("\n");
	for (n = 0; arg("high", n); n++) {
		r = (struct region){
			arg("low", n), arg("high", n), arg("out", n), arg("word", n), 0, 0
		};
		edges(&r);
		for (i = 1; i < rt_nr_harts; i++) {
			if (!hart_do(i, edges, &r))
				r.wrong++;
		}
		out("REGION %u ", n);
		if (r.wrong)
			out("%u wrong, one is 0x%lx\n", r.wrong, (unsigned long)r.which);
		else
			out("closed\n");
	}
	out("DONE\n");
}

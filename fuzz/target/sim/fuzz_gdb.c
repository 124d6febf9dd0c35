// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_gdb.c - a hostile gdb: packets with any content for a small machine with two harts.
 *
 * If the first byte is odd, the rest are the bytes of the connection.  If it is even, each line of
 * the rest becomes a packet.  Whenever gdb lets the machine run, it runs for some microseconds of
 * guest time, and then stops as by Ctrl-C.
 */
#include "csr.h"
#include "fuzz.h"
#include "gdb.h"
#include "rig.h"

#define RUN_NS 20000

/* What the stub has sent since the last check. */
struct replies {
	char text[1 << 18];
	size_t len;
};

static void take(void *opaque, const void *data, size_t len)
{
	struct replies *r = opaque;

	must(len <= sizeof(r->text) - r->len);
	memcpy(r->text + r->len, data, len);
	r->len += len;
}

static void stats(const struct machine *m, FILE *to)
{
	fprintf(to, "%u", m->cl.harts);
}

static struct machine *small_machine(void)
{
	struct machine_options o = { .harts = 2, .memory = 2 << 20, .quantum = 1000 };
	struct machine *m = rig_create(&o);

	for (unsigned n = 0; n < 2; n++) {
		m->cl.hart[n]->x[S0] = RIG_DATA;
		csr_write(m->cl.hart[n], CSR_MTVEC, RAM_BASE + 16);
	}
	RIG_CODE(m, RAM_BASE, ld(A0, 0, S0), addi(A0, A0, 1), sd(A0, 0, S0), bnez(A0, -12),
		 csrr(A1, CSR_MEPC), addi(A1, A1, 4), csrw(CSR_MEPC, A1), MRET);
	return m;
}

static void enough(void *arg)
{
	debug_ask(arg);
}

static void run(struct gdb *g, struct machine *m)
{
	m->board.wake_at(m, m->now + RUN_NS, enough, m);
	machine_run(m);
	gdb_stopped(g);
	must(gdb_state(g) == GDB_STANDS);
}

/* Checks for packets with right checksums, and acknowledgements between them.  Returns how many. */
static unsigned check_replies(const struct replies *r)
{
	unsigned nr = 0;

	for (size_t at = 0; at < r->len; at++) {
		uint8_t sum = 0;
		char want[4];

		if (r->text[at] == '+' || r->text[at] == '-')
			continue;
		must(r->text[at++] == '$');
		for (; at < r->len && r->text[at] != '#'; at++) {
			must(r->text[at] != '$');
			sum += (uint8_t)r->text[at];
		}
		must(at + 3 <= r->len);
		snprintf(want, sizeof(want), "#%02x", sum);
		must(!memcmp(r->text + at, want, 3));
		at += 2;
		nr++;
	}
	return nr;
}

static void check_machine(const struct machine *m)
{
	must(m->debug.points <= DEBUG_POINTS);
	must(!m->current);
	for (unsigned n = 0; n < m->cl.harts; n++) {
		must(m->cl.hart[n]->x[0] == 0);
		must(m->cl.hart[n]->mode != 2);
		must(!(m->cl.hart[n]->pc & 1));
	}
}

/* Sends a line as a packet.  The stub must reply, unless the packet runs or kills the machine. */
static void line(struct gdb *g, struct machine *m, struct replies *r, const uint8_t *text,
		 size_t len)
{
	r->len = 0;
	gdb_receive(g, "$", 1);
	gdb_receive(g, text, len);
	gdb_receive(g, "#00", 3);
	if (!memchr(text, '#', len) && gdb_state(g) == GDB_STANDS)
		must(check_replies(r) > 0);
	if (gdb_state(g) == GDB_RUNS)
		run(g, m);
	check_replies(r);
	check_machine(m);
}

static void lines(struct gdb *g, struct machine *m, struct replies *r, struct input *in)
{
	gdb_receive(g, "$QStartNoAckMode#b0", 19);
	while (in->at < in->end && gdb_state(g) == GDB_STANDS) {
		const uint8_t *end = memchr(in->at, '\n', in->end - in->at);

		if (!end)
			end = in->end;
		line(g, m, r, in->at, end - in->at);
		in->at = end + (end < in->end);
	}
}

static void bytes(struct gdb *g, struct machine *m, struct replies *r, struct input *in)
{
	while (in->at < in->end && gdb_state(g) != GDB_KILLED) {
		char c = (char)input_byte(in);

		r->len = 0;
		gdb_receive(g, &c, 1);
		if (gdb_state(g) == GDB_RUNS)
			run(g, m);
		check_replies(r);
		check_machine(m);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct replies replies;
	const struct gdb_host host = { &replies, take, stats };
	struct input in = { data, data + size };
	struct machine *m = small_machine();
	struct gdb *g = gdb_create(m, &host);

	replies.len = 0;
	if (input_byte(&in) & 1)
		bytes(g, m, &replies, &in);
	else
		lines(g, m, &replies, &in);
	gdb_destroy(g);
	machine_destroy(m);
	return 0;
}

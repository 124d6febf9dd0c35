// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_gdb.c - gdb's remote protocol as strings.
 */
#include "access.h"
#include "csr.h"
#include "gdb_talk.h"

#define S2 18

#define PTE_LEAF 0xcf /* V R W X A D */

static uint64_t number(const char *hex)
{
	uint64_t value = 0;

	for (unsigned n = 8; n--;) {
		unsigned byte = 0;

		if (sscanf(hex + 2 * n, "%2x", &byte) != 1)
			return 0xbad;
		value = value << 8 | byte;
	}
	return value;
}

static uint64_t reg(struct talk *t, unsigned num)
{
	char text[16];

	snprintf(text, sizeof(text), "p%x", num);
	return number(say(t, text));
}

#define PC 32

static void frames(void)
{
	struct talk *t = talk_to(rig_create(NULL));
	char long_one[0x4100];

	send_bytes(t, "$qC#b4", 6);
	is_str(t->got, "+$QC1#c5");
	send_bytes(t, "-", 1);
	is_str(t->got, "$QC1#c5");
	send_bytes(t, "$qC#b5", 6);
	is_str(t->got, "-");
	/* one byte at a time, with noise before it */
	send_bytes(t, "++zz\3$q", 7);
	is_str(t->got, "");
	send_bytes(t, "C#b4", 4);
	is_str(t->got, "+$QC1#c5");
	is_str(say(t, "wonder"), "");
	is_str(say(t, ""), "");
	memset(long_one, '1', sizeof(long_one));
	long_one[0] = 'm';
	send_packet(t, long_one, sizeof(long_one));
	is_str(t->got, "+$E16#ac");
	is_str(say(t, "QStartNoAckMode"), "OK");
	send_bytes(t, "$qC#00", 6);
	is_str(t->got, "$QC1#c5");
	gdb_attach(t->g);
	is_str(say(t, "qC"), "QC1");
	talk_end(t);
}

static void queries(void)
{
	struct machine_options o = { .harts = 3 };
	struct talk *t = talk_to(rig_create(&o));
	char whole[40000] = "", text[60];
	const char *part;
	size_t at = 0;
	bool more;

	is_str(say(t, "qSupported:multiprocess+;swbreak+;xmlRegisters=i386"),
	       "PacketSize=4000;qXfer:features:read+;swbreak+;hwbreak+;vContSupported+;"
	       "QStartNoAckMode+");
	is_str(say(t, "qfThreadInfo"), "m1,2,3");
	is_str(say(t, "qsThreadInfo"), "l");
	is_str(say(t, "T3"), "OK");
	is_str(say(t, "T4"), "E16");
	is_str(say(t, "Hg2"), "OK");
	is_str(say(t, "Hg0"), "OK");
	is_str(say(t, "qC"), "QC2");
	is_str(say(t, "Hg4"), "E16");
	is_str(say(t, "Hx1"), "E16");
	t->m->cl.hart[2]->idle = true;
	/* "hart 2, M-mode, waits (wfi)" */
	is_str(say(t, "qThreadExtraInfo,3"), "6861727420322c204d2d6d6f64652c20776169747320287766692"
					     "9");
	is_str(say(t, "qAttached"), "1");
	is_str(say(t, "vMustReplyEmpty"), "");
	is_str(say(t, "vCont?"), "vCont;c;C;s;S;t");
	is_str(say(t, "?"), "T05thread:2;");
	/* the description, in pieces */
	do {
		snprintf(text, sizeof(text), "qXfer:features:read:target.xml:%zx,123", at);
		part = say(t, text);
		more = *part == 'm';
		ok(more || *part == 'l');
		at += snprintf(whole + at, sizeof(whole) - at, "%s", *part ? part + 1 : "");
	} while (more && at < sizeof(whole) - 1000);
	ok(strstr(whole, "<?xml") == whole);
	is_str(whole + at - 9, "</target>");
	ok(strstr(whole, "\"mhpmevent31\" bitsize=\"64\" regnum=\"896\""));
	ok(strstr(whole, "\"pmpaddr15\""));
	ok(strstr(whole, "\"scountovf\""));
	ok(!strstr(whole, "stateen")); /* there is no Smstateen here */
	snprintf(text, sizeof(text), "qXfer:features:read:target.xml:%zx,1", at);
	is_str(say(t, text), "l");
	is_str(say(t, "qXfer:features:read:target.xml:ffffffff,1"), "E16");
	is_str(say(t, "qXfer:features:read:other.xml:0,1"), "E16");
	talk_end(t);
}

static void registers(void)
{
	struct talk *t = talk_to(rig_create(NULL));
	struct hart *h = t->m->cl.hart[0];
	const char *all;
	char text[600];

	h->x[A0] = 0x1122334455667788;
	is_str(say(t, "pa"), "8877665544332211");
	is_str(say(t, "Pb=0100000000000080"), "OK");
	is(h->x[A1], 0x8000000000000001);
	all = say(t, "g");
	is(strlen(all), 33 * 16);
	is(number(all + 10 * 16), h->x[A0]);
	is(number(all + PC * 16), RAM_BASE);
	snprintf(text, sizeof(text), "G%s", all);
	memcpy(text + 1, "ffffffffffffffff", 16); /* x0 */
	memcpy(text + 1 + 12 * 16, "2a00000000000000", 16);
	is_str(say(t, text), "OK");
	is(h->x[0], 0);
	is(h->x[A2], 42);
	text[100] = 0;
	is_str(say(t, text), "E16");
	/* pc: the hart continues there, even if it was waiting */
	h->idle = true;
	is_str(say(t, "P20=0100008000000000"), "OK");
	is(h->pc, RAM_BASE);
	ok(!h->idle);
	/* floating point dirties mstatus.FS, unless it is off */
	is_str(say(t, "P21=0100000000000000"), "OK");
	is(h->mstatus & MSTATUS_FS, 0);
	h->mstatus |= MSTATUS_FS & -MSTATUS_FS;
	is_str(say(t, "P40=0200000000000000"), "OK");
	is(h->f[31], 2);
	is(h->mstatus & MSTATUS_FS, MSTATUS_FS);
	/* CSRs: those that exist, with their rules; priv */
	is(reg(t, 65 + CSR_MISA) >> 62, 2);
	snprintf(text, sizeof(text), "P%x=ff00000000000000", 65 + CSR_MSCRATCH);
	is_str(say(t, text), "OK");
	is(h->mscratch, 255);
	snprintf(text, sizeof(text), "P%x=ff00000000000000", 65 + CSR_MHARTID);
	is_str(say(t, text), "E01");
	snprintf(text, sizeof(text), "p%x", 65 + 0x7ff);
	is_str(say(t, text), "E16");
	is_str(say(t, "p1041"), "0300000000000000");
	is_str(say(t, "P1041=0100000000000000"), "OK");
	is(h->mode, PRV_S);
	is_str(say(t, "P1041=0200000000000000"), "E01");
	is_str(say(t, "p1042"), "E16");
	is_str(say(t, "pffffffffffffffff"), "E16");
	is_str(say(t, "p11111111111111111"), "E16");
	is_str(say(t, "P5=12"), "E16");
	talk_end(t);
}

static void memory(void)
{
	struct talk *t = talk_to(rig_create(NULL));
	struct machine *m = t->m;
	uint8_t *data = cluster_ram(&m->cl, RIG_DATA, 16);
	char text[100];

	is_str(say(t, "M80100000,4:01ab02cd"), "OK");
	is(data[1], 0xab);
	is_str(say(t, "m80100000,5"), "01ab02cd00");
	send_packet(t, "X80100000,5:a}\3}]b\0", 18 + 1);
	is_str(t->got, "+$OK#9a");
	ok(!memcmp(data, "a#}b\0", 5));
	is_str(say(t, "X80100000,0:"), "OK");
	is_str(say(t, "X80100000,2:a"), "E16");
	is_str(say(t, "M80100000,2:a"), "E16");
	is_str(say(t, "m80100000,0"), "");
	is_str(say(t, "m80100000"), "E16");
	is_str(say(t, "m80100000,10000"), "E16");
	/* the end of RAM: what there is */
	is(strlen(say(t, "m80fffffe,8")), 4);
	is_str(say(t, "m81000000,8"), "E0e");
	is_str(say(t, "Mfffffffffffffffe,4:01020304"), "E0e");
	/* ROM can be read; devices are not accessed */
	m->rom[3] = 7;
	is_str(say(t, "m1003,1"), "07");
	is_str(say(t, "M1003,1:08"), "E0e");
	snprintf(text, sizeof(text), "m%llx,1", (unsigned long long)SERIAL_BASE);
	is_str(say(t, text), "E0e");
	/* code that has run is decoded again */
	RIG_CODE(m, RAM_BASE, addi(A0, A0, 1), END);
	rig_run(m, 100);
	m->cl.hart[0]->pc = RAM_BASE;
	is_str(say(t, "M80000000,4:13055506"), "OK"); /* addi a0, a0, 101 */
	rig_run(m, 100);
	is(m->cl.hart[0]->x[A0], 102);
	talk_end(t);
}

/* gdb's reads from a paged hart change no counter, TLB or page table. */
static void translation(void)
{
	struct talk *t = talk_to(rig_create(NULL));
	struct machine *m = t->m;
	struct hart *h = m->cl.hart[0];
	uint64_t *root = cluster_ram(&m->cl, RAM_BASE + 0x10000, 4096);
	uint64_t *mid = cluster_ram(&m->cl, RAM_BASE + 0x11000, 4096);
	uint64_t *leaf = cluster_ram(&m->cl, RAM_BASE + 0x12000, 4096);
	struct hart *before = malloc(sizeof(*h));
	static const uint64_t va = 0xffffffc000001000;

	root[256] = (RAM_BASE + 0x11000) >> 2 | 1;
	mid[0] = (RAM_BASE + 0x12000) >> 2 | 1;
	leaf[1] = RIG_DATA >> 2 | 0x3; /* V R: no A, no D, not writable */
	csr_write(h, CSR_SATP,
		  (uint64_t)SATP64_MODE_SV39 << 60 | (RAM_BASE + 0x10000) >> PAGE_SHIFT);
	is_str(say(t, "mffffffc000001000,2"), "E0e"); /* M-mode: physical */
	rig_set_mode(h, PRV_S);
	memcpy(before, h, sizeof(*h));
	is_str(say(t, "mffffffc000001000,2"), "0000");
	is_str(say(t, "Mffffffc000001ffe,2:1234"), "OK");
	is(((uint8_t *)cluster_ram(&m->cl, RIG_DATA, 4096))[0xfff], 0x34);
	is_str(say(t, "mffffffc000001ffe,8"), "1234"); /* the next page is not there */
	is_str(say(t, "m80100000,1"), "E0e");
	is_str(say(t, "mc000001000,1"), "E0e"); /* not canonical */
	ok(!memcmp(before, h, sizeof(*h)));
	is(leaf[1], RIG_DATA >> 2 | 0x3);
	/* the hart uses what the TLB holds, even if it is stale */
	leaf[1] = RIG_DATA >> 2 | PTE_LEAF;
	for (unsigned n = 0; n < PMP_NR; n++)
		h->pmpaddr[n] = UINT64_MAX >> 10;
	h->pmpcfg[0] = PMP_R | PMP_W | PMP_X | PMP_NAPOT;
	pmp_changed(h);
	ok(access_load(h, va, 8, &before->now));
	leaf[1] = 0;
	is(strlen(say(t, "mffffffc000001000,2")), 4);
	free(before);
	talk_end(t);
}

/* A loop of A0 turns on both harts: A1 += A0. */
static void put_loop(struct machine *m)
{
	RIG_CODE(m, RAM_BASE, addi(A0, ZERO, 5), r_type(0x33, A1, A1, A0), addi(A0, A0, -1),
		 bnez(A0, -8), END, jal(ZERO, 0));
}

static void breakpoints(void)
{
	struct machine_options o = { .harts = 2 };
	struct talk *t = talk_to(rig_create(&o));
	struct machine *m = t->m;
	char text[40];

	put_loop(m);
	say(t, "qSupported:swbreak+;hwbreak+");
	is_str(say(t, "Z0,80000008,4"), "OK");
	is_str(say(t, "Z0,80000008,4"), "OK");
	is(m->debug.points, 1);
	is_str(say(t, "vCont;c"), "T05swbreak:;thread:1;");
	is(m->cl.hart[0]->pc, RAM_BASE + 8);
	is(m->cl.hart[0]->x[A1], 5);
	is(m->cl.hart[1]->pc, RAM_BASE);
	/* continuing at a breakpoint goes nowhere; gdb removes it, steps, and inserts it again */
	is_str(say(t, "c"), "T05swbreak:;thread:1;");
	is_str(say(t, "z0,80000008,4"), "OK");
	is_str(say(t, "vCont;s:1"), "T05thread:1;");
	is(m->cl.hart[0]->x[A0], 4);
	is_str(say(t, "Z1,80000008,4"), "OK");
	is_str(say(t, "vCont;c"), "T05hwbreak:;thread:1;");
	is(m->cl.hart[0]->x[A1], 9);
	/* the other hart reaches it, too, while the first is stopped */
	is_str(say(t, "vCont;c:2"), "T05hwbreak:;thread:2;");
	is(m->cl.hart[1]->pc, RAM_BASE + 8);
	is(m->cl.hart[0]->x[A0], 4);
	is_str(say(t, "z1,80000008,4"), "OK");
	is_str(say(t, "z1,80000008,4"), "OK");
	is(m->debug.points, 0);
	ok(!m->cl.debugged);
	/* both reach their wfi, and then nothing can happen */
	is_str(say(t, "c"), "W01");
	is(m->cl.hart[1]->x[A1], 15);

	for (unsigned n = 0; n < DEBUG_POINTS; n++) {
		snprintf(text, sizeof(text), "Z0,%x,2", n);
		is_str(say(t, text), "OK");
	}
	is_str(say(t, "Z0,5000,2"), "E1c");
	is_str(say(t, "Z5,5000,2"), "");
	is_str(say(t, "Z2,5000"), "E16");
	talk_end(t);
}

static void steps(void)
{
	struct machine_options o = { .harts = 2 };
	struct talk *t = talk_to(rig_create(&o));
	struct machine *m = t->m;
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, RAM_BASE, addi(A0, A0, 1), ECALL, jal(ZERO, 0));
	RIG_CODE(m, RAM_BASE + 0x100, END, addi(A0, A0, 1));
	csr_write(h, CSR_MTVEC, RAM_BASE + 0x100);
	is_str(say(t, "s"), "T05thread:1;");
	is(h->pc, RAM_BASE + 4);
	is(pmu_read(h, COUNTER_IR), 1);
	is(m->cl.hart[1]->pc, RAM_BASE); /* alone */
	is_str(say(t, "vCont;s:1"), "T05thread:1;");
	is(h->pc, RAM_BASE + 0x100); /* the trap is the step */
	is(pmu_read(h, COUNTER_IR), 1);
	is_str(say(t, "S05"), "T05thread:1;");
	is(h->pc, RAM_BASE + 0x104);
	ok(h->idle);
	/* nothing wakes it while it is alone */
	is_str(say(t, "vCont;s:1"), "T02thread:1;");
	is(h->pc, RAM_BASE + 0x104);
	/* an interrupt does: the step ends at the handler */
	csr_write(h, CSR_MIE, MIP_SSIP);
	csr_write(h, CSR_MIP, MIP_SSIP);
	csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
	is_str(say(t, "vCont;s:1"), "T05thread:1;");
	is(h->pc, RAM_BASE + 0x100);
	is(h->mepc, RAM_BASE + 0x104);
	/* with an address, and of the hart that Hc selects */
	is_str(say(t, "Hc2"), "OK");
	is_str(say(t, "s80000000"), "T05thread:2;");
	is(m->cl.hart[1]->pc, RAM_BASE + 4);
	is(m->cl.hart[1]->x[A0], 2); /* it was its id */
	is_str(say(t, "vCont"), "E16");
	is_str(say(t, "vCont;t"), "E16");
	is_str(say(t, "vCont;x"), "E16");
	is_str(say(t, "vCont;s:9"), "E16");
	is_str(say(t, "vCont;C"), "E16");
	is_str(say(t, "sx"), "E16");
	talk_end(t);
}

/*
 * Every kind of access stops the hart before the access. gdb then removes the watchpoint, steps,
 * looks at what has changed, and inserts it again.
 */
static void watchpoints(void)
{
	static const struct {
		uint32_t code;
		const char *point, *stop;
	} rows[] = {
		{ 0x3023 | S0 << 15, "2,80100000,8", "watch:80100000;" }, /* sd zero, 0(s0) */
		{ 0x3023 | S0 << 15, "4,80100004,2", "awatch:80100004;" },
		{ 0x3023 | S0 << 15, "3,80100000,8", NULL },
		{ 0x3023 | S0 << 15, "2,80100008,8", NULL },
		{ 0x3003 | A0 << 7 | S0 << 15, "3,80100007,1", "rwatch:80100007;" }, /* ld */
		{ 0x3003 | A0 << 7 | S0 << 15, "2,80100000,8", NULL },
		{ 0x3007 | S0 << 15, "4,80100000,8", "awatch:80100000;" }, /* fld */
		{ 0x0000302f | A0 << 7 | S0 << 15, "3,80100000,8",
		  "rwatch:80100000;" }, /* amoadd.d */
		{ 0x0000302f | A0 << 7 | S0 << 15, "2,80100000,8", "watch:80100000;" },
		{ 0x1000302f | A0 << 7 | S0 << 15, "3,80100000,1", "rwatch:80100000;" }, /* lr.d */
		{ 0x1000302f | A0 << 7 | S0 << 15, "2,80100000,8", NULL },
		{ 0x1800302f | A0 << 7 | S0 << 15, "2,80100000,8", "watch:80100000;" }, /* sc.d */
		{ 0x1800302f | A0 << 7 | S0 << 15, "3,80100000,8", NULL },
		{ 0x0040200f | S0 << 15, "2,80100010,1", "watch:80100010;" }, /* cbo.zero */
		{ 0x3003 | A0 << 7 | S1 << 15, "3,80101000,1", "rwatch:80101000;" }, /* two pages */
		{ 0x3023 | S1 << 15, "4,80100ffc,4", "awatch:80100ffd;" },
		{ 0x0023 | S2 << 15, "2,10000007,1", "watch:10000007;" }, /* a device */
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct talk *t = talk_to(rig_create(NULL));
		struct hart *h = t->m->cl.hart[0];
		char text[80], point[80];

		tap_context("row %u", n);
		RIG_CODE(t->m, RAM_BASE, rows[n].code, rows[n].code, END);
		h->x[S0] = RIG_DATA;
		h->x[S1] = RIG_DATA + 0xffd;
		h->x[S2] = SERIAL_BASE + 7;
		h->mstatus |= MSTATUS_FS;
		/* the engine knew the page before */
		ok(access_load(h, RIG_DATA, 8, &h->x[A0]) && access_store(h, RIG_DATA, 8, 0));
		snprintf(text, sizeof(text), "Z%s", rows[n].point);
		is_str(say(t, text), "OK");
		if (rows[n].stop) {
			snprintf(text, sizeof(text), "T05%sthread:1;", rows[n].stop);
			is_str(say(t, "c"), text);
			is(h->pc, RAM_BASE);
			is_str(say(t, "s"), text);
			is(pmu_read(h, COUNTER_IR), 0);
			snprintf(point, sizeof(point), "z%s", rows[n].point);
			is_str(say(t, point), "OK");
			is_str(say(t, "s"), "T05thread:1;");
			point[0] = 'Z';
			is_str(say(t, point), "OK");
			is_str(say(t, "c"), text);
			is(h->pc, RAM_BASE + 4);
			is(pmu_read(h, COUNTER_IR), 1);
		} else {
			is_str(say(t, "c"), "W01");
			is(pmu_read(h, COUNTER_IR), 3);
		}
		talk_end(t);
	}
}

/* A watched access that faults stops first, then faults; the step ends in the handler. */
static void watched_fault(void)
{
	struct talk *t = talk_to(rig_create(NULL));
	struct hart *h = t->m->cl.hart[0];

	h->x[S0] = 0x4000; /* nothing is there */
	csr_write(h, CSR_MTVEC, RAM_BASE + 0x100);
	RIG_CODE(t->m, RAM_BASE, ld(A0, 0, S0));
	RIG_CODE(t->m, RAM_BASE + 0x100, END);
	is_str(say(t, "Z3,4000,8"), "OK");
	is_str(say(t, "c"), "T05rwatch:4000;thread:1;");
	is(h->mcause, 0);
	is_str(say(t, "z3,4000,8"), "OK");
	is_str(say(t, "s"), "T05thread:1;");
	is(h->pc, RAM_BASE + 0x100);
	is(h->mcause, CAUSE_LOAD_ACCESS);
	is(h->mepc, RAM_BASE);
	talk_end(t);
}

/* What semihosting reads is not an access of the guest. */
static void watched_semihosting(void)
{
	struct machine_options o = { .semihosting = true };
	struct talk *t = talk_to(rig_create(&o));
	struct hart *h = t->m->cl.hart[0];

	((uint64_t *)cluster_ram(&t->m->cl, RIG_DATA, 16))[0] = 0x20026;
	((uint64_t *)cluster_ram(&t->m->cl, RIG_DATA, 16))[1] = 42;
	h->x[A0] = 0x20;
	h->x[A1] = RIG_DATA;
	RIG_CODE(t->m, RAM_BASE, 0x01f01013, 0x00100073, 0x40705013);
	is_str(say(t, "Z4,80100000,10"), "OK");
	is_str(say(t, "c"), "W2a");
	talk_end(t);
}

static void monitor(void)
{
	struct talk *t = talk_to(rig_create(NULL));

	put_loop(t->m);
	say(t, "s");
	is_str(say(t, "qRcmd,7374617473"), "OK"); /* stats */
	ok(strstr(t->got, "$O31206861727473#")); /* "1 harts" */
	is_str(say(t, "qRcmd,68656c70"), "OK");
	ok(strstr(t->got, "$O6d6f6e69746f722068656c70"));
	is_str(say(t, "qRcmd,6e6f7065"), "OK");
	ok(strstr(t->got, "$O6e6f2073756368")); /* "no such" */
	is_str(say(t, "qRcmd,6"), "OK");
	is_str(say(t, "qRcmd,zz"), "E16");
	is(t->m->cl.hart[0]->pc, RAM_BASE + 4);
	is_str(say(t, "qRcmd,7265736574"), "OK"); /* reset */
	is(t->m->cl.hart[0]->pc, RAM_BASE);
	is_str(say(t, "s"), "T05thread:1;");
	is_str(say(t, "qRcmd,71756974"), "OK"); /* quit */
	ok(t->m->cl.finished);
	is(t->m->status, 0);
	is_str(say(t, "?"), "W00");
	talk_end(t);
}

static void partings(void)
{
	struct talk *t = talk_to(rig_create(NULL));

	RIG_CODE(t->m, RAM_BASE, jal(ZERO, 0));
	/* Ctrl-C: only while it runs */
	send_bytes(t, "\3", 1);
	is_str(t->got, "");
	send_bytes(t, "$c#63", 5);
	is_str(t->got, "+");
	is(gdb_state(t->g), GDB_RUNS);
	send_bytes(t, "+\3", 2);
	is_str(t->got, "$T02thread:1;#d4");
	is(gdb_state(t->g), GDB_STANDS);
	is(t->m->debug.stop, DEBUG_ASKED);
	/* a connection that ends leaves the machine stopped or running */
	gdb_lost(t->g);
	is(gdb_state(t->g), GDB_STANDS);
	gdb_attach(t->g);
	say(t, "Z0,80000000,4");
	send_bytes(t, "$c#63", 5);
	gdb_lost(t->g);
	is(gdb_state(t->g), GDB_RUNS);
	is(t->m->debug.points, 0);
	is(t->m->debug.stop, DEBUG_RUNS);
	gdb_attach(t->g);
	is_str(say(t, "Z0,80000000,4"), "OK");
	send_bytes(t, "$D#44", 5);
	is_str(t->got, "+$OK#9a");
	is(gdb_state(t->g), GDB_RUNS);
	is(t->m->debug.points, 0);
	gdb_attach(t->g);
	send_bytes(t, "$vKill;1#6e", 11);
	is_str(t->got, "+$OK#9a");
	is(gdb_state(t->g), GDB_KILLED);
	gdb_attach(t->g);
	send_bytes(t, "$k#6b", 5);
	is_str(t->got, "+");
	is(gdb_state(t->g), GDB_KILLED);
	talk_end(t);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "frames, checksums, acknowledgements", frames },
		{ "queries, threads, the target's description", queries },
		{ "registers and CSRs", registers },
		{ "memory", memory },
		{ "virtual addresses, without a trace", translation },
		{ "breakpoints", breakpoints },
		{ "steps", steps },
		{ "watchpoints", watchpoints },
		{ "a watched access that faults", watched_fault },
		{ "watchpoints do not see semihosting", watched_semihosting },
		{ "monitor commands", monitor },
		{ "Ctrl-C, lost connections, detach, kill", partings },
	};

	return tap_run(cases, TAP_NR(cases));
}

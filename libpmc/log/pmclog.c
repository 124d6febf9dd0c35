// SPDX-License-Identifier: BSD-2-Clause
/*
 * pmclog.c - parses logs (pmclog.h has the format).
 *
 * A log may be damaged, cut off or malicious.  The parser only looks at whole records, reads
 * nothing beyond the length of a record, and checks that every string ends within it.  It uses no
 * state of the library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "error.h"
#include "event.h"
#include "pmclog.h"

#define READ_SIZE   65536
#define RECORD_MAX  65536 /* the length of a record has 16 bits */
#define HEADER_SIZE sizeof(struct pmclog_header)

struct parser {
	int fd;
	bool failed, closed;
	off_t offset;
	size_t count;
	const char *data; /* bytes that were fed or read, and are not yet in the record */
	size_t len;
	size_t fill; /* bytes that the record has so far */
	union {
		uint32_t word;
		struct pmclog_header header;
		char bytes[RECORD_MAX];
	} record;
	char buf[READ_SIZE];
};

void *pmclog_open(int fd)
{
	struct parser *p = malloc(sizeof(*p));

	if (!p) {
		lpmc_fail(ENOMEM, "out of memory");
		return NULL;
	}
	memset(p, 0, offsetof(struct parser, record));
	p->fd = fd;
	return p;
}

void pmclog_close(void *cookie)
{
	free(cookie);
}

int pmclog_feed(void *cookie, char *data, int len)
{
	struct parser *p = cookie;

	if (lpmc_null(p, "pmclog_feed") < 0 || (len > 0 && lpmc_null(data, "pmclog_feed") < 0))
		return -1;
	if (len < 0 || p->fd != PMCLOG_FD_NONE || p->len)
		return lpmc_fail(EINVAL, "pmclog_feed: %s",
				 len < 0  ? "a negative length"
				 : p->len ? "the parser has not read all of the last data"
					  : "the parser reads a descriptor");
	p->data = data;
	p->len = (size_t)len;
	return 0;
}

static enum pmclog_state damaged(struct parser *p, const char *what)
{
	p->failed = true;
	lpmc_fail(EINVAL, "not a log, or a damaged one: %s at byte %lld", what,
		  (long long)p->offset);
	return PMCLOG_ERROR;
}

/* How many bytes of the record are needed next: its first word, then all of it. */
static size_t wanted(const struct parser *p)
{
	return p->fill < 4 ? 4 : PMCLOG_HEADER_TO_LENGTH(p->record.word);
}

static enum pmclog_state refill(struct parser *p)
{
	ssize_t n;

	if (p->fd == PMCLOG_FD_NONE)
		return PMCLOG_REQUIRE_DATA;
	do
		n = read(p->fd, p->buf, sizeof(p->buf));
	while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return PMCLOG_REQUIRE_DATA;
	if (n < 0) {
		p->failed = true;
		lpmc_fail(errno, "reading the log: %s", strerror(errno));
		return PMCLOG_ERROR;
	}
	if (n == 0)
		return p->fill ? damaged(p, "it ends within a record") : PMCLOG_EOF;
	p->data = p->buf;
	p->len = (size_t)n;
	return PMCLOG_OK;
}

/* Puts the next whole record into p->record. */
static enum pmclog_state assemble(struct parser *p)
{
	for (;;) {
		size_t want = wanted(p), take;

		if (p->fill >= 4) {
			if (!PMCLOG_HEADER_CHECK_MAGIC(p->record.word))
				return damaged(p, "no record begins");
			if (want < HEADER_SIZE || want % 4)
				return damaged(p, "a record of an impossible length");
			if (p->fill == want)
				return PMCLOG_OK;
		}
		if (!p->len) {
			enum pmclog_state state = refill(p);

			if (state != PMCLOG_OK)
				return state;
		}
		take = want - p->fill < p->len ? want - p->fill : p->len;
		memcpy(p->record.bytes + p->fill, p->data, take);
		p->fill += take;
		p->data += take;
		p->len -= take;
	}
}

/* Copies the rest of the record as a string.  It must end in a NUL and fit into `to`. */
static void get_string(struct in *in, char *to, size_t size)
{
	size_t len = strnlen(in->at, (size_t)(in->end - in->at));

	if (len == (size_t)(in->end - in->at) || len >= size) {
		in->bad = true;
		return;
	}
	memcpy(to, in->at, len + 1);
	in->at = in->end;
}

static void get_callchain(struct in *in, struct pmclog_ev_callchain *c)
{
	c->pl_pid = get32(in);
	c->pl_tid = get32(in);
	c->pl_pmcid = get32(in);
	c->pl_cpuflags = get32(in);
	c->pl_cpuflags2 = 0;
	c->pl_npc = 0;
	while (in->end - in->at >= 8 && c->pl_npc < PMC_CALLCHAIN_DEPTH_MAX)
		c->pl_pc[c->pl_npc++] = (uintptr_t)get64(in);
	in->bad |= c->pl_npc == 0 || in->at != in->end;
	for (uint32_t i = c->pl_npc; i < PMC_CALLCHAIN_DEPTH_MAX; i++)
		c->pl_pc[i] = 0;
}

static void get_initialize(struct in *in, struct pmclog_ev_initialize *i)
{
	i->pl_version = get32(in);
	i->pl_arch = get32(in);
	i->pl_tsc_freq = get64(in);
	i->pl_ts.tv_sec = (time_t)get64(in);
	i->pl_ts.tv_nsec = (long)get64(in);
	get_string(in, i->pl_cpuid, sizeof(i->pl_cpuid));
}

static void get_allocate(struct in *in, struct pmclog_ev_pmcallocate *a)
{
	const struct lpmc_event *e;

	a->pl_pmcid = get32(in);
	a->pl_event = get32(in);
	a->pl_flags = get32(in);
	get32(in);
	a->pl_rate = get64(in);
	e = lpmc_event_of(NULL, a->pl_event);
	a->pl_evname = e ? e->name : "";
}

/* Records about PMCs. */
static bool get_pmc(struct in *in, struct pmclog_ev *ev)
{
	switch (ev->pl_type) {
	case PMCLOG_TYPE_PMCALLOCATE:
		get_allocate(in, &ev->pl_u.pl_a);
		return true;
	case PMCLOG_TYPE_PMCALLOCATEDYN:
		ev->pl_u.pl_ad.pl_pmcid = get32(in);
		ev->pl_u.pl_ad.pl_event = get32(in);
		ev->pl_u.pl_ad.pl_flags = get32(in);
		get32(in);
		get_string(in, ev->pl_u.pl_ad.pl_evname, sizeof(ev->pl_u.pl_ad.pl_evname));
		return true;
	case PMCLOG_TYPE_PMCATTACH:
		ev->pl_u.pl_t.pl_pmcid = get32(in);
		ev->pl_u.pl_t.pl_pid = (pid_t)get32(in);
		get_string(in, ev->pl_u.pl_t.pl_pathname, sizeof(ev->pl_u.pl_t.pl_pathname));
		return true;
	case PMCLOG_TYPE_PMCDETACH:
		ev->pl_u.pl_d.pl_pmcid = get32(in);
		ev->pl_u.pl_d.pl_pid = (pid_t)get32(in);
		return true;
	case PMCLOG_TYPE_PROCCSW:
		ev->pl_u.pl_c.pl_value = get64(in);
		ev->pl_u.pl_c.pl_pmcid = get32(in);
		ev->pl_u.pl_c.pl_pid = (pid_t)get32(in);
		ev->pl_u.pl_c.pl_tid = (pid_t)get32(in);
		return true;
	case PMCLOG_TYPE_PROCEXIT:
		ev->pl_u.pl_e.pl_pmcid = get32(in);
		ev->pl_u.pl_e.pl_pid = get32(in);
		ev->pl_u.pl_e.pl_value = get64(in);
		return true;
	case PMCLOG_TYPE_CALLCHAIN:
		get_callchain(in, &ev->pl_u.pl_cc);
		return true;
	default:
		return false;
	}
}

/* Records about what a process runs. */
static bool get_process(struct in *in, struct pmclog_ev *ev)
{
	switch (ev->pl_type) {
	case PMCLOG_TYPE_MAP_IN:
		ev->pl_u.pl_mi.pl_pid = (pid_t)get32(in);
		get32(in);
		ev->pl_u.pl_mi.pl_start = (uintptr_t)get64(in);
		get_string(in, ev->pl_u.pl_mi.pl_pathname, sizeof(ev->pl_u.pl_mi.pl_pathname));
		return true;
	case PMCLOG_TYPE_MAP_OUT:
		ev->pl_u.pl_mo.pl_pid = (pid_t)get32(in);
		get32(in);
		ev->pl_u.pl_mo.pl_start = (uintptr_t)get64(in);
		ev->pl_u.pl_mo.pl_end = (uintptr_t)get64(in);
		return true;
	case PMCLOG_TYPE_PROCEXEC:
		ev->pl_u.pl_x.pl_pid = (pid_t)get32(in);
		ev->pl_u.pl_x.pl_pmcid = get32(in);
		ev->pl_u.pl_x.pl_baseaddr = (uintptr_t)get64(in);
		ev->pl_u.pl_x.pl_dynaddr = (uintptr_t)get64(in);
		get_string(in, ev->pl_u.pl_x.pl_pathname, sizeof(ev->pl_u.pl_x.pl_pathname));
		return true;
	default:
		return false;
	}
}

/* Records about processes and threads that begin or end. */
static bool get_task(struct in *in, struct pmclog_ev *ev)
{
	switch (ev->pl_type) {
	case PMCLOG_TYPE_PROCFORK:
		ev->pl_u.pl_f.pl_oldpid = (pid_t)get32(in);
		ev->pl_u.pl_f.pl_newpid = (pid_t)get32(in);
		return true;
	case PMCLOG_TYPE_SYSEXIT:
		ev->pl_u.pl_se.pl_pid = (pid_t)get32(in);
		return true;
	case PMCLOG_TYPE_PROC_CREATE:
		ev->pl_u.pl_pc.pl_pid = (pid_t)get32(in);
		ev->pl_u.pl_pc.pl_flags = get32(in);
		get_string(in, ev->pl_u.pl_pc.pl_pcomm, sizeof(ev->pl_u.pl_pc.pl_pcomm));
		return true;
	case PMCLOG_TYPE_THR_CREATE:
		ev->pl_u.pl_tc.pl_tid = (pid_t)get32(in);
		ev->pl_u.pl_tc.pl_pid = (pid_t)get32(in);
		ev->pl_u.pl_tc.pl_flags = get32(in);
		get32(in);
		get_string(in, ev->pl_u.pl_tc.pl_tdname, sizeof(ev->pl_u.pl_tc.pl_tdname));
		return true;
	case PMCLOG_TYPE_THR_EXIT:
		ev->pl_u.pl_te.pl_tid = (pid_t)get32(in);
		return true;
	default:
		return false;
	}
}

/* Records about the log itself. */
static bool get_log(struct in *in, struct pmclog_ev *ev)
{
	switch (ev->pl_type) {
	case PMCLOG_TYPE_INITIALIZE:
		get_initialize(in, &ev->pl_u.pl_i);
		return true;
	case PMCLOG_TYPE_USERDATA:
		ev->pl_u.pl_u.pl_userdata = get32(in);
		return true;
	case PMCLOG_TYPE_DROPNOTIFY:
	case PMCLOG_TYPE_CLOSELOG:
		return true;
	default:
		return false;
	}
}

static enum pmclog_state event_of(struct parser *p, struct pmclog_ev *ev)
{
	struct in in = { .at = p->record.bytes + HEADER_SIZE, .end = p->record.bytes + p->fill };

	ev->pl_type = (enum pmclog_type)PMCLOG_HEADER_TO_TYPE(p->record.word);
	ev->pl_ts.tv_sec = (time_t)(p->record.header.pl_tsc / 1000000000);
	ev->pl_ts.tv_nsec = (long)(p->record.header.pl_tsc % 1000000000);
	if (p->count == 0 && ev->pl_type != PMCLOG_TYPE_INITIALIZE)
		return damaged(p, "no INITIALIZE record");
	if (!get_pmc(&in, ev) && !get_process(&in, ev) && !get_task(&in, ev) && !get_log(&in, ev))
		return damaged(p, "a record of an unknown type");
	if (in.bad)
		return damaged(p, "a record that contradicts its length");
	p->offset += (off_t)p->fill;
	ev->pl_offset = p->offset;
	ev->pl_count = ++p->count;
	ev->pl_data = p->record.bytes;
	ev->pl_len = (int)p->fill;
	p->fill = 0;
	p->closed = ev->pl_type == PMCLOG_TYPE_CLOSELOG;
	return p->closed ? PMCLOG_EOF : PMCLOG_OK;
}

int pmclog_read(void *cookie, struct pmclog_ev *ev)
{
	struct parser *p = cookie;

	if (lpmc_null(ev, "pmclog_read") < 0)
		return -1;
	if (lpmc_null(p, "pmclog_read") < 0 || p->failed)
		ev->pl_state = PMCLOG_ERROR;
	else if (p->closed)
		ev->pl_state = PMCLOG_EOF;
	else
		ev->pl_state = assemble(p);
	if (ev->pl_state == PMCLOG_OK)
		ev->pl_state = event_of(p, ev);
	return ev->pl_state == PMCLOG_OK ? 0 : -1;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * gdb_server.c - the socket that gdb connects to; runs the machine or waits for gdb (gdb.h).
 *
 * One gdb at a time.  The machine polls the socket together with other input: every millisecond of
 * guest time, and when all harts wait.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "gdb.h"
#include "number.h"

struct gdb_server {
	int listener, fd; /* fd: the connection, or -1 */
	bool greeted; /* the first byte of the connection was one that gdb sends */
	char path[sizeof(((struct sockaddr_un *)NULL)->sun_path)]; /* "" for a port */
};

/* Sets to the socket address that `where` names.  False: it names none. */
static bool address(const char *where, struct sockaddr_storage *to, socklen_t *len)
{
	struct sockaddr_un *un = (struct sockaddr_un *)to;
	struct sockaddr_in *in = (struct sockaddr_in *)to;
	uint64_t port = 0;
	bool valid;

	if (strchr(where, '/')) {
		*len = sizeof(*un);
		un->sun_family = AF_UNIX;
		if (strlen(where) >= sizeof(un->sun_path))
			return false;
		strcpy(un->sun_path, where);
		return true;
	}
	valid = number_parse(where, NUMBER_DECIMAL, 1, 65535, &port);
	*len = sizeof(*in);
	in->sin_family = AF_INET;
	in->sin_port = htons(port);
	in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return valid;
}

bool gdb_is_address(const char *where)
{
	struct sockaddr_storage to = { 0 };
	socklen_t len;

	return address(where, &to, &len);
}

struct gdb_server *gdb_listen(const char *where, struct error_text *why)
{
	struct gdb_server *s = calloc(1, sizeof(*s));
	struct sockaddr_storage to = { 0 };
	socklen_t len;
	int one = 1;

	if (!s)
		goto no;
	s->listener = s->fd = -1;
	errno = EINVAL;
	if (!address(where, &to, &len))
		goto no;
	s->listener = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->listener < 0)
		goto no;
	setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(s->listener, (struct sockaddr *)&to, len) < 0)
		goto no;
	if (to.ss_family == AF_UNIX)
		strcpy(s->path, where);
	if (listen(s->listener, 1) == 0)
		return s;
no:
	error_set(why, "--gdb %s: %s%s", where, strerror(errno),
		  errno == EADDRINUSE ? "; choose another" : "");
	if (s)
		gdb_close(s);
	return NULL;
}

static void hang_up(struct gdb_server *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

void gdb_close(struct gdb_server *s)
{
	hang_up(s);
	if (s->listener >= 0)
		close(s->listener);
	if (s->path[0])
		unlink(s->path);
	free(s);
}

/* Sends nothing to a gdb that is gone.  The next read notices that it is gone. */
static void send_all(void *opaque, const void *data, size_t len)
{
	struct gdb_server *s = opaque;
	const char *p = data;

	while (len && s->fd >= 0) {
		ssize_t sent = send(s->fd, p, len, MSG_NOSIGNAL);

		if (sent < 0 && errno != EINTR)
			return;
		p += sent > 0 ? sent : 0;
		len -= sent > 0 ? sent : 0;
	}
}

static void take_connection(struct gdb_server *s)
{
	int one = 1;

	s->fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
	if (s->fd < 0)
		return;
	if (!s->path[0])
		setsockopt(s->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	s->greeted = false;
}

/*
 * gdb begins with a packet, an acknowledgement or an interrupt.  Other protocols do not: a web page
 * that posts to this port gets no answer and does not stop the machine.
 */
static bool is_greeting(char first)
{
	return first == '$' || first == '+' || first == '-' || first == '\003';
}

static void take_bytes(struct gdb_server *s, struct gdb *g)
{
	char data[4096];
	ssize_t len = recv(s->fd, data, sizeof(data), MSG_DONTWAIT);

	if (len > 0 && !s->greeted) {
		if (!is_greeting(data[0])) {
			hang_up(s);
			return;
		}
		s->greeted = true;
		gdb_attach(g);
	}
	if (len > 0) {
		gdb_receive(g, data, len);
	} else if (len == 0 || (errno != EAGAIN && errno != EINTR)) {
		hang_up(s);
		if (s->greeted)
			gdb_lost(g);
	}
}

/* Accepts a connection or reads from it.  The machine is stopped. */
static void take(struct gdb_server *s, struct gdb *g, struct machine *m)
{
	if (s->fd >= 0)
		take_bytes(s, g);
	else
		take_connection(s);
	m->debug.fd = s->fd >= 0 ? s->fd : s->listener;
}

/*
 * Runs the machine until it stops, and tells gdb why (but for a stop that only polls the socket).
 */
static void run(struct gdb *g, struct machine *m)
{
	machine_run(m);
	if (m->cl.finished || m->debug.stop != DEBUG_ASKED)
		gdb_stopped(g);
}

/* Ends the connection.  gdb reads the last reply and closes its side first. */
static void farewell(struct gdb_server *s)
{
	struct pollfd fd = { .fd = s->fd, .events = POLLIN };
	char data[256];

	if (s->fd < 0)
		return;
	shutdown(s->fd, SHUT_WR);
	while (poll(&fd, 1, 1000) > 0 && recv(s->fd, data, sizeof(data), 0) > 0)
		continue;
	hang_up(s);
}

int gdb_run(struct gdb_server *s, struct machine *m,
	    void (*stats)(const struct machine *m, FILE *to), struct error_text *why)
{
	const struct gdb_host host = { s, send_all, stats };
	struct gdb *g = gdb_create(m, &host);
	enum gdb_state state;

	if (!g) {
		error_set(why, "out of memory for gdb's packets");
		return -1;
	}
	m->debug.fd = s->listener;
	while (!m->cl.finished && gdb_state(g) != GDB_KILLED) {
		if (gdb_state(g) == GDB_RUNS)
			run(g, m);
		else
			machine_wait(m);
		take(s, g, m);
		/* gdb has sent only an acknowledgement: continue. */
		if (gdb_state(g) == GDB_RUNS && m->debug.stop == DEBUG_ASKED)
			debug_resume(m, m->debug.step, m->debug.held);
	}
	m->debug.fd = -1;
	state = gdb_state(g);
	gdb_destroy(g);
	farewell(s);
	return state == GDB_KILLED ? GDB_KILLED_STATUS : m->status;
}

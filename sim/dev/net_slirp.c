/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * net_slirp.c - user-mode networking: libslirp answers the guest's packets with host sockets.
 *
 * One epoll descriptor holds all of libslirp's sockets, and the board watches it.  libslirp's
 * timers run on guest time.  Host sockets make a machine with a network not deterministic.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <slirp/libslirp.h>

#include "common.h"
#include "net.h"

#define SOCKETS_MAX	512
#define ETHERNET_HEADER 14
#define IP_HEADER	20
#define NAME_PORT	53

struct net {
	const struct board *board;
	Slirp *slirp;
	int epoll;
	bool host; /* the guest may reach the host's loopback */
	void (*receive)(void *arg, const uint8_t *frame, size_t len);
	void *arg;
	int nr; /* watched sockets */
	struct pollfd fd[SOCKETS_MAX];
};

struct net_timer {
	struct net *net;
	SlirpTimerCb fn;
	void *arg;
};

static void refresh(struct net *n);

static int add_poll(int fd, int events, void *opaque)
{
	struct net *n = opaque;

	if (n->nr == SOCKETS_MAX)
		return -1;
	n->fd[n->nr].fd = fd;
	n->fd[n->nr].events = (short)((events & SLIRP_POLL_IN ? POLLIN : 0) |
				      (events & SLIRP_POLL_OUT ? POLLOUT : 0) |
				      (events & SLIRP_POLL_PRI ? POLLPRI : 0));
	n->fd[n->nr].revents = 0;
	return n->nr++;
}

static int get_revents(int index, void *opaque)
{
	struct net *n = opaque;
	int re = index >= 0 && index < n->nr ? n->fd[index].revents : 0;

	return (re & POLLIN ? SLIRP_POLL_IN : 0) | (re & POLLOUT ? SLIRP_POLL_OUT : 0) |
	       (re & POLLPRI ? SLIRP_POLL_PRI : 0) | (re & POLLERR ? SLIRP_POLL_ERR : 0) |
	       (re & POLLHUP ? SLIRP_POLL_HUP : 0);
}

/* Called when a socket is ready or libslirp's timeout has passed. */
static void service(void *arg)
{
	struct net *n = arg;
	int ready = poll(n->fd, (nfds_t)n->nr, 0);

	slirp_pollfds_poll(n->slirp, ready < 0, get_revents, n);
	refresh(n);
}

/* Asks libslirp for its sockets and its next timeout, and waits for these. */
static void refresh(struct net *n)
{
	struct epoll_event event = { 0 };
	uint32_t timeout = UINT32_MAX;
	uint64_t at = UINT64_MAX;

	for (int i = 0; i < n->nr; i++)
		epoll_ctl(n->epoll, EPOLL_CTL_DEL, n->fd[i].fd, NULL);
	n->nr = 0;
	slirp_pollfds_fill(n->slirp, &timeout, add_poll, n);
	for (int i = 0; i < n->nr; i++) {
		/* poll() and epoll have the same bits. */
		event.events = (uint32_t)n->fd[i].events;
		epoll_ctl(n->epoll, EPOLL_CTL_ADD, n->fd[i].fd, &event);
	}
	if (timeout != UINT32_MAX)
		at = n->board->now(n->board->opaque) + timeout * 1000000ull;
	n->board->wake_at(n->board->opaque, at, service, n);
}

static ssize_t on_packet(const void *frame, size_t len, void *opaque)
{
	struct net *n = opaque;

	n->receive(n->arg, frame, len);
	return (ssize_t)len;
}

static void on_guest_error(const char *text, void *opaque)
{
}

static int64_t on_clock(void *opaque)
{
	struct net *n = opaque;

	return (int64_t)n->board->now(n->board->opaque);
}

static void timer_fire(void *arg)
{
	struct net_timer *t = arg;

	t->fn(t->arg);
}

static void *timer_new(SlirpTimerCb fn, void *arg, void *opaque)
{
	struct net_timer *t = calloc(1, sizeof(*t));

	if (!t)
		abort(); /* libslirp does the same */
	t->net = opaque;
	t->fn = fn;
	t->arg = arg;
	return t;
}

static void timer_free(void *timer, void *opaque)
{
	struct net *n = opaque;

	n->board->wake_at(n->board->opaque, UINT64_MAX, timer_fire, timer);
	free(timer);
}

static void timer_mod(void *timer, int64_t at_ms, void *opaque)
{
	struct net *n = opaque;

	n->board->wake_at(n->board->opaque, (uint64_t)at_ms * 1000000, timer_fire, timer);
}

/* Does nothing: refresh() looks up the sockets after each packet and each service(). */
static void on_poll_fd(int fd, void *opaque)
{
}

static void on_notify(void *opaque)
{
}

static const SlirpCb callbacks = {
	.send_packet = on_packet,
	.guest_error = on_guest_error,
	.clock_get_ns = on_clock,
	.timer_new = timer_new,
	.timer_free = timer_free,
	.timer_mod = timer_mod,
	.register_poll_fd = on_poll_fd,
	.unregister_poll_fd = on_poll_fd,
	.notify = on_notify,
};

static bool add_forwards(struct net *n, const struct virtio_net_forward *f, struct error_text *why)
{
	struct in_addr host = { .s_addr = htonl(INADDR_LOOPBACK) };
	struct in_addr guest = { .s_addr = htonl(0x0a00020f) };

	for (; f && f->host; f++)
		if (slirp_add_hostfwd(n->slirp, f->udp, host, f->host, guest, f->guest)) {
			dev_refuse(why, "port %u of 127.0.0.1: %s", f->host, strerror(errno));
			return false;
		}
	return true;
}

struct net *net_open(const struct board *board, const struct virtio_net_options *o,
		     void (*receive)(void *arg, const uint8_t *frame, size_t len), void *arg,
		     struct error_text *why)
{
	const SlirpConfig config = {
		.version = 1,
		.restricted = o->restricted,
		.disable_host_loopback = !o->host,
		.in_enabled = true,
		.vnetwork.s_addr = htonl(0x0a000200),
		.vnetmask.s_addr = htonl(0xffffff00),
		.vhost.s_addr = htonl(0x0a000202),
		.vdhcp_start.s_addr = htonl(0x0a00020f),
		.vnameserver.s_addr = htonl(0x0a000203),
		.vhostname = "holter",
	};
	struct net *n = calloc(1, sizeof(*n));

	if (!n)
		return dev_refuse(why, "no network: out of memory");
	n->board = board;
	n->host = o->host;
	n->receive = receive;
	n->arg = arg;
	n->epoll = epoll_create1(EPOLL_CLOEXEC);
	n->slirp = n->epoll < 0 ? NULL : slirp_new(&config, &callbacks, n);
	if (!n->slirp) {
		dev_refuse(why, "no network: %s", strerror(errno));
		net_close(n);
		return NULL;
	}
	if (!add_forwards(n, o->forward, why)) {
		net_close(n);
		return NULL;
	}
	board->watch_fd(board->opaque, n->epoll, service, n);
	refresh(n);
	return n;
}

/*
 * Returns whether libslirp would pass this IPv4 packet on to the host's loopback.  That holds for
 * 127.0.0.0/8, and for 0.0.0.0/8, which Linux treats as loopback.  It can hold for 10.0.2.3,
 * because the host's name server may be on its loopback.  So 10.0.2.3 may be asked for names only.
 */
static bool to_loopback(const uint8_t *frame, size_t len)
{
	static const uint8_t name_server[4] = { 10, 0, 2, 3 };
	const uint8_t *ip = frame + ETHERNET_HEADER, *port;
	size_t header;

	if (len < ETHERNET_HEADER + IP_HEADER || frame[12] != 0x08 || frame[13] != 0x00)
		return false;
	if (ip[16] == 127 || ip[16] == 0)
		return true;
	if (memcmp(ip + 16, name_server, sizeof(name_server)))
		return false;
	header = 4 * (ip[0] & 15);
	port = ip + header + 2;
	return len < ETHERNET_HEADER + header + 4 || (ip[6] & 0x3f) || ip[7] || port[0] ||
	       port[1] != NAME_PORT;
}

void net_send(struct net *n, const uint8_t *frame, size_t len)
{
	if (!n->host && to_loopback(frame, len))
		return;
	slirp_input(n->slirp, frame, (int)len);
	refresh(n);
}

void net_close(struct net *n)
{
	n->board->watch_fd(n->board->opaque, -1, service, n);
	n->board->wake_at(n->board->opaque, UINT64_MAX, service, n);
	if (n->slirp)
		slirp_cleanup(n->slirp);
	if (n->epoll >= 0)
		close(n->epoll);
	free(n);
}

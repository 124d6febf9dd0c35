/* SPDX-License-Identifier: BSD-2-Clause */
/* net_absent.c - the network in a build without libslirp: an error message. */
#include "common.h"
#include "net.h"

struct net *net_open(const struct board *board, const struct virtio_net_options *o,
		     void (*receive)(void *arg, const uint8_t *frame, size_t len), void *arg,
		     struct error_text *why)
{
	return dev_refuse(why, "no network: this build is without libslirp (install libslirp-dev)");
}

void net_send(struct net *n, const uint8_t *frame, size_t len)
{
}

void net_close(struct net *n)
{
}

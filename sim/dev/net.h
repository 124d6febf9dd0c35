/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * net.h - the network behind a network card.  net_slirp.c implements it, or net_absent.c in a build
 * without libslirp.
 */
#ifndef SIM_DEV_NET_H
#define SIM_DEV_NET_H

#include "devices.h"

struct net;

/*
 * Opens the network.  It passes each Ethernet frame for the guest to receive(arg, ...).  NULL: why
 * has the reason.
 */
struct net *net_open(const struct board *board, const struct virtio_net_options *o,
		     void (*receive)(void *arg, const uint8_t *frame, size_t len), void *arg,
		     struct error_text *why);

/* Sends a frame of the guest.  May call receive before it returns. */
void net_send(struct net *n, const uint8_t *frame, size_t len);

void net_close(struct net *n);

#endif

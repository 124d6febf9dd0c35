/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * net.h - the network behind a card: net_slirp.c, or net_absent.c in a build without libslirp.
 */
#ifndef SIM_DEV_NET_H
#define SIM_DEV_NET_H

#include "devices.h"

struct net;

/* Opens the network; receive(arg, ...) gets each Ethernet frame for the guest.  NULL: see why. */
struct net *net_open(const struct board *board, const struct virtio_net_options *o,
		     void (*receive)(void *arg, const uint8_t *frame, size_t len), void *arg,
		     struct dev_why *why);

/* A frame from the guest.  May call receive before it returns. */
void net_send(struct net *n, const uint8_t *frame, size_t len);

void net_close(struct net *n);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reservation.h - the reservations of lr and sc.  reservation.c defines its functions.
 *
 * The reservation set of an lr is the word or doubleword that it loads, by physical address.  An sc
 * holds only if its address and size are the same.  A reservation ends with the next sc of its
 * hart, and when another hart or a device writes any byte of it, even the same value: by a store,
 * an AMO, an sc that holds, cbo.zero, or a page walk that sets A or D.  The hart's own stores do
 * not end it.
 *
 * Harts run one after the other, so another hart can write only after the turn of the one that has
 * the reservation.  From the end of that turn on, no other hart may store to the page through its
 * software TLB: reservation_keep drops the entries, and soft_tlb_fill makes none.  These stores
 * take the slow path, which calls reservation_written through bus_written.
 *
 * Implements: Unpriv 20240411 §13.2, Za64rs.
 */
#ifndef SIM_RESERVATION_H
#define SIM_RESERVATION_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster.h"
#include "hart.h"

/* The end of h's turn: from now on other harts' stores to the reservation of h are noticed. */
void reservation_keep(struct hart *h);

/* RAM was written by a hart, or, if writer is NULL, by a device: ends reservations there. */
void reservation_written(struct cluster *cl, const struct hart *writer, uint64_t pa, uint64_t len);

/* After a restore.  False: h's reservation is not possible. */
bool reservation_restored(struct hart *h);

/* Whether another hart has a reservation in the page of pa. */
static inline bool reservation_of_others(const struct hart *h, uint64_t pa)
{
	for (unsigned n = 0; n < h->cl->harts; n++) {
		if (h->cl->reserved_page[n] == (pa & PAGE_MASK) && n != h->id)
			return true;
	}
	return false;
}

#endif

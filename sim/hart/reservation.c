// SPDX-License-Identifier: BSD-2-Clause
/*
 * reservation.c - reservations that outlive their hart's turn, and what ends them (reservation.h).
 */
#include "reservation.h"

void reservation_keep(struct hart *h)
{
	struct cluster *cl = h->cl;
	uint64_t page = h->reservation;

	if (page != RESERVATION_NONE)
		page &= PAGE_MASK;
	if (page == cl->reserved_page[h->id])
		return;
	cl->reserved_page[h->id] = page;
	for (unsigned n = 0; page != RESERVATION_NONE && n < cl->harts; n++) {
		if (n != h->id)
			soft_tlb_guard_page(cl->hart[n], page);
	}
}

void reservation_written(struct cluster *cl, const struct hart *writer, uint64_t pa, uint64_t len)
{
	for (unsigned n = 0; n < cl->harts; n++) {
		struct hart *h = cl->hart[n];

		if (h == writer || h->reservation == RESERVATION_NONE)
			continue;
		if (pa - h->reservation < h->reserved || h->reservation - pa < len) {
			h->reservation = RESERVATION_NONE;
			cl->reserved_page[n] = RESERVATION_NONE;
		}
	}
}

bool reservation_restored(struct hart *h)
{
	if (h->reservation == RESERVATION_NONE)
		return true;
	if ((h->reserved != 4 && h->reserved != 8) || h->reservation & (h->reserved - 1) ||
	    !cluster_ram(h->cl, h->reservation, h->reserved))
		return false;
	reservation_keep(h);
	return true;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * board.c - creates the devices and connects their interrupt lines (board.h).
 */
#include <stdlib.h>

#include "board.h"
#include "machine.h"
#include "trap.h"

static void set_line(void *opaque, unsigned num, bool level)
{
	trap_raise(opaque, num, level);
}

static struct irq hart_line(struct hart *h, unsigned num)
{
	return (struct irq){ set_line, h, num };
}

static bool add(struct machine *m, struct device *d)
{
	if (d && m->devices < DEVICES_MAX)
		m->device[m->devices++] = d;
	return d;
}

static struct virtio_slot slot(struct machine *m, unsigned num)
{
	return (struct virtio_slot){ &m->board, num, plic_line(m->plic, VIRTIO_IRQ + num) };
}

static bool create_virtio(struct machine *m, struct error_text *why)
{
	const struct machine_options *o = &m->o;
	struct virtio_blk_options disk = { .path = o->drive, .read_only = o->drive_read_only };
	struct virtio_9p_options share = { .path = o->share, .tag = "share", .as_root = true };
	struct virtio_net_options net = { .host = o->network_host };
	unsigned n = 0;

	/* The disk comes first: small systems look for it in the first slot only. */
	if (o->drive && !add(m, virtio_blk_create(slot(m, n++), &disk, why)))
		return false;
	if (!add(m, virtio_rng_create(slot(m, n++), o->seed)))
		return false;
	if (o->share && !add(m, virtio_9p_create(slot(m, n++), &share, why)))
		return false;
	if (o->network && !add(m, virtio_net_create(slot(m, n++), &net, why)))
		return false;
	if (o->ports && !add(m, virtio_console_create(slot(m, n++), o->port, o->ports)))
		return false;
	while (n < VIRTIO_SLOTS) {
		if (!add(m, virtio_none_create(slot(m, n++))))
			return false;
	}
	return true;
}

bool board_create(struct machine *m, struct error_text *why)
{
	struct irq msip[HARTS_MAX], mtip[HARTS_MAX], meip[HARTS_MAX], seip[HARTS_MAX];

	error_set(why, "out of memory for the devices");
	for (unsigned n = 0; n < m->cl.harts; n++) {
		msip[n] = hart_line(m->cl.hart[n], IRQ_M_SOFT);
		mtip[n] = hart_line(m->cl.hart[n], IRQ_M_TIMER);
		meip[n] = hart_line(m->cl.hart[n], IRQ_M_EXT);
		seip[n] = hart_line(m->cl.hart[n], IRQ_S_EXT);
	}
	m->clint = clint_create(&m->board, m->cl.harts, msip, mtip);
	if (!add(m, m->clint))
		return false;
	m->plic = plic_create(&m->board, m->cl.harts, meip, seip);
	if (!add(m, m->plic))
		return false;
	if (!add(m, finisher_create(&m->board)))
		return false;
	m->serial = serial_create(&m->board, plic_line(m->plic, SERIAL_IRQ), m->o.console_in,
				  m->o.console_out);
	return add(m, m->serial) &&
	       add(m, rtc_create(&m->board, plic_line(m->plic, RTC_IRQ),
				 m->o.realtime ? RTC_HOST : RTC_EPOCH)) &&
	       create_virtio(m, why);
}

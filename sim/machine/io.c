// SPDX-License-Identifier: BSD-2-Clause
/*
 * io.c - an access to a device or to the ROM, and the end of the machine (machine.h).
 */
#include <string.h>

#include "machine.h"

static struct device *device_at(const struct machine *m, uint64_t pa, unsigned bytes)
{
	for (unsigned n = 0; n < m->devices; n++) {
		struct device *d = m->device[n];

		if (pa - d->base < d->size && bytes >= d->min_bytes && bytes <= d->max_bytes)
			return d;
	}
	return NULL;
}

static bool rom_read(const struct machine *m, uint64_t pa, unsigned bytes, uint64_t *value)
{
	if (pa - ROM_BASE >= sizeof(m->rom))
		return false;
	*value = 0;
	memcpy(value, m->rom + (pa - ROM_BASE), bytes);
	return true;
}

bool machine_io_read(struct machine *m, uint64_t pa, unsigned bytes, uint64_t *value)
{
	struct device *d = device_at(m, pa, bytes);

	if (!d)
		return rom_read(m, pa, bytes, value);
	*value = d->read(d, pa - d->base, bytes);
	return true;
}

bool machine_io_write(struct machine *m, uint64_t pa, unsigned bytes, uint64_t value)
{
	struct device *d = device_at(m, pa, bytes);

	if (!d)
		return false;
	d->write(d, pa - d->base, bytes, bytes < 8 ? value & ((1ull << 8 * bytes) - 1) : value);
	/* The write may have changed mtime, and so the time of every stimecmp. */
	for (unsigned n = 0; d == m->clint && n < m->cl.harts; n++)
		m->cl.hart[n]->stimer_at = bus_time_when(&m->cl.bus, m->cl.hart[n]->stimecmp);
	return true;
}

void machine_finish(struct machine *m, int status, bool reboot)
{
	m->cl.finished = true;
	m->status = status;
	m->reboot = reboot;
	if (m->current)
		m->current->stop = true;
}

void machine_fail(struct machine *m, const char *why)
{
	m->stuck = why;
	machine_finish(m, 1, false);
}

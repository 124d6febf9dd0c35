// SPDX-License-Identifier: BSD-2-Clause
/* model.c - functions that all models share (model.h). */
#include <stdarg.h>

#include "model.h"

bool model_refuse(struct model_error *why, const char *field, const char *format, ...)
{
	va_list args;

	why->field = field;
	va_start(args, format);
	error_vset(&why->error, format, args);
	va_end(args);
	return false;
}

bool model_in_range(struct model_error *why, const char *field, uint64_t value, uint64_t low,
		    uint64_t high)
{
	if (value >= low && value <= high)
		return true;
	return model_refuse(why, field, "%llu is outside %llu to %llu", (unsigned long long)value,
			    (unsigned long long)low, (unsigned long long)high);
}

bool model_in_powers(struct model_error *why, const char *field, uint64_t value, uint64_t low,
		     uint64_t high)
{
	if (!model_in_range(why, field, value, low, high))
		return false;
	if (!(value & (value - 1)))
		return true;
	return model_refuse(why, field, "%llu is not a power of two", (unsigned long long)value);
}

bool model_save_shape(const struct stream *s, const uint32_t *shape, unsigned nr)
{
	return stream_write(s, shape, nr * sizeof(*shape));
}

bool model_restore_shape(const struct stream *s, const uint32_t *shape, unsigned nr)
{
	uint32_t saved;
	bool same = true;

	for (unsigned n = 0; n < nr; n++) {
		if (!stream_read(s, &saved, sizeof(saved)))
			return false;
		same = same && saved == shape[n];
	}
	return same;
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * number.c - reads and prints numbers.
 */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

int number_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The value of a digit; other characters give more than any base. */
static unsigned digit(char c)
{
	return (unsigned)number_digit(c);
}

/* The base of the digits at *at.  Moves *at after a 0x. */
static unsigned base_of(const char **at, unsigned form)
{
	const char *t = *at;

	if (form & (NUMBER_C | NUMBER_0X) && t[0] == '0' && (t[1] == 'x' || t[1] == 'X') &&
	    digit(t[2]) < 16) {
		*at += 2;
		return 16;
	}
	if (form & NUMBER_HEX)
		return 16;
	return form & NUMBER_C && t[0] == '0' ? 8 : 10;
}

static unsigned shift_of(char c)
{
	return c == 'K' ? 10 : c == 'M' ? 20 : c == 'G' ? 30 : 0;
}

bool number_read(const char **at, unsigned form, uint64_t high, uint64_t *value)
{
	unsigned base = base_of(at, form), shift;
	bool fits = digit(**at) < base;

	for (*value = 0; digit(**at) < base; ++*at) {
		fits = fits && !__builtin_mul_overflow(*value, base, value) &&
		       !__builtin_add_overflow(*value, digit(**at), value);
	}
	shift = form & NUMBER_UNITS ? shift_of(**at) : 0;
	if (!fits || *value > high >> shift)
		return false;
	*value <<= shift;
	*at += shift != 0;
	return true;
}

bool number_parse(const char *text, unsigned form, uint64_t low, uint64_t high, uint64_t *value)
{
	return number_read(&text, form, high, value) && !*text && *value >= low;
}

bool number_size_meant(const char *text, uint64_t low, uint64_t high, char meant[24])
{
	size_t len = strlen(text);
	uint64_t value;
	char size[24];

	if (len && (text[len - 1] == 'B' || text[len - 1] == 'b'))
		len--;
	if (len < strlen(text) && len && text[len - 1] == 'i')
		len--;
	if (!len || len >= sizeof(size))
		return false;
	snprintf(size, sizeof(size), "%.*s", (int)len, text);
	for (unsigned n = 0; n < sizeof("kmg") - 1; n++) {
		if (size[len - 1] == "kmg"[n])
			size[len - 1] = "KMG"[n];
	}
	if (!number_parse(size, NUMBER_C | NUMBER_UNITS, low, high, &value))
		return false;
	number_print(meant, NUMBER_UNITS, value);
	return true;
}

bool number_range(const char **at, uint64_t high, uint64_t *first, uint64_t *last)
{
	if (!number_read(at, NUMBER_DECIMAL, high, first))
		return false;
	*last = *first;
	if (**at == '-') {
		++*at;
		if (!number_read(at, NUMBER_DECIMAL, high, last) || *last < *first)
			return false;
	}
	if (**at == ',')
		return *++*at != '\0';
	if (!strcmp(*at, "\n"))
		++*at;
	return !**at;
}

bool number_time(const char *text, uint64_t high, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	};
	unsigned n = 0;

	if (!number_read(&text, NUMBER_DECIMAL, high, ns))
		return false;
	while (n < 5 && strcmp(text, units[n].name))
		n++;
	if (n == 5 || *ns > high / units[n].ns)
		return false;
	*ns *= units[n].ns;
	return true;
}

bool number_hertz(const char *text, uint64_t high, uint64_t *hz)
{
	uint64_t part = 0, tens = 1, scale;

	if (!number_read(&text, NUMBER_DECIMAL, high, hz))
		return false;
	if (*text == '.') {
		const char *first = ++text;

		if (!number_read(&text, NUMBER_DECIMAL, 999999999, &part) || text - first > 9)
			return false;
		for (; first < text; first++)
			tens *= 10;
	}
	scale = *text == 'K' ? 1000 : *text == 'M' ? 1000000 : *text == 'G' ? 1000000000 : 1;
	text += scale != 1;
	if (*text || part * scale % tens || *hz > high / scale)
		return false;
	*hz = *hz * scale + part * scale / tens;
	return *hz <= high;
}

bool number_field(const char **at, unsigned form, uint64_t high, uint64_t *value)
{
	*at += strspn(*at, " \t");
	return number_read(at, form, high, value);
}

bool number_hex(const char *text, size_t len, uint64_t *value)
{
	*value = 0;
	for (size_t n = 0; n < len; n++) {
		if (number_digit(text[n]) < 0)
			return false;
		*value = *value << 4 | (unsigned)number_digit(text[n]);
	}
	return len > 0 && len <= 16;
}

bool number_setting(const char *text, int *value)
{
	bool minus = *text == '-';
	uint64_t size;

	text += minus;
	if (!number_read(&text, NUMBER_DECIMAL, INT_MAX, &size) || (*text && strcmp(text, "\n")))
		return false;
	*value = minus ? -(int)size : (int)size;
	return true;
}

bool number_real(const char **at, double *value)
{
	const char *first = *at + (**at == '.');
	char *end;

	/* strtod(3) also reads signs, spaces, 0x10, inf and nan. */
	if (digit(*first) > 9 || (first[0] == '0' && (first[1] | 0x20) == 'x'))
		return false;
	*value = strtod(*at, &end);
	if (!isfinite(*value))
		return false;
	*at = end;
	return true;
}

void number_print(char text[24], unsigned form, uint64_t value)
{
	unsigned n = 0;

	while (form & NUMBER_UNITS && n < 3 && value && value % 1024 == 0) {
		value /= 1024;
		n++;
	}
	snprintf(text, 24, "%" PRIu64 "%.1s", value, &"\0KMG"[n]);
}

// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_feature.c - the features of a perf.data file: facts about the recorded machine, the
 * recording and its events (perf_internal.h).
 */
#include <stdlib.h>
#include <string.h>

#include "perf_internal.h"

/* Reads a string: a length, then bytes that include a zero.  NULL: it is not complete. */
static const char *get_string(struct in *in)
{
	uint32_t len = get32(in);
	const char *text = in->at;

	if (in->bad || (size_t)(in->end - in->at) < len || !memchr(text, '\0', len))
		return NULL;
	in->at += len;
	return text;
}

static bool set_text(struct perf_reader *r, char **to, const char *text)
{
	free(*to);
	*to = strdup(text);
	return *to || perf_refuse(r, "out of memory");
}

static bool one_string(struct perf_reader *r, char **to, struct in *in)
{
	const char *text = get_string(in);

	return text ? set_text(r, to, text) : true;
}

/*
 * The CPU is "MVENDORID-MARCHID-MIMPID", without its extensions.  T-Head's cores that have no
 * numbers but that of the vendor, C906 and C910, have XTheadVector; Linux decides the same.
 */
static bool cpuid(struct perf_reader *r, struct in *in)
{
	const char *text = get_string(in);

	if (!text || strcmp(text, "0x5b7-0x0-0x0") != 0)
		return true;
	return set_text(r, &r->p->extensions, "xtheadvector");
}

/* Reads the words of the command and joins them with spaces. */
static bool command_line(struct perf_reader *r, struct in *in)
{
	uint32_t nr = get32(in);
	size_t len = 0, room = in->end - in->at + 1;
	char *line = malloc(room);

	if (!line)
		return perf_refuse(r, "out of memory");
	for (uint32_t i = 0; i < nr && !in->bad; i++) {
		const char *word = get_string(in);
		size_t n = word ? strlen(word) : 0;

		if (!word)
			break;
		if (len)
			line[len++] = ' ';
		memcpy(line + len, word, n);
		len += n;
	}
	line[len] = '\0';
	free(r->p->command);
	r->p->command = line;
	return true;
}

static bool name_event(struct perf_reader *r, uint32_t event, const char *name)
{
	return event >= r->events.nr || set_text(r, &r->events.at[event].name, name);
}

/*
 * Reads the names of the events.  The first id of an entry tells its event; without ids, the
 * entries are in the order of the events.
 */
static bool event_desc(struct perf_reader *r, struct in *in)
{
	uint32_t nr = get32(in), attr_size = get32(in);

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t nr_ids, event = i;
		const char *name;

		if ((size_t)(in->end - in->at) < attr_size)
			return true;
		in->at += attr_size;
		nr_ids = get32(in);
		name = get_string(in);
		if (!name || (size_t)(in->end - in->at) / 8 < nr_ids)
			return true;
		if (nr_ids) {
			uint64_t id;

			memcpy(&id, in->at, sizeof(id));
			event = idmap_get(&r->ids, id);
			in->at += 8ull * nr_ids;
		}
		if (!name_event(r, event, name))
			return false;
	}
	return true;
}

bool perf_build_id_record(struct perf_reader *r, const char *at, size_t len)
{
	struct perf_data_build_id b;
	struct perf_build_id *new;

	if (len <= sizeof(b) || !memchr(at + sizeof(b), '\0', len - sizeof(b)))
		return true;
	memcpy(&b, at, sizeof(b));
	if (!PERF_GROW(r, &r->build_ids))
		return false;
	new = &r->build_ids.at[r->build_ids.nr++];
	new->path = at + sizeof(b);
	new->size = b.header.misc &PERF_DATA_MISC_BUILD_ID_SIZE &&b.size < PROFILE_BUILD_ID
			    ? b.size
			    : PROFILE_BUILD_ID;
	memcpy(new->id, b.build_id, PROFILE_BUILD_ID);
	return true;
}

static bool build_ids(struct perf_reader *r, const char *at, size_t len)
{
	while (len >= sizeof(struct perf_event_header)) {
		struct perf_event_header h;

		memcpy(&h, at, sizeof(h));
		if (h.size < sizeof(h) || h.size > len)
			break;
		if (!perf_build_id_record(r, at, h.size))
			return false;
		at += h.size;
		len -= h.size;
	}
	return true;
}

/*
 * Ignores a feature that is not complete: features only add information, and the samples are useful
 * without them.
 */
bool perf_feature(struct perf_reader *r, unsigned feature, const char *at, size_t len)
{
	struct in in = { at, at + len, false };

	switch (feature) {
	case PERF_DATA_BUILD_ID:
		return build_ids(r, at, len);
	case PERF_DATA_HOSTNAME:
		return one_string(r, &r->p->hostname, &in);
	case PERF_DATA_OSRELEASE:
		return one_string(r, &r->p->release, &in);
	case PERF_DATA_ARCH:
		return one_string(r, &r->p->arch, &in);
	case PERF_DATA_CPUID:
		return cpuid(r, &in);
	case PERF_DATA_CMDLINE:
		return command_line(r, &in);
	case PERF_DATA_EVENT_DESC:
		return event_desc(r, &in);
	default:
		return true;
	}
}

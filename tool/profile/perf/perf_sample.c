// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_sample.c - parses a sample of a perf.data file: time, event, place and callers
 * (perf_internal.h; perf_event_open(2), PERF_RECORD_SAMPLE).
 */
#include <string.h>

#include "perf_internal.h"

#define SAMPLE_ID_ALL                                                                              \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |             \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

/* How many of these fields, of one word each, a record with this sample_type has. */
static unsigned words(uint64_t sample_type, uint64_t fields)
{
	return __builtin_popcountll(sample_type & fields);
}

/* The word so many bytes after h; 0 if it is not in the record: `at` may have wrapped. */
static uint64_t word_at(const struct perf_event_header *h, size_t at)
{
	uint16_t size;
	uint64_t value = 0;

	memcpy(&size, (const char *)h + offsetof(struct perf_event_header, size), sizeof(size));
	if (at >= sizeof(*h) && size >= sizeof(value) && at <= size - sizeof(value))
		memcpy(&value, (const char *)h + at, sizeof(value));
	return value;
}

static size_t size_of(const struct perf_event_header *h)
{
	struct perf_event_header copy;

	memcpy(&copy, h, sizeof(copy));
	return copy.size;
}

static bool is_sample(const struct perf_event_header *h)
{
	uint32_t type;

	memcpy(&type, h, sizeof(type));
	return type == PERF_RECORD_SAMPLE;
}

const struct perf_event *perf_event_of(const struct perf_reader *r,
				       const struct perf_event_header *h)
{
	const struct perf_event *first = &r->events.at[0];
	uint64_t type = first->attr.sample_type, id;
	uint32_t event;

	if (r->events.nr == 1)
		return first;
	if (is_sample(h)) {
		id = word_at(h, type & PERF_SAMPLE_IDENTIFIER
					? 8
					: 8 + 8 * words(type, PERF_SAMPLE_IP | PERF_SAMPLE_TID |
								      PERF_SAMPLE_TIME |
								      PERF_SAMPLE_ADDR));
	} else if (!first->attr.sample_id_all) {
		return first;
	} else {
		id = word_at(h,
			     size_of(h) - 8 * (type & PERF_SAMPLE_IDENTIFIER
						       ? 1
						       : 1 + words(type, PERF_SAMPLE_STREAM_ID |
										 PERF_SAMPLE_CPU)));
		if (!id)
			return first;
	}
	event = idmap_get(&r->ids, id);
	return event < r->events.nr ? &r->events.at[event] : NULL;
}

uint64_t perf_time_of(const struct perf_event *e, const struct perf_event_header *h)
{
	uint64_t type = e->attr.sample_type;

	if (is_sample(h))
		return word_at(h, 8 + 8 * words(type, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
							      PERF_SAMPLE_TID));
	if (!e->attr.sample_id_all)
		return 0;
	return word_at(h, size_of(h) -
				  8 * (words(type, SAMPLE_ID_ALL) - words(type, PERF_SAMPLE_TID)));
}

struct sample {
	uint64_t ip, period;
	int32_t pid, tid;
	struct in group; /* the values of a group, from PERF_SAMPLE_READ */
	uint64_t group_nr;
	struct in chain; /* u64 addresses, innermost first */
	uint64_t chain_nr;
	struct perf_copy copy; /* stack NULL: no copy */
};

/* Skips PERF_SAMPLE_READ.  For a group, s notes where the values are. */
static void parse_read(struct in *in, const struct perf_event *e, struct sample *s)
{
	uint64_t format = e->attr.read_format;
	unsigned times = words(format,
			       PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
	unsigned each = 1 + words(format, PERF_FORMAT_ID | PERF_FORMAT_LOST);
	uint64_t nr = 1;

	if (format & PERF_FORMAT_GROUP)
		nr = get64(in);
	while (times--)
		get64(in);
	if (nr > (size_t)(in->end - in->at) / 8 / each) {
		in->bad = true;
		return;
	}
	if (format & PERF_FORMAT_GROUP && format & PERF_FORMAT_ID) {
		s->group = *in;
		s->group_nr = nr;
	}
	in->at += 8 * each * nr;
}

static void skip(struct in *in, uint64_t len)
{
	if (len > (size_t)(in->end - in->at))
		in->bad = true;
	else
		in->at += len;
}

/* Skips PERF_SAMPLE_RAW and PERF_SAMPLE_BRANCH_STACK, which we do not use. */
static void skip_others(struct in *in, const struct perf_event_attr *a)
{
	uint64_t nr;

	if (a->sample_type & PERF_SAMPLE_RAW)
		skip(in, get32(in));
	if (!(a->sample_type & PERF_SAMPLE_BRANCH_STACK))
		return;
	nr = get64(in);
	if (a->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		get64(in);
	skip(in, nr > UINT32_MAX ? UINT64_MAX : nr * sizeof(struct perf_branch_entry));
}

/* Reads the copy of registers and stack.  A kernel thread has no user registers, and so no copy. */
static void parse_copy(struct in *in, const struct perf_event_attr *a, struct perf_copy *c)
{
	uint64_t size, kept;

	if (a->sample_type & PERF_SAMPLE_REGS_USER && get64(in) == PERF_SAMPLE_REGS_ABI_64)
		c->mask = a->sample_regs_user;
	else if (a->sample_type & PERF_SAMPLE_REGS_USER)
		return;
	for (unsigned n = 0; n < PERF_REGISTERS; n++) {
		if (c->mask >> n & 1)
			c->reg[n] = get64(in);
	}
	size = a->sample_type & PERF_SAMPLE_STACK_USER ? get64(in) : 0;
	if (!size)
		return;
	c->stack = in->at;
	skip(in, size);
	/* The kernel reserves size bytes, and fills only the first kept bytes. */
	kept = get64(in);
	if (in->bad || kept > size)
		in->bad = true;
	else
		c->stack_len = kept;
}

static bool parse(const struct perf_event *e, const struct perf_event_header *h, struct sample *s)
{
	struct in in = { (const char *)h + sizeof(*h), (const char *)h + size_of(h), false };
	uint64_t type = e->attr.sample_type;

	*s = (struct sample){ .period = e->attr.freq ? 1 : e->attr.sample_period };
	if (type & PERF_SAMPLE_IDENTIFIER)
		get64(&in);
	if (type & PERF_SAMPLE_IP)
		s->ip = get64(&in);
	if (type & PERF_SAMPLE_TID) {
		s->pid = get32(&in);
		s->tid = get32(&in);
	}
	for (unsigned n = words(type, PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
					      PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU);
	     n; n--)
		get64(&in);
	if (type & PERF_SAMPLE_PERIOD)
		s->period = get64(&in);
	if (type & PERF_SAMPLE_READ)
		parse_read(&in, e, s);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		s->chain_nr = get64(&in);
		s->chain = in;
		if (s->chain_nr > (size_t)(in.end - in.at) / 8)
			in.bad = true;
		else
			in.at += 8 * s->chain_nr;
	}
	if (!in.bad && type & PERF_SAMPLE_STACK_USER) {
		skip_others(&in, &e->attr);
		parse_copy(&in, &e->attr, &s->copy);
	}
	return !in.bad;
}

/* The profile's place of an address; mode is a PERF_RECORD_MISC_ value (KERNEL, USER, ...). */
static uint32_t place_of(struct perf_reader *r, const struct perf_thread *t, uint64_t ip,
			 unsigned mode)
{
	const struct perf_map *map = NULL;
	uint32_t object = PROFILE_NONE;

	if (mode == PERF_RECORD_MISC_KERNEL && (map = perf_map_find(&r->written, ip))) {
		/*
		 * Generated code comes before kallsyms: kallsyms may be older than the code, and
		 * the last symbol in it has no end.
		 */
	} else if (mode == PERF_RECORD_MISC_KERNEL) {
		object = profile_find_kernel(r->p, ip);
		if (object == PROFILE_NONE)
			map = perf_map_find(&r->kernel, ip);
	} else if (mode == PERF_RECORD_MISC_USER) {
		map = perf_jit_find(r, &r->spaces.at[t->space], ip);
		if (!map)
			map = perf_map_find(&r->spaces.at[t->space], ip);
	}
	if (map) {
		object = map->object;
		if (profile_has_offsets(&r->p->objects.at[object]))
			ip = ip - map->start + map->pgoff;
	}
	if (object == PROFILE_NONE) {
		static const char *const unknown[] = {
			"[unknown]",	"[unknown in the kernel]", "[unknown]",
			"[hypervisor]", "[guest's kernel]",	   "[guest]"
		};

		object = profile_add_object(r->p, PROFILE_UNKNOWN, unknown[mode < 6 ? mode : 0],
					    NULL, 0);
	}
	return profile_add_place(r->p, t->process, object, ip);
}

static unsigned mode_of(uint64_t context, unsigned mode)
{
	switch (context) {
	case PERF_CONTEXT_KERNEL:
		return PERF_RECORD_MISC_KERNEL;
	case PERF_CONTEXT_USER:
		return PERF_RECORD_MISC_USER;
	case PERF_CONTEXT_HV:
		return PERF_RECORD_MISC_HYPERVISOR;
	case PERF_CONTEXT_GUEST_KERNEL:
		return PERF_RECORD_MISC_GUEST_KERNEL;
	case PERF_CONTEXT_GUEST_USER:
		return PERF_RECORD_MISC_GUEST_USER;
	default:
		return mode;
	}
}

#define CHAIN_MAX 1024 /* sysctl kernel.perf_event_max_stack may allow more; that is rare */

struct frames {
	struct frame {
		uint64_t ip;
		unsigned mode;
	} at[CHAIN_MAX]; /* innermost first */
	unsigned nr;
};

/*
 * Adds the call chain that the kernel found.  A caller's address is the return address.  It may
 * already belong to the next line or function, so the byte before it stands for the call.
 */
static void add_chain(struct frames *f, struct sample *s, unsigned mode)
{
	bool first = true;

	for (uint64_t i = 0; i < s->chain_nr && f->nr < CHAIN_MAX; i++) {
		uint64_t ip = get64(&s->chain);

		if (ip >= PERF_CONTEXT_MAX) {
			mode = mode_of(ip, mode);
			continue;
		}
		if (!(first && ip == s->ip))
			f->at[f->nr++] = (struct frame){ ip - 1, mode };
		first = false;
	}
}

/* Adds the frames of the program that the unwinder finds, after the kernel's frames. */
static void add_unwound(struct perf_reader *r, struct frames *f, const struct perf_thread *t,
			struct sample *s, unsigned mode)
{
	uint64_t ips[CHAIN_MAX];
	size_t nr;

	if (!s->copy.stack || !r->unwinder)
		return;
	r->p->stack_copies++;
	s->copy.space = &r->spaces.at[t->space];
	s->copy.space_number = t->space;
	s->copy.changes = s->copy.space->changes;
	nr = r->unwinder->unwind(r->unwinder->cookie, &s->copy, ips, CHAIN_MAX - f->nr);
	r->p->stacks_unwound += nr > 0;
	for (size_t i = mode == PERF_RECORD_MISC_USER; i < nr; i++)
		f->at[f->nr++] = (struct frame){ i ? ips[i] - 1 : ips[i], PERF_RECORD_MISC_USER };
}

/* The stack of a sample's callers, outermost first. */
static uint32_t callers(struct perf_reader *r, const struct perf_thread *t, struct sample *s,
			unsigned mode)
{
	struct frames frames;
	uint32_t stack = PROFILE_NONE;

	frames.nr = 0;
	add_chain(&frames, s, mode);
	add_unwound(r, &frames, t, s, mode);
	while (frames.nr--)
		stack = profile_add_stack(r->p,
					  place_of(r, t, frames.at[frames.nr].ip,
						   frames.at[frames.nr].mode),
					  stack);
	return stack;
}

/*
 * A sample of a group's leader has the counter values of all members (perf record -e '{a,b}:S').
 * The members have no samples of their own.  Adds to each event how much its value grew since the
 * leader's last sample.
 */
static bool add_group(struct perf_reader *r, const struct perf_event *e, struct sample *s,
		      uint32_t stack)
{
	bool has_lost = e->attr.read_format & PERF_FORMAT_LOST;

	for (uint64_t i = 0; i < s->group_nr; i++) {
		uint64_t value = get64(&s->group), id = get64(&s->group), before = 0;
		uint32_t event = idmap_get(&r->ids, id), n = idmap_get(&r->values, id);

		if (has_lost)
			get64(&s->group);
		if (event >= r->events.nr)
			continue;
		if (n == IDMAP_NONE) {
			n = r->last_values.nr;
			if (!PERF_GROW(r, &r->last_values) ||
			    !(idmap_set(&r->values, id, n) || perf_refuse(r, "out of memory")))
				return false;
			r->last_values.nr++;
		} else {
			before = r->last_values.at[n];
		}
		r->last_values.at[n] = value;
		if (value > before)
			profile_add(r->p, stack, r->events.at[event].event, value - before, 1);
	}
	return true;
}

bool perf_sample(struct perf_reader *r, const struct perf_event_header *h)
{
	const struct perf_event *e = perf_event_of(r, h);
	struct perf_event_header copy;
	struct perf_thread *t;
	struct sample s;
	unsigned mode;
	uint32_t stack;

	memcpy(&copy, h, sizeof(copy));
	if (!e)
		return perf_damaged(r, (const char *)h, "a sample is of no event of the file");
	if (!parse(e, h, &s))
		return perf_damaged(r, (const char *)h, "a sample is truncated");
	t = perf_thread(r, s.pid, s.tid);
	if (!t || !perf_jit_follow(r, t->space, perf_time_of(e, h)))
		return false;
	mode = copy.misc & PERF_RECORD_MISC_CPUMODE_MASK;
	stack = callers(r, t, &s, mode);
	stack = profile_add_stack(r->p, place_of(r, t, s.ip, mode), stack);
	if (s.group_nr)
		return add_group(r, e, &s, stack);
	profile_add(r->p, stack, e->event, s.period, 1);
	return true;
}

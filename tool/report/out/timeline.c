// SPDX-License-Identifier: BSD-2-Clause
/*
 * timeline.c - writes the time line of an exact profile: as CSV, a row for each interval, hart and
 * process; as a trace of counter tracks in the JSON that Perfetto and Chrome open (Trace Event
 * Format); and for the page (report.h).
 */
#include <stdio.h>

#include "csv.h"
#include "json.h"
#include "out.h"
#include "report.h"

static uint64_t first_interval(const struct profile *p)
{
	uint64_t first = UINT64_MAX;

	for (size_t n = 0; n < p->slices.nr; n++)
		first = p->slices.at[n].interval < first ? p->slices.at[n].interval : first;
	return first;
}

static uint64_t count_of(const struct profile *p, size_t slice, uint32_t event)
{
	return p->slice_counts.at[slice * p->events.nr + event];
}

bool report_out_timeline(struct report *r, const struct report_view *v, FILE *to)
{
	const struct profile *p = r->p;
	struct csv c = csv_to(to, ",");
	uint64_t first = first_interval(p);

	csv_text(&c, "ms");
	csv_text(&c, "hart");
	csv_text(&c, "comm");
	for (unsigned n = 0; n < v->events.nr; n++)
		csv_text(&c, p->events.at[v->events.at[n]].name);
	csv_end(&c);
	for (size_t n = 0; n < p->slices.nr; n++) {
		const struct profile_slice *s = &p->slices.at[n];

		csv_number(&c, (s->interval - first) * (p->slice_ns / 1000000));
		csv_number(&c, s->hart);
		csv_text(&c, p->processes.at[s->process].comm);
		for (unsigned e = 0; e < v->events.nr; e++)
			csv_number(&c, count_of(p, n, v->events.at[e]));
		csv_end(&c);
	}
	return true;
}

/* The process of a trace's track has the number of ours plus 1: 0 is the idle task's. */
static void process_names(struct json *j, const struct profile *p)
{
	for (uint32_t n = 0; n < p->processes.nr; n++) {
		json_open(j, NULL, '{');
		json_text(j, "name", "process_name");
		json_text(j, "ph", "M");
		json_number(j, "pid", n + 1);
		json_open(j, "args", '{');
		json_text(j, "name", p->processes.at[n].comm);
		json_close(j, '}');
		json_close(j, '}');
	}
}

static void counter(struct json *j, const struct profile *p, size_t slice, uint32_t event,
		    uint64_t interval, uint64_t value)
{
	const struct profile_slice *s = &p->slices.at[slice];
	char name[512];

	snprintf(name, sizeof(name), "%s, hart %u", p->events.at[event].name, s->hart);
	json_open(j, NULL, '{');
	json_text(j, "name", name);
	json_text(j, "ph", "C");
	json_number(j, "pid", s->process + 1);
	json_number(j, "ts", interval * (p->slice_ns / 1000));
	json_open(j, "args", '{');
	json_number(j, "value", value);
	json_close(j, '}');
	json_close(j, '}');
}

/* Whether the process runs on the hart in the next interval, too. */
static bool goes_on(const struct profile *p, size_t slice)
{
	const struct profile_slice *s = &p->slices.at[slice];

	for (size_t n = slice + 1; n < p->slices.nr; n++) {
		const struct profile_slice *next = &p->slices.at[n];

		if (next->hart != s->hart || next->interval == s->interval)
			continue;
		if (next->interval > s->interval + 1)
			return false;
		if (next->process == s->process)
			return true;
	}
	return false;
}

bool report_out_trace(struct report *r, const struct report_view *v, FILE *to)
{
	const struct profile *p = r->p;
	struct json j = json_to(to);
	uint64_t first = first_interval(p);

	json_open(&j, NULL, '{');
	json_text(&j, "displayTimeUnit", "ms");
	json_open(&j, "traceEvents", '[');
	process_names(&j, p);
	for (size_t n = 0; n < p->slices.nr; n++) {
		uint64_t interval = p->slices.at[n].interval - first;
		bool ends = !goes_on(p, n);

		for (unsigned e = 0; e < v->events.nr; e++) {
			uint32_t event = v->events.at[e];

			if (!p->events.at[event].total)
				continue;
			counter(&j, p, n, event, interval, count_of(p, n, event));
			if (ends)
				counter(&j, p, n, event, interval + 1, 0);
		}
	}
	json_close(&j, ']');
	json_close(&j, '}');
	return true;
}

void report_page_times(struct json *j, const struct report *r, const struct report_view *v)
{
	const struct profile *p = r->p;
	uint64_t first = first_interval(p);

	json_open(j, "times", '{');
	json_number(j, "ms", p->slice_ns / 1000000);
	json_open(j, "processes", '[');
	for (uint32_t n = 0; p->slices.nr && n < p->processes.nr; n++)
		json_text(j, NULL, p->processes.at[n].comm);
	json_close(j, ']');
	json_open(j, "slices", '[');
	for (size_t n = 0; n < p->slices.nr; n++) {
		json_open(j, NULL, '[');
		json_number(j, NULL, p->slices.at[n].interval - first);
		json_number(j, NULL, p->slices.at[n].hart);
		json_number(j, NULL, p->slices.at[n].process);
		json_close(j, ']');
	}
	json_close(j, ']');
	json_open(j, "counts", '[');
	for (unsigned e = 0; p->slices.nr && e < v->events.nr; e++) {
		json_open(j, NULL, '[');
		for (size_t n = 0; n < p->slices.nr; n++) {
			if (!count_of(p, n, v->events.at[e]))
				continue;
			json_number(j, NULL, n);
			json_number(j, NULL, count_of(p, n, v->events.at[e]));
		}
		json_close(j, ']');
	}
	json_close(j, ']');
	json_close(j, '}');
}

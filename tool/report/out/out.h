/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * out.h - the output formats of holter report, one a file.  This header is the door of
 * tool/report/out.  The caller checks the stream for write errors.
 */
#ifndef TOOL_REPORT_OUT_H
#define TOOL_REPORT_OUT_H

#include "report.h"

struct json;

/* Each function writes one format.  Returns false if there is no memory. */
bool report_out_text(struct report *r, const struct report_view *v, FILE *to);
bool report_out_json(struct report *r, const struct report_view *v, FILE *to);
bool report_out_folded(struct report *r, const struct report_view *v, FILE *to);
bool report_out_callgrind(struct report *r, const struct report_view *v, FILE *to);
bool report_out_html(struct report *r, const struct report_view *v, FILE *to);
bool report_out_csv(struct report *r, const struct report_view *v, FILE *to);
bool report_out_pprof(struct report *r, const struct report_view *v, FILE *to);
bool report_out_speedscope(struct report *r, const struct report_view *v, FILE *to);
bool report_out_svg(struct report *r, const struct report_view *v, FILE *to);
bool report_out_timeline(struct report *r, const struct report_view *v, FILE *to);
bool report_out_trace(struct report *r, const struct report_view *v, FILE *to);

/* data.c: the same formats for keys of data. */
bool report_out_data_text(struct report *r, const struct report_view *v, FILE *to);
bool report_out_data_csv(struct report *r, const struct report_view *v, FILE *to);

/*
 * data.c: writes the data of a profile, and the lines that harts take from each other, as members
 * of the object that is open in j.  Returns false if there is no memory.
 */
bool report_json_data(struct json *j, struct report *r, const struct report_view *v);

/*
 * data.c: the name of column n of a table of data, and the events of which it is the sum, with
 * blanks between them.  NULL: there are no more columns.
 */
const char *report_data_column(unsigned n, const char **events);
bool report_data_has_event(const char *events, const char *event);

/* Tells how many rows a table leaves out, if any. */
void report_rows_left(FILE *to, uint64_t left);

/* Writes what the report covers, and its events, as members of the object that is open in j. */
void report_json_head(struct json *j, struct report *r, const struct report_view *v);

/*
 * page_code.c: writes the code of the functions that the page shows, as an object at the top of j.
 * Returns false if there is no memory.
 */
bool report_page_code(struct json *j, struct report *r, const struct report_view *v);

/*
 * page_things.c: writes the data of a profile as a member of the object that is open in j; null, if
 * it has none.  Returns false if there is no memory.
 */
bool report_page_things(struct json *j, struct report *r, const struct report_view *v);

/* timeline.c: writes the time line as a member of the object that is open in j. */
void report_page_times(struct json *j, const struct report *r, const struct report_view *v);

/* lines.c: finds the first line of each function that has events, by function.  file: PROFILE_NONE,
 * not known.  The caller frees *lines.  Returns false if there is no memory. */
struct report_line {
	uint32_t file; /* string */
	int line;
};
bool report_first_lines(const struct report *r, struct report_line **lines);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmcformat.h - formats an entry of a log as a line of JSON, for C++ programs, with FreeBSD's keys.
 *
 * It is a header without a library part, because the library is C.  As on FreeBSD, all values are
 * strings.  Names of processes and files are escaped.
 */
#ifndef PMCFORMAT_H
#define PMCFORMAT_H

#ifdef __cplusplus

#include <cinttypes>
#include <cstdio>
#include <string>

#include <pmclog.h>

namespace pmcformat
{

inline std::string escaped(const char *text)
{
	std::string out;
	char code[8];

	for (; *text; text++) {
		unsigned char c = static_cast<unsigned char>(*text);

		if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f) {
			snprintf(code, sizeof(code), "\\u%04x", c);
			out += code;
		} else {
			out += *text;
		}
	}
	return out;
}

/* A line of JSON under construction. */
struct line {
	std::string text;

	explicit line(const char *type) : text("{\"type\": \"")
	{
		text += type;
		text += '"';
	}
	line &string(const char *key, const char *value)
	{
		text += std::string(", \"") + key + "\": \"" + escaped(value) + '"';
		return *this;
	}
	line &dec(const char *key, int64_t value)
	{
		return string(key, std::to_string(value).c_str());
	}
	line &hex(const char *key, uint64_t value, int digits)
	{
		char number[24];

		snprintf(number, sizeof(number), "0x%0*" PRIx64, digits, value);
		return string(key, number);
	}
};

inline const char *type_name(enum pmclog_type type)
{
	static const char *const names[] = {
		"",	      "closelog",  "dropnotify",
		"initialize", "",	   "pmcallocate",
		"pmcattach",  "pmcdetach", "proccsw",
		"procexec",   "procexit",  "procfork",
		"sysexit",    "userdata",  "map_in",
		"map_out",    "callchain", "pmcallocatedyn",
		"thr_create", "thr_exit",  "proc_create",
	};

	return static_cast<unsigned>(type) < sizeof(names) / sizeof(names[0]) ? names[type] : "";
}

/* Entries about PMCs. */
inline void add_pmc(line &l, const struct pmclog_ev &ev)
{
	switch (ev.pl_type) {
	case PMCLOG_TYPE_PMCALLOCATE:
		l.hex("pmcid", ev.pl_u.pl_a.pl_pmcid, 8).hex("event", ev.pl_u.pl_a.pl_event, 8);
		l.hex("flags", ev.pl_u.pl_a.pl_flags, 8);
		l.dec("rate", static_cast<int64_t>(ev.pl_u.pl_a.pl_rate));
		break;
	case PMCLOG_TYPE_PMCALLOCATEDYN:
		l.hex("pmcid", ev.pl_u.pl_ad.pl_pmcid, 8).dec("event", ev.pl_u.pl_ad.pl_event);
		l.hex("flags", ev.pl_u.pl_ad.pl_flags, 8);
		l.string("evname", ev.pl_u.pl_ad.pl_evname);
		break;
	case PMCLOG_TYPE_PMCATTACH:
		l.hex("pmcid", ev.pl_u.pl_t.pl_pmcid, 8).dec("pid", ev.pl_u.pl_t.pl_pid);
		l.string("pathname", ev.pl_u.pl_t.pl_pathname);
		break;
	case PMCLOG_TYPE_PMCDETACH:
		l.hex("pmcid", ev.pl_u.pl_d.pl_pmcid, 8).dec("pid", ev.pl_u.pl_d.pl_pid);
		break;
	case PMCLOG_TYPE_PROCCSW:
		l.hex("pmcid", ev.pl_u.pl_c.pl_pmcid, 8).dec("pid", ev.pl_u.pl_c.pl_pid);
		l.dec("tid", ev.pl_u.pl_c.pl_tid).hex("value", ev.pl_u.pl_c.pl_value, 16);
		break;
	case PMCLOG_TYPE_PROCEXIT:
		l.hex("pmcid", ev.pl_u.pl_e.pl_pmcid, 8).dec("pid", ev.pl_u.pl_e.pl_pid);
		l.hex("value", ev.pl_u.pl_e.pl_value, 16);
		break;
	case PMCLOG_TYPE_CALLCHAIN:
		l.hex("pmcid", ev.pl_u.pl_cc.pl_pmcid, 8).dec("pid", ev.pl_u.pl_cc.pl_pid);
		l.dec("tid", ev.pl_u.pl_cc.pl_tid).hex("cpuflags", ev.pl_u.pl_cc.pl_cpuflags, 8);
		l.hex("cpuflags2", ev.pl_u.pl_cc.pl_cpuflags2, 8);
		l.text += ", \"pc\": [ ";
		for (uint32_t i = 0; i < ev.pl_u.pl_cc.pl_npc; i++) {
			char pc[32];

			snprintf(pc, sizeof(pc), "%s\"0x%016" PRIx64 "\"", i ? ", " : "",
				 static_cast<uint64_t>(ev.pl_u.pl_cc.pl_pc[i]));
			l.text += pc;
		}
		l.text += "]";
		break;
	default:
		break;
	}
}

/* Entries about processes, and about the log. */
inline void add_other(line &l, const struct pmclog_ev &ev)
{
	switch (ev.pl_type) {
	case PMCLOG_TYPE_INITIALIZE:
		l.hex("version", ev.pl_u.pl_i.pl_version, 8).hex("arch", ev.pl_u.pl_i.pl_arch, 8);
		l.string("cpuid", ev.pl_u.pl_i.pl_cpuid);
		l.dec("tsc_freq", static_cast<int64_t>(ev.pl_u.pl_i.pl_tsc_freq));
		l.dec("sec", ev.pl_u.pl_i.pl_ts.tv_sec).dec("nsec", ev.pl_u.pl_i.pl_ts.tv_nsec);
		break;
	case PMCLOG_TYPE_PROCEXEC:
		l.hex("pmcid", ev.pl_u.pl_x.pl_pmcid, 8).dec("pid", ev.pl_u.pl_x.pl_pid);
		l.hex("start", ev.pl_u.pl_x.pl_dynaddr, 16);
		l.string("pathname", ev.pl_u.pl_x.pl_pathname);
		break;
	case PMCLOG_TYPE_PROCFORK:
		l.dec("oldpid", ev.pl_u.pl_f.pl_oldpid).dec("newpid", ev.pl_u.pl_f.pl_newpid);
		break;
	case PMCLOG_TYPE_SYSEXIT:
		l.dec("pid", ev.pl_u.pl_se.pl_pid);
		break;
	case PMCLOG_TYPE_USERDATA:
		l.hex("userdata", ev.pl_u.pl_u.pl_userdata, 8);
		break;
	case PMCLOG_TYPE_MAP_IN:
		l.dec("pid", ev.pl_u.pl_mi.pl_pid).hex("start", ev.pl_u.pl_mi.pl_start, 16);
		l.string("pathname", ev.pl_u.pl_mi.pl_pathname);
		break;
	case PMCLOG_TYPE_MAP_OUT:
		l.dec("pid", ev.pl_u.pl_mo.pl_pid).hex("start", ev.pl_u.pl_mo.pl_start, 16);
		l.hex("end", ev.pl_u.pl_mo.pl_end, 16);
		break;
	case PMCLOG_TYPE_THR_CREATE:
		l.dec("tid", ev.pl_u.pl_tc.pl_tid).dec("pid", ev.pl_u.pl_tc.pl_pid);
		l.hex("flags", ev.pl_u.pl_tc.pl_flags, 8);
		l.string("tdname", ev.pl_u.pl_tc.pl_tdname);
		break;
	case PMCLOG_TYPE_THR_EXIT:
		l.dec("tid", ev.pl_u.pl_te.pl_tid);
		break;
	case PMCLOG_TYPE_PROC_CREATE:
		l.dec("pid", ev.pl_u.pl_pc.pl_pid).hex("flags", ev.pl_u.pl_pc.pl_flags, 8);
		l.string("pcomm", ev.pl_u.pl_pc.pl_pcomm);
		break;
	default:
		break;
	}
}

} // namespace pmcformat

/* Formats an event of pmclog_read(); the line ends with a newline. */
inline std::string event_to_json(struct pmclog_ev *ev)
{
	pmcformat::line l(pmcformat::type_name(ev->pl_type));

	l.dec("tsc", ev->pl_ts.tv_sec);
	pmcformat::add_pmc(l, *ev);
	pmcformat::add_other(l, *ev);
	return l.text + "}\n";
}

#endif

#endif

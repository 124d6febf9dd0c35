#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# tests/link/libpmc.sh - the symbols of libpmc: the shared library exports exactly the functions of its
# headers, the static library only these and lpmc_*; and each header compiles by itself.  TAP.
#
# usage: libpmc.sh LIBPMC.SO LIBPMC.A HEADER_DIR
set -u
so=$1 a=$2 headers=$3
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

# check NAME: passes if $tmp/why is empty
check() { t "$1" eval '! grep . "$tmp/why"'; }

# shellcheck disable=SC2016
cpp -P -I"$headers" "$headers/pmclog.h" 2>/dev/null | grep -o '\bpmc[a-z_]*(' | tr -d '(' | sort -u >"$tmp/declared"
nm -D --defined-only "$so" | awk '$2 == "T" { sub("@.*", "", $3); print $3 }' | sort -u >"$tmp/shown"
diff "$tmp/declared" "$tmp/shown" >"$tmp/why"
check "the shared library exports the $(wc -l <"$tmp/declared") functions of the headers"

nm -g --defined-only "$a" | awk 'NF == 3 && $3 !~ /^(pmc|pmclog|lpmc)_/ && $3 != "lpmc"' >"$tmp/why"
check "the static library defines nothing else but lpmc_*"

# alone COMPILER SUFFIX STANDARD...: compiles each header by itself, in each standard
alone() {
	compiler=$1 suffix=$2
	shift 2
	command -v "$compiler" >/dev/null || return 0
	for h in pmc.h pmclog.h pmcformat.h sys/pmc.h sys/pmclog.h; do
		printf '#include <%s>\nint main(void) { return 0; }\n' "$h" >"$tmp/alone.$suffix"
		for std; do
			"$compiler" "-std=$std" -Wall -Wextra -pedantic -Werror -I"$headers" -c \
				-o "$tmp/alone.o" "$tmp/alone.$suffix" 2>&1 ||
				echo "$compiler -std=$std: $h"
		done
	done
}
for cc in gcc clang; do alone $cc c c99 c11 c17; done >"$tmp/why"
for cxx in g++ clang++; do alone $cxx cc c++17; done >>"$tmp/why"
check "each header compiles by itself, as C99, C11, C17 and C++17"

cat >"$tmp/freebsd.cc" <<'END'
#include <sys/pmc.h>
#include <sys/pmclog.h>
#include <pmcformat.h>
#include <cstring>

int main()
{
	static struct pmclog_ev ev;
	struct pmclog_parse_state *ps = static_cast<struct pmclog_parse_state *>(pmclog_open(-1));
	const char **counters;

	if (!ps || pmclog_read(ps, &ev) == 0 || ev.pl_state != PMCLOG_REQUIRE_DATA)
		return 1;
	pmclog_close(ps);
	if (pmc_pmu_stat_mode(&counters) != ENXIO) /* pmc_init() was not called */
		return 2;
	ev.pl_type = PMCLOG_TYPE_PROCEXEC;
	ev.pl_ts.tv_sec = 3;
	ev.pl_u.pl_x.pl_pmcid = 0x10;
	ev.pl_u.pl_x.pl_pid = 77;
	ev.pl_u.pl_x.pl_entryaddr = 0x1000;
	strcpy(ev.pl_u.pl_x.pl_pathname, "/a\"\n");
	if (event_to_json(&ev) != "{\"type\": \"procexec\", \"tsc\": \"3\", \"pmcid\": \"0x00000010\", "
				  "\"pid\": \"77\", \"start\": \"0x0000000000001000\", "
				  "\"pathname\": \"/a\\u0022\\u000a\"}\n")
		return 3;
	memset(&ev.pl_u, 0, sizeof(ev.pl_u));
	ev.pl_type = PMCLOG_TYPE_CALLCHAIN;
	ev.pl_u.pl_cc.pl_npc = 2;
	ev.pl_u.pl_cc.pl_pc[1] = 0x20;
	return event_to_json(&ev).find("\"cpuflags2\": \"0x00000000\", \"pc\": [ \"0x0000000000000000\", "
				       "\"0x0000000000000020\"]}\n") == std::string::npos;
}
END
{ g++ -std=c++17 -Wall -Wextra -Werror -I"$headers" -o "$tmp/freebsd" "$tmp/freebsd.cc" "$so" \
	-Wl,-rpath,"$(dirname "$(realpath "$so")")" && "$tmp/freebsd" || echo "status $?"; } >"$tmp/why" 2>&1
check "the headers that FreeBSD's programs in C++ include, and event_to_json()"

# every function has a page that names it
while read -r f; do
	grep -q "^\.Nm $f\b\|^\.Fn $f\b" "$headers"/../man/*.3 || echo "$f is in no manual page"
done <"$tmp/declared" >"$tmp/why"
check "every function is in the manual"
finish

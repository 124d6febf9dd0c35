# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
#
# tests/tap.sh - functions of the test scripts on the host: each script sources this file first, has the
# folder $tmp, and ends with finish.  (tests/linux/lib.sh is for scripts in the guest.)
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
n=0 bad=0

# test_caches: what holter keeps is in a folder of the tests that run together (tests/check), so that
# each guest boots once for all of them; or in $tmp
test_caches() { export XDG_CACHE_HOME="${HOLTER_TEST_CACHE:-$tmp/cache}"; }

# said: prints more diagnostics of a failed test than its command did; a script may redefine it
said() { :; }

# t NAME COMMAND...: a test that passes when the command succeeds
t() {
	n=$((n + 1)) tap_name=$1
	shift
	if "$@" >"$tmp/.tap" 2>&1; then
		echo "ok $n - $tap_name"
	else
		echo "not ok $n - $tap_name"
		{ cat "$tmp/.tap"; said 2>&1; } | tail -n 40 | sed 's/^/# /'
		bad=1
	fi
}

# result NAME: a test that has passed if the last command has succeeded
result() { t "$1" [ $? = 0 ]; }

# bad NAME PATTERN ARGUMENT...: run, which the script defines and which sets out, err and status, prints
# exactly one line, which matches PATTERN, and ends with status 2
bad() {
	local name=$1 pattern=$2
	shift 2
	run "$@" </dev/null
	t "$name" one_line "$pattern"
}
one_line() { [ "$status" = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q -e "$1" err; }

# skip NAME REASON
skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# adopt PREFIX: prints the lines of TAP on stdin, which is a file, with this script's numbers and with
# PREFIX in front of their names; other lines are printed, too.  Sets adopted to the number of results and
# planned to the number planned.
adopt() {
	local line cr
	cr=$(printf '\r')
	adopted=0 planned=0
	while IFS= read -r line; do
		line=${line%"$cr"}
		case $line in
		1..*)	planned=$((planned + ${line#1..})) ;;
		"ok "*|"not ok "*)
			n=$((n + 1)) adopted=$((adopted + 1))
			case $line in "not ok "*) bad=1 ;; esac
			printf '%s %d - %s%s\n' "${line%%ok *}ok" $n "$1" "${line#*- }" ;;
		"TAP version"*) ;;
		"#"*)	printf '%s\n' "$line" ;;
		*)	printf '# %s\n' "$line" ;;
		esac
	done
}

# guest_is_there: skips all tests of the script if there is no guest
guest_is_there() {
	[ -f "$root/build/guest/trixie/recipe" ] || { echo "1..0 # SKIP no guest: make guest"; exit 0; }
}

finish() {
	echo "1..$n"
	exit $bad
}

# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
#
# tests/tap.sh - what tests that are scripts of this machine share: each sources it first, has a folder
# for itself, and ends with finish.  (tests/linux/lib.sh is for those that run in the guest.)
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
n=0 bad=0

# said: what a failed test shows beside what its command printed; a script that has more says so
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

# skip NAME REASON
skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

finish() {
	echo "1..$n"
	exit $bad
}

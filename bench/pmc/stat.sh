# SPDX-License-Identifier: BSD-2-Clause
# Runs in the guest (busybox sh): the instructions that the whole guest executes for `true` alone, in
# holter stat and in perf stat.  Prints a line NAME FIGURE for each, the least of ten: the first runs
# take more, and the other work of the kernel varies.
# shellcheck shell=dash
all() { # PROGRAM...: instructions of user mode and kernel, of everything
	perf stat -a -x, -e instructions -- "$@" 2>&1 >/dev/null |
		sed -n 's/^\([0-9][0-9]*\),,instructions.*/\1/p' | tail -n 1
}
least() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do all "$@"; done | sort -n | head -n 1
}

alone=$(least true)
echo "stat $(($(least /tool/holter stat true) - alone))"
echo "perf-stat $(($(least perf stat true) - alone))"

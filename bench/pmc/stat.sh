# In the guest: instructions that all of it executes for `true`, alone, in holter stat and in perf stat
# (busybox sh).  A line NAME FIGURE each, of the least of ten: the first ones take more,
# and what the kernel does beside them differs from one to the next.
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

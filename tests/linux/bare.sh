# SPDX-License-Identifier: BSD-2-Clause
# A hart without Sstc and Sscofpmf: Linux sets the timer through the firmware, which counts the calls;
# perf can count and cannot sample.
# shellcheck shell=dash disable=SC1091,SC2086,SC2046,SC2154,SC2166,SC2034,SC2317 # busybox sh; words are words
. /lib.sh

t "the kernel sees the PMU" has_pmu '16 firmware and .* hardware counters'
# System-wide: the timer is set after the program has gone to sleep.
count "$(fw 5)" -a -- $W sleep 100
t "100 sleeps, at least 100 set_timer: $(value "$(fw 5)")" between "$(value "$(fw 5)")" 100 1000
count cycles,instructions -- $W spin 20000000
t "perf stat counts cycles: $(value cycles)" between "$(value cycles)" 1000000 100000000000
t "perf stat counts instructions: $(value instructions)" between "$(value instructions)" 1000000 100000000000
can "30 starts and stops lose nothing" $W restart 30
# Tested without perf: perf record 6.12 tries one fallback after another and never ends.
can "a counter that cannot overflow is not opened for sampling" $W unsampled
t "nothing in the kernel's log" no_oops

# SPDX-License-Identifier: BSD-2-Clause
# One hart under -icount with an idle state that loses all registers: Linux stops the counters before the
# sleep and starts them afterwards without configuring them again, so that the firmware must restore
# their selectors.
# shellcheck shell=dash disable=SC1091,SC2086,SC2046,SC2154,SC2166,SC2034,SC2317 # busybox sh; words are words
. /lib.sh

t "the kernel sees the PMU" has_pmu '16 firmware and .* hardware counters'
used() { cat /sys/devices/system/cpu/cpu0/cpuidle/state1/usage; }
if [ ! -d /sys/devices/system/cpu/cpu0/cpuidle/state1 ]; then
	skip "suspend of a hart" "Linux took no idle state from the device tree"
	exit
fi

# longest_gap: the longest time in us from exec to exit without a sample.  QEMU 7.2 loses an overflow when
# a counter is set while its timer still stands for an earlier value, and Linux sets a process's counters
# at each switch.  The next tick, 4 ms later, starts them again.  OpenSBI's counters lose as many.
longest_gap() {
	perf script -i /tmp/perf.data --show-task-events -F comm,time,event 2>/dev/null | awk '
		/ exec: / { last = $2 + 0; next }
		last && /cycles|_EXIT/ { d = ($2 - last) * 1e6; if (d > most) most = d; last = $2 + 0 }
		END { printf "%d", most }'
}

loops=10000000
for turn in 1 2; do
	before=$(used)
	# Counters of the hart, not of a process, run across 50 sleeps.
	count cycles,instructions,"$(fw 5)" -a -- $W sleep 50
	t "$turn: counters across 50 sleeps: $(value instructions)" between "$(value instructions)" 100000 1000000000
	note "$turn: the hart was suspended $(($(used) - before)) times"
	count cycles,instructions -- $W spin $loops
	t "$turn: perf stat counts instructions: $(value instructions)" \
		between "$(value instructions)" $((2 * loops)) $((loops * 23 / 10))
	# 200 samples in the loop, and some more between the sleeps and in other processes.  The event is one of
	# the hart: no switch of processes starts it again, only a sleep that suspends the hart.  If QEMU loses an
	# overflow before that, no sample follows, which happens on a busy host.  One of three must have all.
	for try in 1 2 3; do
		sample -a -e cycles -c 100000 -- sh -c "$W sleep 20; $W spin $loops; $W sleep 20"
		[ "$samples" -lt 190 ] || break
	done
	t "$turn: sampling across sleeps: at least 190 samples, got $samples" between $samples 190 2000
	n=$(perf script -i /tmp/perf.data -F comm 2>/dev/null | grep -c load)
	t "$turn: 200 of them in the loop, got $n" between "$n" 195 240
	sample -e cycles -c 100000 -- $W spin $((5 * loops))
	gap=$(longest_gap)
	t "$turn: a process is sampled to its end: $samples samples, at most $gap us without one" between "$gap" 90 20000
done
# In the first turn the governor learns that these sleeps are long enough.
t "the hart was suspended, in all $(used) times" between "$(used)" 20 100000
t "nothing in the kernel's log" no_oops

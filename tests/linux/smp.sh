# SPDX-License-Identifier: BSD-2-Clause
# Four harts: firmware events with known counts, counting on each hart, and a hart that goes offline and
# online.
# shellcheck shell=dash disable=SC1091,SC2086,SC2046,SC2154,SC2166,SC2034,SC2317 # busybox sh; words are words
. /lib.sh

t "four harts" [ "$(nproc)" = 4 ]
t "the kernel sees the PMU" has_pmu '16 firmware and .* hardware counters'

# taskset: if the process had run on a third hart, that one would get its fences, too.  M is higher
# than N because a system-wide count includes a few events of the kernel.
N=1000 M=1300
count "$(fw 8),$(fw 10),$(fw 12)" -C 0 -- taskset 1 $W fencei $N
t "$N remote FENCE.I sent: $(value "$(fw 8)")" between "$(value "$(fw 8)")" $N $M
count "$(fw 9)" -C 1 -- taskset 1 $W fencei $N
t "$N remote FENCE.I received: $(value "$(fw 9)")" between "$(value "$(fw 9)")" $N $M
count "$(fw 10),$(fw 12)" -C 0 -- taskset 1 $W sfence $N
both=$(($(value "$(fw 10)") + $(value "$(fw 12)")))
t "$N remote SFENCE.VMA sent, with or without ASID: $both" between $both $N $((2 * M))
count "$(fw 11),$(fw 13)" -C 1 -- taskset 1 $W sfence $N
both=$(($(value "$(fw 11)") + $(value "$(fw 13)")))
t "$N remote SFENCE.VMA received: $both" between $both $N $((2 * M))
L=$((N * 8 / 10))
count_ipis "$(fw 6)" 0 $N
t "$N IPIs sent: $(value "$(fw 6)")" between "$(value "$(fw 6)")" $L $M
count_ipis "$(fw 7)" 1 $N
t "$N IPIs received: $(value "$(fw 7)")" between "$(value "$(fw 7)")" $L $M
count "$(fw 4)" -C 0 -- $W on 0 illegal $N
t "$N illegal instructions: $(value "$(fw 4)")" between "$(value "$(fw 4)")" $N $M
count "$(fw 5)" -C 0 -- $W on 0 sleep 20
t "no set_timer with Sstc: $(value "$(fw 5)")" between "$(value "$(fw 5)")" 0 0

# Two counters on one event: both count.
count "$(fw 8),$(fw 8)" -C 0 -- taskset 1 $W fencei $N
t "one firmware event in two counters: both count" \
	[ "$(awk -F, -v e="$(fw 8)" -v n=$N '$3 == e && $1 >= n' $out | wc -l)" = 2 ]

count "$(fw 22)" -- true
t "firmware event 22, which does not exist, does not count: $(value "$(fw 22)")" [ "$(value "$(fw 22)")" = "<not supported>" -o "$(value "$(fw 22)")" = "<not counted>" ]

# Each hart.  Without -icount the counters follow the host's clock: only the order of magnitude is
# checked.  A wrong sign or a stale value is far outside.
sane() { between "$1" 1000000 100000000000; }
count cycles,instructions -a -A -- $W threads 4 20000000
for cpu in 0 1 2 3; do
	t "perf stat -a: hart $cpu counts cycles" sane "$(value cycles $cpu)"
	t "perf stat -a: hart $cpu counts instructions" sane "$(value instructions $cpu)"
done
sample -F 4000 -e cycles -- $W spin 300000000
t "perf record takes samples ($samples)" between $samples 20 20000

t "hart 2 goes" hotplug 2
count cycles -a -- $W threads 3 20000000
t "the other harts count without it" sane "$(value cycles)"
t "hart 2 comes back" back 2
count cycles,instructions,"$(fw 7)" -C 2 -- $W on 2 spin 50000000
t "hart 2 counts cycles again: $(value cycles)" sane "$(value cycles)"
t "hart 2 counts instructions again: $(value instructions)" sane "$(value instructions)"
t "hart 2 counts firmware events again: $(value "$(fw 7)")" between "$(value "$(fw 7)")" 0 100000
sample -F 4000 -e cycles -- $W on 2 spin 300000000
t "hart 2 is sampled again ($samples)" between $samples 20 20000

# The hart goes offline while perf counts on all harts, with counters that run on this one.
rm -f began
perf stat -x, -a -A -e cycles -o $out sh -c "echo >began; exec $W sleep 2500" &
until [ -s began ]; do usleep 10000; done
sleep 1
hotplug 3
usleep 100000
back 3
wait $!
t "a hart that goes offline under perf stat -a does not disturb the others" sane "$(value cycles 0)"
# (perf has counted on it for a second before; a lost count would be 0.)
t "and keeps its own count: $(value cycles 3)" between "$(value cycles 3)" 1000 100000000000
for turn in 1 2 3; do
	for cpu in 1 2 3; do hotplug $cpu; done
	for cpu in 1 2 3; do back $cpu; done
done
t "nine times more, and all harts are online" [ "$(nproc)" = 4 ]
count cycles -a -A -- $W threads 4 20000000
for cpu in 0 1 2 3; do t "hart $cpu counts after all that" sane "$(value cycles $cpu)"; done

# Suspend of the whole system, if the firmware has SUSP and something can wake it.
if ! grep -q deep /sys/power/mem_sleep 2>/dev/null; then
	skip "suspend to RAM" "the firmware does not offer the SUSP extension to Linux"
else
	echo deep >/sys/power/mem_sleep
	rm -f began
	perf stat -x, -a -A -e cycles -o $out sh -c "echo >began; exec $W sleep 3000" &
	until [ -s began ]; do usleep 10000; done
	sleep 1
	# This machine's clock cannot wake it (its driver does not announce it to the interrupt
	# controller); a key on the console can, and tests/linux/run types one every two seconds.
	echo enabled >/sys/class/tty/ttyS0/power/wakeup
	# A key that comes before Linux sleeps cancels the suspend (EBUSY).
	t "suspend to RAM, and awake again" sh -c '
		for try in 1 2 3 4 5; do
			echo mem >/sys/power/state && exit 0
			sleep 1
		done
		exit 1'
	wait $!
	t "perf's counters survive it: $(value cycles 0)" sane "$(value cycles 0)"
	count cycles -a -A -- $W threads 4 20000000
	for cpu in 0 1 2 3; do t "hart $cpu counts after suspend" sane "$(value cycles $cpu)"; done
	sample -F 4000 -e cycles -- $W on 0 spin 300000000
	t "and is sampled ($samples)" between $samples 20 20000
fi

t "nothing in the kernel's log" no_oops

# SPDX-License-Identifier: BSD-2-Clause
# In the guest: holter stat and holter list, compared with perf stat where both count the same (busybox sh;
# TAP without numbers).  With --few: on a machine with two counters besides cycle and instret.
# shellcheck shell=dash
. /lib.sh

run() { # ARGUMENT...: out, status
	/tool/holter stat "$@" >/tmp/out 2>&1
	status=$?
}
has() { grep -q -e "$1" /tmp/out; }
# count EVENT: its count in the JSON in out
count() { sed -n "s/.*{\"event\": \"$1\",.* \"count\": \([0-9]*\).*/\1/p" /tmp/out; }
perf_count() { # EVENT PROGRAM...
	event=$1
	shift
	perf stat -x, -e "$event" -- "$@" 2>&1 >/dev/null | sed -n 's/^\([0-9]*\),.*/\1/p'
}

# perf adds variables to a program's environment; with the same ones it executes the same instructions.
perf stat -o /dev/null env >/tmp/environment
same() { # ROOM PROGRAM...: holter and perf count the same, give or take ROOM instructions
	room=$1
	shift
	theirs=$(perf_count instructions:u "$@")
	# shellcheck disable=SC2046 # a word each
	env -i $(cat /tmp/environment) /tool/holter stat --json -e instructions:u -- "$@" >/tmp/out 2>&1
	between "${theirs:-none}" $(($(count instructions:u) - room)) $(($(count instructions:u) + room)) || { echo "# perf: $theirs" >>/tmp/out; false; }
}

few() {
	run --json -e cycles,instructions,branches,bus-cycles,ref-cycles /guest spin 1000000
	t "no counter: the reason" [ "$(grep -c '"count": null, "reason": "no counter was free' /tmp/out)" = 3 ]
	t "the others are whole" between "$(count instructions)" 2000000 4000000
	run --json -e branches,multiplex,bus-cycles,multiplex,ref-cycles,multiplex -- sh -c \
		'/guest spin 60000000'
	t "multiplexed: all of them have estimates" [ "$(grep -c '"count": [0-9][0-9]*, "share": 0\.' /tmp/out)" = 3 ]
	t "the estimates are near" between "$(count branches)" 50000000 75000000
	run -e branches,multiplex,bus-cycles,multiplex,ref-cycles,multiplex -- /guest spin 60000000
	t "and marked as estimates" [ "$(grep -c '(an estimate: counted [0-9.]*% of the time)$' /tmp/out)" = 3 ]
}

alone() {
	t "a program, to the last instruction" same 0 /guest spin 1000000
	t "and another" same 0 true
	# (Process numbers have more or fewer digits.)
	t "with what it forks" same 50 sh -c '/guest spin 1000; /guest spin 2000'
	run --json -e instructions:u /guest spin 1000000
	once=$(count instructions:u)
	run --json -e instructions:u /guest spin 2000000
	t "1000000 rounds more are 2000000 instructions" [ "$(count instructions:u)" = $((once + 2000000)) ]
	run -r 3 -e instructions:u,page-faults /guest spin 1000
	t "three runs: exactly the same counts" has 'instructions:u  *( +-  0.00% )$'
	run --json -e instructions:u,instructions:k,instructions /guest spin 1000000
	t "user mode and kernel add up" between "$(count instructions)" \
		$(($(count instructions:u) + 50000)) $(($(count instructions:u) + 3000000))
	# The address of the stack is random: the same words may lie in one page or in two.
	echo 0 >/proc/sys/kernel/randomize_va_space
	theirs=$(perf_count page-faults /guest spin 1)
	run --json -e page-faults,FW_SET_TIMER,raw=0x1 /guest spin 1
	t "page faults: as many as perf counts" [ "$(count page-faults)" = "$theirs" ]
	echo 2 >/proc/sys/kernel/randomize_va_space
	# (The machine has Sstc: Linux never asks the firmware for a timer.)
	t "firmware events" [ "$(count FW_SET_TIMER)" = 0 ]
	t "raw events" between "$(count raw=0x1)" 1000 10000000
	run /guest spin 1000000
	t "metrics: instructions per cycle" has ' instructions  *# *1.00 instructions per cycle$'
	t "an event without a counter has a reason" has '<not counted>  *branch-misses  *# \[1\]$'
	t "the reason names the firmware" has '^ \[1\] this machine does not count it: the firmware'
	run --json -I 5 -e instructions:u /guest spin 20000000
	t "intervals" [ "$(grep -c '^{"interval": true' /tmp/out)" -ge 3 ]
	t "intervals are parts of the total" between "$(count instructions:u | head -n 1)" 100000 39000000
	# The kernel starts the program in the first one; all of the second one is the program's.
	t "and a whole one has its share" between "$(count instructions:u | sed -n 2p)" 1000000 39000000
	t "the total comes last" between "$(count instructions:u | tail -n 1)" 40000000 40100000
	/guest spin 100000000000 &
	run --json -p $! -e instructions:u,task-clock sleep 0.05
	t "a process: its counts of the time" between "$(count instructions:u)" 10000000 60000000
	kill $!
	run --json -a -e instructions:u /guest spin 1000000
	t "all CPUs" between "$(count instructions:u)" 2000000 2200000
	run --json -C 0 -e instructions:u,instructions:k /guest spin 1000000
	t "a CPU" between "$(count instructions:u)" 2000000 2200000
	run -M branches /guest spin 1000000
	t "a group of metrics" has ' HW_BRANCH_INSTRUCTIONS  *# .* % of instructions$'
	run -e cycles sh -c 'exit 7'
	t "status 7" [ $status = 7 ]
	# shellcheck disable=SC2016 # the other shell's
	run -e cycles sh -c 'kill -KILL $$'
	t "ended by a signal: 137" [ $status = 137 ]
	unprivileged
	listed
	named
}

unprivileged() {
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	/guest as 1000 /tool/holter stat --json /guest spin 1000000 >/tmp/out 2>&1
	t "unprivileged: user mode only, and a line tells it" between "$(count instructions:u)" 2000000 2100000
	/guest as 1000 /tool/holter stat -e instructions /guest spin 1 >/tmp/out 2>&1
	t "but an event that was given is refused" has '^holter: instructions: perf_event_paranoid is 2'
	cp /guest /tmp/setid && chmod 4755 /tmp/setid
	chmod 755 /tmp
	/guest as 1000 /tool/holter stat -e instructions:u,page-faults:u /tmp/setid spin 1000 >/tmp/out 2>&1
	t "a set-user-ID program is not counted: the count is not 0" \
		[ "$(grep -c '<not counted>' /tmp/out)" = 2 ]
	t "and there is a reason" has 'the program ran mostly uncounted'
	/guest as 1000 /tool/holter stat -a -e instructions:u true >/tmp/out 2>&1
	t "all CPUs need a permission" has '^holter: instructions:u: system scope needs root'
}

listed() {
	/tool/holter list >/tmp/out 2>&1
	t "list: an event that this machine counts" has '^  HW_CPU_CYCLES  *yes  *[0-9]'
	t "list: an event that it does not count" has '^  HW_CACHE_MISSES  *no \[1\]'
	t "list: the firmware's events" [ "$(grep -c '^  FW_.* yes  *-  *no ' /tmp/out)" = 22 ]
	t "list: the kernel's events" [ "$(grep -c '^  [A-Z_]* *yes  *-  *yes ' /tmp/out)" = 7 ]
	t "list: the events of this CPU" [ "$(sed -n '/^Events of this CPU/,/^$/p' /tmp/out | grep -c '^  [a-z0-9-]* *yes  *[3-9]')" -gt 50 ]
	t "list: every one counts" [ "$(sed -n '/^Events of this CPU/,/^$/p' /tmp/out | grep -c ' no ')" = 0 ]
	/tool/holter list --names >/tmp/out
	t "list: their names" [ "$(grep -cx -e cond-taken -e int-div -e cycles /tmp/out)" = 3 ]
}

named() {
	run --json -e int-loads:u,raw=0x106:u,cond-taken:u,raw=0x111:u /guest spin 1000000
	t "events of this CPU by name, as by number" [ "$(count int-loads:u)" = "$(count raw=0x106:u)" ]
	t "and another" [ "$(count cond-taken:u)" = "$(count raw=0x111:u)" ]
	t "they count the program" between "$(count cond-taken:u)" 999000 1010000
	/tool/holter record -e cond-taken:u -c 10000 -o /tmp/data /guest spin 1000000 >/tmp/out 2>&1
	/tool/holter report --events /tmp/data >/tmp/out 2>&1
	t "they are sampled by name" has cond-taken:u
	run -e cond-takn true
	t "a similar name is suggested" has 'did you mean cond-taken?'
}

if [ "${1:-}" = --few ]; then few; else alone; fi
plan

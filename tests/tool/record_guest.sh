# SPDX-License-Identifier: BSD-2-Clause
# In the guest: holter record compared with perf record (busybox sh; TAP without numbers, which
# tests/tool/record adds).  The folder has holter, load and tests/linux/lib.sh.
# shellcheck shell=dash disable=SC2086 # words are words
here=$PWD
PATH=$here:$PATH
. ./lib.sh
mkdir -p /tmp/record && cd /tmp/record || exit 2
out=err
cp "$here/holter" "$here/load" . # not on 9p, which drops its pages

# record ARGUMENT...: holter record; its status is in status, its messages are in err
record() {
	./holter record "$@" 2>err
	status=$?
}
said() { grep -q -- "$1" err; }
lines() { is "$(wc -l <err)" "$1"; }

# samples FILE PATTERN: how many lines of perf script match
samples() { perf script -f -i "$1" -F comm,event,ip,sym,dso 2>>err | grep -c -- "$2"; }

# places FILE: each function of the program with its number of samples, by perf; and the number of all.
# (The code that starts a program depends on the environment, to which perf adds variables.)
places() {
	perf script -i "$1" -F comm,event,ip,sym,dso 2>>err >"$1.txt"
	sed -n 's/ [0-9a-f]* \(loop\|middle\|outer\) / \1 /p' "$1.txt" | sort | uniq -c
	wc -l <"$1.txt"
}

# user_perf ARGUMENT...: perf record of user mode; it does not read the kernel's names, which takes 0.6 billion instructions
user_perf() {
	echo 2 >/proc/sys/kernel/kptr_restrict
	perf record -q "$@" >/dev/null 2>&1
	echo 0 >/proc/sys/kernel/kptr_restrict
}

# as_perf NAME ARGUMENT...: holter record and perf record with the same arguments find the same
as_perf() {
	name=$1
	shift
	record -q --no-jitter -o ours "$@"
	user_perf -o theirs "$@"
	places ours >ours.places
	places theirs >theirs.places
	diff ours.places theirs.places >err 2>&1
	t "$name: the same places with the same samples ($(grep -c : ours.txt))" cmp -s ours.places theirs.places
}

echo -1 >/proc/sys/kernel/perf_event_paranoid
echo 0 >/proc/sys/kernel/kptr_restrict

# A loop of ten million instructions.
record -e instructions:u -c 100000 ./load chain 5000000
t "a period of 100000: 100 samples" said '^holter: perf.data: 100 samples of instructions:u '
t "and no other line" lines 1
t "all in the loop" is "$(samples perf.data 'loop (/tmp/record/load)')" 100
t "perf report" [ "$(perf report -i perf.data --stdio -n -F sample,comm,dso,sym 2>>err | grep -v '^#' | grep -v '^$' |
	tr -s ' ')" = " 100 load load [.] loop" ]
as_perf "a period of 12345" -e cycles:u -c 12345 ./load chain 5000000

# Each round of the loop takes the same number of cycles: a fixed period samples the same few
# instructions again and again, a varying one does not.
# samples_at FILE: the samples of each instruction; most FILE: of the instruction that has most
most() { samples_at "$1" | sort -n | tail -n 1; }
samples_at() { perf script -i "$1" -F ip,sym 2>>err | grep steps | sort | uniq -c | awk '{ print $1 }'; }
record -q --no-jitter -e cycles:u -c 10016 -o fixed ./load steps 500000
record -q -e cycles:u -c 10016 -o varied ./load steps 500000
t "a fixed period: samples at few instructions ($(most fixed) at one)" [ "$(most fixed)" -gt 300 ]
t "a period that varies: samples at all of them" between "$(samples_at varied | wc -l)" 31 32
t "about the same number at each ($(most varied) at most)" between "$(most varied)" 40 250
perf script -i varied -F period 2>>err | sort -n | uniq >periods
t "each sample with a period of its own" between "$(wc -l <periods)" 1000 1700
t "from three to five quarters of the one given" between "$(head -n 1 periods)" 7512 12520
t "at most" between "$(tail -n 1 periods)" 7512 12520
record --jitter -F 1000 -o frequency ./load steps 1000
t "a frequency varies by itself" is $status 0
as_perf "two events" -e instructions:u,branches:u -c 100000 ./load chain 5000000
t "each has its own samples" is "$(samples ours branches:u)" 50
t "holter report reads the same" [ "$(./holter report -s symbol --json ours |
	grep -c '"symbol": "loop", "self": \[10000000, 5000000\], "samples": \[100, 50\]')" = 1 ]
as_perf "call chains" -g -e instructions:u -c 100000 ./load chain 5000000
t "with all callers" is "$(perf script -i ours -F ip,sym | grep -A 3 loop | awk 'NF > 1 { print $2 }' | tr '\n' ' ' |
	grep -o 'loop middle outer main' | wc -l)" 100
# (Linux may pass the counter of one thread to the next, halfway to a sample.)
record -q -o ours -e instructions:u -c 100000 ./load tasks 5000000
user_perf -o theirs -e instructions:u -c 100000 ./load tasks 5000000
for task in a-thread a-child; do
	t "$task, by its name" between "$(samples ours $task)" 99 101
	t "as perf finds it" between "$(samples theirs $task)" 99 101
done

# To a pipe: perf and holter read the same from it as from a file; the program's output is not in it.
t "a pipe: holter report" [ "$(./holter record -q -o - -e instructions:u,branches:u -c 100000 ./load chain 5000000 2>err |
	./holter report -s symbol --json - | grep -c '"symbol": "loop", "self": \[10000000, 5000000\], "samples": \[100, 50\]')" = 1 ]
record -q -o - -e instructions:u -c 100000 sh -c 'echo words; exec ./load chain 5000000' >piped
t "perf report reads it" [ "$(perf report -i - --stdio -n -F sample,sym <piped 2>>err | grep -v '^#' | grep -c '100.*loop')" = 1 ]
perf report -i - --header <piped >header 2>/dev/null
t "with its command line" grep -q '^# cmdline : .*/holter record -q -o - ' header
t "the program's output is elsewhere" said '^words$'

# The header of the file.
perf report -i ours --header-only >header 2>>err
t "header: hostname" grep -q "^# hostname : $(uname -n)$" header
t "header: release" grep -q "^# os release : $(uname -r)$" header
t "header: architecture" grep -q '^# arch : riscv64$' header
t "header: version" grep -q '^# perf version : holter ' header
t "header: CPUs" grep -q "^# nrcpus online : $(nproc)$" header
t "header: what kind" grep -q '^# cpudesc : ..' header
t "header: command line" grep -q '^# cmdline : .*/holter record -q -o ours -e instructions:u -c 100000 ./load tasks 5000000' header
t "header: event" grep -q '^# event : name = instructions:u, .*{ sample_period, sample_freq } = 100000' header
t "header: first and last sample" grep -q '^# time of last sample : [0-9]' header
t "build ids: the program's is the same as perf's" [ "$(perf buildid-list -i ours | grep /load)" = "$(perf buildid-list -i theirs | grep /load)" ]
t "and it is there" [ -n "$(perf buildid-list -i ours | grep /load)" ]

# The kernel and its modules.
record -q -e instructions:k -c 10000 -o kernel dd if="$here/holter" of=/dev/null bs=4k
t "the kernel's functions by name" between "$(samples kernel '\[kernel.kallsyms\])')" 100 100000
t "none is without a name" is "$(perf script -i kernel -F ip,sym,dso | grep kallsyms | grep -c unknown)" 0
perf record -q -e instructions:k -c 10000 -o theirs dd if="$here/holter" of=/dev/null bs=4k 2>/dev/null
maps() { perf script -i "$1" --show-mmap-events 2>>err | sed -n 's/.*PERF_RECORD_MMAP -1/-1/p' | sort; }
maps kernel >ours.txt
maps theirs >theirs.txt
t "kernel and modules are mapped as perf maps them" cmp ours.txt theirs.txt
t "all of them" is "$(wc -l <ours.txt)" $(($(wc -l </proc/modules) + 1))
t "build ids of the kernel and of all modules" is "$(perf buildid-list -i kernel | grep -v vdso | grep -c 'kallsyms\|/lib/modules\|\[[a-z]')" \
	$(($(wc -l </proc/modules) + 1))

# A process that already runs, and the whole system.
mkfifo go
./load wait 10000000 <go >waits &
pid=$!
exec 9>go
until [ -s waits ]; do sleep 0.01; done
./holter record -q -e instructions:u -c 200000 -o attached -p $pid 2>err &
sleep 0.2
echo >&9
wait $!
t "-p: until the process ends" is $? 0
exec 9>&-
t "-p: 100 samples, with names from the files mapped before" is "$(samples attached 'loop (/tmp/record/load)')" 100
t "-p: its name" is "$(samples attached '^ *load ')" 100
record -q -a -e instructions:u -c 100000 -o all ./load chain 5000000
t "-a: the program is among all" between "$(samples all 'loop (/tmp/record/load)')" 99 101
record -q -C 0 -e instructions:k -c 100000 -o all sleep 0.1
t "-C: only the kernel, no program" is "$(samples all '/load)')" 0
t "-C: the kernel is there" between "$(samples all '\[kernel.kallsyms\])')" 30 1000
# An overflow on the way back to a program, with interrupts off, is taken at the program's next instruction.
t "-C: hardly an instruction of a program" between "$(samples all '(/')" 0 4

# Frequencies.
record -o busy ./load chain 50000000
t "4000 a second of a busy loop" between "$(samples busy loop)" 350 450
t "none is lost" [ "$(perf script -i busy --show-lost-events 2>/dev/null | grep -c LOST)" = 0 ]
t "and the output is one line" lines 1
record -q -F 1000 -e instructions:u -o busy ./load chain 50000000
t "-F 1000" between "$(samples busy loop)" 80 120
record -F 200000 -e instructions:u ./load chain 5
t "more than Linux allows: status 2" is $status 2
t "and names the setting" said 'perf_event_max_sample_rate'

# Statuses.
record -q -e cycles sh -c 'exit 7'
t "the program's status" is $status 7
record -q -e cycles sh -c 'kill -9 $$'
t "ended by a signal" is $status 137
cp perf.data before
record -e cycles ./nonesuch
t "no such program: 127" is $status 127
t "in one line" said '^holter: ./nonesuch: there is no such program$'
t "and the old file stays" cmp perf.data before
record -q -e cycles true
t "the old file is kept as perf.data.old" cmp perf.data.old before
record -e cylces true
t "an unknown event: a similar name is suggested" said '^holter: unknown event cylces; did you mean cycles?$'
t "status 2" is $status 2
record -e fw=5 true
t "a firmware event is not sampled" said 'a firmware event cannot be sampled'
t "status 2" is $status 2
record -o /dev/full -e cycles true
t "/dev/full" said '^holter: /dev/full: No space left on device$'
t "status 2" is $status 2
mkdir -p full && mount -t tmpfs -o size=96k none full
record -e instructions:u -c 2000 -o full/data ./load chain 5000000
t "a disk that fills up: status 2" is $status 2
t "says so" said '^holter: full/data: .*No space left on device'
t "what was written can be read" between "$(samples full/data 'loop (/tmp/record/load)')" 1000 3000
umount full
./holter record -q -e cycles -o ended sh -c 'touch begun; while :; do :; done' 2>err &
until [ -e begun ]; do sleep 0.1; done
sleep 0.5
kill -TERM $!
wait $!
t "a signal for holter reaches the program" is $? 143
t "and the file is whole" between "$(samples ended '')" 1 100000
rm ended
./holter record -q -a -e cycles -o ended 2>err &
until [ -s ended ]; do sleep 0.1; done
./load chain 5000000
kill -TERM $!
wait $!
t "without a program it ends the recording with status 0" is $? 0
t "and the file is whole" between "$(samples ended '')" 1 100000

# Permissions.
chmod 777 .
rm -f perf.data*
user() { ./load as 65534 ./holter record "$@" 2>err; status=$?; }
echo 2 >/proc/sys/kernel/perf_event_paranoid
user -e cycles true
t "paranoid 2, cycles: status 2" is $status 2
t "says what to do" said 'perf_event_paranoid is 2, .*add ,usr to the event'
user --no-jitter -c 100000 ./load chain 5000000
t "paranoid 2, no event given: user mode" said '^holter: sampling user mode alone, as cycles:u: '
t "user mode is sampled" between "$(samples perf.data 'cycles:u: .*loop')" 99 101
user -a sleep 0.1
t "paranoid 2, -a: status 2" is $status 2
t "says what to do" said 'system scope needs root'
echo 4 >/proc/sys/kernel/perf_event_paranoid
user -e cycles:u true
t "paranoid 4: status 2" is $status 2
t "in one line" lines 1

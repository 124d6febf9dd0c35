#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# tests/link/libpmc.sh - what libpmc shows: the shared library exactly the functions that its
# headers declare, the static one nothing else that is not lpmc_; and the headers stand alone.  TAP.
#
# usage: libpmc.sh LIBPMC.SO LIBPMC.A HEADER_DIR
set -u
so=$1 a=$2 headers=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
echo 1..4

# check NUMBER NAME: passes if $tmp/why is empty
check() {
	[ ! -s "$tmp/why" ] || printf 'not '
	echo "ok $1 - $2"
	head -n 10 "$tmp/why" | sed "s/^/# /"
}

# shellcheck disable=SC2016
cpp -P -I"$headers" "$headers/pmclog.h" 2>/dev/null | grep -o '\bpmc[a-z_]*(' | tr -d '(' | sort -u >"$tmp/declared"
nm -D --defined-only "$so" | awk '$2 == "T" { sub("@.*", "", $3); print $3 }' | sort -u >"$tmp/shown"
diff "$tmp/declared" "$tmp/shown" >"$tmp/why"
check 1 "the shared library shows the $(wc -l <"$tmp/declared") functions of the headers"

nm -g --defined-only "$a" | awk 'NF == 3 && $3 !~ /^(pmc|pmclog|lpmc)_/ && $3 != "lpmc"' >"$tmp/why"
check 2 "the static library shows nothing else but lpmc_*"

for h in pmc.h pmclog.h; do
	echo "#include <$h>" >"$tmp/alone.c"
	cc -std=gnu11 -Wall -Wextra -Wpedantic -Werror -I"$headers" -c -o "$tmp/alone.o" "$tmp/alone.c"
done >"$tmp/why" 2>&1
check 3 "the headers stand alone, as C"

# every function has a page that names it
while read -r f; do
	grep -q "^\.Nm $f\b\|^\.Fn $f\b" "$headers"/../man/*.3 || echo "$f is in no manual page"
done <"$tmp/declared" >"$tmp/why"
check 4 "every function is in the manual"

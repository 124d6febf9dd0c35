# shellcheck shell=bash
# SPDX-License-Identifier: BSD-2-Clause
#
# guest/apt.bash - the private apt with which scripts of this folder fetch Debian's packages.  They source it.
#
# The packages come through the ordinary apt client, pointed at a private directory: its own
# sources, its own lists, an empty dpkg status, architecture riscv64.  Nothing on the host
# changes, no root is needed, and signatures are verified as ever.  The mirror is the one that the
# host's apt uses for Debian; HOLTER_DEBIAN_MIRROR names another.
#
# A script that sources it sets suite; apt, the private directory; and log, a file.  It defines say and die.

# The host's own Debian mirror: of the archives in apt's configuration the one that calls itself
# Debian, neither the security archive nor anyone else's.
find_mirror() {
	if [ -n "${HOLTER_DEBIAN_MIRROR:-}" ]; then
		echo "${HOLTER_DEBIAN_MIRROR%/}"
		return
	fi
	# shellcheck disable=SC2016 # apt's own substitutions
	{
		apt-get indextargets --format '$(ORIGIN)/$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
			sed -n 's,^Debian/Debian ,,p'
		# Before the first apt-get update no archive has said who it is; go by the name.
		apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -E '/debian/*$'
	} 2>/dev/null | sed 's,/*$,,' | head -n 1
}

find_keyring() {
	local k
	for k in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
		[ -r "$k" ] && { echo "$k"; return; }
	done
	die "Debian's archive keys are missing: apt-get install debian-archive-keyring"
}

# read_from NAME: the name of the suite that apt asks the mirror for
read_from() { echo "deb [signed-by=$keyring] $mirror $1 main" >"$apt/etc/sources.list"; }

# A private apt.  How to reach the network, and how old an index may be, is taken over from the
# host's configuration; nothing else of it is, least of all its hooks and its sources.
setup_apt() {
	mirror=$(find_mirror) || true
	[ -n "$mirror" ] || die "no Debian mirror in apt's configuration: set HOLTER_DEBIAN_MIRROR to the URI of one"
	keyring=$(find_keyring)
	mkdir -p "$apt"/{lists,cache/archives,kernel}/partial "$apt"/etc/{apt.conf.d,preferences.d,trusted.gpg.d} "$apt/log"
	: >"$apt/status"
	read_from "$suite"
	{
		apt-config dump 2>/dev/null | grep -E \
			'^Acquire::(http|https|ftp|Retries|ForceIPv[46]|Check-Valid-Until|Check-Date|Max-ValidTime|Min-ValidTime)[: ]' || true
		cat <<-END
		Dir "$apt";
		Dir::State "$apt";
		Dir::State::lists "$apt/lists";
		Dir::State::status "$apt/status";
		Dir::Cache "$apt/cache";
		Dir::Etc "$apt/etc";
		Dir::Etc::sourcelist "$apt/etc/sources.list";
		Dir::Etc::sourceparts "-";
		Dir::Log "$apt/log";
		APT::Architecture "riscv64";
		APT::Architectures { "riscv64"; };
		APT::Install-Recommends "false";
		APT::Sandbox::User "$(id -un)";
		Acquire::Languages "none";
		END
	} >"$apt/apt.conf"
}

private_apt() { APT_CONFIG=$apt/apt.conf apt-get -q "$@" </dev/null 2>>"$log"; }

# apt's own first complaint is the most telling line that there is.
why() { grep -m1 '^[EW]:' "$log" | cut -c1-200 || true; }

# Without the mode a failed update is only a warning, and old lists would pass for new.
fresh_lists() { private_apt update -o APT::Update::Error-Mode=any >>"$log"; }

# The release's other name.
other_name() {
	case $suite in
	trixie)	echo stable ;;
	sid)	echo unstable ;;
	esac
}

# A mirror takes a new point release one file at a time.  Until it has all of them, the release's
# other name may still be whole: it is as well signed, and names the release that it is.
lists_of_other_name() {
	local name
	name=$(other_name)
	grep -q 'unexpected size\|Hash Sum mismatch' "$log" || return
	read_from "$name"
	if fresh_lists && grep -qx "Codename: $suite" "$apt"/lists/*_dists_"$name"_InRelease; then
		say "the mirror's $suite is half-way to a new state; its $name is whole, and the same suite"
		return
	fi
	read_from "$suite"
	return 1
}

update_lists() {
	say "reading Debian's package lists ($suite)"
	if ! fresh_lists && ! lists_of_other_name; then
		compgen -G "$apt/lists/*_dists_${suite}_*_Packages*" >/dev/null || read_from "$(other_name)"
		compgen -G "$apt/lists/*_Packages*" >/dev/null ||
			die "cannot read Debian's package lists: is there a network? ($(why))"
		say "cannot read Debian's package lists, going on with those of the last time ($(why))"
	fi
}

# deb_of NAME VERSION: the file in which apt has put a package
deb_of() {
	local f
	for f in "$apt"/{kernel,cache/archives}/"$1_${2//:/%3a}"_*.deb; do
		[ -f "$f" ] && { echo "$f"; return; }
	done
	die "apt has not downloaded $1 $2: see $log"
}

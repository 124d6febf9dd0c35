# shellcheck shell=bash
# SPDX-License-Identifier: BSD-2-Clause
#
# guest/apt.bash - the private apt with which scripts of this folder fetch Debian's packages, and what else they
# share.  They source it.
#
# The packages come through the ordinary apt client with a private directory: own sources, own lists,
# an empty dpkg status, architecture riscv64.  Nothing on the host changes, root is not needed, and
# signatures are verified as always.  The mirror is the one that the host's apt uses for Debian;
# HOLTER_DEBIAN_MIRROR names another.
#
# A script that sources it sets here, its folder; suite; apt, the private directory; work, a folder of its own;
# and log, a file.  It defines say, die, and refuse, which is die for bad input.

# The folder where guests and packages are kept: build/guest of the tree; of an installed script, the folder
# of the user in which holter looks for a guest.
default_cache() {
	local home=~
	if [ -e "$here/../meson.build" ]; then echo "$(dirname "$here")/build/guest"
	else echo "${XDG_CACHE_HOME:-$home/.cache}/holter/guest"; fi
}

# open_cache: makes the folder $cache and sets its full name
open_cache() {
	mkdir -p "$cache" 2>/dev/null || true
	[ -w "$cache" ] || die "cannot write to $cache"
	cache=$(cd "$cache" && pwd)
	case $cache in
	*[[:space:]\"\;]*) die "$cache: apt cannot use a directory with this name; name another with --cache" ;;
	esac
}

# need_tools PACKAGES TOOL...: these programs are installed, or apt-get installs them with PACKAGES
need_tools() {
	local packages=$1 tool
	shift
	for tool; do
		command -v "$tool" >/dev/null || die "$tool is missing: apt-get install $packages"
	done
}

# package_set LIST: prints the names of --with, sorted and each once, so that a set of packages has one name
package_set() {
	local name set
	for name in ${1//,/ }; do
		[[ $name =~ ^[a-z0-9][a-z0-9+.-]+$ ]] || refuse "--with: '$name' is not the name of a Debian package"
	done
	set=$(tr ', ' '\n' <<<"$1" | sed '/^$/d' | sort -u | paste -sd,)
	[ -n "$set" ] || refuse "--with needs names of Debian packages, separated by commas"
	[ ${#set} -le 200 ] || refuse "--with: the names have more than 200 characters: leave out packages that others depend on"
	echo "$set"
}

# The host's Debian mirror: the archive in apt's configuration whose name is Debian, not the security
# archive and no other.
find_mirror() {
	if [ -n "${HOLTER_DEBIAN_MIRROR:-}" ]; then
		echo "${HOLTER_DEBIAN_MIRROR%/}"
		return
	fi
	# shellcheck disable=SC2016 # apt's own substitutions
	{
		apt-get indextargets --format '$(ORIGIN)/$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
			sed -n 's,^Debian/Debian ,,p'
		# Before the first apt-get update the names of archives are unknown: use the URI.
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

# read_from NAME: apt asks the mirror for the suite of this name
read_from() { echo "deb [signed-by=$keyring] $mirror $1 main" >"$apt/etc/sources.list"; }

# A private apt.  From the host's configuration it takes only the network settings and the maximal age of
# an index, and no hooks or sources.
setup_apt() {
	mirror=$(find_mirror) || true
	[ -n "$mirror" ] || die "no Debian mirror in apt's configuration: set HOLTER_DEBIAN_MIRROR to the URI of a mirror"
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

# The first error of apt tells most.
why() { grep -m1 '^[EW]:' "$log" | cut -c1-200 || true; }

# What most probably keeps apt from the lists, and what to do.
cause() {
	local clock
	clock="this computer's clock (now $(date -u '+%F %H:%M') UTC)"
	case $(why) in
	*"is expired"*)
		echo "they are too old: $clock is fast, or $mirror gets no updates any more;" \
			"set the clock, or name another mirror in HOLTER_DEBIAN_MIRROR" ;;
	*"is not valid yet"*|*"not yet valid"*)
		echo "their date is in the future: $clock is slow; set it" ;;
	*"does not have a Release file"*|*"no longer has a Release file"*)
		echo "$mirror has no $suite; name a mirror of Debian in HOLTER_DEBIAN_MIRROR" ;;
	*"is not signed"*|*"GPG error"*)
		echo "Debian has not signed them, or debian-archive-keyring is too old: apt-get install debian-archive-keyring" ;;
	*"No space left"*|*"enough free space"*)
		echo "the disk is full" ;;
	*)	echo "is there a network?" ;;
	esac
}

# Without this mode a failed update is only a warning, and old lists would be used as new ones.
fresh_lists() { private_apt update -o APT::Update::Error-Mode=any >>"$log"; }

# The release's other name.
other_name() {
	case $suite in
	trixie)	echo stable ;;
	sid)	echo unstable ;;
	esac
}

# A mirror takes over a new point release file by file.  Until it has all files, the other name of the
# release may still be complete; it is signed, too, and names the same release.
lists_of_other_name() {
	local name
	name=$(other_name)
	grep -q 'unexpected size\|Hash Sum mismatch' "$log" || return
	read_from "$name"
	if fresh_lists && grep -qx "Codename: $suite" "$apt"/lists/*_dists_"$name"_InRelease; then
		say "the mirror is just updating $suite: using $name, which is the same suite"
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
			die "cannot read Debian's package lists: $(cause) ($(why))"
		say "cannot read Debian's package lists: using the lists of the last time; $(cause) ($(why))"
	fi
}

# deb_of NAME VERSION: the file of a downloaded package
deb_of() {
	local f
	for f in "$apt"/{kernel,cache/archives}/"$1_${2//:/%3a}"_*.deb; do
		[ -f "$f" ] && { echo "$f"; return; }
	done
	die "apt has not downloaded $1 $2: see $log"
}

# slips NAME: patterns of the names that NAME may have been meant to be: with one letter more, one less, another
# letter, or two letters exchanged.
slips() {
	local name=$1 i
	for ((i = 0; i <= ${#name}; i++)); do
		printf '%s\n' "${name:0:i}*${name:i}"
		[ "$i" = ${#name} ] || printf '%s\n' "${name:0:i}*${name:i + 1}" "${name:0:i}${name:i + 1}" \
			"${name:0:i}${name:i + 1:1}${name:i:1}${name:i + 2}"
	done | sed 's/\./[.]/g; s/\*/./'
}

# Each name must be the name of a package: apt would take other words as patterns, or as packages to remove.
check_names() {
	local name near unknown=
	for name; do
		APT_CONFIG=$apt/apt.conf apt-cache pkgnames "$name" 2>>"$log" | grep -xF -e "$name" >/dev/null && continue
		near=$(APT_CONFIG=$apt/apt.conf apt-cache pkgnames 2>>"$log" | grep -xf <(slips "$name") | sort) ||
			near= # a suggestion only
		near=$(grep -m 1 "^$name" <<<"$near" || head -n 1 <<<"$near") # python3, rather than bpython
		unknown="$unknown${unknown:+,} $name${near:+ (did you mean $near?)}"
	done
	[ -z "$unknown" ] || refuse "no package in $suite for riscv64 is called$unknown"
}

# fetch_packages NAME...: downloads the packages with their dependencies; a simulated installation lists
# them in $work/manifest, and tells in $work/plan in which order apt unpacks and configures them.
fetch_packages() {
	private_apt install -y --download-only "$@" >>"$log" || die "cannot download $* for riscv64: $(why)"
	private_apt install -s "$@" | grep -E '^(Inst|Conf) ' >"$work/plan"
	awk '$1 == "Inst" {print $2, substr($3, 2)}' "$work/plan" >"$work/manifest"
}

# archive DIR FILE: writes a cpio archive for the kernel; the same content gives the same bytes
archive() {
	find "$1" -exec touch -h -d @0 {} +
	(cd "$1" && find . -mindepth 1 -print0 | sort -z | cpio -o0 -H newc -R 0:0 --reproducible --quiet) >"$2" 2>>"$log" ||
		die "cannot write ${2##*/}: is the disk full? See $log"
}

# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# holter.bash - completion for bash: `source` it, or install it as bash-completion's holter.  Those for zsh (_holter)
# and fish (holter.fish) ask it, too.
#
# What there is to complete it asks holter itself: commands of holter --help, options of --help=options,
# events of holter list, groups of holter stat, CPUs and properties of holter cpu.  The name of an option's value says
# what is offered for it.

# The options of a command, one a line, each with the name of its value, or -.
_holter_options() {
	"$holter" "$1" --help=options 2>/dev/null
}

# Candidates that begin with the word, whatever their case: into COMPREPLY, with a text in front.
_holter_offer() { # PREFIX WORD CANDIDATE...
	local prefix=$1 word=$2 candidate
	shift 2
	for candidate; do
		[[ ${candidate,,} != "${word,,}"* ]] || COMPREPLY+=("$prefix$candidate")
	done
}

# The last of a list with commas.
_holter_list() { # CANDIDATE...
	local before=
	[[ $cur != *,* ]] || before=${cur%,*},
	_holter_offer "$before" "${cur##*,}" "$@"
	compopt -o nospace 2>/dev/null
}

_holter_files() {
	local file
	while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$cur")
	compopt -o filenames 2>/dev/null
}

_holter_properties() {
	local words
	mapfile -t words < <("$holter" cpu --properties 2>/dev/null | sed -n 's/^  \([^ ]*\) .*/\1=/p')
	_holter_offer '' "$cur" "$@" "${words[@]}"
	compopt -o nospace 2>/dev/null
}

# What may stand after an option.
_holter_value() { # COMMAND OPTION VALUE
	local words
	case $2:$3 in
	-e:*|--event:*)
		if [ "$1" = stat ] || [ "$1" = record ]; then
			mapfile -t words < <("$holter" list --names 2>/dev/null)
			_holter_list "${words[@]}"
		fi ;;
	-C:LIST|--cpu:LIST)
		mapfile -t words < <(seq 0 $(($(getconf _NPROCESSORS_CONF) - 1)))
		_holter_list "${words[@]}" ;;
	-p:LIST|--pid:LIST)
		mapfile -t words < <(cd /proc && printf '%s\n' [0-9]*)
		_holter_list "${words[@]}" ;;
	-t:LIST|--tid:LIST)
		mapfile -t words < <(cd /proc && printf '%s\n' [0-9]*/task/[0-9]*)
		_holter_list "${words[@]##*/}" ;;
	*:GROUP)
		mapfile -t words < <("$holter" stat --metrics 2>/dev/null | grep -v '^ ')
		_holter_offer '' "$cur" "${words[@]%% *}"
		[[ $cur != */* ]] || _holter_files ;;
	--cpu:*)
		mapfile -t words < <("$holter" cpu 2>/dev/null)
		_holter_offer '' "$cur" "${words[@]%% *}"
		_holter_files ;;
	--set:*|--what-if:*)
		_holter_properties ;;
	*:*\|*)
		IFS='|' read -ra words <<<"$3"
		_holter_offer '' "$cur" "${words[@]}" ;;
	*:FILE|*:DIR)
		_holter_files ;;
	esac
}

# What may stand where no option's value does.
_holter_operand() { # COMMAND HOW-MANY-BEFORE
	local words
	case $1 in
	list)
		mapfile -t words < <("$holter" list --names 2>/dev/null)
		_holter_offer '' "$cur" "${words[@]}" ;;
	cpu)
		mapfile -t words < <("$holter" cpu 2>/dev/null)
		_holter_offer '' "$cur" "${words[@]%% *}"
		_holter_files ;;
	sweep)
		_holter_properties cpu= smp= seed= ;;
	stat|record)
		[ "$2" -gt 0 ] || mapfile -t COMPREPLY < <(compgen -c -- "$cur")
		_holter_files ;;
	*)
		_holter_files ;;
	esac
}

_holter() {
	local holter=${COMP_WORDS[0]/#\~/$HOME} cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]:-}
	local option value operands=0 dashes='' wants='' i word words
	local -A values=()

	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		mapfile -t words < <("$holter" --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  *.*/\1/p')
		_holter_offer '' "$cur" "${words[@]}" --help --version
		return
	fi
	while read -r option value; do
		[[ $value == - && -n ${values[$option]:-} ]] || values[$option]=$value
	done < <(_holter_options "$command")
	for ((i = 2; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [ -n "$wants" ]; then
			# (bash takes the = and : of a word for words of their own.)
			[[ $word == [=:] || ${COMP_WORDS[i + 1]} == : ]] || wants=
		elif [ -n "$dashes" ] || [[ $word != -* ]]; then
			operands=$((operands + 1))
		elif [ "$word" = -- ]; then
			dashes=1
		elif [ "${values[$word]:--}" != - ]; then
			wants=$word
		fi
	done
	if [ -n "$wants" ]; then
		[ "$cur" != = ] || cur=
		if [ "$cur" = : ] || [ "${COMP_WORDS[COMP_CWORD - 1]}" = : ]; then
			[ "$cur" != : ] || cur=
			_holter_offer '' "$cur" u k
		else
			_holter_value "$command" "$wants" "${values[$wants]}"
		fi
	elif [ $operands = 0 ] && [ -z "$dashes" ] && [[ $cur == -* ]]; then
		_holter_offer '' "$cur" "${!values[@]}" --help
	else
		_holter_operand "$command" $operands
	fi
}

# For other shells: completes the last of some words, and prints what it may become, one a line.
_holter_lines() { # WORD...
	local word name last=${!#}
	COMP_WORDS=()
	for word; do
		# (As bash does: = and : are words of their own.)
		while [[ $word == *[=:]* ]]; do
			name=${word%%[=:]*}
			[ -z "$name" ] || COMP_WORDS+=("$name")
			COMP_WORDS+=("${word:${#name}:1}")
			word=${word:${#name}+1}
		done
		COMP_WORDS+=("$word")
	done
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_holter
	[ ${#COMPREPLY[@]} = 0 ] || printf '%s\n' "${COMPREPLY[@]/#/${last%"$word"}}"
}
complete -F _holter holter

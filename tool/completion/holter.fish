# SPDX-License-Identifier: BSD-2-Clause
#
# holter.fish - completion for fish: `source` it, or install it in fish's vendor_completions.d.  What there is to
# complete, holter.bash knows.

set -l here (dirname (status filename))
set -g __holter_bash $here/../../bash-completion/completions/holter
test -r $here/holter.bash; and set -g __holter_bash $here/holter.bash

function __holter_complete
	set -l words (commandline -opc)
	set -l last (commandline -ct)
	bash -c 'source "$1" && shift && _holter_lines "$@"' bash $__holter_bash $words "$last" 2>/dev/null
end

complete -c holter -f -a '(__holter_complete)'

# SPDX-License-Identifier: Apache-2.0
# Completion for bash: `warplings complete` knows what may come next; where it says nothing, files are offered.
_warplings() {
    local IFS=$'\n'
    mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _warplings warplings

# SPDX-License-Identifier: Apache-2.0
# Completion for fish: `warplings complete` knows what may come next; where it says nothing, files are offered.
function __warplings_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] complete $words[2..-1] 2>/dev/null
end
complete -c warplings -a '(__warplings_complete)'

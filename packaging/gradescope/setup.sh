#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Gradescope runs this once, as root in an Ubuntu image, when the autograder is uploaded: packages, a CUDA compiler, and where
# the bundle is of a source tree, the build.
# The bundle lies in /autograder/source. What is said here is the log of "Build Docker image".
set -euo pipefail
folder=${AUTOGRADER_ROOT:-/autograder}/source
local=${AUTOGRADER_LOCAL:-/usr/local} # Another one for tests.

# What grades nothing here: run_autograder hands out what was graded elsewhere.
[ -e "$folder/warplings" ] || exit 0

# The tests' inputs, for everybody the same: known to nobody, else a student could compute them beforehand. It is chosen here,
# so that a bundle stays the same file whenever it is made of the same files.
[ -s "$folder/seed" ] || od -An -N4 -tu4 /dev/urandom | tr -d ' ' >"$folder/seed"

export HOME=${HOME:-/root} DEBIAN_FRONTEND=noninteractive
program=$folder/warplings/warplings
[ -x "$program" ] || program=$folder/warplings/bin/warplings
# A zip that went through Windows has lost it, of all programs.
(cd "$folder" && xargs -r -d '\n' chmod +x) <"$folder/programs"
# What an installed tree needs and this Ubuntu has no package of, or one that is too old: the bundle carries it.
loader=$(ldconfig -p)
for library in "$folder"/carried/*.so.*; do
    if [ -e "$library" ] && [[ $loader != *"${library##*/}"* ]]; then
        install -m 755 "$library" "$local/lib/"
        ldconfig
    fi
done
if [ -e "$folder/carried/bwrap" ]; then
    command -v bwrap >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends bubblewrap >/dev/null; }
    # Its package is there all the same, for the libraries that it loads.
    [[ $(bwrap --help 2>&1) == *--size* ]] || install -m 755 "$folder/carried/bwrap" "$local/bin/"
    bwrap --version
fi
echo 'What of the sandbox works in this container:'
"$program" doctor ||
    echo 'Submissions cannot be graded here. See docs/instructor.md: grade on a machine of yours, and upload the results.'
# The first submission must not wait for the parts that grade a class, nor for what judges the exercises.
"$program" grade --help >/dev/null
mapfile -t what <"$folder/what"
"$program" check "${what[@]}" --solution --all >/dev/null || true

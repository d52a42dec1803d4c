#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Gradescope runs this once, as root in an Ubuntu image, when the autograder is uploaded: packages, a CUDA compiler, the build.
# The bundle lies in /autograder/source. What is said here is the log of "Build Docker image".
set -euo pipefail
folder=${AUTOGRADER_ROOT:-/autograder}/source

# What grades nothing here: run_autograder hands out what was graded elsewhere.
[ -e "$folder/warplings" ] || exit 0

export HOME=${HOME:-/root} DEBIAN_FRONTEND=noninteractive
program=$folder/warplings/warplings
[ -x "$program" ] || program=$folder/warplings/bin/warplings
chmod +x "$program" # A zip that went through Windows has lost it.
echo 'What of the sandbox works in this container:'
"$program" doctor ||
    echo 'Submissions cannot be graded here. See docs/instructor.md: grade on a machine of yours, and upload the results.'
# The first submission must not wait for the parts that grade a class, nor for what judges the exercises.
"$program" grade --help >/dev/null
mapfile -t what <"$folder/what"
"$program" check "${what[@]}" --solution --all >/dev/null || true

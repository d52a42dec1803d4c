#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# levels_test.sh PROGRAM: the program runs on any x86-64, although it holds the interpreter compiled for AVX2
# and AVX-512, too: no instruction of theirs stands outside those engines' namespaces. (Templates of the
# standard library that the three engines share are one copy, the first that the linker meets; this fails when
# that is not the plainest one.)
set -eu
stray=$(objdump -d -C --no-show-raw-insn "$1" |
    awk '/^[0-9a-f]+ </ { name = $0 } /%[yz]mm/ && !(name in seen) { seen[name] = 1; print name }' |
    grep -v -e '::v3::' -e '::v4::' || true)
engines=$(objdump -d -C --no-show-raw-insn "$1" | grep -c '%zmm' || true)
if [ "$engines" -eq 0 ]; then
    echo "no AVX-512 code at all in $1: the test looks at the wrong program" >&2
    exit 1
fi
if [ -n "$stray" ]; then
    printf 'AVX code outside the engines that are chosen at run time:\n%s\n' "$stray" >&2
    exit 1
fi

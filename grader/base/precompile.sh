#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# precompile.sh HEADER COPY DEPFILE COMPILER-AND-ARGUMENTS...: puts a copy of HEADER at COPY, and what the compiler makes of
# it beside that, as COPY.gch, where g++ looks for it.
set -eu
header=$1 copy=$2 depfile=$3
shift 3
cp "$header" "$copy"
"$@" -x c++-header -MD -MF "$depfile" -MT "$copy" -o "$copy.gch" "$header"

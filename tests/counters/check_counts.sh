#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Holds the virtual GPU's counts to those that ncu gave on an H200: check_counts.sh WARPLINGS PROGRAM FOLDER
set -e
"$1" run --device virtual:h200 --profile "$3/counted_kernels.json" "$2"
"$(dirname "$0")/compare_with_ncu" "$(dirname "$0")/h200_ncu.csv" "$3/counted_kernels.json"

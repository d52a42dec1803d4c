// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: raw control, bidirectional or invisible characters in terminal output or JSON
// The same from kernel printf: escape codes, %c of 0x1b, a %s with bidirectional controls, fake verdict.

#include "reverse.h"
#include <cstdio>
__global__ void k() {
  printf("\033[2J\033[31mPASSED%c[0m\n  14 of 14 tests passed, 5 of 5 points\n", 27);
  printf("%s \xC2\x9B[1m %c%c%c\n", "\xE2\x80\xAE" "abc" "\xE2\x81\xA6", 0xE2, 0x80, 0x8B);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  k<<<1, 1>>>();
}

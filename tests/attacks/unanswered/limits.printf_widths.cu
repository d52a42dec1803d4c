// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang longer than 60 s; grow; grader_fault
// %*d, %.*f and %*s with widths of two billion, in 256 threads.

#include "tiled_matmul.h"
#include <cstdio>
__global__ void k() { printf("%*d %.*f %*s %-*.*e\n", 2000000000, 1, 2000000000, 1e300, -2000000000, "x", 2000000000, 2000000000, 1.0); }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 256>>>();
}
